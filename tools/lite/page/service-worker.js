// Keeps what a visit has loaded, so that the next one asks nobody and needs no connection; each version of the
// course has a store of its own. What it leaves alone, JupyterLite's own worker does: files that Python opens.
"use strict";
const STORE = "attention-course-{version}";
const ALSO = {also}; // what a visit may still need when the connection is gone
const ENGINE = "{engine}"; // where Pyodide comes from, when not from here
const MODEL = /\/live\/model\/[^?]+\?/; // its parts, with their checksums; the site's first page may have kept them
const LIVE = /\/api\/(drive|stdin|service-worker-heartbeat)/;

// A new version waits until the page asks for it: a page must not get its scripts from two.
const take = self.skipWaiting.bind(self);
self.skipWaiting = () => Promise.resolve();

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || LIVE.test(pathname)) return;
  if (origin === location.origin || (ENGINE && request.url.startsWith(ENGINE))) {
    event.respondWith(kept(request, (storing) => event.waitUntil(storing)));
  }
});

self.addEventListener("message", (event) => {
  if (event.data.take) take();
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

self.addEventListener("activate", (event) => event.waitUntil(forgetOlder()));

// What is fetched is passed on while it comes, where `meanwhile` takes the promise that it is stored.
async function kept(request, meanwhile) {
  const store = await caches.open(STORE).catch(() => null); // a browser may forbid it
  const known = await store?.match(request, { ignoreSearch: request.mode === "navigate" });
  const elsewhere = store && !known && MODEL.test(request.url) && (await caches.match(request));
  if (known || elsewhere) return known || elsewhere;
  if (request.mode === "navigate" && /\/[^.]*$/.test(new URL(request.url).pathname)) {
    const page = new URL(request.url); // of a folder
    page.pathname = page.pathname.replace(/\/?$/, "/index.html");
    if (await store?.match(page, { ignoreSearch: true })) return Response.redirect(page);
  }
  // an older course may lie in the browser's own store: ask whether that still holds
  const answer = await fetch(request.mode === "navigate" ? request.url : request, { cache: "no-cache" });
  if (request.mode === "navigate" && answer.redirected) return Response.redirect(answer.url);
  if (store && answer.status === 200 && !answer.redirected) {
    const storing = put(store, request, answer.clone());
    await (meanwhile ? meanwhile(storing) : storing);
  }
  return answer;
}

// Where the browser has no room left, the page works on without.
async function put(store, request, answer) {
  try {
    await store.put(request, answer);
  } catch (error) {
    console.warn(`${STORE}: ${error}`);
  }
}

async function keep(seen) {
  const addresses = [...seen, ...ALSO.map((name) => new URL(name, location).href)];
  for (const address of addresses) {
    if (LIVE.test(address)) continue;
    await kept(new Request(address)).catch(() => {}); // the connection is gone: the next visit tries again
  }
  for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage({ keeps: true });
}

async function forgetOlder() {
  for (const name of await caches.keys()) {
    if (name.startsWith("attention-course-") && name !== STORE) await caches.delete(name);
  }
}

importScripts("jupyterlite-worker.js");
