// What is written is saved after every run and when the tab is hidden, besides every few seconds; the line says so.
"use strict";
(() => {
  const PATIENCE = 3_000; // ms, as for a page's answers
  const open = new Set();
  const saving = new Set();

  function show() {
    const unsaved = [...open].some((one) => one.model.dirty);
    course.saved.textContent = unsaved ? "not yet saved" : "saved";
    course.saved.dataset.saved = !unsaved;
  }

  // What a kernel says of itself changes a notebook too, and is nobody's work: saved, it would stay behind a newer course.
  const work = (model) => JSON.stringify(model.toJSON().cells);

  async function save(context) {
    if (!context.model.dirty || saving.has(context)) return;
    saving.add(context);
    try {
      await context.save();
    } catch {
      // JupyterLab has said why: the storage is full, or another tab has changed the file
    }
    saving.delete(context);
  }

  // JupyterLab looks at the file, then writes it: a page of the site waits with its answers until both are done.
  // Another tab may hold the notebook for long, while JupyterLab asks there; what is written here is saved all the same.
  const alone = (path, action) => {
    if (!navigator.locks) return action();
    const signal = AbortSignal.timeout(PATIENCE);
    return navigator.locks.request(`attention-course-notebook/${path}`, { signal }, action).catch((error) => {
      if (error?.name === "TimeoutError") return action();
      throw error;
    });
  };

  // JupyterLab takes a save that begins during another for somebody else's: each waits for the one before it. Where
  // the one before has saved all, there is nothing to write over what a page may have put into the file meanwhile.
  function oneAtATime(context) {
    const plain = context.save.bind(context);
    let [running, next] = [null, null];
    const once = async () => context.model.dirty && plain();
    const begin = () => (running = alone(context.path, once).finally(() => (running = null)));
    const after = () => {
      next = null;
      return begin();
    };
    context.save = () => (running ? (next ??= running.then(after, after)) : begin());
  }

  const saveAll = () => Promise.all([...open].map(save));

  course.eachNotebook(({ context, sessionContext, disposed }) => {
    const { model } = context;
    let kept = work(model);
    let sent = kept;
    const look = () => {
      if (model.isDisposed) return;
      if (model.dirty && !saving.has(context) && work(model) === kept) model.dirty = false;
      show();
    };
    open.add(context);
    oneAtATime(context);
    disposed.connect(() => open.delete(context) && show());
    model.stateChanged.connect(() => setTimeout(look));
    context.saveState.connect((_, state) => {
      if (state === "started") sent = work(model);
      if (state !== "completed") return;
      kept = sent;
      if (work(model) !== kept) model.dirty = true; // typed while it was being saved
    });
    sessionContext.statusChanged.connect((_, status) => status === "idle" && save(context));
    look();
  });

  document.addEventListener("visibilitychange", () => document.hidden && saveAll());
  addEventListener("pagehide", saveAll);
  course.saveAll = saveAll;
})();
