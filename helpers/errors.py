"""The errors a learner can meet: each is a sentence, never a traceback through our code."""


class OneSentence:
    """An error that a notebook shows as one sentence: a traceback through our code would say nothing more."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]  # IPython asks for this


class CheckFailed(OneSentence, AssertionError):
    """An exercise is not right yet.

    Attributes:
        exercise: name of the exercise, such as `"softmax"`.
        misconception: short id of the recognised mistake, such as `"softmax-over-queries"`, or `None`.
        hint: one sentence on what to look at next.

    Where the check has drawn a panel, `brief` is what stands below it, and in Validate.
    """

    def __init__(
        self, message: str, exercise: str, misconception: str | None = None, hint: str = "", brief: str = ""
    ) -> None:
        super().__init__(message)
        self.exercise = exercise
        self.misconception = misconception
        self.hint = hint
        self._brief = brief

    def _render_traceback_(self) -> list[str]:
        return [f"CheckFailed: {self._brief or self}"]


class UnknownName(OneSentence, KeyError):
    """There is no exercise or unit of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show the sentence in quotes
