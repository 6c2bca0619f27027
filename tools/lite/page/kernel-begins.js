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
    import torch
    for name in helpers.__all__: getattr(helpers, name)
    del name
  `;
  const python = import(whole(pyodideUrl)).then(async ({ loadPyodide }) => {
    const begun = await loadPyodide(options);
    await begun.runPythonAsync(imports);
    return begun;
  });
  python.catch(() => new BroadcastChannel("attention-course").postMessage("lost"));
  self.begun = (asked) => {
    told = asked;
    return python;
  };
}
