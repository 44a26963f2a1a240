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

  // What Hydra and OmegaConf say about a name; one with its parents says more than one without.
  const COMPLAINTS = [
    /full_key: *([\w.]+)/g,
    /Could not (?:override|append|delete)[^']*'[+~]*([\w.]+)(?![\w.]*\/)/g,
    /(?:An item is already at|Missing mandatory value:?|Interpolation key) '?([\w.]+)/g,
    /Error (?:merging|parsing) override '?[+~]*([\w.]+)/g,
    /(?:Key|Missing key|attribute|keyword argument) '?([\w.]+)'? (?:is )?not in /g,
    /Missing key ([\w.]+)/g,
    /unexpected keyword argument '([\w.]+)'/g,
  ];

  function keysInComplaints(text) {
    const found = COMPLAINTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, key]) => key));
    const keys = [...new Set(found)];
    return keys.filter((key) => !keys.some((other) => other.endsWith(`.${key}`)));
  }

  // What another trainer is told with flags. Those of launchers and of Ray are no settings.
  const OF_LAUNCHERS = /^(?:nproc|nnodes?|node_rank|master|rdzv|standalone|head|num_(?:gpus|cpus)|address|port|config_(?:name|path|dir|file))/;
  function flagsIn(text) {
    const found = [...text.matchAll(/(?:^|\s)--([A-Za-z][\w.-]*)/g)].map(([, flag]) => flag.replaceAll("-", "_"));
    return [...new Set(found)].filter((flag) => !OF_LAUNCHERS.test(flag));
  }

  // The program of verl that a command starts, as far as it names one.
  function programIn(text) {
    const modules = [...text.matchAll(/(?:^|\s)-m\s+([\w.]+)|([\w./-]+)\.py(?=\s|$)/g)]
      .map(([, module, file]) => module ?? file.replaceAll("/", "."));
    return modules.map((module) => module in data.started ? module
      : Object.keys(data.started).find((known) => module.endsWith(`.${known}`))).find(Boolean) ?? null;
  }

  // The names of a text, and whether each may be a part of a key: the end of it as in YAML, or any
  // part while it is typed; beside them the messages of programs, flags, and the program started.
  function read(text) {
    const messages = Messages.find(text), program = programIn(text), { keys, part, isError } = keysOf(text);
    const isMessage = isError || messages.length > 0 || Messages.isOne(text);
    return {
      part, messages, program,
      isMessage: isMessage && !program,
      keys: isMessage && !isError && !program ? keys.filter(isVerls) : keys,
      flags: isMessage || keys.length ? [] : flagsIn(text),
      begin: isMessage && !messages.length && !program ? Messages.beginWith(text) : null,
    };
  }

  // In a message most names are none of verl's.
  const isVerls = (key) => key.includes(".") && (isKnown(key) || key in data.gone);

  function keysOf(text) {
    const complained = keysInComplaints(text);
    if (complained.length) return { keys: complained, part: "end", isError: true };
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

  // The places of the programs that have a key; most have all that the first one has.
  const programsWith = (key) => data.elsewhere[key] ?? data.programs.map((_, n) => n)
    .filter((n) => !(n in data.own) || data.own[n].includes(key));

  // `reward.reward_model.enable` for `reward_model.enable`: the same below another root.
  const sameNameElsewhere = (key) =>
    suggest(key).find((name) => name !== key && name.endsWith(`.${key}`) && !(name in data.ineffective));

  // What is known about one name; `part` says whether it may be a part of one, `program` the place
  // among the programs of the one that is started, if a text names one.
  function look(key, part, program = null) {
    if (isKnown(key)) {
      const having = programsWith(key);
      if (program !== null && !having.includes(program)) {
        return { key, verdict: "elsewhere", keys: suggest(key).filter((name) => name !== key), having };
      }
      const longer = part === "any" ? longerThan(key) : [];
      if (key in data.ineffective && !(key in data.deprecated)) {
        const instead = data.ineffective[key] ?? sameNameElsewhere(key);
        return { key, verdict: "ineffective", keys: instead ? [instead] : [], longer };
      }
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

  // What another trainer's flag is called here.
  const lookUpFlag = (flag) => {
    const keys = isKnown(flag) ? [flag] : suggest(flag);
    return keys.length ? { key: flag, verdict: "flag", keys } : null;
  };

  return { look, lookUpFlag, read, suggest };
})();
