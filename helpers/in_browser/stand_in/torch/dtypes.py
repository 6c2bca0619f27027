"""Types of numbers, and which one a result has; PyTorch's rules differ from NumPy's."""

import math
from typing import Any

import numpy as np


class dtype:
    """A type of numbers, with NumPy's type that holds them and the name that errors call it."""

    def __init__(self, name: str, held: Any, called: str, tensor: str) -> None:
        self.name, self.held, self.called, self.tensor = name, np.dtype(held), called, tensor
        self.is_floating_point, self.is_complex = self.held.kind == "f", self.held.kind == "c"
        self.itemsize = 2 if name == "bfloat16" else self.held.itemsize

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


bool_ = dtype("bool", np.bool_, "bool", "Bool")
uint8 = dtype("uint8", np.uint8, "unsigned char", "Byte")
int8 = dtype("int8", np.int8, "signed char", "Char")
int16 = dtype("int16", np.int16, "short int", "Short")
int32 = dtype("int32", np.int32, "int", "Int")
int64 = dtype("int64", np.int64, "long int", "Long")
float16 = dtype("float16", np.float16, "c10::Half", "Half")
float32 = dtype("float32", np.float32, "float", "Float")
float64 = dtype("float64", np.float64, "double", "Double")
complex64 = dtype("complex64", np.complex64, "c10::complex<float>", "ComplexFloat")
complex128 = dtype("complex128", np.complex128, "c10::complex<double>", "ComplexDouble")
bfloat16 = dtype("bfloat16", np.float32, "c10::BFloat16", "BFloat16")
"""NumPy has no such type: its numbers are rounded and held as float32."""

ALL = (
    bool_, uint8, int8, int16, int32, int64, float16, float32, float64, complex64, complex128, bfloat16
)  # fmt: skip
OF = {one.held: one for one in ALL if one is not bfloat16}
if np.dtype(np.int_).itemsize == 4:  # in Pyodide, whose arrays of whole numbers come as int64 elsewhere
    OF[int32.held] = int64
PYTHON = {float: float64, int: int64, bool: bool_, complex: complex128}
KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
settings = {"dtype": float32, "bfloat16": False}
"""The type of numbers that are given none; and whether there has been any bfloat16."""


def held(wanted: Any, name: str = "to") -> np.dtype:
    """NumPy's type for one of PyTorch's, or Python's."""
    if isinstance(wanted, dtype):
        settings["bfloat16"] |= wanted is bfloat16
        return wanted.held
    if wanted in PYTHON:
        return PYTHON[wanted].held
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(wanted).__name__}")


def brain(array: np.ndarray) -> np.ndarray:
    """Round float32 as bfloat16 does, to the nearest and then to even."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), np.float32(np.nan), rounded.view(np.float32)).reshape(array.shape)


def common(one: np.dtype, other: np.dtype) -> np.dtype:
    """The type of a result of two tensors: floats keep their width beside whole numbers."""
    if one == other:
        return one
    ranks = KINDS[one.kind], KINDS[other.kind]
    if ranks[0] == ranks[1] or ranks == (2, 3) or ranks == (3, 2):
        return np.promote_types(one, other)
    return one if ranks[0] > ranks[1] else other


def of_number(value: Any) -> np.dtype:
    """The type that a Python number has among tensors."""
    if isinstance(value, bool | np.bool_):
        return bool_.held
    if isinstance(value, int | np.integer):
        return int64.held
    if isinstance(value, complex) and not isinstance(value, float):
        return (complex128 if settings["dtype"] is float64 else complex64).held
    return settings["dtype"].held


class Size(tuple):
    """A shape."""

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        """How many entries."""
        return math.prod(self)

    def __add__(self, other: tuple[int, ...]) -> "Size":
        return Size(tuple(self) + tuple(other))

    def __getitem__(self, at: Any) -> Any:
        found = tuple.__getitem__(self, at)
        return Size(found) if isinstance(at, slice) else found


Size.__name__ = "torch.Size"  # so that errors say it


class finfo:
    """The limits of a floating type."""

    def __init__(self, of: Any = None) -> None:
        of = of or settings["dtype"]
        if held(of).kind not in "fc":
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        found = np.finfo(held(of))
        self.min, self.max, self.eps, self.tiny = (
            float(x) for x in (found.min, found.max, found.eps, found.tiny)
        )
        if of is bfloat16:
            self.max, self.eps = 3.3895313892515355e38, 0.0078125
            self.min = -self.max
        self.smallest_normal, self.bits, self.dtype = self.tiny, found.bits, str(found.dtype)


class iinfo:
    """The limits of a whole type."""

    def __init__(self, of: Any) -> None:
        found = np.iinfo(held(of))
        self.min, self.max, self.bits = int(found.min), int(found.max), found.bits
