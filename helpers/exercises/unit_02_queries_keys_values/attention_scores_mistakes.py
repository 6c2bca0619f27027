"""What people get wrong in `attention_scores`: every query against every key with one step replaced."""

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
def variant(
    *,
    before: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = lambda Q, K: (Q, K),
    turn: Callable[[np.ndarray], np.ndarray] = turned,
    multiply: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.matmul,
    after: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda scores, Q, K: scores,
) -> Callable[..., Any]:
    """Scores with one or more of the steps replaced by a wrong one."""

    def answer(Q: np.ndarray, K: np.ndarray) -> Any:
        queries, keys = before(Q, K)
        return after(multiply(queries, turn(keys)), Q, K)

    return answer


def _untouched(K: np.ndarray) -> np.ndarray:
    return K


def _over_all_sequences(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return Q @ turned(K.sum(axis=0, keepdims=True)) if Q.ndim == 3 else Q @ turned(K)


def _whole(multiply: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., Any]:
    """Another product of queries and keys in place of both the turn and the multiplication."""
    return variant(turn=_untouched, multiply=multiply)


def _products(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Every query times every key, entry by entry: (..., n_q, n_k, d_k)."""
    return Q[..., :, None, :] * K[..., None, :, :]


def _between(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """The differences of every query and every key."""
    return Q[..., :, None, :] - K[..., None, :, :]


def _two_axes(K: np.ndarray) -> np.ndarray:
    """Turned for three axes; for four, the axis of tokens goes to the end."""
    return K.transpose(0, 2, 3, 1) if K.ndim == 4 else turned(K)


def _as_many_keys_as_queries(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Both loops run over n_q."""
    n = Q.shape[-2]
    scores = np.zeros((*Q.shape[:-2], n, n))
    for i in range(n):
        for j in range(n):
            scores[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1)
    return scores


def _in_a_result_like_queries(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    result = np.zeros_like(Q)
    result[...] = Q @ turned(K)
    return result


def _rest_zero(keep: Callable[[np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    """Only a part of the table is filled."""
    return lambda scores, Q, K: scores * keep(np.ones(scores.shape[-2:]))


MISTAKES = (
    Mistake(
        "batch-mixed",
        "In a batch you add up over the sequences: the batch axes must stay in the result.",
        alone(_whole(lambda Q, K: np.einsum("...qd,...kd->qk", Q, K))),
        "Do the letters of the batch stand on both sides of the arrow?",
    ),
    Mistake(
        "diagonal-hidden",
        "You set the scores of a token with itself to 0; scores stay as they are, and a mask comes in unit 04.",
        alone(_whole(lambda Q, K: Q @ turned(K) * ~np.eye(Q.shape[-2], K.shape[-2], dtype=bool))),
        "Which entries of your result are 0, and why?",
    ),
    Mistake(
        "softmax-too-early",
        "You took the largest score of each row away; that belongs to the softmax of unit 05.",
        alone(_whole(lambda Q, K: Q @ turned(K) - (Q @ turned(K)).max(-1, keepdims=True))),
        "Return the plain dot products.",
    ),
    Mistake(
        "batch-mixed",
        "In a batch every query meets the keys of all sequences, added up: the batch axis must stay one axis.",
        alone(_whole(_over_all_sequences)),
        "Which letter should stand for the batch in Q, in K and in the result?",
    ),
    Mistake(
        "reversed-all-axes",
        "`K.T` reverses all axes, the batch axis too; only the last two should change places.",
        variant(turn=lambda K: K.T),
        "Look for a NumPy function that swaps two axes you name.",
    ),
    Mistake(
        "reversed-all-axes",
        "`K.T` reverses all axes, the batch axis too; only the last two should change places.",
        alone(_whole(lambda Q, K: np.dot(Q, K.T))),
        "Look for a NumPy function that swaps two axes you name.",
    ),
    Mistake(
        "reversed-all-axes",
        "You swapped the first axis with the last: in a batch the first is not the tokens' axis.",
        variant(turn=lambda K: np.swapaxes(K, 0, -1)),
        "Which two axes should change places? Count both from the end.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You swapped axes 1 and 2: right for one batch axis only. Count from the end.",
        variant(turn=lambda K: np.swapaxes(K, 1, 2)),
        "The last two axes are -2 and -1, however many stand in front.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You swapped axes 0 and 1: right without a batch only. Count from the end.",
        variant(turn=lambda K: np.swapaxes(K, 0, 1)),
        "The last two axes are -2 and -1, however many stand in front.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You listed all axes by number, which fits exactly three of them. Any number may stand in front.",
        alone(variant(turn=lambda K: K.transpose(0, 2, 1))),
        "The last two axes are -2 and -1, however many stand in front.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You listed all axes by number, which fits exactly four of them. Any number may stand in front.",
        alone(variant(turn=lambda K: K.transpose(0, 1, 3, 2))),
        "The last two axes are -2 and -1, however many stand in front.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "With two batch axes your keys are turned along with one of these. Only the last two axes change places.",
        alone(variant(turn=_two_axes)),
        "The last two axes are -2 and -1, however many stand in front.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You named two axes to `transpose`, as in PyTorch; in NumPy it wants all of them, so this fits two axes only.",
        alone(variant(turn=lambda K: K.transpose(-1, -2))),
        "Look for a NumPy function that swaps two axes you name.",
    ),
    Mistake(
        "keys-by-queries",
        "Your rows belong to keys; row i must belong to query i.",
        variant(before=lambda Q, K: (K, Q)),
        "Which array should stand on the left?",
    ),
    Mistake(
        "no-transpose",
        "You multiplied Q and K as they are: rows meet columns of K, not its rows.",
        variant(turn=_untouched),
        "Write the shapes under both factors.",
    ),
    Mistake(
        "no-transpose",
        "You multiplied K and Q as they are, K first: rows of keys meet columns of Q.",
        alone(lambda Q, K: K @ Q),
        "Write the shapes under both factors: which should be turned, and which stands on the left?",
    ),
    Mistake(
        "no-sum",
        "You multiplied entry by entry; each score is the dot product of one query and one key.",
        _whole(lambda Q, K: Q * K),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You multiplied entry by entry with K turned; each score is the dot product of one query and one key.",
        alone(variant(multiply=lambda Q, K: Q * K)),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "no-sum",
        "You multiplied every query with every key but did not add up the products.",
        _whole(_products),
        "What is left to do for a dot product?",
    ),
    Mistake(
        "rows-paired",
        "You compared query i with key i only; every query meets every key.",
        _whole(lambda Q, K: (Q * K).sum(-1)),
        "How many scores belong to 2 queries and 3 keys?",
    ),
    Mistake(
        "rows-paired",
        "You compared query i with key i only; every query meets every key.",
        alone(_whole(lambda Q, K: (Q * K).sum(-1, keepdims=True))),
        "How many scores belong to 2 queries and 3 keys?",
    ),
    Mistake(
        "columns-as-tokens",
        "You summed over the tokens: the result compares features, not tokens.",
        _whole(lambda Q, K: turned(Q) @ K),
        "Over which axis does the dot product of two tokens add up?",
    ),
    Mistake(
        "columns-as-tokens",
        "You summed over the tokens: the result compares features, and those of K with those of Q at that.",
        alone(_whole(lambda Q, K: turned(K) @ Q)),
        "Over which axis does the dot product of two tokens add up?",
    ),
    Mistake(
        "np-dot-crosses-batches",
        "Every sequence of the batch meets every other one: that is how `np.dot`, `np.inner` and `np.tensordot` work.",
        variant(multiply=np.dot),
        "`@` and `np.matmul` keep the sequences of a batch apart.",
    ),
    Mistake(
        "one-matrix-twice",
        "You compared the queries with themselves; K does not appear.",
        variant(before=lambda Q, K: (Q, Q)),
        "Which array gives the columns?",
    ),
    Mistake(
        "one-matrix-twice",
        "You compared the keys with themselves; Q does not appear.",
        variant(before=lambda Q, K: (K, K)),
        "Which array gives the rows?",
    ),
    Mistake(
        "first-batch-only",
        "You used only the first sequence of the batch.",
        variant(before=lambda Q, K: (first_sequence(Q), first_sequence(K))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "All queries meet the keys of the first sequence; each sequence has its own.",
        variant(before=lambda Q, K: (Q, np.broadcast_to(first_sequence(K), K.shape))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "All keys meet the queries of the first sequence; each sequence has its own.",
        variant(before=lambda Q, K: (np.broadcast_to(first_sequence(Q), Q.shape), K)),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "first-batch-only",
        "You used only `Q[0]` and `K[0]`: the first of a batch, or without a batch the first token.",
        alone(variant(before=lambda Q, K: (Q[0], K[0]))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "only-first-token",
        "You compared the first query only; each query has its own row of scores.",
        alone(variant(before=lambda Q, K: (Q[..., :1, :], K))),
        "How many rows should the result have?",
    ),
    Mistake(
        "only-last-token",
        "You compared the last query only: each round of your loop overwrites the row before.",
        alone(variant(before=lambda Q, K: (Q[..., -1:, :], K))),
        "Where do you keep the row of each query?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided by the lengths of queries and keys; scores are plain dot products, in which length counts.",
        variant(before=lambda Q, K: (unit_rows(Q), unit_rows(K))),
        "Look for `norm`.",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the lengths of the keys; scores are plain dot products, in which length counts.",
        variant(before=lambda Q, K: (Q, unit_rows(K))),
        "Look for `norm`.",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the lengths of the queries; scores are plain dot products, in which length counts.",
        variant(before=lambda Q, K: (unit_rows(Q), K)),
        "Look for `norm`.",
    ),
    Mistake(
        "centred-first",
        "You took the mean away from each query and key first; use them as they are.",
        variant(before=lambda Q, K: (Q - Q.mean(-1, keepdims=True), K - K.mean(-1, keepdims=True))),
        "Look for `mean`.",
    ),
    Mistake(
        "euclidean-distance",
        "You computed distances, which are small where query and key agree; a dot product is large there.",
        _whole(lambda Q, K: np.linalg.norm(_between(Q, K), axis=-1)),
        "Which operation multiplies entry by entry and adds up?",
    ),
    Mistake(
        "euclidean-distance",
        "You computed distances with a minus sign; scores are plain dot products.",
        alone(_whole(lambda Q, K: -np.linalg.norm(_between(Q, K), axis=-1))),
        "Which operation multiplies entry by entry and adds up?",
    ),
    Mistake(
        "euclidean-distance",
        "You added up squared differences, which are small where query and key agree; a dot product is large there.",
        alone(_whole(lambda Q, K: (_between(Q, K) ** 2).sum(-1))),
        "Which operation multiplies entry by entry and adds up?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added queries and keys where they should be multiplied.",
        alone(_whole(lambda Q, K: (Q[..., :, None, :] + K[..., None, :, :]).sum(-1))),
        "What is the first step of a dot product?",
    ),
    Mistake(
        "sums-multiplied",
        "You multiplied the sums of a query and a key; each entry meets only the entry at the same place.",
        alone(_whole(lambda Q, K: Q.sum(-1)[..., :, None] * K.sum(-1)[..., None, :])),
        "What is the first step of a dot product, and what the second?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest product of each pair; the products should be added up.",
        _whole(lambda Q, K: _products(Q, K).max(-1)),
        "What does a dot product do with its products?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "Only the product of the last feature is left: each round of your loop overwrites the one before.",
        variant(before=lambda Q, K: (Q[..., -1:], K[..., -1:])),
        "Which operator adds to what is there already?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the product of the first feature counts: your loop ends on the first round.",
        alone(variant(before=lambda Q, K: (Q[..., :1], K[..., :1]))),
        "How far is your `return` indented, or where does your slice end?",
    ),
    Mistake(
        "last-left-out",
        "The last feature is left out of every dot product.",
        alone(variant(before=lambda Q, K: (Q[..., :-1], K[..., :-1]))),
        "Where does your loop or slice end?",
    ),
    Mistake(
        "last-left-out",
        "The first feature is left out of every dot product.",
        alone(variant(before=lambda Q, K: (Q[..., 1:], K[..., 1:]))),
        "Where does your loop or slice begin?",
    ),
    Mistake(
        "square-only",
        "You took the number of queries for the number of keys; the two may differ.",
        alone(_as_many_keys_as_queries),
        "How many columns should the result have?",
    ),
    Mistake(
        "upper-half-only",
        "You filled only the scores of query i with keys j >= i; every query meets every key.",
        alone(variant(after=_rest_zero(np.triu))),
        "Over which keys should the inner loop run?",
    ),
    Mistake(
        "causal-by-default",
        "You filled only the scores of query i with keys j <= i. Here every query meets every key; hiding is unit 04.",
        alone(variant(after=_rest_zero(np.tril))),
        "Over which keys should the inner loop run?",
    ),
    Mistake(
        "causal-by-default",
        "You hid the keys after each query with -inf; nothing is hidden here. That is unit 04.",
        variant(after=lambda S, Q, K: np.where(np.tril(np.ones(S.shape[-2:], bool)), S, -np.inf)),
        "Return the plain dot products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by sqrt(d_k). That comes in unit 03; these scores stay unscaled.",
        variant(after=lambda S, Q, K: S / np.sqrt(Q.shape[-1])),
        "Return the plain dot products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of the number of keys. Nothing is scaled here; these scores stay as they are.",
        variant(after=lambda S, Q, K: S / np.sqrt(K.shape[-2])),
        "Return the plain dot products.",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by d_k, which makes a mean of the products; they should be added up.",
        variant(after=lambda S, Q, K: S / Q.shape[-1]),
        "Look for `mean` or a division.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already: these are weights, not scores.",
        variant(after=lambda S, Q, K: softmax(S)),
        "Return the plain dot products; unit 05 turns them into weights.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already, and over the queries: these are weights, not scores.",
        variant(after=lambda S, Q, K: softmax(S, -2)),
        "Return the plain dot products; unit 05 turns them into weights.",
    ),
    Mistake(
        "softmax-too-early",
        "You scaled and applied softmax already: these are weights, not scores.",
        variant(after=lambda S, Q, K: softmax(S / np.sqrt(Q.shape[-1]))),
        "Return the plain dot products; units 03 and 05 turn them into weights.",
    ),
    Mistake(
        "softmax-too-early",
        "You took exponentials, the first step of a softmax: scores are plain dot products.",
        variant(after=lambda S, Q, K: np.exp(S)),
        "Return the plain dot products; unit 05 turns them into weights.",
    ),
    Mistake(
        "renormalised",
        "You divided each row by its sum: these scores are plain dot products and sum to anything.",
        variant(after=lambda S, Q, K: S / S.sum(-1, keepdims=True)),
        "Return the plain dot products.",
    ),
    Mistake(
        "lost-sign",
        "Your negative scores became 0; keep them, they say that query and key point apart.",
        variant(after=lambda S, Q, K: np.maximum(S, 0)),
        "Return the plain dot products.",
    ),
    Mistake(
        "values-mixed-in",
        "You went on and multiplied the scores with the keys; return the scores themselves.",
        alone(variant(after=lambda S, Q, K: S @ K)),
        "How many columns should the result have?",
    ),
    Mistake(
        "queries-summed",
        "You added up the scores of all queries; each query has its own row.",
        alone(variant(after=lambda S, Q, K: S.sum(-2))),
        "How many rows should the result have?",
    ),
    Mistake(
        "hard-lookup",
        "You returned the index of the best key for each query; return all its scores.",
        alone(variant(after=lambda S, Q, K: S.argmax(-1))),
        "How many numbers belong to 2 queries and 3 keys?",
    ),
    Mistake(
        "hard-lookup",
        "You returned only the largest score of each query; return all its scores.",
        alone(variant(after=lambda S, Q, K: S.max(-1))),
        "How many numbers belong to 2 queries and 3 keys?",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the same numbers anew; it does not turn rows into columns.",
        variant(turn=cut_anew),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the root of the number of queries. Nothing is scaled here; these scores stay as they are.",
        alone(variant(after=lambda S, Q, K: S / np.sqrt(Q.shape[-2]))),
        "Return the plain dot products.",
    ),
    Mistake(
        "scaled-up",
        "You multiplied by sqrt(d_k). Nothing is scaled here; these scores stay as they are.",
        alone(variant(after=lambda S, Q, K: S * np.sqrt(Q.shape[-1]))),
        "Return the plain dot products.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already, and over the whole table: these are weights, not scores.",
        alone(variant(after=lambda S, Q, K: np.exp(S - S.max()) / np.exp(S - S.max()).sum())),
        "Return the plain dot products; unit 05 turns them into weights.",
    ),
    Mistake(
        "renormalised",
        "You divided each row of scores by its length; return the plain dot products.",
        alone(variant(after=lambda S, Q, K: unit_rows(S))),
        "Look for `norm`.",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the keys; each score adds up over the features of one query and one key.",
        alone(_whole(lambda Q, K: _products(Q, K).sum(-2))),
        "Which axis should be gone after the sum?",
    ),
    Mistake(
        "wrong-sum-axis",
        "You added up over the queries; each score adds up over the features of one query and one key.",
        alone(_whole(lambda Q, K: _products(Q, K).sum(-3))),
        "Which axis should be gone after the sum?",
    ),
    Mistake(
        "only-first-token",
        "You compared with the first key only; every query meets every key.",
        alone(variant(before=lambda Q, K: (Q, K[..., :1, :]))),
        "How many columns should the result have?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added Q and K as they are; each score is a dot product of one query and one key.",
        alone(_whole(lambda Q, K: Q + K)),
        "What is the first step of a dot product?",
    ),
    Mistake(
        "square-only",
        "You made room for a result of the shape of Q; it should have a column for each key.",
        alone(_in_a_result_like_queries),
        "`np.zeros_like(Q)` has the shape of Q. Which shape has the result?",
    ),
    Mistake(
        "returns-tensor",
        "You return a torch.Tensor; this unit works with NumPy arrays.",
        alone(lambda Q, K: torch.from_numpy(Q @ turned(K))),
        "A tensor has a method that gives its array.",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one row is still a matrix with one row.",
        alone(variant(after=lambda S, Q, K: np.squeeze(S))),
        "Does the number of axes depend on the sizes?",
    ),
    Mistake(
        "euclidean-distance",
        "You added up squared differences with a minus sign; scores are plain dot products.",
        alone(_whole(lambda Q, K: -(_between(Q, K) ** 2).sum(-1))),
        "Which operation multiplies entry by entry and adds up?",
    ),
    Mistake(
        "keys-summed",
        "You added up the scores of all keys; each key has its own column.",
        alone(variant(after=lambda S, Q, K: S.sum(-1))),
        "How many columns should the result have?",
    ),
    Mistake(
        "square-only",
        "You went through as many keys as there are queries, so the scores of later keys stay 0.",
        alone(variant(after=lambda S, Q, K: S * (np.arange(K.shape[-2]) < Q.shape[-2]))),
        "Which size is the number of keys?",
    ),
    Mistake(
        "wrong-start",
        "Your scores are larger by 1 everywhere: each sum should start at 0.",
        alone(variant(after=lambda S, Q, K: S + 1)),
        "Which number do you begin with?",
    ),
)
