"""What people get wrong in `mix_values`: the weighted sum with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax
from helpers.exercises.unit_02_queries_keys_values.wrong_steps import (
    alone,
    cut_anew,
    first_sequence,
    turned,
    unit_rows,
)


@replaceable
def _in_a_result_like_the_values(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    result = np.zeros_like(V)
    for i in range(V.shape[-2]):
        for j in range(V.shape[-2]):
            result[..., i, :] += weights[..., i, j, None] * V[..., j, :]
    return result


def variant(
    *,
    use: Callable[[np.ndarray], np.ndarray] = lambda weights: weights,
    values: Callable[[np.ndarray], np.ndarray] = lambda V: V,
    multiply: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.matmul,
    after: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda output, weights, V: output,
) -> Callable[..., Any]:
    """A mixture with one or more of its steps replaced by a wrong one."""
    return lambda weights, V: after(multiply(use(weights), values(V)), weights, V)


def _by_total(weights: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """Weights divided by their sum; weights that sum to 0 stay as they are."""
    total = weights.sum(axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def _one_hot(weights: np.ndarray) -> np.ndarray:
    """1 for the first of the largest weights, 0 for all others."""
    return (np.arange(weights.shape[-1]) == weights.argmax(-1)[..., None]).astype(weights.dtype)


def _products(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Every value times its weight: (..., n_q, n_k, d_v)."""
    return weights[..., None] * V[..., None, :, :]


