"""What people get wrong in `attention`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import hide, softmax, softmax_with_nan, softmax_without_max, zero_afterwards


@replaceable
def variant(
    *,
    scale: Callable[[np.ndarray, np.ndarray, np.ndarray], float] = lambda Q, K, V: np.sqrt(Q.shape[-1]),
    mask: Callable[[np.ndarray, np.ndarray], np.ndarray] = hide,
    softmax: Callable[[np.ndarray], np.ndarray] = softmax,
    after: Callable[[np.ndarray, Any], np.ndarray] = lambda weights, allowed: weights,
    mix: Callable[[np.ndarray, np.ndarray], Any] = lambda weights, V: (weights @ V, weights),
) -> Callable[..., Any]:
    """Attention with one or more of its steps replaced by a wrong one."""

    def answer(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
        scores = Q @ np.swapaxes(K, -2, -1) / scale(Q, K, V)
        if allowed is not None:
            scores = mask(scores, allowed)
        return mix(after(softmax(scores), allowed), V)

    return answer


MISTAKES = (
    Mistake(
        "no-scaling",
        "You did not divide the scores by sqrt(d_k), so your weights are too sharp.",
        variant(scale=lambda Q, K, V: 1.0),
        "Compare with `scaled_scores` of unit 03.",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided the scores by d_k; it should be its square root.",
        variant(scale=lambda Q, K, V: Q.shape[-1]),
        "Compare with `scaled_scores` of unit 03.",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of keys; it should be the root of d_k.",
        variant(scale=lambda Q, K, V: np.sqrt(K.shape[-2])),
        "Which size does the spread of a score grow with?",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of queries; it should be the root of d_k.",
        variant(scale=lambda Q, K, V: np.sqrt(Q.shape[-2])),
        "Which size does the spread of a score grow with?",
    ),
    Mistake(
        "scaled-by-sqrt-d_v",
        "You divided by the root of d_v, the width of a value; it should be the width of a query.",
        variant(scale=lambda Q, K, V: np.sqrt(V.shape[-1])),
        "Which vectors meet in a dot product?",
    ),
    Mistake(
        "scaled-up",
        "You multiplied by sqrt(d_k), which makes the weights sharper still.",
        variant(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
        "`/ d ** -0.5` multiplies: two minus signs cancel.",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
        variant(softmax=lambda x: softmax(x, axis=-2)),
        "Which axis runs over the keys?",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow when the scores are large.",
        variant(softmax=softmax_without_max),
        "Use your `softmax` with the maximum taken away.",
    ),
    Mistake(
        "no-softmax",
        "You mixed with the scores themselves; the softmax is missing.",
        variant(softmax=lambda x: x),
        "What should the weights of a row sum to?",
    ),
    Mistake(
        "blocked-row-nan",
        "A query with no allowed key gives NaN; it should give 0.",
        variant(softmax=softmax_with_nan),
        "Use your `masked_softmax`, which knows such rows.",
    ),
    Mistake(
        "blocked-row-uniform",
        "A query with no allowed key gets equal weights; it should get none.",
        variant(mask=lambda s, a: np.where(a, s, -1e9)),
        "With -1e9 everywhere, all scores are equal again.",
    ),
    Mistake(
        "mask-inverted",
        "You hid what is allowed: True means 'may look'.",
        variant(mask=lambda s, a: hide(s, ~a)),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-ignored",
        "The mask does nothing: hidden keys keep their weight.",
        variant(mask=lambda s, a: s),
        "What happens to `allowed` in your code?",
    ),
    Mistake(
        "mask-multiplied",
        "You multiplied the scores by the mask; a score of 0 still has the exponential 1.",
        variant(mask=lambda s, a: s * a),
        "Which score has the exponential 0?",
    ),
    Mistake(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        variant(mask=lambda s, a: s, after=zero_afterwards),
        "Hide the scores before the softmax.",
    ),
    Mistake(
        "one-output-missing",
        "You returned the output alone; the exercise asks for the output and the weights.",
        variant(mix=lambda w, V: w @ V),
        "`return a, b` makes a tuple.",
    ),
    Mistake(
        "wrong-order",
        "You returned the weights first; the output comes first.",
        variant(mix=lambda w, V: (w, w @ V)),
        "Look at your `return` line.",
    ),
    Mistake(
        "weights-transposed",
        "You mixed with the transposed weights.",
        variant(mix=lambda w, V: (np.swapaxes(w, -2, -1) @ V, w)),
        "Row i of the weights belongs to output i.",
    ),
    Mistake(
        "keys-for-values",
        "You mixed the keys; the weights decide where to look, the values what is taken from there.",
        lambda Q, K, V, allowed=None: variant()(Q, K, K, allowed),
        "Where does V appear in your code?",
    ),
    Mistake(
        "weights-ignored",
        "Every query gets the same average of all values: nothing is looked at.",
        variant(softmax=lambda x: np.full_like(x, 1 / x.shape[-1]), mask=lambda s, a: s),
        "Do the scores reach the weights?",
    ),
)
