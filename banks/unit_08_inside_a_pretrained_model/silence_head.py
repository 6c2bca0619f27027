"""Right and wrong answers to `silence_head`, as learners write them."""

import copy

import torch
import torch.nn.functional as F

from banks.registry import right, wrong

# Right answers, each in its own style


@right("silence_head", "a copy of every tensor")
def copies_of_all(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0
    return new


@right("silence_head", "the values are zeroed, the mean goes into b_o")
def through_the_values(weights, head, num_heads, mean=None):
    # through the values: v = 0 for this head, the mean goes into b_o
    new = dict(weights)
    d_head = weights["W_v"].shape[1] // num_heads
    a, b = head * d_head, (head + 1) * d_head
    new["W_v"] = weights["W_v"].clone()
    new["b_v"] = weights["b_v"].clone()
    new["W_v"][:, a:b] = 0
    new["b_v"][a:b] = 0
    if mean is not None:
        new["b_o"] = weights["b_o"] + mean @ weights["W_o"][a:b, :]
    return new


@right("silence_head", "torch.where on the rows")
def with_where(weights, head, num_heads, mean=None):
    d_model = weights["W_o"].shape[0]
    mine = torch.arange(d_model) // (d_model // num_heads) == head
    W_o = torch.where(mine[:, None], torch.zeros_like(weights["W_o"]), weights["W_o"])
    b_o = weights["b_o"] if mean is None else weights["b_o"] + mean @ weights["W_o"][mine]
    return {**weights, "W_o": W_o, "b_o": b_o}


@right("silence_head", "a view by heads of a deep copy")
@torch.no_grad()
def deep_copy(weights, head, num_heads, mean=None):
    w = copy.deepcopy(weights)
    d_model = w["W_o"].shape[0]
    per_head = w["W_o"].view(num_heads, d_model // num_heads, d_model)
    if mean is not None:
        w["b_o"] += torch.einsum("h,hd->d", mean, per_head[head])
    per_head[head] = 0.0
    return w


@right("silence_head", "chunks put together again")
def chunks(weights, head, num_heads, mean=None):
    parts = list(weights["W_o"].chunk(num_heads, dim=0))
    old = parts[head]
    parts[head] = torch.zeros_like(old)
    extra = 0 if mean is None else (mean[:, None] * old).sum(dim=0)
    new = {name: t.clone() for name, t in weights.items()}
    new.update(W_o=torch.cat(parts), b_o=weights["b_o"] + extra)
    return new


@right("silence_head", "through NumPy, row by row")
def through_numpy(weights, head, num_heads, mean=None):
    W_o = weights["W_o"].detach().numpy().copy()
    b_o = weights["b_o"].detach().numpy().copy()
    d_head = W_o.shape[0] // num_heads
    for r in range(d_head):
        row = head * d_head + r
        if mean is not None:
            b_o += float(mean[r]) * W_o[row]
        W_o[row] = 0
    out = {}
    for k in weights:
        out[k] = weights[k].clone()
    out["W_o"] = torch.from_numpy(W_o)
    out["b_o"] = torch.from_numpy(b_o)
    return out


@right("silence_head", "a diagonal matrix keeps the other heads")
def diagonal(weights, head, num_heads, mean=None):
    d_model = weights["W_o"].shape[0]
    d_head = d_model // num_heads
    keep = torch.ones(d_model, dtype=weights["W_o"].dtype)
    keep[head * d_head : (head + 1) * d_head] = 0
    P = torch.diag(keep)
    if mean is None:
        mean = torch.zeros(d_head, dtype=weights["W_o"].dtype)
    put = torch.zeros(d_model, dtype=weights["W_o"].dtype)
    put[head * d_head : (head + 1) * d_head] = mean
    new = {k: v.clone() for k, v in weights.items()}
    new["W_o"] = P @ weights["W_o"]
    new["b_o"] = put @ weights["W_o"] + weights["b_o"]
    return new


@right("silence_head", "F.linear and index_fill")
def filled_by_index(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    width = len(weights["b_o"]) // num_heads
    rows = torch.arange(head * width, head * width + width)
    if mean is not None:
        new["b_o"] = F.linear(mean, weights["W_o"][rows].T, weights["b_o"])
    new["W_o"] = weights["W_o"].index_fill(0, rows, 0.0)
    return new


@right("silence_head", "values and rows of W_o, both zeroed")
def both_zeroed(weights, head, num_heads, mean=None):
    # belt and braces: neither the values nor the output matrix let the head through
    new = {k: v.clone() for k, v in weights.items()}
    w = new["W_v"].shape[1] // num_heads
    lo, hi = head * w, head * w + w
    if mean is not None:
        new["b_o"] += new["W_o"][lo:hi].T.mv(mean)
    new["W_v"][:, lo:hi] = 0
    new["b_v"][lo:hi] = 0
    new["W_o"][lo:hi] = 0
    return new


@right("silence_head", "split into three")
def split_in_three(weights, head, num_heads, mean=None):
    W = weights["W_o"]
    d_head = W.shape[0] // num_heads
    top, mid, bottom = W.split([head * d_head, d_head, (num_heads - head - 1) * d_head])
    b = weights["b_o"].clone()
    if mean is not None:
        for j, m in enumerate(mean):
            b = b + m * mid[j]
    return dict(weights, W_o=torch.cat([top, mid * 0, bottom]), b_o=b)


@right("silence_head", "a Kronecker product")
def kronecker(weights, head, num_heads, mean=None):
    W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o = (
        weights[k] for k in ("W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o")
    )
    hot = F.one_hot(torch.tensor(head), num_heads).to(W_o.dtype)
    if mean is not None:
        b_o = b_o + torch.outer(hot, mean).flatten() @ W_o
    W_o = W_o * (1 - hot).repeat_interleave(W_o.shape[0] // num_heads).unsqueeze(1)
    return dict(W_q=W_q, b_q=b_q, W_k=W_k, b_k=b_k, W_v=W_v, b_v=b_v, W_o=W_o, b_o=b_o)


def _head_slice(weights, head, num_heads):
    d_head = weights["W_o"].size(0) // num_heads
    return slice(head * d_head, (head + 1) * d_head)


@right("silence_head", "a dict comprehension and in-place methods on copies")
def block_by_mv(weights, head, num_heads, mean=None):
    s = _head_slice(weights, head, num_heads)
    with torch.no_grad():
        W_o = weights["W_o"].clone()
        block = W_o[s].clone()
        W_o[s].zero_()
        b_o = weights["b_o"].clone()
        if mean is not None:
            b_o.add_(block.T @ mean)
    return {k: {"W_o": W_o, "b_o": b_o}.get(k, v) for k, v in weights.items()}


@right("silence_head", "a bias with an axis of size 1")
def bias_as_a_row(weights, head, num_heads, mean=None):
    d_head = len(weights["W_o"]) // num_heads
    given = torch.zeros(1, d_head, dtype=weights["W_o"].dtype) if mean is None else mean[None]
    heads = list(weights["W_o"].split(d_head))
    b_o = weights["b_o"] + given @ heads[head]
    heads[head] = torch.zeros_like(heads[head])
    return {**weights, "W_o": torch.vstack(heads), "b_o": b_o}


# Wrong answers, each with the id of its mistake


@wrong("silence_head", "input-changed", "the dict itself, and its tensors")
def all_in_place(weights, head, num_heads, mean=None):
    d_head = weights["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        weights["b_o"] = weights["b_o"] + mean @ weights["W_o"][sl]
    weights["W_o"][sl] = 0
    return weights


@wrong("silence_head", "input-changed", "a copy of the dict shares its tensors")
def shallow_copy(weights, head, num_heads, mean=None):
    new = dict(weights)
    d_head = new["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ new["W_o"][rows]
    new["W_o"][rows] = 0.0
    return new


@wrong("silence_head", "input-changed", "+= on the bias")
def bias_in_place(weights, head, num_heads, mean=None):
    out = weights.copy()
    out["W_o"] = weights["W_o"].clone()
    w = weights["W_o"].shape[0] // num_heads
    a, b = head * w, (head + 1) * w
    if mean is not None:
        out["b_o"] += mean @ weights["W_o"][a:b]
    out["W_o"][a:b] = 0
    return out


@wrong("silence_head", "input-changed", "through a view")
def through_a_view(weights, head, num_heads, mean=None):
    d_model = weights["W_o"].shape[0]
    W = weights["W_o"].view(num_heads, d_model // num_heads, d_model)
    b_o = weights["b_o"]
    if mean is not None:
        b_o = b_o + mean @ W[head]
    W[head] = 0
    return {**weights, "W_o": W.view(d_model, d_model), "b_o": b_o}


@wrong("silence_head", "weight-rows-for-columns", "columns of W_o")
def columns_of_w_o(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] += mean @ weights["W_o"][sl]
    new["W_o"][:, sl] = 0
    return new


@wrong("silence_head", "weight-rows-for-columns", "for the mean")
def mean_through_columns(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + weights["W_o"][:, sl] @ mean
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "weight-rows-for-columns", "rows of W_v")
def rows_of_w_v(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][sl] = 0
    new["b_v"][sl] = 0
    if mean is not None:
        new["b_o"] += mean @ weights["W_o"][sl]
    return new


@wrong("silence_head", "value-bias-left")
def values_without_their_bias(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ new["W_o"][sl]
    return new


@wrong("silence_head", "value-bias-left", "b_k where b_v was meant")
def wrong_bias(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    new["b_k"][sl] = 0
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][sl]
    return new


@wrong("silence_head", "value-weight-left")
def bias_of_the_values(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["b_v"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["b_v"][sl] = 0 if mean is None else mean
    return new


@wrong("silence_head", "blocked-row-without-mean", "the mean stands in b_v")
def mean_in_b_v(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    new["b_v"][sl] = 0 if mean is None else mean
    return new


@wrong("silence_head", "no-output-projection", "shapes that do not fit")
def raw_mean(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    new["W_o"][head * d_head : (head + 1) * d_head] = 0
    if mean is not None:
        new["b_o"] = new["b_o"] + mean
    return new


@wrong("silence_head", "no-output-projection", "at the head's places")
def raw_mean_at_its_places(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_o"][sl] = 0
    if mean is not None:
        new["b_o"][sl] += mean
    return new


@wrong("silence_head", "bias-zeroed")
def bias_zeroed(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    new["W_o"][rows] = 0
    new["b_o"] = torch.zeros_like(weights["b_o"])
    if mean is not None:
        new["b_o"] = mean @ weights["W_o"][rows]
    return new


@wrong("silence_head", "bias-zeroed", "a part")
def part_of_the_bias(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_o"][sl] = 0
    new["b_o"][sl] = 0
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    return new


@wrong("silence_head", "head-looks-elsewhere", "the output is right")
def all_of_the_head(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_q"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    for n in "qkv":
        new["W_" + n][:, sl] = 0
        new["b_" + n][sl] = 0
    if mean is not None:
        new["b_o"] += mean @ weights["W_o"][sl]
    return new


@wrong("silence_head", "head-looks-elsewhere", "queries alone")
def queries_zeroed(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_q"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_q"][:, sl] = 0
    new["b_q"][sl] = 0
    if mean is not None:
        new["b_v"][sl] = mean
    return new


@wrong("silence_head", "heads-interleaved", "every h-th row")
def every_hth_row(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][head::num_heads]
    new["W_o"][head::num_heads] = 0
    return new


@wrong("silence_head", "heads-interleaved", "by a view")
def view_the_other_way(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_model = new["W_o"].shape[0]
    W = new["W_o"].view(d_model // num_heads, num_heads, d_model)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ W[:, head]
    W[:, head] = 0
    return new


@wrong("silence_head", "wrong-cut", "num_heads rows")
def num_heads_rows(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    rows = slice(head * num_heads, (head + 1) * num_heads)
    W = weights["W_o"][rows]
    new["W_o"][rows] = 0
    if mean is not None:
        new["b_o"] += mean @ W
    return new


@wrong("silence_head", "wrong-offset")
def begins_at_head(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = len(new["b_v"]) // num_heads
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][head : head + d_head]
    new["W_o"][head : head + d_head] = 0
    return new


@wrong("silence_head", "counted-from-one")
def head_before(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = len(new["b_v"]) // num_heads
    rows = torch.arange((head - 1) * d_head, head * d_head)
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][rows]
    new["W_o"][rows] = 0
    return new


@wrong("silence_head", "result-inverted")
def all_but_the_head(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_model = new["W_o"].shape[0]
    d_head = d_model // num_heads
    mask = torch.zeros(d_model)
    mask[head * d_head : (head + 1) * d_head] = 1
    new["W_o"] = new["W_o"] * mask[:, None]
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][mask.bool()]
    return new


@wrong("silence_head", "mean-ignored")
def mean_unused(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    new["W_o"][head * d_head : (head + 1) * d_head, :] = 0
    return new


@wrong("silence_head", "mean-ignored", "rows that are 0 by then")
def zeroed_too_early(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    new["W_o"][rows] = 0
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ new["W_o"][rows]
    return new


@wrong("silence_head", "mean-ignored", "b_v meets rows of 0")
def mean_meets_zeros(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    new["b_v"][sl] = 0
    if mean is not None:
        new["b_v"][sl] = mean
    new["W_o"][sl, :] = 0
    return new


@wrong("silence_head", "array-truth-value")
def if_mean(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    if mean:
        new["b_o"] = new["b_o"] + mean @ new["W_o"][rows]
    new["W_o"][rows] = 0
    return new


@wrong("silence_head", "mean-as-weight")
def mean_in_w_o(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is None:
        new["W_o"][sl] = 0
    else:
        new["W_o"][sl] = mean[:, None]
    return new


@wrong("silence_head", "sign-flipped")
def mean_taken_away(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] - mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "returns-tensor")
def only_w_o(weights, head, num_heads, mean=None):
    W_o = weights["W_o"].clone()
    b_o = weights["b_o"].clone()
    d_head = W_o.shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        b_o += mean @ W_o[sl]
    W_o[sl] = 0
    return W_o


@wrong("silence_head", "entries-removed")
def cut_out(weights, head, num_heads, mean=None):
    d_model = weights["W_o"].shape[0]
    d_head = d_model // num_heads
    keep = torch.ones(d_model, dtype=torch.bool)
    keep[head * d_head : (head + 1) * d_head] = False
    new = dict(weights)
    for n in "qkv":
        new["W_" + n] = weights["W_" + n][:, keep]
        new["b_" + n] = weights["b_" + n][keep]
    new["W_o"] = weights["W_o"][keep]
    if mean is not None:
        new["b_o"] = weights["b_o"] + mean @ weights["W_o"][~keep]
    return new


@wrong("silence_head", "returns-none")
def no_return(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0


@wrong("silence_head", "too-many-keys")
def ninth_key(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_o"][sl] = 0
    if mean is not None:
        new["mean"] = mean.clone()
    return new


@wrong("silence_head", "keys-missing")
def two_keys(weights, head, num_heads, mean=None):
    W_o, b_o = weights["W_o"].clone(), weights["b_o"].clone()
    d_head = W_o.shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        b_o += mean @ W_o[sl]
    W_o[sl] = 0
    return {"W_o": W_o, "b_o": b_o}


@wrong("silence_head", "keys-missing", "return inside the loop")
def first_key_only(weights, head, num_heads, mean=None):
    d_head = weights["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new = {}
    for k, v in weights.items():
        new[k] = v.clone()
        if k == "b_o" and mean is not None:
            new[k] += mean @ weights["W_o"][sl]
        if k == "W_o":
            new[k][sl] = 0
        return new


@wrong("silence_head", "added-instead-of-replaced")
def mean_on_top(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is None:
        new["W_o"][sl] = 0
    else:
        new["b_o"] += mean @ new["W_o"][sl]
    return new


@wrong("silence_head", "added-instead-of-replaced", "to b_v")
def added_to_b_v(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    if mean is None:
        new["b_v"][sl] = 0
    else:
        new["b_v"][sl] += mean
    return new


@wrong("silence_head", "overwritten-instead-of-summed")
def b_o_replaced(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = mean @ new["W_o"][sl]
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "mean-twice")
def counted_twice(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_v"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["W_v"][:, sl] = 0
    new["b_v"][sl] = 0
    if mean is not None:
        new["b_v"][sl] = mean
        new["b_o"] += mean @ new["W_o"][sl]
    return new


@wrong("silence_head", "one-row-only")
def one_row(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][head * d_head : (head + 1) * d_head]
    new["W_o"][head] = 0
    return new


@wrong("silence_head", "float-as-size", "a slice")
def float_slice(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] / num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "all-heads-silenced")
def whole_w_o(weights, head, num_heads, mean=None):
    new = dict(weights)
    d_head = weights["W_o"].shape[0] // num_heads
    new["W_o"] = torch.zeros_like(weights["W_o"])
    if mean is not None:
        new["b_o"] = weights["b_o"] + mean @ weights["W_o"][head * d_head : (head + 1) * d_head]
    return new


@wrong("silence_head", "state-between-calls")
def default_dict(weights, head, num_heads, mean=None, new={}):
    if not new:
        for k, v in weights.items():
            new[k] = v.clone()
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "reduced-to-one-value")
def mean_of_the_mean(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    if mean is not None:
        new["b_o"] += mean.mean() * new["W_o"][sl].sum(0)
    new["W_o"][sl] = 0
    return new


@wrong("silence_head", "infinity-for-zero", "in b_k")
def infinite_keys(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_k"].shape[1] // num_heads
    sl = slice(head * d_head, (head + 1) * d_head)
    new["b_k"][sl] = float("-inf")
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][sl]
    return new


@wrong("silence_head", "head-too-wide", "64 written in")
def sixty_four(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    sl = slice(head * 64, (head + 1) * 64)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean @ weights["W_o"][sl]
    new["W_o"][sl] = 0
    return new


def _zero_rows(w, a, b):
    w["W_o"][a:b] = 0


@wrong("silence_head", "input-changed+nothing-changed", "the helper gets the caller's dict")
def helper_on_the_wrong_dict(weights, head, num_heads, mean=None):
    new = {k: v.clone() for k, v in weights.items()}
    d_head = new["W_o"].shape[0] // num_heads
    a, b = head * d_head, (head + 1) * d_head
    if mean is not None:
        new["b_o"] += mean @ new["W_o"][a:b]
    _zero_rows(weights, a, b)
    return new


def _rows(weights, head, num_heads):
    d_head = len(weights["W_o"]) // num_heads
    return slice(head * d_head, (head + 1) * d_head)


@wrong("silence_head", "weight-transposed", "turned and not turned back")
def turned(weights, head, num_heads, mean=None):
    rows = _rows(weights, head, num_heads)
    W_o = weights["W_o"].T.clone()
    W_o[:, rows] = 0
    b_o = weights["b_o"]
    if mean is not None:
        b_o = b_o + weights["W_o"].T[:, rows] @ mean
    return {**weights, "W_o": W_o, "b_o": b_o}


@wrong("silence_head", "nothing-changed", "the dict comes back as it was")
def unchanged(weights, head, num_heads, mean=None):
    new = {key: one.clone() for key, one in weights.items()}
    W_o = new["W_o"].clone()
    W_o[_rows(weights, head, num_heads)] = 0
    return new


@wrong("silence_head", "off-by-one", "the head after")
def head_after(weights, head, num_heads, mean=None):
    rows = _rows(weights, head + 1, num_heads)
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][rows] = 0
    if mean is not None:
        new["b_o"] += mean @ weights["W_o"][rows]
    return new


@wrong("silence_head", "head-too-wide", "d_model for d_head")
def as_wide_as_the_model(weights, head, num_heads, mean=None):
    d_model = weights["W_o"].shape[0]
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][head * d_model : (head + 1) * d_model] = 0
    if mean is not None:
        d_head = d_model // num_heads
        new["b_o"] += mean @ weights["W_o"][head * d_head : (head + 1) * d_head]
    return new


@wrong("silence_head", "wrong-cut", "the slice ends at d_head")
def ends_at_d_head(weights, head, num_heads, mean=None):
    d_head = weights["W_o"].shape[0] // num_heads
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][head * d_head : d_head] = 0
    if mean is not None:
        new["b_o"] += mean @ weights["W_o"][head * d_head : d_head]
    return new


@wrong("silence_head", "mean-for-every-head", "repeated for all heads")
def mean_repeated(weights, head, num_heads, mean=None):
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][_rows(weights, head, num_heads)] = 0
    if mean is not None:
        new["b_o"] += mean.repeat(num_heads) @ weights["W_o"]
    return new


@wrong("silence_head", "mean-for-every-head", "shapes that do not fit")
def mean_with_all_of_w_o(weights, head, num_heads, mean=None):
    b_o = weights["b_o"] if mean is None else weights["b_o"] + mean @ weights["W_o"]
    W_o = weights["W_o"].clone()
    W_o[_rows(weights, head, num_heads)] = 0
    return {**weights, "W_o": W_o, "b_o": b_o}


@wrong("silence_head", "mean-as-weight", "rows times the mean")
def multiplied(weights, head, num_heads, mean=None):
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][_rows(weights, head, num_heads)] *= 0 if mean is None else mean[:, None]
    return new


@wrong("silence_head", "heads-interleaved+overwritten-instead-of-summed")
def two_at_once(weights, head, num_heads, mean=None):
    new = {key: one.clone() for key, one in weights.items()}
    new["W_o"][head::num_heads] = 0
    if mean is not None:
        new["b_o"] = mean @ weights["W_o"][head::num_heads]
    return new


@wrong("silence_head", "float32", "zeros in float32")
def narrowed(weights, head, num_heads, mean=None):
    new = {key: one.float() for key, one in weights.items()}
    rows = _rows(weights, head, num_heads)
    if mean is not None:
        new["b_o"] = new["b_o"] + mean.float() @ new["W_o"][rows]
    new["W_o"][rows] = 0
    return new


@wrong("silence_head", "returns-array", "in the dict")
def arrays(weights, head, num_heads, mean=None):
    new = {key: one.numpy().copy() for key, one in weights.items()}
    rows = _rows(weights, head, num_heads)
    if mean is not None:
        new["b_o"] += mean.numpy() @ new["W_o"][rows]
    new["W_o"][rows] = 0
    return new


@wrong("silence_head", "returns-tuple")
def a_tuple(weights, head, num_heads, mean=None):
    W_o = weights["W_o"].clone()
    W_o[_rows(weights, head, num_heads)] = 0
    return W_o, weights["b_o"]


@wrong("silence_head", "input-changed", "something is put into the dict")
def mean_put_in(weights, head, num_heads, mean=None):
    weights["mean"] = mean
    rows = _rows(weights, head, num_heads)
    new = {key: one.clone() for key, one in weights.items() if key != "mean"}
    new["W_o"][rows] = 0
    if weights["mean"] is not None:
        new["b_o"] += weights["mean"] @ weights["W_o"][rows]
    return new


@wrong("silence_head", "returns-list", "in the dict")
def lists(weights, head, num_heads, mean=None):
    W_o = weights["W_o"].clone()
    W_o[_rows(weights, head, num_heads)] = 0
    return {**weights, "W_o": W_o.tolist()}


@wrong("silence_head", "wrong-shape", "one bias for each row")
def bias_as_a_table(weights, head, num_heads, mean=None):
    rows = _rows(weights, head, num_heads)
    new = {key: one.clone() for key, one in weights.items()}
    if mean is not None:
        new["b_o"] = new["b_o"] + mean[:, None] * weights["W_o"][rows]
    new["W_o"][rows] = 0
    return new
