/**
 * all-MiniLM-L6-v2 in a page, in a worker or under Node.js: six layers of twelve heads, none of it hidden.
 *
 * All rows of numbers lie in one room (see `product.js`) and are addressed by where they begin. Every head can be
 * silenced, and every line of the attention be written wrong.
 */

import { attend, HEADS, WIDTH, HEAD } from "./attention.js";
import { hasSimd, roomFor } from "./product.js";
import { tensors } from "./tensors.js";
import { LONGEST } from "./tokens.js";

export const LAYERS = 6;
const INNER = 4 * WIDTH;
const ROWS = HEADS * LONGEST; // a batch holds the sentence once for each silenced head
const EPSILON = 1e-12;
const MATRICES = {
  q: ["attention.self.query", WIDTH, WIDTH],
  k: ["attention.self.key", WIDTH, WIDTH],
  v: ["attention.self.value", WIDTH, WIDTH],
  o: ["attention.output.dense", WIDTH, WIDTH],
  up: ["intermediate.dense", WIDTH, INNER],
  down: ["output.dense", INNER, WIDTH],
};
const BUFFERS = { x: WIDTH, q: WIDTH, k: WIDTH, v: WIDTH, m: WIDTH, y: WIDTH, u: INNER };
const RIGHT = { scores: 0, scaled: 0, masked: 0, weights: 0, merged: 0 };

/**
 * The model from its parts.
 *
 * `get(name)` gives the unpacked bytes of a part; `plain` asks for plain JavaScript where there is SIMD too.
 */
