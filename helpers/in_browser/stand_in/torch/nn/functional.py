"""`torch.nn.functional`: layers as functions."""

import functools
import math
from typing import Any

import numpy as np

from torch.op import FUNCTIONS, METHODS, Op, kind
from torch.products import must_be_alike, product
from torch.random import default_generator
from torch.reductions import log_soft
from torch.tensor import Tensor, floating, made

_IN_TORCH = dict(FUNCTIONS)


@Op
def linear(input: "Tensor", weight: "Tensor", bias: Any = None) -> Any:
    """`input @ weight.T + bias`."""
    x, w = input._a, weight._a
    b = None if bias is None else bias._a
    if x.ndim and x.shape[-1] != w.shape[-1]:
        rows = math.prod(x.shape[:-1])
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{x.shape[-1]} and {w.shape[-1]}x{w.shape[0]})"
        )
    if bias is None:
        must_be_alike(input, weight)
    elif b.dtype != x.dtype == w.dtype:
        raise RuntimeError(
            f"self and mat2 must have the same dtype, but got {bias.dtype.tensor} and {weight.dtype.tensor}"
        )
    elif x.dtype != w.dtype:
        raise RuntimeError(
            f"mat1 and mat2 must have the same dtype, but got {input.dtype.tensor} and {weight.dtype.tensor}"
        )
    found = product(x, w.T)
    if b is not None:
        found += b

    def to_w(g: np.ndarray) -> np.ndarray:
        return g.reshape(-1, g.shape[-1]).T @ x.reshape(-1, x.shape[-1])

    parents = [(input, lambda g: product(g, w), weight), (weight, to_w, input)]
    if bias is not None:
        parents.append((bias, lambda g: g.reshape(-1, g.shape[-1]).sum(0)))
    return made(found, "Addmm" if bias is not None else "Mm", *parents)


