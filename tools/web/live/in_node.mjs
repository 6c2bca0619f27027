/**
 * The page's engine under Node.js: `node in_node.mjs folder kind`, with a list of calls on stdin.
 *
 * A call is the name of a function below and what it is given. Results are lists in the same order, numbers of
 * typed arrays in base64; `fetched` are the parts asked for so far.
 */

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

const page = new URL("../../../docs/_static/live/", import.meta.url);
const { cosine, open } = await import(new URL("engine.js", page));
const { tokenizer } = await import(new URL("tokens.js", page));
const [folder, kind] = process.argv.slice(2);
const fetched = [];

async function get(name) {
  fetched.push(name);
  return Uint8Array.from(gunzipSync(await readFile(`${folder}/${name}.bin.gz`))).buffer;
}

if (kind === "no-simd") WebAssembly.validate = () => false;
if (kind === "no-webassembly") delete globalThis.WebAssembly;
const engine = await open({ get, plain: kind === "plain" });
const { encode } = tokenizer(new TextDecoder().decode(await get("pieces")).split("\n"));

const calls = {
  encode,
  kind: () => engine.kind,
  fetched: () => [...fetched],
  nearest: () => engine.nearest,
  need: (ids) => engine.need(ids),
  pass: (ids, how) => engine.need(ids).then(() => engine.pass(ids, how)),
  each: (ids, pair, how) => engine.need(ids).then(() => engine.each(ids, pair, how)),
  head: (ids, layer, head, how) => engine.need(ids).then(() => engine.head(ids, layer, head, how)),
  similarities: (ids, [a, b], how) =>
    calls.pass(ids, how).then(({ xs }) => xs.map((x) => cosine(x, a, b))),
};

const plain = (_, value) =>
  value instanceof Float32Array ? { base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") } : value;
const results = [];
for (const [name, ...words] of JSON.parse(await text(process.stdin))) {
  const begun = performance.now();
  results.push([(await calls[name](...words)) ?? null, performance.now() - begun]);
}
process.stdout.write(JSON.stringify(results, plain));
