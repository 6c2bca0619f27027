"""What people get wrong in `previous_token_heads`: another diagonal, another summary, other pairs."""

from collections.abc import Callable
from typing import Any

import torch

from helpers.exercises.wrong.rows import filled, mistakes, paired, rows

Tensor = torch.Tensor


def variant(
    *,
    entries: Callable[[Tensor], Tensor] = lambda w: w.diagonal(-1, -2, -1),
    summary: Callable[[Tensor], Tensor] = lambda one: one.mean(-1),
    beyond: Callable[[Tensor, float], Tensor] = lambda mean, threshold: mean > threshold,
    before: Callable[[Tensor], Tensor] = lambda w: w,
    pairs: Callable[[Tensor], Any] = lambda chosen: [tuple(pair) for pair in chosen.nonzero().tolist()],
    result: Callable[[list], Any] = lambda found: found,
) -> Callable[[Tensor, float], Any]:
    """The right answer, with one or more of its steps replaced by a wrong one."""

    def answer(weights: Tensor, threshold: float) -> Any:
        return result(pairs(beyond(summary(entries(before(weights))), threshold)))

    return answer


def _and_first(w: Tensor) -> Tensor:
    """With the first token, whose weight on a token before is taken to be 0."""
    entries = w.diagonal(-1, -2, -1)
    return torch.cat([torch.zeros_like(entries[..., :1]), entries], -1)


def _round_the_circle(w: Tensor) -> Tensor:
    """With the first token, which looks at the last one: index -1."""
    return torch.cat([w[..., :1, -1], w.diagonal(-1, -2, -1)], -1)


def _wherever_it_looks(w: Tensor) -> Tensor:
    """Whether the largest weight is on the token before, as 0 and 1."""
    n = w.shape[-1]
    return (w.argmax(-1)[..., 1:] == torch.arange(n - 1)).to(w.dtype)


def _earlier(w: Tensor) -> Tensor:
    """All that lies below the diagonal, added up by token."""
    return w.tril(-1).sum(-1)[..., 1:]


def _lower_mean(w: Tensor) -> Tensor:
    n = w.shape[-1]
    rows, columns = torch.tril_indices(n, n, -1)
    return w[..., rows, columns]


def _swapped(chosen: Tensor) -> list[tuple[int, int]]:
    return [(head, layer) for layer, head in chosen.nonzero().tolist()]


def _counted_from_one(chosen: Tensor) -> list[tuple[int, int]]:
    return [(layer + 1, head + 1) for layer, head in chosen.nonzero().tolist()]


def _by_head(chosen: Tensor) -> list[tuple[int, int]]:
    return [(layer, head) for head, layer in chosen.T.nonzero().tolist()]


def _one_of_each_layer(chosen: Tensor) -> list[tuple[int, int]]:
    found = {}
    for layer, head in chosen.nonzero().tolist():
        found.setdefault(layer, (layer, head))
    return list(found.values())


def _all_but(rows_: slice, columns: slice) -> Callable[[Tensor], list[tuple[int, int]]]:
    """Pairs of a part of the layers and heads only."""

    def pairs(chosen: Tensor) -> list[tuple[int, int]]:
        kept = torch.zeros_like(chosen)
        kept[rows_, columns] = chosen[rows_, columns]
        return [tuple(pair) for pair in kept.nonzero().tolist()]

    return pairs


def _indexed_by_heads(found: Tensor, weights: Tensor) -> Tensor:
    """As many entries as there are layers and heads, of a table that may have other sizes."""
    layers, heads = weights.shape[:2]
    return torch.stack([found[layer, head] for layer in range(layers) for head in range(heads)]).reshape(
        layers, heads
    )


def _across_layers_and_heads(weights: Tensor, threshold: float) -> Any:
    """The diagonal of the first two axes, and then a loop over layers and heads."""
    mean = weights.diagonal(-1).mean(-1)
    return variant(entries=lambda w: w, summary=lambda w: _indexed_by_heads(mean, w))(weights, threshold)


