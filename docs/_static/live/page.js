// Look inside: what was kept of the model for four sentences answers at once; the model comes when it is asked for.

import { board, maps, roving } from "./heads.js";
import { choose } from "./picture.js";
import { read } from "./start.js";
import { $, cloth, fit, heads, lines, nearest, says, words } from "./view.js";

const kept = read(await (await fetch(new URL("kept.json", import.meta.url))).json());
export const RIGHT = { scores: 0, scaled: 0, masked: 0, weights: 0, merged: 0 };
export const state = { text: "", ids: null, kept: null, now: null, right: null, off: new Set(), silence: "zero", code: { ...RIGHT },
  effect: null, seen: null, chosen: null, cut: 0, waits: false, trouble: "" };

const tiles = board($("live-heads"), { press, rest });
export const draw = (fresh) => {
  cloth(state, fresh);
  says(state);
  heads(state, tiles, !state.waits);
};
export const hang = (fresh) => {
  words(state.now, pick);
  draw(fresh);
};
export const touched = () => state.off.size > 0 || Object.values(state.code).some(Boolean);

// All that needs the model is in a second file, which comes when it is first wanted.
let more;
export const model = () => (more ??= import("./model.js").catch((error) => {
  more = null;
  state.trouble = "The rest of this page did not arrive. The sentences below work without it; try again later.";
  says(state);
  throw error;
}));
const ask = (what, ...given) => model().then((one) => one[what](...given), () => {});

const plain = (text) => text.trim().replace(/\s+/g, " ").toLowerCase();
const keptOf = (text) => kept.sentences.find((one) => plain(one.text) === plain(text)) ?? null;
export const show = (one) => {
  Object.assign(state, { text: one.text, ids: one.ids, kept: one, now: { ...one }, right: { ...one }, effect: null, seen: null, cut: 0, waits: false, trouble: "", picked: one.pair });
  change(true);
  words(state.now, pick);
};

// What was kept knows the end of it: the last cosine without one head, or with one line broken.
const guess = () => {
  const { kept: one, off, code, silence } = state, broken = Object.keys(code).filter((line) => code[line]);
  if (!one || `${state.now.pair}` !== `${one.pair}`) return false;
  if (!touched()) state.now = { ...one };
  else if (off.size === 1 && !broken.length && silence === "zero") state.now = { ...one, sims: ends(one, one.sims[6] + one.effect[[...off][0]]) };
  else if (!off.size && broken.length === 1) state.now = { ...one, sims: ends(one, one.broken[broken[0]][code[broken[0]]]) };
  else return false;
  nearest(touched() ? [] : one.nearest);
  return true;
};
const ends = ({ sims }, last) => [sims[0], null, null, null, null, null, last];

// After any change: at once what is known, then what the model says.
export function change(fresh) {
  lines(state.code);
  if (guess()) draw(fresh);
  if (more || touched() || !state.kept || `${state.now.pair}` !== `${state.kept.pair}`) ask("compute", fresh);
}

function press(head) {
  if (state.waits) return;
  if (!state.off.delete(head)) state.off.add(head);
  Object.assign(state, { effect: null, chosen: head, seen: null });
  ask("open");
  change();
}
function rest(head, focused) {
  if (state.waits || (head === state.seen && !focused)) return;
  Object.assign(state, { seen: state.off.has(head) ? null : head, chosen: focused ? head : state.chosen });
  cloth(state);
  heads(state, tiles, false);
}
function pick(word) {
  const [, last] = state.picked ?? [null, 1];
  if (state.waits || state.now.pair?.includes(word) || word === last) return;
  state.picked = [last, word]; // the one that was chosen first gives way
  state.effect = null;
  const pair = [...state.picked].sort((p, q) => p - q);
  for (const one of [state.now, state.right]) one.pair = pair;
  words(state.now, pick);
  change();
}

let typed;
const type = () => {
  const text = $("live-text").value;
  clearTimeout(typed);
  state.text = text;
  const known = keptOf(text), found = text.trim().split(/\s+/).filter(Boolean);
  if (known) return show(known);
  if (!found.length) return says({ ...state, trouble: "The field is empty: type a sentence, or press one of those below it." });
  // until the model is here the words hang without threads
  typed = setTimeout(() => ask("sentence", text), 120);
  if (state.live) return undefined;
  ask("open");
  const tokens = ["[CLS]", ...found.slice(0, 62), "[SEP]"].map((word, i, all) => (i && i < all.length - 1 ? word.toLowerCase() : word));
  const bare = { tokens, pair: choose(tokens), sims: Array(7).fill(null), weights: new Float32Array(72 * tokens.length ** 2) };
  Object.assign(state, { kept: null, ids: null, now: bare, right: bare, effect: null, seen: null, cut: 0, trouble: "", waits: true });
  hang();
  nearest([]);
  return undefined;
};

$("live-text").addEventListener("input", type);
$("live").addEventListener("submit", (event) => event.preventDefault());
$("live-kept").addEventListener("click", ({ target }) => {
  if (target.tagName !== "BUTTON") return;
  $("live-text").value = target.textContent;
  clearTimeout(typed);
  show(keptOf(target.textContent));
});
$("live-lines").addEventListener("change", ({ target }) => {
  state.code[target.name] = Number(target.value);
  state.effect = null;
  change();
});
$("live-silence").addEventListener("change", ({ target }) => {
  Object.assign(state, { silence: target.value, effect: null });
  change();
});
$("live-again").addEventListener("click", () => {
  Object.assign(state, { off: new Set(), code: { ...RIGHT }, effect: null, chosen: null, silence: "zero" });
  $("live-silence").value = "zero";
  $("live-text").value = kept.sentences[0].text;
  show(kept.sentences[0]);
});
$("live-each").addEventListener("click", () => {
  Object.assign(state, { off: new Set(), code: { ...RIGHT } });
  const one = state.kept;
  if (!one || state.silence !== "zero" || `${one.pair}` !== `${state.now.pair}`) return ask("each");
  state.effect = one.effect;
  change();
  return undefined;
});
$("live-loom").addEventListener("click", () => ask("loom", state.chosen));
roving($("live-words"), () => 1e9);
new ResizeObserver(fit).observe($("live-hang"));
new MutationObserver(() => !state.waits && maps(tiles, state.now)).observe(document.documentElement, { attributeFilter: ["data-theme"] });

const first = keptOf($("live-text").value);
if (first) show(first);
else {
  show(kept.sentences[0]);
  type(); // a browser has brought back what one had typed
}
$("live").classList.add("ready");
