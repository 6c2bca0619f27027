"""Views: other shapes on the same numbers; and what joins tensors."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from torch import graph
from torch.dtypes import Size, common, dtype
from torch.op import METHODS, axis, function, kind, method, op, sizes
from torch.tensor import Tensor, made, unlike, viewed

NOT_A_VIEW = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
    "contiguous subspaces). Use .reshape(...) instead."
)


def _filled(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """A shape with a number for its -1."""
    said = f"shape '{list(shape)}' is invalid for input of size {size}"
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for place, one in enumerate(shape):
        if one < -1:
            raise RuntimeError(f"invalid shape dimension {one} at index {place} of shape {list(shape)}")
    if -1 in shape:
        known = math.prod(one for one in shape if one != -1)
        if known == 0 and size == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
                "dimension size -1 can be any value and is ambiguous"
            )
        if known == 0 or size % known:
            raise RuntimeError(said)
        shape = tuple(size // known if one == -1 else one for one in shape)
    if math.prod(shape) != size:
        raise RuntimeError(said)
    return shape


def _as_view(a: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    """The same numbers in another shape; `None` where they would have to be copied."""
    try:
        return np.reshape(a, shape, copy=False)
    except ValueError:
        return None


def _reshaped(input: Any, shape: tuple[int, ...], name: str) -> Any:
    before = input._a.shape
    found = _as_view(input._a, shape)
    if found is not None:
        return viewed(input, found, name, lambda g: g.reshape(before))
    return made(input._a.reshape(shape), name, (input, lambda g: g.reshape(before)))


@method(several=True)
def view(input: "Tensor", *shape: Any) -> Any:
    """Another shape on the same numbers."""
    if not shape or (len(shape) == 1 and isinstance(shape[0], dtype)):
        raise TypeError(METHODS["view"].invalid(shape, {}))
    try:
        wanted = _filled(sizes(shape), input._a.size)
    except TypeError:
        raise TypeError(METHODS["view"].invalid(shape, {})) from None
    if _as_view(input._a, wanted) is None:
        raise RuntimeError(NOT_A_VIEW)
    return _reshaped(input, wanted, "View")


@op
def reshape(input: "Tensor", *shape: Any) -> Any:
    """Another shape; the numbers are copied where they must be."""
    try:
        wanted = sizes(shape or ((),))
    except TypeError:
        raise TypeError(f"reshape() takes 1 positional argument but {len(shape)} were given") from None
    return _reshaped(input, _filled(wanted, input._a.size), "View")


@method
def view_as(input: "Tensor", other: "Tensor") -> Any:
    """The shape of another tensor."""
    return view(input, *other._a.shape)


@op
def flatten(input: "Tensor", start_dim: int = 0, end_dim: int = -1) -> Any:
    """Some axes made one."""
    a = input._a
    first, last = axis(start_dim, a.ndim), axis(end_dim, a.ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    shape = (*a.shape[:first], math.prod(a.shape[first : last + 1]), *a.shape[last + 1 :])
    return input if shape == a.shape else _reshaped(input, shape, "View")


@op
def ravel(input: "Tensor") -> Any:
    """One axis for all."""
    return flatten(input)


@op
def unflatten(input: "Tensor", dim: int, sizes: Any) -> Any:
    """One axis made several."""
    a, dim = input._a, axis(dim, input._a.ndim)
    if not isinstance(sizes, tuple | list):
        raise TypeError(
            f"unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {kind(sizes)}"
        )
    for place, one in enumerate(sizes):
        if not hasattr(one, "__index__") or isinstance(one, bool):
            if place:
                raise TypeError(
                    f"unflatten(): argument 'sizes' failed to unpack the object at pos {place + 1} with error "
                    f'"type must be tuple of ints,but got {kind(one)}"'
                )
            raise TypeError(
                "unflatten(): argument 'sizes' (position 2) must be tuple of ints, but found element of type "
                f"{kind(one)} at pos {place}"
            )
    parts = [one.__index__() for one in sizes]
    known = math.prod(one for one in parts if one != -1)
    if known * ((-1 in parts and known and a.shape[dim] // known) or 1) != a.shape[dim]:
        raise RuntimeError(
            f"unflatten: Provided sizes {parts} don't multiply up to the size of dim {dim} "
            f"({a.shape[dim]}) in the input tensor"
        )
    return _reshaped(input, _filled((*a.shape[:dim], *parts, *a.shape[dim + 1 :]), a.size), "View")


def _permuted(input: Any, order: Sequence[int], name: str) -> Any:
    back = np.argsort(order)
    return viewed(input, input._a.transpose(order), name, lambda g: g.transpose(back))


@op
def transpose(input: "Tensor", dim0: int, dim1: int) -> Any:
    """Two axes that change places."""
    n = input._a.ndim
    first, second = axis(dim0, n), axis(dim1, n)
    order = list(range(n))
    if n:
        order[first], order[second] = second, first
    return _permuted(input, order, "Transpose")


@op
def permute(input: "Tensor", *dims: Any) -> Any:
    """All axes in a new order."""
    dims = sizes(dims)
    n = input._a.ndim
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        )
    order = [axis(one, n) for one in dims]
    if len(set(order)) < n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return _permuted(input, order, "Permute")


@op
def movedim(input: "Tensor", source: Any, destination: Any) -> Any:
    """Axes moved to other places."""
    order = list(range(input._a.ndim))
    pairs = zip(
        *(one if isinstance(one, tuple | list) else (one,) for one in (source, destination)), strict=True
    )
    pairs = sorted((axis(to, len(order)), axis(of, len(order))) for of, to in pairs)
    rest = [one for one in order if one not in [of for _, of in pairs]]
    for to, of in pairs:
        rest.insert(to, of)
    return _permuted(input, rest, "Permute")


@op
def t(input: "Tensor") -> Any:
    """A matrix with its axes changed."""
    if input._a.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._a.ndim}D")
    return _permuted(input, range(input._a.ndim)[::-1], "T")


@op
def unsqueeze(input: "Tensor", dim: int) -> Any:
    """A new axis of size 1."""
    dim = axis(dim, input._a.ndim + 1)
    return viewed(input, np.expand_dims(input._a, dim), "Unsqueeze", lambda g: g.squeeze(dim))


@op
def squeeze(input: "Tensor", dim: Any = None) -> Any:
    """Without its axes of size 1."""
    a = input._a
    dims = (
        range(a.ndim)
        if dim is None
        else [axis(x, a.ndim) for x in (dim if isinstance(dim, tuple) else (dim,))]
    )
    ones = tuple(one for one in dims if a.ndim and a.shape[one] == 1)
    return viewed(input, a.squeeze(ones), "Squeeze", lambda g: g.reshape(a.shape))


@method
def expand(input: "Tensor", *shape: Any) -> Any:
    """Axes of size 1 stretched; nothing is copied."""
    a, wanted = input._a, sizes(shape)
    if len(wanted) < a.ndim:
        raise RuntimeError(
            f"expand(torch.{input.dtype.tensor}Tensor{{{list(a.shape)}}}, size={list(wanted)}): the number of "
            f"sizes provided ({len(wanted)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({a.ndim})"
        )
    new, full = len(wanted) - a.ndim, list(wanted)
    for place, one in enumerate(wanted):
        if one == -1 and place < new:
            raise RuntimeError(
                f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {place}"
            )
        if one == -1:
            full[place] = a.shape[place - new]
    for place in range(len(full) - 1, new - 1, -1):
        if a.shape[place - new] not in (1, full[place]):
            raise RuntimeError(
                f"The expanded size of the tensor ({full[place]}) must match the existing size "
                f"({a.shape[place - new]}) at non-singleton dimension {place}.  Target sizes: {list(wanted)}.  "
                f"Tensor sizes: {list(a.shape)}"
            )
    found = as_strided(
        a,
        full,
        (*(0,) * new, *(s if n == m else 0 for n, m, s in zip(a.shape, full[new:], a.strides, strict=True))),
    )
    return viewed(input, found, "Expand", lambda g: g)


@op
def broadcast_to(input: "Tensor", size: Any) -> Any:
    """The same under NumPy's name."""
    return expand(input, *(size if isinstance(size, tuple | list) else (size,)))


