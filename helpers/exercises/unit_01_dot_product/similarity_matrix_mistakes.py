"""What people get wrong in `similarity_matrix`: the same product with one step replaced."""

from collections.abc import Callable
from functools import partial

import numpy as np

from helpers.exercises.wrong.generic import CHANGES, centred_rows, cut_anew, softmax, turned, unit_rows
from helpers.exercises.wrong.products import (
    DISTANCES,
    JOINS,
    SLIPS,
    SUMS,
    as_it_is,
    into,
    meet,
    product,
    summed,
)
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows, without

Array = np.ndarray


def _filled(shape: Callable[[Array, Array], tuple[int, int]]) -> Callable[[Array, Array], Array]:
    """Two loops over a result of some shape."""

    def answer(X: Array, Y: Array) -> Array:
        S = np.zeros(shape(X, Y))
        for i, j in np.ndindex(*S.shape):
            S[i, j] = X[i] @ Y[j]
        return S

    return answer


def _columns_of_x(X: Array, Y: Array) -> Array:
    S = np.zeros((len(X), len(X)))
    for i, j in np.ndindex(*S.shape):
        S[j, i] = X[i] @ Y[j]
    return S


def _mirrored(X: Array, Y: Array) -> Array:
    """Computes the upper triangle and mirrors it as far as it fits."""
    S = np.triu(X @ Y.T)
    for i, j in zip(*np.tril_indices(min(S.shape), -1), strict=True):
        S[i, j] = S[j, i]
    return S


def _only(rows: slice, columns: slice) -> Callable[[Array, Array, Array], Array]:
    """Fills a part of the result; the rest stays zero."""

    def after(S: Array, X: Array, Y: Array) -> Array:
        part = np.zeros_like(S)
        part[rows, columns] = S[rows, columns]
        return part

    return after


ALL = slice(None)

