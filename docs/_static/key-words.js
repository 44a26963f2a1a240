// What the names of keys are made of: words, other trainers' taken for verl's. The data is in
// verl-keys.js; it follows words.py and key_paths.py of snippet_checker/suggest.
const KeyWords = (() => {
  const data = window.verlKeys;
  // What people paste may be called like something that every object has: `constructor`.
  for (const part of Object.values(data)) {
    if (part && typeof part === "object" && !Array.isArray(part)) Object.setPrototypeOf(part, null);
  }
  const BITS = 32;
  const { FEW_WORDS, IN_PARENTS } = data.weights, SHARED_ROOT = data.sharedRoot;
  const EMPTY = new Set(data.empty), HOLDS = new Set(data.holds), ROLES = new Set(data.roles);

  const leafOf = (key) => key.slice(key.lastIndexOf(".") + 1);
  const parentOf = (key) => key.slice(0, Math.max(key.lastIndexOf("."), 0));
  const partsOf = (mapping) => (mapping ? mapping.split(".") : []);
  const endsWith = (key, end) => key === end || key.endsWith(`.${end}`);

  // What a function gives for a text, worked out once.
  const remember = (compute) => {
    const known = new Map();
    return (text) => {
      let found = known.get(text);
      if (found === undefined) known.set(text, (found = compute(text)));
      return found;
    };
  };

  const spelled = remember((name) =>
    Object.entries(data.spellings).reduce((text, [from, to]) => text.replaceAll(from, to), name));

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

  const union = (...sets) => new Set(sets.flatMap((set) => [...set]));
  const without = (set, other) => new Set([...set].filter((word) => !other.has(word)));
  const among = (set, other) => new Set([...set].filter((word) => other.has(word)));
  const isInside = (set, other) => set.size < other.size && [...set].every((word) => other.has(word));
  const equal = (one, other) => one.size === other.size && [...one].every((word) => other.has(word));
  const orAll = (some, all) => (some.size ? some : all);
  const asText = (set) => [...set].sort().join(" ");

  // The words of a name without dots, each in verl's own spelling and in the singular.
  const phrases = Object.entries(data.phrases).map(([phrase, usual]) =>
    [new RegExp(`(?:^|(?<=_))${phrase}(?=_|$)`, "g"), usual]);
  const singular = (word) => word.replace(/(?<=[a-z]{3})(?<!s)s$/, "");
  const usual = (word) => data.words[word] ?? data.words[singular(word)] ?? word;
  const words = remember((name) => {
    const text = phrases.reduce((said, [phrase, verls]) => said.replace(phrase, verls),
      spelled(name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()));
    const said = text.split("_").flatMap((word) => usual(word).split("_"));
    return new Set(said.filter(Boolean).map(singular));
  });
  const tellingOf = (said) => orAll(without(said, EMPTY), said);
  const telling = remember((name) => tellingOf(words(name)));
  const role = (word) => data.parts[word] ?? word;
  // What a part above the last one says: whose settings stand in it.
  const part = remember((name) => {
    const said = telling(name);
    return new Set([...orAll(without(said, HOLDS), said)].map(role).filter(Boolean));
  });

  const opposites = data.opposites.map((said) => new Set(said));

  // A dotted key, and its parts as words.
  const pathOf = remember((key) => {
    const leaf = leafOf(key), parents = partsOf(parentOf(key)), name = telling(leaf);
    const above = parents.filter((parent) => parent !== SHARED_ROOT && part(parent).size);
    const around = union(...above.map(telling), ...above.map(part));
    const roles = among(part(leaf), ROLES), said = union(name, around, part(leaf));
    const sides = opposites.map((opposite) => among(said, opposite));
    return { key, leaf, parents, name, sorted: [...name].sort(), above, around, roles, said, sides };
  });
  const tails = (path, deepest, split) => {
    const parts = [...path.above, path.leaf];
    return Array.from({ length: Math.min(deepest, parts.length) }, (_, n) =>
      union(split(path.leaf), ...parts.slice(parts.length - n - 1, -1).map(part)));
  };

  // How much of the words of a name stands in another one or around it, the rare words first.
  function foundIn({ sorted }, { name: other, around }) {
    let whole = 0, found = 0;
    for (const word of sorted) {
      const rarity = data.rarity[word] ?? data.usualRarity;
      whole += rarity;
      found += rarity * (other.has(word) ? 1 : around.has(word) || around.has(role(word)) ? IN_PARENTS : 0);
    }
    return whole ? found / whole : 0;
  }
  function shared(asked, path) {
    const ours = foundIn(asked, path), theirs = foundIn(path, asked);
    const saysLittle = among(asked.name, path.name).size < FEW_WORDS && !equal(asked.name, path.name);
    return saysLittle ? Math.min(ours, theirs) : (ours + theirs) / 2;
  }

  const contradicts = (asked, path) => asked.sides.some((ours, n) => {
    const theirs = path.sides[n];
    return ours.size > 0 && theirs.size > 0 && !among(ours, theirs).size;
  });

  return {
    ROLES, SHARED_ROOT, among, asText, contradicts, endsWith, equal, isInside, leafOf, parentOf, part,
    partsOf, pathOf, ratio, remember, role, shared, spelled, tails, telling, tellingOf, union, without, words,
  };
})();
