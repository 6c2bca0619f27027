"""Small edits of a right answer, each inside one line: they stand for what people get wrong there.

Another axis, an operator, a name.  Each kind takes a node of the code and yields what could stand there.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Found = Iterator[tuple[ast.AST, str]]
"""Nodes, and the text that could stand there."""

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_BLOCKS = (ast.For, ast.While, ast.If, ast.With)
_OPERATORS: dict[type, tuple[str, ...]] = {
    ast.Add: ("-", "*", "@"),
    ast.Sub: ("+", "*", "/"),
    ast.Mult: ("/", "@", "+", "**", "&"),
    ast.Div: ("*", "-", "//"),
    ast.FloorDiv: ("/",),
    ast.Mod: ("//",),
    ast.Pow: ("*", "/"),
    ast.MatMult: ("*",),
    ast.BitAnd: ("|", "^"),
    ast.BitOr: ("&",),
    ast.BitXor: ("&", "|"),
}
_IN_ORDER = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)
_COMPARED: dict[type, tuple[str, ...]] = {
    ast.Lt: ("<=", ">", ">="),
    ast.LtE: ("<", ">=", ">"),
    ast.Gt: (">=", "<", "<="),
    ast.GtE: (">", "<=", "<"),
    ast.Eq: ("!=", ">=", "<="),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
_OTHERS: dict[str, tuple[str, ...]] = {
    "sum": ("mean", "max", "prod"),
    "mean": ("sum", "max"),
    "max": ("min", "amax", "mean", "argmax"),
    "argmax": ("argmin",),
    "maximum": ("minimum",),
    "std": ("var",),
    "any": ("all",),
    "all": ("any",),
    "tril": ("triu",),
    "eye": ("tri",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "exp": ("exp2",),
    "sin": ("cos",),
    "cos": ("sin",),
    "stack": ("concatenate",),
    "cat": ("stack",),
    "vstack": ("hstack",),
    "repeat_interleave": ("repeat",),
    "LayerNorm": ("Linear",),
}
_REDUCES = frozenset(("sum", "mean", "max", "min", "std", "any", "all", "argmax", "softmax"))
_COUNTS = ("range", "arange", "tril", "eye")
_PRODUCTS = ("matmul", "dot", "linear")
_TURNED = ".swapaxes(-1, -2)"


@dataclass(frozen=True)
class Edit:
    """Other text in one line.

    Attributes:
        line: its number in the source, from 1.
        start: where the text begins that is replaced, in bytes, as `ast` counts.
        end: where it ends.
        text: what stands there instead.
    """

    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The source with this edit."""
        lines = source.split("\n")
        line = lines[self.line - 1].encode()
        lines[self.line - 1] = (line[: self.start] + self.text.encode() + line[self.end :]).decode()
        return "\n".join(lines)


def small_edits(source: str) -> Iterator[Edit]:
    """Every small edit of a function or class, those of one line after those of another."""
    code, seen = _Code(source), set()
    nodes = [node for node in _nodes(code.tree) if hasattr(node, "lineno")]
    for node in sorted(nodes, key=lambda node: node.lineno):
        for kind in _KINDS:
            for place, text in kind(node, code):
                if place.lineno != place.end_lineno or code.text(place) == text:
                    continue
                edit = Edit(place.lineno, place.col_offset, place.end_col_offset, text)
                if edit not in seen:
                    seen.add(edit)
                    yield edit


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All of the code but its decorators, its annotations and texts with values in them."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("decorator_list", "returns", "annotation"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr | ast.expr_context):
                    yield from _nodes(child)


class _Code:
    """A piece of code, and what the kinds of edits ask of it."""

    def __init__(self, source: str) -> None:
        self.lines = [line.encode() for line in source.split("\n")]
        self.tree = ast.parse(source)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def text(self, node: Any) -> str:
        """The text of a node that stands in one line."""
        return self.lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()

    def bracketed(self, node: Any) -> str:
        """The same in brackets, where it needs any."""
        text = self.text(node)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def names(self, node: Any) -> list[str]:
        """The arguments and variables of the functions around a node."""
        found: list[str] = []
        while node in self.parent:
            node = self.parent[node]
            if isinstance(node, _FUNCTIONS):
                found += _own_names(node)
        return [name for name in dict.fromkeys(found) if name not in ("self", "cls", "_")]

    def attributes(self, node: Any) -> list[str]:
        """What the class around a node keeps in `self`."""
        while node in self.parent and not isinstance(node, ast.ClassDef):
            node = self.parent[node]
        kept = [one for one in ast.walk(node) if isinstance(one, ast.Attribute)]
        return list(dict.fromkeys(one.attr for one in kept if isinstance(one.ctx, ast.Store)))


