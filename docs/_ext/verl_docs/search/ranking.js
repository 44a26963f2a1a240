// Finds pages and keys in the index that Sphinx made, and puts the best answer first. Sphinx's own
// search wants every word on a page and ranks a page by the best of them alone. A question in
// Chinese or Japanese is a dozen pairs of characters, of which few pages hold all.
const Ranking = (() => {
  // What a word counts by where it stands, against 1 for having it once in an average page.
  const TITLE = 3, HEADING = 1.5, EXPLAINED = 3;
  // Pages that list names say less about them than pages that explain.
  const LISTS = [
    ["reference/history/", 0.5], ["checker/rules/", 0.65],
    ["reference/", 0.8], ["recipes/", 0.8],
  ];
  const FOR_CONTRIBUTORS = "contributing/"; // readers do not look for these
  const MESSAGE = 30; // what explains a message that was pasted stands before all else
  // A word that is nowhere is taken for a slip of one that is: as long as this, and nearly alike.
  const SLIP = { least: 5, alike: 0.75 };
  // Okapi BM25: how soon more of a word counts no more, and how much long pages pay.
  const SATURATION = 1.2, LENGTH = 0.75;
  // A key by its priority in the index; one whose full name was typed; and what further keys lose.
  const KEYS = [9, 6, 2], EXACT = 20, FURTHER = 3;
  const PARENT = 0.5, PART = 0.6; // of a name, against 1 for its last part or the whole word
  const WORTH_SHOWING = 0.1; // of the best score

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const listed = (value) => (value === undefined ? [] : [].concat(value));
  const best = (numbers) => Math.max(0, ...numbers);

  // For each word its pages, with how often they have it.
  const wordsOf = (index) => {
    const words = new Map();
    const note = (word, file, times) => {
      if (!words.has(word)) words.set(word, new Map());
      words.get(word).set(file, times);
    };
    for (const table of [index.terms, index.titleterms]) {
      for (const [word, files] of Object.entries(table)) {
        for (const file of listed(files)) note(word, file, 1);
      }
    }
    const files = wordCounts.pages.map((name) => index.docnames.indexOf(name));
    for (const [word, found] of Object.entries(wordCounts.words)) {
      for (let n = 0; n < found.length; n += 2) note(word, files[found[n]], found[n + 1]);
    }
    return words;
  };

  const pagesOf = (index, words) => {
    const sizes = new Array(index.docnames.length).fill(0);
    for (const found of words.values()) for (const file of found.keys()) sizes[file]++;
    const average = sum(sizes) / sizes.length;
    const pages = index.docnames.map((name, file) => ({
      file,
      length: 1 - LENGTH + (LENGTH * sizes[file]) / average,
      isForReaders: !name.startsWith(FOR_CONTRIBUTORS),
      weight: (LISTS.find(([start]) => name.startsWith(start)) ?? ["", 1])[1],
      headings: [],
    }));
    for (const [title, places] of Object.entries(index.alltitles)) {
      const terms = new Set(splitQuery(title));
      for (const [file, id] of places) pages[file].headings.push({ title, id, terms });
    }
    return pages;
  };

  const keysOf = (index) =>
    Object.entries(index.objects).flatMap(([prefix, found]) =>
      found.map(([file, type, priority, anchor, leaf]) => {
        const full = prefix ? `${prefix}.${leaf}` : leaf;
        const name = full.toLowerCase();
        const [, kind, label] = index.objnames[type];
        const id = anchor === "-" ? `${kind}-${full}` : anchor || full;
        return { file, priority, full, name, parts: name.split("."), id, label };
      }));

  // Which pages explain a name.
  const explainingOf = (index) =>
    Object.entries(wordCounts.explained).map(([name, pages]) => ({
      name, files: new Set(pages.map((n) => index.docnames.indexOf(wordCounts.pages[n]))),
    }));

  let data = null;
  const read = (index) => {
    const words = wordsOf(index);
    data = {
      index, words, pages: pagesOf(index, words), keys: keysOf(index),
      explaining: explainingOf(index),
    };
  };

  // The pairs of letters in a word, with its ends.
  const pairsIn = (word) => {
    const ends = `^${word}$`;
    return new Set(Array.from({ length: ends.length - 1 }, (_, n) => ends.slice(n, n + 2)));
  };

  // How many letters have to be changed, added, left out, or exchanged with their neighbours.
  const slipsBetween = (one, other) => {
    let before = [], row = Array.from({ length: other.length + 1 }, (_, n) => n);
    for (let i = 1; i <= one.length; i++) {
      const next = [i];
      for (let j = 1; j <= other.length; j++) {
        const isSame = one[i - 1] === other[j - 1];
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + !isSame);
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          next[j] = Math.min(next[j], before[j - 2] + 1);
        }
      }
      [before, row] = [row, next];
    }
    return row[other.length];
  };

  // The words that one may be a slip of.
  const nearlyAlike = (term) => {
    if (term.length < SLIP.least || !/^[a-z_]+$/.test(term)) return [];
    const pairs = pairsIn(term);
    let fewest = (1 - SLIP.alike) * term.length, found = [];
    for (const word of data.words.keys()) {
      if (Math.abs(word.length - term.length) > fewest) continue;
      if ([...pairsIn(word)].filter((pair) => pairs.has(pair)).length < 2) continue;
      const slips = slipsBetween(term, word);
      if (slips > fewest) continue;
      if (slips < fewest) found = [];
      fewest = slips;
      found.push(word);
    }
    return found;
  };

  // A term of the question: how much it tells, and how strongly each page has it.
  const lookUp = (term) => {
    const found = new Map();
    const note = (word, closeness) => {
      for (const [file, times] of data.words.get(word) ?? []) {
        const often = (times * (SATURATION + 1)) / (times + SATURATION * data.pages[file].length);
        found.set(file, Math.max(closeness * often, found.get(file) ?? 0));
      }
    };
    if (term.length > 2 || isCjk(term)) {
      for (const word of data.words.keys()) {
        if (word.includes(term)) note(word, (PART * term.length) / word.length);
      }
    }
    note(term, 1);
    if (!found.size && !isCjk(term)) for (const word of nearlyAlike(term)) note(word, PART);
    const others = data.pages.length - found.size;
    return { term, found, weight: found.size && Math.log(1 + (others + 0.5) / (found.size + 0.5)) };
  };

  const KATAKANA = /^[ァ-ヺー]+$/;
  const NEW_SCRIPT = /^(?:[ァ-ヺー][^ァ-ヺー]|[^ァ-ヺー][ァ-ヺー]|[ぁ-ゖ][^ぁ-ゖ])$/;

  // Japanese shows by its scripts where a word begins. Elsewhere two words meet in a pair of
  // characters that is rarer than the pairs beside it.
  const standsBetween = ({ term, found }, n, pairs) => {
    if (KATAKANA.test(term) || NEW_SCRIPT.test(term)) return NEW_SCRIPT.test(term);
    const [before, after] = [pairs[n - 1], pairs[n + 1]];
    return Boolean(before && after) && found.size < Math.min(before.found.size, after.found.size);
  };

  // What is looked up for a run of Chinese or Japanese, and the words in it to be highlighted.
  const readPairs = (run) => {
    const pairs = pairsOf(run).map(lookUp);
    const between = pairs.map(standsBetween);
    const words = [run[0]];
    for (let n = 1; n < run.length; n++) {
      if (between[n - 1]) words.push(run[n]);
      else words[words.length - 1] += run[n];
    }
    const terms = pairs.filter((_, n) => !between[n]);
    const share = 1 / Math.sqrt(pairs.length);
    return { words, terms: terms.map((term) => ({ ...term, weight: term.weight * share })) };
  };

  const readName = (run) => {
    const whole = lookUp(stemOf(run));
    // A name that no page has may be known without its number: "InternVL3.5".
    const parts = run.split(/_|(?<=[0-9])(?=[a-z])|(?<=[a-z])(?=[0-9])/).filter((part) => !stopwords.has(part));
    const terms = whole.found.size ? [whole] : parts.map((part) => lookUp(stemOf(part)));
    return { words: [run], terms };
  };

  const readRun = (run) => {
    const { words, terms } = isCjk(run) ? readPairs(run) : readName(run);
    return { run, words, terms: terms.map((term) => ({ ...term, run })) };
  };

  const inHeading = (heading, terms) => {
    const matched = terms.filter(({ term }) => heading.terms.has(term));
    return sum(matched.map(({ weight }) => weight)) * Math.sqrt(matched.length / heading.terms.size || 0);
  };

  const explains = (page, run) =>
    best(data.explaining
      .filter(({ name, files }) => run.length > 2 && files.has(page.file) && name.includes(run))
      .map(({ name }) => (name === run ? 1 : (PART * run.length) / name.length)));

  const pageFor = (page, terms) => {
    const asked = sum(terms.map(({ weight }) => weight));
    let had = 0, text = 0;
    for (const { run, found, weight } of terms) {
      const there = (found.get(page.file) ?? 0) + EXPLAINED * explains(page, run);
      if (there) had += weight / asked;
      text += (weight / asked) * there;
    }
    if (!had) return [];
    const rated = page.headings.map((h) => ({ ...h, score: inHeading(h, terms) / asked }));
    const title = rated.find(({ id }) => id === null);
    const section = rated.filter(({ id }) => id !== null)
      .reduce((one, other) => (other.score > (one?.score ?? 0) ? other : one), null);
    const score = page.weight * text + TITLE * (title?.score ?? 0) + HEADING * (section?.score ?? 0);
    const isBetter = section && section.score > (title?.score ?? 0);
    return [{ page, section: isBetter ? section : null, score: score * Math.sqrt(had) }];
  };

  const likeness = (key, run) => {
    const leaf = key.parts.at(-1);
    if (leaf === run) return 1;
    if (key.parts.includes(run)) return PARENT;
    return run.length > 2 && leaf.includes(run) ? (PART * run.length) / leaf.length : 0;
  };

  const keysFor = (runs, text) => {
    const typed = new Set(text.match(/[\w-]+(\.[\w-]+)*/g));
    // A plain word among others, such as "model", belongs to a sentence and names no key.
    const isTyped = ({ name }) => typed.has(name) && (/[._]/.test(name) || text.trim() === name);
    const scored = data.keys.map((key) => {
      const alike = sum(runs.map((run) => likeness(key, run))) / runs.length;
      return { key, score: isTyped(key) ? EXACT : KEYS[key.priority] * alike ** 2 };
    });
    const found = scored.filter(({ score }) => score > 0);
    found.sort((a, b) => b.score - a.score || a.key.name.length - b.key.name.length);
    return found.map(({ key, score }, n) => ({ key, score: score / (1 + FURTHER * n) }));
  };

  const worthShowing = (results) => {
    const least = WORTH_SHOWING * best(results.map(({ score }) => score));
    return results.filter(({ score }) => score > least);
  };

  // The rows and sections that explain messages in the question; each page once.
  const explaining = (question) => {
    const pages = new Map();
    for (const message of Messages.find(question)) {
      const file = data.index.docnames.indexOf(message.page);
      if (file >= 0 && !pages.has(file)) pages.set(file, message);
    }
    return [...pages].map(([file, { anchor, heading }], n) =>
      ({ page: { file }, section: { id: anchor, title: heading }, score: MESSAGE - n }));
  };

  // What Sphinx shows: page, title, anchor, description, score, file, kind.
  const itemFor = ({ page, section, key, score }) => {
    const { docnames, titles, filenames } = data.index;
    const { file } = page ?? key;
    const [title, anchor, description, kind] = key
      ? [key.full, `#${key.id}`, `${key.label} · ${titles[file]}`, SearchResultKind.object]
      : section
        ? [`${titles[file]} > ${section.title}`, `#${section.id}`, null, SearchResultKind.title]
        : [titles[file], "", null, SearchResultKind.text];
    return [docnames[file], title, anchor, description, score, filenames[file], kind];
  };

  // Words that make up a key's name stand for it: "gpu memory utilization". Two may be a topic, too:
  // "router replay".
  const asName = (words) => {
    const name = words.join("_");
    const isKey = ({ parts, priority }) => priority === 0 && parts.at(-1) === name;
    return words.length > 2 && data.keys.some(isKey) ? [name] : words;
  };

  // A name whose number was typed apart: "qwen 3.5", "fsdp 2".
  const withNumbers = (runs) => runs.flatMap((run, n) => {
    const whole = run + (runs[n + 1] ?? "");
    return /^[a-z]+$/.test(run) && /\d[\d.]*$/.test(whole) && data.words.has(whole) ? [whole, run] : [run];
  });

  // The answers, the best one first, and the words that they are about.
  const answer = (question) => {
    if (data === null) read(Search._index);
    const typed = [...new Set(withNumbers(runsOf(question)))], asked = asName(typed);
    const runs = asked.map(readRun);
    const terms = runs.flatMap((run) => run.terms);
    const results = [
      ...explaining(asked === typed ? question : asked[0]),
      ...worthShowing(data.pages.filter(({ isForReaders }) => isForReaders).flatMap((page) => pageFor(page, terms))),
      ...worthShowing(keysFor(runs.map(({ run }) => run), normalised(question))),
    ];
    results.sort((a, b) => b.score - a.score);
    const words = runs.flatMap(({ run, words }) => (words.length > 1 ? [run, ...words] : words));
    const long = words.filter((word) => word.length > 1);
    return { items: results.map(itemFor), words: long.length ? long : words };
  };

  return { answer };
})();
