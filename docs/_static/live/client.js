import { trouble } from "./trouble.js";

/**
 * The model for a page: in a worker where there can be one, else in the page itself.
 *
 * `base` is the folder with the model's parts. All calls give promises; an error has a `reason` ("network",
 * "checksum", "memory", "unsupported", "cancelled") and a sentence for people. `open` may be tried again.
 */
export function client({ base = new URL("model/", import.meta.url), plain = false } = {}) {
  const settings = { base: new URL(base, document.baseURI).href, plain };
  const waiting = new Map();
  let place, number = 0;

  /** Where calls go: a function of their name and what they are given. */
  async function start() {
    const worker = await startWorker();
    if (!worker) {
      const { session } = await import("./session.js");
      const calls = session(settings);
      return (name, words) => calls[name](...words);
    }
    worker.onmessage = ({ data }) => answered(data);
    worker.onerror = () => {
      worker.terminate();
      place = null; // the next call begins another one
      for (const { reject } of waiting.values()) reject(trouble("memory"));
      waiting.clear();
    };
    worker.postMessage({ name: "begin", words: [settings] });
    return (name, words) =>
      new Promise((resolve, reject) => {
        const mine = ++number;
        const onProgress = name === "open" ? words[0] : undefined;
        waiting.set(mine, { resolve, reject, onProgress });
        worker.postMessage({ number: mine, name, words: name === "open" ? [] : words });
      });
  }

  function answered({ number: mine, progress, result, error }) {
    const call = waiting.get(mine);
    if (progress) return call.onProgress?.(progress);
    waiting.delete(mine);
    if (error) call.reject(Object.assign(new Error(error.message), { reason: error.reason }));
    else call.resolve(result);
  }

  const ask = async (name, ...words) => (await (place ??= start()))(name, words);

  return {
    open: (onProgress = () => {}) => ask("open", onProgress),
    encode: (text) => ask("encode", text),
    pass: (ids, how) => ask("pass", ids, how),
    each: (ids, pair, how) => ask("each", ids, pair, how),
    head: (ids, layer, head, how) => ask("head", ids, layer, head, how),
    cancel: async () => place && ask("cancel"),
  };
}

/** A worker that has begun to listen; nothing where there are none, or none of modules. */
function startWorker() {
  return new Promise((resolve) => {
    try {
      const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
      worker.onmessage = () => resolve(worker);
      worker.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
}
