"""Reference answers of unit 05: from scores to weights, and the whole of attention."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.reference.unit_02_queries_keys_values import mix_values
from helpers.reference.unit_03_scaling import scaled_scores


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Positive numbers that sum to 1 along `axis`.  As `torch.softmax`."""
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def masked_softmax(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Softmax over the allowed keys of each row of `scores (..., n_q, n_k)`; a blocked row is all 0."""
    masked = np.where(allowed, scores, -np.inf)
    largest = np.max(masked, axis=-1, keepdims=True)
    # a blocked row has no largest score: any finite number will do, its powers are all 0
    powers = np.exp(masked - np.where(np.isfinite(largest), largest, 0))
    total = np.sum(powers, axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def softmax_with_temperature(x: np.ndarray, temperature: float) -> np.ndarray:
    """Softmax of `x / temperature` along the last axis: small is sharp, large is flat."""
    return softmax(x / temperature)


def softmax_backward(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
    """Gradient for the input of a softmax, from its output `weights` and the gradient `grad` for it.

    Both `(..., n)`.  As `torch.autograd` computes it.
    """
    return weights * (grad - np.sum(weights * grad, axis=-1, keepdims=True))


def attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention (Vaswani et al., 2017, eq. 1): `(output, weights)`.

    `Q (..., n_q, d_k)`, `K (..., n_k, d_k)`, `V (..., n_k, d_v)`; a query with no allowed key gets
    output 0.  As `torch.nn.functional.scaled_dot_product_attention`.
    """
    scores = scaled_scores(Q, K)
    weights = softmax(scores) if allowed is None else masked_softmax(scores, allowed)
    return mix_values(weights, V), weights


def test_softmax(softmax: Callable) -> None:
    """Raise where `softmax(x, axis=-1)` is wrong: on every axis, for numbers of every size and -inf."""
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        assert np.allclose(softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625])
        assert np.allclose(softmax(np.array([0.0, -np.inf])), [1.0, 0.0])
        for x in (rng.normal(size=(2, 3, 5)), 5 * rng.normal(size=(4, 4))):
            x[0] += 800.0
            x[1] -= 800.0
            before = x.copy()
            for axis in (None, *range(-x.ndim, x.ndim)):
                weights = softmax(x) if axis is None else softmax(x, axis)
                along = -1 if axis is None else axis
                powers = np.exp(x - x.max(axis=along, keepdims=True))
                assert np.allclose(weights, powers / powers.sum(axis=along, keepdims=True))
            assert np.array_equal(x, before)
        low = np.array([[-900.0, -901.0], [900.0, 901.0]])
        assert np.allclose(softmax(low).sum(axis=-1), 1.0)


def test_attention(attention: Callable) -> None:
    """Raise where `attention(Q, K, V, allowed=None)` is wrong: sizes, batches, masks, huge scores."""
    rng = np.random.default_rng(0)
    masks = [None, np.arange(5) < 3, rng.random((3, 5)) < 0.5, np.zeros((3, 5), dtype=bool)]
    for lead in ((), (2,)):
        Q, K, V = (rng.normal(size=(*lead, *shape)) for shape in ((3, 4), (5, 4), (5, 7)))
        for size in (1.0, 1000.0):
            for allowed in masks:
                _assert_attends(attention, size * Q, K, V, allowed)
    hidden = np.array([True, False])
    _assert_attends(attention, np.array([[900.0], [-900.0]]), np.array([[1.0], [1.0]]), np.eye(2), None)
    _assert_attends(attention, np.array([[900.0]]), np.array([[0.0], [1.0]]), np.eye(2), hidden)


def _assert_attends(function: Callable, Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: Any) -> None:
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, np.ones(scores.shape, bool) if allowed is None else allowed)
    output, got = function(Q, K, V) if allowed is None else function(Q, K, V, allowed)
    assert np.allclose(got, weights)
    assert np.allclose(output, weights @ V)


faulty_map = ("C", "queries and keys swapped")
