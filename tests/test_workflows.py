"""What GitHub reads in .github/: it is valid, runs the course's own commands, and agrees with the rest."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner

from helpers.verdict.telling import the_same
from tools import actionlint
from tools.build_site import BUILD
from tools.commands import COMMANDS
from tools.environment import CAUSES
from tools.versions import PYODIDE

ROOT = Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in GITHUB.glob("workflows/*.yml")}
JOBS = {f"{flow}-{name}": job for flow, text in FLOWS.items() for name, job in text["jobs"].items()}
STEPS = [step for job in JOBS.values() for step in job["steps"]]
FORMS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in GITHUB.glob("ISSUE_TEMPLATE/*_*.yml")}
SCHEMAS = {
    "workflows/*.yml": "github-workflows",
    "ISSUE_TEMPLATE/*_*.yml": "github-issue-forms",
    "ISSUE_TEMPLATE/config.yml": "github-issue-config",
    "dependabot.yml": "dependabot",
}
"""Which of GitHub's schemas is for which files."""


def fits(schema, *paths):
    """What check-jsonschema says of some files; its exit code is 0 where they fit."""
    words = ["--builtin-schema", f"vendor.{schema}", *map(str, paths)]
    return CliRunner().invoke(check_jsonschema.main, words)


def with_(key):
    """Every value that a step gives an action under a name."""
    return [step["with"][key] for step in STEPS if key in step.get("with", {})]


@pytest.mark.nightly
@pytest.mark.needs("actionlint")
def test_actionlint_finds_nothing_in_the_workflows_and_names_a_slip(tmp_path):
    assert actionlint.complaints(ROOT) == ""
    with pytest.raises(RuntimeError, match="looked at nothing"):
        actionlint.complaints(tmp_path)
    shutil.copytree(GITHUB, tmp_path / ".github")
    path = tmp_path / ".github" / "workflows" / "tests.yml"
    path.write_text(path.read_text("utf-8").replace("matrix.python", "matrix.snake"), "utf-8")
    assert 'property "snake" is not defined' in actionlint.complaints(tmp_path)


def test_github_understands_every_file_and_a_slip_is_refused(tmp_path):
    assert {path for pattern in SCHEMAS for path in GITHUB.glob(pattern)} == set(GITHUB.rglob("*.yml"))
    for pattern, schema in SCHEMAS.items():
        done = fits(schema, *GITHUB.glob(pattern))
        assert done.exit_code == 0, done.output
    slip = tmp_path / "slip.yml"
    slip.write_text(
        (GITHUB / "workflows/lint.yml").read_text("utf-8").replace("runs-on:", "run-on:"), "utf-8"
    )
    assert fits("github-workflows", slip).exit_code == 1


def test_the_workflows_run_the_commands_of_the_course():
    lines = "\n".join(step.get("run", "") for step in STEPS)
    assert PYODIDE.partition("@")[2] in lines
    found = set(re.findall(r"(?m)^(?:make|python tools/course\.py) ([\w-]+)", lines))
    assert found == {"setup", "test", "test-needs", "lint", "site"}
    assert found <= set(COMMANDS)


def test_every_supported_python_is_tested_on_the_three_systems_and_all_else_on_the_oldest():
    matrix = JOBS["tests-quick"]["strategy"]["matrix"]
    minors = [int(version.removeprefix("3.")) for version in matrix["python"]]
    assert f">=3.{minors[0]}" == PROJECT["requires-python"]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert [name.removesuffix("-latest") for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert any(f"from 3.{minors[0]} to 3.{minors[-1]}" in advice for advice in CAUSES.values())
    assert {one for one in with_("python-version") if "matrix" not in one} == {f"3.{minors[0]}"}
    assert JOBS["tests-everything"]["steps"][-1] == {"run": ".ci/run"}


def test_the_night_runs_what_the_gate_leaves_to_it_and_the_gate():
    assert {"schedule", "workflow_dispatch"} == FLOWS["nightly"][True].keys(), "YAML reads `on` as true"
    *_, needs, test, gate = JOBS["nightly-night"]["steps"]
    assert needs == {"run": "make test-needs ARGS=--nightly"}
    assert test == {"run": 'make test ARGS="--nightly --nothing-left-out"'}
    assert gate == {"if": "${{ !cancelled() }}", "run": ".ci/run"}
    last = 'make test ARGS="--everything --nothing-left-out"'
    assert (ROOT / ".ci" / "run").read_text("utf-8").endswith(f"\n{last}\n")


def test_nobody_may_write_but_the_job_that_publishes():
    readers = {name: flow["permissions"] for name, flow in FLOWS.items()}
    read = {"contents": "read"}
    assert readers == {"tests": read, "lint": read, "nightly": read, "site": {}}
    jobs = {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job}
    assert jobs == {
        "site-build": {"contents": "read"},
        "site-publish": {"pages": "write", "id-token": "write"},
    }
    assert with_("persist-credentials") == [False] * sum("checkout" in step.get("uses", "") for step in STEPS)
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in STEPS if "uses" in step)
    assert [ROOT / path for path in with_("path")] == [BUILD / "site"], "what is published"
    assert all(job["timeout-minutes"] <= 120 for job in JOBS.values())


def test_a_form_asks_for_what_repeats_the_check():
    for name in ("refused_right_answer", "passed_wrong_answer", "wrong_name"):
        fields = {part["id"]: part for part in FORMS[name]["body"] if "id" in part}
        asked = {one for one, part in fields.items() if part.get("validations", {}).get("required")}
        assert asked == {"line", "code", "said", "expected"}
        shown = fields["line"]["attributes"]["placeholder"]
        assert shown in the_same("softmax", 4711, "visible")
        assert "seed=4711" in shown


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a downloaded archive has no git")
def test_git_for_windows_writes_the_same_bytes():
    words = ["git", "-c", "core.autocrlf=true", "ls-files", "--eol"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = [line for line in listed if not line.startswith("i/-text")]
    assert len(texts) > 100
    assert [line for line in texts if "eol=lf" not in line or not line.startswith("i/lf")] == []
