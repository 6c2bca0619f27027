"""How well the analysis of the concept inventory works on made-up classes whose abilities are known.

    python -m tools.inventory_trial [CLASSES]

Answers come from the logistic model with two parameters and guessing (3PL: A. Birnbaum in Lord and Novick,
Statistical Theories of Mental Test Scores, 1968).  Each class has a test of its own: slopes from 0.8 to 2,
difficulties from -1.5 to 1.5, and a quarter who guess rightly; abilities are normal with deviation 1.  Of the
24 questions three are spoilt on purpose.  Real answers follow no such model, so these figures say what
the analysis can find, and nothing of the inventory.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.concept_inventory.doubts import doubts
from helpers.concept_inventory.figures import correlation, of_form
from helpers.concept_inventory.gains import gain
from helpers.concept_inventory.items import CHOICES, COUNT
from tools.measuring import markdown

CLASSES = 200
SIZES = (20, 30, 50, 75, 100, 150, 200, 300)
SHOWN = (30, 100, 300)
GROWTHS = (0.0, 0.3, 0.8)
"""By how much abilities grow, in standard deviations of the class before."""

GUESS = 0.25
TEMPTING = (0.55, 0.3, 0.15)
"""Which wrong choice is taken by whom takes one, the most tempting first."""

KEY, GUESSED, FIRST, TWIN = 5, 11, 16, 17
"""The question with a wrong key, the one that everybody guesses, and one that is asked twice."""

SAME = 0.8
"""So many take the same choice where a question is asked again; the others answer anew."""

TRUE_AT = np.linspace(-4, 4, 161)
_WEIGHTS = np.exp(-(TRUE_AT**2) / 2) / np.exp(-(TRUE_AT**2) / 2).sum()


@dataclass(frozen=True)
class MadeUpTest:
    """The questions of one class: slope, difficulty, and how tempting the wrong choices 1 to 3 are."""

    slopes: np.ndarray
    hard: np.ndarray
    tempting: np.ndarray

    def share(self, ability: np.ndarray) -> np.ndarray:
        """How likely each person is right in each question."""
        known = 1 / (1 + np.exp(-self.slopes * (ability[:, None] - self.hard)))
        return GUESS + (1 - GUESS) * known

    def answers(self, ability: np.ndarray, dice: np.random.Generator) -> np.ndarray:
        """Which choice each person takes, people x items."""
        right = dice.random((len(ability), COUNT)) < self.share(ability)
        edges = np.cumsum(self.tempting, 1)[:, : CHOICES - 2]
        wrong = 1 + (dice.random((len(ability), COUNT, 1)) > edges).sum(2)
        return np.where(right, 0, wrong)


def test_of(dice: np.random.Generator) -> MadeUpTest:
    """A test for one class, of 24 good questions."""
    tempting = np.array([dice.permutation(TEMPTING) for _ in range(COUNT)])
    return MadeUpTest(dice.uniform(0.8, 2.0, COUNT), dice.uniform(-1.5, 1.5, COUNT), tempting)


def spoilt(test: MadeUpTest, ability: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """The answers of a class to a test of which three questions are spoilt."""
    taken = test.answers(ability, dice)
    taken[:, GUESSED] = dice.integers(0, CHOICES, len(ability))
    test.slopes[TWIN], test.hard[TWIN], test.tempting[TWIN] = (
        one[FIRST] for one in (test.slopes, test.hard, test.tempting)
    )
    again = test.answers(ability, dice)[:, TWIN]
    taken[:, TWIN] = np.where(dice.random(len(ability)) < SAME, taken[:, FIRST], again)
    # Whoever set the key took the most tempting choice for the right one.
    worst = 1 + int(np.argmax(test.tempting[KEY]))
    key = taken[:, KEY].copy()
    taken[key == 0, KEY], taken[key == worst, KEY] = worst, 0
    return taken


@dataclass(frozen=True)
class Found:
    """What the analysis of one class came to.

    Attributes:
        ability: correlation of the score with the true ability.
        alpha: Cronbach's.
        width: of its interval.
        key: whether the wrong key was found as one.
        guessed: whether the question that everybody guesses was accused of anything.
        twin: whether the question that is asked twice was found as one.
        accused: how many of the 21 good questions were accused of anything.
    """

    ability: float
    alpha: float
    width: float
    key: bool
    guessed: bool
    twin: bool
    accused: int


def analysed(people: int, dice: np.random.Generator) -> Found:
    """Draw a class with spoilt questions, and look at it as an instructor would."""
    ability = dice.standard_normal(people)
    taken = spoilt(test_of(dice), ability, dice)
    figures = of_form(taken)
    said = doubts(taken, figures)
    low, high = figures.alpha_between
    bad = {KEY, GUESSED, TWIN}
    return Found(
        correlation((taken == 0).sum(1), ability),
        figures.alpha,
        high - low,
        any(one.kind == "key" and one.items == (KEY,) for one in said),
        any(GUESSED in one.items for one in said),
        any(one.items == (FIRST, TWIN) for one in said),
        len({item for one in said if not set(one.items) & bad for item in one.items}),
    )


@dataclass(frozen=True)
class Regained:
    """How near a measured gain came to the true one, in one class.

    Attributes:
        true: the normalised gain of all people of that kind.
        measured: that of the class.
        holds: whether its interval has the true one in it.
        seen: whether its interval lies above 0.
    """

    true: float
    measured: float
    holds: bool
    seen: bool


def regained(people: int, growth: float, dice: np.random.Generator) -> Regained:
    """Draw a class that answers 24 good questions before and after it has grown."""
    test, ability = test_of(dice), dice.standard_normal(people)
    found = gain(test.answers(ability, dice), test.answers(ability + growth, dice))
    old, new = (float(_WEIGHTS @ test.share(TRUE_AT + more).mean(1)) for more in (0.0, growth))
    true = (new - old) / (1 - old)
    low, high = found.normalised_between
    return Regained(true, found.normalised, low <= true <= high, low > 0)


def classes(people: int, count: int) -> list[Found]:
    """The analyses of so many classes of one size, the same in every run."""
    dice = np.random.default_rng([people, 3])
    return [analysed(people, dice) for _ in range(count)]


def gains(people: int, growth: float, count: int) -> list[Regained]:
    """The gains of so many classes of one size, the same in every run."""
    dice = np.random.default_rng([people, round(100 * growth), 7])
    return [regained(people, growth, dice) for _ in range(count)]


ITEMS_HEAD = (
    "people",
    "score with true ability",
    "alpha",
    "width of its interval",
    "wrong key found",
    "guessed one found",
    "twin found",
    "good ones accused, of 21",
)
GAINS_HEAD = (
    "people",
    "abilities grow by",
    "true normalised gain",
    "measured",
    "off by, in 95 % of classes",
    "interval holds it",
    "interval above 0",
)


def items_table(found: dict[int, list[Found]]) -> str:
    """What is found of a test with three spoilt questions, by size of class."""
    rows = []
    for people, all_ in found.items():
        mean = {name: np.mean([getattr(one, name) for one in all_]) for name in Found.__annotations__}
        rows.append(
            [
                f"{people}",
                *(f"{mean[name]:.2f}" for name in ("ability", "alpha", "width")),
                *(f"{mean[name]:.0%}" for name in ("key", "guessed", "twin")),
                f"{mean['accused']:.1f}",
            ]
        )
    return markdown(ITEMS_HEAD, rows)


def gains_table(found: dict[tuple[int, float], list[Regained]]) -> str:
    """How near the measured gain comes, by size of class and true growth."""
    rows = [
        [
            f"{people}",
            f"{growth:g}",
            f"{np.mean([one.true for one in all_]):.2f}",
            f"{np.mean([one.measured for one in all_]):z.2f}",
            f"{_off(all_):.2f}",
            f"{np.mean([one.holds for one in all_]):.0%}",
            f"{np.mean([one.seen for one in all_]):.0%}",
        ]
        for (people, growth), all_ in found.items()
    ]
    return markdown(GAINS_HEAD, rows)


def _off(all_: Sequence[Regained]) -> float:
    return float(np.percentile([abs(one.measured - one.true) for one in all_], 95))


def needed_table(found: dict[int, list[Found]], back: dict[tuple[int, float], list[Regained]]) -> str:
    """The smallest class that is enough for each use, of the sizes that were tried."""

    def share(name: str, people: int) -> float:
        return float(np.mean([getattr(one, name) for one in found[people]]))

    def seen(growth: float, people: int) -> float:
        return float(np.mean([one.seen for one in back[people, growth]]))

    small, large = GROWTHS[1:]
    uses = {
        f"a growth of {small:g} is seen in 90 % of classes": lambda n: seen(small, n) >= 0.9,
        f"a growth of {large:g} is seen in 90 % of classes": lambda n: seen(large, n) >= 0.9,
        "the normalised gain is right within 0.1 in 95 % of classes": lambda n: _off(back[n, large]) <= 0.1,
        "the normalised gain is right within 0.05 in 95 % of classes": lambda n: _off(back[n, large]) <= 0.05,
        "alpha's interval is no wider than 0.2": lambda n: share("width", n) <= 0.2,
        "alpha's interval is no wider than 0.1": lambda n: share("width", n) <= 0.1,
        "a wrong key is found in 95 % of classes": lambda n: share("key", n) >= 0.95,
        "a twin is found in 95 % of classes": lambda n: share("twin", n) >= 0.95,
        "a question that all guess is found in 90 % of classes": lambda n: share("guessed", n) >= 0.9,
        "less than one good question of 21 is accused": lambda n: share("accused", n) < 1,
    }
    rows = [
        [use, next((f"{people}" for people in found if enough(people)), f"more than {max(found)}")]
        for use, enough in uses.items()
    ]
    return markdown(("so that", "people"), rows)


def tables(count: int = CLASSES, sizes: Sequence[int] = SIZES, shown: Sequence[int] = SHOWN) -> list[str]:
    """The three tables.

    Args:
        count: how many classes of each size.
        sizes: of classes; the last table looks at all of them.
        shown: those that the first two tables show.
    """
    found = {people: classes(people, count) for people in sizes}
    back = {(people, growth): gains(people, growth, count) for people in sizes for growth in GROWTHS}
    return [
        items_table({people: found[people] for people in shown}),
        gains_table({key: all_ for key, all_ in back.items() if key[0] in shown}),
        needed_table(found, back),
    ]


def main(words: Sequence[str]) -> int:
    """Print the tables, from 200 classes of each size or from as many as are asked for."""
    count = int(words[0]) if words else CLASSES
    print(f"{count} made-up classes of each size.", *tables(count), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
