"""Nothing that an answer does spoils the rest of a notebook: seen in a real kernel."""

import subprocess
import sys

import nbformat
import pytest

from tests.kernels import Kernel, plain
from tests.sample_learners import NOTEBOOKS, PATIENT, environ, read


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """One kernel for all tests of this file."""
    one = Kernel(place := tmp_path_factory.mktemp("learner"))
    one.place = place
    yield one
    one.close()


# What is handed over stays as it was

IN_PLACE = """
def to_blocked(allowed):
    allowed[:] = ~allowed
    return allowed
mine = np.tri(3, dtype=bool)
try_it("to_blocked", mine)
print("still mine:", (mine == np.tri(3, dtype=bool)).all())
"""


@pytest.mark.slow
def test_trying_an_answer_that_writes_into_its_input_leaves_the_input_alone_and_says_so(kernel):
    shown = kernel.run(IN_PLACE)
    assert "to_blocked changed its input allowed" in shown
    assert "still mine: True" in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "spoil"),
    [
        ("torch.zeros(3)", "x += 1"),
        ("[np.zeros(3), np.zeros(2)]", "x[1][0] = 7"),
        ("(torch.zeros(3), 4)", "x[0][0] = 7"),
        ("{'a': np.zeros(3)}", "x['a'][0] = 7"),
        ("[1, 2]", "x.append(3)"),
    ],
)
def test_tensors_and_what_is_nested_are_copied_too(kernel, made, spoil):
    shown = kernel.run(
        f"given = {made}\nbefore = str(given)\ndef double(x):\n    {spoil}\n    return 2\n"
        "try_it('double', given)\nprint('the same:', str(given) == before)"
    )
    assert "double changed its input x" in shown
    assert "the same: True" in shown


@pytest.mark.slow
def test_of_an_answer_that_changes_nothing_nothing_is_said(kernel):
    shown = kernel.run(
        "def double(x, more=None):\n    return 2 * x\ntry_it('double', np.array([1.0, np.nan]), torch.nan)"
    )
    assert shown == "double, shape (2,):\n[ 2. nan]\n"


SPOILERS = {
    "array": "X = example.WORDS\nX[0, 0] = 7",
    "word": "example.WORD['a'][0] = 7",
    "words": "example.WORD['a'] = 7",
    "in place": "try:\n    example.X *= 2\nexcept AttributeError as error:\n    print(error)",
    "a name of it": "try:\n    example.W_Q = 2\nexcept AttributeError as error:\n    print(error)",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPOILERS)
def test_the_example_is_the_same_whatever_is_done_to_it(kernel, kind):
    look = "[str(getattr(example, name)) for name in dir(example)]"
    shown = kernel.run(f"before = {look}\n{SPOILERS[kind]}\nprint('fresh:', {look} == before)")
    assert "fresh: True" in shown


@pytest.mark.slow
def test_the_example_can_still_be_imported_name_by_name(kernel):
    assert kernel.run("from helpers.example import X, TOKENS\nprint(X.shape, TOKENS[0])") == "(4, 4) I\n"
    assert "it has TOKENS, TAGS, WORD, WORDS" in kernel.run("example.Y")


# The course's own picture is not the learner's mistake

