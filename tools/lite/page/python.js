// What the line says of Python at work: that nothing stops it in the middle, and what the first picture waits for.
"use strict";
(() => {
  const STOP =
    "Python in a browser cannot be stopped in the middle: this button ends it. Your text stays; then run the cells above again.";
  const AGAIN = "Python has begun anew and your text is as it was: run the cells above again (Run, Run All Above Selected Cell).";
  const PLOTS = "Plots are being loaded: the first picture takes some seconds, the next ones do not.";
  const DRAWS = /\bplots\.|\bplt\.|matplotlib/;

  course.eachNotebook(({ sessionContext }) => {
    let drawn = null; // the kernel that has drawn
    let end = () => {};
    sessionContext.iopubMessage.connect((_, { header, content }) => {
      const { kernel } = sessionContext.session ?? {};
      if (header.msg_type !== "execute_input" || !kernel || drawn === kernel.model.id || !DRAWS.test(content.code)) return;
      drawn = kernel.model.id;
      end = course.tell(PLOTS);
    });
    sessionContext.statusChanged.connect((_, status) => {
      if (status === "idle") end();
      if (status === "restarting") drawn = null;
    });
  });

  async function restart(sessionContext) {
    course.tell("Python ends, and begins anew.");
    await sessionContext.restartKernel();
    const end = course.tell(AGAIN);
    const ran = (_, { header }) => {
      if (header.msg_type !== "execute_input") return;
      sessionContext.iopubMessage.disconnect(ran);
      end();
    };
    sessionContext.iopubMessage.connect(ran);
  }

  course.app.then(({ commands }) =>
    commands.commandExecuted.connect((_, { id }) => {
      const sessionContext = course.current()?.sessionContext;
      if (!/interrupt/.test(id) || sessionContext?.session?.kernel?.status !== "busy") return;
      const end = course.tell(STOP, ["Restart Python", () => restart(sessionContext)]);
      const rests = (_, status) => {
        if (status === "busy") return;
        sessionContext.statusChanged.disconnect(rests);
        end();
      };
      sessionContext.statusChanged.connect(rests);
    }),
  );
})();
