// What was kept of the model for a few sentences, as the page reads it.

const ROOTS = 255;
const unpacked = (text) => Float32Array.from(atob(text), (one) => one.charCodeAt(0) / ROOTS);

export const read = ({ sentences, nearest }) => ({
  sentences: sentences.map(({ similarities, weights, effect, nearest: near, ...one }) => ({
    ...one, sims: similarities, weights: unpacked(weights), effect: Float32Array.from(effect), nearest: near.map(([place, cosine]) => [nearest[place], cosine]),
  })),
});