PICTURES = {
    "another shape": (
        "similarity_matrix",
        "lambda X, Y: X.T @ Y",
        "S",
        "This is an array of shape (2, 2); a picture of it needs an array of shape (4, 4).",
    ),
    "one result of two": (
        "attention",
        "lambda Q, K, V: np.ones((4, 4))",
        "S[1]",
        "This is an array of shape (4, 4); a picture of it needs a tuple of 2: "
        "an array of shape (4, 4) and an array of shape (4, 4).",
    ),
    "words": (
        "similarity_matrix",
        "lambda X, Y: 'text'",
        "S",
        "This is a text; a picture of it needs an array",
    ),
    "nothing": (
        "similarity_matrix",
        "lambda X, Y: None",
        "S",
        "This is nothing (None); a picture of it needs",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_that_cannot_be_drawn_is_not_the_learners_error(kernel, kind):
    name, answer, drawn, says = PICTURES[kind]
    args = {"attention": "*[example.X] * 3", "similarity_matrix": "*[example.WORDS] * 2"}[name]
    shown = kernel.run(
        f"{name} = {answer}\n"
        f"try_it('{name}', {args}, show=lambda S: plots.heatmap({drawn}, rows=example.TOKENS))"
    )
    assert says in shown
    assert "stopped with" not in shown
    assert shown.startswith(name)


@pytest.mark.slow
def test_where_the_form_is_right_the_picture_says_what_it_lacks(kernel):
    shown = kernel.run(
        "similarity_matrix = lambda X, Y: X @ Y.T\n"
        "try_it('similarity_matrix', *[example.WORDS] * 2, show=lambda S: plots.heatmap(S, rows=['I']))"
    )
    assert "There is no picture of it: rows: expected 4 labels" in shown


# Leaving, asking, stopping

WAYS_OUT = [
    "exit()",
    "quit()",
    "exit",
    "import sys; sys.exit()",
    "raise SystemExit",
    "import os; os._exit(0)",
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS_OUT[:2] + WAYS_OUT[3:])
@pytest.mark.parametrize("call", ["check('double')", "try_it('double', 2)"])
def test_no_answer_ends_the_kernel(kernel, way, call):
    kernel.run("alive = 'yes'")
    shown = kernel.run(f"def double(x):\n    {way}\n{call}")
    assert "SystemExit" in shown or "wants to end the program" in shown
    assert "None" not in shown
    kernel.run("import time; time.sleep(0.5)")  # the kernel would end a moment later
    assert kernel.run("print(alive)") == "yes\n"


@pytest.mark.slow
@pytest.mark.parametrize("call", ["check('double')", "try_it('double', 2)"])
def test_input_is_named_and_asks_nobody(kernel, call):
    shown = kernel.run(f"def double(x):\n    return input('x? ')\n{call}")
    assert "it asks with `input()`" in shown
    assert "not answered" not in shown
    assert kernel.run("print(input.__name__ != 'no_input')") == "True\n"


LOOP = "def double(x):\n    open('begun', 'w').close()\n    while True:\n        pass\n"


@pytest.mark.slow
@pytest.mark.parametrize("call", ["check('double')", "try_it('double', 2)"])
def test_the_stop_button_shows_none_of_our_frames(kernel, call):
    kernel.run("from helpers.beside import probe; patience, probe.SECONDS = probe.SECONDS, 300")
    shown = kernel.run(LOOP + call, stop_when=(kernel.place / "begun").exists)
    (kernel.place / "begun").unlink()
    assert "Interrupted: you stopped double" in shown
    assert "line " in shown
    assert "helpers" not in shown
    assert shown.count("\n") < 3
    assert kernel.run("probe.SECONDS = patience; 1 + 1") == "2"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["'abc'", "-1", "1.5", "None or []", "True", "2**70"])
def test_a_seed_is_checked_with_one_sentence(kernel, seed):
    shown = kernel.run(f"def double(x):\n    return 2 * x\ncheck('double', seed={seed})")
    if seed == "2**70":
        assert shown == "double: right."
    else:
        assert shown.startswith("BadArgument: seed: expected a whole number from 0")
        assert shown.count("\n") == 0


@pytest.mark.slow
def test_sizes_and_rungs_are_checked_with_one_sentence(kernel):
    assert kernel.run("check('double', sizes='big')").startswith(
        "BadArgument: sizes: expected one of visible"
    )
    assert kernel.run("hint('double', 0)").startswith("BadArgument: rung")


# What is checked is what stands in the cell

OLD = "def dot(a, b):\n    return a @ b"
STALE = {
    "a syntax error": ("def dot(a, b)\n    return 0", "SyntaxError"),
    "an import that fails": ("import no_such_package\ndef dot(a, b):\n    return 0", "ModuleNotFoundError"),
    "a name in front": ("nonsense\ndef dot(a, b):\n    return 0", "NameError"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", STALE)
def test_an_older_answer_is_not_judged_in_place_of_a_cell_that_failed(kernel, kind):
    cell, error = STALE[kind]
    kernel.run(OLD)
    kernel.run(cell)
    for call in ("check('dot')", "try_it('dot', np.ones(2), np.ones(2))"):
        shown = kernel.run(call)
        assert f"the cell with dot stopped with {error}" in " ".join(shown.split())
        assert "dot: right" not in shown
        assert "right yet" not in shown
    kernel.run(OLD)
    assert kernel.run("check('dot')").startswith("dot: right.")


@pytest.mark.slow
def test_a_cell_that_fails_after_its_function_gives_a_new_answer(kernel):
    kernel.run("def dot(a, b):\n    return 0")
    kernel.run(f"{OLD}\ndot(1, 2)")
    assert kernel.run("check('dot')").startswith("dot: right.")


@pytest.mark.slow
def test_a_variable_with_the_raise_still_below_it_is_not_right_yet(kernel):
    kernel.run('right_divisor = "root of d_k"\nraise NotImplementedError("not answered yet")')
    shown = " ".join(kernel.run("check('right_divisor')").split())
    assert "the cell with right_divisor stopped with NotImplementedError" in shown


@pytest.mark.slow
def test_an_older_guess_is_not_compared(kernel):
    kernel.run('guess = "yes"')
    kernel.run("guess = no")
    shown = kernel.run('reveal(guess, "no")')
    assert shown == 'The cell with your prediction stopped with NameError: words need quotes, as in "yes".\n'
    kernel.run('guess = "no"')
    assert kernel.run('reveal(guess, "no")').startswith("Right. ")


@pytest.mark.slow
def test_figures_that_an_answer_opens_are_not_shown_and_are_closed(kernel):
    answer = "import matplotlib.pyplot as plt\ndef double(x):\n    plt.figure()\n    plt.plot([1, 2])\n"
    assert kernel.run(f"%matplotlib inline\n{answer}    plt.show()\n    return 2 * x\ncheck('double')") == (
        "double: right."
    )
    assert kernel.run(f"{answer}    return 2 * x\ncheck('double')\nprint(plt.get_fignums())") == (
        "double: right.[]\n"
    )


@pytest.mark.slow
def test_numbers_too_large_for_colours_bring_no_warnings(kernel):
    kernel.run("%matplotlib inline")  # draws with its own settings, too
    kernel.run("apply_mask = lambda scores, allowed: np.where(allowed, scores, np.finfo(float).min)")
    shown = kernel.run("try_it('apply_mask', np.ones((2, 2)), np.eye(2, dtype=bool), show=plots.heatmap)")
    assert "Warning" not in shown
    assert "Heat map" in shown


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["02_queries_keys_values", "06_multi_head_attention"])
def test_the_set_up_cell_alone_is_enough_for_a_class(kernel, unit):
    cells = {cell.id: cell.source for cell in read(NOTEBOOKS, unit).cells}
    name = {"02": "QKVProjection", "06": "MultiHeadAttention"}[unit[:2]]
    kernel.run("%reset -f")
    assert kernel.run(cells["set-up"]) == "Set-up is done.\n"
    assert kernel.run(cells[name]) == ""
    assert f"{name} is not answered yet" in kernel.run(cells[f"{name}-test"])


# What nbgrader's Validate says of it


@pytest.mark.slow
def test_validate_shows_a_failed_check_without_cutting_a_line(tmp_path):
    book = read(NOTEBOOKS, "01_dot_product")
    for cell in book.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "dot":
            cell.source = "def dot(a, b):\n    return a * b"
    nbformat.write(book, tmp_path / "01_dot_product.ipynb")
    command = [sys.executable, "-m", "nbgrader", "validate", "01_dot_product.ipynb", *PATIENT]
    done = subprocess.run(command, cwd=tmp_path, env=environ(tmp_path), capture_output=True, text=True)
    said = done.stdout
    assert "CheckFailed: dot is not right yet.\n" in plain(said)
    assert "cosine_similarity is not answered yet" in " ".join(plain(said).split())
    ours = said[said.index("CheckFailed") :].split("\n")
    assert [line for line in ours if line.endswith("...") and '"""' not in line] == []
