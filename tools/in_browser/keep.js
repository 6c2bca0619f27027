/** Lets this browser keep Python and the page for the next visit, and for one without a connection. */

const LONGEST = 3000; // milliseconds: what is kept only saves time

/** Whether what is fetched from now on is kept; it works in any case. */
export async function keep() {
  try {
    const found = await navigator.serviceWorker.register(new URL("../service-worker.js", import.meta.url));
    await found.update().catch(() => {}); // without a connection the one that is here does
    const late = new Promise((done) => setTimeout(done, LONGEST, false));
    const coming = found.installing ?? found.waiting;
    const kept = await Promise.race([coming ? active(coming) : true, late]);
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    found.active?.postMessage({ keep: [location.href.split("#")[0], ...loaded] });
    return kept;
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
