"""What people get wrong in `TransformerBlock`: norms and sums in other places, and whole wrong blocks."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F

from helpers.exercises.wrong.rows import mistakes, paired, rows

Tensor = torch.Tensor
Leaf = Mapping[str, Tensor]


class Light:
    """A wrong block without PyTorch's machinery: a function of weights, heads, tokens and mask."""

    def __init__(self, forward: Callable[[Leaf, int, Tensor, Tensor | None], Any]) -> None:
        self.forward = forward

    def __call__(self, leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Any:
        """What the block returns."""
        return self.forward(leaf, h, x, allowed)


def linear(leaf: Leaf, x: Tensor, layer: str) -> Tensor:
    """A linear layer by its name."""
    return F.linear(x, leaf[f"{layer}.weight"], leaf[f"{layer}.bias"])


def norm(leaf: Leaf, x: Tensor, layer: str) -> Tensor:
    """A LayerNorm by its name."""
    return F.layer_norm(x, x.shape[-1:], leaf[f"{layer}.weight"], leaf[f"{layer}.bias"])


def attend(leaf: Leaf, h: int, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None) -> Tensor:
    """Multi-head attention; a query with no allowed key gets the bias of W_o alone."""
    Q, K, V = (
        linear(leaf, x, f"attention.W_{one}").unflatten(-1, (h, -1)).transpose(1, 2)
        for one, x in zip("qkv", (query, key, value), strict=True)
    )
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return linear(leaf, (weights @ V).transpose(1, 2).flatten(2), "attention.W_o")


def feed(leaf: Leaf, x: Tensor) -> Tensor:
    """Linear, GELU, linear."""
    return linear(leaf, F.gelu(linear(leaf, x, "feed_forward.0")), "feed_forward.2")


def variant(
    *,
    norm_1: Callable = lambda leaf, x: norm(leaf, x, "norm_1"),
    norm_2: Callable = lambda leaf, x: norm(leaf, x, "norm_2"),
    qkv: Callable = lambda normed, x: (normed, normed, normed),
    mask: Callable = lambda allowed: allowed,
    add_1: Callable = lambda x, attended, normed: x + attended,
    second: Callable = lambda x, middle: middle,
    feed: Callable = feed,
    add_2: Callable = lambda x, middle, fed, normed: middle + fed,
    result: Callable = lambda out, middle: out,
) -> Light:
    """A block with some of its steps replaced by wrong ones."""

    def forward(leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Any:
        normed = norm_1(leaf, x)
        middle = add_1(x, attend(leaf, h, *qkv(normed, x), mask(allowed)), normed)
        normed_2 = norm_2(leaf, second(x, middle))
        return result(add_2(x, middle, feed(leaf, normed_2), normed_2), middle)

    return Light(forward)


def _post_norm(leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Tensor:
    x = norm(leaf, x + attend(leaf, h, x, x, x, allowed), "norm_1")
    return norm(leaf, x + feed(leaf, x), "norm_2")


def _norm_of_part(leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Tensor:
    x = x + norm(leaf, attend(leaf, h, x, x, x, allowed), "norm_1")
    return x + norm(leaf, feed(leaf, x), "norm_2")


def _feed_first(leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Tensor:
    x = x + feed(leaf, norm(leaf, x, "norm_2"))
    normed = norm(leaf, x, "norm_1")
    return x + attend(leaf, h, normed, normed, normed, allowed)


def _feed_first_with_norms_in_order(leaf: Leaf, h: int, x: Tensor, allowed: Tensor | None) -> Tensor:
    x = x + feed(leaf, norm(leaf, x, "norm_1"))
    normed = norm(leaf, x, "norm_2")
    return x + attend(leaf, h, normed, normed, normed, allowed)


def _plain(leaf: Leaf, x: Tensor) -> Tensor:
    return x


def _without_scale(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])


def _by_hand(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def _norms(change: Callable[[Tensor, Tensor, Tensor], Tensor]) -> list[dict[str, Callable]]:
    """Both norms done in another way, and each alone: `change(x, weight, bias)`."""

    def step(layer: str) -> Callable:
        return lambda leaf, x: change(x, leaf[f"{layer}.weight"], leaf[f"{layer}.bias"])

    both = {layer: step(layer) for layer in ("norm_1", "norm_2")}
    return [both, *({layer: one} for layer, one in both.items())]


def _with_eps(eps: float) -> list[dict[str, Callable]]:
    return _norms(lambda x, weight, bias: F.layer_norm(x, x.shape[-1:], weight, bias, eps))


def _over(*axes: int) -> list[dict[str, Callable]]:
    """A norm over other axes than the last."""

    def change(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        spread = (x.var(axes, keepdim=True, correction=0) + 1e-5).sqrt()
        return (x - x.mean(axes, keepdim=True)) / spread * weight + bias

    return _norms(change)


def _by_one_fewer(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * weight + bias


def _twice(first: str, second: str) -> Callable:
    return lambda leaf, x: norm(leaf, norm(leaf, x, first), second)


def _bent(function: Callable[[Tensor], Tensor]) -> dict[str, Callable]:
    """The step `feed` with another function between its layers."""
    return {
        "feed": lambda leaf, x: linear(leaf, function(linear(leaf, x, "feed_forward.0")), "feed_forward.2")
    }


_EACH = "What should be in the sum: what went into the half, and what came out of its work?"
_NORMS = "Read your `forward`: which norm stands before the attention, and which before feed_forward?"
_OVER = "Over which axis does a LayerNorm take its mean: features, tokens or batch?"
_RESULT = "What stands behind `return`?"
_MASK = "Where does `allowed` appear in your `forward`, and is anything done to it?"
_WAY_BACK = "Look for `detach`, `.data`, `no_grad` or a trip through NumPy: there the way back is cut."

MISTAKES = mistakes(
    variant,
    *rows(
        "post-norm: You normalise after each sum, as the first transformer did; here the norm comes before the work, and the sum stays as it is.",
        "What does `norm_1` get: x, or a sum?",
        Light(_post_norm),
        "norm-after-work: You normalise what attention and feed_forward return; the norm comes before them.",
        "What does `norm_1` get: x, or what attention returns?",
        Light(_norm_of_part),
        "residual-missing: Nothing is added back: both halves replace x instead of adding to it.",
        _EACH,
        paired(add_1=lambda x, a, n: a, add_2=lambda x, m, f, n: f),
        "residual-missing: The first half replaces x by what attention returns; it should be added to x.",
        _EACH,
        paired(add_1=lambda x, a, n: a),
        "residual-missing: The second half replaces x by what feed_forward returns; it should be added.",
        _EACH,
        paired(add_2=lambda x, m, f, n: f),
        "residual-from-normalised: You add to the normalised tokens; add to those that went into the half, before the norm.",
        "Does the name `x` still hold what came in when you add to it?",
        paired(add_1=lambda x, a, n: n + a),
        paired(add_2=lambda x, m, f, n: n + f),
        {"add_1": lambda x, a, n: n + a, "add_2": lambda x, m, f, n: n + f},
        "residual-from-input: The second half adds to the block's input, so what attention found is lost on the way around.",
        "What has the first half returned, and where is it added?",
        paired(add_2=lambda x, m, f, n: x + f),
        "residual-twice: In the first half x is added twice.",
        _EACH,
        {"add_1": lambda x, a, n: 2 * x + a},
        "residual-twice: In the second half the sum of the first is added twice.",
        _EACH,
        {"add_2": lambda x, m, f, n: 2 * m + f},
        "residual-twice: You add the block's input once more at the end.",
        _EACH,
        {"add_2": lambda x, m, f, n: x + m + f},
        "norm-missing: Your attention gets x as it is; norm_1 is never used.",
        _NORMS,
        paired(norm_1=_plain),
        "norm-missing: Your feed_forward gets its tokens as they are; norm_2 is never used.",
        _NORMS,
        paired(norm_2=_plain),
        "norm-missing: Neither of your norms is used.",
        _NORMS,
        {"norm_1": _plain, "norm_2": _plain},
        "norm-reused: You use norm_1 in both halves; the second has norm_2.",
        _NORMS,
        paired(norm_2=lambda leaf, x: norm(leaf, x, "norm_1")),
        "norm-reused: You use norm_2 in both halves; the first has norm_1.",
        _NORMS,
        paired(norm_1=lambda leaf, x: norm(leaf, x, "norm_2")),
        "norms-swapped: You use norm_2 in the first half and norm_1 in the second.",
        _NORMS,
        {
            "norm_1": lambda leaf, x: norm(leaf, x, "norm_2"),
            "norm_2": lambda leaf, x: norm(leaf, x, "norm_1"),
        },
        "norm-without-scale: You normalise, but the weight and bias that the norm learns are not used.",
        "Call the layer: `self.norm_1(x)` scales and shifts as well.",
        {"norm_1": lambda leaf, x: _without_scale(x), "norm_2": lambda leaf, x: _without_scale(x)},
        {"norm_1": lambda leaf, x: _without_scale(x)},
        {"norm_2": lambda leaf, x: _without_scale(x)},
        "norm-without-scale: Your norm divides by a spread over d_model - 1, and the weight and bias that the norm learns are not used.",
        "Call the layer: `self.norm_1(x)` divides by the spread over d_model, scales and shifts.",
        {"norm_1": lambda leaf, x: _by_hand(x), "norm_2": lambda leaf, x: _by_hand(x)},
        "wrong-norm: Your norm runs over the tokens of a sequence; it should run over the d_model numbers of each token.",
        _OVER,
        *_over(1),
        "wrong-norm: Your norm runs over the batch; it should run over the d_model numbers of each token.",
        _OVER,
        *_over(0),
        "wrong-norm: Your norm runs over a whole sequence, tokens and features together; each token has a norm of its own.",
        _OVER,
        *_over(1, 2),
        "wrong-norm: Your norm runs over batch and tokens together, as in a BatchNorm; it should run over the d_model numbers of each token.",
        _OVER,
        *_over(0, 1),
        "wrong-norm: Your norm divides by a spread over d_model - 1; in a LayerNorm it is over d_model.",
        "What does `correction`, or `unbiased`, say to `var` and `std`?",
        *_norms(_by_one_fewer),
        *_norms(lambda x, weight, bias: _by_hand(x) * weight + bias),
        "wrong-epsilon: Your norm adds another small number to the variance than `nn.LayerNorm(d_model)` does, which adds 1e-5, or it adds none.",
        "Look for `eps`. Tokens that are nearly constant show it.",
        *(row for eps in (0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-3, 0.01) for row in _with_eps(eps)),
        "norm-twice: What the attention gets went through a norm twice; once is enough.",
        _NORMS,
        {"norm_1": _twice("norm_1", "norm_1")},
        {"norm_1": _twice("norm_1", "norm_2")},
        {"norm_1": _twice("norm_2", "norm_1")},
        "norm-twice: What your feed_forward gets went through a norm twice; once is enough.",
        _NORMS,
        {"norm_2": _twice("norm_2", "norm_2")},
        {"norm_2": _twice("norm_1", "norm_2")},
        {"norm_2": _twice("norm_2", "norm_1")},
        "norm-twice: In both halves the tokens go through a norm twice; once is enough.",
        _NORMS,
        {"norm_1": _twice("norm_1", "norm_1"), "norm_2": _twice("norm_2", "norm_2")},
        "norm-missing: Only the queries are normalised; keys and values come from x as it is.",
        "With which three arguments do you call the attention?",
        {"qkv": lambda n, x: (n, x, x)},
        "norm-missing: Only queries and keys are normalised; the values come from x as it is.",
        "With which three arguments do you call the attention?",
        {"qkv": lambda n, x: (n, n, x)},
        "norm-missing: Only keys and values are normalised; the queries come from x as it is.",
        "With which three arguments do you call the attention?",
        {"qkv": lambda n, x: (x, n, n)},
        "extra-layernorm: You normalise once more at the end; the sum should leave the block as it is.",
        _RESULT,
        {"result": lambda out, m: _without_scale(out)},
        Light(lambda leaf, h, x, allowed: norm(leaf, variant()(leaf, h, x, allowed), "norm_2")),
        Light(lambda leaf, h, x, allowed: norm(leaf, variant()(leaf, h, x, allowed), "norm_1")),
        "parallel-halves: Your feed_forward works on the block's input; it should work on what the first half returns.",
        "What does `norm_2` get?",
        paired(second=lambda x, m: x),
        "parallel-halves: Your feed_forward works on the tokens that norm_1 made; it should work on what the first half returns.",
        "What does `norm_2` get?",
        {"second": lambda x, m: x, "norm_2": lambda leaf, x: norm(leaf, x, "norm_1")},
        "parallel-halves: Your norm_2 works on the tokens that norm_1 made; it should work on what the first half returns.",
        "What does `norm_2` get?",
        {"second": lambda x, m: x, "norm_2": lambda leaf, x: norm(leaf, norm(leaf, x, "norm_1"), "norm_2")},
        "halves-swapped: Your feed_forward comes first and attention second; it is the other way round.",
        "Which half does a token need others for?",
        Light(_feed_first),
        Light(_feed_first_with_norms_in_order),
        "mask-ignored: Your attention knows nothing of the mask.",
        _MASK,
        paired(mask=lambda allowed: None),
        "mask-inverted: You turn the mask round: True means that a query may look.",
        _MASK,
        {"mask": lambda allowed: None if allowed is None else ~allowed},
        "mask-always-causal: You use a causal mask of your own, whatever mask is given.",
        _MASK,
        Light(
            lambda leaf, h, x, allowed: variant()(
                leaf, h, x, torch.ones(x.shape[1], x.shape[1], dtype=bool).tril()
            )
        ),
        "mask-always-causal: Without a mask you use a causal one; without a mask every token sees every other.",
        _MASK,
        Light(
            lambda leaf, h, x, allowed: variant()(
                leaf,
                h,
                x,
                torch.ones(x.shape[1], x.shape[1], dtype=bool).tril() if allowed is None else allowed,
            )
        ),
        "state-between-calls: The first mask that your block is given is used in its later calls too.",
        "Which attribute of your block outlives a call?",
        Light(lambda leaf, h, x, allowed: variant()(leaf, h, x, torch.arange(x.shape[1]) < 1)),
        "first-batch-only: What attention finds for the first sequence is added to all of them.",
        "The attention returns a pair. What does each `[0]` behind it take?",
        {"add_1": lambda x, a, n: x + a[0]},
        "attention-missing: Attention has no part in your result.",
        "Which layer does not appear in `forward`?",
        {"add_1": lambda x, a, n: x},
        "feed-forward-missing: You return what the first half made; feed_forward has no part in it.",
        "Which layer does not appear in `forward`?",
        {"add_2": lambda x, m, f, n: m},
        "wrong-nonlinearity: Between the layers of feed_forward you have an approximation of GELU; take it as it is, `nn.GELU()`.",
        "Look for `approximate`.",
        _bent(lambda x: F.gelu(x, approximate="tanh")),
        _bent(lambda x: x * torch.sigmoid(1.702 * x)),
        "wrong-nonlinearity: Between the layers of feed_forward you have ReLU; it should be GELU.",
        "Which function does the task name?",
        _bent(F.relu),
        "nonlinearity-missing: Nothing bends the numbers between the two layers of feed_forward, so they are one linear layer.",
        "Call feed_forward as a whole: it applies all three.",
        _bent(lambda x: x),
        "extra-nonlinearity: You apply GELU to the output; the sum should leave the block as it is.",
        _RESULT,
        {"result": lambda out, m: F.gelu(out)},
        "extra-nonlinearity: You set the negative numbers of the output to 0; the sum should leave the block as it is.",
        _RESULT,
        {"result": lambda out, m: F.relu(out)},
        "pair-not-unpacked: Your attention returns a pair, the output and the weights; only the output is added to x.",
        "What does the attention of unit 06 return, and how do you take the first of two?",
        {"add_1": lambda x, a, n: operator.add(x, (a, None))},
        {"add_1": lambda x, a, n: operator.add((a, None), x)},
        "returns-tuple: You return a tuple; the block returns its tokens alone.",
        _RESULT,
        {"result": lambda out, m: (out, None)},
        "shape-flattened: The numbers are right, but an axis is gone: a batch of one is still a batch.",
        "Which step removes axes of size 1?",
        {"result": lambda out, m: out.squeeze(0)},
        {"result": lambda out, m: out.squeeze()},
        "returns-none: Your `forward` ends without a `return`.",
        _RESULT,
        {"result": lambda out, m: None},
        "gradient-cut: The numbers are right, but the gradient does not flow back, so nothing could be learned.",
        _WAY_BACK,
        {"result": lambda out, m: out.detach()},
        "gradient-cut: The numbers are right, but no gradient reaches the attention.",
        _WAY_BACK,
        {"add_1": lambda x, a, n: x + a.detach()},
        "gradient-cut: The numbers are right, but no gradient reaches the feed-forward part.",
        _WAY_BACK,
        {"add_2": lambda x, m, f, n: m + f.detach()},
        "gradient-cut: The numbers are right, but no gradient takes the way around the first half.",
        _WAY_BACK,
        {"add_1": lambda x, a, n: x.detach() + a},
        "gradient-cut: The numbers are right, but no gradient takes the way around the second half.",
        _WAY_BACK,
        {"add_2": lambda x, m, f, n: m.detach() + f},
    ),
)
