"""Reference answers of unit 01: the dot product as similarity."""

import numpy as np


def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Dot product of two vectors `(d,)`: a number.  As `torch.dot`."""
    return np.sum(a * b)


def cosine_similarity(a: np.ndarray, b: np.ndarray) -> float:
    """Cosine of the angle between two vectors `(d,)`, and 0.0 when either has no length.

    As `torch.nn.functional.cosine_similarity`.
    """
    length = np.sqrt(dot(a, a)) * np.sqrt(dot(b, b))
    return 0.0 if length == 0 else dot(a, b) / length


def similarity_matrix(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """All dot products of the rows of `X (n, d)` with the rows of `Y (m, d)`: `(n, m)`."""
    return X @ Y.T


def best_match(query: np.ndarray, keys: np.ndarray) -> int:
    """Index of the row of `keys (n, d)` with the largest dot product with `query (d,)`.

    The first one on a tie.  As `torch.argmax(keys @ query)`.
    """
    return int(np.argmax(keys @ query))
