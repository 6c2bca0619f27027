"""What to try when the learner's code stops with one of the errors that beginners meet.

A hint is said without a look at the code: it is true of every code that stops with this error, or it asks, or
it says "if".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from helpers import reference
from helpers.exercises.compare import NARROWED_TENSORS
from helpers.units import UNIT_OF


@dataclass(frozen=True)
class KnownError:
    """An error that beginners meet.

    Attributes:
        pattern: found in "Type: text".
        hint: what to look at; or what to say of the word that the pattern holds in brackets.
        id: of the mistake, where the error gives it away.
    """

    pattern: str
    hint: str | Callable[[str], str]
    id: str | None = None


NAMES = {
    "math": "Write `import math` first; NumPy has the same functions for whole arrays, such as `np.exp`.",
    "nn": "Write `from torch import nn` first.",
    "F": "Write `import torch.nn.functional as F` first.",
    "self": "`self` must be the first argument of every method.",
    "weights_of": "If matrices are asked for, return them as they are: the check makes weights of them.",
    **{name: "Run the set-up cell at the top first." for name in ("np", "torch", "reference", "example")},
    **{name: "`True`, `False` and `None` begin with a capital letter." for name in ("true", "false", "none")},
    **{
        name: f"`{name}` has no value here. In a function {source}; in a class it is `self.{name}`, "
        "if `__init__` keeps it so."
        for name, source in {
            "d_k": "it is an argument or the size `K.shape[-1]`",
            "d_v": "it is an argument or the size `V.shape[-1]`",
            "d_model": "it is an argument or the size `X.shape[-1]`",
            "d_head": "it is an argument, a size or `d_model // num_heads`",
            **dict.fromkeys(("num_heads", "h"), "it is an argument or the size of the axis of heads"),
            **dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), "it is an argument"),
        }.items()
    },
}
"""Names that are not there, and where they come from."""

_NO_SOFTMAX = "NumPy has no softmax: write it with `np.exp`, or use `reference.softmax`."

METHODS = {
    "permute": "`np.transpose(x, (0, 2, 1))` takes all axes, `np.swapaxes(x, -2, -1)` swaps two.",
    "unsqueeze": "`x[None]` or `x[..., None]` puts an axis of length 1 in.",
    "masked_fill": "`np.where(condition, there, elsewhere)` chooses entry by entry.",
    "softmax": _NO_SOFTMAX,
    "clone": "`x.copy()` makes a copy.",
    "expand": "`np.broadcast_to(x, shape)` repeats without a copy.",
    "unflatten": "`x.reshape(...)` cuts an axis in two.",
    "flatten_": "`x.reshape(...)` joins axes.",
    "norm": "`np.linalg.norm(x)` is the length.",
    "at": "`x[i, j] = 1` writes an entry.",
    "append": "an array does not grow: append to a list, then `np.array(the_list)`.",
    "length": "`len(x)` counts its rows.",
    "len": "`len(x)` counts its rows.",
    **{name: "leave this out, it is an array already." for name in ("numpy", "detach", "cpu", "contiguous")},
    **{
        name: "`x.astype(...)` changes the type of its numbers."
        for name in ("float", "double", "long", "type")
    },
    **{name: "`@` is the matrix product." for name in ("matmul", "mm", "bmm")},
}
"""What NumPy arrays have in the place of methods that people know from elsewhere."""

FUNCTIONS = {
    "cat": "`np.concatenate` joins arrays.",
    "softmax": _NO_SOFTMAX,
    "tensor": "`np.array` makes an array.",
    "permute": METHODS["permute"],
    "unsqueeze": "`np.expand_dims` puts an axis of length 1 in.",
    "masked_fill": METHODS["masked_fill"],
    "relu": "`np.maximum(x, 0)` cuts off at 0.",
    "reduce_sum": "`np.sum` adds up.",
    **{name: "`@` is the matrix product." for name in ("mm", "bmm", "matrix_multiply")},
}
"""The same for functions of the module."""

_ARGUMENTS = {"dim": "axis", "keepdim": "keepdims", "keep_dims": "keepdims", "perm": "axes"}


def _of_name(name: str) -> str:
    """Of a name that is not defined."""
    if name in UNIT_OF:
        says = f"`{name}` is from unit {UNIT_OF[name][:2]}: run its cell there; in another notebook copy it"
        return f"{says}, or use `reference.{name}`." if hasattr(reference, name) else f"{says}."
    if name in NAMES:
        return NAMES[name]
    if len(name) > 1 and hasattr(np, name):
        return f"If you mean NumPy's: that is `np.{name}`."
    return "That name is not defined here. Is it spelled right, and was its cell run?"


def _of_method(name: str) -> str:
    """Of something that NumPy arrays do not have."""
    if name in METHODS:
        return f"NumPy arrays have no `{name}`: {METHODS[name]}"
    if callable(getattr(np, name, None)):
        return f"With NumPy this is a function: `np.{name}(x)`."
    return "This is a NumPy array, not a PyTorch tensor: their methods differ."


def _of_number(name: str) -> str:
    """Of something that plain numbers do not have."""
    if hasattr(np, name):
        return f"A plain number has no `{name}`: it is not an array, or `np` has been given another value."
    return f"A plain number has no `{name}`: should an array stand there?"


# the first that fits is used
KNOWN = (
    KnownError(
        r"^UnboundLocalError: .*variable '(\w+)'",
        lambda name: (
            f"`{name}` is read before your function gives it a value: set it first, or choose another name."
        ),
    ),
    KnownError(r"^NameError: name '(\w+)'", _of_name),
    KnownError(
        r"object has no attribute '(num_heads|h|heads|d_head|head_dim|d_model|d_k|d_v)'",
        lambda name: f"No `self.{name}` was set: write `self.{name} = ...` in `__init__`.",
    ),
    KnownError(
        r"forward\(\) takes", "The first argument of every method is `self`: `def forward(self, ...)`."
    ),
    KnownError(
        r"transpose\(\) missing",
        "PyTorch's `transpose` takes the two axes that change places: `x.transpose(-2, -1)`.",
    ),
    KnownError(
        r"'float' object cannot be interpreted as an integer|tuple of ints, ?but got float",
        "A size must be a whole number: `/` gives a float, `//` an integer.",
        "float-as-size",
    ),
    KnownError(
        r"for \^: ",
        "Powers are written `**`; `^` is another operator, which joins bits.",
        "xor-for-power",
    ),
    KnownError(
        r"leaf Variable.*in-place",
        "Something writes into an input: compute a new tensor instead.",
        "input-changed",
    ),
    KnownError(
        r"must have the same dtype|expected scalar type",
        NARROWED_TENSORS,
        "float32",
    ),
    KnownError(
        r"unary ~: 'NoneType'",
        "`allowed` may be None: ask `is not None` before you use it.",
        "mask-required",
    ),
    KnownError(
        r"'NoneType'|not NoneType|\(NoneType",
        "Something is None here: does a function lack its `return`, or was an argument left out?",
    ),
    KnownError(
        r"'list' and 'list'|non-int of type 'list'",
        "Lists do not calculate entry by entry: `np.array(...)` makes arrays of them.",
    ),
    KnownError(
        r"'Linear'( and|$)|not Linear|'Linear' object (is not sub|has no attribute '(T|shape|transpose)')",
        "A layer is called like a function: `self.W_q(x)`.",
        "layer-not-called",
    ),
    KnownError(
        r"does not require grad",
        "No gradient comes this way: NumPy, `detach`, `no_grad`, `.data` or `requires_grad=False` cut it.",
        "gradient-cut",
    ),
    KnownError(
        r"requires grad",
        "NumPy keeps no gradients: they stop where a tensor becomes an array. A module stays with tensors.",
        "gradient-cut",
    ),
    KnownError(
        r"before Module.__init__",
        "The first line of `__init__` is `super().__init__()`.",
        "no-super-init",
    ),
    KnownError(
        r"truth value of an array",
        "`if`, `and`, `or`, `not` need one True or False: ask one number, such as a length, or ask the array "
        "by `.all()`, `.any()` or `is not None`. Entry by entry it is `&`, `|`, `~`.",
        "array-truth-value",
    ),
    KnownError(
        r"Boolean value of Tensor",
        "`if`, `and`, and `a <= x < b` need one True or False. For tensors use `(a <= x) & (x < b)`.",
        "array-truth-value",
    ),
    KnownError(
        r"does not have enough dimensions|(builtin_function_or_method|method|function)'( object has no|$)",
        "One side is a single number, or a function without its `()`.",
    ),
    KnownError(
        r"matmul: .*(size 0 |from 0\))",
        "One side of the `@` has size 0: a slice is empty. Where does it begin, and where does it end?",
    ),
    KnownError(
        r"matmul: |shapes? .*not aligned|shapes cannot be multiplied",
        "In `A @ B` the inner sizes must agree. Print both shapes.",
    ),
    KnownError(
        r"array element with a sequence",
        "One entry takes one number, and here stand several. Should they be added up?",
    ),
    KnownError(
        r"^MaskError",
        "A masked array does not broadcast its mask; `np.where` does.",
        "mask-not-broadcast",
    ),
    KnownError(r"zero-size array", "There is nothing to compare there: a slice is empty, such as `[:0]`."),
    KnownError(
        r"concatenation axis must match",
        "`np.vstack` wants equal numbers of columns, `np.hstack` of rows. Is one part from another cell?",
    ),
    KnownError(
        r"must have same number of dimensions",
        "Parts that are joined have equally many axes: `x[None]` makes a row of a vector.",
    ),
    KnownError(
        r"all input arrays must have the same shape",
        "`np.stack` makes a new axis; `np.vstack` puts matrices below each other. Print the shapes.",
    ),
    KnownError(
        r"could not be broadcast|must match the size of tensor",
        "The shapes do not line up. Print them just before that line.",
    ),
    KnownError(
        r"expanded size of the tensor",
        "What is written has another size than the place it goes to. Print both shapes.",
    ),
    KnownError(
        r"values to unpack",
        "There are more or fewer values than names on the left. Of a shape, `x.shape[-1]` takes one size.",
    ),
    KnownError(
        r"cannot reshape|invalid for input of size",
        "The new shape must hold as many numbers as the old one. Multiply its sizes.",
    ),
    KnownError(
        r"Cannot interpret '-|Type must be a sub-type of ndarray|view\(\) takes",
        "`view` is PyTorch's word; in NumPy `x.reshape(...)` cuts an array anew.",
    ),
    KnownError(
        r"Cannot interpret|'tuple' object cannot be interpreted",
        "Sizes go in as one tuple, such as `(n, d)`.",
    ),
    KnownError(
        r"axes don't match",
        "NumPy's `transpose` wants all axes; `np.swapaxes(x, -2, -1)` swaps two.",
    ),
    KnownError(
        r"axis -?\d+ is out of bounds for array|Dimension out of range",
        "The array has no axis of that number: they count from 0, or backwards from -1, which is the last.",
    ),
    KnownError(
        r"out of bounds for (?:axis|dimension)",
        "An index goes past the end. Take how far it goes from the array: `len(x)` or `x.shape`.",
    ),
    KnownError(
        r"tuple index out of range",
        "If it is a shape: it has one number for each axis, and `x.shape[-1]` counts from the end.",
    ),
    KnownError(
        r"only integers, slices",
        "An index is a whole number. `for x in a` goes through entries, `range(len(a))` through places.",
        "entry-as-index",
    ),
    KnownError(r"'int' object is not iterable", "`for i in range(n)` counts from 0 to n - 1."),
    KnownError(r"has no len\(\)", "This is a single number: only arrays and lists have a length."),
    KnownError(
        r"only (0-dimensional|length-1) arrays|array of size 1",
        "`math.exp`, `int` and `float` take one number; `np.exp` takes a whole array.",
    ),
    KnownError(
        r"'tuple' object is not callable",
        "Round brackets call a function, and here stands a tuple. A shape takes square ones: `x.shape[0]`.",
    ),
    KnownError(
        r"'(?:int|float|bool|numpy\.float64|numpy\.int64)' object is not callable",
        "Round brackets call a function, and here stands a number. If `sum` or `max` was given a value, "
        "`del sum` brings it back; for a size write `x.shape[-1]`.",
    ),
    KnownError(
        r"'(numpy\.ndarray|Tensor)' object is not callable",
        "Round brackets call a function, and here stands an array: `x.T` takes none, an entry is `x[i]`.",
    ),
    KnownError(
        r"(Dispatcher|ufunc|method|function|type)' object is not subscriptable",
        "A function is called with round brackets.",
    ),
    KnownError(r"'(?:int|float)' object has no attribute '(\w+)'", _of_number),
    KnownError(r"'numpy\.ndarray' object has no attribute '(\w+)'", _of_method),
    KnownError(
        r"module 'numpy' has no attribute '(\w+)'",
        lambda name: f"NumPy has no `{name}`{': ' + FUNCTIONS[name] if name in FUNCTIONS else '.'}",
    ),
    KnownError(
        r"unexpected keyword argument '(dim|keepdim|keep_dims|perm)'",
        lambda name: f"NumPy calls it `{_ARGUMENTS[name]}`.",
    ),
    KnownError(
        r"torch\.return_types\.(max|min)\b",
        lambda name: (
            f"With `dim`, `{name}` returns values and places: `a{name}` gives the values alone, "
            f"`arg{name}` the places."
        ),
        "returns-places-too",
    ),
    KnownError(
        r"(\w+)\(\): argument .* must be Tensor, not (?:int|float)",
        lambda name: (
            f"`torch.{name}` takes tensors. For one number take NumPy's, or a power such as `d ** 0.5`."
        ),
    ),
    KnownError(
        r"invalid combination of arguments - got \([^)]*(?:axis=|out=NoneType)",
        "A NumPy function was given a tensor. `reference` works on arrays: write it with PyTorch.",
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
        r"Given normalized_shape",
        "A LayerNorm works on the last axis. Which axis is the last in what it gets here?",
    ),
    KnownError(
        r"Expected target size",
        "With logits of three axes `F.cross_entropy` takes axis 1 for the words. Flatten batch and positions "
        "into one axis, in logits and targets alike.",
    ),
    KnownError(
        r"elements? cannot be converted to Scalar",
        "`.item()`, `int` and `float` take one number, and here stand several: one for each sequence?",
    ),
    KnownError(
        r"non-empty list|non-empty TensorList",
        "The list is empty: nothing was put in. How often does the loop before it run here?",
    ),
    KnownError(
        r"invalid data type 'str'",
        "A tensor meets a text as its index: was the name of a dict given to something else before?",
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
        r"__init__\(\) takes 1 positional argument",
        "`__init__` takes the sizes that the task names. Is it written with two underscores on each side?",
    ),
    KnownError(
        r"takes \d+ positional arguments?|missing \d+ required",
        "Which function is named there? Compare what it is called with and the line of its `def`.",
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
    for error in KNOWN:
        found = re.search(error.pattern, said)
        if found and callable(error.hint):
            return replace(error, hint=error.hint(found[1]))
        if found:
            return error
    return None