MISTAKES = mistakes(
    partial(product, right=turned),
    *rows(
        "square-only: You fill only as many columns as X has rows; there is one for each row of Y.",
        "From which of the two arrays does each of your loops take its length?",
        paired(after=lambda S, X, Y: np.where(np.arange(S.shape[1]) < len(X), S, 0.0)),
        "total-not-reset: Your total goes on growing from entry to entry; every dot product starts at 0.",
        "Where in your loops does the total start?",
        lambda X, Y: np.cumsum(X @ Y.T).reshape(len(X), len(Y)),
        "keys-by-queries: Your rows belong to Y and your columns to X: the matrix is transposed.",
        "Which matrix should give the number of rows?",
        paired(before=lambda X, Y: (Y, X)),
        paired(after=lambda S, X, Y: S.T),
        "no-transpose: You multiplied X by Y as it is: rows of X meet columns of Y, not rows.",
        "Which axis of X and which axis of Y must have the same length?",
        paired(right=as_it_is),
        "no-transpose: You multiplied Y by X as it is: rows of Y meet columns of X, not rows.",
        paired(before=lambda X, Y: (Y, X), right=as_it_is),
        "elementwise-instead-of-matrix-product: You joined X and Y entry by entry: that is not the matrix product.",
        "Which operator multiplies matrices?",
        paired(right=as_it_is, multiply=np.multiply),
        "elementwise-instead-of-matrix-product: You joined X entry by entry with Y transposed: that is not the matrix product.",
        paired(multiply=np.multiply),
        "reshape-instead-of-transpose: You cut the same numbers anew, as `reshape` does; that does not turn rows into columns.",
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        paired(right=cut_anew),
        {"right": lambda Y: Y.reshape(Y.shape[::-1], order="F")},
        "reshape-instead-of-transpose: You cut the finished matrix anew into the wrong shape; `reshape` does not turn rows into columns.",
        paired(after=lambda S, X, Y: cut_anew(S)),
        "reshape-instead-of-transpose: Your numbers are right but stand in the wrong places: you filled them in by columns, or cut them anew.",
        paired(after=lambda S, X, Y: S.T.reshape(S.shape)),
        "cosine-instead-of-dot: You divided by the lengths: these are cosines. Keep the plain dot products.",
        "Should a longer row give a larger entry?",
        paired(before=lambda X, Y: (unit_rows(X), unit_rows(Y))),
        "cosine-instead-of-dot: You divided the rows of X by their lengths. Keep the plain dot products.",
        paired(left=unit_rows),
        "cosine-instead-of-dot: You divided the rows of Y by their lengths. Keep the plain dot products.",
        paired(before=lambda X, Y: (X, unit_rows(Y))),
        "centred-first: You took the mean of each row away first. Use the rows as they are.",
        "Does a dot product need a mean?",
        paired(before=lambda X, Y: (centred_rows(X), centred_rows(Y))),
        "one-matrix-twice: You compared X with itself; Y does not appear.",
        "Do both X and Y appear in your code?",
        paired(before=lambda X, Y: (X, X)),
        "one-matrix-twice: You compared Y with itself; X does not appear.",
        paired(before=lambda X, Y: (Y, Y)),
        "columns-as-tokens: You compared columns with columns: the result compares features, not tokens.",
        "Over which axis does a dot product of two tokens add up?",
        paired(left=turned, right=as_it_is),
        "reduced-to-one-value: You added up all dot products; the exercise asks for one number for each pair of rows.",
        paired(after=lambda S, X, Y: np.sum(S)),
        "summed-over-rows: You added up over all rows of Y: one number is left for each row of X.",
        paired(after=lambda S, X, Y: S.sum(1)),
        "summed-over-rows: You added up over all rows of X: one number is left for each row of Y.",
        paired(after=lambda S, X, Y: S.sum(0)),
        "rows-paired: You compared each row of X only with the row of Y at the same place.",
        "Every row of X meets every row of Y: how many dot products are that?",
        paired(multiply=lambda X, Y_T: np.sum(X * Y_T.T, axis=1)),
        "rows-paired: You compared each row of X only with the row of Y at the same place; the other entries are empty.",
        paired(after=lambda S, X, Y: S * np.eye(*S.shape)),
        "one-feature-only: You used only the first entry of each row.",
        "Which entries does your dot product add up?",
        paired(multiply=lambda X, Y_T: meet(X, Y_T)[..., 0]),
        "lost-sign: You dropped the minus signs: rows that point against each other have a negative entry.",
        "Where in your code does a minus sign get lost?",
        paired(after=lambda S, X, Y: np.abs(S)),
        "truncates-to-int: You cut X and Y off to whole numbers before multiplying.",
        "Look for `int` or an array made for whole numbers.",
        paired(before=lambda X, Y: (np.trunc(X), np.trunc(Y))),
        "softmax-too-early: You turned the rows into weights that sum to 1; the plain dot products are asked for.",
        "Return the dot products as they are.",
        paired(after=lambda S, X, Y: softmax(S)),
        "square-only: Your result has as many columns as X has rows; it should have one for each row of Y.",
        "Over which matrix does your second loop run?",
        _filled(lambda X, Y: (len(X), len(X))),
        "square-only: Your result has as many rows as Y has; it should have one for each row of X.",
        "Over which matrix does your first loop run?",
        _filled(lambda X, Y: (len(Y), len(Y))),
        "square-only: Your loops run over the columns of X and Y; the result has an entry for each pair of rows.",
        "Which shape do X and Y have, and which of the two sizes counts rows?",
        _filled(lambda X, Y: (X.shape[1], Y.shape[1])),
        "square-only: You gave the result the shape of X; it should have a row for each row of X and a column for each row of Y.",
        "Which shape does your empty matrix have before the loops?",
        {"after": into(lambda X, Y: X, each=-1)},
        "square-only: You computed one half and mirrored it. Only a matrix of X with itself is symmetric.",
        "Is `X[0] . Y[1]` the same as `X[1] . Y[0]`?",
        _mirrored,
        "square-only: You filled only the upper triangle; the entries below it are different ones, and are needed.",
        "Where does your inner loop start?",
        {"after": lambda S, X, Y: np.triu(S)},
        "only-first-row: Only the first row is filled in.",
        "How far is your `return` indented, or which loop ends too early?",
        paired(after=_only(slice(1), ALL)),
        "only-first-row: Only the first column is filled in.",
        paired(after=_only(ALL, slice(1))),
        "returned-inside-loop: Only the first entry is filled in. A `return` inside a loop ends it on the first round.",
        paired(after=_only(slice(1), slice(1))),
        "only-first-row: You returned the row of the first row of X alone; every row of X should have one.",
        "How many rows should there be?",
        paired(after=lambda S, X, Y: S[0]),
        "overwritten-instead-of-collected: You returned the row of the last row of X alone: each round overwrites the one before.",
        "Where do you keep the rows that are done?",
        paired(after=lambda S, X, Y: S[-1]),
        "overwritten-instead-of-collected: All rows of your result are equal: each round writes the row of one `X[i]` everywhere.",
        "Which index do you write to inside the loop?",
        paired(after=lambda S, X, Y: np.broadcast_to(S[-1], S.shape)),
        "overwritten-instead-of-collected: All columns of your result are equal: each round writes the column of one `Y[j]` everywhere.",
        paired(after=lambda S, X, Y: np.broadcast_to(S[:, -1:], S.shape)),
        "fixed-size: Your code is written for four rows in X and four in Y, as in the text; there may be more or fewer.",
        "Which of your numbers should come from `len(X)`, and which from `len(Y)`?",
        _filled(lambda X, Y: (4, 4)),
        "square-only: Both your loops take their length from X, and rows and columns have changed places.",
        "Which index of the result belongs to X, and how many rows has Y?",
        _columns_of_x,
        "cosine-instead-of-dot: You divided by the lengths of the two matrices as a whole. Keep the plain dot products.",
        "Look for `norm`.",
        {"after": lambda S, X, Y: S / (np.linalg.norm(X) * np.linalg.norm(Y))},
        "square-only: Your result has as many columns as Y; it should have one for each row of Y.",
        "Which of the two sizes of Y counts its rows?",
        _filled(lambda X, Y: (len(X), Y.shape[1])),
        "euclidean-distance: You made similarities of distances; the exercise asks for plain dot products.",
        "Which operation joins two entries that meet?",
        *(
            {"multiply": lambda X, Y, made=made: made(np.sqrt(((X[:, None] - Y.T[None]) ** 2).sum(-1)))}
            for made in (
                lambda far: 1 / (1 + far),
                lambda far: 1 / (1 + far**2),
                lambda far: np.exp(-far),
                lambda far: np.exp(-(far**2)),
                lambda far: 1 - far,
            )
        ),
        "truncates-to-int: Your dot products are cut off to whole numbers.",
        "Look for `int`, `//` or an array made for integers.",
        {"after": lambda S, X, Y: np.trunc(S)},
        {"after": lambda S, X, Y: S.astype(int)},
        "truncates-to-int: You cut each product of two entries off to a whole number.",
        "Look for `int`, `round` or `//`.",
        {"multiply": summed(lambda products: np.trunc(products).sum(-1))},
    ),
    *SUMS,
    *without(SLIPS, "returned-inside-loop"),
    *without(JOINS, "no-sum"),
    *DISTANCES,
    *in_step("after", only(CHANGES, "shape-flattened"), pairs=True),
    it="the result",
    pair="rows of X and of Y",
    products="products of entries",
    operation="a dot product",
    width="the width",
    entry="entry of each row",
    along="the entries of two rows",
    lines="the rows of X",
    columns="the rows of Y",
    meets="only entries at the same place meet",
)
