"""New tensors: of data, of one number, of a range."""

import math
from typing import Any

import numpy as np

from torch.dtypes import OF, held, of_number, settings
from torch.op import METHODS, function, kind, method, sizes
from torch.tensor import Tensor, made


def _array(data: Any, dtype: Any = None) -> np.ndarray:
    """Data as an array of PyTorch's type for it."""
    if isinstance(data, Tensor):
        return data._a.astype(held(dtype), copy=True) if dtype else data._a.copy()
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if data is None:
        raise RuntimeError("Could not infer dtype of NoneType")
    if isinstance(data, list | tuple):
        _must_be_regular(data)
        data = _plain_list(data)
    found = np.array(data)
    if found.dtype.kind in "OUS":
        item = found.flat[0] if found.size else None
        name = type(item).__name__
        if isinstance(item, str):
            raise ValueError("too many dimensions 'str'")
        raise RuntimeError(f"Could not infer dtype of {name}")
    if dtype:
        with np.errstate(all="ignore"):
            return found.astype(held(dtype))
    if isinstance(data, np.ndarray | np.generic):
        return found
    flat = data
    while isinstance(flat, list) and flat:
        flat = flat[0]
    if isinstance(flat, np.ndarray | np.generic) and not isinstance(flat, float):
        return found
    if isinstance(flat, np.float64):
        return found
    if found.dtype.kind == "f" and not found.size:
        return found.astype(settings["dtype"].held)
    return found.astype(of_number(found.flat[0]) if found.size else settings["dtype"].held)


def _must_be_regular(data: Any, depth: int = 0) -> None:
    rows = [one for one in data if isinstance(one, list | tuple)]
    if rows:
        for one in data:
            if not isinstance(one, list | tuple) or len(one) != len(rows[0]):
                got = len(one) if isinstance(one, list | tuple) else 0
                raise ValueError(f"expected sequence of length {len(rows[0])} at dim {depth + 1} (got {got})")
        for one in rows:
            _must_be_regular(one, depth + 1)


def _plain_list(data: Any) -> Any:
    if isinstance(data, list | tuple):
        return [_plain_list(one) for one in data]
    return data._one() if isinstance(data, Tensor) else data


def _with(array: Any, requires_grad: bool = False) -> Any:
    one = made(array, "New")
    if requires_grad:
        one.requires_grad = True
    return one


@function
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor that holds a copy of data."""
    found = _with(_array(data, dtype), requires_grad)
    found._brain = str(dtype) == "torch.bfloat16"
    return found


@function
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """A tensor of data; an array's memory is shared where it can be."""
    if isinstance(data, Tensor):
        return METHODS["to"].run(data, dtype) if dtype else data
    if isinstance(data, np.ndarray):
        found = from_numpy(data)
        return METHODS["to"].run(found, dtype) if dtype else found
    return tensor(data, dtype=dtype)


for _name in ("asarray",):
    function(as_tensor, name=_name)


@function
def from_numpy(ndarray: Any) -> Any:
    """A tensor on the memory of an array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {kind(ndarray).replace('numpy.', '')})")
    a = ndarray.view(np.ndarray)
    if a.dtype not in OF:
        raise TypeError(
            f"can't convert np.ndarray of type {a.dtype.type.__module__}.{a.dtype.type.__name__}. The only "
            "supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
            "uint64, uint32, uint16, uint8, and bool."
        )
    if any(step < 0 for step in a.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are "
            "not currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    return Tensor._plain(a)


def _sized(name: str, fill: Any) -> None:
    def new(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Any:
        shape = sizes(size, "size", name)
        if any(n < 0 for n in shape):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        return _with(np.full(shape, fill, held(dtype or settings["dtype"], name)), requires_grad)

    def like(
        input: "Tensor", *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
    ) -> Any:
        return _with(np.full(input._a.shape, fill, held(dtype or input.dtype)), requires_grad)

    def of(input: "Tensor", *size: Any, dtype: Any = None, device: Any = None, **_: Any) -> Any:
        shape = sizes((_.get("size") and (_["size"],)) or size)
        return _with(np.full(shape, fill, held(dtype or input.dtype)))

    function(new, name=name)
    function(like, name=f"{name}_like")
    method(of, name=f"new_{name}")


_sized("zeros", 0)
_sized("ones", 1)
_sized("empty", 0)


@function
def full(
    size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """One number everywhere."""
    if not isinstance(size, tuple | list):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {kind(size)}")
    value = fill_value._a if isinstance(fill_value, Tensor) else fill_value
    own = value.dtype if isinstance(value, np.ndarray) else of_number(value)
    return _with(np.full(sizes((size,)), value, held(dtype) if dtype else own), requires_grad)


@function
def full_like(input: "Tensor", fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """One number, in the shape of a tensor."""
    value = fill_value._a if isinstance(fill_value, Tensor) else fill_value
    with np.errstate(all="ignore"):
        return _with(np.full(input._a.shape, value, held(dtype or input.dtype)))


@method
def new_full(input: "Tensor", size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """One number, in the type of a tensor."""
    return _with(np.full(sizes((size,)), fill_value, held(dtype or input.dtype)))


@method
def new_tensor(input: "Tensor", data: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Data in the type of a tensor."""
    return tensor(data, dtype=dtype or input.dtype)


