"""What people get wrong in `bert_attention`: the steps of unit 06's module, and the eight weights mixed up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F

from helpers.exercises.unit_06_multi_head_attention import multi_head_attention_module_mistakes as module
from helpers.exercises.unit_06_multi_head_attention.multi_head_attention_module_mistakes import (
    either_way,
    made,
    without_nan,
)
from helpers.exercises.wrong import attention
from helpers.exercises.wrong.rows import (
    Row,
    also,
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
Weights = Mapping[str, Tensor]


def variant(
    *, weights: Callable[[Weights], Weights] = lambda given: given, **steps: Callable
) -> Callable[..., Any]:
    """The function with some of its steps replaced by wrong ones; they are those of the module of unit 06."""
    kind = module.variant(**steps)

    def answer(x: Tensor, given: Weights, num_heads: int, allowed: Tensor) -> Any:
        used = weights(given)
        layers = {f"W_{part}.weight": used[f"W_{part}"].T for part in "qkvo"}
        layers |= {f"W_{part}.bias": used[f"b_{part}"] for part in "qkvo"}
        return kind.light(num_heads, layers).forward(x, x, x, allowed)

    return answer


def _turned(parts: str) -> dict[str, Any]:
    """The weights of these parts the wrong way round."""
    return {"weights": lambda given: {**given, **{f"W_{one}": given[f"W_{one}"].T for one in parts}}}


def _without_bias(parts: str) -> dict[str, Any]:
    names = [f"b_{one}" for one in parts]
    return {"weights": lambda given: {**given, **{name: torch.zeros_like(given[name]) for name in names}}}


def _biases_as(parts: str) -> dict[str, Any]:
    """Each bias from another part."""
    pairs = dict(zip("qkvo", parts, strict=True))
    return {
        "weights": lambda given: {
            **given,
            **{f"b_{one}": given[f"b_{other}"] for one, other in pairs.items()},
        }
    }


def _bias_before(given: Weights) -> Weights:
    """Biases that were added to the input: they go through the weight then."""
    return {**given, **{f"b_{one}": given[f"b_{one}"] @ given[f"W_{one}"] for one in "qkv"}}


_TURN = "The dict holds weights (in, out): `x @ W + b`. Which way do `F.linear` and `.T` want them?"
_BIAS = "There are eight entries in `weights`. Which of them does your code never use?"
_WHICH = "Read the three lines that make Q, K and V: which weight, which bias?"

WEIGHTS = rows(
    "weight-transposed: You used all weights the wrong way round: here they are (in, out).",
    _TURN,
    paired(**_turned("qkvo")),
    *filled(
        "weight-transposed: You used {} the wrong way round: here a weight is (in, out).",
        _TURN,
        {
            "W_q, W_k and W_v": _turned("qkv"),
            **{f"W_{one}": _turned(one) for one in "qkvo"},
            "W_q and W_k": _turned("qk"),
        },
    ),
    *filled(
        "bias-missing: You left out {}.",
        _BIAS,
        {
            "every bias": paired(**_without_bias("qkvo")),
            "the biases of queries, keys and values": paired(**_without_bias("qkv")),
            "b_o, the bias of the last projection": paired(**_without_bias("o")),
            "b_q, the bias of the queries": _without_bias("q"),
            "b_v, the bias of the values": _without_bias("v"),
            "b_v and b_o": _without_bias("vo"),
            "b_q and b_o": _without_bias("qo"),
        },
    ),
    "bias-of-another-part: You added b_q to queries, keys and values; each has a bias of its own.",
    _WHICH,
    {"weights": lambda given: {**given, "b_k": given["b_q"], "b_v": given["b_q"]}},
    "bias-of-another-part: You added b_v to the queries, keys and values; each has a bias of its own.",
    _biases_as("vvvo"),
    "bias-of-another-part: The biases of keys and values have changed places.",
    _biases_as("qvko"),
    "bias-of-another-part: The biases of queries and values have changed places.",
    _biases_as("vkqo"),
    "bias-of-another-part: After the last projection you added b_v; it has the bias b_o.",
    _biases_as("qkvv"),
    "bias-before-weight: You added each bias before the weight was applied; it comes after.",
    "In `x @ W + b`, which comes first?",
    {"weights": _bias_before},
    "bias-missing: You subtracted the biases; they are added.",
    "Look for a minus sign.",
    {"weights": lambda given: {key: -one if key[0] == "b" else one for key, one in given.items()}},
    "own-value-only: Each token gets its own value alone, times the sum of its weights.",
    "Which axis do weights and values share in the mix: that of the queries, or of the keys?",
    {"mix": lambda w, V, K: w.sum(-1, keepdim=True) * V},
    "value-weight-reused: Your queries use W_v; each projection has its own weight.",
    _WHICH,
    made(layers="vkv"),
    "query-and-key-swapped: Queries and keys have changed places.",
    _WHICH,
    paired(**made(layers="kqv")),
    "key-and-value-swapped: Keys and values have changed places.",
    made(layers="qvk"),
    "query-and-value-swapped: Queries and values have changed places.",
    made(layers="vkq"),
    *filled(
        "{}",
        _BIAS,
        {
            "value-not-projected: Your values are the tokens themselves; W_v is missing.": made(
                lambda layer, x: x, "v"
            ),
            "key-not-projected: Your keys are the tokens themselves; W_k is missing.": made(
                lambda layer, x: x, "k"
            ),
            "query-not-projected: Your queries are the tokens themselves; W_q is missing.": made(
                lambda layer, x: x, "q"
            ),
            "not-projected: Queries, keys and values are the tokens themselves; W_q, W_k and W_v are missing.": made(
                lambda layer, x: x
            ),
        },
    ),
    "chained-projections: You projected the queries again to get keys, and these to get values; all three start from x.",
    "Which tensor stands on the left of each product?",
    {"project": lambda m, x, *_: (Q := m.W_q(x), K := m.W_k(Q), m.W_v(K))},
    "chained-projections: You projected the keys again to get values; all three start from x.",
    {"project": lambda m, x, *_: (m.W_q(x), K := m.W_k(x), m.W_v(K))},
    "extra-nonlinearity: You cut off the negative numbers of queries, keys and values; the projections are linear.",
    "What stands between a product and the heads?",
    made(lambda layer, x: F.relu(layer(x))),
    "extra-nonlinearity: You put a GELU over queries, keys and values; a BERT has it in the feed-forward part only.",
    made(lambda layer, x: F.gelu(layer(x))),
    "extra-layernorm: You normed the tokens before the projections; BERT norms after the attention, outside it.",
    "What does the task say of LayerNorm?",
    made(lambda layer, x: layer(F.layer_norm(x, x.shape[-1:]))),
    "fixed-number-of-heads: Your heads are 64 wide as those of larger models; here d_model and num_heads say how wide they are.",
    "Where does num_heads come in?",
    {"scale": lambda Q, K, V: 8.0},
    "fixed-number-of-heads: You divided by the root of 32, a head's width in this one model; the width of a head comes from the arrays.",
    "Which size divided by which gives the width of a head?",
    {"scale": lambda Q, K, V: 32**0.5},
    "fixed-number-of-heads: You cut into 12 heads whatever num_heads says.",
    "Where does num_heads come in?",
    {
        "split": lambda x, h: x.reshape(*x.shape[:2], 12, x.shape[-1] // 12).transpose(1, 2),
        "scale": lambda Q, K, V: Q.shape[-1] ** 0.5,
    },
)


def _weight_as(one: str, other: str) -> dict[str, Any]:
    """The weight of another part, with a bias of its own."""
    return {"weights": lambda given: {**given, f"W_{one}": given[f"W_{other}"]}}


def _as_padding(allowed: Tensor, _scores: Tensor) -> Tensor:
    return {2: allowed[:, None, None] if allowed.ndim == 2 else allowed, 3: allowed[:, None]}.get(
        allowed.ndim, allowed
    )


def _padding_of_two_axes(allowed: Tensor, _scores: Tensor) -> Tensor:
    return allowed[:, None, None] if allowed.ndim == 2 else allowed


def _of_one_maximum(*axes: int) -> dict[str, Callable]:
    def softmax(x: Tensor) -> Tensor:
        powers = torch.exp(x - (x.amax(axes, keepdim=True) if axes else x.max()))
        return powers / powers.sum(-1, keepdim=True)

    return {"softmax": softmax}


_WAYS = (module.zero_where_blocked, without_nan, module.as_it_is, module.zero_where_hidden)
LOW = (-1e4, -1e6)
_BELOW = "Which number is below every score?"

NUMBERS = rows(
    "mask-inverted: All your weights are 0: allowed keys lose theirs as well as hidden ones.",
    "Is something filled where `allowed` is True, or is `~` taken of whole numbers?",
    {"blocked": lambda w, a: torch.zeros_like(w)},
    "mask-taken-for-padding: A mask of two axes is padding, (B, n), in your code; here it tells of each query which keys it may see, (n, n).",
    "Axes of a mask line up with those of the scores from the right. Which axes have the scores?",
    {"mask": _as_padding, "blocked": without_nan},
    {"mask": _padding_of_two_axes, "blocked": without_nan},
    "mask-value-too-small: Your hidden keys get a score that real scores can lie below: they take weight, and once it is set to 0 a row sums to less than 1.",
    _BELOW,
    *(
        {"hide": lambda s, a, low=low: s.masked_fill(~a, low), "blocked": module.zero_where_hidden}
        for low in LOW
    ),
    *({"hide": lambda s, a, low=low: s + ~a * low, "blocked": module.zero_where_hidden} for low in LOW),
    "mask-value-too-small: Your hidden keys get a score that real scores can come near, so they may keep some weight.",
    _BELOW,
    {"hide": lambda s, a: s.masked_fill(~a, -1e6)},
    {"hide": lambda s, a: s + ~a * -1e6},
    {"hide": lambda s, a: s.masked_fill(~a, -1e6), "blocked": module.as_it_is},
    {"hide": lambda s, a: s + ~a * -1e6, "blocked": module.as_it_is},
    "global-max: You took away one maximum for several queries: a row far below it becomes 0 everywhere, and 0 / 0 gives NaN.",
    "Every row has a maximum of its own.",
    *(_of_one_maximum(*axes) | {"blocked": way} for axes in ((), (-2, -1), (1, 2, 3)) for way in _WAYS),
    "no-max-subtraction: You cut large scores off: cut off they are equal, and so are their weights.",
    "What may be taken away from all scores of a row without changing the weights?",
    *(
        {"hide": lambda s, a, k=k: s.clamp(-k, k).masked_fill(~a, -torch.inf), "blocked": without_nan}
        for k in (10, 20, 30, 50, 80, 88, 100)
    ),
    "half-precision: On their way to the weights your scores lose digits, as in bfloat16 or float16; they should keep the width of x.",
    "Which type of numbers has each step? Look for `half`, `bfloat16` or `autocast`.",
    *(
        {"softmax": lambda x, how=how, width=width: how(x, width), "blocked": without_nan}
        for width in (torch.bfloat16, torch.float16)
        for how in (
            lambda x, width: torch.softmax(x.to(width), -1).to(x.dtype),
            lambda x, width: torch.softmax(x.to(width).to(x.dtype), -1),
        )
    ),
    *filled(
        "{}; each projection has its own weight.",
        _WHICH,
        {
            "key-weight-reused: Your values use W_k": _weight_as("v", "k"),
            "query-weight-reused: Your values use W_q": _weight_as("v", "q"),
            "key-weight-reused: Your queries use W_k": _weight_as("q", "k"),
            "value-weight-reused: Your keys use W_v": _weight_as("k", "v"),
            "value-weight-reused: Your queries use W_v": _weight_as("q", "v"),
        },
    ),
    "bias-of-another-part: Your queries get b_k; they have a bias of their own, b_q.",
    _WHICH,
    _biases_as("kqvo"),
)

_NEVER = "Which of the eight entries of `weights` does your code never use?"
_HINTS = {
    "no-output-projection": _NEVER,
    "output-projected-twice": "How often does W_o appear, and inside which loop?",
    "value-weight-reused": _NEVER,
    "blocked-row-without-bias": "What does the last projection make of a row of zeros?",
    "nothing-allowed-as-no-mask": "Which condition on the mask do you ask for?",
    "returns-array": "Leave `.numpy()` out.",
}
_SAYS = {
    "value-weight-reused": "Your last projection uses W_v; it has a weight of its own, W_o.",
    "extra-layernorm": "You normed the output; that comes after the attention, outside it.",
    "returns-none": "Your function returns nothing (None).",
    "gradient-cut": "You returned NumPy arrays; this unit works with tensors.",
    "blocked-row-without-bias": "The output of a query with no allowed key is 0 in your code; the last projection makes b_o of it.",
}


def _here(table: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table in the words of a function, and of one x for queries, keys and values."""
    table = reworded(
        reworded(said(table, _SAYS), "the query to the output", "x to the output"), "a query", "a head"
    )
    ids = {"gradient-cut": "returns-array"}
    table = tuple(replace(row, id=ids.get(row.id, row.id)) for row in table)
    return tuple(replace(row, hint=_HINTS.get(row.id, row.hint)) for row in table)


