"""The errors a learner can meet: each is a sentence, never a traceback through our code."""


class CheckFailed(AssertionError):
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
        # IPython shows this instead of a traceback: the learner's mistake is not in our code.
        return [f"CheckFailed: {self._brief or self}"]


class UnknownName(KeyError):
    """There is no exercise or unit of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show the sentence in quotes

    def _render_traceback_(self) -> list[str]:
        # IPython shows this instead of a traceback: the sentence says it all.
        return [f"UnknownName: {self}"]
