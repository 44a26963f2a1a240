// The forms of calculators. Their formulas are made of docs/_ext/verl_docs/calculators/, by name.
function refused(name, values) {
  const found = Object.entries(Refusals[name] ?? {}).find(([, applies]) => applies(values));
  return found?.[0] ?? null;
}

// The settings that a plan comes to: a result or a field by its name, or the word that stands for it.
function settingsOf(overrides, known) {
  return overrides.filter(({ only }) => only.every((one) => Number(known[one]))).map(({ key, name, words }) => {
    const value = Number(known[name]);
    const word = words.find(([number]) => number === value)?.[1];
    return `${key}=${word ?? Number(value.toPrecision(6))}`;
  });
}

// The numbers of a model in its config.json, by the names of fields; what is missing, if anything is.
function readConfig(text) {
  const given = JSON.parse(text), config = { ...given, ...given.text_config };
  const first = (...names) => names.map((name) => config[name]).find((value) => typeof value === "number");
  const heads = first("num_attention_heads"), hidden = first("hidden_size");
  const experts = first("num_experts", "num_local_experts", "n_routed_experts") ?? 1;
  const values = {
    layers: first("num_hidden_layers"), hidden, heads,
    feed_forward: experts > 1 ? first("moe_intermediate_size", "intermediate_size") : first("intermediate_size"),
    kv_heads: first("num_key_value_heads") ?? heads,
    head_size: first("head_dim") ?? hidden / heads,
    vocabulary: first("vocab_size"),
    experts, active: experts > 1 ? first("num_experts_per_tok") : 1,
    tied: Number(config.tie_word_embeddings ?? false),
  };
  const names = { layers: "num_hidden_layers", hidden: "hidden_size", heads: "num_attention_heads",
    feed_forward: "intermediate_size", vocabulary: "vocab_size", active: "num_experts_per_tok" };
  const missing = Object.keys(names).filter((name) => !Number.isFinite(values[name]));
  return { values, missing: missing.map((name) => names[name]) };
}