def _often(times: Callable[[Tensor], int]) -> Callable[[Tensor, float], Any]:
    """Each pair several times behind each other."""
    return lambda weights, threshold: [
        pair for pair in variant()(weights, threshold) for _ in range(times(weights))
    ]


ALL = slice(None)
MARGINS = (0.05, 0.02, 0.01, 0.005, 1e-3, 1e-4, 1e-5, 1e-6)
_BELOW = "Row i is the query, column j the key. In which column stands the token before token i?"
_MEAN = "Take the mean of the weights on the token before, and compare that one number."
_HOW_MANY = "How many tokens have a token before them?"
_LOOPS = "Where do your loops over layers and heads begin and end?"

MISTAKES = mistakes(
    variant,
    *rows(
        "next-token: You took the weight of each token on the one after it, above the diagonal; the one before stands below.",
        _BELOW,
        paired(entries=lambda w: w.diagonal(1, -2, -1)),
        paired(before=lambda w: w.transpose(-2, -1)),
        "own-token: You looked at the diagonal: that is the weight of each token on itself.",
        _BELOW,
        paired(entries=lambda w: w.diagonal(0, -2, -1)),
        "two-before: You looked two tokens back.",
        "What does `diagonal(-1)` give, and what `diagonal(-2)`?",
        {"entries": lambda w: w.diagonal(-2 if w.shape[-1] > 2 else -1, -2, -1)},
        {"entries": lambda w: w.diagonal(-2, -2, -1)},
        "first-token-counted: You divided by all tokens; token 0 has no token before it, so there is one weight fewer.",
        _HOW_MANY,
        paired(entries=_and_first),
        "first-token-counted: In your code token 0 looks at the last token, index -1; it has no token before it.",
        _HOW_MANY,
        paired(entries=_round_the_circle),
        "first-token-counted: Your count wraps round: `roll` brings the last token before the first.",
        _HOW_MANY,
        {"entries": lambda w: torch.roll(w, 1, -2).diagonal(0, -2, -1)},
        "off-by-one: Your mean starts at token 2; token 1 has a token before it too.",
        "From which row to which row does your loop run?",
        {"entries": lambda w: w.diagonal(-1, -2, -1)[..., 1:]},
        "off-by-one: Your mean leaves out the last token.",
        "From which row to which row does your loop run?",
        {"entries": lambda w: w.diagonal(-1, -2, -1)[..., :-1]},
        "off-by-one: Your mean leaves out the last token, and divides by one more.",
        {
            "entries": lambda w: w.diagonal(-1, -2, -1)[..., :-1],
            "summary": lambda one: one.sum(-1) / (one.shape[-1] + 1),
        },
        "one-token-only: You looked at one token only; the mean goes over tokens 1 to n - 1.",
        _MEAN,
        {"entries": lambda w: w.diagonal(-1, -2, -1)[..., -1:]},
        {"entries": lambda w: w.diagonal(-1, -2, -1)[..., :1]},
        "all-earlier-tokens: You added up the weights on all earlier tokens; only the one right before counts.",
        _BELOW,
        {"entries": _earlier},
        {"entries": _lower_mean},
        "all-earlier-tokens: You averaged over all entries with those above the diagonal set to 0; only the weights on the token right before count.",
        _BELOW,
        {"entries": lambda w: w.tril(-1).flatten(-2)},
        {"entries": lambda w: w.tril(-1).sum(-1)},
        "block-for-diagonal: You took a whole block of weights, every token but the first on every token but the last; only its diagonal holds the token before.",
        _BELOW,
        {"entries": lambda w: w[..., 1:, :-1].flatten(-2)},
        {"entries": lambda w: w[..., 1:, :-1].sum(-1)},
        "diagonal-of-other-axes: Your diagonal runs over layers and heads, not over queries and keys.",
        "Which two axes does `diagonal` take unless told?",
        {"entries": lambda w: w.diagonal(-1)},
        {"entries": lambda w: w.diagonal(-1).movedim(-1, 0)},
        _across_layers_and_heads,
        "all-tokens: Your mean goes over all weights of a head; only those on the token before count.",
        _BELOW,
        {"entries": lambda w: w.flatten(-2)},
        "sum-not-mean: You added up the weights; their mean is compared with the threshold.",
        "What is the sum divided by?",
        paired(summary=lambda one: one.sum(-1)),
        "max-for-mean: One large weight is enough in your code; the mean over all tokens counts.",
        _MEAN,
        paired(summary=lambda one: one.max(-1).values),
        "min-for-mean: Every single weight must exceed the threshold in your code; the mean over all tokens counts.",
        _MEAN,
        paired(summary=lambda one: one.min(-1).values),
        "median-for-mean: You took the median; the mean counts.",
        _MEAN,
        {"summary": lambda one: one.median(-1).values},
        {"summary": lambda one: one.quantile(0.5, -1)},
        "largest-weight-counted: You counted how often the largest weight is on the token before; the mean weight on it counts.",
        _MEAN,
        {"entries": _wherever_it_looks},
        "share-above-threshold: You compared each weight with the threshold, and counted; the mean is compared, once.",
        _MEAN,
        {"summary": lambda one: one, "beyond": lambda one, t: (one > t).to(one.dtype).mean(-1) > t},
        "not-strict: You list a head whose mean is the threshold itself: it must exceed it.",
        "`>` or `>=`?",
        paired(beyond=lambda mean, t: mean >= t),
        "comparison-reversed: You listed the heads that stay below the threshold.",
        "Which way round is your comparison?",
        paired(beyond=lambda mean, t: mean < t),
        paired(beyond=lambda mean, t: mean <= t),
        "threshold-ignored: You listed the best head only; all that exceed the threshold are asked for.",
        "Where does the threshold come in?",
        {"beyond": lambda mean, t: mean == mean.max()},
        {"beyond": lambda mean, t: (mean == mean.max()) & (mean > t)},
        "threshold-ignored: You listed the best head of each layer; all that exceed the threshold are asked for.",
        {"beyond": lambda mean, t: mean == mean.max(-1, keepdim=True).values},
        {"beyond": lambda mean, t: (mean == mean.max(-1, keepdim=True).values) & (mean > t)},
        *filled(
            "threshold-ignored: You compared with {}, whatever the threshold is.",
            "Where does the argument `threshold` come in?",
            {str(one): {"beyond": lambda mean, t, one=one: mean > one} for one in (0.5, 0.4, 0.3, 0.9, 0.0)},
        ),
        "truncates-to-int: You rounded the mean before it was compared.",
        "Look for `round` or `int`.",
        *({"summary": lambda one, k=k: one.mean(-1).round(decimals=k)} for k in (2, 3)),
        "truncates-to-int: You cut digits of the mean off before it was compared.",
        "Look for `int`, `floor` or `//`.",
        *({"summary": lambda one, k=k: (one.mean(-1) * 10**k).floor() / 10**k} for k in (2, 3)),
        "tolerance-too-wide: Means that exceed the threshold by little do not count in your code: it wants more of them, or keeps few of their digits, as bfloat16 does.",
        "Look for a small number that is added or taken away, for `isclose`, or for another type of numbers.",
        *({"beyond": lambda mean, t, by=by: mean - t > by} for by in MARGINS),
        {"beyond": lambda mean, t: (mean > t) & ~torch.isclose(mean, torch.full_like(mean, t))},
        *(
            row
            for width in (torch.bfloat16, torch.float16)
            for row in (
                {"before": lambda w, width=width: w.to(width)},
                {"summary": lambda one, width=width: one.mean(-1).to(width)},
            )
        ),
        "tolerance-too-wide: A mean counts in your code also where it is a little below the threshold, or equal to it.",
        *({"beyond": lambda mean, t, by=by: mean - t > -by} for by in MARGINS),
        {"beyond": lambda mean, t: (mean > t) | torch.isclose(mean, torch.full_like(mean, t))},
        "wrong-pair-order: You returned (head, layer); it should be (layer, head).",
        "Which axis of `weights` comes first?",
        paired(pairs=_swapped),
        "wrong-pair-order: You returned (head, layer), sorted; it should be (layer, head).",
        {"pairs": lambda chosen: sorted(_swapped(chosen))},
        "counted-from-one: You count layers and heads from 1; here they are counted from 0.",
        "What is the first index of an axis?",
        paired(pairs=_counted_from_one),
        "counted-from-one: You count layers from 1; here they are counted from 0.",
        {"pairs": lambda chosen: [(layer + 1, head) for layer, head in chosen.nonzero().tolist()]},
        "counted-from-one: You count heads from 1; here they are counted from 0.",
        {"pairs": lambda chosen: [(layer, head + 1) for layer, head in chosen.nonzero().tolist()]},
        "flat-number: You number all heads in one row, and divide by the number of layers; a layer has h heads.",
        "Which size do you divide by: how many heads does one layer have?",
        {"pairs": lambda chosen: [divmod(i, len(chosen)) for i in chosen.flatten().nonzero()[:, 0].tolist()]},
        "wrong-order: Your pairs are sorted by head; they should be in order of layers, then of heads.",
        "Which of your two loops is the outer one?",
        {"pairs": _by_head},
        "wrong-order: Your pairs run backwards.",
        "In which direction do your loops run?",
        {"result": lambda found: found[::-1]},
        "one-head-in-each-layer: You stop at the first head of each layer.",
        "Look for `break`, or a `return` inside a loop.",
        {"pairs": _one_of_each_layer},
        "one-head-in-each-layer: Only pairs of two equal numbers can be in your list, as (0, 0) and (1, 1); every layer has all its heads.",
        "How many pairs does your loop look at: L, or L times h?",
        {"pairs": lambda chosen: [(i, i) for i in range(min(chosen.shape)) if chosen[i, i]]},
        "heads-repeated: Each pair comes as often as there are tokens before another.",
        "Inside which of your loops is a pair appended?",
        _often(lambda w: w.shape[-1] - 1),
        "heads-repeated: Each pair comes as often as there are tokens.",
        _often(lambda w: w.shape[-1]),
        "heads-repeated: Each pair comes twice.",
        "How often does your code append, and does it join two lists?",
        {"result": lambda found: [pair for pair in found for _ in range(2)]},
        {"result": lambda found: found + found},
        "overwritten-instead-of-collected: Only heads of the last layer are left in your list.",
        "Where is your list made: before both loops, or inside one?",
        {"pairs": _all_but(slice(-1, None), ALL)},
        "overwritten-instead-of-collected: Only the last head of the last layer can be in your list.",
        "Where is your list made: before both loops, or inside them?",
        {"pairs": _all_but(slice(-1, None), slice(-1, None))},
        "overwritten-instead-of-collected: Only the last of all pairs is left in your list.",
        "What does each pair do to those found before it?",
        {"result": lambda found: found[-1:]},
        "returns-too-early: You return the first head that is found.",
        "How far is your `return` indented?",
        {"result": lambda found: found[:1]},
        "last-left-out: The last layer is left out.",
        _LOOPS,
        {"pairs": _all_but(slice(None, -1), ALL)},
        "last-left-out: The last head of each layer is left out.",
        {"pairs": _all_but(ALL, slice(None, -1))},
        "first-left-out: Layer 0 is left out.",
        {"pairs": _all_but(slice(1, None), ALL)},
        "first-left-out: Head 0 of each layer is left out.",
        {"pairs": _all_but(ALL, slice(1, None))},
        "first-layer-only: Only layer 0 is looked at.",
        {"pairs": _all_but(slice(1), ALL)},
        "heads-averaged: You took the mean over the heads of a layer too, so they all have one number.",
        "Over which axis does your mean go?",
        {"summary": lambda one: one.mean(-1).mean(-1, keepdim=True).expand(one.shape[:2])},
        "layers-averaged: You took the mean over the layers too, so they all have one number.",
        "Over which axis does your mean go?",
        {"summary": lambda one: one.mean(-1).mean(0, keepdim=True).expand(one.shape[:2])},
        "softmax-again: You applied a softmax; the weights are weights already.",
        "What do the rows of `weights` sum to?",
        {"before": lambda w: torch.softmax(w, -1)},
        "empty-list: Your list is empty where heads exceed the threshold.",
        "What do you compare with the threshold, and where do you append?",
        {"result": lambda found: []},
    ),
)
