"""What people get wrong in `softmax_backward`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.generic import centred_rows, softmax
from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray
Axis = int | None
Two = Callable[[Array, Array], Array]


def _sum(products: Array, axis: Axis = -1) -> Array:
    return products.sum(axis=axis, keepdims=True)


def variant(
    *,
    known: Callable[[Array], Array] = lambda weights: weights,
    product: Two = np.multiply,
    axis: Axis = -1,
    average: Callable[[Array, Axis], Array] = _sum,
    minus: Two = lambda grad, average: grad - average,
    times: Two = np.multiply,
) -> Callable[..., Array]:
    """The gradient behind a softmax, with one or more of its steps replaced by a wrong one."""

    def answer(weights: Array, grad: Array) -> Array:
        weights = known(weights)
        return times(weights, minus(grad, average(product(weights, grad), axis)))

    return answer


def _growing(grad: Array, average: Array) -> Array:
    return grad - average * np.arange(1, grad.shape[-1] + 1)


def _last_row(weights: Array, grad: Array) -> Array:
    for w, g in zip(weights, grad, strict=True):
        row = w * (g - np.sum(w * g))
    return row


MISTAKES = mistakes(
    variant,
    *rows(
        "arguments-ignored: Your answer does not change with its inputs: it takes `w` and `g` of the notebook.",
        "Where do the arguments `weights` and `grad` appear in your code?",
        lambda weights, grad: variant()(softmax(np.arange(3.0)), np.array([1.0, 0.0, -2.0])),
        "arguments-ignored: You took the weights minus the gradient and divided by the number of rows, as for softmax and cross-entropy together.",
        "`grad` is the gradient of the weights, not the right answer.",
        lambda weights, grad: (weights - grad) / len(weights),
        "arguments-ignored: You added up the rows of the Jacobian: these sums are 0, and the gradient from above does nothing.",
        "What should the Jacobian be multiplied by?",
        lambda weights, grad: (np.diag(weights) - np.outer(weights, weights)).sum(axis=1),
        "fixed-number-of-axes: Your Jacobian is that of a single row; every row of weights has one of its own.",
        "What is w * (g - the weighted average of g) for one row? It needs no Jacobian, and any number of axes may stand in front.",
        lambda weights, grad: (np.diag(weights) - np.outer(weights, weights)) @ grad,
        "diagonal-only: You multiplied the weights by 1 minus the gradient; every score also changes the weights of the others.",
        "The gradients of a row sum to 0. Do yours?",
        lambda weights, grad: weights * (1 - grad),
        "total-not-reset: Your average goes on growing from entry to entry: for each it starts with what it was before.",
        "Where does your average start: before the loop over the entries, or inside it?",
        {"minus": _growing},
        "total-not-reset: Your average goes on growing from entry to entry, and the factor in front, the weight itself, is missing.",
        "Where does your average start? And how strongly does a score with a weight of 0 change the result?",
        {"minus": _growing, "times": lambda weights, slopes: slopes},
        "diagonal-only: You treated each weight alone, w * (1 - w): every score also changes the weights of the others.",
        "The gradients of a row sum to 0. Do yours?",
        lambda w, g: g * w * (1 - w),
        "diagonal-only: You multiplied each gradient by its weight and stopped: the term for the division by the sum is missing.",
        paired(minus=lambda grad, average: grad),
        "one-term-forgotten: You returned the average of the row; each entry's own gradient and weight are missing.",
        lambda w, g: np.zeros_like(g) + _sum(w * g),
        "jacobian-sign: You added the average (or the outer product) where it must be taken away: a higher score takes weight from the others.",
        paired(minus=lambda grad, average: grad + average),
        "jacobian-sign: Off the diagonal of the Jacobian the sign is wrong: a higher score takes weight from the others.",
        lambda w, g: w * (g + _sum(w * g) - 2 * w * g),
        "jacobian-sign: Your Jacobian has w * (1 - w) on its diagonal and the outer product added to it; the outer product is to be taken away, and it brings the -w * w along.",
        lambda w, g: w * (1 - w) * g + w * _sum(w * g),
        "operator-precedence: You took the average from 1 and multiplied; it is to be taken from the gradient.",
        lambda w, g: w * g * (1 - _sum(w * g)),
        "sum-not-weighted: You took away the largest gradient; it should be the average, weighted by the weights.",
        {"product": lambda weights, grad: grad, "average": lambda grad, axis: grad.max(axis, keepdims=True)},
        "max-for-sum: You took the largest of weights times gradients; it should be their sum.",
        paired(average=lambda products, axis: products.max(axis=axis, keepdims=True)),
        "softmax-again: You returned a softmax of the gradient; the exercise asks for what goes back through softmax, not through it once more.",
        lambda w, g: softmax(g),
        "one-term-forgotten: You left out the weight times the entry's own gradient; only the average of the row is left.",
        "Which entry of the output does a score change most?",
        paired(minus=lambda grad, average: -average),
        "diagonal-twice: You have w * (1 - w) on the diagonal of the Jacobian and take w * w away from it once more.",
        "The diagonal is w - w * w. Does your outer product contain the w * w already?",
        lambda w, g: w * (1 - w) * g - w * _sum(w * g),
        "sign-flipped: All signs are flipped.",
        "Which is taken from which: the average from the gradient, or the other way round?",
        paired(minus=lambda grad, average: average - grad),
        "weights-factor-forgotten: You took the average away but did not multiply by the weights.",
        "How strong can the gradient of an entry with weight 0 be?",
        paired(times=lambda weights, centred: centred),
        "weights-factor-forgotten: Your gradient lacks the weights as a factor, or is divided by them again; and a weight of 0 makes NaN.",
        "Is what you computed the gradient of the scores, or that of the weights?",
        {"times": lambda weights, centred: weights * centred / weights},
        "log-softmax: This is how a gradient goes back through the logarithm of a softmax; here there is no logarithm.",
        lambda w, g: g - w * _sum(g),
        "mean-instead-of-sum: You took the mean away from weights times gradients; it is the gradients that lose an average, before they meet their weights.",
        lambda w, g: centred_rows(w * g),
        "operator-precedence: The weights multiply the gradient only; they must also multiply the average you take away.",
        "Where do parentheses belong? The gradients of a row sum to 0. Do yours?",
        lambda w, g: w * g - _sum(w * g),
        "operator-precedence: The weights multiply the average only; they must also multiply the gradient.",
        lambda w, g: g - w * _sum(w * g),
        "sigmoid: You multiplied by w * (1 - w), the slope of a sigmoid; the part of the others is in the average already.",
        "How often does each entry meet its weight?",
        paired(times=lambda weights, centred: weights * (1 - weights) * centred),
        "weights-squared: You multiplied by the weights twice.",
        paired(times=lambda weights, centred: weights**2 * centred),
        "weights-squared: An entry's own gradient counts w * w in your result, minus the average; it should count w. Either you multiplied by the weights twice, or the diagonal of your Jacobian is 0.",
        "What does a higher score do to its own weight, and what to the others?",
        lambda w, g: w * (w * g - _sum(w * g)),
        "weights-squared: In the average each gradient meets its weight twice.",
        "An average weighted by the weights has each of them once.",
        paired(product=lambda weights, grad: weights**2 * grad),
        "last-left-out: Your average leaves out the last entry of each row.",
        "Where does your loop or slice end?",
        {"average": lambda products, axis: _sum(products[..., :-1])},
        "clamped: A row in which one key has all the weight gets a gradient in your result; it should get none.",
        "Do you keep the weights away from 0 or 1? Use them as they come.",
        *({"known": lambda w, e=e: np.clip(w, e, 1 - e)} for e in (1e-2, 1e-3, 1e-4, 1e-6)),
        "sum-not-weighted: Your average is the plain mean of the gradients; it should be weighted by the weights.",
        "Which entries count more in the average?",
        paired(product=lambda weights, grad: grad, average=lambda grad, axis: grad.mean(axis, keepdims=True)),
        "sum-not-weighted: Your average is the plain sum of the gradients; it should be weighted by the weights.",
        "What multiplies each gradient inside the sum?",
        paired(product=lambda weights, grad: grad),
        "sum-not-weighted: Your average is the sum of the weights, which is 1; it should be the sum of weights times gradients.",
        "What multiplies each weight inside the sum?",
        paired(product=lambda weights, grad: weights),
        "mean-instead-of-sum: You took the mean of weights times gradients; the weights sum to 1 already, so their sum is the average.",
        "Which sum gives the average when the weights add up to 1?",
        paired(average=lambda products, axis: products.mean(axis=axis, keepdims=True)),
        "constant-divisor: You divided by the length of the row; nothing is to be averaged after the weights.",
        "What comes out for the weights [0.5, 0.5] and the gradient [1, 0]?",
        lambda w, g: w * (g - _sum(w * g)) / w.shape[-1],
        "softmax-over-everything: Your average runs over the whole array; each row has its own.",
        "Which axis does your sum get?",
        paired(axis=None),
        "softmax-over-queries: Your average runs along the first axis; it should run along the row.",
        "Which axis did the softmax run along?",
        paired(axis=0),
        "softmax-over-queries: Your average runs down the columns; it should run along the row.",
        paired(axis=-2),
        "axis-counted-from-front: You used axis 1, which is the last one in a matrix only.",
        "Count from the end, so that any number of axes may stand in front.",
        paired(axis=1),
        "keepdims-forgotten: Your sum loses an axis, so it is taken away along the wrong one, or does not fit at all.",
        "`np.sum` has an option that keeps the summed axis with length 1.",
        paired(average=lambda products, axis: products.sum(axis=axis)),
        "arguments-swapped: You exchanged the weights and the gradient outside the sum.",
        "What does each entry get: its weight times (its own gradient minus an average).",
        lambda w, g: g * (w - _sum(w * g)),
        "arguments-ignored: The gradient from above does nothing: w * (1 - w) is the slope of one weight by itself.",
        "Where does `grad` appear in your code?",
        lambda w, g: w * (1 - w),
        "arguments-ignored: You returned the Jacobian; the gradient from above has still to be multiplied by it.",
        lambda w, g: w[..., None] * np.eye(w.shape[-1]) - w[..., None] * w[..., None, :],
        "arguments-ignored: You took the weights minus the gradient, which belongs to softmax and cross-entropy together, with `grad` as labels.",
        "`grad` is the gradient of the weights, not the right answer.",
        lambda w, g: w - g,
        "fixed-number-of-axes: With more than one row, your product takes all the gradients for one matrix; each row is a vector of its own.",
        "One Jacobian for each row meets one column of gradients for each row: which axis should `grad` get at its end?",
        lambda w, g: (w[..., None] * np.eye(w.shape[-1]) - w[..., None] * w[..., None, :]) @ g,
        "fixed-number-of-axes: Your product pairs every row of weights with every row of gradients; only a single row comes out right.",
        "Multiply entry by entry, and add up along the last axis.",
        lambda w, g: w * (g - w @ g.T),
        "overwritten-instead-of-collected: Your loop keeps the last row only: each turn overwrites the one before.",
        "Where are the rows collected?",
        _last_row,
        "divides-by-weights: You divide by the weights where the gradient is multiplied by them.",
        "A key with weight 0 gets no gradient. Does yours?",
        lambda w, g: (g - _sum(w * g)) / (w + 1e-12),
        "weights-squared+sum-not-weighted: Your second term holds the squared weights times the plain sum of the gradients; the weights belong into the sum.",
        "Write down the derivative of one weight for another score: which two weights meet there?",
        lambda w, g: w * g - w**2 * _sum(g),
        "divides-by-weights: You divide by the weights, and a weight may be 0: 0 / 0 is NaN.",
        "Can you write it without a division?",
        lambda w, g: w * ((w * g) / w - _sum(w * g)),
        "returns-input: You returned the gradient as it came; softmax changes it.",
        "Do the weights appear in your code?",
        lambda w, g: g.copy(),
        "softmax-again: You applied softmax to the weights; they are its output already.",
        "What is `weights`: the input of the softmax or its output?",
        paired(known=softmax),
        "input-changed: You wrote into the caller's gradient.",
        "`grad -= s` changes grad; `grad - s` makes a new array.",
        paired(minus=lambda grad, average: np.subtract(grad, average, out=grad)),
    ),
)
