"""The one error a failing check raises, and the sentences it is made of."""


class CheckFailed(AssertionError):
    """An exercise is not right yet.

    Attributes:
        exercise: name of the exercise, such as `"softmax"`.
        misconception: short id of the recognised mistake, such as `"softmax-over-queries"`, or `None`.
        hint: one sentence on what to look at next.
    """

    def __init__(self, message: str, exercise: str, misconception: str | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.exercise = exercise
        self.misconception = misconception
        self.hint = hint

    def _render_traceback_(self) -> list[str]:
        # IPython shows this instead of a traceback: the learner's mistake is not in our code.
        return [f"CheckFailed: {self}"]
