"""Says "Run the set-up cell first" where a cell is run before it, in place of a NameError.

A kernel runs this file when it starts, since `PYTHONSTARTUP` names it in a learner's JupyterLab, and since it
is among IPython's start-up files on Binder. A grader's process has neither. Every other error looks as it
always does, and nothing of this file is left among the learner's names.
"""


def _explain_missing_names(shell):  # noqa: ANN001, ANN202
    names = {
        "check",
        "example",
        "hint",
        "others",
        "plots",
        "progress",
        "reference",
        "reset",
        "reveal",
        "settle",
        "trace",
        "try_it",
        "views",
    }
    names |= {"math", "sys", "np", "torch", "F", "nn", "helpers"}

    def show(shell, kind, error, trace, tb_offset=None):  # noqa: ANN001, ANN202
        last = trace
        while last.tb_next:
            last = last.tb_next
        in_notebook = last.tb_frame.f_globals is shell.user_ns
        if kind is NameError and error.name in names and in_notebook and "helpers" not in shell.user_ns:
            error._render_traceback_ = lambda: [
                "Run the set-up cell first, the first code cell of this notebook: "
                f"it brings in `{error.name}`.",
                "Click on it and press Shift + Enter, or choose Run > Run All Above Selected Cell.",
            ]
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((NameError,), show)


if "get_ipython" in globals():  # a plain Python, in a terminal of JupyterLab, has nothing to explain
    _explain_missing_names(get_ipython())  # noqa: F821
del _explain_missing_names
