"""PyTorch's right results, recorded for some seeds: what a check compares with where its stand-in runs.

`tools/in_browser/recording.py` writes a file an exercise when the site is built; the first check fetches it.
A result is found by the arguments of its call. Any other call, as the search for a mistake's name makes them,
is computed: by the course's reference answer, for an exercise in PyTorch by its own oracle on the stand-in.
"""

import functools
import hashlib
import io
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from helpers import browser
from helpers.errors import BadArgument
from helpers.exercises.base import Exercise, MustRaise
from helpers.in_browser import site
from helpers.units import IN_PYTORCH

SEEDS = range(16)
"""The seeds whose calls are recorded."""

OF_PYTORCH = range(4)
"""Those of exercises in PyTorch, whose results are large: 4 MB in all."""

KINDS = {"f8": np.float64, "f4": np.float32, "i8": np.int64, "b1": np.bool_}


def file_of(name: str) -> str:
    """Where the recorded results of an exercise lie, below the site's `python/`."""
    return f"recorded/{name}.npz"


def seeds(name: str) -> Sequence[int]:
    """The seeds that are recorded of an exercise."""
    return OF_PYTORCH if name in IN_PYTORCH else SEEDS


def fresh_seed(name: str) -> int:
    """A new seed each time."""
    return secrets.choice(seeds(name)) if browser.HERE else secrets.randbelow(1_000_000)


@functools.cache  # draws and right results are kept by the record
def with_recorded(exercise: Exercise) -> Exercise:
    """The record of an exercise with an oracle that looks its results up."""
    return replace(exercise, oracle=_looking_up(exercise))


def usable(name: str, seed: int, sizes: str) -> None:
    """Say so where the right results of a check are neither recorded nor the stand-in's to compute.

    Raises:
        BadArgument: for another seed, or hidden sizes.
    """
    if name not in IN_PYTORCH and (sizes != "visible" or seed not in SEEDS):
        asked = f"seed={seed}" + ("" if sizes == "visible" else f", sizes={sizes!r}")
        raise BadArgument(
            f"In a browser the right results are recorded for seed=0 to seed={SEEDS[-1]}; got {asked}. "
            f"For other inputs {browser.ELSEWHERE}."
        )


def _looking_up(exercise: Exercise) -> Callable[..., Any]:
    name, in_pytorch = exercise.name, exercise.name in IN_PYTORCH

    def oracle(*args: Any, **named: Any) -> Any:
        known, asked = _results(name), key([*args, *named.values()])
        if asked in known:
            return known[asked]()
        from helpers import reference

        compute = exercise.oracle if in_pytorch else getattr(reference, name)
        return compute(*args, **named)

    return oracle


@functools.cache
def _results(name: str) -> Mapping[str, Callable[[], Any]]:
    with np.load(io.BytesIO(site.read(file_of(name)))) as file:
        flat = {kind: file[kind] for kind in KINDS}
        outlines = json.loads(file["outlines"].tobytes())
    return {asked: functools.partial(_full, one, flat) for asked, one in outlines.items()}


def _full(outline: Any, flat: Mapping[str, np.ndarray]) -> Any:
    """A result, from its outline and the numbers that it points into."""
    ((form, content),) = outline.items()
    if form == "array":
        kind, start, shape = content
        return flat[kind][start : start + int(np.prod(shape))].reshape(shape).copy()
    if form == "number":
        return flat[content[0]][content[1]]
    if form == "tuple":
        return tuple(_full(one, flat) for one in content)
    if form == "dict":
        return {name: _full(one, flat) for name, one in content.items()}
    if form == "must raise":
        return MustRaise(content[0], tuple(content[1]))
    return content


def key(args: Any) -> str:
    """What stands for the arguments of a call: the same wherever whole numbers have another width."""
    said = hashlib.blake2b(digest_size=12)
    for one in args:
        if isinstance(one, Mapping):
            one = f"{[*one]} {key(one.values())}"
        if isinstance(one, np.ndarray | np.generic) and one.dtype.kind in "biu":
            one = np.asarray(one, np.int64 if one.dtype.kind != "b" else np.bool_)
        if isinstance(one, np.ndarray | np.generic):
            said.update(f"{one.dtype.str}{one.shape}".encode() + np.asarray(one).tobytes())
        else:
            said.update(repr(one).encode())
    return said.hexdigest()
