// The explorer: Q Kᵀ, scaled, masked, softmaxed and mixed, for one query and one key at a time.

const STEPS = [
  { name: "1 scores Q Kᵀ", code: () => "scores = Q @ K.T", kind: "scores", key: "scores" },
  { name: "2 scaled", kind: "scores", key: "scaled", code: (on) => "scaled = scores" +
    (on.scale ? " / np.sqrt(d_k)" : "") + (on.temperature === 1 ? "" : ` / ${write(on.temperature)}`) },
  { name: "3 masked", code: () => "masked = np.where(allowed, scaled, -np.inf)", kind: "scores", key: "masked" },
  { name: "4 softmax", code: () => "weights = softmax(masked)", kind: "weights", key: "weights" },
  { name: "5 mixed", code: () => "output = weights @ V", kind: "values", key: "output" },
];
const LONGEST = 8;  // terms of a sum that are spelled out

const total = (terms, rest, result) => {
  const shown = terms.slice(0, LONGEST).join(" + ");
  const left = Math.max(0, terms.length - LONGEST) + rest;
  return `${shown}${left > 0 ? ` + … (${left} more)` : ""} = ${result}`;
};

// All five steps of one head, from the numbers of the page and what is switched on.
const compute = (data, on) => {
  if (data.weights) return { weights: data.weights[on.head] };
  const [Q, K, V] = [data.Q, data.K, data.V].map((all) => all[on.head]);
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const scores = data.dots ? data.dots[on.head] : Q.map((q) => K.map((k) => dot(q, k)));
  const by = (on.scale ? Math.sqrt(data.d_k) : 1) * on.temperature;
  const scaled = scores.map((row) => row.map((x) => x / by));
  const why = (i, j) => on.own && data.allowed && data.allowed[on.head % data.allowed.length][i][j] === "0" ? "the given mask says so"
    : on.causal && j > i ? `key ${j} comes after query ${i}`
    : j >= on.real ? `key ${j} is padding` : "";
  const masked = scaled.map((row, i) => row.map((x, j) => (why(i, j) ? -Infinity : x)));
  const weights = masked.map((row) => {
    const largest = Math.max(...row), powers = row.map((x) => (largest === -Infinity ? 0 : Math.exp(x - largest)));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((x) => (sum ? x / sum : 0));
  });
  const output = weights.map((row) => V[0].map((_, f) => row.reduce((sum, w, j) => sum + w * V[j][f], 0)));
  return { Q, K, V, scores, scaled, masked, weights, output, why, by };
};

