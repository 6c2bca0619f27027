"""What an answer reads beside its arguments, how it writes powers, which lines of it still say `...`.

The answer itself is not run.  All are facts about the code, no mistakes: the verdict tells the first two
where a wrong answer has no name, and the last of any wrong answer.
"""

import ast
import contextlib
import io
import linecache
import re
import textwrap
import tokenize
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from helpers.beside.byte_code import all_steps, inner

MOST = 3
"""So many names are told."""

_DATA = (bool, int, float, complex, str, np.generic, np.ndarray, list, tuple, dict, set)
_IPYTHON = {"In", "Out"}
_POWER = re.compile(r"\*\*\s*(?:1|-\s*\d)")
_GIVES = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_SKIPPED = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


def read_outside(answer: Any) -> list[str]:
    """The plain data that a function takes from outside: numbers, arrays, texts and what holds them.

    Modules, functions and classes are not data, and names such as `EPS` are constants.
    """
    found = []
    for function in _functions(answer):
        names, written = [], set()
        for step in all_steps(function.__code__):
            if step.opname == "LOAD_GLOBAL":
                names.append(step.argval)
            elif step.opname == "STORE_GLOBAL":
                written.add(step.argval)
        space = function.__globals__
        found += [name for name in names if name not in written and _is_data(name, space.get(name))]
    return list(dict.fromkeys(found))[:MOST]


def powers(answer: Any) -> list[str]:
    """Powers that are followed by a factor or a divisor as if that were in the exponent, such as "1 / 2".

    Told are `x ** 1/2`, `x ** -1/2` and `x ** -2 * i`; nobody writes the first two for what they are.
    """
    found = []
    for function in _functions(answer):
        text = _source(function.__code__)
        if _POWER.search(text):
            found += _powers_in(text)
    return list(dict.fromkeys(found))[:MOST]


def placeholders(answer: Any) -> list[str]:
    """The lines that are left to write, such as `scores = ...`: what they give is `...` itself."""
    found = []
    for function in _functions(answer):
        text = _source(function.__code__)
        if "..." in text:
            with contextlib.suppress(SyntaxError):  # the lines may end inside a bracket
                nodes = ast.walk(ast.parse(textwrap.dedent(text)))
                found += [ast.unparse(node) for node in nodes if isinstance(node, _GIVES) and _is_open(node)]
    return list(dict.fromkeys(found))[:MOST]


def _is_open(node: ast.AST) -> bool:
    return isinstance(node.value, ast.Constant) and node.value.value is ...


def _functions(answer: Any) -> list[FunctionType]:
    """A function, or the methods of a class; nothing of the learner's runs while we look."""
    kept = type.__dict__["__dict__"].__get__(answer).values() if isinstance(answer, type) else [answer]
    return [one for one in kept if isinstance(one, FunctionType)]


def _is_data(name: str, value: Any) -> bool:
    if name.startswith("_") or name in _IPYTHON or _is_constant(name):
        return False
    kind = type(value)
    return issubclass(kind, _DATA) or (str(kind.__module__).startswith("torch") and hasattr(kind, "detach"))


def _is_constant(name: str) -> bool:
    """Whether it is written like `EPS`; `X` and `W_Q` are matrices."""
    return name.isupper() and sum(map(str.isalpha, name)) > 2


def _source(code: CodeType) -> str:
    """The lines of a function, where they are at hand."""
    first = code.co_firstlineno
    last = max((line for _, _, line in code.co_lines() if line), default=first)
    last = max([last, *(line for one in inner(code) for _, _, line in one.co_lines() if line)])
    return "".join(linecache.getlines(code.co_filename)[first - 1 : last])


def _powers_in(text: str) -> Iterator[str]:
    tokens = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError):  # the lines may end inside a bracket
        for one in tokenize.generate_tokens(io.StringIO(textwrap.dedent(text)).readline):
            if one.type not in _SKIPPED:
                tokens.append(one.string)
    for place, token in enumerate(tokens):
        sign = "-" if tokens[place + 1 : place + 2] == ["-"] else ""
        begin = place + 1 + len(sign)
        if token != "**" or len(tokens) < begin + 3:
            continue
        exponent, by, then = tokens[begin : begin + 3]
        cut_short = by == "/" if exponent == "1" else by == "*" and sign
        if cut_short and exponent.isdigit() and re.fullmatch(r"\w+", then):
            yield f"{sign}{exponent} {by} {then}"
