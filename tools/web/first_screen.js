// Reads the sentences of the first screen out of what was kept, and draws the first.
// The page's own functions are put before it.
import { readFileSync } from "node:fs";

const all = JSON.parse(readFileSync(0, "utf-8")).sentences;
const asked = (text) => {
  const one = all.find((any) => any.text === text), words = placed(one.words);
  const found = between(weightsOf(one.weights), one.tokens.length, words);
  const pair = one.pair.map((at) => words.findIndex(({ from, to }) => from <= at && at < to));
  return { text, words, pair, on: one.similarities, off: one.off, weights: [...found].map((x) => +x.toFixed(3)) };
};
const kept = ["I saw a saw", "He will write a will"].map(asked), [first] = kept, shown = narrowed(first, 99);
console.log(JSON.stringify({
  kept,
  threads: stems(shown) + threads(shown),
  dots: dots({ ...shown, sims: first.on }),
  said: told(first, false),
  of: figure(first),
  start: write(first.on[0]),
  end: write(first.on[6]),
}));
