"""What one sees of a result without thinking of attention: choices that differ in it give themselves away."""

import numpy as np

Surface = tuple[bool, ...]


def surface(array: np.ndarray, right: np.ndarray) -> Surface:
    """Whether rows sum to 1, whether all lies between 0 and 1, whether some is negative, infinite, or larger.

    Args:
        array: a result of the same shape as the right one.
        right: the right one.
    """
    if array.dtype.kind != "f":
        return ()
    finite = array[np.isfinite(array)]
    sums = bool(np.allclose(array.sum(axis=-1), 1, atol=0.02)) if np.isfinite(array).all() else False
    largest = float(np.abs(right[np.isfinite(right)]).max(initial=0))
    return (
        sums,
        bool(((finite >= 0) & (finite <= 1)).all()),
        bool((finite < 0).any()),
        finite.size == array.size,
        bool(np.abs(finite).max(initial=0) > 1.01 * largest),
    )
