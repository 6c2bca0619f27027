"""What is folded below a failing check: which stages, whose numbers, and when nothing is there."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from banks.registry import load
from helpers import reference
from helpers.beside.probe import describe
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.learner.checking import verdict_of
from helpers.learner.first_difference import MOST, SUMMARY, below, stages_of
from helpers.units import UNIT_OF
from helpers.verdict.panel import panel
from helpers.verdict.parts import results
from helpers.views.laid_over import BEGINS, expected
from helpers.views.loom_stages import STAGES
from tools import kernels

FIRST = {
    ("similarity_matrix", "cosine-instead-of-dot"): "similarity",
    ("queries_keys_values", "query-weight-reused"): "K",
    ("queries_keys_values", "wrong-order"): "Q",
    ("attention_scores", "softmax-too-early"): "scores",
    ("mix_values", "softmax-again"): "output",
    ("first_attention", "scaled-too-early"): "weights",
    ("first_attention", "mean-instead-of-sum"): "output",
    ("scaled_scores", "scaled-by-d_k"): "scaled",
    ("apply_mask", "mask-multiplied"): "masked",
    ("masked_softmax", "mask-ignored"): "weights",
    ("attention", "no-scaling"): "weights",
    ("attention", "weights-transposed"): "output",
    ("multi_head_attention", "heads-split-by-reshape"): "weights",
    ("multi_head_attention", "no-output-projection"): "output",
    ("MultiHeadAttention", "no-scaling"): "weights",
    ("bert_attention", "scaled-by-d_k"): "weights",
    ("online_attention", "not-rescaled"): "output",
}
"""The first stage that differs, by exercise and named mistake."""


@pytest.fixture(scope="module")
def wrong():
    _, programs = load()
    found = {}
    for one in programs:
        found.setdefault((one.exercise, one.mistake), one.obj)
    return found


def seen(exercise, answer, case):
    """The results of an answer in a call, by their part."""
    value = describe(exercise.probe(answer, case.args))
    right = exercise.oracle(*case.args.values())
    arrays = [got["array"] for _, got in results(right, value)]
    return dict(zip(exercise.parts or ("",), arrays, strict=True))


def as_numbers(sent):
    return np.array([[[float(x) for x in row] for row in rows] for rows in sent])


def test_every_exercise_that_the_loom_shows_has_a_mistake_here():
    woven = {name for name in UNIT_OF if find(name).woven}
    assert woven == {name for name, _ in FIRST}
    for name in woven:
        record = find(name)
        assert set(record.woven.stages) <= set(record.parts or ("",))
        assert {*record.woven.stages.values(), record.woven.until} <= set(STAGES)


@pytest.mark.parametrize(("name", "mistake"), FIRST)
def test_a_named_mistake_is_laid_over_what_the_reference_gives(wrong, name, mistake):
    exercise, answer = find(name), wrong[name, mistake]
    verdict = verdict_of(exercise, answer)
    assert verdict.misconception == mistake
    data = stages_of(exercise, verdict)
    call = expected(exercise.woven.begins(verdict.case.args), exercise.woven.until)
    right = seen(exercise, getattr(reference, name), verdict.case)
    mine = seen(exercise, answer, verdict.case)
    for part, stage in exercise.woven.stages.items():
        wanted = call.numbers[stage]
        np.testing.assert_allclose(wanted, right[part].reshape(wanted.shape), rtol=1e-9, atol=1e-12)
        sent = as_numbers(data["yours"][stage])
        np.testing.assert_allclose(sent, mine[part].reshape(wanted.shape), rtol=1e-6, atol=1e-7)
        differ = ~np.isclose(mine[part], right[part], rtol=5e-7, atol=1e-6).reshape(wanted.shape)
        np.testing.assert_array_equal(sent != wanted, differ)
    stage, i, j = data["start"]["at"]
    head = data["start"]["head"]
    assert stage == FIRST[name, mistake]
    assert as_numbers(data["yours"][stage])[head, i, j] != call.numbers[stage][head, i, j]
    before = [one for names in data["columns"] for one in names]
    for one in before[: before.index(stage)]:
        if one in data["yours"]:
            np.testing.assert_array_equal(as_numbers(data["yours"][one]), call.numbers[one])


@pytest.mark.parametrize(("name", "mistake"), FIRST)
def test_it_is_light_and_shows_no_line_of_code(wrong, name, mistake):
    text = below(find(name), verdict_of(find(name), wrong[name, mistake]))
    assert SUMMARY in text
    assert len(json.dumps(text)) <= MOST
    assert "<img" not in text
    data = json.loads(re.search(r', (\{"title".*\})\); \}\)\(\);</script>$', text)[1])
    assert not [line["code"] for line in data["lines"] if line["code"] in data["markup"]]
    assert all(line["wrong"] == [] for line in data["lines"])


# Where there is none


@pytest.mark.parametrize(
    "name", ["dot", "project", "causal_mask", "softmax", "softmax_backward", "split_heads"]
)
def test_other_exercises_have_none(wrong, name):
    answers = [answer for (exercise, _), answer in wrong.items() if exercise == name][:4]
    verdicts = [verdict_of(find(name), answer) for answer in answers]
    assert [verdict.passed for verdict in verdicts] == [False] * 4
    assert [below(find(name), verdict) for verdict in verdicts] == [""] * 4


RIGHT = reference.attention


def spoiled(value):
    def answer(Q, K, V, allowed=None):
        output, weights = RIGHT(Q, K, V, allowed)
        weights = weights.copy()
        weights[..., 0, 0] = value
        return output, weights

    return answer


def reshaped(Q, K, V, allowed=None):
    output, weights = RIGHT(Q, K, V, allowed)
    return output + 1, weights[..., None]


def stopping(Q, K, V, allowed=None):
    raise KeyError("no")


def batch_only(Q, K, V, allowed=None):
    output, weights = RIGHT(Q, K, V, allowed)
    return output, weights[::-1] if Q.ndim > 2 else weights


def narrowed(Q, K, V, allowed=None):
    return tuple(one.astype(np.float32) for one in RIGHT(Q, K, V, allowed))


def nearly(Q, K, V, allowed=None):
    output, weights = RIGHT(Q, K, V, allowed)
    return output, weights * (1 + 3e-6)


@pytest.mark.parametrize(
    "answer",
    [
        *(spoiled(value) for value in (np.nan, np.inf, -np.inf)),
        reshaped,
        stopping,
        batch_only,
        narrowed,
        nearly,
        lambda Q, K, V, allowed=None: None,
        lambda Q, K, V, allowed=None: RIGHT(Q, K, V, allowed)[0],
        lambda Q, K, V, allowed=None: tuple(one + 1j for one in RIGHT(Q, K, V, allowed)),
    ],
)
def test_what_the_loom_does_not_take_shows_none(answer):
    verdict = verdict_of(find("attention"), answer)
    assert not verdict.passed
    assert below(find("attention"), verdict) == ""


def test_a_finite_one_shows_it():
    assert below(find("attention"), verdict_of(find("attention"), spoiled(0.5)))


SOME = np.ones((2, 3))
TOO_MUCH = {
    "a batch": {"Q": np.ones((2, 2, 3)), "K": np.ones((2, 2, 3))},
    "one axis": {"Q": np.ones(3), "K": SOME},
    "not finite": {"Q": np.full((2, 3), np.inf), "K": SOME},
    "not a number": {"Q": SOME, "K": np.full((2, 3), np.nan)},
    "more than 64 tokens": {"Q": np.ones((65, 1)), "K": np.ones((2, 1))},
    "more than 200 numbers": {"Q": np.ones((3, 67)), "K": np.ones((2, 67))},
    "shapes that do not fit": {"Q": SOME, "K": np.ones((2, 4))},
    "too large a product": {"Q": np.full((2, 3), 1e200), "K": np.full((2, 3), 1e200)},
    "weights of another sum": {"weights": np.full((2, 2), 0.9), "V": np.ones((2, 2))},
    "a mask that does not fit": {"scaled": SOME, "allowed": np.ones((4, 5), bool)},
    "heads of another number": {"Q": np.ones((3, 2, 2)), "K": np.ones((3, 2, 2)), "num_heads": 2},
    "heads that do not divide": {"X": SOME, **{f"W_{one}": np.eye(3) for one in "qkvo"}, "num_heads": 2},
    "nothing to begin with": {"K": SOME},
}


@pytest.mark.parametrize("args", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_is_too_much_is_refused(args):
    with pytest.raises(ValueError, match=r"expected|operands|dimension|division"):
        expected(args, "weights")


def test_all_that_a_loom_begins_with_has_its_exercise():
    begun = [
        set(find(name).woven.begins(draw_cases(find(name), 0)[0].args))
        for name in {name for name, _ in FIRST}
    ]
    assert [begins for begins in BEGINS if not any(begins <= args for args in begun)] == []


# In a kernel

WRONG = """
import numpy as np
from helpers import check
def scaled_scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2)
check("scaled_scores", seed=1{more})
"""


GRADED = "import os\nos.environ['NBGRADER_EXECUTION'] = '{}'\n"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What a kernel shows of a check: a learner's, one with hidden tests, and two where nbgrader runs it."""
    texts = {"drawn": WRONG.replace("{more}", ""), "hidden": WRONG.replace("{more}", ', sizes="hidden"')}
    texts |= {how: GRADED.format(how) + texts["drawn"] for how in ("autograde", "validate")}
    notebook = new_notebook(cells=[new_code_cell(text) for text in texts.values()])
    with kernels.client(notebook, tmp_path_factory.mktemp("work"), allow_errors=True) as client:
        client.execute()
    html = [cell.outputs[0].data["text/html"] for cell in notebook.cells]
    return dict(zip(texts, html, strict=True))


