"""The commands behind `make` and `python tools/course.py`."""

import argparse
import os
import sys
from collections.abc import Sequence

from tools import constraints, environment, hub, lab, lint, working_copy
from tools.shell import ROOT, Stop, run, run_until_stopped, venv_python

NOTEBOOKS, WORK = ROOT / "notebooks", ROOT / "work"


def setup(_: Sequence[str]) -> int:
    """Make .venv with everything the course needs."""
    return 0


def learn(_: Sequence[str]) -> int:
    """Open the course in JupyterLab, on your own copy in work/."""
    for message in working_copy.update(NOTEBOOKS, WORK):
        print(message)
    return lab.start(working_copy.latest(NOTEBOOKS, WORK))


def fresh(words: Sequence[str]) -> int:
    """Take the newest blank of a unit, keeping your file: fresh UNIT=05_softmax."""
    print(*working_copy.fresh(NOTEBOOKS, WORK, words[0] if words else ""), sep="\n")
    return 0


def teach(_: Sequence[str]) -> int:
    """Open the whole repository in JupyterLab, with all of nbgrader."""
    return lab.start()


def hub_(_: Sequence[str]) -> int:
    """Start JupyterHub for a class on this machine, as root: see docs/hub.md."""
    hub.fetch()
    return run_until_stopped(hub.COMMAND, os.environ)