document.addEventListener("DOMContentLoaded", () => {
  const forms = new Map();

  const setUp = (form) => {
    const name = form.dataset.calculator;
    const fields = [...form.querySelectorAll("[name]:is(input, select)")];
    const [results, refusal] = form.querySelectorAll(".calculator__results > *");
    const sentences = form.querySelector("template").dataset;
    const pre = form.querySelector("pre[data-overrides]");
    const overrides = pre && JSON.parse(pre.dataset.overrides);
    const defaults = Object.fromEntries(fields.map((field) => [field.name, Number(field.defaultValue ??
      [...field.options].find((option) => option.defaultSelected).value)]));
    const read = () => Object.fromEntries(fields.map((field) => [field.name, Number(field.value)]));
    const say = (sentence, values) => sentences[sentence].replace(/\{(\w+)\}/g, (_, word) => values[word]);

    function shown(output, result) {
      const said = form.querySelector("template").getAttribute(`data-said-${output.name}-${Number(result)}`);
      if (said !== null) return said;
      const decimals = Number(output.dataset.decimals);
      const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      return Number.isFinite(result) ? result.toLocaleString("en", format) : "–";
    }

    function show(values) {
      const computed = values && Calculators[name](values);
      for (const output of form.querySelectorAll("output")) output.value = shown(output, computed?.[output.name]);
      if (!pre) return computed;
      const runs = computed && (!pre.dataset.only || Number(computed[pre.dataset.only]));
      pre.textContent = runs ? settingsOf(overrides, { ...values, ...computed }).join("\n") : "";
      pre.parentElement.hidden = !runs;
      return computed;
    }

    // A field is asked for only while another one has the value that it names.
    function showAsked(values) {
      for (const label of form.querySelectorAll("label[data-where]")) {
        const [name, value] = label.dataset.where.split("=");
        label.hidden = values[name] !== Number(value);
      }
    }

    // What is wrong with the first field that holds no possible number.
    function fault() {
      const field = fields.find((one) => !one.validity.valid && !one.closest("label").hidden);
      if (!field) return null;
      const label = field.closest("label").firstChild.textContent.trim();
      const { min: least, max: most } = field;
      return say(most ? "within" : "between", { label, least, most });
    }

    function update() {
      const values = read();
      showAsked(values);
      const wrong = fault();
      const reason = wrong ?? sentences[refused(name, values)] ?? null;
      results.hidden = reason !== null;
      refusal.hidden = reason === null;
      refusal.textContent = reason ?? "";
      for (const preset of form.querySelectorAll("select[data-preset]")) showPreset(preset, values);
      return { values, computed: show(reason === null ? values : null) };
    }

    // The preset whose values stand in the fields.
    function showPreset(preset, values) {
      const isShown = ({ value }) => value && Object.entries(JSON.parse(value)).every(([n, v]) => values[n] === Number(v));
      preset.value = [...preset.options].find(isShown)?.value ?? "";
    }

    function set(values) {
      for (const field of fields) if (field.name in values) field.value = Number(values[field.name]);
    }

    forms.set(name, { form, fields, defaults, set, update });

    form.addEventListener("input", (event) => {
      const { preset, config } = event.target.dataset;
      if (preset !== undefined && event.target.value) set(JSON.parse(event.target.value));
      if (config !== undefined) take(event.target.value);
      changed(name);
    });
    window.addEventListener("pageshow", update); // a browser that goes back fills the fields in
    form.addEventListener("submit", (event) => event.preventDefault());

    function take(text) {
      const said = form.querySelector("[data-config-said]");
      said.textContent = "";
      if (!text.trim()) return;
      try {
        const { values, missing } = readConfig(text);
        if (!missing.length) set(values);
        said.textContent = missing.length ? say("configWrong", { names: missing[0] }) : sentences.configRead;
      } catch {
        said.textContent = say("configWrong", { names: "{ }" });
      }
    }

    for (const button of form.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", async () => {
        const text = button.dataset.copy === "address" ? location.href : `${pre.textContent}\n`;
        await navigator.clipboard.writeText(text);
        button.parentElement.querySelector("[role=status]").textContent = sentences.copied;
      });
    }
  };

  // The plan fills in what the other forms ask for, and stands in the address.
  const PLAN = "plan";

  function changed(name) {
    const { values, computed } = forms.get(name).update();
    if (name !== PLAN || !computed) return;
    feed(values, computed);
    const { defaults } = forms.get(PLAN);
    const told = Object.entries(values).filter(([field, value]) => value !== defaults[field]);
    const hash = `#${PLAN}=${told.map(([field, value]) => `${field}:${value}`).join(",")}`;
    try {
      history.replaceState(history.state, "", `${location.pathname}${location.search}${told.length ? hash : ""}`);
    } catch {
      // Too often, or no address that may change.
    }
  }

  function feed(values, computed) {
    for (const [name, other] of forms) {
      if (name === PLAN || ("fsdp" in other.form.dataset && !computed.of_fsdp)) continue;
      // The form for logits asks for the tokens of one micro-batch, before they are split.
      const micro = name === "logits" ? { tokens: computed.budget * values.sp } : {};
      const engine = name === "kv-cache" ? { gpus: computed.engine_gpus } : {};
      const known = { ...values, ...computed, ...micro, ...engine };
      const fitting = Object.entries(known).filter(([, value]) => Number.isFinite(Number(value)));
      other.set(Object.fromEntries(fitting));
      other.update();
    }
  }

  function takeFromAddress() {
    const plan = forms.get(PLAN);
    if (!plan || !location.hash.startsWith(`#${PLAN}=`)) return;
    const told = location.hash.slice(PLAN.length + 2).split(",").map((pair) => pair.split(":"));
    plan.set({ ...plan.defaults, ...Object.fromEntries(told.filter(([, value]) => Number.isFinite(Number(value)))) });
    changed(PLAN);
    plan.form.scrollIntoView();
  }

  document.querySelectorAll("form.calculator").forEach(setUp);
  window.addEventListener("hashchange", takeFromAddress);
  takeFromAddress();
});
