"""Random numbers: those that PyTorch draws on a processor, from the same seeds."""

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from torch.dtypes import held, settings
from torch.op import function, method, op, sizes
from torch.tensor import Tensor, made, written


class Generator:
    """PyTorch's Mersenne twister, which is NumPy's."""

    def __init__(self, device: Any = "cpu") -> None:
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> "Generator":
        """Begin anew."""
        self._seed, self._next = seed, None
        self._bits = np.random.RandomState(seed & 0xFFFFFFFF)._bit_generator
        return self

    def seed(self) -> int:
        """Begin anew, anywhere."""
        self.manual_seed(int(np.random.SeedSequence().entropy) % 2**63)
        return self._seed

    def initial_seed(self) -> int:
        """Where it began."""
        return self._seed

    def get_state(self) -> Any:
        """All that decides what comes next."""
        state = self._bits.state["state"]
        rest = [state["pos"], self._seed % 2**32, self._seed >> 32, self._next is not None]
        near = np.array([self._next or 0.0]).view(np.uint32)
        whole = np.concatenate([state["key"], rest, near]).astype(np.uint32)
        return Tensor._plain(whole.view(np.uint8).copy())

    def set_state(self, state: Any) -> "Generator":
        """Go on from there."""
        whole = state._a.view(np.uint32)
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": whole[:624].copy(), "pos": int(whole[624])},
        }
        self._seed = int(whole[625]) + (int(whole[626]) << 32)
        self._next = float(whole[628:630].copy().view(np.float64)[0]) if whole[627] else None
        return self

    def words(self, count: int) -> np.ndarray:
        """Numbers of 32 bits."""
        return self._bits.random_raw(count)

    def long_words(self, count: int) -> np.ndarray:
        """Numbers of 64 bits, of two words each."""
        both = self.words(2 * count).reshape(-1, 2)
        return (both[:, 0] << np.uint64(32)) | both[:, 1]

    def uniform(self, count: int, wide: bool) -> np.ndarray:
        """Numbers from 0 to 1, in so many steps as a float has."""
        if wide:
            return (self.long_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
        return ((self.words(count) & np.uint64(2**24 - 1)) * 2.0**-24).astype(np.float32)

    def normal(self, count: int, wide: bool) -> np.ndarray:
        """Standard normal numbers, by Box and Muller: sixteen at a time, or one by one if they are few."""
        if count < 16:
            return np.array([self._one_normal() for _ in range(count)], np.float64 if wide else np.float32)
        found = self.uniform(count, wide)
        for start in range(0, count - 15, 16):
            found[start : start + 16] = _sixteen(found[start : start + 16])
        if count % 16:
            found[-16:] = _sixteen(self.uniform(16, wide))
        return found

    def _one_normal(self) -> float:
        if self._next is not None:
            found, self._next = self._next, None
            return found
        angle, size = (float(self.uniform(1, True)[0]) for _ in range(2))
        size = math.sqrt(-2 * math.log1p(-size))
        self._next = size * math.sin(2 * math.pi * angle)
        return size * math.cos(2 * math.pi * angle)


def _sixteen(u: np.ndarray) -> np.ndarray:
    size = np.sqrt(-2 * np.log(1 - u[:8]))
    angle = u.dtype.type(2 * math.pi) * u[8:]
    return np.concatenate([size * np.cos(angle), size * np.sin(angle)])


default_generator = Generator()


def _drawn(name: str, draw: Any) -> None:
    def new(
        *size: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        kind = held(dtype or settings["dtype"])
        shape = sizes(size, "size", name)
        one = made(_of(draw, generator, shape, kind), name)
        one.requires_grad = requires_grad
        return one

    def like(input: "Tensor", *, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
        return new(*input._a.shape, generator=generator, dtype=dtype or input.dtype)

    function(new, name=name)
    function(like, name=f"{name}_like")


def _of(draw: Any, generator: Any, shape: tuple[int, ...], kind: np.dtype) -> np.ndarray:
    found = draw(generator or default_generator, math.prod(shape), kind == np.float64)
    return found.reshape(shape).astype(kind, copy=False)


_drawn("rand", Generator.uniform)
_drawn("randn", Generator.normal)


@function
def randint(*ends: Any, generator: Any = None, dtype: Any = None, device: Any = None, **named: Any) -> Any:
    """Whole numbers, each equally likely."""
    if "size" in named:
        ends = (*ends, named["size"])
    ends = (named["low"], *ends) if "low" in named else ends
    low, high, size = ends if len(ends) == 3 else (0, *ends)
    return made(
        _whole(generator, int(low), int(high), sizes((size,))).astype(held(dtype) if dtype else np.int64),
        "Randint",
    )


def _whole(generator: Any, low: int, high: int, shape: tuple[int, ...]) -> np.ndarray:
    if high <= low:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    generator, count = generator or default_generator, math.prod(shape)
    words = generator.words(count) if high - low < 2**32 else generator.long_words(count)
    return ((words % np.uint64(high - low)).astype(np.int64) + low).reshape(shape)


@function
def randperm(n: int, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """The numbers below n in random order."""
    found = np.arange(n)
    for i, word in enumerate((generator or default_generator).words(max(0, n - 1))):
        j = i + int(word) % (n - i)
        found[[i, j]] = found[[j, i]]
    return made(found.astype(np.int64), "Randperm")


@op
def bernoulli(input: "Tensor", p: Any = None, *, generator: Any = None) -> Any:
    """1 with a probability, else 0; not the very numbers that PyTorch draws."""
    a = input._a
    u = (generator or default_generator).uniform(a.size, True).reshape(a.shape)
    return made((u < (a if p is None else p)).astype(a.dtype), "Bernoulli")


@op
def multinomial(
    input: "Tensor", num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Any:
    """Places drawn by their shares; not the very ones that PyTorch draws."""
    a = input._a
    if not np.isfinite(a).all() or (a < 0).any():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    generator, found = generator or default_generator, []
    with np.errstate(all="ignore"):
        left = a.astype(float)
        for _ in range(num_samples):
            waiting = -np.log1p(-generator.uniform(a.size, True).reshape(a.shape))
            found.append(np.argmax(left / waiting, -1))
            if not replacement:
                np.put_along_axis(left, found[-1][..., None], 0, -1)
    return made(np.stack(found, -1).astype(np.int64), "Multinomial")


@method
def uniform_(input: "Tensor", a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Any:
    """Numbers from a to b."""
    kind = input._a.dtype
    u = _of(Generator.uniform, generator, input._a.shape, kind)
    return written(input, Tensor._plain(u * kind.type(b - a) + kind.type(a)))


@method
def normal_(input: "Tensor", mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    """Normal numbers."""
    kind = input._a.dtype
    drawn = _of(Generator.normal, generator, input._a.shape, kind)
    return written(input, Tensor._plain(drawn * kind.type(std) + kind.type(mean)))


def manual_seed(seed: int) -> Generator:
    """Begin the random numbers of all functions anew."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Begin them anew, anywhere."""
    return default_generator.seed()


def get_rng_state() -> Any:
    """All that decides what comes next."""
    return default_generator.get_state()


def set_rng_state(state: Any) -> None:
    """Go on from there."""
    default_generator.set_state(state)


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True) -> Iterator[None]:
    """Bring the state back at the end."""
    before = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(before)
