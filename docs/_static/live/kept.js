/** What is kept of the model for a few sentences: weights as a text with one letter for each. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef";

/** Attention weights, layers × heads × n × n, from their letters: squares of 0/31 to 31/31. */
export function weightsOf(text) {
  return Float32Array.from(text, (one) => (LETTERS.indexOf(one) / (LETTERS.length - 1)) ** 2);
}
