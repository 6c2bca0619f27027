// The half of the first screen that needs the model: it is fetched, asked, and what it says is put into the state.

import { client } from "./client.js";
import { choose, cosine } from "./picture.js";
import { change, draw, hang, RIGHT, state, touched } from "./page.js";
import { $, nearest, says } from "./view.js";

const plain = new URLSearchParams(location.search).has("plain"); // to compare, and for tests
const model = client({ plain });
let opened, about, agreed = false, failed = false, turn = 0, before = {};

const mb = (bytes) => (bytes / 1e6).toFixed(1);
const tell = (text, bar) => {
  $("live-load").hidden = !text;
  $("live-load").querySelector("span").textContent = text;
  $("live-load").querySelector("progress").hidden = !bar;
};
// One line that is read out, with something to press: what went wrong, or a question.
const alarm = (text, name, act) => {
  $("live-alarm").querySelector("span").textContent = text;
  const button = $("live-alarm").querySelector("button");
  Object.assign(button, { textContent: name, hidden: !name, onclick: () => { alarm("", ""); act(); } });
};
const goOn = () => (state.ids ? compute() : sentence(state.text));

const size = async () => {
  const { first, parts } = await (await fetch(new URL("model/manifest.json", import.meta.url))).json();
  return mb(first.reduce((sum, name) => sum + parts[name].packed, 0));
};
async function fetched() {
  alarm("", "");
  state.gone = false;
  tell("The model is coming …", true);
  about = await model.open(({ done, total }) => {
    const bar = $("live-load").querySelector("progress");
    Object.assign(bar, { max: total, value: done });
    tell(`${mb(done)} of ${mb(total)} MB, once`, true);
  });
  state.live = true;
  document.documentElement.dataset.live = about.kind;
  return about;
}
function went(wrong) {
  if (wrong.reason === "cancelled") return false;
  [opened, failed, state.gone] = [null, true, true];
  tell("");
  alarm(`${wrong.message} The four sentences work without it.`, "Try again", () => { failed = false; goOn(); });
  says(state);
  return false;
}
// Whether the model is here; on a connection that saves data it is asked for first.
const ready = async () => {
  if (failed) return false;
  if (navigator.connection?.saveData && !agreed) {
    alarm(`Your connection saves data, and the model is ${await size().catch(() => "about 11")} MB, once.`, "Fetch it", () => { agreed = true; goOn(); });
    return false;
  }
  opened ??= fetched();
  return opened.then(() => true, went);
};
export const open = () => {
  failed = false;
  return ready();
};

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
  const slow = about.kind === "plain" ? "Without WebAssembly it is slower here: one" : "One";
  const kept = about.kept === false ? " It could not be kept for next time." : "";
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
  const { sentences, embeddings } = about.nearest, wide = embeddings.length / sentences.length, mark = how();
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
