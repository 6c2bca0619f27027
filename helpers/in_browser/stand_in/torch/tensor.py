"""A tensor: a NumPy array, what it was computed from, and whose memory it shares."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from torch import graph
from torch.dtypes import KINDS, OF, Size, bfloat16, brain, common, of_number, settings
from torch.op import METHODS, looked_at

GRAD_TO_NUMPY = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."


class UntypedStorage:
    """Memory that tensors share.

    Attributes:
        version: how often it was written to.
    """

    __slots__ = ("__weakref__", "array", "version")

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.version = array, 0

    @property
    def _cdata(self) -> int:
        return id(self)

    def nbytes(self) -> int:
        """Its size."""
        return self.array.nbytes

    def data_ptr(self) -> int:
        """Where it lies."""
        return self.array.__array_interface__["data"][0]


class _Kind(type):
    """The class of tensors: it has methods that the stand-in lacks, by name."""

    def __getattr__(cls, name: str) -> Any:
        from torch.absent import of_tensors

        return of_tensors(name, f"type object '{cls.__name__}' has no attribute '{name}'")

    def __dir__(cls) -> list[str]:
        from torch.absent import NAMES

        return [*type.__dir__(cls), *NAMES["Tensor"]]


class Tensor(metaclass=_Kind):
    """See `torch.tensor`; `torch.Tensor(...)` makes float32 of data, or an uninitialised one of sizes."""

    __array_priority__ = 1000
    __module__ = "torch"
    is_cuda = is_sparse = is_quantized = False
    _base: Any = None
    _node: Any = None
    _among: Any = None
    _rg = _brain = False
    _history = _seen = 0
    grad: Any = None

    def __new__(cls, *data: Any) -> Any:
        if len(data) == 1 and not isinstance(data[0], int):
            found = data[0]._a if isinstance(data[0], Tensor) else np.array(data[0])
            return cls._plain(found.astype(np.float32, copy=not isinstance(data[0], Tensor)))
        return cls._plain(np.zeros(data or 0, np.float32))

    @classmethod
    def _plain(cls, array: Any) -> Any:
        one = object.__new__(Tensor)
        one._a = array = array if type(array) is np.ndarray else np.asarray(array)
        one._storage = UntypedStorage(array)
        return one

    def _target(self) -> Any:
        """Where a gradient goes: the node that this tensor came from, or itself; `None` if nowhere."""
        base = self._base
        if base is not None and self._seen != base._history:  # written to since, through another view
            self._seen, target = base._history, base._target()
            self._node = target and graph.Node(
                [(target, lambda g: _spread(base, self, g), base._a.shape, base._a.dtype)],
                "AsStridedBackward0",
            )
        return self._node or (self if self._rg else None)

    @property
    def requires_grad(self) -> bool:
        return self._target() is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if wanted and self._a.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if not wanted and self._node:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        self._rg = bool(wanted)

    @property
    def grad_fn(self) -> Any:
        target = self._target()
        return target if isinstance(target, graph.Node) else None

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def data(self) -> Any:
        return self.detach()

    @data.setter
    def data(self, other: Any) -> None:
        self._a, self._storage, self._base, self._brain = other._a, other._storage, None, other._brain

    @property
    def shape(self) -> Size:
        return Size(self._a.shape)

    @property
    def dtype(self) -> Any:
        return bfloat16 if self._brain else OF[self._a.dtype]

    ndim = property(lambda self: self._a.ndim)
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self._a.nbytes)
    _version = property(lambda self: self._storage.version)

    @property
    def device(self) -> Any:
        from torch import device

        return device("cpu")

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.numpy(), dtype)

    def __array_wrap__(self, array: Any, _context: Any = None, _scalar: bool = False) -> Any:
        array = np.asarray(array)
        return looked_at(Tensor._plain(array.astype(np.uint8) if array.dtype == bool else array))

    def __getattr__(self, name: str) -> Any:
        from torch.absent import of_tensors

        return of_tensors(name, f"'{type(self).__name__}' object has no attribute '{name}'", self)

    def __repr__(self, **_: Any) -> str:
        from torch.printing import shown

        return shown(self)

    def __format__(self, form: str) -> str:
        return object.__format__(self, form) if self._a.ndim else format(self.item(), form)

    def __hash__(self) -> int:
        return id(self)

    def __deepcopy__(self, memo: dict) -> Any:
        if self._node:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
                "the moment. If you were attempting to deepcopy a module, this may be because of a torch.nn."
                "utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        memo[id(self)] = one = object.__new__(type(self))
        one._a = self._a.copy()
        one._storage, one._rg, one._brain = UntypedStorage(one._a), self._rg, self._brain
        one.grad = None if self.grad is None else Tensor._plain(self.grad._a.copy())
        return one

    def __reduce_ex__(self, _protocol: int) -> Any:
        return _unpickled, (type(self), self._a.copy(), self._rg, self._brain)

    def __len__(self) -> int:
        if not self._a.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self._a)

    def __iter__(self) -> Iterator[Any]:
        if not self._a.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __bool__(self) -> bool:
        if self._a.size != 1:
            several = "more than one value" if self._a.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {several} is ambiguous")
        return bool(self._a.item())

    def _one(self) -> Any:
        if self._a.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._a.item()

    def __float__(self) -> float:
        return float(self._one())

    def __int__(self) -> int:
        return int(self._one())

    def __complex__(self) -> complex:
        return complex(self._one())

    def __index__(self) -> int:
        if self._a.size != 1 or self._a.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._a.item())

    def __contains__(self, one: Any) -> bool:
        if isinstance(one, Tensor | int | float | complex | bool):
            return bool((self == one).any())
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(one)}."
        )


def _unpickled(cls: type, array: np.ndarray, rg: bool, brain: bool) -> Any:
    one = object.__new__(cls)
    one._a, one._storage, one._rg, one._brain = array, UntypedStorage(array), rg, brain
    return one


def made(array: Any, name: str, *parents: tuple) -> Any:
    """A new tensor.

    Args:
        array: its numbers.
        name: of the step, in PyTorch's words.
        parents: what it was computed from: each tensor with the function that carries a gradient to it, and
            with the tensors whose numbers that reads; `True` stands for the result.
    """
    one = Tensor._plain(array)
    if graph.mode["grad"] and parents:
        _came_from(one, name, parents)
    return one


def _came_from(one: Any, name: str, parents: tuple) -> None:
    edges, saved = [], []
    for parent, carry, *reads in parents:
        if isinstance(parent, Tensor) and (target := parent._target()) is not None:
            edges.append((target, carry, parent._a.shape, parent._a.dtype))
            saved += [one if x is True else x for x in reads]
    if edges and one._a.dtype.kind in "fc":
        one._node = graph.Node(edges, f"{name}Backward0")
        one._node.saved = tuple(
            (x._storage, x._storage.version, _called(x)) for x in saved if isinstance(x, Tensor)
        )


def _called(one: Any) -> str:
    """What an error calls a tensor that was written into."""
    from_ = f", which is output 0 of {one._node.name.removesuffix('Backward0')}," if one._node else ""
    return f"[torch.{one.dtype.tensor}Tensor {list(one._a.shape)}]{from_}"


def viewed(one: Any, array: np.ndarray, name: str, back: Callable) -> Any:
    """A tensor that shares the memory of another one."""
    view = object.__new__(Tensor)
    view._a, view._storage, view._brain = array, one._storage, one._brain
    view._base = one._base if one._base is not None else one
    view._seen = view._base._history
    if graph.mode["grad"]:
        _came_from(view, name, ((one, back),))
    return view


def _within(base: Any, g: np.ndarray | None) -> np.ndarray:
    """Memory laid out as that of a tensor, with a gradient in it; and a window on it."""
    strides = [s // base._a.itemsize for s in base._a.strides]
    room = np.zeros(1 + sum((n - 1) * s for n, s in zip(base._a.shape, strides, strict=True)), base._a.dtype)
    if g is not None:
        _window(base, base, room)[...] = g
    return room


def _window(base: Any, view: Any, room: np.ndarray) -> np.ndarray:
    start = (view._a.ctypes.data - base._a.ctypes.data) // base._a.itemsize
    return as_strided(room[start:], view._a.shape, view._a.strides)


def _spread(base: Any, view: Any, g: np.ndarray) -> np.ndarray:
    """The gradient of a base, from that of its view."""
    room = _within(base, None)
    _window(base, view, room)[...] = g
    return _window(base, base, room).copy()


def before(one: Any) -> Any:
    """What a tensor is that will be written to, for the way back."""
    if not (graph.mode["grad"] and one.requires_grad):
        return one
    kept = Tensor._plain(one._a.copy())
    kept._node, kept._rg, kept._brain = one._target(), one._rg, one._brain
    return kept if isinstance(kept._node, graph.Node) else one


def written(one: Any, result: Any, at: Any = None) -> Any:
    """Write a result into a tensor in place; the tensor then comes from what the result came from.

    Args:
        one: the tensor.
        result: a tensor that broadcasts to it.
        at: where it is written, if the result is only for a part and no gradient is kept.

    Raises:
        RuntimeError: when a leaf that requires a gradient would be changed.
    """
    if graph.mode["grad"] and one._target() is one:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if graph.mode["grad"] and one._base is not None and one._base._rg and one._base._node is None:
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place operation."
        )
    if any(step == 0 and n > 1 for step, n in zip(one._a.strides, one._a.shape, strict=True)):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )
    if one._among and graph.mode["grad"] and (one.requires_grad or result.requires_grad):
        raise RuntimeError(
            f"Output {one._among[1]} of {one._among[0]} is a view and is being modified inplace. This view is the "
            "output of a function that returns multiple views. Such functions do not allow the output views to be "
            "modified inplace. You should replace the inplace operation by an out-of-place one."
        )
    np.copyto(one._a, result._a, casting="unsafe")
    one._storage.version += 1
    if graph.mode["grad"] and (result._target() is not None or one.requires_grad):
        base, came = one._base, result._target()
        if base is None:
            one._node = came
            if came is result:  # a leaf's numbers were copied
                one._node = graph.Node(
                    [(came, lambda g: g, result._a.shape, result._a.dtype)], "CopyBackwards"
                )
            one._history += 1
            one._seen = one._history
        else:
            shape, old = base._a.shape, base._target()
            edges = []
            if old is not None:
                edges.append((old, lambda g: _emptied(base, one, g), shape, base._a.dtype))
            if came is not None:
                cut = lambda g: _window(base, one, _within(base, g)).copy()  # noqa: E731
                edges.append((came, cut, result._a.shape, result._a.dtype))
            base._node = graph.Node(edges, "CopySlices")
            base._history += 1
    return one


def _emptied(base: Any, view: Any, g: np.ndarray) -> np.ndarray:
    room = _within(base, g)
    _window(base, view, room)[...] = 0
    return _window(base, base, room).copy()


def result_type(*given: Any) -> np.dtype:
    """The type of a result: tensors with axes decide, unless one number is of a higher kind."""
    found: list[np.dtype | None] = [None, None, None]
    for one in given:
        place = (0 if one._a.ndim else 1) if isinstance(one, Tensor) else 2
        its = one._a.dtype if place < 2 else of_number(one)
        found[place] = its if found[place] is None else common(found[place], its)
    result = None
    for its in found:
        if its is not None and (result is None or KINDS[its.kind] > KINDS[result.kind]):
            result = its
    return result


def arrays(*given: Any) -> list[np.ndarray]:
    """The numbers of tensors and plain numbers, of one type."""
    first = given[0]
    if all(isinstance(one, Tensor) and one._a.dtype == first._a.dtype for one in given):
        return [one._a for one in given]
    kind = result_type(*given)
    found = [
        one._a.astype(kind, copy=False) if isinstance(one, Tensor) else np.asarray(one, kind) for one in given
    ]
    if settings["bfloat16"] and all(one._brain for one in given if isinstance(one, Tensor)):
        found = [brain(one) if one.dtype.kind == "f" else one for one in found]
    return found


def unlike(*shapes: tuple[int, ...]) -> RuntimeError:
    """What is said of shapes that do not broadcast."""
    one, other = shapes[:2]
    for back in range(1, min(len(one), len(other)) + 1):
        a, b = one[-back], other[-back]
        if a != b and 1 not in (a, b):
            return RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension "
                f"{max(len(one), len(other)) - back}"
            )
    return RuntimeError(f"shapes {one} and {other} do not broadcast")


def floating(one: Any) -> np.ndarray:
    """A tensor's numbers, whole ones as floats."""
    return one._a if one._a.dtype.kind in "fc" else one._a.astype(settings["dtype"].held)


