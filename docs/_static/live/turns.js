/**
 * Each head silenced in its turn, and how far two words are from one another then.
 *
 * Layers below a silenced head are as in the whole model, which ran once; the twelve heads of a layer are one
 * batch from there on; and of the last layer, only the rows of the two words are computed to the end.
 */

import { cosine } from "./arithmetic.js";
import { HEAD, HEADS, RIGHT, WIDTH } from "./attention.js";
import { LAYERS } from "./room.js";

/** From the engine's own steps. */
export function turns({ f, at, pass, project, look, finish, meanOf }) {
  let kept = { key: "" };

  /** Rows before and after all layers, of the sentence that was asked for last. */
  function whole(ids) {
    const key = ids.join();
    if (kept.key !== key) kept = { key, xs: pass(ids).xs };
    return kept.xs;
  }

  /** The batch in layer l: the sentence twelve times, each with one head silenced. */
  function begin(x, n, l, silence) {
    const size = n * WIDTH;
    f.set(x, at.x);
    project(l, n);
    look(n, 0, RIGHT, []);
    const merged = f.slice(at.m, at.m + size);
    for (let h = 0; h < HEADS; h++) {
      f.set(x, at.x + h * size);
      f.set(merged, at.m + h * size);
      const mean = meanOf(l * HEADS + h, silence) ?? new Float32Array(HEAD);
      for (let r = 0; r < n; r++) f.set(mean, at.m + h * size + r * WIDTH + h * HEAD);
    }
  }

  /** Leaves two rows of each sentence of the batch; a stands before b. */
  function narrow(n, [a, b]) {
    for (let h = 0; h < HEADS; h++) {
      for (const part of [at.x, at.m]) {
        for (const [to, from] of [[2 * h, h * n + a], [2 * h + 1, h * n + b]]) {
          f.copyWithin(part + to * WIDTH, part + from * WIDTH, part + (from + 1) * WIDTH);
        }
      }
    }
  }

  /** How the cosine of two words after the last layer changes without each head of layer l. */
  function eachOf(ids, pair, l, { silence = "zero" } = {}) {
    const n = ids.length, last = LAYERS - 1;
    const [a, b] = [...pair].sort((one, other) => one - other);
    const xs = whole(ids);
    begin(xs[l], n, l, silence);
    for (let now = l; now < last; now++) {
      finish(now, HEADS * n);
      project(now + 1, HEADS * n);
      for (let h = 0; h < HEADS; h++) look(n, h, RIGHT, []);
    }
    narrow(n, [a, b]);
    finish(last, 2 * HEADS);
    const right = cosine(xs[LAYERS], a, b);
    const after = f.subarray(at.x, at.x + 2 * HEADS * WIDTH);
    return Float32Array.from({ length: HEADS }, (_, h) => cosine(after, 2 * h, 2 * h + 1) - right);
  }

  /** The same for all 72 heads. */
  function each(ids, pair, how) {
    const all = new Float32Array(LAYERS * HEADS);
    for (let l = 0; l < LAYERS; l++) all.set(eachOf(ids, pair, l, how), l * HEADS);
    return all;
  }

  return { each, eachOf };
}
