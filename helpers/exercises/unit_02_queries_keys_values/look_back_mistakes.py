"""What people get wrong in `look_back`: another place, words that are not dropped, parts put together wrongly."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray
Places = Callable[[int, int], Array]


def variant(
    *,
    steps: Callable[[int, int], int] = lambda steps, n: steps,
    places: Places = lambda n, steps: np.eye(n, k=-steps),
    words: Callable[[int, int, int], Array] = lambda num_words, n, steps: np.zeros((num_words, n)),
    joined: Callable[[Array, Array], Any] = lambda words, places: np.vstack([words, places]),
    after: Callable[[Array], Any] = lambda W_q: W_q,
) -> Callable[[int, int, int], Any]:
    """The right answer, with one or more of its steps replaced by a wrong one."""

    def answer(num_words: int, n: int, how_many: int) -> Any:
        back = steps(how_many, n)
        return after(joined(words(num_words, n, back), places(n, back)))

    return answer


# Where a token looks; what lies before the first token or after the last is left out, or wraps round, or is the end


def _wrapped(n: int, steps: int) -> Array:
    return np.eye(n)[(np.arange(n) - steps) % n]


def _at_the_end(n: int, steps: int) -> Array:
    return np.eye(n)[np.clip(np.arange(n) - steps, 0, n - 1)]


def _forward(places: Places) -> Places:
    return lambda n, steps: places(n, -steps)


def _one_column(column: Callable[[int, int], int]) -> Places:
    """All tokens look at one token."""
    return lambda n, steps: np.eye(n)[[column(n, steps) % n] * n]


def _only_rows(kept: Callable[[Array, int, int], Array]) -> Places:
    """The right rows for some tokens, and zeros for the others."""
    return lambda n, steps: np.eye(n, k=-steps) * kept(np.arange(n), n, steps)[:, None]


def _distance(n: int, steps: int) -> Array:
    """How far each token is from the one to look at."""
    return np.abs(np.arange(n)[:, None] - steps - np.arange(n))


def _band(nearest: int) -> Places:
    """All tokens from `steps` before up to `nearest` before."""
    return lambda n, steps: np.tri(n, k=-nearest) - np.tri(n, k=-steps - 1)


# W_q as a whole


def _of_shape(shape: Callable[[int, int, int], tuple[int, ...]]) -> Callable[[int, int, int], Array]:
    """Any array of a wrong shape: the numbers do not count then."""
    return lambda num_words, n, steps: np.zeros(shape(num_words, n, steps))


def _key_matrix(num_words: int, n: int) -> Array:
    return np.vstack([np.zeros((num_words, n)), np.eye(n)])


_COLUMN = "In the row of place i, which column stands for the place to look at?"
_WORDS = "Which rows of W_q does the word of a token bring in, and what should they add to its query?"
_ALONE = "How many ones may stand in the row of a place?"
_ORDER = "Which numbers of a token come first, those of its word or those of its place?"
_SHAPE = "How many numbers has a token, and how many has a query?"
_AXIS = "What does `np.roll` do with rows where it gets no axis?"
_LOOP = "Which tokens does your loop reach? They should be `steps` to n - 1."
_CONSTANT = "Which sizes in your code come from the cells above, and not from the arguments?"

MISTAKES = mistakes(
    variant,
    *rows(
        "past-and-future-swapped: Your tokens look forward, not back.",
        _COLUMN,
        paired(places=_forward(lambda n, steps: np.eye(n, k=-steps))),
        {"places": _forward(_wrapped)},
        {"places": _forward(_at_the_end)},
        "past-and-future-swapped: Your tokens look at several tokens after them.",
        {"places": lambda n, steps: np.tri(n, k=-steps).T},
        {"places": lambda n, steps: np.tri(n, k=-1).T},
        "own-token: Each token looks at itself, as it does with W_key taken for W_q.",
        "What is `steps` for in your code? With 0 steps a token would look at itself.",
        paired(steps=lambda steps, n: 0),
        "steps-ignored: You take 1 for `steps`, however many are asked for.",
        "Where does `steps` stand in your code?",
        paired(steps=lambda steps, n: 1),
        "steps-ignored: You take 2 for `steps`, however many are asked for.",
        {"steps": lambda steps, n: 2},
        {"steps": lambda steps, n: 2, "places": _wrapped},
        {"steps": lambda steps, n: 2, "places": _at_the_end},
        "off-by-one: You count one step too many.",
        "With `steps` = 1 token 1 should look at token 0. At which token does yours look?",
        paired(steps=lambda steps, n: steps + 1),
        {"steps": lambda steps, n: steps + 1, "places": _wrapped},
        {"steps": lambda steps, n: steps + 1, "places": _at_the_end},
        "off-by-one: You count one step too few.",
        paired(steps=lambda steps, n: steps - 1),
        {"places": lambda n, steps: np.eye(n, k=1 - steps) * (np.arange(n) < n - 1)[:, None]},
        "wrong-offset: Your tokens look twice as far back as `steps`.",
        "How often is the shift by `steps` done in your code?",
        {"steps": lambda steps, n: 2 * steps},
        {"steps": lambda steps, n: 2 * steps, "places": _wrapped},
        {"steps": lambda steps, n: 2 * steps, "places": _at_the_end},
        "counted-from-the-end: Your tokens look n - steps places back, so `steps` counts from the other end.",
        _COLUMN,
        {"steps": lambda steps, n: n - steps},
        "one-place-for-all: All tokens look at token `steps`, counted from the start; `steps` should count back from each token.",
        _COLUMN,
        {"places": _one_column(lambda n, steps: steps)},
        "one-place-for-all: All tokens look at the token `steps` places from the end; `steps` should count back from each token.",
        {"places": _one_column(lambda n, steps: -steps)},
        {"places": _one_column(lambda n, steps: n - 1 - steps)},
        "one-place-for-all: All tokens look at the first token; each should look `steps` places back from its own.",
        {"places": _one_column(lambda n, steps: 0)},
        "one-place-for-all: All tokens look at the last token; each should look `steps` places back from its own.",
        {"places": _one_column(lambda n, steps: -1)},
        "wrong-order: Your ones run from the top right to the bottom left: the later a token is, the earlier it looks.",
        "In which direction do your loops or slices run?",
        {"places": lambda n, steps: np.eye(n, k=-steps)[::-1]},
        {"places": lambda n, steps: np.eye(n, k=-steps)[:, ::-1]},
        {"places": lambda n, steps: np.eye(n)[::-1]},
        {"places": lambda n, steps: _wrapped(n, steps)[::-1]},
        {"places": lambda n, steps: _wrapped(n, steps)[:, ::-1]},
        "sign-flipped: Your tokens score lowest, and not highest, at the token `steps` before them.",
        "Which sign have the entries of W_q, and which is the largest number of a row?",
        paired(after=lambda W_q: -W_q),
        {"places": _distance},
        "all-earlier-tokens: Your tokens score a whole stretch of tokens equally high.",
        _ALONE,
        paired(places=lambda n, steps: np.tri(n, k=-steps)),
        {"places": lambda n, steps: np.tri(n, k=-1)},
        {"places": lambda n, steps: np.tri(n)},
        {"places": lambda n, steps: np.tri(n, k=-steps - 1)},
        {"places": lambda n, steps: 1 - np.tri(n, k=-steps - 1)},
        {"places": lambda n, steps: np.tri(n, k=steps) - np.tri(n, k=-steps - 1)},
        {"places": _band(1)},
        {"places": _band(0)},
        "both-sides: Your tokens look `steps` places back and `steps` places forward alike.",
        _ALONE,
        {"places": lambda n, steps: np.eye(n, k=-steps) + np.eye(n, k=steps)},
        "highest-not-alone: Your tokens score themselves as high as the token `steps` before them.",
        _ALONE,
        {"places": lambda n, steps: np.eye(n, k=-steps) + np.eye(n)},
        "all-tokens: From place `steps` on, each of your tokens scores all tokens alike, so none is highest.",
        "Which rows does your code fill: those from num_words + `steps` on? Each needs one number larger than its others.",
        lambda num_words, n, steps: np.zeros((num_words + n, n)),
        "last-left-out: The last token scores all tokens alike: its row is left empty.",
        _LOOP,
        {"places": _only_rows(lambda i, n, steps: i < n - 1)},
        "first-left-out: Token `steps` scores all tokens alike: its row is left empty, though token 0 is so far back.",
        _LOOP,
        {"places": _only_rows(lambda i, n, steps: i > steps)},
        "one-token-only: Only token `steps` looks back; the later ones score all tokens alike.",
        "How far is your `return` indented, and does a loop go through all tokens?",
        {"places": _only_rows(lambda i, n, steps: i == steps)},
        "overwritten-instead-of-collected: Only the last token looks back; the others, from place `steps` on, score all tokens alike.",
        "Is W_q made anew in each round of your loop?",
        {"places": _only_rows(lambda i, n, steps: i == n - 1)},
        "zeros-at-the-end: Your rows are not moved: each token looks at itself, and the last ones have zeros.",
        "Do the rows of zeros belong on top of the place part, or at its end?",
        {"places": lambda n, steps: np.vstack([np.eye(n - steps, n), np.zeros((steps, n))])},
        "words-not-dropped: Your rows for the words are not zeros: they add a pull towards the place with the word's number.",
        _WORDS,
        paired(words=lambda num_words, n, steps: np.eye(num_words, n)),
        {"words": lambda num_words, n, steps: 2 * np.eye(num_words, n)},
        "words-not-dropped: Your rows for the words are shifted codes too: they add a place that belongs to the word's number.",
        {"words": lambda num_words, n, steps: np.eye(num_words, n, k=-steps)},
        {"words": lambda num_words, n, steps: _wrapped(max(num_words, n), steps)[:num_words, :n]},
        "words-not-dropped: Your rows for the words all pull towards one token.",
        {"words": lambda num_words, n, steps: _one_column(lambda n, steps: 0)(n, 0)[[0] * num_words]},
        {"words": lambda num_words, n, steps: _one_column(lambda n, steps: -1)(n, 0)[[0] * num_words]},
        "places-dropped: Your rows for the places are zeros, so only the word of a token says where it looks.",
        "Which rows of W_q does the place of a token bring in? The answer depends on the place alone.",
        {
            "words": lambda num_words, n, steps: np.eye(num_words, n),
            "places": lambda n, steps: np.zeros((n, n)),
        },
        {
            "words": lambda num_words, n, steps: np.eye(num_words, n, k=-steps),
            "places": lambda n, steps: np.zeros((n, n)),
        },
        "parts-swapped: Your rows for the places come first, but a token begins with its word.",
        _ORDER,
        paired(joined=lambda words, places: np.vstack([places, words])),
        lambda num_words, n, steps: np.eye(num_words + n, n, k=-steps),
        "parts-swapped: Your rows look back from the first row of W_q on, where the words have theirs.",
        lambda num_words, n, steps: np.eye(n)[np.clip(np.arange(num_words + n) - steps, 0, n - 1)],
        lambda num_words, n, steps: np.eye(n)[(np.arange(num_words + n) - steps) % n],
        "word-rows-moved: You moved all rows of W_key down, and those from the bottom came out on top, among the words.",
        "Move the rows of the places alone, or the columns.",
        lambda num_words, n, steps: np.roll(_key_matrix(num_words, n), steps, axis=0),
        "wrong-default-axis: Your ones are those of W_key rolled without an axis: some move into the row above, and from the first place into a word's.",
        _AXIS,
        lambda num_words, n, steps: np.roll(_key_matrix(num_words, n), -steps),
        "wrong-default-axis: Your ones are those of W_key rolled without an axis: they move to the right, which is forward, and the last come out on top.",
        lambda num_words, n, steps: np.roll(_key_matrix(num_words, n), steps),
        "wrong-default-axis: Your places are rolled without an axis, so the one that leaves row 0 comes out in the last row, which has two.",
        {"places": lambda n, steps: np.roll(np.eye(n), -steps)},
        "wrong-default-axis: Your places are rolled without an axis, and to the right: tokens look forward, and ones go over into the next row.",
        {"places": lambda n, steps: np.roll(np.eye(n), steps)},
        "past-and-future-swapped: Your ones are moved up, some into the rows of words: the tokens look forward.",
        _COLUMN,
        lambda num_words, n, steps: np.roll(_key_matrix(num_words, n), -steps, axis=0),
        lambda num_words, n, steps: np.eye(num_words + n, n, k=steps - num_words),
        "wrong-offset: Your ones are moved to the right by num_words; they should begin num_words rows further down.",
        "What does the sign of `k` in `np.eye` do?",
        lambda num_words, n, steps: np.eye(num_words + n, n, k=num_words - steps),
        "wrong-offset: Your ones stand above the diagonal of W_q; they should stand num_words + `steps` rows below it.",
        lambda num_words, n, steps: np.eye(num_words + n, n, k=num_words + steps),
        "reshape-instead-of-transpose: You reshaped W_q: that cuts the same numbers anew and mixes the rows.",
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        {"after": lambda W_q: W_q.T.reshape(W_q.shape)},
        # only the shape is wrong, whatever the numbers are
        "not-transposed-back: Your W_q has n rows and num_words + n columns; these numbers should change places.",
        "Was it turned round, or put side by side? The rows of the words belong above those of the places.",
        _of_shape(lambda num_words, n, steps: (n, num_words + n)),
        "word-rows-missing: What you return has n rows: the rows for the words are missing, unless these are queries, one for each token.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (n, n)),
        "place-rows-missing: Your W_q has num_words rows: the rows for the places are missing.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (num_words, n)),
        "key-too-wide: Your W_q is as wide as a token, and should be as wide as a key.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (num_words + n, num_words + n)),
        "arguments-swapped: Your W_q has num_words columns; a query has n numbers, one for each place.",
        "Where does num_words stand for n?",
        _of_shape(lambda num_words, n, steps: (num_words + n, num_words)),
        "wrong-row-count: Your W_q has n rows for the words; there are num_words of them.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (2 * n, n)),
        "wrong-row-count: Your W_q has num_words times n rows; in a token the two numbers add up.",
        _of_shape(lambda num_words, n, steps: (num_words * n, n)),
        "wrong-row-count: Your W_q has `steps` rows too many.",
        "Rows that are put on top push as many out at the bottom.",
        _of_shape(lambda num_words, n, steps: (num_words + n + steps, n)),
        "wrong-row-count: Your W_q has `steps` rows too few: each place has its own row, in order.",
        "Row num_words + i belongs to place i: in which column should its 1 stand?",
        _of_shape(lambda num_words, n, steps: (num_words + n - steps, n)),
        "wrong-column-count: Your W_q has `steps` columns too few.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (num_words + n, n - steps)),
        "wrong-column-count: Your W_q has `steps` columns too many.",
        _of_shape(lambda num_words, n, steps: (num_words + n, n + steps)),
        "indices-for-codes: Your W_q is one row of numbers; each word and each place needs a row of n numbers.",
        _SHAPE,
        _of_shape(lambda num_words, n, steps: (num_words + n,)),
        _of_shape(lambda num_words, n, steps: (n,)),
        "off-by-one: Your W_q has one row too many.",
        _of_shape(lambda num_words, n, steps: (num_words + n + 1, n)),
        "off-by-one: Your W_q has one row too few.",
        _of_shape(lambda num_words, n, steps: (num_words + n - 1, n)),
        "off-by-one: Your W_q has one column too many.",
        _of_shape(lambda num_words, n, steps: (num_words + n, n + 1)),
        "off-by-one: Your W_q has one column too few.",
        _of_shape(lambda num_words, n, steps: (num_words + n, n - 1)),
        "shape-flattened: Your W_q is one long row of numbers; it should be a matrix of num_words + n rows.",
        "Which step removes an axis?",
        {"after": np.ravel},
        "fixed-size: Your W_q has 8 rows and 5 columns in every call, as for the sentence in the notebook.",
        _CONSTANT,
        lambda num_words, n, steps: variant()(3, 5, steps),
        lambda num_words, n, steps: variant()(3, 5, 2),
        "fixed-size: Your W_q has 5 columns in every call, as for the sentence in the notebook.",
        lambda num_words, n, steps: variant()(num_words, 5, steps),
        "fixed-size: Your W_q has rows for 3 words in every call, as for the sentence in the notebook.",
        lambda num_words, n, steps: variant()(3, n, steps),
    ),
)
