"""What to try when the learner's code stops with one of the errors that beginners meet."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class KnownError:
    """An error that beginners meet.

    Attributes:
        pattern: found in "Type: text".
        hint: what to look at.
        id: of the mistake, where the error gives it away.
    """

    pattern: str
    hint: str
    id: str | None = None


# the first that fits is used
KNOWN = (
    KnownError(r"^NameError", "That name is not defined here. Is it spelled right, and was its cell run?"),
    KnownError(
        r"'float' object cannot be interpreted as an integer",
        "A size must be a whole number: `/` gives a float, `//` an integer.",
    ),
    KnownError(
        r"leaf Variable.*in-place",
        "Something writes into an input: compute a new tensor instead.",
        "input-changed",
    ),
    KnownError(
        r"must have the same dtype|expected scalar type",
        "float64 in, float64 out: which step turns the numbers into a narrower type?",
        "float32",
    ),
    KnownError(
        r"unary ~: 'NoneType'",
        "`allowed` may be None: ask `is not None` before you use it.",
        "mask-required",
    ),
    KnownError(
        r"does not require grad",
        "A layer takes no part in learning: look for `requires_grad`, `detach`, `no_grad` or `.data`.",
        "gradient-cut",
    ),
    KnownError(
        r"requires grad",
        "Do not go through NumPy inside a PyTorch module: gradients stop there.",
        "gradient-cut",
    ),
    KnownError(
        r"before Module.__init__",
        "The first line of `__init__` is `super().__init__()`.",
        "no-super-init",
    ),
    KnownError(
        r"truth value of an array",
        "`if`, `and`, `not` need one True or False. For arrays use `&`, `|`, `~`; "
        "in an `if` ask `is not None`, `.all()` or `.any()`.",
        "array-truth-value",
    ),
    KnownError(
        r"matmul: |shapes? .*not aligned|shapes cannot be multiplied",
        "In `A @ B` the inner sizes must agree. Print both shapes.",
    ),
    KnownError(
        r"could not be broadcast|must match the size of tensor",
        "The shapes do not line up. Print them just before that line.",
    ),
    KnownError(
        r"values to unpack",
        "The array has another number of axes than you unpack. `x.shape[-1]` counts from the end.",
    ),
    KnownError(
        r"cannot reshape|invalid for input of size",
        "The new shape must hold as many numbers as the old one. Multiply its sizes.",
    ),
    KnownError(
        r"Cannot interpret|'tuple' object cannot be interpreted",
        "Sizes go in as one tuple, such as `(n, d)`.",
    ),
    KnownError(
        r"axis \d+ is out of bounds|Dimension out of range|axes don't match",
        "The array has fewer axes than you name. Count from the end: -1, -2.",
    ),
    KnownError(
        r"'numpy.ndarray' object has no attribute",
        "This is a NumPy array, not a PyTorch tensor: their methods differ.",
    ),
    KnownError(
        r"'Tensor' object has no attribute|must be Tensor|numpy.*Tensor|Tensor.*numpy",
        "NumPy arrays and PyTorch tensors do not mix: convert one.",
    ),
    KnownError(
        r"too many indices",
        "The array has fewer axes than you index. `...` stands for those in front.",
    ),
    KnownError(
        r"boolean index did not match",
        "A boolean index must have the shape of the array; `np.where` broadcasts for you.",
        "mask-not-broadcast",
    ),
    KnownError(
        r"'\w*Generator' object has no attribute",
        "A generator's methods are `standard_normal`, `normal` and `random`, among others.",
    ),
    KnownError(r"view size is not compatible", "After a transpose use `reshape` instead of `view`."),
    KnownError(
        r"takes \d+ positional arguments?|missing \d+ required",
        "Compare the arguments of your function with those in the task.",
    ),
    KnownError(
        r"MemoryError|can't allocate memory",
        "Something grows without end, or is far larger than the result: print the shapes.",
    ),
    KnownError(r"SystemExit", "Return a value; do not leave the program."),
    KnownError(r"RecursionError", "Your function calls itself without an end."),
)


def known_error(kind: str, text: str) -> KnownError | None:
    """What is known of an error, or `None` when it is not a common one."""
    said = f"{kind}: {text}"
    return next((error for error in KNOWN if re.search(error.pattern, said)), None)
