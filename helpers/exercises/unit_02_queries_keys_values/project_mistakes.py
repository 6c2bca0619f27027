"""What people get wrong in `project`: the same product with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax
from helpers.exercises.unit_02_queries_keys_values.wrong_steps import (
    alone,
    cut_anew,
    first_sequence,
    standard_rows,
    turned,
    unit_rows,
)


@replaceable
def variant(
    *,
    tokens: Callable[[np.ndarray], np.ndarray] = lambda X: X,
    weight: Callable[[np.ndarray], np.ndarray] = lambda W: W,
    multiply: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.matmul,
    after: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda Y, X, W: Y,
) -> Callable[..., Any]:
    """A projection with one or more of its steps replaced by a wrong one."""
    return lambda X, W: after(multiply(tokens(X), weight(W)), X, W)


def _linear(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    return F.linear(torch.from_numpy(X), torch.from_numpy(W)).numpy()


def _products(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Every feature of every token times every entry of its row of W: (..., n, d, d_out)."""
    return X[..., None] * W


def _in_a_result_like_x(Y: np.ndarray, X: np.ndarray, W: np.ndarray) -> np.ndarray:
    result = np.zeros_like(X)
    result[...] = Y
    return result


def _entries_in_a_result_like_x(Y: np.ndarray, X: np.ndarray, W: np.ndarray) -> np.ndarray:
    result = np.zeros_like(X)
    for column in range(W.shape[1]):
        result[..., column] = Y[..., column]
    return result


