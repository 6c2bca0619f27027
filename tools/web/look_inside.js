// Draws the first sentence of what was kept; the page's own functions are put before it.
import { readFileSync } from "node:fs";
const one = read(JSON.parse(readFileSync(0, "utf-8"))).sentences[0];
console.log(JSON.stringify({
  ...one, threads: threads(one), dots: dots(one), verdict: verdict(one, one), rest: resting(one),
  sims: one.sims.map(write), special: one.tokens.map(special), weights: [...one.weights],
  most: Math.max(...one.effect), head: named(largest(one.effect)), fall: one.sims[0] - one.sims[6], apart: APART,
}));
