// A sentence as its reader typed it: words and not the model's pieces, and which of them are compared.
// Pure functions, so that the site's build reads the first sentence with them.
//
// A result is { words: [{ text, from, to }], pair: [a, b], on: [7], off: [7], weights: 6*n*n }. `on` and `off` are the
// likenesses of the pair before and after each layer, with attention and without; weights are means over all heads.
// With `alone`, the second word of the pair is the first one on its own, and is the last of the words.
// With `lone` there is one word, and nothing to compare it with.

import { HEADS, LAYERS, WIDTH, alike, joins, range } from "./picture.js";

/** Words with the rows of their pieces: the first row is the beginning of the sentence. */
export const placed = (words) => {
  let from = 1;
  return words.map(({ text, count }) => ({ text, from, to: (from += count) }));
};

/** The sum of a word's pieces, which has the direction of their mean. */
const vector = (x, { from, to }) => {
  const sum = new Float32Array(WIDTH);
  for (let at = from * WIDTH; at < to * WIDTH; at += 1) sum[at % WIDTH] += x[at];
  return sum;
};

/** How alike two words are before and after each layer; the second may be of another sentence. */
export const likeness = (xs, one, two, others = xs) =>
  xs.map((x, row) => alike(vector(x, one), vector(others[row], two)));

/** What words take from words: the mean over heads and pieces of the one, the sum over pieces of the other. */
export const between = (weights, n, words) => {
  const many = words.length, owner = Array(n).fill(-1), found = new Float32Array(LAYERS * many * many);
  words.forEach(({ from, to }, i) => owner.fill(i, from, to));
  weights.forEach((weight, at) => {
    const layer = Math.floor(at / (HEADS * n * n)), i = owner[Math.floor(at / n) % n], j = owner[at % n];
    if (i < 0 || j < 0) return; // it goes to the ends of the sentence
    found[(layer * many + i) * many + j] += weight / HEADS / (words[i].to - words[i].from);
  });
  return found;
};

export const key = ({ text }) => text.toLowerCase();
const telling = (words) => range(words.length).filter((i) => !joins(key(words[i])));

/** Whether a word is more than a sign between words. */
const spoken = ({ text }) => /[^\p{P}\p{Sm}\p{Sc}\p{Sk}]/u.test(text);
const preferred = (words, places) => {
  const better = places.filter((i) => spoken(words[i]));
  return better.length ? better : places;
};

/** The only word, or nothing. */
export const lonely = (words) => {
  const places = preferred(words, range(words.length));
  return words.length === 1 || (places.length === 1 && spoken(words[places[0]])) ? places[0] : null;
};

/** Pairs of places at which one word is twice: the wanted word, else any that does more than join others. */
export const twins = (words, wanted = null) => {
  const after = (a) => range(words.length).filter((b) => b > a && key(words[a]) === key(words[b]));
  const pairs = range(words.length).flatMap((a) => after(a).map((b) => [a, b])), good = telling(words);
  if (wanted !== null) return pairs.filter((pair) => pair.includes(wanted));
  return good.length ? pairs.filter(([a]) => good.includes(a)) : pairs;
};

const MOST = 12; // words that are tried on their own

/** Places of words that are compared with themselves on their own. */
export const single = (words, wanted = null) => {
  if (wanted !== null) return [wanted];
  const good = telling(words);
  return (good.length ? good : range(words.length)).slice(0, MOST);
};

/** The result with one column more, for a word on its own; its weights are those of a sentence of one word. */
export const withAlone = (words, weights, i, own) => {
  const n = words.length, wide = n + 1, found = new Float32Array(LAYERS * wide * wide);
  for (const layer of range(LAYERS)) {
    for (const row of range(n)) {
      const from = (layer * n + row) * n;
      found.set(weights.subarray(from, from + n), (layer * wide + row) * wide);
    }
    found[(layer * wide + n) * wide + n] = own[layer];
  }
  return { words: [...words, words[i]], pair: [i, n], alone: true, weights: found };
};

/** What word i takes from word j in a layer, and over all layers. */
const gives = ({ words: { length: n }, weights }, layer, i, j) => weights[(layer * n + i) * n + j];
const taken = (result, i, j) => range(LAYERS).reduce((sum, layer) => sum + gives(result, layer, i, j), 0);

/** The word from which another takes most in the first layer; a sign between words only if there is nothing else. */
export const source = (result, i) => {
  const { words, alone } = result, others = range(words.length - (alone ? 1 : 0)).filter((j) => j !== i);
  const most = (best, j) => (gives(result, 0, i, j) > gives(result, 0, i, best) ? j : best);
  return preferred(words, others).reduce(most);
};

const THICK = 0.6; // most weight goes to the ends of the sentence: what is left is drawn as if the largest were this

/** As many words as have room: the pair, and those from which it takes most; after others that are left out is a `gap`. */
export const narrowed = (result, most) => {
  const { words, pair, weights } = result, n = words.length;
  const given = (j) => pair.reduce((sum, i) => sum + taken(result, i, j), 0);
  const others = range(n).filter((j) => !pair.includes(j)).sort((p, q) => given(q) - given(p));
  const shown = [...pair, ...others].slice(0, most).sort((p, q) => p - q);
  const thick = THICK / Math.max(1e-9, ...weights), at = (layer, i, j) => (layer * n + i) * n + j;
  const drawn = range(LAYERS).flatMap((layer) => shown.flatMap((i) => shown.map((j) => thick * weights[at(layer, i, j)])));
  const column = (place, k) => ({
    place,
    text: words[place].text,
    gap: place !== (k ? shown[k - 1] + 1 : 0),
    alone: Boolean(result.alone) && place === n - 1,
  });
  const columns = shown.map(column);
  const tokens = columns.map(({ text }) => text);
  return { ...result, columns, tokens, pair: pair.map((i) => shown.indexOf(i)), weights: drawn, each: 1 };
};

/** A line down from each word: it goes on by itself, whatever it takes. */
export const stems = ({ tokens: { length: n } }) => {
  const x = (i) => ((100 * (i + 0.5)) / n).toFixed(2);
  return range(n).map((i) => `<path class="stem" d="M${x(i)} 0V600"/>`).join("");
};
