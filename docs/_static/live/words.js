/** The words' own vectors, fetched in parts: the common words are one, and each further part is small. */

import { WIDTH } from "./attention.js";
import { tensors } from "./tensors.js";

/** Words in parts that begin at `bounds`; `get(name)` gives the bytes of a part. */
export function words(get, bounds) {
  const here = new Map(), coming = new Map();
  const partOf = (id) => bounds.findLastIndex((start) => start <= id);

  /** Fetches the parts with these words, where they are not here yet. */
  async function need(ids) {
    const missing = [...new Set(ids.map(partOf))].filter((one) => !here.has(one));
    await Promise.all(missing.map((one) => coming.get(one) ?? fetchPart(one)));
  }

  function fetchPart(one) {
    const promise = get(`words-${one}`)
      .then((bytes) => here.set(one, tensors(bytes).found))
      .finally(() => coming.delete(one));
    coming.set(one, promise);
    return promise;
  }

  /** Writes a word's vector to an address. */
  function put(id, f, to) {
    const one = partOf(id), part = here.get(one);
    if (!part) throw new Error("need(ids) fetches these words first");
    const row = id - bounds[one], step = part.steps.data[row];
    for (let c = 0; c < WIDTH; c++) f[to + c] = part.levels.data[row * WIDTH + c] * step;
  }

  return { need, put };
}
