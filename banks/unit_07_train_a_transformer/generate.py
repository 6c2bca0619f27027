"""Right and wrong answers to `generate`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("generate", "argmax with keepdim, cat")
def plain(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], dim=1)
    return tokens


@right("generate", "eval, no_grad, softmax before the argmax")
def careful(model, tokens, num_new):
    model.eval()
    with torch.no_grad():
        written = tokens.clone()
        for _ in range(num_new):
            logits = model(written)
            probabilities = torch.softmax(logits[:, -1, :], dim=-1)
            written = torch.cat((written, probabilities.argmax(dim=-1).unsqueeze(1)), dim=1)
    return written


@right("generate", "filled into zeros")
def prepared(model, tokens, num_new):
    B, n = tokens.shape
    result = torch.zeros(B, n + num_new, dtype=torch.long)
    result[:, :n] = tokens
    for t in range(n, n + num_new):
        result[:, t] = model(result[:, :t])[:, t - 1].argmax(1)
    return result


@right("generate", "recursion")
def recursive(model, tokens, num_new):
    if num_new == 0:
        return tokens
    best = torch.max(model(tokens)[:, -1], dim=-1).indices
    return recursive(model, torch.hstack([tokens, best[:, None]]), num_new - 1)


@right("generate", "a loop over the batch, lists")
def lists(model, tokens, num_new):
    rows = []
    for row in tokens.tolist():
        for _ in range(num_new):
            logits = model(torch.tensor([row]))[0, -1]
            row.append(int(torch.argmax(logits)))
        rows.append(row)
    return torch.tensor(rows)


@right("generate", "topk, while")
def topk(model, tokens, num_new):
    wanted = tokens.shape[1] + num_new
    while tokens.shape[1] < wanted:
        tokens = torch.cat([tokens, model(tokens)[:, -1].topk(1).indices], -1)
    return tokens


@right("generate", "the choice in NumPy")
def in_numpy(model, tokens, num_new):
    for _ in range(num_new):
        best = np.argmax(model(tokens).detach().numpy()[:, -1], axis=-1)
        tokens = torch.cat([tokens, torch.from_numpy(best)[:, None]], 1)
    return tokens


# Wrong answers, each with the id of its mistake


@wrong("generate", "prompt-not-extended")
def same_prompt(model, tokens, num_new):
    written = tokens
    for _ in range(num_new):
        written = torch.cat([written, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return written


@wrong("generate", "prefix-dropped")
def last_token_only(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens[:, -1:])[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "prefix-dropped", "a window as long as the prompt")
def window(model, tokens, num_new):
    n = tokens.shape[1]
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens[:, -n:])[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "prefix-dropped", "only what is new")
def only_new_ones(model, tokens, num_new):
    seen = tokens
    for _ in range(num_new):
        new = model(seen)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
        seen = new
    return tokens


@wrong("generate", "first-position-for-last")
def first_position(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, 0].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "second-last-for-last")
def before_last(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -2].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "prompt-not-extended", "the position where the prompt ends")
def end_of_prompt(model, tokens, num_new):
    n = tokens.shape[1]
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, n - 1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "positions-averaged")
def averaged(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens).mean(1).argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "smallest-for-largest")
def smallest(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmin(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "second-best")
def from_sorted(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argsort(-1)[:, -2:-1]], 1)
    return tokens


@wrong("generate", "sampled-not-greedy")
def sampled(model, tokens, num_new):
    for _ in range(num_new):
        shares = torch.softmax(model(tokens)[:, -1], -1)
        tokens = torch.cat([tokens, torch.multinomial(shares, 1)], 1)
    return tokens


@wrong("generate", "written-at-once")
def at_once(model, tokens, num_new):
    return torch.cat([tokens, model(tokens).argmax(-1)[:, -num_new:]], 1)


@wrong("generate", "all-positions-appended")
def everything_appended(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens).argmax(-1)], 1)
    return tokens


@wrong("generate", "written-in-front")
def in_front(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([model(tokens)[:, -1].argmax(-1, keepdim=True), tokens], 1)
    return tokens


@wrong("generate", "new-tokens-only")
def only_the_new(model, tokens, num_new):
    n = tokens.shape[1]
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens[:, n:]


@wrong("generate", "one-too-many")
def one_more(model, tokens, num_new):
    for _ in range(num_new + 1):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "one-too-few")
def one_fewer(model, tokens, num_new):
    for _ in range(1, num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "one-token-only")
def returned_inside(model, tokens, num_new):
    for _ in range(num_new):
        return torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "num-new-counts-prompt")
def up_to(model, tokens, num_new):
    while tokens.shape[1] < num_new:
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "zero-new-tokens")
def at_least_one(model, tokens, num_new):
    while True:
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
        num_new -= 1
        if num_new <= 0:
            return tokens


@wrong("generate", "batch-shares-token")
def first_decides(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[0, -1].argmax()
        tokens = torch.cat([tokens, new.expand(len(tokens), 1)], 1)
    return tokens


@wrong("generate", "argmax-over-wrong-axis")
def over_everything(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax()
        tokens = torch.cat([tokens, new.expand(len(tokens), 1)], 1)
    return tokens


@wrong("generate", "stops-early")
def end_token(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        if (new == 0).all():
            break
        tokens = torch.cat([tokens, new], 1)
    return tokens


@wrong("generate", "new-has-no-axis")
def no_axis(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1)], 1)
    return tokens


@wrong("generate", "batch-grows")
def along_the_batch(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)])
    return tokens


@wrong("generate", "tokens-not-int")
def in_floats(model, tokens, num_new):
    B, n = tokens.shape
    result = torch.zeros(B, n + num_new)
    result[:, :n] = tokens
    for t in range(n, n + num_new):
        result[:, t] = model(result[:, :t].long())[:, -1].argmax(-1)
    return result


@wrong("generate", "tokens-not-int", "handed to the model")
def floats_to_the_model(model, tokens, num_new):
    result = torch.zeros(tokens.shape[0], tokens.shape[1] + num_new)
    result[:, : tokens.shape[1]] = tokens
    for t in range(tokens.shape[1], result.shape[1]):
        result[:, t] = model(result[:, :t])[:, -1].argmax(-1)
    return result.long()


@wrong("generate", "model-gets-one-axis")
def one_row_at_a_time(model, tokens, num_new):
    rows = []
    for row in tokens:
        for _ in range(num_new):
            row = torch.cat([row, model(row)[-1].argmax(-1, keepdim=True)])
        rows.append(row)
    return torch.stack(rows)


@wrong("generate", "returns-list")
def as_lists(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens.tolist()


@wrong("generate", "returns-none")
def no_return(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)


@wrong("generate", "overwrites-last")
def over_the_last(model, tokens, num_new):
    for _ in range(num_new):
        tokens = torch.cat([tokens[:, :-1], model(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "no-repeats")
def never_twice(model, tokens, num_new):
    for _ in range(num_new):
        logits = model(tokens)[:, -1].detach().clone()
        logits[torch.arange(len(tokens)), tokens[:, -1]] = -torch.inf
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], 1)
    return tokens


@wrong("generate", "logit-for-token")
def the_logit(model, tokens, num_new):
    for _ in range(num_new):
        best, _ = model(tokens)[:, -1].max(-1, keepdim=True)
        tokens = torch.cat([tokens, best.long()], 1)
    return tokens


@wrong("generate", "input-changed")
def in_place(model, tokens, num_new):
    prompt = tokens.clone()
    for _ in range(num_new):
        prompt = torch.cat([prompt, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    tokens[:] = prompt[:, -tokens.shape[1] :]
    return prompt


@wrong("generate", "empty-places-seen")
def whole_buffer(model, tokens, num_new):
    B, n = tokens.shape
    text = torch.zeros(B, n + num_new, dtype=tokens.dtype)
    text[:, :n] = tokens
    for t in range(n, n + num_new):
        text[:, t] = model(text)[:, t - 1].argmax(-1)
    return text


@wrong("generate", "empty-places-seen", "one place too many")
def one_place_too_many(model, tokens, num_new):
    B, n = tokens.shape
    text = torch.cat([tokens, tokens.new_zeros(B, num_new)], 1)
    for t in range(n, n + num_new):
        text[:, t] = model(text[:, : t + 1])[:, -2].argmax(-1)
    return text


@wrong("generate", "empty-places-seen", "filled up with ones")
def ones_behind(model, tokens, num_new):
    B, n = tokens.shape
    text = torch.cat([tokens, tokens.new_ones(B, num_new)], 1)
    for t in range(n, n + num_new):
        text[:, t] = model(text)[:, t - 1].argmax(-1)
    return text


@wrong("generate", "empty-places-seen", "filled up with the last token")
def last_repeated(model, tokens, num_new):
    B, n = tokens.shape
    text = torch.cat([tokens, tokens[:, -1:].expand(B, num_new)], 1)
    for t in range(n, n + num_new):
        text[:, t] = model(text)[:, t - 1].argmax(-1)
    return text


@wrong("generate", "input-changed", "grown through .data")
def grown_through_data(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens.data = torch.cat([tokens, new], dim=1)
    return tokens


@wrong("generate", "input-changed", "grown with set_")
def grown_with_set(model, tokens, num_new):
    for _ in range(num_new):
        tokens.set_(torch.hstack([tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)]))
    return tokens.clone()


@wrong("generate", "empty-places-seen", "the last place of a buffer of zeros is read")
def last_place_of_a_buffer(model, tokens, num_new):
    B, n = tokens.shape
    result = torch.zeros(B, n + num_new, dtype=tokens.dtype)
    result[:, :n] = tokens
    for i in range(n, n + num_new):
        result[:, i] = model(result)[:, -1].argmax(-1)
    return result


@wrong("generate", "written-at-once", "the likeliest few of one place")
def likeliest_few(model, tokens, num_new):
    return torch.cat([tokens, model(tokens)[:, -1].topk(num_new, dim=-1).indices], dim=1)


@wrong("generate", "prefix-dropped", "a context of 8 tokens")
def context_of_8(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens[:, -8:])[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], dim=1)
    return tokens


@wrong("generate", "prefix-dropped", "the oldest token goes, from the result too")
def oldest_goes(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens[:, 1:], new], dim=1)
    return tokens


@wrong("generate", "stops-early", "the end of the text is kept")
def stops_behind_the_end(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1)
        tokens = torch.cat([tokens, new[:, None]], dim=-1)
        if (new == 0).all():
            break
    return tokens


@wrong("generate", "no-repeats", "no token comes twice")
def nothing_that_stands_there(model, tokens, num_new):
    for _ in range(num_new):
        logits = model(tokens)[:, -1].clone()
        logits.scatter_(1, tokens, float("-inf"))
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], dim=1)
    return tokens


@wrong("generate", "prompt-not-extended", "one call, its token repeated")
def one_token_repeated(model, tokens, num_new):
    new = model(tokens)[:, -1].argmax(-1, keepdim=True)
    return torch.cat([tokens, new.expand(-1, num_new)], dim=1)


@wrong("generate", "argmax-over-wrong-axis", "the likeliest position")
def likeliest_position(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens).argmax(dim=1)[:, -1:]
        tokens = torch.cat([tokens, new], dim=1)
    return tokens


@wrong("generate", "new-as-a-row")
def new_tokens_in_a_row(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[:, -1].argmax(-1)
        tokens = torch.cat([tokens, new.unsqueeze(0)], dim=1)
    return tokens


@wrong("generate", "batch-shares-token", "one argmax for all")
def one_argmax(model, tokens, num_new):
    for _ in range(num_new):
        logits = model(tokens)[:, -1]
        new = logits.argmax().expand(len(tokens), 1) % logits.shape[-1]
        tokens = torch.cat([tokens, new], 1)
    return tokens


@wrong("generate", "batch-shares-token", "that of the last sequence")
def last_of_the_batch(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[-1, -1].argmax()
        tokens = torch.cat([tokens, new.reshape(1, 1).expand(len(tokens), 1)], dim=1)
    return tokens


@wrong("generate", "new-as-a-row", "one number for one sequence")
def one_number(model, tokens, num_new):
    for _ in range(num_new):
        new = model(tokens)[0, -1].argmax().item()
        tokens = torch.cat([tokens, torch.tensor([[new]])], 1)
    return tokens


@wrong("generate", "state-between-calls", "what was written is a default argument")
def in_a_default(model, tokens, num_new, written=[]):
    for _ in range(num_new):
        so_far = torch.cat([tokens, *written], dim=1)
        written.append(model(so_far)[:, -1].argmax(-1, keepdim=True))
    return torch.cat([tokens, *written], dim=1)


@wrong("generate", "new-tokens-only", "collected in a list")
def new_tokens_collected(model, tokens, num_new):
    seq = tokens
    generated = []
    for _ in range(num_new):
        nxt = model(seq)[:, -1, :].argmax(dim=-1, keepdim=True)
        generated.append(nxt)
        seq = torch.cat((seq, nxt), dim=1)
    return torch.cat(generated, dim=1)


@wrong("generate", "returns-too-early")
def return_inside_the_loop(model, tokens, num_new):
    for _ in range(num_new):
        logits = model(tokens)[:, -1]
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], dim=1)
        return tokens
