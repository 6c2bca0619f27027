"""Square brackets, and what picks or writes numbers by their places."""

from typing import Any

import numpy as np

from torch import graph
from torch.op import METHODS, axis, kind, method, op
from torch.tensor import Tensor, looked_at, made, unlike, viewed, written

WHOLE = slice(None)


def _whole(part: Any) -> Any:
    if part is not None and not hasattr(part, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return part if part is None else part.__index__()


def _parts(a: np.ndarray, index: Any) -> tuple[tuple, dict[int, np.ndarray]]:
    """What NumPy's plain indexing does of an index, and what is left: arrays by the axis of its result.

    PyTorch takes whole numbers first, where NumPy counts them among the arrays.
    """
    index = index if isinstance(index, tuple) else (index,)
    given = [one for one in index if one is not None and one is not Ellipsis]
    used = 0
    plain: list[Any] = []
    arrays: dict[int, np.ndarray] = {}
    places = sum(_width(one) for one in given)
    if not a.ndim and any(not isinstance(one, bool | Tensor | np.ndarray) for one in given):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
            "convert a 0-dim tensor to a number"
        )
    if places > a.ndim:
        raise IndexError(f"too many indices for tensor of dimension {a.ndim}")
    out = 0
    for one in index:
        if one is Ellipsis:
            more = a.ndim - places
            plain += [WHOLE] * more
            used, out = used + more, out + more
        elif one is None:
            plain.append(None)
            out += 1
        elif isinstance(one, slice):
            if one.step is not None and _whole(one.step) <= 0:
                raise ValueError("step must be greater than zero")
            plain.append(slice(_whole(one.start), _whole(one.stop), _whole(one.step)))
            used, out = used + 1, out + 1
        elif (number := _as_int(one)) is not None:
            if not -a.shape[used] <= number < a.shape[used]:
                raise IndexError(
                    f"index {number} is out of bounds for dimension {used} with size {a.shape[used]}"
                )
            plain.append(number)
            used += 1
        else:
            found = _as_array(one)
            if found.dtype == bool:
                _must_match(found, a, used, sum(1 for x in arrays))
                plain += [WHOLE] * found.ndim if found.ndim else [None]
                for i, at in enumerate(np.nonzero(found if found.ndim else found[None])):
                    arrays[out + i] = at
                used, out = used + found.ndim, out + max(1, found.ndim)
            else:
                _must_be_inside(found, a.shape[used])
                plain.append(WHOLE)
                arrays[out] = found
                used, out = used + 1, out + 1
    return tuple(plain), arrays


def _width(one: Any) -> int:
    """How many axes an index takes."""
    if isinstance(one, bool):
        return 0
    found = one._a if isinstance(one, Tensor) else one
    return found.ndim if isinstance(found, np.ndarray) and found.dtype == bool else 1


def _as_int(one: Any) -> int | None:
    if isinstance(one, bool | np.bool_):
        return None
    if isinstance(one, int | np.integer):
        return int(one)
    if isinstance(one, Tensor | np.ndarray):
        a = one._a if isinstance(one, Tensor) else one
        return int(a) if not a.ndim and a.dtype.kind in "iu" else None
    return None


def _as_array(one: Any) -> np.ndarray:
    if isinstance(one, Tensor):
        if one._a.dtype.kind not in "biu":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return one._a
    if isinstance(one, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(one, list | range | tuple | np.ndarray | bool | np.bool_):
        parts = [x._a if isinstance(x, Tensor) else x for x in one] if isinstance(one, list) else one
        found = np.asarray(parts)
        if found.dtype.kind in "biu":
            return found
        if not found.size:
            return found.astype(np.int64)
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
        f"{kind(one)})"
    )


def _must_match(mask: np.ndarray, a: np.ndarray, used: int, _before: int) -> None:
    for i, n in enumerate(mask.shape):
        if n != a.shape[used + i]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {i} does not match the shape of the indexed "
                f"tensor {list(a.shape)} at index {used + i}"
            )


def _must_be_inside(at: np.ndarray, n: int, dim: int = 0) -> None:
    if at.size and (at.max() >= n or at.min() < -n):
        wrong = next(int(one) for one in at.flat if not -n <= one < n)
        raise IndexError(f"index {wrong} is out of bounds for dimension {dim} with size {n}")


def _advanced(arrays: dict[int, np.ndarray], ndim: int) -> tuple:
    return tuple(arrays.get(place, WHOLE) for place in range(ndim))


