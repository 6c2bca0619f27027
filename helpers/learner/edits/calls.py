"""Small edits of calls, brackets and lines: each kind takes a node and yields what could stand there."""

import ast
from typing import Any

from helpers.learner.edits.code import Found, bracketed, called, is_called, number_in, symbol, whole

_REDUCES = frozenset(
    (
        *("sum", "mean", "max", "min", "amax", "amin", "prod", "std", "var", "any", "all"),
        *("argmax", "argmin", "norm", "softmax"),
    )
)
_BLOCKS = (ast.For, ast.While, ast.If, ast.With)
_COUNTS = ("range", "arange", "tril", "triu", "linspace", "eye", "diagonal")


def calls(node: Any, code: Any) -> Found:
    """A call left out, its arguments swapped, an option added or left out."""
    if not isinstance(node, ast.Call):
        return
    first = node.args[0] if node.args else None
    method = isinstance(node.func, ast.Attribute) and whole(node.func.value)
    of_module = (
        method and isinstance(node.func.value, ast.Name) and node.func.value.id not in code.names(node)
    )
    on = node.func.value if method and not of_module else first
    if whole(on):
        yield node, bracketed(code.text(on))
        if called(node) in ("transpose", "permute", "reshape", "view"):
            yield node, f"{bracketed(code.text(on))}.swapaxes(-1, -2)"
    if whole(first) and first is not on:
        yield node, bracketed(code.text(first))
    if whole(first) and called(node) == "len":
        yield from ((node, f"{bracketed(code.text(first))}.shape[{axis}]") for axis in (-1, -2))
    if called(node) in ("exp", "exp2") and whole(first):
        inner = bracketed(code.text(first))
        for largest in ("max", "amax"):
            yield first, f"{inner} - {inner}.{largest}(axis=-1, keepdims=True)"
        if "axis" in code.names(node):
            yield first, f"{inner} - {inner}.max(axis=axis, keepdims=True)"
    yield from _arguments(node, code)


def _arguments(node: ast.Call, code: Any) -> Found:
    for one, other in zip(node.args, node.args[1:], strict=False):
        yield from _swapped(one, other, code)
    last = [*node.args, *(one.value for one in node.keywords)]
    end = (max(last, key=lambda one: (one.end_lineno, one.end_col_offset)), "after") if last else None
    given = {one.arg for one in node.keywords}
    for one in node.keywords:
        if one.lineno == one.end_lineno and one.arg not in ("where", "initial"):
            yield from _left_out(node, one, code)
    comma = ", " if last else ""
    options = []
    if called(node) in _REDUCES:
        at = [
            f"axis={axis}"
            for axis in ("-1", "0", "1", "-2", *(["axis"] if "axis" in code.names(node) else []))
        ]
        if not given & {"axis", "dim"} and len(node.args) < 2:
            options += [*at, *(f"{one}, keepdims=True" for one in at[:2] + at[4:])]
        if not given & {"keepdims", "keepdim"}:
            options.append("keepdims=True")
    if called(node) in ("triu", "tril") and len(node.args) == 1 and not node.keywords:
        options += ["1", "-1"]
    if called(node) in ("ones", "zeros", "full", "eye", "tri") and not given:
        options.append("dtype=bool")
    for option in options:
        if end:
            yield end, comma + option
        elif node.lineno == node.end_lineno:
            yield node, f"{code.text(node.func)}({option})"


def _left_out(node: ast.Call, keyword: ast.keyword, code: Any) -> Found:
    """A call without one of its options."""
    if node.lineno == node.end_lineno:
        kept = [*node.args, *(one for one in node.keywords if one is not keyword)]
        yield node, f"{code.text(node.func)}({', '.join(code.text(one) for one in kept)})"


def _swapped(one: Any, other: Any, code: Any) -> Found:
    """Two values that follow one another, in the other order; both have to stand in one line."""
    if one.lineno == other.end_lineno and code.parent[one] is code.parent[other]:
        line = code.lines[one.lineno - 1]
        between = line[one.end_col_offset : other.col_offset].decode()
        both = ast.Constant(None, lineno=one.lineno, end_lineno=one.lineno)
        both.col_offset, both.end_col_offset = one.col_offset, other.end_col_offset
        yield both, code.text(other) + between + code.text(one)


