// The half of the page that needs the model: it is fetched, asked, and what it says is put into the state.

import { fetching, tell } from "./fetching.js";
import { choose, cosine } from "./picture.js";
import { change, draw, hang, RIGHT, state, touched } from "./page.js";
import { $, nearest, says } from "./view.js";

const goOn = () => (state.ids ? compute() : sentence(state.text));
const works = "The four sentences work without it.";
const { model, ready, open, went } = fetching({ here: state, works, again: goOn, failed: () => says(state) });
export { open };
let turn = 0, before = {};

const RESTS = { code: RIGHT, off: [] };
const how = () => ({ code: { ...state.code }, off: [...state.off], silence: state.silence });
const measured = (one, pair) => (pair ? one.xs.map((x) => cosine(x, ...pair)) : Array(7).fill(null));
const result = (one, pair) => ({ tokens: state.now.tokens, pair, weights: one.weights, xs: one.xs, embedding: one.embedding, sims: measured(one, pair) });

// One pass of the model as it is, kept for a sentence, and one of it as it has been changed.
async function passes(mine) {
  const { ids } = state, key = `${ids}`;
  if (before.key !== key) before = { key, one: await model.pass(ids, { ...RESTS, silence: "zero" }) };
  if (mine !== turn) return null;
  const began = performance.now(), one = touched() ? await model.pass(ids, how()) : before.one;
  if (touched()) took(performance.now() - began);
  return mine === turn && before.key === key ? [before.one, one] : null;
}
const took = (ms) => {
  const slow = state.about.kind === "plain" ? "Without WebAssembly it is slower here: one" : "One";
  const kept = state.about.kept === false ? " It could not be kept for next time." : "";
  tell(`${slow} pass of the model takes ${Math.round(ms)} ms in this browser.${kept}`);
  $("live").dataset.took = ms.toFixed(1);
};

export async function compute(fresh) {
  if (!(await ready())) return;
  const mine = ++turn, { pair } = state.now;
  if (!state.ids) return;
  const told = await passes(mine).catch(went);
  if (!told) return;
  Object.assign(state, { right: result(told[0], pair), now: result(told[1], pair), waits: false, trouble: "" });
  draw(fresh);
  $("live").dataset.turn = turn;
  near(mine).catch(went);
}

// The nearest sentences; with a line broken or a head off they go through the model as it is then, too.
async function near(mine) {
  const { sentences, embeddings } = state.about.nearest, wide = embeddings.length / sentences.length, mark = how();
  const theirs = sentences.map((_, i) => embeddings.subarray(i * wide, (i + 1) * wide));
  if (touched()) for (const [i, text] of sentences.entries()) {
    theirs[i] = (await model.pass((await model.encode(text)).ids, mark)).embedding;
    if (mine !== turn) return;
  }
  const dot = (x) => x.reduce((sum, one, c) => sum + one * state.now.embedding[c], 0);
  nearest(sentences.map((text, i) => [text, dot(theirs[i])]).sort(([, p], [, q]) => q - p).slice(0, 3));
}

export async function sentence(text) {
  if (!(await ready()) || text !== state.text) return;
  const { tokens, ids, cut } = await model.encode(text).catch(went);
  if (!tokens || text !== state.text) return;
  const pair = choose(tokens), mine = ++turn;
  const kept = before, began = performance.now();
  before = { key: `${ids}`, one: await model.pass(ids, { ...RESTS, silence: "zero" }).catch(went) };
  if (!before.one) before = kept;
  if (mine !== turn || !before.one) return;
  took(performance.now() - began);
  state.now = { tokens, pair };
  Object.assign(state, { ids, cut, kept: null, effect: null, seen: null, waits: false, trouble: "", picked: pair });
  state.right = state.now = result(before.one, pair);
  hang(true);
  if (touched()) change();
  else near(mine).catch(went);
  $("live").dataset.turn = turn;
}

// All heads off in turn, with the lines right.
export async function each() {
  if (!(await open()) || !state.ids || !state.now.pair) return;
  const mine = ++turn, began = performance.now();
  const effect = await model.each(state.ids, state.now.pair, { silence: state.silence }).catch(went);
  if (!effect || mine !== turn) return;
  const seconds = (performance.now() - began) / 1000;
  state.effect = effect;
  $("live").dataset.each = seconds.toFixed(3);
  change();
  tell(`72 heads off, one at a time: ${seconds.toFixed(1)} s in this browser.`);
}

export async function loom(head) {
  const place = $("live-woven");
  place.hidden = false;
  if (!(await open()) || !state.ids) return;
  const [{ weave }, numbers] = await Promise.all([
    import("./weave.js"),
    model.head(state.ids, Math.floor(head / 12), head % 12, how()),
  ]).catch((wrong) => [{}, went(wrong)]);
  if (numbers) await weave(place, head, { text: state.text, tokens: state.now.tokens }, numbers);
}