const build = (view, data) => {
  for (const name of ["Q", "K", "V", "dots", "weights"]) if (data[name]) data[name] = unpack(data[name]);
  if (data.allowed) data.allowed = bits(data.allowed, data.keys.length);
  const full = !data.weights, square = data.queries.length === data.keys.length;
  const heads = (data.weights || data.Q).length, n_k = data.keys.length;
  const start = { head: 0, query: data.queries.length - 1, key: 0, feature: 0, step: full ? 0 : 3, scale: true,
    temperature: 1, causal: Boolean(data.causal), own: true, real: n_k };
  const on = { ...start };
  const queries = tokens(data.queries), keys = tokens(data.keys);
  const features = full ? data.V[0][0].map((_, f) => String(f)) : [];
  const grids = {};
  let now, drawn;

  const place = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "matrix" });
  const column = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "one query" });
  const says = make("p"), sum = make("div", { class: "sum", role: "status", "aria-live": "polite" });
  const code = make("code");

  const set = (change) => {
    const moved = Object.keys(change).every((name) => ["query", "key", "feature"].includes(name));
    Object.assign(on, change);
    update(moved);
  };
  const [headChoice, headSelect] = choice("Head", "", [...Array(heads).keys()].map(String), (head) => set({ head }));
  const [queryChoice, querySelect] = choice("Query", "query", queries, (query) => set({ query }));
  const [keyChoice, keySelect] = choice("Key", "key", keys, (key) => set({ key }));
  const tick = (label, name) => {
    const box = make("input", { type: "checkbox", onchange: () => set({ [name]: box.checked }) });
    return { row: make("label", {}, box, label), read: () => { box.checked = on[name]; } };
  };
  const radios = STEPS.map((step, i) => make("input", {
    type: "radio", name: `step-${count}`, onchange: () => set({ step: i }) }));
  const slide = make("input", { type: "range", min: -2, max: 2, step: 0.1, "aria-label": "Temperature",
    oninput: () => set({ temperature: Math.round(10 ** (slide.value / 2) * 100) / 100 }) });
  const heat = make("span"), real = make("input", { type: "number", min: 1, max: n_k,
    oninput: () => set({ real: within(real.value) }), onchange: () => { real.value = on.real; } });
  const within = (typed) => Math.max(1, Math.min(n_k, typed === "" ? n_k : Math.round(Number(typed)) || 1));
  const boxes = [tick("scale by √d_k", "scale")];
  if (square) boxes.push(tick("causal mask", "causal"));
  if (data.allowed) boxes.push(tick("the given mask", "own"));

  view.append(make("div", { class: "row" }, heads > 1 ? headChoice : null, queryChoice, keyChoice));
  if (full) {
    view.append(
      make("fieldset", {}, make("legend", {}, "Step"), ...STEPS.map((step, i) => make("label", {}, radios[i], step.name))),
      make("div", { class: "row" }, ...boxes.map((box) => box.row),
        make("label", {}, "temperature", slide, heat),
        make("label", {}, "real tokens", real),
        make("button", { type: "button", onclick: () => set(start) }, "Start again")));
  }
  view.append(full ? make("p", {}, code) : "", sum, make("div", { class: "split" }, place, column), says);

  const draw = (step) => {
    const last = step.key === "output";
    const wanted = last ? "output" : "square";
    if (!grids[wanted]) {
      const few = last && data.d_v > features.length ? ` (first ${features.length} of ${data.d_v} features)` : "";
      grids[wanted] = grid("", queries, last ? features : keys, ["query", last ? "feature" : "key"],
        (i, j) => set(last ? { query: i, feature: j } : { query: i, key: j }));
      grids[wanted].few = few;
    }
    if (drawn !== grids[wanted]) {
      drawn = grids[wanted];
      place.replaceChildren(drawn.table);
    }
    const matrix = now[step.key];
    const largest = Math.max(...matrix.flat().filter(Number.isFinite).map(Math.abs));
    drawn.table.caption.textContent = `${step.key}${heads > 1 ? `, head ${on.head}` : ""}${drawn.few}`;
    matrix.forEach((row, i) => {
      const best = row.indexOf(Math.max(...row));
      row.forEach((x, j) => {
        const blocked = full && ["masked", "weights"].includes(step.key) && now.why(i, j) !== "";
        const text = drawn.small ? (step.kind === "weights" && j === best && x ? "•" : "")
          : step.kind === "weights" ? weigh(x) : write(x);
        dress(drawn.cells[i][j], x, step.kind, largest, blocked, text);
      });
    });
  };

  const mark = (step) => {
    const last = step.key === "output", matrix = now[step.key], j = last ? on.feature : on.key;
    drawn.mark(on.query, j, `${step.key} of query ${queries[on.query]}, ${last ? "feature" : "key"} ` +
      `${last ? j : keys[j]}: ${step.kind === "weights" ? weigh(matrix[on.query][j], 3) : write(matrix[on.query][j])}`);
  };

  const arithmetic = (step) => {
    const { query: i, key: j, feature: f } = on;
    const spot = `${step.key}[${i}, ${step.key === "output" ? f : j}]`;
    if (!full) {
      const row = now.weights[i], seen = row.reduce((a, b) => a + b, 0);
      return `weights[${i}, ${j}] = ${weigh(row[j], 3)}: query ${queries[i]} gives ${(100 * row[j]).toFixed(1)} % of its attention ` +
        `to key ${keys[j]}. Its ${n_k} weights add up to ${write(Math.round(seen * 100) / 100)}.`;
    }
    const number = now[step.key][i][step.key === "output" ? f : j], x = step.key === "weights" ? weigh(number, 3) : write(number);
    if (step.key === "scores") {
      const terms = now.Q[i].slice(0, data.d_k).map((q, d) => `${d ? factor(q) : write(q)}·${factor(now.K[j][d])}`);
      return `${spot} = Q[${i}] · K[${j}] = ${total(terms, data.d_k - terms.length, x)}`;
    }
    if (step.key === "scaled") {
      const parts = [write(now.scores[i][j])];
      if (on.scale) parts.push(`√${data.d_k}`);
      if (on.temperature !== 1) parts.push(write(on.temperature));
      return `${spot} = ${parts.join(" / ")} = ${x}`;
    }
    if (step.key === "masked") {
      const why = now.why(i, j);
      return why ? `${spot} = −∞, because ${why}: softmax will make it 0` : `${spot} = ${x}: query ${i} may look at key ${j}`;
    }
    if (step.key === "weights") {
      if (now.masked[i].every((one) => one === -Infinity)) return `${spot} = 0: query ${i} may look at nothing`;
      const open = now.masked[i].filter((one) => one !== -Infinity).map((one) => `e^${write(one)}`);
      const below = open.length > LONGEST ? `${open.slice(0, LONGEST).join(" + ")} + … (${open.length - LONGEST} more)`
        : open.join(" + ");
      const power = now.masked[i][j] === -Infinity ? "e^−∞" : `e^${write(now.masked[i][j])}`;
      return `${spot} = ${power} / (${below}) = ${x}`;
    }
    return `${spot} = ${total(now.weights[i].map((w, k) => `${weigh(w, 3)}·${factor(now.V[k][f])}`), 0, x)}`;
  };

  // All keys of the chosen query: from score to share of the output.
  const line = () => {
    const row = now.weights[on.query];
    const bar = (w) => {
      const one = make("span", { class: "bar", "aria-hidden": "true" });
      one.style.width = `${Math.round(70 * w)}px`;
      one.style.visibility = w ? "visible" : "hidden";
      return make("span", { class: "weight" }, weigh(w, 3), make("span", { class: "room" }, one));
    };
    const few = (vector) => `(${vector.slice(0, 4).map((x) => write(x)).join(", ")}${vector.length > 4 ? ", …" : ""})`;
    const rows = row.map((w, j) => full
      ? [cut(keys[j]), write(now.scores[on.query][j]), write(now.scaled[on.query][j]), write(now.masked[on.query][j]), bar(w), few(now.V[j])]
      : [cut(keys[j]), bar(w)]);
    column.replaceChildren(list(`Query ${queries[on.query]}, key by key`,
      full ? ["key", "score", "scaled", "masked", "weight", "value"] : ["key", "weight"], rows, on.key));
    says.textContent = full ? `Output of query ${queries[on.query]}: each value times its weight, added up: ` +
      `${few(now.output[on.query])}.` : "";
  };

  const update = (moved) => {
    const step = STEPS[on.step];
    if (!moved) {
      now = compute(data, on);
      draw(step);
    }
    headSelect.selectedIndex = on.head;
    querySelect.selectedIndex = on.query;
    keySelect.selectedIndex = on.key;
    radios[on.step].checked = true;
    boxes.forEach((box) => box.read());
    slide.value = 2 * Math.log10(on.temperature);
    heat.textContent = write(on.temperature);
    slide.setAttribute("aria-valuetext", heat.textContent);
    if (document.activeElement !== real && real.getRootNode().activeElement !== real) real.value = on.real;
    code.textContent = step.code(on);
    mark(step);
    sum.textContent = arithmetic(step);
    line();
  };
  update();
};
