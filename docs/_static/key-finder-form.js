// The field that finds keys: shows what key-finder.js knows about the text in it. That and its data are
// loaded when a reader first uses the field.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".key-finder");
  if (!form) return;
  const field = form.querySelector("textarea");
  const output = form.querySelector("output");
  const share = form.querySelector(".key-finder__share");
  const sentences = form.querySelector("template").dataset;
  const say = (name, values = {}) => sentences[name].replace(/\{(\w+)\}/g, (_, word) => values[word]);
  const root = document.documentElement.dataset.content_root;
  const MOST = 200, AT_ONCE = 30; // keys in a list; milliseconds until the browser may do something else
  const FEW = 6, LONGEST = 4000, GUESSES = 3; // sound keys shown openly; characters of an address; guesses
  const NAME = "find"; // in the address, behind its hash: no server gets to know it
  let data;

  let loading;
  const load = () => (loading ??= Promise.all(sentences.scripts.split(" ").map((name) =>
    new Promise((resolve, reject) => {
      const script = element("script");
      Object.assign(script, { src: `${root}_static/${name}`, async: false, onload: resolve, onerror: reject });
      document.head.append(script);
    }))).then(() => (data = window.verlKeys)));

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  const code = (text) => element("code", text);

  function linkTo(page, anchor, ...content) {
    const made = element("a", ...content);
    made.href = `${root}${page}.html#${anchor}`;
    return made;
  }

  function link(key) {
    const page = data.pages[data.keys[key]?.[0] ?? data.mappings[key]];
    return page ? linkTo(page, `key-${key}`, code(key)) : code(key);
  }

  // The default of a key, the programs that have it if the first one has not, and its fate. Another
  // program than the first may have another default.
  function facts(key, program) {
    const [, known] = data.keys[key] ?? [];
    const isSure = !program || program === data.programs[0] || key in data.elsewhere;
    const told = known == null || !isSure ? [] : [` ${say("default")} `, known === "???" ? say("must") : code(known)];
    const programs = data.elsewhere[key] ?? [0];
    if (programs[0] !== 0) told.push(...only(programs));
    if (key in data.deprecated) told.push(" ", element("strong", say("deprecated")));
    const instead = data.deprecated[key] ?? data.ineffective[key];
    return instead ? [...told, ` ${say("instead")} `, link(instead)] : told;
  }

  const only = (programs) =>
    [` ${say("only")} `, ...programs.flatMap((number) => [", ", code(data.programs[number])]).slice(1)];

  const list = (keys) =>
    element("ul", ...keys.slice(0, MOST).map((key) => element("li", link(key), ...facts(key))));

  const isOld = ({ key, verdict }) => verdict === "found" && key in data.deprecated;
  const URGENT = ["unknown", "gone", "elsewhere", "ineffective", "flag", "open", "ending", "containing", "found"];
  const urgency = (known) => URGENT.indexOf(known.verdict) - 0.5 * isOld(known);
  const isWrong = (known) => urgency(known) < URGENT.indexOf("flag") || isOld(known);

  function describe({ key, verdict, keys, last, longer, isOther, having }, program) {
    const { release } = data;
    const sentence = (...said) => element("p", code(key), ...said);
    const withLonger = (told) => longer.length ? [told, element("p", say("longer")), list(longer)] : [told];
    switch (verdict) {
      case "found": {
        const told = element("p", link(key), ` ${say("found", { release })}`, ...facts(key, program));
        return withLonger(told);
      }
      case "ineffective": {
        const [having = 0] = data.elsewhere[key] ?? [];
        const told = element("p", link(key), " ", element("strong", say("ineffective", { program: data.programs[having] })));
        if (keys.length) told.append(` ${say("instead")} `, link(keys[0]));
        return withLonger(told);
      }
      case "elsewhere": {
        const told = element("p", link(key), " ", element("strong", say("elsewhere", { program })), ...only(having));
        return keys.length ? [told, element("p", say("meant")), list(keys.slice(0, GUESSES))] : [told];
      }
      case "flag": return [element("p", code(`--${key}`), ` ${say("flag")}`), list(keys.slice(0, GUESSES))];
      case "open": return [sentence(` ${say("open")} `, link(keys[0]))];
      case "ending": return [sentence(` ${say("ending")}`), list(keys)];
      case "containing": return [element("p", say("containing", { count: keys.length })), list(keys)];
    }
    const what = verdict === "gone" ? say("gone", { last }) : say("unknown", { release });
    const now = isOther ? "other" : "now";
    const next = { gone: keys.length ? now : "dropped", unknown: keys.length ? "meant" : "nothing" };
    const told = sentence(` ${what} ${say(next[verdict])}`);
    return keys.length ? [told, list(keys)] : [told];
  }

  const MESSAGES = 4;
  const sectionOf = ({ page, anchor, title, heading }) =>
    linkTo(page, anchor, title === heading ? title : `${title} › ${heading}`);
  const explain = ({ messages, begin }) => begin ? [element("p", say("begin"), " ", sectionOf(begin))]
    : messages.length ? [
    element("p", say("message")),
    element("ul", ...messages.slice(0, MESSAGES).map((message) =>
      element("li", sectionOf(message), ": ", code(message.text)))),
  ] : [];

  // Looks the names up, and lets the browser breathe in between; null if the text has changed since.
  async function lookUp({ keys, flags, part, program }) {
    const text = field.value, started = program === null ? null : data.started[program];
    const known = [];
    let since = performance.now();
    for (const name of [...keys, ...flags]) {
      known.push(flags.length ? KeyFinder.lookUpFlag(name) : KeyFinder.look(name, part, started));
      if (performance.now() - since < AT_ONCE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (field.value !== text) return null;
      since = performance.now();
    }
    return known;
  }

  // A program that no longer is; how many names there are, and how many of them have a problem.
  function summary(known, program) {
    const { release } = data, wrong = known.filter(isWrong).length;
    const isGone = program !== null && data.started[program] === null;
    const retired = isGone ? [element("p", code(program), ` ${say("retired", { release })}`)] : [];
    const named = program ?? say("assumed", { program: data.programs[0] });
    const told = element("p", say("summary", { all: known.length, wrong, program: named }));
    told.className = wrong || isGone ? "key-finder__wrong" : "key-finder__sound";
    return [told, ...retired];
  }

  function details(known, program) {
    const sound = known.filter((one) => one.verdict === "found" && !isOld(one));
    if (sound.length <= FEW || sound.length === known.length && known.length === 1) {
      return known.flatMap((one) => describe(one, program));
    }
    const folded = element("details", element("summary", say("sound", { count: sound.length })),
      list(sound.map(({ key }) => key)));
    return [...known.filter((one) => !sound.includes(one)).flatMap((one) => describe(one, program)), folded];
  }

  async function update() {
    const text = field.value;
    try {
      await load();
    } catch {
      output.replaceChildren(element("p", say("failed")));
      return;
    }
    if (field.value !== text) return;
    const read = KeyFinder.read(text);
    const found = await lookUp(read);
    if (found === null) return;
    const known = found.filter(Boolean).sort((a, b) => urgency(a) - urgency(b));
    const isCommand = !read.isMessage && (known.length > 1 || read.program !== null);
    const missed = found.length - known.length;
    const nothing = text.trim() && !known.length && !read.messages.length && !read.begin && !missed;
    output.replaceChildren(
      ...(isCommand && !read.flags.length ? summary(known, read.program) : []),
      ...explain(read),
      ...details(known, read.program ?? data.programs[0]),
      ...(missed ? [element("p", say("flags", { count: missed }))] : []),
      ...(nothing ? [element("p", say("none"))] : []),
      ...(isCommand || (!read.isMessage && text.includes("=")) ? [limits()] : []),
    );
    remember(text);
  }

  function limits() {
    const told = element("p", say("limits"));
    told.className = "key-finder__limits";
    return told;
  }

  // The address holds the text, unless that is too long for one.
  function remember(text) {
    const isShown = Boolean(text.trim()) && text.length <= LONGEST;
    share.hidden = !isShown;
    share.querySelector("[role=status]").textContent = "";
    const hash = isShown ? `#${NAME}=${encodeURIComponent(text)}` : "";
    if (isShown || location.hash.startsWith(`#${NAME}=`)) {
      try {
        history.replaceState(history.state, "", `${location.pathname}${hash}`);
      } catch {
        // Too often, or no address that may change.
      }
    }
  }

  share.querySelector("button").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    share.querySelector("[role=status]").textContent = say("copied");
  });

  let waiting;
  field.addEventListener("focus", () => load().catch(() => { loading = undefined; }), { once: true });
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  window.addEventListener("pageshow", () => field.value && update()); // after going back
  form.addEventListener("submit", (event) => event.preventDefault());

  function takeFromAddress() {
    const inHash = location.hash.startsWith(`#${NAME}=`) && location.hash.slice(NAME.length + 2);
    let asked = new URLSearchParams(location.search).get("key");
    try {
      asked = inHash ? decodeURIComponent(inHash) : asked;
    } catch {
      // Not an address of ours.
    }
    if (!asked || asked === field.value) return;
    field.value = asked;
    update();
  }
  window.addEventListener("hashchange", takeFromAddress);
  takeFromAddress();
});
