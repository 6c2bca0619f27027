// The picture of a sentence in the model, as text: pure functions, so that the site's build draws the first one with them.
// A result is { tokens, pair: [a, b] or null, sims: [7], weights: 6*12*n*n }; what is not known yet in sims is null.

export const LAYERS = 6, HEADS = 12;
export const APART = 0.1; // so far must the cosine fall before two words count as told apart: further than one head moves it
const FAINT = 0.035; // threads of less weight are left out

export const WIDTH = 384;

export const alike = (one, two) => {
  let both = 0, p = 0, q = 0;
  for (let c = 0; c < WIDTH; c += 1) {
    both += one[c] * two[c];
    p += one[c] ** 2;
    q += two[c] ** 2;
  }
  return both / Math.sqrt(p * q);
};
const row = (x, i) => x.subarray(i * WIDTH, (i + 1) * WIDTH);
export const cosine = (x, a, b) => alike(row(x, a), row(x, b));
export const write = (x) => x.toFixed(2).replace("-", "−");
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
export const special = (token) => token === "[CLS]" || token === "[SEP]";

// What only joins other words: these, signs, and the later pieces of a word.
const JOINS = new Set([
  ..."a about an and are as at but by do does for from has have he her his i in is it me my not of on".split(" "),
  ..."or over she that the they this to was we were what who with you your".split(" "),
]);
export const joins = (word) => JOINS.has(word) || /^([\p{P}\p{Sm}\p{Sc}\p{Sk}]+|##.*)$/u.test(word);

// Which two words one would compare: one that stands twice, and none that only joins others, if there is a choice.
export const choose = (tokens) => {
  const words = tokens.map((token, i) => [token, i]).slice(1, -1);
  const again = ([token, i]) => tokens.indexOf(token, i + 1) > 0, telling = words.filter(([token]) => !joins(token));
  const twice = telling.find(again) ?? words.find((one) => again(one) && /[\p{L}\p{N}]/u.test(one[0]));
  if (twice) return [twice[1], tokens.indexOf(twice[0], twice[1] + 1)];
  const [first, second] = telling.length > 1 ? telling : words;
  return second ? [first[1], second[1]] : null;
};

// The mean over some heads of a layer: what query i gives key j.
const given = ({ tokens: { length: n }, weights, each = HEADS }, layer, heads) => {
  const mean = new Float32Array(n * n);
  for (const head of heads) for (let at = 0; at < n * n; at += 1) mean[at] += weights[(layer * each + head) * n * n + at] / heads.length;
  return mean;
};
export const range = (count) => [...Array(count).keys()];

// Threads from a key up in one row to a query in the next, as thick as the weight. With `seen` only that head's.
// A result may say how many heads a layer has in `each`.
export const threads = (result, off = new Set(), seen = null, silent = false) => {
  const { tokens, pair, each = HEADS } = result, n = tokens.length, [a, b] = pair ?? [], x = (i) => +((100 * (i + 0.5)) / n).toFixed(2), drawn = [];
  for (const layer of range(LAYERS)) {
    const heads = range(each).filter((head) => !off.has(layer * HEADS + head) && (seen === null || layer * HEADS + head === seen));
    if (silent || !heads.length) continue;
    const y = 100 * layer;
    given(result, layer, heads).forEach((signed, at) => {
      const i = Math.floor(at / n), j = at % n, weight = Math.min(Math.abs(signed), 1.5), whose = i === a ? "one" : i === b ? "two" : "";
      if (weight < FAINT) return;
      const thick = ((whose ? 9 : 5) * weight + 0.4).toFixed(1), strong = (whose ? 0.9 : 0.45) * (special(tokens[j]) ? 0.45 : 1);
      const path = `<path class="thread l${layer} ${whose}" stroke-width="${thick}" opacity="${strong.toFixed(2)}" d="M${x(j)} ${y}C${x(j)} ${y + 55} ${x(i)} ${y + 45} ${x(i)} ${y + 100}"/>`;
      drawn.push([whose ? 1 : 0, path]);
    });
  }
  return drawn.sort(([p], [q]) => p - q).map(([, path]) => path).join("");
};

// How far a dot has gone from the colour that both share to its own, in percent.
export const gone = (sim) => Math.round(100 * Math.max(0, Math.min(1, (1 - (sim ?? 1)) / 0.34)));
export const dots = ({ tokens, pair, sims }) => {
  const n = tokens.length, [a, b] = pair ?? [];
  return range(LAYERS + 1).map((row) => range(n).map((i) => {
    const whose = i === a ? "one" : i === b ? "two" : "";
    const place = `cx="${((100 * (i + 0.5)) / n).toFixed(2)}%" cy="${((100 * row) / LAYERS).toFixed(2)}%"`;
    return whose ? `<circle class="dot ${whose}" ${place} r="7" style="--gone:${gone(sims[row])}%"/>` : `<circle class="dot" ${place} r="3.5"/>`;
  }).join("")).join("");
};

// The share of all weight that rests on [CLS] and [SEP], in the layers after the first.
export const rest = ({ tokens: { length: n }, weights }) => {
  let there = 0, all = 0;
  for (let at = HEADS * n * n; at < weights.length; at += 1) {
    all += weights[at];
    if (at % n === 0 || at % n === n - 1) there += weights[at];
  }
  return there / all;
};
export const resting = (result) => {
  const share = rest(result), percent = `${Math.round(100 * share)} %`;
  return share > 0.5 ? `Most of the weight in layers 1 to 5, ${percent}, goes to [CLS] and [SEP]: a head with nothing to do, so one reads it, rests there.`
    : `${percent} of the weight in layers 1 to 5 goes to [CLS] and [SEP], where, so one reads it, a head rests that has nothing to do.`;
};

const who = ({ tokens, pair }, k) => `<b class="${["one", "two"][k]}">${escaped(tokens[pair[k]])}</b>`;
const fell = (sims) => Math.round(100 * sims[0]) / 100 - Math.round(100 * sims[LAYERS]) / 100; // of the numbers that are shown
export const isApart = ({ sims }) => fell(sims) > APART - 1e-9;
// What the numbers say, as HTML. `right` is the model as it is; `broken` says in words what has been changed, `most` which head matters.
export const verdict = (result, right, broken = "", most = "") => {
  const { tokens, pair, sims } = result, same = tokens[pair[0]] === tokens[pair[1]], last = write(sims[LAYERS]), first = right.sims[0];
  const enter = `${who(result, 0)} and ${who(result, 1)} enter with a cosine of <b>${write(first)}</b>${same && !broken && !most ? ": only their places differ" : ""}. `;
  const apart = isApart(right), down = fell(sims), further = Math.round(100 * (down - fell(right.sims)));
  if (broken) {
    const judged = !apart ? "" : further > 0 ? " Further apart than before: one cosine does not judge a model." : isApart(result) ? " Still told apart." : ' <b class="lost">✗ No longer told apart.</b>';
    return `${enter}After six layers it is ${write(right.sims[LAYERS])}; with ${escaped(broken)} it is <b>${last}</b>.${judged}`;
  }
  if (apart) return `${enter}After six layers it is <b>${last}</b>${most ? `. ${most}` : ": attention has told them apart."}`;
  const moved = `${down < 0 ? "rises" : "falls"} by ${write(Math.abs(down))}`;
  return `${enter}After six layers it is <b>${last}</b>: <b>by this measure ${same ? "they are hardly told apart" : "they part no further"}</b>. `
    + `It ${moved}; a fall of ${write(APART)} would count.${most && ` ${most}`}`;
};
// The head without which the two are most alike.
export const largest = (effect) => effect.reduce((best, change, head) => (change > effect[best] ? head : best), 0);
export const named = (head) => `layer ${Math.floor(head / HEADS)}, head ${head % HEADS}`;
