// One line above the notebook: where the learner's work is kept, and where something is wrong, what to do.
"use strict";
const course = (() => {
  const KEPT = "Your work is kept in this browser, on this device; File, Download saves a copy.";
  const PROBLEMS = {
    wasm:
      "This browser cannot run Python, as it has no WebAssembly: open the course in a current Firefox, Chrome, " +
      "Edge or Safari, or in Colab.",
    network: "The connection ended while the page was loading. What you wrote is kept: connect, then reload.",
    missing:
      "A part of this page did not come, though its server answers: it is missing there, or something on the way " +
      "blocks it. What you wrote is kept: reload, or open the course in Colab.",
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
  line.innerHTML = `<span class="words" role="status"></span><span class="saved" title="Ctrl+S saves too"></span>`;
  const [words, saved] = line.children;
  const told = new Set();
  const buttons = {}; // of problems, by name
  let [offline, note] = ["Python starts; read on meanwhile.", null];

  function draw() {
    if (told.size) words.textContent = [...told].map((one) => PROBLEMS[one]).join(" ");
    else words.textContent = note ? note.text : [KEPT, offline].filter(Boolean).join(" ");
    const asked = told.size ? [...told].map((one) => buttons[one]) : [note?.button];
    for (const one of asked.filter(Boolean)) words.append(" ", button(...one));
  }

  function button(name, action) {
    const made = document.createElement("button");
    made.textContent = name;
    made.addEventListener("click", action);
    return made;
  }

  /** Tell of a problem, which stays; `button`: its name, and what it does. */
  function say(name, button) {
    if (told.has("wasm") || told.has("network") || told.has("missing") || told.has(name)) return; // nothing else matters then
    told.add(name);
    line.dataset.problem = name;
    buttons[name] = button;
    draw();
  }

  /** Tell something for a while, until `end` is called or something else is told. */
  function tell(text, button) {
    const mine = (note = { text, button });
    line.dataset.note = "";
    draw();
    return function end() {
      if (note !== mine) return;
      note = null;
      delete line.dataset.note;
      draw();
    };
  }

  /** What stands after the line's first sentence. */
  function after(text) {
    offline = text;
    draw();
  }

  const show = () => document.body.prepend(line);
  draw();
  if (document.body) show();
  else document.addEventListener("DOMContentLoaded", show);

  if (typeof WebAssembly !== "object") {
    say("wasm");
    throw new Error(PROBLEMS.wasm);
  }

  const app = new Promise((done) => {
    const waiting = setInterval(() => {
      if (!window.jupyterapp) return;
      clearInterval(waiting);
      done(window.jupyterapp);
    }, 50);
  });

  // A notebook that was opened behind another is no current widget until somebody looks at it.
  const shown = () => [...(window.jupyterapp?.shell?.widgets("main") ?? [])].filter((one) => one.sessionContext);
  const current = () => shown().find((one) => one === window.jupyterapp.shell.currentWidget) ?? shown()[0];

  /** Call `action` with each notebook once it is open. */
  function eachNotebook(action) {
    const known = new WeakSet();
    setInterval(() => {
      for (const one of shown()) {
        if (known.has(one) || !one.context?.isReady) continue;
        known.add(one);
        action(one);
      }
    }, 100);
  }

  return { line, saved, say, tell, after, app, current, eachNotebook };
})();
