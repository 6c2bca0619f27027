"""Shows whether tests that go leave a gap: the mutants that they kill, tried on the tests that stay.

    python -m studies.lost_power --old ../before --new . --code grading/late.py \
        --went tests/test_late.py::test_a --stay tests/test_late.py

`--old` is a checkout in which the tests that went still are, `--new` one with those that stay. The code is
the same in both, and both are changed while this runs, so give it clones that nobody works in. Each mutant is
one small change of the code, drawn by a seed. First comes a control: the code, parsed and written again
without a change, must pass both, or the trial is void. A mutant that only ends in an error of pytest counts
for neither.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

SECONDS = 300  # until a mutant that hangs is killed
FAILED, PASSED = 1, 0  # pytest's exit codes
PAIRS = (
    *((ast.Eq, ast.NotEq), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div)),
)
OTHER = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
"""What stands in place of an operator."""


def _changes(node: ast.AST) -> Iterator[Callable[[], None]]:
    """Yield the small changes of one node, each as a function that makes it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        yield lambda: node.ops.__setitem__(0, OTHER[type(node.ops[0])]())
    if isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in OTHER:
        yield lambda: setattr(node, "op", OTHER[type(node.op)]())
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.comprehension) and node.ifs:
        yield lambda: node.ifs.clear()
    if isinstance(node, ast.Return) and node.value and not isinstance(node.value, ast.Constant):
        yield lambda: setattr(node, "value", ast.Constant(None))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield lambda: setattr(node, "value", ast.Constant(None))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield lambda: setattr(node, "value", value)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield lambda: setattr(node, "value", f"{node.value}X")


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk the bodies of functions, without docstrings and annotations."""
    for function in filter(lambda one: isinstance(one, ast.FunctionDef), ast.walk(tree)):
        for statement in function.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield from ast.walk(statement)


def mutants(text: str) -> list[tuple[str, str]]:
    """Return every mutant of a module: where and what it was, and its text."""
    found, total = [], len([change for node in _nodes(ast.parse(text)) for change in _changes(node)])
    for number in range(total):
        tree = ast.parse(text)
        node, change = [(node, change) for node in _nodes(tree) for change in _changes(node)][number]
        before = ast.unparse(node)[:60] if hasattr(node, "lineno") else "a condition"
        change()
        changed = ast.unparse(ast.fix_missing_locations(tree))
        found.append((f"{getattr(node, 'lineno', '')}: {before}", changed))
    return found


def outcome(folder: Path, tests: Sequence[str]) -> int:
    """Run tests in a checkout, with no byte code of an earlier mutant; return pytest's exit code."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}"
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(words, cwd=folder, env=environ, capture_output=True, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        return FAILED


def tried(folder: Path, file: str, text: str, tests: Sequence[str]) -> int:
    """Return what the tests say of a file with this text, and put the old one back."""
    path = folder / file
    kept = path.read_text("utf-8")
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
    try:
        path.write_text(text, "utf-8")
        return outcome(folder, tests)
    finally:
        path.write_text(kept, "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Print each mutant that the tests which went kill, and whether those that stay kill it too."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("--old", "--new"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--code", "--went", "--stay"):
        parser.add_argument(name, nargs="+", required=True)
    parser.add_argument("-n", type=int, default=20, help="mutants that the tests which went must kill")
    parser.add_argument("--seed", type=int, default=0)
    words = parser.parse_args(argv)
    texts = {file: (words.old / file).read_text("utf-8") for file in words.code}
    for file, text in texts.items():
        unchanged = ast.unparse(ast.parse(text))
        assert (words.new / file).read_text("utf-8") == text, f"{file} differs in the two"
        for folder, tests in ((words.old, words.went), (words.new, words.stay)):
            assert tried(folder, file, unchanged, tests) == PASSED, f"control: {file} unchanged fails {tests}"
    drawn = [(file, *mutant) for file, text in texts.items() for mutant in mutants(text)]
    random.Random(words.seed).shuffle(drawn)
    killed = lost = 0
    for file, what, text in drawn:
        if killed == words.n:
            break
        if tried(words.old, file, text, words.went) == FAILED:
            again = tried(words.new, file, text, words.stay)
            killed, lost = killed + 1, lost + (again != FAILED)
            print("killed" if again == FAILED else f"LOST ({again})", f"{file}:{what}", flush=True)
    print(f"{killed} mutants killed by the tests that went, {killed - lost} of them by those that stay.")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