def tuples(node: Any, code: Any) -> Found:
    """Two entries in the other order, one of them alone."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for one, other in zip(node.elts, node.elts[1:], strict=False):
            yield from _swapped(one, other, code)
        if isinstance(code.parent.get(node), ast.Return) and whole(node):
            yield from ((node, code.text(one)) for one in node.elts)


def slices(node: Any, code: Any) -> Found:
    """Another bound, a bound on the other side, a new axis somewhere else."""
    if isinstance(node, ast.Slice) and node.lineno == node.end_lineno and node.step is None:
        low, high = (code.text(one) if one else "" for one in (node.lower, node.upper))
        for one in {f"{high}:{low}", f"{low}:", f":{high}", ":"} - {f"{low}:{high}"}:
            yield node, one
        for bound, side in ((low, "low"), (high, "high")):
            for step in (" + 1", " - 1") if bound else ():
                yield node, f"{bound}{step}:{high}" if side == "low" else f"{low}:{bound}{step}"
        if not low and not high:
            yield from ((node, one) for one in ("1:", ":-1", "None", "::-1"))
    if isinstance(node, ast.Subscript) and whole(node):
        value, inside = code.text(node.value), code.text(node.slice)
        bare = inside.strip("()").replace(" ", "")
        if bare in (":,None", "None,:", "...,None", "...,None,:", ":,None,:", "None", "..., :,None"):
            for other in (":, None", "None, :", "..., None", "..., None, :", ":, None, :", "..., :, None"):
                yield node, f"{value}[{other}]"
        if not isinstance(node.slice, ast.Tuple | ast.Slice):
            yield from ((node, f"{value}[{form}{inside}]") for form in ("..., ", ":, "))
        yield node, value
        if whole(node.slice) and not isinstance(node.slice, ast.Tuple):
            yield node, f"({inside})"
        if isinstance(node.slice, ast.Tuple):
            for one, other in zip(node.slice.elts, node.slice.elts[1:], strict=False):
                yield from _swapped(one, other, code)


def counts(node: Any, code: Any) -> Found:
    """One more or one less, where things are counted."""
    parent = code.parent.get(node)
    if not whole(node) or number_in(node) is not None or isinstance(node, ast.Constant | ast.Tuple):
        return
    of_brackets = isinstance(parent, ast.Subscript) and parent.value is not node
    if (
        (called(parent) in _COUNTS and not is_called(node, code))
        or of_brackets
        or isinstance(parent, ast.Compare)
    ):
        yield node, f"({code.text(node)} + 1)"
        yield node, f"({code.text(node)} - 1)"


def results(node: Any, code: Any) -> Found:
    """What is returned as an array, called, or returned at all; what is written in place, anew."""
    if isinstance(node, ast.Return) and whole(node.value):
        text = code.text(node.value)
        yield from ((node.value, f"{call}({text})") for call in ("np.array", "float", "int", "bool", "tuple"))
        yield node.value, f"{bracketed(text)}()"
    elif isinstance(node, ast.AugAssign) and whole(node.value) and node.lineno == node.end_lineno:
        target = code.text(node.target)
        yield node, f"{target} = {target} {symbol(node.op)} ({code.text(node.value)})"
    elif isinstance(node, ast.Expr | ast.Assign) and whole(node.value) and _is_last(node, code):
        yield node, f"return {code.text(node.value)}"
        if called(node.value) == "print" and len(node.value.args) == 1:
            yield node, f"return {code.text(node.value.args[0])}"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
        yield from ((node.value, f"{node.value.id}.{copy}()") for copy in ("copy", "clone"))


def _is_last(node: ast.stmt, code: Any) -> bool:
    body = getattr(code.function(node), "body", [])
    return bool(body) and isinstance(body, list) and body[-1] is node


def defaults(node: Any, code: Any) -> Found:
    """A default for the last argument."""
    if isinstance(node, ast.FunctionDef) and node.args.args and not node.args.defaults:
        yield from (((node.args.args[-1], "after"), f"={value}") for value in ("-1", "None", "1"))


def margins(node: Any, code: Any) -> Found:
    """The last line of a block behind it, the first line behind a block inside."""
    parent = code.parent.get(node)
    body = getattr(parent, "body", None)
    if not isinstance(node, ast.stmt) or not isinstance(body, list) or node not in body:
        return
    if node.lineno != node.end_lineno or code.lines[node.lineno - 1][: node.col_offset].strip():
        return
    margin = ast.Constant(None, lineno=node.lineno, end_lineno=node.lineno)
    margin.col_offset, margin.end_col_offset = 0, node.col_offset
    if isinstance(parent, _BLOCKS) and node is body[-1] and len(body) > 1:
        yield margin, " " * parent.col_offset
    before = body[body.index(node) - 1] if body.index(node) else None
    if isinstance(before, _BLOCKS):
        yield margin, " " * before.body[-1].col_offset


def left_out(node: Any, code: Any) -> Found:
    """A line that does nothing any more."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and node.lineno == node.end_lineno:
        yield node, "pass"
