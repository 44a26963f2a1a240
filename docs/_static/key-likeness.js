// Which real keys a wrong one was meant to be. The data is in verl-keys.js; the ranking follows
// snippet_checker/schema/likeness.py, and a test compares them.
const KeyLikeness = (() => {
  const data = window.verlKeys;
  // What people paste may be called like something that every object has: `constructor`.
  for (const part of Object.values(data)) {
    if (part && typeof part === "object" && !Array.isArray(part)) Object.setPrototypeOf(part, null);
  }
  const NAME_COUNTS = 0.62, PARENTS_COUNT = 0.34, LIVE_COUNTS = 0.08;
  const WORTH_NAMING = 0.62, MANY_PLACES = 6, ALIKE = 0.4, AS_LIKELY = 0.06, SAME_NAME = 1.4;
  const NEARLY = 0.86, ENOUGH = 0.65, ALIKE_IN = 0.8;
  const FILLERS = new Set(["the", "use", "size", "config"]);
  const BITS = 32;

  const leafOf = (key) => key.slice(key.lastIndexOf(".") + 1);
  const parentOf = (key) => key.slice(0, Math.max(key.lastIndexOf("."), 0));
  const partsOf = (mapping) => (mapping ? mapping.split(".") : []);
  const endsWith = (key, end) => key === end || key.endsWith(`.${end}`);

  // What a function gives for a text, worked out once.
  const remember = (compute) => {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) known.set(text, compute(text));
      return known.get(text);
    };
  };

  // Names by their last part.
  function grouped(full) {
    const found = new Map();
    for (const name of full) found.set(leafOf(name), [...(found.get(leafOf(name)) ?? []), name]);
    return found;
  }

  const names = Object.keys(data.keys);
  const mappings = Object.keys(data.mappings);
  const live = new Set(data.live), legacy = new Set(data.legacy), open = new Set(data.open);
  const byLeaf = grouped(names), mappingsByLeaf = grouped(mappings);
  const isKnown = (key) => key in data.keys || key in data.mappings;

  const spelled = remember((name) =>
    Object.entries(data.spellings).reduce((text, [from, to]) => text.replaceAll(from, to), name));

  const phrases = Object.entries(data.phrases).map(([phrase, usual]) =>
    [new RegExp(`(?:^|(?<=_))${phrase}(?=_|$)`, "g"), usual]);
  const words = remember((name) => {
    const text = phrases.reduce((said, [phrase, usual]) => said.replace(phrase, usual), spelled(name));
    return new Set(text.split("_").flatMap((word) => (data.words[word] ?? word).split("_")));
  });
  const telling = remember((name) => new Set([...words(name)].filter((word) => !FILLERS.has(word))));

  const leaves = [...byLeaf.keys()].map((name) => [name, spelled(name)]);
  const leavesWith = new Map();
  for (const leaf of byLeaf.keys()) {
    for (const word of words(leaf)) leavesWith.set(word, [...(leavesWith.get(word) ?? []), leaf]);
  }

  // The places of each character of a name, a bit a place; names of keys are ASCII.
  const placesOf = remember((name) => {
    const places = new Int32Array(128);
    for (let n = 0; n < name.length; n++) places[name.charCodeAt(n)] |= 1 << n;
    return places;
  });

  // The longest common subsequence, bit by bit (Hyyrö 2004); `one` has at most 32 characters.
  function commonBits(one, other) {
    const places = placesOf(one);
    let row = ~0;
    for (let n = 0; n < other.length; n++) {
      const matching = row & places[other.charCodeAt(n)];
      row = (row + matching) | (row - matching);
    }
    let count = 0;
    for (let left = ~row & (one.length < BITS ? (1 << one.length) - 1 : ~0); left; left &= left - 1) count++;
    return count;
  }

  function commonInRows(one, other) {
    let row = new Array(other.length + 1).fill(0);
    for (const character of one) {
      const next = [0];
      for (let n = 1; n <= other.length; n++) {
        next[n] = character === other[n - 1] ? row[n - 1] + 1 : Math.max(row[n], next[n - 1]);
      }
      row = next;
    }
    return row[other.length];
  }

  // Twice the longest common subsequence, as a share of both lengths; 0 where that is below `least`.
  function ratio(one, other, least = 0) {
    const both = one.length + other.length;
    if (!both) return 1;
    if ((2 * Math.min(one.length, other.length)) / both < least) return 0;
    const common = one.length <= BITS ? commonBits(one, other)
      : other.length <= BITS ? commonBits(other, one) : commonInRows(one, other);
    return (2 * common) / both;
  }

  const equal = (one, other) => one.size === other.size && [...one].every((word) => other.has(word));

  function sharedWords(one, other) {
    const ours = words(one), theirs = words(other);
    const shared = [...ours].filter((word) => theirs.has(word)).length;
    const tells = shared >= 2 || equal(ours, theirs) || equal(telling(one), telling(other));
    if (!shared || !tells) return 0;
    const sizes = [ours.size, theirs.size];
    return (0.6 * shared) / Math.min(...sizes) + (0.4 * shared) / Math.max(...sizes);
  }

  const isCommon = remember((leaf) => !leaf.includes("_") && (byLeaf.get(leaf) ?? []).length > MANY_PLACES);

  // The last names that are like one, each with its likeness.
  const likeNames = remember((leaf) => {
    const sharing = new Set([...words(leaf)].flatMap((word) => leavesWith.get(word) ?? []));
    const ours = spelled(leaf);
    const found = [];
    for (const [name, theirs] of leaves) {
      const likeness = name === leaf ? (isCommon(leaf) ? 1 : SAME_NAME) : Math.max(
        ratio(ours, theirs, WORTH_NAMING),
        sharing.has(name) ? sharedWords(leaf, name) : 0,
      );
      if (likeness >= WORTH_NAMING) found.push([name, likeness]);
    }
    return found;
  });

  function samePart(one, other) {
    const ours = one.replace(/_config$/, ""), theirs = other.replace(/_config$/, "");
    if (ours === theirs) return true;
    const close = Math.abs(ours.length - theirs.length) <= 2;
    return close && (ours.toLowerCase() === theirs.toLowerCase() || ratio(ours, theirs, NEARLY) >= NEARLY);
  }

  const likeMapping = remember((mapping) => remember((other) => {
    const ours = partsOf(mapping), theirs = partsOf(other);
    if (!ours.length) return 0;
    const found = ours.filter((part) => theirs.some((their) => samePart(part, their))).length;
    const begins = theirs.length > 0 && samePart(ours[0], theirs[0]);
    const kept = Math.min(found, theirs.length) / Math.max(theirs.length, 1);
    return (0.6 * found) / ours.length + 0.2 * kept + 0.2 * begins;
  }));
  const parentsLikeness = (key, candidate) => likeMapping(parentOf(key))(parentOf(candidate));

  function rest(key, candidate) {
    const isLegacy = (name) => legacy.has(name.split(".")[0]);
    const old = isLegacy(candidate) && !isLegacy(key);
    return PARENTS_COUNT * parentsLikeness(key, candidate) + LIVE_COUNTS * live.has(candidate) - 0.1 * old;
  }

  function alike(key) {
    const scores = new Map();
    for (const [name, likeness] of likeNames(leafOf(key))) {
      for (const candidate of byLeaf.get(name)) {
        if (isCommon(name) && parentsLikeness(key, candidate) < ALIKE) continue;
        const score = NAME_COUNTS * likeness + rest(key, candidate);
        if (score >= ENOUGH || !key.includes(".")) scores.set(candidate, score);
      }
    }
    return scores;
  }

  const isOf = (key, wrong) => (wrong.endsWith(".*")
    ? `.${key}`.includes(`.${wrong.slice(0, -1)}`) : endsWith(key, wrong));
  const driftOf = remember((key) => data.wrong.find(([wrong]) => isOf(key, wrong)));
  const gonePatterns = data.nothing.map((keys) =>
    new RegExp(`^${keys.replaceAll(".", "\\.").replaceAll("*", ".*")}$`));

  const around = (key) => partsOf(parentOf(key)).map((_, n, parts) => parts.slice(0, n + 1).join("."));
  // The mapping around a key that takes keys which nobody knows beforehand.
  const openAround = (key) => around(key).find((mapping) => open.has(mapping));

  // The keys and mappings whose full names end with a name.
  function endingWith(end) {
    const leaf = leafOf(end);
    const alike = [...(byLeaf.get(leaf) ?? []), ...(mappingsByLeaf.get(leaf) ?? [])];
    return alike.filter((name) => endsWith(name, end));
  }

  // The full keys that the right end of one stands for, with a plus where that is needed.
  const meant = remember((right) => {
    const ending = endingWith(right);
    if (ending.length) return ending;
    const parents = [...mappings, ...names, ...data.open].filter((name) => endsWith(name, parentOf(right)));
    const inside = [...new Set(parents)].map((name) => `${name}.${leafOf(right)}`);
    return inside.filter(openAround).map((name) => `+${name}`);
  });

  function meaning(key, [wrong, right]) {
    if (!right.endsWith(".*")) return right;
    const start = `.${wrong.slice(0, -1)}`;
    return right.slice(0, -1) + `.${key}`.slice(`.${key}`.indexOf(start) + start.length);
  }

  // The key that differs in dots and underscores only.
  function separated(key) {
    const flat = key.replaceAll(".", "_");
    const same = (byLeaf.get(leafOf(key)) ?? []);
    return same.find((name) => name !== key && name.replaceAll(".", "_") === flat) ?? null;
  }

  const isOneMore = (key) => openAround(key)
    && leaves.every(([, name]) => ratio(spelled(leafOf(key)), name, ALIKE_IN) < ALIKE_IN);

  function moved(key) {
    const fitting = data.moves.filter(([old]) => `${key}.`.startsWith(`${old}.`));
    if (!fitting.length) return null;
    const [old, now] = fitting.reduce((best, move) => (move[0].length > best[0].length ? move : best));
    return now + key.slice(old.length);
  }

  // Up to three keys that a name may have been meant for, the likeliest first.
  const suggest = remember((key) => {
    if (gonePatterns.some((pattern) => pattern.test(key))) return [];
    for (const place of [moved(key), separated(key)]) {
      if (place !== null && isKnown(place)) return [place];
      if (place !== null && isOneMore(place)) return [`+${place}`];
    }
    const known = driftOf(key);
    let scores = new Map();
    for (const candidate of known ? meant(meaning(key, known)) : []) {
      scores.set(candidate, NAME_COUNTS + rest(key, candidate.replace("+", "")));
    }
    if (!scores.size) scores = alike(key);
    const depth = (name) => (key.includes(".") ? name.split(".").length : 0);
    const rounded = (name) => Math.round(scores.get(name) * 1000);
    const ranked = [...scores.keys()].sort((a, b) => rounded(b) - rounded(a) || depth(a) - depth(b));
    return ranked.slice(0, 3).filter((name) => scores.get(name) >= scores.get(ranked[0]) - AS_LIKELY);
  });

  return { around, byLeaf, data, driftOf, endingWith, isKnown, names, open, parentOf, suggest };
})();
