// Reads the keys in what people type or paste, and tells what is known about each.
const KeyFinder = (() => {
  const { around, byLeaf, data, driftOf, endingWith, isKnown, names, open, parentOf, suggest } = KeyLikeness;

  // The keys of a text in YAML, with the mappings around them as far as the text has those.
  function keysInYaml(text) {
    const lines = text.split("\n").map((line) => line.replace(/(^|\s)#.*/, ""));
    const telling = lines.filter((line) => /\w/.test(line) && !/^\s*- /.test(line));
    const found = [], outer = [];
    let count = 0;
    for (const line of telling) {
      const [, indent, name] = /^( *)["']?([A-Za-z_][\w.-]*)["']?:(?:\s|$)/.exec(line) ?? [];
      if (!name) continue;
      count++;
      while (outer.length && outer.at(-1).indent >= indent.length) outer.pop();
      const parent = outer.at(-1);
      if (parent) parent.isMapping = true;
      const entry = { key: parent ? `${parent.key}.${name}` : name, indent: indent.length };
      outer.push(entry);
      found.push(entry);
    }
    const keys = found.filter((entry) => !entry.isMapping).map((entry) => entry.key);
    const isMeant = (key) => !/^(hydra\.|defaults$)/.test(key) && (/[._]/.test(key) || byLeaf.has(key));
    return 2 * count > telling.length ? keys.filter(isMeant) : [];
  }

  // The names in a text, or the overrides of a whole command. In a command, a name without dots is a
  // variable of the shell unless verl has such a key.
  function keysInWords(text) {
    const setsKeys = text.includes("="), whole = text.trim();
    const told = text.replace(/^\s*#.*$/gm, " ").replace(/(^|\s)-m\s+\S+/g, " ").trim();
    const found = new Set();
    for (const word of new Set(told.split(/[\s\\]+/))) {
      const match = /^[`'"(]*[+~]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)(=.*|[`'"),:;]*)$/s.exec(word);
      if (!match) continue;
      const [, key, value] = match;
      const isSet = value.startsWith("=") && (key.includes(".") || isKnown(key));
      const isNamed = !setsKeys && /[._]/.test(key);
      if (whole === word || isSet || isNamed) found.add(key);
    }
    return [...found];
  }

  // The keys of a text, and whether each may be a part of one: the end of it as in YAML, or any
  // part while it is typed.
  function read(text) {
    const inYaml = keysInYaml(text);
    if (inYaml.length) return { keys: [...new Set(inYaml)], part: inYaml.length === 1 ? "any" : "end" };
    const keys = keysInWords(text);
    return { keys, part: keys.length === 1 && !text.includes("=") ? "any" : "none" };
  }

  const used = (name) => data.used[name] ?? 0;
  const usedFirst = (keys) => [...keys].sort((a, b) => used(b) - used(a));
  const longerThan = (part) => usedFirst(endingWith(part).filter((name) => name !== part));

  // The keys that a part of a name may stand for: those that end with it, then those that have it
  // between dots, then those that have its letters.
  function containing(part) {
    const having = usedFirst(names.filter((name) => name.includes(part)));
    const between = having.filter((name) => `.${name}.`.includes(`.${part}.`));
    return [...new Set([...longerThan(part), ...between, ...having])];
  }

  // The open mapping around a key, unless the key is nearly one that stands there.
  function mappingThatTakes(key) {
    const isSlip = suggest(key).some((name) => parentOf(name) === parentOf(key));
    return isSlip ? null : around(key).find((name) => open.has(name));
  }

  // What is known about one name; `part` says whether it may be a part of one.
  function look(key, part) {
    if (isKnown(key)) {
      const longer = part === "any" ? longerThan(key) : [];
      return { key, verdict: "found", keys: [key], longer };
    }
    const [last, successor, instead] = data.gone[key] ?? [];
    if (successor) return { key, verdict: "gone", last, keys: [successor] };
    if (instead) return { key, verdict: "gone", last, keys: [instead], isOther: true };
    const mapping = mappingThatTakes(key);
    if (mapping) return { key, verdict: "open", keys: [mapping] };
    const possible = { any: containing, end: longerThan, none: () => [] };
    const isWhole = driftOf(key) || (last && key.includes("."));
    const keys = isWhole ? [] : possible[part](key);
    if (keys.length) return { key, verdict: part === "any" ? "containing" : "ending", keys };
    if (last) return { key, verdict: "gone", last, keys: [] };
    return { key, verdict: "unknown", keys: suggest(key) };
  }

  return { look, read, suggest };
})();
