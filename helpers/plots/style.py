"""The visual language of the course: one colour for one role, and never colour alone."""

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import matplotlib
from matplotlib import colors

from helpers.text import shown

# Okabe and Ito's colours, which stay apart for colour-blind readers.
QUERY, KEY, VALUE, OUTPUT = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ROLES = {"query": QUERY, "key": KEY, "value": VALUE, "output": OUTPUT}

INK, FAINT, GRID = "#1A1A1A", "#767676", "#D9D9D9"
BLOCKED, HATCH_INK, HATCH = "#DADADA", "#9A9A9A", "////"

# Lines that have no role: each differs in colour, line style and marker.
SERIES = ("#000000", "#56B4E9", "#882255", "#E69F00", "#666666", "#332288")
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
    "axes.labelcolor": INK,
    "axes.labelsize": FONT,
    "axes.titlesize": FONT,
    "font.size": FONT,
    "grid.color": GRID,
    "hatch.color": HATCH_INK,
    "legend.fontsize": SMALL,
    "text.color": INK,
    "text.parse_math": False,  # a token such as "$x$" is a token
    "xtick.labelsize": SMALL,
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


def heading(title: Any) -> str:
    """A title that can be drawn.

    Raises:
        ValueError: when it is no text.
    """
    if not isinstance(title, str):
        raise ValueError(f"title: expected text; got {type(title).__name__}")
    return shown(title) if title else ""


def role_of(name: str) -> str | None:
    """The role a customary name tells: `Q`, `W_q` and `query` are queries, `Z` and `output` are outputs."""
    stem = name.lower().removeprefix("w_").split("_")[0].split(" ")[0].rstrip(",")
    known = {"q": "query", "k": "key", "v": "value", "z": "output", "o": "output"}
    stem = known.get(stem, stem.removesuffix("s").replace("querie", "query"))
    return stem if stem in ROLES else None


def tint(color: str, strength: float = 0.18) -> tuple[float, ...]:
    """A pale version of a colour, to lie behind black text."""
    return tuple(1 - strength * (1 - part) for part in colors.to_rgb(color))


def for_text(color: str) -> tuple[float, ...]:
    """A darker version of a colour, to be read on white."""
    return tuple(0.72 * part for part in colors.to_rgb(color))


def ink_on(background: Any) -> str:
    """Black or white, whichever is easier to read on a colour (by its relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colors.to_rgb(background)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > 0.18 else "white"
