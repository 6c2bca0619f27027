"""Attention in steps, and the wrong steps that known mistakes of several exercises are put together from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Array = np.ndarray


def hide(scores: Array, allowed: Array) -> Array:
    """Scores with -inf where not allowed."""
    return np.where(allowed, scores, -np.inf)


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
        after: what becomes of the weights before they are used.
        mix: the output.
    """
    scores = score(Q, K) / scale(Q, K, V)
    allowed = mask(allowed, scores)
    hidden = scores if allowed is None else hide(scores, allowed)
    weights = after(share(powers(hidden)), allowed, Q)
    return Attended(scores, hidden, weights, mix(weights, V, K))


def along(axis: int | None) -> dict[str, Callable]:
    """A softmax over another axis, or over all of them."""
    return {"powers": lambda x: powers(x, axis), "share": lambda x: share(x, axis)}


def causal(scores: Array) -> Array:
    """The mask that hides later keys."""
    return np.tri(*scores.shape[-2:], dtype=bool)


def _causal_if_square(allowed: Array | None, scores: Array) -> Array | None:
    if scores.shape[-1] != scores.shape[-2]:
        return allowed
    return causal(scores) if allowed is None else allowed & causal(scores)


@dataclass(frozen=True)
class Wrong:
    """A mistake that replaces steps.

    Attributes:
        id: as in `Mistake`.
        says: as in `Mistake`.
        steps: the wrong steps by name.
        hint: as in `Mistake`.
        alone: whether it is looked for by itself only, and not together with another mistake; so it is
            with what is rare, as every pair costs time.
    """

    id: str
    says: str
    steps: dict[str, Callable]
    hint: str
    alone: bool = False


def as_mistakes(make: Callable[..., Any], wrong: Iterable[Wrong]) -> tuple[Mistake, ...]:
    """The answers that `make` builds with these wrong steps."""
    both = replaceable(make)
    return tuple(
        Mistake(one.id, one.says, (make if one.alone else both)(**one.steps), one.hint) for one in wrong
    )


_MASK_IN_TIME = "Hide the scores before the softmax."
_SCALE = "Compare with `scaled_scores` of unit 03: which size, and what is done to it?"
_WHICH_MASK = "Which mask do your scores really meet? Print it beside `allowed`."
_EXPONENTIAL_0 = "Which score has the exponential 0?"
_SOFTMAX = "Compare with your `softmax`, line by line."
_KEY_AXIS = "Which axis runs over the keys?"
_RETURN = "Look at your `return` line."

