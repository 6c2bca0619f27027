"""Right and wrong answers to `softmax_with_temperature`, as learners write them."""

import math
from dataclasses import dataclass

import numpy as np
import torch

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("softmax_with_temperature", "maximum first, then divided")
def temperature_max_first(x, temperature):
    e = np.exp((x - x.max(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@right("softmax_with_temperature", "divided first")
def temperature_divide_first(x, temperature):
    z = x / temperature
    z = z - np.max(z, -1, keepdims=True)
    return np.exp(z) / np.sum(np.exp(z), -1, keepdims=True)


@right("softmax_with_temperature", "torch.softmax, the library call")
def temperature_torch(x, temperature):
    return torch.softmax(torch.tensor(x) / temperature, dim=-1).numpy()


@right("softmax_with_temperature", "log-weights divided and normalised again")
def temperature_log_weights(x, temperature):
    x = np.asarray(x, dtype=np.float64)
    log_weights = x - np.logaddexp.reduce(x, axis=-1, keepdims=True)
    cooled = log_weights / temperature
    return np.exp(cooled - np.logaddexp.reduce(cooled, axis=-1, keepdims=True))


@right("softmax_with_temperature", "loops and Python floats")
def temperature_loops(x, temperature):
    result = np.zeros(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        row = [float(value) for value in x[index]]
        e = [math.exp((value - max(row)) / temperature) for value in row]
        result[index] = [value / math.fsum(e) for value in e]
    return result


@right("softmax_with_temperature", "a power of the exponentials")
def temperature_power_exponentials(x, temperature):
    # (e^a) ** (1 / T) with the logarithm kept: np.power(np.e, a / T).
    gaps = x - np.expand_dims(x.max(-1), -1)
    powers = np.power(np.e, gaps / temperature)
    return powers / np.einsum("...n->...", powers)[..., None]


@right("softmax_with_temperature", "a dataclass, prints; a transposed view")
def temperature_dataclass(x, temperature):
    @dataclass(frozen=True)
    class Sampler:
        beta: float

        def __call__(self, columns):
            e = np.exp(self.beta * (columns - columns.max(axis=0)))
            return e / e.sum(axis=0)

    sampler = Sampler(1 / temperature)
    print(sampler)
    return sampler(x.T).T if x.ndim < 3 else np.moveaxis(sampler(np.moveaxis(x, -1, 0)), 0, -1)


@right("softmax_with_temperature", "power of probabilities in log space")
def softmax_with_temperature_10(x, temperature):
    z = (x - x.max(-1, keepdims=True)) / temperature
    return np.exp(z - np.log(np.exp(z).sum(-1, keepdims=True)))


@right("softmax_with_temperature", "reciprocal beta, in-place on its own copy")
def softmax_with_temperature_11(x, temperature):
    z = np.array(x, dtype=float)
    z -= z.max(-1)[..., None]
    z *= 1 / temperature
    np.exp(z, out=z)
    z /= np.add.reduce(z, -1)[..., None]
    return z


@right("softmax_with_temperature", "base change: (e^(1/T)) ** x through exp2")
def softmax_with_temperature_12(x, temperature):
    e = np.exp2((x - np.amax(x, -1, keepdims=True)) * (math.log2(math.e) / temperature))
    return np.einsum("...i,...->...i", e, 1 / e.sum(-1))


# Wrong answers, those with one mistake together


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


@wrong("softmax_with_temperature", "temperature-multiplied")
def temperature_times(x, temperature):
    return _softmax(x * temperature)


@wrong("softmax_with_temperature", "temperature-multiplied", note="Multiplies by T: hot becomes sharp.")
def t1(x, temperature):
    z = np.multiply(x, temperature)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong("softmax_with_temperature", "temperature-ignored", note="right for T = 1")
def temperature_ignored(x, temperature):
    return _softmax(x)


@wrong("softmax_with_temperature", "temperature-ignored")
def temperature_added(x, temperature):
    return _softmax(x + temperature)


@wrong(
    "softmax_with_temperature",
    "temperature-ignored",
    note="Divides the exponentials (not the scores) by T before normalising, so T cancels.",
)
def t3(x, temperature):
    e = np.exp(x - x.max(-1, keepdims=True)) / temperature
    return e / e.sum(-1, keepdims=True)


@wrong("softmax_with_temperature", "temperature-after-softmax")
def temperature_after(x, temperature):
    return _softmax(x) / temperature


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="p ** (1 / T): an underflowed p is 0 for ever",
)
def temperature_power(x, temperature):
    p = _softmax(x) ** (1 / temperature)
    return p / p.sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="Divides the finished softmax by T, so rows sum to 1/T.",
)
def t2(x, temperature):
    return (torch.softmax(torch.as_tensor(x), dim=-1) / temperature).numpy()


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="Raises the softmax to 1/T but does not divide by the new row sum.",
)
def t9(x, temperature):
    e = np.exp(x - x.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return p ** (1 / temperature)


def _sm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="raises the softmax to the power 1/T and forgets to normalise again",
)
def softmax_with_temperature_13(x, temperature):
    return _sm(x) ** (1.0 / temperature)


@wrong("softmax_with_temperature", "no-max-subtraction", note="fails for a small T")
def temperature_naive(x, temperature):
    e = np.exp(x / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature", "no-max-subtraction", note="long doubles overflow later, from about 11356 on"
)
def temperature_in_long_doubles(x, temperature):
    powers = np.exp(x.astype(np.longdouble) / temperature)
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(x.dtype)


@wrong("softmax_with_temperature", "operator-precedence", note="x - max / T")
def temperature_precedence(x, temperature):
    e = np.exp(x - x.max(axis=-1, keepdims=True) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "operator-precedence",
    note="Subtracts max(x) rather than max(x/T) after dividing: overflows for small T.",
)
def t5(x, temperature):
    e = np.exp(x / temperature - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "operator-precedence",
    note="subtracts the max of x from x / T (max taken before dividing): overflows for small T",
)
def softmax_with_temperature_14(x, temperature):
    with np.errstate(all="ignore"):
        e = np.exp(x / temperature - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "scaled-by-sqrt-temperature")
def temperature_sqrt(x, temperature):
    return _softmax(x / np.sqrt(temperature))


@wrong(
    "softmax_with_temperature",
    "scaled-by-sqrt-temperature",
    note="Half-remembers attention scaling and divides by sqrt(T).",
)
def t7(x, temperature):
    z = x / np.sqrt(temperature)
    z = z - z.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "softmax-over-queries")
