"""A tensor in text, as PyTorch prints it."""

import math
from typing import Any

import numpy as np

from torch import dtypes

LARGEST, EDGE, WIDTH, DIGITS = 1000, 3, 80, 4


class _Form:
    """How wide the numbers are that are shown, and how they are written."""

    def __init__(self, a: np.ndarray) -> None:
        self.floating, self.whole, self.powers, self.width = a.dtype.kind == "f", True, False, 1
        if not self.floating:
            self.width = max((len(str(x)) for x in a.flat), default=1)
            return
        some = np.abs(a[np.isfinite(a) & (a != 0)].astype(np.float64))
        if not some.size:
            return
        most, least = float(some.max()), float(some.min())
        self.whole = bool((some == np.ceil(some)).all())
        self.powers = most / least > 1000 or most > 1e8 or (not self.whole and least < 1e-4)
        shown = a[np.isfinite(a) & (a != 0)]
        if self.whole and not self.powers:
            self.width = max(len(f"{x:.0f}.") for x in shown)
        else:
            self.width = max(len(f"{x:.{DIGITS}{'e' if self.powers else 'f'}}") for x in shown)
        if self.whole and self.powers and most / least <= 1000 and most <= 1e8:
            self.powers = False

    def __call__(self, x: Any) -> str:
        if not self.floating:
            says = str(x)
        elif self.powers:
            says = f"{x:{self.width}.{DIGITS}e}"
        elif self.whole:
            says = f"{x:.0f}" + ("." if math.isfinite(x) else "")
        else:
            says = f"{x:.{DIGITS}f}"
        return says.rjust(self.width)


def _number(a: Any, form: Any) -> str:
    if isinstance(form, tuple):
        real, imag = form[0](a.real).lstrip(), form[1](abs(a.imag)).lstrip()
        return f"{real}{'-' if a.imag < 0 else '+'}{imag}j"
    return form(a)


def _rows(a: np.ndarray, indent: int, form: Any, summed: bool) -> str:
    if a.ndim == 0:
        return _number(a.item() if a.dtype.kind != "f" else a[()], form)
    if a.ndim == 1:
        width = 2 * form[0].width + 3 if isinstance(form, tuple) else form.width
        in_line = max(1, (WIDTH - indent) // (width + 2))
        if summed and len(a) > 2 * EDGE:
            words = [_number(x, form) for x in a[:EDGE]] + [" ..."] + [_number(x, form) for x in a[-EDGE:]]
        else:
            words = [_number(x, form) for x in a]
        lines = [", ".join(words[i : i + in_line]) for i in range(0, len(words), in_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    if summed and len(a) > 2 * EDGE:
        rows = [_rows(x, indent + 1, form, summed) for x in a[:EDGE]] + ["..."]
        rows += [_rows(x, indent + 1, form, summed) for x in a[-EDGE:]]
    else:
        rows = [_rows(x, indent + 1, form, summed) for x in a]
    return "[" + ("," + "\n" * (a.ndim - 1) + " " * (indent + 1)).join(rows) + "]"


def _edges(a: np.ndarray) -> np.ndarray:
    """The entries that are shown of a large tensor."""
    for i, n in enumerate(a.shape):
        if n > 2 * EDGE:
            a = a.take([*range(EDGE), *range(n - EDGE, n)], i)
    return a


def shown(one: Any) -> str:
    """The whole text, with what is not usual about a tensor."""
    a, dtype = one._a, one.dtype
    usual = (dtypes.settings["dtype"], dtypes.int64, dtypes.bool_, dtypes.complex64)
    named = [] if dtype in usual and (a.size or dtype is dtypes.settings["dtype"]) else [f"dtype={dtype}"]
    if not a.size:
        if a.ndim != 1:
            named.insert(0, f"size={tuple(a.shape)}")
        text = "[]"
    else:
        summed = a.size > LARGEST
        part = _edges(a) if summed else a
        form: Any = (_Form(part.real), _Form(np.abs(part.imag))) if a.dtype.kind == "c" else _Form(part)
        text = _rows(a, len("tensor("), form, summed)
    if one.grad_fn is not None:
        named.append(f"grad_fn={one.grad_fn!r}")
    elif one.requires_grad:
        named.append("requires_grad=True")
    says = "tensor(" + text
    last = says.rpartition("\n")[2]
    for name in named:
        if len(last) + len(name) + 3 > WIDTH and a.size:
            says += ",\n" + " " * len("tensor(") + name
            last = " " * len("tensor(") + name
        else:
            says += ", " + name
            last += ", " + name
    begin = "Parameter containing:\n" if type(one).__name__ == "Parameter" else ""
    return f"{begin}{says})"
