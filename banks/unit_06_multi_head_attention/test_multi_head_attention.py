"""Right and wrong answers to `test_multi_head_attention`: tests, as learners write them."""

import numpy as np
import torch
from torch import nn

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


def _draw(seed, B, n, h, d_head, scale=1.0):
    rng = np.random.default_rng(seed)
    d = h * d_head
    return scale * rng.normal(size=(B, n, d)), *(rng.normal(size=(d, d)) / d**0.5 for _ in range(4)), h


def _same(got, expected):
    assert got[0].shape == expected[0].shape
    assert got[1].shape == expected[1].shape
    assert np.allclose(got[0], expected[0])
    assert np.allclose(got[1], expected[1])


@right(
    "test_multi_head_attention", "the course's function as the yardstick, every mask, two sizes of numbers"
)
def by_own(multi_head_attention):
    rng = np.random.default_rng(9)
    masks = [None, np.tri(4, dtype=bool), rng.random((2, 3, 4, 4)) < 0.5, np.zeros((1, 1, 4), bool)]
    for scale in (1.0, 300.0):
        args = _draw(1, 2, 4, 3, 5, scale)
        for mask in masks:
            _same(multi_head_attention(*args, mask), reference.multi_head_attention(*args, mask))


@right("test_multi_head_attention", "nn.MultiheadAttention as the yardstick")
def by_torch(multi_head_attention):
    X, W_q, W_k, W_v, W_o, h = _draw(2, 3, 5, 4, 2)
    layer = nn.MultiheadAttention(8, h, bias=False, batch_first=True, dtype=torch.float64)
    stacked = np.concatenate([W_q.T, W_k.T, W_v.T])
    layer.load_state_dict({"in_proj_weight": torch.tensor(stacked), "out_proj.weight": torch.tensor(W_o.T)})
    each = np.random.default_rng(0).random((3, h, 5, 5)) < 0.6
    each[..., 0] = True
    for x in (X, 500 * X):
        for mask in (None, each):
            given = torch.tensor(x)
            blocked = None if mask is None else torch.tensor(~mask).reshape(-1, 5, 5)
            wanted = layer(given, given, given, attn_mask=blocked, average_attn_weights=False)
            got = multi_head_attention(x, W_q, W_k, W_v, W_o, h, mask)
            for one, other in zip(got, wanted, strict=True):
                np.testing.assert_allclose(one, other.detach().numpy(), atol=1e-8)
    none = np.zeros((5, 5), bool)
    np.testing.assert_allclose(multi_head_attention(X, W_q, W_k, W_v, W_o, h, none)[0], 0)


@right("test_multi_head_attention", "head by head, in a loop")
def by_heads(multi_head_attention):
    rng = np.random.default_rng(4)
    for scale in (1.0, 200.0):
        X, W_q, W_k, W_v, W_o, h = _draw(3, 2, 5, 3, 4, scale)
        allowed = rng.random((2, h, 5, 5)) < 0.7
        allowed[1, :, 2] = False
        for mask in (allowed, np.ones_like(allowed)):
            output, weights = multi_head_attention(X, W_q, W_k, W_v, W_o, h, mask)
            total = 0
            for i in range(h):
                own = slice(4 * i, 4 * i + 4)
                mixed, each = reference.attention(
                    X @ W_q[:, own], X @ W_k[:, own], X @ W_v[:, own], mask[:, i]
                )
                assert np.allclose(weights[:, i], each), f"weights of head {i}"
                total = total + mixed @ W_o[own]
            assert np.allclose(output, total), "the output"


# Wrong answers


@wrong("test_multi_head_attention", "impostors-missed", "the identity alone")
def identity_alone(multi_head_attention):
    args = (np.eye(4)[None], *[np.eye(4)] * 4, 2)
    _same(multi_head_attention(*args), reference.multi_head_attention(*args))


@wrong("test_multi_head_attention", "impostors-missed", "one square")
def one_square(multi_head_attention):
    args = _draw(0, 1, 4, 2, 2)
    _same(multi_head_attention(*args), reference.multi_head_attention(*args))


@wrong("test_multi_head_attention", "impostors-missed", "shapes alone")
def shapes_alone(multi_head_attention):
    output, weights = multi_head_attention(*_draw(0, 2, 5, 3, 4))
    assert output.shape == (2, 5, 12)
    assert weights.shape == (2, 3, 5, 5)


@wrong("test_multi_head_attention", "accuses-right-answer", "exact comparison")
def exactly(multi_head_attention):
    args = _draw(0, 2, 5, 3, 4)
    assert (multi_head_attention(*args)[0] == reference.multi_head_attention(*args)[0].round(12)).all()


@wrong("test_multi_head_attention", "accuses-right-answer", "averaged weights expected")
def averaged(multi_head_attention):
    _, weights = multi_head_attention(*_draw(0, 2, 5, 3, 4))
    assert weights.shape == (2, 5, 5)


@wrong("test_multi_head_attention", "returns-instead-of-raising", "a number")
def a_number(multi_head_attention):
    args = _draw(0, 2, 5, 3, 4)
    return float(np.abs(multi_head_attention(*args)[0] - reference.multi_head_attention(*args)[0]).max())


@wrong("test_multi_head_attention", "never-called", "nothing is tested")
def nothing(multi_head_attention):
    return None


@wrong("test_multi_head_attention", "swallows-errors", "a bare except")
def bare(multi_head_attention):
    args = _draw(0, 2, 5, 3, 4)
    try:
        _same(multi_head_attention(*args), reference.multi_head_attention(*args))
    except:
        print("wrong")
