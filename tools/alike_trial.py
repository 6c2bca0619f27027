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
import math
import random
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from grading.alike.class_texts import is_forced
from grading.alike.likeness import Class, HandIn, Shown
from grading.alike.written import Text
from helpers import answer_text
from helpers.units import UNIT_OF, UNITS, module_name
from tools.shell import ROOT

GIVEN = frozenset({*UNIT_OF, "reference"})
LONG = 60
"""Tokens from which an answer is called long, with its `def` line: about five lines."""

EQUAL = "equal but for names, comments and layout"
FEWEST, SHUFFLES = 8, 20
"""How many programs make a class; how many classes of whole hand-ins are drawn from a unit's."""


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


@cache
def programs(exercise: str) -> list[Program]:
    """The programs of a bank, without those that differ in names, comments and layout alone."""
    return list({_text(one.source).normal: one for one in reversed(all_programs(exercise))}.values())[::-1]


@cache
def all_programs(exercise: str) -> list[Program]:
    """The functions and classes of a bank."""
    path = ROOT / "banks" / f"unit_{UNIT_OF[exercise]}" / f"{module_name(exercise)}.py"
    written = path.read_text("utf-8") if path.is_file() else ""
    lines, found = written.splitlines(keepends=True), []
    for node in ast.parse(written).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            registered = re.match(r"(right|wrong)\(['\"](\w+)", ast.unparse(node.decorator_list[0]))
            if registered and registered[2] == exercise:
                text = "".join(lines[node.lineno - 1 : node.end_lineno])
                named = re.sub(rf"\b{node.name}\b", exercise, text)
                found.append(Program(exercise, registered[1] == "right", named))
    return found


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


@dataclass
class Figures:
    """What the trial counts.

    Attributes:
        honest: pairs, by what they are.
        accused: those of them that are listed.
        planted: copies, by disguise; those of long answers under the disguise and `LONG`.
        found: those of them that are listed with what they are copied from.
    """

    honest: Counter[str] = field(default_factory=Counter)
    accused: Counter[str] = field(default_factory=Counter)
    planted: Counter[tuple[str, int]] = field(default_factory=Counter)
    found: Counter[tuple[str, int]] = field(default_factory=Counter)


def trial(exercises: Sequence[str], disguises: Sequence[str] = tuple(DISGUISES)) -> Figures:
    """One exercise after the other, each a class of its own."""
    got = Figures()
    for exercise in exercises:
        there = programs(exercise)
        got.honest.update(_kind(*pair) for pair in itertools.combinations(there, 2))
        got.accused.update(_kind(*pair) for pair in accused(there))
        of, listed = equal_pairs(exercise)
        got.honest[EQUAL] += of
        got.accused[EQUAL] += listed
        for disguise in disguises:
            for one, listed in planted(there, DISGUISES[disguise]):
                for size in (0, LONG)[: 1 + (len(_text(one.source).tokens) >= LONG)]:
                    got.planted[disguise, size] += 1
                    got.found[disguise, size] += listed
    return got


def accused(there: Sequence[Program]) -> list[tuple[Program, Program]]:
    """The honest pairs of an exercise that are listed."""
    found = Class(
        [_hand_in(number, one) for number, one in enumerate(there)], _shown([there[0].exercise])
    ).pairs()
    return [(there[int(pair.one.name)], there[int(pair.other.name)]) for pair in found]


def equal_pairs(exercise: str) -> tuple[int, int]:
    """How many pairs of a bank are equal but for names, comments and layout, and how many are listed."""
    people = [_hand_in(number, one) for number, one in enumerate(all_programs(exercise))]
    alike = [
        (one.name, other.name)
        for one, other in itertools.combinations(people, 2)
        if one.texts[exercise].normal == other.texts[exercise].normal
    ]
    listed = {pair.names for pair in Class(people, _shown([exercise])).pairs()}
    return len(alike), len(listed & {*alike})


