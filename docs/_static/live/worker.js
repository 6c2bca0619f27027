/** The model beside the page: what `client.js` asks for, answered by number. */

import { session } from "./session.js";

let calls;

addEventListener("message", async ({ data: { number, name, words } }) => {
  if (name === "begin") {
    calls = session(words[0]);
    return;
  }
  try {
    const given = name === "open" ? [(progress) => postMessage({ number, progress })] : words;
    postMessage({ number, result: await calls[name](...given) });
  } catch ({ message, reason }) {
    postMessage({ number, error: { message, reason } });
  }
});
postMessage({ ready: true });
