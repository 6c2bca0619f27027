"""How much of what is copied `make alike` finds, and how often it errs: `python -m tools.alike_trial`.

A class of each exercise is made of the programs in `banks/`. Pairs of different right ones are honest:
each has a style of its own. Many wrong ones were made by changing a line of another, so no pair of them
is known to be honest. Then copies are planted, each in one disguise. The comparison was tuned on every
other exercise, and the figures are of the rest.
"""

import argparse
import ast
import io
import itertools
import random
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from grading.alike.likeness import Class, HandIn, Shown
from grading.alike.written import Text
from helpers import answer_text
from helpers.units import UNIT_OF, module_name
from tools.shell import ROOT

GIVEN = frozenset({*UNIT_OF, "reference"})
LONG = 60
"""Tokens from which an answer is called long, with its `def` line: about five lines."""


@dataclass(frozen=True)
class Program:
    """A program of the banks.

    Attributes:
        exercise: which it answers.
        is_right: whether it is right.
        source: its text, under the name of the exercise.
    """

    exercise: str
    is_right: bool
    source: str


def programs(exercise: str) -> list[Program]:
    """The functions and classes of a bank, without those that differ in names, comments and layout alone."""
    path = ROOT / "banks" / f"unit_{UNIT_OF[exercise]}" / f"{module_name(exercise)}.py"
    written = path.read_text("utf-8") if path.is_file() else ""
    lines, found = written.splitlines(keepends=True), {}
    for node in ast.parse(written).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            registered = re.match(r"(right|wrong)\(['\"](\w+)", ast.unparse(node.decorator_list[0]))
            if registered and registered[2] == exercise:
                text = "".join(lines[node.lineno - 1 : node.end_lineno])
                one = Program(exercise, registered[1] == "right", re.sub(rf"\b{node.name}\b", exercise, text))
                found.setdefault(_text(one.source).normal, one)
    return list(found.values())


@cache
def _text(source: str) -> Text:
    return Text(source, GIVEN)


# Disguises: a function from a source to another one, or to `None` where there is nothing to do


def as_it_stands(source: str) -> str | None:
    """The same."""
    return source


def renamed(source: str) -> str | None:
    """Every name that the answer makes is another one; those of its arguments are given."""
    tree = ast.parse(source)
    given = {
        one.arg
        for node in tree.body[:1]
        for one in ast.walk(getattr(node, "args", ast.arguments([], [])))
        if isinstance(one, ast.arg)
    }
    made = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    made = sorted(made - given)
    new = {name: f"{'abcdefgh'[at % 8]}{'aeiou'[at % 5]}x{at}" for at, name in enumerate(made)}
    if not new:
        return None
    tokens, before = [], ""
    for one in tokenize.generate_tokens(io.StringIO(source).readline):
        text = new.get(one.string, one.string) if one.type == tokenize.NAME and before != "." else one.string
        tokens.append((one.type, text))
        before = one.string
    return tokenize.untokenize(tokens)


def other_comments(source: str) -> str | None:
    """Comments and docstrings are gone, and every statement has a comment of another's."""
    lines = _bare(ast.parse(source)).splitlines()
    return "\n".join(f"{line}  # now step {at}" if line else line for at, line in enumerate(lines))


def reformatted(source: str) -> str | None:
    """Other quotes, and a line of its own for everything in brackets."""
    found, depth = [], 0
    for one in tokenize.generate_tokens(io.StringIO(ast.unparse(ast.parse(source))).readline):
        text, depth = one.string, depth + (one.string in "([{" and one.type == tokenize.OP)
        if text in (")", "]", "}"):
            depth -= 1
        found.append((one.type, text))
        if depth and text == ",":
            found.append((tokenize.NL, "\n"))
    return tokenize.untokenize(found)


def reordered(source: str) -> str | None:
    """Neighbouring assignments that do not need each other have changed places."""
    tree = ast.parse(source)
    moved: list[ast.stmt] = []
    for body in _bodies(tree):
        for at in range(len(body) - 1):
            one, other = body[at : at + 2]
            if one not in moved and _is_free(one, other) and _is_free(other, one):
                body[at : at + 2] = other, one
                moved.append(one)
    return ast.unparse(tree) if moved else None


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield body


