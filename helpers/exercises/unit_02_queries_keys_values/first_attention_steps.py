"""The steps of `first_attention`, and what people get wrong on the way to its scores: projections and products."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers import example
from helpers.exercises.wrong.attention import Attended, attend, causal
from helpers.exercises.wrong.generic import centred_rows, standard_rows, turned, unit_rows
from helpers.exercises.wrong.products import as_it_is, linear
from helpers.exercises.wrong.rows import paired, rows

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


def weights_beside(**steps: Callable) -> Callable[..., Any]:
    """The right weights beside an output that has its steps replaced."""
    return lambda *args: (variant(**steps)(*args)[0], variant()(*args)[1])


def output_beside(**steps: Callable) -> Callable[..., Any]:
    """The right output beside weights that have their steps replaced."""
    return lambda *args: (variant()(*args)[0], variant(**steps)(*args)[1])


def unguarded(parts: Array) -> Array:
    """Parts divided by their sum, NaN where that is 0 or infinite."""
    return parts / parts.sum(-1, keepdims=True)


def _as_many_as_features(Q: Array, K: Array) -> Array:
    """The scores of loops that run to `Q.shape[1]`."""
    scores = np.zeros((Q.shape[1], Q.shape[1]))
    for i, j in np.ndindex(*scores.shape):
        scores[i, j] = Q[i] @ K[j]
    return scores


PRODUCT = "Which operator is the matrix product: `*` or `@`?"
_SCALED = "Which line divides, and which unit asks for that?"
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
    weights_beside(scale=lambda Q, K, V: np.sqrt(Q.shape[-1])),
    "scaled-too-early: Your weights come from scaled scores, your output from unscaled ones; here nothing is scaled.",
    _SCALED,
    output_beside(scale=lambda Q, K, V: np.sqrt(Q.shape[-1])),
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
    PRODUCT,
    {"multiply": np.multiply},
    "added-instead-of-multiplied: You added X and the weights; a projection is a matrix product.",
    PRODUCT,
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
    {"tokens": lambda X: centred_rows(X) / X.std(-1, keepdims=True)},
    "arguments-ignored: You project with the weights of the example; use those that are handed to your function.",
    "Where do the arguments W_q, W_k and W_v appear in your code?",
    {"project": lambda X, q, k, v: (X @ example.W_Q, X @ example.W_K, X @ example.W_V)},
    "arguments-ignored: Your answer does not change with its inputs: it is made of the sentence of the example.",
    "Where do the arguments X, W_q, W_k and W_v appear in your code?",
    lambda *_: variant()(example.X, example.W_Q, example.W_K, example.W_V),
)

SCORES = rows(
    "no-transpose: K is not turned in your product (in NumPy `K.transpose(-2, -1)` leaves it as it is): rows of Q meet its columns, not its rows.",
    "Write the shapes under both factors.",
    paired(score=lambda Q, K: Q @ K),
    "no-sum: You multiplied queries and keys entry by entry; each score is the dot product of one query and one key.",
    PRODUCT,
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
    "last-left-out: The scores of the last key stay 0 in your code; every query meets every key.",
    "Where does your inner loop end?",
    {"score": lambda Q, K: np.where(np.arange(len(K)) < len(K) - 1, Q @ K.T, 0)},
    "added-instead-of-multiplied: You added queries and keys where they should be multiplied.",
    "Which operation joins two entries that meet in a dot product?",
    {"score": lambda Q, K: (Q[:, None] + K[None]).sum(-1)},
    "euclidean-distance: You compare by squared distances; attention compares by dot products.",
    "Which product tells how alike two vectors are?",
    {"score": lambda Q, K: -((Q[:, None] - K[None]) ** 2).sum(-1)},
    "distance-instead-of-similarity: Your scores are squared distances: the farther a key, the more weight it gets.",
    {"score": lambda Q, K: ((Q[:, None] - K[None]) ** 2).sum(-1)},
    "square-only: You took d_k, the width of a query, for the number of tokens.",
    "How many rows and columns has the table of scores?",
    {"score": _as_many_as_features},
    "diagonal-hidden: No token may look at itself in your code; here it may look at all, itself too.",
    "Which keys should a query look at?",
    {"mask": lambda a, s: ~np.eye(*s.shape, dtype=bool), "share": unguarded},
    {"mask": lambda a, s: ~np.eye(*s.shape, dtype=bool)},
    "diagonal-hidden: The scores of a token with itself became 0; all scores stay as they are.",
    "Which line changes the scores?",
    {"score": lambda Q, K: Q @ K.T * (1 - np.eye(len(Q)))},
)