def panel_alone():
    namespace = {}
    exec(WRONG.partition("check(")[0].replace("from helpers import check", ""), namespace)
    exercise = find("scaled_scores")
    verdict = verdict_of(exercise, namespace["scaled_scores"], seed=1)
    return panel(exercise, verdict, "(The same inputs again: check('scaled_scores', seed=1))")._repr_html_()


@pytest.mark.slow
def test_without_its_script_the_output_is_the_panel_to_the_letter_and_her_lines_in_words(shown):
    drawn = shown["drawn"]
    without = re.sub(r"<script>.*?</script>", "", drawn, flags=re.DOTALL)
    above, _, lines = without.partition("<details")
    assert above == panel_alone()
    assert "See your own lines" in lines
    assert lines.endswith("</details>")
    assert drawn.count("<script>") == drawn.count("</script>") == 2
    assert "<details" not in drawn.partition("<script>")[0]


@pytest.mark.slow
@pytest.mark.parametrize("graded", ["autograde", "validate"])
def test_what_grades_keeps_the_panel_alone(shown, graded):
    assert "<script" not in shown[graded]


@pytest.mark.slow
def test_hidden_tests_keep_the_panel_alone(shown):
    assert "not right yet" in shown["hidden"]
    assert "<script" not in shown["hidden"]


@pytest.mark.slow
def test_neither_matplotlib_nor_the_pictures_are_imported_for_it():
    code = (
        "import sys\nfrom helpers.exercises import find\n"
        "from helpers.exercises.base import draw_cases\n"
        "from helpers.learner.checking import verdict_of, unfolded\n"
        "answer = lambda Q, K: 2 * (Q @ K.swapaxes(-1, -2))\n"
        "verdict = verdict_of(find('attention_scores'), answer)\n"
        "assert not any(name.startswith('helpers.views') for name in sys.modules)\n"
        "cases = draw_cases(find('attention_scores'), 0)\n"
        "assert unfolded(find('attention_scores'), verdict, answer, cases)\n"
        "print('matplotlib' in sys.modules, 'helpers.views.view' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
