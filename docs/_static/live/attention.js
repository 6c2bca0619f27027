/** Attention of all heads on one sentence, right or with a line of it written wrong. */

export const HEADS = 12, HEAD = 32; // width of a head
export const WIDTH = HEADS * HEAD;
export const RIGHT = { scores: 0, scaled: 0, masked: 0, weights: 0, merged: 0 }; // each line in its right form

const SCALES = [1 / Math.sqrt(HEAD), 1, 1 / HEAD]; // right, left out, divided by the width itself
const ALLOWED = [() => true, (i, j) => j <= i, (i, j) => j >= i, (i, j) => j === i];

/**
 * Outputs of all heads, merged, at `at.m`; queries, keys and values are n rows each at `at.q`, `at.k`, `at.v`.
 *
 * `code` tells how each line is written, 0 for right: `scores` 1 is K Qᵀ; `scaled` 1 leaves it out, 2 divides by
 * the width; `masked` 1 hides later tokens, 2 earlier ones, 3 all but itself; `weights` 1 takes the softmax over
 * queries, 2 takes none (what is masked counts 0); `merged` 1 only reshapes (h, n, 32), 2 gives zeros.
 * `off` has heads that give a mean of theirs, or 0, in place of what they found: pairs of head and mean or null.
 */
export function attend(f, at, n, code, off, weights = new Float32Array(HEADS * n * n)) {
  const silenced = new Map(off);
  for (let h = 0; h < HEADS; h++) {
    const found = weights.subarray(h * n * n, (h + 1) * n * n);
    scores(f, at, n, h, code, found);
    if (code.weights < 2) softmax(found, n, code.weights ? [1, n] : [n, 1]);
    else for (let i = 0; i < n * n; i++) if (found[i] === -Infinity) found[i] = 0;
    for (let i = 0; i < n; i++) {
      const to = at.m + (code.merged === 1 ? (h * n + i) * HEAD : i * WIDTH + h * HEAD);
      f.fill(0, to, to + HEAD);
      if (code.merged === 2) continue;
      if (silenced.has(h)) {
        if (silenced.get(h)) f.set(silenced.get(h), to);
        continue;
      }
      for (let j = 0; j < n; j++) {
        const w = found[i * n + j], from = at.v + j * WIDTH + h * HEAD;
        if (w) for (let c = 0; c < HEAD; c++) f[to + c] += w * f[from + c];
      }
    }
  }
}

function scores(f, at, n, h, code, found) {
  const [left, right] = code.scores ? [at.k, at.q] : [at.q, at.k];
  const scale = SCALES[code.scaled], allowed = ALLOWED[code.masked];
  for (let i = 0; i < n; i++) {
    const a = left + i * WIDTH + h * HEAD;
    for (let j = 0; j < n; j++) {
      const b = right + j * WIDTH + h * HEAD;
      let sum = 0;
      for (let c = 0; c < HEAD; c++) sum += f[a + c] * f[b + c];
      found[i * n + j] = allowed(i, j) ? sum * scale : -Infinity;
    }
  }
}

/** In place; a softmax runs along the second stride, for each place along the first. */
function softmax(found, n, [over, along]) {
  for (let i = 0; i < n; i++) {
    let top = -Infinity, sum = 0;
    for (let j = 0; j < n; j++) top = Math.max(top, found[i * over + j * along]);
    for (let j = 0; j < n; j++) sum += found[i * over + j * along] = Math.exp(found[i * over + j * along] - top);
    for (let j = 0; j < n; j++) found[i * over + j * along] /= sum;
  }
}
