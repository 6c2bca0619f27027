"""Reference answers of unit 00."""

import numpy as np


def double(x: np.ndarray) -> np.ndarray:
    """Twice the array `x`, of any shape."""
    return 2 * x
