"""What people get wrong in `similarity_matrix`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Pair = tuple[np.ndarray, np.ndarray]


@replaceable
def variant(
    *,
    before: Callable[[np.ndarray, np.ndarray], Pair] = lambda X, Y: (X, Y),
    product: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda X, Y: X @ Y.T,
    after: Callable[[np.ndarray, np.ndarray], Any] = lambda S, X: S,
    turn: Callable[[np.ndarray], np.ndarray] = lambda S: S,
) -> Callable[..., Any]:
    """The similarity matrix with one or more of its steps replaced by a wrong one."""

    def answer(X: np.ndarray, Y: np.ndarray) -> Any:
        return turn(after(product(*before(X, Y)), X))

    return answer


def _unit_rows(X: np.ndarray) -> np.ndarray:
    return X / np.sqrt(np.sum(X * X, axis=1, keepdims=True))


def _differences(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return X[:, None] - Y[None]


def _filled(shape: Callable[[np.ndarray, np.ndarray], tuple[int, int]]) -> Callable[..., np.ndarray]:
    """Two loops over a result of some shape."""

    def answer(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        S = np.zeros(shape(X, Y))
        for i in range(S.shape[0]):
            for j in range(S.shape[1]):
                S[i, j] = X[i] @ Y[j]
        return S

    return answer


def _into_zeros_like(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    S = np.zeros_like(X)
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            S[i, j] = x @ y
    return S


def _one_triangle(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.triu(X @ Y.T)


def _mirrored(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Computes the upper triangle and mirrors it as far as it fits."""
    S = np.triu(X @ Y.T)
    for i in range(min(S.shape)):
        for j in range(i):
            S[i, j] = S[j, i]
    return S


