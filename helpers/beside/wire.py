"""Arrays and plain values as bytes and back, with nothing unpickled.

The format is that of `safetensors`, made to be read from strangers: numbered arrays, and one JSON text that
says how they nest.
"""

import json
from typing import Any

import numpy as np
from safetensors.numpy import load, save

MOST_TEXT = 8 * 2**20
"""Bytes of everything but arrays."""

_OUTLINE = "outline"
_WIDEST = {"b": 1, "i": 8, "u": 8, "f": 8, "c": 16}


def pack(value: Any) -> bytes:
    """Turn nested dicts, lists, tuples, strings, numbers, `None` and arrays into bytes.

    Raises:
        TypeError: for anything else (an object, a function, a tensor).
    """
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps(_outline(value, arrays))
    return save({**arrays, _OUTLINE: np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)})


def unpack(data: bytes) -> Any:
    """The value that `pack` was given.

    Raises:
        ValueError: when the bytes are not what `pack` makes.
    """
    try:
        arrays = load(data)
        text = arrays.pop(_OUTLINE)
        if text.nbytes > MOST_TEXT:  # as objects it would take many times as much memory
            raise ValueError(f"{text.nbytes:,} bytes of text; {MOST_TEXT:,} are the most")
        outline = json.loads(text.tobytes().decode("utf-8", "surrogatepass"))
        return _fill(outline, arrays)
    except Exception as error:  # JSON, NumPy and safetensors each have their own ways to complain
        raise ValueError(f"these bytes are not what `pack` makes: {error!s:.200}") from error


def _outline(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _put(np.asarray(value), arrays)
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_outline(item, arrays) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[str(key), _outline(item, arrays)] for key, item in value.items()]}
    raise TypeError(f"only plain values and arrays cross; got {type(value).__name__}")


def _put(array: np.ndarray, arrays: dict[str, np.ndarray]) -> dict[str, str]:
    kind = array.dtype.kind
    if kind not in _WIDEST:
        raise TypeError(f"only numbers and booleans cross; got an array of {array.dtype}")
    if array.itemsize > _WIDEST[kind]:  # long doubles
        array = array.astype(np.complex128 if kind == "c" else np.float64)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    name = str(len(arrays))
    if kind == "c":  # as pairs of numbers: the format has no double complex
        arrays[name] = np.stack([array.real, array.imag], axis=-1)
        return {"complex": name}
    arrays[name] = np.ascontiguousarray(array).reshape(array.shape)
    return {"array": name}


def _fill(outline: Any, arrays: dict[str, np.ndarray]) -> Any:
    if not isinstance(outline, dict):
        return outline
    ((kind, content),) = outline.items()
    if kind in ("array", "complex"):
        array = arrays.pop(content)  # each once: else a short text could stand for endless numbers
        return array[..., 0] + 1j * array[..., 1] if kind == "complex" else array
    if kind == "dict":
        return {key: _fill(item, arrays) for key, item in content}
    return {"list": list, "tuple": tuple}[kind](_fill(item, arrays) for item in content)
