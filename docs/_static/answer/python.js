/**
 * Python beside the page: one worker for all cards, begun when it is first wanted.
 *
 * A call that fails has an Error with a `reason` ("network", "checksum", "memory", "unsupported", "python" or
 * "stopped") and a sentence for people; the next call begins anew.
 */

/** `onProgress` is told how Python comes; `told` gives what it is told when it begins. */
export function python(address, onProgress = () => {}, told = async () => ({})) {
  const waiting = new Map();
  let worker, ready, turn = 0, number = 0;

  function post(call, words, onOut) {
    return new Promise((resolve, reject) => {
      waiting.set(++number, { resolve, reject, call, onOut });
      worker.postMessage({ id: number, call, ...words });
    });
  }

  function end(reason, message) {
    worker?.terminate();
    worker = ready = null;
    turn += 1;
    for (const { reject } of waiting.values()) reject(trouble({ reason, message }));
    waiting.clear();
  }

  function answered({ id, progress, out, result, error }) {
    const one = waiting.get(id);
    if (!one) return;
    if (progress) return void (one.call === "begin" && onProgress(progress)); // what is asked later waits for nothing
    if (out) return void one.onOut?.(out);
    waiting.delete(id);
    if (!error) return void one.resolve(result);
    one.reject(trouble(error));
    if (BROKE.has(error.reason)) end("stopped", ""); // what is left of it answers nothing any more
  }

  async function start(mine) {
    const words = await told();
    await import(new URL("keep.js", address)).then((one) => one.keep()).catch(() => {}); // for the next visit
    if (mine !== turn) throw trouble({ reason: "stopped", message: "" });
    try {
      worker = new Worker(address, { type: "module" });
    } catch {
      throw trouble({ reason: "unsupported", message: OLD });
    }
    worker.onmessage = ({ data }) => answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end("network", BROKEN);
    };
    return post("begin", words);
  }

  /** Begins Python, once; the promise is kept when it is ready. */
  function begin() {
    if (!ready) {
      const mine = ++turn;
      ready = start(mine);
      ready.catch(() => mine === turn && end("stopped", "")); // the next one begins anew
    }
    return ready;
  }

  return {
    begin,
    /** Asks for something; `onOut` gets what comes before the answer. */
    ask: async (call, words, onOut) => (await begin(), post(call, words, onOut)),
    /** Ends whatever runs, and makes Python ready for the next call. */
    stop() {
      end("stopped", "Stopped. What you wrote is still here.");
      return begin(); // for who asks next
    },
  };
}

const BROKE = new Set(["memory", "python"]);
const BROKEN = "Python did not arrive as a whole: the connection broke off, or this copy of the site has none.";
const OLD = "This browser cannot run Python: a newer one can, and so can Jupyter on your computer.";
const trouble = ({ reason, message }) => Object.assign(new Error(message), { reason });
