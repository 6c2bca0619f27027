"""What people get wrong in `induction_score`: other places, another mean, and whole wrong programs."""

from collections.abc import Callable
from typing import Any

import torch

from helpers.exercises.wrong.rows import mistakes, paired, rows

Tensor = torch.Tensor


def variant(
    *,
    first: Callable[[int, int], int] = lambda period, n: period,
    last: Callable[[int, int], int] = lambda period, n: n,
    key: Callable[[Tensor, int, int], Tensor] = lambda t, period, n: t - period + 1,
    pick: Callable[[Tensor, Tensor, Tensor], Tensor] = lambda w, t, k: w[:, :, t, k],
    mean: Callable[[Tensor, int, int], Any] = lambda picked, period, n: picked.mean((0, 2)),
    after: Callable[[Tensor], Any] = lambda score: score,
) -> Callable[[Tensor, int], Any]:
    """The score with wrong positions, or another way to sum it up."""

    def score(weights: Tensor, period: int) -> Any:
        n = weights.shape[-1]
        t = torch.arange(first(period, n), last(period, n))
        return after(mean(pick(weights, t, key(t, period, n)), period, n))

    return score


def _rolled(weights: Tensor, period: int) -> Tensor:
    n = weights.shape[-1]
    t = torch.arange(n)
    return weights[:, :, t, (t - period + 1) % n].mean((0, 2))


def _period(t: Tensor, k: Tensor) -> int:
    return int((t - k)[0]) + 1


def _stacked(weights: Tensor, period: int, end: int) -> Tensor:
    """From a list of positions: an error where there is none."""
    return torch.stack([weights[:, :, t, t - period + 1] for t in range(period, end)]).mean((0, 1))


def _short_sum(weights: Tensor, period: int) -> Tensor:
    """All positions but the last, added up: nothing where there is only one."""
    t = torch.arange(period, weights.shape[-1] - 1)
    return weights[:, :, t, t - period + 1].mean(0).sum(-1)


def _all_occurrences(weights: Tensor, period: int) -> Tensor:
    n = weights.shape[-1]
    places = [(t, s) for t in range(period, n) for s in range(t - period + 1, 0, -period)]
    return sum(weights[:, :, t, s].mean(0) for t, s in places) / (n - period)


_COUNT = (
    "Write the tokens A B C A B C with their positions under them. From where to where does the arrow go?"
)
_WHICH = "Which positions have the same token one period earlier?"
_MEAN = "How many numbers are left for each head, and what is divided by how many?"
_AXES = "The axes are batch, head, query, key. Which of them should be gone at the end?"

