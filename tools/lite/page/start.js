// One line above the notebook: where the learner's work is kept, and where something is wrong, what to do.
"use strict";
(() => {
  const KEPT = "Your work is kept in this browser, on this device; File, Download saves a copy.";
  const STARTS = `${KEPT} Python starts; read on meanwhile.`;
  const PROBLEMS = {
    wasm:
      "This browser cannot run Python, as it has no WebAssembly: open the course in a current Firefox, Chrome, " +
      "Edge or Safari, or in Colab.",
    network: "The connection ended while the page was loading. What you wrote is kept: connect, then reload.",
    full:
      "This browser's storage is full, and your last change is not kept: save a copy with File, Download, then " +
      "make room in the browser's settings and reload.",
    forbidden:
      "This browser lets no page keep anything here (blocked cookies, or a private window), and the notebook needs " +
      "that: allow it for this address and reload, or open the course in Colab.",
    plain:
      "This address is plain http, where a browser gives Python no files: progress and reset work only at an " +
      "https address. Checks work, and your notebook is kept.",
    newer: "There is a newer version of the course. What you wrote stays as it is.",
  };
  const line = document.createElement("div");
  line.id = "course-line";
  line.setAttribute("role", "status");
  const told = new Set();

  function say(name) {
    if (told.has("wasm") || told.has("network") || told.has(name)) return; // nothing else matters then
    told.add(name);
    line.dataset.problem = name;
    line.textContent = [...told].map((one) => PROBLEMS[one]).join(" ");
    if (told.has("newer")) line.append(" ", button("Reload", takeNewer));
  }

  function button(name, action) {
    const made = document.createElement("button");
    made.textContent = name;
    made.addEventListener("click", action);
    return made;
  }

  const show = () => document.body.prepend(line);
  line.textContent = STARTS;
  if (document.body) show();
  else document.addEventListener("DOMContentLoaded", show);

  if (typeof WebAssembly !== "object") {
    say("wasm");
    throw new Error(PROBLEMS.wasm);
  }

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
  const lost = () => ready || say("network");
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

  // The notebook has the screen to itself; JupyterLab opens the list of files for the address, in its own time.
  const drawing = setInterval(() => {
    if (!document.querySelector(".jp-Notebook .jp-Cell")) return;
    clearInterval(drawing);
    const { shell, commands } = window.jupyterapp;
    if (matchMedia("(max-width: 900px)").matches) shell.mode = "single-document";
    shell.collapseLeft();
    shell.collapseRight();
    if (matchMedia("(max-width: 500px)").matches) // the bars beside it too; the menu View has them
      for (const side of ["left", "right"]) commands.execute("application:toggle-side-tabbar", { side });
    commands.commandExecuted.connect((_, { id }) => ready || id !== "filebrowser:activate" || shell.collapseLeft());
  }, 50);

  // a tab that was opened behind another has no current widget until somebody looks at it
  const shown = () => [...(window.jupyterapp?.shell?.widgets("main") ?? [])];
  const kernel = () => shown().find((one) => one.sessionContext)?.sessionContext.session?.kernel;
  const waiting = setInterval(() => {
    if (kernel()?.status !== "idle") return;
    clearInterval(waiting);
    ready = true;
    if (!told.size) line.textContent = KEPT;
    keep();
  }, 200);

  // What the next visit finds here.
  function keep() {
    const entries = performance.getEntriesByType("resource").map((one) => one.name);
    const seen = [...entries, ...(window.courseAlsoSeen ?? [])];
    const here = location.href.split("#")[0];
    navigator.serviceWorker?.addEventListener("message", (event) => {
      if (!event.data.keeps) return;
      line.dataset.kept = "all";
      if (!told.size) line.textContent = `${KEPT} It opens without a connection now.`;
    });
    const keep = [here, ...seen.filter((one) => one.startsWith(location.origin))];
    navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ keep }));
  }

  let worker = null;
  function takeNewer() {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.waiting.postMessage({ take: true });
  }

  const before = navigator.serviceWorker?.controller; // on a first visit nothing can be newer
  async function register() {
    const address = new URL("../service-worker.js?enableCache=false", document.baseURI);
    // JupyterLite else takes a worker of no version for an old one, and ends it
    localStorage.setItem(`${address}-version`, "{jupyterlite}");
    worker = await navigator.serviceWorker.register(address);
    const isNewer = () => before && worker.waiting && say("newer");
    isNewer();
    worker.addEventListener("updatefound", () => worker.installing?.addEventListener("statechange", isNewer));
  }
  // only a worker that begins under the service worker is given files
  if (navigator.serviceWorker?.controller) begin();
  else navigator.serviceWorker?.addEventListener("controllerchange", () => kernel() || begin(), { once: true });
  if (!("serviceWorker" in navigator)) say("plain");
  else register().catch((error) => console.warn(error)); // without a connection the one that is here works on
})();
