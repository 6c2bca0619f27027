"""The set-up cell works locally, on Binder and in Colab without edits, and says what to do when it cannot."""

import json
import sys
import tomllib
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

ROOT = Path(__file__).parents[1]
NOTEBOOK = json.loads((ROOT / "notebooks/00_start_here/00_start_here.ipynb").read_text())
CELL = next("".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["id"] == "set-up")
ADDRESS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]


@pytest.fixture
def shell(monkeypatch):
    """An IPython shell whose `%pip` writes down what it is asked to install."""
    one = InteractiveShell()
    one.asked = []
    one.register_magic_function(one.asked.append, magic_name="pip")
    yield one
    one.history_manager.end_session()


def test_locally_it_installs_nothing(shell):
    assert shell.run_cell(CELL).success
    assert shell.asked == []
    assert callable(shell.user_ns["check"])


def test_in_colab_it_installs_the_course_from_its_repository(shell, monkeypatch):
    monkeypatch.setitem(sys.modules, "google.colab", object())
    assert shell.run_cell(CELL).success
    assert shell.asked == [f"install --quiet git+{ADDRESS}"]


def test_without_the_course_it_says_what_to_do(shell, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.split(".")[0] == "helpers"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "helpers", None)
    result = shell.run_cell(CELL)
    assert isinstance(result.error_in_exec, ModuleNotFoundError)
    assert "run `make setup`" in capsys.readouterr().out
