"""A text as it is compared: its code, in which the writer's names do not count, and the words they chose."""

import ast
import builtins
import copy
import io
import keyword
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from grading.handed_in.flags import LONGEST, python

RUN = 16
"""Tokens in a row that are compared: about a line."""

Run = tuple[str, ...]

_FIXED = {*keyword.kwlist, *dir(builtins), "self", "np", "torch", "nn", "F", "math", "plt", "numpy"}
_LAYOUT = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
_PIECE = re.compile(r"#.*|\"[^\"\n]*\"|'[^'\n]*'|\w+|\n|[^\w\s]")
_KINDS = {"#": tokenize.COMMENT, '"': tokenize.STRING, "'": tokenize.STRING, "\n": tokenize.NEWLINE}
_WORD = re.compile(r"[^\W_]{3,}")
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True)
class Token:
    """A token of code.

    Attributes:
        text: as it stands.
        lines: where its statement begins and ends, from 1; of what is no Python, its own line.
        own: whether it is a name that the writer chose, which somebody else may change in all its places.
        part: the line of the function or class that it is in; 0 outside of all.
    """

    text: str
    lines: tuple[int, int]
    own: bool = False
    part: int = 0


@dataclass(frozen=True)
class Text:
    """An answer, or what else somebody wrote into a notebook.

    Attributes:
        source: as it stands there.
        given: names that are not the writer's, such as those of the course's functions.
    """

    source: str
    given: frozenset[str] = frozenset()

    @cached_property
    def tokens(self) -> list[Token]:
        """Its code, without comments, docstrings, imports, annotations and layout."""
        short = self.source[:LONGEST]
        for source in (short, python(short)):
            try:
                with warnings.catch_warnings(action="ignore"):  # of what a learner's text escapes
                    plain = list(_statements(_Bare().visit(ast.parse(source))))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            return [token for text, lines, part in plain for token in self._tokens(text, lines, part)]
        return list(self._tokens(short, None))

    @cached_property
    def words(self) -> set[str]:
        """The names that the writer made, the words of comments and texts, and whole ones of more words."""
        found = {token.text for token in self.tokens if token.own and len(token.text) > 2}
        for kind, text, _ in _pieces(self.source[:LONGEST]):
            if kind in (tokenize.COMMENT, tokenize.STRING):
                said = _WORD.findall(text.lower())
                found |= {*said, *([" ".join(said)] if len(said) > 2 else [])}
        return found

    @cached_property
    def runs(self) -> dict[Run, int]:
        """Each run of tokens within a function, its own names numbered, and the place of its first token."""
        starts = range(len(self.tokens) - RUN + 1)
        found = ((self.tokens[at : at + RUN], at) for at in starts)
        return {run(tokens): at for tokens, at in found if len({one.part for one in tokens}) == 1}

    @cached_property
    def normal(self) -> Run:
        """The same for texts that differ in names, comments, docstrings and layout alone."""
        return run(self.tokens)

    def lines_of(self, runs: Iterable[Run]) -> set[int]:
        """The lines of the statements of which at least half is in such runs."""
        inside = {place for one in runs for place in range(self.runs[one], self.runs[one] + RUN)}
        of = Counter(token.lines for token in self.tokens)
        held = Counter(self.tokens[place].lines for place in inside)
        found = [range(lines[0], lines[1] + 1) for lines, count in held.items() if 2 * count >= of[lines]]
        return {line for lines in found for line in lines}

    def _tokens(self, source: str, lines: tuple[int, int] | None, part: int = 0) -> Iterator[Token]:
        depth, before = 0, ["\n", "\n"]
        pieces = [one for one in _pieces(source) if one[0] != tokenize.COMMENT]
        for (kind, text, line), (_, after, _) in zip(pieces, [*pieces[1:], (0, "\n", 0)], strict=True):
            text = "\n" if kind == tokenize.NEWLINE else text
            depth = max(0, depth + (text in ("(", "[", "{")) - (text in (")", "]", "}")))
            attribute = before[-1] == "." and before[-2] != "self"
            fixed = attribute or text in _FIXED or text in self.given or (depth and after == "=")
            if text != "\n" or before[-1] != "\n":
                yield Token(text, lines or (line, line), kind == tokenize.NAME and not fixed, part)
                before.append(text)


def run(tokens: Sequence[Token]) -> Run:
    """Tokens as they are compared: the first own name is `name0` wherever it stands, the next `name1`."""
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(one.text, f"name{len(numbers)}") if one.own else one.text for one in tokens
    )


def _statements(node: ast.AST, part: int = 0) -> Iterator[tuple[str, tuple[int, int], int]]:
    """Each statement in Python's own layout, of one with a block its head; its lines, and its part."""
    for field in _BLOCKS:
        inside = getattr(node, field, None)
        for one in inside if isinstance(inside, list) else ():
            if isinstance(one, ast.Import | ast.ImportFrom):
                continue
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):  # a docstring
                continue
            within = one.lineno if isinstance(one, ast.FunctionDef | ast.ClassDef) else part
            head = copy.copy(one)
            blocks = [name for name in _BLOCKS if isinstance(getattr(one, name, None), list)]
            for name in blocks:
                setattr(head, name, [])
            first = getattr(one, "pattern", one).lineno  # a `case` has its line there
            yield ast.unparse(head), (first, first if blocks else one.end_lineno), within
            yield from _statements(one, within)


class _Bare(ast.NodeTransformer):
    """Takes annotations away."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return ast.copy_location(ast.Assign([node.target], node.value), node) if node.value else node


def _pieces(source: str) -> Iterator[tuple[int, str, int]]:
    """Kind, text and line of each token; of what Python cannot cut, pieces that look like some."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        line = 1
        for piece in _PIECE.finditer(source):
            plain = tokenize.NAME if piece[0].isidentifier() else tokenize.OP
            yield _KINDS.get(piece[0][0], plain), piece[0], line
            line += piece[0] == "\n"
        return
    yield from ((one.type, one.string, one.start[0]) for one in found if one.type not in _LAYOUT)
