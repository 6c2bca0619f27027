"""Lines to be put in order: several orders are right, and exactly those that the pairs allow."""

import ast
import random

import pytest

from helpers import answer_text, hint
from helpers.beside import set_up_first
from helpers.exercises import find
from helpers.learner import hints, line_order
from helpers.learner.checking import verdict_of
from helpers.learner.line_order import EXERCISES, lines, mistakes, plain, standing
from helpers.views.order_view import Order

DRAWS = 12
each = pytest.mark.parametrize("name", EXERCISES)


def answer_of(name):
    return lines(answer_text.texts()[name])


def passes(name, order):
    """Whether the lines in this order are an answer, and a right one."""
    answer = answer_of(name)
    source = "\n".join(answer[k].text for k in order)
    try:
        ast.parse(source)
        made = answer_text.defined(name, source, set_up_first.modules())
    except (SyntaxError, NameError):  # the body of a class runs when it is made
        return False
    return verdict_of(find(name), made, 7).passed


def allowed(answer, dice):
    """An order in which every line stands where it may, drawn line by line."""
    order = []

    def lay(parent):
        left = [k for k, one in enumerate(answer) if one.parent == parent]
        inside = {k: {k, *_below(answer, k)} for k in left}
        while left:
            # what is fixed keeps its place among the fixed, and all that moves stands below it
            needs = {k: {a for one in inside[k] for a in answer[one].after} - inside[k] for k in left}
            free = [k for k in left if needs[k] <= set(order)]
            fixed = [k for k in left if answer[k].fixed]
            chosen = fixed[0] if fixed else dice.choice(free)
            left.remove(chosen)
            order.append(chosen)
            lay(chosen)

    lay(-1)
    return order


def _below(answer, k):
    for j, one in enumerate(answer):
        if one.parent == k:
            yield j
            yield from _below(answer, j)


@each
def test_the_answer_itself_is_an_order(name):
    answer = answer_of(name)
    assert standing(answer, range(len(answer))) == list(range(len(answer)))
    assert [one.text for one in answer] == [line for line in answer_text.texts()[name].split("\n") if line]
    fixed = [one.text.split()[0] for one in answer if one.fixed]
    assert all(word in ("def", "class") or word.startswith('"""') for word in fixed)
    assert sum(not one.fixed for one in answer) >= (3 if name == "multi_head_attention" else 4)


@each
def test_orders_that_the_pairs_allow_pass_the_check(name):
    answer, dice = answer_of(name), random.Random(0)
    orders = {tuple(allowed(answer, dice)) for _ in range(DRAWS)}
    assert all(sorted(standing(answer, order)) == list(range(len(answer))) for order in orders)
    assert len(orders) > 1 or name == "multi_head_attention"
    assert [order for order in orders if not passes(name, order)] == []


def neighbours(answer):
    """Every order in which one line has moved to another place, and some more."""
    count, dice = len(answer), random.Random(0)
    first = next(k for k, one in enumerate(answer) if not one.fixed)
    moving = [k for k, one in enumerate(answer) if not one.fixed]
    for k in moving:
        rest = [j for j in range(count) if j != k]
        for place in range(first, count):
            yield tuple([*rest[:place], k, *rest[place:]])
    for _ in range(DRAWS):
        places = [k for k in range(count) if not answer[k].fixed]
        shuffled = dict(zip(places, dice.sample(places, len(places)), strict=True))
        yield tuple(shuffled.get(k, k) for k in range(count))


@each
def test_an_order_passes_the_check_exactly_where_the_pairs_allow_it(name):
    answer = answer_of(name)
    orders = sorted(set(neighbours(answer)))
    orders = orders if len(orders) <= 90 else random.Random(1).sample(orders, 90)
    differ = []
    for order in orders:
        # two lines that read the same stand for each other
        fine = len(standing(answer, order)) == len(order)
        if fine != passes(name, order):
            differ.append(("allowed" if fine else "refused", [answer[k].text.strip() for k in order]))
    assert differ == []


# The lines of mistakes


@each
@pytest.mark.parametrize("seed", [1, 2])
def test_lines_of_mistakes_are_no_lines_of_the_answer_and_the_check_tells_them_apart(name, seed):
    found, texts = mistakes(name, random.Random(seed)), [one.text for one in answer_of(name)]
    assert 2 <= len(found) <= 4
    assert len({one.says for one in found}) == len(found)
    for one in found:
        assert one.text not in texts
        assert one.says.endswith((".", "?"))
        ast.parse(one.text.strip())


