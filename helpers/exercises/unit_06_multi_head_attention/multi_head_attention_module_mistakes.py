"""What people get wrong in the module `MultiHeadAttention`: a right one with one step replaced."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.unit_05_softmax.masked_softmax import in_torch_masked


def blocked_softmax(scores: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    """Softmax over seen keys with finite gradients: a blocked row gets weight 0 and gradient 0."""
    some = seen.any(-1, keepdim=True)
    return in_torch_masked(scores, seen | ~some) * some


class _Module(nn.Module):
    """A right answer in steps; each mistake below replaces one of them."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.d_model, self.h = d_model, num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query: Any, key: Any, value: Any, allowed: Any = None) -> Any:
        Q, K, V = (self.split(part) for part in self.project(query, key, value))
        scores = Q @ K.transpose(-2, -1) / self.scale(Q)
        weights = self.weigh(scores, allowed)
        return self.finish(self.merge(weights @ V), weights)

    def project(self, query: Any, key: Any, value: Any) -> Any:
        return self.W_q(query), self.W_k(key), self.W_v(value)

    def split(self, x: Any) -> Any:
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def scale(self, Q: Any) -> float:
        return Q.shape[-1] ** 0.5

    def weigh(self, scores: Any, allowed: Any) -> Any:
        seen = torch.ones((), dtype=torch.bool) if allowed is None else allowed
        return blocked_softmax(scores, seen.expand(scores.shape))

    def merge(self, H: Any) -> Any:
        return H.transpose(1, 2).flatten(2)

    def finish(self, merged: Any, weights: Any) -> Any:
        return self.W_o(merged), weights


@replaceable
def _with(**steps: Callable) -> type:
    return type("Wrong", (_Module,), steps)


def _softmax_where(hidden: float) -> Callable:
    def weigh(self: Any, scores: Any, allowed: Any) -> Any:
        return torch.softmax(scores if allowed is None else scores.masked_fill(~allowed, hidden), dim=-1)

    return weigh


def _init(make: Callable[[int], nn.Module]) -> type:
    class Wrong(_Module):
        def __init__(self, d_model: int, num_heads: int) -> None:
            super().__init__(d_model, num_heads)
            self.W_q, self.W_k, self.W_v, self.W_o = (make(d_model) for _ in range(4))

    return Wrong


