/**
 * Parts of the model: fetched once, checked, unpacked, and kept by the browser for the next time.
 *
 * A part that is here stays when a later one does not come, so trying again goes on where it broke off.
 */

import { trouble } from "./trouble.js";

const NAME = "live-model-";

/**
 * What is needed to fetch parts from the folder `base`; `have` keeps what came between two tries.
 *
 * `onProgress({done, total})` counts packed bytes of what a first sentence needs; `signal` ends a download.
 *
 * Gives `get(name)`, a promise of unpacked bytes; `first`, names; `total`; and `kept()`, whether the browser keeps
 * all that came.
 */
export async function parts({ base, have, onProgress = () => {}, signal }) {
  if (typeof DecompressionStream !== "function") throw trouble("unsupported");
  const address = (file) => new URL(file, base).href;
  const { text, manifest } = await list(address("manifest.json"), signal);
  const cache = await room(text, address("manifest.json"));
  const total = manifest.first.reduce((sum, name) => sum + manifest.parts[name].packed, 0);
  const done = {};
  let kept = Boolean(cache);

  function came(name, bytes) {
    if (!manifest.first.includes(name)) return;
    done[name] = Math.min(bytes, manifest.parts[name].packed);
    onProgress({ done: Object.values(done).reduce((sum, one) => sum + one, 0), total });
  }

  async function get(name) {
    const part = manifest.parts[name];
    const found = have.get(part.sha256) ?? (await brought(name, part));
    if (manifest.first.includes(name)) have.set(part.sha256, found);
    came(name, part.packed);
    return found;
  }

  async function brought(name, part) {
    const where = `${address(part.file)}?${part.sha256.slice(0, 8)}`; // no older file of this name from any cache
    const before = cache && (await cache.match(where).catch(() => null));
    if (before) {
      const found = await unpacked(new Uint8Array(await before.arrayBuffer()), part).catch(() => null);
      if (found) return found;
      await cache.delete(where);
    }
    const bytes = await download(where, part, (count) => came(name, count), signal);
    const found = await unpacked(bytes, part);
    if (cache) await cache.put(where, new Response(bytes)).catch(() => (kept = false)); // it is full
    return found;
  }

  return { get, first: manifest.first, total, kept: () => kept };
}

/** The manifest, from the site or, without a connection, as it was kept. */
async function list(where, signal) {
  let answer;
  try {
    answer = await fetch(where, { cache: "no-cache", signal });
  } catch {
    if (signal?.aborted) throw trouble("cancelled");
    answer = await globalThis.caches?.match(where).catch(() => null);
  }
  if (answer?.status === 404) throw trouble("missing");
  if (!answer?.ok) throw trouble("network");
  const text = await answer.text();
  try {
    return { text, manifest: JSON.parse(text) };
  } catch {
    throw trouble("missing"); // a page that says "not found" with the status of one that was
  }
}

/** Where this model is kept; others are thrown away. Nothing where the browser has no such place. */
async function room(text, where) {
  if (!globalThis.caches || !globalThis.crypto?.subtle) return null;
  try {
    const name = NAME + (await sha256(new TextEncoder().encode(text))).slice(0, 16);
    const others = (await caches.keys()).filter((one) => one.startsWith(NAME) && one !== name);
    await Promise.all(others.map((one) => caches.delete(one)));
    const cache = await caches.open(name);
    await cache.put(where, new Response(text)).catch(() => {});
    return cache;
  } catch {
    return null; // switched off, as in some private windows
  }
}

async function download(where, part, onBytes, signal) {
  try {
    const answer = await fetch(where, { signal });
    if (!answer.ok) throw trouble("network");
    const pieces = [];
    let count = 0;
    const reader = answer.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pieces.push(read.value);
      onBytes((count += read.value.length));
    }
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    if (count < part.packed) throw trouble("network"); // some servers end early without saying so
    return bytes;
  } catch {
    throw trouble(signal?.aborted ? "cancelled" : "network");
  }
}

/** The bytes of a part, if they are what the manifest says. */
async function unpacked(bytes, part) {
  let found = bytes.buffer;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    // else the server said that it is packed, and the browser has unpacked it
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    found = await new Response(stream).arrayBuffer().catch(() => null);
  }
  if (found?.byteLength !== part.unpacked) throw trouble("checksum");
  // a page without https has no SHA-256: there gzip's own checksum has to do
  if (globalThis.crypto?.subtle && (await sha256(found)) !== part.sha256) throw trouble("checksum");
  return found;
}

async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (one) => one.toString(16).padStart(2, "0")).join("");
}
