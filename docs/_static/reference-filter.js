// A field above the tables of the reference that leaves only the rows which hold a text.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".reference-filter");
  if (!form) return;
  const text = form.querySelector("input[type=search]");
  const usual = form.querySelector("input[type=checkbox]");
  const output = form.querySelector("output");
  const tables = [...document.querySelectorAll("table.config-reference")];
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows].map((row) => ({
    row,
    text: `${row.id.replace(/^key-/, "")} ${row.textContent}`.toLowerCase(),
    usual: !row.classList.contains("not-default"),
  })));

  function update() {
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text: content, usual: isUsual } of rows) {
      const fits = wanted.every((word) => content.includes(word)) && (isUsual || !usual.checked);
      row.hidden = !fits;
      shown += fits;
    }
    for (const table of tables) {
      table.closest("section").hidden = [...table.tBodies[0].rows].every((row) => row.hidden);
    }
    output.textContent = output.dataset.count.replace("{shown}", shown).replace("{all}", rows.length);
  }

  window.addEventListener("pageshow", update); // a browser that goes back fills the fields in
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  update();
  // A link to a row must not lead to a hidden one, and may be followed twice.
  document.addEventListener("click", (event) => {
    const row = document.getElementById(event.target.closest("a[href*='#key-']")?.hash.slice(1));
    if (row?.hidden) form.reset(), update();
  });
  window.addEventListener("hashchange", () => {
    if (document.querySelector("tr:target[hidden]")) form.reset(), update();
  });
});