_TWICE = "{} meet each other in your scores: either W_{} makes both queries and keys, or one of them stands twice in the product."
_SEEN = {
    "Your keys use W_q; each projection has its own weight.": _TWICE.format("Queries", "q"),
    "Your queries use W_k; each projection has its own weight.": _TWICE.format("Keys", "k"),
    "After the softmax you set the weights of allowed keys to 0; those of hidden keys are 0 already.": (
        "All your weights are 0: allowed keys lose theirs as well as hidden ones."
    ),
}
_SEEN_HINTS = {
    _TWICE.format(
        "Queries", "q"
    ): "Which weight makes the keys, and which two names stand in the product of the scores?",
    _TWICE.format(
        "Keys", "k"
    ): "Which weight makes the queries, and which two names stand in the product of the scores?",
    "All your weights are 0: allowed keys lose theirs as well as hidden ones.": (
        "Is something filled where `allowed` is True, or is `~` taken of whole numbers?"
    ),
}


def _as_seen(table: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table that says what is seen where a function has more ways to come to it than a module."""
    table = tuple(replace(row, says=_SEEN.get(row.says, row.says)) for row in table)
    return tuple(replace(row, hint=_SEEN_HINTS.get(row.says, row.hint)) for row in table)


def _of_tokens(table: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table for queries and keys that are equal in number."""
    return reworded(
        reworded(table, "number of keys", "number of tokens"), "number of queries", "number of tokens"
    )


REUSED = reworded(
    only(module.PROJECTIONS, "query-weight-reused", "key-weight-reused", "value-weight-reused"),
    "layer",
    "weight",
)
BATCH = reworded(only(module.PROJECTIONS, "batch-axis-for-tokens"), "sequences", "sentences")
MASKS = without(module.MASKS, "causal-by-default", "array-truth-value", "mask-required")
OUTS = without(
    module.OUTS,
    "weight-transposed",
    "bias-missing",
    "heads-merged-without-transpose+mask-multiplied+no-output-projection",
)

MISTAKES = mistakes(
    variant,
    *WEIGHTS,
    *_as_seen(tuple(replace(row, hint=_WHICH) for row in REUSED)),
    *NUMBERS,
    *BATCH,
    *without(module.SPLITS, "fixed-number-of-heads"),
    *only(attention.SCORES, "reshape-instead-of-transpose", "sign-flipped"),
    *without(module.SCORES, "keys-by-queries", "one-matrix-twice", "query-not-used"),
    *_of_tokens(reworded(without(attention.SCALES, "scaled-up", "constant-divisor"), "a query", "a head")),
    *_of_tokens(module.SCALES),
    *_as_seen(MASKS),
    *(*module.OVER, *also(module.OVER, blocked=without_nan)),
    *either_way(module.WITH_NAN, without_nan),
    *either_way(module.WITHOUT_NAN),
    *without(module.MIXES, "keys-for-values", "one-matrix-twice"),
    *_here(OUTS),
    *_here(module.RETURNS),
    *_here(module.RESULTS),
)