def _is_free(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the other assignment reads and makes nothing that the one makes."""
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return False
    made = {node.id for target in one.targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return not made & {node.id for node in ast.walk(other) if isinstance(node, ast.Name)}


def inlined(source: str) -> str | None:
    """A value that is read once, in the statement after it, is written there; else the result gets a name."""
    tree = ast.parse(source)
    read = Counter(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
    made = Counter(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    for body in _bodies(tree):
        for at in range(len(body) - 1):
            match body[at]:
                case ast.Assign([ast.Name(name)], value) if read[name] == made[name] == 1:
                    names = [one for one in ast.walk(body[at + 1]) if isinstance(one, ast.Name)]
                    if name in {one.id for one in names}:
                        body[at + 1] = _Put(name, value).visit(body[at + 1])
                        del body[at]
                        return ast.unparse(ast.fix_missing_locations(tree))
    for body in _bodies(tree):
        if isinstance(body[-1], ast.Return) and body[-1].value:
            kept = ast.Assign([ast.Name("handed_back", ast.Store())], body[-1].value)
            body[-1:] = [kept, ast.Return(ast.Name("handed_back", ast.Load()))]
            return ast.unparse(ast.fix_missing_locations(tree))
    return None


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value if node.id == self._name else node


def in_a_helper(source: str) -> str | None:
    """The whole answer stands in a function of its own, which the answer calls."""
    tree = ast.parse(source)
    node = tree.body[0]
    if not isinstance(node, ast.FunctionDef):
        return None
    inner = ast.FunctionDef("do_it", ast.parse(source).body[0].args, node.body, [])
    names = [ast.Name(one.arg, ast.Load()) for one in ast.walk(node.args) if isinstance(one, ast.arg)]
    node.body = [inner, ast.Return(ast.Call(ast.Name("do_it", ast.Load()), names, []))]
    return ast.unparse(ast.fix_missing_locations(tree))


def everything(source: str) -> str | None:
    """All of these one after the other, but for the helper."""
    for change in (reordered, inlined, renamed, other_comments):
        source = change(source) or source
    return source


def _bare(tree: ast.Module) -> str:
    for body in _bodies(tree):
        match body:
            case [ast.Expr(ast.Constant()), _, *_]:
                del body[0]
    return ast.unparse(tree)


DISGUISES: dict[str, Callable[[str], str | None]] = {
    "as it stands": as_it_stands,
    "variables renamed": renamed,
    "other comments": other_comments,
    "reformatted": reformatted,
    "statements reordered": reordered,
    "a value inlined, or named": inlined,
    "put into a helper": in_a_helper,
    "renamed, reordered, inlined, other comments": everything,
}


# The trial


def shown_of(exercise: str) -> Shown:
    """The course's answer alone: with the banks nothing of a trial would be left."""
    text = _text(answer_text.texts().get(exercise, ""))
    return Shown(frozenset(text.runs), frozenset(text.words))


def accused(exercise: str, there: Sequence[Program]) -> list[tuple[Program, Program]]:
    """The honest pairs of an exercise that are listed."""
    hand_ins = [_hand_in(number, one.source, exercise) for number, one in enumerate(there)]
    found = Class(hand_ins, shown_of(exercise)).pairs()
    return [tuple(there[int(name)] for name in pair.names) for pair in found]


def _hand_in(number: object, source: str, exercise: str) -> HandIn:
    return HandIn(str(number), {exercise: _text(source)})


def planted(
    exercise: str, there: Sequence[Program], disguise: Callable[[str], str | None]
) -> Iterator[tuple[Program, bool]]:
    """Each program that can be disguised so, and whether it and its copy are listed."""
    hand_ins = [_hand_in(number, one.source, exercise) for number, one in enumerate(there)]
    copies = [(number, copy) for number, one in enumerate(there) if (copy := disguise(one.source))]
    at_once = max(1, len(there) // 10)
    for start in range(0, len(copies), at_once):
        more = [
            _hand_in(f"{number} again", copy, exercise) for number, copy in copies[start : start + at_once]
        ]
        listed = {frozenset(pair.names) for pair in Class([*hand_ins, *more], shown_of(exercise)).pairs()}
        for number, _ in copies[start : start + at_once]:
            yield there[number], frozenset({str(number), f"{number} again"}) in listed


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.alike_trial", description=__doc__.split("\n")[0])
    parser.add_argument("--tuned", action="store_true", help="the half that was tuned on")
    parser.add_argument("--show", type=int, default=0, help="print so many honest pairs that are listed")
    asked = parser.parse_args()
    half = list(UNIT_OF)[0 if asked.tuned else 1 :: 2]
    banks = {name: there for name in half if len(there := programs(name)) >= 10}
    print(f"{len(banks)} exercises, {sum(map(len, banks.values()))} programs")
    kinds: Counter[str] = Counter()
    wrongly: Counter[str] = Counter()
    shown = []
    for name, there in banks.items():
        for one, other in itertools.combinations(there, 2):
            kinds[_kind(one, other)] += 1
        for one, other in accused(name, there):
            wrongly[_kind(one, other)] += 1
            shown.append((one, other))
    for kind, of in kinds.items():
        print(f"honest, {kind}: {wrongly[kind]} of {of} pairs listed ({wrongly[kind] / of:.2%})")
    for one, other in random.Random(1).sample(
        [p for p in shown if p[0].is_right and p[1].is_right] or shown, min(asked.show, len(shown))
    ):
        print(one.exercise, one.source, other.source, sep="\n", end="\n\n")
    for kind, disguise in DISGUISES.items():
        all_, long = Counter(), Counter()
        for name, there in banks.items():
            for one, listed in planted(name, there, disguise):
                all_[listed] += 1
                if len(_text(one.source).tokens) >= LONG:
                    long[listed] += 1
        print(f"{kind}: {all_[True]} of {all_.total()} found, of long ones {long[True]} of {long.total()}")
    return 0


def _kind(one: Program, other: Program) -> str:
    return {2: "both right", 1: "one right", 0: "both wrong"}[one.is_right + other.is_right]


if __name__ == "__main__":
    sys.exit(main())
