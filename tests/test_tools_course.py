"""The entry point, its Makefile and the start of JupyterLab."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from jupyterlab_server.workspaces_handler import WORKSPACE_EXTENSION, slugify

from tools import commands, course, kept_metadata, lab, lint
from tools.shell import ROOT, venv_python

COURSE = ROOT / "tools" / "course.py"
needs_make = pytest.mark.skipif(not shutil.which("make"), reason="there is no make")


def run(*argv, cwd=ROOT, **environ):
    words = [str(word) for word in argv]
    return subprocess.run(words, cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True)


# A Python that is too old


def as_python_39(script, *words):
    code = "import runpy, sys; sys.version_info = (3, 9, 18); sys.argv = sys.argv[1:]; "
    return run(
        sys.executable, "-c", code + "runpy.run_path(sys.argv[0], run_name='__main__')", script, *words
    )


@pytest.mark.skipif(os.name == "nt", reason="the fake environment is a symbolic link")
def test_an_old_python_gets_a_sentence_or_hands_over_to_a_finished_environment(tmp_path):
    (tmp_path / "tools").mkdir()
    script = shutil.copy(COURSE, tmp_path / "tools")  # alone: an old Python must not need more
    result = as_python_39(script, "learn")
    assert result.returncode == 1
    assert result.stderr.startswith("The course needs Python 3.11 or newer and this is Python 3.9")
    assert result.stderr.rstrip().endswith("learn")
    assert result.stderr.count("\n") == 1
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".ready").touch()
    assert as_python_39(script, "learn").returncode == 1, "its Python is gone"
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/bin/echo")
    result = as_python_39(script, "learn")
    assert result.returncode == 0
    assert result.stdout.endswith("course.py learn\n")


def test_the_entry_point_is_written_in_old_python():
    modern = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Match)
    for node in ast.walk(ast.parse(COURSE.read_text("utf-8"))):
        assert not isinstance(node, modern), f"line {node.lineno}"
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert all(
                argument.annotation is None for argument in ast.walk(node.args) if hasattr(argument, "arg")
            )


def test_the_python_it_needs_is_the_one_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">={}.{}".format(*course.NEEDED)


# Commands


def test_help_lists_every_command_and_make_alone_prints_it():
    result = run(sys.executable, COURSE)
    assert result.returncode == 0
    assert all(re.search(rf"^  {name} ", result.stdout, re.MULTILINE) for name in commands.COMMANDS)
    unknown = run(sys.executable, COURSE, "lern")
    assert unknown.returncode == 2
    assert "learn" in unknown.stdout
    if shutil.which("make"):
        assert run("make", "-s", PYTHON=sys.executable).stdout == result.stdout


@needs_make
def test_make_has_a_rule_for_every_command():
    result = run("make", "-n", "help", *commands.COMMANDS, "UNIT=05_softmax")
    assert result.returncode == 0, result.stderr
    for command in ("help", *commands.COMMANDS):
        assert re.search(rf"tools/course\.py {command}\b", result.stdout), command


@needs_make
def test_make_without_python_gets_a_sentence():
    result = run("make", "PYTHON=no-such-python", "setup")
    assert result.returncode != 0
    assert "There is no no-such-python here: install Python 3.11 or newer" in result.stderr


def test_the_exit_code_of_test_hides_no_failure(monkeypatch):
    for lint_fails, tests_fail in ((0, 0), (1, 0), (0, 1)):
        ran = []
        monkeypatch.setattr(lint, "check", lambda bad=lint_fails: ["ruff"] * bad)
        monkeypatch.setattr(commands, "run", lambda argv, environ, bad=tests_fail: ran.append(argv) or bad)  # noqa: B023
        assert commands.test([]) == max(lint_fails, tests_fail)
        assert len(ran) == 1


def test_lint_goes_on_after_a_failure_and_names_it(monkeypatch, capsys):
    ran = []
    monkeypatch.setattr(lint, "run", lambda argv: ran.append(argv) or int("format" in argv))
    assert lint.check() == ["ruff format"]
    assert len(ran) == len(lint.commands()) >= 3
    assert "ruff format" in capsys.readouterr().out


# JupyterLab


@pytest.mark.parametrize(
    ("environ", "platform", "screen"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_browser_opens_only_where_there_is_a_screen(environ, platform, screen):
    assert lab.has_screen(environ, platform) is screen
    assert ("--no-browser" in lab.lab_command(environ, platform, is_root=False)) is not screen


def test_the_profile_comes_before_the_persons_own_configuration():
    paths = lab.learner_environ({"JUPYTER_CONFIG_PATH": "/mine", "HOME": "/h"})
    start = {"PYTHONSTARTUP": str(lab.PROFILE / "set_up_first.py")}
    assert paths == {"JUPYTER_CONFIG_PATH": f"{lab.PROFILE}{os.pathsep}/mine", "HOME": "/h", **start}
    assert lab.learner_environ({}) == {"JUPYTER_CONFIG_PATH": str(lab.PROFILE), **start}


DISABLED = """
import json, os, sys
import jupyterlab.commands as lab
for environ in json.loads(sys.argv[1]):
    os.environ.update(environ)
    print(json.dumps(sorted(lab.get_app_info()["disabled"])))
