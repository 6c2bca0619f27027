"""What a loom begins with: a sentence, or queries, keys and values, or weights; one maker for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from helpers import example
from helpers.arrays import array, one_of
from helpers.views import data
from helpers.views.loom_numbers import allowed_in, computed, counted
from helpers.views.loom_stages import ENDS, columns

_NUMBERS = 40_000
"""Numbers that may go into a page; of more heads the first ones go."""

Names = tuple[Sequence[Any] | None, Sequence[Any] | None]
"""Labels as they come in: of the keys, and of the queries where these are others."""


@dataclass(frozen=True)
class Beginning:
    """What every loom is woven from, whatever it was given.

    Attributes:
        given: the stages that are not made, `(h, rows, columns)` each, or one for all heads.
        numbers: all stages, `(h, rows, columns)`.
        may: the mask, `(h, n_q, n_k)`.
        labels: of the queries, and of the keys.
        until: the last stage that is shown.
        note: what was left out, in a sentence; empty when nothing was.
        spoken: whether it is "I saw a saw", so that other sentences of its words can be typed.
    """

    given: dict[str, np.ndarray]
    numbers: dict[str, np.ndarray]
    may: np.ndarray
    labels: tuple[list[str], list[str]]
    until: str = "output"
    note: str = ""
    spoken: bool = False

    @property
    def columns(self) -> list[list[str]]:
        """The stages as they stand."""
        return columns(self.given, self.until, len(self.may))

    @property
    def stages(self) -> list[str]:
        """Their names, in order."""
        return [name for names in self.columns for name in names]


def beginning(
    given: dict[str, np.ndarray], heads: int, until: str, allowed: Any, names: Names = (None, None)
) -> Beginning:
    """All that follows from what is given.

    Raises:
        ValueError: when the mask or the labels do not fit, or numbers become too large.
    """
    sizes = counted(given)
    may = allowed_in(allowed, (heads, *sizes))
    labels = data.named(sizes, *names)
    return Beginning(given, computed(given, heads, may), may, labels, until)


def from_sentence(
    X: Any, W: Mapping[str, Any], num_heads: int, until: str, allowed: Any, names: Names
) -> Beginning:
    """A sentence `(n, d)` and its matrices by name, `None` for none; without a sentence it is "I saw a saw".

    Raises:
        ValueError: when shapes do not fit together, or heads do not divide the width.
    """
    spoken = X is None
    if spoken:
        X, names = example.X, (names[0] if names[0] is not None else example.TOKENS, names[1])
        last = example.W_O if num_heads != 1 else None
        ours = {"W_q": example.W_Q, "W_k": example.W_K, "W_v": example.W_V, "W_o": last}
        W = {name: ours[name] if value is None else value for name, value in W.items()}
    given = _projected(X, W, num_heads)
    if until == "similarity":
        given = {"X": given["X"]}
    return replace(beginning(given, num_heads, until, allowed, names), spoken=spoken)


def _projected(X: Any, W: Mapping[str, Any], num_heads: int) -> dict[str, np.ndarray]:
    """The sentence and its matrices, checked, each with a leading axis of 1."""
    if not isinstance(num_heads, int | np.integer) or isinstance(num_heads, bool) or num_heads < 1:
        raise ValueError(f"num_heads: expected a whole number from 1 on; got {num_heads!r}")
    x = data.stack("X", X)
    if len(x) != 1:
        raise ValueError(f"X: expected one sentence (n, d); got shape {array('X', X).shape}")
    found = {"X": x}
    for name in ("W_q", "W_k", "W_v"):
        value = np.eye(x.shape[-1]) if W[name] is None else W[name]
        found[name] = _matrix(name, value, x.shape[-1])
    wide = found["W_q"].shape[-1]
    for name, what in (("W_k", "keys"), ("W_v", "values")):
        if found[name].shape[-1] != wide and (name == "W_k" or num_heads > 1):
            raise ValueError(
                f"{name}: expected {what} as wide as the queries, {wide}; got shape {found[name].shape[1:]}"
            )
    if wide % num_heads:
        raise ValueError(f"num_heads: d_model = {wide} cannot be cut into {num_heads} heads of equal width")
    if W["W_o"] is not None:
        found["W_o"] = _matrix("W_o", W["W_o"], found["W_v"].shape[-1])
    return found


def _matrix(name: str, value: Any, rows: int) -> np.ndarray:
    found = array(name, value, 2)
    if len(found) != rows:
        raise ValueError(f"{name}: expected {rows} rows; got shape {found.shape}")
    return data.stack(name, found)


def from_qkv(Q: Any, K: Any, V: Any, until: str, allowed: Any, names: Names) -> Beginning:
    """Queries, keys and perhaps values, `(n, d)` or `(h, n, d)` each.

    Raises:
        ValueError: when one is missing, shapes do not fit together, or the last stage would need a sentence.
    """
    if Q is None or K is None:
        raise ValueError("Q, K: expected queries and keys; got only one of them, or only V")
    one_of("until", until, ENDS[1:])
    found = {name: data.stack(name, one) for name, one in (("Q", Q), ("K", K), ("V", V)) if one is not None}
    q, k = found["Q"], found["K"]
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"K: expected keys as wide as the queries, {q.shape[-1]}; got shape {k.shape}")
    if "V" in found and found["V"].shape[1] != k.shape[1]:
        raise ValueError(f"V: expected one value per key, {k.shape[1]}; got shape {found['V'].shape}")
    *most, last = (len(one) for one in found.values())
    if {*most} != {last}:
        counts = f"{', '.join(map(str, most))} and {last}"
        raise ValueError(f"{', '.join(found)}: expected as many heads in each; got {counts}")
    return beginning(found, len(q), until, allowed, names)


def from_weights(found: data.Weights, V: Any) -> Beginning:
    """Checked weights, and perhaps the values whose rows they mix.

    Raises:
        ValueError: when there is not one value per key.
    """
    given, (heads, _, n_k) = {"weights": found.weights}, found.weights.shape
    if V is not None:
        v = data.stack("V", V)
        if v.shape[1] != n_k or len(v) not in (1, heads):
            raise ValueError(f"V: expected one value per key, {n_k}; got shape {v.shape}")
        given["V"] = np.broadcast_to(v, (heads, *v.shape[1:]))
    begin = beginning(given, heads, "output", None)
    return replace(begin, labels=(found.queries, found.keys), note=found.note)


def weights_alone(begin: Beginning) -> Beginning:
    """The weights of more tokens than a page can show, most of them drawn together."""
    part = data.folded(begin.numbers["weights"], *begin.labels)
    note = f"{part.note} The steps that lead to the weights are left out."
    return from_weights(replace(part, note=note), None)


def that_fits(begin: Beginning) -> Beginning:
    """As much as a page can hold: without the projections, where these are large; then fewer heads."""
    given, numbers, note = begin.given, begin.numbers, begin.note
    if "W_q" in given and sum(one.size for one in given.values()) > _NUMBERS:
        given = {name: numbers.get(f"{name}_h", numbers[name]) for name in "QKV"}
        numbers = numbers | {"output": numbers["H"]}
        note = "The projections are too large for a page: this begins with the queries, keys and values."
    heads, each = len(begin.may), sum(one[0].size for one in given.values())
    shown = heads
    if "Q" in given and each * heads > _NUMBERS:
        shown = max(1, _NUMBERS // each)
        given = {name: one[:shown] for name, one in given.items()}
        few = f"{heads} heads are too many: these are the first {shown}."
        note = f"{note} {few if shown > 1 else f'This is head 0 of {heads}.'}".strip()
    return replace(begin, given=given, numbers=numbers, may=begin.may[:shown], note=note)
