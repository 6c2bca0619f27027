"""What is computed entry by entry, with the way back."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from torch.dtypes import KINDS, OF, brain, held
from torch.op import METHODS, function, kind, method, op
from torch.tensor import Tensor, arrays, before, floating, made, result_type, unlike, written


def _both(run: Callable, one: Any, other: Any, *args: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    a, b = arrays(one, other)
    with np.errstate(all="ignore"):
        try:
            return run(a, b), a, b
        except ValueError:
            raise unlike(a.shape, b.shape) from None


@op
def add(input: "Tensor", other: Any, *, alpha: Any = 1) -> Any:
    """The sum."""
    if alpha != 1:
        other = mul(other, alpha)
    found, _, _ = _both(np.add, input, other)
    return made(found, "Add", (input, lambda g: g), (other, lambda g: g))


@op
def sub(input: "Tensor", other: Any, *, alpha: Any = 1) -> Any:
    """The difference."""
    if input._a.dtype == bool and (not isinstance(other, Tensor) or other._a.dtype == bool):
        what = "with two bool tensors" if isinstance(other, Tensor) else "with a bool tensor"
        raise RuntimeError(
            f"Subtraction, the `-` operator, {what} is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    if alpha != 1:
        other = mul(other, alpha)
    found, _, _ = _both(np.subtract, input, other)
    return made(found, "Sub", (input, lambda g: g), (other, lambda g: -g))


@op
def mul(input: Any, other: Any) -> Any:
    """The product."""
    if not isinstance(input, Tensor):
        input, other = other, input
    found, a, b = _both(np.multiply, input, other)
    return made(
        found,
        "Mul",
        (input, lambda g: g * b.conj(), other),
        (other, lambda g: g * a.conj(), input),
    )


@op
def div(input: "Tensor", other: Any, *, rounding_mode: str | None = None) -> Any:
    """The quotient; of whole numbers too it is a float."""
    if rounding_mode == "floor":
        return floor_divide(input, other)
    kept = (input, other)
    if KINDS[result_type(*kept).kind] < 2:
        input = Tensor._plain(floating(input))
    found, a, b = _both(np.true_divide, input, other)
    return made(
        found,
        "Div",
        (kept[0], lambda g: g / b.conj(), other),
        (other, lambda g: -g * (a / (b * b)).conj(), *kept),
    )


def _whole(name: str, run: Callable, input: Any, other: Any) -> Any:
    a, b = arrays(input, other)
    if a.dtype.kind in "iu" and not np.all(b):
        raise RuntimeError("ZeroDivisionError")
    found, _, _ = _both(run, input, other)
    return found


@op
def floor_divide(input: "Tensor", other: Any) -> Any:
    """The quotient, rounded down."""
    return made(_whole("floor_divide", np.floor_divide, input, other), "FloorDivide")


@op
def remainder(input: "Tensor", other: Any) -> Any:
    """What is left after a division."""
    found = _whole("remainder", np.remainder, input, other)
    a, b = arrays(input, other)
    return made(found, "Remainder", (input, lambda g: g), (other, lambda g: -g * np.floor_divide(a, b)))


@op
def pow(input: Any, exponent: Any) -> Any:
    """A power."""
    a, b = arrays(input, exponent)
    if a.dtype.kind in "iu" and not isinstance(exponent, Tensor) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    found, a, b = _both(np.power, input, exponent)
    return made(
        found,
        "Pow",
        (input, lambda g: g * np.where(b == 0, 0, b * np.power(a, b - 1)), input, exponent),
        (exponent, lambda g: g * found * np.where((found == 0) | (a == 0), 0, np.log(a)), input, True),
    )


def _extreme(name: str, run: Callable) -> None:
    def extreme(input: "Tensor", other: "Tensor") -> Any:
        found, a, b = _both(run, input, other)

        def share(mine: np.ndarray, g: np.ndarray) -> np.ndarray:
            return g * np.where(a == b, 0.5, mine == found)

        return made(
            found,
            name.title(),
            (input, lambda g: share(a, g), input, other),
            (other, lambda g: share(b, g), input, other),
        )

    op(extreme, name=name)


_extreme("maximum", np.maximum)
_extreme("minimum", np.minimum)


def _unary(name: str, run: Callable, slope: Callable, whole: bool = False) -> Callable:
    """Make a function of one tensor known; `slope` takes input and result, and calls `_` what it does not read."""
    reads = [not one.startswith("_") for one in slope.__code__.co_varnames[:2]]
    title = name.title().replace("_", "")

    def unary(input: "Tensor") -> Any:
        a = input._a if whole else floating(input)
        with np.errstate(all="ignore"):
            found = run(a)
        return made(
            found,
            title,
            (
                input,
                lambda g: g * slope(a, found),
                *([input] if reads[0] else []),
                *([True] if reads[1] else []),
            ),
        )

    op(unary, name=name)
    return unary


exp = _unary("exp", np.exp, lambda _, y: y)
log = _unary("log", np.log, lambda x, _: 1 / x)
_unary("log2", np.log2, lambda x, _: 1 / (x * math.log(2)))
_unary("log1p", np.log1p, lambda x, _: 1 / (x + 1))
_unary("expm1", np.expm1, lambda _, y: y + 1)
_unary("exp2", np.exp2, lambda _, y: y * math.log(2))
sqrt = _unary("sqrt", np.sqrt, lambda _, y: 0.5 / y)
_unary("rsqrt", lambda x: 1 / np.sqrt(x), lambda x, y: -0.5 * y / x)
_unary("sin", np.sin, lambda x, _: np.cos(x))
_unary("cos", np.cos, lambda x, _: -np.sin(x))
tanh = _unary("tanh", np.tanh, lambda _, y: 1 - y * y)
sigmoid = _unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)), lambda _, y: y * (1 - y))
_unary("deg2rad", np.deg2rad, lambda _, __: math.pi / 180)
_unary("reciprocal", lambda x: 1 / x, lambda _, y: -y * y)
relu = _unary("relu", lambda x: np.maximum(x, 0), lambda _, y: y > 0, whole=True)
_unary("abs", np.abs, lambda x, _: np.sign(x), whole=True)
_unary("square", np.square, lambda x, _: 2 * x, whole=True)
for _name, _run in {"floor": np.floor, "ceil": np.ceil, "sign": np.sign, "trunc": np.trunc}.items():
    _unary(_name, _run, lambda _, __: 0, whole=True)


@op
def neg(input: "Tensor") -> Any:
    """The number of the other sign."""
    if input._a.dtype == bool:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
            "mask, use the `~` or `logical_not()` operator instead."
        )
    return made(-input._a, "Neg", (input, lambda g: -g))


@op
def round(input: "Tensor", *, decimals: int = 0) -> Any:
    """The nearest number of so many digits."""
    return made(np.round(input._a, decimals), "Round", (input, lambda g: 0 * g))


@op
def clamp(input: "Tensor", min: Any = None, max: Any = None) -> Any:
    """Numbers kept between two others."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    given = [one for one in (min, max) if one is not None]
    a = input._a.astype(result_type(input, *given), copy=False)
    low, high = (one._a if isinstance(one, Tensor) else one for one in (min, max))
    found = np.clip(a, low, high)
    return made(found, "Clamp", (input, lambda g: g * (found == a), input))


