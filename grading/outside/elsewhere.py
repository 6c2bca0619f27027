"""An answer that lives in another process, called as if it were here.

For exercises whose answer is handed a function (`leaks_future`, `test_softmax`): the probe runs on the side
of the verdict, the answer on the other, and the function that it is handed asks back. So the learner's
process never holds what the answer has to find out.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grading.outside.observations import checked
from grading.outside.processes import Ended
from helpers.beside import wire
from helpers.beside.probes.base import Described, Elsewhere, ProbeError, Remote
from helpers.beside.suspects import Suspect, ask_of
from helpers.beside.time_limit import TooSlow

LARGEST = 2**18
"""Bytes of a call of a suspect: it is computed on the grader, and a small call can be a lot of work."""

Ask = Callable[[Mapping[str, Any], Callable[[Any], dict[str, Any]] | None], dict[str, Any]]


class RemoteAnswer(Remote):
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
            if isinstance(function, Suspect):
                return called(function, question)
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


def called(suspect: Suspect, question: Any) -> dict[str, Any]:
    """What comes of a call of a suspect that was asked for from inside.

    Raises:
        ValueError: when no suspect asks like that.
    """
    try:
        if len(wire.pack(question)) > LARGEST or question.keys() != {"args", "named"}:
            raise ValueError("too much, or something else")
        return ask_of(suspect)(question)
    except Exception as error:
        raise ValueError(f"its process asked for no call ({error!s:.80})") from None
