"""Exercise `rotary`: a position as a rotation."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.rotary import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference, tolerance
from helpers.exercises.unit_09_efficient_attention.rotary_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with batches, another base, positions that jump or repeat, float64, one token."""
    by_hand = {"x": np.array([[1.0, 0.0], [1.0, 0.0]], np.float32), "positions": np.array([0, 1])}
    yield Case("two tokens [1, 0] at positions 0 and 1", by_hand)
    two = np.array([[1.0, 2.0, 0.0, 0.0]], np.float32)
    yield Case("one token [1, 2, 0, 0] at position 1", {"x": two, "positions": np.array([1])})
    eight = {
        "x": np.array([[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0]], np.float32),
        "positions": np.array([1]),
    }
    for base in (16.0, 10000.0):  # a table that is kept for a width has the base of its first call
        yield Case(
            f"one token [1, 2, 3, 4, 0, 0, 0, 0] at position 1, base = {base:g}", {**eight, "base": base}
        )
    n, half = draw.sizes(2)
    one = {"x": draw.normal(n, 2 * half, dtype=np.float32), "positions": np.arange(n)}
    yield Case(f"x of shape ({n}, {2 * half}), positions from 0", one)
    # the case in the middle comes again; with a batch it is long enough to tell by
    b, h, n, half = draw.sizes(4)
    many = {"x": draw.normal(b, h, n, 2 * half, dtype=np.float32), "positions": np.arange(n) + 3}
    yield Case(f"x of shape ({b}, {h}, {n}, {2 * half}), positions from 3", many)
    yield Case("the same with base = 100", {**many, "base": 100.0})
    places = draw.rng.permutation(40)[:n]
    yield Case(
        f"positions {', '.join(map(str, places))}", {**one, **_tokens(draw, n, half), "positions": places}
    )
    far = {**_tokens(draw, 3, 2), "positions": np.array([1000, 500, 0])}
    yield Case("positions 1000, 500, 0, so that a small change of the base shows", far)
    repeated = np.array([5, 5, 2])
    yield Case("positions 5, 5, 2", {**_tokens(draw, 3, half), "positions": repeated})
    yield Case(
        "x of shape (6, 6, 6)", {"x": draw.normal(6, 6, 6, dtype=np.float32), "positions": np.arange(6)}
    )
    wide = {"x": draw.normal(2, n, 2 * half), "positions": np.arange(n)}
    yield Case(f"x of shape (2, {n}, {2 * half}) in float64", wide)


def _tokens(draw: Draw, n: int, half: int) -> dict[str, np.ndarray]:
    return {"x": draw.normal(n, 2 * half, dtype=np.float32)}


def oracle(x: np.ndarray, positions: np.ndarray, base: float = 10000.0) -> np.ndarray:
    """PyTorch's complex numbers: `x[i] + 1j x[i + d/2]` times `exp(1j theta_i)`."""
    width = x.shape[-1]
    wide = torch.from_numpy(x.astype(np.float64))
    pairs = torch.complex(wide[..., : width // 2], wide[..., width // 2 :])
    speed = torch.tensor(base, dtype=torch.float64) ** (
        -2 * torch.arange(width // 2, dtype=torch.float64) / width
    )
    angle = torch.from_numpy(positions)[:, None] * speed
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], dim=-1).numpy().astype(x.dtype)


def judge(right: np.ndarray, _args: Mapping[str, Any], got: Any) -> Difference | None:
    """The difference from the oracle; angles in float32, PyTorch's own default, are right for float64 too."""
    found = difference(right, got, tensors=True)
    if found and found.expected is not None and right.shape == found.got.shape:
        near = np.allclose(found.got, right, *tolerance(right.astype(np.float32)))
        return None if near else found
    return found


EXERCISE = Exercise(
    name="rotary",
    cases=cases,
    oracle=oracle,
    judge=judge,
    probe=probe,
    tensors=True,
    axes={"": ("token", "feature")},
    hints=(
        "By which angle does pair i of a token turn, and which two numbers are pair i?",
        "A pair (a, b) turned by theta is (a cos - b sin, a sin + b cos). All first numbers are the first half of x.",
        "`positions[:, None] * base ** (-2 * i / d)` for i = 0 .. d/2 - 1 gives all angles; join the new halves with `torch.cat`.",
    ),
    mistakes=MISTAKES,
)
