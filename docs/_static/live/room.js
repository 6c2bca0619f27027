/** The model's weights and the rows that are computed, all in one room and addressed by where they begin. */

import { HEADS, WIDTH } from "./attention.js";
import { roomFor } from "./product.js";
import { LONGEST } from "./tokens.js";

export const LAYERS = 6, INNER = 4 * WIDTH;
const ROWS = HEADS * LONGEST; // a batch holds the sentence once for each silenced head
const MATRICES = {
  q: ["attention.self.query", WIDTH, WIDTH],
  k: ["attention.self.key", WIDTH, WIDTH],
  v: ["attention.self.value", WIDTH, WIDTH],
  o: ["attention.output.dense", WIDTH, WIDTH],
  up: ["intermediate.dense", WIDTH, INNER],
  down: ["output.dense", INNER, WIDTH],
};
const BUFFERS = { x: WIDTH, q: WIDTH, k: WIDTH, v: WIDTH, m: WIDTH, y: WIDTH, u: INNER };

/**
 * A room with the weights of the file's tensors.
 *
 * Gives `f`, its numbers; `at`, where each buffer of rows begins; and `layers`: norms, and the products as
 * functions of where n rows come from and where they go.
 */
export function furnished(found, plain) {
  const perLayer = Object.values(MATRICES).reduce((sum, [, i, o]) => sum + (i + 1) * o, 0);
  const perRow = Object.values(BUFFERS).reduce((sum, one) => sum + one, 0);
  const { floats: f, linear } = roomFor(4 * (LAYERS * perLayer + ROWS * perRow), plain);
  let free = 0;
  const take = (count) => (free += count) - count;

  function matrix(name, i, o) {
    const w = take(i * o), b = take(o);
    widen(f.subarray(w, w + i * o), found[`${name}.weight`], found[`${name}.weight.step`]);
    f.set(found[`${name}.bias`].data, b);
    return (from, to, n) => linear(from, w, b, to, n, i, o);
  }

  const layers = Array.from({ length: LAYERS }, (_, l) => {
    const start = `encoder.layer.${l}`;
    const made = { attended: norm(found, `${start}.attention.output`), done: norm(found, `${start}.output`) };
    for (const [name, [part, i, o]] of Object.entries(MATRICES)) made[name] = matrix(`${start}.${part}`, i, o);
    return made;
  });
  const at = Object.fromEntries(Object.entries(BUFFERS).map(([name, wide]) => [name, take(ROWS * wide)]));
  return { f, at, layers };
}

/** Weight and bias of a layer norm. */
export function norm(found, start) {
  return { weight: found[`${start}.LayerNorm.weight`].data, bias: found[`${start}.LayerNorm.bias`].data };
}

/** A matrix of levels and steps, as numbers. */
export function widened(found, name) {
  const made = new Float32Array(found[name].data.length);
  widen(made, found[name], found[`${name}.step`]);
  return made;
}

function widen(to, levels, steps) {
  const [rows, columns] = levels.shape;
  for (let r = 0; r < rows; r++) {
    const step = steps.data[r];
    for (let c = r * columns; c < (r + 1) * columns; c++) to[c] = levels.data[c] * step;
  }
}