@op
def nan_to_num(input: "Tensor", nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of NaN and infinities."""
    a = input._a
    nan = 0.0 if nan is None else nan
    found = np.nan_to_num(a, nan=nan, posinf=posinf, neginf=neginf)
    return made(found, "NanToNum", (input, lambda g: g * np.isfinite(a), input))


def _compare(name: str, run: Callable) -> None:
    def compare(input: "Tensor", other: Any) -> Any:
        return made(_both(run, input, other)[0], name)

    op(compare, name=name)


for _name, _run in {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}.items():  # fmt: skip
    _compare(_name, _run)


def _bitwise(name: str, run: Callable) -> None:
    def bitwise(input: "Tensor", other: Any) -> Any:
        a = arrays(input, other)[0]
        if a.dtype.kind not in "biu":
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{OF[a.dtype].tensor}'")
        return made(_both(run, input, other)[0], name)

    op(bitwise, name=name)


_bitwise("bitwise_and", np.bitwise_and)
_bitwise("bitwise_or", np.bitwise_or)
_bitwise("bitwise_xor", np.bitwise_xor)


@op
def bitwise_not(input: "Tensor") -> Any:
    """The opposite of True and False, and of bits."""
    if input._a.dtype.kind not in "biu":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return made(~input._a, "BitwiseNot")


@op
def logical_not(input: "Tensor") -> Any:
    """Whether a number is 0."""
    return made(np.logical_not(input._a), "LogicalNot")


for _name, _run in {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}.items():

    def _asked(input: "Tensor", _run: Callable = _run) -> Any:
        return made(_run(input._a), "IsWhat")

    op(_asked, name=_name)


@op
def isclose(
    input: "Tensor", other: "Tensor", rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Which entries are almost the same."""
    if input._a.dtype != other._a.dtype:
        raise RuntimeError(f"{input.dtype.tensor} did not match {other.dtype.tensor}")
    try:
        return made(np.isclose(input._a, other._a, rtol, atol, equal_nan), "IsClose")
    except ValueError:
        raise unlike(input._a.shape, other._a.shape) from None


@op
def allclose(
    input: "Tensor", other: "Tensor", rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all are."""
    return bool(isclose(input, other, rtol, atol, equal_nan)._a.all())


@op
def equal(input: "Tensor", other: "Tensor") -> bool:
    """Whether two tensors have the same shape and numbers."""
    return np.array_equal(input._a, other._a)


@op(several=True)
def where(condition: "Tensor", input: Any = None, other: Any = None) -> Any:
    """Numbers of one where a condition holds, of the other elsewhere; or the places where it holds."""
    if input is None:
        return tuple(made(one.astype(np.int64), "Where") for one in np.nonzero(condition._a))
    if condition._a.dtype != bool:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype.tensor}"
        )
    holds, (a, b) = condition._a, arrays(*(_number(one) for one in (input, other)))
    try:
        found = np.where(holds, a, b)
    except ValueError:
        for one, two in ((a.shape, b.shape), (holds.shape, a.shape), (holds.shape, b.shape)):
            if "do not" not in str(unlike(one, two)):
                raise unlike(one, two) from None
        raise
    return made(
        found, "Where", (input, lambda g: np.where(holds, g, 0)), (other, lambda g: np.where(holds, 0, g))
    )


@method(name="where")
def where_(input: "Tensor", condition: "Tensor", other: Any) -> Any:
    """The same, as a method."""
    return where(condition, input, other)


def _number(one: Any) -> Any:
    return one.item() if isinstance(one, np.generic) else one


@op(several=True)
def masked_fill(input: "Tensor", mask: "Tensor", value: Any) -> Any:
    """One number where a mask is True."""
    if mask._a.dtype != bool:
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.called}"
        )
    a, m = input._a, mask._a
    if isinstance(value, Tensor):
        if value._a.ndim:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value._a.ndim} dimension(s)."
            )
    elif not isinstance(value, int | float | np.number):
        raise TypeError(
            f"masked_fill() received an invalid combination of arguments - got (Tensor, {kind(value)}), but "
            "expected one of:"
        )
    number = value._a if isinstance(value, Tensor) else value
    if a.dtype.kind in "iu" and not np.isfinite(number):
        raise RuntimeError(f"value cannot be converted to type {a.dtype}_t without overflow")
    try:
        shape = np.broadcast_shapes(a.shape, m.shape)
    except ValueError:
        raise unlike(m.shape, a.shape) from None
    found = np.array(np.broadcast_to(a, shape))
    with np.errstate(all="ignore"):
        np.copyto(found, np.asarray(number).astype(found.dtype), where=m, casting="unsafe")
    parents = [(input, lambda g: np.where(m, 0, g))]
    if isinstance(value, Tensor):
        parents.append((value, lambda g: np.where(m, g, 0)))
    return made(found, "MaskedFill", *parents)


@method(name="to")
def to(
    input: "Tensor", *args: Any, dtype: Any = None, device: Any = None, copy: bool = False, **_: Any
) -> Any:
    """The same numbers in another type."""
    for one in (*args, device):
        if isinstance(one, Tensor):
            dtype = one.dtype
        elif str(one).startswith("cuda"):
            raise AssertionError("Torch not compiled with CUDA enabled")
        elif one is not None and not isinstance(one, bool | str) and type(one).__name__ != "device":
            dtype = one
    if dtype is None or (dtype is input.dtype and not copy):
        return input
    wanted = held(dtype)
    with np.errstate(all="ignore"):
        found = input._a.astype(wanted)
    if str(dtype) == "torch.bfloat16":
        found = brain(found)
    one = made(found, "ToCopy", (input, lambda g: g))
    one._brain = str(dtype) == "torch.bfloat16"
    return one


for _name, _to in {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "long": "int64",
    "int": "int32", "bool": "bool_", "short": "int16", "cfloat": "complex64",
}.items():  # fmt: skip

    def _cast(input: "Tensor", _to: str = _to) -> Any:
        import torch.dtypes

        return to(input, getattr(torch.dtypes, _to))

    method(_cast, name=_name)


@op
def clone(input: "Tensor", memory_format: Any = None) -> Any:
    """A copy."""
    one = made(input._a.copy(), "Clone", (input, lambda g: g))
    one._brain = input._brain
    return one


@op
def logaddexp(input: "Tensor", other: "Tensor") -> Any:
    """The logarithm of a sum of two exponentials."""
    found, a, b = _both(np.logaddexp, input, other)
    return made(
        found, "Logaddexp", (input, lambda g: g * np.exp(a - found)), (other, lambda g: g * np.exp(b - found))
    )


@function
def polar(abs: "Tensor", angle: "Tensor") -> Any:
    """Complex numbers from length and angle."""
    a, t = abs._a, angle._a
    found = (a * np.exp(1j * t)).astype(np.complex128 if a.dtype == np.float64 else np.complex64)
    return made(
        found,
        "Polar",
        (abs, lambda g: (g.conj() * np.exp(1j * t)).real),
        (angle, lambda g: (g.conj() * 1j * found).real),
    )


@function(name="complex")
def complex_(real: "Tensor", imag: "Tensor") -> Any:
    """Complex numbers from their two parts."""
    return made(real._a + 1j * imag._a, "Complex", (real, lambda g: g.real), (imag, lambda g: g.imag))


_ALIAS = {
    "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "absolute": "abs",
    "negative": "neg", "clip": "clamp", "greater": "gt", "less": "lt", "greater_equal": "ge",
    "less_equal": "le", "not_equal": "ne",
}  # fmt: skip

_IN_PLACE = (
    "add", "sub", "mul", "div", "pow", "floor_divide", "remainder", "exp", "log", "sqrt", "sin", "cos", "neg",
    "abs", "clamp", "masked_fill", "relu", "sigmoid", "tanh", "logical_not", "nan_to_num", "round", "floor",
    "bitwise_and", "bitwise_or", "bitwise_xor", "square", "tril", "triu", "scatter", "index_fill", "cumsum",
    "scatter_add", "reciprocal", "logical_and", "logical_or",
)  # fmt: skip


def _written(name: str) -> None:
    run = METHODS[name].run

    def in_place(input: "Tensor", *args: Any, **named: Any) -> Any:
        result = run(before(input), *args, **named)
        _must_fit(input, result)
        return written(input, result)

    method(in_place, name=f"{name}_", several=METHODS[name].several)


def _must_fit(input: Any, result: Any) -> None:
    """Refuse to write what is larger, or of a higher kind."""
    if KINDS[result._a.dtype.kind] > KINDS[input._a.dtype.kind]:
        raise RuntimeError(
            f"result type {result.dtype.tensor} can't be cast to the desired output type {input.dtype.tensor}"
        )
    if result._a.shape != input._a.shape:
        raise RuntimeError(
            f"output with shape {list(input._a.shape)} doesn't match the broadcast shape {list(result._a.shape)}"
        )


@method
def copy_(input: "Tensor", src: Any, non_blocking: bool = False) -> Any:
    """Take over the numbers of another tensor."""
    src = src if isinstance(src, Tensor) else Tensor._plain(src)
    try:
        found = np.broadcast_to(src._a, input._a.shape)
    except ValueError:
        raise unlike(input._a.shape, src._a.shape) from None
    return written(input, made(found, "Copy", (src, lambda g: g)))


@method
def zero_(input: "Tensor") -> Any:
    """Make every number 0."""
    return fill_(input, 0)


@method
def fill_(input: "Tensor", value: Any) -> Any:
    """Make every number the same."""
    if not isinstance(value, Tensor):
        value = Tensor._plain(np.asarray(value, input._a.dtype))
    return copy_(input, value)


def finish() -> None:
    """Make other names known, and what works in place."""
    for name, of in _ALIAS.items():
        op(METHODS[of].run, name=name)
    for name in _IN_PLACE:
        _written(name)
    for name, of in (("subtract", "sub"), ("multiply", "mul"), ("divide", "div"), ("clip", "clamp")):
        METHODS[f"{name}_"] = METHODS[f"{of}_"]
