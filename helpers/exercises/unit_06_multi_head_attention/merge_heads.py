"""Exercise `merge_heads`: put the heads side by side again."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = np.array([[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]])
    yield Case("one sequence, two heads [[0 1] [4 5]] and [[2 3] [6 7]]", {"H": by_hand})
    for width in (np.float64, np.float32):
        H = draw.normal(*draw.sizes(4), dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H})
    yield Case("one head", {"H": draw.normal(2, 1, 3, 5)})
    yield Case("H of shape (3, 3, 3, 3)", {"H": draw.normal(3, 3, 3, 3)})


def _flat(H: np.ndarray, *order: int) -> np.ndarray:
    """All axes in another order, then the last two made one."""
    B, h, n, d_head = H.shape
    return H.transpose(order).reshape(B, n, h * d_head)


def _right(H: np.ndarray) -> np.ndarray:
    return _flat(H, 0, 2, 1, 3)


def _repeated(one: np.ndarray, H: np.ndarray) -> np.ndarray:
    return np.tile(one, H.shape[1])


def _last_only(H: np.ndarray) -> np.ndarray:
    merged = np.zeros_like(_right(H))
    merged[..., -H.shape[3] :] = H[:, -1]
    return merged


def _without_last(H: np.ndarray) -> np.ndarray:
    return _right(H) - _last_only(H)


EXERCISE = Exercise(
    name="merge_heads",
    cases=cases,
    oracle=in_torch(lambda H: H.transpose(1, 2).flatten(2)),
    axes={"": ("token", "channel")},
    hints=(
        "Which numbers should stand in row 0 of the result: those of which heads?",
        "It undoes `split_heads`: first bring the tokens back before the heads.",
        "Swap axes 1 and 2, then reshape to (B, n, h * d_head).",
    ),
    mistakes=(
        Mistake(
            "heads-merged-without-transpose",
            "You reshaped without swapping first: numbers of different tokens end up in one row.",
            lambda H: _flat(H, 0, 1, 2, 3),
            "`reshape` reads the axes in order. Which should come first, tokens or heads?",
        ),
        Mistake(
            "heads-interleaved",
            "You took one channel of each head in turn; the heads should stand side by side, whole.",
            lambda H: _flat(H, 0, 2, 3, 1),
            "Which axis should run fastest: heads or the channels of a head?",
        ),
        Mistake(
            "heads-interleaved",
            "You took one channel of each head in turn, and tokens mix; the heads should stand side by side, whole.",
            lambda H: _flat(H, 0, 3, 2, 1),
            "Which axis should run fastest: heads or the channels of a head?",
        ),
        Mistake(
            "wrong-head-axis",
            "Channels and tokens changed places before you joined; heads and tokens should.",
            lambda H: _flat(H, 0, 1, 3, 2),
            "Which two axes have to change places?",
        ),
        Mistake(
            "wrong-head-axis",
            "Your channels stand before the heads when you join; the tokens should.",
            lambda H: _flat(H, 0, 3, 1, 2),
            "Write the shape behind each line of your code.",
        ),
        Mistake(
            "wrong-head-axis",
            "You joined the sequences of the batch instead of the heads.",
            lambda H: np.concatenate(list(H), axis=-1),
            "Which axis does your loop run over, the batch or the heads?",
        ),
        Mistake(
            "reversed-all-axes",
            "`.T` turns round all four axes; only heads and tokens should change places.",
            lambda H: _flat(H, 3, 2, 1, 0),
            "Which function swaps two axes and leaves the others?",
        ),
        Mistake(
            "heads-averaged",
            "You averaged the heads; put them side by side.",
            lambda H: H.mean(axis=1),
            "How wide should a merged token be?",
        ),
        Mistake(
            "heads-averaged",
            "You put copies of the heads' average side by side; it should be the heads themselves.",
            lambda H: _repeated(H.mean(axis=1), H),
            "Where do the heads differ in your result?",
        ),
        Mistake(
            "heads-summed",
            "You added the heads; put them side by side.",
            lambda H: H.sum(axis=1),
            "How wide should a merged token be?",
        ),
        Mistake(
            "heads-summed",
            "You put copies of the heads' sum side by side; it should be the heads themselves.",
            lambda H: _repeated(H.sum(axis=1), H),
            "Where do the heads differ in your result?",
        ),
        Mistake(
            "first-head-only",
            "You put copies of the first head side by side.",
            lambda H: _repeated(H[:, 0], H),
            "Does the head's number appear in your loop?",
        ),
        Mistake(
            "first-head-only",
            "You returned the first head alone.",
            lambda H: H[:, 0],
            "Is your `return` inside the loop?",
        ),
        Mistake(
            "overwritten-instead-of-collected",
            "You returned the last head alone: each head overwrites the one before.",
            lambda H: H[:, -1],
            "What is left of the first head after your loop?",
        ),
        Mistake(
            "overwritten-instead-of-collected",
            "Copies of the last head stand side by side: each head overwrites the ones before.",
            lambda H: _repeated(H[:, -1], H),
            "Which places does your loop write to on its second round?",
        ),
        Mistake(
            "last-left-out",
            "The last head is missing: its place holds zeros.",
            _without_last,
            "Where does your loop end?",
        ),
        Mistake(
            "last-left-out",
            "The last head is missing from your result.",
            lambda H: _right(H[:, :-1]),
            "Where does your loop end?",
        ),
        Mistake(
            "overwritten-instead-of-collected",
            "Only the last head is in its place; the others are lost.",
            _last_only,
            "Does your loop begin with fresh zeros on each round?",
        ),
        Mistake(
            "fixed-number-of-heads",
            "You join two heads, however many there are.",
            lambda H: np.concatenate([H[:, 0], H[:, 1]], axis=-1),
            "Take the number of heads from the array.",
        ),
        Mistake(
            "wrong-head-axis",
            "You put the heads one below the other, as if they were more tokens.",
            lambda H: H.reshape(H.shape[0], -1, H.shape[3]),
            "The number of tokens should not change.",
        ),
        Mistake(
            "heads-out-of-order",
            "The heads stand in reverse order.",
            lambda H: _flat(H[:, ::-1], 0, 2, 1, 3),
            "Which head comes first?",
        ),
        Mistake(
            "batch-mixed",
            "Numbers of different sequences end up together: the batch axis must stay first.",
            lambda H: _flat(H, 2, 0, 1, 3),
            "Which axes change places?",
        ),
        Mistake(
            "not-merged",
            "You swapped the axes but did not join the last two.",
            lambda H: np.swapaxes(H, 1, 2).copy(),
            "The result has three axes.",
        ),
    ),
)
