// The numbers of the loom: pure functions, apart from the page.
// A stage is { dims: [heads, rows, columns], data }, and the place of an entry is [stage, where it is in data].

const range = (count) => [...Array(count).keys()];
const pack = (rows) => ({ dims: [rows.length, rows[0].length, rows[0][0].length], data: Float64Array.from(rows.flat(2)) });
const spread = ([, R, C], at) => [Math.floor(at / (R * C)), Math.floor(at / C) % R, at % C];

// An expression such as `K.T` or `M.reshape(h, n, d_k)`: its shape, and the entries of a stage that it has in order.
const reads = {};
const read = (text, { values, sizes }, M) => {
  const [first, ...steps] = text.match(/\w+(\(.*?\))?/g), name = first === "M" ? M : first;
  let { dims, data } = values[name];
  const key = `${text} ${M} ${dims}`;
  if (reads[key]) return reads[key];
  let order = new Int32Array(data.length).map((_, at) => at);
  for (const step of steps) {
    const words = step.match(/-?\w+/g).slice(1);
    if (step.startsWith("reshape")) dims = [1, ...words.map((one) => sizes[one])].slice(-3);
    else {
      const axes = words[2] ? words : words[0] === "0" ? [1, 0, 2] : [0, 2, 1], [, R, C] = dims, old = order, made = axes.map((axis) => dims[axis]);
      const apart = axes.map((axis) => [R * C, C, 1][axis]);
      order = old.map((_, at) => old[spread(made, at).reduce((sum, x, axis) => sum + x * apart[axis], 0)]);
      dims = made;
    }
  }
  return (reads[key] = { name, dims, order });
};

