"""Numbers and tokens as text, for cells and for descriptions."""

from collections.abc import Callable, Sequence

import numpy as np

Format = Callable[[float], str]


def format_for(values: np.ndarray, decimals: int | None = None) -> Format:
    """One way of writing all numbers of an array: integers plain, others with as many decimals as help.

    Args:
        values: the numbers, any shape.
        decimals: digits after the point; `None` to choose.
    """
    finite = np.abs(values[np.isfinite(values)])
    largest = finite.max(initial=0.0)
    if decimals is None and largest and (largest >= 1e5 or largest < 0.005):
        return lambda value: _write(value, ".1e")
    if decimals is None:
        decimals = 0 if np.all(finite == np.round(finite)) else 1 if largest >= 100 else 2
    return lambda value: _write(value, f".{decimals}f")


def _write(value: float, spec: str) -> str:
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    text = "0" if value == 0 and "e" in spec else format(value, spec)
    return text.lstrip("-") if float(text) == 0 else text


def short(value: float) -> str:
    """One number on its own, in up to four digits."""
    if not np.isfinite(value):
        return _write(value, "g")
    return format(float(f"{value:.4g}"), "g")


def listed(words: Sequence[str]) -> str:
    """Words with commas between, or `nothing`."""
    return ", ".join(words) or "nothing"


def plural(count: int, noun: str) -> str:
    """`1 query`, `2 queries`, `3 keys`."""
    if count == 1:
        return f"1 {noun}"
    many = noun[:-1] + "ies" if noun.endswith("y") and noun[-2:] != "ey" else noun + "s"
    return f"{count} {many}"


def rows_in_words(matrix: np.ndarray, rows: Sequence[str], write: Format) -> str:
    """Every number, row by row: `a: 1, 2; b: 3, 4`."""
    return "; ".join(
        f"{name}: {listed([write(x) for x in row])}" for name, row in zip(rows, matrix, strict=True)
    )


def peaks_in_words(matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str], write: Format) -> str:
    """The largest number of each row and where it is: `a → c 0.90; b → a 0.80`."""
    parts = []
    for name, row in zip(rows, matrix, strict=True):
        best = peak(row)
        parts.append(f"{name} → nan" if best is None else f"{name} → {columns[best]} {write(row[best])}")
    return "; ".join(parts)


def peak(row: np.ndarray) -> int | None:
    """The place of the largest finite number, the first on a tie; `None` when there is none."""
    finite = np.where(np.isfinite(row), row, -np.inf)
    return int(finite.argmax()) if np.isfinite(row).any() else None


def odd_in_words(values: np.ndarray) -> str:
    """A sentence on the entries that are not finite; empty when all are."""
    count = int((~np.isfinite(values)).sum())
    return f" {plural(count, 'entry')} of {values.size} not finite (nan or ∞)." if count else ""
