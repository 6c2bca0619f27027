"""A real kernel that tests send cells to, one after the other, as a learner does."""

import re
import time
from queue import Empty

from jupyter_client.manager import start_new_kernel

from tests.sample_learners import environ
from tools.sync import SET_UP


class Kernel:
    """A kernel with the set-up cell run.

    Args:
        place: a folder for Jupyter's settings; the kernel works in it.
    """

    def __init__(self, place):
        self.manager, self.client = start_new_kernel(env=environ(place), cwd=str(place))
        self.run(SET_UP.replace("{address}", ""))

    def run(self, code, *, stop_after=None, seconds=60):
        """What a cell shows, as text: printed, displayed, and the error as it is shown.

        Args:
            code: the cell.
            stop_after: press the stop button after so many seconds.
            seconds: how long to wait.
        """
        asked = self.client.execute(code)
        shown, begun = [], time.monotonic()
        while True:
            if stop_after is not None and time.monotonic() - begun > stop_after:
                self.manager.interrupt_kernel()
                stop_after = None
            try:
                message = self.client.get_iopub_msg(timeout=0.2)
            except Empty:
                assert time.monotonic() - begun < seconds, f"still running: {shown}"
                continue
            content = message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if content.get("execution_state") == "idle":
                return "".join(shown)
            shown.append(content.get("text") or "")
            shown.append(str(content.get("data", {}).get("text/plain", "")))
            shown.append(plain("\n".join(content.get("traceback", ()))))

    def close(self):
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def plain(text):
    """Text without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)
