"""A learner's test in the sandbox: it meets the suspects of a notebook, and no attack gains a point."""

import inspect
import textwrap

import numpy as np
import pytest

from banks import registry
from grading.checker import Checker
from grading.outside import elsewhere
from grading.outside.processes import Notebook, Warm
from helpers import reference
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.impostors import IMPOSTOR
from helpers.learner.checking import verdict_of
from helpers.units import UNIT_OF
from tests.impostor_attacks import ATTACKS

pytestmark = pytest.mark.needs("sandbox")

NAMES = [name for name in UNIT_OF if find(name).enough]
every = pytest.mark.parametrize("name", NAMES)


HEAD = "import numpy as np, torch, sys, gc, time, inspect, builtins\nfrom helpers import reference\n"


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    with Warm([tmp_path_factory.mktemp("course")]).ready() as one:
        yield one


def graded(warm, name, *cells, key=b"secret"):
    """What each of the three calls of the two test cells finds, and the checker."""
    with Notebook(warm, {}) as notebook:
        for cell in (HEAD, *cells):
            notebook.run(cell)
        checker = Checker(notebook, key)
        calls = [f"check({name!r}, caught=5)", f"check({name!r})", f"check({name!r}, seed=5, sizes='hidden')"]
        for call in calls:
            checker.run(call)
        return checker.findings


SQUARE_TEST = """
    x = np.random.default_rng(0).normal(size=(4, 4))
    assert np.allclose(f(x), reference.softmax(x))
"""


@pytest.mark.slow
def test_in_the_sandbox_the_same_is_found_as_here(warm):
    for name in NAMES:
        for answer in registry.load()[0]:
            if answer.exercise == name:
                assert verdict_of(find(name), answer.obj, 1).passed
    found = graded(warm, "test_softmax", "def test_softmax(f):\n" + SQUARE_TEST)
    assert [one.passed for one in found] == [False, False, False]
    assert {one.misconception for one in found} == {"impostors-missed"}
    assert "catches 4 of 10" in found[1].says


@pytest.mark.slow
@every
def test_in_the_sandbox_a_good_test_earns_all_points(warm, name):
    source = inspect.getsource(getattr(reference, name))
    more = "from collections.abc import Callable\nfrom typing import Any\n"
    more += "from helpers.reference import attention, masked_softmax\n"
    more += "from helpers.reference.unit_05_softmax import _assert_attends\n"
    assert [one.passed for one in graded(warm, name, more, source)] == [True] * 3


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_gains_nothing_in_the_sandbox(warm, attack):
    """What stands in the test itself is read; what it calls is not, so that the walls are tried."""
    body = textwrap.indent(textwrap.dedent(ATTACKS[attack]), "    ")
    cells = f"def attack(f):{body}", "def test_softmax(f):\n    attack(f)\n"
    assert [one.passed for one in graded(warm, "test_softmax", *cells)] == [False] * 3


@pytest.mark.slow
def test_a_line_up_is_met_once_for_a_few_and_for_more_but_again_after_a_cell(warm):
    with Notebook(warm, {}) as notebook:
        notebook.run(HEAD)
        notebook.run("def test_softmax(f):\n" + SQUARE_TEST)
        checker, requests, probe = Checker(notebook, b"secret"), [], notebook.probe
        notebook.probe = lambda request, reply: requests.append(request["cases"]) or probe(request, reply)
        for call in ("check('test_softmax', caught=4)", "check('test_softmax')"):
            checker.run(call)
        assert [one.passed for one in checker.findings] == [True, False]
        assert [len(one) for one in requests] == [len(draw_cases(find("test_softmax"), 0))]
        notebook.run("def test_softmax(f):\n    pass")
        checker.run("check('test_softmax', caught=4)")
        assert len(requests) == 2
        assert not checker.findings[-1].passed


@pytest.mark.parametrize(
    "question",
    [
        {"args": [{"array": np.ones(2)}], "named": [], "suspect": 99},
        {"args": [{"array": np.ones(2)}], "named": [], "suspect": "0"},
        {"args": [{"array": np.ones(2)}], "named": []},
        {"args": [{"array": np.ones(2**16)}], "named": [], "suspect": 0},
        {"args": ["a" * 2**19], "named": [], "suspect": 0},
        [1],
        "softmax",
    ],
)
def test_what_no_suspect_asks_is_refused(question):
    exercise = find("test_softmax")
    with pytest.raises(ValueError, match="asked for no call"):
        elsewhere.lineup(exercise.lineup, draw_cases(exercise, 0))(question)


@pytest.mark.slow
def test_who_knows_the_order_for_the_public_seed_gains_nothing(warm):
    order = [case.args["kind"] == IMPOSTOR for case in draw_cases(find("test_softmax"), 0)]
    cell = (
        f"ORDER, calls = {order}, []\ndef test_softmax(f):\n    f(np.ones(2))\n    calls.append(1)\n"
        "    assert not ORDER[(len(calls) - 1) % len(ORDER)]\n"
    )
    assert [one.passed for one in graded(warm, "test_softmax", cell)] == [False] * 3
