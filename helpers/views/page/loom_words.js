// What the loom says: numbers, the arithmetic of an entry, and where a mistake first shows.

// terms that are spelled out
const TERMS = 8;
const tell = (x) => (x === Infinity ? "∞" : write(x, 3).replace(/(\.\d*[1-9])0+$/, "$1"));
// Few enough signs for all columns to be as wide.
const brief = (x) => {
  const size = Math.abs(x);
  return size < 1e4 ? write(size < 100 ? x : Math.round(x), size < 10 ? 2 : 1) : size < Infinity ? x.toExponential(0) : tell(x);
};
const call = (values, [name, at]) => {
  const { dims } = values[name], place = spread(dims, at);
  return `${name}[${place.slice(dims[0] > 1 ? 0 : 1).join(", ")}]`;
};

const arithmetic = (now, place) => {
  const { values } = now, [name, at] = place, code = now.code[name], number = ([one, k]) => tell(values[one].data[k]), is = ` = ${number(place)}`;
  if (!code) return is;
  const kind = kind_of(code), from = kind.from(code, now, place), xs = from.map(number), signed = (x) => (x[0] === "−" ? `(${x})` : x);
  const sum = (terms) => terms.slice(0, TERMS).join(" + ") + (terms.length > TERMS ? ` + … (${terms.length - TERMS} more)` : "");
  const how = kind === softmax ? from[0] && `e^${number([from[0][0], at])} / (${sum(xs.map((x) => `e^${x}`))})`
    : kind === scale ? `${xs}${scale.parts(code, now).says}${now.temperature === 1 ? "" : ` / ${write(now.temperature)}`}`
    : code.includes("@") ? sum(xs.filter((_, k) => k % 2).map((x, k) => `${signed(xs[2 * k])}·${signed(x)}`))
    : kind !== mask && call(values, from[0]);
  return (how ? ` = ${how}` : "") + is;
};

// The sums of the rows of weights; those that come from elsewhere were rounded.
const sums_of = ({ dims: [h, R, C], data }) => range(h * R).map((row) => data.subarray(row * C, (row + 1) * C).reduce((sum, x) => sum + x, 0));
const adds_up = (sum, near = 1e-6) => sum === 0 || Math.abs(sum - 1) < near;

// Why the numbers hide a mistake.
const excuse = (id, { n_k, d_k }, { allowed }) => {
  if (id.includes("mask") && allowed.data.every(Boolean)) return ": nothing is blocked";
  return !id.includes("scal") ? "" : d_k === 1 ? ": d_k is 1" : n_k === d_k ? `: n = d_k = ${n_k}` : "";
};
// Where numbers differ first, where then, and how many sums fail.
const report = (got, right, names) => {
  const counts = compare(got, right, names), [first, ...then] = names.filter((name) => counts[name]);
  if (!first) return "";
  const at = differs(got[first], right[first]).indexOf(1), { data } = got[first], wanted = right[first].data[at];
  const rows = got.weights && sums_of(got.weights).filter((sum) => !adds_up(sum)).length;
  return `${first}: ${counts[first]} of ${data.length} differ, ${call(got, [first, at])} is ${tell(data[at])}${wanted === undefined ? "" : ` instead of ${tell(wanted)}`}.` +
    `${then.length ? ` Then ≠ in ${then.join(", ")}.` : ""}${rows ? ` ✗ Rows not adding up to 1: ${rows}.` : ""}`;
};
