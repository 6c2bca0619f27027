"""What people get wrong in `first_attention`: the same function with one or more of its steps replaced."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from helpers import example
from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import Attended, attend, causal
from helpers.exercises.wrong.generic import CHANGES, softmax, standard_rows, turned, unit_rows
from helpers.exercises.wrong.products import as_it_is, into, linear, only_first
from helpers.exercises.wrong.rows import Row, in_step, mistakes, only, paired, rows, without

Array = np.ndarray


def variant(
    *,
    tokens: Callable[[Array], Array] = as_it_is,
    turn: Callable[..., Any] = lambda q, k, v: (q, k, v),
    multiply: Callable[[Array, Array], Array] = np.matmul,
    project: Callable[..., Any] | None = None,
    inputs: Callable[..., Any] = lambda Q, K, V: (Q, K, V),
    finish: Callable[..., Array] = lambda output, V, X: output,
    result: Callable[[Attended], Any] = lambda found: (found.output, found.weights),
    **steps: Callable,
) -> Callable[..., Any]:
    """The three projections and unscaled attention, with some of the steps replaced by wrong ones."""

    def by_weight(X: Array, *weights: Array) -> list[Array]:
        return [multiply(X, W) for W in weights]

    def answer(X: Array, *weights: Array) -> Any:
        made = (project or by_weight)(tokens(X), *turn(*weights))
        Q, K, V = inputs(*made)
        found = attend(Q, K, V, None, **({"scale": _one} | steps))
        return result(replace(found, output=finish(found.output, V, X)))

    return answer


def _one(*_: Array) -> float:
    """Nothing to divide by."""
    return 1.0


def _uses(names: str) -> Callable[..., list[Array]]:
    """The step `project` with these weights, in this order; x is none."""
    return lambda X, q, k, v: [X @ {"q": q, "k": k, "v": v}[name] if name != "x" else X for name in names]


def _by(size: Callable[[Array, Array, Array], Any]) -> Callable[..., Any]:
    """The step `project` that divides the queries, by a size of the tokens, W_q and W_v."""
    return lambda X, q, k, v: (X @ q / size(X, q, v), X @ k, X @ v)


def _weights_beside(**steps: Callable) -> Callable[..., Any]:
    """The right weights beside an output that has its steps replaced."""
    return lambda *args: (variant(**steps)(*args)[0], variant()(*args)[1])


def _output_beside(**steps: Callable) -> Callable[..., Any]:
    """The right output beside weights that have their steps replaced."""
    return lambda *args: (variant()(*args)[0], variant(**steps)(*args)[1])


def _one_hot(weights: Array) -> Array:
    return np.eye(weights.shape[-1])[weights.argmax(-1)]


def _unguarded(parts: Array) -> Array:
    return parts / parts.sum(-1, keepdims=True)


def _as_many_as_features(Q: Array, K: Array) -> Array:
    """The scores of loops that run to `Q.shape[1]`."""
    scores = np.zeros((Q.shape[1], Q.shape[1]))
    for i, j in np.ndindex(*scores.shape):
        scores[i, j] = Q[i] @ K[j]
    return scores


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


OWN_SOFTMAX = "What does `reference.softmax` make of the same scores?"


def _without_a_mask(table: Iterable[Row]) -> tuple[Row, ...]:
    """A table of whole attention as far as it fits here: nothing is hidden, and softmax is a box still."""
    fits = [row for row in table if not re.search("hid|mask|allowed", row.says)]
    return tuple(replace(row, hint=OWN_SOFTMAX) if "your `softmax`" in row.hint else row for row in fits)


_EACH_SHARES = "Do the shares of one query sum to 1? Which axis runs over the keys?"
_SCALED = "Which line divides, and which unit asks for that?"
_RETURN = "Look at your `return` line."
_PRODUCT = "Which operator is the matrix product: `*` or `@`?"
_WHICH_THREE = "Which of the three, Q, K or V, does each product need, and which weight makes it?"

SCALES = rows(
    "scaled-too-early: You divided the scores by the root of d_k, as unit 03 will; the first attention leaves them as they are.",
    "Which line divides? `reference.attention` and `F.scaled_dot_product_attention` do so by themselves.",
    paired(scale=lambda Q, K, V: np.sqrt(Q.shape[-1])),
    "scaled-too-early: Your scores are divided by d_k, as a mean in place of a sum does; here they stay as they are.",
    _SCALED,
    paired(scale=lambda Q, K, V: Q.shape[-1]),
    "scaled-too-early: You divided the scores by the root of the number of tokens; here they stay as they are.",
    {"scale": lambda Q, K, V: np.sqrt(Q.shape[-2])},
    "scaled-too-early: You divided the scores by the number of tokens; here they stay as they are.",
    {"scale": lambda Q, K, V: Q.shape[-2]},
    "scaled-too-early: You divided the scores by the root of d, the width of a token; here they stay as they are.",
    {"project": _by(lambda X, q, v: np.sqrt(X.shape[-1]))},
    "scaled-too-early: You divided the scores by d, the width of a token; here they stay as they are.",
    {"project": _by(lambda X, q, v: X.shape[-1])},
    "scaled-too-early: You divided the scores by the root of d_v, the width of a value; here they stay as they are.",
    {"scale": lambda Q, K, V: np.sqrt(V.shape[-1])},
    "scaled-too-early: You divided the scores by the fourth root of d_k; here they stay as they are.",
    {"scale": lambda Q, K, V: Q.shape[-1] ** 0.25},
    "scaled-too-early: You divided the scores by 8; here they stay as they are.",
    {"scale": lambda Q, K, V: 8.0},
    "scaled-too-early: You divided the scores by 2; here they stay as they are.",
    {"scale": lambda Q, K, V: 2.0},
    "scaled-up: You multiplied the scores by the root of d_k; here they stay as they are.",
    "Which line changes the scores?",
    paired(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
    "scaled-too-early: You divided the weights by the root of d_k, so a row no longer sums to 1.",
    _SCALED,
    {"after": lambda w, allowed, Q: w / np.sqrt(Q.shape[-1])},
    "scaled-too-early: You divided the output by the root of d_k; return the mixed values as they are.",
    {"mix": lambda w, V, K: w @ V / np.sqrt(K.shape[-1])},
    "scaled-too-early: Your output comes from scaled scores, your weights from unscaled ones; here nothing is scaled.",
    "`F.scaled_dot_product_attention` divides by the root of d_k unless it is told a `scale`.",
    _weights_beside(scale=lambda Q, K, V: np.sqrt(Q.shape[-1])),
    "scaled-too-early: Your weights come from scaled scores, your output from unscaled ones; here nothing is scaled.",
    _SCALED,
    _output_beside(scale=lambda Q, K, V: np.sqrt(Q.shape[-1])),
)

PROJECTIONS = rows(
    "query-weight-reused: All three of yours come from W_q; each of them has its own weight.",
    "Which of the three weights do not appear in your code?",
    paired(project=_uses("qqq")),
    "key-weight-reused: All three of yours come from W_k; each of them has its own weight.",
    {"project": _uses("kkk")},
    "value-weight-reused: All three of yours come from W_v; each of them has its own weight.",
    {"project": _uses("vvv")},
    "arguments-ignored: Your weights and your output are made of the tokens alone; queries, keys and values need W_q, W_k and W_v.",
    {"project": _uses("xxx")},
    "query-not-projected: You compared the tokens with themselves; queries need W_q and keys need W_k.",
    "What are the rows and columns of your scores made of?",
    paired(project=_uses("xxv")),
    "query-not-projected: Your queries are the tokens themselves; they need W_q.",
    {"project": _uses("xkv")},
    "key-not-projected: Your keys are the tokens themselves; they need W_k.",
    {"project": _uses("qxv")},
    "value-not-projected: You mixed the tokens themselves; the values are the tokens times W_v.",
    "Where does W_v appear in your code?",
    paired(project=_uses("qkx")),
    "query-weight-reused: You mixed what W_q makes; the values are made with W_v.",
    {"project": _uses("qkq")},
    "keys-for-values: You mixed the keys: either your weights meet K, or your V is made with W_k.",
    "Which array should the weights meet, and which weight makes it?",
    paired(project=_uses("qkk")),
    "query-weight-reused: Queries and values are right in place, but your keys and values are made with W_q and W_k.",
    _WHICH_THREE,
    {"project": _uses("qqk")},
    "keys-by-queries: Your scores are turned round: either K comes first in the product, or W_q and W_k have changed places.",
    "Entry [i, j] is query i dot key j: which array gives the rows, and which weight makes it?",
    paired(project=_uses("kqv")),
    "one-matrix-twice: You compared queries with queries: either Q stands twice in the product, or your keys come from W_q.",
    _WHICH_THREE,
    paired(project=_uses("qqv")),
    "query-not-used: You compared keys with keys: either K stands twice in the product, or your queries come from W_k.",
    _WHICH_THREE,
    paired(project=_uses("kkv")),
    "values-for-keys: You compared queries with values, so V stands where K should, or your keys come from W_v.",
    _WHICH_THREE,
    {"project": _uses("qvv")},
    "value-weight-reused: You compared values with keys: V stands where Q should, or your queries come from W_v.",
    {"project": _uses("vkv")},
    "key-and-value-swapped: Keys and values have changed places: queries meet keys, and values are mixed.",
    "In which order do your weights come?",
    paired(project=_uses("qvk")),
    "arguments-swapped: Queries and values have changed places: queries meet keys, and values are mixed.",
    {"project": _uses("vkq")},
    "arguments-swapped: All three have changed places: queries meet keys, and values are mixed.",
    {"project": _uses("kvq")},
    {"project": _uses("vqk")},
    "chained-projections: You made the keys from the queries; all three start from X.",
    "Which array stands on the left of each product?",
    {"project": lambda X, q, k, v: (X @ q, X @ q @ k, X @ v)},
    "chained-projections: You made keys and values from the queries; all three start from X.",
    {"project": lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ v)},
    "chained-projections: Each of yours is made from the one before; all three start from X.",
    {"project": lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ k @ v)},
    "weight-transposed: You multiplied with the transposed weights; here a weight is (d, d_out) and used as it is.",
    "Which axis of W must be as long as a token is wide?",
    paired(turn=lambda q, k, v: (q.T, k.T, v.T)),
    {"multiply": linear},
    "weight-transposed: You transposed W_q; it is (d, d_k) and used as it is.",
    {"turn": lambda q, k, v: (q.T, k, v)},
    "weight-transposed: You transposed W_k; it is (d, d_k) and used as it is.",
    {"turn": lambda q, k, v: (q, k.T, v)},
    "weight-transposed: You transposed W_v; it is (d, d_v) and used as it is.",
    {"turn": lambda q, k, v: (q, k, v.T)},
    "factors-swapped: W comes first in your projections. With tokens as rows, X comes first.",
    "Write the shapes under the two factors: the inner ones must agree.",
    {"multiply": lambda X, W: W @ X},
    "factors-swapped: You turned X and wrote the weights first, as one does with tokens in columns; here tokens are rows.",
    {"multiply": lambda X, W: W @ X.T},
    "factors-swapped: You turned the weights and wrote them first, as one does with tokens in columns; here tokens are rows.",
    {"multiply": lambda X, W: W.T @ X},
    "columns-as-tokens: You turned X, so its features are taken for tokens; the rows of X are the tokens already.",
    "Which axis of X runs over the tokens?",
    {"tokens": turned},
    "no-sum: You multiplied tokens and weights entry by entry; a projection is a matrix product.",
    _PRODUCT,
    {"multiply": np.multiply},
    "added-instead-of-multiplied: You added X and the weights; a projection is a matrix product.",
    _PRODUCT,
    {"multiply": np.add},
    "normalised-first: You divided each token by its length; use the tokens as they are.",
    "Look for `norm`.",
    {"tokens": unit_rows},
    "centred-first: You took a mean away from each token; use the tokens as they are.",
    "Look for `mean`.",
    {"tokens": lambda X: X - X.mean(-1, keepdims=True)},
    "extra-layernorm: You gave each token mean 0 and spread 1; use the tokens as they are.",
    "Look for `mean` and `std`.",
    {"tokens": standard_rows},
    "arguments-ignored: You project with the weights of the example; use those that are handed to your function.",
    "Where do the arguments W_q, W_k and W_v appear in your code?",
    {"project": lambda X, q, k, v: (X @ example.W_Q, X @ example.W_K, X @ example.W_V)},
    "arguments-ignored: Your answer does not change with its inputs: it is made of the sentence of the example.",
    "Where do the arguments X, W_q, W_k and W_v appear in your code?",
    lambda *_: variant()(example.X, example.W_Q, example.W_K, example.W_V),
)

SCORES = rows(
    "no-transpose: You multiplied Q and K as they are: rows of Q meet columns of K, not its rows.",
    "Write the shapes under both factors.",
    paired(score=lambda Q, K: Q @ K),
    "no-sum: You multiplied queries and keys entry by entry; each score is the dot product of one query and one key.",
    _PRODUCT,
    {"score": lambda Q, K: Q * K},
    "rows-paired: You compared query i with key i only; every query meets every key.",
    "What shape should the scores have?",
    {"score": lambda Q, K: (Q * K).sum(-1)},
    {"score": lambda Q, K: np.diag((Q * K).sum(-1))},
    "columns-as-tokens: Your scores compare features, not tokens: you summed over the tokens.",
    "Over which axis does the dot product of two tokens add up?",
    {"score": lambda Q, K: Q.T @ K},
    "causal-by-default: You hid the later keys; here every token looks at all of them, and hiding is unit 04.",
    "Which keys should a query look at?",
    paired(mask=lambda a, s: causal(s)),
    "causal-by-default: The later keys have weight 0 and the others were not shared out anew; here no key is hidden.",
    {"after": lambda w, a, Q: w * causal(w)},
    "causal-by-default: The scores of later keys are 0 in your code; every query meets every key.",
    {"score": lambda Q, K: np.tril(Q @ K.T)},
    "causal-by-default: You filled only the scores of query i with keys j < i; every query meets every key.",
    "Over which keys should the inner loop run?",
    {"score": lambda Q, K: np.tril(Q @ K.T, -1)},
    "upper-half-only: You filled only the scores of query i with keys j >= i; every query meets every key.",
    {"score": lambda Q, K: np.triu(Q @ K.T)},
    "upper-half-only: You filled only the scores of query i with keys j > i; every query meets every key.",
    {"score": lambda Q, K: np.triu(Q @ K.T, 1)},
    "upper-half-only: You hid the earlier keys; here every token looks at all of them, and hiding is unit 04.",
    "Which keys should a query look at?",
    {"mask": lambda a, s: causal(s).T},
    "square-only: You took d_k, the width of a query, for the number of tokens.",
    "How many rows and columns has the table of scores?",
    {"score": _as_many_as_features},
    "diagonal-hidden: No token may look at itself in your code; here it may look at all, itself too.",
    "Which keys should a query look at?",
    {"mask": lambda a, s: ~np.eye(*s.shape, dtype=bool), "share": _unguarded},
    {"mask": lambda a, s: ~np.eye(*s.shape, dtype=bool)},
    "diagonal-hidden: The scores of a token with itself became 0; all scores stay as they are.",
    "Which line changes the scores?",
    {"score": lambda Q, K: Q @ K.T * (1 - np.eye(len(Q)))},
)

SHARES = rows(
    "softmax-over-queries: Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
    _EACH_SHARES,
    paired(**attention.along(-2)),
    "softmax-over-everything: All your weights together sum to 1; each query, a row, shares out 1 of its own.",
    _EACH_SHARES,
    paired(**attention.along(None)),
    "no-max-subtraction: Your exponentials overflow when the scores are large.",
    "`reference.softmax` does not overflow. What may be taken away from all scores of a row?",
    paired(powers=np.exp),
    {"powers": np.exp, "share": _unguarded},
    {"powers": np.exp, "share": lambda parts: np.nan_to_num(_unguarded(parts))},
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
    "no-exponential: You divided the scores by their sum, without exponentials: weights may be negative, or anything.",
    OWN_SOFTMAX,
    {"powers": as_it_is, "share": lambda s: s / s.sum(-1)},
    {"powers": as_it_is, "share": lambda s: s / s.sum()},
    {"powers": np.abs, "share": _unguarded},
    {"powers": lambda s: np.maximum(s, 0), "share": _unguarded},
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
    _weights_beside(powers=as_it_is, share=as_it_is),
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
    _PRODUCT,
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
    "How far is your `return` indented?",
    {"result": _each(lambda one: one[0])},
    {"result": _each(lambda one: one[:1])},
    "only-last-token: Your result is that of the last token alone; every token has its row.",
    "Where do you keep each row?",
    {"result": _each(lambda one: one[-1])},
    {"result": _each(lambda one: one[-1:])},
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
