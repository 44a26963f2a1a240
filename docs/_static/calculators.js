// The forms of calculators. Their formulas are made of docs/_ext/verl_docs/calculators/, by name.
function refused(name, values) {
  const found = Object.entries(Refusals[name] ?? {}).find(([, applies]) => applies(values));
  return found?.[0] ?? null;
}

document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("form.calculator")) {
    const name = form.dataset.calculator;
    const fields = [...form.querySelectorAll("input, select")];
    const [results, refusal] = form.querySelectorAll(".calculator__results > *");
    const sentences = form.querySelector("template").dataset;

    function show(values) {
      const computed = values && Calculators[name](values);
      for (const output of form.querySelectorAll("output")) {
        const decimals = Number(output.dataset.decimals);
        const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const result = computed?.[output.name];
        output.value = Number.isFinite(result) ? result.toLocaleString("en", format) : "–";
      }
    }

    function update() {
      const values = Object.fromEntries(fields.map((field) => [field.name, Number(field.value)]));
      const isValid = form.checkValidity();
      const reason = isValid ? refused(name, values) : null;
      results.hidden = reason !== null;
      refusal.hidden = reason === null;
      refusal.textContent = reason === null ? "" : sentences[reason];
      show(isValid && reason === null ? values : null);
    }

    form.addEventListener("input", update);
    window.addEventListener("pageshow", update); // a browser that goes back fills the fields in
    form.addEventListener("submit", (event) => event.preventDefault());
  }
});
