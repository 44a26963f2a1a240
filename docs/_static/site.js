// The language switch works without this file. Here it learns to keep the place within the page,
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

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll(".language-switch[open]")) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});
