"""What the stand-in says of what it lacks."""


class NoPyTorch(ImportError):
    """This is PyTorch's, and not the stand-in's."""

    def _render_traceback_(self) -> list[str]:
        return [f"NoPyTorch: {self}"]


def lacking(name: str) -> NoPyTorch:
    """The error for a name of PyTorch's that the stand-in does not have."""
    from helpers.browser import ELSEWHERE

    return NoPyTorch(
        f"{name} is PyTorch, and its stand-in in this browser lacks it: write it in another way, fetch PyTorch where this page offers it, or {ELSEWHERE}."
    )
