// What was kept of the model for a few sentences, as the page reads it.

import { weightsOf } from "./kept.js";

export const read = ({ sentences, nearest }) => ({
  sentences: sentences.map(({ similarities, weights, effect, nearest: near, ...one }) => ({
    ...one, sims: similarities, weights: weightsOf(weights), effect: Float32Array.from(effect), nearest: near.map(([place, cosine]) => [nearest[place], cosine]),
  })),
});
