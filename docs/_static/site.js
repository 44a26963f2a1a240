// Pages work without this file. Here the language switch learns to keep the place within the page,
// to remember the choice for the root page, and to close like other menus.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".language-switch a");
  if (link) {
    link.hash = location.hash;
    try {
      localStorage.setItem("language", link.hreflang);
    } catch {
      // Storage is switched off: nothing to remember with.
    }
  }
  for (const open of document.querySelectorAll(".language-switch[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});

// Read the Docs tells which translations there are and where, perhaps on a domain of their own.
document.addEventListener("readthedocs-addons-data-ready", (event) => {
  const { translations } = event.detail.data().projects;
  const bases = new Map(translations.map(({ language, urls }) => [language.code, urls.documentation]));
  for (const link of document.querySelectorAll(".language-switch a:not([aria-current])")) {
    const base = bases.get(link.hreflang.toLowerCase());
    link.parentElement.hidden = base === undefined;
    if (base !== undefined) link.href = new URL(link.closest("ul").dataset.page, base);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll(".language-switch[open]")) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

// What is wider than its frame is scrolled with the arrow keys, so it can have the focus, and says at
// which edges it goes on.
const showEdges = (frame) => {
  const beyond = frame.scrollWidth - frame.clientWidth;
  const left = Math.abs(frame.scrollLeft) > 1, right = beyond - Math.abs(frame.scrollLeft) > 1;
  const more = [left && "left", right && "right"].filter(Boolean).join(" ");
  if (more) frame.dataset.more = more;
  else delete frame.dataset.more;
  frame.tabIndex = beyond > 0 ? 0 : -1;  // as the theme leaves it: whoever looks last, it is the same
};
const frames = new ResizeObserver((changes) => {
  for (const { target } of changes) showEdges(target.closest(FRAMES));
});
const FRAMES = ".diagram-frame, article pre, article .pst-scrollable-table-container";
document.addEventListener("DOMContentLoaded", () => {
  for (const frame of document.querySelectorAll(FRAMES)) {
    for (const sized of [frame, ...frame.children]) frames.observe(sized);
    frame.addEventListener("scroll", () => showEdges(frame), { passive: true });
  }
});

// Sphinx marks the words of a search where one text node holds them. Names in code are in several,
// with places to break between. Sphinx forgets the words as soon as the page is ready.
let sought = [];
try {
  sought = (localStorage.getItem("sphinx_highlight_terms") ?? "").split(" ");
} catch {
  // Storage is switched off: there are no words.
}
document.addEventListener("DOMContentLoaded", () => {
  const names = sought.filter((word) => /[._]/.test(word));
  if (!names.length) return;
  for (const code of document.querySelectorAll("article span.pre:has(wbr)")) {
    const text = code.textContent.toLowerCase();
    if (names.some((name) => text.includes(name))) code.classList.add("highlighted");
  }
});

// Paper is white.
let shown;
addEventListener("beforeprint", () => {
  shown = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
});
addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = shown;
});
