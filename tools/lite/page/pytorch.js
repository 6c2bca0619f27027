// PyTorch in place of its stand-in, where the site has it: a button in the line above the notebook fetches it, this
// browser keeps it, and the next Python that starts takes it (kernel-begins.js).
"use strict";
(() => {
  const PYTORCH = "{pytorch}";
  if (!PYTORCH) return;
  const size = PYTORCH.files.reduce((sum, one) => sum + one.bytes, 0);
  const mega = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);
  const GOES_ON = "The stand-in goes on.";
  const place = document.createElement("span");
  place.id = "course-pytorch";
  place.setAttribute("role", "status");
  course.line.append(place);

  const button = (text, action) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", action);
    return made;
  };
  const show = (...parts) => place.replaceChildren(...parts);
  const offer = (said = "") => show(`${said} `, button(`PyTorch, ${mega(size)} MB`, get));

  async function get() {
    try {
      if (!self.caches) throw new Error("This address is plain http, where a browser keeps no files.");
      await keep((done) => show(`Fetching PyTorch: ${mega(done)} of ${mega(size)} MB.`));
      show("PyTorch is here, for the next Python. ", button("Restart Python", restart));
    } catch (error) {
      await self.caches?.delete(PYTORCH.store);
      offer(`${error.message} ${GOES_ON}`);
    }
  }

  async function keep(tell) {
    const store = await caches.open(PYTORCH.store);
    let before = 0;
    for (const { name, bytes, sha256 } of PYTORCH.files) {
      const address = new URL(`../pytorch/${name}`, document.baseURI);
      const data = await fetched(address, bytes, (done) => tell(before + done));
      if ((await digest(data)) !== sha256)
        throw new Error(`${name} has another checksum than the course expects.`);
      const headers = { "content-type": "application/wasm", "content-length": String(data.size) };
      await store.put(address, new Response(data, { headers })).catch(() => {
        throw new Error("This browser has no room for PyTorch.");
      });
      before += bytes;
    }
    for (const name of await caches.keys())
      if (name.startsWith("course-pytorch-") && name !== PYTORCH.store) await caches.delete(name);
    navigator.storage?.persist?.();
  }

  async function fetched(address, bytes, tell) {
    const cut = () => new Error("The download of PyTorch was cut off.");
    const answer = await fetch(address, { cache: "no-store" }).catch(() => Promise.reject(cut()));
    if (!answer.ok) throw new Error(`The site answered ${answer.status} when asked for PyTorch.`);
    const [reader, parts] = [answer.body.getReader(), []];
    let done = 0;
    for (;;) {
      const part = await reader.read().catch(() => Promise.reject(cut()));
      if (part.done) break;
      parts.push(part.value);
      tell((done += part.value.length));
    }
    if (done < bytes) throw cut();
    return new Blob(parts);
  }

  async function digest(data) {
    const found = new Uint8Array(await crypto.subtle.digest("SHA-256", await data.arrayBuffer()));
    return [...found].map((one) => one.toString(16).padStart(2, "0")).join("");
  }

  function restart() {
    show("Python starts anew: run the cells above again.");
    window.jupyterapp.commands.execute("kernelmenu:restart");
  }

  // Each Python says which of the two it has.
  const ran = new BroadcastChannel("attention-course-pytorch");
  ran.addEventListener("message", async ({ data }) => {
    if (!data.which) return;
    if (data.which !== "stand-in") return show(data.says);
    if (!place.querySelector("button")) offer(data.says);
  });
  ran.postMessage({ asks: true });
})();
