"""Right and wrong answers to `induction_score`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("induction_score", "advanced indexing, one mean")
def indexed(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean((0, 2))


@right("induction_score", "diagonal below the main one, its first entry dropped")
def diagonal(weights, period):
    stripe = torch.diagonal(weights, offset=-(period - 1), dim1=-2, dim2=-1)
    return stripe[:, :, 1:].mean(dim=-1).mean(dim=0)


@right("induction_score", "loops and a counter, filled into zeros")
def loops(weights, period):
    B, h, n, _ = weights.shape
    score = torch.zeros(h, dtype=weights.dtype)
    for head in range(h):
        count = 0
        for b in range(B):
            for t in range(period, n):
                score[head] += weights[b, head, t, t - period + 1]
                count += 1
        score[head] /= count
    return score


@right("induction_score", "a mask, einsum")
def masked(weights, period):
    n = weights.shape[-1]
    query, key = torch.arange(n)[:, None], torch.arange(n)
    there = ((key == query - period + 1) & (query >= period)).to(weights.dtype)
    return torch.einsum("bhqk,qk->h", weights, there) / (there.sum() * weights.shape[0])


@right("induction_score", "rows cut off first, then the diagonal of what is left")
def cut(weights, period):
    later = weights[:, :, period:, 1:]
    return later.diagonal(dim1=2, dim2=3).mean((0, 2))


@right("induction_score", "gather")
def gathered(weights, period):
    n = weights.size(-1)
    place = torch.arange(1, n - period + 1).view(1, 1, -1, 1).expand(*weights.shape[:2], -1, 1)
    return weights[:, :, period:].gather(-1, place).squeeze(-1).mean(2).mean(0)


@right("induction_score", "a list of stacked steps")
def stacked(weights, period):
    steps = [weights[:, :, t, t + 1 - period] for t in range(period, weights.shape[2])]
    return torch.stack(steps).mean(dim=(0, 1))


@right("induction_score", "NumPy and back")
def through_numpy(weights, period):
    stripe = np.diagonal(weights.numpy(), 1 - period, 2, 3)[..., 1:]
    return torch.from_numpy(stripe.mean(axis=(0, 2)))


# Wrong answers, each with the id of its mistake


@wrong("induction_score", "same-token-for-next")
def same_token(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period].mean((0, 2))


@wrong("induction_score", "same-token-for-next")
def diagonal_of_period(weights, period):
    return weights.diagonal(-period, -2, -1).mean((0, 2))


@wrong("induction_score", "off-by-one", "the token before the earlier occurrence")
def one_too_early(weights, period):
    total = 0
    n = weights.shape[-1]
    for t in range(period, n):
        total = total + weights[:, :, t, t - period - 1]
    return (total / (n - period)).mean(0)


@wrong("induction_score", "first-place-too-early")
def whole_diagonal(weights, period):
    return weights.diagonal(1 - period, -2, -1).mean((0, 2))


@wrong("induction_score", "first-place-too-early")
def from_period_minus_one(weights, period):
    t = torch.arange(period - 1, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(-1).mean(0)


@wrong("induction_score", "first-place-too-late")
def too_late(weights, period):
    found = [weights[:, :, t, t - period + 1] for t in range(period + 1, weights.shape[-1])]
    return torch.stack(found).mean((0, 1)) if found else torch.zeros(weights.shape[1], dtype=weights.dtype)


@wrong("induction_score", "first-place-too-late")
def two_dropped(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., 2:].mean((0, 2))


@wrong("induction_score", "last-left-out")
def last_missing(weights, period):
    t = torch.arange(period, weights.shape[-1] - 1)
    return weights[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "one-period-only")
def second_block(weights, period):
    t = torch.arange(period, min(2 * period, weights.shape[-1]))
    return weights[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "weights-transposed")
def transposed(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t - period + 1, t].mean((0, 2))


@wrong("induction_score", "weights-transposed")
def above_the_diagonal(weights, period):
    return weights.diagonal(period - 1, -2, -1)[..., 1:].mean((0, 2))


@wrong("induction_score", "wraps-around")
def all_positions(weights, period):
    n = weights.shape[-1]
    score = torch.zeros(weights.shape[1], dtype=weights.dtype)
    for t in range(n):
        score += weights[:, :, t, t - period + 1].mean(0)
    return score / n


@wrong("induction_score", "divided-by-n")
def over_n(weights, period):
    n = weights.shape[-1]
    t = torch.arange(period, n)
    return weights[:, :, t, t - period + 1].sum((0, 2)) / (weights.shape[0] * n)


@wrong("induction_score", "divided-by-n")
def over_one_more(weights, period):
    B, _, n, _ = weights.shape
    t = torch.arange(period, n)
    return weights[:, :, t, t - period + 1].sum((0, 2)) / (B * (n - period + 1))


@wrong("induction_score", "sum-for-mean")
def summed(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].sum((0, 2))


@wrong("induction_score", "sum-for-mean")
def batch_summed(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean(-1).sum(0)


@wrong("induction_score", "sum-for-mean")
def positions_summed(weights, period):
    return weights[:, :, period:, 1:].diagonal(dim1=2, dim2=3).sum(-1).mean(0)


@wrong("induction_score", "first-batch-only")
def first_sequence(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[0, :, t, t - period + 1].mean(-1)


@wrong("induction_score", "heads-averaged")
def one_number(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean()


@wrong("induction_score", "wrong-head-axis")
def per_sequence(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean((1, 2))


@wrong("induction_score", "batch-not-averaged")
def each_sequence(weights, period):
    return weights.diagonal(1 - period, 2, 3)[:, :, 1:].mean(-1)


@wrong("induction_score", "positions-not-averaged")
def each_position(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean(0)


@wrong("induction_score", "max-for-mean")
def largest(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].amax((0, 2))


@wrong("induction_score", "first-place-only")
def returned_inside_the_loop(weights, period):
    for t in range(period, weights.shape[-1]):
        return weights[:, :, t, t - period + 1].mean(0)


@wrong("induction_score", "last-place-only")
def overwritten(weights, period):
    for t in range(period, weights.shape[-1]):
        score = weights[:, :, t, t - period + 1].mean(0)
    return score


@wrong("induction_score", "period-ignored")
def previous_token(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - 1].mean((0, 2))


@wrong("induction_score", "period-ignored")
def itself(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t].mean((0, 2))


@wrong("induction_score", "argmax-for-weight")
def counted(weights, period):
    n = weights.shape[-1]
    looks = weights.argmax(dim=-1)[:, :, period:]
    return (looks == torch.arange(period, n) - period + 1).to(weights.dtype).mean((0, 2))


@wrong("induction_score", "best-head-only")
def best(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean((0, 2)).max()


@wrong("induction_score", "softmax-again")
def softmax_of_weights(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights.softmax(-1)[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "returns-list")
def as_list(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return [weights[:, head, t, t - period + 1].mean().item() for head in range(weights.shape[1])]


@wrong("induction_score", "returns-none")
def no_return(weights, period):
    t = torch.arange(period, weights.shape[-1])
    weights[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "truncates-to-int")
def rounded(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean((0, 2)).round(decimals=2)


@wrong("induction_score", "keepdims-left")
def with_ones(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean((0, 2), keepdim=True)


@wrong("induction_score", "float32")
def narrow(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].float().mean((0, 2))


@wrong("induction_score", "std-for-mean")
def spread(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].std((0, 2))


@wrong("induction_score", "median-for-mean")
def middle(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].transpose(0, 1).flatten(1).median(dim=1).values


@wrong("induction_score", "input-changed", "the axes of batch and heads are swapped in place")
def swapped_in_place(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights.transpose_(0, 1)[:, :, t, t - period + 1].mean((1, 2))


@wrong("induction_score", "diagonal-of-other-axes")
def diagonal_of_batch_and_heads(weights, period):
    return weights.diagonal(1 - period)[..., 1:].mean(dim=(0, -1))


@wrong("induction_score", "every-pair-counted")
def every_t_with_every_place(weights, period):
    n = weights.shape[-1]
    return weights[:, :, period:, 1 : n - period + 1].mean(dim=(0, 2, 3))


@wrong("induction_score", "positions-not-averaged", "batch and heads averaged")
def heads_averaged_positions_kept(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean(dim=(0, 1))


@wrong("induction_score", "period-ignored", "half the tokens")
def half_the_tokens_for_the_period(weights, period):
    n = weights.shape[-1]
    period = n // 2
    t = torch.arange(period, n)
    return weights[:, :, t, t - period + 1].mean(dim=(0, 2))


@wrong("induction_score", "last-place-only", "without a loop")
def last_place_without_a_loop(weights, period):
    return weights[:, :, -1, -period].mean(0)


@wrong("induction_score", "first-place-too-early", "the last entry dropped for the first")
def wrong_end_dropped(weights, period):
    return weights.diagonal(1 - period, -2, -1)[..., :-1].mean(dim=(0, 2))


@wrong("induction_score", "wrong-head-axis", "einsum with the letter of the batch")
def letter_of_the_batch(weights, period):
    B, _, n, _ = weights.shape
    block = weights[:, :, period:, 1 : n - period + 1]
    return torch.einsum("bhii->b", block) / (B * (n - period))


@wrong("induction_score", "first-block-only")
def place_in_the_first_block(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t % period + 1].mean(dim=(0, 2))


@wrong("induction_score", "shape-flattened")
def squeezed(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean(dim=(0, 2)).squeeze()


@wrong("induction_score", "empty-slice")
def empty_for_period_1(weights, period):
    return weights[:, :, period:, 1 : -period + 1].diagonal(dim1=-2, dim2=-1).mean((0, 2))


@wrong("induction_score", "last-left-out", "the last period")
def one_period_early(weights, period):
    n = weights.shape[-1]
    t = torch.arange(period, max(period + 1, n - period))
    return weights[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "renormalised", "by the first passage")
def by_the_first_passage(weights, period):
    t = torch.arange(period, weights.shape[-1])
    w = weights / weights[..., :period].sum(-1, keepdim=True)
    return w[:, :, t, t - period + 1].mean(dim=(0, 2))


@wrong("induction_score", "max-for-mean", "over the batch first")
def largest_of_the_batch(weights, period):
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].amax(0).mean(-1)


_places = {}


@wrong("induction_score", "state-between-calls", "places kept by the period alone")
def kept_places(weights, period):
    t = _places.setdefault(period, torch.arange(period, weights.shape[-1]))
    return weights[:, :, t, t - period + 1].mean((0, 2))


@wrong("induction_score", "one-period-only", "t up to 2 * period, whatever n is")
def up_to_two_periods(weights, period):
    t = torch.arange(period, 2 * period)
    return weights[:, :, t, t - period + 1].mean(dim=(0, 2))


@wrong("induction_score", "last-left-out", "a list that may be empty")
def last_missing_in_a_list(weights, period):
    n = weights.shape[-1]
    picked = torch.stack([weights[:, :, t, t - period + 1] for t in range(period, n - 1)])
    return picked.mean(dim=(0, 1))


@wrong("induction_score", "summed-around", "all earlier occurrences")
def all_earlier_occurrences(weights, period):
    B, h, n, _ = weights.shape
    score = 0
    for t in range(period, n):
        for s in range(t - period + 1, 0, -period):
            score = score + weights[:, :, t, s].mean(0)
    return score / (n - period)


@wrong("induction_score", "overwritten-instead-of-collected", "the last sequence only")
def started_anew_for_each_sequence(weights, period):
    B, h, n, _ = weights.shape
    for b in range(B):
        score = weights.new_zeros(h)
        for t in range(period, n):
            score += weights[b, :, t, t - period + 1]
    return score / (n - period)


@wrong("induction_score", "last-left-out", "n - 1 taken for the end of a range")
def range_to_n_minus_one(weights, period):
    B, h, n, _ = weights.shape
    total = torch.zeros(h, dtype=weights.dtype)
    for t in range(period, n - 1):
        total = total + weights[:, :, t, t - period + 1].mean(dim=0)
    return total / (n - period)