MISTAKES = (
    Mistake(
        "no-scaling",
        "You did not divide the scores, so your weights are too sharp.",
        _with(scale=lambda self, Q: 1.0),
        "Divide by the root of the width of a head.",
    ),
    Mistake(
        "scaled-by-sqrt-d_model",
        "You divided by the root of d_model; a head is only d_head wide.",
        _with(scale=lambda self, Q: self.d_model**0.5),
        "How many products does one score of one head add up?",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by the width of a head; it should be its square root.",
        _with(scale=lambda self, Q: Q.shape[-1]),
        "Compare with `scaled_scores` of unit 03.",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of tokens; it should be the root of d_head.",
        _with(scale=lambda self, Q: Q.shape[-2] ** 0.5),
        "Which size does the spread of a score grow with?",
    ),
    Mistake(
        "heads-split-by-reshape",
        "Your heads were cut by a plain reshape, which deals out tokens, not channels.",
        _with(split=lambda self, x: x.reshape(x.shape[0], self.h, x.shape[1], -1)),
        "Cut the last axis first, then bring the heads before the tokens.",
    ),
    Mistake(
        "heads-interleaved",
        "You gave every h-th channel to a head; a head takes consecutive channels.",
        _with(split=lambda self, x: x.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)),
        "In which order do h and d_head stand when you cut the last axis?",
    ),
    Mistake(
        "heads-merged-without-transpose",
        "You joined the heads without swapping tokens and heads back, so tokens mix.",
        _with(merge=lambda self, H: H.reshape(H.shape[0], H.shape[2], -1)),
        "Which two axes did you swap when splitting?",
    ),
    Mistake(
        "no-output-projection",
        "The last projection is missing: W_o is never used.",
        _with(finish=lambda self, merged, weights: (merged, weights)),
        "Which layer does not appear in `forward`?",
    ),
    Mistake(
        "query-used-for-all",
        "You projected the query three times; keys and values come from `key` and `value`.",
        _with(project=lambda self, q, k, v: (self.W_q(q), self.W_k(q), self.W_v(q))),
        "Do `key` and `value` appear in your code?",
    ),
    Mistake(
        "keys-for-values",
        "Your values come from `key`; they should come from `value`.",
        _with(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k), self.W_v(k))),
        "Does `value` appear in your code?",
    ),
    Mistake(
        "key-and-value-swapped",
        "Key and value have changed places.",
        _with(project=lambda self, q, k, v: (self.W_q(q), self.W_k(v), self.W_v(k))),
        "Which input meets W_k?",
    ),
    Mistake(
        "cross-attention-reversed",
        "Query and key have changed places: the query asks, key and value answer.",
        _with(project=lambda self, q, k, v: (self.W_q(k), self.W_k(q), self.W_v(q))),
        "How many rows should the output have: n_q or n_k?",
    ),
    Mistake(
        "value-not-projected",
        "Your values are the tokens themselves; W_v is missing.",
        _with(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k), v)),
        "Which layer does not appear in `forward`?",
    ),
    Mistake(
        "key-weight-reused",
        "Your values use W_k; each projection has its own layer.",
        _with(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k), self.W_k(v))),
        "Read the line that makes V once more.",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns: you normalised over queries.",
        _with(
            weigh=lambda self, s, a: torch.softmax(
                s if a is None else s.masked_fill(~a, float("-inf")), dim=-2
            ).nan_to_num()
        ),
        "Which axis runs over the keys?",
    ),
    Mistake(
        "softmax-over-heads",
        "Your weights sum to 1 over the heads.",
        _with(
            weigh=lambda self, s, a: torch.softmax(
                s if a is None else s.masked_fill(~a, float("-inf")), dim=1
            ).nan_to_num()
        ),
        "Which axis runs over the keys?",
    ),
    Mistake(
        "no-softmax",
        "You mixed with the scores themselves; the softmax is missing.",
        _with(weigh=lambda self, s, a: s if a is None else s.masked_fill(~a, 0.0)),
        "What should the weights of a row sum to?",
    ),
    Mistake(
        "blocked-row-nan",
        "A query with no allowed key gives NaN; its weights should be 0.",
        _with(weigh=_softmax_where(float("-inf"))),
        "What does softmax make of a row of -inf?",
    ),
    Mistake(
        "blocked-row-uniform",
        "A query with no allowed key gets equal weights; it should get none.",
        _with(weigh=_softmax_where(-1e9)),
        "With -1e9 everywhere, all scores are equal again.",
    ),
    Mistake(
        "mask-inverted",
        "You hid what is allowed: True means 'may look'.",
        _with(weigh=lambda self, s, a: _Module.weigh(self, s, None if a is None else ~a)),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-ignored",
        "The mask does nothing: `masked_fill` returns a new tensor, and an unused one is lost.",
        _with(weigh=lambda self, s, a: torch.softmax(s, dim=-1)),
        "What happens to `allowed` in your code?",
    ),
    Mistake(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        _with(weigh=lambda self, s, a: torch.softmax(s, -1) if a is None else torch.softmax(s, -1) * a),
        "Mask the scores.",
    ),
    Mistake(
        "mask-multiplied",
        "You multiplied the scores by the mask; a score of 0 still has the exponential 1.",
        _with(weigh=lambda self, s, a: torch.softmax(s if a is None else s * a, dim=-1)),
        "Which score has the exponential 0?",
    ),
    Mistake(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _with(finish=lambda self, merged, weights: (self.W_o(merged), weights.mean(dim=1))),
        "The weights have shape (B, h, n_q, n_k).",
    ),
    Mistake(
        "one-output-missing",
        "You returned the output alone; the exercise asks for the output and the weights.",
        _with(finish=lambda self, merged, weights: self.W_o(merged)),
        "`return a, b` makes a tuple.",
    ),
    Mistake(
        "gradient-cut",
        "The numbers are right, but the gradient does not flow back, so nothing could be learned.",
        _with(finish=lambda self, merged, weights: (self.W_o(merged.detach()), weights.detach())),
        "Look for `detach`, `.data`, `no_grad` or a trip through NumPy.",
    ),
    Mistake(
        "bias-missing",
        "Your layers have no bias; here they should.",
        _init(lambda d: nn.Linear(d, d, bias=False)),
        "`nn.Linear(d_model, d_model)` has a bias unless you say otherwise.",
    ),
    Mistake(
        "heads-ignored",
        "You never split: this is one head as wide as the model.",
        _with(split=lambda self, x: x[:, None]),
        "Where does num_heads come in?",
    ),
)
