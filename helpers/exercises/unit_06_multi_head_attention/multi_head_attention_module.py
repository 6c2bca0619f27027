"""Exercise `MultiHeadAttention`: the whole as a PyTorch module, gradients included."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.exercises import modules
from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.exercises.unit_05_softmax.masked_softmax import in_torch_masked

LAYERS = ("W_q", "W_k", "W_v", "W_o")
PARAMETERS = tuple(f"{layer}.{kind}" for layer in LAYERS for kind in ("weight", "bias"))
INPUTS = ("query", "key", "value")


def cases(draw: Draw) -> Iterator[Case]:
    """Cross-attention with all sizes different, masks, a blocked query, one head, B = h, the same tokens thrice."""
    for width in (np.float64, np.float32):
        n_q, n_k, b, h, d_head = draw.sizes(5)
        sizes = (b, n_q, n_k, h, d_head)
        says = f"B = {b}, n_q = {n_q}, n_k = {n_k}, {h} heads of width {d_head}, {width.__name__}"
        yield _case(draw, f"cross-attention ({says})", sizes, width)
        yield _case(draw, f"a mask for each pair ({says})", sizes, width, draw.mask(n_q, n_k))
    yield _case(draw, f"a mask of shape ({b}, 1, 1, {n_k})", sizes, np.float64, draw.mask(b, 1, 1, n_k))
    yield _case(draw, f"a mask of shape ({n_k},)", sizes, np.float64, draw.mask(n_k))
    blocked = np.array([[True, False, True], [False, False, False]])
    yield _case(draw, "a query with no allowed key", (2, 2, 3, 5, 2), np.float64, blocked)
    yield _case(draw, "one head", (2, 3, 5, 1, 4), np.float64)
    yield _case(draw, "B = n = h = d_head = 2", (2, 2, 2, 2, 2), np.float64, draw.mask(2, 1, 1, 2))
    yield _case(
        draw, "a causal mask over 5 tokens", (2, 5, 5, 3, 2), np.float64, np.tril(np.ones((5, 5), bool))
    )
    yield _case(draw, "tokens 100 times as long", (2, 3, 5, 2, 4), np.float64, scale=100)


def _case(
    draw: Draw,
    says: str,
    sizes: tuple[int, ...],
    width: type,
    allowed: np.ndarray | None = None,
    scale: float = 1.5,
) -> Case:
    b, n_q, n_k, h, d_head = sizes
    d = h * d_head
    args: dict[str, Any] = {"num_heads": h, "allowed": allowed}
    for name, n in zip(INPUTS, (n_q, n_k, n_k), strict=True):
        args[name] = draw.normal(b, n, d, dtype=width, scale=scale)
    for layer in LAYERS:
        args[f"{layer}.weight"] = draw.normal(d, d, dtype=width, scale=d**-0.5)
        args[f"{layer}.bias"] = draw.normal(d, dtype=width)
    args["upstream output"] = draw.normal(b, n_q, d, dtype=width)
    args["upstream weights"] = draw.normal(b, h, n_q, n_k, dtype=width)
    return Case(says, args)


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Results and gradients of the learner's module with the given weights."""
    module = modules.build(answer, args["query"].shape[-1], args["num_heads"])
    modules.load(module, {name: args[name] for name in PARAMETERS})
    inputs = {name: args[name] for name in (*INPUTS, "allowed") if args[name] is not None}
    # a first call with another mask: a module that remembers it shows in the second
    module(*(torch.from_numpy(args[name]) for name in INPUTS), torch.arange(args["key"].shape[1]) < 1)
    return modules.run(module, inputs, [args["upstream output"], args["upstream weights"]], PARAMETERS)


