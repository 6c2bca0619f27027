"""Right answers with one line of a real mistake: what `review` asks about.

    python -m studies.wrong_lines [EXERCISE ...]

Small edits of a right answer are tried (`studies/edits.py`).  Kept are those that a person might write,
whose check names a known mistake, the same on several draws, and that no change of another line puts right.
They are written to `helpers/questions/wrong_lines.json`: the line, what stands there instead, and whether
that is worth asking about, which a reader says there: `false` for a new one.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

os.environ["OMP_NUM_THREADS"] = "1"

from helpers import answer_text
from helpers.beside import probe, set_up_first
from helpers.beside.standard import standard
from helpers.exercises import find
from helpers.exercises.base import Exercise, draw_cases
from helpers.exercises.oracle import one_thread
from helpers.learner.checking import verdict_of
from helpers.units import UNIT_OF, VARIABLES
from helpers.verdict.judge import examine, right_result
from studies.edits import small_edits
from tools.shell import ROOT

FILE = ROOT / "helpers" / "questions" / "wrong_lines.json"
SEEDS = (7, 8, 101, 102, 103)
ONE_CALL = 0.5
"""How long one call of an edited answer may take, in seconds: an edit may loop for ever."""
FEWEST = 2
"""An answer of a single line has no line to look for."""
LONGEST = 16
"""Nobody reads more lines than that to answer one question."""
TURNED = re.compile(r"\)\.(swapaxes\(-1, -2\)|T\b)")
"""A result turned round at the end of a long expression: small edits do that, people do not."""
OFTEN = 2
"""So many lines are kept of one mistake in an exercise."""


def asked() -> list[str]:
    """The exercises whose answer has several lines that compute, and few enough to be read."""
    return [
        name
        for name, source in answer_text.texts().items()
        if name in UNIT_OF
        and name not in VARIABLES
        and not find(name).lineup
        and len(answer_text.body_lines(source)) >= FEWEST
        and source.count("\n") <= LONGEST
    ]


def wrong_lines(name: str, worth: Collection[str]) -> Iterator[tuple[int, str]]:
    """Lines of an exercise's answer with a known mistake in them, all that are worth asking about.

    Args:
        name: the exercise.
        worth: the lines that a reader has found so.
    """
    exercise, source, modules = find(name), answer_text.texts()[name], set_up_first.modules()
    known = {one.says for one in exercise.mistakes}
    told: Counter[str] = Counter()
    for edit in small_edits(source):
        edited = as_written(edit.applied(source), edit.line)
        if not edited or not might_be_written(source, edited, edit.line):
            continue
        try:
            answer = answer_text.defined(name, edited, modules)
        except Exception:  # an edit can be no program at all
            continue
        ids = set()
        for seed in SEEDS:
            verdict = verdict_of(exercise, answer, seed)
            # an error has many causes, and the sentence may be about another one
            shown = verdict.problem is not None and "it stopped with" not in verdict.problem.says
            says = verdict.lines[1].partition(" Right: ")[0] if shown else ""
            ids.add((verdict.misconception, says))
            if len(ids) > 1 or not says:
                break
        if len(ids) > 1 or not says:
            continue
        ((mistake, says),) = ids
        line = edited.split("\n")[edit.line - 1]
        if says not in known or (told[mistake] >= OFTEN and line not in worth):
            continue
        if put_right_elsewhere(exercise, edited, edit.line):
            continue
        told[mistake] += 1
        yield edit.line, line


def put_right_elsewhere(exercise: Exercise, source: str, line: int) -> bool:
    """Whether a small edit of another line makes a wrong answer right: then no one line is the wrong one."""
    return any(is_right(exercise, one.applied(source)) for one in small_edits(source) if one.line != line)


def is_right(exercise: Exercise, source: str) -> bool:
    """Whether an answer passes its check on all draws; most fail the first call, which takes no time."""
    try:
        answer = answer_text.defined(exercise.name, source, set_up_first.modules())
    except Exception:  # an edit can be no program at all
        return False
    with standard(), one_thread():
        for case in draw_cases(exercise, SEEDS[0]):
            seen = probe.observe(exercise, answer, [case], ONE_CALL)[0]
            if examine(exercise, case, right_result(exercise, case), seen) is not None:
                return False
    return all(verdict_of(exercise, answer, seed).passed for seed in SEEDS)


def as_written(source: str, line: int) -> str:
    """A source whose line is formatted as all others are, without needless brackets; `""` for no program."""
    try:
        node = _statement(source, line)
    except SyntaxError:
        return ""
    lines = source.split("\n")
    if node is None or ast.unparse(node).split("\n")[0].startswith("@"):
        return ""
    indent, comment = len(lines[line - 1]) - len(lines[line - 1].lstrip()), lines[line - 1].partition("  #")
    header = _unparsed(node)
    body = f"{header}\n    pass\n" if header.endswith(":") else f"{header}\n"
    told = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length", "110", "-"],
        input=body,
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode or len(told.stdout.split("\n")) != len(body.split("\n")):  # too long for one line
        return ""
    lines[line - 1] = " " * indent + told.stdout.split("\n")[0] + comment[1] + comment[2]
    return "\n".join(lines)


def _unparsed(node: ast.stmt) -> str:
    """The first line of a statement as the course writes it: tuples without brackets."""
    header = ast.unparse(node).split("\n")[0].replace("1e-09", "1e-9")
    if isinstance(node, ast.Return | ast.Assign) and isinstance(node.value, ast.Tuple):
        whole = ast.unparse(node.value)
        header = header.replace(whole, whole[1:-1])
    return header.replace("next((", "next(").replace("))", ")") if "next((" in header else header


def _statement(source: str, line: int) -> ast.stmt | None:
    """The statement that begins in a line."""
    found = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.stmt) and one.lineno == line]
    return found[-1] if found else None


def might_be_written(source: str, edited: str, line: int) -> bool:
    """Whether a person might write the line: no sign, root or conversion that nobody would think of."""
    if TURNED.search(edited.split("\n")[line - 1]):
        return False
    before, after = (_oddities(_statement(one, line)) for one in (source, edited))
    return not after - before


def _oddities(node: ast.stmt | None) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in ast.walk(node) if node else ():
        if isinstance(one, ast.UnaryOp) and not isinstance(one.op, ast.Not):
            inner = one.operand
            if not isinstance(inner, ast.Constant) and not (
                isinstance(inner, ast.Name) and inner.id == "allowed"
            ):
                found["sign"] += 1
            if isinstance(inner, ast.Name) and isinstance(one.op, ast.USub):
                found["minus a mask"] += 1
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Pow) and ast.unparse(one.right) == "0.5":
            found["root"] += 1
        if isinstance(one, ast.Call) and getattr(one.func, "id", getattr(one.func, "attr", "")) in (
            *("int", "float", "tuple", "list", "array"),
        ):
            found["conversion"] += 1
        if isinstance(one, ast.Compare) and isinstance(one.comparators[0], ast.Constant | ast.Name):
            found["margin"] += isinstance(one.left, ast.BinOp) and ast.unparse(one.left.right) == "1"
        if isinstance(one, ast.BinOp) and ast.unparse(one.right) == "1" and isinstance(one.op, ast.Mult):
            found["times one"] += 1
        if isinstance(one, ast.BinOp) and ast.unparse(one.left) == "1" and isinstance(one.op, ast.Mult):
            found["times one"] += 1
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.FloorDiv | ast.BitXor):
            found["operator"] += 1
        if isinstance(one, ast.Compare) and ast.unparse(one.left) == ast.unparse(one.comparators[0]):
            found["itself"] += 1
        if isinstance(one, ast.Name) and one.id in ("self", "base"):
            found["name"] += 1
    return found


def written(lines: Mapping[str, Sequence[Sequence[object]]]) -> str:
    """The file's text, one wrong line in each of its lines."""
    parts = []
    for name, each in lines.items():
        rows = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in each)
        parts.append(f" {json.dumps(name)}: [\n  {rows}\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(words: Sequence[str]) -> int:
    """Find them for the exercises named, or for all, and write the file."""
    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in words or asked():
        worth = {text for _, text, asked_about in kept.get(name, ()) if asked_about}
        kept[name] = [(line, text, text in worth) for line, text in wrong_lines(name, worth)]
        print(f"{name}: {len(kept[name])}", flush=True)
        ordered = {one: kept[one] for one in UNIT_OF if kept.get(one)}
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(written(ordered), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
