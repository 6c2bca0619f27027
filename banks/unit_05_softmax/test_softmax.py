"""Right and wrong answers to `test_softmax`: tests, as learners write them."""

import time

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


def _softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@right("test_softmax", "every axis of random arrays, and special numbers")
def by_arrays(softmax):
    rng = np.random.default_rng(0)
    for shape in [(4,), (3, 5), (2, 3, 4)]:
        x = 6 * rng.normal(size=shape)
        kept = x.copy()
        assert np.allclose(softmax(x), _softmax(x))
        for axis in range(-len(shape), len(shape)):
            assert np.allclose(softmax(x, axis=axis), _softmax(x, axis))
        assert (x == kept).all(), "it changed x"
    for row in ([1000.0, 1001.0], [-1000.0, -1001.0], [0.0, -np.inf]):
        assert np.allclose(softmax(np.array(row)), _softmax(np.array(row)))
    two = np.array([[0.0, 1.0], [1000.0, 1001.0], [-1000.0, 0.0]])
    assert np.allclose(softmax(two), _softmax(two))


@right("test_softmax", "PyTorch as the yardstick, np.testing, a list of cases")
def by_torch(softmax):
    rng = np.random.default_rng(3)
    cases = [(rng.normal(size=(2, 3, 4)) * 5, axis) for axis in (0, 1, 2, -1, -2, -3)]
    cases += [(np.array([900.0, -900.0]), 0), (np.array([[1e3, 1e3], [0.0, 1.0], [-1e3, -1e3]]), 1)]
    cases += [(np.array([0.3, -np.inf, 2.0]), -1), (rng.normal(size=(5, 3)) * 5, -1)]
    for x, axis in cases:
        given = x.copy()
        np.testing.assert_allclose(
            softmax(given, axis), torch.softmax(torch.tensor(x), axis).numpy(), atol=1e-9
        )
        np.testing.assert_array_equal(given, x)
    np.testing.assert_allclose(
        softmax(cases[0][0]), torch.softmax(torch.tensor(cases[0][0]), -1).numpy(), atol=1e-9
    )
    np.testing.assert_allclose(softmax(np.array([0.0, 0.5])), [0.37754067, 0.62245933], rtol=1e-6)


@right("test_softmax", "properties, and raise in place of assert")
def by_properties(softmax):
    rng = np.random.default_rng(7)
    x = 6 * rng.normal(size=(3, 4, 5))
    before = x.copy()
    for axis in (0, 1, 2, -2, -3):
        w = softmax(x, axis)
        if w.shape != x.shape or not np.allclose(w.sum(axis), 1):
            raise ValueError("the weights do not sum to 1")
        logs = np.log(w)
        if not np.allclose(logs - logs.max(axis, keepdims=True), x - x.max(axis, keepdims=True), atol=1e-6):
            raise ValueError("logarithms of weights differ as the numbers do")
    if not np.array_equal(x, before):
        raise ValueError("x has changed")
    moved = np.array([[0.0], [2000.0], [-2000.0]])
    if not np.allclose(softmax(x[0][:3] + moved), softmax(x[0][:3], 1)):
        raise ValueError("a number added to a whole row changes nothing")
    if not np.allclose(softmax(np.array([1.0, 1.0, -np.inf])), [0.5, 0.5, 0.0]):
        raise ValueError("-inf gets no weight")


# Wrong answers


@wrong("test_softmax", "impostors-missed", "the identity alone")
def identity_alone(softmax):
    assert np.allclose(softmax(np.eye(3)), _softmax(np.eye(3)))


@wrong("test_softmax", "impostors-missed", "one square")
def one_square(softmax):
    x = np.random.default_rng(0).normal(size=(4, 4))
    assert np.allclose(softmax(x), _softmax(x))


@wrong("test_softmax", "impostors-missed", "sums alone")
def sums_alone(softmax):
    assert np.allclose(softmax(np.array([[1.0, 2.0], [3.0, 5.0]])).sum(-1), 1)


@wrong("test_softmax", "accuses-right-answer", "exact comparison")
def exactly(softmax):
    x = np.random.default_rng(0).normal(size=(4, 5))
    assert (softmax(x) == _softmax(x).round(12)).all()


@wrong("test_softmax", "accuses-right-answer", "exact sums")
def exact_sums(softmax):
    for row in np.random.default_rng(0).normal(size=(20, 7)):
        assert softmax(row).sum() == 1


@wrong("test_softmax", "accuses-right-answer", "a slip in the test itself")
def slip(softmax):
    assert np.allclose(sofmax(np.ones(2)), 0.5)  # noqa: F821


@wrong("test_softmax", "accuses-right-answer", "expects along the wrong axis")
def wrong_axis(softmax):
    x = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 3.0]])
    assert np.allclose(softmax(x).sum(0), 1)


@wrong("test_softmax", "returns-instead-of-raising", "True or False")
def yes_or_no(softmax):
    return bool(np.allclose(softmax(np.zeros(2)), 0.5))


@wrong("test_softmax", "never-called", "tests its own softmax")
def own_softmax(softmax):
    assert np.allclose(_softmax(np.zeros(2)), 0.5)


@wrong("test_softmax", "swallows-errors", "catches every error")
def catches_all(softmax):
    try:
        assert np.allclose(softmax(np.array([1.0, 2.0])), 0.5)
    except Exception:
        print("wrong!")


@wrong("test_softmax", "looks-inside", "the name")
def by_name(softmax):
    assert softmax.__name__ == "softmax"


@wrong("test_softmax", "looks-inside", "the clock")
def by_clock(softmax):
    start = time.perf_counter()
    softmax(np.ones(3))
    assert time.perf_counter() - start < 1


@wrong("test_softmax", "input-changed", "writes on the function")
def writes(softmax):
    softmax.tested = True
