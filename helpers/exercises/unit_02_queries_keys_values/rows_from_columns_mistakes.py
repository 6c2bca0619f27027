"""What people get wrong in `rows_from_columns`: the bridge with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax
from helpers.exercises.unit_02_queries_keys_values.wrong_steps import alone, cut_anew, turned


@replaceable
def variant(
    *,
    tokens: Callable[[np.ndarray], np.ndarray] = turned,
    weight: Callable[[np.ndarray], np.ndarray] = turned,
    multiply: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.matmul,
    after: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda rows, tokens, W: rows,
) -> Callable[..., Any]:
    """The projection of columns, in rows, with one or more of its steps replaced by a wrong one."""
    return lambda inputs, W: after(multiply(tokens(inputs), weight(W)), inputs, W)


def _as_it_is(array: np.ndarray) -> np.ndarray:
    return array


def _linear(tokens: np.ndarray, W: np.ndarray) -> np.ndarray:
    return F.linear(torch.from_numpy(tokens), torch.from_numpy(W)).numpy()


def _count_of_rows(inputs: np.ndarray, W: np.ndarray) -> np.ndarray:
    return np.stack([W @ inputs[:, i] for i in range(inputs.shape[0])])


def _in_a_result_like_columns(inputs: np.ndarray, W: np.ndarray) -> np.ndarray:
    result = np.zeros((W.shape[0], inputs.shape[1]))
    for i in range(inputs.shape[1]):
        result[i] = W @ inputs[:, i]
    return result


def _in_a_result_like_tokens(inputs: np.ndarray, W: np.ndarray) -> np.ndarray:
    result = np.zeros((inputs.shape[1], inputs.shape[0]))
    for i in range(inputs.shape[1]):
        result[i] = W @ inputs[:, i]
    return result


RESHAPED = "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`."
ORDER = "(A B) transposed is B transposed times A transposed: both factors turn, and their order too."

MISTAKES = (
    Mistake(
        "weight-transposed",
        "Where W is square you forget to turn it: tokens and weight both change from columns to rows.",
        lambda columns, W: columns.T @ (W if W.shape[0] == W.shape[1] else W.T),
        "What is the transpose of a product?",
    ),
    Mistake(
        "not-transposed-back",
        "Your tokens are still columns; the result should have one row per token.",
        variant(after=lambda rows, inputs, W: turned(rows)),
        "One step is missing at the end.",
    ),
    Mistake(
        "weight-transposed",
        "You turned the tokens into rows but kept W as it is; W must turn too.",
        variant(weight=_as_it_is),
        "(A B) transposed is B transposed times A transposed: both factors turn.",
    ),
    Mistake(
        "weight-transposed",
        "You multiplied with W transposed; W has shape (d_out, d), which fits the columns as it is.",
        alone(lambda inputs, W: (W.T @ inputs).T),
        "Which axis of W must be as long as a token is high?",
    ),
    Mistake(
        "weight-transposed",
        "You gave `F.linear` the transposed weight; it takes W of shape (d_out, d) as it is.",
        alone(lambda inputs, W: _linear(inputs.T, W.T)),
        "Which shape does `F.linear` want for its weight?",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned W but kept the tokens as columns: the rows of I are features.",
        variant(tokens=_as_it_is),
        "Which axis of I runs over the tokens?",
    ),
    Mistake(
        "columns-as-tokens",
        "You handed I to `F.linear` as it is: the rows of I are features, not tokens.",
        alone(_linear),
        "Which axis of I runs over the tokens?",
    ),
    Mistake(
        "columns-as-tokens",
        "You took the rows of I for tokens; here each token is a column.",
        alone(lambda inputs, W: np.stack([W @ row for row in inputs])),
        "Which axis of I runs over the tokens?",
    ),
    Mistake(
        "factors-swapped",
        "You wrote I first and turned neither factor; with tokens in columns W comes first, and then the whole turns.",
        alone(variant(tokens=_as_it_is, weight=_as_it_is)),
        ORDER,
    ),
    Mistake(
        "factors-swapped",
        "You turned both factors but kept W first; when a product is turned, its factors change places.",
        alone(lambda inputs, W: W.T @ inputs.T),
        ORDER,
    ),
    Mistake(
        "factors-swapped",
        "You turned the tokens into rows but left W first; with tokens as rows, W comes second.",
        alone(lambda inputs, W: W @ inputs.T),
        ORDER,
    ),
    Mistake(
        "factors-swapped",
        "You wrote I first and then turned the product; with tokens in columns W comes first.",
        alone(lambda inputs, W: (inputs @ W).T),
        ORDER,
    ),
    Mistake(
        "returns-input",
        "You turned the tokens into rows but did not project them.",
        lambda inputs, W: inputs.T.copy(),
        "Where does W come in?",
    ),
    Mistake(
        "returns-input",
        "You returned W transposed; the tokens do not appear.",
        lambda inputs, W: W.T.copy(),
        "Where do the tokens come in?",
    ),
    Mistake(
        "wrong-order",
        "Your tokens come in reverse order: `rot90` does that, a transpose does not.",
        variant(after=lambda rows, inputs, W: rows[::-1]),
        "Which column of I is your first row?",
    ),
    Mistake(
        "wrong-order",
        "The entries of your tokens come in reverse order: a quarter turn with `rot90` does that, a transpose does not.",
        variant(after=lambda rows, inputs, W: rows[:, ::-1]),
        "In which order stand the entries of the first token?",
    ),
    Mistake(
        "no-sum",
        "You multiplied entry by entry; a projection is a matrix product.",
        variant(multiply=lambda tokens, W: tokens * W),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You multiplied W and I entry by entry; a projection is a matrix product.",
        alone(lambda inputs, W: W * inputs),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You multiplied W and I entry by entry and turned that; a projection is a matrix product.",
        alone(lambda inputs, W: (W * inputs).T),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You multiplied each entry of a token by each weight but did not add up over the entries.",
        alone(variant(multiply=lambda tokens, W: tokens[..., None] * W)),
        "Over which axis does `W @ I[:, i]` add up?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest of the products; they should be added up.",
        alone(variant(multiply=lambda tokens, W: (tokens[..., None] * W).max(-2))),
        "What does a matrix product do with the products of one row and one column?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "Only the last feature counts: each round of your loop overwrites the one before.",
        variant(multiply=lambda tokens, W: tokens[:, -1:] @ W[-1:]),
        "Which operator adds to what is there already?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first feature counts: your loop ends on the first round.",
        alone(variant(multiply=lambda tokens, W: tokens[:, :1] @ W[:1])),
        "How far is your `return` indented?",
    ),
    Mistake(
        "last-left-out",
        "The last feature of each token is left out of the sum.",
        alone(variant(multiply=lambda tokens, W: tokens[:, :-1] @ W[:-1])),
        "Where does your loop or slice end?",
    ),
    Mistake(
        "last-left-out",
        "The first feature of each token is left out of the sum.",
        alone(variant(multiply=lambda tokens, W: tokens[:, 1:] @ W[1:])),
        "Where does your loop or slice begin?",
    ),
    Mistake(
        "only-first-token",
        "You projected the first token only, `I[:, 0]`; the result should have one row per token.",
        alone(lambda inputs, W: W @ inputs[:, 0]),
        "How many tokens has I?",
    ),
    Mistake(
        "only-last-token",
        "Only the last token is projected: each round of your loop overwrites the one before.",
        alone(lambda inputs, W: W @ inputs[:, -1]),
        "Where do you keep the row of each token?",
    ),
    Mistake(
        "tokens-summed",
        "You added the tokens up; each token should keep its own row.",
        alone(variant(after=lambda rows, inputs, W: rows.sum(0))),
        "How many rows should the result have?",
    ),
    Mistake(
        "square-only",
        "You counted d tokens, the rows of I; the tokens are its columns.",
        alone(_count_of_rows),
        "Which axis of I runs over the tokens?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of shape (d_out, n), as for columns; the rows should be tokens: (n, d_out).",
        alone(_in_a_result_like_columns),
        "How many tokens has I, and how wide does each become?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of d_out. Nothing is scaled here; that comes in unit 03.",
        variant(after=lambda rows, inputs, W: rows / np.sqrt(W.shape[0])),
        "Return the plain product.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of d. Nothing is scaled here; that comes in unit 03.",
        variant(after=lambda rows, inputs, W: rows / np.sqrt(W.shape[1])),
        "Return the plain product.",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by d, which makes a mean of the products; they should be added up.",
        variant(after=lambda rows, inputs, W: rows / W.shape[1]),
        "Look for `mean` or a division.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax to the result; a projection is only a matrix product.",
        alone(variant(after=lambda rows, inputs, W: softmax(rows))),
        "Return the numbers as they are.",
    ),
    Mistake(
        "extra-nonlinearity",
        "Your negative numbers became 0. A projection is only a matrix product: nothing is cut off after it.",
        variant(after=lambda rows, inputs, W: np.maximum(rows, 0)),
        "Return the numbers as they are.",
    ),
    Mistake(
        "extra-residual",
        "You added the tokens to the result. A projection is only the product.",
        alone(variant(after=lambda rows, inputs, W: rows + inputs.T)),
        "Return the product alone.",
    ),
    Mistake(
        "inverse-for-transpose",
        "You used the inverse of W where its transpose is needed; these are different things.",
        alone(variant(weight=np.linalg.inv)),
        "What does `.T` do, and what does `np.linalg.inv`?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of I turned; the rows should be d_out wide, not d.",
        alone(_in_a_result_like_tokens),
        "How wide does each token become?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first token is projected: your loop ends on the first round.",
        alone(variant(tokens=lambda inputs: inputs.T[:1])),
        "How far is your `return` indented?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added the tokens and W; a projection is a matrix product.",
        alone(lambda inputs, W: inputs.T + W.T),
        "Which operator is the matrix product?",
    ),
    Mistake(
        "outer-product",
        "Every number of I meets every number of W; a feature of a token meets only its own column of W.",
        alone(lambda inputs, W: np.tensordot(inputs.T, W.T, axes=0)),
        "Which axis of I and which axis of W run together?",
    ),
    Mistake(
        "returns-tensor",
        "You return a torch.Tensor; this unit works with NumPy arrays.",
        alone(lambda inputs, W: torch.from_numpy(inputs.T @ W.T)),
        "A tensor has a method that gives its array.",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one row is still a matrix with one row.",
        alone(variant(after=lambda rows, inputs, W: np.squeeze(rows))),
        "Does the number of axes depend on the sizes?",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the same numbers anew; it does not turn columns into rows.",
        variant(after=lambda rows, inputs, W: turned(rows).reshape(rows.shape)),
        RESHAPED,
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the numbers of I anew; it does not turn columns into rows.",
        variant(tokens=cut_anew),
        RESHAPED,
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the numbers of W anew; it does not transpose W.",
        variant(weight=cut_anew),
        RESHAPED,
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the numbers of I and W anew; it transposes neither.",
        alone(variant(tokens=cut_anew, weight=cut_anew)),
        RESHAPED,
    ),
)