"""


@pytest.mark.slow
def test_the_profiles_hide_from_learners_what_they_do_not_use_from_teachers_what_asks_the_network(tmp_path):
    environ = {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_CONFIG_PATH": ""}
    asked = [environ, lab.learner_environ(environ), lab.teacher_environ({**environ, "PATH": os.defpath})]
    result = run(sys.executable, "-W", "ignore", "-c", DISABLED, json.dumps(asked))
    plain, learner, teacher = (set(json.loads(line)) for line in result.stdout.splitlines())
    network = {
        "@jupyterlab/apputils-extension:announcements",
        "@jupyterlab/extensionmanager-extension",
    }
    names = ("assignment-list", "course-list", "create-assignment", "formgrader", "menu")
    assert teacher - plain == network
    assert learner - plain == network | {
        "@jupyterlab/application-extension:property-inspector",
        "@jupyterlab/debugger-extension",
        *(f"@jupyter/nbgrader:{name}" for name in names),
    }


@pytest.mark.parametrize("folder", [lab.PROFILE, lab.TEACHER])
def test_a_profile_sets_only_what_jupyterlab_knows_and_follows_the_system_s_dark(folder):
    schemas = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
    said = json.loads((folder / "labconfig" / "default_setting_overrides.json").read_text("utf-8"))
    for plugin, settings in said.items():
        package, _, name = plugin.partition(":")
        known = json.loads((schemas / package / f"{name}.json").read_text("utf-8"))["properties"]
        assert settings.keys() <= known.keys(), plugin
    assert said["@jupyterlab/apputils-extension:themes"]["adaptive-theme"] is True


def test_the_first_screen_has_its_file_list_folded_and_later_ones_are_as_they_were_left(tmp_path):
    assert f"{slugify('default')}{WORKSPACE_EXTENSION}" == lab.KEPT
    lab.lay_out(tmp_path)
    kept = tmp_path / "work" / ".jupyterlab" / lab.KEPT
    assert json.loads(kept.read_text("utf-8"))["data"]["layout-restorer:data"]["left"]["collapsed"]
    kept.write_text("mine", "utf-8")
    lab.lay_out(tmp_path)
    assert kept.read_text("utf-8") == "mine"
    assert lab.KEPT in (ROOT / "postBuild").read_text("utf-8")


def test_what_formgrader_calls_by_name_is_found_though_nobody_activated_the_environment():
    places = lab.teacher_environ({"PATH": "/usr/bin"})["PATH"].split(os.pathsep)
    assert places == [str(venv_python().parent), "/usr/bin"]
    assert shutil.which("alembic", path=places[0])


def saved(folder, place, metadata):
    """What is written of a notebook's metadata when JupyterLab saves it, over one that is there."""
    old = folder / "notebooks" / "unit.ipynb"
    old.parent.mkdir(exist_ok=True)
    old.write_text(json.dumps({"metadata": {"language_info": {"name": "python"}}}))
    model = {"type": "notebook", "content": {"metadata": metadata}}
    kept_metadata.keep(model, place, SimpleNamespace(root_dir=str(folder)))
    return model["content"]["metadata"]


def test_a_saved_unit_keeps_what_it_says_of_the_kernel_and_no_other_file_does(tmp_path):
    added = {"language_info": {"name": "python", "version": "3.11.7"}, "kernelspec": {"name": "mine"}, "x": 1}
    kept = {"language_info": {"name": "python"}, "x": 1}
    assert saved(tmp_path, "notebooks/unit.ipynb", dict(added)) == kept
    assert saved(tmp_path, "/notebooks/unit.ipynb", dict(added)) == kept
    for other in ("work/unit.ipynb", "notebooks/new.ipynb", "unit.ipynb"):
        assert saved(tmp_path, other, dict(added)) == added
