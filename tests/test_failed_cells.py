"""What is said where a cell failed, made another name, or was not the only one: seen in a real kernel."""

import ast
import re

import pytest

from helpers.beside.failed_cells import MISSPELT
from helpers.beside.place import nearest
from helpers.units import UNIT_OF
from tests.kernels import Kernel
from tests.sample_learners import NOTEBOOKS, UNITS, read


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """One kernel for all tests of this file."""
    one = Kernel(tmp_path_factory.mktemp("learner"))
    yield one
    one.close()


@pytest.fixture
def cells(kernel):
    """Runs cells one after the other in a notebook that has just begun; each is its id and its text."""
    kernel.run("%reset -f")
    kernel.run(
        "from helpers import check, hint, reset, reveal, try_it, yours\nimport numpy as np\n"
        "from helpers.beside import failed_cells as kept\n"
        "for one in (kept._failed, kept._made, kept._latest, kept._compared, kept._last): one.clear()"
    )

    def run(*them):
        shown = [kernel.run(text, cell=cell) for cell, text in them]
        return " ".join(shown[-1].split())

    return run


REPAIR = "Repair it and run it: a change counts once its cell has run."
BODY = "    return Q @ np.swapaxes(K, -2, -1)"
SLIPS = {
    "retrun": (
        f"def attention_scores(Q, K):\n{BODY.replace('return', 'retrun')}",
        "SyntaxError: invalid syntax (line 2: `retrun Q @ np.swapaxes(K, -2, -1)`). "
        "Is `return` meant by `retrun`?",
    ),
    "no colon": (
        f"def attention_scores(Q, K)\n{BODY}",
        "SyntaxError: expected ':' (line 1: `def attention_scores(Q, K)`).",
    ),
    "no bracket at the end": (
        f"def attention_scores(Q, K):\n{BODY[:-1]}",
        "SyntaxError: '(' was never closed (line 2: `return Q @ np.swapaxes(K, -2, -1`).",
    ),
    "no bracket in the middle": (
        "def attention_scores(Q, K):\n    scores = (Q @ K.T\n    return scores",
        "SyntaxError: '(' was never closed (line 2: `scores = (Q @ K.T`).",
    ),
    "quotes": (
        "def attention_scores(Q, K):\n    print('Q)\n    return Q @ K.T",
        "SyntaxError: unterminated string literal (detected at line 2) (line 2: `print('Q)`).",
    ),
    "not indented": (
        f"def attention_scores(Q, K):\n{BODY.strip()}",
        "IndentationError: expected an indented block after function definition on line 1 "
        "(line 2: `return Q @ np.swapaxes(K, -2, -1)`).",
    ),
    "indented too far": (
        f"    def attention_scores(Q, K):\n    {BODY}\n  x",
        "IndentationError: unexpected indent (line 1: `def attention_scores(Q, K):`).",
    ),
    "deff": (
        f"deff attention_scores(Q, K):\n{BODY}",
        "SyntaxError: invalid syntax (line 1: `deff attention_scores(Q, K):`). Is `def` meant by `deff`?",
    ),
    "Def": (
        f"Def attention_scores(Q, K):\n{BODY}",
        "SyntaxError: invalid syntax (line 1: `Def attention_scores(Q, K):`). Is `def` meant by `Def`?",
    ),
    "no def": (f"attention_scores(Q, K):\n{BODY}", "SyntaxError: "),
    "return outside": (
        "def attention_scores(Q, K):\n    x = 1\nreturn x",
        "SyntaxError: 'return' outside function (line 3: `return x`).",
    ),
    "a name before it": (
        f"x = undefined\ndef attention_scores(Q, K):\n{BODY}",
        "NameError: name 'undefined' is not defined (line 1: `x = undefined`).",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SLIPS)
@pytest.mark.parametrize("before", [False, True], ids=["at first", "with an older answer"])
def test_a_cell_that_failed_is_told_with_its_line_and_python_s_reason(cells, kind, before):
    cell, says = SLIPS[kind]
    if before:
        cells(("a", f"def attention_scores(Q, K):\n{BODY}"))
    said = f"the cell with attention_scores stopped with {says}"
    shown = cells(("a", cell), ("test", "check('attention_scores')"))
    assert shown.startswith(f"CheckFailed: attention_scores is not checked: {said}")
    assert REPAIR in shown
    shown = cells(("try", "try_it('attention_scores', np.eye(2), np.eye(2))"))
    assert shown.startswith(f"attention_scores is not called: {said}")
    cells(("a", f"def attention_scores(Q, K):\n{BODY}"))
    assert cells(("test", "check('attention_scores')")) == "attention_scores: right."


@pytest.mark.slow
def test_a_class_whose_cell_lacks_an_import_is_told_what_to_import(cells):
    cells(("a", "class QKVProjection(nn.Module):\n    pass"))
    shown = cells(("test", "check('QKVProjection')"))
    assert (
        "stopped with NameError: name 'nn' is not defined (line 1: `class QKVProjection(nn.Module):`)."
        in shown
    )
    assert "Hint: Write `from torch import nn` first." in shown


DIVISORS = {
    "right_divisor = sqrt(d_k)": "sqrt",
    "right_divisor = np.sqrt(d_k)": "d_k",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", DIVISORS)
def test_a_divisor_that_is_computed_is_asked_for_by_its_name_in_quotes(cells, line):
    shown = cells(("a", line), ("test", "check('right_divisor')"))
    says = f"NameError: name '{DIVISORS[line]}' is not defined (line 1: `{line}`)."
    assert f"the cell with right_divisor stopped with {says}" in shown
    assert "The name of a divisor is asked for, in quotes." in shown


@pytest.mark.slow
def test_quotes_that_are_not_closed_are_told(cells):
    shown = cells(("a", 'right_divisor = "sqrt(d_k)'), ("test", "check('right_divisor')"))
    assert "stopped with SyntaxError: unterminated string literal" in shown


@pytest.mark.slow
def test_two_equals_signs_set_nothing_and_are_told_so(cells):
    compares = ("b", 'right_divisor == "sqrt(d_k)"')
    shown = cells(compares, ("test", "check('right_divisor')"))
    assert "nothing is called right_divisor. `right_divisor == ...` only compares; one `=` sets it." in shown
    shown = cells(("a", 'right_divisor = "n"'), compares, ("test", "check('right_divisor')"))
    assert "`right_divisor == ...` only compares; one `=` sets it." in shown
    shown = cells(("a", 'right_divisor = "n"'), ("test", "check('right_divisor')"))
    assert "only compares" not in shown
    shown = cells(("a", 'right_divisor = "sqrt(d_k)"'), compares, ("test", "check('right_divisor')"))
    assert shown == "right_divisor: right."


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["attentionscores", "atention_scores", "Attention_Scores", "attention_score"]
)
def test_a_misspelt_answer_is_asked_for(cells, name):
    shown = cells(("a", f"def {name}(Q, K):\n{BODY}"), ("test", "check('attention_scores')"))
    asked = f"nothing is called attention_scores, but `{name}` is there: is it that?"
    assert shown == f"CheckFailed: attention_scores is not answered yet: {asked}"
    shown = cells(("try", "try_it('attention_scores', 1, 2)"))
    assert shown == f"attention_scores is not answered yet, but `{name}` is there: is it that?"


@pytest.mark.slow
@pytest.mark.parametrize("id_", ["a", None], ids=["with ids", "without"])
def test_a_cell_that_failed_and_was_repaired_under_another_name_failed_no_more(cells, id_):
    cells((id_, "def double(x):\nreturn 2 * x"))
    assert "stopped with IndentationError" in cells((None, "check('double')"))
    cells((id_, "def Double(x):\n    return 2 * x"))
    shown = cells((None, "check('double')"))
    assert "nothing is called double, but `Double` is there: is it that?" in shown
    assert "stopped" not in shown


@pytest.mark.slow
def test_a_cell_that_failed_and_became_something_else_failed_no_more(cells):
    cells(("a", "def double(x):\nreturn 2 * x"), ("a", "x = 3"))
    assert "Run its answer cell first." in cells(("test", "check('double')"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell",
    [
        "doubled = np.ones(2)",  # no function
        "def halve(x):\n    return x / 2",
        "from helpers.reference import double as dou_ble",  # nothing that a cell of the learner's wrote
        "def dot(a, b):\n    return a @ b",  # an exercise of its own
    ],
)
def test_what_has_a_use_of_its_own_is_no_misspelt_answer(cells, cell):
    assert "is it that?" not in cells(("a", cell), ("test", "check('double')"))


BLANK = "def double(x):\n    raise NotImplementedError('not answered yet')"


@pytest.mark.slow
@pytest.mark.parametrize("older", [BLANK, "def double(x):\n    return x"], ids=["blank", "wrong"])
def test_an_answer_renamed_in_its_cell_is_asked_for(cells, older):
    shown = cells(("a", older), ("a", "def Double(x):\n    return 2 * x"), ("test", "check('double')"))
    assert "`Double` was made later than `double`: is it meant?" in shown
    shown = cells(("a", older), ("b", "def Double(x):\n    return 2 * x"), ("test", "check('double')"))
    assert "is it meant?" not in shown, "another cell may make what it likes"
    shown = cells(("a", f"def Double(x):\n    return x\n{older}"), ("test", "check('double')"))
    assert "is it meant?" not in shown


WRONG = "def dot(a, b):\n    return 0 * a"
OTHER = "def dot(a, b):\n    return a @ b + 1"
TWICE = "dot was defined by two cells; the check uses the one that ran last, In ["


@pytest.mark.slow
def test_of_two_cells_with_one_name_the_check_says_which_counts(cells):
    shown = cells(("a", WRONG), ("b", OTHER), ("test", "check('dot')"))
    assert TWICE in shown
    (number,) = re.findall(r"In \[(\d+)\]", shown)
    again = cells(("c", "print(len(In))"), ("a", WRONG), ("test", "check('dot')"))
    assert f"In [{int(number) + 3}]" in again
    assert "three cells" in cells(("d", "def dot(a, b):\n    return 7"), ("test", "check('dot')"))


@pytest.mark.slow
def test_one_cell_that_was_changed_or_copied_is_not_two(cells):
    assert "two cells" not in cells(("a", WRONG), ("a", OTHER), ("test", "check('dot')"))
    assert "two cells" not in cells(("b", f"{OTHER}\n\nprint(dot(1, 2))"), ("test", "check('dot')"))
    shown = cells(("b", "x = 1"), ("c", WRONG), ("c", "x = 2"), ("a", WRONG), ("test", "check('dot')"))
    assert "two cells" not in shown
    assert "two cells" not in cells((None, OTHER), (None, WRONG), ("test", "check('dot')"))


@pytest.mark.slow
def test_a_right_answer_is_right_however_many_cells_define_it(cells):
    shown = cells(("a", WRONG), ("b", "def dot(a, b):\n    return a @ b"), ("test", "check('dot')"))
    assert shown == "dot: right."


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    ["dot(np.ones(2), np.ones(3))", "dot(1, 2", "dot(1, 2)):", "del dot dot", "print dot", "dot == 3 3"],
)
def test_a_cell_that_calls_an_answer_and_fails_is_not_its_cell(cells, call):
    cells(("a", "def dot(a, b):\n    return a @ b"), ("b", call))
    assert cells(("test", "check('dot')")) == "dot: right."


@pytest.mark.slow
@pytest.mark.parametrize("line", ["raise SyntaxError('mine')", "eval('1 +')", "exec('def dot(a, b)')"])
def test_a_syntax_error_of_another_text_is_an_error_like_others(cells, line):
    shown = cells(("a", f"{line}\ndef dot(a, b):\n    return a @ b"), ("test", "check('dot')"))
    assert f"stopped with SyntaxError: {'mine' if 'mine' in line else ''}" in shown
    assert f"(line 1: `{line}`)" in shown


@pytest.mark.slow
def test_an_older_guess_is_told_with_the_line_that_failed(cells):
    cells(("a", 'guess = "yes"'), ("a", "guess = (1, 2"))
    says = "SyntaxError: '(' was never closed (line 1: `guess = (1, 2`)"
    shown = cells(("b", "reveal(guess, 'no')"))
    assert shown == f"The cell with your prediction stopped with {says}. {REPAIR}"


@pytest.mark.slow
@pytest.mark.parametrize("call", ["check", "hint", "reset", "yours", "try_it"])
def test_a_name_without_quotes_is_asked_for_in_quotes(cells, call):
    for made in ("def dot(a, b):\n    return 0", "dot = lambda a, b: 0"):
        shown = cells(("a", made), ("b", f"{call}(dot)"))
        assert shown == f'BadArgument: write the name in quotes: {call}("dot")'
    shown = cells(("a", "from helpers.reference import dot as mine"), ("b", f"{call}(mine)"))
    assert shown == f'BadArgument: write the name in quotes: {call}("dot")'
    shown = cells(("a", 'right_divisor = "sqrt(n)"'), ("b", f"{call}(right_divisor)"))
    assert shown == f'BadArgument: write the name in quotes: {call}("right_divisor")'
    assert (
        cells(("b", f"{call}(3)")) == f'BadArgument: {call} takes a name in quotes, such as {call}("double")'
    )


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["sum(a * b", "def dot(a, b):\n    return sum(a * b"])
def test_an_unfinished_line_is_told_by_the_bracket_that_was_never_closed(kernel, cell):
    """Python alone says that the input is incomplete, and from 3.13 on calls that `_IncompleteInputError`."""
    said = kernel.run(cell).splitlines()
    assert said[-1] == "SyntaxError: '(' was never closed"


# What the units' own cells make is never taken for an answer


def given(unit):
    """The code of a unit but for its answers, without magics."""
    for cell in read(NOTEBOOKS, unit).cells:
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade_id") not in UNIT_OF:
            yield ast.parse(re.sub(r"(?m)^( *)%.*$", r"\1pass", cell.source))


@pytest.mark.parametrize("unit", UNITS)
def test_no_cell_of_a_unit_makes_a_name_like_that_of_an_exercise(unit):
    made = [node.name for tree in given(unit) for node in tree.body if hasattr(node, "name")]
    assert [(name, like) for name in made if (like := nearest(name, UNIT_OF, MISSPELT))] == []


@pytest.mark.parametrize("unit", UNITS)
def test_no_cell_of_a_unit_makes_an_exercise_beside_its_answer_cell(unit):
    trees = list(given(unit))
    made = {node.name for tree in trees for node in tree.body if hasattr(node, "name")}
    made |= {
        one.id
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.Assign)
        for one in node.targets
        if isinstance(one, ast.Name)
    }
    assert made & set(UNIT_OF) == set()