SCALES = (
    Wrong(
        "no-scaling",
        "You did not divide the scores by the root of a query's width, so your weights are too sharp.",
        {"scale": lambda Q, K, V: 1.0},
        "What did unit 03 do to the scores, and why?",
    ),
    Wrong(
        "scaled-by-d_k",
        "Your scores are divided by the whole width of a query; it should be its square root, and once.",
        {"scale": lambda Q, K, V: Q.shape[-1]},
        _SCALE,
    ),
    Wrong(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of keys; it should be the root of a query's width.",
        {"scale": lambda Q, K, V: np.sqrt(K.shape[-2])},
        "Which size does the spread of a score grow with?",
    ),
    Wrong(
        "scaled-up",
        "You multiplied by the root of the width, which makes the weights sharper still.",
        {"scale": lambda Q, K, V: Q.shape[-1] ** -0.5},
        "`/ d ** -0.5` multiplies: two minus signs cancel.",
    ),
    Wrong(
        "scaled-by-d_k",
        "You divided by the square of the width; it should be its square root.",
        {"scale": lambda Q, K, V: Q.shape[-1] ** 2},
        _SCALE,
        alone=True,
    ),
    Wrong(
        "truncates-to-int",
        "You cut off the digits of the square root: it should keep what stands after the point.",
        {"scale": lambda Q, K, V: int(Q.shape[-1] ** 0.5)},
        "Look for `int`, `//` or `isqrt` beside the square root.",
        alone=True,
    ),
    Wrong(
        "operator-precedence",
        "Your scores are divided by twice the width: `/ d ** 1 / 2` divides by d, then by 2.",
        {"scale": lambda Q, K, V: 2 * Q.shape[-1]},
        "Which comes first, `**` or `/`?",
        alone=True,
    ),
    Wrong(
        "operator-precedence",
        "You divided by half the width: `d ** 1 / 2` is d / 2, not a root.",
        {"scale": lambda Q, K, V: Q.shape[-1] / 2},
        "Which comes first, `**` or `/`?",
        alone=True,
    ),
    Wrong(
        "half-the-scaling",
        "You divided by the fourth root of the width; it should be the square root.",
        {"scale": lambda Q, K, V: Q.shape[-1] ** 0.25},
        "How often do you take a root, and of how many of the factors?",
        alone=True,
    ),
    Wrong(
        "constant-divisor",
        "You divided by 8, which is right for a width of 64 only.",
        {"scale": lambda Q, K, V: 8.0},
        "Take the width from the array.",
        alone=True,
    ),
    Wrong(
        "axis-counted-from-front",
        "You divided by the root of the first size of Q; the width is the last.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[0])},
        "Count axes from the end: `shape[-1]`.",
        alone=True,
    ),
    Wrong(
        "scaled-after-softmax",
        "You divided the weights instead of the scores, so a row no longer sums to 1.",
        {"scale": lambda Q, K, V: 1.0, "after": lambda w, allowed, Q: w / np.sqrt(Q.shape[-1])},
        "Which comes first, scaling or softmax?",
        alone=True,
    ),
    Wrong(
        "scaled-after-softmax",
        "You divided the scores, and the weights once more: a row no longer sums to 1.",
        {"after": lambda w, allowed, Q: w / np.sqrt(Q.shape[-1])},
        "How often should the width divide, and where?",
        alone=True,
    ),
    Wrong(
        "scaled-after-softmax",
        "You divided the output by the root of the width; it belongs under the scores.",
        {"scale": lambda Q, K, V: 1.0, "mix": lambda w, V, K: w @ V / np.sqrt(K.shape[-1])},
        "Which comes first, scaling or softmax?",
        alone=True,
    ),
)


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _distances(Q: Array, K: Array) -> Array:
    return np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


def _turned_round(Q: Array, K: Array) -> Array:
    try:
        return Q @ K.T
    except (
        ValueError
    ):  # its words would fit other answers too: known by its values only, where sizes are equal
        raise ValueError("K.T does not fit") from None


SCORES = (
    Wrong(
        "reshape-instead-of-transpose",
        "You reshaped K where it should be transposed: the numbers of different keys mix.",
        {"score": lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])},
        "A reshape keeps the order of the numbers; a transpose changes it.",
    ),
    Wrong(
        "reversed-all-axes",
        "`.T` turns round all axes, the batch too; only the last two should change places.",
        {"score": _turned_round},
        "Which function swaps two axes and leaves the others?",
        alone=True,
    ),
    Wrong(
        "cosine-instead-of-dot",
        "You divided queries and keys by their lengths: a score is a dot product, not a cosine.",
        {"score": lambda Q, K: _unit(Q) @ _unit(K).swapaxes(-2, -1), "scale": lambda Q, K, V: 1.0},
        "Should the length of a key count?",
        alone=True,
    ),
    Wrong(
        "cosine-instead-of-dot",
        "You divided queries and keys by their lengths: a score is a dot product, not a cosine.",
        {"score": lambda Q, K: _unit(Q) @ _unit(K).swapaxes(-2, -1)},
        "Should the length of a key count?",
        alone=True,
    ),
    Wrong(
        "distance-instead-of-similarity",
        "Your scores are distances: the farther a key, the more weight it gets.",
        {"score": _distances},
        "Which product tells how alike two vectors are?",
        alone=True,
    ),
    Wrong(
        "euclidean-distance",
        "You compare by distance; attention compares by dot product.",
        {"score": lambda Q, K: -_distances(Q, K)},
        "Which product tells how alike two vectors are?",
        alone=True,
    ),
    Wrong(
        "softmax-too-early",
        "You took a softmax of queries and keys; only their scores get one.",
        {"score": lambda Q, K: share(powers(Q)) @ share(powers(K)).swapaxes(-2, -1)},
        "What should sum to 1, and along which axis?",
        alone=True,
    ),
    Wrong(
        "sign-flipped",
        "Your scores have the wrong sign: the key that fits least gets the most weight.",
        {"score": lambda Q, K: -Q @ K.swapaxes(-2, -1)},
        "Where does a minus sign come in?",
        alone=True,
    ),
)


