// The field that finds keys: shows what key-finder.js knows about the text in it.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".key-finder");
  if (!form) return;
  const data = window.verlKeys;
  const field = form.querySelector("textarea");
  const output = form.querySelector("output");
  const sentences = form.querySelector("template").dataset;
  const say = (name, values = {}) => sentences[name].replace(/\{(\w+)\}/g, (_, word) => values[word]);
  const MOST = 200, AT_ONCE = 30; // keys in a list; milliseconds until the browser may do something else

  function element(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  const code = (text) => element("code", text);

  function link(key) {
    const page = data.pages[data.keys[key]?.[0] ?? data.mappings[key]];
    if (!page) return code(key);
    const made = element("a", code(key));
    made.href = `${document.documentElement.dataset.content_root}${page}.html#key-${key}`;
    return made;
  }

  // The default of a key, the programs that have it if the first one has not, and its fate.
  function facts(key) {
    const [, known] = data.keys[key] ?? [];
    const told = known == null ? [] : [` ${say("default")} `, known === "???" ? say("must") : code(known)];
    const programs = data.elsewhere[key] ?? [0];
    if (programs[0] !== 0) {
      const named = programs.flatMap((number) => [", ", code(data.programs[number])]).slice(1);
      told.push(` ${say("only")} `, ...named);
    }
    if (key in data.deprecated) told.push(" ", element("strong", say("deprecated")));
    else if (key in data.ineffective) {
      told.push(" ", element("strong", say("ineffective", { program: data.programs[programs[0]] })));
    }
    const instead = data.deprecated[key] ?? data.ineffective[key];
    return instead ? [...told, ` ${say("instead")} `, link(instead)] : told;
  }

  const list = (keys) =>
    element("ul", ...keys.slice(0, MOST).map((key) => element("li", link(key), ...facts(key))));

  const isOld = ({ key, verdict }) => verdict === "found" && (key in data.deprecated || key in data.ineffective);
  const URGENT = ["unknown", "gone", "open", "ending", "containing", "found"];
  const urgency = (known) => URGENT.indexOf(known.verdict) - 0.5 * isOld(known);

  function describe({ key, verdict, keys, last, longer, isOther }) {
    const { release } = data;
    const sentence = (...said) => element("p", code(key), ...said);
    switch (verdict) {
      case "found": {
        const told = element("p", link(key), ` ${say("found", { release })}`, ...facts(key));
        return longer.length ? [told, element("p", say("longer")), list(longer)] : [told];
      }
      case "open": return [sentence(` ${say("open")} `, link(keys[0]))];
      case "ending": return [sentence(` ${say("ending")}`), list(keys)];
      case "containing": return [element("p", say("containing", { count: keys.length })), list(keys)];
    }
    const what = verdict === "gone" ? say("gone", { last }) : say("unknown", { release });
    const now = isOther ? "instead" : "now";
    const next = { gone: keys.length ? now : "dropped", unknown: keys.length ? "meant" : "nothing" };
    const told = sentence(` ${what} ${say(next[verdict])}`);
    return keys.length ? [told, list(keys)] : [told];
  }

  // Looks the keys up, and lets the browser breathe in between; null if the text has changed since.
  async function lookUp({ keys, part }) {
    const text = field.value;
    const known = [];
    let started = performance.now();
    for (const key of keys) {
      known.push(KeyFinder.look(key, part));
      if (performance.now() - started < AT_ONCE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (field.value !== text) return null;
      started = performance.now();
    }
    return known;
  }

  async function update() {
    const known = await lookUp(KeyFinder.read(field.value));
    if (known === null) return;
    known.sort((a, b) => urgency(a) - urgency(b));
    const empty = field.value.trim() && !known.length ? [element("p", say("none"))] : [];
    output.replaceChildren(...known.flatMap(describe), ...empty);
  }

  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  window.addEventListener("pageshow", () => field.value && update()); // after going back
  form.addEventListener("submit", (event) => event.preventDefault());
  const asked = new URLSearchParams(location.search).get("key");
  if (asked) {
    field.value = asked;
    update();
  }
});
