"""What a value is, in few numbers: as a recording tells of it (see `helpers.beside.tracing`)."""

from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

SHOWN = 8
"""So many rows, columns or entries are told of an array."""

ITEMS = 4
"""Of tuples and dicts that hold no more, each item is told."""

LARGEST = 1_000_000
"""Entries of an array beyond which no number of it is told."""

ONE, ONE_NARROW = 1e-10, 1e-6
"""So far from 1 may a sum be that counts as 1, of float64 and of narrower numbers."""

_LONG = 70
"""Letters of a layer's own words."""

_WORDS = {"NoneType": "nothing (None)", "ellipsis": "...", "module": "a module"}


def summary(value: Any, inside: int = 0) -> dict[str, Any]:
    """A value as plain data: its kind, and shape, type and the first numbers of an array.

    Args:
        value: anything; nothing of it is called that a learner may have written.
        inside: how many tuples or dicts it stands in.
    """
    kind = type(value).__name__
    if isinstance(value, bool | np.bool_):
        return {"kind": "flag", "numbers": bool(value), "type": "bool"}
    if isinstance(value, str):
        return {"kind": "text", "says": repr(value[:40])}
    if isinstance(value, int | float | complex | np.generic):
        return {"kind": "number", "numbers": told(value), "type": kind}
    array = as_array(value)
    if array is not None:
        return _array(array, "array" if isinstance(value, np.ndarray) else "tensor")
    if isinstance(value, tuple | list | dict) and not inside:
        return _items(value, kind, inside)
    if isinstance(value, type | FunctionType | BuiltinFunctionType):
        return {"kind": "function", "says": "a class" if isinstance(value, type) else "a function"}
    if value is None:
        return {"kind": "nothing", "says": _WORDS[kind]}
    if type(value).__module__.startswith("torch.nn.modules."):
        text = repr(value)
        return {"kind": "object", "says": text if len(text) <= _LONG and "\n" not in text else f"{kind}(…)"}
    many = f" of {len(value)}" if isinstance(value, tuple | list | dict | set) else ""
    return {"kind": "object", "says": _WORDS.get(kind, f"a {kind}{many}")}


def as_array(value: Any) -> np.ndarray | None:
    """The numbers of an array or a tensor; nothing is copied where that can be helped."""
    if isinstance(value, np.ndarray):
        plain = value.view(np.ndarray)
        return plain if plain.dtype.kind in "biufc" and plain.dtype.itemsize <= 16 else None
    if type(value).__module__.startswith("torch") and hasattr(value, "detach") and hasattr(value, "dtype"):
        try:
            return value.detach().cpu().resolve_conj().numpy()
        except Exception:  # bfloat16, a sparse one, one without numbers
            return None
    return None


def plain_list(value: list[Any]) -> np.ndarray | None:
    """The numbers of a short list of numbers, or of lists of them."""
    rows = value if value and all(type(one) is list for one in value) else [value]
    numbers = all(isinstance(x, int | float | np.number) for row in rows for x in row)
    if not numbers or len({len(row) for row in rows}) > 1 or not 0 < sum(map(len, rows)) <= SHOWN * SHOWN:
        return None
    return np.array(value, dtype=float)


def told(x: Any) -> Any:
    """A number as JSON can write it, to six digits."""
    if isinstance(x, bool | np.bool_):
        return bool(x)
    if isinstance(x, int | np.integer):
        return int(x) if abs(int(x)) < 10**15 else f"{str(int(x))[:16]}…"
    if isinstance(x, complex | np.complexfloating):
        return f"{complex(x):.4g}"
    short = float(f"{float(x):.6g}")
    return short if np.isfinite(short) else f"{float(x):.6g}"  # the largest floats round to infinity


def _items(value: Any, kind: str, inside: int) -> dict[str, Any]:
    found = {
        "kind": kind if kind in ("tuple", "list", "dict") else "object",
        "says": f"a {kind} of {len(value)}",
    }
    if 0 < len(value) <= ITEMS and not isinstance(value, list):
        parts = value.values() if isinstance(value, Mapping) else value
        found["items"] = [summary(one, inside + 1) for one in parts]
    return found


def _array(array: np.ndarray, kind: str) -> dict[str, Any]:
    found = {"kind": kind, "shape": [int(n) for n in array.shape], "type": str(array.dtype)}
    if array.size > LARGEST:
        return found | {"says": "too large to show"}
    if array.size == 0:
        return found | {"says": "empty"}
    first = array[(0,) * max(0, array.ndim - 2)]
    part = first[(slice(SHOWN),) * first.ndim]
    found["numbers"] = _nested(part)
    if part.size < array.size:
        found["cut"] = True
    if array.dtype.kind in "iuf":
        found |= _extent(array)
    if array.dtype.kind == "f" and array.ndim and "odd" not in found:
        found |= _sums(array, first)
    return found


def _nested(part: np.ndarray) -> Any:
    return [_nested(one) for one in part] if part.ndim else told(part[()])


def _extent(array: np.ndarray) -> dict[str, Any]:
    """The smallest and the largest number, and how many are none."""
    finite = np.isfinite(array)
    if finite.all():
        return {"low": told(array.min()), "high": told(array.max())}
    counted = (("nan", np.isnan(array)), ("inf", np.isposinf(array)), ("-inf", np.isneginf(array)))
    odd = ", ".join(f"{int(here.sum())} {name}" for name, here in counted if here.any())
    if not finite.any():
        return {"odd": odd}
    return {"low": told(array[finite].min()), "high": told(array[finite].max()), "odd": odd}


def _sums(array: np.ndarray, first: np.ndarray) -> dict[str, Any]:
    """Sums of the rows and columns of the first matrix, or of a vector; and which of all matrices are 1."""
    with np.errstate(all="ignore"):
        wide, far = first.astype(float), ONE if array.dtype.itemsize == 8 else ONE_NARROW
        every = array.astype(float)
        if array.ndim == 1:
            rows = wide.sum(keepdims=True)
            is_one = "rows" if array.size > 1 and abs(rows[0] - 1) < far else ""
            return {"rows": [told(rows[0])], "sums": is_one}
        rows, columns = wide.sum(1), wide.sum(0)
        ones = [
            name
            for name, axis in (("rows", -1), ("columns", -2))
            if array.shape[axis] > 1 and (abs(every.sum(axis) - 1) < far).all()
        ]
    return {
        "rows": [told(x) for x in rows[:SHOWN]],
        "columns": [told(x) for x in columns[:SHOWN]],
        "sums": "both" if len(ones) == 2 else "".join(ones),
    }
