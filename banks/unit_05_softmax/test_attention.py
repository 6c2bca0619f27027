"""Right and wrong answers to `test_attention`: tests, as learners write them."""

import inspect

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


def _same(got, expected):
    for one, other in zip(got, expected, strict=True):
        assert one.shape == other.shape
        assert np.allclose(one, other)


@right("test_attention", "the course's attention as the yardstick, sizes that differ, every mask")
def by_own(attention):
    rng = np.random.default_rng(0)
    masks = [None, np.array([1, 0, 1, 1, 0], bool), rng.random((3, 5)) < 0.5, np.zeros((3, 5), bool)]
    for lead in [(), (2,), (2, 2)]:
        Q, K, V = (
            rng.normal(size=(*lead, 3, 4)),
            rng.normal(size=(*lead, 5, 4)),
            rng.normal(size=(*lead, 5, 2)),
        )
        for mask in masks:
            _same(attention(Q, K, V, mask), reference.attention(Q, K, V, mask))
            _same(attention(2000 * Q, K, V, mask), reference.attention(2000 * Q, K, V, mask))


@right("test_attention", "PyTorch as the yardstick")
def by_torch(attention):
    g = torch.Generator().manual_seed(1)
    draw = lambda *shape: torch.randn(*shape, generator=g, dtype=torch.float64)
    for factor in (1, 3000):
        Q, K, V = factor * draw(3, 4, 6), draw(3, 7, 6), draw(3, 7, 5)
        masks = [None, draw(4, 7) > 0, draw(3, 4, 7) > 0, draw(7) > 0]
        masks[1][2] = False
        for mask in masks:
            full = None if mask is None else mask.expand(3, 4, 7)
            expected = F.scaled_dot_product_attention(Q, K, V, attn_mask=full).nan_to_num(0)
            eye = torch.eye(7, dtype=torch.float64).expand(3, 7, 7)
            w = F.scaled_dot_product_attention(Q, K, eye, attn_mask=full).nan_to_num(0)
            given = [one.numpy() for one in (Q, K, V)] + ([] if mask is None else [mask.numpy()])
            output, weights = attention(*given)
            np.testing.assert_allclose(output, expected.numpy(), atol=1e-9)
            np.testing.assert_allclose(weights, w.numpy(), atol=1e-9)
    small = attention(np.ones((2, 3)), np.ones((4, 3)), np.arange(4.0)[:, None])
    np.testing.assert_allclose(small[0], 1.5)


@right("test_attention", "query by query, with loops")
def by_loops(attention):
    rng = np.random.default_rng(5)
    Q, K, V = rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 6, 3)), rng.normal(size=(2, 6, 5))
    allowed = rng.random((4, 6)) < 0.6
    allowed[1] = False
    for factor in (1.0, 4000.0):
        for mask in (np.ones((4, 6), bool), allowed, np.arange(6) < 2):
            output, weights = attention(factor * Q, K, V, mask)
            plain = attention(factor * Q[0], K[0], V[0])
            full = np.broadcast_to(mask, (4, 6))
            for b in range(2):
                for i in range(4):
                    s = factor * K[b] @ Q[b, i] / 3**0.5
                    for w, out, seen in (
                        (weights[b, i], output[b, i], full[i]),
                        (plain[1][i], plain[0][i], None),
                    ):
                        if seen is None and b:
                            continue
                        seen = np.ones(6, bool) if seen is None else seen
                        e = np.where(seen, np.exp(s - s[seen].max()) if seen.any() else 0, 0)
                        e = np.where(seen, e, 0)
                        right_weights = e / e.sum() if seen.any() else np.zeros(6)
                        if not np.allclose(w, right_weights) or not np.allclose(out, right_weights @ V[b]):
                            raise AssertionError(f"query {i}")


# Wrong answers


@wrong("test_attention", "impostors-missed", "the identity alone")
def identity_alone(attention):
    _same(attention(np.eye(3), np.eye(3), np.eye(3)), reference.attention(np.eye(3), np.eye(3), np.eye(3)))


@wrong("test_attention", "impostors-missed", "one square")
def one_square(attention):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 4))
    _same(attention(Q, K, V), reference.attention(Q, K, V))


@wrong("test_attention", "impostors-missed", "shapes alone")
def shapes_alone(attention):
    output, weights = attention(np.ones((3, 4)), np.ones((5, 4)), np.ones((5, 2)))
    assert output.shape == (3, 2)
    assert weights.shape == (3, 5)


@wrong("test_attention", "accuses-right-answer", "exact comparison")
def exactly(attention):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 4))
    assert np.array_equal(attention(Q, K, V)[0], reference.attention(Q, K, V)[0].round(12))


@wrong("test_attention", "accuses-right-answer", "a blocked row is to be NaN")
def blocked_nan(attention):
    output, _ = attention(np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 2)), np.zeros((1, 2), bool))
    assert np.isnan(output).all()


@wrong("test_attention", "accuses-right-answer", "weights first")
def weights_first(attention):
    weights, _ = attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)))
    assert weights.shape == (2, 4)


@wrong("test_attention", "returns-instead-of-raising", "a text")
def a_text(attention):
    output, _ = attention(np.eye(2), np.eye(2), np.eye(2))
    return "right" if np.allclose(output.sum(-1), 1) else "wrong"


@wrong("test_attention", "never-called", "nothing is tested")
def nothing(attention):
    pass


@wrong("test_attention", "looks-inside", "the source")
def by_source(attention):
    assert "sqrt" in inspect.getsource(attention)
