"""What people get wrong in the module `MultiHeadAttention`: a right one with some steps replaced."""

from collections.abc import Callable, Mapping
from operator import call
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import at_full_shape, attend, causal, hide
from helpers.exercises.wrong.rows import (
    also,
    as_in,
    filled,
    mistakes,
    only,
    paired,
    reworded,
    rows,
    said,
    without,
)

Tensor = torch.Tensor


def made(how: Callable = call, at: str = "qkv", layers: str = "qkv", inputs: str = "qkv") -> dict[str, Any]:
    """The step that makes Q, K and V.

    Args:
        how: applies a layer to an input, where it is not called.
        at: which of the three are made so.
        layers: by which layers they are made.
        inputs: from which inputs.
    """

    def project(module: Any, *given: Tensor) -> tuple[Tensor, ...]:
        return tuple(
            (how if one in at else call)(getattr(module, f"W_{layer}"), given["qkv".index(x)])
            for one, layer, x in zip("qkv", layers, inputs, strict=True)
        )

    return {"project": project}


def project(module: Any, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
    """Queries, keys and values, not yet split."""
    return module.W_q(query), module.W_k(key), module.W_v(value)


def split(x: Tensor, h: int) -> Tensor:
    """Channels dealt out to heads: `(B, h, n, d_head)`."""
    return x.unflatten(-1, (h, -1)).transpose(1, 2)


def merge(H: Tensor) -> Tensor:
    """Heads side by side: `(B, n, d_model)`."""
    return H.transpose(1, 2).flatten(2)


def zero_where_blocked(weights: Tensor, allowed: Tensor | None) -> Tensor:
    """Weights with 0 in the rows of queries that may look at no key."""
    return weights if allowed is None else weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)


RIGHT = {
    "project": project,
    "split": split,
    "flow": lambda Q, K, V: (Q, K, V),
    "softmax": lambda hidden: torch.softmax(hidden, dim=-1),
    "blocked": zero_where_blocked,
    "merge": merge,
    "out": lambda module, merged: module.W_o(merged),
    "finish": lambda output, query: output,
    "result": lambda found: (found.output, found.weights),
}
"""The steps around `attend`, whose own steps may be replaced as well."""


