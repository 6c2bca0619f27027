/** What can go wrong on the way to the model, as a reason for the page and a sentence for people. */

const SENTENCES = {
  network: "The model did not arrive as a whole: the connection broke off. Try again; what has come is kept.",
  checksum: "A part of the model is not what was sent, so it is not used. Try again.",
  memory: "This device has too little memory free for the model. Close something, then try again.",
  unsupported: "This browser cannot unpack the model. A newer one can.",
  missing: "This copy of the site was built without the model.",
  cancelled: "Stopped.",
};

/** An error with a `.reason` that the page can ask for; "missing" has the reason "unsupported". */
export function trouble(what) {
  return Object.assign(new Error(SENTENCES[what]), { reason: what === "missing" ? "unsupported" : what });
}
