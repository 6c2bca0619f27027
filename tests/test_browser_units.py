"""What the units say of their looms is what one sees: each comes from its cell, and is used as told."""

import ast

import numpy as np
import pytest

from helpers import example, pretrained, reference, views
from tests.sample_learners import SOLUTIONS, read
from tests.seen import K, Q, V, cell, marked, said, stage, written

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]
KEPT = pretrained.dog_sentence()


@pytest.fixture
def unit_loom(open_view):
    """Opens the loom that stands in a cell of a unit; `names` are what cells before have made."""

    def opened(unit, identity, **names):
        (found,) = [one.source for one in read(SOLUTIONS, unit).cells if one.id == identity]
        names |= {"example": example, "np": np, "views": views}
        *before, last = ast.parse(found).body
        exec(compile(ast.Module(before, []), identity, "exec"), names)
        return open_view(eval(compile(ast.Expression(last.value), identity, "eval"), names))

    return opened


def test_unit_01_a_number_moves_its_row_and_its_column(unit_loom):
    page = unit_loom("01_dot_product", "01-35", X=example.WORDS)
    X = example.WORDS.astype(float)
    assert stage(page, "similarity") == written(X @ X.T)
    cell(page, "similarity", 1, 2).click()
    assert said(page, "spelled") == "similarity[1, 2] = 0·1 + 1·1 = 1"
    cell(page, "X", 2, 0).click()
    page.keyboard.press("+")
    X[2, 0] += 0.5
    assert stage(page, "similarity") == written(X @ X.T)
    moved = X @ X.T != example.WORDS @ example.WORDS.T
    assert moved.any()
    assert not np.delete(np.delete(moved, 2, 0), 2, 1).any()
    page.get_by_role("button", name="Reset").click()
    for j in (0, 1):
        cell(page, "X", 1, j).click()
        page.keyboard.press("+")
        rows = stage(page, "similarity")
        assert rows[1] != rows[3]


def test_unit_02_scores_come_from_a_query_and_a_key(unit_loom):
    page = unit_loom("02_queries_keys_values", "02-35")
    assert stage(page, "scores") == written(Q @ K.T)
    cell(page, "scores", 3, 2).click()
    assert said(page, "spelled") == "scores[3, 2] = (−2)·(−1) + 0·0 + 0·1 + 1·1 = 3"
    for name, row in {"Q": 3, "K": 2}.items():
        outlined = page.locator(f"table[aria-label={name}] tbody tr:has(td.from)")
        assert outlined.count() == 1
        assert (
            outlined.inner_text() == page.locator(f"table[aria-label={name}] tbody tr").nth(row).inner_text()
        )
    page.get_by_label("scores =").select_option("keys-by-queries")
    assert stage(page, "scores") == written((Q @ K.T).T)


def test_unit_02_a_row_of_weights_that_is_shared(unit_loom):
    page = unit_loom("02_queries_keys_values", "02-52", V=V)
    assert stage(page, "output") == written(V[[0, 0, 1, 2]])
    cell(page, "weights", 1, 0).click()
    page.get_by_role("button", name="less").click()
    assert page.locator("td.sum").nth(1).inner_text() == "0.50 ✗"
    cell(page, "weights", 1, 1).click()
    page.get_by_role("button", name="more").click()
    assert page.locator("td.sum").nth(1).inner_text() == "1 ✓"
    assert stage(page, "output")[1] == written([(V[0] + V[1]) / 2])[0]


def test_unit_03_the_sentence_hides_a_mistake(unit_loom):
    page = unit_loom("03_scaling", "03-43")
    assert stage(page, "scaled") == written(reference.scaled_scores(Q, K))
    page.get_by_label("scaled =").select_option("scaled-by-sqrt-n")
    assert stage(page, "scaled") == written(reference.scaled_scores(Q, K))
    assert said(page, "verdict").startswith("≈ These numbers hide the mistake")
    page.get_by_role("button", name="Try “I saw a”").click()
    assert said(page, "verdict").startswith("✗ First wrong in scaled")
    assert marked(page, "scaled", "ne").all()
    page.get_by_label("Sentence").fill("I saw a saw I")
    page.get_by_label("Sentence").press("Tab")
    assert said(page, "verdict").startswith("✗ First wrong in scaled")


def test_unit_08_a_real_head_cooled_down_and_turned_round(unit_loom):
    page = unit_loom("08_inside_a_pretrained_model", "08-46a", kept=KEPT)

    def weights():
        return np.array([[float(x) for x in row] for row in stage(page, "weights")])

    before = np.eye(12, k=-1)[1:]
    np.testing.assert_array_equal(weights()[1:], before)
    page.get_by_label("Temperature").fill("2")
    assert said(page, "heat") == "10"
    hot = weights()[1:]
    np.testing.assert_array_equal(hot.argmax(1), range(11))
    assert (hot.diagonal().min(), hot.diagonal().max()) == (0.31, 0.44)
    page.get_by_role("button", name="Reset").click()
    page.get_by_label("scores =").select_option("keys-by-queries")
    np.testing.assert_array_equal(weights()[:-1], np.eye(12, k=1)[:-1])
