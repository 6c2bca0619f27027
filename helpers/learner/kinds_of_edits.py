"""The kinds of small edits: each takes a node of an answer's code and yields what could stand there instead."""

import ast
from collections.abc import Iterator
from typing import Any

Place = ast.AST | tuple[ast.AST, str]
Found = Iterator[tuple[Place, str]]

_OPERATORS: dict[type, tuple[str, ...]] = {
    ast.Add: ("-", "*", "@"),
    ast.Sub: ("+", "/"),
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
_ALIKE = (
    ("sum", "mean", "max", "prod"),
    ("max", "min", "amax", "mean"),
    ("min", "max"),
    ("amax", "amin"),
    ("amin", "amax"),
    ("mean", "sum", "max"),
    ("std", "var"),
    ("var", "std"),
    ("argmax", "argmin"),
    ("argmin", "argmax"),
    ("argsort", "argmax"),
    ("argpartition", "argmax"),
    ("maximum", "minimum"),
    ("minimum", "maximum"),
    ("tril", "triu"),
    ("triu", "tril"),
    ("zeros", "ones"),
    ("ones", "zeros"),
    ("zeros_like", "ones_like"),
    ("ones_like", "zeros_like"),
    ("any", "all"),
    ("all", "any"),
    ("exp", "exp2"),
    ("exp2", "exp"),
    ("log2", "log"),
    ("log10", "log"),
    ("sin", "cos"),
    ("cos", "sin"),
    ("logical_and", "logical_or"),
    ("logical_or", "logical_and"),
    ("logical_xor", "logical_and"),
    ("concatenate", "stack"),
    ("stack", "concatenate"),
    ("hstack", "vstack"),
    ("vstack", "hstack"),
    ("cat", "stack"),
    ("dot", "matmul"),
    ("inner", "dot", "matmul"),
    ("outer", "dot", "matmul"),
    ("vdot", "dot", "matmul"),
    ("float32", "float64"),
    ("float16", "float64"),
    ("repeat_interleave", "repeat"),
    ("repeat", "tile", "repeat_interleave"),
    ("tile", "repeat"),
    ("unbind", "chunk"),
    ("log_softmax", "softmax"),
    ("LayerNorm", "Linear"),
    ("float", "bool"),
    ("int", "bool", "float"),
)
_OTHERS = {first: others for first, *others in _ALIKE}
_REDUCES = frozenset("sum mean max min amax amin prod std var any all argmax argmin norm softmax".split())
_TURNED = ".swapaxes(-1, -2)"


def _own(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


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


def _number(node: Any) -> int | float | None:
    """A number that is written down, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    known = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if known else None


def numbers(node: Any, code: Any) -> Found:
    """One more or less, the other sign, another axis, 0 for 1; `True` for `False`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    value = _number(node)
    parent = code.parent.get(node)
    if value is None or _number(parent) is not None:
        return
    near = {value - 1, value + 1, -value, 0, 1, -1, 2, -2} if isinstance(value, int) else {-value, 1.0, 0.0}
    if isinstance(value, float) and value in (0.5, 2.0):
        near |= {1 / value}
    for other in sorted(near - {value}):
        yield node, f"({other})" if other < 0 else f"{other}"
    if value == 0 or abs(value) >= 100:
        yield node, "-np.inf"
        yield node, '-float("inf")'
    if isinstance(parent, ast.Call | ast.keyword | ast.BinOp | ast.Tuple):  # a number for what is an argument
        yield from ((node, name) for name in code.names(node))


def infinities(node: Any, code: Any) -> Found:
    """`-inf` for `inf` and for 0, and the other way round."""
    name = getattr(node, "attr", "")
    said = isinstance(node, ast.Call) and _called(node) == "float" and "inf" in ast.unparse(node)
    if (
        _whole(node)
        and (name in ("inf", "nan", "tiny", "eps", "min", "max") or said)
        and not _is_called(node, code)
    ):
        yield node, f"(-{code.text(node)})"
        yield node, "0"
        if name != "inf":
            yield node, "(-np.inf)"
        parent = code.parent[node]
        if isinstance(parent, ast.UnaryOp):
            yield parent, "0"
            yield parent, "0.0"


def _is_called(node: Any, code: Any) -> bool:
    parent = code.parent.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def operators(node: Any, code: Any) -> Found:
    """Another operator, the operands swapped, one of them alone, other brackets."""
    if isinstance(node, ast.BinOp) and _whole(node):
        left, right = _own(code.text(node.left)), _own(code.text(node.right))
        symbol = _symbol(node.op)
        for other in _OPERATORS.get(type(node.op), ()):
            yield node, f"({left} {other} {right})"
        if isinstance(node.op, _IN_ORDER):
            yield node, f"({right} {symbol} {left})"
        yield node, left
        yield node, right
        if isinstance(node.left, ast.BinOp):
            first, second = _own(code.text(node.left.left)), _own(code.text(node.left.right))
            yield node, f"({first} {_symbol(node.left.op)} ({second} {symbol} {right}))"
        if isinstance(node.right, ast.BinOp):
            first, second = _own(code.text(node.right.left)), _own(code.text(node.right.right))
            yield node, f"(({left} {symbol} {first}) {_symbol(node.right.op)} {second})"
    elif isinstance(node, ast.BoolOp) and _whole(node):
        parts = [_own(code.text(one)) for one in node.values]
        yield node, f"({(' or ' if isinstance(node.op, ast.And) else ' and ').join(parts)})"
        yield from ((node, part) for part in parts)


def _symbol(operator: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[2:-2]


def comparisons(node: Any, code: Any) -> Found:
    """A comparison turned, or with and without equality."""
    if isinstance(node, ast.Compare) and _whole(node) and len(node.ops) == 1:
        left, right = _own(code.text(node.left)), _own(code.text(node.comparators[0]))
        for other in _COMPARED.get(type(node.ops[0]), ()):
            yield node, f"({left} {other} {right})"


def signs(node: Any, code: Any) -> Found:
    """`~`, `not` and `-` taken out or put in."""
    if not _whole(node):
        return
    if isinstance(node, ast.UnaryOp) and _number(node) is None:
        yield node, _own(code.text(node.operand))
        return
    parent = code.parent.get(node)
    if _masks(node, parent):
        yield node, f"(~{_own(code.text(node))})"
    if isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node:
        yield node, f"(not {_own(code.text(node))})"
    if isinstance(parent, ast.BinOp | ast.Return | ast.Assign) or _called(parent) in ("exp", "sin", "cos"):
        yield node, f"(-{_own(code.text(node))})"


def _masks(node: Any, parent: Any) -> bool:
    """Whether a mask can stand there."""
    if isinstance(parent, ast.Call) and parent.args:
        first = parent.args[0] is node or parent.args[-1] is node
        return first and not isinstance(node, ast.Constant)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.BitAnd | ast.BitOr | ast.Mult | ast.MatMult)
    of_mask = (
        isinstance(parent, ast.Subscript) and parent.slice is node and not isinstance(node, ast.Constant)
    )
    return of_mask or isinstance(parent, ast.Return | ast.Assign | ast.keyword | ast.Tuple)


def transposes(node: Any, code: Any) -> Found:
    """A transpose added, taken out, moved to the other factor, or of the last two axes alone."""
    if not _whole(node):
        return
    text, parent = code.text(node), code.parent.get(node)
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        inner = _own(code.text(node.value))
        yield node, inner
        yield node, inner + _TURNED
    product = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)
    if product or _called(parent) in ("matmul", "dot") or isinstance(parent, ast.Return | ast.Assign):
        yield node, _own(text) + _TURNED
        yield node, f"{_own(text)}.T"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        left, right = _unturned(node.left), _unturned(node.right)
        if left is not node.left and right is node.right:
            yield node, f"({_own(code.text(left))} @ {_own(code.text(right))}{_TURNED})"
        if right is not node.right and left is node.left:
            yield node, f"({_own(code.text(left))}{_TURNED} @ {_own(code.text(right))})"


def _unturned(node: Any) -> Any:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    if _called(node) in ("swapaxes", "transpose") and isinstance(node.func, ast.Attribute):
        return node.func.value
    return node


def roots(node: Any, code: Any) -> Found:
    """A square root put in; one that is there goes with the call or the power."""
    parent = code.parent.get(node)
    if _whole(node) and (
        (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.Mult))
        or isinstance(parent, ast.Return | ast.Assign)
    ):
        yield node, f"({_own(code.text(node))} ** 0.5)"


