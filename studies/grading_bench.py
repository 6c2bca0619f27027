"""What grading a class costs: stock nbgrader, Otter-Grader, this course's grader, and the floor.

`python -m studies.grading_bench` makes a class of 200 made-up learners of unit 06 and grades the same
submissions each way, in turns. The slow ways get a sample, evenly spaced. CPU seconds are those of the
whole machine meanwhile, so nothing else should run.
"""

import argparse
import contextlib
import io
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nbformat

from tests import classroom, sample_learners, servers
from tools import borrowed
from tools.measuring import markdown
from tools.shell import ROOT
from tools.versions import OTTER

UNIT = classroom.UNIT_06
OTTER_HOME = ROOT / ".otter"
STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
"""

Cost = tuple[float, float]
"""Seconds on the clock and CPU seconds, for each submission."""


def measure(work: Callable[[], None], count: int) -> Cost:
    """The cost of some work on so many submissions."""
    before, start = _busy(), time.monotonic()
    work()
    return (time.monotonic() - start) / count, (_busy() - before) / count


def _busy() -> float:
    """CPU seconds of the whole machine: those inside bubblewrap, and dask's, are not our children's."""
    user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def run(words: Sequence[str | Path], folder: Path, **environ: str) -> None:
    """Run a program without its output; an exit code above 1 stops the measurement."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**classroom.environ(), **environ},
        capture_output=True,
        text=True,
    )
    if done.returncode > 1:
        raise RuntimeError(f"{words}: {done.stdout[-500:]}{done.stderr[-2000:]}")


# The ways


def ours(folder: Path, *words: str | int) -> Callable[[], None]:
    """This course's grader."""
    return lambda: run(classroom.command(folder, UNIT, "--all", *words), folder)


def stock(folder: Path) -> Callable[[], None]:
    """Nbgrader as it comes, on a folder of its own."""

    def work() -> None:
        run([sys.executable, "-W", "ignore", "-m", "nbgrader", "autograde", UNIT, "--force"], folder)

    return work


def otter(folder: Path, notebooks: Sequence[Path]) -> Callable[[], None]:
    """`otter run` on notebooks with the same cells; the tests call the same checks."""
    program = _otter_program()
    (folder / "out").mkdir(exist_ok=True)
    autograder = folder / "autograder.zip"
    _write_autograder(autograder)

    def work() -> None:
        for path in notebooks:
            run([program, "run", path, "-a", autograder, "-o", folder / "out"], folder)
            if not (folder / "out" / "results.json").exists():
                raise RuntimeError("otter wrote no results")

    return work


def floor(folder: Path, workers: int) -> Callable[[], None]:
    """The same cells in warm processes: no sandbox, no separate verdict, no gradebook.

    The submissions are our own banks, so running them unprotected is safe here.
    """

    def work() -> None:
        paths = sorted(map(str, folder.glob(f"submitted/*/{UNIT}/*.ipynb")))
        children = []
        for number in range(workers):
            pid = os.fork()
            if pid == 0:
                with contextlib.suppress(BaseException):
                    _cells_alone(paths[number::workers])
                os._exit(0)
            children.append(pid)
        for pid in children:
            os.waitpid(pid, 0)

    return work


def _cells_alone(paths: Sequence[str]) -> None:
    from grading.inside.cell_shell import leave_out_figures
    from helpers.learner.checking import check

    os.environ["NBGRADER_EXECUTION"] = "autograde"
    leave_out_figures()
    for path in paths:
        names = {"__name__": "__main__", "check": check}
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "code":
                quiet = io.StringIO()
                with contextlib.suppress(Exception), contextlib.redirect_stdout(quiet):
                    exec(compile(cell.source.replace("    %pip", "    pass  #"), path, "exec"), names)


def _warm() -> None:
    """Import what the floor needs, once, before it is forked."""
    import matplotlib.pyplot  # noqa: F401
    import torch

    import helpers.verdict.diagnose  # noqa: F401
    from helpers.exercises import find
    from helpers.units import UNITS

    torch.set_num_threads(1)
    for name in UNITS[UNIT]:
        find(name)
    torch.nn.MultiheadAttention(4, 2)(*[torch.ones(3, 1, 4)] * 3)[0].sum().backward()


# Otter-Grader


def _otter_program() -> Path:
    """Otter in an environment of its own, which borrows PyTorch from this one."""
    program = OTTER_HOME / "bin" / "otter"
    if not program.exists():
        borrowed.environment(OTTER_HOME, OTTER, "ipykernel")
    return program


def _write_autograder(path: Path) -> None:
    points = sample_learners.points(UNIT)
    with zipfile.ZipFile(path, "w") as file:
        for name, of in points.items():
            hidden = _hidden_seed(name)
            file.writestr(
                f"tests/{name}.py",
                "from otter.test_files import test_case\n"
                f'OK_FORMAT = False\nname = "{name}"\npoints = {of}\n\n'
                "@test_case()\ndef test(env):\n    from helpers import check\n"
                f'    check("{name}", env["{name}"])\n'
                f'    check("{name}", env["{name}"], seed={hidden}, sizes="hidden")\n',
            )


