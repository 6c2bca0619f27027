"""What people get wrong in the module `QKVProjection`: a right one with one step replaced."""

from collections.abc import Callable
from functools import partial
from operator import call
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises.unit_02_queries_keys_values.queries_keys_values_mistakes import GENERATOR, ONE_MISSING
from helpers.exercises.wrong.rows import mistakes, paired, rows

linear = partial(nn.Linear, bias=False)


def made(how: Callable = call, layers: str = "qkv") -> dict[str, Callable]:
    """The step that applies these layers, in another way than a call; x stands for the tokens as they are."""

    def project(module: Any, x: Any) -> tuple:
        return tuple(x if one == "x" else how(getattr(module, f"W_{one}"), x) for one in layers)

    return {"project": project}


def changed(change: Callable, at: str = "qkv") -> dict[str, Callable]:
    """The step that does something to queries, keys and values, or to one of them."""
    return {"after": lambda *QKV: tuple(change(Y) if y in at else Y for y, Y in zip("qkv", QKV, strict=True))}


RIGHT = {
    "layers": lambda d, k, v: (linear(d, k), linear(d, k), linear(d, v)),
    **made(),
    "after": lambda *parts: parts,
    "finish": lambda *parts: parts,
}


class _Projection(nn.Module):
    """A right answer in steps; most mistakes below replace one of them."""

    do = RIGHT

    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v = self.do["layers"](d_model, d_k, d_v)

    def forward(self, x: torch.Tensor) -> Any:
        return self.do["finish"](*self.do["after"](*self.do["project"](self, x)))


def variant(**steps: Callable) -> type:
    """The module with some of its steps replaced by wrong ones."""
    return type("Wrong", (_Projection,), {"do": RIGHT | steps})


def joined(module: Any, x: Any) -> Any:
    """Queries, keys and values side by side, by one product."""
    return x @ torch.cat([module.W_q.weight, module.W_k.weight, module.W_v.weight]).T


LAYERS = rows(
    "no-super-init: You made layers before the module itself was set up.",
    "The first line of `__init__` is `super().__init__()`.",
    type("Wrong", (_Projection,), {"__init__": lambda self, d, k, v: setattr(self, "W_q", linear(d, k))}),
    "bias-left-on: Your layers have a bias; here they should not.",
    "`nn.Linear` has an argument that leaves the bias out.",
    {"layers": lambda d, k, v: (nn.Linear(d, k), nn.Linear(d, k), nn.Linear(d, v))},
    "query-weight-reused: W_q and W_k are one and the same layer; they must be learned apart.",
    "How many `nn.Linear(...)` calls are there in your `__init__`?",
    {"layers": lambda d, k, v: (*[linear(d, k)] * 2, linear(d, v))},
    "key-weight-reused: W_k and W_v are one and the same layer; they must be learned apart.",
    {"layers": lambda d, k, v: (linear(d, k), *[linear(d, k)] * 2)},
    "query-weight-reused: All three layers are one and the same; they must be learned apart.",
    {"layers": lambda d, k, v: [linear(d, k)] * 3},
    "weight-transposed: Your layers have input and output width the wrong way round.",
    "`nn.Linear(a, b)` takes width a and gives width b. How wide are tokens, keys and values?",
    {"layers": lambda d, k, v: (linear(k, d), linear(k, d), linear(v, d))},
    "square-only: Your W_v is as wide as the keys: you took d_k for d_v, which is right only where both are equal.",
    {"layers": lambda d, k, v: (linear(d, k), linear(d, k), linear(d, k))},
    "square-only: Your layers keep the width d_model; queries and keys should be d_k wide, values d_v.",
    {"layers": lambda d, k, v: (linear(d, d), linear(d, d), linear(d, d))},
    "arguments-swapped: You took d_v for d_k and d_k for d_v: queries and keys should be d_k wide, values d_v.",
    {"layers": lambda d, k, v: (linear(d, v), linear(d, v), linear(d, k))},
    "arguments-swapped: Your W_k is d_v wide; queries and keys have the same width d_k, since they meet in a dot product.",
    {"layers": lambda d, k, v: (linear(d, k), linear(d, v), linear(d, v))},
    "chained-projections: Each layer takes the width that the one before gives; all three start from a token, d_model wide.",
    {"layers": lambda d, k, v: (linear(d, k), linear(k, k), linear(k, v))},
)