def _get(self: Any, index: Any) -> Any:
    a = self._a
    plain, arrays = _parts(a, index)

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(a.shape, g.dtype)
        whole[plain] = g
        return whole

    view = self if all(x is WHOLE for x in plain) else viewed(self, a[(*plain, ...)], "Slice", back)
    if not arrays:
        return view if view is not self else METHODS["view"].run(self, *a.shape)
    at = _advanced(arrays, view._a.ndim)

    def scattered(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(view._a.shape, g.dtype)
        np.add.at(whole, at, g)
        return whole

    try:
        found = view._a[at]
    except IndexError:
        shapes = ", ".join(str(list(x.shape)) for x in arrays.values())
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    return made(found, "Index", (view, scattered))


def _getitem(self: Any, index: Any) -> Any:
    return looked_at(_get(self, index))


def _setitem(self: Any, index: Any, value: Any) -> None:
    plain, arrays = _parts(self._a, index)
    if not isinstance(value, Tensor):
        value = Tensor._plain(np.asarray(value.item() if isinstance(value, np.generic) else value))
    with (
        graph.no_grad()
        if not (value.requires_grad or self.requires_grad)
        else graph.set_grad_enabled(graph.mode["grad"])
    ):
        view = viewed(self, self._a[(*plain, ...)], "Slice", lambda g: g)
        if plain and all(x is WHOLE for x in plain):
            view = viewed(self, self._a[...], "Slice", lambda g: g)
        view._node = None
        if self.requires_grad:
            view._seen = -1
        shape = view._a[_advanced(arrays, view._a.ndim)].shape if arrays else view._a.shape
        given = value._a
        while given.ndim > len(shape) and given.shape[0] == 1:
            given = given[0]
        try:
            np.broadcast_to(given, shape)
        except ValueError:
            if arrays:
                raise RuntimeError(
                    f"shape mismatch: value tensor of shape {list(value._a.shape)} cannot be broadcast to "
                    f"indexing result of shape {list(shape)}"
                ) from None
            raise _unfit(value._a.shape, shape) from None
        if not arrays:
            result = made(
                np.broadcast_to(given, shape).astype(view._a.dtype, copy=False), "Copy", (value, lambda g: g)
            )
            written(view, result)
            return
        at = _advanced(arrays, view._a.ndim)
        whole = view._a.copy()
        with np.errstate(all="ignore"):
            whole[at] = given.astype(whole.dtype, copy=False)

        def kept(g: np.ndarray) -> np.ndarray:
            g = g.copy()
            g[at] = 0
            return g

        written(view, made(whole, "IndexPut", (view, kept), (value, lambda g: g[at])))


def _unfit(came: tuple[int, ...], there: tuple[int, ...]) -> RuntimeError:
    if len(came) > len(there):
        return unlike(there, came)
    for back in range(1, len(came) + 1):
        if came[-back] not in (1, there[-back]):
            return RuntimeError(
                f"The expanded size of the tensor ({there[-back]}) must match the existing size ({came[-back]}) "
                f"at non-singleton dimension {len(there) - back}.  Target sizes: {list(there)}.  Tensor sizes: "
                f"{list(came)}"
            )
    return unlike(there, came)


def _must_be_index(name: str, index: Any, a: np.ndarray, dim: int) -> np.ndarray:
    if index._a.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if index._a.ndim != a.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    at = index._a
    if at.size and not 0 <= at.min() <= at.max() < a.shape[dim]:
        wrong = next(int(one) for one in at.flat if not 0 <= one < a.shape[dim])
        raise RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {a.shape[dim]}")
    return at


def _cells(at: np.ndarray, dim: int) -> tuple:
    """The places that an index along one axis names."""
    grid = list(np.ogrid[tuple(slice(n) for n in at.shape)])
    grid[dim] = at
    return tuple(grid)


@op
def gather(input: "Tensor", dim: int, index: "Tensor") -> Any:
    """Numbers at places along an axis."""
    a, dim = input._a, axis(dim, input._a.ndim)
    if index._a.ndim == a.ndim:
        for i, (n, m) in enumerate(zip(index._a.shape, a.shape, strict=True)):
            if i != dim and n > m:
                raise RuntimeError(
                    f"Size does not match at dimension {i} expected index {list(index._a.shape)} to be no larger "
                    f"than self {list(a.shape)} apart from dimension {dim}"
                )
    cells = _cells(_must_be_index("gather", index, a, dim), dim)

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(a.shape, g.dtype)
        np.add.at(whole, cells, g)
        return whole

    return made(a[cells], "Gather", (input, back))


@op
def scatter(input: "Tensor", dim: int, index: "Tensor", src: Any = None, *, value: Any = None) -> Any:
    """Numbers written to places along an axis."""
    src = value if src is None else src
    a, dim = input._a, axis(dim, input._a.ndim)
    cells = _cells(_must_be_index("scatter", index, a, dim), dim)
    found = a.copy()
    if not isinstance(src, Tensor):
        found[cells] = src
    else:
        if src._a.dtype != a.dtype:
            raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
        shape = index._a.shape
        if any(n > m for n, m in zip(shape, src._a.shape, strict=False)) or any(
            n > m for i, (n, m) in enumerate(zip(shape, a.shape, strict=False)) if i != dim
        ):
            raise RuntimeError(
                f"Expected index {list(shape)} to be no larger than self {list(a.shape)} apart from dimension "
                f"{dim} and to be no larger size than src {list(src._a.shape)}"
            )
        part = tuple(slice(n) for n in shape)
        found[cells] = src._a[part]

    def kept(g: np.ndarray) -> np.ndarray:
        g = g.copy()
        g[cells] = 0
        return g

    def given(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(src._a.shape, g.dtype)
        whole[part] = g[cells]
        return whole

    return made(found, "Scatter", (input, kept), *([(src, given)] if isinstance(src, Tensor) else []))


@op
def scatter_add(input: "Tensor", dim: int, index: "Tensor", src: "Tensor") -> Any:
    """Numbers added to places along an axis."""
    a, dim = input._a, axis(dim, input._a.ndim)
    cells = _cells(_must_be_index("scatter_add", index, a, dim), dim)
    found = a.copy()
    np.add.at(found, cells, src._a[tuple(slice(n) for n in index._a.shape)])
    return made(found, "ScatterAdd", (input, lambda g: g), (src, lambda g: g[cells]))


@op
def index_select(input: "Tensor", dim: int, index: "Tensor") -> Any:
    """Places along an axis."""
    return _get(input, (*(WHOLE,) * axis(dim, input._a.ndim), index))


@op
def index_fill(input: "Tensor", dim: int, index: "Tensor", value: Any) -> Any:
    """One number at places along an axis."""
    place = (*(WHOLE,) * axis(dim, input._a.ndim), index._a)
    found = input._a.copy()
    found[place] = value._a if isinstance(value, Tensor) else value

    def back(g: np.ndarray) -> np.ndarray:
        g = g.copy()
        g[place] = 0
        return g

    return made(found, "IndexFill", (input, back))


@op
def masked_select(input: "Tensor", mask: "Tensor") -> Any:
    """The numbers where a mask is True."""
    both = METHODS["broadcast_to"].run(mask, *np.broadcast_shapes(mask._a.shape, input._a.shape))
    return _get(METHODS["broadcast_to"].run(input, *both._a.shape), both)


@op
def take_along_dim(input: "Tensor", indices: "Tensor", dim: int) -> Any:
    """As `numpy.take_along_axis`."""
    return gather(input, dim, indices)


@op
def nonzero(input: "Tensor", *, as_tuple: bool = False) -> Any:
    """The places of all numbers but 0."""
    found = [one.astype(np.int64) for one in np.nonzero(np.atleast_1d(input._a))]
    if as_tuple:
        return tuple(made(one, "Nonzero") for one in found)
    return made(np.stack(found, -1) if input._a.ndim else np.zeros((len(found[0]), 0), np.int64), "Nonzero")


@op
def argwhere(input: "Tensor") -> Any:
    """The same."""
    return nonzero(input)


@op
def isin(elements: "Tensor", test_elements: Any) -> Any:
    """Which are among others."""
    others = test_elements._a if isinstance(test_elements, Tensor) else test_elements
    return made(np.isin(elements._a, others), "IsIn")


@method
def item(input: "Tensor") -> Any:
    """The one number."""
    if input._a.size != 1:
        raise RuntimeError(f"a Tensor with {input._a.size} elements cannot be converted to Scalar")
    return input._a.item()


@method
def tolist(input: "Tensor") -> Any:
    """Lists of numbers."""
    return input._a.tolist()


def finish() -> None:
    """Give tensors their square brackets."""
    Tensor.__getitem__ = _getitem
    Tensor.__setitem__ = _setitem