export async function open({ get, plain = false }) {
  const kind = !plain && hasSimd() ? "simd" : "plain";
  const { found, about } = tensors(await get("body"));
  const bounds = JSON.parse(about.shards);
  const shards = new Map(), coming = new Map();
  const perLayer = Object.values(MATRICES).reduce((sum, [, i, o]) => sum + (i + 1) * o, 0);
  const perRow = Object.values(BUFFERS).reduce((sum, one) => sum + one, 0);
  const { floats: f, linear } = roomFor(4 * (LAYERS * perLayer + ROWS * perRow) + 65536, kind === "plain");

  let free = 0;
  const take = (count) => (free += count) - count;
  const layers = Array.from({ length: LAYERS }, (_, l) => layer(`encoder.layer.${l}`));
  const at = Object.fromEntries(Object.entries(BUFFERS).map(([name, wide]) => [name, take(ROWS * wide)]));
  const product = ({ w, b, i, o }, from, to, n) => linear(from, w, b, to, n, i, o);

  function layer(start) {
    const made = { attended: norm(`${start}.attention.output`), done: norm(`${start}.output`) };
    for (const [name, [part, i, o]] of Object.entries(MATRICES)) {
      const w = take(i * o), b = take(o);
      widen(f.subarray(w, w + i * o), found[`${start}.${part}.weight`], found[`${start}.${part}.weight.step`]);
      f.set(found[`${start}.${part}.bias`].data, b);
      made[name] = { w, b, i, o };
    }
    return made;
  }

  function norm(start) {
    const [weight, bias] = ["weight", "bias"].map((kind) => found[`${start}.LayerNorm.${kind}`].data);
    return (n) => layerNorm(f, at.x, n, weight, bias);
  }

  const means = found.head_means.data;
  const inputNorm = norm("embeddings");
  const places = widened(found["embeddings.position_embeddings.weight"], found["embeddings.position_embeddings.weight.step"]);
  const first = found["embeddings.token_type_embeddings.weight"].data; // of the first of two texts; there is one
  const shardOf = (id) => bounds.findLastIndex((start) => start <= id);

  /** Fetches the vectors of these words, where they are not here yet. */
  async function need(ids) {
    const missing = [...new Set(ids.map(shardOf))].filter((one) => !shards.has(one));
    await Promise.all(missing.map((one) => coming.get(one) ?? fetchShard(one)));
  }

  function fetchShard(one) {
    const promise = get(`words-${one}`)
      .then((bytes) => shards.set(one, tensors(bytes).found))
      .finally(() => coming.delete(one));
    coming.set(one, promise);
    return promise;
  }

  /** The input of layer 0, at `at.x`. */
  function embed(ids) {
    ids.forEach((id, r) => {
      const shard = shards.get(shardOf(id));
      if (!shard) throw new Error("need(ids) fetches these words first");
      const row = id - bounds[shardOf(id)], step = shard.steps.data[row];
      for (let c = 0; c < WIDTH; c++) {
        f[at.x + r * WIDTH + c] = shard.levels.data[row * WIDTH + c] * step + places[r * WIDTH + c] + first[c];
      }
    });
    inputNorm(ids.length);
  }

  /** Queries, keys and values of `n` rows at `at.x`. */
  function project(l, n) {
    for (const name of "qkv") product(layers[l][name], at.x, at[name], n);
  }

  /** What a layer does after its attention, whose output before W_o is at `at.m`. */
  function finish(l, n) {
    const { o, up, down, attended, done } = layers[l];
    product(o, at.m, at.y, n);
    addTo(f, at.x, at.y, n * WIDTH);
    attended(n);
    product(up, at.x, at.u, n);
    gelu(f, at.u, n * INNER);
    product(down, at.u, at.y, n);
    addTo(f, at.x, at.y, n * WIDTH);
    done(n);
  }

  function silent(l, off, silence) {
    return off.filter((one) => Math.floor(one / HEADS) === l).map((one) => [one % HEADS, meanOf(one, silence)]);
  }

  const meanOf = (one, silence) => (silence === "mean" ? means.subarray(one * HEAD, (one + 1) * HEAD) : null);

  /** Attention of the batch's sentence `b`; `weights` gets h × n × n numbers where it is given. */
  function look(n, b, code, off, weights) {
    const s = b * n * WIDTH;
    attend(f, { q: at.q + s, k: at.k + s, v: at.v + s, m: at.m + s }, n, code, off, weights);
  }

  /**
   * All layers for one sentence. `code` tells which lines are wrong (see `attention.js`), `off` which heads are
   * silenced, as layer * 12 + head, and `silence` what those give: "zero", or their "mean".
   *
   * Gives `xs`, n × 384 for the input of layer 0 and after each layer, `weights`, `embedding` and `n`.
   */
  function pass(ids, { code = {}, off = [], silence = "zero" } = {}) {
    const n = ids.length;
    const lines = { ...RIGHT, ...code };
    const weights = new Float32Array(LAYERS * HEADS * n * n);
    embed(ids);
    const xs = [f.slice(at.x, at.x + n * WIDTH)];
    for (let l = 0; l < LAYERS; l++) {
      project(l, n);
      look(n, 0, lines, silent(l, off, silence), weights.subarray(l * HEADS * n * n, (l + 1) * HEADS * n * n));
      finish(l, n);
      xs.push(f.slice(at.x, at.x + n * WIDTH));
    }
    return { xs, weights, embedding: pooled(xs[LAYERS], n), n };
  }

  let kept = { key: "" }; // the last sentence's pass through the whole model: layers below a silenced head stay

  function whole(ids) {
    const key = ids.join();
    if (kept.key !== key) kept = { key, xs: pass(ids).xs };
    return kept.xs;
  }

  /** As `each`, for the twelve heads of one layer, which are one batch. */
  function eachOf(ids, pair, l, { silence = "zero" } = {}) {
    const n = ids.length, size = n * WIDTH;
    const [a, b] = [...pair].sort((one, other) => one - other);
    const xs = whole(ids);
    f.set(xs[l], at.x);
    project(l, n);
    look(n, 0, RIGHT, []);
    const output = f.slice(at.m, at.m + size);
    for (let h = 0; h < HEADS; h++) {
      f.set(xs[l], at.x + h * size);
      f.set(output, at.m + h * size);
      const mean = meanOf(l * HEADS + h, silence);
      for (let r = 0; r < n; r++) putMean(f, at.m + h * size + r * WIDTH + h * HEAD, mean);
    }
    for (let now = l; now < LAYERS; now++) {
      if (now > l) {
        project(now, HEADS * n);
        for (let h = 0; h < HEADS; h++) look(n, h, RIGHT, []);
      }
      if (now === LAYERS - 1) {
        // of the last layer only two rows are asked for
        for (let h = 0; h < HEADS; h++) {
          for (const [to, from] of [[2 * h, h * n + a], [2 * h + 1, h * n + b]]) {
            for (const part of [at.x, at.m]) {
              f.copyWithin(part + to * WIDTH, part + from * WIDTH, part + (from + 1) * WIDTH);
            }
          }
        }
        finish(now, 2 * HEADS);
      } else finish(now, HEADS * n);
    }
    const right = cosine(xs[LAYERS], a, b);
    const after = f.subarray(at.x, at.x + 2 * HEADS * WIDTH);
    return Float32Array.from({ length: HEADS }, (_, h) => cosine(after, 2 * h, 2 * h + 1) - right);
  }

  /** How the cosine of two rows after the last layer changes with each of the 72 heads silenced, one at a time. */
  function each(ids, pair, how) {
    const all = new Float32Array(LAYERS * HEADS);
    for (let l = 0; l < LAYERS; l++) all.set(eachOf(ids, pair, l, how), l * HEADS);
    return all;
  }

  /** Queries, keys and values of one head, n × 32 each, in the model as it is changed. */
  function head(ids, l, h, how) {
    const { xs, n } = pass(ids, how);
    f.set(xs[l], at.x);
    project(l, n);
    const part = (from) =>
      Float32Array.from({ length: n * HEAD }, (_, i) => f[from + Math.floor(i / HEAD) * WIDTH + h * HEAD + (i % HEAD)]);
    return { Q: part(at.q), K: part(at.k), V: part(at.v) };
  }

  const nearest = { sentences: JSON.parse(about.sentences), embeddings: found.nearest.data };
  return { kind, need, pass, each, eachOf, head, nearest };
}

