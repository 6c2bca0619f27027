"""Where in the learner's own code an error arose, and which name a misspelt one may mean."""

import builtins
import difflib
import dis
import linecache
import os
import re
from types import CodeType, FunctionType, TracebackType
from typing import Any

OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep
"""Where the course's own code is: all of `helpers/`."""

FOREIGN = (
    OURS,
    os.path.join(os.path.dirname(os.path.dirname(OURS)), "grading") + os.sep,
    "-packages" + os.sep,
    os.path.dirname(os.__file__),
    "<frozen",
)
CELLS = ("ipykernel_", "<ipython-input-", "<cell ")
"""Parts of the file names that a notebook's cells have."""

NEAR = 0.75
"""From this likeness on, a name may be meant by another: `scoers` by `scores`, and not `W_q` by `W_k`."""


def own(error: BaseException) -> list[TracebackType]:
    """The learner's own part of a traceback: code in cells, else what is neither ours nor a library's."""
    found, at = [], error.__traceback__
    while at:
        file = at.tb_frame.f_code.co_filename
        if not any(part in file for part in FOREIGN) and not file.endswith((".pyx", ".pxd", ".pxi")):
            found.append(at)
        at = at.tb_next
    return [one for one in found if any(part in _file(one) for part in CELLS)] or found


def where(error: BaseException, answer: Any = None) -> str:
    """Where the learner's code failed, such as "line 3: `return a @ b.T`".

    Args:
        error: what it stopped with.
        answer: whose cell the line is counted in; of a line of another cell its function is told too.
    """
    frames = own(error)
    if not frames:
        return ""
    number = _line(frames[-1], error)
    line = linecache.getline(_file(frames[-1]), number).strip()
    place = f"line {number}{_function(frames[-1].tb_frame.f_code, answer)}"
    return f"{place}: `{line}`" if line else place


def raising_function(error: BaseException) -> str:
    """Name of the learner's function that an error arose in, or `""`."""
    frames = own(error)
    return frames[-1].tb_frame.f_code.co_name if frames else ""


def near_name(error: BaseException) -> str:
    """A name that a misspelt one may mean: of its function, of the notebook or of Python; or `""`."""
    name, frames = getattr(error, "name", None), own(error)
    if type(error) is not NameError or not name or not frames:
        return ""
    frame = frames[-1].tb_frame
    inside = (*frame.f_code.co_varnames, *frame.f_code.co_cellvars, *frame.f_code.co_freevars)
    return nearest(name, inside) or nearest(name, (*frame.f_globals, *dir(builtins)))


def nearest(name: str, others: Any, likeness: float = NEAR) -> str:
    """The most like of some names, or `""` where none is like it; capitals do not count."""
    known = {one.casefold(): one for one in others if isinstance(one, str) and not one.startswith("_")}
    if len(name) < 2:  # one letter is like any other
        return ""
    near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=likeness)
    return known[near[0]] if near and known[near[0]] != name else ""


def _file(at: TracebackType) -> str:
    return at.tb_frame.f_code.co_filename


_UNBOUND = re.compile(r"local variable '(\w+)'")


def _line(at: TracebackType, error: BaseException) -> int:
    """The line that failed.

    Once a function has run a few times, Python 3.11 runs a pair of instructions as one.  What the second
    raises, where it reads a variable that has no value, it tells of the first, which may stand a line above.
    """
    unbound = _UNBOUND.search(str(error)) if type(error) is UnboundLocalError else None
    if unbound and at.tb_next is None:
        steps = [one for one in dis.get_instructions(at.tb_frame.f_code) if one.offset >= at.tb_lasti]
        for step in steps[:2]:
            if step.opname.startswith("LOAD_FAST") and step.argval == unbound[1] and step.positions:
                return step.positions.lineno or at.tb_lineno
    return at.tb_lineno


def _function(code: CodeType, answer: Any) -> str:
    """Which function a line is of, where that is of another cell than the answer."""
    files = _files(answer)
    if not files or code.co_filename in files:
        return ""
    name = code.co_qualname.split(".<locals>")[0]
    return f" of {name}" if name.replace(".", "").isidentifier() else " of another cell"


def _files(answer: Any) -> set[str]:
    """Where an answer is written; nothing of the learner's runs while we look."""
    kept = type.__dict__["__dict__"].__get__(answer).values() if isinstance(answer, type) else [answer]
    return {one.__code__.co_filename for one in kept if isinstance(one, FunctionType)}
