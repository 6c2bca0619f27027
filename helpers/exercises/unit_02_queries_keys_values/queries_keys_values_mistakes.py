"""What people get wrong in `queries_keys_values`: three products with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax
from helpers.exercises.unit_02_queries_keys_values.wrong_steps import alone, standard_rows, turned, unit_rows

Three = tuple[np.ndarray, np.ndarray, np.ndarray]


@replaceable
def variant(
    *,
    turn: Callable[..., Three] = lambda q, k, v: (q, k, v),
    project: Callable[..., Any] = lambda X, q, k, v: (X @ q, X @ k, X @ v),
    after: Callable[..., Three] = lambda Q, K, V, X: (Q, K, V),
    finish: Callable[..., Any] = lambda Q, K, V: (Q, K, V),
) -> Callable[..., Any]:
    """Queries, keys and values with one or more of the steps replaced by a wrong one."""

    def answer(X: np.ndarray, W_q: np.ndarray, W_k: np.ndarray, W_v: np.ndarray) -> Any:
        return finish(*after(*project(X, *turn(W_q, W_k, W_v)), X))

    return answer


def _each(change: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Three]:
    """The step `after` that does the same to queries, keys and values."""
    return lambda Q, K, V, X: (change(Q), change(K), change(V))


def _linear(X: np.ndarray, *weights: np.ndarray) -> Any:
    return tuple(F.linear(torch.from_numpy(X), torch.from_numpy(W)).numpy() for W in weights)


def _thirds(cut: Callable[[np.ndarray, int], Any]) -> Callable[..., Any]:
    """One product with the joined weights, then cut without a look at d_k and d_v."""
    return lambda X, q, k, v: tuple(cut(X @ np.concatenate([q, k, v], axis=1), q.shape[1]))


def _by_a_third_of_the_width(joined: np.ndarray, d: int) -> list[np.ndarray]:
    third = joined.shape[-1] // 3
    return [joined[..., :third], joined[..., third : 2 * third], joined[..., 2 * third :]]


def _root(Q: np.ndarray) -> float:
    return np.sqrt(Q.shape[-1])


ORDER = "You return the three in another order; it should be Q, K, V."
THIRDS = "You cut the joined result into pieces of equal width; the values are d_v wide, which may differ from d_k."
STACKED = "You put the three in one array; return a tuple, since d_v may differ from d_k."

REUSED = (
    Mistake(
        "key-weight-reused",
        "Your queries use W_k; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ k, X @ k, X @ v)),
        "Read the line that makes Q once more.",
    ),
    Mistake(
        "query-weight-reused",
        "Your keys use W_q; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ q, X @ q, X @ v)),
        "Read the line that makes K once more.",
    ),
    Mistake(
        "key-weight-reused",
        "Your values use W_k; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ q, X @ k, X @ k)),
        "Read the line that makes V once more.",
    ),
    Mistake(
        "query-weight-reused",
        "Your values use W_q; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ q, X @ k, X @ q)),
        "Read the line that makes V once more.",
    ),
    Mistake(
        "value-weight-reused",
        "Your queries use W_v; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ v, X @ k, X @ v)),
        "Read the line that makes Q once more.",
    ),
    Mistake(
        "value-weight-reused",
        "Your keys use W_v; each projection has its own weight.",
        variant(project=lambda X, q, k, v: (X @ q, X @ v, X @ v)),
        "Read the line that makes K once more.",
    ),
    Mistake(
        "query-weight-reused",
        "All three use W_q: queries, keys and values are the same. Each has its own weight.",
        variant(project=lambda X, q, k, v: (X @ q, X @ q, X @ q)),
        "Which of the three weights do not appear in your code?",
    ),
    Mistake(
        "key-weight-reused",
        "All three use W_k: queries, keys and values are the same. Each has its own weight.",
        variant(project=lambda X, q, k, v: (X @ k, X @ k, X @ k)),
        "Which of the three weights do not appear in your code?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "All three are the values: what W_q and W_k made was overwritten.",
        variant(project=lambda X, q, k, v: (X @ v, X @ v, X @ v)),
        "Where do you keep the result of each round?",
    ),
    *(
        Mistake("wrong-order", ORDER, variant(project=order), "Look at your `return` line.")
        for order in (
            lambda X, q, k, v: (X @ k, X @ q, X @ v),
            lambda X, q, k, v: (X @ q, X @ v, X @ k),
            lambda X, q, k, v: (X @ v, X @ k, X @ q),
            lambda X, q, k, v: (X @ k, X @ v, X @ q),
            lambda X, q, k, v: (X @ v, X @ q, X @ k),
        )
    ),
)

PROJECTED = (
    Mistake(
        "value-not-projected",
        "Your values are the tokens themselves; values have their own projection W_v.",
        variant(project=lambda X, q, k, v: (X @ q, X @ k, X.copy())),
        "Which of the three weights does not appear in your code?",
    ),
    Mistake(
        "key-not-projected",
        "Your keys are the tokens themselves; keys have their own projection W_k.",
        alone(variant(project=lambda X, q, k, v: (X @ q, X.copy(), X @ v))),
        "Which of the three weights does not appear in your code?",
    ),
    Mistake(
        "query-not-projected",
        "Your queries are the tokens themselves; queries have their own projection W_q.",
        alone(variant(project=lambda X, q, k, v: (X.copy(), X @ k, X @ v))),
        "Which of the three weights does not appear in your code?",
    ),
    Mistake(
        "returns-input",
        "You return the tokens three times; each of the three needs its weight.",
        alone(variant(project=lambda X, q, k, v: (X.copy(), X.copy(), X.copy()))),
        "Where do the weights come in?",
    ),
    Mistake(
        "chained-projections",
        "You projected the queries again to get keys and values; all three start from X.",
        variant(project=lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ v)),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "chained-projections",
        "You made keys from the queries and values from the keys; all three start from X.",
        variant(project=lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ k @ v)),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "chained-projections",
        "You made the keys from the queries; all three start from X.",
        alone(variant(project=lambda X, q, k, v: (X @ q, X @ q @ k, X @ v))),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "chained-projections",
        "You made the values from the keys; all three start from X.",
        variant(project=lambda X, q, k, v: (X @ q, X @ k, X @ k @ v)),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "chained-projections",
        "You made the values from the queries; all three start from X.",
        alone(variant(project=lambda X, q, k, v: (X @ q, X @ k, X @ q @ v))),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "weight-transposed",
        "You multiplied with the transposed weights, as `F.linear` does; here a weight is (d, d_out).",
        alone(variant(project=_linear)),
        "`F.linear` wants a weight of shape (d_out, d). Which shape has W_q?",
    ),
    Mistake(
        "factors-swapped",
        "You wrote the weights first. With tokens as rows, X comes first.",
        alone(variant(project=lambda X, q, k, v: (q @ X, k @ X, v @ X))),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "factors-swapped",
        "You turned the weights and wrote them first, as one does with tokens in columns; here tokens are rows.",
        alone(variant(project=lambda X, q, k, v: (q.T @ X, k.T @ X, v.T @ X))),
        "Write the shapes under the two factors: the inner ones must agree.",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned X, so its features are taken for tokens; the rows of X are the tokens already.",
        alone(variant(project=lambda X, q, k, v: tuple(turned(X) @ W for W in (q, k, v)))),
        "Which axis of X runs over the tokens?",
    ),
    Mistake(
        "no-sum",
        "You multiplied entry by entry; a projection is a matrix product.",
        alone(variant(project=lambda X, q, k, v: (X * q, X * k, X * v))),
        "Which operator is the matrix product: `*` or `@`?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        alone(variant(project=_thirds(lambda joined, d: np.split(joined, 3, axis=-1)))),
        "At which columns do the keys and the values begin?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        alone(variant(project=_thirds(_by_a_third_of_the_width))),
        "At which columns do the keys and the values begin?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        alone(variant(project=_thirds(lambda joined, d: np.array_split(joined, 3, axis=-1)))),
        "At which columns do the keys and the values begin?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        alone(
            variant(project=_thirds(lambda joined, d: [joined[..., i * d : (i + 1) * d] for i in range(3)]))
        ),
        "At which columns do the keys and the values begin, and how wide are the values?",
    ),
    Mistake(
        "only-first-token",
        "You projected only the first token, `X[0]`; all of them should be.",
        alone(variant(project=lambda X, q, k, v: (X[0] @ q, X[0] @ k, X[0] @ v))),
        "Does your code go through all rows?",
    ),
    Mistake(
        "extra-layernorm",
        "You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
        alone(variant(project=lambda X, q, k, v: tuple(standard_rows(X) @ W for W in (q, k, v)))),
        "Look for `mean` and `std`.",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added X and the weights; a projection is a matrix product.",
        alone(variant(project=lambda X, q, k, v: (X + q, X + k, X + v))),
        "Which operator is the matrix product?",
    ),
    Mistake(
        "chained-projections",
        "You made the keys from the values; all three start from X.",
        alone(variant(project=lambda X, q, k, v: (X @ q, X @ v @ k, X @ v))),
        "Which array stands on the left of each product?",
    ),
    Mistake(
        "chained-projections",
        "You made the queries from the keys; all three start from X.",
        alone(variant(project=lambda X, q, k, v: (X @ k @ q, X @ k, X @ v))),
        "Which array stands on the left of each product?",
    ),
)

TURNED = (
    Mistake(
        "weight-transposed",
        "You multiplied with the transposed weights; here a weight is (d, d_out) and used as it is.",
        variant(turn=lambda q, k, v: (q.T, k.T, v.T)),
        "Which axis of W must be as long as a token is wide?",
    ),
    Mistake(
        "weight-transposed",
        "You transposed W_q; it is (d, d_k) and used as it is.",
        alone(variant(turn=lambda q, k, v: (q.T, k, v))),
        "Which axis of W must be as long as a token is wide?",
    ),
    Mistake(
        "weight-transposed",
        "You transposed W_k; it is (d, d_k) and used as it is.",
        alone(variant(turn=lambda q, k, v: (q, k.T, v))),
        "Which axis of W must be as long as a token is wide?",
    ),
    Mistake(
        "weight-transposed",
        "You transposed W_v; it is (d, d_v) and used as it is.",
        variant(turn=lambda q, k, v: (q, k, v.T)),
        "Which axis of W must be as long as a token is wide?",
    ),
)

AFTER = (
    Mistake(
        "keys-transposed",
        "You turned the keys already: their rows should be tokens. They are turned later, inside the scores.",
        variant(finish=lambda Q, K, V: (Q, turned(K), V)),
        "Compare the shape of K with (n, d_k).",
    ),
    Mistake(
        "keys-transposed",
        "You turned the keys already, and with `.T` the batch axis too. They are turned later, inside the scores.",
        alone(variant(after=lambda Q, K, V, X: (Q, K.T, V))),
        "Compare the shape of K with (n, d_k).",
    ),
    Mistake(
        "not-transposed-back",
        "Your results are transposed: rows should be tokens.",
        variant(after=_each(turned)),
        "Compare the shape of Q with (n, d_k).",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the queries by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        variant(after=lambda Q, K, V, X: (Q / _root(Q), K, V)),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        variant(after=lambda Q, K, V, X: (Q, K / _root(K), V)),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided queries and keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        variant(after=lambda Q, K, V, X: (Q / _root(Q), K / _root(K), V)),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided queries and keys by the fourth root of d_k. Nothing is scaled yet; that comes in unit 03.",
        alone(variant(after=lambda Q, K, V, X: (Q / _root(Q) ** 0.5, K / _root(K) ** 0.5, V))),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the queries by d_k. Nothing is scaled yet; that comes in unit 03.",
        alone(variant(after=lambda Q, K, V, X: (Q / Q.shape[-1], K, V))),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided all three by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        variant(after=lambda Q, K, V, X: (Q / _root(Q), K / _root(Q), V / _root(Q))),
        "Return the plain products.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided all three by sqrt(d). Nothing is scaled yet; that comes in unit 03.",
        alone(variant(after=lambda Q, K, V, X: (Q / _root(X), K / _root(X), V / _root(X)))),
        "Return the plain products.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax to the results; these are plain products, weights come much later.",
        variant(after=_each(softmax)),
        "Return the plain products.",
    ),
    Mistake(
        "extra-nonlinearity",
        "Your negative numbers became 0. Projections are only matrix products: nothing is cut off after them.",
        variant(after=_each(lambda Y: np.maximum(Y, 0))),
        "Return the plain products.",
    ),
    Mistake(
        "first-batch-only",
        "You used only the first sequence of the batch.",
        alone(variant(after=_each(lambda Y: Y[0] if Y.ndim > 2 else Y))),
        "Leave the leading axes alone: `@` works on the last two.",
    ),
    Mistake(
        "extra-residual",
        "You added X to the results. A projection is only the product.",
        alone(variant(after=lambda Q, K, V, X: (X + Q, X + K, X + V))),
        "Return the products alone.",
    ),
    Mistake(
        "normalised-first",
        "You divided queries and keys by their lengths; return the plain products.",
        alone(variant(after=lambda Q, K, V, X: (unit_rows(Q), unit_rows(K), V))),
        "Look for `norm`.",
    ),
    Mistake(
        "tokens-summed",
        "You added the tokens up; each token should keep its own query, key and value.",
        alone(variant(after=_each(lambda Y: Y.sum(-2)))),
        "How many rows should Q have?",
    ),
    Mistake(
        "tokens-summed",
        "You averaged the tokens; each token should keep its own query, key and value.",
        alone(variant(after=_each(lambda Y: Y.mean(-2)))),
        "How many rows should Q have?",
    ),
)

RETURNED = (
    Mistake(
        "returns-stacked",
        STACKED,
        alone(variant(finish=lambda *parts: np.stack(parts))),
        "`return a, b, c` makes a tuple.",
    ),
    Mistake(
        "returns-stacked",
        STACKED,
        alone(variant(finish=lambda *parts: np.array(parts))),
        "`return a, b, c` makes a tuple.",
    ),
    Mistake(
        "returns-stacked",
        "You joined the three in one array; return a tuple (Q, K, V).",
        variant(finish=lambda *parts: np.concatenate(parts, axis=-1)),
        "`return a, b, c` makes a tuple.",
    ),
    Mistake(
        "returns-list",
        "You return a list; return a tuple (Q, K, V).",
        alone(variant(finish=lambda *parts: [*parts])),
        "Leave out the square brackets.",
    ),
    Mistake(
        "returns-generator",
        "Round brackets around a `for` make a generator, which has computed nothing yet; return a tuple (Q, K, V).",
        alone(variant(finish=lambda *parts: (part for part in parts))),
        "What does `tuple(...)` do with it?",
    ),
    *(
        Mistake(
            "returns-dict",
            "You return a dict; return a tuple (Q, K, V), in this order and without names.",
            alone(variant(finish=lambda *parts, names=names: dict(zip(names, parts, strict=True)))),
            "`return a, b, c` makes a tuple.",
        )
        for names in ("QKV", "qkv", ("queries", "keys", "values"), ("query", "key", "value"))
    ),
    *(
        Mistake("one-output-missing", says, alone(variant(finish=finish)), "`return a, b, c` makes a tuple.")
        for says, finish in (
            ("Your values are missing: return all three.", lambda Q, K, V: (Q, K)),
            ("Your queries are missing: return all three.", lambda Q, K, V: (K, V)),
            ("Your keys are missing: return all three.", lambda Q, K, V: (Q, V)),
            ("You return the queries alone: return all three.", lambda Q, K, V: Q),
            ("You return the keys alone: return all three.", lambda Q, K, V: K),
            ("You return the values alone: return all three.", lambda Q, K, V: V),
        )
    ),
    Mistake(
        "scores-too-early",
        "You went on to the scores of queries and keys; return the three projections.",
        alone(variant(finish=lambda Q, K, V: Q @ turned(K))),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "returns-none",
        "You return nothing.",
        alone(variant(finish=lambda *parts: None)),
        "Every way through your function should end in a `return`.",
    ),
    Mistake(
        "scores-too-early",
        "You went on to attention, the mixed values; return the three projections.",
        alone(variant(finish=lambda Q, K, V: softmax(Q @ turned(K)) @ V)),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "scores-too-early",
        "You went on to attention, the mixed values; return the three projections.",
        alone(variant(finish=lambda Q, K, V: softmax(Q @ turned(K) / _root(Q)) @ V)),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "extra-output",
        "You return the tokens too; only Q, K and V are asked for.",
        alone(lambda X, q, k, v: (X @ q, X @ k, X @ v, X)),
        "How many names stand in your `return` line?",
    ),
    Mistake(
        "returns-tensor",
        "You return tensors; this unit works with NumPy arrays.",
        alone(variant(finish=lambda *parts: tuple(torch.from_numpy(part) for part in parts))),
        "A tensor has a method that gives its array.",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one row is still a matrix with one row.",
        alone(variant(finish=lambda *parts: tuple(np.squeeze(part) for part in parts))),
        "Does the number of axes depend on the sizes?",
    ),
)

MISTAKES = (*REUSED, *PROJECTED, *TURNED, *AFTER, *RETURNED)
