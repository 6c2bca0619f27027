"""Which stands under `torch` in this browser: PyTorch, where the reader has fetched it, or its stand-in."""

import importlib
import sys
from pathlib import Path

STAND_IN = str(Path(__file__).with_name("stand_in"))

_why = ""


def findable() -> None:
    """Let `import torch` find the stand-in, behind PyTorch's own place."""
    if STAND_IN not in sys.path:
        sys.path.append(STAND_IN)


def begin(why: str = "") -> str:
    """Import PyTorch where it is installed, and else the stand-in; gives which, as `which` does.

    Args:
        why: half a sentence on why PyTorch is not installed although the reader has fetched it.
    """
    global _why
    _why = why
    findable()
    try:
        importlib.import_module("torch")
    except Exception as error:
        _why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
            del sys.modules[name]
        sys.path.remove(STAND_IN)
        sys.path.insert(0, STAND_IN)
        importlib.import_module("torch")
    return which()


def which() -> str:
    """`"stand-in"`, or PyTorch's version."""
    torch = importlib.import_module("torch")
    return "stand-in" if "STAND_IN" in vars(torch) else str(torch.__version__).partition("+")[0]


def said() -> str:
    """Which of the two runs, in a sentence, and why not the other, where it should."""
    if which() != "stand-in":
        return f"PyTorch {which()} runs here."
    begins = f"PyTorch could not begin ({_why}). " if _why else ""
    return f"{begins}A stand-in for PyTorch runs here."