MISTAKES = mistakes(
    variant,
    *rows(
        "same-token-for-next: You took the weight on t - period, the same token one period earlier; the head should look at the token behind it.",
        _COUNT,
        paired(key=lambda t, period, n: t - period),
        "off-by-one: You took the weight on t - period - 1, the token before the earlier occurrence; it is the one behind it.",
        paired(key=lambda t, period, n: (t - period - 1) % n),
        "off-by-one: You took the weight on t - period + 2, one place too far.",
        paired(key=lambda t, period, n: t - period + 2),
        "period-ignored: You took the weight on the token just before, t - 1; that is another kind of head.",
        _COUNT,
        paired(key=lambda t, period, n: t - 1),
        "period-ignored: You took the weight of each token on itself.",
        paired(key=lambda t, period, n: t),
        "period-ignored: You took the weight on position 1 in every row; the place to look at moves with t.",
        paired(key=lambda t, period, n: torch.ones_like(t)),
        "period-ignored: You take half the number of tokens for the period.",
        "Where does the argument `period` stand in your code?",
        lambda w, period: variant()(w, w.shape[-1] // 2),
        "first-block-only: You look into the first block, whatever block t is in; look one period back.",
        _COUNT,
        paired(key=lambda t, period, n: t % period + 1),
        "every-pair-counted: You pair every t with every place; each t has one place, t - period + 1.",
        "Which shape has what you take the mean of, and which part of it belongs together?",
        {"pick": lambda w, t, k: w[:, :, t][..., k], "mean": lambda p, period, n: p.mean((0, 2, 3))},
        "diagonal-of-other-axes: Your diagonal runs over batch and heads, not over queries and keys.",
        "Which two axes does `diagonal` take unless told?",
        lambda w, period: w.diagonal(1 - period).mean((0, 1)),
        *(lambda w, period, k=k: w.diagonal(1 - period)[..., k:].mean((0, 2)) for k in (0, 1)),
        "weights-transposed: You exchanged query and key: a row of the weights belongs to the query t.",
        "Which of the last two axes counts the queries?",
        paired(pick=lambda w, t, k: w[:, :, k, t]),
        "first-place-too-early: Your mean begins at t = period - 1, where nothing has been repeated yet; it should begin at t = period.",
        "Which query does the first of your weights belong to, and which has the same token one period earlier?",
        paired(first=lambda period, n: period - 1),
        {"first": lambda period, n: period - 1, "mean": lambda p, period, n: p.mean(-1).mean(0)},
        "first-place-too-early: The diagonal has one entry too many, and you dropped its last; the first is the one where nothing has been repeated yet.",
        {"first": lambda period, n: period - 1, "last": lambda period, n: n - 1},
        "first-place-too-late: You begin at t = period + 1 and leave one position out.",
        _WHICH,
        {"first": lambda period, n: min(period + 1, n - 1)},
        lambda w, period: variant(first=lambda period, n: period + 1)(w, period),
        lambda w, period: variant(first=lambda period, n: period + 1)(w, period).nan_to_num(0.0),
        "last-left-out: You leave the last position out.",
        "Where does your range end?",
        {"last": lambda period, n: max(n - 1, period + 1)},
        lambda w, period: variant(last=lambda period, n: n - 1)(w, period),
        lambda w, period: _stacked(w, period, w.shape[-1] - 1),
        lambda w, period: _short_sum(w, period) / (w.shape[-1] - period),
        "last-left-out: You leave the last `period` positions out: t runs on to n - 1.",
        "Where does your range end?",
        {"last": lambda period, n: max(n - period, period + 1)},
        lambda w, period: variant(last=lambda period, n: max(n - period, period))(w, period),
        "one-period-only: You stop after the second block; all t from period to the end count.",
        "Where does your range end?",
        paired(last=lambda period, n: min(2 * period, n)),
        "one-period-only: Your t runs over exactly one period; all t from period to the end count, be they fewer or more.",
        "Where does your range end?",
        {"last": lambda period, n: 2 * period},
        "wraps-around: You counted all n positions: before t = period there is no earlier occurrence, and a negative place counts from the end.",
        _WHICH,
        _rolled,
        "divided-by-n: You divided by all n positions; only n - period of them were added up.",
        _MEAN,
        paired(mean=lambda p, period, n: p.mean(0).sum(-1) / n),
        "divided-by-n: You divided by n - period + 1; from period to n - 1 there are n - period positions.",
        paired(mean=lambda p, period, n: p.mean(0).sum(-1) / (n - period + 1)),
        "divided-by-n: You divided by the period; n - period positions were added up.",
        paired(mean=lambda p, period, n: p.mean(0).sum(-1) / period),
        "divided-by-n: You divided by n - 1; n - period positions were added up.",
        paired(mean=lambda p, period, n: p.mean(0).sum(-1) / (n - 1)),
        "sum-for-mean: You added up where a mean is asked for: over positions and sequences.",
        _MEAN,
        paired(mean=lambda p, period, n: p.sum((0, 2))),
        "sum-for-mean: You added up over the positions; take the mean.",
        paired(mean=lambda p, period, n: p.sum(2).mean(0)),
        "sum-for-mean: You added up over the batch; take the mean.",
        paired(mean=lambda p, period, n: p.mean(2).sum(0)),
        "max-for-mean: You took the largest weight over batch and positions; take the mean.",
        _MEAN,
        paired(mean=lambda p, period, n: p.amax((0, 2))),
        "max-for-mean: You took the largest weight over the positions; take the mean.",
        paired(mean=lambda p, period, n: p.amax(2).mean(0)),
        "max-for-mean: You took the largest weight over the batch; take the mean.",
        {"mean": lambda p, period, n: p.mean(2).amax(0)},
        {"mean": lambda p, period, n: p.amax(0).mean(-1)},
        "min-for-mean: You took the smallest weight; take the mean.",
        {"mean": lambda p, period, n: p.amin((0, 2))},
        "median-for-mean: You took the median of the weights; take the mean.",
        {"mean": lambda p, period, n: p.transpose(0, 1).flatten(1).median(-1).values},
        {"mean": lambda p, period, n: p.median(-1).values.mean(0)},
        "std-for-mean: You took the spread of the weights; take the mean.",
        {"mean": lambda p, period, n: p.std((0, 2))},
        "first-batch-only: Only the first sequence of the batch counts.",
        _AXES,
        paired(mean=lambda p, period, n: p[0].mean(-1)),
        "overwritten-instead-of-collected: Only the last sequence of the batch counts.",
        "Where does your sum start: before the loop over the batch, or inside it?",
        {"mean": lambda p, period, n: p[-1].mean(-1)},
        "heads-averaged: You averaged over the heads too; each head has a score of its own.",
        _AXES,
        {"mean": lambda p, period, n: p.mean()},
        {"mean": lambda p, period, n: p.mean((1, 2)).mean()},
        {"mean": lambda p, period, n: p.sum(0).mean()},
        "wrong-head-axis: You averaged over the heads and kept the batch.",
        _AXES,
        {"mean": lambda p, period, n: p.mean((1, 2))},
        "wrong-head-axis: You added up over the heads and kept the batch.",
        {"mean": lambda p, period, n: p.mean(2).sum(1) / len(p)},
        "batch-not-averaged: You kept a score for each sequence of the batch; the mean goes over the batch too.",
        _AXES,
        {"mean": lambda p, period, n: p.mean(-1)},
        "positions-not-averaged: You averaged over the batch and kept the positions; the mean goes over them too.",
        _AXES,
        {"mean": lambda p, period, n: p.mean(0)},
        "positions-not-averaged: You averaged over batch and heads and kept the positions; the heads should be left.",
        {"mean": lambda p, period, n: p.mean((0, 1))},
        "positions-not-averaged: You returned the weights themselves; their mean over batch and positions is asked for.",
        {"mean": lambda p, period, n: p},
        "first-place-only: Only t = period counts; the mean goes over all t from there to the end.",
        "Is your `return` inside the loop?",
        paired(last=lambda period, n: period + 1),
        "last-place-only: Only the last position counts; the mean goes over all t from period to the end.",
        "Do you take one position only, or does each round of a loop overwrite the one before?",
        paired(first=lambda period, n: n - 1),
        "argmax-for-weight: You counted how often the head looks there most; the mean of the weights is asked for.",
        "How large is the weight itself?",
        lambda w, period: (
            (w[:, :, period:].argmax(-1) == torch.arange(1, w.shape[-1] - period + 1))
            .to(w.dtype)
            .mean((0, 2))
        ),
        "summed-around: You added the weight on t - period to that on t - period + 1; only the second counts.",
        _COUNT,
        lambda w, period: variant()(w, period) + variant(key=lambda t, p, n: t - p)(w, period),
        "summed-around: You added up the weights behind every earlier occurrence; only the last occurrence counts.",
        "How many places does each t look at in your code?",
        _all_occurrences,
        "weights-squared: You squared the weights; their plain mean is asked for.",
        "Does a weight of 0.5 count as 0.5?",
        {"pick": lambda w, t, k: w[:, :, t, k] ** 2},
        "scaled-to-percent: You multiplied by 100; a score lies between 0 and 1.",
        "How large can a mean weight be?",
        {"after": lambda score: 100 * score},
        "normalised-over-heads: You divided by the sum over the heads; each head's score stands for itself.",
        "Should the scores of all heads add up to 1?",
        {"after": lambda score: score / score.sum()},
        "renormalised: You divided each weight by what its row gives to the first `period` tokens; take it as it is.",
        "What does each row sum to already?",
        {"pick": lambda w, t, k: (w / w[..., : _period(t, k)].sum(-1, keepdim=True))[:, :, t, k]},
        "renormalised: You divided each weight by what its row gives to the tokens from `period` on; take it as it is.",
        {"pick": lambda w, t, k: (w / w[..., _period(t, k) :].sum(-1, keepdim=True))[:, :, t, k]},
        "softmax-again: You applied softmax to the weights; they are weights already.",
        "Does each row sum to 1 before you do anything?",
        lambda w, period: variant()(torch.softmax(w, -1), period),
        "softmax-again: You applied softmax to the scores; return the mean weights themselves.",
        {"after": lambda score: torch.softmax(score, -1)},
        "truncates-to-int: You rounded the scores; all digits are needed.",
        "Look for `int`, `round` or `//`.",
        {"after": lambda score: torch.round(score, decimals=2)},
        "best-head-only: You returned the largest score alone; return one for each head.",
        _AXES,
        {"after": lambda score: score.max()},
        "best-head-only: You returned the number of the best head; return the score of each head.",
        {"after": lambda score: score.argmax()},
        "sorted-heads: You sorted the scores, so that nobody knows whose they are.",
        "Which head does entry 0 belong to?",
        {"after": lambda score: score.sort(descending=True).values},
        {"after": lambda score: score.sort().values},
        "shape-flattened: The numbers are right, but with one head an axis is gone; the shape should be (1,).",
        "Which step removes axes of size 1?",
        {"after": lambda score: score.squeeze()},
        "empty-slice: With period 1 you take a mean of nothing, which is NaN.",
        "Where does your slice end when period is 1: what does `[1:-0]` give?",
        lambda w, period: variant()(w, period) * (torch.nan if period == 1 else 1.0),
        "keepdims-left: Your result keeps axes of size 1; its shape should be (h,).",
        "Look for `keepdim`.",
        {"mean": lambda p, period, n: p.mean((0, 2), keepdim=True)},
        {"mean": lambda p, period, n: p.mean(2, keepdim=True).mean(0)},
        "returns-list: You returned a list; the exercise asks for a tensor.",
        "`torch.stack(...)` joins tensors to one; `torch.tensor(...)` makes one of numbers.",
        {"after": lambda score: score.tolist()},
        {"after": list},
        "returns-array: You returned a NumPy array; the exercise asks for a tensor.",
        "Is `.numpy()` needed?",
        {"after": lambda score: score.numpy()},
        "returns-none: Your function returns nothing (None).",
        "Every way through your function should end in a `return`.",
        lambda w, period: None,
    ),
)
