"""What people get wrong in `sinusoidal_positions`: other angles, another order, another function of them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows, said
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray


def pairs(d: int) -> Array:
    """The number 2i of each pair."""
    return np.arange(0, d, 2.0)


def speeds(base: float, d: int, n: int) -> Array:
    """By how much the angle of each pair grows from one position to the next."""
    return base ** (-pairs(d) / d)


def side_by_side(sines: Array, cosines: Array) -> Array:
    """The two numbers of a pair in neighbouring columns."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def variant(
    *,
    place: Callable[[int], Array] = lambda n: np.arange(n),
    given: Callable[[float], float] = lambda base: base,
    speed: Callable[[float, int, int], Array] = speeds,
    partner: Callable[[float, int, int], Array] | None = None,
    angle: Callable[[Array, Array], Array] = lambda place, speed: place[:, None] * speed,
    first: Callable[[Array], Array] = np.sin,
    second: Callable[[Array], Array] = np.cos,
    join: Callable[[Array, Array], Any] = side_by_side,
    after: Callable[[Array], Any] = lambda table: table,
) -> Callable[..., Any]:
    """The table with some of its steps replaced by wrong ones; `partner`, other speeds for the odd columns."""

    def answer(n: int, d: int, base: float = 10000.0) -> Any:
        even = angle(place(n), speed(given(base), d, n))
        odd = angle(place(n), partner(given(base), d, n)) if partner else even
        return after(join(first(even), second(odd)))

    return in_numpy(answer)


def _of_column(exponent: Callable[[Array, int], Array]) -> dict[str, Any]:
    """Each column has a speed of its own, with its own number in the exponent."""
    return {
        "speed": lambda base, d, n: base ** -exponent(np.arange(0, d, 2.0), d),
        "partner": lambda base, d, n: base ** -exponent(np.arange(1, d, 2.0), d),
    }


def _by_row(even_is_sine: bool, exponent: Callable[[Array, int], Array]) -> Callable[..., Any]:
    """Sines in some rows, cosines in the others."""

    def answer(n: int, d: int, base: float = 10000.0) -> Array:
        theta = np.arange(n)[:, None] * base ** -exponent(np.arange(d), d)
        sine = (np.arange(n)[:, None] % 2 == 0) == even_is_sine
        return np.where(sine, np.sin(theta), np.cos(theta))

    return in_numpy(answer)