/** Cosine of two rows. */
export function cosine(x, i, j) {
  let both = 0, one = 0, other = 0;
  for (let c = 0; c < WIDTH; c++) {
    const a = x[i * WIDTH + c], b = x[j * WIDTH + c];
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return both / Math.sqrt(one * other);
}

function putMean(f, to, mean) {
  if (mean) f.set(mean, to);
  else f.fill(0, to, to + HEAD);
}

function widen(to, levels, steps) {
  const [rows, columns] = levels.shape;
  for (let r = 0; r < rows; r++) {
    const step = steps.data[r];
    for (let c = r * columns; c < (r + 1) * columns; c++) to[c] = levels.data[c] * step;
  }
}

function widened(levels, steps) {
  const made = new Float32Array(levels.data.length);
  widen(made, levels, steps);
  return made;
}

/** The mean of n rows, brought to length 1. */
function pooled(x, n) {
  const mean = new Float32Array(WIDTH);
  for (let i = 0; i < n * WIDTH; i++) mean[i % WIDTH] += x[i] / n;
  const length = Math.hypot(...mean);
  return mean.map((one) => one / length);
}

function addTo(f, x, y, count) {
  for (let i = 0; i < count; i++) f[x + i] += f[y + i];
}

function layerNorm(f, x, n, weight, bias) {
  for (let p = x; p < x + n * WIDTH; p += WIDTH) {
    let mean = 0, spread = 0;
    for (let c = 0; c < WIDTH; c++) mean += f[p + c];
    mean /= WIDTH;
    for (let c = 0; c < WIDTH; c++) spread += (f[p + c] - mean) ** 2;
    const scale = 1 / Math.sqrt(spread / WIDTH + EPSILON);
    for (let c = 0; c < WIDTH; c++) f[p + c] = (f[p + c] - mean) * scale * weight[c] + bias[c];
  }
}

/** z Φ(z); the error function to seven digits, by formula 7.1.26 of Abramowitz and Stegun. */
function gelu(f, x, count) {
  for (let i = x; i < x + count; i++) {
    const z = f[i], u = Math.abs(z) * Math.SQRT1_2, t = 1 / (1 + 0.3275911 * u);
    const rest = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    const half = 0.5 * rest * Math.exp(-u * u); // Φ(-|z|)
    f[i] = z * (z < 0 ? half : 1 - half);
  }
}
