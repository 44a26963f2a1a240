// What counts as a word in what a reader types: the same as in `__init__.py`.
const isCjk = (run) => CJK.test(run);

const phrases = [...stopwords].filter(isCjk).sort((one, other) => other.length - one.length);

const normalised = (text) => text.normalize("NFKC").toLowerCase();

// Names, numbers, words, and runs of Chinese or Japanese characters, without those that tell nothing.
const runsOf = (text) => {
  const telling = phrases.reduce((rest, phrase) => rest.replaceAll(phrase, " "), normalised(text));
  return (telling.match(RUN) ?? []).filter((run) => !stopwords.has(run));
};

const pairsOf = (run) =>
  Array.from({ length: Math.max(1, run.length - 1) }, (_, n) => run.slice(n, n + 2));

const unstemmedOf = (run) => {
  if (isCjk(run)) return pairsOf(run);
  const parts = run.split("_").filter((part) => part);
  return parts.length < 2 ? parts : [run, ...parts];
};

const stemmer = new Stemmer();
const stemOf = (word) => (word.includes("_") ? word : stemmer.stemWord(word));

const termsOf = (run) => unstemmedOf(run).map(stemOf);

// Sphinx asks for a function of this name.
var splitQuery = (text) => runsOf(text).flatMap(termsOf);
