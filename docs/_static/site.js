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

// A card beside a link to a key says what the reference says of it: on hovering, with the keyboard, and
// at the first touch. What the cards say is loaded with the first of them.
document.addEventListener("DOMContentLoaded", () => {
  const LINKS = "article a[href*='#key-']", LATER = 200; // milliseconds
  const root = document.documentElement.dataset.content_root;
  const card = document.createElement("div");
  if (!card.showPopover) return; // an older browser: the link has a title
  Object.assign(card, { id: "key-card", className: "key-card", popover: "manual" });
  card.setAttribute("role", "tooltip");
  document.body.append(card);
  const keyOf = (link) => decodeURIComponent(link.hash).slice("#key-".length);
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  let loading, current, waiting, touched = false;
  const load = () => (loading ??= new Promise((resolve, reject) => {
    const script = made("script", "");
    Object.assign(script, { src: `${root}_static/key-cards.js`, onload: resolve, onerror: reject });
    document.head.append(script);
  }));

  function fill(key, facts) {
    const list = made("dl", "");
    window.keyCards.labels.slice(0, -1).forEach((label, n) => {
      if (facts[n]) list.append(made("dt", label), made("dd", facts[n]));
    });
    const parts = [made("code", key), made("p", facts.at(-1)), list];
    if (touched) parts.push(made("p", window.keyCards.again));
    card.replaceChildren(...parts);
  }

  function place(link) {
    const lines = [...link.getClientRects()], { offsetWidth, offsetHeight } = card;
    const { top } = lines[0], { bottom } = lines.at(-1), left = Math.min(...lines.map((line) => line.left));
    const isBelow = bottom + offsetHeight + 8 < innerHeight || top < offsetHeight;
    card.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    card.style.top = `${isBelow ? bottom + 4 : top - offsetHeight - 4}px`;
  }

  async function show(link) {
    clearTimeout(waiting);
    if (current === link) return;
    hide();
    current = link;
    try {
      await load();
    } catch {
      return;
    }
    const facts = window.keyCards.keys[keyOf(link)];
    if (!facts || current !== link) return;
    link.removeAttribute("title"); // the card says more
    link.setAttribute("aria-describedby", card.id);
    fill(keyOf(link), facts);
    card.showPopover();
    place(link);
  }

  function hide() {
    clearTimeout(waiting);
    current?.removeAttribute("aria-describedby");
    current = null;
    if (card.matches(":popover-open")) card.hidePopover();
  }

  const later = (act) => {
    clearTimeout(waiting);
    waiting = setTimeout(act, LATER);
  };
  const linkAt = ({ target }) => target.closest?.(LINKS) ?? null;
  const isOwn = (link) => Boolean(link.closest("tr")?.id === `key-${keyOf(link)}`);
  document.addEventListener("pointerover", (event) => {
    touched = event.pointerType === "touch";
    const link = linkAt(event);
    if (event.target.closest?.(".key-card")) clearTimeout(waiting);
    else if (link && !isOwn(link) && !touched) later(() => show(link));
    else if (!touched) later(hide);
  });
  document.addEventListener("focusin", (event) => {
    const link = linkAt(event);
    if (link?.matches(":focus-visible") && !isOwn(link) && !touched) show(link);
    else if (!link && current) hide();
  });
  document.addEventListener("click", (event) => {
    const link = linkAt(event);
    if (touched && link && link !== current && !isOwn(link)) {
      event.preventDefault();
      show(link);
    } else if (!event.target.closest(".key-card")) hide();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", () => current && !touched && hide(), { passive: true });
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
