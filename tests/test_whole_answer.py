"""Calling the library function that is the whole answer passes, and the check says so, by whatever name."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from helpers import check, reference
from helpers.exercises import find
from helpers.units import UNIT_OF
from tests import sample_learners

softly = torch.softmax


def aliased_softmax(x, axis=-1):
    return softly(torch.from_numpy(x), axis).numpy()


def method_softmax(x, axis=-1):
    return torch.from_numpy(x).softmax(axis).numpy()


def functional_softmax(x, axis=-1):
    return F.softmax(torch.from_numpy(x), dim=axis).numpy()


def numpy_dot(a, b):
    return np.dot(a, b)


def method_dot(a, b):
    return a.dot(b)


def sdpa(Q, K, V, allowed=None):
    output = F.scaled_dot_product_attention(
        *map(torch.from_numpy, (Q, K, V)), None if allowed is None else _to(allowed, Q, K)
    )
    return output.numpy(), reference.attention(Q, K, V, allowed)[1]


def _to(allowed, Q, K):
    return torch.from_numpy(np.broadcast_to(allowed, (*Q.shape[:-1], K.shape[-2])).copy())


@pytest.mark.parametrize(
    ("name", "answer", "called"),
    [
        ("softmax", aliased_softmax, "torch.softmax"),
        ("softmax", method_softmax, "torch.softmax"),
        ("softmax", functional_softmax, "torch.nn.functional.softmax"),
        ("softmax", reference.softmax, "helpers.reference.softmax"),
        ("dot", numpy_dot, "numpy.dot"),
        ("dot", method_dot, "numpy.dot"),
        ("attention", sdpa, "torch.nn.functional.scaled_dot_product_attention"),
        ("MultiHeadAttention", reference.MultiHeadAttention, "helpers.reference.MultiHeadAttention"),
    ],
)
def test_it_passes_and_is_named(name, answer, called, capsys):
    check(name, answer, seed=1)
    assert f"{name}: right. It calls " in (said := capsys.readouterr().out)
    assert called in said
    assert "can you do it without?" in said


def test_an_answer_of_ones_own_is_not_accused(capsys):
    check(
        "softmax",
        lambda x, axis=-1: (
            np.exp(x - (m := x.max(axis, keepdims=True))) / np.exp(x - m).sum(axis, keepdims=True)
        ),
    )
    assert capsys.readouterr().out == "softmax: right.\n"


def test_every_name_exists():
    from helpers.beside.whole_answer import _resolve

    missing = [
        n
        for name in UNIT_OF
        for n in find(name).whole_answer
        if not n.startswith("scipy") and _resolve(n) is None
    ]
    assert not missing


@pytest.mark.parametrize("name", [name for name in UNIT_OF if find(name).whole_answer])
def test_the_task_says_so_beforehand(name):
    cells = sample_learners.read(sample_learners.SOLUTIONS, UNIT_OF[name]).cells
    (task,) = (
        cell.source for cell in cells if sample_learners.grader(cell).get("grade_id") == f"{name}-task"
    )
    says = ("would be the whole answer", "would do nearly all of it")
    sentences = [line for line in task.splitlines() if any(words in line for words in says)]
    assert any(call.split(".")[-1] in line for line in sentences for call in find(name).whole_answer), task
