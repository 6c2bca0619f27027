"""What makes one number of many: sums, means, the largest; softmax with them; sorting."""

from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from torch.dtypes import held
from torch.op import METHODS, axis, op
from torch.tensor import Tensor, floating, made

return_types = SimpleNamespace()


def _result(name: str) -> Any:
    kind = namedtuple(name, ("values", "indices"))
    kind.__module__, kind.__qualname__ = "torch.return_types", name
    kind.__repr__ = lambda self: (
        f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"
    )
    kind.__radd__ = kind.__add__ = lambda self, other: NotImplemented
    kind.__name__ = f"torch.return_types.{name}"
    setattr(return_types, name, kind)
    return kind


def _axes(dim: Any, ndim: int) -> tuple[int, ...] | None:
    if dim is None or (isinstance(dim, tuple | list) and not dim):
        return None
    return tuple(axis(one, ndim) for one in (dim if isinstance(dim, tuple | list) else (dim,)))


def _back(g: np.ndarray, axes: tuple[int, ...] | None, keepdim: bool, shape: tuple[int, ...]) -> np.ndarray:
    """A gradient of what was reduced, in its shape."""
    if not keepdim and axes is not None and shape:
        g = np.expand_dims(g, axes)
    return np.broadcast_to(g, shape)


def _asked(dim: Any, name: str) -> None:
    for one in dim if isinstance(dim, tuple | list) else (dim,):
        if one is not None and not isinstance(one, int | np.integer):
            raise TypeError(f"{name}(): argument 'dim' must be tuple of ints, not {type(one).__name__}")


@op
def sum(input: "Tensor", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum; of whole numbers and booleans an int64."""
    _asked(dim, "sum")
    a, axes = input._a, _axes(dim, input._a.ndim)
    kind = held(dtype) if dtype else (a.dtype if a.dtype.kind in "fc" else np.dtype(np.int64))
    found = a.sum(axes if a.ndim else None, keepdims=keepdim, dtype=kind)
    return made(found, "Sum", (input, lambda g: _back(g, axes, keepdim, a.shape)))


@op
def mean(input: "Tensor", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean."""
    _asked(dim, "mean")
    a, axes = input._a, _axes(dim, input._a.ndim)
    a = a.astype(held(dtype)) if dtype else a
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
            f"dtype. Got: {input.dtype.tensor}"
        )
    with np.errstate(all="ignore"):
        total = a.sum(axes if a.ndim else None, keepdims=keepdim, dtype=a.dtype)
        many = a.size if axes is None else int(np.prod([a.shape[i] for i in axes if a.ndim]))
        found = np.asarray(total / a.dtype.type(many))
    return made(found, "Mean", (input, lambda g: _back(g / many, axes, keepdim, a.shape)))