def test(words: Sequence[str]) -> int:
    """Lint, then run the quick tests; ARGS=--everything adds slow ones; ARGS="-k softmax" goes to pytest."""
    environ = {"OMP_NUM_THREADS": "1", **os.environ}  # small tensors: more threads are slower, by far
    start, failed = os.times(), lint.check()
    workers = max(2, (os.cpu_count() or 1) * 3 // 2)  # some tests wait more than they compute
    pytest = [
        venv_python(),
        "-m",
        "pytest",
        "-n",
        str(min(workers, 6)),
        "--durations=25",
        *words,
    ]
    code, end = run(pytest, environ), os.times()
    computed = sum(end[2:4]) - sum(start[2:4])  # of all that was started; Windows does not count it
    print(
        f"{computed / 60:.1f} CPU minutes, {(end.elapsed - start.elapsed) / 60:.1f} on the clock.", flush=True
    )
    if failed:
        print(f"Failed before the tests: {', '.join(failed)}.", flush=True)  # else it has scrolled away
    return 1 if code or failed else 0


def test_needs(words: Sequence[str]) -> int:
    """Install and fetch what tests need beside Python; ARGS=--nightly: what the night's need too."""
    return run([venv_python(), "-m", "tools.fetch", *words])


def lint_(_: Sequence[str]) -> int:
    """Check style, stripped outputs and whitespace, as CI does."""
    return 1 if lint.check() else 0


def fix(_: Sequence[str]) -> int:
    """Repair what lint can repair."""
    return 1 if lint.fix() else 0


def notebooks(_: Sequence[str]) -> int:
    """Write what is stated once, then generate notebooks/ from solutions/ and the blanks for `reset`."""
    return run([venv_python(), "-m", "tools.notebooks"])


def sync(_: Sequence[str]) -> int:
    """Write what is stated once wherever it is shown, for example the repository's address."""
    return run([venv_python(), "-m", "tools.sync"])


def exercise(words: Sequence[str]) -> int:
    """Write the skeleton of a new exercise: exercise UNIT=05_softmax NAME=log_softmax; OWN=yes for yours."""
    return run([venv_python(), "-m", "tools.exercise", *words])


def bench(words: Sequence[str]) -> int:
    """Print the course's figures: times and memory."""
    return run([venv_python(), "-m", "tools.bench", *words])


def teeth(words: Sequence[str]) -> int:
    """Print how good the checks are; ARGS="--write softmax" keeps the figures, here of softmax alone."""
    return run([venv_python(), "-m", "tools.teeth", *words])


def mutants(_: Sequence[str]) -> int:
    """Change the reference answers in every small way, and see whether the checks notice."""
    return run([venv_python(), "-m", "tools.mutants"])


def grade(words: Sequence[str]) -> int:
    """Grade a class: grade UNIT=05_softmax, or all units; STUDENT=ada grades one of them again."""
    code = run([venv_python(), "-m", "grading", *words])
    return 0 if code == 1 else code  # some have a reason instead of a mark: for make that is no failure


def roster(words: Sequence[str]) -> int:
    """Read the class from Canvas or Moodle: roster FILE=students.csv; see docs/grading.md."""
    return _lms("roster", words)


def collect(words: Sequence[str]) -> int:
    """Take submissions from the LMS's zip: collect UNIT=05_softmax FILE=all.zip; see docs/grading.md."""
    return _lms("collect", words)


def export(words: Sequence[str]) -> int:
    """Write the marks for the LMS: export LMS=canvas; without LMS for you, to marks.csv."""
    if words and words[0] in LMS:
        return _lms("marks", words)
    if "--sections" in words:  # which nbgrader does not know
        return _lms("marks", ["table", *words])
    return run([venv_python(), "-m", "nbgrader", "export", "--exporter", TABLE, "--to", "marks.csv", *words])


def feedback(words: Sequence[str]) -> int:
    """Make everybody's feedback anew: feedback UNIT=05_softmax; LMS=moodle packs it for the LMS."""
    units = [word for word in words if word not in LMS]
    made = run([venv_python(), "-m", "nbgrader", "generate_feedback", "--log-level=ERROR", *units[:1]])
    if made or units != list(words):
        return made or _lms("feedback", words)
    pages = list(ROOT.glob(f"feedback/*/{units[0] if units else '*'}/*.html"))
    print(f"Everybody's graded notebook is in feedback/: {len(pages)} pages.")
    return 0


def messages(words: Sequence[str]) -> int:
    """Write messages.csv, for a mail merge: who has no mark and why, who is past the due date."""
    return _lms("messages", words)


def regrade(words: Sequence[str]) -> int:
    """Note a regrade request: regrade UNIT=05_softmax STUDENT=ada ASKS="..." or DECIDED="..."; or list."""
    return run([venv_python(), "-m", "grading.regrades", *words])


def analytics(words: Sequence[str]) -> int:
    """Write analytics.html: what the class solves and what goes wrong most, without names."""
    return run([venv_python(), "-m", "grading.analytics", *words])


def answers(words: Sequence[str]) -> int:
    """Lay each answer as a plain file, to compare them: answers UNIT=05_softmax; see docs/term.md."""
    return run([venv_python(), "-m", "grading.answers", *words])


def _lms(command: str, words: Sequence[str]) -> int:
    code = run([venv_python(), "-m", "grading.lms", command, *words])
    return 0 if code == 1 else code  # somebody was left out, and named: for make that is no failure


def site(words: Sequence[str]) -> int:
    """Build the site in build/site/; PYODIDE=folder for no CDN."""
    return run([venv_python(), "-m", "tools.build_site", *words])


def marks(words: Sequence[str]) -> int:
    """Grade the sample learners with nbgrader; print the marks expected and got."""
    return run([venv_python(), "-m", "tests.sample_learners", *words])


def pins(_: Sequence[str]) -> int:
    """Write constraints.txt anew, with the newest versions that pyproject.toml allows."""
    return constraints.compile_pins()


COMMANDS = {
    "learn": learn,
    "test": test,
    "test-needs": test_needs,
    "setup": setup,
    "fresh": fresh,
    "teach": teach,
    "hub": hub_,
    "lint": lint_,
    "fix": fix,
    "notebooks": notebooks,
    "sync": sync,
    "exercise": exercise,
    "bench": bench,
    "teeth": teeth,
    "mutants": mutants,
    "marks": marks,
    "grade": grade,
    "roster": roster,
    "collect": collect,
    "export": export,
    "feedback": feedback,
    "regrade": regrade,
    "messages": messages,
    "analytics": analytics,
    "answers": answers,
    "site": site,
    "constraints": pins,
}
LMS = ("canvas", "moodle")
TABLE = "grading.exports.marks_csv.MarksTable"
WITHOUT_VENV = {"fresh", "constraints"}
EXTRA = {
    **{"learn": "course", "teach": "grading", "grade": "grading", "hub": "hub"},
    **dict.fromkeys(("roster", "collect", "export", "feedback", "regrade", "messages"), "grading"),
    **dict.fromkeys(("analytics", "answers"), "grading"),
}
"""What a command needs of pyproject.toml's extras, where it is not all of them."""


def help_text() -> str:
    """Return the list of commands."""
    lines = [f"  {name:<12} {(function.__doc__ or '').strip()}" for name, function in COMMANDS.items()]
    usage = "Usage: make COMMAND, or without make (Windows): py -3.11 tools\\course.py COMMAND"
    return "\n".join([usage, "", *lines])


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit code; what goes wrong is said in one sentence."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("command", nargs="?", default="help")
    command, words = parser.parse_known_args(argv)
    name = command.command
    if name not in COMMANDS:
        print(help_text())
        return 0 if name == "help" else 2
    try:
        if name not in WITHOUT_VENV:
            environment.ensure(EXTRA.get(name, "dev"))
        return COMMANDS[name](words)
    except Stop as stop:
        print(stop, file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on from here.", file=sys.stderr)
    except OSError as error:
        print(f"Could not {name}: {error.strerror} ({error.filename}).", file=sys.stderr)
    return 1
