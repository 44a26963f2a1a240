// The formulas of the calculators, as in docs/_ext/verl_docs/calculators/. A test compares them.
const GIB = 1024 ** 3;
const KIB = 1024;

const parametersOfEnds = (v) => (v.tied ? 1 : 2) * v.vocabulary * v.hidden;
const gatheredAtOnce = (v) => (v.fsdp === 1 ? parametersOfEnds(v) : v.vocabulary * v.hidden);

const Calculators = {
  logits: (v) => {
    const [FORWARD, NONE, COMPILED] = [0, 0, 1];
    const tokens = v.tokens / v.sp;
    const logits = v.temperature === 1 ? 2 : 4;
    const inChunks = v.chunk > 0;
    const part = inChunks ? Math.min(1, v.chunk / tokens) : 1;
    let each;
    if (v.entropy === NONE || (v.entropy === COMPILED && v.pass === FORWARD)) each = logits;
    else if (v.pass === FORWARD) each = logits + 12 * part;
    else if (v.entropy === COMPILED) each = part < 1 ? 10.5 : 6;
    else if (!inChunks) each = 26;
    else each = part <= 0.25 ? 15 : 30;
    return { each, memory: (each * tokens * v.vocabulary) / GIB };
  },

  "kv-cache": (v) => {
    const weights = (v.parameters * 1e9 * v.weight_bytes) / v.tp;
    const heads = Math.max(v.kv_heads / v.tp, 1);
    const perToken = 2 * v.layers * heads * v.head_size * v.cache_bytes;
    const room = v.utilization * v.memory * GIB - weights - v.reserve * GIB;
    const tokens = Math.max(0, Math.floor(room / perToken));
    return {
      weights: weights / GIB,
      per_token: perToken / KIB,
      room: room / GIB,
      tokens,
      sequences: Math.floor(tokens / v.length),
      requests: (v.batch * v.n) / Math.floor(v.gpus / v.tp),
    };
  },

  "micro-batch": (v) => {
    const parameters = v.parameters * 1e9;
    const ends = parametersOfEnds(v);
    const layer = (parameters - ends) / v.layers;
    const state = (16 * parameters) / v.gpus;
    const gathered = 4 * gatheredAtOnce(v) + 12 * layer;
    const inLayer = 26 * v.hidden + 4 * v.kv_heads * v.head_size + 12 * v.feed_forward;
    const atLogits = v.entropy * v.vocabulary + 10 * v.hidden;
    const perToken = 2 * v.hidden * v.layers + Math.max(inLayer, atLogits);
    const free = v.memory * GIB * (1 - v.reserve / 100) - state - gathered;
    const tokens = Math.max(0, Math.floor(free / perToken));
    return {
      state: state / GIB,
      gathered: gathered / GIB,
      per_token: perToken / KIB,
      free: free / GIB,
      tokens,
      samples: Math.floor((tokens * v.sp) / v.length),
    };
  },

  "token-budget": (v) => {
    const MARGIN = 1.1;
    const ranks = v.gpus / v.sp;
    const load = (v.mean * v.mini_batch * v.n) / ranks;
    const most = Math.floor((v.tokens * v.sp) / v.length);
    const least = Math.ceil(v.length / v.sp);
    if (most < 1) return { ranks, load, least, passes: NaN, budget: NaN };
    const passes = Math.max(1, Math.ceil((MARGIN * load) / (most * v.length)));
    const full = Math.min(most, Math.max(1, Math.ceil((MARGIN * load) / (passes * v.length))));
    return { ranks, load, least, passes, budget: Math.ceil((full * v.length) / v.sp) };
  },
};

// Combinations that cannot be, by the field at fault.
const Refusals = {
  "kv-cache": { tp: (v) => v.gpus % v.tp !== 0 },
  "micro-batch": { parameters: (v) => parametersOfEnds(v) > v.parameters * 1e9 },
  "token-budget": { sp: (v) => v.gpus % v.sp !== 0, mean: (v) => v.mean > v.length },
};

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
