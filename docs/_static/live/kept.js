/** What is kept of the model for a few sentences: weights as a text with one letter for each. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Attention weights, layers × heads × n × n, from their letters: squares of 0/63 to 63/63. */
export function weightsOf(text) {
  return Float32Array.from(text, (one) => (LETTERS.indexOf(one) / 63) ** 2);
}
