"""What people get wrong in `softmax_backward`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Axis = int | None
Two = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _sum(products: np.ndarray, axis: Axis) -> np.ndarray:
    return products.sum(axis=axis, keepdims=True)


def _product(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
    return weights * grad


@replaceable
def variant(
    *,
    known: Callable[[np.ndarray], np.ndarray] = lambda weights: weights,
    product: Two = _product,
    axis: Axis = -1,
    average: Callable[[np.ndarray, Axis], np.ndarray] = _sum,
    minus: Two = lambda grad, average: grad - average,
    times: Two = _product,
    after: Callable[[np.ndarray], np.ndarray] = lambda result: result,
) -> Callable[..., np.ndarray]:
    """The gradient behind a softmax, with one or more of its steps replaced by a wrong one."""

    def answer(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        weights = known(weights)
        return after(times(weights, minus(grad, average(product(weights, grad), axis))))

    return answer


alone = variant.__wrapped__  # the same, but not tried together with a second mistake


def _softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _in_place(grad: np.ndarray, average: np.ndarray) -> np.ndarray:
    grad -= average
    return grad


def _last_row(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
    for w, g in zip(weights, grad, strict=True):
        row = w * (g - np.sum(w * g))
    return row


MISTAKES = (
    Mistake(
        "diagonal-only",
        "You treated each weight alone, w * (1 - w): every score also changes the weights of the others.",
        alone(minus=lambda grad, average: grad, times=lambda weights, grad: grad * weights * (1 - weights)),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "diagonal-only",
        "You multiplied each gradient by its weight and stopped: the term for the division by the sum is missing.",
        variant(minus=lambda grad, average: grad),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "one-term-forgotten",
        "You left out the weight times the entry's own gradient; only the average of the row is left.",
        variant(minus=lambda grad, average: -average),
        "Which entry of the output does a score change most?",
    ),
    Mistake(
        "one-term-forgotten",
        "You returned the average of the row; each entry's own gradient and weight are missing.",
        lambda weights, grad: np.zeros_like(grad) + _sum(weights * grad, -1),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "diagonal-twice",
        "You have w * (1 - w) on the diagonal of the Jacobian and take w * w away from it once more.",
        lambda weights, grad: weights * (1 - weights) * grad - weights * _sum(weights * grad, -1),
        "The diagonal is w - w * w. Does your outer product contain the w * w already?",
    ),
    Mistake(
        "jacobian-sign",
        "You added the average (or the outer product) where it must be taken away: a higher score takes weight from the "
        "others.",
        variant(minus=lambda grad, average: grad + average),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "jacobian-sign",
        "Off the diagonal of the Jacobian the sign is wrong: a higher score takes weight from the others.",
        lambda weights, grad: weights * (grad + _sum(weights * grad, -1) - 2 * weights * grad),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "jacobian-sign",
        "Your Jacobian has w * (1 - w) on its diagonal and the outer product added to it; the outer product is to be taken "
        "away, and it brings the -w * w along.",
        lambda weights, grad: weights * (1 - weights) * grad + weights * _sum(weights * grad, -1),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "sign-flipped",
        "All signs are flipped.",
        variant(minus=lambda grad, average: average - grad),
        "Which is taken from which: the average from the gradient, or the other way round?",
    ),
    Mistake(
        "weights-factor-forgotten",
        "You took the average away but did not multiply by the weights.",
        variant(times=lambda weights, centred: centred),
        "How strong can the gradient of an entry with weight 0 be?",
    ),
    Mistake(
        "operator-precedence",
        "The weights multiply the gradient only; they must also multiply the average you take away.",
        lambda weights, grad: weights * grad - _sum(weights * grad, -1),
        "Where do parentheses belong? The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "operator-precedence",
        "The weights multiply the average only; they must also multiply the gradient.",
        lambda weights, grad: grad - weights * _sum(weights * grad, -1),
        "Where do parentheses belong? The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "operator-precedence",
        "You took the average from 1 and multiplied; it is to be taken from the gradient.",
        lambda weights, grad: weights * grad * (1 - _sum(weights * grad, -1)),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "log-softmax",
        "This is how a gradient goes back through the logarithm of a softmax; here there is no logarithm.",
        lambda weights, grad: grad - weights * _sum(grad, -1),
        "How strong can the gradient of an entry with weight 0 be?",
    ),
    Mistake(
        "sigmoid",
        "You multiplied by w * (1 - w), the slope of a sigmoid; the part of the others is in the average already.",
        variant(times=lambda weights, centred: weights * (1 - weights) * centred),
        "How often does each entry meet its weight?",
    ),
    Mistake(
        "weights-squared",
        "You multiplied by the weights twice.",
        variant(times=lambda weights, centred: weights**2 * centred),
        "How often does each entry meet its weight?",
    ),
    # the Jacobian without its diagonal w - w * w, which has 0 there, is the same
    Mistake(
        "weights-squared",
        "An entry's own gradient counts w * w in your result, minus the average; it should count w. Either you multiplied "
        "by the weights twice, or the diagonal of your Jacobian is 0.",
        lambda weights, grad: weights * (weights * grad - _sum(weights * grad, -1)),
        "What does a higher score do to its own weight, and what to the others?",
    ),
    Mistake(
        "weights-squared",
        "In the average each gradient meets its weight twice.",
        variant(product=lambda weights, grad: weights**2 * grad),
        "An average weighted by the weights has each of them once.",
    ),
    Mistake(
        "sum-not-weighted",
        "You took away the plain mean of the gradients; the average is weighted by the weights.",
        variant(
            product=lambda weights, grad: grad, average=lambda grad, axis: grad.mean(axis, keepdims=True)
        ),
        "Which entries count more in the average?",
    ),
    Mistake(
        "sum-not-weighted",
        "You took away the sum of the gradients; it should be weighted by the weights.",
        variant(product=lambda weights, grad: grad),
        "What multiplies each gradient inside the sum?",
    ),
    Mistake(
        "sum-not-weighted",
        "You took away the largest gradient; it should be the average, weighted by the weights.",
        alone(product=lambda weights, grad: grad, average=lambda grad, axis: grad.max(axis, keepdims=True)),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "sum-not-weighted",
        "You took away the sum of the weights, which is 1; it should be the sum of weights times gradients.",
        variant(product=lambda weights, grad: weights),
        "What multiplies each weight inside the sum?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You took the mean of weights times gradients; the weights sum to 1 already, so their sum is the average.",
        variant(average=lambda products, axis: products.mean(axis=axis, keepdims=True)),
        "Which sum gives the average when the weights add up to 1?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You took the mean away from weights times gradients; it is the gradients that lose an average, before they meet "
        "their weights.",
        lambda weights, grad: weights * grad - (weights * grad).mean(axis=-1, keepdims=True),
        "How strong can the gradient of an entry with weight 0 be?",
    ),
    Mistake(
        "constant-divisor",
        "You divided by the length of the row; nothing is to be averaged after the weights.",
        alone(after=lambda result: result / result.shape[-1]),
        "What comes out for the weights [0.5, 0.5] and the gradient [1, 0]?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest of weights times gradients; it should be their sum.",
        variant(average=lambda products, axis: products.max(axis=axis, keepdims=True)),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "softmax-over-everything",
        "Your average runs over the whole array; each row has its own.",
        variant(axis=None),
        "Which axis does your sum get?",
    ),
    Mistake(
        "softmax-over-queries",
        "Your average runs along the first axis; it should run along the row.",
        variant(axis=0),
        "Which axis did the softmax run along?",
    ),
    Mistake(
        "softmax-over-queries",
        "Your average runs down the columns; it should run along the row.",
        variant(axis=-2),
        "Which axis did the softmax run along?",
    ),
    Mistake(
        "axis-counted-from-front",
        "You used axis 1, which is the last one in a matrix only.",
        variant(axis=1),
        "Count from the end, so that any number of axes may stand in front.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your sum loses an axis, so it is taken away along the wrong one, or does not fit at all.",
        variant(average=lambda products, axis: products.sum(axis=axis)),
        "`np.sum` has an option that keeps the summed axis with length 1.",
    ),
    Mistake(
        "arguments-swapped",
        "You exchanged the weights and the gradient outside the sum.",
        lambda weights, grad: grad * (weights - _sum(weights * grad, -1)),
        "What does each entry get: its weight times (its own gradient minus an average).",
    ),
    Mistake(
        "arguments-ignored",
        "The gradient from above does nothing: w * (1 - w) is the slope of one weight by itself.",
        lambda weights, grad: weights * (1 - weights),
        "Where does `grad` appear in your code?",
    ),
    Mistake(
        "arguments-ignored",
        "You took the weights minus the gradient, which belongs to softmax and cross-entropy together, with `grad` as labels.",
        lambda weights, grad: weights - grad,
        "`grad` is the gradient of the weights, not the right answer.",
    ),
    Mistake(
        "arguments-ignored",
        "You returned the Jacobian; the gradient from above has still to be multiplied by it.",
        lambda weights, grad: (
            weights[..., None] * np.eye(weights.shape[-1]) - weights[..., None] * weights[..., None, :]
        ),
        "Where does `grad` appear in your code?",
    ),
    Mistake(
        "fixed-number-of-axes",
        "Your product pairs every row of weights with every row of gradients; only a single row comes out right.",
        lambda weights, grad: weights * (grad - weights @ grad.T),
        "Multiply entry by entry, and add up along the last axis.",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "Your loop keeps the last row only: each turn overwrites the one before.",
        _last_row,
        "Where are the rows collected?",
    ),
    Mistake(
        "divides-by-weights",
        "You divide by the weights where the gradient is multiplied by them.",
        lambda weights, grad: (grad - _sum(weights * grad, -1)) / (weights + 1e-12),
        "A key with weight 0 gets no gradient. Does yours?",
    ),
    Mistake(
        "weights-squared+sum-not-weighted",
        "Your second term holds the squared weights times the plain sum of the gradients; the weights belong into the sum.",
        lambda weights, grad: weights * grad - weights**2 * _sum(grad, -1),
        "Write down the derivative of one weight for another score: which two weights meet there?",
    ),
    Mistake(
        "divides-by-weights",
        "You divide by the weights, and a weight may be 0: 0 / 0 is NaN.",
        lambda weights, grad: weights * ((weights * grad) / weights - _sum(weights * grad, -1)),
        "Can you write it without a division?",
    ),
    Mistake(
        "returns-input",
        "You returned the gradient as it came; softmax changes it.",
        lambda weights, grad: grad.copy(),
        "Do the weights appear in your code?",
    ),
    Mistake(
        "softmax-again",
        "You applied softmax to the weights; they are its output already.",
        variant(known=_softmax),
        "What is `weights`: the input of the softmax or its output?",
    ),
    Mistake(
        "softmax-again",
        "You returned a softmax of the gradient; the exercise asks for what goes back through softmax, not through it once more.",
        lambda weights, grad: _softmax(grad),
        "The gradients of a row sum to 0. Do yours?",
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's gradient.",
        variant(minus=_in_place),
        "`grad -= s` changes grad; `grad - s` makes a new array.",
    ),
)
