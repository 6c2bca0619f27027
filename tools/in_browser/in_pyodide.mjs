// Runs a Python file in Pyodide under Node.js, with the packages of a page's Python.
// node in_pyodide.mjs RUNTIME FOLDER ROOT FILE [WORDS]: RUNTIME is Pyodide's folder, FOLDER the site's `python/`, ROOT
// the course. Packages that come from the CDN are left out.
import { pathToFileURL } from "node:url";
import { existsSync, readFileSync } from "node:fs";

const [runtime, laid, root, file, ...words] = process.argv.slice(2);
const folder = `${laid}/packages/`;
const lock = JSON.parse(readFileSync(`${folder}pyodide-lock.json`, "utf-8"));
for (const [name, one] of Object.entries(lock.packages)) {
  if (one.file_name.startsWith("https:")) delete lock.packages[name];
}
for (const one of Object.values(lock.packages)) one.depends = one.depends.filter((name) => name in lock.packages);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const own = `${folder}stdlib.zip`;
const pyodide = await loadPyodide({
  indexURL: `${runtime}/`,
  lockFileContents: lock,
  packageBaseUrl: folder,
  ...(existsSync(own) ? { stdLibURL: own } : {}),
});
await pyodide.loadPackage(Object.keys(lock.packages), { messageCallback() {} });
for (const [place, host] of [["/course", root], ["/python", laid]]) {
  pyodide.FS.mkdir(place);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: host }, place);
}
pyodide.globals.set("words", pyodide.toPy(words));
try {
  await pyodide.runPythonAsync(readFileSync(file, "utf-8"), { filename: file });
} catch (error) {
  console.error(error.message); // the error itself prints all of Pyodide's source line
  process.exit(1);
}
