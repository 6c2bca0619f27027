/** Lets this browser keep Python for the next visit, and for one without a connection. */

const LONGEST = 3000; // milliseconds: what is kept only saves time

/** Whether what the worker fetches from now on is kept; it works in any case. */
export async function keep() {
  try {
    const address = new URL("../service-worker.js?enableCache=false", import.meta.url);
    const found = await navigator.serviceWorker.register(address);
    const late = new Promise((done) => setTimeout(done, LONGEST, false));
    return await Promise.race([found.active ? true : active(found.installing ?? found.waiting), late]);
  } catch {
    return false; // a private window, or a page without https
  }
}

function active(worker) {
  return new Promise((done) =>
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") done(true);
      if (worker.state === "redundant") done(false);
    }),
  );
}
