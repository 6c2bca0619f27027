"""What people get wrong in `generate`: what the model sees, which token is taken, how they are joined."""

from collections.abc import Callable
from typing import Any

import torch

from helpers.exercises.wrong.rows import filled, mistakes, paired, rows

Tensor = torch.Tensor


def variant(
    *,
    sees: Callable[[Tensor, Tensor], Tensor] = lambda tokens, prompt: tokens,
    last: Callable[[Tensor], Tensor] = lambda logits: logits[:, -1],
    choose: Callable[[Tensor], Tensor] = lambda logits: logits.argmax(-1, keepdim=True),
    join: Callable[[Tensor, Tensor], Tensor] = lambda tokens, new: torch.cat([tokens, new], 1),
    often: Callable[[int], int] = lambda num_new: num_new,
    result: Callable[[Tensor, Tensor], Any] = lambda tokens, prompt: tokens,
) -> Callable[[Any, Tensor, int], Any]:
    """Greedy writing with some of its steps replaced by wrong ones."""

    def answer(model: Any, tokens: Tensor, num_new: int) -> Any:
        prompt = tokens
        for _ in range(often(num_new)):
            tokens = join(tokens, choose(last(model(sees(tokens, prompt)))))
        return result(tokens, prompt)

    return answer


def _at_once(model: Any, tokens: Tensor, num_new: int) -> Tensor:
    return torch.cat([tokens, model(tokens).argmax(-1)[:, -num_new:]], 1)


def _window(model: Any, tokens: Tensor, num_new: int) -> Tensor:
    written = tokens
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens[:, 1:], new], 1)
        written = torch.cat([written, new], 1)
    return written


def _only_the_new(model: Any, tokens: Tensor, num_new: int) -> Tensor:
    seen = tokens
    for _ in range(num_new):
        seen = model(seen)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, seen], 1)
    return tokens


def _in_a_buffer(
    fill: Callable[[Tensor], Tensor] = lambda tokens: torch.zeros_like(tokens[:, -1:]),
    ahead: int | None = None,
    at: int | None = None,
) -> Callable[[Any, Tensor, int], Tensor]:
    """The model sees some of the places to come, or all of them."""

    def answer(model: Any, tokens: Tensor, num_new: int) -> Tensor:
        text = torch.cat([tokens, fill(tokens).expand(-1, num_new)], 1)
        for t in range(tokens.shape[1], text.shape[1]):
            text[:, t] = model(text[:, : t + ahead] if ahead else text)[:, at or t - 1].argmax(-1)
        return text

    return answer


def _always_read_there(model: Any, tokens: Tensor, num_new: int) -> Tensor:
    """All tokens so far are seen, but the logits are those at the end of the prompt."""
    end = tokens.shape[1] - 1
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, end].argmax(-1, keepdim=True)], 1)
    return tokens


def _new_or_error(written: Tensor, prompt: Tensor) -> Tensor:
    """The new tokens, collected in a list and joined: without any there is nothing to join."""
    return torch.cat(
        list(written[:, prompt.shape[1] :].split(1, dim=1)) if written.shape != prompt.shape else [], dim=1
    )


def _for_all(best: Callable[[Tensor], Tensor]) -> dict[str, Callable]:
    """One token for every sequence."""
    return {"choose": lambda logits: best(logits).reshape(1, 1).expand(len(logits), 1)}


def _until(tokens_end: int, *, kept: bool = False) -> Callable[[Any, Tensor, int], Tensor]:
    def answer(model: Any, tokens: Tensor, num_new: int) -> Tensor:
        for _ in range(num_new):
            new = model(tokens)[:, -1].argmax(-1, keepdim=True)
            end = bool((new == tokens_end).all())
            if not end or kept:
                tokens = torch.cat([tokens, new], 1)
            if end:
                break
        return tokens

    return answer


def _without_repeating(last: int) -> Callable[[Any, Tensor, int], Tensor]:
    def answer(model: Any, tokens: Tensor, num_new: int) -> Tensor:
        for _ in range(num_new):
            logits = model(tokens)[:, -1].scatter(1, tokens[:, -last:], -torch.inf)
            tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], 1)
        return tokens

    return answer


_SEES = "Print what you hand to the model on the second round."
_LAST = "The model returns (B, n, vocab). Which position knows all tokens so far?"
_WHICH = "Which word has the largest logit?"
_JOIN = "Along which axis does a sequence grow, and at which end?"
_OFTEN = "How many tokens should the result have more than the prompt?"

