"""An answer that is handed a function, called in another process: the function stays here, and is asked.

So the learner's process never holds what the answer has to find out. Of `leaks_future` and its like the probe
runs on the side of the verdict, with a `RemoteAnswer`; a learner's test meets its suspects over there, in one
request, see `lineup`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grading.outside.observations import checked
from grading.outside.processes import Ended
from helpers.beside.probes.base import Described, Elsewhere, ProbeError
from helpers.beside.suspects import answered
from helpers.beside.time_limit import TooSlow
from helpers.exercises.base import Case
from helpers.exercises.impostors import Lineup

LARGEST = 2**18
"""Bytes of a call of a suspect: it is computed on the grader, and a small call can be a lot of work."""

Ask = Callable[[Mapping[str, Any], Callable[[Any], dict[str, Any]] | None], dict[str, Any]]


class RemoteAnswer:
    """Stands for a learner's function.

    Args:
        ask: sends a request to the learner's process.
        request: what stays the same in each of them.

    Attributes:
        noted: library calls that are the whole answer.
        of_code: what its code reads and leaves out.
        missing: what came back where the notebook has nothing of that name.
        trouble: why it could not be called, where it could not.
    """

    def __init__(self, ask: Ask, request: Mapping[str, Any]) -> None:
        self._ask, self._request = ask, request
        self.noted: set[str] = set()
        self.of_code: dict[str, list[str]] = {}
        self.missing: dict[str, Any] | None = None
        self.trouble = ""

    def __call__(self, function: Callable[[Any], Any], *args: Any) -> Any:
        """What the answer returns, or the error that it stopped with."""

        def reply(question: Any) -> dict[str, Any]:
            try:
                return {"answer": np.asarray(function(question), dtype=np.float64)}
            except ProbeError as problem:
                says, misconception, hint = str(problem), problem.misconception, problem.hint
                return {"problem": {"says": says, "misconception": misconception, "hint": hint}}

        case = {f"argument {place}": value for place, value in enumerate(args)}
        try:
            message = self._ask({**self._request, "cases": [case]}, reply)
            if message.get("missing") is True:
                self.missing = message
                raise NotImplementedError
            (seen,) = checked(message.get("seen"), 1)
        except (Ended, ValueError) as trouble:
            self.trouble = self.trouble or str(trouble)
            raise NotImplementedError from None  # nothing more is asked
        self.noted.update(seen.get("whole_answer", ()))
        facts = ("unused", "outside", "powers", "placeholders")
        self.of_code = {name: seen[name] for name in facts if name in seen}
        if "unusable" in seen:
            raise ProbeError(**seen["unusable"])
        if "too_slow" in seen:
            raise TooSlow
        if "unanswered" in seen:
            raise NotImplementedError
        if "error" in seen:
            raise Elsewhere(seen["error"])
        return Described(seen["value"])


def lineup(line: Lineup, cases: Sequence[Case]) -> Callable[[Any], dict[str, Any]]:
    """Answers what the suspects of these cases, by number, are called with from inside.

    It raises a ValueError when no suspect asks like that.
    """
    asks = [answered(line.program(*map(case.args.get, ("kind", "number", "hidden")))) for case in cases]

    def reply(question: Any) -> dict[str, Any]:
        try:
            if _size(question) > LARGEST or question.keys() != {"args", "named", "suspect"}:
                raise ValueError("too much, or something else")
            return asks[question.pop("suspect")](question)
        except Exception as error:
            raise ValueError(f"its process asked for no call ({error!s:.80})") from None

    return reply


def _size(nest: Any) -> int:
    """About the bytes of what came: those of arrays and texts, and a few for each value."""
    if isinstance(nest, dict):
        return sum(map(_size, nest.values()))
    if isinstance(nest, list | tuple):
        return sum(map(_size, nest))
    return nest.nbytes if isinstance(nest, np.ndarray) else len(nest) if isinstance(nest, str) else 8