PROJECTIONS = rows(
    "value-not-projected: Your values are the tokens themselves; use W_v.",
    "Which layers do not appear in `forward`?",
    paired(**made(layers="qkx")),
    "key-not-projected: Your keys are the tokens themselves; use W_k.",
    made(layers="qxv"),
    "query-not-projected: Your queries are the tokens themselves; use W_q.",
    made(layers="xkv"),
    "returns-input: You return the tokens three times; none of your layers is used.",
    made(layers="xxx"),
    "query-weight-reused: You used W_q for all three; keys and values have their own layers.",
    made(layers="qqq"),
    "key-weight-reused: You used W_k for all three; queries and values have their own layers.",
    made(layers="kkk"),
    "key-weight-reused: You used W_k twice; queries have their own layer.",
    "Read your `forward` once more: which layer makes Q, which K, which V?",
    paired(**made(layers="kkv")),
    "value-weight-reused: You used W_v twice; queries have their own layer.",
    made(layers="vkv"),
    "query-weight-reused: You used W_q twice; keys have their own layer.",
    paired(**made(layers="qqv")),
    "value-weight-reused: You used W_v twice; keys have their own layer.",
    made(layers="qvv"),
    "key-weight-reused: You used W_k twice; values have their own layer.",
    paired(**made(layers="qkk")),
    "query-weight-reused: You used W_q twice; values have their own layer.",
    made(layers="qkq"),
    "overwritten-instead-of-collected: All three are the values: what W_q and W_k made was overwritten.",
    "Where do you keep the result of each round?",
    made(layers="vvv"),
    "wrong-order: You return the three in another order; it should be Q, K, V.",
    "Look at your `return` line.",
    *(paired(**made(layers=layers)) for layers in ("kqv", "qvk", "vkq", "kvq", "vqk")),
    "chained-projections: You made keys from the queries and values from the keys; all three start from x.",
    "What goes into each layer?",
    paired(project=lambda m, x: (Q := m.W_q(x), K := m.W_k(Q), m.W_v(K))),
    "chained-projections: You made keys and values from the queries; all three start from x.",
    paired(project=lambda m, x: (Q := m.W_q(x), m.W_k(Q), m.W_v(Q))),
    "chained-projections: You made the keys from the queries; all three start from x.",
    paired(project=lambda m, x: (Q := m.W_q(x), m.W_k(Q), m.W_v(x))),
    "chained-projections: You made the values from the keys; all three start from x.",
    paired(project=lambda m, x: (m.W_q(x), K := m.W_k(x), m.W_v(K))),
    "chained-projections: You made the values from the queries; all three start from x.",
    {"project": lambda m, x: (Q := m.W_q(x), m.W_k(x), m.W_v(Q))},
    "chained-projections: You made the keys from the values; all three start from x.",
    {"project": lambda m, x: (m.W_q(x), m.W_k(m.W_v(x)), m.W_v(x))},
    "equal-thirds: You cut the joined result into pieces of equal width; the values are d_v wide, which may differ from d_k.",
    "At which columns do the keys and the values begin, and how wide are the values?",
    {"project": lambda m, x: joined(m, x).chunk(3, dim=-1)},
    {"project": lambda m, x: (Y := joined(m, x)).split(Y.shape[-1] // 3, dim=-1)},
    {"project": lambda m, x: joined(m, x).split(m.W_q.out_features, dim=-1)},
    {"project": lambda m, x: joined(m, x).tensor_split([d := m.W_q.out_features, 2 * d, 3 * d], -1)[:3]},
    "weight-transposed: You multiplied x with the weight as it is; `nn.Linear` keeps its weight as (d_out, d_in) and turns it.",
    "Print `self.W_q.weight.shape`.",
    paired(**made(lambda layer, x: x @ layer.weight)),
    "factors-swapped: You wrote the weight first. With tokens as rows, x comes first.",
    "Calling a layer, `self.W_q(x)`, does the whole product.",
    made(lambda layer, x: layer.weight @ x),
    "layer-not-called: You multiply x and a layer as if both were matrices. A layer is called, like a function.",
    made(lambda layer, x: x @ layer),
    made(lambda layer, x: layer @ x),
    made(lambda layer, x: layer * x),
    "layer-not-called: You return the layers themselves; they have not met x.",
    made(lambda layer, x: layer),
    "layer-not-called: You return the weights themselves; they have not met x.",
    made(lambda layer, x: layer.weight),
    "columns-as-tokens: You turned x, so its features are taken for tokens; the rows of x are the tokens already.",
    "Which axis of x is d_model long?",
    paired(**made(lambda layer, x: layer(x.transpose(-2, -1)))),
    "first-batch-only: You used only the first sequence of the batch, `x[0]` or `x[:1]`.",
    "`nn.Linear` works on the last axis, whatever stands in front.",
    made(lambda layer, x: layer(x[0])),
    made(lambda layer, x: layer(x[:1])),
    "tokens-summed: You averaged the tokens; each token should keep its own query, key and value.",
    "How many rows should Q have?",
    made(lambda layer, x: layer(x.mean(1))),
    "tokens-summed: You added the tokens up; each token should keep its own query, key and value.",
    made(lambda layer, x: layer(x.sum(1))),
    "input-changed: You write into x, or into a weight (`-=`, `*=`); compute a new tensor instead.",
    "`x = x - m` and `torch.where` make a new tensor; `x -= m` and `x[...] = ...` do not.",
    made(lambda layer, x: layer(x.sub_(x.mean()))),
    "input-changed: You write into entries of x, or of a weight (`x[...] = ...`); compute a new tensor instead.",
    made(lambda layer, x: layer(x[0].zero_())),
    "extra-layernorm: You gave each token mean 0 and spread 1 before projecting; use the tokens as they are.",
    "Three products are the whole answer.",
    made(lambda layer, x: layer(F.layer_norm(x, x.shape[-1:]))),
    "extra-residual: You added x to the results. A projection is only the product.",
    made(lambda layer, x: x + layer(x)),
)

RESULTS = rows(
    "keys-transposed: You turned the keys already: their rows should be tokens. They are turned later, inside the scores.",
    "Compare the shapes of Q and K with (B, n, d_k).",
    paired(finish=lambda Q, K, V: (Q, K.mT, V)),
    "not-transposed-back: Your results are transposed: rows should be tokens.",
    paired(**changed(lambda Y: Y.mT)),
    "scaled-too-early: You divided the queries by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
    "Return what the layers give.",
    paired(after=lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K, V)),
    "scaled-too-early: You divided the keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
    changed(lambda K: K / K.shape[-1] ** 0.5, "k"),
    "scaled-too-early: You divided queries and keys by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
    paired(after=lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K / K.shape[-1] ** 0.5, V)),
    "scaled-too-early: You divided all three by sqrt(d_k). Nothing is scaled yet; that comes in unit 03.",
    {"after": lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K / Q.shape[-1] ** 0.5, V / Q.shape[-1] ** 0.5)},
    "scaled-too-early: You divided the queries by d_k. Nothing is scaled yet; that comes in unit 03.",
    {"after": lambda Q, K, V: (Q / Q.shape[-1], K, V)},
    "softmax-too-early: You applied softmax to the results; these are plain projections, weights come much later.",
    paired(**changed(lambda Y: Y.softmax(-1))),
    "extra-nonlinearity: Your negative numbers became 0. Projections are only matrix products: nothing is cut off after them.",
    paired(**changed(torch.relu)),
    "extra-nonlinearity: You applied GELU to the results. Projections are only matrix products.",
    changed(F.gelu),
    "gradient-cut: The numbers are right, but no gradient reaches the weights, so they could never be learned.",
    "Look for `detach`, `.data`, `no_grad` or a trip through NumPy.",
    paired(**changed(torch.Tensor.detach)),
    "gradient-cut: The numbers are right, but the queries pass no gradient on: what lies behind them could never be learned.",
    changed(torch.Tensor.detach, "q"),
    "gradient-cut: The numbers are right, but the keys pass no gradient on: what lies behind them could never be learned.",
    changed(torch.Tensor.detach, "k"),
    "gradient-cut: The numbers are right, but the values pass no gradient on: what lies behind them could never be learned.",
    changed(torch.Tensor.detach, "v"),
    "gradient-cut: The numbers are right, but queries and keys pass no gradient on: what lies behind them could never be learned.",
    changed(torch.Tensor.detach, "qk"),
    "gradient-cut: The numbers are right, but a weight was taken out of its layer with `.data` or `detach`, so it could never be learned.",
    {"project": lambda m, x: (m.W_q(x), m.W_k(x), x @ m.W_v.weight.detach().T)},
    "gradient-cut: The numbers are right, but the weights were taken out of their layers with `.data` or `detach`, so they could never be learned.",
    made(lambda layer, x: x @ layer.weight.detach().T),
    "gradient-cut: The numbers are right, but no gradient reaches x: what comes before this module could never be learned.",
    made(lambda layer, x: layer(x.detach())),
    "gradient-cut: You turn results into NumPy arrays, which carry no gradient: the weights could never be learned.",
    changed(torch.Tensor.numpy),
    "returns-numpy: You return NumPy arrays; this exercise works with tensors, which carry gradients.",
    changed(lambda Y: Y.detach().numpy()),
    "shape-flattened: You removed axes of size 1 with `squeeze`: a batch of one is still a batch.",
    "Does the number of axes depend on the sizes?",
    changed(lambda Y: Y.squeeze(0)),
    "shape-flattened: You removed axes of size 1 with `squeeze`: one sequence is still a batch, one token still a sequence.",
    changed(torch.squeeze),
    "returns-stacked: You put the three in one tensor; return a tuple, since d_v may differ from d_k.",
    "`return a, b, c` makes a tuple.",
    {"finish": lambda *parts: torch.stack(parts)},
    "returns-stacked: You joined the three in one tensor; return a tuple (Q, K, V).",
    {"finish": lambda *parts: torch.cat(parts, dim=-1)},
    "returns-dict: You return a dict; return a tuple (Q, K, V), in this order and without names.",
    *(
        {"finish": lambda *parts, names=names: dict(zip(names.split(), parts, strict=True))}
        for names in ("Q K V", "q k v", "queries keys values", "query key value", "W_q W_k W_v")
    ),
    *ONE_MISSING,
    "returns-list: You return a list; return a tuple (Q, K, V).",
    {"finish": lambda *parts: [*parts]},
    *GENERATOR,
    "scores-too-early: You went on to the scores of queries and keys; return the three projections.",
    "Return Q, K and V, in this order.",
    {"finish": lambda Q, K, V: Q @ K.mT},
    "scores-too-early: You went on to attention, the mixed values; return the three projections.",
    {"finish": F.scaled_dot_product_attention},
    {"finish": lambda Q, K, V: (Q @ K.mT).softmax(-1) @ V},
    "extra-output: You return the tokens too; only Q, K and V are asked for.",
    made(layers="qkvx"),
    "returns-none: Your `forward` returns nothing.",
    "Every way through `forward` should end in a `return`.",
    {"finish": lambda *parts: None},
)

MISTAKES = mistakes(variant, *LAYERS, *PROJECTIONS, *RESULTS)