MISTAKES = mistakes(
    variant,
    *rows(
        "prompt-not-extended: All new tokens come from the logits at the end of the prompt: what was written has no part in what comes next.",
        "How often do you call the model, with what, and which position do you read?",
        paired(sees=lambda tokens, prompt: prompt),
        _always_read_there,
        "prefix-dropped: The model sees only the last token; what comes next may depend on all of them.",
        _SEES,
        paired(sees=lambda tokens, prompt: tokens[:, -1:]),
        "prefix-dropped: The model sees only what was written last, in a window as long as the prompt; it should see all tokens so far.",
        _SEES,
        _window,
        "prefix-dropped: From the second round on the model sees only the token written last; it should see all tokens so far.",
        _SEES,
        _only_the_new,
        "prefix-dropped: The model does not see the first token.",
        _SEES,
        paired(sees=lambda tokens, prompt: tokens[:, 1:]),
        *filled(
            "prefix-dropped: The model sees no more than the last {} tokens; it should see all so far.",
            _SEES,
            {str(k): {"sees": lambda tokens, prompt, k=k: tokens[:, -k:]} for k in (2, 3, 4, 5, 8, 10)},
        ),
        "prefix-dropped: With each new token the oldest one goes, from what the model sees and from your result.",
        "What should your result begin with?",
        {"join": lambda tokens, new: torch.cat([tokens[:, 1:], new], 1)},
        "last-left-out: The model does not see the last token.",
        _SEES,
        paired(sees=lambda tokens, prompt: tokens[:, :-1]),
        "empty-places-seen: The model is handed places that are not written yet: one that looks at all it is handed takes the zeros there for tokens.",
        "What stands behind the tokens so far in what you hand to the model?",
        _in_a_buffer(),
        _in_a_buffer(ahead=1),
        "empty-places-seen: You read the logits behind places that are not written yet.",
        "Which position of what you hand to the model holds the token written last?",
        _in_a_buffer(at=-1),
        "empty-places-seen: The model is handed places that are not written yet: one that looks at all it is handed takes what fills them up for tokens.",
        "What stands behind the tokens so far in what you hand to the model?",
        _in_a_buffer(lambda tokens: torch.ones_like(tokens[:, -1:])),
        _in_a_buffer(lambda tokens: tokens[:, -1:]),
        "first-position-for-last: You take the logits of the first position; the last one predicts the next token.",
        _LAST,
        paired(last=lambda logits: logits[:, 0]),
        "second-last-for-last: You take the position before the last: it predicts a token that is there already.",
        _LAST,
        paired(last=lambda logits: logits[:, -2]),
        "positions-averaged: You put the logits of all positions together, as mean or sum; only the last one predicts the next token.",
        _LAST,
        paired(last=lambda logits: logits.mean(1)),
        {"last": lambda logits: logits.sum(1)},
        "positions-averaged: You take the largest logit of any position; only the last one predicts the next token.",
        _LAST,
        {"last": lambda logits: logits.amax(1)},
        "smallest-for-largest: You take the smallest logit; the likeliest token has the largest.",
        _WHICH,
        paired(choose=lambda logits: logits.argmin(-1, keepdim=True)),
        "second-best: You take the second largest logit.",
        _WHICH,
        {"choose": lambda logits: logits.topk(2, -1).indices[:, 1:]},
        "largest-size: You take the logit that is furthest from 0, which may be far below it.",
        _WHICH,
        {"choose": lambda logits: logits.abs().argmax(-1, keepdim=True)},
        "logit-for-token: You put the largest logit itself behind the tokens; its place is the token.",
        "What is the difference between `max` and `argmax`?",
        {"choose": lambda logits: logits.amax(-1, keepdim=True).long()},
        "batch-shares-token: All sequences get the token of the first one.",
        "Each row of the batch has logits of its own.",
        paired(choose=lambda logits: logits[:1].argmax(-1, keepdim=True).expand(len(logits), 1)),
        "batch-shares-token: All sequences get the token of the last one.",
        "Each row of the batch has logits of its own.",
        _for_all(lambda logits: logits[-1].argmax()),
        "batch-shares-token: One argmax runs over all sequences and words together, so all sequences get one token.",
        "Which axis of (B, vocab) are the words?",
        _for_all(lambda logits: logits.argmax() % logits.shape[-1]),
        "batch-shares-token: You add up the logits of the batch, so all sequences get one token.",
        "Each row of the batch has logits of its own.",
        {
            "choose": lambda logits: (
                logits.sum(0, keepdim=True).argmax(-1, keepdim=True).expand(len(logits), 1)
            )
        },
        "argmax-over-wrong-axis: Your argmax runs over the batch; it should run over the words.",
        "Which axis of (B, vocab) are the words?",
        {"choose": lambda logits: logits.argmax(0)[: len(logits), None]},
        {"choose": lambda logits: logits.argmax(0, keepdim=True)},
        "argmax-over-wrong-axis: Your argmax runs over the positions; it should run over the words.",
        "Which axis of (B, n, vocab) are the words?",
        {"last": lambda logits: logits, "choose": lambda logits: logits.argmax(1)[:, -1:]},
        "no-repeats: You forbid a token to come twice in a row; the likeliest may.",
        "Which line takes a token away that the model wants?",
        _without_repeating(1),
        "no-repeats: You forbid tokens that stand there already; the likeliest may come again.",
        _without_repeating(0),
        "stops-early: You stop at token 0, as if it ended a text; here it is a token like any other.",
        "Which line leaves the loop?",
        _until(0),
        _until(0, kept=True),
        "written-at-once: You take all new tokens from one call: each must be known before the next can be predicted.",
        "How often do you call the model?",
        _at_once,
        "written-at-once: You put the likeliest num_new tokens of one place behind each other; each new token needs a call of its own.",
        lambda model, tokens, num_new: torch.cat([tokens, model(tokens)[:, -1].topk(num_new).indices], 1),
        "all-positions-appended: You put the predictions of all positions behind the tokens; only the last is new.",
        _LAST,
        {"last": lambda logits: logits, "choose": lambda logits: logits.argmax(-1)},
        "written-in-front: You put the new token in front; it comes behind the others.",
        _JOIN,
        paired(join=lambda tokens, new: torch.cat([new, tokens], 1)),
        "new-as-a-row: What you put behind the tokens has a single row; a batch of B sequences needs B rows, (B, 1).",
        "Which shape do your new tokens have? Does each sequence have one, and on which axis do they lie?",
        {"choose": lambda logits: logits.argmax(-1)[None]},
        "overwrites-last: Your new token takes the place of the last one.",
        _JOIN,
        paired(join=lambda tokens, new: torch.cat([tokens[:, :-1], new], 1)),
        "one-too-many: You write one token too many.",
        _OFTEN,
        paired(often=lambda num_new: num_new + 1),
        "one-too-few: You write one token too few.",
        _OFTEN,
        paired(often=lambda num_new: max(num_new - 1, 0)),
        "one-token-only: You write a single token, whatever num_new is.",
        "Is your `return` inside the loop?",
        paired(often=lambda num_new: min(num_new, 1)),
        paired(often=lambda num_new: 1),
        "returns-too-early: You return after the first new token, and nothing where no token is asked for.",
        "How far is your `return` indented?",
        lambda model, tokens, num_new: variant()(model, tokens, 1) if num_new else None,
        "num-new-counts-prompt: You take num_new for the length of the whole result.",
        _OFTEN,
        lambda model, tokens, num_new: variant(often=lambda n: max(n - tokens.shape[1], 0))(
            model, tokens, num_new
        ),
        "zero-new-tokens: With num_new = 0 you write a token all the same.",
        "How often should your loop run for num_new = 0?",
        {"often": lambda num_new: max(num_new, 1)},
        "zero-new-tokens: With num_new = 0 your result is not the prompt.",
        {"result": lambda tokens, prompt: tokens if tokens.shape != prompt.shape else None},
        {"result": lambda tokens, prompt: tokens if tokens.shape != prompt.shape else tokens[:, :0]},
        "new-tokens-only: You return the new tokens alone; the result begins with the prompt.",
        "What shape should the result have?",
        paired(result=lambda tokens, prompt: tokens[:, prompt.shape[1] :]),
        lambda model, tokens, num_new: _new_or_error(variant()(model, tokens, num_new), tokens),
        "new-tokens-only: You return the last token alone; the result begins with the prompt.",
        {"result": lambda tokens, prompt: tokens[:, -1:]},
        "returns-input: You return the prompt as it came.",
        "Where do the new tokens go?",
        {"result": lambda tokens, prompt: prompt},
        "tokens-not-int: Your result holds floats; tokens are whole numbers.",
        "Which step makes floats?",
        {"result": lambda tokens, prompt: tokens.float()},
        {"result": lambda tokens, prompt: tokens.double()},
        "first-batch-only: Only the first sequence is left.",
        "Look for `[0]` and `.item()`.",
        {"result": lambda tokens, prompt: tokens[0]},
        {"result": lambda tokens, prompt: tokens[:1]},
        "returns-list: You returned a list; the exercise asks for a tensor.",
        "`torch.tensor(...)` makes a tensor of a list.",
        {"result": lambda tokens, prompt: tokens.tolist()},
        "returns-array: You returned a NumPy array; the exercise asks for a tensor.",
        "Is `.numpy()` needed?",
        {"result": lambda tokens, prompt: tokens.numpy()},
        "returns-none: Your function returns nothing (None).",
        "Every way through your function should end in a `return`.",
        {"result": lambda tokens, prompt: None},
    ),
)
