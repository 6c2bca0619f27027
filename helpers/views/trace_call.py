"""`views.trace`: any function of a notebook, line by line, with what each line made."""

from collections.abc import Callable
from typing import Any

from helpers.beside.traced_call import traced_function
from helpers.views.trace_view import Trace, traced

SECONDS = 5.0
"""So long may the call take; recording makes it many times slower."""


def trace(function: Callable[..., Any], *args: Any, **more: Any) -> Trace:
    """Call a function once, with copies of the arguments, and show its lines with what each made.

    Args:
        function: one that is written in a notebook, or in a file beside it, and not in a library.
        args: what to call it with.
        more: arguments by name.

    Raises:
        ValueError: when it is no function, when none of its lines is Python that can be followed, or when the
            call takes longer than 5 seconds.

    An error that the call stops with is shown at its line.  Source of the idea: Guo, "Online Python Tutor"
    (SIGCSE 2013), which shows lines and names; here each array is shown too.
    """
    if not callable(function):
        raise ValueError(f"function: expected a function; got {type(function).__name__} {function!r:.40}")
    found = traced_function(function, args, more, SECONDS)
    name = getattr(function, "__name__", type(function).__name__)
    if found is None:
        raise ValueError(f"{name}: expected a call of at most {SECONDS:g} seconds; this one took longer")
    if not found.data["steps"]:
        why = f": it stopped with {found.error}" if found.error else ""
        raise ValueError(f"{name}: expected a function written in Python, outside a library{why}")
    return traced(found.data | {"title": name, "why": "", "call": "", "stages": [], "facts": []})
