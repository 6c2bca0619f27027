"""What people get wrong in `project`: the same product with one step replaced."""

import numpy as np

from helpers.exercises.wrong.generic import (
    CHANGES,
    centred_rows,
    cut_anew,
    softmax,
    standard_rows,
    turned,
    unit_rows,
)
from helpers.exercises.wrong.products import (
    JOINS,
    SLIPS,
    SUMS,
    first_sequence,
    into,
    linear,
    only_first,
    product,
)
from helpers.exercises.wrong.rows import alone, in_step, mistakes, only, paired, rows

Array = np.ndarray


def _rows_in_loops(X: Array, W: Array) -> Array:
    return np.array([[sum(x * w for x, w in zip(row, col, strict=True)) for col in W.T] for row in X])


def _in_three_loops(X: Array, W: Array, *sizes: int) -> Array:
    """Rows, columns and features one by one; without sizes, as many as a single sentence has."""
    n, d_out, d = sizes or (len(X), W.shape[1], len(W))
    Y = np.zeros((n, d_out))
    for i, j, k in np.ndindex(n, d_out, d):
        Y[i, j] += X[i, k] * W[k, j]
    return Y


def _saw_alone(X: Array, W: Array) -> Array:
    query = np.zeros(4)
    for column, feature in np.ndindex(4, 4):
        query[column] += X[1, feature] * W[feature, column]
    return query


def _of_one_sentence(X: Array, W: Array) -> Array:
    _n, _d = X.shape
    return X @ W


def _as_much_as_fits(Y: Array, X: Array, W: Array) -> Array:
    result, width = np.zeros_like(X), min(X.shape[-1], W.shape[-1])
    result[..., :width] = Y[..., :width]
    return result


AFTER = ("tokens-summed", "extra-nonlinearity", "shape-flattened", "softmax-too-early")

