"""Changes of one array that spoil any answer, on the way in or on the way out.

An exercise puts some of them into a step of its own with `in_step("after", only(CHANGES, "lost-sign"))`, and
gives the words in braces: `it`, what is changed ("the result"); `plain`, why it should not be ("a projection
is only a matrix product"); `leave`, what to do about it ("Return the product alone.").
"""

import numpy as np

from helpers.exercises.wrong.rows import rows

Array = np.ndarray


def softmax(x: Array, axis: int = -1) -> Array:
    """Weights that sum to 1 along an axis."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def turned(x: Array) -> Array:
    """The last two axes swapped."""
    return np.swapaxes(x, -2, -1)


def cut_anew(x: Array) -> Array:
    """The shape of the transpose, filled in the old order."""
    return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])


def unit_rows(x: Array, axis: int = -1) -> Array:
    """Each row divided by its length."""
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def centred_rows(x: Array, axis: int = -1) -> Array:
    """Each row with its mean taken away."""
    return x - x.mean(axis=axis, keepdims=True)


def standard_rows(x: Array) -> Array:
    """Each row with mean 0 and spread 1, as a LayerNorm makes it."""
    return centred_rows(x) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


_KEEP_DIGITS = "Look for `int`, `round`, `//` or an array made for whole numbers."

CHANGES = rows(
    "sign-flipped: Every sign of {it} is turned round.",
    "Where does a minus sign come in?",
    lambda x: -x,
    "lost-sign: You dropped the minus signs of {it}; {plain}.",
    "Where in your code does a minus sign get lost?",
    np.abs,
    "lost-sign: You squared {it}, and the minus signs are lost; {plain}.",
    lambda x: x**2,
    "truncates-to-int: You cut off the digits of {it} after the point.",
    _KEEP_DIGITS,
    np.trunc,
    "truncates-to-int: You rounded {it}; all digits are needed.",
    lambda x: np.round(x, 2),
    "extra-nonlinearity: The negative numbers of {it} became 0; {plain}.",
    "{leave}",
    lambda x: np.maximum(x, 0),
    "extra-nonlinearity: You applied a sigmoid to {it}; {plain}.",
    lambda x: 1 / (1 + np.exp(-x)),
    "extra-nonlinearity: You applied tanh to {it}; {plain}.",
    np.tanh,
    "extra-layernorm: You gave each row of {it} mean 0 and spread 1; {plain}.",
    standard_rows,
    "softmax-too-early: You applied softmax to {it}; {plain}.",
    softmax,
    "softmax-too-early: You applied softmax to {it}, and down the columns; {plain}.",
    lambda x: softmax(x, -2),
    "normalised-first: You divided each row of {it} by its length; {plain}.",
    unit_rows,
    "centred-first: You took a mean away from each row of {it}; {plain}.",
    centred_rows,
    "wrong-start: You added 1 to {it}; {plain}.",
    lambda x: x + 1,
    "not-transposed-back: You turned {it} round: rows became columns.",
    "Compare its shape with the one that the task names.",
    turned,
    "reversed-all-axes: `.T` reverses all axes of {it}, the batch axis too.",
    "Which function swaps two axes and leaves the others?",
    lambda x: x.T,
    "reshape-instead-of-transpose: You reshaped {it}: that cuts the same numbers anew and mixes the rows.",
    "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    cut_anew,
    "first-batch-only: Only the first sequence of the batch is left of {it}.",
    "Leave the leading axes alone: `[0]` and `[:1]` drop sequences.",
    lambda x: x[0] if x.ndim > 2 else x,
    lambda x: x[:1] if x.ndim > 2 else x,
    "first-batch-only: The first sequence of {it} stands for the whole batch.",
    lambda x: np.broadcast_to(x[:1], x.shape) if x.ndim > 2 else x,
    "only-first-token: Only the first row of {it} is left.",
    "Does your code go through all rows?",
    lambda x: x[..., 0, :],
    lambda x: x[..., :1, :],
    "only-last-token: Only the last row of {it} is left: each round of your loop overwrites the one before.",
    "Where do you keep each row?",
    lambda x: x[..., -1, :],
    lambda x: x[..., -1:, :],
    "tokens-summed: You added up the rows of {it}; each row should stay by itself.",
    "How many rows should the result have?",
    lambda x: x.sum(-2),
    "tokens-summed: You averaged the rows of {it}; each row should stay by itself.",
    lambda x: x.mean(-2),
    "shape-flattened: The numbers of {it} are right, but they stand in one long row.",
    "Which step removes an axis?",
    np.ravel,
    "shape-flattened: You removed the axes of size 1 from {it}: one row is still a matrix with one row.",
    "Does the number of axes depend on the sizes?",
    np.squeeze,
    "reduced-to-one-value: You added up all of {it}.",
    "Over which axis should be added up, if over any?",
    np.sum,
    "wrong-order: {it} runs backwards.",
    "In which direction do you loop, or slice?",
    lambda x: x[::-1],
    "off-by-one: In {it} every entry stands one place too far.",
    "Check where your counting starts.",
    lambda x: np.roll(x, 1),
    "returns-list: You returned a list; the exercise asks for an array.",
    "`np.array(...)` makes an array of it.",
    lambda x: x.tolist(),
    "returns-none: Your function returns nothing (None).",
    "Every way through your function should end in a `return`.",
    lambda x: None,
)
