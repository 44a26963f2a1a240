// Finds verl's keys by the names that they have, had, or are often given. The data is in
// verl-keys.js; the ranking follows snippet_checker/schema/likeness.py, and a test compares them.
const KeyFinder = (() => {
  const data = window.verlKeys;
  // What people paste may be called like something that every object has: `constructor`.
  for (const part of Object.values(data)) {
    if (part && typeof part === "object" && !Array.isArray(part)) Object.setPrototypeOf(part, null);
  }
  const NAME_COUNTS = 0.62, PARENTS_COUNT = 0.34, LIVE_COUNTS = 0.08;
  const WORTH_NAMING = 0.62, MANY_PLACES = 6, ALIKE = 0.4, AS_LIKELY = 0.06, SAME_NAME = 1.4;
  const NEARLY = 0.86, ENOUGH = 0.65, ALIKE_IN = 0.8;
  const FILLERS = new Set(["the", "use", "size", "config"]);

  const leafOf = (key) => key.slice(key.lastIndexOf(".") + 1);
  const parentsOf = (key) => key.split(".").slice(0, -1);
  const names = Object.keys(data.keys);
  const live = new Set(data.live);
  const legacy = new Set(data.legacy);
  const byLeaf = new Map();
  for (const name of names) {
    if (!byLeaf.has(leafOf(name))) byLeaf.set(leafOf(name), []);
    byLeaf.get(leafOf(name)).push(name);
  }

  const remember = (compute) => {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) known.set(text, compute(text));
      return known.get(text);
    };
  };

  const spelled = remember((name) =>
    Object.entries(data.spellings).reduce((text, [from, to]) => text.replaceAll(from, to), name));

  const words = remember((name) => {
    let text = spelled(name);
    for (const [phrase, usual] of Object.entries(data.phrases)) {
      text = text.replace(new RegExp(`(?:^|(?<=_))${phrase}(?=_|$)`, "g"), usual);
    }
    return new Set(text.split("_").flatMap((word) => (data.words[word] ?? word).split("_")));
  });

  // Twice the longest common subsequence, as a share of both lengths.
  function ratio(one, other) {
    if (!one.length && !other.length) return 1;
    let row = new Array(other.length + 1).fill(0);
    for (const character of one) {
      const next = [0];
      for (let n = 1; n <= other.length; n++) {
        next[n] = character === other[n - 1] ? row[n - 1] + 1 : Math.max(row[n], next[n - 1]);
      }
      row = next;
    }
    return (2 * row[other.length]) / (one.length + other.length);
  }

  const equal = (one, other) => one.size === other.size && [...one].every((word) => other.has(word));
  const telling = (set) => new Set([...set].filter((word) => !FILLERS.has(word)));

  function sharedWords(one, other) {
    const ours = words(one), theirs = words(other);
    const shared = [...ours].filter((word) => theirs.has(word)).length;
    const tells = shared >= 2 || equal(ours, theirs) || equal(telling(ours), telling(theirs));
    if (!shared || !tells) return 0;
    const sizes = [ours.size, theirs.size];
    return (0.6 * shared) / Math.min(...sizes) + (0.4 * shared) / Math.max(...sizes);
  }

  function samePart(one, other) {
    const ours = one.replace(/_config$/, ""), theirs = other.replace(/_config$/, "");
    if (ours === theirs) return true;
    const close = Math.abs(ours.length - theirs.length) <= 2;
    return close && (ours.toLowerCase() === theirs.toLowerCase() || ratio(ours, theirs) >= NEARLY);
  }

  function parentsLikeness(key, candidate) {
    const ours = parentsOf(key), theirs = parentsOf(candidate);
    if (!ours.length) return 0;
    const found = ours.filter((part) => theirs.some((other) => samePart(part, other))).length;
    const begins = theirs.length > 0 && samePart(ours[0], theirs[0]);
    const kept = Math.min(found, theirs.length) / Math.max(theirs.length, 1);
    return (0.6 * found) / ours.length + 0.2 * kept + 0.2 * begins;
  }

  function rest(key, candidate) {
    const isLegacy = (name) => legacy.has(name.split(".")[0]);
    const old = isLegacy(candidate) && !isLegacy(key);
    return PARENTS_COUNT * parentsLikeness(key, candidate) + LIVE_COUNTS * live.has(candidate) - 0.1 * old;
  }

  const isCommon = (leaf) => !leaf.includes("_") && (byLeaf.get(leaf) ?? []).length > MANY_PLACES;

  function alike(key) {
    const leaf = leafOf(key);
    const scores = new Map();
    for (const [name, candidates] of byLeaf) {
      let likeness = name === leaf ? SAME_NAME
        : Math.max(ratio(spelled(leaf), spelled(name)), sharedWords(leaf, name));
      if (name === leaf && isCommon(leaf)) likeness = 1;
      if (likeness < WORTH_NAMING) continue;
      for (const candidate of candidates) {
        if (isCommon(name) && parentsLikeness(key, candidate) < ALIKE) continue;
        const score = NAME_COUNTS * likeness + rest(key, candidate);
        if (score >= ENOUGH || !key.includes(".")) scores.set(candidate, score);
      }
    }
    return scores;
  }

  const endsWith = (key, end) => `.${key}`.endsWith(`.${end}`);
  const isOf = (key, wrong) => (wrong.endsWith(".*")
    ? `.${key}`.includes(`.${wrong.slice(0, -1)}`) : endsWith(key, wrong));
  const isGone = (key) => data.nothing.some((keys) =>
    new RegExp(`^${keys.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(key));

  // Whether a mapping whose keys nobody knows beforehand holds the key.
  const open = new Set(data.open);
  const takes = (key) => parentsOf(key).some((_, n, parts) => open.has(parts.slice(0, n + 1).join(".")));

  // The full keys that the right end of one stands for, with a plus where that is needed.
  function meant(right) {
    const ending = [...(byLeaf.get(leafOf(right)) ?? []), ...Object.keys(data.mappings)]
      .filter((name) => endsWith(name, right));
    if (ending.length) return ending;
    const parent = parentsOf(right).join(".");
    const mappings = [...Object.keys(data.mappings), ...names, ...data.open];
    const inside = [...new Set(mappings.filter((name) => endsWith(name, parent)))];
    return inside.map((name) => `${name}.${leafOf(right)}`).filter(takes).map((name) => `+${name}`);
  }

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

  const isOneMore = (key) => takes(key)
    && [...byLeaf.keys()].every((name) => ratio(spelled(leafOf(key)), spelled(name)) < ALIKE_IN);

  function moved(key) {
    const fitting = data.moves.filter(([old]) => `${key}.`.startsWith(`${old}.`));
    if (!fitting.length) return null;
    const [old, now] = fitting.reduce((best, move) => (move[0].length > best[0].length ? move : best));
    return now + key.slice(old.length);
  }

  // Up to three keys that a name may have been meant for, the likeliest first.
  function suggest(key) {
    if (isGone(key)) return [];
    for (const place of [moved(key), separated(key)]) {
      if (place !== null && (place in data.keys || place in data.mappings)) return [place];
      if (place !== null && isOneMore(place)) return [`+${place}`];
    }
    const known = data.wrong.find(([wrong]) => isOf(key, wrong));
    let scores = new Map();
    for (const candidate of known ? meant(meaning(key, known)) : []) {
      scores.set(candidate, NAME_COUNTS + rest(key, candidate.replace("+", "")));
    }
    if (!scores.size) scores = alike(key);
    const depth = (name) => (key.includes(".") ? name.split(".").length : 0);
    const rounded = (name) => Math.round(scores.get(name) * 1000);
    const ranked = [...scores.keys()].sort((a, b) => rounded(b) - rounded(a) || depth(a) - depth(b));
    return ranked.slice(0, 3).filter((name) => scores.get(name) >= scores.get(ranked[0]) - AS_LIKELY);
  }

  // The keys that a text sets or names: one name, or the overrides of a whole command.
  // In a command, a name without dots is a variable of the shell unless verl has such a key.
  function keysIn(text) {
    const found = [];
    const words = text.replace(/^\s*#.*$/gm, " ").replace(/(^|\s)-m\s+\S+/g, " ").trim().split(/[\s\\]+/);
    for (const word of words) {
      const match = /^[`'"(]*[+~]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)(=.*|[`'"),:;]*)$/s.exec(word);
      if (!match) continue;
      const [, key, value] = match;
      const isKnown = key.includes(".") || key in data.keys || key in data.mappings;
      const isSet = value.startsWith("=") && isKnown;
      const isNamed = !text.includes("=") && /[._]/.test(key);
      if (text.trim() === word || isSet || isNamed) found.push(key);
    }
    return [...new Set(found)];
  }

  // The open mapping around a key, unless the key is nearly one that stands there.
  function mappingThatTakes(key) {
    const around = parentsOf(key).map((_, n, parts) => parts.slice(0, n + 1).join("."));
    const isSlip = suggest(key).some((name) => parentsOf(name).join(".") === around.at(-1));
    return isSlip ? null : around.find((name) => open.has(name));
  }

  // What is known about one name, which may be a part of one while it is typed.
  function look(key, mayBePart) {
    if (key in data.keys || key in data.mappings) return { key, verdict: "found", keys: [key] };
    const [last, successor] = data.gone[key] ?? [];
    if (successor) return { key, verdict: "gone", last, keys: [successor] };
    const mapping = mappingThatTakes(key);
    if (mapping) return { key, verdict: "open", keys: [mapping] };
    if (last) return { key, verdict: "gone", last, keys: [] };
    const isDrift = data.wrong.some(([wrong]) => isOf(key, wrong));
    const containing = isDrift || !mayBePart ? [] : names.filter((name) => name.includes(key));
    if (containing.length) return { key, verdict: "containing", keys: containing };
    return { key, verdict: "unknown", keys: suggest(key) };
  }

  return { keysIn, look, suggest };
})();

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".key-finder");
  if (!form) return;
  const data = window.verlKeys;
  const field = form.querySelector("textarea");
  const output = form.querySelector("output");
  const say = (name, values = {}) =>
    form.querySelector("template").dataset[name].replace(/\{(\w+)\}/g, (_, word) => values[word]);
  const MOST = 200;

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function link(key) {
    const code = element("code", key);
    const page = data.pages[data.keys[key]?.[0] ?? data.mappings[key]];
    if (!page) return code;
    const made = element("a", code);
    made.href = `${document.documentElement.dataset.content_root}${page}.html#key-${key}`;
    return made;
  }

  function withDefault(key) {
    const known = data.keys[key]?.[1];
    return known == null ? [link(key)] : [link(key), ` ${say("default")} `, element("code", known)];
  }

  const list = (keys) => element("ul", ...keys.slice(0, MOST).map((key) => element("li", ...withDefault(key))));
  const URGENT = ["unknown", "gone", "open", "containing", "found"];

  function describe({ key, verdict, keys, last }) {
    const release = data.release;
    const name = element("code", key);
    if (verdict === "found") {
      return [element("p", link(key), ` ${say("found", { release })} `, ...withDefault(key).slice(1))];
    }
    if (verdict === "open") return [element("p", name, ` ${say("open")} `, link(keys[0]))];
    if (verdict === "containing") {
      return [element("p", say("containing", { count: keys.length })), list(keys)];
    }
    const what = verdict === "gone" ? say("gone", { last }) : say("unknown", { release });
    const next = { gone: keys.length ? "now" : "dropped", unknown: keys.length ? "meant" : "nothing" };
    const sentence = element("p", name, ` ${what} ${say(next[verdict])}`);
    return keys.length ? [sentence, list(keys)] : [sentence];
  }

  function update() {
    const keys = KeyFinder.keysIn(field.value);
    const isTyped = !field.value.includes("=") && keys.length === 1;
    const known = keys.map((key) => KeyFinder.look(key, isTyped));
    known.sort((a, b) => URGENT.indexOf(a.verdict) - URGENT.indexOf(b.verdict));
    const empty = field.value.trim() && !keys.length ? [element("p", say("none"))] : [];
    output.replaceChildren(...known.flatMap(describe), ...empty);
  }

  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  window.addEventListener("pageshow", () => field.value && update()); // after going back
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  const asked = new URLSearchParams(location.search).get("key");
  if (asked) {
    field.value = asked;
    update();
  }
});
