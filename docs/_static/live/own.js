// The half of the first screen that needs the model: it reads a sentence with attention and without.

import { fetching, tell } from "./fetching.js";
import { NOTHING, draw, empty, state } from "./first.js";
import { between, likeness, lonely, placed, single, twins, withAlone } from "./reading.js";

const SILENT = { code: { scores: 0, scaled: 0, masked: 0, weights: 0, merged: 2 } };
const works = "The sentence below works without it.";
const again = () => sentence(state.text), failed = () => draw();
const { model, ready, went } = fetching({ here: state, works, again, failed });

const last = (sims) => sims[6];
const least = (best, one) => (last(one.on) < last(best.on) ? one : best);

// Two words that are the same: of several pairs the one that ends least alike.
const asPair = (words, { on, off }, pairs) => {
  const alike = (xs, [a, b]) => likeness(xs, words[a], words[b]);
  const { pair, on: sims } = pairs.map((one) => ({ pair: one, on: alike(on.xs, one) })).reduce(least);
  return { words, pair, on: sims, off: alike(off.xs, pair) };
};

// One word beside itself as a sentence of its own: of several the one that its neighbours change most.
async function asSingle(ids, words, { on, off }, weights, places) {
  const tried = [];
  for (const i of places) {
    const alone = [ids[0], ...ids.slice(words[i].from, words[i].to), ids.at(-1)], own = { from: 1, to: alone.length - 1 };
    const there = await model.pass(alone);
    tried.push({ i, alone, own, there, on: likeness(on.xs, words[i], own, there.xs) });
  }
  const { i, alone, own, there, on: sims } = tried.reduce(least), silent = await model.pass(alone, SILENT);
  const result = withAlone(words, weights, i, between(there.weights, alone.length, [own]));
  return { ...result, on: sims, off: likeness(off.xs, words[i], own, silent.xs) };
}

async function read(ids, words, wanted) {
  const on = await model.pass(ids), off = await model.pass(ids, SILENT);
  const weights = between(on.weights, ids.length, words), only = lonely(words), pairs = twins(words, wanted);
  if (only !== null) return { words, pair: [only], on: NOTHING, off: NOTHING, lone: true, weights };
  if (pairs.length) return { ...asPair(words, { on, off }, pairs), weights };
  return asSingle(ids, words, { on, off }, weights, single(words, wanted));
}

let turn = 0;
/** Reads a sentence; `wanted` is a word that the reader has chosen. */
export async function sentence(text, wanted = null) {
  const mine = ++turn, late = () => mine !== turn || text !== state.text;
  if (!(await ready()) || late()) return;
  tell("");
  try {
    const { ids, words, cut } = await model.encode(text);
    if (late()) return;
    if (!words.length) {
      empty();
      return;
    }
    const result = await read(ids, placed(words), wanted);
    if (late()) return;
    state.now = { ...result, text, cut };
    draw(true);
    document.documentElement.dataset.turn = mine;
  } catch (wrong) {
    went(wrong);
  }
}
