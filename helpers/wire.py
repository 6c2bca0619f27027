"""Arrays and plain values as bytes and back, with nothing unpickled.

The format is NumPy's own `.npz`: numbered arrays, and one JSON text that says how they nest.
"""

import io
import json
from typing import Any

import numpy as np


def pack(value: Any) -> bytes:
    """Turn nested dicts, lists, tuples, strings, numbers, `None` and arrays into bytes.

    Raises:
        TypeError: for anything else (an object, a function, a tensor).
    """
    arrays: list[np.ndarray] = []
    text = json.dumps(_outline(value, arrays))
    buffer = io.BytesIO()
    named = {f"array_{i}": array for i, array in enumerate(arrays)}
    np.savez(buffer, outline=np.frombuffer(text.encode(), np.uint8), **named)
    return buffer.getvalue()


def unpack(data: bytes) -> Any:
    """The value that `pack` was given.

    Raises:
        ValueError: when the bytes are not what `pack` makes (object arrays included).
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            outline = json.loads(arrays["outline"].tobytes().decode())
            return _fill(outline, arrays)
    except Exception as error:  # zip, JSON and NumPy each have their own ways to complain
        raise ValueError(f"these bytes are not what `pack` makes: {error}") from error


def _outline(value: Any, arrays: list[np.ndarray]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind not in "biufc":
            raise TypeError(f"only numbers and booleans cross; got an array of {value.dtype}")
        arrays.append(np.asarray(value))
        return {"array": len(arrays) - 1}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_outline(item, arrays) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[str(key), _outline(item, arrays)] for key, item in value.items()]}
    raise TypeError(f"only plain values and arrays cross; got {type(value).__name__}")


def _fill(outline: Any, arrays: Any) -> Any:
    if not isinstance(outline, dict):
        return outline
    ((kind, content),) = outline.items()
    if kind == "array":
        array = arrays[f"array_{content}"]
        if array.dtype.kind not in "biufc":
            raise ValueError(f"only numbers and booleans cross; got an array of {array.dtype}")
        return array
    if kind == "dict":
        return {key: _fill(item, arrays) for key, item in content}
    return {"list": list, "tuple": tuple}[kind](_fill(item, arrays) for item in content)