def _as_much_as_fits(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    result, width = np.zeros_like(X), min(X.shape[-1], W.shape[-1])
    result[..., :width] = (X @ W)[..., :width]
    return result


def _rows_in_loops(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.array([[sum(x * w for x, w in zip(row, col, strict=True)) for col in W.T] for row in X])


MISTAKES = (
    Mistake(
        "weight-transposed",
        "Where W is square you use it transposed; here W has shape (d, d_out) and is used as it is.",
        lambda X, W: X @ (W.T if W.shape[0] == W.shape[1] else W),
        "Which axis of W must be as long as a token is wide? Shapes do not tell when both are.",
    ),
    Mistake(
        "centred-first",
        "You took the mean token away first; every token is projected as it comes.",
        variant(tokens=lambda X: X - X.mean(axis=-2, keepdims=True)),
        "Does your result change when all tokens are moved by the same vector?",
    ),
    Mistake(
        "weight-transposed",
        "You multiplied with W transposed; here W has shape (d, d_out) and is used as it is.",
        variant(weight=lambda W: W.T),
        "Which axis of W must be as long as a token is wide?",
    ),
    Mistake(
        "weight-transposed",
        "You multiplied with W transposed, as `F.linear` does; here W has shape (d, d_out) and is used as it is.",
        variant(multiply=_linear),
        "`F.linear` wants a weight of shape (d_out, d). Which shape has W?",
    ),
    Mistake(
        "factors-swapped",
        "You wrote W first. With tokens as rows, X comes first.",
        variant(multiply=lambda X, W: W @ X),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "factors-swapped",
        "You wrote W first. With tokens as rows, X comes first.",
        alone(variant(multiply=lambda X, W: np.dot(W, X))),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "factors-swapped",
        "You turned W and wrote it first, as one does with tokens in columns. Here tokens are rows: X comes first.",
        variant(multiply=lambda X, W: W.T @ X),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned X, so its features are taken for tokens; the rows of X are the tokens already.",
        variant(tokens=turned),
        "Which axis of X runs over the tokens?",
    ),
    Mistake(
        "reversed-all-axes",
        "`X.T` reverses all axes, the batch axis too; and the rows of X are the tokens already.",
        variant(tokens=lambda X: X.T),
        "Does X have to be turned at all?",
    ),
    Mistake(
        "reversed-all-axes",
        "`.T` reverses all axes, the batch axis too: turning back and forth works for two axes only.",
        variant(multiply=lambda X, W: (W.T @ X.T).T),
        "Which order of the factors needs no turning?",
    ),
    Mistake(
        "no-sum",
        "You multiplied entry by entry; a projection is a matrix product.",
        variant(multiply=lambda X, W: X * W),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "outer-product",
        "Every number of X meets every number of W; a token's features should each meet only their own row of W.",
        alone(variant(multiply=lambda X, W: np.tensordot(X, W, axes=0))),
        "Which axis of X and which axis of W run together?",
    ),
    Mistake(
        "outer-product",
        "Every number of X meets every number of W; a token's features should each meet only their own row of W.",
        alone(variant(multiply=np.outer)),
        "Which axis of X and which axis of W run together?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the columns of W; the sum runs over the features of a token, the rows of W.",
        alone(variant(multiply=lambda X, W: X * W.sum(-1))),
        "Over which axis does `X[i] @ W[:, j]` add up?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the tokens; the sum runs over the features of one token.",
        alone(variant(multiply=lambda X, W: _products(X, W).sum(-3))),
        "Over which axis does `X[i] @ W[:, j]` add up?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest of the products; they should be added up.",
        alone(variant(multiply=lambda X, W: _products(X, W).max(-2))),
        "What does a matrix product do with the products of one row and one column?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "Only the product of the last feature is left: each round of your loop overwrites the one before.",
        variant(multiply=lambda X, W: X[..., -1:] * W[-1]),
        "Which operator adds to what is there already?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the product of the first feature counts: your loop ends on the first round.",
        variant(multiply=lambda X, W: X[..., :1] * W[0]),
        "How far is your `return` indented?",
    ),
    Mistake(
        "last-left-out",
        "The last feature of each token is left out of the sum.",
        variant(multiply=lambda X, W: X[..., :-1] @ W[:-1]),
        "Where does your loop or slice end?",
    ),
    Mistake(
        "last-left-out",
        "The first feature of each token is left out of the sum.",
        alone(variant(multiply=lambda X, W: X[..., 1:] @ W[1:])),
        "Where does your loop or slice begin?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided by lengths: a projection is the plain product, its numbers may be as large as they come.",
        alone(variant(multiply=lambda X, W: unit_rows(X) @ unit_rows(W, 0))),
        "Look for `norm`.",
    ),
    Mistake(
        "normalised-first",
        "You divided each token by its length before projecting; use the tokens as they are.",
        alone(variant(tokens=unit_rows)),
        "Look for `norm`.",
    ),
    Mistake(
        "centred-first",
        "You took a mean away, from each token or from the columns of W, before multiplying; use X and W as they are.",
        alone(variant(tokens=lambda X: X - X.mean(-1, keepdims=True))),
        "Look for `mean`.",
    ),
    Mistake(
        "not-transposed-back",
        "Your result is transposed: rows should be tokens.",
        variant(after=lambda Y, X, W: turned(Y)),
        "Compare the shape of your result with (n, d_out).",
    ),
    Mistake(
        "not-transposed-back",
        "Your result is transposed: rows should be tokens.",
        alone(variant(multiply=lambda X, W: W.T @ X.T)),
        "Compare the shape of your result with (n, d_out).",
    ),
    Mistake(
        "first-batch-only",
        "You projected only the first sequence of the batch.",
        variant(tokens=lambda X: X[0] if X.ndim > 2 else X),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "You projected only the first sequence of the batch and gave its result to all.",
        alone(variant(tokens=lambda X: np.broadcast_to(first_sequence(X), X.shape))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "only-first-token",
        "You projected only the first token, `X[0]`; all of them should be.",
        alone(variant(tokens=lambda X: X[0])),
        "Does your code go through all rows?",
    ),
    Mistake(
        "only-last-token",
        "Only the last token is projected: each round of your loop overwrites the one before.",
        alone(variant(tokens=lambda X: X[-1])),
        "Where do you keep the row of each token?",
    ),
    Mistake(
        "tokens-summed",
        "You added the tokens up; each token should keep its own row.",
        variant(after=lambda Y, X, W: Y.sum(-2)),
        "How many rows should the result have?",
    ),
    Mistake(
        "tokens-summed",
        "You averaged the tokens; each token should keep its own row.",
        alone(variant(after=lambda Y, X, W: Y.mean(-2))),
        "How many rows should the result have?",
    ),
    Mistake(
        "fixed-number-of-axes",
        "Your code expects exactly two axes, (n, d); a batch has more in front.",
        _rows_in_loops,
        "Which operation works on the last axis, however many stand before it?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of X; it should be d_out wide, not d.",
        variant(after=_in_a_result_like_x),
        "`np.zeros_like(X)` has the shape of X. Which shape has the result?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of X; it should be d_out wide, not d.",
        alone(variant(after=_entries_in_a_result_like_x)),
        "`np.zeros_like(X)` has the shape of X. Which shape has the result?",
    ),
    Mistake(
        "returns-input",
        "You returned X itself; W does not appear.",
        lambda X, W: X.copy(),
        "What does W do to each token?",
    ),
    Mistake(
        "extra-nonlinearity",
        "Your negative numbers became 0. A projection is only a matrix product: nothing is cut off after it.",
        variant(after=lambda Y, X, W: np.maximum(Y, 0)),
        "Return the numbers as they are.",
    ),
    Mistake(
        "extra-residual",
        "You added X to the result. A projection is only the product.",
        variant(after=lambda Y, X, W: X + Y),
        "Return the product alone.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by sqrt(d). Nothing is scaled here; that comes in unit 03.",
        variant(after=lambda Y, X, W: Y / np.sqrt(X.shape[-1])),
        "Return the plain product.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by sqrt(d_out). Nothing is scaled here; that comes in unit 03.",
        variant(after=lambda Y, X, W: Y / np.sqrt(W.shape[-1])),
        "Return the plain product.",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by d, which makes a mean of the products; they should be added up.",
        variant(after=lambda Y, X, W: Y / X.shape[-1]),
        "Look for `mean` or a division.",
    ),
    Mistake(
        "softmax-too-early",
        "You normalised the result; a projection is only a matrix product.",
        variant(after=lambda Y, X, W: softmax(Y)),
        "Leave weights and softmax for later: here only X and W meet.",
    ),
    Mistake(
        "softmax-too-early",
        "You normalised the weight with a softmax; use W as it is.",
        alone(variant(weight=softmax)),
        "Leave weights and softmax for later: here only X and W meet.",
    ),
    Mistake(
        "wrong-start",
        "Your result is larger by 1 everywhere: sums start at 0, and there is no bias here.",
        alone(variant(after=lambda Y, X, W: Y + 1)),
        "Return the product alone.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You reshaped W and turned that: `reshape` cuts the same numbers anew. Use W as it is.",
        alone(variant(weight=lambda W: cut_anew(W).T)),
        "Use W as it is: its rows already belong to the features of a token.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You reshaped W: that cuts the same numbers anew and mixes its rows. Use W as it is.",
        variant(weight=cut_anew),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You reshaped X: that cuts the same numbers anew and mixes the tokens. Use X as it is.",
        variant(tokens=cut_anew),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added X and W; a projection is a matrix product.",
        alone(variant(multiply=lambda X, W: X + W)),
        "Which operator is the matrix product?",
    ),
    Mistake(
        "normalised-first",
        "You divided each column of W by its length; use W as it is.",
        alone(variant(weight=lambda W: unit_rows(W, 0))),
        "Look for `norm`.",
    ),
    Mistake(
        "extra-layernorm",
        "You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
        alone(variant(tokens=standard_rows)),
        "Look for `mean` and `std`.",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first row of X, or the first sequence of a batch, is projected: your loop ends on the first round.",
        alone(variant(tokens=lambda X: X[:1])),
        "How far is your `return` indented?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of X and filled as much of it as fits; it should be d_out wide.",
        alone(_as_much_as_fits),
        "`np.zeros_like(X)` has the shape of X. Which shape has the result?",
    ),
    Mistake(
        "returns-tensor",
        "You return a torch.Tensor; this unit works with NumPy arrays.",
        alone(lambda X, W: torch.from_numpy(X) @ torch.from_numpy(W)),
        "A tensor has a method that gives its array.",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one row is still a matrix with one row.",
        alone(variant(after=lambda Y, X, W: np.squeeze(Y))),
        "Does the number of axes depend on the sizes?",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax down the columns; a projection is only a matrix product.",
        alone(variant(after=lambda Y, X, W: softmax(Y, -2))),
        "Leave weights and softmax for later: here only X and W meet.",
    ),
    Mistake(
        "extra-nonlinearity",
        "You applied a sigmoid to the result; a projection is only a matrix product.",
        alone(variant(after=lambda Y, X, W: 1 / (1 + np.exp(-Y)))),
        "Return the numbers as they are.",
    ),
)
