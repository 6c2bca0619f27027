"""When the learner's code stops with an error that Python words badly, the hint says what to do about it."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from helpers import reference
from helpers.units import UNIT_OF
from helpers.verdict.error_hints import known_error

MATRIX, BATCH, VECTOR = np.ones((2, 3)), np.ones((2, 3, 4)), np.arange(3.0)
TENSOR = torch.ones(2, 3)


class OneUnderscore(nn.Module):
    def _init_(self, d_model, num_heads):
        super().__init__()


class ForwardWithoutSelf(nn.Module):
    def forward(x):
        return x


# what people write, and a part of what they should read
WRITTEN = [
    # names
    ("math.sqrt(3)", "import math", {"math": None}),
    ("inf", "`np.inf`", {}),
    ("sqrt(3)", "`np.sqrt`", {}),
    ("nn.Linear(2, 2)", "from torch import nn", {"nn": None}),
    ("F.softmax(TENSOR, -1)", "torch.nn.functional", {}),
    ("true", "capital", {}),
    ("num_heads", "self.num_heads", {}),
    ("W_q(3)", "self.W_q", {}),
    ("d_k ** 0.5", "In a function it is an argument or the size `K.shape[-1]`", {}),
    ("d_k ** 0.5", "in a class it is `self.d_k`", {}),
    ("num_heads", "In a function it is an argument", {}),
    ("similarity_matrix(MATRIX, MATRIX)", "unit 01", {}),
    ("similarity_matrix(MATRIX, MATRIX)", "reference.similarity_matrix", {}),
    ("np.ones(3)", "set-up cell", {"np": None}),
    ("reference.dot(1, 2)", "set-up cell", {"reference": None}),
    ("scoers", "spelled", {}),
    # names that are taken
    ("sum([1, 2])", "`sum`", {"sum": 0}),
    ("np.exp(3)", "`np`", {"np": 5}),
    ("(3).shape", "plain number", {}),
    # brackets
    ("MATRIX.T()", "takes none", {}),
    ("MATRIX.shape(0)", "x.shape[0]", {}),
    ("MATRIX @ MATRIX.transpose", "`()`", {}),
    ("np.sum[MATRIX]", "round", {}),
    # places
    ("[VECTOR[i] for i in VECTOR]", "range(len(a))", {}),
    ("VECTOR[3]", "x.shape", {}),
    ("MATRIX.shape[2]", "-1", {}),
    ("[i for i in 3]", "range(n)", {}),
    ("MATRIX[:0].max()", "empty", {}),
    ("len(3)", "single number", {}),
    # single numbers and arrays
    ("math.exp(VECTOR)", "`np.exp`", {}),
    ("3.0 ^ 2.0", "`**`", {}),
    ("MATRIX + None", "None", {}),
    ("[1, 2] - [3, 4]", "np.array", {}),
    # PyTorch's and TensorFlow's words
    ("BATCH.transpose(1, 2)", "swapaxes", {}),
    ("MATRIX.view(2, 3)", "reshape", {}),
    ("MATRIX.view(-1)", "reshape", {}),
    ("BATCH.view(2, 3, 2, 2)", "reshape", {}),
    ("MATRIX.permute(1, 0)", "np.transpose", {}),
    ("MATRIX.masked_fill(MATRIX > 0, 1)", "np.where", {}),
    ("MATRIX.unsqueeze(0)", "None", {}),
    ("MATRIX.clone()", "copy", {}),
    ("MATRIX.exp()", "`np.exp(x)`", {}),
    ("MATRIX.size(-1)", "x.shape[-1]", {}),
    ("MATRIX.softmax(-1)", "np.exp", {}),
    ("MATRIX.append(1)", "list", {}),
    ("MATRIX.at[0]", "x[i, j] = 1", {}),
    ("np.vstack([MATRIX, VECTOR[:2]])", "`np.hstack`", {}),
    ("np.stack([MATRIX, VECTOR])", "`np.vstack`", {}),
    ("np.concatenate([MATRIX, VECTOR])", "`x[None]`", {}),
    ("weights_of(3)", "as they are", {}),
    ("MATRIX.foo", "NumPy array", {}),
    ("np.cat([MATRIX, MATRIX])", "np.concatenate", {}),
    ("np.softmax(MATRIX)", "np.exp", {}),
    ("np.sum(MATRIX, dim=-1)", "`axis`", {}),
    ("MATRIX.sum(dim=-1)", "`axis`", {}),
    ("np.sum(MATRIX, axis=-1, keep_dims=True)", "`keepdims`", {}),
    ("np.sum(MATRIX, axis=-1, keepdim=True)", "`keepdims`", {}),
    ("np.transpose(MATRIX, perm=(1, 0))", "`axes`", {}),
    ("torch.sqrt(3)", "** 0.5", {}),
    ("torch.softmax(MATRIX, -1)", "do not mix", {}),
    # the other way round: NumPy in a module
    ("reference.attention(TENSOR, TENSOR, TENSOR)", "works on arrays", {}),
    ("TENSOR @ nn.Linear(3, 3)", "self.W_q(x)", {}),
    ("nn.Linear(3, 3).weight @ nn.Linear(3, 3).T", "self.W_q(x)", {}),
    ("TENSOR.T()", "takes none", {}),
    # modules
    ("nn.Module().num_heads", "self.num_heads = ...", {}),
    ("ForwardWithoutSelf()(TENSOR)", "self", {}),
    ("TENSOR.transpose()", "transpose(-2, -1)", {}),
    ("TENSOR.unflatten(-1, (3, 3 / 3))", "`//`", {}),
    ("OneUnderscore(6, 2)", "two underscores", {}),
    ("OneUnderscore().W_Q", "self.W_Q = ...", {}),
    ("nn.Sequential(nn.Linear(2, 2), nn.GELU)", "`nn.GELU()` makes the layer", {}),
    ("nn.Sequential([nn.Linear(2, 2)])", "no list of them", {}),
    ("nn.Linear(3)", "nn.Linear?", {}),
    # a tensor's own names, and those of others
    ("TENSOR.logits", "it is the logits themselves", {}),
    ("TENSOR.append(1)", "`torch.cat`", {}),
    ("TENSOR.astype(float)", "`x.to(...)`", {}),
    ("TENSOR.copy()", "`x.clone()`", {}),
    ("TENSOR.tranpose(0, 1)", "is `transpose` meant?", {}),
    ("TENSOR.Reshape(6)", "is `reshape` meant?", {}),
    ("TENSOR.cat(TENSOR)", "`torch.cat`", {}),
    ("TENSOR.cross_entropy(TENSOR)", "`F.cross_entropy`", {}),
    ("TENSOR.keys()", "one of the dict's values", {}),
    ("TENSOR.flat", "this is a PyTorch tensor", {}),
    ("TENSOR.foo", "a product is `@` or `*`", {}),
    ("TENSOR.len()", "`len(x)`", {}),
    ("torch.array([1])", "`torch.tensor`", {}),
    ("torch.sofmax(TENSOR, -1)", "is `softmax` meant?", {}),
    ("torch.Linear(2, 2)", "`nn.Linear`", {}),
    ("nn.Linaer(2, 2)", "is `Linear` meant?", {}),
    # an array's
    ("MATRIX.tranpose()", "is `transpose` meant?", {}),
    ("VECTOR.index(2)", "lists have one", {}),
    ("VECTOR.extend([2])", "Lists have `extend`", {}),
    ("VECTOR.b", "`@` or `*`", {"b": VECTOR}),
    ("MATRIX.gather(0)", "not a PyTorch tensor", {}),
    ("np.sofmax(MATRIX)", "np.exp", {}),
    ("np.norm(VECTOR)", "np.linalg.norm", {}),
    ("np.tranpose(MATRIX)", "is `transpose` meant?", {}),
    # a list's, a text's, a dict's
    ("[1, 2].argmax()", "`np.array(...)`", {}),
    ("[1, 2].sum()", "`np.array(...)`", {}),
    ("[[1, 2]].shape", "`np.array(...)`", {}),
    ("[[1, 2]].T", "`np.array(...)`", {}),
    ("[1, 2].unsqueeze(0)", "`torch.stack(...)`", {}),
    ("[1, 2].apend(3)", "is `append` meant?", {}),
    ("[1, 2].push(3)", "`append`", {}),
    ("[1, 2].length", "`len(x)`", {}),
    ("[1, 2] / 2", "np.array", {}),
    ("[1, 2] + 1", "np.array", {}),
    ("[1, 2] * 0.5", "np.array", {}),
    ("{'a': 1}.a", "x['key']", {}),
    ("{'a': 1}['b']", "print(list(x))", {}),
    ("'abc'.shape", "a text", {}),
    ("some[0.5]", "range(len(x))", {"some": [1, 2]}),
    ("some[0, 1]", "x[i][j]", {"some": [1, 2]}),
    ("[1, 2][2]", "past the end", {}),
    ("some[0]", "square brackets make a list", {"some": {1, 2}}),
    ("(x for x in VECTOR).sum()", "list(...)", {}),
    ("range(3) + 1", "np.arange", {}),
    # texts among the numbers
    ("VECTOR * '2'", "quotes", {}),
    ("'2' + VECTOR", "quotes", {}),
    ("VECTOR / 'sqrt(d_k)'", "text in quotes", {}),
    ("2 + '2'", "quotes", {}),
    ("math.sqrt('2')", "quotes", {}),
    ("TENSOR / '2'", "quotes", {}),
    # functions that are named and not called, tuples, nothing
    ("MATRIX.std / 2", "`x.std()`", {}),
    ("np.sqrt(MATRIX.std)", "`x.std()`", {}),
    ("float(MATRIX.std)", "`x.std()`", {}),
    ("np.dot + 1", "`()`", {}),
    ("MATRIX.sum.shape", "`()`", {}),
    ("TENSOR + (TENSOR, TENSOR)", "`[0]`", {}),
    ("(TENSOR, TENSOR) @ TENSOR", "`[0]`", {}),
    ("nn.Linear(3, 3)((TENSOR, TENSOR))", "`[0]`", {}),
    ("(TENSOR, TENSOR).shape", "takes them apart", {}),
    ("None @ MATRIX", "None", {}),
    ("np.sqrt(None)", "None", {}),
    # whole numbers
    ("range(VECTOR)", "`len(a)`", {}),
    ("np.std(MATRIX, MATRIX)", "is an axis", {}),
    ("np.concatenate(MATRIX, MATRIX)", "is an axis", {}),
    ("range(TENSOR)", "`len(a)`", {}),
    ("range(MATRIX.shape)", "x.shape[0]", {}),
    ("np.eye((2, 3))", "one by one", {}),
    ("np.zeros(2, 3)", "one tuple", {}),
    ("np.eye(3, -1)", "`k=` moves the diagonal", {}),
    ("VECTOR[VECTOR]", "True and False", {}),
    ("TENSOR.repeat_interleave(1.5, dim=0)", "`//`", {}),
    ("VECTOR ^ 2", "`**`", {}),
    ("~VECTOR", "a comparison makes them", {}),
    ("VECTOR[0][0]", "single number", {}),
    ("[x for x in 3.0]", "single number", {}),
    # calls
    ("np.vstack(MATRIX, MATRIX)", "one list or tuple", {}),
    ("torch.cat(TENSOR, TENSOR)", "one list or tuple", {}),
    ("np.swapaxes(MATRIX)", "np.swapaxes(x, -2, -1)", {}),
    ("np.where(MATRIX > 0, MATRIX)", "what elsewhere", {}),
    ("np.reshape(MATRIX, 3, 2)", "one tuple", {}),
    ("sum(MATRIX, axis=0)", "np.sum", {}),
    ("torch.softmax(TENSOR)", "`dim` is the axis", {}),
    ("(lambda a, b: a)(1, c=2)", "no argument `c`", {}),
    ("(lambda a, b: a)(1, a=2)", "given twice", {}),
    ("(lambda a, b: a)(1)", "the line of its `def`", {}),
    ("np.dot(MATRIX)", "np.dot?", {}),
    ("np.exp(MATRIX, axis=0)", "takes no `axis`", {}),
    ("np.array([[1], [1, 2]])", "equally long", {}),
    # truth
    ("1 if TENSOR else 2", "`x is None`", {}),
    ("max(MATRIX)", "Python's `max`", {}),
    # losses
    ("nn.functional.cross_entropy(TENSOR, torch.zeros(2, 3, dtype=int))", "probabilities", {}),
    ("nn.functional.cross_entropy(TENSOR, torch.zeros(2))", "x.long()", {}),
    ("nn.functional.cross_entropy(TENSOR, torch.tensor([5, 0]))", "below the number of logits", {}),
]


@pytest.mark.parametrize(("code", "part", "names"), WRITTEN, ids=[code for code, *_ in WRITTEN])
def test_hint_says_what_to_do_about_an_error(code, part, names):
    space = {**globals(), "math": math, **names}
    for name in [name for name, value in names.items() if value is None]:
        del space[name]
    errors = (TypeError, ValueError, LookupError, NameError, AttributeError, RuntimeError)
    with pytest.raises(errors) as caught:
        eval(code, space)
    known = known_error(type(caught.value).__name__, str(caught.value))
    assert known is not None, f"nothing is said of {caught.value!r}"
    assert part in known.hint


def test_variable_that_is_read_before_it_has_a_value_is_explained():
    def total():
        so_far += 1  # noqa: F821
        return so_far

    with pytest.raises(UnboundLocalError) as caught:
        total()
    known = known_error(type(caught.value).__name__, str(caught.value))
    assert "`so_far`" in known.hint
    assert "before" in known.hint


@pytest.mark.parametrize("name", sorted(UNIT_OF))
def test_exercise_that_is_not_there_says_where_it_comes_from(name):
    hint = known_error("NameError", f"name '{name}' is not defined").hint
    assert f"unit {UNIT_OF[name][:2]}" in hint
    assert (f"reference.{name}" in hint) == hasattr(reference, name), "only what is there is offered"


def test_power_and_index_are_named():
    assert known_error("TypeError", "unsupported operand type(s) for ^: 'float' and 'float'").id
    assert known_error("IndexError", "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis").id


# an error's hint says no more than the error does: what stands in the code is not known
NOT_ASSERTED = [
    ("np.transpose(np.ones((2, 3, 4, 5)), (0, 2, 1))", "fewer axes"),
    ("np.ones((2, 3, 4, 5)).transpose(1, 2)", "fewer axes"),
    ("VECTOR.sum(axis=-2)", "-2"),
    ("torch.autograd.grad(TENSOR.sum(), TENSOR)", "layer"),
    ("torch.ones(2, requires_grad=True).numpy()", "inside"),
    ("(lambda pair: [0 for a, b in [pair]])(VECTOR)", "axes"),
    *(
        (f"TENSOR.{name}", "NumPy arrays and PyTorch")
        for name in ("logits", "append", "tranpose", "keys", "b")
    ),
    ("nn.Linear(3, 3)((TENSOR, TENSOR))", "do not mix"),
    ("nn.Linear(3, 3)([TENSOR])", "do not mix"),
    ("torch.cat(TENSOR, TENSOR)", "do not mix"),
    ("VECTOR.b", "PyTorch"),
    ("VECTOR.index(2)", "PyTorch"),
    ("[1].h", "self.h"),
    ("TENSOR.h", "self.h"),
    ("nn.Sequential().W_o", "self.W_o"),
    ("np.eye((2, 3))", "one tuple"),
]


@pytest.mark.parametrize(("code", "part"), NOT_ASSERTED, ids=[code for code, _ in NOT_ASSERTED])
def test_hint_of_an_error_does_not_assert_what_may_not_be_there(code, part):
    with pytest.raises((RuntimeError, ValueError, AttributeError, TypeError)) as caught:
        eval(code, {**globals()})
    known = known_error(type(caught.value).__name__, str(caught.value))
    assert known is not None, f"nothing is said of {caught.value!r}"
    assert part not in known.hint
