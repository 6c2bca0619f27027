"""Numbers, small arrays and tokens as a reader wants them."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

_JOINERS = "\u200c\u200d"  # they hold families of emoji together, and Persian words apart


PRINTED: Any = {
    "edgeitems": 3,
    "threshold": 1000,
    "floatmode": "maxprec",
    "precision": 8,
    "suppress": False,
    "linewidth": 75,
    "nanstr": "nan",
    "infstr": "inf",
    "sign": "-",
    "formatter": None,
    "legacy": False,
}
"""How NumPy prints arrays in a new kernel."""

MOST_DIGITS = 17
"""So many tell any two floats apart."""


def number(value: Any, digits: int = 4) -> str:
    """A number as a reader wants it: integers whole, floats with four digits, booleans as words."""
    value = np.asarray(value)
    if value.dtype.kind == "b":
        return str(bool(value))
    if value.dtype.kind == "c":
        return f"{complex(value):.{digits}g}"
    if value.dtype.kind in "iu" or (np.isfinite(value) and value == np.round(value) and abs(value) < 1e6):
        return str(int(value))
    return f"{float(value):.{digits}g}"


def digits_apart(pairs: Iterable[tuple[Any, Any]]) -> int:
    """With how many digits, at least four, the two numbers of each pair are written differently."""
    digits = 4
    for one, other in pairs:
        while digits < MOST_DIGITS and number(one, digits) == number(other, digits):
            digits += 1
    return digits


def names_in_words(names: Sequence[str]) -> str:
    """Names of code in a sentence: `a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]]))


def table(array: Any, decimals: int = 3) -> str:
    """A small array as text with few digits, one row a line; a single number as a number."""
    array = np.asarray(array)
    with np.printoptions(**{**PRINTED, "precision": decimals, "suppress": True, "threshold": 64}):
        return np.array2string(array) if array.ndim else str(array)


def decimals_apart(one: np.ndarray, other: np.ndarray, apart: np.ndarray) -> int:
    """With how many decimals, at least three, two tables look different wherever `apart` is true."""
    decimals = 3
    if "f" not in one.dtype.kind + other.dtype.kind:
        return decimals
    with np.errstate(all="ignore"):
        while (
            decimals < MOST_DIGITS
            and (np.round(one * 1.0, decimals) == np.round(other * 1.0, decimals))[apart].any()
        ):
            decimals += 1
    return decimals


def shown(token: Any) -> str:
    """A token as it can be seen: blank ones in quotes, line breaks and the like spelled out."""
    try:
        text = str(token)
    except Exception as error:
        raise ValueError(
            f"expected a label that can be written; got one whose str() fails: {error}"
        ) from None
    text = "".join(
        c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode() for c in text
    )
    return text if text.strip() else repr(text)


def heading(title: Any) -> str:
    """A title that can be drawn.

    Raises:
        ValueError: when it is no text.
    """
    if not isinstance(title, str):
        raise ValueError(f"title: expected text; got {type(title).__name__}")
    return shown(title) if title else ""


def caption_html(caption: str) -> str:
    """A caption below a picture; nothing when there is none."""
    return f'<figcaption style="max-width:70em">{html.escape(caption)}</figcaption>' if caption else ""
