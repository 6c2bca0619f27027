"""`try_it`: call the learner's own answer between the exercises, and show what comes back."""

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from helpers.beside.copies import alike, copied
from helpers.beside.failed_cells import ABSENT, failed, near, to_repair
from helpers.beside.guard import guard
from helpers.beside.probe import SECONDS, explain, interrupted
from helpers.beside.time_limit import TooSlow, time_limit
from helpers.errors import must_be_quoted, unknown
from helpers.text import table
from helpers.units import UNIT_OF


def try_it(name: str, *args: Any, show: Callable[[Any], Any] | None = None) -> Any:
    """Call the learner's own answer on copies of the arguments and show what comes back.

    An answer that is missing or stops with an error gives a sentence, so the cells below still run.

    Args:
        name: the exercise; the function is looked up in the notebook.
        args: what to call it with.
        show: draws the result, such as `plots.heatmap`; by default it is printed.

    Returns:
        The picture, or nothing.

    Raises:
        UnknownName: when there is neither such an exercise nor such a name in the notebook.
        BadArgument: when the name is not in quotes.
        Interrupted: when the learner presses stop.
    """
    space = sys._getframe(1).f_globals
    if not isinstance(name, str) or name not in space:
        must_be_quoted("try_it", name, space, UNIT_OF)
    answer = space.get(name)
    if answer is None and name not in UNIT_OF:
        raise unknown("exercise", name, UNIT_OF)
    if answer is not ... and (stopped := failed(name, space.get(name, ABSENT))):
        return print(f"{name} is not called: {to_repair(name, stopped)}")
    if answer is None and name in space:
        return print(f"{name} is nothing (None): has its cell a `print(...)`, which gives nothing back?")
    if answer is None and (other := near(name, space)):
        return print(f"{name} is not answered yet, but `{other}` is there: is it that?")
    if answer is None:
        return print(f"{name} is not answered yet: write it in the cell above and run that cell.")
    try:
        with guard(), time_limit(SECONDS):
            return _try(name, answer, args, show)
    except TooSlow:
        return print(f"{name} was still running after {SECONDS:g} seconds.")
    except KeyboardInterrupt as stop:
        raise interrupted(name, stop) from None
    except BaseException as error:
        return print(explain(name, error, answer))


def _try(name: str, answer: Any, args: Sequence[Any], show: Callable[[Any], Any] | None) -> Any:
    given = copied(list(args))
    result = answer(*given) if callable(answer) else answer
    changed = [
        _parameter(answer, place) for place in range(len(args)) if not alike(args[place], given[place])
    ]
    if changed:
        inputs = ", ".join(changed)
        print(f"{name} changed its input {inputs}, here only a copy of it: compute a new array instead.")
    if show:
        return _picture(name, result, args, show)
    _print(name, result)
    if isinstance(answer, type) and hasattr(result, "forward") and args and isinstance(args[0], int):
        _print_forward(name, result, args)
    return None


def _parameter(answer: Callable[..., Any], place: int) -> str:
    """What the answer itself calls an argument."""
    try:
        return list(inspect.signature(answer).parameters)[place]
    except (IndexError, TypeError, ValueError):
        return f"number {place + 1}"


def _picture(name: str, result: Any, args: Sequence[Any], show: Callable[[Any], Any]) -> Any:
    """What `show` draws; where it cannot, the error is not the learner's, so the result is printed."""
    try:
        return show(result)
    except Exception as error:
        _print(name, result)
        print(_no_picture(name, result, args, error))


def _no_picture(name: str, result: Any, args: Sequence[Any], error: Exception) -> str:
    from helpers import reference

    try:
        wanted = _form(getattr(reference, name)(*copied(list(args))))
    except Exception:  # no reference of that name, or none for these arguments
        wanted = _form(result)
    if _form(result) == wanted:
        return f"There is no picture of it: {error}"
    return f"This is {_form(result)}; a picture of it needs {wanted}."


def _form(value: Any) -> str:
    """What a result is built like, in words."""
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}: {' and '.join(map(_form, value))}"
    if np.shape(value) and hasattr(value, "shape"):
        return f"an array of shape {tuple(value.shape)}"
    words = {"NoneType": "nothing (None)", "str": "a text", "list": "a list"}
    kind = type(value).__name__
    return words.get(kind, "a number" if np.isscalar(value) or hasattr(value, "shape") else f"of type {kind}")


def _print(name: str, result: Any) -> None:
    parts = result if isinstance(result, tuple) else (result,)
    for place, part in enumerate(parts):
        label = name if len(parts) == 1 else f"{name}, result {place}"
        array = np.asarray(part.detach()) if hasattr(part, "detach") else part
        if isinstance(array, np.ndarray) and array.ndim:
            print(f"{label}, shape {array.shape}:\n{table(array)}")
        else:
            print(f"{label}: {array}")


def _print_forward(name: str, module: Any, args: Sequence[Any]) -> None:
    """What comes out of a module for two tokens: the shapes, as its weights are drawn at random."""
    import torch

    from helpers.beside.probes.modules import must_have_forward

    must_have_forward(module)
    taken = inspect.signature(module.forward).parameters.values()
    needed = [one for one in taken if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    tokens = torch.ones(1, 2, args[0])
    results = module(*[tokens] * len(needed))
    forms = [_form(part) for part in (results if isinstance(results, tuple) else (results,))]
    print(f"Its forward, called on one sentence of two tokens, gives {' and '.join(forms)}.")
