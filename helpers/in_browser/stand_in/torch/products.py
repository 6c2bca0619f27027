"""Products of vectors and matrices."""

import math
from typing import Any

import numpy as np

from torch.op import METHODS, function, method, op
from torch.tensor import Tensor, made, unlike


def _swap(a: np.ndarray) -> np.ndarray:
    return a.swapaxes(-1, -2)


def must_be_alike(
    one: Any, other: Any, words: str = "expected m1 and m2 to have the same dtype, but got: "
) -> None:
    """Refuse a product of two types."""
    if one.dtype is not other.dtype:
        raise RuntimeError(f"{words}{one.dtype.called} != {other.dtype.called}")


def _cannot(a: tuple, b: tuple) -> RuntimeError:
    return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")


def _check(one: Any, other: Any) -> None:
    """What PyTorch refuses, in its words."""
    a, b = one._a.shape, other._a.shape
    if not a or not b:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {len(a)}D and {len(b)}D"
        )
    if len(a) == 1 == len(b):
        if one._a.dtype != other._a.dtype:
            raise RuntimeError(
                "dot : expected both vectors to have same dtype, but found "
                f"{one.dtype.tensor} and {other.dtype.tensor}"
            )
        if a != b:
            raise RuntimeError(
                f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same number "
                f"of elements, but got {a[0]} and {b[0]} elements respectively"
            )
        if one._a.dtype == bool:
            raise NotImplementedError("\"dot\" not implemented for 'Bool'")
        return
    rows = math.prod(a[:-1])
    if len(b) == 1:
        if a[-1] != b[0]:
            raise RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{a[-1]}), vec ({b[0]})")
        if one._a.dtype != other._a.dtype:
            mine, its = one.dtype.tensor, other.dtype.tensor
            raise RuntimeError(
                f"addmv input tensors must have the same dtype, but got {its}, {mine}, and {its}"
            )
        return
    if len(b) == 2 or len(a) == 1 == len(b) - 1:
        if a[-1] != b[-2]:
            raise _cannot((rows if len(a) > 1 else 1, a[-1]), b)
        must_be_alike(one, other)
    else:
        if len(a) > 2:
            for back in range(3, min(len(a), len(b)) + 1):
                if a[-back] != b[-back] and 1 not in (a[-back], b[-back]):
                    raise unlike((*a[:-2], 1, 1), (*b[:-2], 1, 1))
        if a[-1] != b[-2]:
            many = math.prod(np.broadcast_shapes(a[:-2], b[:-2]))
            raise RuntimeError(
                f"Expected size for first two dimensions of batch2 tensor to be: [{many}, {a[-1]}] but got: "
                f"[{many}, {b[-2]}]."
            )
        if one._a.dtype != other._a.dtype:
            raise RuntimeError(f"expected scalar type {one.dtype.tensor} but found {other.dtype.tensor}")
    if one._a.dtype == bool:
        raise NotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A product; of many matrices and one it is a single one, which is faster."""
    with np.errstate(all="ignore"):
        if a.ndim > 2 and b.ndim == 2:
            return (a.reshape(-1, a.shape[-1]) @ b).reshape(*a.shape[:-1], b.shape[-1])
        return a @ b


@op
def matmul(input: "Tensor", other: "Tensor") -> Any:
    """The product of two matrices, of stacks of them, or of vectors."""
    _check(input, other)
    a, b = input._a, other._a

    def to_a(g: np.ndarray) -> np.ndarray:
        if b.ndim == 1:
            return g[..., None] * b.conj()
        return (g[..., None, :] @ _swap(b.conj()))[..., 0, :] if a.ndim == 1 else product(g, _swap(b.conj()))

    def to_b(g: np.ndarray) -> np.ndarray:
        if a.ndim == 1:
            return g * a.conj() if b.ndim == 1 else a.conj()[:, None] * g[..., None, :]
        if b.ndim == 1:
            return (a.conj() * g[..., None]).reshape(-1, a.shape[-1]).sum(0)
        if b.ndim == 2:
            return a.conj().reshape(-1, a.shape[-1]).T @ g.reshape(-1, g.shape[-1])
        return _swap(a.conj()) @ g

    return made(product(a, b), "Mm", (input, to_a, other), (other, to_b, input))


@op
def mm(input: "Tensor", mat2: "Tensor") -> Any:
    """The product of two matrices."""
    if input._a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2._a.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    return matmul(input, mat2)


@op
def bmm(input: "Tensor", mat2: "Tensor") -> Any:
    """The products of two stacks of matrices."""
    for place, one in enumerate((input, mat2), start=1):
        if one._a.ndim != 3:
            raise RuntimeError(f"batch{place} must be a 3D tensor")
    (b, _, k), two = input._a.shape, mat2._a.shape
    if two[:2] != (b, k):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{b}, {k}] but got: "
            f"[{two[0]}, {two[1]}]."
        )
    return matmul(input, mat2)


@op
def mv(input: "Tensor", vec: "Tensor") -> Any:
    """A matrix and a vector."""
    return matmul(input, vec)


@op
def dot(input: "Tensor", tensor: "Tensor") -> Any:
    """The dot product of two vectors."""
    if input._a.ndim != 1 or tensor._a.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input._a.ndim}D and {tensor._a.ndim}D tensors")
    return matmul(input, tensor)


METHODS["inner"] = METHODS["dot"]


@op
def outer(input: "Tensor", vec2: "Tensor") -> Any:
    """Every product of an entry of one vector and one of the other."""
    for name, one in (("self", input), ("vec2", vec2)):
        if one._a.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {one._a.ndim}-D")
    unsqueeze = METHODS["unsqueeze"].run
    return METHODS["mul"].run(unsqueeze(input, 1), unsqueeze(vec2, 0))


def _added(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    mul, add = METHODS["mul"].run, METHODS["add"].run
    return add(mul(input, beta), mul(product, alpha))


@op
def addmm(input: "Tensor", mat1: "Tensor", mat2: "Tensor", *, beta: Any = 1, alpha: Any = 1) -> Any:
    """A product of matrices, added to something."""
    return _added(input, mm(mat1, mat2), beta, alpha)


@op
def addmv(input: "Tensor", mat: "Tensor", vec: "Tensor", *, beta: Any = 1, alpha: Any = 1) -> Any:
    """A matrix times a vector, added to something."""
    return _added(input, mv(mat, vec), beta, alpha)


@op
def baddbmm(input: "Tensor", batch1: "Tensor", batch2: "Tensor", *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Products of matrices, added to something."""
    return _added(input, bmm(batch1, batch2), beta, alpha)