def _only(rows: slice, columns: slice) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Fills a part of the result; the rest stays zero."""

    def after(S: np.ndarray, X: np.ndarray) -> np.ndarray:
        part = np.zeros_like(S)
        part[rows, columns] = S[rows, columns]
        return part

    return after


MISTAKES = (
    Mistake(
        "square-only",
        "You fill only as many columns as X has rows; there is one for each row of Y.",
        variant(after=lambda S, X: np.where(np.arange(S.shape[1]) < len(X), S, 0.0)),
        "From which of the two arrays does each of your loops take its length?",
    ),
    Mistake(
        "total-not-reset",
        "Your total goes on growing from entry to entry; every dot product starts at 0.",
        lambda X, Y: np.cumsum(X @ Y.T).reshape(len(X), len(Y)),
        "Where in your loops does the total start?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the rows of Y; a dot product adds up over the entries of two rows.",
        lambda X, Y: (X[:, None] * Y[None]).sum(axis=1),
        "Which axis do a row of X and a row of Y share?",
    ),
    Mistake(
        "keys-by-queries",
        "Your rows belong to Y and your columns to X: the matrix is transposed.",
        variant(turn=lambda S: S.T),
        "Which matrix should give the number of rows?",
    ),
    Mistake(
        "no-transpose",
        "You multiplied X by Y as it is: rows of X meet columns of Y, not rows.",
        variant(product=lambda X, Y: X @ Y),
        "Which axis of X and which axis of Y must have the same length?",
    ),
    Mistake(
        "no-transpose",
        "You multiplied Y by X as it is: rows of Y meet columns of X, not rows.",
        variant(product=lambda X, Y: Y @ X),
        "Which axis of X and which axis of Y must have the same length?",
    ),
    Mistake(
        "elementwise-instead-of-matrix-product",
        "You joined X and Y entry by entry: that is not the matrix product.",
        variant(product=lambda X, Y: X * Y),
        "Which operator multiplies matrices?",
    ),
    Mistake(
        "elementwise-instead-of-matrix-product",
        "You joined X entry by entry with Y transposed: that is not the matrix product.",
        variant(product=lambda X, Y: X * Y.T),
        "Which operator multiplies matrices?",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the same numbers anew; it does not turn rows into columns.",
        variant(product=lambda X, Y: X @ Y.reshape(Y.shape[1], Y.shape[0])),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You cut the finished matrix anew into the wrong shape; `reshape` does not turn rows into columns.",
        variant(turn=lambda S: S.reshape(S.shape[::-1])),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "Your numbers are right but stand in the wrong places: you filled them in by columns, or cut them anew.",
        variant(turn=lambda S: S.T.reshape(S.shape)),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided by the lengths: these are cosines. Keep the plain dot products.",
        variant(before=lambda X, Y: (_unit_rows(X), _unit_rows(Y))),
        "Should a longer row give a larger entry?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided the rows of X by their lengths. Keep the plain dot products.",
        variant(before=lambda X, Y: (_unit_rows(X), Y)),
        "Should a longer row give a larger entry?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided the rows of Y by their lengths. Keep the plain dot products.",
        variant(before=lambda X, Y: (X, _unit_rows(Y))),
        "Should a longer row give a larger entry?",
    ),
    Mistake(
        "centred-first",
        "You took the mean of each row away first. Use the rows as they are.",
        variant(before=lambda X, Y: (X - X.mean(1, keepdims=True), Y - Y.mean(1, keepdims=True))),
        "Does a dot product need a mean?",
    ),
    Mistake(
        "one-matrix-twice",
        "You compared X with itself; Y does not appear.",
        variant(before=lambda X, Y: (X, X)),
        "How many columns should there be?",
    ),
    Mistake(
        "one-matrix-twice",
        "You compared Y with itself; X does not appear.",
        variant(before=lambda X, Y: (Y, Y)),
        "How many rows should there be?",
    ),
    Mistake(
        "columns-as-tokens",
        "You compared columns with columns: the result compares features, not tokens.",
        variant(product=lambda X, Y: X.T @ Y),
        "Over which axis does a dot product of two tokens add up?",
    ),
    Mistake(
        "rows-paired",
        "You compared each row of X only with the row of Y at the same place.",
        variant(product=lambda X, Y: np.sum(X * Y, axis=1)),
        "Every row of X meets every row of Y: how many dot products are that?",
    ),
    Mistake(
        "rows-paired",
        "You compared each row of X only with the row of Y at the same place; the other entries are empty.",
        variant(after=lambda S, X: S * np.eye(*S.shape)),
        "Every row of X meets every row of Y: how many dot products are that?",
    ),
    Mistake(
        "no-sum",
        "You kept the products of the entries: the sum over the width is missing.",
        variant(product=lambda X, Y: X[:, None] * Y[None]),
        "Entry [i, j] is one number. How many numbers do you have there?",
    ),
    Mistake(
        "one-feature-only",
        "You used only the first entry of each row.",
        variant(before=lambda X, Y: (X[:, :1], Y[:, :1])),
        "Which entries does your dot product add up?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "You kept only the product of the last entries: each round overwrites the one before.",
        variant(before=lambda X, Y: (X[:, -1:], Y[:, -1:])),
        "Should `=` or `+=` stand in your innermost loop?",
    ),
    Mistake(
        "last-left-out",
        "You left out the last entry of each row: the dot products are one term short.",
        variant(before=lambda X, Y: (X[:, :-1], Y[:, :-1])),
        "Which indices does your innermost loop visit?",
    ),
    Mistake(
        "last-left-out",
        "You left out the first entry of each row: the dot products are one term short.",
        variant(before=lambda X, Y: (X[:, 1:], Y[:, 1:])),
        "Which indices does your innermost loop visit?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You averaged the products; the dot product adds them.",
        variant(after=lambda S, X: S / X.shape[1]),
        "Does your answer divide by the width anywhere?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest product of each pair of rows; the dot product adds them.",
        variant(product=lambda X, Y: (X[:, None] * Y[None]).max(-1)),
        "What do you do with the products of two rows?",
    ),
    Mistake(
        "outer-product",
        "You multiplied the sums of the rows; each entry meets only the entry at the same place.",
        variant(product=lambda X, Y: np.outer(X.sum(1), Y.sum(1))),
        "Which entry of `Y[j]` belongs to the first entry of `X[i]`?",
    ),
    Mistake(
        "outer-product",
        "You multiplied every number of X with every number of Y; only entries at the same place meet.",
        variant(product=np.outer),
        "How many rows and columns should there be?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added entries where the dot product multiplies them.",
        variant(product=lambda X, Y: (X[:, None] + Y[None]).sum(-1)),
        "Which operation joins an entry of X and an entry of Y?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured distances between rows, not dot products.",
        variant(product=lambda X, Y: np.sqrt((_differences(X, Y) ** 2).sum(-1))),
        "Which operation joins an entry of X and an entry of Y?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured distances between rows, with a minus sign; near is not the same as a large dot product.",
        variant(product=lambda X, Y: -(_differences(X, Y) ** 2).sum(-1)),
        "Which operation joins an entry of X and an entry of Y?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured squared distances between rows, not dot products.",
        variant(product=lambda X, Y: (_differences(X, Y) ** 2).sum(-1)),
        "Which operation joins an entry of X and an entry of Y?",
    ),
    Mistake(
        "euclidean-distance",
        "You added up the sizes of the differences: these are distances, not dot products.",
        variant(product=lambda X, Y: np.abs(_differences(X, Y)).sum(-1)),
        "Which operation joins an entry of X and an entry of Y?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of the width; these should be the plain dot products.",
        variant(after=lambda S, X: S / np.sqrt(X.shape[1])),
        "Scaling comes in a later unit.",
    ),
    Mistake(
        "lost-sign",
        "You dropped the minus signs: rows that point against each other have a negative entry.",
        variant(after=lambda S, X: np.abs(S)),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "truncates-to-int",
        "You cut X and Y off to whole numbers before multiplying.",
        variant(before=lambda X, Y: (np.trunc(X), np.trunc(Y))),
        "Look for `int` or an array made for whole numbers.",
    ),
    Mistake(
        "reduced-to-one-value",
        "You added up all dot products; the exercise asks for one number for each pair of rows.",
        variant(turn=np.sum),
        "Over which axis does a dot product of two tokens add up?",
    ),
    Mistake(
        "softmax-too-early",
        "You turned the rows into weights that sum to 1; the plain dot products are asked for.",
        variant(after=lambda S, X: np.exp(S) / np.exp(S).sum(1, keepdims=True)),
        "Return the dot products as they are.",
    ),
    Mistake(
        "square-only",
        "Your result has as many columns as X has rows; it should have one for each row of Y.",
        _filled(lambda X, Y: (len(X), len(X))),
        "Over which matrix does your second loop run?",
    ),
    Mistake(
        "square-only",
        "Your result has as many rows as Y has; it should have one for each row of X.",
        _filled(lambda X, Y: (len(Y), len(Y))),
        "Over which matrix does your first loop run?",
    ),
    Mistake(
        "square-only",
        "You gave the result the shape of X; it should have a row for each row of X and a column for each row of Y.",
        _into_zeros_like,
        "Which shape does your empty matrix have before the loops?",
    ),
    Mistake(
        "square-only",
        "Your loops run over the columns of X and Y; the result has an entry for each pair of rows.",
        _filled(lambda X, Y: (X.shape[1], Y.shape[1])),
        "Which shape do X and Y have, and which of the two sizes counts rows?",
    ),
    Mistake(
        "square-only",
        "You computed one half and mirrored it. Only a matrix of X with itself is symmetric.",
        _mirrored,
        "Is `X[0] . Y[1]` the same as `X[1] . Y[0]`?",
    ),
    Mistake(
        "square-only",
        "You filled only the upper triangle; the entries below it are different ones, and are needed.",
        _one_triangle,
        "Where does your inner loop start?",
    ),
    Mistake(
        "only-first-row",
        "Only the first row is filled in.",
        variant(after=_only(slice(1), slice(None))),
        "How far is your `return` indented?",
    ),
    Mistake(
        "only-first-row",
        "Only the first column is filled in.",
        variant(after=_only(slice(None), slice(1))),
        "Which loop ends too early?",
    ),
    Mistake(
        "only-first-row",
        "You returned the row of the first row of X alone; every row of X should have one.",
        variant(turn=lambda S: S[0]),
        "How many rows should there be?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first entry is filled in. A `return` inside a loop ends it on the first round.",
        variant(after=_only(slice(1), slice(1))),
        "How far is your `return` indented?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You returned the row of the last row of X alone: each round overwrites the one before.",
        variant(turn=lambda S: S[-1]),
        "Where do you keep the rows that are done?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "All rows of your result are equal: each round writes the row of one `X[i]` everywhere.",
        variant(turn=lambda S: np.broadcast_to(S[-1], S.shape)),
        "Which index do you write to inside the loop?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "All columns of your result are equal: each round writes the column of one `Y[j]` everywhere.",
        variant(turn=lambda S: np.broadcast_to(S[:, -1:], S.shape)),
        "Which index do you write to inside the loop?",
    ),
    Mistake(
        "summed-over-rows",
        "You added up over all rows of Y: one number is left for each row of X.",
        variant(turn=lambda S: S.sum(1)),
        "Over which axis does a dot product of two tokens add up?",
    ),
    Mistake(
        "summed-over-rows",
        "You added up over all rows of X: one number is left for each row of Y.",
        variant(turn=lambda S: S.sum(0)),
        "Over which axis does a dot product of two tokens add up?",
    ),
    Mistake(
        "shape-flattened",
        "The numbers are right, but they stand in one long row.",
        variant(turn=lambda S: S.ravel()),
        "The result has one row for each row of X.",
    ),
)
