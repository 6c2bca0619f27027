"""Errors in how a function is called: of the learner's own, of NumPy, of PyTorch."""

from helpers.verdict.known_error import KnownError

_ARGUMENTS = {"dim": "axis", "keepdim": "keepdims", "keep_dims": "keepdims", "perm": "axes"}
_JOIN = "vstack|hstack|dstack|column_stack|concatenate|stack|block"

OF_CALLS = (
    KnownError(
        rf"TypeError: ({_JOIN})\(\) takes",
        lambda name: f"`np.{name}` takes its parts together, as one list or tuple in its brackets.",
    ),
    KnownError(
        r"either both or neither",
        "`np.where` takes a condition alone or with two more: what stands where it is True, what elsewhere.",
    ),
    KnownError(
        r"""missing .* arguments?: ["']dim["']""",
        "`dim` is the axis along which it works: which one should that be?",
    ),
    KnownError(
        r"order must be str", "`np.reshape` takes the new sizes as one tuple, `x.reshape(2, 3)` one by one."
    ),
    KnownError(
        r"swapaxes\(\) (?:missing|takes)",
        "`swapaxes` is told the two axes that change places: `np.swapaxes(x, -2, -1)`.",
    ),
    KnownError(
        r"'axis' is an invalid keyword argument for (\w+)",
        lambda name: f"Python's own `{name}` has no axis; NumPy's `np.{name}` has.",
    ),
    KnownError(r"doesn't define __round__", "`np.round(x)` rounds an array."),
    KnownError(
        r"unexpected keyword argument '(dim|keepdim|keep_dims|perm)'",
        lambda name: f"NumPy calls it `{_ARGUMENTS[name]}`.",
    ),
    KnownError(
        r"unexpected keyword argument 'axis'",
        "The function named there takes no `axis`. Does it go along an axis at all? PyTorch calls it `dim`.",
    ),
    KnownError(
        r"unexpected keyword argument '(\w+)'",
        lambda name: f"The function named there has no argument `{name}`. What are its arguments called?",
    ),
    KnownError(
        r"multiple values for argument '(\w+)'",
        lambda name: f"`{name}` is given twice: once by its place, and once by its name.",
    ),
    KnownError(
        r"__init__\(\) takes 1 positional argument|\w+\(\) takes no arguments",
        "`__init__` takes the sizes that the task names. Is it written with two underscores on each side?",
    ),
    KnownError(
        r"(Linear|Embedding|LayerNorm|Dropout|Module|Sequential|ModuleList|GELU|ReLU|Softmax)\.__init__\(\)",
        lambda name: (
            f"`nn.{name}` is made with other arguments than these: `nn.{name}?` in a cell tells which."
        ),
    ),
    KnownError(
        r"forward\(\) takes",
        "Compare the call with the line of its `def`, where `self` comes first.",
    ),
    KnownError(
        r"takes (?:from \d+ to |exactly )?\d+ (?:positional )?arguments?|missing \d+ required",
        "Compare the call with the line of its `def`. What a function of NumPy takes, `np.dot?` shows.",
    ),
    KnownError(r"SystemExit", "Return a value; do not leave the program."),
    KnownError(r"RecursionError", "Your function calls itself without an end."),
    KnownError(
        r"MemoryError|can't allocate memory",
        "Something grows without end, or is far larger than the result: print the shapes.",
    ),
)
