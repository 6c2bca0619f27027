/**
 * The one product that the model spends its time on: y = x Wᵀ + b, rows of x and of W lying one after another.
 *
 * Twice: in WebAssembly with SIMD, four numbers at a time, and in plain JavaScript. The WebAssembly is written out
 * here, instruction by instruction, so that nothing has to be compiled when the site is built and no bytes are
 * kept that nobody can read.
 */

const I32 = 0x7f, F32 = 0x7d, V128 = 0x7b;
const [X, W, B, Y, N, I, O] = [0, 1, 2, 3, 4, 5, 6]; // what it is given: four addresses, rows, inputs, outputs
const [ROW, COLUMN, K, STEP, AT] = [7, 8, 9, 10, 11]; // whole numbers of its own; K and STEP are in bytes
const LEFT = 12; // addresses of the rows of x, then of the two rows of W
const BLOCK = 4; // rows of x that are multiplied with two rows of W in one go
const SUMS = LEFT + BLOCK + 2; // vectors: a sum for each pair of rows, then the two of W
const WIDE = 2;

const number = (n) => {
  const bytes = []; // LEB128, signed
  for (;;) {
    const low = n & 127;
    n >>= 7;
    if ((n === 0 && !(low & 64)) || (n === -1 && low & 64)) return [...bytes, low];
    bytes.push(low | 128);
  }
};
const get = (i) => [0x20, i];
const set = (i) => [0x21, i];
const constant = (n) => [0x41, ...number(n)];
const add = [0x6a], times = [0x6c];
const shifted = (n) => [...constant(n), 0x74];
const simd = (n) => [0xfd, ...(n < 128 ? [n] : [(n & 127) | 128, n >> 7])];
const load = (at) => [...simd(0), 4, at];
const zero = [...simd(12), ...Array(16).fill(0)];
const vectorAdd = simd(0xe4), vectorTimes = simd(0xe6);
const lane = (i) => [...simd(31), i];
const plus = (i, what) => [...get(i), ...what, ...add, ...set(i)];

/** `while (test) body`. */
const during = (test, body) => [0x02, 0x40, 0x03, 0x40, ...test, 0x45, 0x0d, 1, ...body, 0x0c, 0, 0x0b, 0x0b];
const atMost = (left, right) => [...left, ...right, 0x4c];
const below = (left, right) => [...left, ...right, 0x48];
const each = (count, make) => Array.from({ length: count }, (_, i) => make(i)).flat();

/** All whole blocks of `rows` rows that are left. */
function blocks(rows) {
  const x = (r) => LEFT + r, w = (c) => LEFT + BLOCK + c;
  const sum = (r, c) => SUMS + r * WIDE + c, weight = (c) => SUMS + BLOCK * WIDE + c;
  const inner = [0, 16].flatMap((at) => [
    ...each(WIDE, (c) => [...get(w(c)), ...get(K), ...add, ...load(at), ...set(weight(c))]),
    ...each(rows, (r) =>
      each(WIDE, (c) => [
        ...get(sum(r, c)),
        ...get(x(r)), ...get(K), ...add, ...load(at),
        ...get(weight(c)), ...vectorTimes, ...vectorAdd, ...set(sum(r, c)),
      ]),
    ),
  ]);
  const whole = (r, c) => [
    ...get(sum(r, c)), ...lane(0),
    ...[1, 2, 3].flatMap((i) => [...get(sum(r, c)), ...lane(i), 0x92]),
  ];
  const store = (r, c) => [
    // y + 4 (row + r) outputs is kept in AT, and moves on by a row each time
    ...get(AT), ...whole(r, c), ...get(B), ...get(COLUMN), ...shifted(2), ...add, 0x2a, 2, 4 * c, 0x92,
    0x38, 2, 4 * c,
  ];
  const column = [
    ...get(W), ...get(COLUMN), ...get(STEP), ...times, ...add, ...set(w(0)),
    ...get(w(0)), ...get(STEP), ...add, ...set(w(1)),
    ...each(rows * WIDE, (i) => [...zero, ...set(sum(Math.floor(i / WIDE), i % WIDE))]),
    ...constant(0), ...set(K),
    ...during(below(get(K), get(STEP)), [...inner, ...plus(K, constant(32))]),
    ...get(Y), ...get(ROW), ...get(O), ...times, ...get(COLUMN), ...add, ...shifted(2), ...add, ...set(AT),
    ...each(rows, (r) => [...each(WIDE, (c) => store(r, c)), ...plus(AT, [...get(O), ...shifted(2)])]),
    ...plus(COLUMN, constant(WIDE)),
  ];
  return during(atMost([...get(ROW), ...constant(rows), ...add], get(N)), [
    ...each(rows, (r) => [...get(X), ...get(ROW), ...constant(r), ...add, ...get(STEP), ...times, ...add, ...set(x(r))]),
    ...constant(0), ...set(COLUMN),
    ...during(below(get(COLUMN), get(O)), column),
    ...plus(ROW, constant(rows)),
  ]);
}

/** The module: it imports a memory, and exports `linear(x, w, b, y, n, i, o)`; i goes by 8, o by 2. */
export function program() {
  const size = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...size(n >> 7)]);
  const section = (id, bytes) => [id, ...size(bytes.length), ...bytes];
  const name = (text) => [text.length, ...new TextEncoder().encode(text)];
  const code = [
    2, LEFT + BLOCK + WIDE - 7, I32, BLOCK * WIDE + WIDE, V128,
    ...get(I), ...shifted(2), ...set(STEP),
    ...[4, 2, 1].flatMap(blocks),
    0x0b,
  ];
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 7, ...Array(7).fill(I32), 0]),
    ...section(2, [1, ...name("page"), ...name("memory"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("linear"), 0, 0]),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
}

/** Whether this engine runs it. */
export function hasSimd() {
  return typeof WebAssembly === "object" && WebAssembly.validate(program());
}

/** `{floats, linear}`: room for so many bytes, and the product on addresses in it, in numbers of float32. */
export function roomFor(bytes, plain) {
  if (plain) {
    const floats = new Float32Array(Math.ceil(bytes / 4));
    return { floats, linear: (x, w, b, y, n, i, o) => linear(floats, x, w, b, y, n, i, o) };
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
  const run = new WebAssembly.Instance(new WebAssembly.Module(program()), { page: { memory } }).exports.linear;
  const floats = new Float32Array(memory.buffer);
  return { floats, linear: (x, w, b, y, n, i, o) => run(4 * x, 4 * w, 4 * b, 4 * y, n, i, o) };
}

/** The same in plain JavaScript, two rows and two outputs at a time. */
function linear(f, x, w, b, y, n, i, o) {
  for (let r = 0; r < n; r += 2) {
    const one = x + r * i, two = r + 1 < n ? one + i : one;
    for (let c = 0; c < o; c += 2) {
      const p = w + c * i, q = p + i;
      let ap = f[b + c], aq = f[b + c + 1], bp = ap, bq = aq;
      for (let k = 0; k < i; k++) {
        const u = f[one + k], v = f[two + k], s = f[p + k], t = f[q + k];
        ap += u * s;
        aq += u * t;
        bp += v * s;
        bq += v * t;
      }
      const at = y + r * o + c;
      f[at] = ap;
      f[at + 1] = aq;
      if (r + 1 < n) {
        f[at + o] = bp;
        f[at + o + 1] = bq;
      }
    }
  }
}