def names(node: Any, code: Any) -> Found:
    """Another name of the same function, another attribute of `self`, another function of its kind."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        known = code.names(node)
        if node.id in known or node.id not in _OTHERS:
            yield from ((node, name) for name in known if name != node.id and not _is_called(node, code))
        yield from ((node, other) for other in _OTHERS.get(node.id, ()) if node.id not in known)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _whole(node):
        inner = code.text(node.value)
        yield from ((node, f"{inner}.{other}") for other in _OTHERS.get(node.attr, ()))
        if inner == "self":
            others = code.attributes(node)
            yield from ((node, f"self.{other}") for other in others if other != node.attr)
        if node.attr in ("size", "ndim"):
            yield from ((node, f"{inner}.shape[{axis}]") for axis in (-1, -2, 0))


def calls(node: Any, code: Any) -> Found:
    """A call left out, its arguments swapped, an option added or left out."""
    if not isinstance(node, ast.Call):
        return
    first = node.args[0] if node.args else None
    if isinstance(node.func, ast.Attribute) and _whole(node.func.value):
        yield node, _own(code.text(node.func.value))
    if _whole(first):
        yield node, _own(code.text(first))
        if _called(node) == "len":
            yield from ((node, f"{_own(code.text(first))}.shape[{axis}]") for axis in (-1, -2))
    if _called(node) in ("exp", "exp2") and _whole(first):
        inner = _own(code.text(first))
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
    if _called(node) in _REDUCES:
        at = [
            f"axis={axis}"
            for axis in ("-1", "0", "1", "-2", *(["axis"] if "axis" in code.names(node) else []))
        ]
        if not given & {"axis", "dim"} and len(node.args) < 2:
            options += [*at, *(f"{one}, keepdims=True" for one in at[:2] + at[4:])]
        if not given & {"keepdims", "keepdim"}:
            options.append("keepdims=True")
    if _called(node) in ("triu", "tril") and len(node.args) == 1 and not node.keywords:
        options += ["1", "-1"]
    if _called(node) in ("ones", "zeros", "full", "eye", "tri") and not given:
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
        if isinstance(code.parent.get(node), ast.Return) and _whole(node):
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
    if isinstance(node, ast.Subscript) and _whole(node):
        value, inside = code.text(node.value), code.text(node.slice)
        bare = inside.strip("()").replace(" ", "")
        if bare in (":,None", "None,:", "...,None", "...,None,:", ":,None,:", "None", "..., :,None"):
            for other in (":, None", "None, :", "..., None", "..., None, :", ":, None, :", "..., :, None"):
                yield node, f"{value}[{other}]"
        if not isinstance(node.slice, ast.Tuple | ast.Slice):
            yield from ((node, f"{value}[{form}{inside}]") for form in ("..., ", ":, "))
        yield node, value
        if isinstance(node.slice, ast.Tuple):
            for one, other in zip(node.slice.elts, node.slice.elts[1:], strict=False):
                yield from _swapped(one, other, code)


def counts(node: Any, code: Any) -> Found:
    """One more or one less, where things are counted."""
    parent = code.parent.get(node)
    counted = _called(parent) in ("range", "arange", "tril", "triu", "linspace", "eye", "diagonal")
    if _whole(node) and (counted or isinstance(parent, ast.Subscript | ast.Compare)):
        if (
            _number(node) is None
            and not isinstance(node, ast.Constant | ast.Tuple)
            and not _is_called(node, code)
        ):
            if not (isinstance(parent, ast.Subscript) and parent.value is node):
                yield node, f"({code.text(node)} + 1)"
                yield node, f"({code.text(node)} - 1)"


def letters(node: Any, code: Any) -> Found:
    """Letters in the formula of `einsum`: two that follow one another swapped, one for another."""
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _called(code.parent.get(node)) == "einsum"
    ):
        text = node.value
        known = sorted(set(filter(str.isalpha, text)))
        for place, letter in enumerate(text):
            if letter.isalpha():
                if text[place + 1 : place + 2].isalpha():
                    yield node, repr(text[:place] + text[place + 1] + letter + text[place + 2 :])
                others = [one for one in known if one != letter]
                yield from ((node, repr(text[:place] + other + text[place + 1 :])) for other in others)


def results(node: Any, code: Any) -> Found:
    """What is returned as an array, called, or returned at all; what is written in place, anew."""
    if isinstance(node, ast.Return) and _whole(node.value):
        text = code.text(node.value)
        yield from ((node.value, f"{call}({text})") for call in ("np.array", "float", "int", "bool"))
        yield node.value, f"{_own(text)}()"
    elif isinstance(node, ast.AugAssign) and _whole(node.value) and node.lineno == node.end_lineno:
        target = code.text(node.target)
        yield node, f"{target} = {target} {_symbol(node.op)} ({code.text(node.value)})"
    elif isinstance(node, ast.Expr | ast.Assign) and _whole(node.value) and _is_last(node, code):
        yield node, f"return {code.text(node.value)}"
        if _called(node.value) == "print" and len(node.value.args) == 1:
            yield node, f"return {code.text(node.value.args[0])}"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
        yield from ((node.value, f"{node.value.id}.{copy}()") for copy in ("copy", "clone"))


def _is_last(node: ast.stmt, code: Any) -> bool:
    body = getattr(code.function(node), "body", [])
    return bool(body) and isinstance(body, list) and body[-1] is node


def left_out(node: Any, code: Any) -> Found:
    """A line that does nothing any more."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and node.lineno == node.end_lineno:
        yield node, "pass"


KINDS = (
    numbers,
    infinities,
    operators,
    comparisons,
    signs,
    transposes,
    roots,
    names,
    calls,
    tuples,
    slices,
    counts,
    letters,
    results,
    left_out,
)