def _hidden_seed(name: str) -> int:
    cells = sample_learners.read(sample_learners.SOLUTIONS, UNIT).cells
    (source,) = (
        cell.source for cell in cells if sample_learners.grader(cell).get("grade_id") == f"{name}-test"
    )
    return int(source.split("seed=")[1].split(",")[0])


def _otter_notebooks(folder: Path, students: Sequence[str]) -> list[Path]:
    """The submissions with `grader.check(...)` for each test cell, as `otter assign` makes them."""
    made = []
    for student in students:
        notebook = nbformat.read(folder / "submitted" / student / UNIT / f"{UNIT}.ipynb", 4)
        head = 'import otter\ngrader = otter.Notebook("otter.ipynb", tests_dir="tests")'
        notebook.cells.insert(0, nbformat.v4.new_code_cell(head))
        for cell in notebook.cells:
            noted = sample_learners.grader(cell)
            if noted.get("grade") and not noted.get("solution"):
                cell.source = f'grader.check("{noted["grade_id"].removesuffix("-test")}")'
        path = folder / "otter" / f"{student}.ipynb"
        path.parent.mkdir(exist_ok=True)
        nbformat.write(notebook, path)
        made.append(path)
    return made


# The whole


def compare(learners: int, sample: int, rounds: int) -> Iterator[tuple[str, int, list[Cost]]]:
    """Each way with the number of submissions it was given, and its cost in each round."""
    _warm()
    with (
        tempfile.TemporaryDirectory(prefix="grading-bench-") as name,
        servers.dask(2, Path(name)) as (address, _),
    ):
        folder = classroom.open_course(Path(name) / "ours", [UNIT])
        classroom.make_class(folder, UNIT, learners)
        students = sorted(path.name for path in (folder / "submitted").iterdir())
        few = students[:: max(1, learners // sample)][:sample]
        plain = Path(name) / "stock"
        shutil.copytree(folder, plain, ignore=shutil.ignore_patterns("submitted"))
        (plain / "nbgrader_config.py").write_text(STOCK)
        for student in few:
            shutil.copytree(folder / "submitted" / student, plain / "submitted" / student)
        ways = {
            "stock `nbgrader autograde`": (stock(plain), len(few)),
            "`otter run`": (otter(folder, _otter_notebooks(folder, few)), len(few)),
            "ours, 1 worker": (ours(folder, "--workers", 1), learners),
            "ours, 2 workers": (ours(folder, "--workers", 2), learners),
            "ours, 4 workers": (ours(folder, "--workers", 4), learners),
            "ours, dask with 2 workers": (ours(folder, "--scheduler", address), learners),
            "floor: the same cells in 2 warm processes": (floor(folder, 2), learners),
        }
        costs: dict[str, list[Cost]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, (work, count) in ways.items():
                costs[way].append(measure(work, count))
                print(f"  {way}: {costs[way][-1][0]:.3f} s", file=sys.stderr, flush=True)
        for way, (_, count) in ways.items():
            yield way, count, costs[way]


def scaling(sizes: Sequence[int]) -> Iterator[tuple[int, Cost, float]]:
    """Class sizes with the cost of a submission, and the most memory that the grader's processes had (MB)."""
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="grading-bench-") as name:
            folder = classroom.open_course(Path(name), [UNIT])
            classroom.make_class(folder, UNIT, size)
            cost = measure(ours(folder), size)
            yield size, cost, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--sample", type=int, default=12, help="for stock nbgrader and Otter")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[50, 200, 1000], help="of classes, for the second table"
    )
    asked = parser.parse_args()
    found = list(compare(asked.learners, asked.sample, asked.rounds))
    best = {way: min(costs) for way, _, costs in found}
    first, second, last = (list(best.values())[place] for place in (0, 1, -1))
    rows = [
        [way, str(count), f"{best[way][0]:.3f}", f"{best[way][1]:.3f}"]
        + [f"{other[0] / best[way][0]:.1f}" for other in (first, second)]
        + [f"{best[way][0] / last[0]:.1f}"]
        for way, count, _ in found
    ]
    head = [
        "way",
        "submissions",
        "wall s each",
        "CPU s each",
        "times as fast as stock",
        "as otter",
        "times the floor",
    ]
    print(markdown(head, rows))
    rows = [
        [str(size), f"{wall:.3f}", f"{cpu:.3f}", f"{most:.0f}"]
        for size, (wall, cpu), most in scaling(asked.sizes)
    ]
    if rows:
        print(markdown(["learners", "wall s each", "CPU s each", "largest process (MB)"], rows))


if __name__ == "__main__":
    main()
