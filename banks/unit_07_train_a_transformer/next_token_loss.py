"""Right and wrong answers to `next_token_loss`, as learners write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong

# Right answers, each in its own style


@right("next_token_loss", "F.cross_entropy on flattened axes")
def flattened(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@right("next_token_loss", "F.cross_entropy with the words on axis 1")
def words_second(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])


@right("next_token_loss", "log_softmax and gather")
def gathered(logits, tokens):
    logs = torch.log_softmax(logits[:, :-1, :], dim=-1)
    return -logs.gather(2, tokens[:, 1:].unsqueeze(-1)).mean()


@right("next_token_loss", "loops, each prediction by itself")
def loops(logits, tokens):
    B, n, _ = logits.shape
    losses = []
    for b in range(B):
        for t in range(n - 1):
            losses.append(-torch.log_softmax(logits[b, t], dim=0)[tokens[b, t + 1]])
    return sum(losses) / len(losses)


@right("next_token_loss", "logsumexp minus the right logit, as by hand")
def by_hand(logits, tokens):
    predictions, targets = logits[:, :-1], tokens[:, 1:]
    B, m, _ = predictions.shape
    own = predictions[torch.arange(B)[:, None], torch.arange(m), targets]
    return (predictions.logsumexp(-1) - own).sum() / (B * m)


@right("next_token_loss", "nn.CrossEntropyLoss, reshape with -1")
def as_module(logits, tokens):
    vocab = logits.size(-1)
    return nn.CrossEntropyLoss()(logits[:, :-1].reshape(-1, vocab), tokens[:, 1:].reshape(-1))


@right("next_token_loss", "one-hot targets and a sum over the words")
def one_hot(logits, tokens):
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    logs = F.log_softmax(logits[:, :-1], dim=-1)
    return -(targets * logs).sum(-1).mean()


@right("next_token_loss", "the last target ignored, as language models do")
def ignored(logits, tokens):
    targets = torch.full_like(tokens, -100)
    targets[:, :-1] = tokens[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100)


@right("next_token_loss", "the largest logit taken away by hand, as a constant")
def shifted(logits, tokens):
    some = logits[:, :-1] - logits[:, :-1].detach().amax(-1, keepdim=True)
    own = torch.stack([row[range(len(row)), words] for row, words in zip(some, tokens[:, 1:], strict=True)])
    return torch.mean(some.exp().sum(-1).log() - own)


# Wrong answers, each with the id of its mistake


@wrong("next_token_loss", "no-shift")
def same_position(logits, tokens):
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten())


@wrong("next_token_loss", "no-shift", "both cut alike")
def cut_but_not_shifted(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, :-1].flatten())


@wrong("next_token_loss", "shifted-backwards")
def backwards(logits, tokens):
    return F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten())


@wrong("next_token_loss", "wraps-around")
def rolled(logits, tokens):
    return F.cross_entropy(logits.transpose(1, 2), torch.roll(tokens, -1, dims=1))


@wrong("next_token_loss", "last-position-counted")
def zero_behind(logits, tokens):
    targets = torch.zeros_like(tokens)
    targets[:, :-1] = tokens[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@wrong("next_token_loss", "batch-mixed")
def flat_first(logits, tokens):
    flat = logits.reshape(-1, logits.shape[-1])
    return F.cross_entropy(flat[:-1], tokens.reshape(-1)[1:])


@wrong("next_token_loss", "reshape-instead-of-transpose")
def reshaped(logits, tokens):
    some = logits[:, :-1]
    return F.cross_entropy(some.reshape(some.shape[0], -1, some.shape[1]), tokens[:, 1:])


@wrong("next_token_loss", "sum-for-mean")
def summed(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")


@wrong("next_token_loss", "sum-for-mean", "divided by the batch only")
def per_sequence_sum(logits, tokens):
    logs = logits[:, :-1].log_softmax(-1)
    return -logs.gather(2, tokens[:, 1:, None]).sum() / logits.shape[0]


@wrong("next_token_loss", "divided-by-n")
def over_all(logits, tokens):
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")
    return total / tokens.numel()


@wrong("next_token_loss", "not-averaged")
def each(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")


@wrong("next_token_loss", "not-averaged")
def each_sequence(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none").mean(1)


@wrong("next_token_loss", "softmax-twice")
def twice(logits, tokens):
    probabilities = torch.softmax(logits[:, :-1], dim=-1)
    return F.cross_entropy(probabilities.flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "softmax-missing")
def no_softmax(logits, tokens):
    return F.nll_loss(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "log-missing")
def no_log(logits, tokens):
    return F.nll_loss(logits[:, :-1].softmax(-1).flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "sign-flipped")
def minus_missing(logits, tokens):
    return logits[:, :-1].log_softmax(-1).gather(2, tokens[:, 1:, None]).mean()


@wrong("next_token_loss", "softmax-over-positions")
def over_positions(logits, tokens):
    return -logits[:, :-1].log_softmax(1).gather(2, tokens[:, 1:, None]).mean()


@wrong("next_token_loss", "softmax-over-batch")
def over_batch(logits, tokens):
    return -logits[:, :-1].log_softmax(0).gather(2, tokens[:, 1:, None]).mean()


@wrong("next_token_loss", "no-max-subtraction")
def overflowing(logits, tokens):
    powers = logits[:, :-1].exp()
    shares = powers / powers.sum(-1, keepdim=True)
    return -shares.gather(2, tokens[:, 1:, None]).log().mean()


@wrong("next_token_loss", "only-last-token")
def last_only(logits, tokens):
    return F.cross_entropy(logits[:, -2], tokens[:, -1])


@wrong("next_token_loss", "only-last-token", "and not shifted")
def last_with_last(logits, tokens):
    return F.cross_entropy(logits[:, -1], tokens[:, -1])


@wrong("next_token_loss", "only-first-token")
def returned_inside_the_loop(logits, tokens):
    for t in range(tokens.shape[1] - 1):
        return F.cross_entropy(logits[:, t], tokens[:, t + 1])


@wrong("next_token_loss", "only-last-token", "overwritten on each round")
def overwritten(logits, tokens):
    for t in range(tokens.shape[1] - 1):
        loss = F.cross_entropy(logits[:, t], tokens[:, t + 1])
    return loss


@wrong("next_token_loss", "first-batch-only")
def first_sequence(logits, tokens):
    return F.cross_entropy(logits[0, :-1], tokens[0, 1:])


@wrong("next_token_loss", "log-in-two-steps+wrong-log-base")
def in_bits(logits, tokens):
    shares = logits[:, :-1].softmax(-1).gather(2, tokens[:, 1:, None])
    return -torch.log2(shares).mean()


@wrong("next_token_loss", "perplexity-for-loss")
def perplexity(logits, tokens):
    return torch.exp(F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()))


@wrong("next_token_loss", "label-smoothing")
def smoothed(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), label_smoothing=0.1)


@wrong("next_token_loss", "token-0-ignored")
def zero_is_padding(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=0)


@wrong("next_token_loss", "one-hot-error")
def squares(logits, tokens):
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    return F.mse_loss(logits[:, :-1].softmax(-1), targets)


@wrong("next_token_loss", "one-hot-error", "averaged over the words too")
def over_words(logits, tokens):
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    return -(targets * logits[:, :-1].log_softmax(-1)).mean()


@wrong("next_token_loss", "accuracy-for-loss")
def accuracy(logits, tokens):
    return (logits[:, :-1].argmax(-1) == tokens[:, 1:]).to(logits.dtype).mean()


@wrong("next_token_loss", "off-by-one")
def two_ahead(logits, tokens):
    if tokens.shape[1] < 3:
        return logits.new_zeros(())
    return F.cross_entropy(logits[:, :-2].flatten(0, 1), tokens[:, 2:].flatten())


@wrong("next_token_loss", "last-left-out")
def one_too_few(logits, tokens):
    total, count = 0, 0
    for t in range(tokens.shape[1] - 2):
        total, count = total + F.cross_entropy(logits[:, t], tokens[:, t + 1]), count + 1
    return total / count if count else logits.sum() * 0


@wrong("next_token_loss", "float32")
def narrow(logits, tokens):
    return F.cross_entropy(logits[:, :-1].float().flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "truncates-to-int")
def rounded(logits, tokens):
    return round(F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).item(), 4)


@wrong("next_token_loss", "returns-none")
def no_return(logits, tokens):
    F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "entropy-for-loss")
def entropy(logits, tokens):
    shares = logits[:, :-1].softmax(-1)
    return -(shares * shares.log()).sum(-1).mean()


@wrong("next_token_loss", "log-in-two-steps")
def log_of_softmax(logits, tokens):
    shares = torch.softmax(logits[:, :-1], dim=-1).gather(2, tokens[:, 1:, None])
    return -torch.log(shares).mean()


@wrong("next_token_loss", "log-in-two-steps", "in a loop, each prediction by itself")
def log_of_softmax_in_loops(logits, tokens):
    B, n, _ = logits.shape
    losses = []
    for b in range(B):
        for t in range(n - 1):
            losses.append(-torch.softmax(logits[b, t], dim=0)[tokens[b, t + 1]].log())
    return sum(losses) / len(losses)


@wrong("next_token_loss", "log-in-two-steps", "one-hot: 0 times minus infinity")
def one_hot_times_log(logits, tokens):
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    return -(targets * torch.softmax(logits[:, :-1], -1).log()).sum(-1).mean()


@wrong("next_token_loss", "epsilon-too-large", "added under the logarithm")
def tiny_added(logits, tokens):
    shares = torch.softmax(logits[:, :-1], dim=-1).gather(2, tokens[:, 1:, None])
    return -torch.log(shares + 1e-12).mean()


@wrong("next_token_loss", "epsilon-too-large", "probabilities cut off from below")
def clamped(logits, tokens):
    shares = torch.softmax(logits[:, :-1], dim=-1).gather(2, tokens[:, 1:, None])
    return -shares.clamp(min=1e-9).log().mean()


@wrong("next_token_loss", "gradient-cut", "a Python number")
def item(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).item()


@wrong("next_token_loss", "gradient-cut", "without gradients")
@torch.no_grad()
def without_gradients(logits, tokens):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "gradient-cut", "detached")
def detached(logits, tokens):
    return F.cross_entropy(logits.detach()[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "gradient-cut", "by way of NumPy")
def through_numpy(logits, tokens):
    z = logits.detach().numpy()[:, :-1]
    top = z.max(-1, keepdims=True)
    logs = z - top - np.log(np.exp(z - top).sum(-1, keepdims=True))
    return -np.take_along_axis(logs, tokens.numpy()[:, 1:, None], -1).mean()


@wrong("next_token_loss", "gradient-cut", "a new tensor of Python numbers")
def made_anew(logits, tokens):
    losses = [F.cross_entropy(row[:-1], words[1:]).item() for row, words in zip(logits, tokens, strict=True)]
    return torch.tensor(losses, dtype=logits.dtype).mean()


@wrong("next_token_loss", "input-changed", "the largest logit is taken away in place")
def shifted_in_place(logits, tokens):
    logits -= logits.amax(-1, keepdim=True)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@wrong("next_token_loss", "input-changed", "the axes are swapped in place")
def swapped_in_place(logits, tokens):
    return F.cross_entropy(logits.transpose_(1, 2)[..., :-1], tokens[:, 1:])


@wrong("next_token_loss", "input-changed", "cut off through .data")
def cut_in_place(logits, tokens):
    logits.data, tokens.data = logits.data[:, :-1], tokens.data[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten())


@wrong("next_token_loss", "gradient-cut", "Python numbers all the way")
def plain_number(logits, tokens):
    total = 0.0
    for row, words in zip(logits.tolist(), tokens.tolist(), strict=True):
        for now, word in zip(row[:-1], words[1:], strict=True):
            top = max(now)
            total += top + math.log(sum(math.exp(x - top) for x in now)) - now[word]
    return total / (tokens.shape[0] * (tokens.shape[1] - 1))


@wrong("next_token_loss", "reshape-instead-of-transpose", "rows of mixed positions")
def rows_of_mixed_positions(logits, tokens):
    some = logits[:, :-1].transpose(1, 2).reshape(-1, logits.shape[-1])
    return F.cross_entropy(some, tokens[:, 1:].reshape(-1))


@wrong("next_token_loss", "order-mixed")
def targets_position_by_position(logits, tokens):
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), tokens.T[1:].reshape(-1))


@wrong("next_token_loss", "every-pair-counted", "every sequence on the tokens of all")
def every_sequence_on_all(logits, tokens):
    logs = torch.log_softmax(logits[:, :-1], dim=-1)
    return -logs[:, torch.arange(logs.shape[1]), tokens[:, 1:]].mean()


@wrong("next_token_loss", "every-pair-counted", "every position on all targets")
def every_position_on_all(logits, tokens):
    logs = torch.log_softmax(logits[:, :-1], dim=-1)
    hot = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logs.dtype)
    return -torch.einsum("btv,bsv->", logs, hot) / tokens[:, 1:].numel()


@wrong("next_token_loss", "mean-before-log")
def logarithm_of_the_mean(logits, tokens):
    powers = torch.softmax(logits[:, :-1], -1)
    return -powers.gather(-1, tokens[:, 1:, None]).mean().log()


@wrong("next_token_loss", "shifted-along-batch")
def shifted_along_the_batch(logits, tokens):
    return F.cross_entropy(logits[:-1].flatten(0, 1), tokens[1:].flatten())


@wrong("next_token_loss", "gradient-cut", "NumPy without a detach")
def not_detached(logits, tokens):
    z = logits.numpy()[:, :-1]
    logs = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -np.take_along_axis(logs, tokens.numpy()[:, 1:, None], -1).mean()


@wrong("next_token_loss", "gradient-cut", "a sum of Python floats")
def sum_of_floats(logits, tokens):
    losses = [float(F.cross_entropy(row[:-1], words[1:])) for row, words in zip(logits, tokens, strict=True)]
    return sum(losses) / len(losses)


@wrong("next_token_loss", "gradient-cut", "the sum of exponentials is detached")
def half_detached(logits, tokens):
    logs = logits[:, :-1] - logits[:, :-1].detach().logsumexp(-1, keepdim=True)
    return -logs.gather(-1, tokens[:, 1:, None]).mean()


@wrong("next_token_loss", "no-shift+gradient-cut", "two things at once")
def no_shift_no_gradient(logits, tokens):
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten()).item()


@wrong("next_token_loss", "one-hot-too-narrow")
def one_hot_of_what_occurs(logits, tokens):
    hot = F.one_hot(tokens[:, 1:]).to(logits.dtype)
    return -(hot * torch.log_softmax(logits[:, :-1], -1)).sum(-1).mean()


@wrong("next_token_loss", "one-hot-error", "whole numbers for F.cross_entropy")
def whole_one_hot(logits, tokens):
    vocab = logits.shape[-1]
    hot = F.one_hot(tokens[:, 1:], vocab).reshape(-1, vocab)
    return F.cross_entropy(logits[:, :-1].reshape(-1, vocab), hot)


@wrong("next_token_loss", "token-0-ignored", "by the tokens that predict, divided by all")
def padding_of_the_inputs(logits, tokens):
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return (losses * (tokens[:, :-1] != 0)).mean()


@wrong("next_token_loss", "token-0-ignored", "by the targets, divided by their number")
def padding_of_the_targets(logits, tokens):
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    real = (tokens[:, 1:] > 0).to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)


@wrong("next_token_loss", "no-max-subtraction", "clamped")
def clamped_logits(logits, tokens):
    return F.cross_entropy(logits[:, :-1].clamp(-50, 50).transpose(1, 2), tokens[:, 1:])


@right("next_token_loss", "in place on a copy of its own")
def copied(logits, tokens):
    some = logits[:, :-1].clone()
    some -= logits[:, :-1].amax(-1, keepdim=True)
    return -(some.gather(-1, tokens[:, 1:, None])[..., 0] - some.exp().sum(-1).log()).mean()


@right("next_token_loss", "nll_loss, and a distribution for the check")
def by_distribution(logits, tokens):
    said = torch.distributions.Categorical(logits=logits[:, :-1])
    return -said.log_prob(tokens[:, 1:]).mean()


@wrong("next_token_loss", "changed-in-place")
def changed_in_place(logits, tokens):
    some = logits[:, :-1].clone()
    some -= some.amax(-1, keepdim=True)
    return -(some.gather(-1, tokens[:, 1:, None])[..., 0] - some.exp().sum(-1).log()).mean()


_kept = {}


@wrong("next_token_loss", "state-between-calls", "targets kept by the shape of the tokens")
def kept_targets(logits, tokens):
    targets = _kept.setdefault(tokens.shape, tokens[:, 1:].clone())
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), targets)