class _Steps(nn.Module):
    """A right answer in steps; the mistakes below replace one or more of them."""

    do = SimpleNamespace(**RIGHT)
    attending: Mapping[str, Callable] = {}
    bias = True

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.h, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, self.bias) for _ in range(4))

    @classmethod
    def light(cls, num_heads: int, weights: Mapping[str, Tensor]) -> "_Steps":
        """The same without PyTorch's machinery, which takes most of the time where hundreds are compared."""
        module = cls.__new__(cls)
        vars(module).update({f"W_{x}": _Layer(weights, f"W_{x}") for x in "qkvo"})
        vars(module).update(h=num_heads, d_head=len(weights["W_o.bias"]) // num_heads)
        return module

    def forward(self, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Any:
        do = self.do
        Q, K, V = do.flow(*(do.split(x, self.h) for x in do.project(self, query, key, value)))
        right = {
            "scale": lambda Q, K, V: self.d_head**0.5,
            "softmax": lambda hidden: do.blocked(do.softmax(hidden), allowed),
        }
        found = attend(Q, K, V, allowed, **(right | self.attending))
        found.output = do.finish(do.out(self, do.merge(found.output)), query)
        return do.result(found)


class _Layer:
    """Does what an `nn.Linear` does, and is made in no time."""

    def __init__(self, weights: Mapping[str, Tensor], name: str) -> None:
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]

    def __call__(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias)


def light_form(answer: Any) -> Callable[..., _Steps] | None:
    """What makes a light module of a known mistake; `None` where there is none, as for a learner's class."""
    return answer.light if isinstance(answer, type) and issubclass(answer, _Steps) else None


def variant(**steps: Callable) -> type:
    """The module with some of its steps replaced by wrong ones."""
    own = {name: steps.pop(name, right) for name, right in RIGHT.items()}
    return type("Wrong", (_Steps,), {"do": SimpleNamespace(**own), "attending": steps})


def as_it_is(x: Any, *_: Any) -> Any:
    """Wrong: a step that is left out."""
    return x


def without_nan(weights: Tensor, allowed: Tensor | None) -> Tensor:
    """Blocked rows found by their NaN, not by the mask."""
    return weights.nan_to_num(nan=0.0)


def zero_where_hidden(weights: Tensor, allowed: Tensor | None) -> Tensor:
    """Weights with 0 for all hidden keys, as if the scores had not been hidden."""
    return weights if allowed is None else weights.masked_fill(~allowed, 0.0)


def _shares_of_allowed(parts: Tensor, allowed: Tensor | None, *_: Tensor) -> Tensor:
    return F.normalize(parts if allowed is None else parts * allowed, p=1, dim=-1)


def either_way(table: tuple, way: Callable = as_it_is) -> tuple:
    """Mistakes that make no NaN or remove it: blocked rows set to 0, and treated in another way.

    Where there is no NaN nobody thinks of blocked rows, so the other way is the same mistake, not one more.
    """
    return (*table, *also(table, pairs=False, blocked=way))


_SAME_LAYER = "Read the three lines that make Q, K and V: which layer meets which input?"
_SAME_INPUT = "Which of `query`, `key` and `value` does each layer meet?"
_NO_LAYER = "Which layer does not appear in `forward`?"
_LINEAR = "An `nn.Linear` knows how to apply itself: call it."
_TURNED = "weight-transposed: You used the weight of {} the wrong way round: `nn.Linear` multiplies by the transpose."
_CUT = "Cut the last axis first, then bring the heads before the tokens."
_KEY_AXIS = "Which axis runs over the keys?"
_WHICH_MASK = "Which mask do your scores really meet? Print it beside `allowed`."
_EXPONENTIAL_0 = "Which score has the exponential 0?"
_NO_MASK = "What should happen when `allowed` is None?"
_RETURN = "Look at your `return` line."
_SIDE_BY_SIDE = (
    "The heads stand side by side: which axes become one, and in which order must they stand before?"
)
_WAY_BACK = "Look for `detach`, `.data`, `no_grad`, `item` or a trip through NumPy."


def _plain(layer: Any, x: Tensor) -> Tensor:
    return F.linear(x, layer.weight)


def _turned(layer: Any, x: Tensor) -> Tensor:
    return x @ layer.weight + layer.bias


def _turned_plain(layer: Any, x: Tensor) -> Tensor:
    return x @ layer.weight


def _frozen(layer: Any, x: Tensor) -> Tensor:
    return F.linear(x, layer.weight.detach(), layer.bias)


def _out(how: Callable) -> dict[str, Any]:
    """The last projection, applied in another way."""
    return {"out": lambda module, merged: how(module.W_o, merged)}


PROJECTIONS = rows(
    "query-used-for-all: You projected the query three times; keys and values come from `key` and `value`.",
    "Do `key` and `value` appear in your code?",
    paired(**made(inputs="qqq")),
    "query-used-for-all: Your keys come from `query`; they should come from `key`.",
    _SAME_INPUT,
    made(inputs="qqv"),
    "query-used-for-all: Your values come from `query`; they should come from `value`.",
    made(inputs="qkq"),
    "query-not-used: `query` is not used: your queries come from `key`.",
    made(inputs="kkv"),
    made(inputs="kkk"),
    "query-not-used: `query` is not used: your queries come from `value`.",
    made(inputs="vkv"),
    made(inputs="vvv"),
    "keys-for-values: Your values come from `key`; they should come from `value`.",
    "Does `value` appear in your code?",
    paired(**made(inputs="qkk")),
    "keys-for-values: Your keys come from `value`; they should come from `key`.",
    "Does `key` appear in your code?",
    made(inputs="qvv"),
    "key-and-value-swapped: Key and value have changed places.",
    "Which input meets W_k?",
    paired(**made(inputs="qvk")),
    "key-and-value-swapped: The layers W_k and W_v have changed places.",
    _SAME_LAYER,
    made(layers="qvk"),
    "cross-attention-reversed: Query and key have changed places, and your values come from `query`: the query asks, key and value answer.",
    "How many rows should the output have: n_q or n_k?",
    made(inputs="kqq"),
    "cross-attention-reversed: Query and key have changed places: the query asks, key and value answer.",
    paired(**made(inputs="kqv")),
    "query-and-key-swapped: The layers W_q and W_k have changed places.",
    _SAME_LAYER,
    made(layers="kqv"),
    "value-not-projected: Your values are the tokens themselves; W_v is missing.",
    _NO_LAYER,
    paired(**made(lambda layer, x: x, "v")),
    "attributes-not-used: Your queries are the tokens themselves; W_q is missing.",
    made(lambda layer, x: x, "q"),
    "attributes-not-used: Your keys are the tokens themselves; W_k is missing.",
    made(lambda layer, x: x, "k"),
    "attributes-not-used: Queries, keys and values are the tokens themselves; W_q, W_k and W_v are missing.",
    made(lambda layer, x: x),
    "key-weight-reused: Your values use W_k; each projection has its own layer.",
    _SAME_LAYER,
    paired(**made(layers="qkk")),
    "key-weight-reused: Your queries use W_k; each projection has its own layer.",
    made(layers="kkv"),
    "query-weight-reused: Your keys use W_q; each projection has its own layer.",
    paired(**made(layers="qqv")),
    "query-weight-reused: Your values use W_q; each projection has its own layer.",
    made(layers="qkq"),
    "query-weight-reused: You used W_q three times; keys and values have layers of their own.",
    made(layers="qqq"),
    "value-weight-reused: Your keys use W_v; each projection has its own layer.",
    made(layers="qvv"),
    "chained-projections: You projected the queries again to get keys, and these to get values; each starts from its own input.",
    _SAME_INPUT,
    {"project": lambda m, q, k, v: (Q := m.W_q(q), K := m.W_k(Q), m.W_v(K))},
    "chained-projections: You projected the keys again to get values; values start from `value`.",
    {"project": lambda m, q, k, v: (m.W_q(q), K := m.W_k(k), m.W_v(K))},
    *filled(_TURNED, _LINEAR, {f"W_{x}": made(_turned, x) for x in "qkv"}),
    _TURNED.format("W_q, W_k and W_v"),
    paired(**made(_turned)),
    *filled(
        "weight-transposed: You multiplied by the weights of {} as they are stored; `nn.Linear` multiplies by the transpose, and adds a bias.",
        _LINEAR,
        {
            "W_q, W_k and W_v": made(_turned_plain),
            "all four layers": made(_turned_plain) | _out(_turned_plain),
        },
    ),
    "weight-transposed: You used all weights the wrong way round: `nn.Linear` multiplies by the transpose.",
    made(_turned) | _out(_turned),
    *filled(
        "bias-missing: You left out the bias of {}.",
        _LINEAR,
        {"W_q": made(_plain, "q"), "W_v": made(_plain, "v"), "W_q, W_k and W_v": made(_plain)},
    ),
    "bias-missing: You left out every bias.",
    made(_plain) | _out(_plain),
    "extra-nonlinearity: You cut off the negative numbers of queries, keys and values; the projections are linear.",
    "What stands between a layer and the heads?",
    made(lambda layer, x: F.relu(layer(x))),
    "extra-nonlinearity: You put a tanh over queries, keys and values; the projections are linear.",
    made(lambda layer, x: torch.tanh(layer(x))),
    "cross-attention-reversed: Query and value have changed places: the query asks, key and value answer.",
    _SAME_INPUT,
    made(inputs="vkq"),
    "cross-attention-reversed: Query, key and value have all changed places; they come in this order.",
    made(inputs="kvq"),
    made(inputs="vqk"),
    "batch-axis-for-tokens: You took the first axis for tokens and the second for sequences; here it is (B, n, d_model).",
    "Write the shape beside each line. Which axis is the batch?",
    made(lambda layer, x: layer(x.transpose(0, 1))),
    {
        "split": lambda x, h: x.unflatten(-1, (h, -1)).permute(1, 2, 0, 3),
        "merge": lambda H: H.permute(2, 0, 1, 3).flatten(2),
    },
)


def _dealt_out(which: str) -> Callable[..., tuple[Tensor, ...]]:
    """The step that makes Q, K and V, of which one is cut into heads by a reshape."""

    def wrong(module: Any, *inputs: Tensor) -> tuple[Tensor, ...]:
        made = project(module, *inputs)
        return tuple(
            merge(x.reshape(len(x), module.h, x.shape[1], -1)) if name == which else x
            for name, x in zip("qkv", made, strict=True)
        )

    return wrong


def _cut_to_queries(module: Any, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
    n = query.shape[1]
    return project(module, query, key[:, :n], value[:, :n])


def _as_long_as_query(module: Any, *given: Tensor) -> tuple[Tensor, ...]:
    n = given[0].shape[1]
    return tuple(x.reshape(len(x), n, module.h, module.d_head).flatten(2) for x in project(module, *given))


ASSUMPTIONS = rows(
    "square-only: You cut keys and values to the number of queries; there may be more keys than queries.",
    "Take the number of keys from `key`.",
    {"project": _cut_to_queries},
    "square-only: You took the number of tokens from the query, for keys and values too; there may be more or fewer of them.",
    {"project": _as_long_as_query},
    "square-only: You took the number of keys from the query, and the mask does not fit.",
    {"mask": lambda a, s: None if a is None else a.expand(*s.shape[:2], *s.shape[2:3] * 2)},
    "mask-required: You use `allowed` without asking whether there is one: it may be None.",
    _NO_MASK,
    {"mask": lambda a, s: False if a is None else a, "hide": lambda s, a: s.masked_fill(a == 0, -torch.inf)},
    {"mask": lambda a, s: (torch.where(a, s, s), a)[1]},
    {"mask": lambda a, s: ~~a},
    "square-only: You cut keys and values to the number of queries, and use `allowed` without asking whether there is one.",
    f"Take the number of keys from `key`. {_NO_MASK}",
    {"project": _cut_to_queries, "mask": lambda a, s: ~~a},
)


def _interleaved(x: Tensor, h: int) -> Tensor:
    return x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2)


def _merged_interleaved(H: Tensor) -> Tensor:
    return H.permute(0, 2, 3, 1).flatten(2)


def _root(Q: Tensor, *_: Tensor) -> float:
    return Q.shape[-1] ** 0.5


SPLITS = rows(
    "heads-split-by-reshape: Your heads were cut by a plain reshape, which deals out tokens, not channels.",
    _CUT,
    paired(split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1)),
    "heads-split-by-reshape+heads-merged-without-transpose: Your heads were cut and joined again by a plain reshape, which deals out tokens, not channels.",
    paired(
        split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
        merge=lambda H: H.reshape(H.shape[0], H.shape[2], -1),
    ),
    "heads-split-by-reshape: Your values, and only they, were cut into heads by a plain reshape, which deals out tokens, not channels.",
    {"project": _dealt_out("v")},
    "heads-split-by-reshape: Your queries, and only they, were cut into heads by a plain reshape, which deals out tokens, not channels.",
    {"project": _dealt_out("q")},
    "heads-split-by-reshape: Your heads were cut by a plain reshape, with batch and heads mixed up.",
    {"split": lambda x, h: x.reshape(h, *x.shape[:2], -1).transpose(0, 1)},
    "heads-interleaved: You gave every h-th channel to a head; a head takes consecutive channels.",
    "In which order do h and d_head stand when you cut the last axis?",
    paired(split=_interleaved),
    "heads-interleaved: You gave every h-th channel to a head, and put them back so; a head takes consecutive channels.",
    {"split": _interleaved, "merge": _merged_interleaved},
    "arguments-swapped: The number of heads and their width have changed places: you made d_head heads of width h.",
    {"split": lambda x, h: split(x, x.shape[-1] // h)},
    "heads-ignored: You never split: this is one head as wide as the model.",
    "Where does num_heads come in?",
    paired(split=lambda x, h: x[:, None]),
    "heads-ignored: You never split: this is one head as wide as the model, and its scores are divided by the root of d_model.",
    {"split": lambda x, h: x[:, None], "scale": _root},
    "heads-ignored: You never split: this is one head as wide as the model, and its weights lack the axis of the heads.",
    {"split": as_it_is, "scale": _root, "merge": as_it_is},
    "heads-ignored: You never split: one head as wide as the model, its weights repeated for each head.",
    {"split": lambda x, h: x[:, None].expand(-1, h, -1, -1), "scale": _root, "merge": lambda H: H[:, 0]},
    "heads-share-weights: Every head gets the first d_head channels; each has channels of its own.",
    "Which channels belong to head i?",
    {"split": lambda x, h: split(x, h)[:, :1].expand(-1, h, -1, -1)},
    "heads-share-weights: Head i starts at channel i in your code, so heads share channels; it should start at i * d_head.",
    {"split": lambda x, h: x.unfold(-1, x.shape[-1] // h, 1)[:, :, :h].transpose(1, 2)},
    "heads-out-of-order: Your heads stand in reverse order.",
    "Which channels belong to head 0?",
    {"split": lambda x, h: split(x, h).flip(1)},
    "heads-out-of-order: Your weights list the heads in reverse order.",
    {"split": lambda x, h: split(x, h).flip(1), "merge": lambda H: merge(H.flip(1))},
    "no-transpose: You never brought the heads before the tokens, so the heads of one token look at each other.",
    "The last two axes of a score are query and key. Which are they in yours?",
    {"split": lambda x, h: x.unflatten(-1, (h, -1)), "merge": lambda H: H.flatten(2)},
    "no-transpose: When splitting you did not bring the heads before the tokens, so heads and tokens are taken for each other.",
    {"split": lambda x, h: x.unflatten(-1, (h, -1))},
    "wrong-head-axis: Your heads stand before the batch; the axes should be (B, h, n, d_head).",
    "Where does the new axis go when you stack?",
    {"split": lambda x, h: torch.stack(x.chunk(h, -1)), "merge": lambda H: torch.cat([*H], -1)},
    *filled(
        "fixed-number-of-heads: You cut into {} heads whatever num_heads says.",
        "Where does num_heads come in?",
        {
            str(count): {
                "split": lambda x, h, count=count: x.reshape(
                    *x.shape[:2], count, x.shape[-1] // count
                ).transpose(1, 2),
                "scale": _root,
            }
            for count in (2, 4, 8)
        },
    ),
)


SCORES = rows(
    "keys-by-queries: Your scores have a row for each key; they should have one for each query.",
    "Which of the two stands first in the product?",
    {"score": lambda Q, K: K @ Q.mT},
    "one-matrix-twice: You compared the queries with each other; the keys have no part in your scores.",
    "Which two meet in a score?",
    {"score": lambda Q, K: Q @ Q.mT},
    "query-not-used: You compared the keys with each other; the queries have no part in your scores.",
    {"score": lambda Q, K: K @ K.mT},
    "no-transpose: You did not transpose K: a score needs the channels of a query beside those of a key.",
    "In `A @ B` the inner sizes must agree. Which ones are they here?",
    {"score": lambda Q, K: Q @ K},
    "reversed-all-axes: You turned round other axes of K than the last two.",
    "Which two axes of K must change places?",
    {"score": lambda Q, K: Q @ K.transpose(1, 2)},
    *as_in(attention.SCORES, "reversed-all-axes"),
    "Which method swaps two axes and leaves the others?",
    {"score": lambda Q, K: Q @ K.permute(3, 2, 1, 0)},
    *as_in(attention.SCORES, "cosine-instead-of-dot"),
    {"score": lambda Q, K: F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).mT},
    {"score": lambda Q, K: F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).mT, "scale": lambda *_: 1.0},
    *as_in(attention.SCORES, "distance-instead-of-similarity"),
    {"score": torch.cdist},
    *as_in(attention.SOFTMAXES, "extra-nonlinearity"),
    {"score": lambda Q, K: F.relu(Q @ K.mT)},
    "heads-summed: Your scores add up over all heads, as if Q and K were never cut, so all heads look at the same keys.",
    "Each head has scores of its own.",
    {"score": lambda Q, K: (Q @ K.mT).sum(1, keepdim=True).expand(-1, Q.shape[1], -1, -1)},
)

SCALES = rows(
    "scaled-up: You multiplied by the root of a head's width, which makes the weights sharper still.",
    "`* d ** 0.5` and `/ d ** -0.5` both multiply.",
    paired(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
    "scaled-by-sqrt-d_model: You divided by the root of d_model; a head is only d_head wide.",
    "How many products does one score of one head add up?",
    paired(scale=lambda Q, K, V: (Q.shape[1] * Q.shape[-1]) ** 0.5),
    "scaled-by-d_k: You divided by d_model; it should be the square root of a head's width.",
    "Compare with `scaled_scores` of unit 03: which size, and what is done to it?",
    {"scale": lambda Q, K, V: Q.shape[1] * Q.shape[-1]},
    "scaled-by-sqrt-n: You divided by the root of the number of queries; it should be the root of a head's width.",
    "Which size does the spread of a score grow with?",
    {"scale": lambda Q, K, V: Q.shape[-2] ** 0.5},
    "scaled-by-sqrt-heads: You divided by the root of the number of heads; it should be the root of a head's width.",
    "How many products does one score of one head add up?",
    {"scale": lambda Q, K, V: Q.shape[1] ** 0.5},
    "scaled-by-sqrt-heads: You divided by the number of heads; it should be the root of a head's width.",
    {"scale": lambda Q, K, V: Q.shape[1]},
    "truncates-to-int: You cut off the digits of the scores: `//` rounds down.",
    "Look for `//` beside the square root.",
    {"score": lambda Q, K: Q @ K.mT // Q.shape[-1] ** 0.5 * Q.shape[-1] ** 0.5},
)


def _if_any(allowed: Tensor | None) -> Tensor | None:
    return allowed if allowed is not None and allowed.any() else None


# a mask that is wrong, and scores that are hidden in a wrong way
WRONG_MASKS = rows(
    *as_in(attention.MASKS, "transposed-mask"),
    {"mask": lambda a, s: None if a is None else torch.atleast_2d(a).mT},
    {"mask": lambda a, s: None if a is None else a.transpose(-2, -1)},
    *as_in(attention.MASKS, "padding-on-queries"),
    {"mask": lambda a, s: a if a is None or a.shape[-2:-1] > (1,) else torch.atleast_2d(a).mT},
    "mask-first-head-only: Only the first head hides anything; the mask is for all heads.",
    "How does a mask of shape (n_q, n_k) meet scores of shape (B, h, n_q, n_k)?",
    {"hide": lambda s, a: torch.cat([hide(s, a)[:, :1], s[:, 1:]], dim=1)},
    "mask-first-head-only: The mask of the first head is used for all heads.",
    "A mask of shape (B, h, n_q, n_k) has a part for each head.",
    {"mask": lambda a, s: None if a is None else a.expand(s.shape)[:, :1]},
    "no-head-axis: You removed the axis of the heads from the mask, so its sequences line up with the heads.",
    "Broadcasting needs that axis of size 1.",
    {"mask": lambda a, s: None if a is None else a.squeeze(1) if a.ndim == 4 else a},
    "wrong-head-axis: You gave the mask one more axis; it already fits the scores by broadcasting.",
    _WHICH_MASK,
    {"mask": lambda a, s: None if a is None else a.unsqueeze(1)},
    "wrong-head-axis: You gave the mask two more axes; it already fits the scores by broadcasting.",
    {"mask": lambda a, s: None if a is None else a[:, None, None]},
)

WRONG_NUMBERS = rows(
    *as_in(attention.MASKS, "mask-value-sign: Hidden keys get a huge"),
    {"hide": lambda s, a: hide(s, a, 1e9)},
    "mask-value-sign: Hidden keys get a score of +inf or NaN, and one such score makes the whole row NaN.",
    _EXPONENTIAL_0,
    {"hide": lambda s, a: hide(s, a, torch.inf)},
    *as_in(attention.MASKS, "zero-times-inf: You made"),
    {"hide": lambda s, a: s + ~a * -torch.inf},
    *as_in(attention.MASKS, "mask-not-broadcast: You used"),
    "Which function broadcasts the mask for you? `torch.where` and `masked_fill` do.",
    {"hide": at_full_shape},
    "array-truth-value: You asked the mask for one True or False; a tensor of several has no such answer.",
    "You only want to know whether there is a mask: ask `is not None`.",
    paired(mask=lambda a, s: a or None),
    "minus-on-bool: You subtracted the mask; with booleans PyTorch wants `~`.",
    "Which sign turns True into False?",
    {"mask": lambda a, s: None if a is None else 1 - a},
    "minus-on-bool: You put a minus before the mask; with booleans PyTorch wants `~`.",
    {"mask": lambda a, s: None if a is None else -a},
)

MASKS = (
    *rows(
        *as_in(attention.MASKS, "mask-inverted"),
        paired(hide=lambda s, a: hide(s, ~a)),
        *({"hide": lambda s, a: hide(s, ~a), "blocked": way} for way in (without_nan, as_it_is)),
        *({"hide": lambda s, a: hide(s, ~a, -1e9), "blocked": way} for way in (zero_where_blocked, as_it_is)),
        "mask-inverted: You hid what is allowed, and set the other weights to 0: a query with a hidden key sees nothing.",
        "Fill scores where `allowed` is True, or where it is False?",
        *(
            {"hide": lambda s, a, low=low: hide(s, ~a, low), "blocked": zero_where_hidden}
            for low in (-torch.inf, -1e9)
        ),
        "mask-inverted: After the softmax you set the weights of allowed keys to 0; those of hidden keys are 0 already.",
        "Fill weights where `allowed` is True, or where it is False?",
        {"blocked": lambda w, a: w if a is None else zero_where_hidden(w, ~a)},
        *as_in(attention.MASKS, "mask-ignored: The mask"),
        "What happens to `allowed` in your code? `masked_fill` returns a new tensor, and an unused one is lost.",
        paired(hide=as_it_is, blocked=as_it_is),
        "result-dropped: Hidden keys keep their weight, though you take care of blocked rows: the masked scores never reach the softmax.",
        "`masked_fill` returns a new tensor. Is it the one you go on with?",
        {"hide": as_it_is},
        *as_in(attention.MASKS, "mask-ignored: You hide later"),
        {"mask": lambda a, s: causal(s), "blocked": as_it_is},
    ),
    *either_way(only(attention.MASKS, "causal-by-default"), without_nan),
    *either_way(WRONG_MASKS, without_nan),
    *either_way(
        only(attention.MASKS, "first-batch-only", "only-first-row", "no-head-axis", "diagonal-hidden"),
        without_nan,
    ),
    *either_way(
        only(attention.MASKS, "mask-multiplied", "mask-added", "mask-value-too-small", "zero-as-sentinel")
    ),
    *either_way(WRONG_NUMBERS),
    *rows(
        *as_in(attention.MASKS, "mask-after-softmax"),
        paired(hide=as_it_is, after=lambda w, a, Q: w if a is None else w * a),
        "mask-after-softmax: You hid the keys after the softmax with -inf; weights are hidden with 0, and best before the softmax.",
        {"hide": as_it_is, "after": lambda w, a, Q: w if a is None else hide(w, a)},
        *as_in(attention.MASKS, "nothing-allowed-as-no-mask"),
        {"mask": lambda a, s: _if_any(a), "blocked": lambda w, a: zero_where_blocked(w, _if_any(a))},
        "blocked-row-nan: A query with no allowed key gives NaN; its weights should be 0.",
        "What does softmax make of a row of -inf? And what is NaN times 0?",
        paired(blocked=as_it_is),
        "blocked-row-nan: A query with no allowed key has an output without NaN, but its weights are NaN.",
        "Where does the NaN arise first?",
        {"blocked": as_it_is, "mix": lambda w, V, K: w.nan_to_num() @ V},
    ),
    *also(only(attention.MASKS, "blocked-row-left-open"), blocked=as_it_is),
    *rows(
        *as_in(attention.MASKS, "blocked-row-uniform: A query with no allowed key gets"),
        paired(hide=lambda s, a: hide(s, a, -1e9), blocked=as_it_is),
        "blocked-row-zeroes-all: One query with no allowed key, and all weights become 0.",
        "Which rows should become 0?",
        {"blocked": lambda w, a: w if a is None or a.any(-1).all() else torch.zeros_like(w)},
        "all-instead-of-any: Every query that may not look at all keys ends with weights of 0; one allowed key is enough.",
        "`all` or `any`: when is a row blocked? Or does hiding make a NaN that you replace by 0?",
        {"blocked": lambda w, a: w if a is None else w.masked_fill(~a.all(-1, keepdim=True), 0.0)},
        "blocked-row-without-bias: The output of a query with no allowed key is 0; W_o makes its bias of a row of zeros.",
        "What does a linear layer make of zeros?",
        {"result": lambda f: (f.output * (f.weights != 0).any(-1).any(1)[..., None], f.weights)},
    ),
)


# softmaxes that make NaN of blocked rows, and such as do not
WITH_NAN = rows(
    "softmax-over-batch: Your weights sum to 1 over the sequences of the batch, which have nothing to do with each other.",
    _KEY_AXIS,
    {"softmax": lambda x: torch.softmax(x, dim=0)},
    *as_in(attention.SOFTMAXES, "softmax-over-everything"),
    _KEY_AXIS,
    {"softmax": lambda x: torch.softmax(x.flatten(), dim=0).reshape(x.shape)},
    *as_in(attention.SOFTMAXES, "no-softmax: You mixed with the scores themselves; the softmax is missing."),
    paired(softmax=as_it_is),
    *as_in(attention.SOFTMAXES, "no-max-subtraction: Your"),
    "Use `torch.softmax`, or take away the maximum of each row.",
    paired(softmax=lambda x: x.exp() / x.exp().sum(-1, keepdim=True)),
    {"hide": as_it_is, "softmax": torch.exp, "blocked": as_it_is, "after": _shares_of_allowed},
    "softmax-over-everything: You divided by one sum for all queries; each query shares out 1 of its own.",
    _KEY_AXIS,
    {"softmax": lambda x: torch.softmax(x.flatten(-2), dim=-1).reshape(x.shape)},
    "softmax-over-everything: You divided by one sum for each head; each query shares out 1 of its own.",
    {"softmax": lambda x: x.exp() / x.exp().sum((0, 2, 3), keepdim=True)},
    *as_in(attention.SOFTMAXES, "keepdims-forgotten: Your sums"),
    {"softmax": lambda x: x.exp() / x.exp().sum(-1)},
    {"softmax": lambda x: (powers := torch.exp(x - x.amax(-1, keepdim=True))) / powers.sum(-1)},
    *as_in(attention.SOFTMAXES, "log-softmax"),
    {"softmax": lambda x: torch.log_softmax(x, dim=-1)},
    *as_in(attention.SOFTMAXES, "softmax-again"),
    {"softmax": lambda x: torch.softmax(torch.softmax(x, dim=-1), dim=-1)},
)

WITHOUT_NAN = rows(
    *as_in(attention.SOFTMAXES, "no-softmax: You mixed with the scores themselves, hidden"),
    {"softmax": as_it_is, "hide": lambda s, a: hide(s, a, 0.0)},
    *as_in(attention.SOFTMAXES, "sigmoid: You used a sigmoid: each"),
    {"softmax": torch.sigmoid},
    *as_in(attention.SOFTMAXES, "not-normalised: Your"),
    {"softmax": torch.exp},
    *as_in(attention.SOFTMAXES, "hard-lookup"),
    "What do you do with the scores of the keys that are not the best?",
    {"softmax": lambda x: F.one_hot(x.argmax(-1), x.shape[-1]).to(x.dtype)},
    *as_in(attention.SOFTMAXES, "weights-ignored: Every query gets the same"),
    {"softmax": lambda x: torch.full_like(x, 1 / x.shape[-1])},
    "no-softmax: You mixed with the scores, though you computed and returned the weights.",
    "Which array meets the values?",
    {
        "softmax": as_it_is,
        "result": lambda f: (f.output, torch.softmax(f.hidden, dim=-1).nan_to_num(nan=0.0)),
    },
)

OVER = rows(
    *as_in(attention.SOFTMAXES, "softmax-over-queries"),
    paired(softmax=lambda x: torch.softmax(x, dim=-2)),
    "softmax-over-heads: Your weights sum to 1 over the heads; each head has its own row of weights.",
    paired(softmax=lambda x: torch.softmax(x, dim=1)),
)


def _rest_is_zero(H: Tensor) -> Tensor:
    return torch.cat([H[:, :-1], torch.zeros_like(H[:, -1:])], dim=1)


MIXES = rows(
    *as_in(attention.MIXES, "weights-transposed"),
    {"mix": lambda w, V, K: w.mT @ V},
    *as_in(attention.MIXES, "keys-for-values"),
    {"mix": lambda w, V, K: w @ K},
    "one-matrix-twice: You mixed the queries; the weights mix the values.",
    "Where does V appear in your code?",
    {"flow": lambda Q, K, V: (Q, K, Q)},
    "weights-ignored: Your weights have no part in the output: it is the plain average of all values.",
    "Do the weights reach the output?",
    {"mix": lambda w, V, K: V.mean(-2, keepdim=True).expand(*w.shape[:-1], -1)},
    "heads-averaged: Your output mixes with the average of all heads' weights; each head mixes its own channels in its own way.",
    "When may heads meet for the first time?",
    {"mix": lambda w, V, K: w.mean(1, keepdim=True) @ V},
    "heads-summed: Your output mixes with the sum of all heads' weights; each head mixes its own channels in its own way.",
    {"mix": lambda w, V, K: w.sum(1, keepdim=True) @ V},
    "heads-merged-without-transpose: You joined the heads without swapping tokens and heads back, so tokens mix.",
    "Which two axes did you swap when splitting?",
    paired(merge=lambda H: H.reshape(H.shape[0], H.shape[2], -1)),
    "heads-interleaved: You joined the heads channel by channel; each head's channels stay together.",
    "In which order do h and d_head stand before the two become one?",
    paired(merge=_merged_interleaved),
    "wrong-head-axis: When joining you swapped tokens and channels, not tokens and heads.",
    "Which two axes did you swap when splitting?",
    {"merge": lambda H: H.transpose(2, 3).reshape(H.shape[0], H.shape[2], -1)},
    "heads-out-of-order: You joined the heads in reverse order.",
    _SIDE_BY_SIDE,
    {"merge": lambda H: merge(H.flip(1))},
    "first-head-only: Only the first head reaches the output.",
    {"merge": lambda H: merge(H[:, :1].expand_as(H))},
    "heads-averaged: You averaged the heads; they should stand side by side.",
    {"merge": lambda H: merge(H.mean(1, keepdim=True).expand_as(H))},
    "last-left-out: The last head is left out.",
    "Where does your loop over the heads end?",
    {"merge": lambda H: merge(_rest_is_zero(H))},
    "last-left-out: The last head is left out: its weights stay 0.",
    {"after": lambda w, a, Q: _rest_is_zero(w)},
    "last-left-out: The last head is left out, so what you hand to W_o is not d_model wide.",
    {"merge": lambda H: merge(H[:, :-1])},
    "not-merged: What you hand to W_o is not d_model wide: the heads are not all joined side by side.",
    _SIDE_BY_SIDE,
    {"merge": as_it_is},
    {"merge": lambda H: H[:, -1]},
    "not-merged: You returned the heads as they are; joined side by side they still have to go through W_o.",
    {"merge": as_it_is, "out": lambda module, merged: merged},
    "view-after-transpose: After a transpose the numbers lie in another order than `view` can follow.",
    "Two other methods can: one copies where it must, one makes the numbers contiguous first.",
    {"merge": lambda H: H.transpose(1, 2).view(H.shape[0], H.shape[2], -1)},
)

OUTS = rows(
    "no-output-projection: The last projection is missing: W_o is never used.",
    _NO_LAYER,
    paired(out=lambda module, merged: merged),
    "heads-merged-without-transpose+mask-multiplied+no-output-projection: You joined the heads by a plain reshape, W_o is never used, and the mask multiplies the scores: hidden ones are 0, which is a score like any other.",
    "One at a time: which two axes did you swap when splitting, which layer does not appear in `forward`, and which score has the exponential 0?",
    {
        "merge": lambda H: H.reshape(H.shape[0], H.shape[2], -1),
        "out": lambda module, merged: merged,
        "hide": lambda scores, allowed: scores * allowed,
        "blocked": as_it_is,
    },
    _TURNED.format("W_o"),
    _LINEAR,
    paired(**_out(_turned)),
    "bias-missing: You left out the bias of W_o.",
    paired(**_out(_plain)),
    "value-weight-reused: Your last projection uses W_v; it has a layer of its own.",
    _NO_LAYER,
    {"out": lambda module, merged: module.W_v(merged)},
    "output-projected-twice: You applied W_o twice.",
    "How often does `self.W_o` appear, and inside which loop?",
    _out(lambda W_o, merged: W_o(W_o(merged))),
    "extra-nonlinearity: You set the negative numbers of the output to 0; W_o is the last step.",
    _RETURN,
    {"finish": lambda output, query: F.relu(output)},
    "softmax-again: You took a softmax of the output; W_o is the last step.",
    {"finish": lambda output, query: torch.softmax(output, dim=-1)},
    "extra-residual: You added the query to the output; that is the work of the block around the attention.",
    "Which step comes after W_o?",
    paired(finish=lambda output, query: query + output),
    "extra-residual: You added the query to the output and set negative numbers to 0; W_o is the last step.",
    {"finish": lambda output, query: F.relu(query + output)},
)

RETURNS = rows(
    "weights-averaged-over-heads: You averaged the weights over the heads; return them for each head.",
    "The weights have shape (B, h, n_q, n_k).",
    paired(result=lambda f: (f.output, f.weights.mean(1))),
    {"result": lambda f: (f.output, f.weights.mean(1, keepdim=True))},
    "weights-averaged-over-heads: You averaged the weights over the heads and gave every head the same; return its own for each head.",
    {"result": lambda f: (f.output, f.weights.mean(1, keepdim=True).expand_as(f.weights))},
    "heads-summed: You added up the weights of all heads; return them for each head.",
    {"result": lambda f: (f.output, f.weights.sum(1))},
    "first-head-only: You returned the weights of the first head alone; return them for each head.",
    {"result": lambda f: (f.output, f.weights[:, 0])},
    "first-head-only: You returned the weights of the last head alone; return them for each head.",
    {"result": lambda f: (f.output, f.weights[:, -1])},
    "batch-folded-into-heads: Your weights have batch and heads in one axis; they should have the shape (B, h, n_q, n_k).",
    "Which step brings the batch axis back?",
    {"result": lambda f: (f.output, f.weights.flatten(0, 1))},
    "axes-out-of-order: Your weights have the heads behind the queries; they should have the shape (B, h, n_q, n_k).",
    _RETURN,
    {"result": lambda f: (f.output, f.weights.transpose(1, 2))},
    "weights-transposed: You returned the weights turned round: a row belongs to a query, a column to a key.",
    {"result": lambda f: (f.output, f.weights.mT)},
    "one-output-missing: In place of the weights you returned None; the exercise asks for the output and the weights.",
    {"result": lambda f: (f.output, None)},
    "returns-scores-for-weights: You returned the scores before they are scaled; the exercise asks for the weights, after the softmax.",
    {"result": lambda f: (f.output, f.scores * (f.output.shape[-1] / f.scores.shape[1]) ** 0.5)},
    "returns-weights-before-mask: The weights you returned know nothing of the mask.",
    {"result": lambda f: (f.output, torch.softmax(f.scores, dim=-1))},
    "gradient-cut: You returned NumPy arrays: no gradient flows back through them, so nothing could be learned.",
    _WAY_BACK,
    {"result": lambda f: (f.output.detach().numpy(), f.weights.detach().numpy())},
    "one-output-too-many: You returned the scores besides; the exercise asks for the output and the weights.",
    _RETURN,
    {"result": lambda f: (f.output, f.weights, f.hidden)},
)

RESULTS = said(
    without(attention.RESULTS, "weights-transposed", "returns-weights-before-mask", "mask-after-softmax"),
    {
        "one-output-too-many": "You returned the scores besides; the exercise asks for the output and the weights.",
        "returns-scores-for-weights": "You returned the scores; the exercise asks for the weights, after the softmax.",
        "returns-none": "Your `forward` ends without a `return`.",
        "returns-list": "You returned a list; `return a, b` makes a tuple.",
        "returns-dict": "You returned a dict; `return a, b` makes a tuple.",
    },
)


def _twice(x: Tensor) -> Tensor:
    """The same numbers with the gradient doubled."""
    return 2 * x - x.detach()


def _zeros_and_inf(scores: Tensor, allowed: Tensor) -> Tensor:
    return scores + torch.zeros_like(scores).masked_fill(~allowed, -torch.inf)


GRADIENTS = rows(
    "gradient-cut: The numbers are right, but the gradient does not flow back, so nothing could be learned.",
    _WAY_BACK,
    paired(result=lambda f: (f.output.detach(), f.weights.detach())),
    "gradient-cut: The weights that mix are cut off: what the output asks of W_q and W_k never reaches them.",
    paired(mix=lambda w, V, K: w.detach() @ V),
    "gradient-cut: The scores are cut off: no gradient reaches W_q and W_k.",
    paired(flow=lambda Q, K, V: (Q.detach(), K.detach(), V)),
    "gradient-cut: The numbers are right, but no gradient reaches W_q: the queries are cut off.",
    {"flow": lambda Q, K, V: (Q.detach(), K, V)},
    "gradient-cut: The numbers are right, but no gradient reaches W_k: the keys are cut off.",
    {"flow": lambda Q, K, V: (Q, K.detach(), V)},
    "gradient-cut: The numbers are right, but no gradient reaches W_v: the values are cut off.",
    {"flow": lambda Q, K, V: (Q, K, V.detach())},
    "gradient-cut: The numbers are right, but no gradient reaches W_q, W_k and W_v: their results are cut off.",
    {"flow": lambda *parts: tuple(part.detach() for part in parts)},
    "gradient-cut: The numbers are right, but no gradient comes back through W_o: only W_o itself could learn from the output.",
    _out(lambda W_o, merged: W_o(merged.detach())),
    "gradient-cut: The numbers are right, but your output is cut off: no gradient comes back from it.",
    {"result": lambda f: (f.output.detach(), f.weights)},
    "gradient-cut: The numbers are right, but the weights you return are cut off: no gradient comes back from them.",
    {"result": lambda f: (f.output, f.weights.detach())},
    "gradient-cut: The numbers are right, but no gradient reaches the inputs: a layer before this one could not learn.",
    made(lambda layer, x: layer(x.detach())),
    *filled(
        "gradient-cut: The numbers are right, but no gradient reaches {}.",
        _WAY_BACK,
        {f"the weight of W_{x}": made(_frozen, x) for x in "qkv"}
        | {"the weights of W_q, W_k and W_v": made(_frozen), "the weight of W_o": _out(_frozen)},
    ),
    *filled(
        "gradient-doubled: The numbers are right, but the gradient of {} counts twice.",
        "Is something added up twice, and taken away again without its gradient?",
        {
            "the queries": {"flow": lambda Q, K, V: (_twice(Q), K, V)},
            "the keys": {"flow": lambda Q, K, V: (Q, _twice(K), V)},
            "the values": {"flow": lambda Q, K, V: (Q, K, _twice(V))},
            "the output": {"result": lambda f: (_twice(f.output), f.weights)},
            "output and weights": {"result": lambda f: (_twice(f.output), _twice(f.weights))},
        },
    ),
    "blocked-row-nan-gradient: The numbers are right, but a query with no allowed key makes the gradients NaN: on the way there is a NaN that you replace afterwards.",
    "Give such a row scores that make no NaN in the first place, and set its weights to 0.",
    {"hide": _zeros_and_inf},
    {"hide": _zeros_and_inf, "blocked": without_nan},
    {
        "hide": lambda s, a: torch.exp(s - s.amax(-1, keepdim=True)) * a,
        "softmax": lambda parts: parts / parts.sum(-1, keepdim=True),
        "blocked": without_nan,
    },
)


def _sharing(layers: str) -> type:
    """A module in which W_q, W_k, W_v and W_o are these layers."""

    class Shared(_Steps):
        light = None

        def __init__(self, d_model: int, num_heads: int) -> None:
            super().__init__(d_model, num_heads)
            for name, layer in zip("qkvo", layers, strict=True):
                setattr(self, f"W_{name}", getattr(self, f"W_{layer}"))

    return Shared


def _keeping(choose: Callable) -> type:
    """A module that keeps a mask, chosen from the one it has kept and the one that it gets."""

    class Keeping(_Steps):
        light = kept = None

        def forward(self, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Any:
            self.kept = choose(self.kept, allowed)
            return super().forward(query, key, value, self.kept)

    return Keeping


CLASSES = rows(
    "bias-missing: Your layers have no bias; here they should.",
    "`nn.Linear(d_model, d_model)` has a bias unless you say otherwise.",
    type("WithoutBias", (_Steps,), {"light": None, "bias": False}),
    "query-weight-reused: W_q and W_k are one and the same layer; they must be learned apart.",
    "How many `nn.Linear(...)` calls are there in your `__init__`?",
    _sharing("qqvo"),
    "key-weight-reused: W_k and W_v are one and the same layer; they must be learned apart.",
    _sharing("qkko"),
    "query-weight-reused: W_q, W_k and W_v are one and the same layer; they must be learned apart.",
    _sharing("qqqo"),
    "query-weight-reused: All four layers are one and the same; they must be learned apart.",
    "How many layers does `[nn.Linear(...)] * 4` make?",
    _sharing("qqqq"),
    "state-between-calls: Without a mask you use the one of an earlier call.",
    "What do you keep in `self` during `forward`?",
    _keeping(lambda kept, allowed: kept if allowed is None else allowed),
    "state-between-calls: You keep the mask of the first call and use it for ever.",
    _keeping(lambda kept, allowed: allowed if kept is None else kept),
)

MISTAKES = mistakes(
    variant,
    *(*PROJECTIONS, *ASSUMPTIONS, *SPLITS),
    *only(attention.SCORES, "reshape-instead-of-transpose", "sign-flipped"),
    *(*SCORES, *reworded(without(attention.SCALES, "scaled-up"), "a query", "a head"), *SCALES, *MASKS),
    *(*OVER, *also(OVER, blocked=without_nan), *either_way(WITH_NAN, without_nan), *either_way(WITHOUT_NAN)),
    *(*MIXES, *OUTS, *RETURNS, *RESULTS, *GRADIENTS, *CLASSES),
)