def oracle(*values: Any) -> dict[str, Any]:
    """`nn.MultiheadAttention` with the same weights, in double precision, and autograd.

    It answers a query with no allowed key with NaN, so such a case goes through `torch.softmax` and
    zeros instead.
    """
    names = (
        "num_heads",
        "allowed",
        *INPUTS,
        *(p for layer in LAYERS for p in (f"{layer}.weight", f"{layer}.bias")),
    )
    args = dict(zip((*names, "upstream output", "upstream weights"), values, strict=True))
    width = args["query"].dtype
    leaf = {
        name: torch.from_numpy(args[name].astype(np.float64)).requires_grad_()
        for name in (*INPUTS, *PARAMETERS)
    }
    results = _forward(leaf, args["num_heads"], args["allowed"])
    upstream = [
        torch.from_numpy(args[f"upstream {name}"].astype(np.float64)) for name in ("output", "weights")
    ]
    total = sum((result * up).sum() for result, up in zip(results, upstream, strict=True))
    order = (*PARAMETERS, *INPUTS)
    gradients = torch.autograd.grad(total, [leaf[name] for name in order])
    report = {"results": tuple(result.detach().numpy().astype(width) for result in results)}
    return report | {
        f"the gradient of {n}": g.numpy().astype(width) for n, g in zip(order, gradients, strict=True)
    }


def _forward(
    leaf: Mapping[str, torch.Tensor], h: int, allowed: np.ndarray | None
) -> tuple[torch.Tensor, torch.Tensor]:
    query, key, value = (leaf[name] for name in INPUTS)
    shape = (query.shape[0], h, query.shape[1], key.shape[1])
    seen = torch.ones(shape, dtype=torch.bool) if allowed is None else torch.from_numpy(allowed).expand(shape)
    if seen.any(-1).all():
        output, weights = nn.functional.multi_head_attention_forward(
            *(x.transpose(0, 1) for x in (query, key, value)),
            query.shape[-1],
            h,
            torch.cat([leaf["W_q.weight"], leaf["W_k.weight"], leaf["W_v.weight"]]),
            torch.cat([leaf["W_q.bias"], leaf["W_k.bias"], leaf["W_v.bias"]]),
            None,
            None,
            False,
            0.0,
            leaf["W_o.weight"],
            leaf["W_o.bias"],
            attn_mask=~seen.reshape(-1, *shape[2:]),
            average_attn_weights=False,
        )
        return output.transpose(0, 1), weights
    linear = nn.functional.linear
    Q, K, V = (
        linear(x, leaf[f"{layer}.weight"], leaf[f"{layer}.bias"]).unflatten(-1, (h, -1)).transpose(1, 2)
        for x, layer in zip((query, key, value), LAYERS, strict=False)
    )
    weights = blocked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, seen)
    return linear((weights @ V).transpose(1, 2).flatten(2), leaf["W_o.weight"], leaf["W_o.bias"]), weights


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


EXERCISE = Exercise(
    name="MultiHeadAttention",
    cases=cases,
    oracle=oracle,
    probe=probe,
    parts=("output", "weights"),
    tensors=True,
    whole_answer=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    hints=(
        "Which four layers does the module own, and which of them meets query, key, value, and the merged heads?",
        "Project each input with its own layer, split into heads, score, mask, softmax, mix, merge, project with W_o.",
        "In PyTorch: `unflatten` and `transpose` split, `masked_fill` hides, `torch.softmax(..., dim=-1)` weighs. "
        "Set the weights of a row with no allowed key to 0 without making NaN on the way.",
    ),
    mistakes=(
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
            "key-used-for-values",
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
            "direction-reversed",
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
            "weights-missing",
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
            "without-bias",
            "Your layers have no bias; here they should.",
            _init(lambda d: nn.Linear(d, d, bias=False)),
            "`nn.Linear(d_model, d_model)` has a bias unless you say otherwise.",
        ),
        Mistake(
            "one-head-only",
            "You never split: this is one head as wide as the model.",
            _with(split=lambda self, x: x[:, None]),
            "Where does num_heads come in?",
        ),
    ),
)
