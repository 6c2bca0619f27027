// What is kept and loaded: whether the browser keeps it, when Python begins, and what the next visit finds here.
"use strict";
(() => {
  const { line, say } = course;

  // What is written.
  const full = (error) => error?.name === "QuotaExceededError" && say("full");
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    this.transaction.addEventListener("abort", () => full(this.transaction.error));
    try {
      return put.apply(this, given);
    } catch (error) {
      full(error);
      throw error;
    }
  };
  try {
    const trial = indexedDB.open("attention-course");
    trial.onerror = () => (trial.error?.name === "QuotaExceededError" ? say("full") : say("forbidden"));
    trial.onsuccess = () => trial.result.close();
  } catch {
    say("forbidden");
  }

  // What is loaded.
  let ready = false;
  async function lost() {
    if (ready) return;
    const asked = fetch(location.href, { method: "HEAD", cache: "no-store" }); // which no service worker answers
    say(await asked.then(() => "missing", () => "network"));
  }
  addEventListener("error", (event) => event.target !== window && event.target.tagName !== "IMG" && lost(), true);
  addEventListener("unhandledrejection", (event) => {
    if (/fetch|load|import|network/i.test(event.reason?.message)) lost();
  });
  new BroadcastChannel("attention-course").addEventListener("message", lost);

  // Python begins before JupyterLab is there to ask for it, which takes the same worker then.
  function begin() {
    const Plain = window.Worker;
    const address = new URL("../{kernel}", document.baseURI).href;
    const begun = new Plain(address, { type: "module" });
    window.Worker = class extends Plain {
      constructor(asked, options) {
        if (String(asked) !== address) return new Plain(asked, options);
        window.Worker = Plain;
        return begun;
      }
    };
  }

  const kernel = () => course.current()?.sessionContext.session?.kernel;
  course.ready = new Promise((done) => {
    const waiting = setInterval(() => {
      if (kernel()?.status !== "idle") return;
      clearInterval(waiting);
      ready = true;
      course.after("");
      keep();
      done();
    }, 200);
  });

  // What the next visit finds here.
  function keep() {
    const entries = performance.getEntriesByType("resource").map((one) => one.name);
    const seen = [...entries, ...(window.courseAlsoSeen ?? [])];
    const here = location.href.split("#")[0];
    navigator.serviceWorker?.addEventListener("message", (event) => {
      if (!event.data.keeps) return;
      line.dataset.kept = "all";
      course.after("It opens without a connection now.");
    });
    const keep = [here, ...seen.filter((one) => one.startsWith(location.origin))];
    navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ keep }));
  }

  // The newer worker takes over, and the page is loaded anew by it; asked again, the page alone is.
  let worker = null;
  async function takeNewer() {
    await course.saveAll?.();
    if (!worker.waiting) return location.reload();
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.waiting.postMessage({ take: true });
  }

  const before = navigator.serviceWorker?.controller; // on a first visit nothing can be newer
  async function register() {
    const address = new URL("../service-worker.js?enableCache=false", document.baseURI);
    // JupyterLite else takes a worker of no version for an old one, and ends it
    localStorage.setItem(`${address}-version`, "{jupyterlite}");
    worker = await navigator.serviceWorker.register(address);
    const isNewer = () => before && worker.waiting && say("newer", ["Reload", takeNewer]);
    isNewer();
    worker.addEventListener("updatefound", () => worker.installing?.addEventListener("statechange", isNewer));
  }
  // only a worker that begins under the service worker is given files
  if (navigator.serviceWorker?.controller) begin();
  else navigator.serviceWorker?.addEventListener("controllerchange", () => kernel() || begin(), { once: true });
  if (!("serviceWorker" in navigator)) say("plain");
  else register().catch((error) => console.warn(error)); // without a connection the one that is here works on
})();
