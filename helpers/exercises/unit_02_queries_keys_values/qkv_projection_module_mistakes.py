"""What people get wrong in the module `QKVProjection`: a right one with one step replaced."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises.base import Mistake, replaceable


class _Projection(nn.Module):
    """A right answer in steps; most mistakes below replace one of them."""

    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.W_q, self.W_k = (nn.Linear(d_model, d_k, bias=False) for _ in range(2))
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x: torch.Tensor) -> Any:
        return self.finish(*self.after(*self.project(x)))

    def project(self, x: Any) -> Any:
        return self.W_q(x), self.W_k(x), self.W_v(x)

    def after(self, Q: Any, K: Any, V: Any) -> Any:
        return Q, K, V

    def finish(self, Q: Any, K: Any, V: Any) -> Any:
        return Q, K, V


@replaceable
def _with(**steps: Callable) -> type:
    return type("Wrong", (_Projection,), steps)


def _forward(forward: Callable) -> type:
    """Another `forward`, not to be combined with other mistakes: they would not show, or nobody makes both."""
    return type("Wrong", (_Projection,), {"forward": forward})


def _returning(finish: Callable) -> type:
    return _forward(lambda self, x: finish(self.W_q(x), self.W_k(x), self.W_v(x)))


def _layers(make: Callable[[int, int, int], Iterable[nn.Module]]) -> type:
    """Other layers in `__init__`."""

    class Wrong(_Projection):
        def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
            super().__init__(d_model, d_k, d_v)
            self.W_q, self.W_k, self.W_v = make(d_model, d_k, d_v)

    return Wrong


def _linear(d_in: int, d_out: int) -> nn.Linear:
    return nn.Linear(d_in, d_out, bias=False)


def _all(apply: Callable[[Any, Any], Any]) -> Callable:
    """The step `project` that uses all three layers in another way."""
    return lambda self, x: tuple(apply(layer, x) for layer in (self.W_q, self.W_k, self.W_v))


def _each(change: Callable[[Any], Any]) -> Callable:
    """The step `after` that does the same to queries, keys and values."""
    return lambda self, Q, K, V: (change(Q), change(K), change(V))


def _root(Q: Any) -> float:
    return Q.shape[-1] ** 0.5


def _thirds(cut: Callable[[Any, int], Any]) -> type:
    """One product with the joined weights, then cut without a look at d_k and d_v."""

    def forward(self: Any, x: Any) -> Any:
        joined = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        return tuple(cut(x @ joined.T, self.W_q.out_features))

    return _forward(forward)


def _write_into_input(self: Any, x: Any) -> Any:
    x -= x.mean()
    return self.W_q(x), self.W_k(x), self.W_v(x)


def _write_into_entries(self: Any, x: Any) -> Any:
    x[...] = 0
    return self.W_q(x), self.W_k(x), self.W_v(x)


def _numpy_inside(layer: Any, x: Any) -> Any:
    return torch.from_numpy(x.detach().numpy() @ layer.weight.detach().numpy().T)


OWN = "Read your `forward` once more: which layer makes"
SHARED = "How many `nn.Linear(...)` calls are there in your `__init__`?"
TUPLE = "`return a, b, c` makes a tuple."
CUT = "Look for `detach`, `.data`, `no_grad` or a trip through NumPy."
WIDTHS = "`nn.Linear(a, b)` takes width a and gives width b. How wide are tokens, keys and values?"
THIRDS = "You cut the joined result into pieces of equal width; the values are d_v wide, which may differ from d_k."


class _WithoutSuper(_Projection):
    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        self.W_q = _linear(d_model, d_k)


LAYERS = (
    Mistake(
        "no-super-init",
        "You made layers before the module itself was set up.",
        _WithoutSuper,
        "The first line of `__init__` is `super().__init__()`.",
    ),
    Mistake(
        "bias-left-on",
        "Your layers have a bias; here they should not.",
        _layers(lambda d, k, v: (nn.Linear(d, k), nn.Linear(d, k), nn.Linear(d, v))),
        "`nn.Linear` has an argument that leaves the bias out.",
    ),
    Mistake(
        "query-weight-reused",
        "W_q and W_k are one and the same layer; they must be learned apart.",
        _layers(lambda d, k, v: (*[_linear(d, k)] * 2, _linear(d, v))),
        SHARED,
    ),
    Mistake(
        "key-weight-reused",
        "W_k and W_v are one and the same layer; they must be learned apart.",
        _layers(lambda d, k, v: (_linear(d, k), *[_linear(d, k)] * 2)),
        SHARED,
    ),
    Mistake(
        "query-weight-reused",
        "All three layers are one and the same; they must be learned apart.",
        _layers(lambda d, k, v: [_linear(d, k)] * 3),
        SHARED,
    ),
    Mistake(
        "weight-transposed",
        "Your layers have input and output width the wrong way round.",
        _layers(lambda d, k, v: (_linear(k, d), _linear(k, d), _linear(v, d))),
        "`nn.Linear(in, out)`: how wide is a token that comes in?",
    ),
    Mistake(
        "square-only",
        "Your W_v is as wide as the keys: you took d_k for d_v, which is right only where both are equal.",
        _layers(lambda d, k, v: (_linear(d, k), _linear(d, k), _linear(d, k))),
        WIDTHS,
    ),
    Mistake(
        "square-only",
        "Your layers keep the width d_model; queries and keys should be d_k wide, values d_v.",
        _layers(lambda d, k, v: (_linear(d, d), _linear(d, d), _linear(d, d))),
        WIDTHS,
    ),
    Mistake(
        "arguments-swapped",
        "You took d_v for d_k and d_k for d_v: queries and keys should be d_k wide, values d_v.",
        _layers(lambda d, k, v: (_linear(d, v), _linear(d, v), _linear(d, k))),
        WIDTHS,
    ),
    Mistake(
        "arguments-swapped",
        "Your W_k is d_v wide; queries and keys have the same width d_k, since they meet in a dot product.",
        _layers(lambda d, k, v: (_linear(d, k), _linear(d, v), _linear(d, v))),
        WIDTHS,
    ),
    Mistake(
        "chained-projections",
        "Each layer takes the width that the one before gives; all three start from a token, d_model wide.",
        _layers(lambda d, k, v: (_linear(d, k), _linear(k, k), _linear(k, v))),
        WIDTHS,
    ),
)

PROJECTED = (
    Mistake(
        "value-not-projected",
        "Your values are the tokens themselves; use W_v.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(x), x)),
        "Which layer does not appear in `forward`?",
    ),
    Mistake(
        "key-not-projected",
        "Your keys are the tokens themselves; use W_k.",
        _forward(lambda self, x: (self.W_q(x), x, self.W_v(x))),
        "Which layer does not appear in `forward`?",
    ),
    Mistake(
        "query-not-projected",
        "Your queries are the tokens themselves; use W_q.",
        _forward(lambda self, x: (x, self.W_k(x), self.W_v(x))),
        "Which layer does not appear in `forward`?",
    ),
    Mistake(
        "returns-input",
        "You return the tokens three times; none of your layers is used.",
        _forward(lambda self, x: (x, x, x)),
        "Which layers do not appear in `forward`?",
    ),
    Mistake(
        "key-weight-reused",
        "You used W_k twice; queries have their own layer.",
        _with(project=lambda self, x: (self.W_k(x), self.W_k(x), self.W_v(x))),
        f"{OWN} Q?",
    ),
    Mistake(
        "query-weight-reused",
        "You used W_q twice; keys have their own layer.",
        _with(project=lambda self, x: (self.W_q(x), self.W_q(x), self.W_v(x))),
        f"{OWN} K?",
    ),
    Mistake(
        "key-weight-reused",
        "You used W_k twice; values have their own layer.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(x), self.W_k(x))),
        f"{OWN} V?",
    ),
    Mistake(
        "query-weight-reused",
        "You used W_q twice; values have their own layer.",
        _forward(lambda self, x: (self.W_q(x), self.W_k(x), self.W_q(x))),
        f"{OWN} V?",
    ),
    Mistake(
        "value-weight-reused",
        "You used W_v twice; keys have their own layer.",
        _forward(lambda self, x: (self.W_q(x), self.W_v(x), self.W_v(x))),
        f"{OWN} K?",
    ),
    Mistake(
        "value-weight-reused",
        "You used W_v twice; queries have their own layer.",
        _forward(lambda self, x: (self.W_v(x), self.W_k(x), self.W_v(x))),
        f"{OWN} Q?",
    ),
    Mistake(
        "query-weight-reused",
        "You used W_q for all three; keys and values have their own layers.",
        _forward(lambda self, x: (self.W_q(x), self.W_q(x), self.W_q(x))),
        "Which layers do not appear in `forward`?",
    ),
    Mistake(
        "key-weight-reused",
        "You used W_k for all three; queries and values have their own layers.",
        _forward(lambda self, x: (self.W_k(x), self.W_k(x), self.W_k(x))),
        "Which layers do not appear in `forward`?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "All three are the values: what W_q and W_k made was overwritten.",
        _forward(lambda self, x: (self.W_v(x), self.W_v(x), self.W_v(x))),
        "Where do you keep the result of each round?",
    ),
    *(
        Mistake(
            "wrong-order",
            "You return the three in another order; it should be Q, K, V.",
            _with(project=lambda self, x, names=names: tuple(getattr(self, name)(x) for name in names)),
            "Look at your `return` line.",
        )
        for names in (
            ("W_k", "W_q", "W_v"),
            ("W_q", "W_v", "W_k"),
            ("W_v", "W_k", "W_q"),
            ("W_k", "W_v", "W_q"),
            ("W_v", "W_q", "W_k"),
        )
    ),
    Mistake(
        "chained-projections",
        "You made keys from the queries and values from the keys; all three start from x.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(self.W_q(x)), self.W_v(self.W_k(self.W_q(x))))),
        "What goes into each layer?",
    ),
    Mistake(
        "chained-projections",
        "You made keys and values from the queries; all three start from x.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(self.W_q(x)), self.W_v(self.W_q(x)))),
        "What goes into each layer?",
    ),
    Mistake(
        "chained-projections",
        "You made the keys from the queries; all three start from x.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(self.W_q(x)), self.W_v(x))),
        "What goes into each layer?",
    ),
    Mistake(
        "chained-projections",
        "You made the values from the keys; all three start from x.",
        _with(project=lambda self, x: (self.W_q(x), self.W_k(x), self.W_v(self.W_k(x)))),
        "What goes into each layer?",
    ),
    Mistake(
        "chained-projections",
        "You made the values from the queries; all three start from x.",
        _forward(lambda self, x: (self.W_q(x), self.W_k(x), self.W_v(self.W_q(x)))),
        "What goes into each layer?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        _thirds(lambda joined, d: joined.chunk(3, dim=-1)),
        "At which columns do the keys and the values begin?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        _thirds(lambda joined, d: joined.split(joined.shape[-1] // 3, dim=-1)),
        "At which columns do the keys and the values begin?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        _thirds(lambda joined, d: joined.split(d, dim=-1)),
        "At which columns do the keys and the values begin, and how wide are the values?",
    ),
    Mistake(
        "equal-thirds",
        THIRDS,
        _thirds(lambda joined, d: [joined[..., i * d : (i + 1) * d] for i in range(3)]),
        "At which columns do the keys and the values begin, and how wide are the values?",
    ),
)

APPLIED = (
    Mistake(
        "weight-transposed",
        "You multiplied x with the weight as it is; `nn.Linear` keeps its weight as (d_out, d_in) and turns it.",
        _with(project=_all(lambda layer, x: x @ layer.weight)),
        "Print `self.W_q.weight.shape`.",
    ),
    Mistake(
        "weight-transposed",
        "You gave `F.linear` the transposed weight; it takes the weight of shape (d_out, d_in) as it is.",
        _forward(_all(lambda layer, x: F.linear(x, layer.weight.T))),
        "Print `self.W_q.weight.shape`.",
    ),
    Mistake(
        "factors-swapped",
        "You wrote the weight first. With tokens as rows, x comes first.",
        _forward(_all(lambda layer, x: layer.weight @ x)),
        "Calling a layer, `self.W_q(x)`, does the whole product.",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned x, so its features are taken for tokens; the rows of x are the tokens already.",
        _with(project=_all(lambda layer, x: layer(x.transpose(-2, -1)))),
        "Which axis of x is d_model long?",
    ),
    Mistake(
        "first-batch-only",
        "You used only the first sequence of the batch, `x[0]`.",
        _forward(_all(lambda layer, x: layer(x[0]))),
        "`nn.Linear` works on the last axis, whatever stands in front.",
    ),
    Mistake(
        "first-batch-only",
        "You used only the first sequence of the batch, `x[:1]`.",
        _forward(_all(lambda layer, x: layer(x[:1]))),
        "`nn.Linear` works on the last axis, whatever stands in front.",
    ),
    Mistake(
        "tokens-summed",
        "You averaged the tokens; each token should keep its own query, key and value.",
        _forward(_all(lambda layer, x: layer(x.mean(1)))),
        "How many rows should Q have?",
    ),
    Mistake(
        "layer-not-called",
        "You multiply x with a layer as if it were a matrix. A layer is called, like a function.",
        _forward(_all(lambda layer, x: x @ layer)),
        "What does `self.W_q(x)` do?",
    ),
    Mistake(
        "layer-not-called",
        "You multiply a layer with x as if it were a matrix. A layer is called, like a function.",
        _forward(_all(lambda layer, x: layer @ x)),
        "What does `self.W_q(x)` do?",
    ),
    Mistake(
        "layer-not-called",
        "You multiply a layer with x as if it were a matrix. A layer is called, like a function.",
        _forward(_all(lambda layer, x: layer * x)),
        "What does `self.W_q(x)` do?",
    ),
    Mistake(
        "layer-not-called",
        "You return the layers themselves; they have not met x.",
        _forward(_all(lambda layer, x: layer)),
        "What does `self.W_q(x)` do?",
    ),
    Mistake(
        "layer-not-called",
        "You return the weights themselves; they have not met x.",
        _forward(_all(lambda layer, x: layer.weight)),
        "What does `self.W_q(x)` do?",
    ),
    Mistake(
        "input-changed",
        "You write into x, or into a weight (`-=`, `*=`); compute a new tensor instead.",
        _forward(_write_into_input),
        "`x = x - m` makes a new tensor, `x -= m` does not.",
    ),
    Mistake(
        "input-changed",
        "You write into entries of x, or of a weight (`x[...] = ...`); compute a new tensor instead.",
        _forward(_write_into_entries),
        "`torch.where` or a sum make a new tensor; `x[...] = ...` does not.",
    ),
    Mistake(
        "extra-layernorm",
        "You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
        _forward(_all(lambda layer, x: layer(F.layer_norm(x, x.shape[-1:])))),
        "Three products are the whole answer.",
    ),
    Mistake(
        "tokens-summed",
        "You added the tokens up; each token should keep its own query, key and value.",
        _forward(_all(lambda layer, x: layer(x.sum(1)))),
        "How many rows should Q have?",
    ),
    Mistake(
        "extra-residual",
        "You added x to the results. A projection is only the product.",
        _forward(_all(lambda layer, x: x + layer(x))),
        "Return what the layers give.",
    ),
    Mistake(
        "chained-projections",
        "You made the keys from the values; all three start from x.",
        _forward(lambda self, x: (self.W_q(x), self.W_k(self.W_v(x)), self.W_v(x))),
        "What goes into each layer?",
    ),
)

AFTER = (
    Mistake(
        "keys-transposed",
        "You turned the keys already: their rows should be tokens. They are turned later, inside the scores.",
        _with(finish=lambda self, Q, K, V: (Q, K.transpose(-2, -1), V)),
        "Compare the shape of K with (B, n, d_k).",
    ),
    Mistake(
        "not-transposed-back",
        "Your results are transposed: rows should be tokens.",
        _with(after=_each(lambda Y: Y.transpose(-2, -1))),
        "Compare the shape of Q with (B, n, d_k).",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the queries by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        _with(after=lambda self, Q, K, V: (Q / _root(Q), K, V)),
        "Return what the layers give.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        _returning(lambda Q, K, V: (Q, K / _root(K), V)),
        "Return what the layers give.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided queries and keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        _with(after=lambda self, Q, K, V: (Q / _root(Q), K / _root(K), V)),
        "Return what the layers give.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided all three by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
        _returning(lambda Q, K, V: (Q / _root(Q), K / _root(Q), V / _root(Q))),
        "Return what the layers give.",
    ),
    Mistake(
        "scaled-too-early",
        "You divided the queries by d_k. Nothing is scaled yet; that comes in unit 03.",
        _returning(lambda Q, K, V: (Q / Q.shape[-1], K, V)),
        "Return what the layers give.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax to the results; these are plain projections, weights come much later.",
        _with(after=_each(lambda Y: Y.softmax(-1))),
        "Return what the layers give.",
    ),
    Mistake(
        "extra-nonlinearity",
        "Your negative numbers became 0. Projections are only matrix products: nothing is cut off after them.",
        _with(after=_each(torch.relu)),
        "Return what the layers give.",
    ),
    Mistake(
        "extra-nonlinearity",
        "You applied GELU to the results. Projections are only matrix products.",
        _returning(lambda Q, K, V: (F.gelu(Q), F.gelu(K), F.gelu(V))),
        "Return what the layers give.",
    ),
    Mistake(
        "gradient-cut",
        "The numbers are right, but no gradient reaches the weights, so they could never be learned.",
        _with(after=_each(torch.Tensor.detach)),
        CUT,
    ),
    *(
        Mistake(
            "gradient-cut",
            f"The numbers are right, but {parts} pass no gradient on: what lies behind them could never be learned.",
            _returning(cut),
            CUT,
        )
        for parts, cut in (
            ("the queries", lambda Q, K, V: (Q.detach(), K, V)),
            ("the keys", lambda Q, K, V: (Q, K.detach(), V)),
            ("the values", lambda Q, K, V: (Q, K, V.detach())),
            ("queries and keys", lambda Q, K, V: (Q.detach(), K.detach(), V)),
        )
    ),
    Mistake(
        "gradient-cut",
        "The numbers are right, but a weight was taken out of its layer with `.data` or `detach`, so it could never be learned.",
        _forward(lambda self, x: (self.W_q(x), self.W_k(x), x @ self.W_v.weight.detach().T)),
        CUT,
    ),
    Mistake(
        "gradient-cut",
        "The numbers are right, but the weights were taken out of their layers with `.data` or `detach`, so they could never be learned.",
        _forward(_all(lambda layer, x: x @ layer.weight.detach().T)),
        CUT,
    ),
    Mistake(
        "gradient-cut",
        "The numbers are right, but no gradient reaches x: what comes before this module could never be learned.",
        _forward(_all(lambda layer, x: layer(x.detach()))),
        CUT,
    ),
    Mistake(
        "gradient-cut",
        "Your numbers go through NumPy, where no gradient follows: the weights could never be learned.",
        _forward(_all(_numpy_inside)),
        CUT,
    ),
    Mistake(
        "gradient-cut",
        "You turn results into NumPy arrays, which carry no gradient: the weights could never be learned.",
        _returning(lambda *parts: tuple(part.numpy() for part in parts)),
        CUT,
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: a batch of one is still a batch.",
        _returning(lambda *parts: tuple(part.squeeze(0) for part in parts)),
        "Does the number of axes depend on the batch?",
    ),
    Mistake(
        "shape-flattened",
        "You removed axes of size 1 with `squeeze`: one sequence is still a batch, one token still a sequence.",
        _returning(lambda *parts: tuple(part.squeeze() for part in parts)),
        "Does the number of axes depend on the sizes?",
    ),
)

RETURNED = (
    Mistake(
        "returns-stacked",
        "You put the three in one tensor; return a tuple, since d_v may differ from d_k.",
        _returning(lambda *parts: torch.stack(parts)),
        TUPLE,
    ),
    Mistake(
        "returns-stacked",
        "You joined the three in one tensor; return a tuple (Q, K, V).",
        _returning(lambda *parts: torch.cat(parts, dim=-1)),
        TUPLE,
    ),
    Mistake(
        "returns-list",
        "You return a list; return a tuple (Q, K, V).",
        _returning(lambda *parts: [*parts]),
        "Leave out the square brackets.",
    ),
    Mistake(
        "returns-generator",
        "Round brackets around a `for` make a generator, which has computed nothing yet; return a tuple (Q, K, V).",
        _returning(lambda *parts: (part for part in parts)),
        "What does `tuple(...)` do with it?",
    ),
    *(
        Mistake(
            "returns-dict",
            "You return a dict; return a tuple (Q, K, V), in this order and without names.",
            _returning(lambda *parts, names=names: dict(zip(names, parts, strict=True))),
            TUPLE,
        )
        for names in (
            "QKV",
            "qkv",
            ("queries", "keys", "values"),
            ("query", "key", "value"),
            ("W_q", "W_k", "W_v"),
        )
    ),
    *(
        Mistake("one-output-missing", says, _returning(finish), TUPLE)
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
        _returning(lambda Q, K, V: Q @ K.transpose(-2, -1)),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "returns-none",
        "Your `forward` returns nothing.",
        _returning(lambda *parts: None),
        "Every way through `forward` should end in a `return`.",
    ),
    Mistake(
        "float32",
        "You turned the results into float32; keep the type in which x comes.",
        _with(finish=lambda self, Q, K, V: (Q.float(), K.float(), V.float())),
        "Look for `float`, `dtype` or `torch.Tensor(...)`.",
    ),
    Mistake(
        "returns-numpy",
        "You return NumPy arrays; this exercise works with tensors, which carry gradients.",
        _returning(lambda *parts: tuple(part.detach().numpy() for part in parts)),
        CUT,
    ),
    Mistake(
        "scores-too-early",
        "You went on to attention, the mixed values; return the three projections.",
        _returning(lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V)),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "scores-too-early",
        "You went on to attention, the mixed values; return the three projections.",
        _returning(lambda Q, K, V: (Q @ K.transpose(-2, -1)).softmax(-1) @ V),
        "Return Q, K and V, in this order.",
    ),
    Mistake(
        "extra-output",
        "You return the tokens too; only Q, K and V are asked for.",
        _forward(lambda self, x: (self.W_q(x), self.W_k(x), self.W_v(x), x)),
        "How many names stand in your `return` line?",
    ),
)

MISTAKES = (*LAYERS, *PROJECTED, *APPLIED, *AFTER, *RETURNED)
