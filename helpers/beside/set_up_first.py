"""Says "Run the set-up cell first" where a cell is run before it, in place of a NameError."""

from types import TracebackType
from typing import Any

NAMES = {"check", "example", "hand_in", "hint", "others", "plots", "progress", "reference", "reset", "reveal"}
NAMES |= {"settle", "trace", "try_it", "views", "math", "sys", "np", "torch", "F", "nn", "helpers"}
"""What the set-up cell brings in."""


def explain(shell: Any) -> None:
    """Say so in this shell from now on; every other error looks as it always does."""

    def show(
        shell: Any, kind: type, error: NameError, trace: TracebackType, tb_offset: int | None = None
    ) -> None:
        last = trace
        while last.tb_next:
            last = last.tb_next
        in_notebook = last.tb_frame.f_globals is shell.user_ns
        if kind is NameError and error.name in NAMES and in_notebook and "helpers" not in shell.user_ns:
            error._render_traceback_ = lambda: [  # type: ignore[attr-defined]
                "Run the set-up cell first, the first code cell of this notebook: "
                f"it brings in `{error.name}`.",
                "Click on it and press Shift + Enter, or choose Run > Run All Above Selected Cell.",
            ]
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((NameError,), show)
