// Finds the messages of the guide in what readers paste: logs with other numbers and names in them.
const Messages = (() => {
  const LEAST = 10, ENOUGH = 14; // characters of a message; of a part of one that was typed
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const plain = (text) => text.toLowerCase().replace(/["‘’“”`]/g, "'").replace(/\s+/g, " ").trim();
  const GAP = /\s*(?:…|\.\.\.|<[^>]*>)\s*/;

  // What stands for a name or a number in a message may be anything in a log.
  const patternOf = (text) => {
    const parts = text.split(GAP).map((part) => escaped(part).replace(/\d+/g, "\\d+"));
    return new RegExp(`(?<!\\w)${parts.join("[^\\n]{0,200}?")}(?!\\w)`);
  };

  // Logs leave out the exception that a page may name before what it says, and the other way round.
  const EXCEPTION = /^(?:[a-z_]\w*\.)*[a-z_]\w*(?:error|exception): (?=.{10})/;

  const known = messageList.messages.map(([text, page, anchor, title, heading], rank) => {
    const said = plain(text), size = said.split(GAP).join("").length;
    const pattern = patternOf(said.replace(EXCEPTION, ""));
    return { text, page, anchor, title, heading, said, size, rank, pattern };
  }).filter(({ size }) => size >= LEAST);

  // The messages in a text, the one that says most first; of those that say the same, one.
  function find(text) {
    const pasted = plain(text);
    // Two words, such as `custom dataset`, may be asked for as a subject.
    const isTyped = pasted.length >= ENOUGH && pasted.split(" ").length > 2;
    const isPart = (said) => isTyped && said.includes(pasted);
    const found = known.filter(({ said, pattern }) => pattern.test(pasted) || isPart(said));
    found.sort((a, b) => b.size - a.size || a.rank - b.rank);
    const isTold = ({ said }, n) => found.slice(0, n).some((other) => other.said.includes(said));
    return found.filter((message, n) => !isTold(message, n));
  }

  const families = messageList.families.map(([pattern, page, anchor, title, heading]) =>
    ({ page, anchor, title, heading, pattern: new RegExp(pattern, "i") }));

  // What programs say has the name of an exception, a level, a line of code, or the time of a log.
  const NAMED = /(?:^|[\s.])\w*(?:Error|Exception|Warning)\b(?:\s*[:(]|$)|^\s*(?:\w+\.){2,}[A-Z]\w+: |^Error /m;
  const LEVEL = /\b(?:Traceback|ERROR|WARN(?:ING)?|FATAL|raylet)\b|\[(?:[Ee]rror|[Ww]arn(?:ing)?|[Ff]atal)\]/m;
  const LINE = /\b\w+\.(?:cc|cpp|cu|h|hpp|py):\d+\b/;
  const TIME = /\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;
  const isOne = (text) => [NAMED, LEVEL, LINE, TIME].some((pattern) => pattern.test(text));

  // Where to begin with a message that no page quotes.
  const beginWith = (text) => families.find(({ pattern }) => pattern.test(text)) ?? null;

  return { beginWith, find, isOne };
})();
