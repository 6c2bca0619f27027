"""What people get wrong in `causal_mask_with_cache`: the same mask with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.masks import ALIKE, NUMBERS
from helpers.exercises.wrong.rows import in_step, mistakes, paired, rows
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray


def variant(
    *,
    place: Callable[[int, int], int] = lambda n_q, n_k: n_k - n_q,
    look: Callable[[Array, Array, int], Array] = lambda query, key, n_q: key <= query,
    sizes: Callable[[int, int], tuple[int, int]] = lambda n_q, n_k: (n_q, n_k),
    give: Callable[[Array], Array] = lambda mask: mask,
) -> Callable[[int, int], Array]:
    """The mask with a wrong place of the first query, a wrong comparison, other sizes, or spoilt at the end."""

    def answer(n_q: int, n_k: int) -> Array:
        rows_, columns = sizes(n_q, n_k)
        query = place(n_q, n_k) + np.arange(rows_)[:, None]
        mask = look(query, np.arange(columns)[None, :], n_q)
        return give(np.broadcast_to(mask, (rows_, columns)).copy())

    return in_numpy(answer)


def _cut(most: int) -> Callable[[int, int], tuple[int, int]]:
    """The sizes of what is cut out of a buffer for so many tokens: rows and columns beyond it are missing."""

    def sizes(n_q: int, n_k: int) -> tuple[int, int]:
        return max(0, min(n_k, most) - (n_k - n_q)), min(n_k, most)

    return sizes


_WHERE = "At which position does the first query stand when n_k - n_q tokens came before it?"
_SHAPE = "A row for each query, a column for each key: (n_q, n_k)."

MISTAKES = mistakes(
    variant,
    *rows(
        *(
            part
            for most in (8, 16, 32, 64)
            for part in (
                f"fixed-size: Your mask has room for {most} keys; there may be more.",
                "Which sizes should the mask have, whatever n_k is?",
                {"place": lambda n_q, n_k: n_k - n_q, "sizes": _cut(most)},
            )
        ),
        "top-left-aligned: You aligned the mask at the top left, as if the queries were the first tokens; they are the last.",
        _WHERE,
        paired(place=lambda n_q, n_k: 0),
        "future-visible-by-one: Each query sees one token of the future.",
        _WHERE,
        paired(place=lambda n_q, n_k: n_k - n_q + 1),
        "future-visible-by-one: Where nothing is cached, each query sees one token of the future.",
        "How many tokens came before the first query when n_q and n_k are equal?",
        {"place": lambda n_q, n_k: max(1, n_k - n_q)},
        "rows-all-alike: All your queries see the same keys, up to the first of the new tokens; each later one sees one key more.",
        "How does the end of a row move from one query to the next?",
        {"look": lambda query, key, n_q: key <= query.min()},
        "past-dropped: Each of your rows begins one key later than the one before, so later queries lose sight of the first keys.",
        "Where should every row begin?",
        {"look": lambda query, key, n_q: (key <= query) & (key >= query - query.min())},
        "diagonal-hidden: No query sees itself; a token may look at itself.",
        "Should the comparison be `<` or `<=`, and where does the first query stand?",
        paired(place=lambda n_q, n_k: n_k - n_q - 1),
        "wrong-offset: You moved the diagonal by n_q; that is how many queries there are, not how many tokens came before.",
        _WHERE,
        paired(place=lambda n_q, n_k: n_q),
        "wrong-offset: You moved the diagonal the wrong way: the queries stand before the cached tokens in your mask.",
        "Is the sign of the shift right? Later queries see more keys, not fewer.",
        paired(place=lambda n_q, n_k: n_q - n_k),
        "wrong-offset: You count a fixed number of tokens before the first query; there are n_k - n_q.",
        "Which number is written in your code, or left from another case?",
        *({"place": lambda n_q, n_k, cached=cached: cached} for cached in (1, 2, 3, 4)),
        "mask-missing: Your mask is True everywhere: new tokens see all of each other, later ones too.",
        "At which position does the first query stand? And has each row memory of its own?",
        {"place": lambda n_q, n_k: n_k},
        "cache-behind: The columns of the cached tokens stand behind those of the new ones; they come first.",
        "Which keys are older, and in which order do you join the two blocks?",
        {"give": lambda mask: np.roll(mask, len(mask) - mask.shape[1], axis=1)},
        "only-the-diagonal: Each query sees only itself; what is cached is allowed too.",
        "What is a cache good for that nobody looks at?",
        paired(look=lambda query, key, n_q: key == query),
        "cache-hidden: Your queries see each other but nothing of the cache.",
        "Which columns are the cached tokens?",
        paired(look=lambda query, key, n_q: (key <= query) & (key >= query.min())),
        "future-hidden-wrong: Your queries see the cache but none of the new tokens, themselves included.",
        "May a token look at itself?",
        paired(look=lambda query, key, n_q: key < query.min()),
        "transposed-mask: Your triangle is the wrong way round: a query sees itself and the future, not the past.",
        "Should the key or the query be the smaller one?",
        paired(look=lambda query, key, n_q: key >= query),
        "mask-inverted: True and False have changed places: here True means 'may look'.",
        "What is the last row of the mask, and what should it be?",
        paired(give=lambda mask: ~mask),
        "flipped-triangle: Your rows stand in reverse order: the first query sees most.",
        "Row 0 is the earliest of the new tokens.",
        paired(give=lambda mask: mask[::-1]),
        "flipped-triangle: Your columns stand in reverse order.",
        "Column 0 is the first token of all.",
        paired(give=lambda mask: mask[:, ::-1]),
        "wrong-shape: You swapped the two sizes: rows are queries, columns keys.",
        _SHAPE,
        {"sizes": lambda n_q, n_k: (n_k, n_q), "place": lambda n_q, n_k: 0},
        {"give": lambda mask: mask.T},
        "wrong-shape: You made the square mask of all n_k tokens; only the rows of the last n_q are asked for.",
        _SHAPE,
        {"sizes": lambda n_q, n_k: (n_k, n_k), "place": lambda n_q, n_k: 0},
        "cache-missing: You made the mask of the n_q new tokens alone; the cached ones need columns too.",
        _SHAPE,
        {"sizes": lambda n_q, n_k: (n_q, n_q), "place": lambda n_q, n_k: 0},
        "keepdims-left: The mask is right, but it has an axis too many: its shape should be (n_q, n_k).",
        "Which step adds an axis?",
        {"give": lambda mask: mask[None]},
        {"give": lambda mask: mask[None, None]},
        "shape-flattened: The mask is right, but an axis is gone: one query is still a matrix with one row.",
        _SHAPE,
        lambda n_q, n_k: variant()(n_q, n_k).squeeze(),
    ),
    *in_step("give", (*NUMBERS, *ALIKE), pairs=True),
    yes="what is allowed",
    bool="`dtype=torch.bool`, or a comparison, gives booleans.",
    all_true="new tokens see all of each other, later ones too",
    all_false="nobody may look at anyone",
)