def _soft(name: str) -> Any:
    def run(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
        if not isinstance(input, Tensor):
            raise AttributeError(
                f"'{kind(input).replace('numpy.', 'numpy.')}' object has no attribute '{name}'"
            )
        if dim is None:
            dim = 0 if input._a.ndim in (0, 1, 3) else 1
        return METHODS[name](input, dim, dtype)

    run.__name__ = name
    return Op(run)


softmax, log_softmax = _soft("softmax"), _soft("log_softmax")


@Op
def layer_norm(
    input: "Tensor", normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Over the last axes: minus the mean, over the standard deviation."""
    if not isinstance(normalized_shape, tuple | list):
        raise TypeError(
            "layer_norm(): argument 'normalized_shape' (position 2) must be tuple of ints, not "
            f"{kind(normalized_shape)}"
        )
    a, shape = input._a, list(normalized_shape)
    if list(a.shape[-len(shape) :]) != shape:
        wanted = ", ".join(["*", *map(str, shape)])
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [{wanted}], but got input of "
            f"size{list(a.shape)}"
        )
    w, b = (None if one is None else one._a for one in (weight, bias))
    if any(one is not None and one.dtype != a.dtype for one in (w, b)):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    axes = tuple(range(a.ndim - len(shape), a.ndim))
    apart = a - a.mean(axes, keepdims=True)
    scale = 1 / np.sqrt((apart * apart).mean(axes, keepdims=True) + a.dtype.type(eps))
    normed = apart * scale

    def back(g: np.ndarray) -> np.ndarray:
        g = g if w is None else g * w
        mean = g.mean(axes, keepdims=True)
        return scale * (g - mean - normed * (g * normed).mean(axes, keepdims=True))

    found = normed if w is None else normed * w
    found = found if b is None else found + b
    parents = [(input, back, input), (weight, lambda g: g * normed, input), (bias, lambda g: g)]
    return made(found, "NativeLayerNorm", *parents)


_STEPS = 256


@functools.cache
def _grid(wide: bool) -> tuple[np.ndarray, np.ndarray]:
    """The error function and its slope at many places."""
    known = np.arange(-6 * _STEPS, 6 * _STEPS + 1) / _STEPS
    slope = 2 / math.sqrt(math.pi) * np.exp(-known * known)
    return tuple(
        one.astype(np.float64 if wide else np.float32)
        for one in (np.array([math.erf(one) for one in known]), slope)
    )


def erf(x: np.ndarray) -> np.ndarray:
    """The error function: from the nearest of many known values, by Taylor's series."""
    wide = x.dtype == np.float64
    value, slope = _grid(wide)
    y = np.clip(np.nan_to_num(x), -6, 6)
    p = np.rint(y * _STEPS)
    at = p.astype(np.intp) + 6 * _STEPS
    p /= _STEPS
    d = y - p
    if wide:
        q = p * p
        last = ((q * 16 - 48) * q + 12) / 120
        series = 1 + d * (-p + d * ((4 * q - 2) / 6 + d * ((12 - 8 * q) * p / 24 + d * last)))
    else:
        series = 1 - d * p
    return np.where(np.isnan(x), x, value[at] + slope[at] * d * series).astype(x.dtype, copy=False)


@Op
def gelu(input: "Tensor", *, approximate: str = "none") -> Any:
    """X times the share of a normal distribution below x."""
    x = input._a
    if approximate == "tanh":
        rate = math.sqrt(2 / math.pi)
        bent = np.tanh(rate * (x + 0.044715 * x**3))
        below = 0.5 * (1 + bent)
        slope = lambda: below + 0.5 * x * (1 - bent**2) * rate * (1 + 3 * 0.044715 * x * x)  # noqa: E731
    else:
        below = 0.5 * (1 + erf(x * x.dtype.type(math.sqrt(0.5))))
        slope = lambda: below + x * np.exp(-0.5 * x * x) * x.dtype.type(1 / math.sqrt(2 * math.pi))  # noqa: E731
    return made(x * below, "Gelu", (input, lambda g: g * slope(), input))


def _act(name: str, run: Any, slope: Any) -> Any:
    def act(input: "Tensor", *args: Any, inplace: bool = False) -> Any:
        x = floating(input)
        with np.errstate(all="ignore"):
            found = run(x, *args)
        return made(found, name, (input, lambda g: g * slope(x, found, *args), input))

    return Op(act, name=name)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


silu = _act("silu", lambda x: x * _sigmoid(x), lambda x, y: _sigmoid(x) * (1 + x * (1 - _sigmoid(x))))
logsigmoid = _act("log_sigmoid", lambda x: -np.logaddexp(0, -x), lambda x, y: _sigmoid(-x))
leaky_relu = _act(
    "leaky_relu", lambda x, s=0.01: np.where(x > 0, x, s * x), lambda x, y, s=0.01: np.where(x > 0, 1, s)
)
elu = _act(
    "elu", lambda x, s=1.0: np.where(x > 0, x, s * np.expm1(x)), lambda x, y, s=1.0: np.where(x > 0, 1, y + s)
)
softplus = _act("softplus", lambda x: np.logaddexp(0, x), lambda x, y: _sigmoid(x))
relu, tanh, sigmoid = (_IN_TORCH[name] for name in ("relu", "tanh", "sigmoid"))


@Op
def dropout(input: "Tensor", p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Numbers set to 0 at random, the others made larger; not those that PyTorch would choose."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    a = input._a
    u = default_generator.uniform(a.size, True).reshape(a.shape)
    factor = ((u < 1 - p) / max(1 - p, 1e-30)).astype(a.dtype)
    return made(a * factor, "Dropout", (input, lambda g: g * factor))


@Op
def embedding(input: "Tensor", weight: "Tensor", *_: Any, **__: Any) -> Any:
    """Rows of a table."""
    at, table = input._a, weight._a
    if at.dtype not in (np.int64, np.int32):
        got = "CPUBoolType" if at.dtype == bool else f"torch.{input.dtype.tensor}Tensor"
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but "
            f"got {got} instead (while checking arguments for embedding)"
        )
    if at.size and not 0 <= at.min() <= at.max() < len(table):
        raise IndexError("index out of range in self")

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros_like(table)
        np.add.at(whole, at.reshape(-1), g.reshape(-1, table.shape[1]))
        return whole

    return made(table[at], "Embedding", (weight, back))


@Op
def one_hot(tensor: "Tensor", num_classes: int = -1) -> Any:
    """1 at a place, and 0 at all others."""
    at = tensor._a
    if at.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if at.size and at.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(at.max()) + 1
    elif at.size and at.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return made((at[..., None] == np.arange(num_classes)).astype(np.int64), "OneHot")


def _losses(
    logs: np.ndarray, input: Any, target: Any, reduction: str, ignore: int, name: str, back: Any
) -> Any:
    """The loss of whole targets; classes lie on axis 1."""
    t = target._a
    if t.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.tensor}")
    if logs.ndim == 1:
        logs, t = logs[None], t.reshape(1)
    kept = t != ignore
    wrong = t[kept & ((t < 0) | (t >= logs.shape[1]))]
    if wrong.size:
        raise IndexError(f"Target {wrong.flat[0]} is out of bounds.")
    at = np.expand_dims(np.where(kept, t, 0), 1).astype(np.intp)
    each = np.where(kept, -np.take_along_axis(logs, at, 1).squeeze(1), 0).astype(logs.dtype)
    many = kept.sum()
    with np.errstate(all="ignore"):
        found = {"mean": each.sum() / logs.dtype.type(many), "sum": each.sum()}.get(reduction, each)
    found = found.reshape(input._a.shape[:1][1:] if input._a.ndim == 1 else np.shape(found))

    def carry(g: np.ndarray) -> np.ndarray:
        g = (g / many if reduction == "mean" else g) * kept
        whole = np.zeros_like(logs)
        np.put_along_axis(whole, at, -np.expand_dims(np.broadcast_to(g, kept.shape), 1).astype(logs.dtype), 1)
        return back(whole).reshape(input._a.shape)

    return made(found, name, (input, carry))


def _must_fit(input: Any, target: Any) -> None:
    x, t = input._a, target._a
    if x.ndim == 2 and t.ndim == 1 and len(x) != len(t):
        raise ValueError(f"Expected input batch_size ({len(x)}) to match target batch_size ({len(t)}).")
    if x.ndim == 1:
        return
    if len(x) != len(t):
        raise ValueError(f"Expected input batch_size ({len(x)}) to match target batch_size ({len(t)}).")
    if x.ndim > 2 and t.shape != (len(x), *x.shape[2:]):
        raise RuntimeError(f"Expected target size {[len(x), *x.shape[2:]]}, got {list(t.shape)}")
    if x.ndim == 2 and t.ndim != 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")


@Op
def cross_entropy(
    input: "Tensor",
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Minus the logarithm of the share that the right class gets."""
    if not isinstance(target, Tensor):
        raise TypeError(
            f"cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not {kind(target)}"
        )
    x, at = input._a, 0 if input._a.ndim == 1 else 1
    same = target._a.shape == x.shape
    if same and target._a.dtype.kind != "f":
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {target.dtype.tensor}"
        )
    if not same:
        _must_fit(input, target)
    if x.dtype.kind != "f":
        last = "lastdim_" * (at == x.ndim - 1)
        raise NotImplementedError(
            f"\"log_softmax_{last}kernel_impl\" not implemented for '{input.dtype.tensor}'"
        )
    if same or label_smoothing:
        n = x.shape[at]
        whole = (
            target
            if same
            else METHODS["movedim"].run(METHODS["to"].run(one_hot.run(target, n), input.dtype), -1, at)
        )
        soft_ = METHODS["add"].run(METHODS["mul"].run(whole, 1 - label_smoothing), label_smoothing / n)
        each = METHODS["mul"].run(METHODS["log_softmax"].run(input, at), soft_)
        each = METHODS["neg"].run(METHODS["sum"].run(each, at))
        return each if reduction == "none" else METHODS[reduction].run(each)
    logs = log_soft(x, at)

    def back(g: np.ndarray) -> np.ndarray:
        return g - np.exp(logs).reshape(g.shape) * g.sum(1, keepdims=True)

    return _losses(logs, input, target, reduction, ignore_index, "NllLoss", back)


@Op
def nll_loss(
    input: "Tensor", target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """The same, of logarithms."""
    _must_fit(input, target)
    return _losses(input._a, input, target, reduction, ignore_index, "NllLoss", lambda g: g)


@Op
def mse_loss(input: "Tensor", target: "Tensor", *_: Any, reduction: str = "mean") -> Any:
    """The mean square of the differences."""
    each = METHODS["square"].run(METHODS["sub"].run(input, target))
    return each if reduction == "none" else METHODS[reduction].run(each)


@Op
def normalize(input: "Tensor", p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    """Vectors of length 1."""
    length = METHODS["clamp"].run(METHODS["norm"].run(input, p, dim, True), eps)
    return METHODS["div"].run(input, length)


@Op
def cosine_similarity(x1: "Tensor", x2: "Tensor", dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between vectors."""
    mul, whole = METHODS["mul"].run, METHODS["sum"].run
    return whole(mul(*(normalize.run(one, 2.0, dim, eps) for one in (x1, x2))), dim)


FUNCTIONS["cosine_similarity"] = cosine_similarity


@Op
def pad(input: "Tensor", pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """Numbers put before and behind, from the last axis on; a negative count cuts off."""
    a = input._a
    pairs = [(0, 0)] * (a.ndim - len(pad) // 2) + [tuple(pad[i : i + 2]) for i in range(len(pad) - 2, -1, -2)]
    cut = tuple(slice(max(0, -lo), n - max(0, -hi)) for (lo, hi), n in zip(pairs, a.shape, strict=True))
    more = [(max(0, lo), max(0, hi)) for lo, hi in pairs]
    found = np.pad(a[cut], more, constant_values=value or 0)

    def back(g: np.ndarray) -> np.ndarray:
        whole = np.zeros(a.shape, g.dtype)
        whole[cut] = g[tuple(slice(lo, n - hi) for (lo, hi), n in zip(more, g.shape, strict=True))]
        return whole

    return made(found, "ConstantPadNd", (input, back))


from torch.nn.attention.functions import multi_head_attention_forward, scaled_dot_product_attention

__all__ = ["multi_head_attention_forward", "scaled_dot_product_attention"]
