"""The lines of a right answer to be put in order, with a few lines of real mistakes among them."""

import ast
import contextlib
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from helpers import answer_text
from helpers.beside import set_up_first
from helpers.learner.checking import find_exercise, verdict_of
from helpers.questions import wrong_lines
from helpers.questions.wrong_lines import WrongLine
from helpers.views.order_view import Line, Mistake

EXERCISES = ("multi_head_attention", "MultiHeadAttention", "TransformerBlock", "KVCache", "online_attention")
"""The longest ones: their last hint is this."""

WRONG = 3
"""So many lines of mistakes, where there are as many that are told apart."""
_HEADS = (ast.FunctionDef, ast.ClassDef)


def offered(name: str) -> bool:
    """Whether the lines of an exercise can be put in order."""
    return name in EXERCISES and name in answer_text.texts()


def lines(source: str) -> tuple[Line, ...]:
    """The lines of an answer but the empty ones; each statement of it is one line.

    A line stands above another of its function where it stands so in the answer and one of them binds a name
    that the other reads or binds, or returns.  All other orders are right as well.
    """
    statements = list(_statements(ast.parse(source).body[0]))
    place = {id(one): at for at, (one, _, _) in enumerate(statements)}
    found = []
    for at, (one, block, function) in enumerate(statements):
        above = [k for k in range(at) if statements[k][2] is function and _bound(statements[k][0], one)]
        text = source.split("\n")[one.lineno - 1]
        found.append(Line(text, _is_fixed(one), place.get(id(block), -1), tuple(above)))
    return tuple(found)


def standing(answer: Sequence[Line], order: Sequence[int]) -> list[int]:
    """The lines that stand where they may in an order of all of them; `page/order.js` counts the same."""
    found = []
    for place, k in enumerate(order):
        above = order[:place]
        block = next((j for j in reversed(above) if answer[j].indent < answer[k].indent), -1)
        if block == answer[k].parent and set(answer[k].after) <= set(above):
            found.append(k)
    return found


def mistakes(name: str, dice: random.Random) -> list[Mistake]:
    """Some lines of real mistakes, in different lines of the answer where there are enough."""
    source, known = answer_text.texts()[name].split("\n"), wrong_lines.known().get(name, ())
    by_line: dict[int, list[WrongLine]] = {}
    for one in dice.sample(known, len(known)):
        by_line.setdefault(one.line, []).append(one)
    turns = sorted((turn, at) for at, wrong in enumerate(by_line.values()) for turn in range(len(wrong)))
    rows, found = list(by_line.values()), {}
    for turn, at in turns:
        if len(found) == WRONG:
            break
        one = rows[at][turn]
        if one.line > len(source) or one.text in source or one.text.endswith(":"):  # others stand in a block
            continue
        answer = answer_text.defined(name, one.source, set_up_first.modules())
        if says := _said(verdict_of(find_exercise(name), answer, wrong_lines.SEED)):
            found.setdefault(says, Mistake(plain(one.text), says))
    return list(found.values())


def _said(verdict: Any) -> str:
    """What a check says of a mistake, or `""` where that is about one call, or about a result of NaN alone.

    NaN has many causes, and the sentence may be about another one.
    """
    got = verdict.problem.got if verdict.problem else None
    if got is not None and got.dtype.kind == "f" and np.isnan(got).all():
        return ""
    line = "".join(verdict.lines[1:2])
    return (
        "" if line.startswith("On ") else line.partition(" Right: ")[0]
    )  # which steps are right is not asked


def plain(line: str) -> str:
    """A line without brackets that change nothing: small edits leave some, which would give them away."""
    line, sign, comment = line.partition("  #")
    meant = ast.dump(ast.parse(line.strip()))
    for start in reversed([at for at, letter in enumerate(line) if letter == "("]):
        for end in [at for at, letter in enumerate(line) if letter == ")" and at > start]:
            less = line[:start] + line[start + 1 : end] + line[end + 1 :]
            with contextlib.suppress(SyntaxError):
                if ast.dump(ast.parse(less.strip())) == meant:
                    line = less
                    break
    return line + sign + comment


def _statements(
    node: ast.stmt, block: ast.stmt | None = None, function: ast.stmt | None = None
) -> Iterator[tuple[ast.stmt, ast.stmt | None, ast.stmt | None]]:
    """Each statement, the one in whose block it stands, and its function, as they are written."""
    yield node, block, function
    for one in getattr(node, "body", ()):
        yield from _statements(one, node, node if isinstance(node, _HEADS) else function)


def _is_fixed(node: ast.stmt) -> bool:
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or isinstance(node, _HEADS)


def _bound(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two statements have to stay in their order."""
    if _is_fixed(one) or _is_fixed(other):
        return False
    if isinstance(one, ast.Return) or isinstance(other, ast.Return):
        return True
    (read, bound), (reads, binds) = _names(one), _names(other)
    return bool(bound & (reads | binds) or read & binds)


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The names that a statement reads and those that it binds; of one with a block, those of its first line.

    A module's own parts can be set once `super().__init__()` has run: it binds what each of them reads.
    """
    read, bound = set(), set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
            (read if isinstance(one.ctx, ast.Load) else bound).add(f"self.{one.attr}")
            continue
        if isinstance(one, ast.Name) and one.id == "super":
            bound.add("super")
        elif isinstance(one, ast.Name):
            (read if isinstance(one.ctx, ast.Load) else bound).add(one.id)
        waiting += [child for child in ast.iter_child_nodes(one) if not isinstance(child, ast.stmt)]
    sets = any(name.startswith("self.") for name in bound)
    if sets and isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        read.add("super")
    return read, bound
