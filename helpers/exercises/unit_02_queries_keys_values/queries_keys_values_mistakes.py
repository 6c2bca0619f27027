"""What people get wrong in `queries_keys_values`: three products with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers import example
from helpers.exercises.wrong.generic import CHANGES, softmax, standard_rows, turned, unit_rows
from helpers.exercises.wrong.products import as_it_is, linear
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows

Array = np.ndarray
Three = tuple[Array, Array, Array]


def variant(
    *,
    tokens: Callable[[Array], Array] = as_it_is,
    turn: Callable[..., Three] = lambda q, k, v: (q, k, v),
    multiply: Callable[[Array, Array], Array] = np.matmul,
    project: Callable[..., Any] | None = None,
    each: Callable[[Array], Any] = as_it_is,
    after: Callable[..., Three] = lambda Q, K, V, X: (Q, K, V),
    finish: Callable[..., Any] = lambda Q, K, V: (Q, K, V),
) -> Callable[..., Any]:
    """Queries, keys and values with one or more of the steps replaced by a wrong one."""

    def by_weight(X: Array, *weights: Array) -> list[Array]:
        return [multiply(X, W) for W in weights]

    def answer(X: Array, *weights: Array) -> Any:
        made = (project or by_weight)(tokens(X), *turn(*weights))
        return finish(*after(*(each(one) for one in made), X))

    return answer


def _uses(names: str) -> Callable[..., list[Array]]:
    """The step `project` with these weights, in this order."""
    return lambda X, q, k, v: [X @ {"q": q, "k": k, "v": v}[name] for name in names]


def _thirds(cut: Callable[[Array, int], Any]) -> Callable[..., Any]:
    """One product with the joined weights, then cut without a look at d_k and d_v."""
    return lambda X, q, k, v: cut(X @ np.concatenate([q, k, v], axis=1), q.shape[1])


def _root(Q: Array) -> float:
    return np.sqrt(Q.shape[-1])


def _of_the_example(X: Array, *_: Array) -> Three:
    return X @ example.W_Q, X @ example.W_K, X @ example.W_V


ONE_MISSING = (
    "one-output-missing: Your values are missing: return all three.",
    {"finish": lambda Q, K, V: (Q, K)},
    "one-output-missing: Your queries are missing: return all three.",
    {"finish": lambda Q, K, V: (K, V)},
    "one-output-missing: Your keys are missing: return all three.",
    {"finish": lambda Q, K, V: (Q, V)},
    "one-output-missing: You return the queries alone: return all three.",
    {"finish": lambda Q, K, V: Q},
    "one-output-missing: You return the keys alone: return all three.",
    {"finish": lambda Q, K, V: K},
    "one-output-missing: You return the values alone: return all three.",
    {"finish": lambda Q, K, V: V},
)

GENERATOR = (
    "returns-generator: You return a generator, as round brackets around a `for` make it; it has computed nothing yet. Return a tuple (Q, K, V).",
    "What does `tuple(...)` do with it?",
    {"finish": lambda *parts: (part for part in parts)},
)

EACH = ("extra-nonlinearity", "softmax-too-early", "first-batch-only", "tokens-summed", "shape-flattened")

MISTAKES = mistakes(
    variant,
    *rows(
        "arguments-ignored: You project with the weights of the example; use those that are handed to your function.",
        "Where do the arguments W_q, W_k and W_v appear in your code?",
        _of_the_example,
        "key-weight-reused: Your queries use W_k; each projection has its own weight.",
        "Read the line that makes Q once more.",
        paired(project=_uses("kkv")),
        "value-weight-reused: Your queries use W_v; each projection has its own weight.",
        paired(project=_uses("vkv")),
        "query-weight-reused: Your keys use W_q; each projection has its own weight.",
        "Read the line that makes K once more.",
        paired(project=_uses("qqv")),
        "value-weight-reused: Your keys use W_v; each projection has its own weight.",
        paired(project=_uses("qvv")),
        "key-weight-reused: Your values use W_k; each projection has its own weight.",
        "Read the line that makes V once more.",
        paired(project=_uses("qkk")),
        "query-weight-reused: Your values use W_q; each projection has its own weight.",
        paired(project=_uses("qkq")),
        "query-weight-reused: All three use W_q: queries, keys and values are the same. Each has its own weight.",
        "Which of the three weights do not appear in your code?",
        paired(project=_uses("qqq")),
        "key-weight-reused: All three use W_k: queries, keys and values are the same. Each has its own weight.",
        paired(project=_uses("kkk")),
        "value-not-projected: Your values are the tokens themselves; values have their own projection W_v.",
        "Which of the three weights does not appear in your code?",
        paired(project=lambda X, q, k, v: (X @ q, X @ k, X.copy())),
        "key-not-projected: Your keys are the tokens themselves; keys have their own projection W_k.",
        {"project": lambda X, q, k, v: (X @ q, X.copy(), X @ v)},
        "query-not-projected: Your queries are the tokens themselves; queries have their own projection W_q.",
        {"project": lambda X, q, k, v: (X.copy(), X @ k, X @ v)},
        "returns-input: You return the tokens three times; each of the three needs its weight.",
        "Where do the weights come in?",
        {"project": lambda X, q, k, v: (X.copy(), X.copy(), X.copy())},
        "overwritten-instead-of-collected: All three are the values: what W_q and W_k made was overwritten.",
        "Where do you keep the result of each round?",
        paired(project=_uses("vvv")),
        "wrong-order: Your three results come in another order; it should be Q, K, V.",
        "Which weight makes each of them, and in which order do they stand in your `return` line?",
        *(paired(project=_uses(order)) for order in ("kqv", "qvk", "vkq", "kvq", "vqk")),
        "chained-projections: You projected the queries again to get keys and values; all three start from X.",
        "Which array stands on the left of each product?",
        paired(project=lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ v)),
        "chained-projections: You made keys from the queries and values from the keys; all three start from X.",
        paired(project=lambda X, q, k, v: (X @ q, X @ q @ k, X @ q @ k @ v)),
        "chained-projections: You made the keys from the queries; all three start from X.",
        {"project": lambda X, q, k, v: (X @ q, X @ q @ k, X @ v)},
        "chained-projections: You made the values from the keys; all three start from X.",
        paired(project=lambda X, q, k, v: (X @ q, X @ k, X @ k @ v)),
        "chained-projections: You made the values from the queries; all three start from X.",
        {"project": lambda X, q, k, v: (X @ q, X @ k, X @ q @ v)},
        "chained-projections: You made the keys from the values; all three start from X.",
        {"project": lambda X, q, k, v: (X @ q, X @ v @ k, X @ v)},
        "chained-projections: You made the queries from the keys; all three start from X.",
        {"project": lambda X, q, k, v: (X @ k @ q, X @ k, X @ v)},
        "weight-transposed: You multiplied with the transposed weights, as `F.linear` does; here a weight is (d, d_out).",
        "`F.linear` wants a weight of shape (d_out, d). Which shape has W_q?",
        {"multiply": linear},
        "weight-transposed: You multiplied with the transposed weights; here a weight is (d, d_out) and used as it is.",
        "Which axis of W must be as long as a token is wide?",
        paired(turn=lambda q, k, v: (q.T, k.T, v.T)),
        "weight-transposed: You transposed W_q; it is (d, d_k) and used as it is.",
        {"turn": lambda q, k, v: (q.T, k, v)},
        "weight-transposed: You transposed W_k; it is (d, d_k) and used as it is.",
        {"turn": lambda q, k, v: (q, k.T, v)},
        "weight-transposed: You transposed W_v; it is (d, d_v) and used as it is.",
        paired(turn=lambda q, k, v: (q, k, v.T)),
        "factors-swapped: You wrote the weights first. With tokens as rows, X comes first.",
        "Write the shapes under the two factors: the inner ones must agree.",
        {"multiply": lambda X, W: W @ X},
        "factors-swapped: You turned the weights and wrote them first, as one does with tokens in columns; here tokens are rows.",
        {"multiply": lambda X, W: W.T @ X},
        "columns-as-tokens: You turned X, so its features are taken for tokens; the rows of X are the tokens already.",
        "Which axis of X runs over the tokens?",
        {"tokens": turned},
        "no-sum: You multiplied entry by entry; a projection is a matrix product.",
        "Which operator is the matrix product: `*` or `@`?",
        {"multiply": np.multiply},
        "added-instead-of-multiplied: You added X and the weights; a projection is a matrix product.",
        {"multiply": np.add},
        "equal-thirds: You cut the joined result into pieces of equal width; the values are d_v wide, which may differ from d_k.",
        "At which columns do the keys and the values begin, and how wide are the values?",
        {"project": _thirds(lambda joined, d: np.split(joined, 3, axis=-1))},
        {
            "project": _thirds(
                lambda joined, d: np.split(joined, [w := joined.shape[-1] // 3, 2 * w], axis=-1)
            )
        },
        {"project": _thirds(lambda joined, d: np.array_split(joined, 3, axis=-1))},
        {"project": _thirds(lambda joined, d: [joined[..., i * d : (i + 1) * d] for i in range(3)])},
        "wrong-cut: You cut the joined result at columns d_k and d_v; the keys end at column 2 * d_k.",
        {"project": lambda X, q, k, v: np.split(X @ np.hstack([q, k, v]), [q.shape[1], v.shape[1]], -1)},
        "input-split-before-projection: You cut the features of a token into three parts, one for each weight; every weight meets the whole token.",
        "How wide is a token, and how many rows has each weight?",
        lambda X, *W: tuple(
            (X * (np.digitize(np.arange(d := len(w)), [d // 3, d // 3 * 2]) == i)) @ w
            for i, w in enumerate(W)
        ),
        "only-first-token: You projected only the first token, `X[0]`; all of them should be.",
        "Does your code go through all rows?",
        {"tokens": lambda X: X[0]},
        "extra-layernorm: You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
        "Look for `mean` and `std`.",
        paired(tokens=standard_rows),
        "keys-transposed: You turned the keys already: their rows should be tokens. They are turned later, inside the scores.",
        "Compare the shape of K with (n, d_k).",
        paired(finish=lambda Q, K, V: (Q, turned(K), V)),
        "keys-transposed: You turned the keys already, and with `.T` the batch axis too. They are turned later, inside the scores.",
        {"finish": lambda Q, K, V: (Q, K.T, V)},
        "not-transposed-back: Your results are transposed: rows should be tokens.",
        "Compare the shape of Q with (n, d_k).",
        paired(each=turned),
        "scaled-too-early: You divided the queries by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        "Return the plain products.",
        paired(after=lambda Q, K, V, X: (Q / _root(Q), K, V)),
        "scaled-too-early: You divided the keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        paired(after=lambda Q, K, V, X: (Q, K / _root(K), V)),
        "scaled-too-early: You divided queries and keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        paired(after=lambda Q, K, V, X: (Q / _root(Q), K / _root(K), V)),
        "scaled-too-early: You divided queries and keys by the fourth root of d_k. Nothing is scaled yet; that comes in unit 03.",
        {"after": lambda Q, K, V, X: (Q / _root(Q) ** 0.5, K / _root(K) ** 0.5, V)},
        "scaled-too-early: You divided the queries by d_k. Nothing is scaled yet; that comes in unit 03.",
        {"after": lambda Q, K, V, X: (Q / Q.shape[-1], K, V)},
        "scaled-too-early: You divided all three by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        paired(after=lambda Q, K, V, X: (Q / _root(Q), K / _root(Q), V / _root(Q))),
        "scaled-too-early: You divided all three by sqrt(d). Nothing is scaled yet; that comes in unit 03.",
        {"after": lambda Q, K, V, X: (Q / _root(X), K / _root(X), V / _root(X))},
        "extra-residual: You added X to the results. A projection is only the product.",
        {"after": lambda Q, K, V, X: (X + Q, X + K, X + V)},
        "normalised-first: You divided queries and keys by their lengths; return the plain products.",
        "Look for `norm`.",
        {"after": lambda Q, K, V, X: (unit_rows(Q), unit_rows(K), V)},
        "returns-stacked: You put the three in one array; return a tuple, since d_v may differ from d_k.",
        "`return a, b, c` makes a tuple.",
        {"finish": lambda *parts: np.stack(parts)},
        {"finish": lambda *parts: np.array(parts)},
        "returns-stacked: You joined the three in one array; return a tuple (Q, K, V).",
        paired(finish=lambda *parts: np.concatenate(parts, axis=-1)),
        "returns-dict: You return a dict; return a tuple (Q, K, V), in this order and without names.",
        *(
            {"finish": lambda *parts, names=names: dict(zip(names, parts, strict=True))}
            for names in ("QKV", "qkv", ("queries", "keys", "values"), ("query", "key", "value"))
        ),
        *ONE_MISSING,
        "returns-list: You return a list; return a tuple (Q, K, V).",
        "Leave out the square brackets.",
        {"finish": lambda *parts: [*parts]},
        "returns-list: You return a list with three vectors for each token; Q, K and V are three arrays, each with all tokens.",
        "What does `X @ W_q` give, without a loop?",
        lambda X, *weights: [tuple(x @ W for W in weights) for x in X],
        *GENERATOR,
        "scores-too-early: You went on to the scores of queries and keys; return the three projections.",
        "Return Q, K and V, in this order.",
        {"finish": lambda Q, K, V: Q @ turned(K)},
        "scores-too-early: You went on to attention, the mixed values; return the three projections.",
        {"finish": lambda Q, K, V: softmax(Q @ turned(K)) @ V},
        {"finish": lambda Q, K, V: softmax(Q @ turned(K) / _root(Q)) @ V},
        "returns-none: You return nothing.",
        "Every way through your function should end in a `return`.",
        {"finish": lambda *parts: None},
        "extra-output: You return the tokens too; only Q, K and V are asked for.",
        "How many names stand in your `return` line?",
        lambda X, q, k, v: (X @ q, X @ k, X @ v, X),
        "returns-tensor: You return tensors; this unit works with NumPy arrays.",
        "A tensor has a method that gives its array.",
        {"each": torch.from_numpy},
    ),
    *in_step("each", only(CHANGES, *EACH)),
    it="Q, K and V",
    plain="projections are only matrix products",
    leave="Return the products alone.",
)
