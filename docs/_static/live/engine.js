/**
 * all-MiniLM-L6-v2 in a page, in a worker or under Node.js: six layers of twelve heads, none of it hidden.
 *
 * Every head can be silenced, and every line of the attention be written wrong. `how` says so in all calls:
 * `code`, which lines are wrong (see `attention.js`); `off`, which heads are silenced, as layer * 12 + head; and
 * `silence`, what those give: "zero", or their "mean" over the sentences that come with the model.
 */

import { addTo, cosine, gelu, layerNorm, pooled } from "./arithmetic.js";
import { attend, HEAD, HEADS, RIGHT, WIDTH } from "./attention.js";
import { hasSimd } from "./product.js";
import { furnished, INNER, LAYERS, norm, widened } from "./room.js";
import { tensors } from "./tensors.js";
import { LONGEST } from "./tokens.js";
import { turns } from "./turns.js";
import { words } from "./words.js";

export { cosine, LAYERS };

/**
 * The model from its parts.
 *
 * `get(name)` gives the unpacked bytes of a part; `plain` asks for plain JavaScript where there is SIMD too.
 */
export async function open({ get, plain = false }) {
  const kind = !plain && hasSimd() ? "simd" : "plain";
  const { found, about } = tensors(await get("body"));
  const { need, put } = words(get, about.shards);
  const { f, at, layers } = furnished(found, kind === "plain");
  const places = widened(found, "embeddings.position_embeddings.weight");
  const first = found["embeddings.token_type_embeddings.weight"].data; // of the first of two texts; there is one
  const inputNorm = norm(found, "embeddings");
  const means = found.head_means.data;

  /** The input of layer 0, at `at.x`. */
  function embed(ids) {
    ids.forEach((id, r) => {
      const to = at.x + r * WIDTH;
      put(id, f, to);
      for (let c = 0; c < WIDTH; c++) f[to + c] += places[r * WIDTH + c] + first[c];
    });
    layerNorm(f, at.x, ids.length, inputNorm);
  }

  /** Queries, keys and values of `n` rows at `at.x`. */
  function project(l, n) {
    for (const name of "qkv") layers[l][name](at.x, at[name], n);
  }

  /** Attention of the batch's sentence `b`, to `at.m`; `weights` gets h × n × n numbers where it is given. */
  function look(n, b, code, off, weights) {
    const s = b * n * WIDTH;
    attend(f, { q: at.q + s, k: at.k + s, v: at.v + s, m: at.m + s }, n, code, off, weights);
  }

  /** What a layer does after its attention: W_o, add and norm, feed forward, add and norm; to `at.x`. */
  function finish(l, n) {
    const { o, up, down, attended, done } = layers[l];
    o(at.m, at.y, n);
    addTo(f, at.x, at.y, n * WIDTH);
    layerNorm(f, at.x, n, attended);
    up(at.x, at.u, n);
    gelu(f, at.u, n * INNER);
    down(at.u, at.y, n);
    addTo(f, at.x, at.y, n * WIDTH);
    layerNorm(f, at.x, n, done);
  }

  /** What a silenced head gives: null for 0. */
  const meanOf = (one, silence) => (silence === "mean" ? means.subarray(one * HEAD, (one + 1) * HEAD) : null);

  const silenced = (l, { off = [], silence }) =>
    off.filter((one) => Math.floor(one / HEADS) === l).map((one) => [one % HEADS, meanOf(one, silence)]);

  /** One sentence: `xs`, n × 384 into layer 0 and after each layer; `weights`; `embedding`; and `n`. */
  function pass(ids, how = {}) {
    const n = ids.length, perLayer = HEADS * n * n;
    if (n > LONGEST) throw new Error(`at most ${LONGEST} tokens`);
    const weights = new Float32Array(LAYERS * perLayer);
    const rows = () => f.slice(at.x, at.x + n * WIDTH);
    embed(ids);
    const xs = [rows()];
    for (let l = 0; l < LAYERS; l++) {
      project(l, n);
      const mine = weights.subarray(l * perLayer, (l + 1) * perLayer);
      look(n, 0, { ...RIGHT, ...how.code }, silenced(l, how), mine);
      finish(l, n);
      xs.push(rows());
    }
    return { xs, weights, embedding: pooled(xs[LAYERS], n), n };
  }

  /** Queries, keys and values of one head, n × 32 each, in the model as it is changed. */
  function head(ids, l, h, how) {
    const { xs, n } = pass(ids, how);
    f.set(xs[l], at.x);
    project(l, n);
    const part = (from) => {
      const made = new Float32Array(n * HEAD);
      for (let r = 0; r < n; r++) {
        const start = from + r * WIDTH + h * HEAD;
        made.set(f.subarray(start, start + HEAD), r * HEAD);
      }
      return made;
    };
    return { Q: part(at.q), K: part(at.k), V: part(at.v) };
  }

  const { each, eachOf } = turns({ f, at, pass, project, look, finish, meanOf });
  const nearest = { sentences: about.sentences, embeddings: found.nearest.data.slice() };
  return { kind, need, pass, head, each, eachOf, nearest };
}
