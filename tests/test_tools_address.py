"""What is shown in several places agrees with the one place that states it."""

import re
import subprocess
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESS = PROJECT["urls"]["Repository"]
SLUG = ADDRESS.removeprefix("https://github.com/")
# Every way to show the address, each with the slug (owner/name) in its group.
SHOWN = re.compile(
    r"mybinder\.org/(?:v2|badge)/gh/([\w.-]+/[\w.-]+)"
    r"|colab\.research\.google\.com/github/([\w.-]+/[\w.-]+)"
    rf"|github(?:usercontent)?\.com/([\w.-]+/{re.escape(SLUG.partition('/')[2])})\b"
)


def slugs(text):
    return {next(filter(None, match.groups())).removesuffix(".git") for match in SHOWN.finditer(text)}


def tracked_text():
    """Return the text of every file that git holds or would take."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    names = listing.stdout.splitlines()
    paths = [ROOT / name for name in names] if names else [path for path in ROOT.glob("*") if path.is_file()]
    texts = {}
    for path in paths:
        try:
            texts[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
    return texts


def test_the_search_for_addresses_finds_them():
    name = SLUG.partition("/")[2]
    assert slugs(f"git clone https://github.com/other/{name}.git") == {f"other/{name}"}
    assert slugs("https://mybinder.org/v2/gh/a/b/main?urlpath=lab") == {"a/b"}
    assert slugs("https://colab.research.google.com/github/c/d/blob/main/x.ipynb") == {"c/d"}


def test_every_shown_address_is_the_one_of_pyproject():
    texts = {name: text for name, text in tracked_text().items() if not name.startswith("tests/")}
    found = {name: slugs(text) - {SLUG} for name, text in texts.items()}  # tests show others on purpose
    wrong = {name: others for name, others in found.items() if others}
    assert not wrong, f"run `make sync`: {wrong}"


def test_the_citation_and_the_licences_agree_with_pyproject():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["repository-code"] == ADDRESS
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == [PROJECT["license"], "CC-BY-4.0"]
    assert citation["authors"] == PROJECT["authors"]
    titles = ("BSD 3-Clause License", "Attribution 4.0 International Public License")
    for name, title in zip(PROJECT["license-files"], titles, strict=True):
        assert title in (ROOT / name).read_text("utf-8")


def test_pre_commit_and_ci_run_the_commands_of_the_course():
    (repo,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repo["repo"] == "local"
    assert [hook["entry"] for hook in repo["hooks"]] == ["python3 tools/course.py lint"]
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
