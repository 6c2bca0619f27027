"""What comes in: arrays and labels, checked, with errors that say what was expected and what came."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.text import shown

_SHAPES = {
    1: "one row of numbers (n,)",
    2: "a matrix (rows, columns)",
    3: "a stack of matrices (h, n_q, n_k)",
}


def array(name: str, value: Any, ndim: int | None = None) -> np.ndarray:
    """A new float array from a list, an array or a tensor (with or without gradient).

    Args:
        name: what the caller calls it, for the message.
        value: anything `numpy.asarray` accepts.
        ndim: how many axes it must have; `None` for any number.

    Raises:
        ValueError: when it is not numbers, is empty, or has another number of axes.
    """
    wanted = _SHAPES.get(ndim or 0, "numbers")
    try:
        found = np.array(_plain(value))
    except (TypeError, ValueError, RuntimeError) as error:  # NotImplementedError is a RuntimeError
        raise ValueError(f"{name}: expected {wanted}; got {_kind(value)} ({error})") from None
    if found.dtype.kind not in "buif":
        raise ValueError(f"{name}: expected {wanted}; got {_kind(value)} of {found.dtype}")
    if ndim is not None and found.ndim != ndim:
        raise ValueError(f"{name}: expected {wanted}; got shape {found.shape}")
    if found.size == 0:
        raise ValueError(f"{name}: expected at least one number; got shape {found.shape}")
    return found.astype(float)


def same_shape(name: str, value: np.ndarray, other_name: str, other: np.ndarray) -> None:
    """Raise a ValueError unless two arrays have one shape."""
    if value.shape != other.shape:
        raise ValueError(
            f"{name}: expected the shape of {other_name}, {other.shape}; got shape {value.shape}"
        )


def allowed_cells(value: Any, ndim: int | None = 2) -> np.ndarray:
    """A boolean mask, `True` where a query may look at a key.

    Raises:
        ValueError: when it is neither booleans nor zeros and ones, or has another number of axes.
    """
    numbers = array("allowed", value, ndim)
    odd = numbers[~np.isin(numbers, (0, 1))]
    if odd.size:
        raise ValueError(f"allowed: expected True or False (or 1 and 0) in every cell; got {odd.flat[0]:g}")
    return numbers.astype(bool)


def broadcast(may: np.ndarray, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A mask in the shape of what it belongs to.

    Raises:
        ValueError: when it does not broadcast.
    """
    try:
        return np.broadcast_to(may, shape)
    except ValueError:
        raise ValueError(
            f"allowed: expected a shape that broadcasts to {name} {shape}; got {may.shape}"
        ) from None


def labels(name: str, given: Sequence[Any] | None, count: int, place: str) -> list[str]:
    """Labels ready to be drawn, in the given order; `0, 1, 2, ...` when none are given.

    Args:
        name: what the caller calls them, for the message.
        given: one label for each row, column or bar, or `None`.
        count: how many there must be.
        place: what each belongs to, such as `"row of weights (4, 4)"`.

    Raises:
        ValueError: when there are more or fewer, or one string was given.
    """
    if given is None:
        return [str(i) for i in range(count)]
    if isinstance(given, str | bytes):
        raise ValueError(f"{name}: expected a list of {count} labels; got one string, {given!r}")
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, Mapping | set | frozenset) or not isinstance(given, Iterable):
        raise ValueError(f"{name}: expected a list of {count} labels, in order; got {_kind(given)}")
    given = list(given)
    if len(given) != count:
        raise ValueError(f"{name}: expected {count} labels, one per {place}; got {len(given)}")
    return [shown(label) for label in given]


def named_arrays(name: str, named: Any, ndim: int | None = None) -> dict[str, np.ndarray]:
    """The arrays of a mapping, checked, under names ready to be drawn.

    Raises:
        ValueError: when it is not a mapping, is empty, or one of its arrays is wrong.
    """
    if not isinstance(named, Mapping) or not named:
        raise ValueError(f"{name}: expected a dict such as {{'a': [1, 2]}}; got {_kind(named)}")
    return {shown(key): array(f"{name}[{key!r}]", value, ndim) for key, value in named.items()}


def one_of(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise a ValueError unless a word is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}; got {value!r}")


def _plain(value: Any) -> np.ndarray:
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    if hasattr(value, "detach") and str(getattr(value, "dtype", "")).endswith("bfloat16"):
        value = value.float()  # NumPy has no bfloat16
    if isinstance(value, list | tuple):
        value = [
            _plain(item) if hasattr(item, "detach") or isinstance(item, list | tuple) else item
            for item in value
        ]
    return np.asarray(value)


def _kind(value: Any) -> str:
    if isinstance(value, Mapping | list | tuple | str) and not len(value):
        return f"an empty {type(value).__name__}"
    return type(value).__name__


def kinds(finite: np.ndarray) -> int:
    """How many different numbers there are, of finite ones.

    `np.unique` would import NumPy's masked arrays, which takes a browser as long as a whole check.
    """
    return len(set(finite.ravel().tolist()))
