"""State between calls is found in general: a call that is right alone, and wrong after others."""

import functools

import numpy as np
import pytest

from helpers import CheckFailed, check, reference
from helpers.beside.fresh import fresh, keeps
from helpers.units import UNIT_OF, VARIABLES


def failed(name, answer, seed=3):
    with pytest.raises(CheckFailed) as caught:
        check(name, answer, seed=seed)
    return caught.value


FUNCTIONS = [name for name in UNIT_OF if name[0].islower() and name not in VARIABLES]
_TABLE = {}
_LAST = None
_calls = 0


def key_of(args):
    return tuple(np.shape(one) for one in args)


def in_a_default_argument(right):
    def answer(*args, kept={}):  # noqa: B006
        return kept.setdefault(key_of(args), right(*args))

    return answer


def in_a_closure(right):
    kept = {}
    return lambda *args: kept.setdefault(key_of(args), right(*args))


@pytest.mark.parametrize(("name", "kept"), [("attention", in_a_default_argument), ("project", in_a_closure)])
def test_a_table_keyed_by_the_shapes_alone(name, kept):
    assert failed(name, kept(getattr(reference, name))).misconception == "state-between-calls"


def table_of_angles(x, positions, base=10000.0):
    d = x.shape[-1]
    if d not in _TABLE:
        _TABLE[d] = base
    return reference.rotary(x, positions, _TABLE[d])


def _angles(positions, d, base):
    key = len(positions), d
    if key not in _TABLE:
        _TABLE[key] = positions, base
    return _TABLE[key]


def table_of_a_function_it_calls(x, positions, base=10000.0):
    positions, base = _angles(positions, x.shape[-1], base)
    return reference.rotary(x, positions, base)


def list_that_grows(weights, threshold, found=[]):  # noqa: B006
    found += reference.previous_token_heads(weights, threshold)
    return found


def layer_looked_up(state, layer):
    if layer not in _TABLE:
        _TABLE[layer] = reference.layer_weights(state, layer)
    return _TABLE[layer]


def written_so_far(model, tokens, num_new, written=[]):  # noqa: B006
    import torch

    for _ in range(num_new):
        so_far = torch.cat([tokens, *written], dim=1)
        written.append(model(so_far)[:, -1].argmax(-1, keepdim=True))
    return torch.cat([tokens, *written], dim=1)


def the_first_mask_for_good(n):
    global _LAST
    _LAST = reference.causal_mask(n) if _LAST is None else _LAST
    return _LAST


def right_for_three_calls(a, b):
    global _calls
    _calls += 1
    return reference.dot(a, b) if _calls < 4 else 0.0


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("rotary", table_of_angles),
        ("rotary", table_of_a_function_it_calls),
        ("previous_token_heads", list_that_grows),
        ("layer_weights", layer_looked_up),
        ("generate", written_so_far),
        ("causal_mask", the_first_mask_for_good),
        ("dot", right_for_three_calls),
    ],
)
def test_what_a_learner_keeps_by_accident(name, answer):
    for seed in (3, 4):  # the second time something is kept from the first check
        found = failed(name, answer, seed)
        assert found.misconception == "state-between-calls"
        assert "kept between calls" in str(found)


def test_a_cache_of_functools_is_no_answer_for_ever():
    @functools.lru_cache
    def causal_mask(n):
        return reference.causal_mask(n)

    assert keeps(causal_mask)
    assert not keeps(fresh(causal_mask))


def test_a_right_answer_keeps_nothing():
    names = [name for name in FUNCTIONS if name != "layer_weights"]  # it reads a dict
    assert [name for name in names if keeps(getattr(reference, name))] == []


ENOUGH = np.eye(3)


def reads_a_constant(X, W):
    return X @ ENOUGH[:1, :1].item() @ W if X.ndim == 0 else X @ W


def test_reading_a_table_of_another_cell_is_no_state():
    assert keeps(reads_a_constant)
    check("project", reads_a_constant)
    wrong = failed("project", lambda X, W: X @ W * ENOUGH.sum())
    assert wrong.misconception != "state-between-calls"


def test_a_call_alone_leaves_the_answer_as_it_is():
    _TABLE.clear()
    failed("rotary", table_of_angles)
    assert _TABLE, "the learner's own table is not touched by the copies"