def temperature_first_axis(x, temperature):
    return _softmax(x / temperature, axis=0)


@wrong("softmax_with_temperature", "axis-counted-from-front", note="axis 1: right for matrices")
def temperature_axis_one(x, temperature):
    return _softmax(x / temperature, axis=1)


@wrong("softmax_with_temperature", "keepdims-forgotten")
def temperature_no_keepdims(x, temperature):
    z = x / temperature
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@wrong("softmax_with_temperature", "softmax-over-everything")
def temperature_flat(x, temperature):
    e = np.exp((x - x.max()) / temperature)
    return e / e.sum()


@wrong("softmax_with_temperature", "global-max")
def temperature_global_max(x, temperature):
    e = np.exp((x - x.max()) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "input-changed")
def temperature_in_place(x, temperature):
    x /= temperature
    return _softmax(x)


@wrong("softmax_with_temperature", "truncates-to-int", note="// for /")
def temperature_floor(x, temperature):
    return _softmax(x // temperature)


@wrong(
    "softmax_with_temperature",
    "truncates-to-int",
    note="Uses // instead of /, so the scaled scores are floored.",
)
def t8(x, temperature):
    z = x // temperature
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong("softmax_with_temperature", "truncates-to-int", note="uses floor division")
def softmax_with_temperature_16(x, temperature):
    return _sm(x // temperature)


@wrong("softmax_with_temperature", "temperature-clamped", note="at 1e-1: small T is not sharp enough")
def temperature_clamped(x, temperature):
    return _softmax(x / max(temperature, 0.1))


@wrong(
    "softmax_with_temperature",
    "temperature-clamped",
    note="Clamps T to at least 0.5 'so that it cannot explode'.",
)
def t6(x, temperature):
    T = max(0.5, temperature)
    z = (x - x.max(-1, keepdims=True)) / T
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


@wrong("softmax_with_temperature", "hard-lookup", note="argmax below T = 0.1")
def temperature_hard(x, temperature):
    if temperature < 0.1:
        return (x == x.max(axis=-1, keepdims=True)).astype(x.dtype)
    return _softmax(x / temperature)


@wrong(
    "softmax_with_temperature",
    "hard-lookup",
    note="Treats every T below 1 as the cold limit and returns a hard one-hot argmax.",
)
def t12(x, temperature):
    if temperature < 1:
        return np.eye(x.shape[-1])[x.argmax(-1)]
    z = (x - x.max(-1, keepdims=True)) / temperature
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "hard-lookup",
    note="returns a hard one-hot of the argmax as soon as T is at most 0.1",
)
def softmax_with_temperature_15(x, temperature):
    if temperature <= 0.1:
        return np.eye(x.shape[-1])[x.argmax(-1)]
    return _sm(x / temperature)


@wrong("softmax_with_temperature", "epsilon-too-large")
def temperature_eps(x, temperature):
    return _softmax(x / (temperature + 1e-3))


@wrong("softmax_with_temperature", "float32")
def temperature_float32(x, temperature):
    return torch.softmax(torch.Tensor(x) / temperature, dim=-1).numpy()


@wrong(
    "softmax_with_temperature",
    "one-term-forgotten",
    note="T is applied in the numerator but the denominator sums e^x without T.",
)
def t4(x, temperature):
    m = np.max(x, axis=-1, keepdims=True)
    return np.exp((x - m) / temperature) / np.sum(np.exp(x - m), axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "softmax-over-queries+temperature-multiplied",
    note="Multiplies by T and normalises along axis 0.",
)
def t10(x, temperature):
    z = x * temperature
    e = np.exp(z - z.max(axis=0))
    return e / e.sum(axis=0)


@wrong(
    "softmax_with_temperature",
    "softmax-over-everything+no-max-subtraction",
    note="No max trick, and one sum for the whole array.",
)
def t11(x, temperature):
    e = np.exp(x / temperature)
    return e / np.sum(e)


@wrong(
    "softmax_with_temperature",
    "scaled-by-sqrt-temperature+softmax-over-everything",
    note="TWO: divides by sqrt(T) and normalises over the whole array",
)
def softmax_with_temperature_17(x, temperature):
    z = x / np.sqrt(temperature)
    e = np.exp(z - z.max())
    return e / e.sum()


@wrong(
    "softmax_with_temperature",
    "arguments-ignored",
    note="The notebook's variable scores (0, 1, 2) is used instead of the argument x.",
)
def softmax_with_temperature_arguments_ignored(x, temperature):
    scores = np.array([0.0, 1.0, 2.0])
    return reference.softmax(scores / temperature)


@wrong("softmax_with_temperature", "epsilon-too-large")
def softmax_with_temperature_epsilon_too_large(x, temperature):
    return reference.softmax(x / (temperature + 1e-8))


@wrong("softmax_with_temperature", "logarithm-first")
def softmax_with_temperature_logarithm_first(x, temperature):
    return reference.softmax(np.log(x) / temperature)


@wrong("softmax_with_temperature", "float32", note="and over the first axis: rounding is no epsilon")
def softmax_with_temperature_first_axis_narrow(x, temperature):
    logits = torch.from_numpy(x).float() / temperature
    return torch.nn.functional.softmax(logits, dim=0).numpy()


@wrong("softmax_with_temperature", "epsilon-too-large", note="1e-12 beside the temperature")
def with_1e_12_beside_the_temperature(x, temperature):
    return reference.softmax(x / (temperature + 1e-12))


@wrong("softmax_with_temperature", "epsilon-too-large", note="1e-8 in the sum")
def with_1e_8_in_the_sum(x, temperature):
    z = x / temperature
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-8)


@wrong("softmax_with_temperature", "temperature-clamped", "between two bounds")
def temperature_between_two_bounds(x, temperature):
    temperature = float(np.clip(temperature, 0.1, 10.0))
    return reference.softmax(x / temperature, axis=-1)
