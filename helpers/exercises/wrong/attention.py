"""Attention in steps, and the wrong steps that known mistakes of several exercises are put together from.

Scores, masks and mixes are written for NumPy arrays and PyTorch tensors alike; softmaxes are NumPy's.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.exercises.wrong.generic import unit_rows
from helpers.exercises.wrong.rows import paired, rows

Array = np.ndarray


def library(x: Any) -> Any:
    """NumPy or PyTorch, whichever this array or tensor comes from."""
    return sys.modules[type(x).__module__]


def hide(scores: Any, allowed: Any, value: float = -np.inf) -> Any:
    """Scores with -inf, or another value, where not allowed."""
    return library(scores).where(allowed, scores, value)


def powers(scores: Array, axis: int | None = -1) -> Array:
    """Exponentials of scores, with the largest of the axis taken away where it is finite."""
    largest = scores.max(axis=axis, keepdims=True)
    return np.exp(scores - np.where(np.isfinite(largest), largest, 0))


def share(parts: Array, axis: int | None = -1) -> Array:
    """Parts divided by their sum, 0 where the sum is 0."""
    total = parts.sum(axis=axis, keepdims=True)
    return parts / np.where(total == 0, 1, total)


def softmax(scores: Array, axis: int | None = -1) -> Array:
    """Softmax that gives 0 where everything is -inf."""
    return share(powers(scores, axis), axis)


@dataclass
class Attended:
    """What attention has in hand when it returns: scores before and after hiding, weights, output."""

    scores: Array
    hidden: Array
    weights: Array
    output: Any


def attend(
    Q: Array,
    K: Array,
    V: Array,
    allowed: Array | None,
    *,
    score: Callable = lambda Q, K: Q @ K.swapaxes(-2, -1),
    scale: Callable = lambda Q, K, V: np.sqrt(Q.shape[-1]),
    mask: Callable = lambda allowed, scores: allowed,
    hide: Callable = hide,
    powers: Callable = powers,
    share: Callable = share,
    softmax: Callable | None = None,
    after: Callable = lambda weights, allowed, Q: weights,
    mix: Callable = lambda weights, V, K: weights @ V,
) -> Attended:
    """Attention, with any of its steps replaced by a wrong one.

    Args:
        Q: queries.
        K: keys.
        V: values.
        allowed: the mask, or `None`.
        score: compares queries with keys.
        scale: what scores are divided by.
        mask: which mask is used, or `None`.
        hide: what becomes of the scores under that mask.
        powers: the first half of the softmax.
        share: its second half.
        softmax: both at once, in place of them.
        after: what becomes of the weights before they are used.
        mix: the output.
    """
    scores = score(Q, K) / scale(Q, K, V)
    allowed = mask(allowed, scores)
    hidden = scores if allowed is None else hide(scores, allowed)
    weights = after(softmax(hidden) if softmax else share(powers(hidden)), allowed, Q)
    return Attended(scores, hidden, weights, mix(weights, V, K))


def along(axis: int | None) -> dict[str, Callable]:
    """A softmax over another axis, or over all of them."""
    return {"powers": lambda x: powers(x, axis), "share": lambda x: share(x, axis)}


def causal(scores: Any) -> Any:
    """The mask that hides later keys."""
    of = library(scores)
    return of.tril(of.ones(scores.shape[-2:], dtype=bool))


_MASK_IN_TIME = "Hide the scores before the softmax."
_SCALE = "Compare with `scaled_scores` of unit 03: which size, and what is done to it?"
_WHICH_MASK = "Which mask do your scores really meet? Print it beside `allowed`."
_EXPONENTIAL_0 = "Which score has the exponential 0?"
_SOFTMAX = "Compare with your `softmax`, line by line."
_KEY_AXIS = "Which axis runs over the keys?"
_RETURN = "Look at your `return` line."

SCALES = rows(
    "no-scaling: You did not divide the scores by the root of a query's width, so your weights are too sharp.",
    "What did unit 03 do to the scores, and why?",
    paired(scale=lambda Q, K, V: 1.0),
    "scaled-by-d_k: Your scores are divided by the whole width of a query; it should be its square root, and once.",
    _SCALE,
    paired(scale=lambda Q, K, V: Q.shape[-1]),
    "scaled-by-sqrt-n: You divided by the root of the number of keys; it should be the root of a query's width.",
    "Which size does the spread of a score grow with?",
    paired(scale=lambda Q, K, V: np.sqrt(K.shape[-2])),
    "scaled-up: You multiplied by the root of the width, which makes the weights sharper still.",
    "Do you divide by the root, or by a power that is 1 over it?",
    paired(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
    "scaled-by-d_k: You divided by the square of the width; it should be its square root.",
    _SCALE,
    {"scale": lambda Q, K, V: Q.shape[-1] ** 2},
    "truncates-to-int: You cut off the digits of the square root: it should keep what stands after the point.",
    "Look for `int`, `//` or `isqrt` beside the square root.",
    {"scale": lambda Q, K, V: int(Q.shape[-1] ** 0.5)},
    "operator-precedence: Your scores are divided by twice the width; it should be its square root.",
    "Which comes first, `**` or `/`?",
    {"scale": lambda Q, K, V: 2 * Q.shape[-1]},
    "operator-precedence: You divided by half the width; it should be its square root.",
    {"scale": lambda Q, K, V: Q.shape[-1] / 2},
    "half-the-scaling: You divided by the fourth root of the width; it should be the square root.",
    "How often do you take a root, and of how many of the factors?",
    {"scale": lambda Q, K, V: Q.shape[-1] ** 0.25},
    "constant-divisor: You divided by 8, which is right for a width of 64 only.",
    "Take the width from the array.",
    {"scale": lambda Q, K, V: 8.0},
    "axis-counted-from-front: You divided by the root of the first size of Q; the width is the last.",
    "Count axes from the end: `shape[-1]`.",
    {"scale": lambda Q, K, V: np.sqrt(Q.shape[0])},
    "scaled-after-softmax: You divided the weights instead of the scores, so a row no longer sums to 1.",
    "Which comes first, scaling or softmax?",
    {"scale": lambda Q, K, V: 1.0, "after": lambda w, allowed, Q: w / np.sqrt(Q.shape[-1])},
    "scaled-after-softmax: You divided the scores, and the weights once more: a row no longer sums to 1.",
    "How often should the width divide, and where?",
    {"after": lambda w, allowed, Q: w / np.sqrt(Q.shape[-1])},
    "scaled-after-softmax: You divided the output by the root of the width; it belongs under the scores.",
    "Which comes first, scaling or softmax?",
    {"scale": lambda Q, K, V: 1.0, "mix": lambda w, V, K: w @ V / np.sqrt(K.shape[-1])},
)


def _distances(Q: Array, K: Array) -> Array:
    return np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


def _turned_round(Q: Array, K: Array) -> Array:
    try:
        return Q @ K.T
    # its words would fit other answers too: known by its values only, where sizes are equal
    except ValueError:
        raise ValueError("K.T does not fit") from None


SCORES = rows(
    "reshape-instead-of-transpose: You reshaped K where it should be transposed: the numbers of different keys mix.",
    "A reshape keeps the order of the numbers; a transpose changes it.",
    paired(score=lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])),
    "reversed-all-axes: You turned round all axes of K, the batch too, as `.T` does; only the last two should change places.",
    "Which function swaps two axes and leaves the others?",
    {"score": _turned_round},
    "cosine-instead-of-dot: You divided queries and keys by their lengths: a score is a dot product, not a cosine.",
    "Should the length of a key count?",
    {"score": lambda Q, K: unit_rows(Q) @ unit_rows(K).swapaxes(-2, -1), "scale": lambda Q, K, V: 1.0},
    {"score": lambda Q, K: unit_rows(Q) @ unit_rows(K).swapaxes(-2, -1)},
    "distance-instead-of-similarity: Your scores are distances: the farther a key, the more weight it gets.",
    "Which product tells how alike two vectors are?",
    {"score": _distances},
    "euclidean-distance: You compare by distance; attention compares by dot product.",
    {"score": lambda Q, K: -_distances(Q, K)},
    "softmax-too-early: You took a softmax of queries and keys; only their scores get one.",
    "What should sum to 1, and along which axis?",
    {"score": lambda Q, K: share(powers(Q)) @ share(powers(K)).swapaxes(-2, -1)},
    "sign-flipped: Your scores have the wrong sign: the key that fits least gets the most weight.",
    "Where does a minus sign come in?",
    {"score": lambda Q, K: -Q @ K.swapaxes(-2, -1)},
)


def _finite(x: Array) -> Array:
    return np.where(np.isfinite(x), x, 0)


def _unguarded(parts: Array) -> Array:
    return parts / parts.sum(-1, keepdims=True)


def _as_it_is(parts: Array) -> Array:
    return parts


def _without_keepdims(parts: Array) -> Array:
    total = parts.sum(-1)
    return parts / np.where(total == 0, 1, total)


def _max_without_keepdims(x: Array) -> Array:
    largest = x.max(-1)
    return np.exp(x - np.where(np.isfinite(largest), largest, 0))


SOFTMAXES = rows(
    "softmax-over-queries: Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
    _KEY_AXIS,
    paired(**along(-2)),
    "softmax-over-everything: You divided by the sum of all exponentials; each query shares out 1 of its own.",
    "Give `max` and `sum` an axis.",
    along(None),
    "no-max-subtraction: Your exponentials overflow when the scores are large.",
    "Use your `softmax` with the maximum taken away.",
    paired(powers=np.exp),
    "no-max-subtraction: You clipped the scores to save the exponentials: large scores become equal.",
    "What may be taken away from all scores of a row without changing the weights?",
    {"powers": lambda x: powers(np.where(np.isfinite(x), np.clip(x, -50, 50), x))},
    "global-max: You took away one maximum for the whole array: a row far below it becomes 0 everywhere.",
    "Every row has a maximum of its own.",
    {"powers": lambda x: powers(x, None)},
    "global-max: You took away one maximum for the whole array: a row far below it becomes 0 everywhere, and 0 / 0 gives NaN.",
    {"powers": lambda x: np.exp(x - x.max()), "share": _unguarded},
    "min-for-max: You took away the smallest score; the exponentials of the large ones overflow.",
    "Which number of the row must become 0, so that no exponential is above 1?",
    {"powers": lambda x: np.exp(x - np.where(np.isfinite(x), x, np.inf).min(-1, keepdims=True))},
    "keepdims-forgotten: Your sums lost the last axis, so they divide the columns, not the rows, or do not fit at all.",
    "Which argument of `sum` keeps the axis with size 1?",
    {"share": _without_keepdims},
    "keepdims-forgotten: Your maxima lost the last axis, so they are taken away from columns, or do not fit at all.",
    "Which argument of `max` keeps the axis with size 1?",
    {"powers": _max_without_keepdims},
    "keepdims-forgotten: Your maxima and sums lost the last axis, so they meet columns, or do not fit at all.",
    "Which argument of `max` and `sum` keeps the axis with size 1?",
    {"powers": _max_without_keepdims, "share": _without_keepdims},
    "truncates-to-int: You divided the scores with `//`, which rounds down to whole numbers.",
    "What is 3 // 2, and what is 3 / 2?",
    {"score": lambda Q, K: Q @ K.swapaxes(-2, -1) // np.sqrt(Q.shape[-1]), "scale": lambda Q, K, V: 1.0},
    "no-softmax: You mixed with the scores themselves; the softmax is missing.",
    "What should the weights of a row sum to?",
    paired(powers=_as_it_is, share=_as_it_is),
    "no-softmax: You mixed with the scores themselves, hidden ones set to 0; the softmax is missing.",
    {"powers": _finite, "share": _as_it_is},
    "no-exponential: You divided the scores by their sum, without exponentials: weights may be negative, or anything.",
    _SOFTMAX,
    {"powers": _finite, "share": _unguarded},
    {"powers": _finite},
    "not-normalised: Your exponentials are not divided by their sum, so a row does not sum to 1.",
    "What should the weights of a row sum to?",
    paired(share=_as_it_is),
    "not-normalised: You divided the exponentials by their number, not by their sum.",
    {"share": lambda parts: parts / parts.shape[-1]},
    "wrong-norm: You divided by the length of the row, not by its sum.",
    {"share": lambda parts: _finite(unit_rows(parts))},
    "hard-lookup: The best key gets all the weight; a softmax gives every allowed key a share.",
    _SOFTMAX,
    {"powers": lambda x: ((x == x.max(-1, keepdims=True)) & np.isfinite(x)) * 1.0},
    {"powers": lambda x: np.eye(x.shape[-1])[x.argmax(-1)]},
    "sigmoid: You used a sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
    "What should the weights of a row sum to?",
    {"powers": lambda x: 1 / (1 + np.exp(-x)), "share": _as_it_is},
    "sigmoid: You used a sigmoid in place of the exponential.",
    _SOFTMAX,
    {"powers": lambda x: 1 / (1 + np.exp(-x))},
    "extra-nonlinearity: You set negative scores to 0 before the softmax; a score may have any sign.",
    "Which steps lie between the scores and the softmax?",
    {"powers": lambda x: powers(np.where(np.isfinite(x), np.maximum(x, 0), x))},
    "wrong-base: You took powers of 2; the softmax takes powers of e.",
    "Which function computes e to the x?",
    {"powers": lambda x: powers(x * np.log(2))},
    "softmax-again: You took the softmax twice, which makes the weights nearly equal.",
    "Does one of the functions you call end with a softmax already?",
    paired(after=lambda w, allowed, Q: share(powers(w))),
    "weights-squared: You squared the weights, so a row no longer sums to 1.",
    "What should the weights of a row sum to?",
    {"after": lambda w, allowed, Q: w**2},
    "truncates-to-int: You rounded the weights; the output needs all their digits.",
    "Look for `round`.",
    *({"after": lambda w, allowed, Q, k=k: np.round(w, k)} for k in (2, 4)),
    "log-softmax: You returned and mixed with logarithms of weights.",
    "What should the weights of a row sum to?",
    {"after": lambda w, allowed, Q: np.log(w)},
    "weights-ignored: Every query gets the same average of all values: nothing is looked at.",
    "Do the scores reach the weights?",
    {"hide": lambda s, a: s, "share": lambda parts: np.full_like(parts, 1 / parts.shape[-1])},
    "weights-ignored: Every query gets the plain average of its allowed values: the scores count for nothing.",
    {"powers": lambda x: np.isfinite(x) * 1.0},
    "weights-ignored: Every query looks only at the key in its own place: the scores count for nothing.",
    {"share": lambda p: np.broadcast_to(np.eye(*p.shape[-2:]), p.shape)},
)


def at_full_shape(scores: Any, allowed: Any) -> Any:
    """Scores hidden by a mask as index, which must have their shape."""
    hidden = scores * 1
    hidden[~allowed] = -np.inf
    return hidden


def _at_full_shape_in_torch(scores: Array, allowed: Array) -> Array:
    import torch  # only the words of its error are wanted

    return at_full_shape(torch.from_numpy(scores), torch.from_numpy(allowed)).numpy()


def _hidden_by(scores: Array, allowed: Array, value: float, *, added: bool) -> Array:
    """Scores whose hidden keys got a low score, or had as much taken away."""
    return scores + ~allowed * value if added else hide(scores, allowed, value)


def repaired(weights: Any, allowed: Any, *, renormalised: bool) -> Any:
    """Weights with hidden ones set to 0 after the softmax, and shared out anew or not."""
    if allowed is None:
        return weights
    kept = weights * allowed
    total = kept.sum(-1, keepdims=True)
    return kept / library(kept).where(total == 0, total * 0 + 1, total) if renormalised else kept


FILLERS = (-1e3, -1e4)

TOO_HIGH = (
    "mask-value-too-small: The score of your hidden keys is not low enough: where it lies above the allowed ones, "
    "it takes their weight, and setting it to 0 afterwards comes too late."
)


def _lost(scores: Array, allowed: Array, largest: Callable[[Array], Any]) -> Array:
    """Hidden scores, those lost that are too far below what is taken away for their exponential."""
    hidden = hide(scores, allowed)
    return np.log(np.exp(hidden - largest(hidden)))


def _at_least_0(hidden: Array) -> Array:
    return np.maximum(hidden.max(-1, keepdims=True), 0)


NEVER_BELOW_0 = "wrong-start: A row whose scores are all far below 0 gets the weight 0 everywhere: what you take away is never below 0."

COUNTED_AS_0 = "wrong-start: Hidden scores count as 0 in your maximum: beside them a row far below 0 gets the weight 0 everywhere."

MASKS = rows(
    TOO_HIGH,
    "Which score has the exponential 0, whatever the others are?",
    *(
        {
            "hide": lambda s, a, v=value, added=added: _hidden_by(s, a, v, added=added),
            "after": lambda w, a, Q, renormalised=renormalised: repaired(w, a, renormalised=renormalised),
        }
        for value in FILLERS
        for added in (False, True)
        for renormalised in (False, True)
    ),
    NEVER_BELOW_0,
    "With which number does the search for your maximum start?",
    {"hide": lambda s, a: _lost(s, a, _at_least_0)},
    {"powers": lambda x: np.exp(x - _at_least_0(x))},
    COUNTED_AS_0,
    "Where does the maximum look: at the masked scores, or at scores times the mask?",
    {"hide": lambda s, a: _lost(s, a, lambda hidden: (s * a).max(-1, keepdims=True))},
    "global-max: You took away one maximum for the whole array, hidden scores included: a row far below it becomes 0 everywhere.",
    "Every row has a maximum of its own, among its allowed keys.",
    {"hide": lambda s, a: _lost(s, a, lambda hidden: s.max())},
    "mask-inverted: You hid what is allowed: True means 'may look'.",
    "Which keys should end with weight 0?",
    paired(mask=lambda a, s: None if a is None else ~a),
    {"mask": lambda a, s: None if a is None else ~a, "share": _unguarded},
    {"hide": lambda s, a: s + a * -1e9},
    "mask-ignored: The mask does nothing: hidden keys keep their weight.",
    "What happens to `allowed` in your code? Does it reach the softmax on every way through?",
    paired(mask=lambda a, s: None),
    "mask-ignored: You hide later keys whatever the mask says, and do not look at `allowed`.",
    _WHICH_MASK,
    {"mask": lambda a, s: causal(s)},
    "mask-not-broadcast: You use the mask only where it has the shape of the scores; one that broadcasts counts too.",
    "A mask broadcasts against (..., n_q, n_k) as it comes.",
    {"mask": lambda a, s: a if a is not None and a.shape == s.shape else None},
    "mask-not-broadcast: You always insert an axis into the mask: right for a mask of keys only, wrong for one of queries and keys.",
    "A mask broadcasts against (..., n_q, n_k) as it comes.",
    {"mask": lambda a, s: None if a is None else a[..., None, :]},
    "causal-by-default: Without a mask you hide later keys; None means that every key is allowed.",
    "What should be hidden when `allowed` is None?",
    paired(mask=lambda a, s: causal(s) if a is None else a),
    "causal-by-default: Where there are as many keys as queries you hide later keys, which nobody asked for.",
    _WHICH_MASK,
    {"mask": lambda a, s: a if s.shape[-1] != s.shape[-2] else causal(s) & (True if a is None else a)},
    "causal-by-default: You hide later keys on top of those that the mask hides.",
    {"mask": lambda a, s: causal(s) if a is None else a & causal(s)},
    "causal-by-default: With a mask you hide later keys, whichever the mask names.",
    {"mask": lambda a, s: None if a is None else causal(s)},
    "transposed-mask: You used the mask turned round: its rows are queries, its columns keys.",
    paired(mask=lambda a, s: None if a is None else library(a).atleast_2d(a).swapaxes(-2, -1)),
    {"mask": lambda a, s: a if a is None or a.ndim < 2 else a.swapaxes(-2, -1)},
    "padding-on-queries: You took a mask of one row for a column: it names keys, and you hid queries.",
    "A mask of shape (n_k,) is the same row for every query. What does broadcasting do by itself?",
    {"mask": lambda a, s: a[:, None] if a is not None and a.ndim == 1 else a},
    "first-batch-only: The mask of the first sequence is used for all of them.",
    "Look for `[0]` and `[:1]` beside the mask.",
    {"mask": lambda a, s: a if a is None or s.ndim < 3 else library(s).broadcast_to(a, s.shape)[:1]},
    "only-first-row: The first row of the mask is used for every query.",
    "Each query has a row of its own in the mask.",
    {"mask": lambda a, s: a if a is None or a.ndim < 2 else a[..., :1, :]},
    "no-head-axis: You removed the axes of size 1 from the mask, so it lines up with other axes of the scores, or with none.",
    "Broadcasting needs those axes of size 1.",
    {"mask": lambda a, s: None if a is None else a.squeeze()},
    "diagonal-hidden: No query may look at the key in its own place, though the mask allows it.",
    _WHICH_MASK,
    {"mask": lambda a, s: ~library(s).eye(*s.shape[-2:], dtype=bool) & (True if a is None else a)},
    "array-truth-value: You asked the mask for one True or False; an array of several has no such answer.",
    "You only want to know whether there is a mask: ask `is not None`.",
    {"mask": lambda a, s: a or None},
    "mask-not-broadcast: You used the mask as an index, which works only where it has the very shape of the scores.",
    "Which function broadcasts the mask for you? `np.where` and `masked_fill` do.",
    {"hide": at_full_shape},
    {"hide": _at_full_shape_in_torch},
    "mask-multiplied: Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
    _EXPONENTIAL_0,
    paired(hide=lambda s, a: s * a),
    "mask-added: You added the mask to the scores: True counts as 1, and nothing is hidden.",
    {"hide": lambda s, a: s + a},
    "mask-value-too-small: Your hidden keys get a score that real scores can come near, so they may keep some weight.",
    "Which number is below every score?",
    *({"hide": lambda s, a, value=value: hide(s, a, value)} for value in FILLERS),
    *({"hide": lambda s, a, value=value: s + ~a * value} for value in FILLERS),
    *(
        {
            "hide": lambda s, a, v=value, added=added: _hidden_by(s, a, v, added=added),
            "after": lambda w, a, Q: w if a is None else w * a.any(-1, keepdims=True),
        }
        for value in FILLERS
        for added in (False, True)
    ),
    "mask-value-too-small: Your hidden keys get the smallest of all scores, and so keep some weight.",
    _EXPONENTIAL_0,
    {"hide": lambda s, a: hide(s, a, s.min())},
    "mask-value-sign: Hidden keys get a huge score, and so all of the weight.",
    {"hide": lambda s, a: hide(s, a, 1e9)},
    "mask-value-sign: Hidden keys get a score of +inf; it should be the other infinity.",
    {"hide": lambda s, a: hide(s, a, np.inf)},
    "mask-value-not-a-number: Each row with a hidden key is NaN: 0 times infinity is NaN, and so is a softmax with a score of plus infinity.",
    {"hide": lambda s, a: hide(s, a, np.nan)},
    "zero-times-inf: Where the mask allows, your weights are NaN: 0 times infinity is no number.",
    "Choose between two numbers instead of multiplying: which function does that?",
    {"hide": lambda s, a: s + ~a * -np.inf, "share": lambda parts: np.where(parts == 0, 0, parts)},
    "zero-times-inf: You made the hidden scores by multiplying with infinity; where the mask allows, that is 0 times infinity, which is NaN.",
    {"hide": lambda s, a: s + ~a * -np.inf},
    "zero-as-sentinel: You hid every score that is 0; a query and a key at a right angle have the score 0 too.",
    "Ask the mask, not the score, what is hidden.",
    {"hide": lambda s, a: hide(s, s * a != 0)},
    "blocked-row-uniform: A query with no allowed key gets equal weights; it should get none.",
    "With -1e9 everywhere, all scores are equal again.",
    paired(hide=lambda s, a: hide(s, a, -1e9)),
    "blocked-row-uniform: A query with no allowed key has the output 0, as it should, but equal weights; they should be 0.",
    {"hide": lambda s, a: hide(s, a, -1e9), "mix": lambda w, V, K: w @ V * (np.ptp(w, -1) > 0)[..., None]},
    "blocked-row-left-open: A query with no allowed key sees all of them: taking the same number from every score changes nothing.",
    "What should a query get that may look at nobody?",
    {"hide": lambda s, a: s + ~a * -1e9},
    "nothing-allowed-as-no-mask: A mask without a single True hides nothing in your code; it should hide every key, and all weights be 0.",
    "Ask whether there is a mask at all: `is not None`.",
    {"mask": lambda a, s: a if a is not None and a.any() else None},
    "blocked-row-nan: A query with no allowed key gives NaN; it should give 0.",
    "Use your `masked_softmax`, which knows such rows. What is NaN times 0?",
    paired(share=_unguarded),
    "blocked-row-nan: A query with no allowed key has the output 0, as it should, but its weights are NaN.",
    "Where does the NaN arise first?",
    {"share": _unguarded, "mix": lambda w, V, K: _finite(w @ V)},
    "blocked-row-uniform: A query with no allowed key has weights 0, but its output is the mean of all values; it should be 0.",
    "What do weights of 0 mix?",
    {"mix": lambda w, V, K: w @ V + (w.sum(-1, keepdims=True) == 0) * V.mean(-2, keepdims=True)},
    "blocked-row-zeroes-all: One query with no allowed key makes everything 0; only its own row should be.",
    "`any` and `all` look at the whole array unless they get an axis.",
    {"after": lambda w, a, Q: w * (w.sum(-1) > 0).all()},
    "mask-after-softmax: You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
    _MASK_IN_TIME,
    paired(hide=lambda s, a: s, after=lambda w, a, Q: w if a is None else w * a),
    "max-over-blocked: Hidden scores take part in the maximum: a large one leaves nothing of the allowed ones.",
    {"hide": lambda s, a: s, "after": lambda w, a, Q: w if a is None else share(w * a)},
    "max-over-blocked: Hidden scores take part in the maximum: a large one leaves nothing of the allowed ones, and 0 / 0 is NaN.",
    {"hide": lambda s, a: s, "after": lambda w, a, Q: w if a is None else _unguarded(w * a)},
    "no-max-subtraction: Your exponentials overflow when the scores are large, and a row without keys gives 0 / 0.",
    "What may be taken away from all scores of a row, and what is the sum where nothing is allowed?",
    {
        "hide": lambda s, a: s,
        "powers": np.exp,
        "share": _as_it_is,
        "after": lambda w, a, Q: _unguarded(w if a is None else w * a),
    },
)

MIXES = rows(
    "weights-transposed: You mixed with the transposed weights.",
    "Row i of the weights belongs to output i.",
    paired(mix=lambda w, V, K: w.swapaxes(-2, -1) @ V),
    "keys-for-values: You mixed the keys; the weights decide where to look, the values what is taken from there.",
    "Where does V appear in your code?",
    paired(mix=lambda w, V, K: w @ K),
    "mean-instead-of-sum: You divided the mix by the number of keys; the weights of a row sum to 1 already.",
    "Look for `mean` or a division after the softmax.",
    {"mix": lambda w, V, K: w @ V / V.shape[-2]},
    "sum-not-weighted: Your output is the plain average of all values; your weights do not reach it.",
    "Follow the weights through your code.",
    {"mix": lambda w, V, K: np.broadcast_to(V.mean(-2, keepdims=True), (*w.shape[:-1], V.shape[-1]))},
    "weights-ignored: Your output is made of the values as they are: nothing is mixed.",
    {"mix": lambda w, V, K: V},
    "max-for-sum: You took the largest of the weighted values; they should be added up.",
    "What does a matrix product do with the products?",
    {"mix": lambda w, V, K: (w[..., None] * V[..., None, :, :]).max(-2)},
)


def _open_weights(found: Attended) -> Array:
    return share(powers(found.scores))


RESULTS = rows(
    "wrong-order: You returned the weights first; the output comes first.",
    _RETURN,
    paired(result=lambda found: (found.weights, found.output)),
    "one-output-missing: You returned the output alone; the exercise asks for the output and the weights.",
    "`return a, b` makes a tuple.",
    paired(result=lambda found: found.output),
    "one-output-missing: You returned the weights alone; the exercise asks for the output and the weights.",
    {"result": lambda found: found.weights},
    "one-output-too-many: You returned three things; the exercise asks for two, the output and the weights.",
    _RETURN,
    {"result": lambda found: (found.output, found.weights, found.scores)},
    "returns-list: You returned a list; the exercise asks for a tuple of two arrays, (output, weights).",
    "`return a, b` makes a tuple.",
    {"result": lambda found: [found.output, found.weights]},
    "returns-dict: You returned a dict; the exercise asks for a tuple of two arrays, (output, weights).",
    {"result": lambda found: {"output": found.output, "weights": found.weights}},
    "returns-none: Your function returns nothing (None).",
    "Every way through your function should end in a `return`.",
    {"result": lambda found: None},
    "returns-scores-for-weights: In place of the weights you returned the scores.",
    _RETURN,
    paired(result=lambda found: (found.output, found.hidden)),
    "returns-scores-for-weights: In place of the weights you returned the scores, from before anything was hidden.",
    {"result": lambda found: (found.output, found.scores)},
    "returns-weights-before-mask: Your output is right, but the weights you returned know nothing of the mask.",
    paired(result=lambda found: (found.output, _open_weights(found))),
    "mask-after-softmax: You hid keys for the output only, after the softmax: your weights still look at them.",
    _MASK_IN_TIME,
    {
        "hide": lambda s, a: s,
        "after": lambda w, a, Q: w if a is None else w * a,
        "result": lambda found: (found.output, _open_weights(found)),
    },
    "weights-transposed: Your output is right, but the weights you returned are turned round.",
    "Row i of the weights belongs to output i.",
    {"result": lambda found: (found.output, found.weights.swapaxes(-2, -1))},
)
