"""What people get wrong in `first_attention`: the same function with one or more of its steps replaced."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from helpers.exercises.unit_02_queries_keys_values.first_attention_steps import (
    PRODUCT,
    PROJECTIONS,
    SCALES,
    SCORES,
    unguarded,
    variant,
    weights_beside,
)
from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import Attended, causal
from helpers.exercises.wrong.generic import CHANGES, softmax, unit_rows
from helpers.exercises.wrong.products import as_it_is, into, only_first
from helpers.exercises.wrong.rows import Row, in_step, mistakes, only, paired, rows, without

Array = np.ndarray


def _one_hot(weights: Array) -> Array:
    return np.eye(weights.shape[-1])[weights.argmax(-1)]


def _first_row(array: Array) -> Array:
    """The first row alone, and zeros below it."""
    return only_first(array, array.shape[-1])


def _as_wide_as_tokens(each: int) -> Callable[..., Array]:
    """The step `finish` that writes the output into zeros of the shape of X, at once or in a loop."""
    return lambda output, V, X: into(lambda output, X: X, each)(output, output, X)


def _as_wide_as_keys(each: int) -> Callable[..., Array]:
    """The step `mix` that writes the output into zeros of the shape of K."""
    return lambda w, V, K: into(lambda output, K: K, each)(w @ V, w, K)


def _each(change: Callable[[Array], Any]) -> Callable[[Attended], Any]:
    """The step `result` with both arrays changed."""
    return lambda found: (change(found.output), change(found.weights))


EPSILONS = (1e-6, 1e-3)

OWN_SOFTMAX = "What does `reference.softmax` make of the same scores?"


def _without_a_mask(table: Iterable[Row]) -> tuple[Row, ...]:
    """A table of whole attention as far as it fits here: nothing is hidden, and softmax is a box still."""
    fits = [row for row in table if not re.search("hid|mask|allowed", row.says)]
    return tuple(replace(row, hint=OWN_SOFTMAX) if "your `softmax`" in row.hint else row for row in fits)


_EACH_SHARES = "Do the shares of one query sum to 1? Which axis runs over the keys?"
_RETURN = "Look at your `return` line."

SHARES = rows(
    "softmax-over-queries: Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
    _EACH_SHARES,
    paired(**attention.along(-2)),
    "softmax-over-everything: All your weights together sum to 1; each query, a row, shares out 1 of its own.",
    _EACH_SHARES,
    paired(**attention.along(None)),
    "no-max-subtraction: Your exponentials overflow when the scores are large.",
    "`reference.softmax` does not overflow. What may be taken away from all scores of a row?",
    paired(powers=np.exp, share=unguarded),
    {"powers": np.exp},
    {"powers": np.exp, "share": lambda parts: np.nan_to_num(unguarded(parts))},
    "softmax-over-everything: All your weights together sum to 1, where each row should; and your exponentials overflow when the scores are large.",
    _EACH_SHARES,
    {"powers": np.exp, "share": lambda parts: parts / parts.sum()},
    "softmax-over-queries: Your weights sum to 1 down the columns: you normalised over queries; and your exponentials overflow when the scores are large.",
    {"powers": np.exp, "share": lambda parts: parts / parts.sum(-2, keepdims=True)},
    "not-normalised: Your weights are bare exponentials: a row does not sum to 1.",
    "What should the weights of a row sum to?",
    {"powers": np.exp, "share": as_it_is},
    "keepdims-forgotten: Your exponentials overflow, and your sums lost an axis, so they divide the columns, not the rows.",
    "Which argument of `sum` keeps the axis with size 1?",
    {"powers": np.exp, "share": lambda parts: parts / parts.sum(-1)},
    "hard-lookup: The best key gets all the weight; a softmax leaves a share for every key.",
    OWN_SOFTMAX,
    paired(powers=_one_hot),
    {"powers": lambda x: (x == x.max(-1, keepdims=True)) * 1.0},
    "softmax-missing: You divided each row of scores by its largest; the softmax is missing.",
    OWN_SOFTMAX,
    {"powers": as_it_is, "share": lambda s: s / s.max(-1, keepdims=True)},
    "no-exponential: You made shares by dividing, without exponentials.",
    OWN_SOFTMAX,
    {"powers": as_it_is, "share": lambda s: s / s.sum(-1)},
    {"powers": as_it_is, "share": lambda s: s / s.sum()},
    {"powers": np.abs, "share": unguarded},
    {"powers": lambda s: np.maximum(s, 0), "share": unguarded},
    {"powers": lambda s: s - s.min(-1, keepdims=True), "share": unguarded},
    {"powers": as_it_is, "share": unit_rows},
    "epsilon-too-large: You added a small number to the sums, or to the weights, so that a row no longer sums to 1.",
    "After the largest score of a row is taken away, can the sum of its exponentials be 0 at all?",
    *({"share": lambda parts, e=e: parts / (parts.sum(-1, keepdims=True) + e)} for e in EPSILONS),
    *({"after": lambda w, a, Q, e=e: w + e} for e in EPSILONS),
    "extra-nonlinearity: You applied tanh to the scores before the softmax; the softmax takes them as they are.",
    "Which steps lie between the scores and the softmax?",
    {"score": lambda Q, K: np.tanh(Q @ K.T)},
    "hard-lookup: Only the best key keeps its weight; a softmax leaves a share for every key.",
    "Which of your lines changes the weights?",
    {"after": lambda w, a, Q: w * (w == w.max(-1, keepdims=True))},
    "softmax-too-early: You took a softmax of queries and keys, and none of their scores; it is the scores that get one.",
    "What should sum to 1, and along which axis?",
    {"inputs": lambda Q, K, V: (softmax(Q), softmax(K), V), "softmax": as_it_is},
    "weights-ignored: Every query gets the plain average of all values: the scores count for nothing.",
    "Do the scores reach the weights?",
    {"softmax": lambda s: np.full_like(s, 1 / s.shape[-1])},
    "weights-transposed: Your weights are turned round: column i holds the shares of query i, where row i should.",
    _EACH_SHARES,
    paired(after=lambda w, a, Q: w.T),
)

MIXES = rows(
    "no-softmax: Your output is mixed with the scores themselves; the weights you returned are right.",
    "With what should V be multiplied?",
    weights_beside(powers=as_it_is, share=as_it_is),
    "causal-by-default: Your output hides the later keys; your weights are right.",
    "Compare your output with the weights you return times V.",
    weights_beside(mask=lambda a, s: causal(s)),
    "weights-ignored: Your output is made of the values as they are, value i for query i: nothing is mixed.",
    "Over which index should the sum run: that of the query or that of the key?",
    paired(mix=lambda w, V, K: V.copy()),
    "diagonal-only: Only the weights on the diagonal count in your output: output i is value i with its weight.",
    "Over which keys does the sum for one query run?",
    {"mix": lambda w, V, K: np.diag(w)[:, None] * V},
    "hard-lookup: Your output takes the best value whole; mix all of them.",
    "How much of each value do the weights of a row ask for?",
    {"mix": lambda w, V, K: V[w.argmax(-1)]},
    "overwritten-instead-of-summed: Your output keeps only the product of the last key: each round of your loop overwrites the one before.",
    "Should `=` or `+=` stand inside your loop?",
    {"mix": lambda w, V, K: w[:, -1:] * V[-1]},
    "only-first-token: Your output keeps only the product of the first key; all keys count.",
    "Where does your loop end?",
    {"mix": lambda w, V, K: w[:, :1] * V[0]},
    "no-sum: You multiplied weights and values entry by entry; a mixture is a matrix product.",
    PRODUCT,
    {"mix": lambda w, V, K: w * V},
    "factors-swapped: V comes first where you mix. With tokens as rows, the weights come first.",
    "Write the shapes under the two factors: the inner ones must agree.",
    {"mix": lambda w, V, K: V @ w},
    "columns-as-tokens: You turned the values: their rows belong to the keys already.",
    "Which axis of V runs over the keys?",
    {"mix": lambda w, V, K: w @ V.T},
    "factors-swapped: You turned V and wrote it first, which gives columns for queries and the weights turned round; rows belong to queries.",
    "Write the shapes under the two factors: the inner ones must agree.",
    {"mix": lambda w, V, K: V.T @ w},
    "extra-residual: You added the tokens to the output; return the mixed values alone.",
    "Where does X come in a second time?",
    {"finish": lambda output, V, X: output + X},
    "extra-residual: You added the values to the output; return the mixed values alone.",
    "Where does V come in a second time?",
    {"finish": lambda output, V, X: output + V},
    "extra-residual: You added the mean of each token to the output; return the mixed values alone.",
    "Where does X come in a second time?",
    {"finish": lambda output, V, X: output + X.mean(-1, keepdims=True)},
    "softmax-too-early: You applied softmax to the output too; only the scores get one.",
    "How often does `softmax` appear in your code?",
    {"finish": lambda output, V, X: softmax(output)},
    "softmax-too-early: You applied softmax to the values too; only the scores get one.",
    {"mix": lambda w, V, K: w @ softmax(V)},
    "total-not-reset: Your sum goes on growing from query to query; every output starts at 0.",
    "Where does your sum start: before the loop over the queries, or inside it?",
    {"finish": lambda output, V, X: np.cumsum(output, axis=-2)},
)

RESULTS = rows(
    "returns-scores-for-weights: You returned the scores alone; the exercise asks for the output and the weights.",
    _RETURN,
    {"result": lambda found: found.scores},
    "one-output-too-many: You returned three things; the exercise asks for two, the output and the weights.",
    {"result": lambda found: (found.output, found.scores, found.weights)},
    "not-transposed-back: Output and weights are both turned round: rows should belong to queries.",
    "Compare your shapes with (n, d_v) and (n, n).",
    {"result": _each(lambda one: one.T)},
    "not-transposed-back: Your output has queries as columns; a row belongs to a query.",
    "Compare the shape of your output with (n, d_v).",
    paired(finish=lambda output, V, X: output.T),
    "shape-flattened: You removed axes of size 1: one token is still a matrix with one row.",
    "Look for `squeeze`: does the number of axes depend on the sizes?",
    {"result": _each(np.squeeze)},
    {"finish": lambda output, V, X: output.squeeze()},
    "square-only: You made room for an output as wide as a token; it should be as wide as a value.",
    "Which shape has the output, and which has the array that you make for it?",
    *({"finish": _as_wide_as_tokens(each)} for each in (0, -1, -2)),
    "square-only: You made room for an output as wide as a key; it should be as wide as a value.",
    *({"mix": _as_wide_as_keys(each)} for each in (0, -1, -2)),
    "returned-inside-loop: Only the first row of your results is filled in. A `return` inside a loop ends it on the first round.",
    "How far is your `return` indented?",
    {"result": _each(_first_row)},
    {"finish": lambda output, V, X: _first_row(output)},
    "only-first-token: Your result is that of the first token alone; every token has its row.",
    "Does your code go through all rows of X, and collect a row for each?",
    {"result": _each(lambda one: one[0])},
    {"result": _each(lambda one: one[:1])},
    "only-last-token: Your result is that of the last token alone; every token has its row.",
    "Where do you keep each row?",
    {"result": _each(lambda one: one[-1])},
    {"result": _each(lambda one: one[-1:])},
    "only-last-token: Your output is that of the last token alone; every token has its row.",
    {"finish": lambda output, V, X: output[-1]},
    "only-first-token: Your output is that of the first token alone; every token has its row.",
    {"finish": lambda output, V, X: output[0]},
    "queries-summed: You added up the outputs of all queries; each query has its own row.",
    "How many rows should the output have?",
    {"finish": lambda output, V, X: output.sum(-2)},
    "queries-summed: You averaged the outputs of all queries; each query has its own row.",
    {"finish": lambda output, V, X: output.mean(-2)},
    "returns-tensor: You return tensors; this unit works with NumPy arrays.",
    "A tensor has a method that gives its array.",
    {"result": _each(torch.from_numpy)},
    "returns-list: You return lists of numbers; the exercise asks for two arrays.",
    "`np.array(...)` makes an array of a list.",
    {"result": _each(lambda one: one.tolist())},
)

MISTAKES = mistakes(
    variant,
    *SCALES,
    *PROJECTIONS,
    *SCORES,
    *SHARES,
    *MIXES,
    *RESULTS,
    *_without_a_mask(without(attention.SCORES, "reversed-all-axes")),  # right, as there is no batch
    *_without_a_mask(without(attention.SOFTMAXES, "softmax-over-queries", "softmax-over-everything")),
    *_without_a_mask(without(attention.MIXES, "keys-for-values")),
    *_without_a_mask(attention.RESULTS),
    *in_step("finish", only(CHANGES, "sign-flipped", "truncates-to-int", "extra-nonlinearity")),
    it="the output",
    plain="a mixture is only a matrix product",
    leave="Return the mixture as it is.",
)
