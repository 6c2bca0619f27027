/** The model with its parts and its tokenizer, for one page: the same in a worker and without one. */

import { HEADS } from "./attention.js";
import { LAYERS, open as engineOf } from "./engine.js";
import { parts } from "./parts.js";
import { tokenizer } from "./tokens.js";
import { trouble } from "./trouble.js";

const pause = () => new Promise((go) => setTimeout(go));

/** Calls as `client.js` offers them. */
export function session({ base, plain }) {
  const have = new Map();
  let engine, tokens, stop, opening;
  let turn = 0; // goes up when all that is asked for is called off

  async function begin(onProgress) {
    stop = new AbortController();
    try {
      const store = await parts({ base, have, onProgress, signal: stop.signal });
      const pieces = new TextDecoder().decode(await store.get("pieces")).split("\n");
      const made = tokenizer(pieces);
      // later parts are fetched when words want them: no progress is shown for those
      const one = await engineOf({ get: store.get, plain });
      await one.need(made.encode("").ids);
      if (stop.signal.aborted) throw trouble("cancelled");
      have.clear();
      [engine, tokens] = [one, made];
      return { kind: engine.kind, bytes: store.total, kept: store.kept(), nearest: engine.nearest };
    } catch (error) {
      throw error instanceof RangeError ? trouble("memory") : error;
    }
  }

  /** Fetches what a first sentence needs; a second call while the first is under way waits for it. */
  function open(onProgress) {
    opening ??= begin(onProgress).catch((error) => {
      opening = null; // it may be tried again
      throw error;
    });
    return opening;
  }

  async function ready(ids) {
    const mine = turn;
    await open();
    await engine.need(ids);
    if (mine !== turn) throw trouble("cancelled");
  }

  async function pass(ids, how) {
    await ready(ids);
    return engine.pass(ids, how);
  }

  async function head(ids, layer, h, how) {
    await ready(ids);
    return engine.head(ids, layer, h, how);
  }

  /** Layer by layer, so that it can be called off between two, and a page without a worker stays alive. */
  async function each(ids, pair, how) {
    await ready(ids);
    const mine = turn;
    const all = new Float32Array(LAYERS * HEADS);
    for (let l = 0; l < LAYERS; l++) {
      all.set(engine.eachOf(ids, pair, l, how), l * HEADS);
      await pause();
      if (mine !== turn) throw trouble("cancelled");
    }
    return all;
  }

  async function encode(text) {
    await open();
    return tokens.encode(text);
  }

  function cancel() {
    turn++;
    if (!engine) stop?.abort();
  }

  return { open, encode, pass, each, head, cancel };
}
