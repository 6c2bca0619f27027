"""Stands in a browser where PyTorch would: as much of it as this course uses, over NumPy.

The site's build puts this package beside `helpers`; nowhere else is it ever on the path. It makes no promise to
other code: what the course's units, its checks and the answers to its exercises do, it does as PyTorch, with the
same errors and the same random numbers, and any other name says that it is absent (`absent.py`).
"""

import math
import sys
from typing import Any

from torch import (
    absent,
    creation,
    graph,
    indexing,
    op,
    pointwise,
    products,
    random,
    reductions,
    shapes,
    tensor,
)
from torch.dtypes import (
    Size,
    bfloat16,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    settings,
    uint8,
)  # fmt: skip
from torch.dtypes import bool_ as bool
from torch.errors import NoPyTorch
from torch.graph import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from torch.random import Generator, default_generator, get_rng_state, manual_seed, seed, set_rng_state
from torch.reductions import return_types
from torch.tensor import Tensor, UntypedStorage

STAND_IN = True
__version__ = "2.13.0+stand-in"
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
float, double, half, long, int, short, cfloat = float32, float64, float16, int64, int32, int16, complex64


class device:
    """Where a tensor lies: in the processor's memory."""

    def __init__(self, type: Any = "cpu", index: Any = None) -> None:
        self.type, self.index = getattr(type, "type", type), index

    def __repr__(self) -> str:
        return f"device(type={self.type!r})"

    def __str__(self) -> str:
        return self.type

    def __eq__(self, other: object) -> Any:
        return isinstance(other, device) and other.type == self.type

    def __hash__(self) -> Any:
        return hash(self.type)


class FloatTensor(Tensor):
    """An older way to make float32."""


def get_default_dtype() -> dtype:
    """The type of floats that are given none."""
    return settings["dtype"]


def set_default_dtype(d: dtype) -> None:
    """Choose it."""
    settings["dtype"] = d


def get_default_device() -> device:
    """The processor."""
    return device("cpu")


def set_default_device(device: Any) -> None:
    """There is no other."""


def get_num_threads() -> Any:
    """One."""
    return 1


def set_num_threads(_number: Any) -> None:
    """It stays one."""


def are_deterministic_algorithms_enabled() -> Any:
    """They always are; nothing asks for it."""
    return False


is_deterministic_algorithms_warn_only_enabled = are_deterministic_algorithms_enabled


def use_deterministic_algorithms(mode: Any, *, warn_only: Any = False) -> None:
    """They always are."""


def typename(obj: Any) -> str:
    """What an error calls a value's type."""
    from torch.nn.modules.module import typename

    return typename(obj)


for _part in (shapes, indexing, pointwise):
    _part.finish()
tensor.finish()
for _name, _one in op.FUNCTIONS.items():
    globals()[_name] = _one
from torch import autograd, distributions, func, linalg, nn, optim, overrides, utils
from torch.utils import _python_dispatch

cosine_similarity = nn.functional.cosine_similarity
tensor = op.FUNCTIONS["tensor"]
for _name, _one in list(sys.modules.items()):
    if _name.partition(".")[0] == "torch":
        _one.__class__ = absent.Module
absent.finish()

__all__ = [
    "Generator",
    "NoPyTorch",
    "Size",
    "Tensor",
    "UntypedStorage",
    "_python_dispatch",
    "autograd",
    "bfloat16",
    "bool",
    "complex128",
    "creation",
    "default_generator",
    "distributions",
    "enable_grad",
    "finfo",
    "func",
    "get_rng_state",
    "graph",
    "iinfo",
    "inference_mode",
    "int8",
    "is_grad_enabled",
    "linalg",
    "manual_seed",
    "nn",
    "no_grad",
    "optim",
    "overrides",
    "products",
    "random",
    "reductions",
    "return_types",
    "seed",
    "set_grad_enabled",
    "set_rng_state",
    "uint8",
    "utils",
]  # fmt: skip