// Each kind of line makes a stage, and knows the places that an entry is made from.
const product = {
  parts: (code, now, M) => code.split(" @ ").map((one) => read(one, now, M)),
  make: (code, now, M) => {
    const [A, B] = product.parts(code, now, M), [a, b] = [A, B].map((one) => one && now.values[one.name].data);
    if (!B) return { dims: A.dims, data: new Float64Array(a.length).map((_, at) => a[A.order[at]]) };
    const [h_a, n, w] = A.dims, [h_b, v, m] = B.dims, dims = [Math.max(h_a, h_b), n, m], data = new Float64Array(dims[0] * n * m);
    if (v !== w) throw Error(`${code} has the shapes (${n}, ${w}) and (${v}, ${m}), which do not fit`);
    for (let at = 0; at < data.length; at += m) {
      const h = Math.floor(at / (n * m)), left = (h % h_a * n + at / m % n) * w, right = h % h_b * w * m;
      for (let k = 0; k < w; k += 1) for (let j = 0; j < m; j += 1) data[at + j] += a[A.order[left + k]] * b[B.order[right + k * m + j]];
    }
    return { dims, data };
  },
  // pairs of factors, one after the other
  from: (code, now, [name, at]) => {
    const [A, B] = product.parts(code, now, name[0]);
    if (!B) return [[A.name, A.order[at]]];
    const [h, i, j] = spread(now.values[name].dims, at), [h_a, n, w] = A.dims, [h_b, , m] = B.dims;
    return range(w).flatMap((k) => [[A.name, A.order[(h % h_a * n + i) * w + k]], [B.name, B.order[(h % h_b * w + k) * m + j]]]);
  },
};
const scale = {
  parts: (code, { sizes }) => {
    const [, sign, root, name] = code.match(/^scores(?: ([*/]) (np\.sqrt\()?(\w+))?/), by = name ? sizes[name] ** (root ? 0.5 : 1) : 1;
    return { says: name ? ` ${sign} ${root ? "√" : ""}${sizes[name]}` : "", by: sign === "*" ? 1 / by : by };
  },
  make: (code, now) => {
    const by = scale.parts(code, now).by * now.temperature, { dims, data } = now.values.scores;
    return { dims, data: data.map((x) => x / by) };
  },
  from: (code, now, [, at]) => [["scores", at]],
};
const mask = {
  // whether an entry is open, by its place
  open: (code, { values: { allowed: { dims: [h, R, C], data } } }) => {
    const turned = /d\.[Ts]/.test(code), opens = Number(!code.includes("~")), all = code === "scaled";
    return (at) => all || data[turned ? (Math.floor(at / (R * C)) % h * R + at % C) * C + Math.floor(at / C) % R : at % (h * R * C)] === opens;
  },
  make: (code, now) => {
    const open = mask.open(code, now), { dims, data } = now.values.scaled, adds = code.includes("+"), closed = code.endsWith(" 0)") ? 0 : -Infinity;
    return { dims, data: data.map((x, at) => (adds ? x + open(at) : open(at) ? x : closed)) };
  },
  from: (code, now, [, at]) => (code[0] === "s" || mask.open(code, now)(at) ? [["scaled", at]] : []),
};
const softmax = {
  // the entries that share one sum with an entry: the first, how far apart, how many
  group: (code, [, R, C], at) => (code.includes("(-2") ? [at - at % (R * C), 1, R * C]
    : code.includes("-2") ? [at - at % (R * C) + at % C, C, R] : [at - at % C, 1, C]),
  input: (code) => code.match(/\((\w+)/)[1],
  open: (code, now) => (code.includes("*") ? mask.open("", now) : () => true),
  make: (code, now) => {
    const { dims, data: xs } = now.values[softmax.input(code)], data = new Float64Array(xs.length).fill(-1), open = softmax.open(code, now);
    data.forEach((done, at) => {
      if (data[at] >= 0) return;
      const [first, step, count] = softmax.group(code, dims, at), end = first + step * count;
      let most = -Infinity, sum = 0;
      for (let k = first; k < end; k += step) if (xs[k] > most) most = xs[k];
      for (let k = first; k < end; k += step) sum += data[k] = xs[k] === -Infinity ? 0 : Math.exp(xs[k] - most);
      for (let k = first; k < end; k += step) data[k] = open(k) ? data[k] / (sum || 1) : 0;
    });
    return { dims, data };
  },
  from: (code, now, [, at]) => {
    const name = softmax.input(code), { dims, data } = now.values[name], [first, step, count] = softmax.group(code, dims, at);
    if (data[at] === -Infinity || !softmax.open(code, now)(at)) return [];
    return range(count).map((k) => [name, first + k * step]).filter(([, k]) => data[k] !== -Infinity);
  },
};
const kind_of = (code) => (code.includes("softmax") ? softmax : code.startsWith("scores") ? scale : /scaled/.test(code) ? mask : product);

// All stages. `chosen` has the id of a mistake by the first stage of its line; a line that stops ends the run.
const run = ({ values, heads, temperature }, lines, chosen = {}) => {
  const { X, W_q, Q, K, weights, scaled } = values, d_model = (W_q || Q)?.dims[2];
  const n_k = X ? X.dims[1] : K ? K.dims[1] : (weights || scaled).dims[2], sizes = { n: n_k, n_k, h: heads, d_model, d_k: X ? d_model / heads : d_model };
  const now = { values: { ...values }, sizes, temperature, code: {} };
  for (const { makes, code: right, wrong } of lines) {
    const code = wrong.find((one) => one.id === chosen[makes[0]])?.code ?? right;
    for (const name of makes) {
      try {
        const made = kind_of(code).make(code, now, name === "merged" ? "H" : name[0]);
        if (!made.data.every((x) => Math.abs(x) < Infinity || (x < 0 && name === "masked"))) throw Error("numbers too large for float64");
        now.values[name] = made;
        now.code[name] = code;
      } catch (error) {
        return { ...now, stops: `${name}: ${error.message}` };
      }
    }
  }
  return now;
};

// Everything an entry is made from, through all stages: marks by stage.
const ancestors = (now, start) => {
  const seen = {}, done = {}, left = [start], number = ([name, at]) => now.values[name].data[at];
  const once = (...key) => !done[key] && (done[key] = true);
  while (left.length) {
    const place = left.pop(), [name, at] = place, code = now.code[name], kind = code && kind_of(code), [h, i, j] = spread(now.values[name].dims, at);
    if (!code) continue;
    // entries of one sum, one row or one column share what they are made from
    if (kind === softmax && number(place) && !once(name, softmax.group(code, now.values[name].dims, at)[0])) continue;
    if (kind === product && code.includes("@") && !code.includes("weights")) {
      const row = once(name, h, "row", i);
      if (!once(name, h, "column", j) && !row) continue;
    }
    const from = kind.from(code, now, place);
    from.forEach((one, k) => {
      // weight 0 takes nothing
      if (k % 2 && from[k - 1][0] === "weights" && !number(from[k - 1])) return;
      const marks = seen[one[0]] ??= new Uint8Array(now.values[one[0]].data.length);
      if (!marks[one[1]]) left.push(one);
      marks[one[1]] = 1;
    });
  }
  return seen;
};

// Where numbers differ: everywhere, when the shapes do.
const same = (x, y) => Object.is(x, y) || Math.abs(x - y) <= 1e-9 * Math.max(1, Math.min(Math.abs(x), Math.abs(y)));
const differs = (got, right) => {
  const fits = `${got.dims}` === `${right.dims}`, marks = new Uint8Array(got.data.length);
  for (let at = 0; at < marks.length; at += 1) marks[at] = !fits || !same(got.data[at], right.data[at]);
  return marks;
};
const total = (marks) => {
  let sum = 0;
  for (const one of marks) sum += one;
  return sum;
};
// How many entries of each stage differ, without the stages in which none does.
const compare = (got, right, names) => Object.fromEntries(names.filter((name) => got[name] && right[name] && got[name] !== right[name])
  .map((name) => [name, total(differs(got[name], right[name]))]).filter(([, some]) => some));

// A sentence of known words as numbers, or what is wrong with it.
const spoken = (text, { words: known, places }) => {
  const words = text.trim().split(/\s+/), all = Object.keys(known).join(", "), odd = words.find((word) => !Object.hasOwn(known, word));
  if (odd !== undefined || words.length > 8) return { trouble: `${odd ? `The course has no numbers for “${odd}”. ` : ""}Write 1 to 8 of its words: ${all}.` };
  return { words, X: pack([words.map((word, i) => [...known[word], ...places[i % places.length]])]) };
};
