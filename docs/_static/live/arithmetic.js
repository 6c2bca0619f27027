/** What a layer computes beside its products, in place on rows of `WIDTH` numbers that begin at an address. */

import { WIDTH } from "./attention.js";

const EPSILON = 1e-12;

/** Cosine of rows i and j. */
export function cosine(x, i, j) {
  let both = 0, one = 0, other = 0;
  for (let c = 0; c < WIDTH; c++) {
    const a = x[i * WIDTH + c], b = x[j * WIDTH + c];
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return both / Math.sqrt(one * other);
}

/** The mean of n rows, brought to length 1. */
export function pooled(x, n) {
  const mean = new Float32Array(WIDTH);
  for (let i = 0; i < n * WIDTH; i++) mean[i % WIDTH] += x[i] / n;
  const length = Math.hypot(...mean);
  return mean.map((one) => one / length);
}

/** Adds `count` numbers at y to those at x. */
export function addTo(f, x, y, count) {
  for (let i = 0; i < count; i++) f[x + i] += f[y + i];
}

export function layerNorm(f, x, n, { weight, bias }) {
  for (let p = x; p < x + n * WIDTH; p += WIDTH) {
    let mean = 0, spread = 0;
    for (let c = 0; c < WIDTH; c++) mean += f[p + c];
    mean /= WIDTH;
    for (let c = 0; c < WIDTH; c++) spread += (f[p + c] - mean) ** 2;
    const scale = 1 / Math.sqrt(spread / WIDTH + EPSILON);
    for (let c = 0; c < WIDTH; c++) f[p + c] = (f[p + c] - mean) * scale * weight[c] + bias[c];
  }
}

/** z Φ(z); the error function to seven digits, by formula 7.1.26 of Abramowitz and Stegun. */
export function gelu(f, x, count) {
  for (let i = x; i < x + count; i++) {
    const z = f[i], u = Math.abs(z) * Math.SQRT1_2, t = 1 / (1 + 0.3275911 * u);
    const rest = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    const below = 0.5 * rest * Math.exp(-u * u); // Φ(-|z|)
    f[i] = z * (z < 0 ? below : 1 - below);
  }
}
