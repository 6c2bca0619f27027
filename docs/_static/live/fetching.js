// The model for a page: fetched when it is first wanted, with a bar.
// What goes wrong is one line with something to press.

import { client } from "./client.js";

const $ = (id) => document.getElementById(id);
const mb = (bytes) => (bytes / 1e6).toFixed(1);

export const tell = (text, bar) => {
  $("live-load").hidden = !text;
  $("live-load").querySelector("span").textContent = text;
  $("live-load").querySelector("progress").hidden = !bar;
};

// One line that is read out, with something to press: what went wrong, or a question.
const alarm = (text, name, act) => {
  $("live-alarm").querySelector("span").textContent = text;
  const button = $("live-alarm").querySelector("button");
  const onclick = () => {
    alarm("", "");
    act();
  };
  Object.assign(button, { textContent: name, hidden: !name, onclick });
};

const size = async () => {
  const { first, parts } = await (await fetch(new URL("model/manifest.json", import.meta.url))).json();
  return mb(first.reduce((sum, name) => sum + parts[name].packed, 0));
};

/**
 * What is known is put into `here`: `about` the model, `live` once it is here, `gone` when it does not come.
 *
 * `works` says what works without the model; `again` is called for another try, `failed` when the model does not come.
 */
export function fetching({ here, works, again, failed }) {
  const plain = new URLSearchParams(location.search).has("plain"); // to compare, and for tests
  const model = client({ plain });
  let opened, agreed = false, broken = false;

  async function fetched() {
    alarm("", "");
    here.gone = false;
    tell("The model is coming …", true);
    here.about = await model.open(({ done, total }) => {
      Object.assign($("live-load").querySelector("progress"), { max: total, value: done });
      tell(`${mb(done)} of ${mb(total)} MB, once`, true);
    });
    here.live = true;
    document.documentElement.dataset.live = here.about.kind;
  }
  function went(wrong) {
    if (wrong.reason === "cancelled") return false;
    [opened, broken, here.gone] = [null, true, true];
    tell("");
    alarm(`${wrong.message} ${works}`, "Try again", () => {
      broken = false;
      again();
    });
    failed();
    return false;
  }
  // Whether the model is here; on a connection that saves data it is asked for first.
  const ready = async () => {
    if (broken) return false;
    if (navigator.connection?.saveData && !agreed) {
      const large = await size().catch(() => "about 11");
      alarm(`Your connection saves data, and the model is ${large} MB, once.`, "Fetch it", () => {
        agreed = true;
        again();
      });
      return false;
    }
    opened ??= fetched();
    return opened.then(() => true, went);
  };
  const open = () => {
    broken = false;
    return ready();
  };
  return { model, ready, open, went };
}
