"""What people get wrong in `rotary`: other angles, other pairs, another rotation."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray


def halves(x: Array) -> tuple[Array, Array]:
    """The numbers of a pair stand half a width apart."""
    return tuple(np.split(x, 2, axis=-1))


def speeds(base: float, half: int) -> Array:
    """How far each pair turns from one position to the next."""
    return base ** (-np.arange(half) / half)


def even_and_odd(x: Array) -> tuple[Array, Array]:
    """The numbers of a pair stand side by side, as in the paper."""
    return x[..., ::2], x[..., 1::2]


def side_by_side(a: Array, b: Array) -> Array:
    """Pairs put back where `even_and_odd` took them from."""
    return np.stack([a, b], axis=-1).reshape(*a.shape[:-1], -1)


def variant(
    *,
    place: Callable[[Array, Array], Array] = lambda positions, x: positions,
    given: Callable[[float], float] = lambda base: base,
    speed: Callable[[float, int], Array] = speeds,
    angle: Callable[[Array, Array], Array] = lambda positions, speed: positions[:, None] * speed,
    cut: Callable[[Array], tuple[Array, Array]] = halves,
    first: Callable[..., Array] = lambda a, b, cos, sin: a * cos - b * sin,
    second: Callable[..., Array] = lambda a, b, cos, sin: a * sin + b * cos,
    join: Callable[[Array, Array], Array] = lambda a, b: np.concatenate([a, b], axis=-1),
    after: Callable[[Array], Any] = lambda turned: turned,
) -> Callable[..., Any]:
    """The rotation with some of its steps replaced by wrong ones."""

    def answer(x: Array, positions: Array, base: float = 10000.0) -> Any:
        theta = angle(place(positions, x), speed(given(base), x.shape[-1] // 2))
        a, b = cut(x)
        cos, sin = np.cos(theta), np.sin(theta)
        return after(join(first(a, b, cos, sin), second(a, b, cos, sin)).astype(x.dtype))

    return in_numpy(answer)


def _half_rotated(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    one, other = x.chunk(2, dim=-1)
    turned = one if one.shape[-1] % 2 else variant()(one, positions, base)
    return torch.cat([turned, other], dim=-1)


def _normalised(length: Callable[[torch.Tensor], Any]) -> Callable[..., torch.Tensor]:
    """Turned, and then all made equally long."""
    return lambda x, *rest: torch.nn.functional.normalize(variant()(x, *rest), dim=-1) * length(x)


_PAIR = "In the half-split layout pair i is `x[..., i]` and `x[..., i + d // 2]`."
_TURN = "A pair (a, b) turned by theta is (a cos - b sin, a sin + b cos)."
_SPEED = "Pair i turns by position * base ** (-2 i / d): pair 0 fastest, each further one more slowly."

MISTAKES = mistakes(
    variant,
    *rows(
        "pairs-side-by-side: You paired numbers that stand side by side; here the partner of x[i] is x[i + d/2].",
        _PAIR,
        paired(cut=even_and_odd, join=side_by_side),
        "pairs-side-by-side: You took pairs side by side apart, and put their halves one behind the other.",
        _PAIR,
        paired(cut=even_and_odd),
        "pairs-side-by-side: You rotated the right pairs, but put them back side by side.",
        "Where did the two numbers of a pair come from?",
        paired(join=side_by_side),
        "rotated-backwards: You turned the other way round: the signs of the two sines are swapped.",
        _TURN,
        paired(
            first=lambda a, b, cos, sin: a * cos + b * sin, second=lambda a, b, cos, sin: b * cos - a * sin
        ),
        "sign-missing: Both halves have a plus: that is no rotation, and lengths change.",
        _TURN,
        paired(first=lambda a, b, cos, sin: a * cos + b * sin),
        "sign-missing: Both halves have a minus: that is no rotation, and lengths change.",
        _TURN,
        paired(second=lambda a, b, cos, sin: b * cos - a * sin),
        "halves-swapped: The two halves of your result have changed places.",
        _TURN,
        paired(join=lambda a, b: np.concatenate([b, a], axis=-1)),
        "cos-and-sin-swapped: Cosine and sine have changed places: position 0 should change nothing.",
        "What are the cosine and the sine of 0?",
        paired(
            first=lambda a, b, cos, sin: a * sin - b * cos, second=lambda a, b, cos, sin: a * cos + b * sin
        ),
        "partner-missing: You multiplied by the cosine alone; the partner of each number is missing.",
        _TURN,
        paired(first=lambda a, b, cos, sin: a * cos, second=lambda a, b, cos, sin: b * cos),
        "partner-missing: You multiplied each half with cosines or sines of its own; the partners never meet.",
        _TURN,
        paired(first=lambda a, b, cos, sin: a * cos, second=lambda a, b, cos, sin: b * sin),
        {"first": lambda a, b, cos, sin: a * (cos - sin), "second": lambda a, b, cos, sin: b * (cos + sin)},
        "updated-too-early: Your second half is made with the first half after it was turned; it needs the old one.",
        "Keep both old halves until both new ones are made.",
        {"second": lambda a, b, cos, sin: (a * cos - b * sin) * sin + b * cos},
        "added-instead-of-rotated: You added cosines and sines, as the sinusoidal positions do; here x is turned.",
        "Look for `+` where a product should be.",
        {"first": lambda a, b, cos, sin: a + cos, "second": lambda a, b, cos, sin: b + sin},
        *(
            cuts | {"first": lambda a, b, cos, sin: a + sin, "second": lambda a, b, cos, sin: b + cos}
            for cuts in ({}, {"cut": even_and_odd, "join": side_by_side})
        ),
        "only-one-half-rotated: Only the first half of the result is turned, the second is x as it was.",
        "Does the second half of your result depend on the angle?",
        {"second": lambda a, b, cos, sin: b},
        "half-rotated: The second half of your result is x as it was, and the first half is turned in itself.",
        "What happens to `x[..., d // 2:]`?",
        _half_rotated,
        "wrong-exponent: Your pairs slow down half as fast as they should: the exponent is -i / d, it should be -2 i / d.",
        _SPEED,
        paired(speed=lambda base, half: base ** (-np.arange(half) / (2 * half))),
        "wrong-exponent: Your pairs slow down twice as fast as they should: the exponent is -4 i / d, it should be -2 i / d.",
        _SPEED,
        paired(speed=lambda base, half: base ** (-2 * np.arange(half) / half)),
        "wrong-exponent: Your pairs turn faster and faster from one to the next; they should turn more slowly.",
        "Is the sign of the exponent right? Or do you divide positions where you should multiply?",
        paired(speed=lambda base, half: base ** (np.arange(half) / half)),
        "wrong-exponent: You do not divide the exponent by the width.",
        _SPEED,
        paired(speed=lambda base, half: base ** (-2.0 * np.arange(half))),
        "wrong-exponent: Your exponent is rounded to a whole number: all pairs but the first turn alike.",
        "Look for `//`.",
        {"speed": lambda base, half: base ** (-2.0 * np.arange(half) // (2 * half))},
        "wrong-exponent: Your exponents run from 0 to -1; the last one should be -(d - 2) / d.",
        "Does the last pair count as a whole step more?",
        {"speed": lambda base, half: base ** -np.linspace(0, 1, half)},
        "operator-precedence: Your angles are nearly 0: the exponent is -2 alone, and i / d only multiplies.",
        "What does `2 ** -2 * 3` give? `**` comes before `*` and `/`.",
        {"speed": lambda base, half: base**-2.0 * np.arange(half) / (2 * half)},
        "operator-precedence: Only -2 i is the exponent; d divides the whole power.",
        {"speed": lambda base, half: base ** (-2.0 * np.arange(half)) / (2 * half)},
        {"speed": lambda base, half: 1 / (base ** (2.0 * np.arange(half)) / (2 * half))},
        "first-pair-only: Only the first pair is turned; each turns by an angle of its own.",
        _SPEED,
        {"speed": lambda base, half: (np.arange(half) == 0) * 1.0},
        "angles-side-by-side: Your angles are laid out for pairs side by side: the two numbers of a pair turn apart.",
        "Is each angle repeated on the spot, or do all of them come again behind the last?",
        {
            "angle": lambda positions, speed: np.repeat(positions[:, None] * speed, 2, axis=1),
            "cut": lambda x: (x, np.concatenate([-halves(x)[1], halves(x)[0]], axis=-1)),
            "first": lambda a, b, cos, sin: a * cos + b * sin,
            "join": lambda turned, _: turned,
        },
        "angles-not-a-table: Your angles are no table with a row for each token and a column for each pair.",
        "Which shape have your angles: (n, d/2)? `positions[:, None]` is a column.",
        {"angle": lambda positions, speed: positions * speed},
        {"angle": lambda positions, speed: speed[:, None] * positions},
        {"angle": lambda positions, speed: positions[:, None, None] * speed},
        "off-by-one: You count the pairs from 1: the first pair should turn by the whole position.",
        "What is base ** 0?",
        paired(speed=lambda base, half: base ** (-(np.arange(half) + 1.0) / half)),
        "all-pairs-alike: All your pairs turn at the same speed; each has its own.",
        _SPEED,
        paired(speed=lambda base, half: np.ones(half)),
        "pairs-out-of-order: Your pairs run from slow to fast; pair 0 is the fastest.",
        _SPEED,
        paired(speed=lambda base, half: speeds(base, half)[::-1]),
        "wrong-speeds: Your speeds fall evenly; they are powers of the base.",
        _SPEED,
        {"speed": lambda base, half: 1 / (1 + np.arange(half))},
        {"speed": lambda base, half: 1 - np.arange(half) / half},
        "base-ignored: You take 10000 whatever `base` is.",
        "Where does `base` come in?",
        paired(given=lambda base: 10000.0),
        "positions-scaled: You divide the positions by how many there are; they are angles of pair 0 as they stand.",
        "By which angle should a token at position 1 turn in pair 0?",
        {"place": lambda positions, x: positions / len(positions)},
        "positions-scaled: You divide the positions by the largest; they are angles of pair 0 as they stand.",
        {"place": lambda positions, x: positions / max(positions.max(), 1)},
        "positions-ignored: You count the tokens from 0; `positions` says where they stand.",
        "Where does `positions` come in?",
        paired(place=lambda positions, x: np.arange(len(positions))),
        "positions-ignored: You count from the first position on; others may jump or repeat.",
        "Use every entry of `positions`.",
        {"place": lambda positions, x: positions[0] + np.arange(len(positions))},
        "off-by-one: Your positions are one too large.",
        "How far does a token at position 0 turn?",
        paired(place=lambda positions, x: positions + 1),
        "one-position-for-all: All tokens turn by the first position; each has its own.",
        "The angles have a row for each token.",
        paired(place=lambda positions, x: np.full_like(positions, positions[0])),
        "one-position-for-all: All tokens turn by the last position; each has its own.",
        "The angles have a row for each token.",
        paired(place=lambda positions, x: np.full_like(positions, positions[-1])),
        "degrees: You turned the angles from degrees to radians; they are radians already.",
        "Which unit do `torch.cos` and `torch.sin` take?",
        paired(angle=lambda positions, speed: np.deg2rad(positions[:, None] * speed)),
        "angle-doubled: Your angles contain an extra factor 2 pi.",
        _SPEED,
        {"angle": lambda positions, speed: 2 * np.pi * positions[:, None] * speed},
        "scaled-as-well: You divided by a root of the width; a rotation keeps lengths.",
        "Is there a `sqrt` in your code?",
        {"after": lambda turned: turned / np.sqrt(turned.shape[-1]).astype(turned.dtype)},
        "scaled-as-well: You change the lengths of the tokens after the turn; a rotation keeps them.",
        "Is there a `norm` or a `normalize` in your code?",
        _normalised(lambda x: x.norm(dim=-1).mean()),
        _normalised(lambda x: 1.0),
        "one-output-too-many: You returned the two halves apart; put them together again.",
        "Which function puts tensors one behind the other?",
        {"join": lambda a, b: np.stack([a, b]), "after": lambda turned: (turned[0], turned[1])},
        "returns-stacked: You stacked the halves on an axis of their own; they belong one behind the other.",
        "Compare `torch.stack` and `torch.cat`.",
        {"join": lambda a, b: np.stack([a, b])},
        {"join": lambda a, b: np.stack([a, b], axis=-1)},
        {"join": lambda a, b: np.stack([a, b], axis=-2)},
        "wrong-axis: You put the halves one below the other; they belong side by side, in one row.",
        "Which axis is d wide?",
        {"join": lambda a, b: np.concatenate([a, b], axis=-2)},
    ),
    *in_step("after", only(CHANGES, "sign-flipped", "returns-list", "returns-none", "first-batch-only")),
    it="the result",
    leave="Return the rotated pairs alone.",
)
