"""What people get wrong in the module `MultiHeadAttention`: a right one with some steps replaced."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises.base import Mistake
from helpers.exercises.steps import Wrong, as_mistakes


class _Layer:
    """Does what an `nn.Linear` does, and is made in no time."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor) -> None:
        self.weight, self.bias = weight, bias

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight, self.bias)


def zero_where_blocked(self: Any, weights: Any, allowed: Any) -> Any:
    """Weights with 0 in the rows of queries that may look at no key."""
    return weights if allowed is None else weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)


class _Steps(nn.Module):
    """A right answer in steps; the mistakes below replace one or more of them."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.d_model, self.h, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    @classmethod
    def light(cls, num_heads: int, weights: Mapping[str, torch.Tensor]) -> "_Steps":
        """The same without PyTorch's machinery, which takes most of the time where hundreds are compared."""
        module, d_model = cls.__new__(cls), len(weights["W_o.bias"])
        layers = {
            name: _Layer(weights[f"{name}.weight"], weights[f"{name}.bias"])
            for name in ("W_q", "W_k", "W_v", "W_o")
        }
        vars(module).update(d_model=d_model, h=num_heads, d_head=d_model // num_heads, **layers)
        return module

    def forward(self, query: Any, key: Any, value: Any, allowed: Any = None) -> Any:
        Q, K, V = self.flow(*(self.split(part) for part in self.project(query, key, value)))
        scores = self.score(Q, K) / self.scale(Q, K)
        mask = self.mask(allowed, scores)
        hidden = scores if mask is None else self.hide(scores, mask)
        weights = self.after(self.softmax(hidden), allowed)
        output = self.finish(self.out(self.merge(self.mix(weights, V))), query)
        return self.give(output, weights, hidden, scores)

    def project(self, query: Any, key: Any, value: Any) -> Any:
        return self.W_q(query), self.W_k(key), self.W_v(value)

    def split(self, x: Any) -> Any:
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def flow(self, Q: Any, K: Any, V: Any) -> Any:
        return Q, K, V

    def score(self, Q: Any, K: Any) -> Any:
        return Q @ K.transpose(-2, -1)

    def scale(self, Q: Any, K: Any) -> Any:
        return self.d_head**0.5

    def mask(self, allowed: Any, scores: Any) -> Any:
        return allowed

    def hide(self, scores: Any, mask: Any) -> Any:
        return scores.masked_fill(~mask, -torch.inf)

    def softmax(self, hidden: Any) -> Any:
        return torch.softmax(hidden, dim=-1)

    after = zero_where_blocked

    def mix(self, weights: Any, V: Any) -> Any:
        return weights @ V

    def merge(self, H: Any) -> Any:
        return H.transpose(1, 2).flatten(2)

    def out(self, merged: Any) -> Any:
        return self.W_o(merged)

    def finish(self, output: Any, query: Any) -> Any:
        return output

    def give(self, output: Any, weights: Any, hidden: Any, scores: Any) -> Any:
        return output, weights


def light_form(answer: Any) -> Callable[..., _Steps] | None:
    """What makes a light module of a known mistake; `None` where there is none, as for a learner's class."""
    return answer.light if isinstance(answer, type) and issubclass(answer, _Steps) else None


def _with(**steps: Callable) -> type:
    return type("Wrong", (_Steps,), steps)


def _as_it_is(self: Any, weights: Any, allowed: Any) -> Any:
    return weights


def _without_nan(self: Any, weights: Any, allowed: Any) -> Any:
    return weights.nan_to_num(nan=0.0)


def _either_way(
    *wrong: Wrong, ways: tuple[Callable, ...] = (_as_it_is,), together: bool = False
) -> tuple[Wrong, ...]:
    """Mistakes that make no NaN or remove it: blocked rows set to 0, and treated in each of the other `ways`.

    Where there is no NaN nobody thinks of blocked rows, so the other way is the same mistake, not one more.
    """
    return tuple(
        Wrong(
            one.id, one.says, one.steps | steps, one.hint, alone=one.alone or (bool(steps) and not together)
        )
        for one in wrong
        for steps in ({}, *({"after": way} for way in ways))
    )


_SAME_LAYER = "Read the three lines that make Q, K and V: which layer meets which input?"
_SAME_INPUT = "Which of `query`, `key` and `value` does each layer meet?"
_NO_LAYER = "Which layer does not appear in `forward`?"
_LINEAR = "An `nn.Linear` knows how to apply itself: call it."
_CUT = "Cut the last axis first, then bring the heads before the tokens."
_KEY_AXIS = "Which axis runs over the keys?"
_SUM = "What should the weights of a row sum to?"
_SCALE = "Compare with `scaled_scores` of unit 03: which size, and what is done to it?"
_WHICH_MASK = "Which mask do your scores really meet? Print it beside `allowed`."
_EXPONENTIAL_0 = "Which score has the exponential 0?"
_RETURN = "Look at your `return` line."
_SIDE_BY_SIDE = (
    "The heads stand side by side: which axes become one, and in which order must they stand before?"
)
_WAY_BACK = "Look for `detach`, `.data`, `no_grad`, `item` or a trip through NumPy."


def _plain(layer: nn.Linear, x: Any) -> Any:
    return F.linear(x, layer.weight)


def _turned(layer: nn.Linear, x: Any) -> Any:
    return x @ layer.weight + layer.bias


def _turned_plain(layer: nn.Linear, x: Any) -> Any:
    return x @ layer.weight


def _frozen(layer: nn.Linear, x: Any) -> Any:
    return F.linear(x, layer.weight.detach(), layer.bias)


def _each(*how: Callable | None) -> Callable:
    """A `project` that applies W_q, W_k and W_v in these ways; `None` is the right one."""

    def project(self: Any, *inputs: Any) -> Any:
        layers = (self.W_q, self.W_k, self.W_v)
        return tuple(
            layer(x) if way is None else way(layer, x)
            for way, layer, x in zip(how, layers, inputs, strict=True)
        )

    return project


def _from(*indices: int) -> Callable:
    """A `project` in which Q, K and V come from these inputs."""
    return lambda self, *x: tuple(layer(x[i]) for layer, i in zip((self.W_q, self.W_k, self.W_v), indices))  # noqa: B905


def _by(*names: str) -> Callable:
    """A `project` in which query, key and value meet these layers."""
    return lambda self, *x: tuple(getattr(self, name)(one) for name, one in zip(names, x))  # noqa: B905


def _chained(self: Any, query: Any, key: Any, value: Any) -> Any:
    Q = self.W_q(query)
    K = self.W_k(Q)
    return Q, K, self.W_v(K)


def _mixing_keys(self: Any, query: Any, key: Any, value: Any) -> Any:
    Q, K = self.W_q(query), self.W_k(key)
    return Q, K, K


def _mixing_queries(self: Any, query: Any, key: Any, value: Any) -> Any:
    Q, K = self.W_q(query), self.W_k(key)
    return Q, K, Q


def _values_from_keys(self: Any, query: Any, key: Any, value: Any) -> Any:
    Q, K = self.W_q(query), self.W_k(key)
    return Q, K, self.W_v(K)


PROJECTIONS = (
    Wrong(
        "query-used-for-all",
        "You projected the query three times; keys and values come from `key` and `value`.",
        {"project": _from(0, 0, 0)},
        "Do `key` and `value` appear in your code?",
    ),
    Wrong(
        "query-used-for-all",
        "Your keys come from `query`; they should come from `key`.",
        {"project": _from(0, 0, 2)},
        _SAME_INPUT,
        alone=True,
    ),
    Wrong(
        "query-used-for-all",
        "Your values come from `query`; they should come from `value`.",
        {"project": _from(0, 1, 0)},
        _SAME_INPUT,
        alone=True,
    ),
    *(
        Wrong(
            "query-not-used",
            f"`query` is not used: your queries come from `{name}`.",
            {"project": _from(*indices)},
            _SAME_INPUT,
            alone=True,
        )
        for name, indices in (
            ("key", (1, 1, 2)),
            ("key", (1, 1, 1)),
            ("value", (2, 1, 2)),
            ("value", (2, 2, 2)),
        )
    ),
    Wrong(
        "keys-for-values",
        "Your values come from `key`; they should come from `value`.",
        {"project": _from(0, 1, 1)},
        "Does `value` appear in your code?",
    ),
    Wrong(
        "keys-for-values",
        "Your keys come from `value`; they should come from `key`.",
        {"project": _from(0, 2, 2)},
        "Does `key` appear in your code?",
        alone=True,
    ),
    Wrong(
        "keys-for-values",
        "You mixed the keys; the weights decide where to look, the values what is taken from there.",
        {"project": _mixing_keys},
        "Where does V appear in your code?",
        alone=True,
    ),
    Wrong(
        "key-and-value-swapped",
        "Key and value have changed places.",
        {"project": _from(0, 2, 1)},
        "Which input meets W_k?",
    ),
    Wrong(
        "key-and-value-swapped",
        "The layers W_k and W_v have changed places.",
        {"project": _by("W_q", "W_v", "W_k")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "cross-attention-reversed",
        "Query and key have changed places, and your values come from `query`: the query asks, key and value answer.",
        {"project": _from(1, 0, 0)},
        "How many rows should the output have: n_q or n_k?",
        alone=True,
    ),
    Wrong(
        "cross-attention-reversed",
        "Query and key have changed places: the query asks, key and value answer.",
        {"project": _from(1, 0, 2)},
        "How many rows should the output have: n_q or n_k?",
    ),
    Wrong(
        "query-and-key-swapped",
        "The layers W_q and W_k have changed places.",
        {"project": _by("W_k", "W_q", "W_v")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "value-not-projected",
        "Your values are the tokens themselves; W_v is missing.",
        {"project": _each(None, None, lambda layer, x: x)},
        _NO_LAYER,
    ),
    Wrong(
        "attributes-not-used",
        "Your queries are the tokens themselves; W_q is missing.",
        {"project": _each(lambda layer, x: x, None, None)},
        _NO_LAYER,
        alone=True,
    ),
    Wrong(
        "attributes-not-used",
        "Your keys are the tokens themselves; W_k is missing.",
        {"project": _each(None, lambda layer, x: x, None)},
        _NO_LAYER,
        alone=True,
    ),
    Wrong(
        "attributes-not-used",
        "Queries, keys and values are the tokens themselves; W_q, W_k and W_v are missing.",
        {"project": lambda self, *inputs: inputs},
        _NO_LAYER,
        alone=True,
    ),
    Wrong(
        "key-weight-reused",
        "Your values use W_k; each projection has its own layer.",
        {"project": _by("W_q", "W_k", "W_k")},
        _SAME_LAYER,
    ),
    Wrong(
        "key-weight-reused",
        "Your queries use W_k; each projection has its own layer.",
        {"project": _by("W_k", "W_k", "W_v")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "query-weight-reused",
        "Your keys use W_q; each projection has its own layer.",
        {"project": _by("W_q", "W_q", "W_v")},
        _SAME_LAYER,
    ),
    Wrong(
        "query-weight-reused",
        "Your values use W_q; each projection has its own layer.",
        {"project": _by("W_q", "W_k", "W_q")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "query-weight-reused",
        "You used W_q three times; keys and values have layers of their own.",
        {"project": _by("W_q", "W_q", "W_q")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "value-weight-reused",
        "Your keys use W_v; each projection has its own layer.",
        {"project": _by("W_q", "W_v", "W_v")},
        _SAME_LAYER,
        alone=True,
    ),
    Wrong(
        "chained-projections",
        "You projected the queries again to get keys, and these to get values; each starts from its own input.",
        {"project": _chained},
        _SAME_INPUT,
        alone=True,
    ),
    Wrong(
        "chained-projections",
        "You projected the keys again to get values; values start from `value`.",
        {"project": _values_from_keys},
        _SAME_INPUT,
        alone=True,
    ),
    *(
        Wrong(
            "weight-transposed",
            f"You used the weight of {name} the wrong way round: `nn.Linear` multiplies by the transpose.",
            {"project": _each(*how)},
            _LINEAR,
            alone=len(name) == 3,
        )
        for name, how in (
            ("W_q", (_turned, None, None)),
            ("W_k", (None, _turned, None)),
            ("W_v", (None, None, _turned)),
            ("W_q, W_k and W_v", (_turned, _turned, _turned)),
        )
    ),
    *(
        Wrong(
            "weight-transposed",
            f"You multiplied by the weights of {names} as they are stored; `nn.Linear` multiplies by the transpose, and adds a bias.",
            {"project": _each(*[_turned_plain] * 3)} | steps,
            _LINEAR,
            alone=True,
        )
        for names, steps in (
            ("W_q, W_k and W_v", {}),
            ("all four layers", {"out": lambda self, merged: _turned_plain(self.W_o, merged)}),
        )
    ),
    Wrong(
        "weight-transposed",
        "You used all weights the wrong way round: `nn.Linear` multiplies by the transpose.",
        {
            "project": _each(_turned, _turned, _turned),
            "out": lambda self, merged: _turned(self.W_o, merged),
        },
        _LINEAR,
        alone=True,
    ),
    *(
        Wrong(
            "bias-missing",
            f"You left out the bias of {name}.",
            {"project": _each(*how)},
            _LINEAR,
            alone=True,
        )
        for name, how in (
            ("W_q", (_plain, None, None)),
            ("W_v", (None, None, _plain)),
            ("W_q, W_k and W_v", (_plain, _plain, _plain)),
        )
    ),
    Wrong(
        "bias-missing",
        "You left out every bias.",
        {
            "project": _each(_plain, _plain, _plain),
            "out": lambda self, merged: _plain(self.W_o, merged),
        },
        _LINEAR,
        alone=True,
    ),
    Wrong(
        "extra-nonlinearity",
        "You cut off the negative numbers of queries, keys and values; the projections are linear.",
        {"project": _each(*[lambda layer, x: F.relu(layer(x))] * 3)},
        "What stands between a layer and the heads?",
        alone=True,
    ),
    Wrong(
        "extra-nonlinearity",
        "You put a tanh over queries, keys and values; the projections are linear.",
        {"project": _each(*[lambda layer, x: torch.tanh(layer(x))] * 3)},
        "What stands between a layer and the heads?",
        alone=True,
    ),
    Wrong(
        "cross-attention-reversed",
        "Query and value have changed places: the query asks, key and value answer.",
        {"project": _from(2, 1, 0)},
        _SAME_INPUT,
        alone=True,
    ),
    *(
        Wrong(
            "cross-attention-reversed",
            "Query, key and value have all changed places; they come in this order.",
            {"project": _from(*indices)},
            _SAME_INPUT,
            alone=True,
        )
        for indices in ((1, 2, 0), (2, 0, 1))
    ),
    Wrong(
        "batch-axis-for-tokens",
        "You took the first axis for tokens and the second for sequences; here it is (B, n, d_model).",
        {
            "project": lambda self, *inputs: _Steps.project(self, *(x.transpose(0, 1) for x in inputs)),
        },
        "Write the shape beside each line. Which axis is the batch?",
        alone=True,
    ),
)


def _noting_length(self: Any, query: Any, key: Any, value: Any) -> Any:
    self.n = query.shape[1]
    return _Steps.project(self, query, key, value)


def _cut_to_queries(self: Any, query: Any, key: Any, value: Any) -> Any:
    n = query.shape[1]
    return self.W_q(query), self.W_k(key)[:, :n], self.W_v(value)[:, :n]


ASSUMPTIONS = (
    Wrong(
        "square-only",
        "You cut keys and values to the number of queries; there may be more keys than queries.",
        {"project": _cut_to_queries},
        "Take the number of keys from `key`.",
        alone=True,
    ),
    Wrong(
        "square-only",
        "You took the number of tokens from the query, for keys and values too; there may be more or fewer of them.",
        {
            "project": _noting_length,
            "split": lambda self, x: x.reshape(len(x), self.n, self.h, self.d_head).transpose(1, 2),
        },
        "Take the number of keys from `key`.",
        alone=True,
    ),
    Wrong(
        "square-only",
        "You took the number of keys from the query, and the mask does not fit.",
        {"mask": lambda self, a, s: None if a is None else a.expand(*s.shape[:2], *s.shape[2:3] * 2)},
        "Take the number of keys from `key`.",
        alone=True,
    ),
    Wrong(
        "mask-required",
        "You use `allowed` without asking whether there is one: it may be None.",
        {
            "mask": lambda self, a, s: False if a is None else a,
            "hide": lambda self, s, m: s.masked_fill(m == 0, -torch.inf),
        },
        "What should happen when `allowed` is None?",
        alone=True,
    ),
    Wrong(
        "mask-required",
        "You use `allowed` without asking whether there is one: it may be None.",
        {"mask": lambda self, a, s: (torch.where(a, s, s), a)[1]},
        "What should happen when `allowed` is None?",
        alone=True,
    ),
    Wrong(
        "mask-required",
        "You use `allowed` without asking whether there is one: it may be None.",
        {"mask": lambda self, a, s: ~~a},
        "What should happen when `allowed` is None?",
        alone=True,
    ),
    Wrong(
        "square-only",
        "You cut keys and values to the number of queries, and use `allowed` without asking whether there is one.",
        {"project": _cut_to_queries, "mask": lambda self, a, s: ~~a},
        "Take the number of keys from `key`. What should happen when `allowed` is None?",
        alone=True,
    ),
)


def _fixed_heads(count: int) -> Callable:
    return lambda self, x: x.reshape(*x.shape[:2], count, x.shape[-1] // count).transpose(1, 2)


SPLITS = (
    Wrong(
        "heads-split-by-reshape",
        "Your heads were cut by a plain reshape, which deals out tokens, not channels.",
        {"split": lambda self, x: x.reshape(x.shape[0], self.h, x.shape[1], -1)},
        _CUT,
    ),
    Wrong(
        "heads-split-by-reshape",
        "Your heads were cut by a plain reshape, with batch and heads mixed up.",
        {"split": lambda self, x: x.reshape(self.h, *x.shape[:2], -1).transpose(0, 1)},
        _CUT,
        alone=True,
    ),
    Wrong(
        "heads-interleaved",
        "You gave every h-th channel to a head; a head takes consecutive channels.",
        {"split": lambda self, x: x.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)},
        "In which order do h and d_head stand when you cut the last axis?",
    ),
    Wrong(
        "heads-interleaved",
        "You gave every h-th channel to a head, and put them back so; a head takes consecutive channels.",
        {
            "split": lambda self, x: x.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2),
            "merge": lambda self, H: H.permute(0, 2, 3, 1).flatten(2),
        },
        "In which order do h and d_head stand when you cut the last axis?",
        alone=True,
    ),
    Wrong(
        "arguments-swapped",
        "The number of heads and their width have changed places: you made d_head heads of width h.",
        {"split": lambda self, x: x.reshape(*x.shape[:2], -1, self.h).transpose(1, 2)},
        "In which order do h and d_head stand when you cut the last axis?",
        alone=True,
    ),
    Wrong(
        "heads-ignored",
        "You never split: this is one head as wide as the model.",
        {"split": lambda self, x: x[:, None]},
        "Where does num_heads come in?",
    ),
    Wrong(
        "heads-ignored",
        "You never split: this is one head as wide as the model, and its scores are divided by the root of d_model.",
        {"split": lambda self, x: x[:, None], "scale": lambda self, Q, K: self.d_model**0.5},
        "Where does num_heads come in?",
        alone=True,
    ),
    Wrong(
        "heads-ignored",
        "You never split: this is one head as wide as the model, and its weights lack the axis of the heads.",
        {
            "split": lambda self, x: x,
            "scale": lambda self, Q, K: self.d_model**0.5,
            "merge": lambda self, H: H,
        },
        "Where does num_heads come in?",
        alone=True,
    ),
    Wrong(
        "heads-ignored",
        "You never split: one head as wide as the model, its weights repeated for each head.",
        {
            "split": lambda self, x: x[:, None],
            "scale": lambda self, Q, K: self.d_model**0.5,
            "give": lambda self, o, w, *_: (o, w.expand(-1, self.h, -1, -1)),
        },
        "Where does num_heads come in?",
        alone=True,
    ),
    Wrong(
        "heads-share-weights",
        "Every head gets the first d_head channels; each has channels of its own.",
        {"split": lambda self, x: torch.stack([x[..., : self.d_head]] * self.h, dim=1)},
        "Which channels belong to head i?",
        alone=True,
    ),
    Wrong(
        "heads-share-weights",
        "Head i starts at channel i in your code, so heads share channels; it should start at i * d_head.",
        {"split": lambda self, x: torch.stack([x[..., i : i + self.d_head] for i in range(self.h)], dim=1)},
        "Which channels belong to head i?",
        alone=True,
    ),
    Wrong(
        "heads-out-of-order",
        "Your heads stand in reverse order.",
        {"split": lambda self, x: _Steps.split(self, x).flip(1)},
        "Which channels belong to head 0?",
        alone=True,
    ),
    Wrong(
        "heads-out-of-order",
        "Your weights list the heads in reverse order.",
        {
            "split": lambda self, x: _Steps.split(self, x).flip(1),
            "merge": lambda self, H: H.flip(1).transpose(1, 2).flatten(2),
        },
        "Which channels belong to head 0?",
        alone=True,
    ),
    Wrong(
        "no-transpose",
        "You never brought the heads before the tokens, so the heads of one token look at each other.",
        {
            "split": lambda self, x: x.unflatten(-1, (self.h, -1)),
            "merge": lambda self, H: H.flatten(2),
        },
        "The last two axes of a score are query and key. Which are they in yours?",
        alone=True,
    ),
    Wrong(
        "no-transpose",
        "When splitting you did not bring the heads before the tokens, so heads and tokens are taken for each other.",
        {"split": lambda self, x: x.unflatten(-1, (self.h, -1))},
        "The last two axes of a score are query and key. Which are they in yours?",
        alone=True,
    ),
    Wrong(
        "batch-axis-for-tokens",
        "You took the first axis for tokens and the second for sequences; here it is (B, n, d_model).",
        {
            "split": lambda self, x: x.unflatten(-1, (self.h, -1)).permute(1, 2, 0, 3),
            "merge": lambda self, H: H.permute(2, 0, 1, 3).flatten(2),
        },
        "Write the shape beside each line. Which axis is the batch?",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "Your heads stand before the batch; the axes should be (B, h, n, d_head).",
        {
            "split": lambda self, x: torch.stack(x.chunk(self.h, dim=-1)),
            "merge": lambda self, H: torch.cat(list(H), dim=-1),
        },
        "Where does the new axis go when you stack?",
        alone=True,
    ),
    *(
        Wrong(
            "fixed-number-of-heads",
            f"You cut into {count} heads whatever num_heads says.",
            {"split": _fixed_heads(count), "scale": lambda self, Q, K: Q.shape[-1] ** 0.5},
            "Where does num_heads come in?",
            alone=True,
        )
        for count in (2, 4, 8)
    ),
)


def _sliced(self: Any, Q: Any, K: Any) -> Any:
    return F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(-2, -1)


SCORES = (
    Wrong(
        "reshape-instead-of-transpose",
        "You reshaped K where it should be transposed: the numbers of different keys mix.",
        {"score": lambda self, Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])},
        "A reshape keeps the order of the numbers; a transpose changes it.",
    ),
    Wrong(
        "keys-by-queries",
        "Your scores have a row for each key; they should have one for each query.",
        {"score": lambda self, Q, K: K @ Q.transpose(-2, -1)},
        "Which of the two stands first in the product?",
        alone=True,
    ),
    Wrong(
        "one-matrix-twice",
        "You compared the queries with each other; the keys have no part in your scores.",
        {"score": lambda self, Q, K: Q @ Q.transpose(-2, -1)},
        "Which two meet in a score?",
        alone=True,
    ),
    Wrong(
        "query-not-used",
        "You compared the keys with each other; the queries have no part in your scores.",
        {"score": lambda self, Q, K: K @ K.transpose(-2, -1)},
        "Which two meet in a score?",
        alone=True,
    ),
    Wrong(
        "no-transpose",
        "You did not transpose K: a score needs the channels of a query beside those of a key.",
        {"score": lambda self, Q, K: Q @ K},
        "In `A @ B` the inner sizes must agree. Which ones are they here?",
        alone=True,
    ),
    Wrong(
        "reversed-all-axes",
        "You turned round other axes of K than the last two.",
        {"score": lambda self, Q, K: Q @ K.transpose(1, 2)},
        "Which two axes of K must change places?",
        alone=True,
    ),
    Wrong(
        "reversed-all-axes",
        "`.T` turns round all axes, the batch too; only the last two should change places.",
        {"score": lambda self, Q, K: Q @ K.permute(3, 2, 1, 0)},
        "Which method swaps two axes and leaves the others?",
        alone=True,
    ),
    Wrong(
        "cosine-instead-of-dot",
        "You divided queries and keys by their lengths: a score is a dot product, not a cosine.",
        {"score": _sliced},
        "Should the length of a key count?",
        alone=True,
    ),
    Wrong(
        "cosine-instead-of-dot",
        "You divided queries and keys by their lengths: a score is a dot product, not a cosine.",
        {"score": _sliced, "scale": lambda self, Q, K: 1.0},
        "Should the length of a key count?",
        alone=True,
    ),
    Wrong(
        "distance-instead-of-similarity",
        "Your scores are distances: the farther a key, the more weight it gets.",
        {"score": lambda self, Q, K: torch.cdist(Q, K)},
        "Which product tells how alike two vectors are?",
        alone=True,
    ),
    Wrong(
        "sign-flipped",
        "Your scores have the wrong sign: the key that fits least gets the most weight.",
        {"score": lambda self, Q, K: -Q @ K.transpose(-2, -1)},
        "Where does a minus sign come in?",
        alone=True,
    ),
    Wrong(
        "heads-summed",
        "Your scores add up over all heads, as if Q and K were never cut, so all heads look at the same keys.",
        {
            "score": lambda self, Q, K: (
                (Q @ K.transpose(-2, -1)).sum(1, keepdim=True).expand(-1, self.h, -1, -1)
            )
        },
        "Each head has scores of its own.",
        alone=True,
    ),
)

SCALES = (
    Wrong(
        "no-scaling",
        "You did not divide the scores by the root of a head's width, so your weights are too sharp.",
        {"scale": lambda self, Q, K: 1.0},
        "What did unit 03 do to the scores, and why?",
    ),
    Wrong(
        "scaled-by-sqrt-d_model",
        "You divided by the root of d_model; a head is only d_head wide.",
        {"scale": lambda self, Q, K: self.d_model**0.5},
        "How many products does one score of one head add up?",
    ),
    Wrong(
        "scaled-by-d_k",
        "Your scores are divided by the whole width of a head; it should be its square root, and once.",
        {"scale": lambda self, Q, K: self.d_head},
        _SCALE,
    ),
    Wrong(
        "scaled-by-d_k",
        "You divided by d_model; it should be the square root of a head's width.",
        {"scale": lambda self, Q, K: self.d_model},
        _SCALE,
        alone=True,
    ),
    Wrong(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of keys; it should be the root of a head's width.",
        {"scale": lambda self, Q, K: K.shape[-2] ** 0.5},
        "Which size does the spread of a score grow with?",
    ),
    Wrong(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of queries; it should be the root of a head's width.",
        {"scale": lambda self, Q, K: Q.shape[-2] ** 0.5},
        "Which size does the spread of a score grow with?",
        alone=True,
    ),
    Wrong(
        "scaled-by-sqrt-heads",
        "You divided by the root of the number of heads; it should be the root of a head's width.",
        {"scale": lambda self, Q, K: self.h**0.5},
        "How many products does one score of one head add up?",
        alone=True,
    ),
    Wrong(
        "scaled-by-sqrt-heads",
        "You divided by the number of heads; it should be the root of a head's width.",
        {"scale": lambda self, Q, K: self.h},
        "How many products does one score of one head add up?",
        alone=True,
    ),
    Wrong(
        "scaled-up",
        "You multiplied by the root of a head's width, which makes the weights sharper still.",
        {"scale": lambda self, Q, K: self.d_head**-0.5},
        "`/ d ** -0.5` multiplies: two minus signs cancel.",
    ),
    Wrong(
        "half-the-scaling",
        "You divided by the fourth root of the width; it should be the square root.",
        {"scale": lambda self, Q, K: self.d_head**0.25},
        "How often do you take a root, and of how many of the factors?",
        alone=True,
    ),
    Wrong(
        "operator-precedence",
        "Your divisor is not the root: `d ** 1 / 2` is d / 2, and without brackets only the d divides.",
        {"scale": lambda self, Q, K: 2 * self.d_head},
        "Which comes first, `**` or `/`?",
        alone=True,
    ),
    Wrong(
        "operator-precedence",
        "You divided by half the width: `d ** 1 / 2` is d / 2, not a root.",
        {"scale": lambda self, Q, K: self.d_head / 2},
        "Which comes first, `**` or `/`?",
        alone=True,
    ),
    Wrong(
        "truncates-to-int",
        "You cut off the digits of the square root: it should keep what stands after the point.",
        {"scale": lambda self, Q, K: math.isqrt(self.d_head)},
        "Look for `int`, `//` or `isqrt` beside the square root.",
        alone=True,
    ),
    Wrong(
        "truncates-to-int",
        "You cut off the digits of the scores: `//` rounds down.",
        {"score": lambda self, Q, K: Q @ K.transpose(-2, -1) // self.d_head**0.5 * self.d_head**0.5},
        "Look for `//` beside the square root.",
        alone=True,
    ),
    Wrong(
        "constant-divisor",
        "You divided by 8, which is right for heads of width 64 only.",
        {"scale": lambda self, Q, K: 8.0},
        "Take the width from the head.",
        alone=True,
    ),
    Wrong(
        "scaled-after-softmax",
        "You divided the weights instead of the scores, so a row no longer sums to 1.",
        {
            "scale": lambda self, Q, K: 1.0,
            "after": lambda self, w, a: zero_where_blocked(self, w, a) / self.d_head**0.5,
        },
        "Which comes first, scaling or softmax?",
        alone=True,
    ),
    Wrong(
        "scaled-after-softmax",
        "You divided the scores, and the weights once more: a row no longer sums to 1.",
        {"after": lambda self, w, a: zero_where_blocked(self, w, a) / self.d_head**0.5},
        "How often should the width divide, and where?",
        alone=True,
    ),
)


def _causal(scores: Any) -> Any:
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril()


def _first_head(self: Any, scores: Any, mask: Any) -> Any:
    hidden = scores.clone()
    hidden[:, :1] = scores[:, :1].masked_fill(~mask.expand(scores.shape)[:, :1], -torch.inf)
    return hidden


def _at_full_shape(self: Any, scores: Any, mask: Any) -> Any:
    hidden = scores.clone()
    hidden[~mask] = -torch.inf
    return hidden


def _noting_zeros(self: Any, weights: Any, V: Any) -> Any:
    self.sees_some = (weights != 0).any(-1).any(1)[..., None]
    return weights @ V


def _if_any(self: Any, allowed: Any, scores: Any) -> Any:
    return allowed if allowed is not None and allowed.any() else None


def _if_true(self: Any, allowed: Any, scores: Any) -> Any:
    return allowed if allowed else None


MASKS = (
    Wrong(
        "mask-inverted",
        "You hid what is allowed: True means 'may look'.",
        {"hide": lambda self, s, m: s.masked_fill(m, -torch.inf)},
        "Which keys should end with weight 0?",
    ),
    *_either_way(
        Wrong(
            "mask-inverted",
            "You hid what is allowed: True means 'may look'.",
            {"hide": lambda self, s, m: s.masked_fill(m, -torch.inf), "after": _without_nan},
            "Which keys should end with weight 0?",
            alone=True,
        ),
        Wrong(
            "mask-inverted",
            "You hid what is allowed: True means 'may look'.",
            {"hide": lambda self, s, m: s.masked_fill(m, -1e9)},
            "Which keys should end with weight 0?",
            alone=True,
        ),
    ),
    Wrong(
        "mask-ignored",
        "The mask does nothing: hidden keys keep their weight.",
        {"hide": lambda self, s, m: s, "after": _as_it_is},
        "What happens to `allowed` in your code? `masked_fill` returns a new tensor, and an unused one is lost.",
    ),
    Wrong(
        "result-dropped",
        "Hidden keys keep their weight, though you take care of blocked rows: the masked scores never reach the softmax.",
        {"hide": lambda self, s, m: s},
        "`masked_fill` returns a new tensor. Is it the one you go on with?",
        alone=True,
    ),
    Wrong(
        "mask-ignored",
        "You hide later keys whatever the mask says, and do not look at `allowed`.",
        {"mask": lambda self, a, s: _causal(s), "after": _as_it_is},
        _WHICH_MASK,
        alone=True,
    ),
    *_either_way(
        Wrong(
            "causal-by-default",
            "Without a mask you hide later keys; None means that every key is allowed.",
            {"mask": lambda self, a, s: _causal(s) if a is None else a},
            "What should be hidden when `allowed` is None?",
        ),
        Wrong(
            "causal-by-default",
            "You hide later keys on top of those that the mask hides.",
            {"mask": lambda self, a, s: _causal(s) if a is None else a & _causal(s)},
            _WHICH_MASK,
            alone=True,
        ),
        Wrong(
            "causal-by-default",
            "With a mask you hide later keys, whichever the mask names.",
            {"mask": lambda self, a, s: None if a is None else _causal(s)},
            _WHICH_MASK,
            alone=True,
        ),
        ways=(_without_nan,),
    ),
    *_either_way(
        Wrong(
            "transposed-mask",
            "You used the mask turned round: its rows are queries, its columns keys.",
            {"mask": lambda self, a, s: None if a is None else torch.atleast_2d(a).transpose(-2, -1)},
            _WHICH_MASK,
            alone=True,
        ),
        Wrong(
            "transposed-mask",
            "You used the mask turned round: its rows are queries, its columns keys.",
            {"mask": lambda self, a, s: None if a is None else a.transpose(-2, -1)},
            _WHICH_MASK,
            alone=True,
        ),
        Wrong(
            "padding-on-queries",
            "You took a mask of one row for a column: it names keys, and you hid queries.",
            {"mask": lambda self, a, s: a if a is None or a.shape[-2:-1] > (1,) else torch.atleast_2d(a).mT},
            "A mask of shape (n_k,) is the same row for every query. What does broadcasting do by itself?",
            alone=True,
        ),
        Wrong(
            "mask-first-head-only",
            "Only the first head hides anything; the mask is for all heads.",
            {"hide": _first_head},
            "How does a mask of shape (n_q, n_k) meet scores of shape (B, h, n_q, n_k)?",
            alone=True,
        ),
        Wrong(
            "mask-first-head-only",
            "The mask of the first head is used for all heads.",
            {"mask": lambda self, a, s: None if a is None else a.expand(s.shape)[:, :1]},
            "A mask of shape (B, h, n_q, n_k) has a part for each head.",
            alone=True,
        ),
        Wrong(
            "first-batch-only",
            "The mask of the first sequence is used for all of them.",
            {"mask": lambda self, a, s: None if a is None else a.expand(s.shape)[:1]},
            "Look for `[0]` and `[:1]` beside the mask.",
            alone=True,
        ),
        Wrong(
            "only-first-row",
            "The first row of the mask is used for every query.",
            {"mask": lambda self, a, s: a if a is None or a.ndim < 2 else a[..., :1, :]},
            "Each query has a row of its own in the mask.",
            alone=True,
        ),
        Wrong(
            "no-head-axis",
            "You removed the axes of size 1 from the mask, so it lines up with other axes of the scores, or with none.",
            {"mask": lambda self, a, s: None if a is None else a.squeeze()},
            "Broadcasting needs those axes of size 1.",
            alone=True,
        ),
        Wrong(
            "no-head-axis",
            "You removed the axis of the heads from the mask, so its sequences line up with the heads.",
            {"mask": lambda self, a, s: None if a is None else a.squeeze(1) if a.ndim == 4 else a},
            "Broadcasting needs that axis of size 1.",
            alone=True,
        ),
        Wrong(
            "wrong-head-axis",
            "You gave the mask one more axis; it already fits the scores by broadcasting.",
            {"mask": lambda self, a, s: None if a is None else a.unsqueeze(1)},
            _WHICH_MASK,
            alone=True,
        ),
        Wrong(
            "wrong-head-axis",
            "You gave the mask two more axes; it already fits the scores by broadcasting.",
            {"mask": lambda self, a, s: None if a is None else a[:, None, None]},
            _WHICH_MASK,
            alone=True,
        ),
        Wrong(
            "diagonal-hidden",
            "No query may look at the key in its own place, though the mask allows it.",
            {
                "mask": lambda self, a, s: (
                    ~torch.eye(*s.shape[-2:], dtype=torch.bool) & (True if a is None else a)
                )
            },
            _WHICH_MASK,
            alone=True,
        ),
        ways=(_without_nan,),
    ),
    *_either_way(
        Wrong(
            "mask-multiplied",
            "Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
            {"hide": lambda self, s, m: s * m},
            _EXPONENTIAL_0,
        ),
        Wrong(
            "mask-added",
            "You added the mask to the scores: True counts as 1, and nothing is hidden.",
            {"hide": lambda self, s, m: s + m},
            _EXPONENTIAL_0,
            alone=True,
        ),
        *(
            Wrong(
                "mask-value-too-small",
                "Your hidden keys get a score that real scores can come near, so they may keep some weight.",
                {"hide": lambda self, s, m, value=value: s.masked_fill(~m, value)},
                "Which number is below every score?",
                alone=True,
            )
            for value in (-1.0, -10.0, -100.0, -1e3, -1e4)
        ),
        Wrong(
            "mask-value-sign",
            "Hidden keys get a huge score, and so all of the weight.",
            {"hide": lambda self, s, m: s.masked_fill(~m, 1e9)},
            _EXPONENTIAL_0,
            alone=True,
        ),
        Wrong(
            "mask-value-sign",
            "Hidden keys get a score of +inf or NaN, and one such score makes the whole row NaN.",
            {"hide": lambda self, s, m: s.masked_fill(~m, torch.inf)},
            _EXPONENTIAL_0,
            alone=True,
        ),
        Wrong(
            "zero-times-inf",
            "You made the hidden scores by multiplying with infinity; where the mask allows, that is 0 times infinity, which is NaN.",
            {"hide": lambda self, s, m: s + ~m * -torch.inf},
            "Choose between two numbers instead of multiplying: which function does that?",
            alone=True,
        ),
        Wrong(
            "zero-as-sentinel",
            "You hid every score that is 0; a query and a key at a right angle have the score 0 too.",
            {"hide": lambda self, s, m: (s * m).masked_fill(s * m == 0, -torch.inf)},
            "Ask the mask, not the score, what is hidden.",
            alone=True,
        ),
        Wrong(
            "mask-not-broadcast",
            "You used the mask as an index, which works only where it has the very shape of the scores.",
            {"hide": _at_full_shape},
            "Which function broadcasts the mask for you? `torch.where` and `masked_fill` do.",
            alone=True,
        ),
        Wrong(
            "array-truth-value",
            "You asked the mask for one True or False; a tensor of several has no such answer.",
            {"mask": _if_true},
            "You only want to know whether there is a mask: ask `is not None`.",
        ),
        Wrong(
            "minus-on-bool",
            "You subtracted the mask; with booleans PyTorch wants `~`.",
            {"mask": lambda self, a, s: None if a is None else 1 - a},
            "Which sign turns True into False?",
            alone=True,
        ),
        Wrong(
            "minus-on-bool",
            "You put a minus before the mask; with booleans PyTorch wants `~`.",
            {"mask": lambda self, a, s: None if a is None else -a},
            "Which sign turns True into False?",
            alone=True,
        ),
    ),
    Wrong(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        {"hide": lambda self, s, m: s, "after": lambda self, w, a: w if a is None else w * a},
        "Hide the scores before the softmax.",
    ),
    Wrong(
        "mask-after-softmax",
        "You hid the keys after the softmax with -inf; weights are hidden with 0, and best before the softmax.",
        {
            "hide": lambda self, s, m: s,
            "after": lambda self, w, a: w if a is None else w.masked_fill(~a, -torch.inf),
        },
        "Hide the scores before the softmax.",
        alone=True,
    ),
    Wrong(
        "nothing-allowed-as-no-mask",
        "A mask without a single True hides nothing in your code; it should hide every key, and all weights be 0.",
        {"mask": _if_any, "after": lambda self, w, a: zero_where_blocked(self, w, _if_any(self, a, w))},
        "Ask whether there is a mask at all: `is not None`.",
        alone=True,
    ),
    Wrong(
        "blocked-row-nan",
        "A query with no allowed key gives NaN; its weights should be 0.",
        {"after": _as_it_is},
        "What does softmax make of a row of -inf?",
    ),
    Wrong(
        "blocked-row-nan",
        "A query with no allowed key has an output without NaN, but its weights are NaN.",
        {"after": _as_it_is, "mix": lambda self, w, V: w.nan_to_num() @ V},
        "Where does the NaN arise first?",
        alone=True,
    ),
    Wrong(
        "blocked-row-uniform",
        "A query with no allowed key gets equal weights; it should get none.",
        {"hide": lambda self, s, m: s.masked_fill(~m, -1e9), "after": _as_it_is},
        "With -1e9 everywhere, all scores are equal again.",
    ),
    Wrong(
        "blocked-row-left-open",
        "A query with no allowed key sees all of them: taking the same number from every score changes nothing.",
        {"hide": lambda self, s, m: s + ~m * -1e9, "after": _as_it_is},
        "What should a query get that may look at nobody?",
        alone=True,
    ),
    Wrong(
        "blocked-row-left-open",
        "A query with no allowed key looks at all of them; it should get weight 0 everywhere.",
        {"mask": lambda self, a, s: None if a is None else a | ~a.any(-1, keepdim=True), "after": _as_it_is},
        "What should a query get that may look at nobody?",
        alone=True,
    ),
    Wrong(
        "blocked-row-zeroes-all",
        "One query with no allowed key, and all weights become 0.",
        {"after": lambda self, w, a: w if a is None or a.any(-1).all() else torch.zeros_like(w)},
        "Which rows should become 0?",
        alone=True,
    ),
    Wrong(
        "all-instead-of-any",
        "Every query that may not look at all keys ends with weights of 0; one allowed key is enough.",
        {"after": lambda self, w, a: w if a is None else w.masked_fill(~a.all(-1, keepdim=True), 0.0)},
        "`all` or `any`: when is a row blocked? Or does hiding make a NaN that you replace by 0?",
        alone=True,
    ),
    Wrong(
        "blocked-row-without-bias",
        "The output of a query with no allowed key is 0; W_o makes its bias of a row of zeros.",
        {"mix": _noting_zeros, "give": lambda self, o, w, *_: (o * self.sees_some, w)},
        "What does a linear layer make of zeros?",
        alone=True,
    ),
)


def _without_keepdims(self: Any, hidden: Any) -> Any:
    powers = torch.exp(hidden - hidden.amax(-1, keepdim=True))
    return powers / powers.sum(-1)


def _one_hot(self: Any, hidden: Any) -> Any:
    return F.one_hot(hidden.argmax(-1), hidden.shape[-1]).to(hidden.dtype)


def _over(dim: int) -> dict[str, Callable]:
    return {"softmax": lambda self, x: torch.softmax(x, dim=dim)}


SOFTMAXES = (
    *_either_way(
        Wrong(
            "softmax-over-queries",
            "Your weights sum to 1 down the columns: you normalised over queries. Each query shares out 1 among its keys.",
            _over(-2),
            _KEY_AXIS,
        ),
        Wrong(
            "softmax-over-heads",
            "Your weights sum to 1 over the heads; each head has its own row of weights.",
            _over(1),
            _KEY_AXIS,
        ),
        ways=(_without_nan,),
        together=True,
    ),
    *_either_way(
        Wrong(
            "softmax-over-batch",
            "Your weights sum to 1 over the sequences of the batch, which have nothing to do with each other.",
            _over(0),
            _KEY_AXIS,
            alone=True,
        ),
        Wrong(
            "softmax-over-everything",
            "You divided by the sum of all exponentials; each query shares out 1 of its own.",
            {"softmax": lambda self, x: torch.softmax(x.flatten(), dim=0).reshape(x.shape)},
            _KEY_AXIS,
            alone=True,
        ),
        Wrong(
            "no-softmax",
            "You mixed with the scores themselves; the softmax is missing.",
            {"softmax": lambda self, x: x},
            _SUM,
        ),
        Wrong(
            "no-max-subtraction",
            "Your exponentials overflow when the scores are large.",
            {"softmax": lambda self, x: torch.exp(x) / torch.exp(x).sum(-1, keepdim=True)},
            "Use `torch.softmax`, or take away the maximum of each row.",
        ),
        Wrong(
            "softmax-over-everything",
            "You divided by one sum for all queries; each query shares out 1 of its own.",
            {"softmax": lambda self, x: torch.softmax(x.flatten(-2), dim=-1).reshape(x.shape)},
            _KEY_AXIS,
            alone=True,
        ),
        Wrong(
            "softmax-over-everything",
            "You divided by one sum for each head; each query shares out 1 of its own.",
            {"softmax": lambda self, x: x.exp() / x.exp().sum((0, 2, 3), keepdim=True)},
            _KEY_AXIS,
            alone=True,
        ),
        *(
            Wrong(
                "keepdims-forgotten",
                "Your sums lost the last axis, so they divide the columns, not the rows, or do not fit at all.",
                {"softmax": softmax},
                "Which argument of `sum` keeps the axis with size 1?",
                alone=True,
            )
            for softmax in (
                lambda self, x: torch.exp(x) / torch.exp(x).sum(-1),
                _without_keepdims,
            )
        ),
        Wrong(
            "log-softmax",
            "You returned and mixed with logarithms of weights.",
            {"softmax": lambda self, x: torch.log_softmax(x, dim=-1)},
            _SUM,
            alone=True,
        ),
        Wrong(
            "softmax-again",
            "You took the softmax twice, which makes the weights nearly equal.",
            {"softmax": lambda self, x: torch.softmax(torch.softmax(x, dim=-1), dim=-1)},
            "Does one of the functions you call end with a softmax already?",
            alone=True,
        ),
        ways=(_without_nan,),
    ),
    *_either_way(
        Wrong(
            "no-softmax",
            "You mixed with the scores themselves, hidden ones set to 0; the softmax is missing.",
            {"softmax": lambda self, x: x, "hide": lambda self, s, m: s.masked_fill(~m, 0.0)},
            _SUM,
            alone=True,
        ),
        Wrong(
            "sigmoid",
            "You used a sigmoid: each weight lies between 0 and 1, but a row does not sum to 1.",
            {"softmax": lambda self, x: torch.sigmoid(x)},
            _SUM,
            alone=True,
        ),
        Wrong(
            "not-normalised",
            "Your exponentials are not divided by their sum, so a row does not sum to 1.",
            {"softmax": lambda self, x: torch.exp(x)},
            _SUM,
            alone=True,
        ),
        Wrong(
            "hard-lookup",
            "The best key gets all the weight; a softmax gives every allowed key a share.",
            {"softmax": _one_hot},
            "What do you do with the scores of the keys that are not the best?",
            alone=True,
        ),
        Wrong(
            "weights-ignored",
            "Every query gets the same average of all values: nothing is looked at.",
            {"softmax": lambda self, x: torch.full_like(x, 1 / x.shape[-1])},
            "Do the scores reach the weights?",
            alone=True,
        ),
    ),
    Wrong(
        "extra-nonlinearity",
        "You set negative scores to 0 before the softmax; a score may have any sign.",
        {"score": lambda self, Q, K: F.relu(Q @ K.transpose(-2, -1))},
        "Which steps lie between the scores and the softmax?",
        alone=True,
    ),
)


def _rest_is_zero(self: Any, H: Any) -> Any:
    return torch.cat([H[:, :-1], torch.zeros_like(H[:, -1:])], dim=1)


MIXES = (
    Wrong(
        "weights-transposed",
        "You mixed with the transposed weights.",
        {"mix": lambda self, w, V: w.transpose(-2, -1) @ V},
        "Row i of the weights belongs to output i.",
        alone=True,
    ),
    Wrong(
        "one-matrix-twice",
        "You mixed the queries; the weights mix the values.",
        {"project": _mixing_queries},
        "Where does V appear in your code?",
        alone=True,
    ),
    Wrong(
        "weights-ignored",
        "Your weights have no part in the output: it is the plain average of all values.",
        {"mix": lambda self, w, V: V.mean(-2, keepdim=True).expand(*w.shape[:-1], -1)},
        "Do the weights reach the output?",
        alone=True,
    ),
    Wrong(
        "heads-averaged",
        "Your output mixes with the average of all heads' weights; each head mixes its own channels in its own way.",
        {"mix": lambda self, w, V: w.mean(1, keepdim=True) @ V},
        "When may heads meet for the first time?",
        alone=True,
    ),
    Wrong(
        "heads-summed",
        "Your output mixes with the sum of all heads' weights; each head mixes its own channels in its own way.",
        {"mix": lambda self, w, V: w.sum(1, keepdim=True) @ V},
        "When may heads meet for the first time?",
        alone=True,
    ),
    Wrong(
        "heads-merged-without-transpose",
        "You joined the heads without swapping tokens and heads back, so tokens mix.",
        {"merge": lambda self, H: H.reshape(H.shape[0], H.shape[2], -1)},
        "Which two axes did you swap when splitting?",
    ),
    Wrong(
        "heads-interleaved",
        "You joined the heads channel by channel; each head's channels stay together.",
        {"merge": lambda self, H: H.permute(0, 2, 3, 1).flatten(2)},
        "In which order do h and d_head stand before the two become one?",
    ),
    Wrong(
        "wrong-head-axis",
        "When joining you swapped tokens and channels, not tokens and heads.",
        {"merge": lambda self, H: H.transpose(2, 3).reshape(H.shape[0], H.shape[2], -1)},
        "Which two axes did you swap when splitting?",
        alone=True,
    ),
    Wrong(
        "heads-out-of-order",
        "You joined the heads in reverse order.",
        {"merge": lambda self, H: H.flip(1).transpose(1, 2).flatten(2)},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "Only the first head reaches the output.",
        {"merge": lambda self, H: H[:, 0].repeat(1, 1, self.h)},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "heads-averaged",
        "You averaged the heads; they should stand side by side.",
        {"merge": lambda self, H: H.mean(1).repeat(1, 1, self.h)},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "last-left-out",
        "The last head is left out.",
        {"merge": lambda self, H: _rest_is_zero(self, H).transpose(1, 2).flatten(2)},
        "Where does your loop over the heads end?",
        alone=True,
    ),
    Wrong(
        "last-left-out",
        "The last head is left out: its weights stay 0.",
        {"after": lambda self, w, a: _rest_is_zero(self, zero_where_blocked(self, w, a))},
        "Where does your loop over the heads end?",
        alone=True,
    ),
    Wrong(
        "last-left-out",
        "The last head is left out, so what you hand to W_o is not d_model wide.",
        {"merge": lambda self, H: H[:, :-1].transpose(1, 2).flatten(2)},
        "Where does your loop over the heads end?",
        alone=True,
    ),
    Wrong(
        "not-merged",
        "What you hand to W_o is not d_model wide: the heads are not all joined side by side.",
        {"merge": lambda self, H: H},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "not-merged",
        "What you hand to W_o is not d_model wide: the heads are not all joined side by side.",
        {"merge": lambda self, H: H[:, -1]},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "not-merged",
        "You returned the heads as they are; joined side by side they still have to go through W_o.",
        {"merge": lambda self, H: H, "out": lambda self, merged: merged},
        _SIDE_BY_SIDE,
        alone=True,
    ),
    Wrong(
        "view-after-transpose",
        "After a transpose the numbers lie in another order than `view` can follow.",
        {"merge": lambda self, H: H.transpose(1, 2).view(H.shape[0], H.shape[2], -1)},
        "Two other methods can: one copies where it must, one makes the numbers contiguous first.",
        alone=True,
    ),
)


OUTS = (
    Wrong(
        "no-output-projection",
        "The last projection is missing: W_o is never used.",
        {"out": lambda self, merged: merged},
        _NO_LAYER,
    ),
    Wrong(
        "weight-transposed",
        "You used the weight of W_o the wrong way round: `nn.Linear` multiplies by the transpose.",
        {"out": lambda self, merged: _turned(self.W_o, merged)},
        _LINEAR,
    ),
    Wrong(
        "bias-missing",
        "You left out the bias of W_o.",
        {"out": lambda self, merged: _plain(self.W_o, merged)},
        _LINEAR,
    ),
    Wrong(
        "value-weight-reused",
        "Your last projection uses W_v; it has a layer of its own.",
        {"out": lambda self, merged: self.W_v(merged)},
        _NO_LAYER,
        alone=True,
    ),
    Wrong(
        "output-projected-twice",
        "You applied W_o twice.",
        {"out": lambda self, merged: self.W_o(self.W_o(merged))},
        "How often does `self.W_o` appear, and inside which loop?",
        alone=True,
    ),
    Wrong(
        "extra-nonlinearity",
        "You set the negative numbers of the output to 0; W_o is the last step.",
        {"out": lambda self, merged: F.relu(self.W_o(merged))},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "softmax-again",
        "You took a softmax of the output; W_o is the last step.",
        {"out": lambda self, merged: torch.softmax(self.W_o(merged), dim=-1)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "extra-layernorm",
        "You normalised the output; that is the work of the block around the attention.",
        {"out": lambda self, merged: F.layer_norm(self.W_o(merged), merged.shape[-1:])},
        "Which step comes after W_o?",
        alone=True,
    ),
)


def _give(make: Callable) -> dict[str, Callable]:
    return {"give": lambda self, output, weights, hidden, scores: make(output, weights)}


RETURNS = (
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _give(lambda o, w: (o, w.mean(dim=1))),
        "The weights have shape (B, h, n_q, n_k).",
    ),
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads and gave every head the same; return its own for each head.",
        _give(lambda o, w: (o, w.mean(dim=1, keepdim=True).expand_as(w))),
        "The weights have shape (B, h, n_q, n_k).",
        alone=True,
    ),
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _give(lambda o, w: (o, w.mean(dim=1, keepdim=True))),
        "The weights have shape (B, h, n_q, n_k).",
        alone=True,
    ),
    Wrong(
        "heads-summed",
        "You added up the weights of all heads; return them for each head.",
        _give(lambda o, w: (o, w.sum(dim=1))),
        "The weights have shape (B, h, n_q, n_k).",
        alone=True,
    ),
    *(
        Wrong(
            "first-head-only",
            f"You returned the weights of the {which} head alone; return them for each head.",
            _give(lambda o, w, i=i: (o, w[:, i])),
            "The weights have shape (B, h, n_q, n_k).",
            alone=True,
        )
        for which, i in (("first", 0), ("last", -1))
    ),
    Wrong(
        "batch-folded-into-heads",
        "Your weights have batch and heads in one axis; they should have the shape (B, h, n_q, n_k).",
        _give(lambda o, w: (o, w.flatten(0, 1))),
        "Which step brings the batch axis back?",
        alone=True,
    ),
    Wrong(
        "axes-out-of-order",
        "Your weights have the heads behind the queries; they should have the shape (B, h, n_q, n_k).",
        _give(lambda o, w: (o, w.transpose(1, 2))),
        _RETURN,
        alone=True,
    ),
    Wrong(
        "weights-transposed",
        "You returned the weights turned round: a row belongs to a query, a column to a key.",
        _give(lambda o, w: (o, w.transpose(-2, -1))),
        _RETURN,
        alone=True,
    ),
    Wrong(
        "one-output-missing",
        "You returned the output alone; the exercise asks for the output and the weights.",
        _give(lambda o, w: o),
        "`return a, b` makes a tuple.",
    ),
    Wrong(
        "one-output-missing",
        "You returned the weights alone; the exercise asks for the output and the weights.",
        _give(lambda o, w: w),
        "`return a, b` makes a tuple.",
        alone=True,
    ),
    Wrong(
        "one-output-missing",
        "In place of the weights you returned None; the exercise asks for the output and the weights.",
        _give(lambda o, w: (o, None)),
        _RETURN,
        alone=True,
    ),
    Wrong(
        "one-output-too-many",
        "You returned the scores besides; the exercise asks for the output and the weights.",
        {"give": lambda self, o, w, hidden, scores: (o, w, hidden)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "wrong-order",
        "You returned the weights first; the output comes first.",
        _give(lambda o, w: (w, o)),
        _RETURN,
    ),
    Wrong(
        "returns-scores-for-weights",
        "You returned the scores; the exercise asks for the weights, after the softmax.",
        {"give": lambda self, o, w, hidden, scores: (o, hidden)},
        _RETURN,
    ),
    Wrong(
        "returns-scores-for-weights",
        "You returned the scores; the exercise asks for the weights, after the softmax.",
        {"give": lambda self, o, w, hidden, scores: (o, scores)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "returns-scores-for-weights",
        "You returned the scores before they are scaled; the exercise asks for the weights, after the softmax.",
        {"give": lambda self, o, w, hidden, scores: (o, scores * self.d_head**0.5)},
        _RETURN,
        alone=True,
    ),
    Wrong(
        "returns-weights-before-mask",
        "The weights you returned know nothing of the mask.",
        {"give": lambda self, o, w, hidden, scores: (o, torch.softmax(scores, dim=-1))},
        _RETURN,
        alone=True,
    ),
    *_either_way(
        Wrong(
            "no-softmax",
            "You mixed with the scores, though you computed and returned the weights.",
            {
                "softmax": lambda self, x: x,
                "give": lambda self, o, w, hidden, scores: (
                    o,
                    torch.softmax(hidden, dim=-1).nan_to_num(nan=0.0),
                ),
            },
            "Which array meets the values?",
            alone=True,
        )
    ),
    Wrong(
        "returns-none",
        "Your `forward` ends without a `return`.",
        _give(lambda o, w: None),
        "Every way through `forward` should end in a `return`.",
        alone=True,
    ),
    Wrong(
        "gradient-cut",
        "You returned NumPy arrays: no gradient flows back through them, so nothing could be learned.",
        _give(lambda o, w: (o.detach().numpy(), w.detach().numpy())),
        _WAY_BACK,
        alone=True,
    ),
    Wrong(
        "returns-list",
        "You returned a list; `return a, b` makes a tuple.",
        _give(lambda o, w: [o, w]),
        _RETURN,
        alone=True,
    ),
    Wrong(
        "returns-dict",
        "You returned a dict; `return a, b` makes a tuple.",
        _give(lambda o, w: {"output": o, "weights": w}),
        _RETURN,
        alone=True,
    ),
    Wrong(
        "extra-residual",
        "You added the query to the output; that is the work of the block around the attention.",
        {"finish": lambda self, output, query: query + output},
        "Which step comes after W_o?",
    ),
)


def _cut(says: str, **steps: Callable) -> Wrong:
    return Wrong("gradient-cut", f"The numbers are right, but {says}", steps, _WAY_BACK, alone=True)


def _twice(x: Any) -> Any:
    """The same numbers with the gradient doubled."""
    return 2 * x - x.detach()


GRADIENTS = (
    Wrong(
        "gradient-cut",
        "The numbers are right, but the gradient does not flow back, so nothing could be learned.",
        _give(lambda o, w: (o.detach(), w.detach())),
        _WAY_BACK,
    ),
    Wrong(
        "gradient-cut",
        "The weights that mix are cut off: what the output asks of W_q and W_k never reaches them.",
        {"mix": lambda self, w, V: w.detach() @ V},
        _WAY_BACK,
    ),
    Wrong(
        "gradient-cut",
        "The scores are cut off: no gradient reaches W_q and W_k.",
        {"flow": lambda self, Q, K, V: (Q.detach(), K.detach(), V)},
        _WAY_BACK,
    ),
    _cut("no gradient reaches W_q: the queries are cut off.", flow=lambda self, Q, K, V: (Q.detach(), K, V)),
    _cut("no gradient reaches W_k: the keys are cut off.", flow=lambda self, Q, K, V: (Q, K.detach(), V)),
    _cut("no gradient reaches W_v: the values are cut off.", flow=lambda self, Q, K, V: (Q, K, V.detach())),
    _cut(
        "no gradient reaches W_q, W_k and W_v: their results are cut off.",
        flow=lambda self, *parts: tuple(part.detach() for part in parts),
    ),
    _cut(
        "no gradient comes back through W_o: only W_o itself could learn from the output.",
        out=lambda self, merged: self.W_o(merged.detach()),
    ),
    _cut("your output is cut off: no gradient comes back from it.", **_give(lambda o, w: (o.detach(), w))),
    _cut(
        "the weights you return are cut off: no gradient comes back from them.",
        **_give(lambda o, w: (o, w.detach())),
    ),
    _cut("no gradient reaches the weight of W_q.", project=_each(_frozen, None, None)),
    _cut("no gradient reaches the weight of W_k.", project=_each(None, _frozen, None)),
    _cut("no gradient reaches the weight of W_v.", project=_each(None, None, _frozen)),
    _cut("no gradient reaches the weights of W_q, W_k and W_v.", project=_each(_frozen, _frozen, _frozen)),
    _cut("no gradient reaches the weight of W_o.", out=lambda self, merged: _frozen(self.W_o, merged)),
    _cut(
        "no gradient reaches the inputs: a layer before this one could not learn.",
        project=lambda self, *inputs: _Steps.project(self, *(x.detach() for x in inputs)),
    ),
    *(
        Wrong(
            "gradient-doubled",
            f"The numbers are right, but the gradient of {name} counts twice.",
            steps,
            "Is something added up twice, and taken away again without its gradient?",
            alone=True,
        )
        for name, steps in (
            ("the queries", {"flow": lambda self, Q, K, V: (_twice(Q), K, V)}),
            ("the keys", {"flow": lambda self, Q, K, V: (Q, _twice(K), V)}),
            ("the values", {"flow": lambda self, Q, K, V: (Q, K, _twice(V))}),
            ("the output", _give(lambda o, w: (_twice(o), w))),
            ("output and weights", _give(lambda o, w: (_twice(o), _twice(w)))),
        )
    ),
    *(
        Wrong(
            "blocked-row-nan-gradient",
            "The numbers are right, but a query with no allowed key makes the gradients NaN: on the way there is a NaN that you replace afterwards.",
            steps,
            "Give such a row scores that make no NaN in the first place, and set its weights to 0.",
            alone=True,
        )
        for steps in (
            {"hide": lambda self, s, m: s + torch.zeros_like(s).masked_fill(~m, -torch.inf)},
            {
                "hide": lambda self, s, m: s + torch.zeros_like(s).masked_fill(~m, -torch.inf),
                "after": _without_nan,
            },
            {
                "hide": lambda self, s, m: torch.exp(s - s.amax(-1, keepdim=True)) * m,
                "softmax": lambda self, parts: parts / parts.sum(-1, keepdim=True),
                "after": _without_nan,
            },
        )
    ),
)


class _WithoutBias(_Steps):
    light = None

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))


def _sharing(**names: str) -> type:
    """A module in which one layer has a second name."""

    class Shared(_Steps):
        light = None

        def __init__(self, d_model: int, num_heads: int) -> None:
            super().__init__(d_model, num_heads)
            for name, other in names.items():
                setattr(self, name, getattr(self, other))

    return Shared


class _LastMask(_Steps):
    """Keeps a mask and uses it where none is given."""

    light = kept = None

    def mask(self, allowed: Any, scores: Any) -> Any:
        self.kept = self.kept if allowed is None else allowed
        return self.kept


class _FirstMask(_Steps):
    light = kept = None

    def mask(self, allowed: Any, scores: Any) -> Any:
        self.kept = allowed if self.kept is None else self.kept
        return self.kept


_KEPT = "What do you keep in `self` during `forward`?"

CLASSES = (
    Mistake(
        "bias-missing",
        "Your layers have no bias; here they should.",
        _WithoutBias,
        "`nn.Linear(d_model, d_model)` has a bias unless you say otherwise.",
    ),
    Mistake(
        "query-weight-reused",
        "W_q and W_k are one and the same layer; they must be learned apart.",
        _sharing(W_k="W_q"),
        "How many `nn.Linear(...)` calls are there in your `__init__`?",
    ),
    Mistake(
        "key-weight-reused",
        "W_k and W_v are one and the same layer; they must be learned apart.",
        _sharing(W_v="W_k"),
        "How many `nn.Linear(...)` calls are there in your `__init__`?",
    ),
    Mistake(
        "query-weight-reused",
        "W_q, W_k and W_v are one and the same layer; they must be learned apart.",
        _sharing(W_k="W_q", W_v="W_q"),
        "How many `nn.Linear(...)` calls are there in your `__init__`?",
    ),
    Mistake(
        "query-weight-reused",
        "All four layers are one and the same; they must be learned apart.",
        _sharing(W_k="W_q", W_v="W_q", W_o="W_q"),
        "How many layers does `[nn.Linear(...)] * 4` make?",
    ),
    Mistake(
        "state-between-calls",
        "Without a mask you use the one of an earlier call.",
        _LastMask,
        _KEPT,
    ),
    Mistake(
        "state-between-calls",
        "You keep the mask of the first call and use it for ever.",
        _FirstMask,
        _KEPT,
    ),
)

MISTAKES = (
    *as_mistakes(
        _with,
        (
            *PROJECTIONS,
            *ASSUMPTIONS,
            *SPLITS,
            *SCORES,
            *SCALES,
            *MASKS,
            *SOFTMAXES,
            *MIXES,
            *OUTS,
            *RETURNS,
            *GRADIENTS,
        ),
    ),
    *CLASSES,
)
