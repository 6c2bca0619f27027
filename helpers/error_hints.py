"""What to try when the learner's code stops with one of the errors that beginners meet."""

import re

# (pattern in "Type: text", what to look at); the first that fits is used
HINTS = (
    (
        r"truth value of an array",
        "`if`, `and`, `not` need one True or False. For arrays use `&`, `|`, `~`; "
        "in an `if` ask `is not None`, `.all()` or `.any()`.",
    ),
    (
        r"matmul|shapes? .*not aligned|shapes cannot be multiplied",
        "In `A @ B` the inner sizes must agree. Print both shapes.",
    ),
    (
        r"could not be broadcast|must match the size of tensor",
        "The shapes do not line up. Print them just before that line.",
    ),
    (
        r"values to unpack",
        "The array has another number of axes than you unpack. `x.shape[-1]` counts from the end.",
    ),
    (
        r"cannot reshape|invalid for input of size",
        "The new shape must hold as many numbers as the old one. Multiply its sizes.",
    ),
    (r"Cannot interpret|cannot be interpreted as an integer", "Sizes go in as one tuple, such as `(n, d)`."),
    (
        r"axis \d+ is out of bounds|Dimension out of range|axes don't match",
        "The array has fewer axes than you name. Count from the end: -1, -2.",
    ),
    (
        r"'numpy.ndarray' object has no attribute",
        "This is a NumPy array, not a PyTorch tensor: their methods differ.",
    ),
    (
        r"'Tensor' object has no attribute|must be Tensor|numpy.*Tensor|Tensor.*numpy",
        "NumPy arrays and PyTorch tensors do not mix: convert one.",
    ),
    (
        r"boolean index did not match|too many indices",
        "A boolean index must have the shape of the array; `np.where` broadcasts for you.",
    ),
    (r"requires grad", "Do not go through NumPy inside a PyTorch module: gradients stop there."),
    (r"NameError", "That name is not defined here. Is it spelled right, and was its cell run?"),
    (r"view size is not compatible", "After a transpose use `reshape` instead of `view`."),
    (
        r"takes \d+ positional arguments?|missing \d+ required",
        "Compare the arguments of your function with those in the task.",
    ),
    (r"SystemExit", "Return a value; do not leave the program."),
    (r"RecursionError", "Your function calls itself without an end."),
)


def error_hint(kind: str, text: str) -> str | None:
    """One sentence on what to look at after an error, or `None` when it is not a common one."""
    said = f"{kind}: {text}"
    return next((hint for pattern, hint in HINTS if re.search(pattern, said)), None)
