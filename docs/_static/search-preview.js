// What the search finds, below its field, while a reader types. The index is loaded with the first
// characters. Enter opens the search page, as it does without this file.
document.addEventListener("DOMContentLoaded", () => {
  const SHOWN = 8, PAUSE = 120; // results; milliseconds after the last character
  const texts = document.getElementById("search-texts")?.dataset;
  const root = document.documentElement.dataset.content_root;
  const SCRIPTS = [
    ...["word-counts", "message-list", "messages", "language_data", "searchtools"]
      .map((name) => `_static/${name}.js`),
    "searchindex.js",
  ];
  const made = (tag, said, ...parts) => {
    const element = Object.assign(document.createElement(tag), said);
    element.append(...parts);
    return element;
  };

  const add = (name) => new Promise((resolve, reject) => {
    document.head.append(made("script", { src: root + name, onload: resolve, onerror: reject }));
  });

  // Sphinx's script empties each field when it comes: what was typed stays.
  async function load() {
    if (typeof Search !== "undefined") return;
    for (const name of SCRIPTS) {
      const fields = [...document.querySelectorAll("input[name=q]")];
      const typed = fields.map((field) => [field, field.value, field.selectionStart]);
      await add(name);
      if (name.endsWith("searchtools.js")) {
        for (const [field, value, place] of typed) {
          field.value = value;
          field.setSelectionRange(place, place);
        }
      }
    }
  }

  let loading;
  const loaded = () => (loading ??= load().catch((error) => {
    loading = undefined; // the next character tries again
    throw error;
  }));

  const addressOf = ([page, , anchor]) => `${root}${page}.html${anchor}`;
  const resultOf = (item) => made("li", {},
    made("a", { href: addressOf(item) }, item[1]),
    ...(item[3] ? [made("span", { textContent: item[3] })] : []));
  const said = (count) =>
    count === 0 ? texts.none : count === 1 ? texts.one : texts.more.replace("${resultCount}", count);

  for (const form of texts ? document.querySelectorAll("form.bd-search") : []) {
    const field = form.querySelector("input[name=q]");
    const status = made("p", { role: "status" }), list = made("ul", {});
    const all = made("a", { className: "search-preview__all", textContent: texts.all });
    const preview = made("div", { className: "search-preview", hidden: true }, status, list, all);
    let waiting;
    form.after(preview);

    const show = (question, items) => {
      status.textContent = said(items.length);
      list.replaceChildren(...items.slice(0, SHOWN).map(resultOf));
      all.hidden = items.length <= SHOWN;
      all.href = `${root}search.html?q=${encodeURIComponent(question)}`;
      preview.hidden = false;
    };

    async function answer() {
      const question = field.value.trim();
      if (!question) {
        preview.hidden = true;
        return;
      }
      try {
        await loaded();
      } catch {
        return; // Enter still leads to the search page
      }
      if (field.value.trim() === question) show(question, Ranking.answer(question).items);
    }

    field.addEventListener("input", (event) => {
      clearTimeout(waiting);
      if (!event.isComposing) waiting = setTimeout(answer, PAUSE);
    });
    field.addEventListener("compositionend", answer);

    // The arrows go from the field through the results and back.
    const move = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || preview.hidden || event.isComposing) return;
      const places = [field, ...preview.querySelectorAll("a:not([hidden])")];
      const next = places[places.indexOf(document.activeElement) + step];
      event.preventDefault();
      next?.focus();
    };
    for (const part of [field, preview]) part.addEventListener("keydown", move);
  }
});