def planted(
    there: Sequence[Program], disguise: Callable[[str], str | None]
) -> Iterator[tuple[Program, bool]]:
    """Each program that can be disguised so, and whether it is listed with its copy; a tenth of them copy."""
    honest = [_hand_in(number, one) for number, one in enumerate(there)]
    copies = [
        (one, number, _hand_in(f"like {number}", replace(one, source=copy)))
        for number, one in enumerate(there)
        if (copy := disguise(one.source))
    ]
    at_once = max(1, len(there) // 10)
    for start in range(0, len(copies), at_once):
        some = copies[start : start + at_once]
        there_now = Class([*honest, *(copy for _, _, copy in some)], _shown([there[0].exercise]))
        listed = {pair.names for pair in there_now.pairs()}
        yield from ((one, (str(number), copy.name) in listed) for one, number, copy in some)


def whole_hand_ins(unit: str, seed: int) -> list[HandIn]:
    """A class in which nobody shares an answer: each has right programs of their own, in every exercise."""
    dice, answers = random.Random(seed), {}
    for exercise in compared(UNITS[unit]):
        right = [one for one in programs(exercise) if one.is_right]
        if len(right) >= FEWEST:
            answers[exercise] = dice.sample(right, len(right))
    people = min(map(len, answers.values()), default=0)
    return [
        HandIn(str(number), {name: _text(some[number].source) for name, some in answers.items()})
        for number in range(people)
    ]


def _whole(unit: str, seed: int) -> tuple[int, int, int, int]:
    """Honest pairs of such a class, those listed; whether there is one to copy, and whether that is found."""
    people = whole_hand_ins(unit, seed)
    if not people:
        return 0, 0, 0, 0
    texts = {name: _text(everything(text.source) or "") for name, text in people[0].texts.items()}
    listed = {pair.names for pair in Class([*people, HandIn("copy", texts)], _shown(UNITS[unit])).pairs()}
    honest = {names for names in listed if "copy" not in names}
    return math.comb(len(people), 2), len(honest), 1, (people[0].name, "copy") in listed


def compared(exercises: Iterable[str]) -> list[str]:
    """The exercises with more than one line to write, and a bank."""
    right = answer_text.texts()
    return [
        one for one in exercises if not is_forced(one, right.get(one, "")) and len(programs(one)) >= FEWEST
    ]


def _hand_in(number: object, one: Program) -> HandIn:
    return HandIn(str(number), {one.exercise: _text(one.source)})


def _shown(exercises: Iterable[str]) -> Shown:
    """The course's answers alone: with the banks nothing of a trial would be left."""
    texts = [_text(answer_text.texts().get(one, "")) for one in exercises]
    runs, words = (
        (one for text in texts for one in what(text))
        for what in (lambda text: text.runs, lambda text: text.words)
    )
    return Shown(frozenset(runs), frozenset(words))


def _kind(one: Program, other: Program) -> str:
    return ("both wrong", "one of them right", "both right")[one.is_right + other.is_right]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.alike_trial", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("--tuned", action="store_true", help="the half that was tuned on")
    parser.add_argument(
        "--show", action="store_true", help="print the pairs of right programs that are listed"
    )
    asked = parser.parse_args()
    half = compared(UNIT_OF)[0 if asked.tuned else 1 :: 2]
    got = trial(half)
    print(f"{len(half)} exercises, {sum(len(programs(one)) for one in half)} programs.\n")
    print("| pairs of programs of the banks | listed | of |\n| --- | --- | --- |")
    for kind, of in got.honest.items():
        print(f"| {kind} | {got.accused[kind]} ({got.accused[kind] / of:.2%}) | {of} |")
    print(f"\n| copies | found | of | of {LONG} tokens or more | of |\n| --- | --- | --- | --- | --- |")
    for kind in DISGUISES:
        counts = [some[kind, size] for size in (0, LONG) for some in (got.found, got.planted)]
        print(f"| {kind} | {' | '.join(map(str, counts))} |")
    pairs, listed, copies, found = map(
        sum,
        zip(*(_whole(unit, seed) for unit, seed in itertools.product(UNITS, range(SHUFFLES))), strict=True),
    )
    print(f"\nWhole hand-ins of right programs: {listed} of {pairs} pairs listed ({listed / pairs:.2%});")
    print(f"of one that is copied in all exercises, in the last disguise, {found} of {copies} found.")
    if asked.show:
        for one, other in (pair for name in half for pair in accused(programs(name))):
            if one.is_right and other.is_right:
                print("", one.exercise, one.source, other.source, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
