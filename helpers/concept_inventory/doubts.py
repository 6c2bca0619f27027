"""Which questions look wrong, and why: where to look first, not a verdict.

That two questions say the same is seen as in W. M. Yen's Q3 (Applied Psychological Measurement 8, 1984): what
the ability leaves over still goes together.  Here the score in all other questions stands for the ability.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.concept_inventory.figures import FEWEST, Answers, FormFigures, chosen, of_form, rest_scores
from helpers.concept_inventory.items import CHOICES

LEAST_DISCRIMINATION = 0.1
EASIEST, HARDEST = 0.95, 0.1
ALIKE = 0.4
RAREST = 5
"""So many people must be right, and so many wrong: two who fail the same two questions are chance."""


@dataclass(frozen=True)
class Doubt:
    """Something that looks wrong.

    Attributes:
        items: the question, or two that say the same.
        kind: `"discrimination"`, `"key"`, `"difficulty"` or `"same"`.
        says: a sentence, without the names of the questions.
        choice: with `"key"`, the wrong choice that is taken more often, from 1 to 3; else 0.
    """

    items: tuple[int, ...]
    kind: str
    says: str
    choice: int = 0


def doubts(answers: Answers, figures: FormFigures | None = None) -> list[Doubt]:
    """What looks wrong in a form, question by question; nothing below `FEWEST` people.

    Args:
        answers: people x items, see `helpers.concept_inventory.forms.marked`.
        figures: what `of_form` made of them, where that is known.

    Raises:
        BadArgument: see `helpers.concept_inventory.figures.chosen`.
    """
    taken = chosen(answers)
    if len(taken) < FEWEST:
        return []
    figures = figures or of_form(answers)
    found: list[Doubt] = []
    rests = rest_scores(taken)
    for item, one in enumerate(figures.items):
        if one.discrimination is None:
            says = "all people gave the same: it tells nobody from anybody"
            found.append(Doubt((item,), "discrimination", says))
        elif one.discrimination < LEAST_DISCRIMINATION:
            says = (
                f"who is right here does not do better elsewhere (discrimination {one.discrimination:.2f}, "
                f"below {LEAST_DISCRIMINATION})"
            )
            found.append(Doubt((item,), "discrimination", says))
        if choice := _other_key(taken[:, item], rests[:, item]):
            says = f"the best third take wrong choice {choice} more often than the right one: look at the key"
            found.append(Doubt((item,), "key", says, choice))
        if not HARDEST <= one.difficulty <= EASIEST:
            says = f"{one.difficulty:.0%} are right, and a question says little outside of 10 to 95 %"
            found.append(Doubt((item,), "difficulty", says))
    return found + _same(taken == 0)


def _other_key(taken: np.ndarray, rest: np.ndarray) -> int:
    """The wrong choice that the best third take more often than the right one, or 0."""
    best = np.argsort(-rest, kind="stable")[: len(rest) // 3]
    counts = [int((taken[best] == one).sum()) for one in range(CHOICES)]
    return int(np.argmax(counts)) if max(counts) > counts[0] else 0


def _same(right: np.ndarray) -> list[Doubt]:
    """Pairs that go together more than the score in all other questions explains."""
    least = least_alike(*right.shape)
    left_over = residual_correlations(right)
    rare = np.minimum(right.sum(0), (~right).sum(0)) < RAREST
    return [
        Doubt(
            (int(one), int(other)),
            "same",
            f"the two go together beyond what the score explains ({left_over[one, other]:.2f}, above "
            f"{least:.2f}): look whether they ask the same",
        )
        for one, other in zip(*np.triu_indices(right.shape[1], 1), strict=True)
        if left_over[one, other] > least and not (rare[one] or rare[other])
    ]


def least_alike(people: int, items: int) -> float:
    """From which correlation on a pair is named: 0.4, or more where chance reaches that among all pairs."""
    pairs = items * (items - 1) / 2
    chance = statistics.NormalDist().inv_cdf(1 - 0.05 / pairs)
    return max(ALIKE, math.tanh(chance / math.sqrt(people - 4)))


def residual_correlations(right: np.ndarray) -> np.ndarray:
    """For each pair of items the correlation that the score in all others leaves over; 0 where there is none.

    Args:
        right: people x items, true where right.
    """
    each = np.cov(right.astype(float), rowvar=False)
    own, sums = np.diag(each), each.sum(0)
    first = sums[:, None] - own[:, None] - each  # of item i with the score without i and j
    rest = each.sum() - 2 * (sums[:, None] + sums) + own[:, None] + own + 2 * each
    with np.errstate(divide="ignore", invalid="ignore"):
        along = first / np.sqrt(own[:, None] * rest)
        alone = each / np.sqrt(own[:, None] * own)
        left = (alone - along * along.T) / np.sqrt((1 - along**2) * (1 - along.T**2))
    return np.where(np.isfinite(left), left, 0.0)


def of_item(found: Sequence[Doubt], item: int) -> list[Doubt]:
    """The doubts in which a question stands."""
    return [one for one in found if item in one.items]
