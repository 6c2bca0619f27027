"""A real kernel that tests send cells to, one after the other, as a learner does."""

import contextlib
import re
import time
from queue import Empty

from jupyter_client.manager import KernelManager

from tests.sample_learners import environ
from tools.kernels import on_files
from tools.patience import PATIENCE
from tools.sync import SET_UP


class Kernel:
    """A kernel with the set-up cell run.

    Args:
        place: a folder for Jupyter's settings; the kernel works in it.
    """

    def __init__(self, place):
        self.start(place, environ(place))
        self.run(SET_UP.replace("{address}", ""))

    def start(self, place, given):
        """Begin without the set-up cell, in these surroundings."""
        self._files = contextlib.ExitStack()
        self.manager = KernelManager(**self._files.enter_context(on_files()))
        self.manager.start_kernel(env=given, cwd=str(place))
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def run(self, code, *, stop_when=None, cell=None):
        """What a cell shows, as text: printed, displayed, and the error as it is shown.

        Args:
            code: the cell.
            stop_when: press the stop button once this holds.
            cell: its id in the notebook, which JupyterLab tells and others do not.
        """
        asked = self._ask(code, cell)
        shown, begun = [], time.monotonic()
        while True:
            if stop_when and stop_when():
                self.manager.interrupt_kernel()
                stop_when = None
            try:
                message = self.client.get_iopub_msg(timeout=0.2)
            except Empty:
                assert time.monotonic() - begun < PATIENCE, f"still running: {shown}"
                continue
            content = message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if content.get("execution_state") == "idle":
                return "".join(shown)
            shown.append(content.get("text") or "")
            shown.append(str(content.get("data", {}).get("text/plain", "")))
            shown.append(plain("\n".join(content.get("traceback", ()))))

    def _ask(self, code, cell):
        """Ask for a cell to be run, and know the answer by what comes back."""
        if cell is None:
            return self.client.execute(code)
        wanted = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        message = self.client.session.msg("execute_request", wanted, metadata={"cellId": cell})
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def close(self):
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self._files.close()


def plain(text):
    """Text without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)
