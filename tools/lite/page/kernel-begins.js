// Put before the script of JupyterLite's kernel: Python begins at once, not when JupyterLab has drawn the notebook.
{
  const site = new URL("../../../../", self.location);
  const { pyodideUrl, loadPyodideOptions } = "{settings}";
  const whole = (address) => new URL(address, site).href;
  let told = { stdout() {}, stderr() {} };
  const options = {
    ...loadPyodideOptions,
    lockFileURL: whole(loadPyodideOptions.lockFileURL),
    stdLibURL: whole(loadPyodideOptions.stdLibURL),
    indexURL: whole(new URL(".", whole(pyodideUrl))),
    stdout: (line) => told.stdout(line),
    stderr: (line) => told.stderr(line),
  };
  // What the kernel and a set-up cell import: later, each import would look into the notebook's folder first,
  // which asks the page.
  const imports = `
    import numpy, piplite.piplite, pyodide_kernel
    import helpers # which watches the cells of the kernel that is there by now
    from helpers.in_browser import pytorch
    pytorch.begin(why)
    for name in helpers.__all__: getattr(helpers, name)
    which = [pytorch.which(), pytorch.said()]
    del name, why, pytorch
  `;
  // PyTorch, where the page has kept it on a press; else, and where it does not begin, its stand-in goes on.
  const PYTORCH = "{pytorch}";
  const ran = new BroadcastChannel("attention-course-pytorch");
  async function isKept() {
    if (!PYTORCH || !self.caches || !(await caches.has(PYTORCH.store))) return false;
    const store = await caches.open(PYTORCH.store);
    const found = PYTORCH.files.map(({ name }) => store.match(new URL(`pytorch/${name}`, site)));
    return (await Promise.all(found)).every(Boolean);
  }
  async function withPyTorch(begun) {
    if (!(await isKept().catch(() => false))) return "";
    const said = [];
    const tell = (text) => said.push(text);
    await begun.loadPackage("torch", { messageCallback() {}, errorCallback: tell }).catch((error) => tell(error.message));
    return begun.loadedPackages.torch ? "" : said.at(-1) || "it could not be loaded";
  }
  const python = import(whole(pyodideUrl)).then(async ({ loadPyodide }) => {
    const begun = await loadPyodide(options);
    begun.globals.set("why", await withPyTorch(begun));
    await begun.runPythonAsync(imports);
    const [which, says] = begun.globals.pop("which").toJs();
    const tell = () => ran.postMessage({ which, says });
    ran.addEventListener("message", ({ data }) => data.asks && tell());
    tell();
    return begun;
  });
  python.catch(() => new BroadcastChannel("attention-course").postMessage("lost"));
  self.begun = (asked) => {
    told = asked;
    return python;
  };
}