@op
def var(
    input: "Tensor",
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """The variance."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    a, axes = input._a, _axes(dim, input._a.ndim)
    if a.dtype.kind not in "fc":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    fewer = int(unbiased) if correction is None else correction
    with np.errstate(all="ignore"):
        apart = a - a.mean(axes, keepdims=True)
        many = max(0, apart.size // max(1, apart.sum(axes).size) - fewer)
        found = np.asarray((apart * apart).sum(axes, keepdims=keepdim) / a.dtype.type(many))
    return made(found, "Var", (input, lambda g: _back(g, axes, keepdim, a.shape) * 2 * apart / many))


@op
def std(
    input: "Tensor",
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """The standard deviation."""
    return METHODS["sqrt"].run(var(input, dim, unbiased, keepdim, correction=correction))


@op
def prod(input: "Tensor", dim: Any = None, keepdim: bool = False) -> Any:
    """The product of all."""
    a, axes = input._a, _axes(dim, input._a.ndim)
    found = np.asarray(a.prod(axes, keepdims=keepdim))
    return made(
        found,
        "Prod",
        (input, lambda g: _back(g * found, axes, keepdim, a.shape) / a),
    )


def _truth(name: str, run: Callable) -> None:
    def truth(input: "Tensor", dim: Any = None, keepdim: bool = False) -> Any:
        axes = _axes(dim, input._a.ndim)
        return made(run(input._a, axes if input._a.ndim else None, keepdims=keepdim), name)

    op(truth, name=name)


_truth("any", np.any)
_truth("all", np.all)


def _must_have_some(name: str, a: np.ndarray, dim: Any) -> None:
    if a.size == 0 and dim is None:
        kind, more = (
            (IndexError, "") if name.startswith("arg") else
            (RuntimeError, " Specify the reduction dim with the 'dim' argument.")
        )  # fmt: skip
        raise kind(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.{more}")
    if dim is not None and a.ndim and a.shape[axis(dim, a.ndim)] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {axis(dim, a.ndim)} to have non-zero size.")


def _arg(name: str, run: Callable) -> Callable:
    def arg(input: "Tensor", dim: Any = None, keepdim: bool = False) -> Any:
        a = input._a
        _must_have_some(name, a, dim)
        dim = None if dim is None or not a.ndim else axis(dim, a.ndim)
        return made(np.asarray(run(a, dim, keepdims=keepdim)).astype(np.int64), name)

    op(arg, name=name)
    return arg


_arg("argmax", np.argmax)
_arg("argmin", np.argmin)


def _picked(input: Any, at: np.ndarray, dim: int, keepdim: bool, name: str) -> Any:
    """The entries at some places along one axis, with the way back."""
    a = input._a
    if not a.ndim:
        return made(a.copy(), name, (input, lambda g: g))
    places = at if keepdim else np.expand_dims(at, dim)
    found = np.take_along_axis(a, places, dim)

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros_like(a)
        np.put_along_axis(whole, places, g if keepdim else np.expand_dims(g, dim), dim)
        return whole

    return made(found if keepdim else found.squeeze(dim), name, (input, back))


def _most(name: str, run: Callable, arg: str) -> None:
    kind = _result(name)

    def most(input: "Tensor", dim: Any = None, keepdim: bool = False) -> Any:
        a = input._a
        if isinstance(dim, Tensor):
            return METHODS[f"{name}imum"].run(input, dim)
        _must_have_some(name, a, dim if isinstance(dim, int) else None)
        if dim is None:
            found = run(a)
            return made(found, name.title(), (input, lambda g: _shared(g, a, found)))
        if not isinstance(dim, int | np.integer) or isinstance(dim, bool):
            raise TypeError(METHODS[name].invalid((input, dim), {}))
        at = METHODS[arg].run(input, dim, keepdim)
        dim = axis(dim, a.ndim)
        return kind(_picked(input, at._a, dim, keepdim, name.title()), at)

    op(most, name=name, several=True)

    def extreme(input: "Tensor", dim: Any = (), keepdim: bool = False) -> Any:
        a, axes = input._a, _axes(dim, input._a.ndim)
        _must_have_some(f"a{name}", a, dim if isinstance(dim, int) else None)
        found = run(a, axes if a.ndim else None, keepdims=keepdim)
        whole = run(a, axes if a.ndim else None, keepdims=True)

        def back(g: np.ndarray) -> np.ndarray:
            here = a == whole
            return _back(g, axes, keepdim, a.shape) * here / here.sum(axes, keepdims=True)

        return made(found, f"A{name}", (input, back, input, True))

    op(extreme, name=f"a{name}")


def _shared(g: np.ndarray, a: np.ndarray, found: np.ndarray) -> np.ndarray:
    here = a == found
    return g * here / here.sum()


_most("max", np.max, "argmax")
_most("min", np.min, "argmin")


@op
def softmax(input: "Tensor", dim: int, dtype: Any = None) -> Any:
    """Shares along an axis that sum to 1."""
    return _soft(input, dim, dtype, "softmax", soft)


@op
def log_softmax(input: "Tensor", dim: int, dtype: Any = None) -> Any:
    """Their logarithms."""
    return _soft(input, dim, dtype, "log_softmax", log_soft)


def _soft(input: Any, dim: int, dtype: Any, name: str, run: Callable) -> Any:
    a = input._a.astype(held(dtype)) if dtype else input._a
    dim = axis(dim, a.ndim)
    if a.dtype.kind != "f":
        last = "lastdim_" * (dim == max(a.ndim, 1) - 1)
        raise NotImplementedError(f"\"{name}_{last}kernel_impl\" not implemented for '{input.dtype.tensor}'")
    found = run(a, dim) if a.ndim else a * 0 + (name == "softmax")
    if name == "softmax":
        back = lambda g: soft_back(g, found, dim)  # noqa: E731
    else:
        back = lambda g: g - np.exp(found) * g.sum(dim, keepdims=True)  # noqa: E731
    return made(found, name.title().replace("_", ""), (input, back, True))


def soft(a: np.ndarray, dim: int) -> np.ndarray:
    """Softmax; half as wide numbers are computed as float32."""
    kind, a = a.dtype, a.astype(np.float32) if a.dtype == np.float16 else a
    with np.errstate(all="ignore"):
        found = np.exp(a - a.max(dim, keepdims=True, initial=-np.inf))
        found /= found.sum(dim, keepdims=True)
    return found.astype(kind, copy=False)


def soft_back(g: np.ndarray, found: np.ndarray, dim: int = -1) -> np.ndarray:
    """The way back through it."""
    return (g - (g * found).sum(dim, keepdims=True)) * found


def log_soft(a: np.ndarray, dim: int) -> np.ndarray:
    """The logarithm of softmax."""
    with np.errstate(all="ignore"):
        a = a - a.max(dim, keepdims=True, initial=-np.inf)
        return a - np.log(np.exp(a).sum(dim, keepdims=True))


@op
def logsumexp(input: "Tensor", dim: Any, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials."""
    a, axes = floating(input), _axes(dim, input._a.ndim)
    with np.errstate(all="ignore"):
        most = a.max(axes, keepdims=True)
        most = np.where(np.isfinite(most), most, 0)
        whole = np.log(np.exp(a - most).sum(axes, keepdims=True)) + most
    return made(
        whole if keepdim else whole.squeeze(axes),
        "Logsumexp",
        (input, lambda g: _back(g, axes, keepdim, a.shape) * np.exp(a - whole)),
    )


@op
def cumsum(input: "Tensor", dim: int, *, dtype: Any = None) -> Any:
    """Sums so far."""
    a, dim = input._a, axis(dim, input._a.ndim)
    kind = held(dtype) if dtype else (a.dtype if a.dtype.kind in "fc" else np.dtype(np.int64))
    back = lambda g: np.flip(np.cumsum(np.flip(g, dim), dim), dim)  # noqa: E731
    return made(np.cumsum(a, dim, dtype=kind), "Cumsum", (input, back))


_result("sort")
_result("topk")
_result("kthvalue")
_result("median")


@op
def sort(input: "Tensor", dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Numbers in order, and where they stood."""
    at = argsort(input, dim, descending)
    dim = axis(dim, input._a.ndim)
    return return_types.sort(_picked(input, at._a, dim, True, "Sort"), at)


@op
def argsort(input: "Tensor", dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Where the numbers stand, from the smallest on; the first of equal ones comes first."""
    a, dim = input._a, axis(dim, input._a.ndim)
    if not a.ndim:
        return made(np.zeros((), np.int64), "Argsort")
    if descending:
        flipped = np.flip(a, dim)
        at = a.shape[dim] - 1 - np.flip(np.argsort(flipped, dim, kind="stable"), dim)
        return made(at.astype(np.int64), "Argsort")
    return made(np.argsort(a, dim, kind="stable").astype(np.int64), "Argsort")


def _selected(row: np.ndarray, last: int) -> np.ndarray:
    """The order `topk` leaves the numbers in: of equal ones the first is not promised, nor what comes first.

    As `std::nth_element` in the library of GCC (introselect), which PyTorch calls on Linux.
    """
    at, begin, end = list(range(len(row))), 0, len(row)

    def swap(i: int, j: int) -> None:
        at[i], at[j] = at[j], at[i]

    def median(i: int, j: int, k: int) -> int:
        a, b, c = row[at[i]], row[at[j]], row[at[k]]
        if a < b:
            return j if b < c else k if a < c else i
        return i if a < c else k if b < c else j

    while end - begin > 3:
        middle = begin + (end - begin) // 2
        swap(begin, median(begin + 1, middle, end - 1))
        low, high = begin + 1, end
        while True:
            while row[at[low]] < row[at[begin]]:
                low += 1
            high -= 1
            while row[at[begin]] < row[at[high]]:
                high -= 1
            if low >= high:
                break
            swap(low, high)
            low += 1
        begin, end = (low, end) if low <= last else (begin, low)
    at[begin:end] = sorted(at[begin:end], key=lambda i: row[i])
    at[:last] = sorted(at[:last], key=lambda i: row[i])
    return np.array(at, np.int64)


@op
def topk(input: "Tensor", k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k largest numbers, and where they stand."""
    dim = axis(dim, input._a.ndim)
    if not 0 <= k <= (input._a.shape[dim] if input._a.ndim else 1):
        raise RuntimeError("selected index k out of range")
    at = argsort(input, dim, largest)._a
    if at.ndim and k * 64 > at.shape[dim]:  # else PyTorch sorts a part
        ranks = np.unique(input._a, return_inverse=True)[1].reshape(at.shape)  # NaN is the largest
        at = np.apply_along_axis(_selected, dim, -ranks if largest else ranks, k - 1)
    at = np.ascontiguousarray(at.take(range(k), dim)) if at.ndim else at
    return return_types.topk(_picked(input, at, dim, True, "Topk"), Tensor._plain(at))


@op
def kthvalue(input: "Tensor", k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest number."""
    dim = axis(dim, input._a.ndim)
    if not 1 <= k <= input._a.shape[dim]:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    at = argsort(input, dim)._a.take([k - 1], dim)
    at = at if keepdim else at.squeeze(dim)
    return return_types.kthvalue(_picked(input, at, dim, keepdim, "Kthvalue"), Tensor._plain(at))


@op
def median(input: "Tensor", dim: Any = None, keepdim: bool = False) -> Any:
    """The lower of the two numbers in the middle."""
    if dim is None:
        flat = METHODS["flatten"].run(input)
        return kthvalue(flat, (flat._a.size + 1) // 2, 0).values
    n = input._a.shape[axis(dim, input._a.ndim)]
    return return_types.median(*kthvalue(input, (n + 1) // 2, dim, keepdim))


@op
def norm(input: "Tensor", p: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
    """The length."""
    a, axes = input._a, _axes(dim, input._a.ndim)
    p = 2 if p in (None, "fro") else p
    if p in (np.inf, -np.inf):
        return METHODS["amax"].run(METHODS["abs"].run(input), () if dim is None else dim, keepdim)
    size = np.abs(a)
    total = (size**p).sum(axes, keepdims=True) ** (1 / p)

    def back(g: np.ndarray) -> np.ndarray:
        slope = np.where(total == 0, 0, size ** (p - 1) * np.sign(a) / total ** (p - 1))
        return _back(g, axes, keepdim, a.shape) * slope

    found = total.astype(a.dtype)
    found = found if keepdim else found.squeeze(axes) if axes else found.reshape(())
    return made(found, "LinalgVectorNorm", (input, back))


@op
def quantile(input: "Tensor", q: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The number below which a share lies."""
    share = q._a if isinstance(q, Tensor) else q
    return made(np.quantile(input._a, share, dim, keepdims=keepdim).astype(input._a.dtype), "Quantile")
