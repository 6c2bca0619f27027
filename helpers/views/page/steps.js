// The nine steps of multi-head attention for one token: what goes in, the line of code, what comes out.

const build = (view, data) => {
  data.allowed = bits(data.allowed, data.tokens.length);
  const n = data.tokens.length, names = tokens(data.tokens);
  const on = { step: 0, token: n - 1, head: 0 };
  const set = (change) => { Object.assign(on, change); update(); };
  const [tokenChoice, tokenSelect] = choice("Token", "query", names, (token) => set({ token }));
  const [headChoice, headSelect] = choice("Head", "", data.A.map((_, head) => String(head)), (head) => set({ head }));
  const buttons = data.steps.map((step, i) => make("button", { type: "button", onclick: () => set({ step: i }) },
    `${i + 1} ${step.name}`));
  const back = make("button", { type: "button", onclick: () => set({ step: Math.max(0, on.step - 1) }) }, "← Back");
  const next = make("button", { type: "button", onclick: () => set({ step: Math.min(8, on.step + 1) }) }, "Next →");
  const code = make("code"), says = make("p"), parts = make("div", { class: "split" });
  const sum = make("div", { class: "sum", role: "status", "aria-live": "polite" });
  view.append(
    make("div", { class: "row" }, tokenChoice, data.A.length > 1 ? headChoice : null, back, next),
    make("ol", { class: "steps" }, ...buttons.map((button) => make("li", {}, button))),
    says, make("p", {}, code), sum,
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "numbers of this step" }, parts));

  // A matrix to read, one row of it (the chosen token's) marked.
  const matrix = (name, role, rows, labels, columns, kind, on_row = -1, blocked = null) => {
    const largest = Math.max(...rows.flat().filter(Number.isFinite).map(Math.abs));
    const table = make("table", {}, make("caption", { class: role }, name),
      make("thead", {}, make("tr", {}, make("td"), ...columns.map((text) => make("th", { scope: "col", title: text }, cut(text))))),
      make("tbody", {}, ...rows.map((row, i) => make("tr", { class: i === on_row ? "on" : "" },
        make("th", { scope: "row", title: labels[i] }, `${i === on_row ? "▸ " : ""}${cut(labels[i])}`),
        ...row.map((x, j) => {
          const cell = make("td"), text = kind === "weights" ? weigh(x) : write(x);
          dress(cell, x, kind, largest, Boolean(blocked && blocked[i][j] === "0"), text);
          return cell;
        })))));
    const corner = table.tHead.rows[0].cells[0];
    corner.style.cssText = "background:none;border:0";
    return table;
  };
  const numbers = (rows) => rows[0].map((_, i) => String(i));
  const many = (rows) => rows.map((_, i) => String(i));
  const one = (row, name) => [[row], [name]];
  const part = (rows, head) => rows.map((row) => row.slice(head * data.d_head, (head + 1) * data.d_head));

  const panels = () => {
    const { token: i, head: h } = on, { X, W, P, Z, A, H, O } = data, d = data.d_head;
    const [Q, K, V] = P, mask = data.allowed[h % data.allowed.length];
    const [q, k, v] = P.map((rows) => part(rows, h));
    const masked = Z[h].map((row, a) => row.map((x, b) => (mask[a][b] === "0" ? -Infinity : x / Math.sqrt(d))));
    const first = masked[i].findIndex((x) => x !== -Infinity);
    const by = (x) => weigh(x, 3), add = (terms, x) => `${terms.join(" + ")} = ${write(x)}`;
    return [
      () => [[matrix("X", "", X, names, numbers(X), "values", i)], `x = X[${i}] = (${X[i].map((x) => write(x)).join(", ")})`],
      () => [[matrix("W_q", "query", W[0], many(W[0]), numbers(W[0]), "values"), matrix("W_k", "key", W[1], many(W[1]), numbers(W[1]), "values"),
        matrix("W_v", "value", W[2], many(W[2]), numbers(W[2]), "values")], `each is ${W[0].length} × ${W[0][0].length}; W_o comes in step 9`],
      () => [[matrix("Q", "query", Q, names, numbers(Q), "values", i), matrix("K", "key", K, names, numbers(K), "values", i),
        matrix("V", "value", V, names, numbers(V), "values", i)],
        `Q[${i}, 0] = ${add(X[i].map((x, c) => `${c ? factor(x) : write(x)}·${factor(W[0][c][0])}`), Q[i][0])}`],
      () => [[matrix(`Q, head ${h}`, "query", q, names, numbers(q), "values", i), matrix(`K, head ${h}`, "key", k, names, numbers(k), "values"),
        matrix(`V, head ${h}`, "value", v, names, numbers(v), "values")],
        `head ${h} has columns ${h * d} to ${(h + 1) * d - 1} of each`],
      () => [[matrix(`Z, head ${h}`, "", Z[h], names, names, "scores", i)],
        `Z[${i}, 0] = ${add(q[i].map((x, c) => `${c ? factor(x) : write(x)}·${factor(k[0][c])}`), Z[h][i][0])}`],
      () => [[matrix(`scaled and masked, head ${h}`, "", masked, names, names, "scores", i, mask)],
        masked[i].map((x, j) => x === -Infinity ? `key ${j}: −∞` : `key ${j}: ${write(Z[h][i][j])} / √${d} = ${write(x)}`).join("; ")],
      () => [[matrix(`weights, head ${h}`, "", A[h], names, names, "weights", i, mask)],
        masked[i].every((x) => x === -Infinity) ? "no key is allowed: all weights are 0"
          : `A[${i}, ${first}] = e^${write(masked[i][first])} / (${masked[i].filter((x) => x !== -Infinity).map((x) => `e^${write(x)}`).join(" + ")}) = ${by(A[h][i][first])}`],
      () => [[matrix(`weights of ${names[i]}`, "", ...one(A[h][i], names[i]), names, "weights", 0, [mask[i]]),
        matrix(`V, head ${h}`, "value", v, names, numbers(v), "values"),
        matrix(`output of head ${h}`, "output", H[h], names, numbers(H[h]), "values", i)],
        `H[${i}, 0] = ${add(A[h][i].map((w, j) => `${by(w)}·${factor(v[j][0])}`), H[h][i][0])}`],
      () => {
        const side = H.flatMap((head) => head[i]);
        return [[matrix(`heads side by side, ${names[i]}`, "output", ...one(side, names[i]), side.map((_, c) => String(c)), "values", 0),
          matrix("W_o", "", W[3], many(W[3]), numbers(W[3]), "values"), matrix("output", "output", O, names, numbers(O), "values", i)],
          `output[${i}, 0] = ${add(side.map((x, c) => `${c ? factor(x) : write(x)}·${factor(W[3][c][0])}`), O[i][0])}`];
      },
    ];
  };

  const update = () => {
    tokenSelect.selectedIndex = on.token;
    headSelect.selectedIndex = on.head;
    buttons.forEach((button, i) => {
      if (i === on.step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    back.setAttribute("aria-disabled", on.step === 0);  // "disabled" would lose the focus
    next.setAttribute("aria-disabled", on.step === 8);
    const step = data.steps[on.step], [tables, spelled] = panels()[on.step]();
    says.textContent = `Step ${on.step + 1} of 9. ${step.says}`;
    code.textContent = step.code;
    sum.textContent = spelled;
    parts.replaceChildren(...tables);
  };
  update();
};