def _own_names(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _whole(node: Any) -> bool:
    """Whether it is a value that stands in one line."""
    return (
        isinstance(node, ast.expr)
        and not isinstance(node, ast.Slice | ast.Starred)
        and node.lineno == node.end_lineno
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    )


def _called(node: Any) -> str:
    """The last part of the name of what is called."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def _is_called(node: Any, code: _Code) -> bool:
    """Whether it is the function of a call."""
    parent = code.parent.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _number_in(node: Any) -> int | float | None:
    """A number that is written down, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number_in(node.operand)
        return None if inner is None else -inner
    known = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if known else None


def _symbol(operator: ast.operator) -> str:
    """An operator as it is written."""
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[2:-2]


def _numbers(node: Any, code: _Code) -> Found:
    """One more or less, the other sign, another axis, 0 for 1; `True` for `False`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    value = _number_in(node)
    if value is None or _number_in(code.parent.get(node)) is not None:
        return
    near = {value - 1, value + 1, -value, 0, 1, -1, 2, -2} if isinstance(value, int) else {-value, 1.0, 0.0}
    for other in sorted(near - {value}):
        yield node, f"({other})" if other < 0 else f"{other}"


def _infinities(node: Any, code: _Code) -> Found:
    """0 for an infinity, without and with its sign."""
    if getattr(node, "attr", "") == "inf":
        yield node, "0"
        parent = code.parent[node]
        if isinstance(parent, ast.UnaryOp):
            yield parent, "0"


def _operators(node: Any, code: _Code) -> Found:
    """Another operator, the operands swapped, one of them alone, other brackets."""
    if not isinstance(node, ast.BinOp) or not _whole(node):
        return
    left, right, sign = code.bracketed(node.left), code.bracketed(node.right), _symbol(node.op)
    for other in _OPERATORS.get(type(node.op), ()):
        yield node, f"({left} {other} {right})"
    if isinstance(node.op, _IN_ORDER):
        yield node, f"({right} {sign} {left})"
    yield node, left
    yield node, right
    if isinstance(node.right, ast.BinOp):
        first, second = code.bracketed(node.right.left), code.bracketed(node.right.right)
        yield node, f"(({left} {sign} {first}) {_symbol(node.right.op)} {second})"


def _comparisons(node: Any, code: _Code) -> Found:
    """A comparison turned, or with and without equality."""
    if isinstance(node, ast.Compare) and _whole(node) and len(node.ops) == 1:
        left, right = code.bracketed(node.left), code.bracketed(node.comparators[0])
        for other in _COMPARED.get(type(node.ops[0]), ()):
            yield node, f"({left} {other} {right})"


def _signs(node: Any, code: _Code) -> Found:
    """`~`, `not` and `-` taken out, `~` put in where a mask can stand."""
    if not _whole(node):
        return
    if isinstance(node, ast.UnaryOp) and _number_in(node) is None:
        yield node, code.bracketed(node.operand)
    elif _may_be_mask(node, code.parent.get(node)):
        yield node, f"(~{code.bracketed(node)})"


def _may_be_mask(node: Any, parent: Any) -> bool:
    if isinstance(node, ast.Constant):
        return False
    if isinstance(parent, ast.Call) and parent.args:
        return node in (parent.args[0], parent.args[-1])
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.BitAnd | ast.BitOr)
    return isinstance(parent, ast.Return | ast.Assign | ast.keyword)


def _transposes(node: Any, code: _Code) -> Found:
    """A transpose added, taken out, or moved to the other factor."""
    if not _whole(node):
        return
    parent = code.parent.get(node)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node, code.bracketed(node.value)
    product = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)
    if product or _called(parent) in _PRODUCTS or isinstance(parent, ast.Return | ast.Assign):
        yield node, code.bracketed(node) + _TURNED
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        left, right = _unturned(node.left), _unturned(node.right)
        if right is not node.right and left is node.left:
            yield node, f"({code.bracketed(left)}{_TURNED} @ {code.bracketed(right)})"


def _unturned(node: Any) -> Any:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return node.value
    if _called(node) in ("swapaxes", "transpose") and isinstance(node.func, ast.Attribute):
        return node.func.value
    return node


def _names(node: Any, code: _Code) -> Found:
    """Another argument or variable, another attribute of `self`, another function of its kind."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not _is_called(node, code):
        known = code.names(node)
        if node.id in known:
            yield from ((node, name) for name in known if name != node.id)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _whole(node):
        inner = code.text(node.value)
        yield from ((node, f"{inner}.{other}") for other in _OTHERS.get(node.attr, ()))
        if inner == "self":
            yield from ((node, f"self.{other}") for other in code.attributes(node) if other != node.attr)


def _calls(node: Any, code: _Code) -> Found:
    """A call left out, its arguments swapped, an option added or left out."""
    if not isinstance(node, ast.Call):
        return
    on = node.args[0] if node.args else None
    if isinstance(node.func, ast.Attribute) and _whole(node.func.value):
        value = node.func.value
        of_module = isinstance(value, ast.Name) and value.id not in code.names(node)
        on = on if of_module else value
    if _whole(on):
        yield node, code.bracketed(on)
        if _called(node) in ("transpose", "reshape"):
            yield node, code.bracketed(on) + _TURNED
    for one, other in zip(node.args, node.args[1:], strict=False):
        yield from _swapped(one, other, code)
    if node.lineno != node.end_lineno:
        return
    given = [code.text(one) for one in (*node.args, *node.keywords)]
    for one in node.keywords:
        yield node, _with(node, [text for text in given if text != code.text(one)], code)
    if given:
        yield from ((node, _with(node, [*given, option], code)) for option in _options(node, code))


def _with(node: ast.Call, given: list[str], code: _Code) -> str:
    return f"{code.text(node.func)}({', '.join(given)})"


def _options(node: ast.Call, code: _Code) -> Iterator[str]:
    """What may be added to a call that makes one number of several."""
    if _called(node) not in _REDUCES:
        return
    given = {one.arg for one in node.keywords}
    if not given & {"axis", "dim"} and len(node.args) < 2:
        near = ["axis=axis"] if "axis" in code.names(node) else []
        yield from ("axis=-1", "axis=0", "axis=1", "axis=-2", *near)
        yield from (f"{one}, keepdims=True" for one in ("axis=-1", "axis=0", *near))
    if not given & {"keepdims", "keepdim"}:
        yield "keepdims=True"


def _swapped(one: Any, other: Any, code: _Code) -> Found:
    """Two values that follow one another, in the other order; both have to stand in one line."""
    if one.lineno == other.end_lineno:
        between = code.lines[one.lineno - 1][one.end_col_offset : other.col_offset].decode()
        both = _place(one.lineno, one.col_offset, other.end_col_offset)
        yield both, code.text(other) + between + code.text(one)


def _place(line: int, start: int, end: int) -> ast.AST:
    return ast.Constant(None, lineno=line, end_lineno=line, col_offset=start, end_col_offset=end)


def _tuples(node: Any, code: _Code) -> Found:
    """Two entries in the other order."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for one, other in zip(node.elts, node.elts[1:], strict=False):
            yield from _swapped(one, other, code)


def _slices(node: Any, code: _Code) -> Found:
    """A part of an axis that was taken whole, or a new axis there."""
    if isinstance(node, ast.Slice) and code.text(node) == ":":
        yield from ((node, one) for one in ("1:", ":-1", "None", "::-1"))


def _counts(node: Any, code: _Code) -> Found:
    """One more or one less, where things are counted."""
    parent = code.parent.get(node)
    if not _whole(node) or _number_in(node) is not None or isinstance(node, ast.Constant | ast.Tuple):
        return
    of_brackets = isinstance(parent, ast.Subscript) and parent.value is not node
    counted = _called(parent) in _COUNTS and not _is_called(node, code)
    if counted or of_brackets or isinstance(parent, ast.Compare):
        yield node, f"({code.text(node)} + 1)"
        yield node, f"({code.text(node)} - 1)"


def _margins(node: Any, code: _Code) -> Found:
    """The last line of a block behind it, the first line behind a block inside."""
    body = getattr(code.parent.get(node), "body", None)
    if not isinstance(node, ast.stmt) or not isinstance(body, list) or node not in body:
        return
    if node.lineno != node.end_lineno:
        return
    margin, at = _place(node.lineno, 0, node.col_offset), body.index(node)
    parent = code.parent[node]
    if isinstance(parent, _BLOCKS) and node is body[-1] and at:
        yield margin, " " * parent.col_offset
    if at and isinstance(body[at - 1], _BLOCKS):
        yield margin, " " * body[at - 1].body[-1].col_offset


_KINDS = (
    _numbers,
    _infinities,
    _operators,
    _comparisons,
    _signs,
    _transposes,
    _names,
    _calls,
    _tuples,
    _slices,
    _counts,
    _margins,
)
