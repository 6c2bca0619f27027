"""What people get wrong in `rows_from_columns`: the bridge with one step replaced."""

from collections.abc import Callable
from functools import partial

import numpy as np

from helpers.exercises.wrong.generic import CHANGES, cut_anew, turned
from helpers.exercises.wrong.products import JOINS, SLIPS, SUMS, as_it_is, into, linear, product
from helpers.exercises.wrong.rows import alone, in_step, mistakes, only, paired, rows

Array = np.ndarray


def _in_loop(room: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A loop over tokens that writes W times each column into zeros."""
    return lambda inputs, W: into(room, each=-2)((W @ inputs).T, inputs, W)


ORDER = "(A B) transposed is B transposed times A transposed: both factors turn, and their order too."
AFTER = ("tokens-summed", "softmax-too-early", "extra-nonlinearity", "shape-flattened")

MISTAKES = mistakes(
    partial(product, left=turned, right=turned),
    *rows(
        "weight-transposed: Where W is square you forget to turn it: tokens and weight both change from columns to rows.",
        "What is the transpose of a product?",
        {"right": lambda W: W if W.shape[0] == W.shape[1] else W.T},
        "columns-as-tokens: Where I is square you forget to turn it: tokens and weight both change from columns to rows.",
        {"left": lambda inputs: inputs if inputs.shape[0] == inputs.shape[1] else inputs.T},
        "not-transposed-back: Your tokens are still columns; the result should have one row per token.",
        "Count the turns: how often is your result turned round, and how often should it be?",
        paired(after=lambda rows, inputs, W: turned(rows)),
        "weight-transposed: You use W the wrong way round: before columns it stands as it is, behind rows it is turned.",
        ORDER,
        paired(right=as_it_is),
        "factors-swapped: You wrote I first and turned neither factor; with tokens in columns W comes first, and then the whole turns.",
        {"left": as_it_is, "right": as_it_is},
        "factors-swapped: You turned both factors but kept W first; when a product is turned, its factors change places.",
        lambda inputs, W: W.T @ inputs.T,
        "factors-swapped: You turned the tokens into rows but left W first; with tokens as rows, W comes second.",
        lambda inputs, W: W @ inputs.T,
        "factors-swapped: You wrote I first and then turned the product; with tokens in columns W comes first.",
        lambda inputs, W: (inputs @ W).T,
        "weight-transposed: You gave `F.linear` the transposed weight; it takes W of shape (d_out, d) as it is.",
        "Which shape does `F.linear` want for its weight?",
        {"multiply": linear},
        "columns-as-tokens: You turned W but kept the tokens as columns: the rows of I are features.",
        "Which axis of I runs over the tokens?",
        paired(left=as_it_is),
        "columns-as-tokens: You handed I to `F.linear` as it is: the rows of I are features, not tokens.",
        linear,
        "columns-as-tokens: You took the rows of I for tokens; here each token is a column.",
        lambda inputs, W: np.stack([W @ row for row in inputs]),
        "square-only: You counted d tokens, the rows of I; the tokens are its columns.",
        lambda inputs, W: np.stack([W @ inputs[:, i] for i in range(inputs.shape[0])]),
        "square-only: You made room for a result of shape (d_out, n), as for columns; the rows should be tokens: (n, d_out).",
        "How many tokens has I, and how wide does each become?",
        _in_loop(lambda inputs, W: W @ inputs),
        "square-only: You made room for a result of the shape of I turned; the rows should be d_out wide, not d.",
        _in_loop(lambda inputs, W: inputs.T),
        "returns-input: You turned the tokens into rows but did not project them.",
        "Where does W come in?",
        lambda inputs, W: inputs.T.copy(),
        "returns-input: You returned W transposed; the tokens do not appear.",
        "Where do the tokens come in?",
        lambda inputs, W: W.T.copy(),
        "wrong-order: Your tokens come in reverse order: `rot90` does that, a transpose does not.",
        "Which column of I is your first row?",
        paired(after=lambda rows, inputs, W: rows[::-1]),
        "wrong-order: The entries of your tokens come in reverse order: a quarter turn with `rot90` does that, a transpose does not.",
        "In which order stand the entries of the first token?",
        paired(after=lambda rows, inputs, W: rows[:, ::-1]),
        "no-sum: You multiplied W and I entry by entry; a projection is a matrix product.",
        "Which operator is the matrix product: `*` or `@`?",
        lambda inputs, W: W * inputs,
        "no-sum: You multiplied W and I entry by entry and turned that; a projection is a matrix product.",
        lambda inputs, W: (W * inputs).T,
        "only-first-token: You projected the first token only; the result should have one row per token.",
        "How many tokens has I?",
        lambda inputs, W: W @ inputs[:, 0],
        "only-last-token: Only the last token is projected: each round of your loop overwrites the one before.",
        "Where do you keep the row of each token?",
        lambda inputs, W: W @ inputs[:, -1],
        "returned-inside-loop: Only the first token is projected: your loop ends on the first round.",
        "How far is your `return` indented?",
        {"left": lambda inputs: inputs.T[:1]},
        "scaled-too-early: You divided by the root of d_out. Nothing is scaled here; that comes in unit 03.",
        "Return the plain product.",
        paired(after=lambda rows, inputs, W: rows / np.sqrt(W.shape[0])),
        "extra-residual: You added the tokens to the result. A projection is only the product.",
        {"after": lambda rows, inputs, W: rows + inputs.T},
        "inverse-for-transpose: You used the inverse of W where its transpose is needed; these are different things.",
        "What does `.T` do, and what does `np.linalg.inv`?",
        {"right": np.linalg.inv},
        {"right": np.linalg.pinv},
        "reshape-instead-of-transpose: You cut the same numbers anew, as `reshape` does; that does not turn columns into rows.",
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        paired(after=lambda rows, inputs, W: turned(rows).reshape(rows.shape)),
        "reshape-instead-of-transpose: You cut the numbers of I anew, as `reshape` does; that does not turn columns into rows.",
        paired(left=cut_anew),
        "reshape-instead-of-transpose: You cut the numbers of W anew, as `reshape` does; that does not transpose W.",
        paired(right=cut_anew),
        "reshape-instead-of-transpose: You cut the numbers of I and W anew, as `reshape` does; that transposes neither.",
        {"left": cut_anew, "right": cut_anew},
    ),
    *SUMS,
    *alone(SLIPS),
    *alone(JOINS),
    *in_step("after", only(CHANGES, *AFTER)),
    it="the result",
    plain="a projection is only a matrix product",
    leave="Return the product alone.",
    pair="the tokens and W",
    products="single products",
    operation="a matrix product",
    width="d",
    entry="feature of each token",
    along="the features of one token",
    lines="the tokens",
    columns="the rows of W",
    meets="a feature of a token meets only its own column of W",
)
