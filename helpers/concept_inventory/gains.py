"""What people gained between the form before and a form after.

The normalised gain is the share of what could still be gained: R. R. Hake, Interactive-engagement versus
traditional methods, American Journal of Physics 66 (1998), who takes it of class means.  Averaged over people
it is another number, in which few who had nearly all right before weigh much; both are given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.concept_inventory.figures import FEWEST, Answers, above_chance, between, chosen, draws
from helpers.errors import BadArgument


@dataclass(frozen=True)
class Gain:
    """What those gained who answered both forms.

    Attributes:
        people: how many.
        of: how many questions.
        before: right answers before, on average.
        after: right answers after, on average.
        each: what each one gained, in questions, the smallest first.
        gain_between: the 95 % interval of the average gain; `None` below `FEWEST` people.
        normalised: (after - before) / (1 - before) of the class's shares; `None` where all was right before.
        normalised_between: its 95 % interval; `None` below `FEWEST` people.
        normalised_each: the same of each person, averaged.
        all_right_before: how many are left out of that, as they had nothing to gain.
        effect: the gain in standard deviations, the root of the mean of both variances (Cohen's d); `None`
            below `FEWEST` people, or where nobody differs.
        by_chance: how many are not above what guessing gives, after: their gain may be luck.
    """

    people: int
    of: int
    before: float
    after: float
    each: Sequence[int]
    gain_between: tuple[float, float] | None
    normalised: float | None
    normalised_between: tuple[float, float] | None
    normalised_each: float | None
    all_right_before: int
    effect: float | None
    by_chance: int

    @property
    def mean(self) -> float:
        """The average gain, in questions."""
        return self.after - self.before


def gain(before: Answers, after: Answers) -> Gain:
    """Compare two forms of the same people.

    Args:
        before: people x items, see `helpers.concept_inventory.forms.marked`.
        after: the same people in the same order.

    Raises:
        BadArgument: when the tables are not of the same size; see also `figures.chosen`.
    """
    first, last = chosen(before), chosen(after)
    if first.shape != last.shape:
        raise BadArgument(
            "gain needs the same people and questions before and after; "
            f"it got {first.shape[0]} x {first.shape[1]} and {last.shape[0]} x {last.shape[1]}."
        )
    people, of = first.shape
    old, new = ((one == 0).sum(1).astype(float) for one in (first, last))
    can = old < of
    often = draws(people) / people if people >= FEWEST else None
    spread = math.sqrt((old.var(ddof=1) + new.var(ddof=1)) / 2) if people >= FEWEST else 0.0
    return Gain(
        people,
        of,
        float(old.mean()),
        float(new.mean()),
        sorted(int(one) for one in new - old),
        between(often @ (new - old)) if often is not None else None,
        float((new - old).mean() / (of - old.mean())) if can.any() else None,
        _normalised_between(often, old, new, of) if often is not None else None,
        float(((new - old)[can] / (of - old[can])).mean()) if can.any() else None,
        int((~can).sum()),
        float((new - old).mean() / spread) if spread else None,
        int((~above_chance(last)).sum()),
    )


def _normalised_between(
    often: np.ndarray, old: np.ndarray, new: np.ndarray, of: int
) -> tuple[float, float] | None:
    """From classes drawn out of these people; those with nothing to gain say nothing, and are left out."""
    left = of - often @ old
    says = left > 1e-9
    return between((often @ (new - old))[says] / left[says]) if says.any() else None
