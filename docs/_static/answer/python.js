/**
 * Python beside the page: one worker for all cards, begun when it is first wanted.
 *
 * A call that fails has an Error with a `reason` ("network", "checksum", "memory", "unsupported", "python" or
 * "stopped") and a sentence for people; the next call begins anew.
 */

export function python(address, onProgress = () => {}) {
  const waiting = new Map();
  let worker, ready, turn = 0, number = 0;

  function post(call, words) {
    return new Promise((resolve, reject) => {
      waiting.set(++number, { resolve, reject, call });
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

  function answered({ id, progress, result, error }) {
    const one = waiting.get(id);
    if (!one) return;
    if (progress) return void (one.call === "begin" && onProgress(progress)); // what is asked later waits for nothing
    waiting.delete(id);
    if (error) one.reject(trouble(error));
    else one.resolve(result);
  }

  async function start(mine) {
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
    return post("begin");
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
    ask: async (call, words) => (await begin(), post(call, words)),
    /** Ends whatever runs, and makes Python ready for the next call. */
    stop() {
      end("stopped", "Stopped. Your answer is still here.");
      return begin(); // for who asks next
    },
  };
}

const BROKEN = "Python did not arrive as a whole: the connection broke off, or this copy of the site has none.";
const OLD = "This browser cannot run Python: a newer one can, and so can a notebook elsewhere.";
const trouble = ({ reason, message }) => Object.assign(new Error(message), { reason });