def _swapped(*, cut: bool) -> Callable[..., Any]:
    """The sizes in the other order; an odd width needs one sine more than cosines, or stops."""

    def answer(d: int, n: int, base: float = 10000.0) -> Array:
        theta = np.arange(n)[:, None] * speeds(base, d, n)
        table = np.zeros((n, d))
        table[:, ::2] = np.sin(theta)
        table[:, 1::2] = np.cos(theta)[:, : d // 2] if cut else np.cos(theta)
        return table

    return in_numpy(answer)


def _filled(columns: Callable[[int], int]) -> dict[str, Any]:
    """Only the first columns hold numbers."""
    return {"after": lambda table: np.where(np.arange(table.shape[1]) < columns(table.shape[1]), table, 0)}


def _rows_filled(first: int, last: int) -> dict[str, Any]:
    """The first and the last rows are 0: so many of them."""

    def after(table: Array) -> Array:
        row = np.arange(len(table))[:, None]
        return np.where((row >= first) & (row < len(table) - last), table, 0)

    return {"after": after}


def _default(value: float) -> Callable[..., Any]:
    """Another base where none is given."""
    return lambda n, d, base=value: variant()(n, d, base)


def _in_room(most: int) -> dict[str, Any]:
    """A row for each place that a table has room for."""
    return {"place": lambda n: np.arange(most)}


_SPEED = (
    "At position p pair i has the angle p / base ** (2 i / d): pair 0 is fastest, each further one slower."
)
_ROW_0 = "What are the sine and the cosine of 0? So how does row 0 look?"
_ORDER = "Where do the sine and the cosine of pair i stand: which two columns?"
_PLACE = "The angle of pair 0 is the position itself: 0 in the first row, 1 in the second."
_SHARED = "Is the angle under the cosine the one under the sine?"
GROWING = "wrong-exponent: Your angles grow from one pair to the next; they should shrink."
WHY_GROWING = "Is the sign of the exponent right? Or do you multiply positions where you should divide?"

MISTAKES = mistakes(
    variant,
    *rows(
        "halves-for-pairs: Your sines fill the first half of the columns, your cosines the second; they should take turns.",
        _ORDER,
        paired(join=lambda a, b: np.concatenate([a, b], axis=-1)),
        "halves-for-pairs: Your cosines fill the first half of the columns, your sines the second; they should take turns, a sine first.",
        _ORDER,
        {"join": lambda a, b: np.concatenate([b, a], axis=-1)},
        "cos-and-sin-swapped: Sine and cosine have changed places: even columns hold sines, odd ones cosines.",
        _ROW_0,
        paired(join=lambda a, b: side_by_side(b, a)),
        "cosines-missing: Your odd columns hold sines as well; cosines belong there.",
        _ROW_0,
        paired(second=np.sin),
        "sines-missing: Your even columns hold cosines as well; sines belong there.",
        _ROW_0,
        paired(first=np.cos),
        "cosines-missing: Your odd columns are 0; cosines belong there.",
        "Which columns does your code write to?",
        {"second": np.zeros_like},
        "sines-missing: Your even columns are 0; sines belong there.",
        "Which columns does your code write to?",
        {"first": np.zeros_like},
        "overwritten-instead-of-collected: Your cosines stand in the even columns, and the odd ones are 0: what is written twice keeps the last only.",
        "Which columns do the cosines belong to?",
        {"join": lambda a, b: side_by_side(b, 0 * a)},
        "cosines-missing: You returned sines alone, d / 2 of them in a row; the cosines are missing.",
        "How many columns should the result have?",
        {"join": lambda a, b: a},
        "sines-missing: You returned cosines alone, d / 2 of them in a row; the sines are missing.",
        {"join": lambda a, b: b},
        "added-instead-of-joined: You added sines and cosines up; each has a column of its own.",
        "How many columns should the result have?",
        {"join": lambda a, b: a + b},
        {"join": lambda a, b: side_by_side(a + b, a + b)},
        "wrong-function: In place of the cosines stands another function of the angle, its tangent.",
        _ROW_0,
        {"second": np.tan},
        "sign-flipped: Your sines have the wrong sign; the cosines are right.",
        "Where does a minus come in that belongs elsewhere?",
        paired(angle=lambda place, speed: -place[:, None] * speed),
        "speeds-not-shared: Column 2i + 1 has the exponent (2i + 1) / d in your code; both columns of a pair share 2i / d.",
        _SHARED,
        paired(partner=lambda base, d, n: base ** (-(pairs(d) + 1) / d)),
        "speeds-not-shared: Your cosines have the angles of the next pair; both columns of a pair share one angle.",
        _SHARED,
        paired(partner=lambda base, d, n: base ** (-(pairs(d) + 2) / d)),
        "speeds-not-shared: Your sines have the right angles, your cosines turn at half the exponent, or twice it; both share one angle.",
        _SHARED,
        {"partner": lambda base, d, n: base ** (-2 * pairs(d) / d)},
        {"partner": lambda base, d, n: base ** (-pairs(d) / (2 * d))},
        "speeds-not-shared: Your cosines are those of the position itself in every pair; both columns of a pair share one angle.",
        _SHARED,
        {"partner": lambda base, d, n: np.ones(len(pairs(d)))},
        "column-for-pair: Column j has the exponent 2 j / d in your code; i counts pairs, so columns 2i and 2i + 1 both have 2i / d.",
        "Which i has column 5? And column 4?",
        _of_column(lambda j, d: 2 * j / d),
        _of_column(lambda j, d: j / (d // 2)),
        "column-for-pair: Your even columns have the exponent 4i / d, and your odd ones another; both columns of a pair share 2i / d.",
        "Which i has column 5? And column 4?",
        {
            "speed": lambda base, d, n: base ** (-2 * pairs(d) / d),
            "partner": lambda base, d, n: base ** (-(2 * pairs(d) + 1) / d),
        },
        "base-ignored: Your cosines take 10000 whatever `base` is; your sines take `base`.",
        "Where does `base` come in?",
        {"partner": lambda base, d, n: speeds(10000.0, d, n)},
        "base-ignored: Your sines take 10000 whatever `base` is; your cosines take `base`.",
        {"speed": lambda base, d, n: speeds(10000.0, d, n), "partner": speeds},
        "updated-too-early: Your cosines are those of the sines; they should be those of the angles.",
        "Do the angles still stand where you take the cosine of them?",
        {"second": lambda angle: np.cos(np.sin(angle))},
        "updated-too-early: Your sines are those of the cosines; they should be those of the angles.",
        "Do the angles still stand where you take the sine of them?",
        {"first": lambda angle: np.sin(np.cos(angle))},
        "updated-too-early: Both columns of a pair hold the cosine of the sine: the angles were overwritten before you took their cosine.",
        "Which functions of PyTorch end with `_`, and what do they change?",
        {"first": lambda angle: np.cos(np.sin(angle)), "second": lambda angle: np.cos(np.sin(angle))},
        "updated-too-early: Both columns of a pair hold the sine of the cosine: the angles were overwritten before you took their sine.",
        {"first": lambda angle: np.sin(np.cos(angle)), "second": lambda angle: np.sin(np.cos(angle))},
        "arguments-swapped: You took the first argument for d and the second for n; it is n first, then d.",
        "In which order do the two sizes come?",
        _swapped(cut=True),
        _swapped(cut=False),
        "parity-of-position: Your even rows hold sines, your odd rows cosines; it is the columns that take turns.",
        "Does 2i count positions, or features?",
        *(
            _by_row(True, exponent)
            for exponent in (
                lambda j, d: 2 * (j // 2) / d,
                lambda j, d: j / d,
                lambda j, d: 2 * j / d,
            )
        ),
        "wrong-exponent: Your pairs slow down half as fast as they should: the exponent is i / d, it should be 2 i / d.",
        _SPEED,
        paired(speed=lambda base, d, n: base ** (-pairs(d) / (2 * d))),
        "wrong-exponent: Your pairs slow down twice as fast as they should: the exponent comes to 4 i / d, it should be 2 i / d.",
        "Does `torch.arange(0, d, 2)` hold i, or 2i? And what do you divide by?",
        paired(speed=lambda base, d, n: base ** (-2 * pairs(d) / d)),
        GROWING,
        WHY_GROWING,
        paired(speed=lambda base, d, n: base ** (pairs(d) / d)),
        "wrong-exponent: Your exponent is 2 i; it should be 2 i / d.",
        _SPEED,
        {"speed": lambda base, d, n: base ** -pairs(d)},
        "wrong-exponent: Your exponent is i; it should be 2 i / d.",
        _SPEED,
        {"speed": lambda base, d, n: base ** (-pairs(d) / 2)},
        "wrong-exponent: Your exponents end at 1 in the last pair; there it should be (d - 2) / d.",
        "Do you divide by d, or by one step less?",
        {"speed": lambda base, d, n: base ** -np.linspace(0, 1, d // 2)},
        {"speed": lambda base, d, n: base ** (-pairs(d) / (d - 2))},
        {"speed": lambda base, d, n: np.array([base ** (-j / (d - 2)) for j in range(0, d, 2)])},
        {"speed": lambda base, d, n: base ** (-pairs(d) / max(d - 2, 1))},
        "wrong-exponent: You divide the exponent by d - 1; it should be d.",
        _SPEED,
        {"speed": lambda base, d, n: base ** (-pairs(d) / (d - 1))},
        "wrong-exponent: You divide the exponent by n, the number of positions; it should be d.",
        _SPEED,
        {"speed": lambda base, d, n: base ** (-pairs(d) / n)},
        "wrong-exponent: Your exponent is rounded down to -1: all pairs but the first turn alike.",
        "Look for `//`.",
        {"speed": lambda base, d, n: base ** (-pairs(d) // d)},
        "wrong-exponent: You divide the exponent by the root of d; it should be d.",
        _SPEED,
        {"speed": lambda base, d, n: base ** (-pairs(d) / np.sqrt(d))},
        "all-pairs-alike: All your pairs have the angle of pair 0, the position itself; each further pair turns more slowly.",
        "Does the exponent grow from pair to pair? `//` would make 0 of it.",
        paired(speed=lambda base, d, n: np.ones(d // 2)),
        "all-pairs-alike: All your pairs have the same angle, the position divided by the base; pair i has p / base ** (2 i / d).",
        "Does the exponent grow from pair to pair?",
        {"speed": lambda base, d, n: np.ones(d // 2) / base},
        "wrong-speeds: Your speeds are no powers of the base: they are 1, 1/2, 1/3, or the like.",
        _SPEED,
        {"speed": lambda base, d, n: 1 / (1 + np.arange(d // 2))},
        {"speed": lambda base, d, n: 1 / (1 + pairs(d))},
        "wrong-speeds: You multiply the base by 2 i / d where it should be raised to that power.",
        "What does `*` do, and what `**`?",
        {"speed": lambda base, d, n: 1 / (base * pairs(d) / d)},
        {"speed": lambda base, d, n: base * pairs(d) / d},
        "operator-precedence: Your angles are nearly 0: only the base and 2 stand in the power, and i / d multiplies.",
        "What does `2 ** 2 * 3` give? `**` comes before `*` and `/`.",
        {"speed": lambda base, d, n: 1 / base**2 * (pairs(d) / 2) / d},
        {"speed": lambda base, d, n: base**-2.0 * (pairs(d) / 2) / d},
        "operator-precedence: Your power has 2 alone for its exponent; i / d belongs into it too.",
        "What does `2 ** 2 * 3` give? `**` comes before `*` and `/`.",
        {"speed": lambda base, d, n: 1 / (base**2 * (pairs(d) / 2) / d)},
        "operator-precedence: Only 2 i is the exponent; d divides, or multiplies, the whole power.",
        "Where do parentheses belong? `**` comes before `/`.",
        {"speed": lambda base, d, n: 1 / base ** pairs(d) / d},
        {"speed": lambda base, d, n: 1 / (base ** pairs(d) / d)},
        "operator-precedence: You divide sines and cosines; what is divided is the position, before the sine is taken.",
        "Where does the parenthesis behind `sin` close?",
        {
            "angle": lambda place, speed: (place[:, None], speed),
            "first": lambda both: np.sin(both[0]) * both[1],
            "second": lambda both: np.cos(both[0]) * both[1],
        },
        "wrong-log-base: You took a logarithm to base 10 or 2 and the exponential of e; they do not undo each other.",
        "Which logarithm belongs to `exp`?",
        {"speed": lambda base, d, n: np.exp(-np.log10(base) * pairs(d) / d)},
        {"speed": lambda base, d, n: np.exp(-np.log2(base) * pairs(d) / d)},
        "log-missing: Your speeds are exponentials of the base itself; they are powers of it.",
        "exp(-a log(b)) is b ** -a. Where is the logarithm?",
        {"speed": lambda base, d, n: np.exp(-base * pairs(d) / d)},
        "no-exponential: You multiply positions by the logarithm of the speeds; the exponential is missing.",
        "exp(-a log(b)) is b ** -a. Where is the exponential?",
        {"speed": lambda base, d, n: -np.log(base) * pairs(d) / d},
        {"speed": lambda base, d, n: np.log(base) * pairs(d) / d},
        "base-ignored: You take 10000 whatever `base` is.",
        "Where does `base` come in?",
        paired(given=lambda base: 10000.0),
        "base-ignored: You take 1000 whatever `base` is.",
        {"given": lambda base: 1000.0},
        "wrong-default: Without the argument your base is not 10000.",
        "Which number stands in the line of your `def`?",
        *(_default(base) for base in (100.0, 1000.0, 5000.0, 50000.0, 100000.0, 500000.0, 1000000.0)),
        "truncates-to-int: You cut the digits of the base off.",
        "Look for `int`, or for a tensor made for whole numbers.",
        {"given": lambda base: float(int(base))},
        "off-by-one: You count the positions from 1; the first one is 0.",
        _PLACE,
        paired(place=lambda n: np.arange(1, n + 1)),
        "off-by-one: You count the pairs from 1: the first pair should have the position itself for its angle.",
        "What is base ** 0?",
        paired(speed=lambda base, d, n: base ** (-(pairs(d) + 2) / d)),
        "wrong-exponent: The exponent of your pair i is (2i + 1) / d; it should be 2i / d.",
        "Which exponent should pair 0 have?",
        {"speed": lambda base, d, n: base ** (-(pairs(d) + 1) / d)},
        "off-by-one: Your rows are one short: positions run from 0 to n - 1.",
        "How many rows should there be?",
        {"place": lambda n: np.arange(n - 1)},
        {"place": lambda n: np.arange(1, n)},
        "off-by-one: Your table has one row too many: positions run from 0 to n - 1.",
        {"place": lambda n: np.arange(n + 1)},
        "off-by-one: Row 0 is 0 in all columns: the loop over the positions begins at 1.",
        _ROW_0,
        _rows_filled(1, 0),
        "last-left-out: The last row is 0 in all columns: the loop over the positions ends too early.",
        "Where does your loop end?",
        _rows_filled(0, 1),
        "last-left-out: The first and the last row are 0 in all columns.",
        "Where does your loop begin, and where does it end?",
        _rows_filled(1, 1),
        "only-first-token: Only row 0 is filled, all others are 0.",
        "Is your `return` inside the loop?",
        {"after": lambda table: np.where(np.arange(len(table))[:, None] > 0, 0, table)},
        "last-left-out: The last pair of columns is 0: the loop over the pairs ends too early.",
        "Where does your loop end?",
        _filled(lambda d: d - 2),
        "first-pair-only: Only the first pair of columns is filled, the others are 0.",
        "Is your `return` inside the loop? How far does it go?",
        _filled(lambda d: 2),
        "first-half-only: Only the first half of the columns is filled, the others are 0.",
        "How far does your loop over the columns go?",
        _filled(lambda d: d // 2),
        _filled(lambda d: d // 4 * 2),
        _filled(lambda d: (d // 2 + 1) // 2 * 2),
        "overwritten-instead-of-collected: You write pair i to columns i and i + 1, so the next pair overwrites its cosine.",
        "Which two columns belong to pair 1?",
        {"join": lambda a, b: np.concatenate([a, b[:, -1:], 0 * a[:, 1:]], axis=-1)},
        "only-last-token: Only the last row is filled, or left: each round of your loop overwrites the one before.",
        "Where do you keep each row?",
        {"after": lambda table: table[-1]},
        {"after": lambda table: table[-1:]},
        "one-position-for-all: All your rows are alike: they stand for the last position.",
        _PLACE,
        {"place": lambda n: np.full(n, n - 1)},
        "one-position-for-all: All your rows are alike: they stand for position n.",
        _PLACE,
        {"place": lambda n: np.full(n, n)},
        "one-position-for-all: All your rows are alike: they stand for position 1, or hold the speeds alone.",
        _PLACE,
        {"place": np.ones},
        "positions-scaled: You divide the positions by how many there are; they are the angles of pair 0 as they stand.",
        _PLACE,
        {"place": lambda n: np.arange(n) / n},
        "positions-scaled: You spread the positions from 0 to 1; they are the angles of pair 0 as they stand.",
        {"place": lambda n: np.arange(n) / max(n - 1, 1)},
        {"place": lambda n: np.arange(n) / (n - 1)},
        "positions-scaled: Your positions are spread from 0 to n; they are 0, 1, 2 and so on to n - 1.",
        {"place": lambda n: np.linspace(0, n, n)},
        "pairs-out-of-order: Your pairs run from slow to fast; pair 0 is the fastest.",
        _SPEED,
        paired(speed=lambda base, d, n: speeds(base, d, n)[::-1]),
        "wrong-order: Your positions run backwards: row 0 belongs to position 0.",
        _PLACE,
        {"place": lambda n: np.arange(n)[::-1]},
        "wrong-order: Your columns run backwards.",
        _ORDER,
        {"after": lambda table: table[:, ::-1]},
        "degrees: You turned the angles from degrees to radians; they are radians already.",
        "Which unit do `sin` and `cos` take?",
        paired(angle=lambda place, speed: np.deg2rad(place[:, None] * speed)),
        "degrees: You turned the angles from radians to degrees; sine and cosine take radians.",
        {"angle": lambda place, speed: np.rad2deg(place[:, None] * speed)},
        "angle-doubled: Your angles contain an extra factor 2 pi.",
        _SPEED,
        {"angle": lambda place, speed: 2 * np.pi * place[:, None] * speed},
        "angle-doubled: Your angles contain an extra factor pi.",
        {"angle": lambda place, speed: np.pi * place[:, None] * speed},
        "truncates-to-int: Your angles are rounded down to whole numbers.",
        "Look for `//`, `int` or a tensor made for whole numbers.",
        {"angle": lambda place, speed: np.floor(place[:, None] * speed)},
        "added-instead-of-multiplied: You added positions and speeds, or subtracted them; an angle is their product.",
        _SPEED,
        {"angle": lambda place, speed: place[:, None] + speed},
        {"angle": lambda place, speed: place[:, None] - speed},
        "angles-not-a-table: Your positions meet the speeds one by one; each position meets every speed.",
        "Which shape should the angles have? `positions[:, None]` is a column.",
        {"angle": lambda place, speed: place * speed, "join": lambda a, b: np.stack([a, b], -1).ravel()},
        {"angle": lambda place, speed: place * speed},
        "scaled-as-well: You multiplied or divided the table by the root of d; sines and cosines stay as they are.",
        "What is the largest number a cosine can be?",
        {"after": lambda table: table * np.sqrt(table.shape[1])},
        {"after": lambda table: table / np.sqrt(table.shape[1])},
        "scaled-as-well: You divide each row by its length; sines and cosines stay as they are.",
        "Is there a `norm` or a `normalize` in your code?",
        {"after": lambda table: table / np.linalg.norm(table, axis=-1, keepdims=True)},
        "rescaled-to-0-1: You moved all numbers to between 0 and 1; sines and cosines stay as they are.",
        _ROW_0,
        {"after": lambda table: (table + 1) / 2},
        "keepdims-left: The numbers are right, but there is an axis too many: the shape should be (n, d).",
        "Which step adds an axis?",
        {"after": lambda table: table[None]},
        {"after": lambda table: table[:, None]},
        "not-merged: Sines and cosines stand on an axis of their own; the shape should be (n, d).",
        "Which function merges two axes into one?",
        {"join": lambda a, b: np.stack([a, b], axis=-1)},
        {"join": lambda a, b: np.stack([a, b], axis=1)},
        {"join": lambda a, b: np.stack([a, b])},
        "wrong-axis: You put the cosines below the sines; they belong into the same row.",
        "Along which axis do you join?",
        {"join": lambda a, b: np.concatenate([a, b])},
        "wrong-axis: You stacked sines and cosines on the wrong axis before you merged: rows and columns are mixed.",
        "Next to each other in memory should be sin, cos, sin, cos. On which axis do you stack?",
        {"join": lambda a, b: np.stack([a, b]).reshape(len(a), -1)},
        "one-output-too-many: You returned sines and cosines apart; the task asks for one table.",
        "Which function puts tensors side by side?",
        {"join": lambda a, b: (a, b)},
        "returns-angles: You returned the angles; their sines and cosines are asked for.",
        "Which two functions are missing?",
        {"first": lambda a: a, "join": lambda a, b: a},
        {"first": lambda a: a, "second": lambda a: a},
        "truncates-to-int: After row 0 everything is 0: either you cut off what stands after the point, or your loop ends with its first turn.",
        "Look for `int`, `//` or a tensor made for whole numbers; and does a `return` stand inside the loop?",
        {"after": lambda table: np.trunc(table.astype(np.float32))},
        "needs-one-number: A function that takes one number is handed a whole tensor: `math.sin`, `float` or another.",
        "Which library has a sine for all numbers of a tensor at once?",
        {"after": lambda table: math.sin(torch.from_numpy(table))},
        "fixed-size: Your table has as many rows as it has room for; n are asked for.",
        "Where does `n` come in?",
        *(_in_room(most) for most in (10, 50, 100, 500, 512, 1000, 1024, 2048, 5000)),
    ),
    *said(
        in_step(
            "after",
            only(CHANGES, "sign-flipped", "not-transposed-back", "lost-sign", "truncates-to-int"),
        ),
        {"sign-flipped": "Every sign is turned round, in sines and in cosines."},
    ),
    *in_step(
        "after",
        only(
            CHANGES,
            "reshape-instead-of-transpose",
            "reduced-to-one-value",
            "shape-flattened",
            "returns-list",
            "returns-none",
        ),
    ),
    it="the table",
    plain="sines and cosines may be negative",
    leave="Return the table as it is.",
)
