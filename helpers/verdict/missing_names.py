"""What to say of a name that is not there: of a variable, of an array, a tensor, a list or a module."""

import keyword
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from helpers import reference
from helpers.beside.place import nearest
from helpers.beside.pytorch import pytorch
from helpers.units import UNIT_OF

ALIKE = 0.8
"""So like are `tranpose` and `transpose`, and not `sqrt` and `sort`."""

VARIABLES = {
    "math": "Write `import math` first; NumPy has the same functions for whole arrays, such as `np.exp`.",
    "nn": "Write `from torch import nn` first.",
    "F": "Write `import torch.nn.functional as F` first.",
    "self": "In a method `self` is the first argument; a plain function has none. What should stand there?",
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

OF_ARRAYS = {
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
    "index": "lists have one. `np.flatnonzero(x == value)` finds the places of a value.",
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

OF_NUMPY = {
    "cat": "`np.concatenate` joins arrays.",
    "softmax": _NO_SOFTMAX,
    "tensor": "`np.array` makes an array.",
    "norm": OF_ARRAYS["norm"],
    "permute": OF_ARRAYS["permute"],
    "unsqueeze": "`np.expand_dims` puts an axis of length 1 in.",
    "masked_fill": OF_ARRAYS["masked_fill"],
    "relu": "`np.maximum(x, 0)` cuts off at 0.",
    "reduce_sum": "`np.sum` adds up.",
    **{name: "`@` is the matrix product." for name in ("mm", "bmm", "matrix_multiply")},
}
"""The same for functions of the module."""

OF_TENSORS = {
    "logits": "if it came out of a model, it is the logits themselves.",
    "append": "a tensor does not grow. `torch.cat` joins tensors along an axis.",
    "extend": "a tensor does not grow. `torch.cat` joins tensors along an axis.",
    "astype": "that is NumPy's word. `x.to(...)`, `x.float()` and `x.long()` change the type of the numbers.",
    "copy": "that is NumPy's word. `x.clone()` makes a copy.",
    "array": "`torch.tensor` makes a tensor.",
    "length": "`len(x)` counts its rows, and `x.shape` has all sizes.",
    "len": "`len(x)` counts its rows, and `x.shape` has all sizes.",
    "index": "lists have one. `(x == value).nonzero()` finds the places of a value.",
}
"""What PyTorch's tensors have in the place of methods that people know from elsewhere."""

_OF_ITS_OWN = "after a dot comes what it has of its own; a product is `@` or `*`."


def of_variable(name: str, near: str | None) -> str:
    """Of a name that is not defined; `near` is the nearest one that is."""
    if name in UNIT_OF:
        says = f"`{name}` is from unit {UNIT_OF[name][:2]}: run its cell there; in another notebook copy it"
        return f"{says}, or use `reference.{name}`." if hasattr(reference, name) else f"{says}."
    if name in VARIABLES:
        return VARIABLES[name]
    if len(name) > 1 and hasattr(np, name):
        return f"If you mean NumPy's: that is `np.{name}`."
    if near:
        return f"`{near}` is there: is it meant?"
    return (
        "Is it spelled right? What makes it has to run first; better, a function takes what it needs as an "
        "argument."
    )


def of_array(name: str) -> str:
    """Of something that NumPy arrays do not have."""
    if name in OF_ARRAYS:
        return f"NumPy arrays have no `{name}`: {OF_ARRAYS[name]}"
    if callable(getattr(np, name, None)):
        return f"With NumPy this is a function: `np.{name}(x)`."
    if hasattr(list, name):
        return f"Lists have `{name}`; this is a NumPy array."
    if _tensors_have(name):
        return "This is a NumPy array, not a PyTorch tensor: their methods differ."
    if near := nearest(name, dir(np.ndarray), ALIKE):
        return f"NumPy arrays have no `{name}`: is `{near}` meant?"
    return f"A NumPy array has no `{name}`: {_OF_ITS_OWN}"


def of_tensor(name: str) -> str:
    """Of something that PyTorch's tensors do not have."""
    torch = pytorch()
    if name in OF_TENSORS:
        return f"Tensors have no `{name}`: {OF_TENSORS[name]}"
    for module, at in ((torch, "torch"), (torch and torch.nn.functional, "F")):
        if callable(getattr(module, name, None)):
            return f"With PyTorch this is a function: `{at}.{name}`."
    if hasattr(np.ndarray, name):
        return f"NumPy arrays have `{name}`; this is a PyTorch tensor: their methods differ."
    if hasattr(dict, name):
        return f"A dict has `{name}`; this is a tensor. Is it one of the dict's values already?"
    if torch and (near := nearest(name, dir(torch.Tensor), ALIKE)):
        return f"Tensors have no `{name}`: is `{near}` meant?"
    return f"A tensor has no `{name}`: {_OF_ITS_OWN}"


def of_list(name: str) -> str:
    """Of something that lists do not have."""
    if hasattr(np.ndarray, name) or callable(getattr(np, name, None)) or _tensors_have(name):
        made = "`np.array(...)` makes an array of one, `torch.stack(...)` a tensor of several"
        return f"Lists have no `{name}`: {made}."
    if name in ("add", "push"):
        return "Lists grow with `append`."
    if name in ("length", "len"):
        return "`len(x)` counts its entries."
    near = nearest(name, dir(list), ALIKE)
    return f"Lists have no `{name}`{f': is `{near}` meant?' if near else '.'}"


def of_number(name: str) -> str:
    """Of something that plain numbers do not have."""
    if hasattr(np, name):
        return f"A plain number has no `{name}`: it is not an array, or `np` has been given another value."
    return f"A plain number has no `{name}`: should an array stand there?"


def of_module(module: str, name: str) -> str:
    """Of something that a module does not have."""
    if module == "numpy" and name in OF_NUMPY:
        return f"NumPy has no `{name}`: {OF_NUMPY[name]}"
    torch = pytorch()
    known: dict[str, Any] = {"numpy": np, "math": math}
    if torch:
        known |= {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional}
    called = {"numpy": "NumPy", "torch.nn": "`nn`", "torch.nn.functional": "`F`"}.get(module, f"`{module}`")
    if module == "torch" and name in ("array", "astype"):
        return f"`torch` has no `{name}`: {OF_TENSORS[name]}"
    if module == "torch" and torch and hasattr(torch.nn, name):
        return f"`nn.{name}` is there, not `torch.{name}`."
    near = nearest(name, [*_public(known.get(module)), *(OF_NUMPY if module == "numpy" else ())], ALIKE)
    if module == "numpy" and near in OF_NUMPY:
        return f"NumPy has no `{near}` either: {OF_NUMPY[near]}"
    return f"{called} has no `{name}`{f': is `{near}` meant?' if near else '.'}"


def of_own_class(kind: str, name: str) -> str:
    """Of something that an object does not have, of a class of the learner's own, as a rule."""
    torch = pytorch()
    if not kind.isidentifier() or not kind[0].isupper() or hasattr(torch and torch.nn, kind):
        return f"What stands before the dot has no `{name}`. Is it spelled right, and is it what you mean?"
    there = f"is `self.{name} = ...` in `__init__`, or `def {name}` in the class"
    return f"Nothing called `{name}` is in that object. If it is `self`: {there}?"


def _public(module: Any) -> Iterable[str]:
    return [one for one in dir(module) if not keyword.iskeyword(one)] if module else []


def _tensors_have(name: str) -> bool:
    torch = pytorch()
    return bool(torch) and hasattr(torch.Tensor, name)