def is_number(value: Any) -> bool:
    """Whether it is a plain number, of Python or NumPy."""
    return isinstance(value, int | float | complex | np.generic)


WORDS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "floor_divide": "//", "remainder": "%",
    "matmul": "@", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
}  # fmt: skip
_DUNDER = {
    "div": "truediv", "floor_divide": "floordiv", "remainder": "mod",
    "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
}  # fmt: skip


def _other(one: Any, other: Any) -> Any:
    """What an operator's other side is among tensors; NotImplemented where it is nothing of the kind."""
    if isinstance(other, Tensor) or type(other) in (int, float, bool):
        return other
    if isinstance(other, np.generic):
        return other.item()
    return other if isinstance(other, complex) else NotImplemented


def _operators(name: str) -> None:
    dunder, run = _DUNDER.get(name, name), METHODS[name]

    def ahead(self: Any, other: Any) -> Any:
        other = _other(self, other)
        return other if other is NotImplemented else run(self, other)

    def behind(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            raise TypeError(
                f"unsupported operand type(s) for {WORDS[name]}: 'numpy.ndarray' and '{type(self).__name__}'"
            )
        other = _other(self, other)
        return (
            other
            if other is NotImplemented
            else run(Tensor._plain(np.asarray(other, result_type(self, other))), self)
        )

    def within(self: Any, other: Any) -> Any:
        other = _other(self, other)
        return other if other is NotImplemented else getattr(self, f"{name}_")(other)

    for start, one in (("", ahead), ("r", behind), ("i", within)):
        setattr(Tensor, f"__{start}{dunder}__", one)


def _compared(name: str) -> None:
    run = METHODS[name]

    def compared(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray) and name in ("eq", "ne"):
            other = Tensor._plain(other)
        other = _other(self, other)
        return other if other is NotImplemented else run(self, other)

    setattr(Tensor, f"__{name}__", compared)


def finish() -> None:
    """Give the class its methods, once all are known."""
    for name, one in METHODS.items():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, one)
    for name in WORDS:
        _operators(name)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        _compared(name)
    Tensor.__neg__ = lambda self: METHODS["neg"](self)
    Tensor.__pos__ = lambda self: self
    Tensor.__abs__ = lambda self: METHODS["abs"](self)
    Tensor.__invert__ = lambda self: METHODS["bitwise_not"](self)
