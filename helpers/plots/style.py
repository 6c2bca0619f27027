"""The visual language of the course: one colour for one role, and never colour alone."""

import contextlib
import functools
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

import matplotlib
from matplotlib import colors

from helpers.arrays import one_of
from helpers.text import heading, shown

# One colour, one meaning, in figures, views and panels.  A role has a colour for lines and arrows, and a tint
# behind black text; scores and weights have one for bars too, from the middle of their maps.  Any two differ
# by 8 or more (CIEDE2000), for normal and for colour-blind sight, which tests/test_colours.py measures; and
# nothing is told by colour alone.
#
# | meaning                               | name    | lines           | tint        |
# |---------------------------------------|---------|-----------------|-------------|
# | a query: who looks                    | QUERY   | blue            | pale blue   |
# | a key: what is looked at              | KEY     | orange          | peach       |
# | a value: what is handed on            | VALUE   | green           | mint        |
# | an output: what comes out             | OUTPUT  | pink            | rose        |
# | a score: how well query and key fit   | SCORE   | purple          | lilac       |
# | a weight: a query's share             | WEIGHT  | dark gold       | yellow      |
# | below 0, in every map and bar         | MINUS   | grey            |             |
# | blocked by a mask                     | BLOCKED | hatch on grey   |             |
# | wrong                                 | WRONG   | red, and a sign |             |
# | chosen, in focus                      | INK     | a black outline |             |
# | numbers and lines with no such role   | PLAIN   | teal, black     | white       |
#
# Queries to outputs have Okabe and Ito's colours.  Each colour here, and each of `maps.py`, has one for dark
# pages in `dark.py`: a new one gets its own there.
QUERY, KEY, VALUE, OUTPUT = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SCORE, WEIGHT = "#4A2380", "#6B4C00"
ROLES = {
    "query": QUERY, "key": KEY, "value": VALUE, "output": OUTPUT, "score": SCORE, "weight": WEIGHT,
}  # fmt: skip
TINTS = {
    "query": "#A1CCFC", "key": "#FDAF85", "value": "#C9FDD5", "output": "#EDC1D0", "score": "#F3E0FC",
    "weight": "#FAE985",
}  # fmt: skip
BARS = {"score": "#8158B8", "weight": "#E6BC33"}

INK, FAINT, GRID, PAPER = "#1A1A1A", "#767676", "#D9D9D9", "#FFFFFF"
ON_CELL = "#000001"
"""Ink on the shades of a map: on those in the middle `INK` has less than 4.5 to 1.

Not quite black, since Matplotlib leaves black out of an SVG, as `drawing.py` does `INK`."""
INKS = {
    ("black", "black"): ON_CELL, ("black", "white"): "#000002",
    ("white", "white"): "#FEFEFE", ("white", "black"): "#FEFEFF",
}  # fmt: skip
"""Ink on a shade, and on what that is in the dark: a last digit that nobody sees tells them apart."""
LIT = "#1FA0AB"
"""Lines on a picture: can be seen on black and on white."""
PALE = ("#E3E8EC", "#E4E4E4", "#F2F2F2")
"""Grounds without a role: of a token, of a matrix with and without cells."""
BLOCKED, HATCH_INK, HATCH = "#DADADA", "#9A9A9A", "////"
MINUS, PLAIN, WRONG = "#5E6266", "#00636C", "#B3261E"

# Lines that have no role: each differs in colour, line style and marker.
SERIES = (INK, "#00838F", "#767676", "#003F47", "#4F4F4F", "#3F9AA5")
LINES = ("-", "--", "-.", ":", (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("////", "\\\\\\\\", "....", "xxxx", "----", "||||")

# A figure is shown at 72 CSS pixels an inch, so 12 here is the 9 pt of a web page: the smallest we use.
SMALL, FONT, TITLE = 12, 13, 15

MANY = 40
"""Above this many rows or columns, numbers are left out and only some labels are drawn."""

_FAMILIES = {"axes", "figure", "font", "grid", "hatch", "legend", "lines", "patch", "text", "xtick", "ytick"}
_OURS = {
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.labelsize": FONT,
    "axes.titlesize": FONT,
    "font.size": FONT,
    "grid.color": GRID,
    "hatch.color": HATCH_INK,
    "legend.fontsize": SMALL,
    "text.color": INK,
    "text.parse_math": False,  # a token such as "$x$" is a token
    "xtick.color": FAINT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": FAINT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": SMALL,
}

P = ParamSpec("P")
R = TypeVar("R")


@contextlib.contextmanager
def course_style() -> Iterator[None]:
    """The style of the course, whatever style the learner has set, which is theirs again afterwards.

    A token in a script the font lacks is drawn as a box without a warning: the description has it.
    """
    defaults = matplotlib.rcParamsDefault
    plain = {name: defaults[name] for name in defaults if name.split(".")[0] in _FAMILIES}
    with matplotlib.rc_context(plain | _OURS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def styled(plot: Callable[P, R]) -> Callable[P, R]:
    """Make a plot draw in the style of the course."""

    @functools.wraps(plot)
    def drawn(*args: P.args, **options: P.kwargs) -> R:
        if "title" in options:
            options["title"] = heading(options["title"])
        with course_style():
            return plot(*args, **options)

    return drawn


def role_of(name: str) -> str | None:
    """The role a customary name tells: `Q`, `W_q` and `query` are queries, `Z` and `scores` are scores."""
    stem = name.lower().removeprefix("w_").split("_")[0].split(" ")[0].rstrip(",").removesuffix(".t")
    known = {"q": "query", "k": "key", "v": "value", "z": "score", "o": "output"}
    stem = known.get(stem, stem.removesuffix("s").replace("querie", "query"))
    return stem if stem in ROLES else None


def given_roles(roles: Mapping[str, str], names: Collection[str]) -> dict[str, str | None]:
    """The role of each name: the one that is given, or the one it tells.

    Raises:
        ValueError: when something else is named, or the role is none.
    """
    for given, role in roles.items():
        one_of("roles, name", shown(given), tuple(names))
        one_of(f"roles[{given!r}]", role, tuple(ROLES))
    known = {shown(given): role for given, role in roles.items()}
    return {name: known.get(name, role_of(name)) for name in names}


def for_text(color: str) -> tuple[float, ...]:
    """A darker version of a colour, to be read on white."""
    return tuple(0.72 * part for part in colors.to_rgb(color))


def ink_on(background: Any, in_the_dark: Any = None) -> str:
    """Black or white, whichever is easier to read on a colour, as one of `INKS`.

    Args:
        background: the colour.
        in_the_dark: what it is on dark pages; the same when not given.
    """
    dark = background if in_the_dark is None else in_the_dark
    return INKS[_easier(background), _easier(dark)]


def _easier(background: Any) -> str:
    """Black or white, by the relative luminance of what is behind."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colors.to_rgb(background)]
    return "black" if 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 else "white"
