"""Small edits of numbers, names and operators: each kind takes a node and yields what could stand there."""

import ast
from typing import Any

from helpers.learner.edits.code import Found, bracketed, called, is_called, number_in, symbol, whole

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
_ALIKE = (
    ("sum", "mean", "max", "prod"),
    ("max", "min", "amax", "mean", "argmax"),
    ("min", "max", "argmin"),
    ("isqrt", "sqrt"),
    ("Tensor", "tensor", "as_tensor"),
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
    ("tri", "eye"),
    ("eye", "tri"),
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
_TURNED = ".swapaxes(-1, -2)"
_PRODUCTS = ("matmul", "dot", "linear", "bmm", "mm", "inner")


def numbers(node: Any, code: Any) -> Found:
    """One more or less, the other sign, another axis, 0 for 1; `True` for `False`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    value = number_in(node)
    parent = code.parent.get(node)
    if value is None or number_in(parent) is not None:
        return
    near = {value - 1, value + 1, -value, 0, 1, -1, 2, -2} if isinstance(value, int) else {-value, 1.0, 0.0}
    if isinstance(value, float) and value in (0.5, 2.0):
        near |= {1 / value}
    for other in sorted(near - {value}):
        yield node, f"({other})" if other < 0 else f"{other}"
    if value == 0 or not 1e-3 < abs(value) < 100:
        yield node, "-np.inf"
        yield node, '-float("inf")'
    if isinstance(parent, ast.Call | ast.keyword | ast.BinOp | ast.Tuple):  # a number for what is an argument
        yield from ((node, f"{sign}{name}") for name in code.names(node) for sign in ("", "-"))


def infinities(node: Any, code: Any) -> Found:
    """`-inf` for `inf` and for 0, and the other way round."""
    name = getattr(node, "attr", "")
    said = isinstance(node, ast.Call) and called(node) == "float" and "inf" in ast.unparse(node)
    if (
        whole(node)
        and (name in ("inf", "nan", "tiny", "eps", "min", "max") or said)
        and not is_called(node, code)
    ):
        yield node, f"(-{code.text(node)})"
        yield node, "0"
        if name != "inf":
            yield node, "(-np.inf)"
        parent = code.parent[node]
        if isinstance(parent, ast.UnaryOp):
            yield parent, "0"
            yield parent, "0.0"


def operators(node: Any, code: Any) -> Found:
    """Another operator, the operands swapped, one of them alone, other brackets."""
    if isinstance(node, ast.BinOp) and whole(node):
        left, right = bracketed(code.text(node.left)), bracketed(code.text(node.right))
        sign = symbol(node.op)
        for other in _OPERATORS.get(type(node.op), ()):
            yield node, f"({left} {other} {right})"
        if isinstance(node.op, _IN_ORDER):
            yield node, f"({right} {sign} {left})"
        yield node, left
        yield node, right
        if isinstance(node.op, ast.Sub) and number_in(node.left) == 1:
            yield node, f"(~{right})"
        if isinstance(node.left, ast.BinOp):
            first, second = bracketed(code.text(node.left.left)), bracketed(code.text(node.left.right))
            yield node, f"({first} {symbol(node.left.op)} ({second} {sign} {right}))"
        if isinstance(node.right, ast.BinOp):
            first, second = bracketed(code.text(node.right.left)), bracketed(code.text(node.right.right))
            yield node, f"(({left} {sign} {first}) {symbol(node.right.op)} {second})"
    elif isinstance(node, ast.BoolOp) and whole(node):
        parts = [bracketed(code.text(one)) for one in node.values]
        yield node, f"({(' or ' if isinstance(node.op, ast.And) else ' and ').join(parts)})"
        yield from ((node, part) for part in parts)


def comparisons(node: Any, code: Any) -> Found:
    """A comparison turned, or with and without equality."""
    if isinstance(node, ast.Compare) and whole(node) and len(node.ops) == 1:
        left, right = bracketed(code.text(node.left)), bracketed(code.text(node.comparators[0]))
        for other in _COMPARED.get(type(node.ops[0]), ()):
            yield node, f"({left} {other} {right})"


def signs(node: Any, code: Any) -> Found:
    """`~`, `not` and `-` taken out or put in."""
    if not whole(node):
        return
    if isinstance(node, ast.UnaryOp) and number_in(node) is None:
        inner = bracketed(code.text(node.operand))
        yield node, inner
        if not isinstance(node.op, ast.Invert):
            yield node, f"(~{inner})"
        return
    parent = code.parent.get(node)
    if _masks(node, parent):
        yield node, f"(~{bracketed(code.text(node))})"
    if isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node:
        yield node, f"(not {bracketed(code.text(node))})"
    index = isinstance(parent, ast.Subscript) and parent.slice is node
    plain = isinstance(parent, ast.BinOp | ast.Return | ast.Assign | ast.keyword | ast.Call) or index
    if plain and number_in(node) is None and not is_called(node, code):
        yield node, f"(-{bracketed(code.text(node))})"


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
    if not whole(node):
        return
    text, parent = code.text(node), code.parent.get(node)
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        inner = bracketed(code.text(node.value))
        yield node, inner
        yield node, inner + _TURNED
    product = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)
    if product or called(parent) in _PRODUCTS or isinstance(parent, ast.Return | ast.Assign):
        yield node, bracketed(text) + _TURNED
        yield node, f"{bracketed(text)}.T"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        left, right = _unturned(node.left), _unturned(node.right)
        if left is not node.left and right is node.right:
            yield node, f"({bracketed(code.text(left))} @ {bracketed(code.text(right))}{_TURNED})"
        if right is not node.right and left is node.left:
            yield node, f"({bracketed(code.text(left))}{_TURNED} @ {bracketed(code.text(right))})"


def _unturned(node: Any) -> Any:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    if called(node) in ("swapaxes", "transpose") and isinstance(node.func, ast.Attribute):
        return node.func.value
    return node


def roots(node: Any, code: Any) -> Found:
    """A square root put in; one that is there goes with the call or the power."""
    parent = code.parent.get(node)
    if whole(node) and (
        (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.Mult))
        or isinstance(parent, ast.Return | ast.Assign)
    ):
        yield node, f"({bracketed(code.text(node))} ** 0.5)"


def names(node: Any, code: Any) -> Found:
    """Another name of the same function, another attribute of `self`, another function of its kind."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        known = code.names(node)
        if node.id in known or node.id not in _OTHERS:
            yield from ((node, name) for name in known if name != node.id and not is_called(node, code))
        yield from ((node, other) for other in _OTHERS.get(node.id, ()) if node.id not in known)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and whole(node):
        inner = code.text(node.value)
        yield from ((node, f"{inner}.{other}") for other in _OTHERS.get(node.attr, ()))
        if inner == "self":
            others = code.attributes(node)
            yield from ((node, f"self.{other}") for other in others if other != node.attr)
        if node.attr in ("size", "ndim"):
            yield from ((node, f"{inner}.shape[{axis}]") for axis in (-1, -2, 0))


def letters(node: Any, code: Any) -> Found:
    """Letters in the formula of `einsum`: two that follow one another swapped, one for another."""
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and called(code.parent.get(node)) == "einsum"
    ):
        text = node.value
        known = sorted(set(filter(str.isalpha, text)))
        for place, letter in enumerate(text):
            if letter.isalpha():
                if text[place + 1 : place + 2].isalpha():
                    yield node, repr(text[:place] + text[place + 1] + letter + text[place + 2 :])
                others = [one for one in known if one != letter]
                yield from ((node, repr(text[:place] + other + text[place + 1 :])) for other in others)
        axes = {text[place : place + long] for place in range(len(text)) for long in (1, 2)}
        for one in sorted(filter(str.isalpha, axes)):  # any number of axes there
            yield node, repr(text.replace(one, "..."))
