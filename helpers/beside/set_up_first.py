"""Says "Run the set-up cell first" where a cell is run before it, in place of a NameError."""

import importlib
from types import TracebackType
from typing import Any

MODULES = {
    "math": "math",
    "sys": "sys",
    "np": "numpy",
    "torch": "torch",
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "helpers": "helpers",
    "example": "helpers.example",
    "plots": "helpers.plots",
    "reference": "helpers.reference",
    "views": "helpers.views",
}
"""The modules that a set-up cell gives, by the names that it gives them."""

FUNCTIONS = (
    *("before_you_start", "check", "forget", "hand_in", "hint", "inventory", "others", "progress", "reset"),
    *("reveal", "review", "settle", "trace", "try_it"),
)
"""What it takes from `helpers` besides."""


def modules() -> dict[str, Any]:
    """The modules, by the names that a set-up cell gives them."""
    return {name: importlib.import_module(module) for name, module in MODULES.items()}


def explain(shell: Any) -> None:
    """Say so in this shell from now on; every other error looks as it always does."""
    given = {*MODULES, *FUNCTIONS}

    def show(
        shell: Any, kind: type, error: NameError, trace: TracebackType, tb_offset: int | None = None
    ) -> None:
        last = trace
        while last.tb_next:
            last = last.tb_next
        in_notebook = last.tb_frame.f_globals is shell.user_ns
        if kind is NameError and error.name in given and in_notebook and "helpers" not in shell.user_ns:
            error._render_traceback_ = lambda: [  # type: ignore[attr-defined]
                "Run the set-up cell first, the first code cell of this notebook: "
                f"it brings in `{error.name}`.",
                "Click on it and press Shift + Enter, or choose Run > Run All Above Selected Cell.",
            ]
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((NameError,), show)
