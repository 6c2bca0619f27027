"""Undo the mistakes that hide the numbers of a result, to see whether these are wrong as well."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Seen = Mapping[str, Any]


def _unchanged(seen: Seen, _parts: bool) -> Seen:
    return {**seen, "changed": []}


def _from_list(seen: Seen, parts: bool) -> Seen:
    value = seen.get("value", {})
    if value.get("kind") != "list" or "items" not in value:
        return seen
    if parts:
        return {**seen, "value": {**value, "kind": "tuple"}}
    try:
        return {**seen, "value": {"kind": "array", "array": np.array(_nested(value))}}
    except (KeyError, ValueError):  # rows of different lengths, or no numbers
        return seen


def _nested(value: Mapping[str, Any]) -> Any:
    return value["array"] if "array" in value else [_nested(item) for item in value["items"]]


def _as_booleans(seen: Seen, _parts: bool) -> Seen:
    array = seen.get("value", {}).get("array")
    if array is None:
        return seen
    added = array.size and array.max() <= 0 and array.min() < -1  # such as 0 and -1e9: what is 0 may be seen
    return {**seen, "value": {**seen["value"], "array": array == 0 if added else array != 0}}


REPAIRS = {"input-changed": _unchanged, "returns-list": _from_list, "mask-not-bool": _as_booleans}
"""By the id of the mistake: what is seen of an answer as if it had not made it."""