def _all_or_nothing(x: Array) -> Array:
    return (x == x.max(-1, keepdims=True)) & np.isfinite(x)


def _one_hot(x: Array) -> Array:
    return np.eye(x.shape[-1])[x.argmax(-1)]


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


SOFTMAXES = (
    Wrong(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
        along(-2),
        _KEY_AXIS,
    ),
    Wrong(
        "softmax-over-everything",
        "You divided by the sum of all exponentials; each query shares out 1 of its own.",
        along(None),
        "Give `max` and `sum` an axis.",
        alone=True,
    ),
    Wrong(
        "no-max-subtraction",
        "Your exponentials overflow when the scores are large.",
        {"powers": np.exp},
        "Use your `softmax` with the maximum taken away.",
    ),
    Wrong(
        "no-max-subtraction",
        "You clipped the scores to save the exponentials: large scores become equal.",
        {"powers": lambda x: powers(np.where(np.isfinite(x), np.clip(x, -50, 50), x))},
        "What may be taken away from all scores of a row without changing the weights?",
        alone=True,
    ),
    Wrong(
        "global-max",
        "You took away one maximum for the whole array: a row far below it becomes 0 everywhere.",
        {"powers": lambda x: powers(x, None)},
        "Every row has a maximum of its own.",
        alone=True,
    ),
    Wrong(
        "global-max",
        "You took away one maximum for the whole array: a row far below it becomes 0 everywhere, and 0 / 0 gives NaN.",
        {"powers": lambda x: np.exp(x - x.max()), "share": _unguarded},
        "Every row has a maximum of its own.",
        alone=True,
    ),
    Wrong(
        "min-for-max",
        "You took away the smallest score; the exponentials of the large ones overflow.",
        {"powers": lambda x: np.exp(x - np.where(np.isfinite(x), x, np.inf).min(-1, keepdims=True))},
        "Which number of the row must become 0, so that no exponential is above 1?",
        alone=True,
    ),
    Wrong(
        "keepdims-forgotten",
        "Your sums lost the last axis, so they divide the columns, not the rows, or do not fit at all.",
        {"share": _without_keepdims},
        "Which argument of `sum` keeps the axis with size 1?",
        alone=True,
    ),
    Wrong(
        "keepdims-forgotten",
        "Your maxima lost the last axis, so they are taken away from columns, or do not fit at all.",
        {"powers": _max_without_keepdims},
        "Which argument of `max` keeps the axis with size 1?",
        alone=True,
    ),
    Wrong(
        "keepdims-forgotten",
        "Your maxima and sums lost the last axis, so they meet columns, or do not fit at all.",
        {"powers": _max_without_keepdims, "share": _without_keepdims},
        "Which argument of `max` and `sum` keeps the axis with size 1?",
        alone=True,
    ),
    Wrong(
        "no-softmax",
        "You mixed with the scores themselves; the softmax is missing.",
        {"powers": _as_it_is, "share": _as_it_is},
        "What should the weights of a row sum to?",
    ),
    Wrong(
        "no-softmax",
        "You mixed with the scores themselves, hidden ones set to 0; the softmax is missing.",
        {"powers": _finite, "share": _as_it_is},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    Wrong(
        "no-exponential",
        "You divided the scores by their sum, without exponentials: weights may be negative, or anything.",
        {"powers": _finite, "share": _unguarded},
        _SOFTMAX,
        alone=True,
    ),
    Wrong(
        "no-exponential",
        "You divided the scores by their sum, without exponentials: weights may be negative, or anything.",
        {"powers": _finite},
        _SOFTMAX,
        alone=True,
    ),
    Wrong(
        "not-normalised",
        "Your exponentials are not divided by their sum, so a row does not sum to 1.",
        {"share": _as_it_is},
        "What should the weights of a row sum to?",
    ),
    Wrong(
        "not-normalised",
        "You divided the exponentials by their number, not by their sum.",
        {"share": lambda parts: parts / parts.shape[-1]},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    Wrong(
        "wrong-norm",
        "You divided by the length of the row, not by its sum.",
        {"share": lambda parts: _finite(_unit(parts))},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    Wrong(
        "hard-lookup",
        "The best key gets all the weight; a softmax gives every allowed key a share.",
        {"powers": lambda x: _all_or_nothing(x) * 1.0},
        _SOFTMAX,
        alone=True,
    ),
    Wrong(
        "hard-lookup",
        "The best key gets all the weight; a softmax gives every allowed key a share.",
        {"powers": _one_hot},
        _SOFTMAX,
        alone=True,
    ),
    Wrong(
        "sigmoid",
        "You used a sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
        {"powers": lambda x: 1 / (1 + np.exp(-x)), "share": _as_it_is},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    Wrong(
        "sigmoid",
        "You used a sigmoid in place of the exponential.",
        {"powers": lambda x: 1 / (1 + np.exp(-x))},
        _SOFTMAX,
        alone=True,
    ),
    Wrong(
        "extra-nonlinearity",
        "You set negative scores to 0 before the softmax; a score may have any sign.",
        {"powers": lambda x: powers(np.where(np.isfinite(x), np.maximum(x, 0), x))},
        "Which steps lie between the scores and the softmax?",
        alone=True,
    ),
    Wrong(
        "wrong-base",
        "You took powers of 2; the softmax takes powers of e.",
        {"powers": lambda x: powers(x * np.log(2))},
        "Which function computes e to the x?",
        alone=True,
    ),
    Wrong(
        "softmax-again",
        "You took the softmax twice, which makes the weights nearly equal.",
        {"after": lambda w, allowed, Q: share(powers(w))},
        "Does one of the functions you call end with a softmax already?",
    ),
    Wrong(
        "weights-squared",
        "You squared the weights, so a row no longer sums to 1.",
        {"after": lambda w, allowed, Q: w**2},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    *(
        Wrong(
            "truncates-to-int",
            "You rounded the weights; the output needs all their digits.",
            {"after": lambda w, allowed, Q, k=k: np.round(w, k)},
            "Look for `round`.",
            alone=True,
        )
        for k in (0, 1, 2, 3, 4)
    ),
    Wrong(
        "log-softmax",
        "You returned and mixed with logarithms of weights.",
        {"after": lambda w, allowed, Q: np.log(w)},
        "What should the weights of a row sum to?",
        alone=True,
    ),
    Wrong(
        "weights-ignored",
        "Every query gets the same average of all values: nothing is looked at.",
        {"hide": lambda s, a: s, "share": lambda parts: np.full_like(parts, 1 / parts.shape[-1])},
        "Do the scores reach the weights?",
        alone=True,
    ),
    Wrong(
        "weights-ignored",
        "Every query gets the plain average of its allowed values: the scores count for nothing.",
        {"powers": lambda x: np.isfinite(x) * 1.0},
        "Do the scores reach the weights?",
        alone=True,
    ),
    Wrong(
        "weights-ignored",
        "Every query looks only at the key in its own place: the scores count for nothing.",
        {"share": lambda p: np.broadcast_to(np.eye(*p.shape[-2:]), p.shape)},
        "Do the scores reach the weights?",
        alone=True,
    ),
)


def _first_sequence(allowed: Array | None, scores: Array) -> Array | None:
    if allowed is None or scores.ndim < 3:
        return allowed
    return np.broadcast_to(allowed, scores.shape)[:1]


def _at_full_shape(scores: Array, allowed: Array) -> Array:
    hidden = scores.copy()
    hidden[~allowed] = -np.inf
    return hidden


def _at_full_shape_in_torch(scores: Array, allowed: Array) -> Array:
    import torch  # only the words of its error are wanted

    hidden = torch.from_numpy(scores.copy())
    hidden[~torch.from_numpy(allowed)] = -torch.inf
    return hidden.numpy()


def _asked(allowed: Array | None, scores: Array) -> Array | None:
    return allowed if allowed is not None and bool(allowed) else None


MASKS = (
    Wrong(
        "mask-inverted",
        "You hid what is allowed: True means 'may look'.",
        {"mask": lambda a, s: None if a is None else ~a},
        "Which keys should end with weight 0?",
    ),
    Wrong(
        "mask-ignored",
        "The mask does nothing: hidden keys keep their weight.",
        {"mask": lambda a, s: None},
        "What happens to `allowed` in your code? Is the masked array the one you go on with?",
    ),
    Wrong(
        "mask-ignored",
        "You hide later keys whatever the mask says, and do not look at `allowed`.",
        {"mask": lambda a, s: causal(s)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "mask-not-broadcast",
        "You always insert an axis into the mask: right for a mask of keys only, wrong for one of queries and keys.",
        {"mask": lambda a, s: None if a is None else a[..., None, :]},
        "A mask broadcasts against (..., n_q, n_k) as it comes.",
        alone=True,
    ),
    Wrong(
        "causal-by-default",
        "Without a mask you hide later keys; None means that every key is allowed.",
        {"mask": lambda a, s: causal(s) if a is None else a},
        "What should be hidden when `allowed` is None?",
    ),
    Wrong(
        "causal-by-default",
        "Where there are as many keys as queries you hide later keys, which nobody asked for.",
        {"mask": lambda a, s: _causal_if_square(a, s)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "causal-by-default",
        "You hide later keys on top of those that the mask hides.",
        {"mask": lambda a, s: causal(s) if a is None else a & causal(s)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "causal-by-default",
        "With a mask you hide later keys, whichever the mask names.",
        {"mask": lambda a, s: None if a is None else causal(s)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "transposed-mask",
        "You used the mask turned round: its rows are queries, its columns keys.",
        {"mask": lambda a, s: None if a is None else np.atleast_2d(a).swapaxes(-2, -1)},
        _WHICH_MASK,
    ),
    Wrong(
        "transposed-mask",
        "You used the mask turned round: its rows are queries, its columns keys.",
        {"mask": lambda a, s: a if a is None or a.ndim < 2 else a.swapaxes(-2, -1)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "padding-on-queries",
        "You took a mask of one row for a column: it names keys, and you hid queries.",
        {"mask": lambda a, s: a[:, None] if a is not None and a.ndim == 1 else a},
        "A mask of shape (n_k,) is the same row for every query. What does broadcasting do by itself?",
        alone=True,
    ),
    Wrong(
        "first-batch-only",
        "The mask of the first sequence is used for all of them.",
        {"mask": _first_sequence},
        "Look for `[0]` and `[:1]` beside the mask.",
        alone=True,
    ),
    Wrong(
        "only-first-row",
        "The first row of the mask is used for every query.",
        {"mask": lambda a, s: a if a is None or a.ndim < 2 else a[..., :1, :]},
        "Each query has a row of its own in the mask.",
        alone=True,
    ),
    Wrong(
        "no-head-axis",
        "You removed the axes of size 1 from the mask, so it lines up with other axes of the scores, or with none.",
        {"mask": lambda a, s: None if a is None else a.squeeze()},
        "Broadcasting needs those axes of size 1.",
        alone=True,
    ),
    Wrong(
        "diagonal-hidden",
        "No query may look at the key in its own place, though the mask allows it.",
        {"mask": lambda a, s: ~np.eye(*s.shape[-2:], dtype=bool) & (True if a is None else a)},
        _WHICH_MASK,
        alone=True,
    ),
    Wrong(
        "array-truth-value",
        "You asked the mask for one True or False; an array of several has no such answer.",
        {"mask": _asked},
        "You only want to know whether there is a mask: ask `is not None`.",
        alone=True,
    ),
    Wrong(
        "mask-not-broadcast",
        "You used the mask as an index, which works only where it has the very shape of the scores.",
        {"hide": _at_full_shape},
        "Which function broadcasts the mask for you? `np.where` and `masked_fill` do.",
        alone=True,
    ),
    Wrong(
        "mask-not-broadcast",
        "You used the mask as an index, which works only where it has the very shape of the scores.",
        {"hide": _at_full_shape_in_torch},
        "Which function broadcasts the mask for you? `np.where` and `masked_fill` do.",
        alone=True,
    ),
    Wrong(
        "mask-multiplied",
        "Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
        {"hide": lambda s, a: s * a},
        _EXPONENTIAL_0,
    ),
    Wrong(
        "mask-added",
        "You added the mask to the scores: True counts as 1, and nothing is hidden.",
        {"hide": lambda s, a: s + a},
        _EXPONENTIAL_0,
        alone=True,
    ),
    *(
        Wrong(
            "mask-value-too-small",
            "Your hidden keys get a score that real scores can come near, so they may keep some weight.",
            {"hide": lambda s, a, value=value: np.where(a, s, value)},
            "Which number is below every score?",
            alone=True,
        )
        for value in (-1.0, -10.0, -100.0, -1e3, -1e4)
    ),
    Wrong(
        "mask-value-too-small",
        "Your hidden keys get the smallest of all scores, and so keep some weight.",
        {"hide": lambda s, a: np.where(a, s, s.min())},
        _EXPONENTIAL_0,
        alone=True,
    ),
    Wrong(
        "mask-value-sign",
        "Hidden keys get a huge score, and so all of the weight.",
        {"hide": lambda s, a: np.where(a, s, 1e9)},
        _EXPONENTIAL_0,
        alone=True,
    ),
    Wrong(
        "mask-value-sign",
        "Hidden keys get a score of +inf; it should be the other infinity.",
        {"hide": lambda s, a: np.where(a, s, np.inf)},
        _EXPONENTIAL_0,
        alone=True,
    ),
    Wrong(
        "mask-value-not-a-number",
        "Each row with a hidden key is NaN: your hidden scores are NaN, or an infinity of the wrong sign.",
        {"hide": lambda s, a: np.where(a, s, np.nan)},
        _EXPONENTIAL_0,
        alone=True,
    ),
    Wrong(
        "zero-times-inf",
        "Where the mask allows, your weights are NaN: 0 times infinity is no number.",
        {"hide": lambda s, a: s + ~a * -np.inf, "share": lambda parts: np.where(parts == 0, 0, parts)},
        "Choose between two numbers instead of multiplying: which function does that?",
        alone=True,
    ),
    Wrong(
        "zero-times-inf",
        "You made the hidden scores by multiplying with infinity; where the mask allows, that is 0 times infinity, which is NaN.",
        {"hide": lambda s, a: s + ~a * -np.inf},
        "Choose between two numbers instead of multiplying: which function does that?",
        alone=True,
    ),
    Wrong(
        "zero-as-sentinel",
        "You hid every score that is 0; a query and a key at a right angle have the score 0 too.",
        {"hide": lambda s, a: np.where(s * a == 0, -np.inf, s)},
        "Ask the mask, not the score, what is hidden.",
        alone=True,
    ),
    Wrong(
        "blocked-row-uniform",
        "A query with no allowed key gets equal weights; it should get none.",
        {"hide": lambda s, a: np.where(a, s, -1e9)},
        "With -1e9 everywhere, all scores are equal again.",
    ),
    Wrong(
        "blocked-row-left-open",
        "A query with no allowed key sees all of them: taking the same number from every score changes nothing.",
        {"hide": lambda s, a: s + np.where(a, 0.0, -1e9)},
        "What should a query get that may look at nobody?",
        alone=True,
    ),
    Wrong(
        "blocked-row-left-open",
        "A query with no allowed key looks at all of them; it should get weight 0 everywhere.",
        {"hide": lambda s, a: np.where(np.broadcast_to(a, s.shape).any(-1, keepdims=True), hide(s, a), s)},
        "What should a query get that may look at nobody?",
        alone=True,
    ),
    Wrong(
        "nothing-allowed-as-no-mask",
        "A mask without a single True hides nothing in your code; it should hide every key, and all weights be 0.",
        {"mask": lambda a, s: a if a is not None and a.any() else None},
        "Ask whether there is a mask at all: `is not None`.",
        alone=True,
    ),
    Wrong(
        "blocked-row-nan",
        "A query with no allowed key gives NaN; it should give 0.",
        {"share": _unguarded},
        "Use your `masked_softmax`, which knows such rows.",
    ),
    Wrong(
        "blocked-row-nan",
        "A query with no allowed key has the output 0, as it should, but its weights are NaN.",
        {"share": _unguarded, "mix": lambda w, V, K: _finite(w @ V)},
        "Where does the NaN arise first?",
        alone=True,
    ),
    Wrong(
        "blocked-row-uniform",
        "A query with no allowed key has weights 0, but its output is the mean of all values; it should be 0.",
        {"mix": lambda w, V, K: w @ V + (w.sum(-1, keepdims=True) == 0) * V.mean(-2, keepdims=True)},
        "What do weights of 0 mix?",
        alone=True,
    ),
    Wrong(
        "blocked-row-zeroes-all",
        "One query with no allowed key makes everything 0; only its own row should be.",
        {"after": lambda w, a, Q: w * (w.sum(-1) > 0).all()},
        "`any` and `all` look at the whole array unless they get an axis.",
        alone=True,
    ),
    Wrong(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        {"hide": lambda s, a: s, "after": lambda w, a, Q: w if a is None else w * a},
        _MASK_IN_TIME,
    ),
    Wrong(
        "max-over-blocked",
        "Hidden scores take part in the maximum: a large one leaves nothing of the allowed ones.",
        {"hide": lambda s, a: s, "after": lambda w, a, Q: w if a is None else share(w * a)},
        _MASK_IN_TIME,
        alone=True,
    ),
    Wrong(
        "max-over-blocked",
        "Hidden scores take part in the maximum: a large one leaves nothing of the allowed ones, and 0 / 0 is NaN.",
        {"hide": lambda s, a: s, "after": lambda w, a, Q: w if a is None else _unguarded(w * a)},
        _MASK_IN_TIME,
        alone=True,
    ),
)

MIXES = (
    Wrong(
        "weights-transposed",
        "You mixed with the transposed weights.",
        {"mix": lambda w, V, K: w.swapaxes(-2, -1) @ V},
        "Row i of the weights belongs to output i.",
    ),
    Wrong(
        "keys-for-values",
        "You mixed the keys; the weights decide where to look, the values what is taken from there.",
        {"mix": lambda w, V, K: w @ K},
        "Where does V appear in your code?",
    ),
    Wrong(
        "mean-instead-of-sum",
        "You divided the mix by the number of keys; the weights of a row sum to 1 already.",
        {"mix": lambda w, V, K: w @ V / V.shape[-2]},
        "Look for `mean` or a division after the softmax.",
        alone=True,
    ),
    Wrong(
        "sum-not-weighted",
        "Your output is the plain average of all values; your weights do not reach it.",
        {"mix": lambda w, V, K: np.broadcast_to(V.mean(-2, keepdims=True), (*w.shape[:-1], V.shape[-1]))},
        "Follow the weights through your code.",
        alone=True,
    ),
    Wrong(
        "weights-ignored",
        "Your output is made of the values as they are: nothing is mixed.",
        {"mix": lambda w, V, K: V},
        "Follow the weights through your code.",
        alone=True,
    ),
    Wrong(
        "max-for-sum",
        "You took the largest of the weighted values; they should be added up.",
        {"mix": lambda w, V, K: (w[..., None] * V[..., None, :, :]).max(-2)},
        "What does a matrix product do with the products?",
        alone=True,
    ),
)


def _open_weights(found: Attended) -> Array:
    return share(powers(found.scores))


RESULTS = (
    Wrong(
        "wrong-order",
        "You returned the weights first; the output comes first.",
        {"result": lambda found: (found.weights, found.output)},
        _RETURN,
    ),
    Wrong(
        "one-output-missing",
        "You returned the output alone; the exercise asks for the output and the weights.",
        {"result": lambda found: found.output},
        "`return a, b` makes a tuple.",
    ),
    Wrong(
        "one-output-missing",
        "You returned the weights alone; the exercise asks for the output and the weights.",
        {"result": lambda found: found.weights},
        "`return a, b` makes a tuple.",
        alone=True,
    ),
    Wrong(
        "one-output-too-many",
        "You returned three things; the exercise asks for two, the output and the weights.",
        {"result": lambda found: (found.output, found.weights, found.scores)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "returns-list",
        "You returned a list; the exercise asks for a tuple of two arrays, (output, weights).",
        {"result": lambda found: [found.output, found.weights]},
        "`return a, b` makes a tuple.",
        alone=True,
    ),
    Wrong(
        "returns-dict",
        "You returned a dict; the exercise asks for a tuple of two arrays, (output, weights).",
        {"result": lambda found: {"output": found.output, "weights": found.weights}},
        "`return a, b` makes a tuple.",
        alone=True,
    ),
    Wrong(
        "returns-none",
        "Your function returns nothing (None).",
        {"result": lambda found: None},
        "Every way through your function should end in a `return`.",
        alone=True,
    ),
    Wrong(
        "returns-scores-for-weights",
        "In place of the weights you returned the scores.",
        {"result": lambda found: (found.output, found.hidden)},
        _RETURN,
    ),
    Wrong(
        "returns-scores-for-weights",
        "In place of the weights you returned the scores, from before anything was hidden.",
        {"result": lambda found: (found.output, found.scores)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "returns-weights-before-mask",
        "Your output is right, but the weights you returned know nothing of the mask.",
        {"result": lambda found: (found.output, _open_weights(found))},
        _RETURN,
    ),
    Wrong(
        "mask-after-softmax",
        "You hid keys for the output only, after the softmax: your weights still look at them.",
        {
            "hide": lambda s, a: s,
            "after": lambda w, a, Q: w if a is None else w * a,
            "result": lambda found: (found.output, _open_weights(found)),
        },
        _MASK_IN_TIME,
        alone=True,
    ),
    Wrong(
        "weights-transposed",
        "Your output is right, but the weights you returned are turned round.",
        {"result": lambda found: (found.output, found.weights.swapaxes(-2, -1))},
        "Row i of the weights belongs to output i.",
        alone=True,
    ),
)