METHODS["broadcast_to"].run = lambda input, *size: expand(input, *size)


@method
def expand_as(input: "Tensor", other: "Tensor") -> Any:
    """The shape of another tensor."""
    return expand(input, *other._a.shape)


@op
def diagonal(input: "Tensor", offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The diagonal of two axes, as the last axis."""
    a = input._a
    one, two = axis(dim1, a.ndim), axis(dim2, a.ndim)
    found = np.diagonal(a, offset, one, two)
    found.flags.writeable = a.flags.writeable

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(a.shape, g.dtype)
        part = np.diagonal(whole, offset, one, two)
        part.flags.writeable = True
        part[...] = g
        return whole

    return viewed(input, found, "Diagonal", back)


@op
def diag(input: "Tensor", diagonal: int = 0) -> Any:
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if input._a.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._a.ndim}D")
    return made(np.diag(input._a, diagonal), "Diag", (input, lambda g: np.diag(g, diagonal)))


def _half(name: str, run: Any) -> None:
    def half(input: "Tensor", diagonal: int = 0) -> Any:
        if input._a.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return made(run(input._a, diagonal), name.title(), (input, lambda g: run(g, diagonal)))

    op(half, name=name)


_half("tril", np.tril)
_half("triu", np.triu)


def _cut(input: Any, dim: int, start: int, stop: int) -> Any:
    place = (*(slice(None),) * dim, slice(start, stop))

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(input._a.shape, g.dtype)
        whole[place] = g
        return whole

    return viewed(input, input._a[place], "Slice", back)


@op
def split(input: "Tensor", split_size: Any, dim: int = 0) -> Any:
    """Cut along an axis, into parts of one size or of given ones."""
    dim = axis(dim, input._a.ndim)
    n = input._a.shape[dim]
    if isinstance(split_size, tuple | list):
        parts = [int(one) for one in split_size]
        if sum(parts) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension "
                f"{dim}), but got split_sizes={parts}"
            )
    else:
        split_size = split_size.__index__() if not isinstance(split_size, float) else split_size
        if not isinstance(split_size, int):
            raise TypeError(METHODS["split"].invalid((split_size, dim), {}))
        if split_size <= 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
        parts = [min(split_size, n - i) for i in range(0, n, split_size)] or [0]
    ends = np.cumsum([0, *parts])
    return _several("Split", [_cut(input, dim, int(ends[i]), int(ends[i + 1])) for i in range(len(parts))])


def _several(name: str, views: list[Any]) -> tuple[Any, ...]:
    """Views that came together, which may not be written to if gradients are kept."""
    for i, one in enumerate(views):
        if one.requires_grad:
            one._among = (name, i)
    return tuple(views)


@op
def chunk(input: "Tensor", chunks: int, dim: int = 0) -> Any:
    """Cut into so many parts, or fewer."""
    n = input._a.shape[axis(dim, input._a.ndim)]
    return split(input, max(1, -(-n // chunks)), dim)


@op
def tensor_split(input: "Tensor", indices_or_sections: Any, dim: int = 0) -> Any:
    """Cut as `numpy.array_split` does."""
    dim = axis(dim, input._a.ndim)
    parts = np.array_split(np.arange(input._a.shape[dim]), indices_or_sections)
    return split(input, [len(part) for part in parts], dim)


@op
def unbind(input: "Tensor", dim: int = 0) -> Any:
    """One tensor for each place along an axis."""
    dim = axis(dim, input._a.ndim)
    return _several("Unbind", [squeeze(_cut(input, dim, i, i + 1), dim) for i in range(input._a.shape[dim])])


@op
def narrow(input: "Tensor", dim: int, start: int, length: int) -> Any:
    """A part of an axis."""
    return _cut(input, axis(dim, input._a.ndim), start, start + length)


@op
def select(input: "Tensor", dim: int, index: int) -> Any:
    """One place of an axis."""
    return squeeze(narrow(input, dim, index % input._a.shape[dim], 1), dim)


@method
def unfold(input: "Tensor", dimension: int, size: int, step: int) -> Any:
    """Windows on an axis, each as a last axis."""
    a, dim = input._a, axis(dimension, input._a.ndim)
    found = np.lib.stride_tricks.sliding_window_view(a, size, dim, writeable=True)
    place = (*(slice(None),) * dim, slice(None, None, step))

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(a.shape, g.dtype)
        for i, start in enumerate(range(0, a.shape[dim] - size + 1, step)):
            whole[(*(slice(None),) * dim, slice(start, start + size))] += np.moveaxis(g.take(i, dim), -1, dim)
        return whole

    return viewed(input, found[place], "Unfold", back)


def _tensors(name: str, tensors: Any) -> list[Any]:
    if isinstance(tensors, Tensor) or not isinstance(tensors, tuple | list):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {kind(tensors)}"
        )
    for place, one in enumerate(tensors):
        if not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {kind(one)}")
    return list(tensors)


def _joined(tensors: list[Any], dim: int, name: str) -> Any:
    width = tensors[0]._a.dtype
    for one in tensors:
        width = common(width, one._a.dtype)
    found = np.concatenate([one._a for one in tensors], dim, dtype=width)
    ends = np.cumsum([0, *(one._a.shape[dim] for one in tensors)])

    def part(i: int) -> Any:
        place = (*(slice(None),) * dim, slice(ends[i], ends[i + 1]))
        return lambda g: g[place]

    return made(found, name, *((one, part(i)) for i, one in enumerate(tensors)))


@function
def cat(tensors: Any, dim: int = 0) -> Any:
    """Tensors put one behind the other along an axis."""
    tensors = _tensors("cat", tensors)
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for place, one in enumerate(tensors):
        if not one._a.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    full = [one for one in tensors if one._a.shape != (0,)] or tensors[:1]
    first = full[0]._a
    dim = axis(dim, first.ndim)
    for one in full:
        if one._a.ndim != first.ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.ndim} and {one._a.ndim}"
            )
    for place, one in enumerate(tensors):
        for i, (a, b) in enumerate(zip(first.shape, one._a.shape, strict=False)):
            if a != b and i != dim and one._a.shape != (0,):
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {a} but got size "
                    f"{b} for tensor number {place} in the list."
                )
    return _joined(full, dim, "Cat")


@function
def stack(tensors: Any, dim: int = 0) -> Any:
    """Tensors put beside each other along a new axis."""
    tensors = _tensors("stack", tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0]._a
    dim = axis(dim, first.ndim + 1)
    for place, one in enumerate(tensors):
        if one._a.shape != first.shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first.shape)} at entry 0 and "
                f"{list(one._a.shape)} at entry {place}"
            )
    return _joined([unsqueeze(one, dim) for one in tensors], dim, "Stack")


def _atleast(input: Any, n: int) -> Any:
    while input._a.ndim < n:
        input = unsqueeze(input, 0)
    return input


@function
def atleast_2d(*tensors: Any) -> Any:
    """With two axes or more."""
    return _atleast(tensors[0], 2)


@function
def atleast_1d(*tensors: Any) -> Any:
    """With an axis or more."""
    return _atleast(tensors[0], 1)


@function
def hstack(tensors: Any) -> Any:
    """Side by side."""
    tensors = [_atleast(one, 1) for one in _tensors("hstack", tensors)]
    return cat(tensors, 0 if tensors and tensors[0]._a.ndim == 1 else 1)


@function
def vstack(tensors: Any) -> Any:
    """One below the other."""
    return cat([_atleast(one, 2) for one in _tensors("vstack", tensors)], 0)


@function
def broadcast_tensors(*tensors: Any) -> Any:
    """All in one shape."""
    shape = np.broadcast_shapes(*(one._a.shape for one in tensors))
    return tuple(expand(one, *shape) for one in tensors)


@function
def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that several become together."""
    try:
        return Size(np.broadcast_shapes(*shapes))
    except ValueError:
        raise unlike(*shapes) from None


def _rearranged(input: Any, run: Any, back: Any, name: str) -> Any:
    return made(np.array(run(input._a)), name, (input, back))


@op
def flip(input: "Tensor", *dims: Any) -> Any:
    """The other way round along some axes."""
    dims = tuple(axis(one, input._a.ndim) for one in sizes(dims))
    return _rearranged(input, lambda a: np.flip(a, dims), lambda g: np.flip(g, dims), "Flip")


@op
def roll(input: "Tensor", shifts: Any, dims: Any = None) -> Any:
    """Moved along an axis, and round."""
    less = tuple(-one for one in shifts) if isinstance(shifts, tuple) else -shifts
    return _rearranged(input, lambda a: np.roll(a, shifts, dims), lambda g: np.roll(g, less, dims), "Roll")


@op
def rot90(input: "Tensor", k: int = 1, dims: Any = (0, 1)) -> Any:
    """Turned by quarters."""
    return _rearranged(input, lambda a: np.rot90(a, k, dims), lambda g: np.rot90(g, -k, dims), "Rot90")


@method
def repeat(input: "Tensor", *repeats: Any) -> Any:
    """Copies beside each other."""
    a, times = input._a, sizes(repeats)
    if len(times) < a.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    shape = (1,) * (len(times) - a.ndim) + a.shape

    def back(g: np.ndarray) -> np.ndarray:
        pairs = [n for pair in zip(times, shape, strict=True) for n in pair]
        return g.reshape(pairs).sum(tuple(range(0, 2 * len(times), 2))).reshape(a.shape)

    return made(np.tile(a, times), "Repeat", (input, back))


@op
def tile(input: "Tensor", *dims: Any) -> Any:
    """As `numpy.tile`."""
    times = sizes(dims)
    return repeat(input, *((1,) * (input._a.ndim - len(times)) + times))


@op
def repeat_interleave(input: "Tensor", repeats: Any, dim: Any = None, *, output_size: Any = None) -> Any:
    """Each place of an axis so many times."""
    if dim is None:
        input, dim = flatten(input), 0
    dim = axis(dim, input._a.ndim)
    times = repeats._a if isinstance(repeats, Tensor) else repeats
    at = np.repeat(np.arange(input._a.shape[dim]), times)

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros_like(input._a)
        np.add.at(np.moveaxis(whole, dim, 0), at, np.moveaxis(g, dim, 0))
        return whole

    return made(input._a.take(at, dim), "RepeatInterleave", (input, back))


@method
def contiguous(input: "Tensor") -> Any:
    """The numbers one after the other in memory."""
    return input if is_contiguous(input) else METHODS["clone"].run(input)


@method
def is_contiguous(input: "Tensor") -> bool:
    """Whether they lie so."""
    return input._a.flags.c_contiguous


@op
def detach(input: "Tensor") -> Any:
    """The same numbers, and no gradient goes further back."""
    found = viewed(input, input._a, "Detach", lambda g: g)
    found._node = found._base = None
    return found


@method
def requires_grad_(input: "Tensor", requires_grad: bool = True) -> Any:
    """Ask for gradients."""
    input.requires_grad = requires_grad
    return input


@function
def view_as_real(input: "Tensor") -> Any:
    """Complex numbers as pairs."""
    a = input._a
    found = (
        a.view(a.real.dtype).reshape(*a.shape, 2) if a.flags.c_contiguous else np.stack([a.real, a.imag], -1)
    )
    return viewed(input, found, "ViewAsReal", lambda g: g[..., 0] + 1j * g[..., 1])


@function
def view_as_complex(input: "Tensor") -> Any:
    """Pairs as complex numbers."""
    a = input._a
    if not a.ndim or a.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if a.strides[-1] != a.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    found = np.ascontiguousarray(a).view(np.result_type(a.dtype, np.complex64))[..., 0]
    return viewed(input, found, "ViewAsComplex", lambda g: np.stack([g.real, g.imag], -1))


def _turned(name: str) -> None:
    of = METHODS[name].run

    def in_place(input: "Tensor", *args: Any) -> Any:
        if graph.mode["grad"] and input._target() is input:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        turned = of(input, *args)
        input._a, input._node = turned._a, turned._target()
        input._history += 1
        input._seen = turned._base._history if input._base is not None else 0
        return input

    method(in_place, name=f"{name}_")


def finish() -> None:
    """Properties, other names, and what turns a tensor itself."""
    for name, of in {
        "swapaxes": "transpose", "swapdims": "transpose", "concat": "cat", "concatenate": "cat",
        "moveaxis": "movedim",
    }.items():  # fmt: skip
        (function if of == "cat" else op)(cat if of == "cat" else METHODS[of].run, name=name)
    for name in ("transpose", "t", "unsqueeze", "squeeze", "swapaxes"):
        _turned(name)
    Tensor.T = property(lambda self: _permuted(self, range(self._a.ndim)[::-1], "Permute"))
    Tensor.mT = Tensor.mH = property(_matrix)
    Tensor.real = property(lambda self: _part(self, "real", 1))
    Tensor.imag = property(lambda self: _part(self, "imag", 1j))


def _matrix(one: Any) -> Any:
    if one._a.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {one._a.ndim}-D tensor."
        )
    return transpose(one, -2, -1)


def _part(one: Any, name: str, unit: complex) -> Any:
    if one._a.dtype.kind != "c":
        if name == "real":
            return one
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return viewed(one, getattr(one._a, name), name.title(), lambda g: g * unit)
