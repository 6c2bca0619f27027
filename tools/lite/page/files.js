// Files: a download is named as its file is; what a deleted notebook becomes is said.
"use strict";
(() => {
  // JupyterLite names it by its whole path, which a browser writes with "_"
  const named = (event) => {
    const link = event.target.closest?.("a[download]");
    if (link?.download.includes("/")) link.download = link.download.split("/").pop();
  };
  document.addEventListener("click", named, true);

  course.app.then(({ serviceManager }) =>
    serviceManager.contents.fileChanged.connect((_, { type, oldValue }) => {
      const unit = oldValue?.path.match(/^(\d\d_\w+)\/(\1\.ipynb)$/);
      if (type !== "delete" || !unit) return;
      const text = `Your ${unit[2]} is deleted. The course's own, in which nothing is answered yet, is in its place.`;
      const end = course.tell(text, ["Close", () => end()]);
    }),
  );
})();