@op
def addcmul(input: "Tensor", tensor1: "Tensor", tensor2: "Tensor", *, value: Any = 1) -> Any:
    """A product by entries, added to something."""
    return _added(input, METHODS["mul"].run(tensor1, tensor2), 1, value)


@function
def cdist(x1: "Tensor", x2: "Tensor", p: float = 2.0) -> Any:
    """Distances between all rows."""
    apart = METHODS["sub"].run(METHODS["unsqueeze"].run(x1, -2), METHODS["unsqueeze"].run(x2, -3))
    return METHODS["norm"].run(apart, p, -1)


@function
def einsum(equation: str, *operands: Any) -> Any:
    """A sum over products, told by letters."""
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = tuple(operands[0])
    left, arrow, right = equation.replace(" ", "").partition("->")
    subs = left.split(",")
    if len(subs) != len(operands):
        more = "more" if len(operands) > len(subs) else "fewer"
        raise RuntimeError(f"einsum(): {more} operands were provided than specified in the equation")
    arrays = [one._a for one in operands]
    subs, right = _letters(subs, right if arrow else None, arrays)
    for one in operands[1:]:
        if one._a.dtype != arrays[0].dtype:
            raise RuntimeError(
                f"expected scalar type {operands[0].dtype.tensor} but found {one.dtype.tensor}"
            )
    found = np.einsum(f"{','.join(subs)}->{right}", *arrays, optimize=len(arrays) > 1)

    def back(place: int) -> Any:
        def carry(g: np.ndarray) -> np.ndarray:
            rest = [(sub, one) for i, (sub, one) in enumerate(zip(subs, arrays, strict=True)) if i != place]
            known = set(right).union(*(sub for sub, _ in rest)) if rest else set(right)
            mine = subs[place]
            kept = "".join(dict.fromkeys(one for one in mine if one in known))
            words = ",".join([right, *(sub for sub, _ in rest)])
            g = np.einsum(f"{words}->{kept}", g, *(one for _, one in rest), optimize=bool(rest))
            return _spread(g, kept, mine, arrays[place].shape)

        return carry

    return made(np.array(found), "Einsum", *((one, back(i)) for i, one in enumerate(operands)))


def _spread(g: np.ndarray, kept: str, mine: str, shape: tuple[int, ...]) -> np.ndarray:
    """A gradient by the letters of an operand: copied where a letter stood there alone, on a diagonal if twice."""
    sizes = dict(zip(mine, shape, strict=True))
    plain = "".join(dict.fromkeys(mine))
    at = [kept.index(one) if one in kept else None for one in plain]
    g = g.transpose([i for i in at if i is not None])
    g = g[tuple(slice(None) if i is not None else None for i in at)]
    g = np.broadcast_to(g, [max(sizes[one], g.shape[i]) for i, one in enumerate(plain)])
    if plain == mine:
        return g
    whole = np.zeros(shape, g.dtype)
    np.einsum(f"{mine}->{plain}", whole)[...] = g
    return whole


def _letters(subs: list[str], right: str | None, arrays: list[np.ndarray]) -> tuple[list[str], str]:
    """The equation with letters for `...`.

    Raises:
        RuntimeError: where letters and sizes do not fit.
    """
    free = [
        chr(i)
        for i in range(ord("A"), ord("Z") + 1)
        if all(chr(i) not in one for one in (*subs, right or ""))
    ]
    most = max(
        [a.ndim - len(one.replace("...", "")) for one, a in zip(subs, arrays, strict=True) if "..." in one]
        or [0]
    )
    dots = "".join(free[:most])
    found: list[str] = []
    sizes: dict[str, int] = {}
    for place, (one, a) in enumerate(zip(subs, arrays, strict=True)):
        if "..." in one:
            n = a.ndim - len(one.replace("...", ""))
            one = one.replace("...", dots[most - n :])
        elif len(one) != a.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(one)}) does not match the number of "
                f"dimensions ({a.ndim}) for operand {place} and no ellipsis was given"
            )
        for letter, n in zip(one, a.shape, strict=True):
            if sizes.get(letter, 1) not in (1, n) and n != 1:
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {n} for operand {place} which does not broadcast "
                    f"with previously seen size {sizes[letter]}"
                )
            sizes[letter] = max(n, sizes.get(letter, 1))
        found.append(one)
    if right is None:
        letters = "".join(found)
        right = dots + "".join(sorted(x for x in set(letters) if letters.count(x) == 1 and x not in dots))
    right = right.replace("...", dots)
    for letter in right:
        if letter not in sizes:
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
            )
    return found, right


@method
def type_as(input: "Tensor", other: "Tensor") -> Any:
    """In the type of another tensor."""
    return METHODS["to"].run(input, other.dtype)
