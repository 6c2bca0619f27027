// Which notebook is opened, and with what around it: on a narrow screen JupyterLab leaves it no room.
"use strict";
(() => {
  const LAST = "attention-course-last";
  const UNIT = /^(\d\d_\w+)\/\1\.ipynb$/;
  const address = new URL(location);
  const path = address.searchParams.get("path");
  try {
    if (UNIT.test(path)) localStorage.setItem(LAST, path);
    else if (!path && localStorage.getItem(LAST)) address.searchParams.set("path", localStorage.getItem(LAST));
  } catch {
    // nothing may be kept here, which the line says
  }
  const lab = /\/lab\/(index\.html)?$/;
  if (lab.test(address.pathname) && matchMedia("(max-width: 900px)").matches) {
    address.pathname = address.pathname.replace(lab, "/notebooks/index.html");
    location.replace(address);
  } else history.replaceState(history.state, "", address.href.replaceAll("%2F", "/"));
})();
