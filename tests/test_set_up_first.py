"""A cell that is run before the set-up cell says so; every other error looks as it always does."""

import ast
import runpy
import subprocess
import sys

import pytest

from tests.kernels import Kernel
from tests.sample_learners import environ
from tools import lab
from tools.sync import SET_UP

START = lab.PROFILE / "set_up_first.py"
SAID = "Run the set-up cell first"
OWN = {
    "a name in a function": "def scores(Q, K):\n    return Q @ K.T / d_k ** 0.5\nscores(1, 2)",
    "a name in a cell": "scores_of_mine",
    "a misspelled name of the course": "chekc('double')",
    "read before it has a value": "def total():\n    np += 1\ntotal()",
    "another error": "[1, 2][5]",
}


class Fresh(Kernel):
    """A kernel in which nothing was run: a learner's, or one that no profile of ours has touched."""

    def __init__(self, place, learner):
        self.start(place, lab.learner_environ(environ(place)) if learner else environ(place))


@pytest.fixture(scope="module")
def learners(tmp_path_factory):
    one = Fresh(tmp_path_factory.mktemp("learner"), learner=True)
    yield one
    one.close()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    one = Fresh(tmp_path_factory.mktemp("plain"), learner=False)
    yield one
    one.close()


def brought():
    """The names that the set-up cell brings in."""
    tree = ast.parse(SET_UP.replace("%pip", "pass #"))
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
    return [alias.asname or alias.name for one in imports for alias in one.names]


@pytest.mark.slow
def test_every_name_of_the_set_up_cell_is_explained(learners, plain):
    assert len(brought()) > 15
    for name in brought():
        said = learners.run(f"({name})")  # in brackets, since a bare `reset` is a word of IPython's
        assert said.startswith(f"{SAID}, the first code cell of this notebook: it brings in `{name}`.")
        assert "Shift + Enter" in said
        assert "Traceback" not in said
    said = learners.run("def softmax(x):\n    return np.exp(x)\nsoftmax(3)")
    assert SAID in said, "in a function that is called before the set-up, too"
    assert "`np`" in said
    said = plain.run("check('double')")
    assert "NameError: name 'check' is not defined" in said
    assert SAID not in said


def without_line_numbers(text):
    return "\n".join(line for line in text.splitlines() if "Cell In[" not in line)


@pytest.mark.slow
def test_a_learners_own_error_keeps_its_traceback(learners, plain):
    for kind, code in OWN.items():
        said = learners.run(code)
        assert "Traceback" in said
        assert without_line_numbers(said) == without_line_numbers(plain.run(code)), kind


@pytest.mark.slow
def test_a_module_of_the_learners_has_no_set_up_cell(learners):
    learners.run(
        "import pathlib\npathlib.Path('mine.py').write_text('def one():\\n    return np.ones(1)\\n')"
    )
    said = learners.run("import mine\nmine.one()")
    assert "Traceback" in said
    assert "mine.py" in said
    assert SAID not in said


@pytest.mark.slow
def test_nothing_of_it_is_left_among_the_names_and_after_the_set_up_python_speaks_for_itself(learners):
    said = learners.run("sorted(name for name in globals() if 'explain' in name or 'missing' in name)")
    assert said == "[]"
    assert "helpers" in brought()
    said = learners.run("import math as helpers\nnp.ones(1)")  # the set-up cell ran, as far as one can see
    assert "NameError: name 'np' is not defined" in said
    assert SAID not in said
    learners.run("%reset -f")  # as it was


def test_an_instructor_and_a_grader_have_none_of_it(monkeypatch):
    started = []
    monkeypatch.setattr(lab, "run_until_stopped", lambda command, environ: started.append(environ) or 0)
    monkeypatch.setattr(lab, "make_exchange", lambda root: None)
    monkeypatch.delenv("PYTHONSTARTUP", raising=False)
    lab.start()
    assert "PYTHONSTARTUP" not in started[0]


def test_in_a_graders_shell_a_name_error_stays_what_it_is(tmp_path):
    """IPython's shell without IPython's application, as `grading/inside` has it, runs no start-up file."""
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "print('custom', shell.CustomTB is not None and shell.custom_exceptions)\n"
        "shell.run_cell('check(1)')\n"
    )
    given = lab.learner_environ(environ(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=given, cwd=tmp_path, check=True
    )
    assert "custom ()" in done.stdout
    assert "name 'check' is not defined" in done.stdout
    assert SAID not in done.stdout


def test_a_plain_python_is_left_alone(capsys):
    assert not {name for name in runpy.run_path(str(START)) if not name.startswith("__")}
    assert capsys.readouterr() == ("", "")