MISTAKES = mistakes(
    product,
    *rows(
        "weight-transposed: You multiplied with W transposed; here W has shape (d, d_out) and is used as it is.",
        "Which axis of W must be as long as a token is wide?",
        paired(right=turned),
        "weight-transposed: Where W is square you use it transposed; here W has shape (d, d_out) and is used as it is.",
        {"right": lambda W: W.T if W.shape[0] == W.shape[1] else W},
        "weight-transposed: You multiplied with W transposed, as `F.linear` does; here W has shape (d, d_out) and is used as it is.",
        "`F.linear` wants a weight of shape (d_out, d). Which shape has W?",
        paired(multiply=linear),
        "factors-swapped: You wrote W first. With tokens as rows, X comes first.",
        "Write the shapes under the two factors: the inner ones must agree.",
        paired(multiply=lambda X, W: W @ X),
        {"multiply": lambda X, W: np.dot(W, X)},
        "factors-swapped: Your result is that of `W.T @ X`, as with tokens in columns. Here tokens are rows: X comes first.",
        paired(multiply=lambda X, W: W.T @ X),
        "columns-as-tokens: You turned X, so its features are taken for tokens; the rows of X are the tokens already.",
        "Which axis of X runs over the tokens?",
        paired(left=turned),
        "columns-as-tokens: You apply W along the first axis of X; it belongs on the last, the features of each token.",
        {"multiply": lambda X, W: np.moveaxis(np.moveaxis(X, 0, -1) @ W, -1, 0)},
        "reversed-all-axes: You reversed all axes of X, the batch axis too, as `X.T` does; and its rows are the tokens already.",
        "Does X have to be turned at all?",
        paired(left=lambda X: X.T),
        "fixed-number-of-axes: This is right for two axes only: in a batch you multiply whole sequences with W turned round, from the left.",
        "Which order of the factors needs no turning?",
        paired(multiply=lambda X, W: (W.T @ X.T).T),
        "cosine-instead-of-dot: You divided by lengths: a projection is the plain product, its numbers may be as large as they come.",
        "Look for `norm`.",
        {"multiply": lambda X, W: unit_rows(X) @ unit_rows(W, 0)},
        "normalised-first: You divided each token by its length before projecting; use the tokens as they are.",
        {"left": unit_rows},
        "normalised-first: You divided each column of W by its length; use W as it is.",
        {"right": lambda W: unit_rows(W, 0)},
        "centred-first: You took the mean token away first; every token is projected as it comes.",
        "Does your result change when all tokens are moved by the same vector?",
        paired(left=lambda X: centred_rows(X, -2)),
        "centred-first: You took a mean away, from each token or from the columns of W, before multiplying; use X and W as they are.",
        "Look for `mean`.",
        {"left": centred_rows},
        "extra-layernorm: You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
        "Look for `mean` and `std`.",
        {"left": standard_rows},
        "not-transposed-back: Your result is transposed: rows should be tokens.",
        "Compare the shape of your result with (n, d_out).",
        paired(after=lambda Y, X, W: turned(Y)),
        {"multiply": lambda X, W: W.T @ X.T},
        "first-batch-only: You projected only the first sequence of the batch.",
        "Leave the leading axes alone: `@` works on the last two.",
        paired(left=lambda X: X[0] if X.ndim > 2 else X),
        "first-batch-only: You projected only the first sequence of the batch and gave its result to all.",
        {"left": lambda X: np.broadcast_to(first_sequence(X), X.shape)},
        "only-first-token: You projected only the first token, `X[0]`; all of them should be.",
        "Does your code go through all rows?",
        {"left": lambda X: X[0]},
        "only-last-token: Only the last token is projected: each round of your loop overwrites the one before.",
        "Where do you keep the row of each token?",
        {"left": lambda X: X[-1]},
        "returned-inside-loop: Only the first row of X, or the first sequence of a batch, is projected: your loop ends on the first round.",
        "How far is your `return` indented?",
        {"left": lambda X: X[:1]},
        "fixed-number-of-axes: Your code expects exactly two axes, (n, d); a batch has more in front.",
        "`@` repeats the product over all axes in front; your code knows rows and columns only.",
        _rows_in_loops,
        _in_three_loops,
        _of_one_sentence,
        lambda X, W: np.einsum("nd,de->ne", X, W),
        "fixed-size: Your loops run to 4, as in the text; take the sizes from X and W.",
        "Which size do the rows of the result come from, and which its columns?",
        lambda X, W: _in_three_loops(X, W, 4, 4, 4),
        "returned-inside-loop: Only the first entry of your result is filled in. A `return` inside a loop ends it on the first round.",
        "How far is your `return` indented?",
        {"after": lambda Y, X, W: only_first(Y)},
        "returned-inside-loop: Only the first row of your result is filled in. A `return` inside a loop ends it on the first round.",
        {"after": lambda Y, X, W: only_first(Y, Y.shape[-1])},
        "fixed-size: You project token 1 only, for a width of 4, as in the text; all tokens should be, and of any width.",
        "How many rows should the result have, and how wide is each?",
        _saw_alone,
        "square-only: You made room for a result of the shape of X; it should be d_out wide, not d.",
        "`np.zeros_like(X)` has the shape of X. Which shape has the result?",
        paired(after=into(lambda X, W: X)),
        {"after": into(lambda X, W: X, each=-1)},
        "square-only: You made room for a result of the shape of X and filled as much of it as fits; it should be d_out wide.",
        {"after": _as_much_as_fits},
        "extra-residual: You added X to the result. A projection is only the product.",
        "Return the product alone.",
        paired(after=lambda Y, X, W: X + Y),
        "scaled-too-early: You divided by sqrt(d_out). Nothing is scaled here; that comes in unit 03.",
        paired(after=lambda Y, X, W: Y / np.sqrt(W.shape[-1])),
        "softmax-too-early: You normalised the weight with a softmax; use W as it is.",
        "Leave weights and softmax for later: here only X and W meet.",
        {"right": softmax},
        "reshape-instead-of-transpose: You reshaped W and turned that: `reshape` cuts the same numbers anew. Use W as it is.",
        "Use W as it is: its rows already belong to the features of a token.",
        {"right": lambda W: cut_anew(W).T},
        "reshape-instead-of-transpose: You reshaped W: that cuts the same numbers anew and mixes its rows. Use W as it is.",
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        paired(right=cut_anew),
        "reshape-instead-of-transpose: You reshaped X: that cuts the same numbers anew and mixes the tokens. Use X as it is.",
        paired(left=cut_anew),
    ),
    *SUMS,
    *SLIPS,
    *alone(JOINS),
    *in_step("after", only(CHANGES, *AFTER)),
    it="the result",
    plain="a projection is only a matrix product",
    leave="Return the product alone.",
    pair="X and W",
    products="single products",
    operation="a matrix product",
    width="d",
    entry="feature of each token",
    along="the features of one token, the rows of W",
    lines="the tokens",
    columns="the columns of W",
    meets="a token's features should each meet only their own row of W",
)