def test_the_same_dice_give_the_same_lines():
    assert mistakes("KVCache", random.Random(3)) == mistakes("KVCache", random.Random(3))


@pytest.mark.parametrize(
    ("line", "less"),
    [
        ("    return self.K.shape[(-1)]", "    return self.K.shape[-1]"),
        ("    scores = ((Q @ K.T) - (Q.shape[1] ** 0.5))", "    scores = Q @ K.T - Q.shape[1] ** 0.5"),
        ("    a = (b + c) * d", "    a = (b + c) * d"),
        ("    a = f((b, c))", "    a = f((b, c))"),
        ("    return (W_o @ (merge_heads(heads))), weights", "    return W_o @ merge_heads(heads), weights"),
        ("    a = b[(0, 1)]  # (c)", "    a = b[0, 1]  # (c)"),
    ],
)
def test_brackets_that_change_nothing_are_taken_out(line, less):
    assert plain(line) == less


# The last hint


@pytest.fixture(autouse=True)
def at_the_bottom(monkeypatch):
    monkeypatch.setattr(hints, "_climbed", {})


def test_after_the_last_hint_come_the_lines(capsys):
    count = len(find("KVCache").hints) + 2
    said = []
    for _ in range(count + 1):
        hint("KVCache")
        said.append(capsys.readouterr().out)
    assert said[-3].startswith(f"Hint {count - 1} of {count}: One way to write it stands in the solution")
    assert "run hint('KVCache') again" in said[-3]
    for last in said[-2:]:
        assert last.startswith(f"Hint {count} of {count}: The lines of one way to write it are below")
        assert "run hint(" not in last
        assert "3 hold real mistakes and stay out. This is for practice: it changes no mark." in last
        assert " 8  " in last
        assert " 9  " not in last
    hint("KVCache", 99)
    assert capsys.readouterr().out.count("To be put in order:") == 1
    hint("KVCache", count - 1)
    assert "To be put in order:" not in capsys.readouterr().out


def test_a_notebook_shows_them_to_be_moved_but_not_while_somebody_grades(capsys, monkeypatch):
    shown = []
    monkeypatch.setattr(hints, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", shown.append)
    hint("KVCache", 99)
    (view,) = shown
    assert isinstance(view, Order)
    assert "To be put in order:" not in capsys.readouterr().out
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    hint("KVCache", 99)
    assert len(shown) == 1
    assert "To be put in order:" in capsys.readouterr().out


def test_other_exercises_end_where_they_did(capsys):
    hint("softmax", 99)
    assert "Hint 4 of 4: One way to write it stands" in capsys.readouterr().out


@each
def test_the_five_have_one_more(name, capsys):
    assert line_order.offered(name)
    hint(name, 1)
    assert f"Hint 1 of {len(find(name).hints) + 2}" in capsys.readouterr().out


def test_without_the_answer_as_text_there_is_no_such_hint(monkeypatch):
    monkeypatch.setattr(answer_text, "texts", dict)
    assert not line_order.offered("KVCache")


@pytest.mark.parametrize(
    ("count", "says"), [(0, "given."), (1, "one of them holds a real mistake"), (2, "2 hold")]
)
def test_the_task_counts_the_mistakes(count, says):
    dice = random.Random(0)
    found = mistakes("KVCache", dice)[:count]
    view = Order("KVCache", answer_of("KVCache"), found, dice)
    assert says in repr(view)
    assert "<script>" in view.html
    assert view._repr_mimebundle_()["text/plain"] == repr(view)
    given = [text for row in view.data["rows"] for _, text in row.get("fixed", ())]
    assert given == [one.text for one in answer_of("KVCache") if one.fixed]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("online_attention", "output * shrink", "output * largest"),
        ("TransformerBlock", "norm_1 = nn.LayerNorm(d_model)", "norm_1 = nn.LayerNorm(num_heads)"),
    ],
    ids=["NaN alone has many causes", "it is about one call"],
)
def test_what_need_not_be_true_of_a_line_is_not_said_of_it(name, old, new):
    source = answer_text.texts()[name].replace(old, new)
    verdict = verdict_of(find(name), answer_text.defined(name, source, set_up_first.modules()), 7)
    assert not verdict.passed
    assert line_order._said(verdict) == ""
