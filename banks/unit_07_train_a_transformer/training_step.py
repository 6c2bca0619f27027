"""Right and wrong answers to `training_step`, as learners write them."""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong
from helpers import reference


def loss_of(model, tokens):
    return F.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


# Right answers, each in its own style


@right("training_step", "the loss from reference, emptied first")
def plain(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = reference.next_token_loss(model(tokens), tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@right("training_step", "words on axis 1, emptied by the model, float")
def short(m, o, t):
    loss = F.cross_entropy(m(t)[:, :-1].transpose(1, 2), t[:, 1:])
    m.zero_grad()
    loss.backward()
    o.step()
    return float(loss.detach())


@right("training_step", "autograd.grad, put into .grad")
def gradients_handed_over(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    params = [p for group in optimizer.param_groups for p in group["params"]]
    for p, g in zip(params, torch.autograd.grad(loss, params), strict=True):
        p.grad = g
    optimizer.step()
    return loss.item()


@right("training_step", "a closure")
def with_closure(model, optimizer, tokens):
    def closure():
        optimizer.zero_grad()
        loss = loss_of(model, tokens)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


@right("training_step", "loops, .grad = None")
def loops(model, optimizer, tokens):
    for p in model.parameters():
        p.grad = None
    logits = model(tokens)
    B, n = tokens.shape
    total = 0.0
    for b in range(B):
        for t in range(n - 1):
            row = logits[b, t]
            total = total + torch.logsumexp(row, dim=0) - row[tokens[b, t + 1]]
    loss = total / (B * (n - 1))
    loss.backward()
    optimizer.step()
    return loss.item()


@right("training_step", "targets of -100, emptied again at the end")
def padded_targets(model, optimizer, tokens):
    targets = torch.full_like(tokens, -100)
    targets[:, :-1] = tokens[:, 1:]
    loss = F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@right("training_step", "cut before the model, zeros in place of None")
def cut_first(model, optimizer, tokens):
    seen, targets = tokens[:, :-1], tokens[:, 1:]
    optimizer.zero_grad(set_to_none=False)
    logits = model(seen)
    loss = nn.CrossEntropyLoss()(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))
    loss.backward(retain_graph=True)
    optimizer.step()
    return loss.detach().numpy()[()]


@right("training_step", "one-hot targets, the mode put back")
def one_hot(model, optimizer, tokens):
    was_training = model.training
    model.train()
    logits = model(tokens)
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    loss = -(targets * torch.log_softmax(logits[:, :-1], dim=2)).sum(dim=2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.train(was_training)
    return loss.tolist()


@right("training_step", "a list of losses, the value taken first")
def by_position(model, optimizer, tokens):
    optimizer.zero_grad()
    logits = model(tokens)
    losses = [F.cross_entropy(logits[:, t], tokens[:, t + 1]) for t in range(tokens.shape[1] - 1)]
    loss = torch.stack(losses).mean()
    value = loss.item()
    loss.backward()
    optimizer.step()
    return value


@right("training_step", "the step in finally")
def at_the_end(model, optimizer, tokens):
    try:
        loss = loss_of(model, tokens)
        model.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        return loss.item()
    finally:
        optimizer.step()


@right("training_step", "gradients of the sequences added up")
def accumulated(model, optimizer, tokens):
    optimizer.zero_grad()
    total = 0.0
    for row in tokens.split(1):
        loss = loss_of(model, row) / len(tokens)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


@right("training_step", "a second look at the loss before the step")
def two_passes(model, optimizer, tokens):
    with torch.no_grad():
        before = loss_of(model, tokens).item()
    optimizer.zero_grad()
    loss_of(model, tokens).backward()
    optimizer.step()
    return before


# Wrong answers, each with the id of its mistake


def of_loss(loss_from):
    """The usual step, with a loss made of logits and tokens."""

    def training_step(model, optimizer, tokens):
        optimizer.zero_grad()
        loss = loss_from(model(tokens), tokens)
        loss.backward()
        optimizer.step()
        return loss.item()

    return training_step


@wrong("training_step", "no-zero-grad")
def never_emptied(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-zero-grad", "without brackets")
def emptied_without_brackets(model, optimizer, tokens):
    optimizer.zero_grad
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return float(loss)


@wrong("training_step", "no-zero-grad", "only after the step")
def emptied_at_the_end(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@wrong("training_step", "zero-grad-after-backward")
def emptied_between(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


@wrong("training_step", "zero-grad-after-backward", "zeros in place of None")
def filled_between(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-gradient")
def no_backward(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-gradient", "nothing emptied either")
def only_a_step(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-gradient", "a new tensor")
def new_tensor(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = torch.tensor(loss_of(model, tokens).item(), requires_grad=True)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-gradient", "a copy of the model learns")
def copy_learns(model, optimizer, tokens):
    other = copy.deepcopy(model)
    optimizer.zero_grad()
    loss = loss_of(other, tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "no-step")
def no_step(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    return loss.item()


@wrong("training_step", "no-step", "without brackets")
def step_without_brackets(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step
    return loss.item()


@wrong("training_step", "no-step", "in training mode only")
def only_in_training(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    if model.training:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


@wrong("training_step", "no-step", "only looks")
def only_the_loss(model, optimizer, tokens):
    with torch.no_grad():
        return loss_of(model, tokens).item()


@wrong("training_step", "step-before-backward")
def step_then_backward(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    optimizer.step()
    loss.backward()
    return loss.item()


@wrong("training_step", "step-before-backward", "never emptied")
def step_then_backward_unemptied(model, optimizer, tokens):
    loss = loss_of(model, tokens)
    optimizer.step()
    loss.backward()
    return loss.item()


@wrong("training_step", "step-before-backward", "step, zero_grad, backward")
def step_first(model, optimizer, tokens):
    optimizer.step()
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    return loss.item()


@wrong("training_step", "steps-too-often")
def two_steps(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    result = loss.item()
    optimizer.step()
    return result


@wrong("training_step", "steps-too-often", "a whole training")
def ten_steps(model, optimizer, tokens, steps=10):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(model, tokens)
        loss.backward()
        optimizer.step()
    return loss.item()


@wrong("training_step", "steps-too-often", "one for each sequence")
def step_for_each(model, optimizer, tokens):
    losses = []
    for row in tokens:
        optimizer.zero_grad()
        loss = loss_of(model, row[None])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@wrong("training_step", "optimizer-ignored", "a new one")
def new_optimizer(model, optimizer, tokens):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "optimizer-ignored", "by hand")
def by_hand(model, optimizer, tokens):
    model.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= optimizer.param_groups[0]["lr"] * p.grad
    return loss.item()


@wrong("training_step", "learning-rate-changed")
def with_schedule(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        group["lr"] *= 0.9
    return loss.item()


@wrong("training_step", "gradient-clipped")
def clipped(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


@wrong("training_step", "gradient-doubled")
def backward_twice(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "gradient-doubled", "with an error")
def backward_again(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "gradient-cut", "no_grad")
def under_no_grad(model, optimizer, tokens):
    optimizer.zero_grad()
    with torch.no_grad():
        loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "gradient-cut", "detached")
def detached(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = reference.next_token_loss(model(tokens).detach(), tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "gradient-cut", ".item() too early")
def item_too_early(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens).item()
    loss.backward()
    optimizer.step()
    return loss


@wrong("training_step", "step-gets-loss")
def loss_into_step(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step(loss)
    return loss.item()


@wrong("training_step", "grad-is-none")
def zeros_into_none(model, optimizer, tokens):
    for p in model.parameters():
        p.grad.zero_()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "mode-changed", "train")
def into_training(model, optimizer, tokens):
    model.train()
    return plain(model, optimizer, tokens)


@wrong("training_step", "mode-changed", "eval at the end")
def into_eval(model, optimizer, tokens):
    model.train()
    loss = plain(model, optimizer, tokens)
    model.eval()
    return loss


@wrong("training_step", "no-zero-grad+mode-changed")
def training_and_never_emptied(model, optimizer, tokens):
    model.train()
    return never_emptied(model, optimizer, tokens)


@wrong("training_step", "loss-after-step")
def loss_after(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        return loss_of(model, tokens).item()


@wrong("training_step", "returns-tensor")
def returns_loss(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    loss.backward()
    optimizer.step()
    return loss


@wrong("training_step", "returns-tensor", "detached")
def returns_detached(model, optimizer, tokens):
    return returns_loss(model, optimizer, tokens).detach()


@wrong("training_step", "returns-tensor", "logits")
def returns_logits(model, optimizer, tokens):
    optimizer.zero_grad()
    logits = model(tokens)
    reference.next_token_loss(logits, tokens).backward()
    optimizer.step()
    return logits


@wrong("training_step", "returns-array")
def returns_array(model, optimizer, tokens):
    return returns_loss(model, optimizer, tokens).detach().numpy()


@wrong("training_step", "returns-function")
def item_without_brackets(model, optimizer, tokens):
    return returns_loss(model, optimizer, tokens).item


@wrong("training_step", "returns-none")
def returns_nothing(model, optimizer, tokens):
    plain(model, optimizer, tokens)


@wrong("training_step", "returns-tuple")
def returns_two(model, optimizer, tokens):
    return plain(model, optimizer, tokens), tokens


@wrong("training_step", "returns-string")
def returns_text(model, optimizer, tokens):
    return f"{plain(model, optimizer, tokens):.4f}"


@wrong("training_step", "perplexity-for-loss")
def perplexity(model, optimizer, tokens):
    return math.exp(plain(model, optimizer, tokens))


@wrong("training_step", "sum-for-mean", "the loss that is returned, times B")
def times_sequences(model, optimizer, tokens):
    return plain(model, optimizer, tokens) * tokens.shape[0]


@wrong("training_step", "truncates-to-int")
def rounded(model, optimizer, tokens):
    return round(plain(model, optimizer, tokens), 4)


@wrong("training_step", "sum-for-mean", "gradients of the sequences added up")
def gradients_added(model, optimizer, tokens):
    optimizer.zero_grad()
    losses = []
    for row in tokens:
        loss = loss_of(model, row[None])
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return sum(losses) / len(losses)


@wrong("training_step", "overwritten-instead-of-summed")
def emptied_for_each(model, optimizer, tokens):
    total = 0.0
    for row in tokens.split(1):
        optimizer.zero_grad()
        loss = loss_of(model, row) / len(tokens)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


@wrong("training_step", "sign-flipped", "uphill")
def uphill(model, optimizer, tokens):
    optimizer.zero_grad()
    loss = loss_of(model, tokens)
    (-loss).backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "last-left-out")
def shifted_again(model, optimizer, tokens):
    seen, targets = tokens[:, :-1], tokens[:, 1:]
    optimizer.zero_grad()
    logits = model(seen)
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, :-1].flatten())
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "input-changed")
def writes_targets(model, optimizer, tokens):
    optimizer.zero_grad()
    logits = model(tokens.clone())
    targets = tokens
    targets[:, :-1] = tokens[:, 1:].clone()
    targets[:, -1] = -100
    loss = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-100)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "loss-not-called", "logits and targets go into the class")
def loss_class(model, optimizer, tokens):
    optimizer.zero_grad()
    logits = model(tokens)[:, :-1]
    loss = nn.CrossEntropyLoss(logits.flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong("training_step", "view-after-transpose", "a view of a slice")
def view_of_slice(model, optimizer, tokens):
    logits = model(tokens)
    B, n, V = logits.shape
    loss = F.cross_entropy(logits[:, :-1].view(B * (n - 1), V), tokens[:, 1:].view(B * (n - 1)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for mistake, loss_from in (
    ("no-shift", lambda logits, tokens: F.cross_entropy(logits.flatten(0, 1), tokens.flatten())),
    (
        "shifted-backwards",
        lambda logits, tokens: F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten()),
    ),
    (
        "sum-for-mean",
        lambda logits, tokens: F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="sum"),
    ),
    (
        "divided-by-n",
        lambda logits, tokens: (
            F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="sum") / tokens.numel()
        ),
    ),
    (
        "not-averaged",
        lambda logits, tokens: F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="none"),
    ),
    ("softmax-twice", lambda logits, tokens: F.cross_entropy(logits[:, :-1].softmax(-1).mT, tokens[:, 1:])),
    ("softmax-missing", lambda logits, tokens: F.nll_loss(logits[:, :-1].mT, tokens[:, 1:])),
    (
        "sign-flipped",
        lambda logits, tokens: logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:, None]).mean(),
    ),
    ("only-last-token", lambda logits, tokens: F.cross_entropy(logits[:, -2], tokens[:, -1])),
    ("first-batch-only", lambda logits, tokens: F.cross_entropy(logits[0, :-1], tokens[0, 1:])),
    (
        "shifted-along-batch",
        lambda logits, tokens: F.cross_entropy(logits[:-1].flatten(0, 1), tokens[1:].flatten()),
    ),
    ("wraps-around", lambda logits, tokens: F.cross_entropy(logits.mT, tokens.roll(-1, 1))),
    (
        "token-0-ignored",
        lambda logits, tokens: F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], ignore_index=0),
    ),
    ("class-axis-wrong", lambda logits, tokens: F.cross_entropy(logits[:, :-1], tokens[:, 1:])),
    ("arguments-swapped", lambda logits, tokens: reference.next_token_loss(tokens, logits)),
):
    wrong("training_step", mistake, "in the loss")(of_loss(loss_from))
