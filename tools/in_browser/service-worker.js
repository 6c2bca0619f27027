// Keeps what a visit has loaded. Python and the model never change within a version, so they come from the store.
// All else is asked for anew, and comes from the store where there is no connection.
"use strict";
const STORE = "attention-course-{version}";
const ENGINE = "{engine}"; // where Pyodide comes from, when not from here
const PYTHON = new URL("python/", location).href;
const WORKER = `${PYTHON}worker.js`; // it names all else with its checksum
const MODEL = /\/live\/model\/[^?]+\?/; // its parts, with their checksums; a page may have kept them

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => clients.claim())));
addEventListener("message", (event) => event.data.keep && event.waitUntil(keepAll(event.data.keep)));

addEventListener("fetch", (event) => {
  const { request } = event, { url } = request;
  if (request.method !== "GET") return;
  const lasting = (url.startsWith(PYTHON) && url !== WORKER) || (ENGINE && url.startsWith(ENGINE)) || MODEL.test(url);
  if (lasting) event.respondWith(kept(request, (storing) => event.waitUntil(storing)));
  else if (url.startsWith(location.origin)) event.respondWith(fresh(request, (storing) => event.waitUntil(storing)));
});

const store = () => caches.open(STORE).catch(() => null); // a browser may forbid it

async function kept(request, meanwhile) {
  const here = await store();
  const known = (await here?.match(request)) ?? (MODEL.test(request.url) && (await caches.match(request)));
  if (known) return known;
  const answer = await fetch(request, { cache: "no-cache" }); // an older course may lie in the browser's own store
  meanwhile(put(here, request, answer.clone()));
  return answer;
}

async function fresh(request, meanwhile) {
  const here = await store();
  try {
    const answer = await fetch(request);
    meanwhile(put(here, request, answer.clone()));
    return answer;
  } catch (error) {
    const known = await here?.match(request, { ignoreSearch: request.mode === "navigate" });
    if (known) return known;
    throw error;
  }
}

// Where the browser has no room left, the page works on without.
async function put(here, request, answer) {
  if (!here || answer.status !== 200 || answer.redirected) return;
  await here.put(request, answer).catch((error) => console.warn(`${STORE}: ${error}`));
}

/** What a page had loaded before this began. */
async function keepAll(addresses) {
  const here = await store();
  for (const address of addresses) {
    if (address.startsWith(location.origin) && !(await here?.match(address))) {
      await fetch(address).then((answer) => put(here, address, answer), () => {});
    }
  }
}

async function forgetOlder() {
  for (const name of await caches.keys()) {
    if (name.startsWith("attention-course-") && name !== STORE) await caches.delete(name);
  }
}