def _averaged(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.stack([np.average(V, axis=-2, weights=row) for row in weights])


def _in_a_result_like_values(output: np.ndarray, weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    result = np.zeros_like(V)
    result[...] = output
    return result


def _rows_in_a_result_like_values(output: np.ndarray, weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    result = np.zeros_like(V)
    for row in range(weights.shape[-2]):
        result[..., row, :] = output[..., row, :]
    return result


def _as_many_keys_as_queries(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    n = weights.shape[-2]
    return weights[..., :n] @ V[..., :n, :]


def _in_loops(term: Callable[..., np.ndarray], count: int = -1) -> Callable[..., np.ndarray]:
    """The sum in two loops over queries i and keys j; `count` is the axis of the weights that j counts."""

    def answer(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
        result = np.zeros((*weights.shape[:-1], V.shape[-1]))
        for i in range(weights.shape[-2]):
            for j in range(weights.shape[count]):
                result[..., i, :] += term(weights, V, i, j)
        return result

    return answer


def _without(threshold: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda weights: np.where(weights > threshold, weights, 0)


AS_THEY_COME = "Which of your lines changes the weights?"

WEIGHTS = (
    Mistake(
        "renormalised",
        "You divided the weights by their sum; use them as they come.",
        variant(use=_by_total),
        AS_THEY_COME,
    ),
    Mistake(
        "renormalised",
        "You divided the weights by their sum, which gives NaN where they sum to 0; use them as they come.",
        variant(use=lambda w: w / w.sum(-1, keepdims=True)),
        AS_THEY_COME,
    ),
    Mistake(
        "renormalised",
        "You took weighted averages, which divide by the sum of the weights; use the weights as they come.",
        alone(_averaged),
        "What does `np.average` do with the sum of the weights?",
    ),
    Mistake(
        "renormalised",
        "You divided the weights by their sum over the queries; use them as they come.",
        alone(variant(use=lambda w: _by_total(w, -2))),
        AS_THEY_COME,
    ),
    Mistake(
        "renormalised",
        "You divided the weights by the sum of all of them; use them as they come.",
        alone(variant(use=lambda w: _by_total(w, None))),
        AS_THEY_COME,
    ),
    Mistake(
        "renormalised",
        "You divided the weights of a query by their length as a vector; use them as they come.",
        alone(variant(use=unit_rows)),
        AS_THEY_COME,
    ),
    Mistake(
        "softmax-again",
        "You applied softmax to the weights; use them as they come.",
        variant(use=softmax),
        AS_THEY_COME,
    ),
    Mistake(
        "softmax-again",
        "You applied softmax to the weights, and over the queries; use them as they come.",
        alone(variant(use=lambda w: softmax(w, -2))),
        AS_THEY_COME,
    ),
    Mistake(
        "weights-transposed",
        "You used the weights transposed: row i must hold the weights of query i.",
        variant(use=turned),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "weights-transposed",
        "You used the weights transposed, in a batch with all axes reversed: row i must hold the weights of query i.",
        alone(variant(use=lambda w: w.T)),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "hard-lookup",
        "You took only the value with the largest weight, whole; mix all of them.",
        variant(use=_one_hot),
        "With the weights [0.6, 0.4], should the second value count?",
    ),
    Mistake(
        "hard-lookup",
        "You took only the value with the largest weight, whole; mix all of them.",
        alone(lambda weights, V: V[weights.argmax(-1)]),
        "With the weights [0.6, 0.4], should the second value count?",
    ),
    Mistake(
        "hard-lookup",
        "Only the largest weight counts in your result; mix all values.",
        alone(variant(use=lambda w: w * _one_hot(w))),
        "With the weights [0.6, 0.4], should the second value count?",
    ),
    Mistake(
        "lost-sign",
        "Negative weights count as 0 in your code; use all weights as they come.",
        variant(use=lambda w: np.maximum(w, 0)),
        AS_THEY_COME,
    ),
    Mistake(
        "lost-sign",
        "Negative weights count as positive in your code; use all weights as they come.",
        alone(variant(use=np.abs)),
        AS_THEY_COME,
    ),
    Mistake(
        "lost-sign",
        "You cut the weights off below 0 and above 1; use them as they come.",
        alone(variant(use=lambda w: np.clip(w, 0, 1))),
        AS_THEY_COME,
    ),
    *(
        Mistake(
            "small-weights-dropped",
            f"Weights below {threshold:g} count as 0 in your code; use all weights as they come.",
            alone(variant(use=_without(threshold))),
            AS_THEY_COME,
        )
        for threshold in (0.2, 0.1, 0.05, 0.01, 0.001)
    ),
    Mistake(
        "weights-squared",
        "You squared the weights; use them as they come.",
        alone(variant(use=np.square)),
        AS_THEY_COME,
    ),
    Mistake(
        "diagonal-only",
        "Only the weights on the diagonal count: output i is value i with its weight. Mix all values.",
        alone(variant(use=lambda w: w * np.eye(*w.shape[-2:]))),
        "Over which keys does the sum for one query run?",
    ),
    Mistake(
        "weights-ignored",
        "You averaged the values whatever the weights say.",
        variant(use=lambda w: np.full_like(w, 1 / w.shape[-1])),
        "Do the weights appear in your code?",
    ),
    Mistake(
        "weights-ignored",
        "You added the values up whatever the weights say.",
        alone(variant(use=np.ones_like)),
        "Do the weights appear in your code?",
    ),
    Mistake(
        "weights-ignored",
        "Only whether a weight is above 0 counts in your code; its size says how much of the value to take.",
        alone(variant(use=lambda w: (w > 0).astype(w.dtype))),
        "With the weights [0.6, 0.4], how much of each value goes into the output?",
    ),
    Mistake(
        "truncates-to-int",
        "You turned the weights into integers; use them as they come.",
        alone(variant(use=np.trunc)),
        AS_THEY_COME,
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the weights; use them as they come.",
        alone(variant(use=np.round)),
        AS_THEY_COME,
    ),
    Mistake(
        "weights-inverted",
        "You used 1 minus the weights: the largest weight should count most.",
        alone(variant(use=lambda w: 1 - w)),
        AS_THEY_COME,
    ),
    Mistake(
        "hard-lookup",
        "You returned the places of the largest weights; mix the values.",
        alone(lambda weights, V: weights.argmax(-1)),
        "With the weights [0.6, 0.4], what is the mixture?",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You reshaped the weights, which cuts the same numbers anew: row i must hold the weights of query i.",
        alone(variant(use=cut_anew)),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "renormalised",
        "You divided the weights by the largest of them; use them as they come.",
        alone(variant(use=lambda w: w / w.max(-1, keepdims=True))),
        AS_THEY_COME,
    ),
)

VALUES = (
    Mistake(
        "columns-as-tokens",
        "You turned the values: their rows belong to the keys already.",
        variant(values=turned),
        "Which axis of V runs over the keys?",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned the values, in a batch along with all axes: their rows belong to the keys already.",
        alone(variant(values=lambda V: V.T)),
        "Which axis of V runs over the keys?",
    ),
    Mistake(
        "first-batch-only",
        "You mixed the values of the first sequence only; each sequence has its own.",
        variant(values=lambda V: np.broadcast_to(first_sequence(V), V.shape)),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "You used the weights of the first sequence for all; each sequence has its own.",
        alone(variant(use=lambda w: np.broadcast_to(first_sequence(w), w.shape))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "You used only the first sequence of the batch.",
        variant(use=first_sequence, values=first_sequence),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "You used only `weights[0]` and `V[0]`: the first of a batch, or without a batch the first row.",
        alone(variant(use=lambda w: w[0], values=lambda V: V[0])),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "normalised-first",
        "You divided each value by its length; use the values as they are.",
        alone(variant(values=unit_rows)),
        "Look for `norm`.",
    ),
    Mistake(
        "centred-first",
        "You took a mean away from the values; use them as they are.",
        alone(variant(values=lambda V: V - V.mean(-2, keepdims=True))),
        "Look for `mean`.",
    ),
)

PRODUCT = (
    Mistake(
        "no-sum",
        "You multiplied entry by entry; a mixture needs the matrix product.",
        variant(multiply=lambda weights, V: weights * V),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You gave every value its weight but did not add the values up.",
        variant(multiply=_products),
        "Over which axis should be added up?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the queries; each query adds up over its keys.",
        variant(multiply=lambda weights, V: _products(weights, V).sum(-3)),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up the entries of each value; each query adds up over its keys.",
        variant(multiply=lambda weights, V: _products(weights, V).sum(-1)),
        "How wide should an output be?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest of the weighted values; they should be added up.",
        variant(multiply=lambda weights, V: _products(weights, V).max(-2)),
        "What is a mixture of 0.6 of one value and 0.4 of another?",
    ),
    Mistake(
        "factors-swapped",
        "You wrote V first. With tokens as rows, the weights come first.",
        variant(multiply=lambda weights, V: V @ weights),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "factors-swapped",
        "You turned V and wrote it first, as one does with tokens in columns; here tokens are rows.",
        alone(variant(multiply=lambda weights, V: turned(V) @ weights)),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "np-dot-crosses-batches",
        "The weights of every sequence meet the values of every other one: that is how `np.dot` and `np.tensordot` work.",
        variant(multiply=np.dot),
        "`@` and `np.matmul` keep the sequences of a batch apart.",
    ),
    Mistake(
        "np-dot-crosses-batches",
        "The weights of every sequence meet the values of every other one: `np.tensordot` keeps all other axes apart.",
        alone(variant(multiply=lambda weights, V: np.tensordot(weights, V, axes=1))),
        "`@` and `np.matmul` work on the last two axes of both.",
    ),
    Mistake(
        "outer-product",
        "Every weight meets every number in V; a weight belongs to one key, and so to one row of V.",
        alone(variant(multiply=lambda weights, V: np.tensordot(weights, V, axes=0))),
        "Which axis of the weights and which of V run together?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "Only the last value counts: each round of your loop overwrites the one before.",
        variant(multiply=lambda weights, V: weights[..., -1:] * V[..., -1:, :]),
        "Which operator adds to what is there already?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the first value counts: your loop ends on the first round.",
        alone(variant(multiply=lambda weights, V: weights[..., :1] * V[..., :1, :])),
        "How far is your `return` indented?",
    ),
    Mistake(
        "last-left-out",
        "The last key and its value are left out of the sum.",
        variant(multiply=lambda weights, V: weights[..., :-1] @ V[..., :-1, :]),
        "Where does your loop or slice end?",
    ),
    Mistake(
        "last-left-out",
        "The first key and its value are left out of the sum.",
        alone(variant(multiply=lambda weights, V: weights[..., 1:] @ V[..., 1:, :])),
        "Where does your loop or slice begin?",
    ),
    Mistake(
        "square-only",
        "You went through as many keys as there are queries; all keys count.",
        variant(multiply=_as_many_keys_as_queries),
        "Which size is the number of keys?",
    ),
    Mistake(
        "sums-multiplied",
        "You multiplied the sum of the weights with the sum of the values; each weight belongs to one value.",
        alone(variant(multiply=lambda weights, V: weights.sum(-1, keepdims=True) * V.sum(-2, keepdims=True))),
        "What comes first: multiplying, or adding up?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added the weights to the values; each value should be multiplied by its weight.",
        alone(variant(multiply=lambda weights, V: (weights[..., None] + V[..., None, :, :]).sum(-2))),
        "With the weights [0.6, 0.4], how much of each value goes into the output?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added the weights and V as they are; each value should be multiplied by its weight.",
        alone(variant(multiply=lambda weights, V: weights + V)),
        "With the weights [0.6, 0.4], how much of each value goes into the output?",
    ),
    Mistake(
        "returns-tensor",
        "You return a torch.Tensor; this unit works with NumPy arrays.",
        alone(variant(multiply=lambda weights, V: torch.from_numpy(weights @ V))),
        "A tensor has a method that gives its array.",
    ),
    Mistake(
        "square-only",
        "Your inner loop counts the queries; it should go through all keys.",
        _in_loops(lambda w, V, i, j: w[..., i, j, None] * V[..., j, :], count=-2),
        "Which size is the number of keys?",
    ),
    Mistake(
        "weights-transposed",
        "You added up over the queries, as if the weights were transposed; add up over the keys.",
        lambda weights, V: np.einsum("...kq,...kd->...qd", weights, V),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "weights-transposed",
        "Where the weights are square you use them transposed: row i must hold the weights of query i.",
        lambda weights, V: (turned(weights) if weights.shape[-1] == weights.shape[-2] else weights) @ V,
        "Which axis of the weights runs over the keys? Shapes do not tell when both are as long.",
    ),
    Mistake(
        "square-only",
        "Your result has as many rows as there are keys; it should have one for each query.",
        _in_a_result_like_the_values,
        "How many rows should the result have: n_q or n_k?",
    ),
    Mistake(
        "weights-transposed",
        "Your loops take `weights[j, i]`: row i must hold the weights of query i.",
        _in_loops(lambda w, V, i, j: w[..., j, i, None] * V[..., j, :]),
        "Which axis of the weights runs over the keys?",
    ),
    Mistake(
        "rows-paired",
        "Your loops take value i for query i, whatever the key; weight j belongs to value j.",
        _in_loops(lambda w, V, i, j: w[..., i, j, None] * V[..., i, :]),
        "Which index should V have: that of the query, or of the key?",
    ),
)

RESULT = (
    Mistake(
        "mean-instead-of-sum",
        "You averaged over the keys; add the weighted values.",
        variant(after=lambda output, weights, V: output / V.shape[-2]),
        "The weights already say how much; is there another division?",
    ),
    Mistake(
        "not-transposed-back",
        "Your result is transposed: row i should be the output of query i.",
        variant(after=lambda output, weights, V: turned(output)),
        "Compare the shape of your result with (n_q, d_v).",
    ),
    Mistake(
        "not-transposed-back",
        "Your result is transposed: row i should be the output of query i.",
        alone(variant(after=lambda output, weights, V: output.T)),
        "Compare the shape of your result with (n_q, d_v).",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of V; it should have a row for each query, not for each key.",
        variant(after=_in_a_result_like_values),
        "`np.zeros_like(V)` has the shape of V. Which shape has the result?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of V; it should have a row for each query, not for each key.",
        alone(variant(after=_rows_in_a_result_like_values)),
        "`np.zeros_like(V)` has the shape of V. Which shape has the result?",
    ),
    Mistake(
        "queries-summed",
        "You added up the outputs of all queries; each query has its own row.",
        variant(after=lambda output, weights, V: output.sum(-2)),
        "How many rows should the result have?",
    ),
    Mistake(
        "queries-summed",
        "You averaged the outputs of all queries; each query has its own row.",
        alone(variant(after=lambda output, weights, V: output.mean(-2))),
        "How many rows should the result have?",
    ),
    Mistake(
        "only-first-token",
        "You mixed for the first query only; each query has its own row.",
        alone(variant(use=lambda w: w[..., :1, :])),
        "How many rows should the result have?",
    ),
    Mistake(
        "only-last-token",
        "You mixed for the last query only: each round of your loop overwrites the row before.",
        alone(variant(use=lambda w: w[..., -1:, :])),
        "Where do you keep the row of each query?",
    ),
    Mistake(
        "extra-residual",
        "You added the values to the result; return the mixture alone.",
        alone(variant(after=lambda output, weights, V: output + V)),
        "Where does V come in a second time?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of the width of a value. Nothing is scaled here.",
        alone(variant(after=lambda output, weights, V: output / np.sqrt(V.shape[-1]))),
        "Is there a division in your code?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of the number of keys. Nothing is scaled here.",
        alone(variant(after=lambda output, weights, V: output / np.sqrt(V.shape[-2]))),
        "Is there a division in your code?",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax to the result; return the mixture as it is.",
        alone(variant(after=lambda output, weights, V: softmax(output))),
        "Return the numbers as they are.",
    ),
    Mistake(
        "extra-nonlinearity",
        "Your negative numbers became 0: return the mixture as it is.",
        alone(variant(after=lambda output, weights, V: np.maximum(output, 0))),
        "Return the numbers as they are.",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one row is still a matrix with one row.",
        alone(variant(after=lambda output, weights, V: np.squeeze(output))),
        "Does the number of axes depend on the sizes?",
    ),
    Mistake(
        "wrong-start",
        "Your result is larger by 1 everywhere: each sum should start at 0.",
        alone(variant(after=lambda output, weights, V: output + 1)),
        "Which number do you begin with?",
    ),
)

MISTAKES = (*WEIGHTS, *VALUES, *PRODUCT, *RESULT)
