"""What people get wrong in `causal_mask`: the same matrix with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.base import Mistake, replaceable


@replaceable
def variant(
    *,
    tokens: Callable[[int], int] = lambda n: n,
    look: Callable[[np.ndarray, np.ndarray, int], np.ndarray] = lambda query, key, n: key <= query,
    give: Callable[[np.ndarray], np.ndarray] = lambda mask: mask,
) -> Callable[[int], np.ndarray]:
    """A causal mask with one or more of its steps replaced by a wrong one."""

    def answer(n: int) -> np.ndarray:
        size = tokens(n)
        position = np.arange(size)
        mask = look(position[:, None], position[None, :], size)
        return give(mask if mask.shape == (size, size) else np.broadcast_to(mask, (size, size)).copy())

    return answer


def _only(rows: Callable[[int], slice | int], columns: slice = slice(None)) -> Callable[..., np.ndarray]:
    """The right mask in some of its rows and columns, and False everywhere else."""

    def look(query: np.ndarray, key: np.ndarray, n: int) -> np.ndarray:
        mask = np.zeros((n, n), bool)
        mask[rows(n), columns] = (key <= query)[rows(n), columns]
        return mask

    return look


_right = variant()
_NOT_BOOL = "`dtype=bool`, or a comparison, gives booleans."
_SIZE = "How many rows and columns do n tokens need?"

MISTAKES = (
    Mistake(
        "diagonal-hidden",
        "You hid the diagonal, but for the first token: every token may look at itself.",
        lambda n: np.tri(n, k=-1, dtype=bool) | (np.arange(n * n).reshape(n, n) == 0),
        "May a token look at itself?",
    ),
    Mistake(
        "transposed-mask",
        "Your triangle is the wrong way round: each token sees the future and not the past.",
        variant(look=lambda query, key, n: key >= query),
        "Row i is query i. Which columns may row 0 see?",
    ),
    Mistake(
        "diagonal-hidden",
        "You hid the diagonal too: a token may look at itself, or token 0 has nobody at all.",
        variant(look=lambda query, key, n: key < query),
        "Should the comparison be `<` or `<=`?",
    ),
    Mistake(
        "future-visible-by-one",
        "Each token sees one token of the future.",
        variant(look=lambda query, key, n: key <= query + 1),
        "Row 0 should have a single True.",
    ),
    Mistake(
        "mask-inverted",
        "True and False have changed places: here True means 'may look'.",
        variant(give=lambda mask: ~mask),
        "What is `mask[0, 0]`, and what should it be?",
    ),
    Mistake(
        "mask-not-bool",
        "You returned the numbers 0 and 1; the mask should be True and False.",
        variant(give=lambda mask: mask * 1.0),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and -inf to add to the scores; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, 0.0, -np.inf)),
        "Which tokens may look? Say True for those.",
    ),
    Mistake(
        "mask-not-bool",
        "You returned -inf for what is allowed and 0 for the rest; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, -np.inf, 0.0)),
        "Which tokens may look? Say True for those.",
    ),
    Mistake(
        "mask-not-bool",
        "You returned 1 and -inf; the mask should be True and False.",
        variant(give=lambda mask: np.where(mask, 1.0, -np.inf)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and a large negative number to add to the scores; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, 0.0, -1e9)),
        _NOT_BOOL,
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(give=lambda mask: ~mask.astype(int)),
        _NOT_BOOL,
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(give=lambda mask: ~(~mask).astype(int)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-missing",
        "You allowed everything: the future is in sight.",
        variant(look=lambda query, key, n: key < n),
        "Which entries of row 0 should be False?",
    ),
    Mistake(
        "mask-missing",
        "Your mask is False everywhere: nobody may look at anyone.",
        variant(look=lambda query, key, n: key >= n),
        "Which entry of row 0 should be True?",
    ),
    Mistake(
        "only-the-diagonal",
        "Each token sees only itself; the past is allowed too.",
        variant(look=lambda query, key, n: key == query),
        "What may the last token look at?",
    ),
    Mistake(
        "only-the-diagonal",
        "Each token sees everything but itself.",
        variant(look=lambda query, key, n: key != query),
        "What may the last token look at, and what the first?",
    ),
    Mistake(
        "only-last-two",
        "Each token sees itself and the one before it; the whole past is allowed.",
        variant(look=lambda query, key, n: (key <= query) & (key >= query - 1)),
        "How many keys may the last token look at?",
    ),
    Mistake(
        "only-last-two",
        "Each token sees only its neighbours on both sides; all of the past is allowed, and nothing of the future.",
        variant(look=lambda query, key, n: abs(key - query) <= 1),
        "How many keys may the last token look at?",
    ),
    Mistake(
        "only-last-two",
        "Each token sees only the one before it; it may look at itself and at all of the past.",
        variant(look=lambda query, key, n: key == query - 1),
        "How many keys may the last token look at?",
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner: left and right are exchanged.",
        variant(look=lambda query, key, n: n - 1 - key <= query),
        "Column 0 is the first key. Who may look at it?",
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner: top and bottom are exchanged.",
        variant(look=lambda query, key, n: query + key < n),
        "Row 0 is the first query. How many keys may it look at?",
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner, and its diagonal is missing.",
        variant(look=lambda query, key, n: n - 1 - key < query),
        "Column 0 is the first key. Who may look at it?",
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner, and its diagonal is missing.",
        variant(look=lambda query, key, n: query + key < n - 1),
        "Row 0 is the first query. How many keys may it look at?",
    ),
    Mistake(
        "rows-all-alike",
        "All your rows are alike: each token sees only the first.",
        variant(look=lambda query, key, n: key == 0),
        "How many keys may the last token look at?",
    ),
    Mistake(
        "last-left-out",
        "The last row stays empty: your loop over the queries ends too early.",
        variant(look=_only(lambda n: slice(0, n - 1))),
        "Where does your loop begin, and where does it end?",
    ),
    Mistake(
        "last-left-out",
        "The first row is empty: token 0 may not even look at itself.",
        variant(look=_only(lambda n: slice(1, None))),
        "Where does your loop begin, and where does it end?",
    ),
    Mistake(
        "last-left-out",
        "No token sees the first one: your loop or slice over the keys begins at 1.",
        variant(look=_only(lambda n: slice(None), slice(1, None))),
        "Which column is the first key?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first row is filled: the function ends after the first round of your loop.",
        variant(look=_only(lambda n: 0)),
        "How far is your `return` indented?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "Only the last row is filled; each row of the mask is needed.",
        variant(look=_only(lambda n: n - 1)),
        "Does each round of your loop keep what the earlier ones made?",
    ),
    Mistake(
        "returned-inside-loop",
        "You returned one row, the first one; the mask needs a row for each query.",
        lambda n: _right(n)[0],
        "How far is your `return` indented?",
    ),
    Mistake(
        "mask-not-broadcast",
        "You returned a single row in which everything is allowed; the mask needs a row for each query.",
        lambda n: np.ones(n, bool),
        "Positions of queries in a column, positions of keys in a row: what does comparing them give?",
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied with infinity: 0 times infinity is NaN. And here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, -np.inf, np.nan)),
        _NOT_BOOL,
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied with infinity: 0 times infinity is NaN. And here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, np.nan, -np.inf)),
        _NOT_BOOL,
    ),
    Mistake(
        "n-ignored", "You made the mask of four tokens, whatever n is.", variant(tokens=lambda n: 4), _SIZE
    ),
    Mistake("off-by-one", "You made the mask of n + 1 tokens.", variant(tokens=lambda n: n + 1), _SIZE),
    Mistake("off-by-one", "You made the mask of n - 1 tokens.", variant(tokens=lambda n: n - 1), _SIZE),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has an axis too many: its shape should be (n, n).",
        lambda n: _right(n)[None],
        "Which step adds an axis?",
    ),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has axes for batch and heads; its shape should be (n, n).",
        lambda n: _right(n)[None, None],
        "Which step adds an axis?",
    ),
    Mistake(
        "returns-positions",
        "You returned the positions of the pairs, not a mask over all of them.",
        lambda n: np.argwhere(np.tri(n)),
        "The result should be a matrix of shape (n, n).",
    ),
    Mistake(
        "returns-positions",
        "You returned the positions of the pairs, not a mask over all of them.",
        lambda n: np.tril_indices(n),
        "The result should be a matrix of shape (n, n).",
    ),
    Mistake(
        "mask-not-bool",
        "You returned differences of positions; the mask should be True and False.",
        lambda n: np.subtract.outer(np.arange(n), np.arange(n)),
        "Which sign has the difference when a key lies in the past?",
    ),
    Mistake(
        "mask-not-bool",
        "You returned weights that sum to 1 in each row; the mask should be True and False.",
        variant(give=lambda mask: mask / mask.sum(-1, keepdims=True)),
        _NOT_BOOL,
    ),
)
