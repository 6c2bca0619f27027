"""Style, stripped outputs and whitespace: the same commands for `make lint`, CI and pre-commit."""

from pathlib import Path

from tools.shell import ROOT, call_name, run, venv_python

# git's own empty tree: the difference to it is every tracked line.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def notebooks() -> list[str]:
    """Return the notebooks that the repository holds, relative to its root."""
    paths = [*sorted((ROOT / "solutions").rglob("*.ipynb")), *sorted((ROOT / "notebooks").rglob("*.ipynb"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if ".ipynb_checkpoints" not in path.parts]


def commands() -> list[list[str | Path]]:
    """Return the checks."""
    python = venv_python()
    checks: list[list[str | Path]] = [
        [python, "-m", "ruff", "check", "."],
        [python, "-m", "ruff", "format", "--check", "."],
    ]
    if notebooks():
        checks.append([python, "-m", "nbstripout", "--verify", "--keep-id", *notebooks()])
    if (ROOT / ".git").exists():  # a downloaded archive has none
        checks.append(["git", "--no-pager", "diff", "--check", EMPTY_TREE])
    return checks


def check() -> list[str]:
    """Run every check, also after one failed, and return the names of those that failed."""
    failed = [" ".join(map(str, command[2:4])) for command in commands() if run(command)]
    if failed:
        print(
            f"Lint found something ({', '.join(failed)}); `{call_name('fix')}` repairs most of it.",
            flush=True,
        )
    return failed


def fix() -> int:
    """Repair what the tools repair by themselves."""
    python = venv_python()
    code = run([python, "-m", "ruff", "check", "--fix", "."]) + run([python, "-m", "ruff", "format", "."])
    return code + (run([python, "-m", "nbstripout", "--keep-id", *notebooks()]) if notebooks() else 0)
