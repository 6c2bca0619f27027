"""Compare one described result with the right one, and say in a sentence how they differ.

Works on what `helpers.beside.probe.describe` returns: plain values and arrays, never the learner's objects.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.beside.probes.base import BRACKETS, FUNCTIONS, LONG_DOUBLES, UNCALLED, long_doubles
from helpers.text import digits_apart, number

ARTICLES = {
    "NoneType": "nothing (None): is a `return` missing?",
    "list": "a Python list",
    "tensor": "a torch.Tensor",
    "array": "a NumPy array",
    "number": "a number",
    "text": "a string",
    "tuple": "a tuple",
    "dict": "a dict",
    **dict.fromkeys(FUNCTIONS, UNCALLED),
    "generator": "a generator",
    "ellipsis": "`...`, which only holds a place",
    "CausalBias": "a bias for `F.scaled_dot_product_attention` alone",
}


KINDS = {
    "NoneType": "returns-none",
    "list": "returns-list",
    "dict": "returns-dict",
    "generator": "returns-generator",
    "ellipsis": "placeholder-left",
    "tensor": "returns-tensor",
    "tuple": "returns-tuple",
    "text": "returns-string",
    **dict.fromkeys(FUNCTIONS, "returns-function"),
}
KIND_HINTS = {
    "NoneType": "Every way through your function should end in a `return`.",
    "list": "`np.array(...)` turns a list into an array.",
    **dict.fromkeys(FUNCTIONS, BRACKETS),
    "tuple": "What makes a tuple of it: a comma, which may stand at the end of a line, or a function with several results?",
    "text": "Where does the string come from, and which number is asked for?",
    "ellipsis": "Which line still says `...`? Delete it, or write what belongs there.",
    "tensor": "Does your code need PyTorch here? `.numpy()` makes an array of a tensor, `.item()` a number.",
}

NO_NUMBERS_HINTS = {
    "text": "Which line puts text into it: are there quotes too many?",
    "Python objects": "What else than a number has come among the entries?",
}
TENSOR_KINDS = {"array": "returns-numpy", "CausalBias": "returns-bias-object"}
TENSOR_HINTS = {
    "CausalBias": "`causal_lower_right` makes an object for PyTorch's own attention; it holds no table of True and False.",
    "array": "This exercise works with tensors, which carry gradients: does your code need NumPy here?",
    "list": "`torch.stack` and `torch.cat` make one tensor of several.",
}
"""What is said instead where a tensor is due."""

NARROWED = "float64 in, float64 out: which step makes the numbers narrower?"
NARROWED_TENSORS = (
    f"{NARROWED} `torch.zeros(...)` makes float32 unless it is given a `dtype`; in a module, `.double()` finds "
    "only layers that are attributes."
)


@dataclass(frozen=True)
class Difference:
    """How a result differs from the right one.

    Attributes:
        says: one sentence with expected and got.
        expected: the right part, when showing it helps.
        got: the learner's part.
        misconception: id of the mistake where the difference itself gives it away.
        hint: what to look at then.
        name: what the result is called, such as "`weights`".
        cause: what the learner did, where the difference itself shows that too.
        within: so far an entry may lie from the right one, where rounding is not all that is allowed.
    """

    says: str
    expected: np.ndarray | None = None
    got: np.ndarray | None = None
    misconception: str | None = None
    hint: str | None = None
    name: str = "the result"
    cause: str = ""
    within: float = 0.0


def difference(
    right: Any,
    got: dict[str, Any],
    *,
    name: str = "the result",
    parts: tuple[str, ...] = (),
    tensors: bool = False,
    least: float = 1.0,
) -> Difference | None:
    """The first difference between the oracle's result and a described one, or `None`.

    Args:
        right: array, number, string, tuple or dict of these, from the oracle.
        got: what the probe described.
        name: what the result is called in the sentence.
        parts: what the entries of a tuple are called.
        tensors: whether arrays come as PyTorch tensors.
        least: size of the numbers that rounding comes from, where the right ones may be smaller.
    """
    if isinstance(right, dict):
        return _each(right, got["items"], parts, tensors)
    if isinstance(right, tuple):
        if got["kind"] != "tuple" or len(got["items"]) != len(right):
            says = f"{name} should be a tuple ({', '.join(parts)}); it is {_seen(got)}"
            hint = KIND_HINTS[got["kind"]] if got["kind"] in {"NoneType", *FUNCTIONS} else None
            return Difference(says, misconception=_not_the_tuple(right, got), hint=hint)
        named = [f"`{part}`" for part in parts]
        right, items = (dict(zip(named, them, strict=True)) for them in (right, got["items"]))
        return _each(right, items, (), tensors)
    if isinstance(right, str):
        return (
            None if got.get("text") == right else Difference(f"{name} is {_seen(got)}, which is not the one")
        )
    right = np.asarray(right)
    return (
        _kind(right, got, name, tensors)
        or _shape(right, got["array"], name)
        or _type(right, got["array"], name, tensors)
        or _values(right, got["array"], name, least)
    )


def _not_the_tuple(right: tuple[Any, ...], got: dict[str, Any]) -> str | None:
    if got["kind"] == "tuple":
        return "one-output-missing" if len(got["items"]) < len(right) else "extra-output"
    if "array" in got and got["array"].shape[:1] == (len(right),) and got["array"].ndim > np.ndim(right[0]):
        return "returns-stacked"
    return KINDS.get(got["kind"], "one-output-missing" if "array" in got else None)


def same(one: dict[str, Any], other: dict[str, Any], *, narrow: bool = False) -> bool:
    """Whether two described results are equal up to rounding; used to recognise known mistakes.

    Args:
        one: a described result.
        other: another one.
        narrow: whether they come from float32 inputs, which NumPy may have widened on the way.
    """
    if one["kind"] != other["kind"]:
        return False
    if "array" in one:
        a, b = one["array"], other["array"]
        if a.shape != b.shape or (a.dtype.kind == "b") != (b.dtype.kind == "b"):
            return False
        if a.dtype == b.dtype and a.tobytes() == b.tobytes():
            return True  # as most that are equal are, and found in no time
        rtol, atol = rounding(b, narrow=narrow)
        if a.size and abs(a.item(0) - b.item(0)) > atol + rtol * abs(b.item(0)) < np.inf:
            return False  # most differ here, in a fraction of the time
        return bool(np.allclose(a, b, rtol, atol, equal_nan=True))
    if "items" in one:
        pairs = (one["items"], other["items"])
        if isinstance(pairs[0], dict):
            return pairs[0].keys() == pairs[1].keys() and all(
                same(pairs[0][k], pairs[1][k], narrow=narrow) for k in pairs[0]
            )
        return len(pairs[0]) == len(pairs[1]) and all(
            same(a, b, narrow=narrow) for a, b in zip(*pairs, strict=True)
        )
    return one.get("text") == other.get("text")


def _no_numbers(got: dict[str, Any]) -> str:
    """What a NumPy array holds where it holds no numbers, or `""`."""
    held = re.fullmatch(r"(?:ndarray|str_) of (?:(<U\d+|\|S\d+)|object)", got["kind"])
    return "" if not held else "text" if held[1] else "Python objects"


def _seen(got: dict[str, Any]) -> str:
    if got["kind"] == "text":
        return f"the string {got['text']!r}"
    if got["kind"] == "array":
        return f"a NumPy array of shape {got['array'].shape}"
    if got["kind"] == "tensor":
        return f"a torch.Tensor of shape {got['array'].shape}"
    if got["kind"] == "tuple":
        return f"a tuple of {len(got['items'])}"
    if holds := _no_numbers(got):
        return f"an array of {holds}"
    return ARTICLES.get(got["kind"], f"of type {got['kind']}")


_GRADIENT = "the gradient of "


def _each(
    right: dict[str, Any], got: dict[str, Any], parts: tuple[str, ...], tensors: bool
) -> Difference | None:
    """The first difference between results of the same name; results come before gradients, shapes before numbers."""
    gradients = [part for part in right if part.startswith(_GRADIENT)]
    # some are 0 but for rounding, which is as large as the others make it
    largest = max([1.0, *(float(np.abs(right[part]).max()) for part in gradients)])
    first = None
    for part in right:
        if first and part in gradients:
            break
        if part not in got:  # of a result that had another shape before it was repaired
            return Difference(f"{part} is not there")
        least = largest if part in gradients else 1.0
        found = difference(right[part], got[part], name=part, parts=parts, tensors=tensors, least=least)
        if found and part in gradients:
            return _gradient(found)
        if first is None or (_numbers_only(first) and found and not _numbers_only(found)):
            first = found
    return first


def _numbers_only(found: Difference) -> bool:
    """Whether a result is of the right shape and type."""
    return found.got is not None and found.expected is not None and found.got.shape == found.expected.shape


def _gradient(found: Difference) -> Difference:
    """A wrong gradient behind right results: somewhere on the way back it is cut, or counted twice."""
    says = f"the results are right, but {found.says}"
    if found.got is None or found.expected is None:
        return Difference(says)
    if np.isnan(found.got).any():
        hint = "Somewhere a NaN, or a number divided by 0, is replaced later: make none in the first place."
        return Difference(says, None, None, "blocked-row-nan-gradient", hint)
    twice = np.allclose(found.got, 2 * found.expected, rtol=1e-3)
    if twice:
        return Difference(
            says, None, None, "gradient-doubled", "Is something added up twice, or one layer used twice?"
        )
    hint = "Look for `detach`, `.data`, `no_grad` or a trip through NumPy: there the way back is cut."
    return Difference(says, None, None, "gradient-cut", hint)


def _kind(right: np.ndarray, got: dict[str, Any], name: str, tensors: bool) -> Difference | None:
    wanted = "number" if right.ndim == 0 else "tensor" if tensors else "array"
    should = "True or False" if right.ndim == 0 and right.dtype.kind == "b" else ARTICLES[wanted]
    if got["kind"] == LONG_DOUBLES:
        says, misconception, hint = long_doubles(name, right.dtype)
        return Difference(says, misconception=misconception, hint=hint)
    if got["kind"] == wanted or (wanted == "number" and tensors and got["kind"] == "tensor"):
        return None
    if {got["kind"], wanted} == {"array", "number"}:  # the shape says it better
        return None
    huge = re.fullmatch(rf"{wanted} of shape (.+)", got["kind"])
    if huge:  # too large to be written down
        return Difference(f"{name} has the wrong shape: expected {_form(right)}, got shape {huge[1]}")
    if got["kind"] == "NoneType" and name.startswith("`"):  # one of several results: something was returned
        says, hint = (
            f"{name} should be {should}; it is None",
            f"What should stand for {name} in your `return`?",
        )
        return Difference(says, misconception="one-output-missing", hint=hint)
    if holds := _no_numbers(got):
        says = f"{name} should hold {'True and False' if right.dtype.kind == 'b' else 'numbers'}; it holds {holds}"
        return Difference(
            says,
            misconception="returns-string" if holds == "text" else "not-numbers",
            hint=NO_NUMBERS_HINTS[holds],
        )
    says = f"{name} should be {should}; it is {_seen(got)}"
    fits = right.ndim or got["kind"] != "list"
    kinds, hints = (KINDS | TENSOR_KINDS, KIND_HINTS | TENSOR_HINTS) if tensors else (KINDS, KIND_HINTS)
    return Difference(
        says, misconception=kinds.get(got["kind"]), hint=hints.get(got["kind"]) if fits else None
    )


def _shape(right: np.ndarray, got: np.ndarray, name: str) -> Difference | None:
    if right.shape == got.shape:
        return None
    says = f"{name} has the wrong shape: expected {_form(right)}, got {_form(got)}"
    return Difference(says, right, got, name=name)


def _form(array: np.ndarray) -> str:
    return f"shape {array.shape}" if array.ndim else "a single number"


def _type(right: np.ndarray, got: np.ndarray, name: str, tensors: bool) -> Difference | None:
    wanted, came = right.dtype, got.dtype
    if wanted.kind == "b" or came.kind in "bc":
        fits = wanted.kind == came.kind
    elif wanted.kind in "iu":
        fits = came.kind in "iu"
    else:  # an exact integer where a float is due is right; a narrower float is not
        fits = came.kind in "iu" or came.itemsize >= wanted.itemsize
    if fits:
        return None
    says = f"{name} has the wrong type of numbers: expected {wanted}, got {came}"
    if wanted.kind == "b":
        return Difference(says, misconception="mask-not-bool", hint="A comparison gives True and False.")
    if wanted.kind == came.kind == "f":
        hint = NARROWED_TENSORS if tensors else NARROWED
        return Difference(says, misconception="float32", hint=hint)
    return Difference(says)


def tolerance(right: np.ndarray, least: float = 1.0) -> tuple[float, float]:
    """Relative and absolute tolerance for an oracle's array: by its width and its largest finite entry.

    The wide one allows for a `sqrt(d_k)` taken in float32, as `torch.sqrt(torch.tensor(d_k))` is: it is wrong
    by 6e-8 at most, which softmax makes eight times as much at scores of 8.  A millionth added to a sum shows.
    """
    finite = np.abs(right[np.isfinite(right)]) if right.dtype.kind in "fc" else right
    scale = max(least, float(finite.max())) if finite.size else least
    return (3e-4, 2e-5 * scale) if right.dtype == np.float32 else (5e-7, 1e-7 * scale)


def rounding(array: np.ndarray, *, narrow: bool) -> tuple[float, float]:
    """The tolerance for a result that was seen; `narrow` as in `same`."""
    return tolerance(array.astype(np.float32) if narrow and array.dtype.kind == "f" else array)


def agree(right: np.ndarray, got: np.ndarray, within: float) -> np.ndarray:
    """Which entries are right but for rounding; `within` is allowed besides."""
    if right.dtype.kind == "b" and got.dtype.kind == "b":
        return right == got
    with np.errstate(all="ignore"):
        rtol, atol = tolerance(right)
        return np.isclose(got, right, rtol, atol + within, equal_nan=True)


def _values(right: np.ndarray, got: np.ndarray, name: str, least: float) -> Difference | None:
    if right.dtype.kind in "biu" and got.dtype.kind in "biu":
        close = right == got
    else:
        close = np.isclose(got, right, *tolerance(right, least))
    if np.all(close):
        return None
    if np.isnan(got).any() and not np.isnan(right).any():
        return Difference(
            f"{name} has {int(np.isnan(got).sum())} NaN of {got.size} entries", right, got, name=name
        )
    if right.ndim == 0:
        return Difference(f"{name}: {_expected(right, got)}")
    where = tuple(int(i) for i in np.argwhere(~close)[0])
    count = int((~close).sum())
    if got.size == 1:
        return Difference(f"{name}: {_expected(right[where], got[where])}", right, got, name=name)
    return Difference(
        f"{name} differs in {count} of {got.size} entries; the first is {list(where)}: "
        f"{_expected(right[where], got[where])}",
        right,
        got,
        name=name,
    )


def _expected(right: Any, got: Any) -> str:
    digits = digits_apart([(right, got)])
    return f"expected {number(right, digits)}, got {number(got, digits)}"
