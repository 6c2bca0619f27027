"""The warm process's imports, and the shell that its forks run cells in."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import helpers
from grading.inside.shown import OUT, STREAMS
from helpers.beside import failed_cells
from helpers.beside.probe import observe
from helpers.beside.probes import OWN, of
from helpers.beside.probes.base import Case

_LATER = "is not run here: every exercise is checked when the notebook is graded."


class NoFigure:
    """What a plot or a training of the course returns here: they would take most of the time."""

    def __call__(self, *_: Any, **__: Any) -> "NoFigure":
        """Plots are functions."""
        return self

    def __getattr__(self, name: str) -> "NoFigure":
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __getitem__(self, _: Any) -> "NoFigure":
        return self

    def __format__(self, _: str) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return "(nothing is drawn or trained while grading)"


def leave_out_figures() -> None:
    """Put `NoFigure` in place of what draws, and of what trains: no mark depends on either."""
    for name in ("plots", "views", "training"):
        sys.modules[f"helpers.{name}"] = NoFigure()  # type: ignore[assignment]
        setattr(helpers, name, sys.modules[f"helpers.{name}"])


def warm_up() -> None:
    """Import everything, and use it once: the first use of a library costs more than the rest."""
    os.environ["MPLBACKEND"] = "agg"
    import matplotlib.pyplot  # noqa: F401 - for learners who plot
    import numpy as np
    import torch

    torch.set_num_threads(1)
    helpers.check = lambda name, *_, **__: print(f"check({name!r}) {_LATER}")
    asking = ("before_you_start", "inventory", "review", "reveal", "settle")
    telling = ("forget", "hand_in", "hint", "others", "progress", "reset", "trace")
    for name in (*asking, *telling):
        setattr(helpers, name, lambda *_, **__: print(f"This {_LATER}"))
    helpers.yours = lambda name: getattr(helpers.reference, name)
    leave_out_figures()
    for name in ("reference", "example", "try_it", "CheckFailed"):
        getattr(helpers, name)
    for file in sorted(Path(helpers.reference.__file__).parent.glob("unit_*.py")):
        __import__(f"helpers.reference.{file.stem}")
    for exercise in OWN:
        of(exercise)
    shell = _shell()
    for source in (
        "import numpy as np, torch\nfrom torch import nn\nfrom helpers import reference\n1 / 0",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.close('all')",
        "torch.nn.MultiheadAttention(4, 2)(*[torch.ones(3, 1, 4)] * 3)[0].sum().backward()",
        "torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1).step()",  # imports half of PyTorch
        "torch.testing.assert_close(torch.einsum('ij->ji', torch.ones(2, 2)), torch.ones(2, 2))",
        "f'{",
    ):
        shell.run_cell(source)
    os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)  # which that optimizer has set: the walls want none of it
    double = SimpleNamespace(name="double", probe=of("double"), whole_answer=("torch.softmax",))
    observe(double, lambda x: torch.softmax(torch.from_numpy(x), -1), [Case("", {"x": np.ones((2, 2))})])
    shell.reset(new_session=True)
    failed_cells.watch()
    OUT.clear()
    _seed()


def _seed() -> None:
    """The same numbers for each submission, however often: its process begins with this state.

    The first call of PyTorch's costs much, since it notes where it was called from. Python's own generator is
    seeded by `learner.serve`: a fork gives it another state.
    """
    import numpy as np
    import torch

    np.random.seed(0)  # noqa: NPY002 - learners use it
    torch.manual_seed(0)


def _shell() -> Any:
    """IPython's own shell: magics, displayed values and tracebacks are what they are in a notebook."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Hook(DisplayHook):
        def write_output_prompt(self) -> None: ...

        def write_format_data(self, format_dict: dict[str, Any], md_dict: Any = None) -> None:
            OUT.shown("execute_result", format_dict)

        def finish_displayhook(self) -> None: ...

    class Publisher(DisplayPublisher):
        def publish(self, data: dict[str, Any], *_: Any, **__: Any) -> None:
            OUT.shown("display_data", data)

        def clear_output(self, wait: bool = False) -> None:
            OUT.clear()

    class Shell(InteractiveShell):
        displayhook_class = Hook
        display_pub_class = Publisher

        def _showtraceback(self, etype: type, evalue: Any, stb: list[str]) -> None:
            OUT.error(etype.__name__, _text(evalue), list(stb))

        def system(self, command: str) -> None:
            print(f"(not run while grading: {command})")

        def getoutput(self, command: str, *_: Any, **__: Any) -> list[str]:
            return [f"(not run while grading: {command})"]

        def enable_gui(self, gui: Any = None) -> None: ...

        def enable_matplotlib(self, gui: Any = None) -> tuple[Any, Any]:
            return gui, "agg"

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.automagic = True
    sys.stdout, sys.stderr = STREAMS
    shell = Shell.instance(config=config)
    shell.display_formatter.active_types = ["text/plain"]
    return shell


def _text(error: Any) -> str:
    try:
        return str(error)
    except Exception:
        return ""
