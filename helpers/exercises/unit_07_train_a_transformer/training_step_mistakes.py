"""What people get wrong in `training_step`: which gradients count, in which order, of which loss, what comes back."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import Optimizer

from helpers.exercises.unit_07_train_a_transformer import next_token_loss_mistakes
from helpers.exercises.wrong.rows import Row, mistakes, paired, rows

Tensor = torch.Tensor


def _loss(logits: Tensor, tokens: Tensor) -> Tensor:
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def _empty(optimizer: Optimizer) -> None:
    optimizer.zero_grad()


def _nothing(*_: Any) -> None:
    """What stands in place of a step that is left out."""


def variant(
    *,
    start: Callable[[nn.Module], Any] = _nothing,
    clear: Callable[[Optimizer], Any] = _empty,
    logits: Callable[[nn.Module, Tensor], Tensor] = lambda model, tokens: model(tokens),
    loss: Callable[[Tensor, Tensor], Any] = _loss,
    learn: Callable[[Any, Tensor], Any] = lambda loss, tokens: loss.backward(),
    change: Callable[[nn.Module], Any] = _nothing,
    move: Callable[[Optimizer], Any] = lambda optimizer: optimizer.step(),
    clear_late: Callable[[Optimizer], Any] = _nothing,
    result: Callable[[Any, nn.Module, Tensor], Any] = lambda loss, model, tokens: loss.item(),
) -> Callable[[nn.Module, Optimizer, Tensor], Any]:
    """A step of training with some of its parts replaced by wrong ones."""

    def answer(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> Any:
        start(model)
        clear(optimizer)
        found = loss(logits(model, tokens), tokens)
        learn(found, tokens)
        change(model)
        move(optimizer)
        clear_late(optimizer)
        return result(found, model, tokens)

    return answer


Orders = Callable[[nn.Module, Optimizer, Tensor], float]


def _step_first(*, empties: str) -> Orders:
    """The optimizer steps on what is there, then gradients come; emptied before the step, behind it, or never."""

    def answer(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> float:
        loss = _loss(model(tokens), tokens)
        for name in ("before", "step", "behind"):
            if name == "step":
                optimizer.step()
            elif name == empties:
                optimizer.zero_grad()
        loss.backward()
        return loss.item()

    return answer


def _step_before_all(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> float:
    optimizer.step()
    optimizer.zero_grad()
    loss = _loss(model(tokens), tokens)
    loss.backward()
    return loss.item()


def _step_before_all_unemptied(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> float:
    optimizer.step()
    loss = _loss(model(tokens), tokens)
    loss.backward()
    return loss.item()


def _again(loss: Tensor, model: nn.Module, tokens: Tensor) -> float:
    return _loss(model(tokens), tokens).item()


def _half_way(loss: Tensor, model: nn.Module, tokens: Tensor) -> float:
    return (loss.item() + _again(loss, model, tokens)) / 2


def _twice(loss: Tensor, tokens: Tensor) -> None:
    loss.backward(retain_graph=True)
    loss.backward()


def _by_sequence(loss: Tensor, model: nn.Module, tokens: Tensor) -> float:
    return loss.item() * len(tokens)


def _each_sequence(returned: Callable[[list[float]], float]) -> Orders:
    """A loss and a `backward` for each sequence: gradients add up."""

    def answer(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> float:
        optimizer.zero_grad()
        losses = []
        for row in tokens:
            loss = _loss(model(row[None]), row[None])
            loss.backward()
            losses.append(loss.item())
        optimizer.step()
        return returned(losses)

    return answer


def _last_sequence(share: bool, returned: Callable[[list[float]], float]) -> Orders:
    """A loss and a `backward` for each sequence, and the gradients emptied before each."""

    def answer(model: nn.Module, optimizer: Optimizer, tokens: Tensor) -> float:
        losses = []
        for row in tokens:
            optimizer.zero_grad()
            loss = _loss(model(row[None]), row[None])
            (loss / len(tokens) if share else loss).backward()
            losses.append(loss.item())
        optimizer.step()
        return returned(losses)

    return answer


def _mean(losses: list[float]) -> float:
    return sum(losses) / len(losses)


def _last(losses: list[float]) -> float:
    return losses[-1]


def _without_gradients(model: nn.Module, tokens: Tensor) -> Tensor:
    with torch.no_grad():
        return model(tokens)


def _clipped(by: Callable[..., Any], most: float) -> dict[str, Any]:
    return {"change": lambda model: by(model.parameters(), most)}


def _filled_with_zeros(part: Callable[[Tensor], Tensor]) -> Callable[[Optimizer], None]:
    def clear(optimizer: Optimizer) -> None:
        for group in optimizer.param_groups:
            for one in group["params"]:
                part(one.grad).zero_()

    return clear


def _accuracy(loss: Tensor, model: nn.Module, tokens: Tensor) -> float:
    return (model(tokens)[:, :-1].argmax(-1) == tokens[:, 1:]).double().mean().item()


_LOSSES = {
    "no-shift",
    "shifted-backwards",
    "off-by-one",
    "wraps-around",
    "last-position-counted",
    "batch-mixed",
    "only-last-token",
    "only-first-token",
    "first-batch-only",
    "shifted-along-batch",
    "last-left-out",
    "reshape-instead-of-transpose",
    "order-mixed",
    "softmax-twice",
    "softmax-missing",
    "log-missing",
    "sign-flipped",
    "label-smoothing",
    "one-hot-error",
    "token-0-ignored",
    "sum-for-mean",
    "divided-by-n",
    "max-for-mean",
    "wrong-log-base",
}
"""Mistakes of a loss that can be made within a step of training as well."""

_OFTEN = ("no-shift", "sum-for-mean", "softmax-twice")


def _of_the_loss() -> Iterator[Row]:
    for one in next_token_loss_mistakes.MISTAKES:
        if one.id in _LOSSES:
            steps = {"loss": one.answer}
            yield Row(one.id, one.says, one.hint, paired(**steps) if one.id in _OFTEN else steps)


_ORDER = "Say of each line what it does to `.grad`: empty it, add to it, or read it."
_BACK = "What does `backward` start from, and how does that know of the weights?"
_SEEN = "Which lines set the mode? Whoever calls your function has chosen one, and may need it afterwards."
_BEFORE = "When is the loss computed that you return, and with which weights?"
_SAME = "Which loss is returned, and which one is `backward` called on?"

MISTAKES = mistakes(
    variant,
    *rows(
        "no-zero-grad: Gradients from before your call count too: `backward` adds to `.grad`, and nothing empties it first.",
        _ORDER,
        paired(clear=_nothing),
        "no-zero-grad: You empty the gradients, but only after the step: what lay in `.grad` before your call still counts.",
        _ORDER,
        {"clear": _nothing, "clear_late": _empty},
        "step-before-backward: Your optimizer steps before `backward`: it finds the gradients of an earlier call, or none.",
        _ORDER,
        *map(lambda empties: _step_first(empties=empties), ("before", "behind", "never")),
        _step_before_all,
        _step_before_all_unemptied,
        "no-gradient: The optimizer makes its step without gradients of this loss: it finds those of an earlier call, or none.",
        "Which line fills `.grad`?",
        {"clear": _nothing, "learn": _nothing},
        {"learn": _nothing},
        {"clear": _nothing, "learn": _nothing, "clear_late": _empty},
        "zero-grad-after-backward: Between `backward` and the step you empty the gradients, so the step finds none.",
        _ORDER,
        {"change": lambda model: model.zero_grad()},
        "loss-after-step: The loss you return is computed after the step, with the new weights; the loss before it is asked for.",
        _BEFORE,
        paired(result=_again),
        "loss-after-step: You return the mean of the loss before the step and that after it; the one before is asked for.",
        _BEFORE,
        {"result": _half_way},
        "mode-changed: Whatever mode the model was in, afterwards it is in training mode. It should stay in the one it was in.",
        _SEEN,
        paired(start=lambda model: model.train()),
        "mode-changed: Whatever mode the model was in, afterwards it is in eval mode. It should stay in the one it was in.",
        _SEEN,
        paired(start=lambda model: model.eval()),
        "mode-changed: Afterwards the model is in training mode where it was in eval mode, and the other way round.",
        _SEEN,
        {"start": lambda model: model.train(not model.training)},
        "gradient-cut: You call `backward` on a plain number, which knows nothing of the weights it came from.",
        _BACK,
        {"learn": lambda loss, tokens: loss.item().backward()},
        "gradient-cut: You call `backward` on something of NumPy, which knows nothing of the weights it came from.",
        _BACK,
        {"learn": lambda loss, tokens: loss.detach().numpy().backward()},
        {"learn": lambda loss, tokens: loss.detach().numpy()[()].backward()},
        "gradient-cut: No way leads back from your loss to the weights, so there is no gradient to compute.",
        "Look for `no_grad`, `detach`, `.data`, `argmax`, and a new tensor made of plain numbers.",
        {"logits": _without_gradients},
        "gradient-doubled: You run `backward` a second time through the same computation; once is enough.",
        "How often does `backward` run in one call?",
        {"learn": lambda loss, tokens: (loss.backward(), loss.backward())},
        "gradient-doubled: The step is made from twice the gradient of the loss.",
        "How often does `backward` run in one call, and is the loss counted twice?",
        {"learn": _twice},
        {"learn": lambda loss, tokens: (2 * loss).backward(), "result": lambda loss, *_: 2 * loss.item()},
        "sign-flipped: The weights go uphill: the step is made from minus the gradient, so the loss grows.",
        "An optimizer makes smaller what `backward` is called on. Where does a minus sign come in?",
        paired(learn=lambda loss, tokens: (-loss).backward()),
        "sum-for-mean: The step is made from the gradient of the sum over all predictions; the loss is their mean.",
        _SAME,
        {"learn": lambda loss, tokens: (loss * tokens[:, 1:].numel()).backward()},
        "sum-for-mean: The gradients of the sequences are added up; the loss is a mean over them too.",
        "By what should each gradient be divided, where each sequence has a `backward` of its own?",
        {"learn": lambda loss, tokens: (loss * len(tokens)).backward()},
        *map(_each_sequence, (sum, _last, lambda losses: losses[0])),
        "overwritten-instead-of-summed: The step is made from the gradient of the last sequence alone.",
        "Where does `zero_grad` stand: does it run once in a call, or once for each sequence?",
        *(_last_sequence(share, returned) for share in (True, False) for returned in (_mean, sum, _last)),
        "sum-for-mean: You return the loss times the number of sequences; it is a mean, and asked for as it is.",
        _SAME,
        {"result": _by_sequence},
        "sum-for-mean: You return the loss times the number of predictions; it is a mean, and asked for as it is.",
        {"result": lambda loss, model, tokens: loss.item() * tokens[:, 1:].numel()},
        "sum-for-mean: You return the loss times the number of tokens; it is a mean, and asked for as it is.",
        {"result": lambda loss, model, tokens: loss.item() * tokens.numel()},
        "divided-by-n: The step is made from the gradient divided by the number of sequences; the loss is a mean already.",
        _SAME,
        {"learn": lambda loss, tokens: (loss / len(tokens)).backward()},
        "divided-by-n: You divide the loss that you return, which is a mean already.",
        _SAME,
        {"result": lambda loss, model, tokens: loss.item() / len(tokens)},
        {"result": lambda loss, model, tokens: loss.item() / tokens.numel()},
        {"result": lambda loss, model, tokens: loss.item() / tokens.shape[1]},
        "divided-by-n: You divide the loss, which is a mean already.",
        _SAME,
        {"loss": lambda logits, tokens: _loss(logits, tokens) / len(tokens)},
        {"loss": lambda logits, tokens: _loss(logits, tokens) / tokens.shape[1]},
        "gradient-clipped: You make large gradients smaller before the step; it should be made from the gradient as it is.",
        "Look for `clip_grad_norm_`, `clip_grad_value_` and `clamp`.",
        *(_clipped(nn.utils.clip_grad_norm_, most) for most in (0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)),
        *(_clipped(nn.utils.clip_grad_value_, most) for most in (0.01, 0.1, 0.5, 1.0, 2.0, 5.0)),
        "loss-not-called: `nn.CrossEntropyLoss(...)` only makes a loss function; logits and targets go to the function that it makes.",
        "How many pairs of brackets does a layer need, to be made and to be used?",
        {
            "loss": lambda logits, tokens: nn.CrossEntropyLoss(
                logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()
            )
        },
        {"loss": lambda logits, tokens: nn.CrossEntropyLoss(logits[:, :-1].mT, tokens[:, 1:])},
        "grad-is-none: Before the first `backward` there are no gradients: `.grad` is None, which cannot be filled with zeros.",
        "Which method of the optimizer, or of the model, empties gradients that may not be there?",
        {"clear": _filled_with_zeros(lambda grad: grad)},
        {"clear": _filled_with_zeros(lambda grad: grad.data)},
        "not-averaged: Your loss has a number for each prediction; `backward` starts from a single one, their mean.",
        'Look for `reduction="none"`. What makes one number of many?',
        {"loss": lambda logits, tokens: F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none")},
        "no-shift: Your model sees the tokens from the second on, and each position predicts the token it has just seen.",
        "Which tokens does the model get, and which should each position predict?",
        {
            "logits": lambda model, tokens: model(tokens[:, 1:]),
            "loss": lambda logits, tokens: F.cross_entropy(logits.mT, tokens[:, 1:]),
        },
        "shifted-backwards: Your model sees the tokens from the second on, and each position predicts the token before its own.",
        "Which tokens does the model get, and which should each position predict?",
        {
            "logits": lambda model, tokens: model(tokens[:, 1:]),
            "loss": lambda logits, tokens: F.cross_entropy(logits.mT, tokens[:, :-1]),
        },
        "perplexity-for-loss: You return e to the loss, the perplexity; the loss itself is asked for.",
        "Which step comes after the mean?",
        {"result": lambda loss, model, tokens: loss.exp().item()},
        "accuracy-for-loss: You return how often the largest logit is the right one; the loss is asked for.",
        "What stands behind `return`?",
        {"result": _accuracy},
        "sign-flipped: The loss you return has its sign turned round.",
        "Where does a minus sign come in?",
        {"result": lambda loss, model, tokens: -loss.item()},
        "truncates-to-int: You round the loss that you return; all digits are needed.",
        "Look for `int`, `round` or a format such as `.4f`.",
        {"result": lambda loss, model, tokens: round(loss.item(), 4)},
        {"result": lambda loss, model, tokens: int(loss.item())},
    ),
    *_of_the_loss(),
)