@function
def arange(
    *ends: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **named: Any
) -> Any:
    """Numbers at equal steps, without the end."""
    ends = (*ends, *(named[name] for name in ("start", "end", "step") if name in named))
    for place, one in enumerate(ends, start=1):
        if not isinstance(one, int | float | np.number | Tensor):
            name = "end" if len(ends) == 1 else ("start", "end", "step")[place - 1]
            raise TypeError(f"arange(): argument '{name}' (position {place}) must be Number, not {kind(one)}")
    numbers = [one.item() if isinstance(one, Tensor | np.number) else one for one in ends]
    start, end, step = (0, *numbers, 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(one, int) for one in numbers)
    wanted = held(dtype) if dtype else (np.dtype(np.int64) if whole else settings["dtype"].held)
    count = math.ceil((end - start) / step)
    return _with((start + step * np.arange(count, dtype=np.int64)).astype(wanted), requires_grad)


@function
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None) -> Any:
    """So many numbers at equal steps, with the end."""
    kind = held(dtype or settings["dtype"])
    start, end, at = kind.type(start), kind.type(end), np.arange(steps).astype(kind)
    step = (end - start) / kind.type(max(1, steps - 1))
    return _with(
        np.where(at < (steps + 1) // 2, start + step * at, end - step * (steps - 1 - at)).astype(kind)
    )


@function
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None
) -> Any:
    """So many powers."""
    return _with(
        (base ** np.linspace(float(start), float(end), steps)).astype(held(dtype or settings["dtype"]))
    )


@function
def eye(n: int, m: Any = None, *, dtype: Any = None, device: Any = None) -> Any:
    """Ones on the diagonal."""
    if n < 0:
        raise RuntimeError(f"n must be greater or equal to 0, got {n}")
    return _with(np.eye(n, m, dtype=held(dtype or settings["dtype"])))


def _indices(name: str, run: Any) -> None:
    def indices(row: int, col: int, offset: int = 0, **_: Any) -> Any:
        return _with(np.stack(run(row, offset, col)).astype(np.int64))

    function(indices, name=f"{name}_indices")


_indices("tril", np.tril_indices)
_indices("triu", np.triu_indices)


@method
def numpy(input: "Tensor", *, force: bool = False) -> Any:
    """The numbers as an array on the same memory."""
    if force:
        return input._a
    if input.requires_grad:
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
    if input._brain:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return input._a


def _told(name: str, run: Any) -> None:
    method(run, name=name)


_told("numel", lambda input: input._a.size)
_told("nelement", lambda input: input._a.size)
_told("dim", lambda input: input._a.ndim)
_told("ndimension", lambda input: input._a.ndim)
_told("element_size", lambda input: input._a.itemsize)
_told("data_ptr", lambda input: input._a.__array_interface__["data"][0])
_told("untyped_storage", lambda input: input._storage)
_told("is_floating_point", lambda input: input._a.dtype.kind == "f")
_told("is_complex", lambda input: input._a.dtype.kind == "c")
_told("cpu", lambda input: input)
_told("resolve_conj", lambda input: input)
_told(
    "backward",
    lambda input, gradient=None, retain_graph=None, create_graph=False: _backward(
        input, gradient, retain_graph
    ),
)
function(lambda input: input._a.size, name="numel")
function(lambda input: input._a.dtype.kind == "f", name="is_floating_point")
function(lambda input: input._a.dtype.kind == "c", name="is_complex")
function(lambda obj: isinstance(obj, Tensor), name="is_tensor")


def _backward(input: Any, gradient: Any, keep: Any) -> None:
    from torch import graph

    graph.backward(input, gradient, keep)


@method
def stride(input: "Tensor", dim: Any = None) -> Any:
    """How far the next entry lies, along each axis."""
    steps = tuple(s // input._a.itemsize for s in input._a.strides)
    return steps if dim is None else steps[dim]


@method
def size(input: "Tensor", dim: Any = None) -> Any:
    """The shape, or the size of one axis."""
    from torch.op import axis

    return input.shape if dim is None else input._a.shape[axis(dim, input._a.ndim)]


@method(name="type")
def type_(input: "Tensor", dtype: Any = None) -> Any:
    """The name of its class; or the same numbers in another type."""
    if dtype is None:
        return f"torch.{input.dtype.tensor}Tensor"
    return METHODS["to"].run(input, dtype)


@method
def set_(input: "Tensor", source: Any) -> Any:
    """Take the memory of another tensor."""
    input._a, input._storage = source._a, source._storage
    return input


@method
def register_post_accumulate_grad_hook(input: "Tensor", hook: Any) -> Any:
    """Call a function when a gradient has come."""
    hooks = input.__dict__.setdefault("_hooks", {})
    hooks[id(hook)] = hook
    return Handle(hooks, id(hook))


class Handle:
    """Takes a hook away again."""

    def __init__(self, hooks: dict, key: int) -> None:
        self.hooks, self.key = hooks, key

    def remove(self) -> None:
        """Take it away."""
        self.hooks.pop(self.key, None)
