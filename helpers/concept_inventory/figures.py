"""What the answers of a class say of a form of the inventory, by classical test theory.

The input is always people x items: which choice each one took, 0 for the right one, `None` for no answer.
No answer counts as wrong.  Sources:

- difficulty, discrimination, standard error of measurement: F. M. Lord and M. R. Novick, Statistical Theories
  of Mental Test Scores (1968); R. L. Ebel, Essentials of Educational Measurement (1972)
- alpha: L. J. Cronbach, Coefficient alpha and the internal structure of tests, Psychometrika 16 (1951); where
  answers are right or wrong it is the KR-20 of G. F. Kuder and M. W. Richardson, Psychometrika 2 (1937)
- what more it takes to validate an inventory: W. K. Adams and C. E. Wieman, Development and validation of
  instruments to measure learning of expert-like thinking, Int. J. of Science Education 33 (2011)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from helpers.concept_inventory.items import CHOICES
from helpers.errors import BadArgument

FEWEST = 20
"""With fewer people nothing is said of single questions, nor of how reliable the score is."""

CHANCE = 0.05
"""A score that somebody who guesses reaches more often than this is not above chance."""

RESAMPLES = 1000
SEED = 24

Answers = Sequence[Sequence[int | None]]


@dataclass(frozen=True)
class ItemFigures:
    """How one question works.

    Attributes:
        difficulty: the share that is right, so that a large number is an easy question.
        discrimination: correlation of being right with the score in all other questions; `None` where nothing
            varies.
        wrong: for each wrong choice, the correlation of taking it with the score in all other questions.
    """

    difficulty: float
    discrimination: float | None
    wrong: tuple[float | None, ...]


@dataclass(frozen=True)
class FormFigures:
    """How a form works, from so many people.

    Attributes:
        people: from how many.
        of: how many questions.
        counts: for each question how many took each choice, the right one first, and at last no answer.
        mean: right answers, on average.
        spread: their standard deviation; `None` from one person.
        by_chance: how many people are not above what guessing gives.
        alpha: Cronbach's; `None` below `FEWEST` people, or where nobody differs. So are all that follow.
        alpha_between: its 95 % interval.
        error: standard error of measurement, in questions.
        items: the figures of each question; empty below `FEWEST` people.
    """

    people: int
    of: int
    counts: tuple[tuple[int, ...], ...]
    mean: float
    spread: float | None
    by_chance: int
    alpha: float | None
    alpha_between: tuple[float, float] | None
    error: float | None
    items: tuple[ItemFigures, ...]


def chosen(answers: Answers) -> np.ndarray:
    """The answers as whole numbers, people x items, with -1 for no answer.

    Raises:
        BadArgument: when there is nobody, the rows differ in length, or there is another choice.
    """
    rows = [[-1 if one is None else one for one in row] for row in answers]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) != 1 or lengths[0] < 2:
        raise BadArgument(
            "figures need the same questions, at least two, from each person, and at least one person; "
            f"they got {len(rows)} people with {' and '.join(map(str, lengths)) or 'no'} questions."
        )
    made = np.array(rows)
    if made.dtype.kind != "i" or made.min() < -1 or made.max() >= CHOICES:
        odd = next((one for row in rows for one in row if one not in range(-1, CHOICES)), rows[0][0])
        raise BadArgument(f"figures need choices from 0 to {CHOICES - 1}, or None; they got {odd!r}.")
    return made


def of_form(answers: Answers) -> FormFigures:
    """The figures of one form.

    Args:
        answers: people x items, see `helpers.concept_inventory.forms.marked`.

    Raises:
        BadArgument: see `chosen`.
    """
    taken = chosen(answers)
    right = taken == 0
    people, of = taken.shape
    score = right.sum(1)
    enough = people >= FEWEST
    alpha = cronbach(right) if enough else None
    return FormFigures(
        people,
        of,
        tuple(tuple(int((column == one).sum()) for one in (*range(CHOICES), -1)) for column in taken.T),
        float(score.mean()),
        float(score.std(ddof=1)) if people > 1 else None,
        int((~above_chance(taken)).sum()),
        alpha,
        _alpha_between(right) if alpha is not None else None,
        float(score.std(ddof=1) * math.sqrt(1 - max(alpha, 0.0))) if alpha is not None else None,
        tuple(_item(taken, item) for item in range(of)) if enough else (),
    )


def _item(taken: np.ndarray, item: int) -> ItemFigures:
    rest = rest_scores(taken)[:, item]
    return ItemFigures(
        float((taken[:, item] == 0).mean()),
        correlation(taken[:, item] == 0, rest),
        tuple(correlation(taken[:, item] == one, rest) for one in range(1, CHOICES)),
    )


def rest_scores(taken: np.ndarray) -> np.ndarray:
    """For each person and item the right answers in all other items: an item is not compared with itself."""
    right = taken == 0
    return right.sum(1, keepdims=True) - right


def correlation(one: np.ndarray, other: np.ndarray) -> float | None:
    """Pearson's, the point-biserial where one is true or false; `None` where one is constant."""
    one, other = one - one.mean(), other - other.mean()
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 1e-12 else None


def cronbach(right: np.ndarray) -> float | None:
    """Cronbach's alpha of a table people x items; `None` where all people have the same score."""
    items = right.shape[1]
    whole = float(right.sum(1).var())
    if whole <= 1e-12:
        return None
    return items / (items - 1) * (1 - float(right.var(0).sum()) / whole)


@lru_cache(maxsize=4)
def draws(people: int) -> np.ndarray:
    """How often each person is drawn, in each of `RESAMPLES` classes of that size; always the same."""
    return np.random.default_rng(SEED).multinomial(people, np.full(people, 1 / people), RESAMPLES)


def between(values: np.ndarray) -> tuple[float, float]:
    """The middle 95 % of what the drawn classes gave."""
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)


def _alpha_between(right: np.ndarray) -> tuple[float, float]:
    """From classes drawn out of these people; those in which nobody differs say nothing, and are left out."""
    people, items = right.shape
    often = draws(people) / people
    share = often @ right
    score = right.sum(1).astype(float)
    whole = often @ score**2 - (often @ score) ** 2
    parts = (share * (1 - share)).sum(1)
    says = whole > 1e-12
    return between(items / (items - 1) * (1 - parts[says] / whole[says]))


def above_chance(taken: np.ndarray) -> np.ndarray:
    """Whether each person has more right than guessing explains, in the questions that they answered.

    Whoever guesses reaches such a score less often than in 5 % of cases (binomial, one side).
    """
    right, answered = (taken == 0).sum(1), (taken >= 0).sum(1)
    return np.array([one >= enough_of(int(of)) for one, of in zip(right, answered, strict=True)])


@cache
def enough_of(answered: int) -> int:
    """The smallest number right, of so many answered, that is above chance: 11 of 24."""
    tail, share = 1.0, 1 / CHOICES
    for right in range(answered + 1):
        if tail <= CHANCE:
            return right
        tail -= math.comb(answered, right) * share**right * (1 - share) ** (answered - right)
    return answered + 1
