"""Every attack of the bank fails: no marks beyond the honest ones, nothing reached, the instructor told."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from grading.outside.processes import Warm
from tests import attacks
from tests.attacks import GREEDY, HANDED_IN, INSIDE, LEFT, ON_GRADER, SMALL, WAITING

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]


def each(bank):
    """One test for each."""
    return [pytest.param(one, id=one.name) for one in bank]


@pytest.fixture(scope="module")
def around():
    with attacks.places() as both:
        yield both


@pytest.fixture(scope="module")
def warm(around):
    with Warm([around[0]]).ready() as one:
        yield one


@pytest.fixture(scope="module")
def small(around):
    with Warm([around[0]], limits=SMALL).ready() as one:
        yield one


@pytest.fixture(scope="module")
def together(small, tmp_path_factory):
    """What waits, while the hand-ins are graded: outcomes of the first, complaints of the second."""
    with ThreadPoolExecutor(1) as pool:
        graded = pool.submit(attacks.grade_hand_ins, tmp_path_factory.mktemp("course"))
        waited = attacks.play_together(small, WAITING)
        return dict(zip(WAITING, waited, strict=True)), graded.result()


@pytest.mark.parametrize("attack", each(INSIDE))
def test_from_inside(attack, warm, around):
    outcome = attacks.play(warm, attack, around[1])
    assert not outcome.complaints(attack)
    if attack in attacks.REACHES:
        assert outcome.refused or attack.ends, "it tried nothing"


@pytest.mark.parametrize("attack", each(GREEDY))
def test_using_up(attack, small):
    assert not attacks.play(small, attack).complaints(attack)


@pytest.mark.parametrize("attack", each(WAITING))
def test_waiting(attack, together):
    assert not together[0][attack].complaints(attack)


@pytest.mark.parametrize("attack", each(ON_GRADER))
def test_on_the_grader(attack, warm):
    assert not attack.attempt(warm)


@pytest.mark.parametrize("attack", each(LEFT))
def test_left_to_the_next(attack, warm):
    assert not attacks.left_over(warm, attack)


@pytest.mark.parametrize("attack", each(HANDED_IN))
def test_handed_in(attack, together):
    assert not together[1][attack.name]


def test_the_bank_is_large():
    banks = (INSIDE, GREEDY, WAITING, LEFT, ON_GRADER, HANDED_IN)
    names = [(number, one.name) for number, bank in enumerate(banks) for one in bank]
    assert len(names) == len(set(names)) >= 50
