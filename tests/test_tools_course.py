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


def old_pythons():
    names = ["python2", *(f"python3.{minor}" for minor in range(4, 11))]
    found = [path for path in map(shutil.which, names) if path]
    return [path for path in found if run(path, "-c", "").returncode == 0]  # a pyenv shim may lead nowhere


def copy_of_course(folder):
    """Put the entry point alone in a folder: an old Python must not need more, nor find our `.venv`."""
    (folder / "tools").mkdir()
    return shutil.copy(COURSE, folder / "tools")


def test_a_real_old_python_gets_a_sentence(tmp_path):
    pythons = old_pythons()
    if not pythons:
        pytest.skip("there is no old Python here")
    script = copy_of_course(tmp_path)
    for python in pythons:
        result = run(python, script, "learn", cwd=tmp_path)
        assert result.returncode == 1
        assert result.stderr.startswith("The course needs Python 3.11 or newer and this is Python")
        assert result.stderr.count("\n") == 1


def as_python_39(script, *words):
    code = "import runpy, sys; sys.version_info = (3, 9, 18); sys.argv = sys.argv[1:]; "
    return run(
        sys.executable, "-c", code + "runpy.run_path(sys.argv[0], run_name='__main__')", script, *words
    )


def test_a_pretended_old_python_gets_a_sentence_that_names_the_command(tmp_path):
    result = as_python_39(copy_of_course(tmp_path), "learn")
    assert result.returncode == 1
    assert "this is Python 3.9" in result.stderr
    assert result.stderr.rstrip().endswith("learn")


@pytest.mark.skipif(os.name == "nt", reason="the fake environment is a symbolic link")
def test_an_old_python_hands_over_to_a_finished_environment(tmp_path):
    script = copy_of_course(tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".ready").touch()
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/bin/echo")
    result = as_python_39(script, "learn")
    assert result.returncode == 0
    assert result.stdout.endswith("course.py learn\n")
    (tmp_path / ".venv" / "bin" / "python").unlink()
    assert as_python_39(script, "learn").returncode == 1


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


def test_help_lists_every_command():
    result = run(sys.executable, COURSE)
    assert result.returncode == 0
    assert all(re.search(rf"^  {name} ", result.stdout, re.MULTILINE) for name in commands.COMMANDS)


def test_an_unknown_command_shows_the_help_and_fails():
    result = run(sys.executable, COURSE, "lern")
    assert result.returncode == 2
    assert "learn" in result.stdout


@needs_make
def test_make_alone_prints_the_help():
    assert run("make", "-s", PYTHON=sys.executable).stdout == run(sys.executable, COURSE).stdout


@needs_make
@pytest.mark.parametrize("command", ["help", *commands.COMMANDS])
def test_make_has_a_rule_for_every_command(command):
    result = run("make", "-n", command, "UNIT=05_softmax")
    assert result.returncode == 0
    assert f"tools/course.py {command}" in result.stdout


@needs_make
def test_make_without_python_gets_a_sentence():
    result = run("make", "PYTHON=no-such-python", "setup")
    assert result.returncode != 0
    assert "There is no no-such-python here: install Python 3.11 or newer" in result.stderr


@pytest.mark.parametrize(
    ("lint_fails", "tests_fail"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_the_exit_code_of_test_hides_no_failure(monkeypatch, lint_fails, tests_fail):
    ran = []
    monkeypatch.setattr(lint, "check", lambda: ["ruff"] if lint_fails else [])
    monkeypatch.setattr(commands, "run", lambda argv, environ: ran.append(argv) or int(tests_fail))
    assert commands.test([]) == int(lint_fails or tests_fail)
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


def disabled_extensions(environ):
    """Ask JupyterLab itself, in the process that a server would be."""
    code = "import json, jupyterlab.commands as lab; print(json.dumps(lab.get_app_info()['disabled']))"
    result = run(sys.executable, "-W", "ignore", "-c", code, **environ)
    return set(json.loads(result.stdout))


def test_the_profile_hides_from_learners_only_what_they_do_not_use(tmp_path):
    environ = {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_CONFIG_PATH": ""}
    hidden = disabled_extensions(lab.learner_environ(environ)) - disabled_extensions(environ)
    assert hidden == {
        "@jupyterlab/application-extension:property-inspector",
        "@jupyterlab/apputils-extension:announcements",
        "@jupyterlab/debugger-extension",
        "@jupyterlab/extensionmanager-extension",
        *(
            f"@jupyter/nbgrader:{name}"
            for name in ("assignment-list", "course-list", "create-assignment", "formgrader", "menu")
        ),
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


def test_the_instructor_s_profile_hides_only_what_asks_the_network(tmp_path):
    environ = {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_CONFIG_PATH": ""}
    hidden = disabled_extensions(lab.teacher_environ({**environ, "PATH": os.defpath})) - disabled_extensions(
        environ
    )
    assert hidden == {
        "@jupyterlab/apputils-extension:announcements",
        "@jupyterlab/extensionmanager-extension",
    }


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
