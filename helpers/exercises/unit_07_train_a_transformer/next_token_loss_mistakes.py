"""What people get wrong in `next_token_loss`: other pairs, another way to score them, another mean."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from helpers.exercises.wrong.rows import mistakes, paired, rows

Tensor = torch.Tensor
Pairs = tuple[Tensor, Tensor]


def chosen(logits: Tensor, targets: Tensor) -> Tensor:
    """The entry of each target, `(B, positions)`."""
    return logits.gather(-1, targets[..., None])[..., 0]


def variant(
    *,
    pairs: Callable[[Tensor, Tensor], Pairs] = lambda logits, tokens: (logits[:, :-1], tokens[:, 1:]),
    log: Callable[[Tensor], Tensor] = lambda logits: torch.log_softmax(logits, -1),
    pick: Callable[[Tensor, Tensor], Tensor] = lambda logs, targets: -chosen(logs, targets),
    mean: Callable[[Tensor, Tensor], Any] = lambda losses, tokens: losses.mean(),
    after: Callable[[Tensor], Any] = lambda loss: loss,
) -> Callable[[Tensor, Tensor], Any]:
    """The loss with some of its steps replaced by wrong ones."""

    def answer(logits: Tensor, tokens: Tensor) -> Any:
        some, targets = pairs(logits, tokens)
        return after(mean(pick(log(some), targets), tokens))

    return answer


def _naive(logits: Tensor) -> Tensor:
    powers = torch.exp(logits)
    return torch.log(powers / powers.sum(-1, keepdim=True))


def _in_two_steps(logits: Tensor) -> Tensor:
    return torch.log(torch.softmax(logits, -1))


def _padded(logits: Tensor, tokens: Tensor) -> Pairs:
    return logits, torch.cat([tokens[:, 1:], torch.zeros_like(tokens[:, :1])], 1)


def _across(logits: Tensor, tokens: Tensor) -> Pairs:
    return logits.flatten(0, 1)[None, :-1], tokens.flatten()[None, 1:]


def _cut_anew(logits: Tensor, tokens: Tensor) -> Tensor:
    some = logits[:, :-1]
    return F.cross_entropy(some.reshape(some.shape[0], some.shape[2], some.shape[1]), tokens[:, 1:])


def _row(array: Tensor, *words: int) -> Tensor:
    return array.reshape(1, -1, *words)


def _every_pair(logs: Tensor, targets: Tensor) -> Tensor:
    return -torch.einsum("bsv,btv->bst", logs, _one_hot(logs, targets))


def _smoothed(logs: Tensor, targets: Tensor) -> Tensor:
    return -0.9 * chosen(logs, targets) - 0.1 * logs.mean(-1)


def _one_hot(logs: Tensor, targets: Tensor) -> Tensor:
    return F.one_hot(targets, logs.shape[-1]).to(logs.dtype)


def _ignoring_zero(losses: Tensor, tokens: Tensor) -> Tensor:
    real = tokens[:, 1:] != 0
    return losses[real].mean()


def _zero_of_none(losses: Tensor, tokens: Tensor) -> Tensor:
    """The mean, as a loop with a counter gives it where there is nothing to predict."""
    return losses.sum() / max(losses.numel(), 1)


def _clamped_softmax(limit: float) -> dict[str, Callable]:
    return {"log": lambda logits: torch.log_softmax(logits.clamp(-limit, limit), -1)}


def _where(part: slice, share: Callable[[Tensor, Tensor], Tensor]) -> dict[str, Callable]:
    """Only the predictions count at which these tokens are not 0; `share` makes the mean."""
    return {"mean": lambda losses, tokens: share(losses, (tokens[:, part] != 0).to(losses.dtype))}


_SHARES: tuple[Callable[[Tensor, Tensor], Tensor], ...] = (
    lambda losses, real: (losses * real).mean(),
    lambda losses, real: (losses * real).sum() / real.sum(),
    lambda losses, real: (losses * real).sum() / real.sum().clamp(min=1),
)
_HERE, _NEXT = slice(None, -1), slice(1, None)


def _as_wide_as_needed(targets: Tensor, logs: Tensor) -> Tensor:
    return F.one_hot(targets).to(logs.dtype)


_SHIFT = "Write logits 0 1 2 and tokens 0 1 2 in two rows. Which arrow goes from which logits to which token?"
_TINY = (8, 9, 10, 12)
_MEAN = "How many predictions are there, and by what do you divide?"
_AXIS = "Over which axis do the probabilities of all words sum to 1?"
_LOSS = "The loss of one prediction is minus the logarithm of the probability of the token that came."

MISTAKES = mistakes(
    variant,
    *rows(
        "no-shift: You let position t predict token t, which it has seen; it should predict token t + 1.",
        _SHIFT,
        paired(pairs=lambda logits, tokens: (logits, tokens)),
        "no-shift: You left one position out but shifted nothing: position t still predicts token t.",
        paired(pairs=lambda logits, tokens: (logits[:, :-1], tokens[:, :-1])),
        paired(pairs=lambda logits, tokens: (logits[:, 1:], tokens[:, 1:])),
        "shifted-backwards: You let position t predict token t - 1, which is behind it; it should predict token t + 1.",
        _SHIFT,
        paired(pairs=lambda logits, tokens: (logits[:, 1:], tokens[:, :-1])),
        "off-by-one: You let position t predict token t + 2.",
        _SHIFT,
        paired(pairs=lambda logits, tokens: (logits[:, :-2], tokens[:, 2:])),
        {"pairs": lambda logits, tokens: (logits[:, :-2], tokens[:, 2:]), "mean": _zero_of_none},
        "wraps-around: You rolled the tokens: the last position has nothing to predict, and yours predicts the first token.",
        "What does `roll` do with what falls off the end?",
        paired(pairs=lambda logits, tokens: (logits, tokens.roll(-1, 1))),
        "wraps-around: You rolled the whole batch of tokens as one row: the last position has nothing to predict, and yours predicts another sequence.",
        "What does `roll` without an axis do?",
        {"pairs": lambda logits, tokens: (logits, tokens.roll(-1))},
        "last-position-counted: You put a 0 behind the last token and let the last position predict it; it has nothing to predict.",
        "How many predictions does a sequence of n tokens give?",
        paired(pairs=_padded),
        "batch-mixed: You shifted after flattening: the last position of one sequence predicts the first token of the next.",
        "Which comes first, cutting off the ends or flattening?",
        paired(pairs=_across),
        "only-last-token: Only the last prediction of each sequence counts; all n - 1 should.",
        "Which positions do you take?",
        paired(pairs=lambda logits, tokens: (logits[:, -2:-1], tokens[:, -1:])),
        "only-last-token: You let the last position predict the last token, and nothing else counts.",
        _SHIFT,
        {"pairs": lambda logits, tokens: (logits[:, -1:], tokens[:, -1:])},
        "only-first-token: Only the first prediction of each sequence counts; all n - 1 should.",
        "Which positions do you take?",
        paired(pairs=lambda logits, tokens: (logits[:, :1], tokens[:, 1:2])),
        "first-batch-only: Only the first sequence of the batch counts.",
        "Which axis is the batch?",
        paired(pairs=lambda logits, tokens: (logits[:1, :-1], tokens[:1, 1:])),
        "shifted-along-batch: You cut along the batch: the last and the first sequence are left out, not positions.",
        "Which axis of (B, n, vocab) do your slices cut?",
        paired(pairs=lambda logits, tokens: (logits[:-1], tokens[1:])),
        "last-left-out: You left out one prediction too many at the end: position n - 2 predicts token n - 1.",
        "How many predictions does a sequence of n tokens give?",
        {"pairs": lambda logits, tokens: (logits[:, :-2], tokens[:, 1:-1])},
        {"pairs": lambda logits, tokens: (logits[:, :-2], tokens[:, 1:-1]), "mean": _zero_of_none},
        "last-left-out: You left out the first prediction: position 0 predicts token 1.",
        {"pairs": lambda logits, tokens: (logits[:, 1:-1], tokens[:, 2:])},
        "reshape-instead-of-transpose: You reshaped the logits to (B, vocab, n - 1): that deals the numbers out anew. Swap the axes, or flatten batch and positions.",
        "Compare `reshape(3, 2)` with a transpose on `torch.arange(6).reshape(2, 3)`.",
        _cut_anew,
        "reshape-instead-of-transpose: You swapped positions and words before flattening: a row no longer holds the logits of one position.",
        "Which axis must stay the last until batch and positions are one?",
        {"pairs": lambda logits, tokens: (_row(logits[:, :-1].mT, logits.shape[-1]), _row(tokens[:, 1:]))},
        "order-mixed: Your targets stand in another order than your logits: one goes sequence by sequence, the other position by position.",
        "Print which sequence and position each row of logits, and each target, comes from.",
        {"pairs": lambda logits, tokens: (_row(logits[:, :-1], logits.shape[-1]), _row(tokens[:, 1:].T))},
        "every-pair-counted: Each sequence is scored on the tokens of all the others as well.",
        "Which shape has what you take the mean of?",
        {"pick": lambda logs, targets: -logs[:, torch.arange(targets.shape[1]), targets]},
        "every-pair-counted: Each position is scored on the targets of all positions.",
        "Which sizes has what you pick, and which axis do logits and targets share?",
        {"pick": _every_pair},
        {"pick": lambda logs, targets: _every_pair(logs, targets).sum(1)},
        "softmax-missing: Your logits are not made to probabilities: the softmax is missing.",
        _LOSS,
        paired(log=lambda logits: logits),
        "softmax-missing: You took the logarithm of the logits; it should be that of their softmax.",
        {"log": torch.log},
        {"log": lambda logits: torch.log(logits.abs())},
        "softmax-twice: You applied softmax before a cross-entropy that does so itself.",
        "Which of the two wants plain logits?",
        paired(log=lambda logits: torch.log_softmax(torch.softmax(logits, -1), -1)),
        "log-missing: You averaged probabilities; the loss is minus their logarithm.",
        _LOSS,
        paired(log=lambda logits: torch.softmax(logits, -1)),
        "log-missing: You took 1 minus the probability; the loss is minus its logarithm.",
        {"log": lambda logits: torch.softmax(logits, -1) - 1},
        "mean-before-log: You took the logarithm of the mean probability; take the mean of the logarithms.",
        "Which comes first, the logarithm or the mean?",
        {"log": lambda logits: torch.softmax(logits, -1), "pick": chosen, "after": lambda mean: -mean.log()},
        "softmax-over-positions: Your softmax runs over the positions; it should run over the words.",
        _AXIS,
        paired(log=lambda logits: torch.log_softmax(logits, 1)),
        "softmax-over-batch: Your softmax runs over the batch; it should run over the words.",
        _AXIS,
        paired(log=lambda logits: torch.log_softmax(logits, 0)),
        "softmax-over-all: Your softmax runs over all positions and words together; each position has its own.",
        _AXIS,
        {"log": lambda logits: torch.log_softmax(logits.flatten(1), -1).reshape(logits.shape)},
        {"log": lambda logits: torch.log_softmax(logits.flatten(), -1).reshape(logits.shape)},
        "sigmoid-for-softmax: You took a sigmoid of each logit; the words share one softmax.",
        _AXIS,
        {"log": F.logsigmoid},
        "no-max-subtraction: Your exponentials overflow: e^2000 is infinite, and the loss is no number.",
        "`torch.log_softmax` takes the largest logit away first.",
        {"log": _naive},
        {"log": lambda logits: logits - torch.log(torch.exp(logits).sum(-1, keepdim=True))},
        "no-max-subtraction: You cut large logits off: cut off they are equal, and so are their probabilities.",
        "`torch.log_softmax` needs no such limit.",
        *map(_clamped_softmax, (10, 15, 20, 30, 50, 80, 88, 100, 500, 700)),
        "log-in-two-steps: Your logarithm is infinite where a probability is so small that it is 0 as a number.",
        "Which function takes softmax and logarithm in one step?",
        paired(log=_in_two_steps),
        {
            "log": _in_two_steps,
            "pick": lambda logs, targets: -(logs * _one_hot(logs, targets)).sum(-1),
        },
        "epsilon-too-large: You keep probabilities away from 0 before the logarithm, so a large loss comes out too small.",
        "Which function takes softmax and logarithm in one step? It needs no such number.",
        *({"log": lambda logits, k=k: (torch.softmax(logits, -1) + 10.0**-k).log()} for k in _TINY),
        *({"log": lambda logits, k=k: torch.softmax(logits, -1).clamp(10.0**-k).log()} for k in _TINY),
        "wrong-log-base: You took the logarithm to base 2; it should be the natural one.",
        "Which logarithm undoes `exp`?",
        paired(after=lambda loss: loss / math.log(2)),
        "wrong-log-base: You took the logarithm to base 10; it should be the natural one.",
        {"after": lambda loss: loss / math.log(10)},
        "label-smoothing: You smoothed the targets; here the token that came has all the probability.",
        "Look for `label_smoothing`.",
        {"pick": _smoothed},
        "one-hot-error: You compared probabilities with one-hot targets by squares; the loss is minus the logarithm.",
        _LOSS,
        lambda logits, tokens: (
            (torch.softmax(logits[:, :-1], -1) - _one_hot(logits, tokens[:, 1:])).square().mean()
        ),
        "one-hot-too-narrow: Your one-hot targets are as wide as the largest token that comes up, not as the vocabulary.",
        "How many words are there? Which size of the logits says so?",
        {"pick": lambda logs, targets: -(_as_wide_as_needed(targets, logs) * logs).sum(-1)},
        {"pick": lambda logs, targets: -(logs * _as_wide_as_needed(targets, logs)).sum(-1)},
        "one-hot-error: Your one-hot targets are whole numbers; `F.cross_entropy` wants the tokens themselves, or floats.",
        "Which type of numbers does `one_hot` give?",
        lambda logits, tokens: F.cross_entropy(
            logits[:, :-1].flatten(0, 1), F.one_hot(tokens[:, 1:].flatten(), logits.shape[-1])
        ),
        "one-hot-error: You averaged over all words, those that did not come too: each prediction gives one number.",
        _MEAN,
        {"pick": lambda logs, targets: -logs * _one_hot(logs, targets)},
        "token-0-ignored: You leave out the predictions of token 0; here it is a token like any other.",
        "Look for `ignore_index`.",
        {"mean": _ignoring_zero},
        *(_where(_NEXT, share) for share in _SHARES),
        "token-0-ignored: You leave out what is predicted at token 0, as if it were padding; here it is a token like any other.",
        "Look for `!= 0`.",
        *(_where(_HERE, share) for share in _SHARES),
        {"mean": lambda losses, tokens: losses[tokens[:, :-1] != 0].mean()},
        "largest-for-target: You took the largest probability of each position; the token that came is meant.",
        "Do the tokens enter your result?",
        {"pick": lambda logs, targets: -logs.max(-1).values},
        "accuracy-for-loss: You counted how often the largest logit is the right one; nothing can be learned from a count.",
        _LOSS,
        lambda logits, tokens: (logits[:, :-1].argmax(-1) == tokens[:, 1:]).to(logits.dtype).mean(),
        lambda logits, tokens: (logits[:, :-1].argmax(-1) != tokens[:, 1:]).to(logits.dtype).mean(),
        "entropy-for-loss: You took the entropy of the predictions: the tokens that came do not enter.",
        "Do the tokens enter your result?",
        {"pick": lambda logs, targets: -(logs.exp() * logs).sum(-1)},
        {"log": _in_two_steps, "pick": lambda logs, targets: -(logs.exp() * logs).sum(-1)},
        "sign-flipped: The sign is turned round: the better the prediction, the larger your loss.",
        "Logarithms of probabilities are negative. What makes a loss of them?",
        paired(after=lambda loss: -loss),
        "sum-for-mean: You added up over all predictions; take their mean.",
        _MEAN,
        paired(mean=lambda losses, tokens: losses.sum()),
        "sum-for-mean: You added up over the positions; take the mean over them too.",
        paired(mean=lambda losses, tokens: losses.sum(1).mean()),
        "sum-for-mean: You added up over the batch; take the mean over it too.",
        paired(mean=lambda losses, tokens: losses.mean(1).sum()),
        "divided-by-n: You divided by B * n; there are only B * (n - 1) predictions.",
        _MEAN,
        paired(mean=lambda losses, tokens: losses.sum() / tokens.numel()),
        "divided-by-n: You divided by the number of words; there are B * (n - 1) predictions.",
        {"mean": lambda losses, tokens: losses.sum() / losses.numel() ** 2},
        "max-for-mean: You took the largest loss; take the mean.",
        _MEAN,
        {"mean": lambda losses, tokens: losses.max()},
        "median-for-mean: You took the median; take the mean.",
        {"mean": lambda losses, tokens: losses.median()},
        "not-averaged: You returned one loss for each prediction; their mean is asked for.",
        _MEAN,
        {"mean": lambda losses, tokens: losses},
        {"mean": lambda losses, tokens: losses.flatten()},
        "not-averaged: You returned one loss for each sequence; the mean goes over the batch too.",
        {"mean": lambda losses, tokens: losses.mean(1)},
        "not-averaged: You returned one loss for each position; the mean goes over the positions too.",
        {"mean": lambda losses, tokens: losses.mean(0)},
        "perplexity-for-loss: You returned e to the loss, the perplexity; the loss itself is asked for.",
        "Which step comes after the mean?",
        paired(after=torch.exp),
        "truncates-to-int: You rounded the loss; all digits are needed.",
        "Look for `int`, `round` or `//`.",
        {"after": lambda loss: torch.round(loss, decimals=2)},
        {"after": lambda loss: round(loss.item(), 2)},
        "gradient-cut: You put plain numbers into a new tensor: it knows nothing of the logits, so no training goes back through it.",
        "Which step makes plain numbers of tensors: `.item()`, `float()`? `torch.stack` keeps tensors.",
        {"after": lambda loss: torch.tensor(loss.item())},
        {"after": lambda loss: torch.tensor(loss.item(), dtype=loss.dtype)},
        "gradient-cut: You return a plain number: no training can go back through it to the logits.",
        "Which step makes a plain number of a tensor: `.item()`, `float()`, `.tolist()`, NumPy?",
        paired(after=lambda loss: loss.item()),
        "gradient-cut: No gradient comes through your loss to the logits, so nothing can be learned from it.",
        "Look for `detach`, `.data`, `no_grad`, `.item()` or a new tensor made of numbers: there the way back is cut.",
        paired(after=lambda loss: loss.detach()),
        "gradient-cut: A tensor that needs a gradient cannot become a NumPy array, and `detach` would cut the way back to the logits.",
        "Which function of PyTorch does the same? Stay with tensors from the logits to the loss.",
        lambda logits, tokens: logits.numpy(),
        "keepdims-left: Your result has an axis of size 1; a single number is asked for.",
        "Look for `keepdim` or `[None]`.",
        {"after": lambda loss: loss.reshape(1)},
        "returns-tuple: You returned more than the loss.",
        "What stands behind `return`?",
        {"after": lambda loss: (loss, None)},
        "returns-none: Your function returns nothing (None).",
        "Every way through your function should end in a `return`.",
        lambda logits, tokens: None,
    ),
)
