"""What people get wrong in `mix_values`: the weighted sum with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.generic import CHANGES, cut_anew, softmax, turned, unit_rows
from helpers.exercises.wrong.products import (
    BATCHES,
    JOINS,
    SLIPS,
    SUMS,
    first_sequence,
    into,
    only_first,
    product,
)
from helpers.exercises.wrong.rows import alone, in_step, mistakes, only, paired, rows

Array = np.ndarray


def _by_total(weights: Array, axis: int | None = -1) -> Array:
    """Weights divided by their sum; weights that sum to 0 stay as they are."""
    total = weights.sum(axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def _one_hot(weights: Array) -> Array:
    """1 for the first of the largest weights, 0 for all others."""
    return (np.arange(weights.shape[-1]) == weights.argmax(-1)[..., None]).astype(weights.dtype)


def _in_a_result_like_the_values(weights: Array, V: Array) -> Array:
    result = np.zeros_like(V)
    for i, j in np.ndindex(V.shape[-2], V.shape[-2]):
        result[..., i, :] += weights[..., i, j, None] * V[..., j, :]
    return result


def _in_loops(term: Callable[..., Array], count: int = -1) -> Callable[[Array, Array], Array]:
    """The sum in two loops over queries i and keys j; `count` is the axis of the weights that j counts."""

    def answer(weights: Array, V: Array) -> Array:
        result = np.zeros((*weights.shape[:-1], V.shape[-1]))
        for i, j in np.ndindex(weights.shape[-2], weights.shape[count]):
            result[..., i, :] += term(weights, V, i, j)
        return result

    return answer


def _of_one_sentence(weights: Array, V: Array) -> Array:
    _n_q, _n_k = weights.shape
    return weights @ V


def _by_row(weights: Array, V: Array, *sizes: int) -> Array:
    """Entry by entry of one sentence; without sizes, as many as there are."""
    n_q, n_k, d_v = sizes or (len(weights), len(V), V.shape[1])
    result = np.zeros((n_q, d_v))
    for i, j in np.ndindex(n_q, n_k):
        result[i] += weights[i, j] * V[j]
    return result


def _first_of_four(weights: Array, V: Array) -> Array:
    result = np.zeros(4)
    for j in range(4):
        result = result + weights[0][j] * V[j]
    return result


AS_THEY_COME = "Which of your lines changes the weights?"
KEY_AXIS = "Which axis of the weights runs over the keys?"
AFTER = ("only-last-token", "softmax-too-early", "extra-nonlinearity", "shape-flattened")

MISTAKES = mistakes(
    product,
    *rows(
        "renormalised: You divided the weights by their sum; use them as they come.",
        AS_THEY_COME,
        paired(left=_by_total),
        "renormalised: You divided the weights by their sum, which gives NaN where they sum to 0; use them as they come.",
        paired(left=lambda w: w / w.sum(-1, keepdims=True)),
        "renormalised: You divided the weights by their sum over the queries; use them as they come.",
        paired(left=lambda w: _by_total(w, -2)),
        "renormalised: You divided the weights by the sum of all of them; use them as they come.",
        {"left": lambda w: _by_total(w, None)},
        "renormalised: You divided the weights of a query by their length as a vector; use them as they come.",
        {"left": unit_rows},
        "renormalised: You divided the weights by the largest of them; use them as they come.",
        {"left": lambda w: w / w.max(-1, keepdims=True)},
        "softmax-again: You applied softmax to the weights; use them as they come.",
        paired(before=lambda weights, V: (softmax(weights), V)),
        "softmax-again: You applied softmax to the weights, and over the queries; use them as they come.",
        {"left": lambda w: softmax(w, -2)},
        "lost-sign: Negative weights count as 0 in your code; use all weights as they come.",
        paired(left=lambda w: np.maximum(w, 0)),
        "lost-sign: Negative weights count as positive in your code; use all weights as they come.",
        {"left": np.abs},
        "lost-sign: You cut the weights off below 0 and above 1; use them as they come.",
        {"left": lambda w: np.clip(w, 0, 1)},
        *(
            part
            for least in (0.2, 0.1, 0.05, 0.01, 0.001)
            for part in (
                f"small-weights-dropped: Weights below {least:g} count as 0 in your code; use all weights as they come.",
                AS_THEY_COME,
                {"left": lambda w, least=least: np.where(w > least, w, 0)},
            )
        ),
        "weights-squared: You squared the weights; use them as they come.",
        AS_THEY_COME,
        {"left": np.square},
        "truncates-to-int: You turned the weights into integers; use them as they come.",
        {"left": np.trunc},
        "truncates-to-int: You rounded the weights; use them as they come.",
        {"left": np.round},
        "weights-inverted: You used 1 minus the weights: the largest weight should count most.",
        {"left": lambda w: 1 - w},
        "renormalised: You took weighted averages, which divide by the sum of the weights; use the weights as they come.",
        "What does `np.average` do with the sum of the weights?",
        lambda weights, V: np.stack([np.average(V, axis=-2, weights=row) for row in weights]),
        "hard-lookup: You took only the value with the largest weight, whole; mix all of them.",
        "With the weights [0.6, 0.4], what is the mixture?",
        paired(left=_one_hot),
        lambda weights, V: V[weights.argmax(-1)],
        "hard-lookup: Only the largest weight counts in your result; mix all values.",
        {"left": lambda w: w * _one_hot(w)},
        "hard-lookup: You returned the places of the largest weights; mix the values.",
        lambda weights, V: weights.argmax(-1),
        "weights-ignored: Only whether a weight is above 0 counts in your code; its size says how much of the value to take.",
        {"left": lambda w: (w > 0).astype(w.dtype)},
        "weights-ignored: You mixed two values with 0.6 and 0.4, whatever the weights say.",
        "Do the weights appear in your code?",
        lambda weights, V: 0.6 * V[0] + 0.4 * V[1],
        lambda weights, V: 0.6 * V[:1] + 0.4 * V[1:2],
        lambda weights, V: 0.6 * V[..., 0, :] + 0.4 * V[..., 1, :],
        lambda weights, V: 0.6 * V[..., :1, :] + 0.4 * V[..., 1:2, :],
        "weights-ignored: You averaged the values whatever the weights say.",
        "Do the weights appear in your code?",
        paired(left=lambda w: np.full_like(w, 1 / w.shape[-1])),
        "weights-ignored: You added the values up whatever the weights say.",
        {"left": np.ones_like},
        "diagonal-only: Only the weights on the diagonal count: output i is value i with its weight. Mix all values.",
        "Over which keys does the sum for one query run?",
        {"left": lambda w: w * np.eye(*w.shape[-2:])},
        "weights-transposed: You used the weights transposed: row i must hold the weights of query i.",
        KEY_AXIS,
        paired(left=turned),
        "weights-transposed: You used the weights transposed, in a batch with all axes reversed: row i must hold the weights of query i.",
        {"left": lambda w: w.T},
        "weights-transposed: You added up over the queries, as if the weights were transposed; add up over the keys.",
        lambda weights, V: np.einsum("...kq,...kd->...qd", weights, V),
        "weights-transposed: Your loops take `weights[j, i]`: row i must hold the weights of query i.",
        _in_loops(lambda w, V, i, j: w[..., j, i, None] * V[..., j, :]),
        "weights-transposed: Where the weights are square you use them transposed: row i must hold the weights of query i.",
        "Which axis of the weights runs over the keys? Shapes do not tell when both are as long.",
        {"left": lambda w: turned(w) if w.shape[-1] == w.shape[-2] else w},
        "reshape-instead-of-transpose: You reshaped the weights, which cuts the same numbers anew: row i must hold the weights of query i.",
        KEY_AXIS,
        {"left": cut_anew},
        "columns-as-tokens: You turned the values: their rows belong to the keys already.",
        "Which axis of V runs over the keys?",
        paired(right=turned),
        "columns-as-tokens: You turned the values, in a batch along with all axes: their rows belong to the keys already.",
        {"right": lambda V: V.T},
        "first-batch-only: You mixed the values of the first sequence only; each sequence has its own.",
        "Leave the leading axes alone: `@` works on the last two.",
        paired(right=lambda V: np.broadcast_to(first_sequence(V), V.shape)),
        "first-batch-only: You used the weights of the first sequence for all; each sequence has its own.",
        {"left": lambda w: np.broadcast_to(first_sequence(w), w.shape)},
        "first-batch-only: You used only the first sequence of the batch.",
        paired(left=first_sequence, right=first_sequence),
        "first-batch-only: You used only `weights[0]` and `V[0]`: the first of a batch, or without a batch the first row.",
        {"before": lambda weights, V: (weights[0], V[0])},
        "normalised-first: You divided each value by its length; use the values as they are.",
        "Look for `norm`.",
        {"right": unit_rows},
        "centred-first: You took a mean away from the values; use them as they are.",
        "Look for `mean`.",
        {"right": lambda V: V - V.mean(-2, keepdims=True)},
        "factors-swapped: V comes first in your product, or in your `def`. With tokens as rows, the weights come first.",
        "Write the shapes under the two factors: the inner ones must agree.",
        paired(multiply=lambda weights, V: V @ weights),
        "factors-swapped: You turned V and wrote it first, as one does with tokens in columns; here tokens are rows.",
        {"multiply": lambda weights, V: turned(V) @ weights},
        "square-only: You went through as many keys as there are queries; all keys count.",
        "Which size is the number of keys?",
        paired(multiply=lambda w, V: w[..., : w.shape[-2]] @ V[..., : w.shape[-2], :]),
        "square-only: Your inner loop counts the queries; it should go through all keys.",
        _in_loops(lambda w, V, i, j: w[..., i, j, None] * V[..., j, :], count=-2),
        "rows-paired: Your loops take value i for query i, whatever the key; weight j belongs to value j.",
        "Which index should V have: that of the query, or of the key?",
        _in_loops(lambda w, V, i, j: w[..., i, j, None] * V[..., i, :]),
        "rows-paired: You gave V the index of the query; its rows run over the keys, the axis that is added up.",
        "Write the shapes (n_q, n_k) and (n_k, d_v) beside the indices: which of them do both arrays share?",
        lambda weights, V: np.einsum("...ij,...id->...id", weights, V),
        "batch-mixed: In a batch your values have no axis for the queries, so another query meets other sequences' values.",
        "Write the shapes of both factors under each other: where does V need an axis of length 1?",
        {"multiply": lambda weights, V: (weights[..., None] * V).sum(-2)},
        "not-transposed-back: Your result is transposed: row i should be the output of query i.",
        "Compare the shape of your result with (n_q, d_v).",
        paired(after=lambda output, weights, V: turned(output)),
        {"after": lambda output, weights, V: output.T},
        "square-only: You made room for a result of the shape of V; it should have a row for each query, not for each key.",
        "`np.zeros_like(V)` has the shape of V. Which shape has the result?",
        paired(after=into(lambda weights, V: V)),
        {"after": into(lambda weights, V: V, each=-2)},
        "square-only: Your result has as many rows as there are keys; it should have one for each query.",
        "How many rows should the result have: n_q or n_k?",
        _in_a_result_like_the_values,
        "queries-summed: You added up the outputs of all queries; each query has its own row.",
        "How many rows should the result have?",
        paired(after=lambda output, weights, V: output.sum(-2)),
        "queries-summed: You averaged the outputs of all queries; each query has its own row.",
        {"after": lambda output, weights, V: output.mean(-2)},
        "only-first-token: You mixed for the first query only; each query has its own row.",
        {"left": lambda w: w[..., :1, :]},
        {"after": lambda output, weights, V: output[..., 0, :]},
        "total-not-reset: Your sum goes on growing from query to query; every output starts at 0.",
        "Where does your sum start: before the loop over the queries, or inside it?",
        {"after": lambda output, weights, V: np.cumsum(output, axis=-2)},
        "fixed-number-of-axes: Your code is written for a single sentence; a batch has more axes in front.",
        "`@` repeats the product over all axes in front; your code knows rows and columns only.",
        _by_row,
        _of_one_sentence,
        "fixed-size: You mix for the first query only, and for four keys of width 4, as in the text.",
        "Take the sizes from the weights and from V; each query has its own row.",
        _first_of_four,
        "fixed-size: Your code is written for four queries, four keys and width 4, as in the text.",
        "Take the sizes from the weights and from V.",
        lambda weights, V: _by_row(weights, V, 4, 4, 4),
        "returned-inside-loop: Only the first row of your result is filled in. A `return` inside a loop ends it on the first round.",
        "How far is your `return` indented?",
        {"after": lambda output, weights, V: only_first(output, V.shape[-1])},
        "extra-residual: You added the values to the result; return the mixture alone.",
        "Where does V come in a second time?",
        {"after": lambda output, weights, V: output + V},
        "scaled-too-early: You divided by the root of the width of a value. Nothing is scaled here.",
        "Is there a division in your code?",
        {"after": lambda output, weights, V: output / np.sqrt(V.shape[-1])},
    ),
    *SUMS,
    *SLIPS,
    *BATCHES,
    *alone(JOINS),
    *in_step("after", only(CHANGES, *AFTER)),
    it="the result",
    plain="a mixture is only a matrix product",
    leave="Return the mixture as it is.",
    pair="the weights and the values",
    products="weighted values",
    operation="a mixture",
    width="the number of keys",
    entry="weight with its value",
    along="the keys",
    lines="the queries",
    columns="the entries of each value",
    meets="a weight belongs to one key, and so to one row of V",
)
