"""Right and wrong answers to `rotary`, as learners write them."""

import math

import numpy as np
import torch

from banks.registry import right, wrong

NAME = "rotary"


def angles(x, positions, base=10000.0):
    """What each pair of each token turns by."""
    d = x.shape[-1]
    return positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def turn(a, b, theta):
    cos, sin = theta.cos().to(a.dtype), theta.sin().to(a.dtype)
    return a * cos - b * sin, a * sin + b * cos


# Right answers, each in its own style


@right(NAME, "halves, cos and sin, in double precision")
def halves(x, positions, base=10000.0):
    a, b = x.chunk(2, dim=-1)
    return torch.cat(turn(a, b, angles(x, positions, base)), dim=-1)


@right(NAME, "rotate_half, float32 angles")
def rotate_half(x, positions, base=10000.0):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    freqs = positions.float()[:, None] * inv_freq[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()


@right(NAME, "complex numbers")
def as_complex(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    z = torch.complex(x[..., :half], x[..., half:])
    theta = torch.outer(positions.double(), base ** (-torch.arange(half).double() / half))
    z = z * torch.exp(1j * theta)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)


@right(NAME, "loops")
def loops(x, positions, base=10000.0):
    d = x.shape[-1]
    out = torch.zeros_like(x)
    for t, p in enumerate(positions.tolist()):
        for i in range(d // 2):
            theta = p * base ** (-2 * i / d)
            a, b = x[..., t, i], x[..., t, i + d // 2]
            out[..., t, i] = a * math.cos(theta) - b * math.sin(theta)
            out[..., t, i + d // 2] = a * math.sin(theta) + b * math.cos(theta)
    return out


@right(NAME, "rotation matrices, einsum")
def matrices(x, positions, base=10000.0):
    t = angles(x, positions, base)
    R = torch.stack([torch.stack([t.cos(), -t.sin()], -1), torch.stack([t.sin(), t.cos()], -1)], -2)
    pairs = torch.stack(x.chunk(2, -1), dim=-1)
    turned = torch.einsum("nirc,...nic->...nir", R.to(x.dtype), pairs)
    return torch.cat([turned[..., 0], turned[..., 1]], -1)


@right(NAME, "NumPy inside")
def in_numpy(x, positions, base=10000.0):
    a, b = np.split(x.numpy(), 2, axis=-1)
    theta = positions.numpy()[:, None] / base ** (2 * np.arange(a.shape[-1]) / x.shape[-1])
    out = np.concatenate([a * np.cos(theta) - b * np.sin(theta), a * np.sin(theta) + b * np.cos(theta)], -1)
    return torch.from_numpy(out.astype(x.numpy().dtype))


@right(NAME, "an error for odd widths, int power")
def with_error(x, positions, base=10000.0):
    *_, d = x.shape
    if d % 2:
        raise ValueError(f"{d} is odd, not 2 halves")
    freq = torch.pow(base, -2 * torch.arange(d // 2) / d)
    theta = torch.einsum("n,i->ni", positions.to(freq.dtype), freq)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat(
        [first * theta.cos() - second * theta.sin(), second * theta.cos() + first * theta.sin()], dim=-1
    ).to(x.dtype)


# Wrong answers, each with the id of its mistake


@wrong(NAME, "pairs-side-by-side")
def as_in_the_paper(x, positions, base=10000.0):
    a, b = turn(x[..., ::2], x[..., 1::2], angles(x, positions, base))
    return torch.stack([a, b], -1).flatten(-2)


@wrong(NAME, "pairs-side-by-side", note="view_as_complex, as in Llama")
def as_llama(x, positions, base=10000.0):
    z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))
    t = angles(x, positions, base)
    return torch.view_as_real(z * torch.polar(torch.ones_like(t), t)).flatten(-2).to(x.dtype)


@wrong(NAME, "pairs-side-by-side", note="taken apart so, joined in halves")
def mixed_layout(x, positions, base=10000.0):
    return torch.cat(turn(x[..., ::2], x[..., 1::2], angles(x, positions, base)), -1)


@wrong(NAME, "rotated-backwards")
def backwards(x, positions, base=10000.0):
    a, b = x.chunk(2, -1)
    return torch.cat(turn(a, b, -angles(x, positions, base)), -1)


@wrong(NAME, "rotated-backwards", note="rotate_half with the other sign")
def other_half(x, positions, base=10000.0):
    t = angles(x, positions, base).repeat(1, 2)
    a, b = x.chunk(2, -1)
    return (x * t.cos() + torch.cat([b, -a], -1) * t.sin()).to(x.dtype)


@wrong(NAME, "sign-missing")
def no_minus(x, positions, base=10000.0):
    t = angles(x, positions, base).repeat(1, 2)
    a, b = x.chunk(2, -1)
    return (x * t.cos() + torch.cat([b, a], -1) * t.sin()).to(x.dtype)


@wrong(NAME, "partner-missing")
def no_partner(x, positions, base=10000.0):
    return (x * angles(x, positions, base).repeat(1, 2).cos()).to(x.dtype)


@wrong(NAME, "partner-missing", note="rows times their own cosine and sine")
def own_halves(x, positions, base=10000.0):
    a, b = x.chunk(2, -1)
    t = angles(x, positions, base)
    return torch.cat([a * t.cos(), b * t.sin()], -1).to(x.dtype)


@wrong(NAME, "halves-swapped")
def swapped(x, positions, base=10000.0):
    a, b = turn(*x.chunk(2, -1), angles(x, positions, base))
    return torch.cat([b, a], -1)


@wrong(NAME, "cos-and-sin-swapped")
def sin_first(x, positions, base=10000.0):
    a, b = x.chunk(2, -1)
    t = angles(x, positions, base)
    return torch.cat([a * t.sin() - b * t.cos(), a * t.cos() + b * t.sin()], -1).to(x.dtype)


@wrong(NAME, "updated-too-early")
def too_early(x, positions, base=10000.0):
    a, b = x.chunk(2, -1)
    t = angles(x, positions, base)
    a = a * t.cos() - b * t.sin()
    b = a * t.sin() + b * t.cos()
    return torch.cat([a, b], -1).to(x.dtype)


@wrong(NAME, "added-instead-of-rotated")
def sinusoids(x, positions, base=10000.0):
    t = angles(x, positions, base)
    return (x + torch.cat([t.sin(), t.cos()], -1)).to(x.dtype)


def with_angles(mistake, note=""):
    """Register `theta(positions, d, base)` as the angles of an answer that is right but for them."""

    def register(theta):
        def answer(x, positions, base=10000.0):
            return torch.cat(turn(*x.chunk(2, -1), theta(positions.double(), x.shape[-1], base)), -1)

        return wrong(NAME, mistake, note=note)(answer)

    return register


def steps(d):
    return torch.arange(d // 2, dtype=torch.float64)


with_angles("wrong-exponent", "i / d")(lambda p, d, base: p[:, None] * base ** (-steps(d) / d))
with_angles("wrong-exponent", "4 i / d")(lambda p, d, base: p[:, None] * base ** (-4 * steps(d) / d))
with_angles("wrong-exponent", "no minus")(lambda p, d, base: p[:, None] * base ** (2 * steps(d) / d))
with_angles("wrong-exponent", "not divided")(lambda p, d, base: p[:, None] * base ** (-2 * steps(d)))
with_angles("off-by-one", "pairs from 1")(lambda p, d, base: p[:, None] * base ** (-2 * (steps(d) + 1) / d))
with_angles("off-by-one", "positions from 1")(
    lambda p, d, base: (p[:, None] + 1) * base ** (-2 * steps(d) / d)
)
with_angles("all-pairs-alike")(lambda p, d, base: p[:, None].expand(-1, d // 2))
with_angles("pairs-out-of-order")(lambda p, d, base: p[:, None] * (base ** (-2 * steps(d) / d)).flip(0))
with_angles("base-ignored")(lambda p, d, base: p[:, None] * 10000 ** (-2 * steps(d) / d))
with_angles("positions-ignored")(
    lambda p, d, base: torch.arange(len(p))[:, None] * base ** (-2 * steps(d) / d)
)
with_angles("degrees")(lambda p, d, base: torch.deg2rad(p[:, None] * base ** (-2 * steps(d) / d)))
with_angles("angle-doubled", "2 pi")(
    lambda p, d, base: 2 * math.pi * p[:, None] * base ** (-2 * steps(d) / d)
)
with_angles("one-position-for-all")(
    lambda p, d, base: (p[-1:, None] * base ** (-2 * steps(d) / d)).expand(len(p), -1)
)


@wrong(NAME, "one-output-too-many")
def two_halves(x, positions, base=10000.0):
    return turn(*x.chunk(2, -1), angles(x, positions, base))


@wrong(NAME, "returns-stacked")
def stacked(x, positions, base=10000.0):
    return torch.stack(turn(*x.chunk(2, -1), angles(x, positions, base)), -1)


@wrong(NAME, "wrong-axis")
def below(x, positions, base=10000.0):
    return torch.cat(turn(*x.chunk(2, -1), angles(x, positions, base)), -2)


@wrong(NAME, "returns-input")
def untouched(x, positions, base=10000.0):
    return x


@wrong(NAME, "returns-numpy")
def as_array(x, positions, base=10000.0):
    return halves(x, positions, base).numpy()


@wrong(NAME, "float32")
def narrowed(x, positions, base=10000.0):
    return halves(x.float(), positions, base)


@wrong(NAME, "input-changed")
def in_place(x, positions, base=10000.0):
    x[...] = halves(x, positions, base)
    return x


@wrong(NAME, "returns-none")
def nothing(x, positions, base=10000.0):
    halves(x, positions, base)


@wrong(NAME, "input-changed", "the positions get an axis in place")
def positions_unsqueezed(x, positions, base=10000.0):
    d = x.shape[-1]
    theta = positions.unsqueeze_(-1) * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.cat(turn(x[..., : d // 2], x[..., d // 2 :], theta), dim=-1)


def turned(x, theta):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()], dim=-1)


@wrong(NAME, "wrong-exponent", note="whole division")
def whole_exponent(x, positions, base=10000.0):
    d = x.shape[-1]
    i = torch.arange(d // 2)
    return turned(x, positions[:, None].to(x.dtype) * base ** (-2 * i // d).to(x.dtype))


@wrong(NAME, "wrong-exponent", note="linspace to -1")
def both_ends(x, positions, base=10000.0):
    speed = base ** -torch.linspace(0, 1, x.shape[-1] // 2, dtype=x.dtype)
    return turned(x, torch.outer(positions.to(x.dtype), speed))


@wrong(NAME, "first-pair-only")
def pair_zero(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    theta = positions.to(x.dtype)
    out = x.clone()
    out[..., 0] = x[..., 0] * theta.cos() - x[..., half] * theta.sin()
    out[..., half] = x[..., 0] * theta.sin() + x[..., half] * theta.cos()
    return out


def right_angles(positions, d, dtype, base):
    return torch.outer(positions.to(dtype), base ** (-torch.arange(0, d, 2, dtype=dtype) / d))


@wrong(NAME, "half-rotated")
def partial(x, positions, base=10000.0):
    one, other = x.chunk(2, dim=-1)
    if one.shape[-1] % 2:
        return x
    theta = right_angles(positions, one.shape[-1], x.dtype, base)
    return torch.cat([turned(one, theta), other], dim=-1)


@wrong(NAME, "angles-side-by-side")
def two_conventions(x, positions, base=10000.0):
    theta = right_angles(positions, x.shape[-1], x.dtype, base).repeat_interleave(2, dim=-1)
    a, b = x.chunk(2, dim=-1)
    return x * theta.cos() + torch.cat([-b, a], dim=-1) * theta.sin()


@wrong(NAME, "angles-not-a-table")
def no_column(x, positions, base=10000.0):
    d = x.shape[-1]
    return turned(x, positions.to(x.dtype) * base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d))


@wrong(NAME, "angles-not-a-table", note="turned round")
def pairs_by_tokens(x, positions, base=10000.0):
    return turned(x, right_angles(positions, x.shape[-1], x.dtype, base).T)


@wrong(NAME, "partner-missing", note="halves not swapped")
def not_swapped(x, positions, base=10000.0):
    theta = right_angles(positions, x.shape[-1], x.dtype, base).repeat(1, 2)
    a, b = x.chunk(2, dim=-1)
    return x * theta.cos() + torch.cat([-a, b], dim=-1) * theta.sin()


def _turned(x, theta):
    a, b = x.chunk(2, dim=-1)
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


@wrong("rotary", "operator-precedence", "base ** -2 * i / d")
def minus_two_alone(x, positions, base=10000.0):
    i, d = torch.arange(x.shape[-1] // 2), x.shape[-1]
    return _turned(x, positions[:, None] * (base**-2 * i / d))


@wrong("rotary", "operator-precedence", "d behind the power")
def d_behind_the_power(x, positions, base=10000.0):
    i, d = torch.arange(x.shape[-1] // 2), x.shape[-1]
    return _turned(x, positions[:, None] * (base ** (-2.0 * i) / d))


@wrong("rotary", "positions-scaled")
def positions_by_n(x, positions, base=10000.0):
    i, d = torch.arange(x.shape[-1] // 2), x.shape[-1]
    return _turned(x, positions[:, None] / x.shape[-2] * base ** (-2 * i / d))


@wrong("rotary", "scaled-as-well", "made equally long")
def made_equally_long(x, positions, base=10000.0):
    i, d = torch.arange(x.shape[-1] // 2), x.shape[-1]
    y = _turned(x, positions[:, None] * base ** (-2 * i / d))
    return torch.nn.functional.normalize(y, dim=-1) * x.norm(dim=-1).mean()


_tables = {}


@wrong("rotary", "state-between-calls", "a table kept by the width alone")
def kept_table(x, positions, base=10000.0):
    d = x.shape[-1]
    if d not in _tables:
        speed = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        _tables[d] = torch.outer(torch.arange(4096, dtype=torch.float64), speed)
    return _turned(x, _tables[d][positions])
