"""Right and wrong answers to `previous_token_heads`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("previous_token_heads", "four loops")
def four_loops(weights, threshold):
    layers, h, n, _ = weights.shape
    found = []
    for layer in range(layers):
        for head in range(h):
            total = 0.0
            for i in range(1, n):
                total += weights[layer, head, i, i - 1].item()
            if total / (n - 1) > threshold:
                found.append((layer, head))
    return found


@right("previous_token_heads", "the diagonal of each head")
def by_diagonal(weights, threshold):
    found = []
    for layer, heads in enumerate(weights):
        for head, one in enumerate(heads):
            if torch.diagonal(one, offset=-1).mean() > threshold:
                found.append((layer, head))
    return found


@right("previous_token_heads", "nonzero on all heads at once")
def at_once(weights, threshold):
    mean = weights.diagonal(offset=-1, dim1=2, dim2=3).mean(dim=-1)
    return [tuple(pair) for pair in (mean > threshold).nonzero().tolist()]


@right("previous_token_heads", "two ranges as indices, NumPy, a comprehension")
def by_indices(weights, threshold):
    w = weights.numpy().astype(float)
    i = np.arange(1, w.shape[-1])
    mean = w[:, :, i, i - 1].mean(axis=2)
    return [
        (layer, head)
        for layer in range(mean.shape[0])
        for head in range(mean.shape[1])
        if mean[layer, head] > threshold
    ]


@right("previous_token_heads", "shifted slices, argwhere, int")
def shifted(weights, threshold):
    n = weights.size(-1)
    before = weights[..., 1:, :-1] * torch.eye(n - 1, dtype=weights.dtype)
    mean = before.sum((-1, -2)) / (n - 1)
    return [(int(a), int(b)) for a, b in torch.argwhere(mean > threshold)]


@right("previous_token_heads", "zip of where")
def zip_where(weights, threshold):
    score = torch.stack([weights[:, :, t, t - 1] for t in range(1, weights.shape[2])]).mean(0)
    rows, columns = torch.where(score > threshold)
    return list(zip(rows.tolist(), columns.tolist()))


# Wrong answers, those with one mistake together


def _mean(weights):
    return weights.diagonal(-1, 2, 3).mean(-1)


def _pairs(chosen):
    return [tuple(pair) for pair in chosen.nonzero().tolist()]


@wrong("previous_token_heads", "next-token")
def above(weights, threshold):
    return _pairs(weights.diagonal(1, 2, 3).mean(-1) > threshold)


@wrong("previous_token_heads", "next-token", "rows and columns exchanged in a loop")
def exchanged(weights, threshold):
    layers, h, n, _ = weights.shape
    out = []
    for l in range(layers):
        for k in range(h):
            if sum(weights[l, k, i - 1, i] for i in range(1, n)) / (n - 1) > threshold:
                out.append((l, k))
    return out


@wrong("previous_token_heads", "own-token")
def diagonal(weights, threshold):
    return _pairs(weights.diagonal(0, 2, 3).mean(-1) > threshold)


@wrong("previous_token_heads", "own-token", "axes left at 0 and 1 of each head")
def trace(weights, threshold):
    n = weights.shape[-1]
    return _pairs(torch.einsum("lhii->lh", weights) / n > threshold)


@wrong("previous_token_heads", "first-token-counted")
def divided_by_n(weights, threshold):
    return _pairs(weights.diagonal(-1, 2, 3).sum(-1) / weights.shape[-1] > threshold)


@wrong("previous_token_heads", "first-token-counted", "index -1")
def round_the_circle(weights, threshold):
    n = weights.shape[-1]
    found = []
    for l in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            m = torch.stack([weights[l, k, i, i - 1] for i in range(n)]).mean()
            if m > threshold:
                found.append((l, k))
    return found


@wrong("previous_token_heads", "off-by-one")
def from_two(weights, threshold):
    found = []
    n = weights.shape[-1]
    for l in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            values = [weights[l, k, i, i - 1] for i in range(2, n)]
            if torch.stack(values).mean() > threshold if values else False:
                found.append((l, k))
    return found


@wrong("previous_token_heads", "off-by-one")
def not_the_last(weights, threshold):
    return _pairs(weights[:, :, :-1, :-1].diagonal(-1, 2, 3).mean(-1) > threshold)


@wrong("previous_token_heads", "one-token-only")
def last_only(weights, threshold):
    return _pairs(weights[:, :, -1, -2] > threshold)


@wrong("previous_token_heads", "all-earlier-tokens")
def earlier(weights, threshold):
    return _pairs(weights.tril(-1).sum(-1)[..., 1:].mean(-1) > threshold)


@wrong("previous_token_heads", "all-tokens")
def all_weights(weights, threshold):
    return _pairs(weights.mean((2, 3)) > threshold)


@wrong("previous_token_heads", "sum-not-mean")
def summed(weights, threshold):
    return _pairs(weights.diagonal(-1, 2, 3).sum(-1) > threshold)


@wrong("previous_token_heads", "max-for-mean")
def any_token(weights, threshold):
    return _pairs((weights.diagonal(-1, 2, 3) > threshold).any(-1))


@wrong("previous_token_heads", "min-for-mean")
def all_of_them(weights, threshold):
    return _pairs((weights.diagonal(-1, 2, 3) > threshold).all(-1))


@wrong("previous_token_heads", "median-for-mean")
def median(weights, threshold):
    return _pairs(weights.diagonal(-1, 2, 3).median(-1).values > threshold)


@wrong("previous_token_heads", "largest-weight-counted")
def argmax(weights, threshold):
    n = weights.shape[-1]
    hits = weights.argmax(-1)[..., 1:] == torch.arange(n - 1)
    return _pairs(hits.double().mean(-1) > threshold)


@wrong("previous_token_heads", "share-above-threshold")
def share(weights, threshold):
    return _pairs((weights.diagonal(-1, 2, 3) > threshold).double().mean(-1) > threshold)


@wrong("previous_token_heads", "not-strict")
def not_strict(weights, threshold):
    return _pairs(_mean(weights) >= threshold)


@wrong("previous_token_heads", "not-strict", "in loops")
def not_strict_loops(weights, threshold):
    out = []
    for l in range(len(weights)):
        for k in range(len(weights[l])):
            if not float(torch.diagonal(weights[l, k], -1).mean()) < threshold:
                out.append((l, k))
    return out


@wrong("previous_token_heads", "comparison-reversed")
def below(weights, threshold):
    return _pairs(_mean(weights) < threshold)


@wrong("previous_token_heads", "threshold-ignored")
def fixed(weights, threshold):
    return _pairs(_mean(weights) > 0.5)


@wrong("previous_token_heads", "threshold-ignored")
def best(weights, threshold):
    mean = _mean(weights)
    return [divmod(int(mean.argmax()), weights.shape[1])]


@wrong("previous_token_heads", "wrong-pair-order")
def head_first(weights, threshold):
    return [(head, layer) for layer, head in _pairs(_mean(weights) > threshold)]


@wrong("previous_token_heads", "counted-from-one")
def from_one(weights, threshold):
    return [(layer + 1, head + 1) for layer, head in _pairs(_mean(weights) > threshold)]


@wrong("previous_token_heads", "wrong-order")
def sorted_by_strength(weights, threshold):
    mean = _mean(weights)
    return sorted(_pairs(mean > threshold), key=lambda pair: -mean[pair])


@wrong("previous_token_heads", "wrong-order")
def heads_outside(weights, threshold):
    mean = _mean(weights)
    return [(l, k) for k in range(mean.shape[1]) for l in range(mean.shape[0]) if mean[l, k] > threshold]


@wrong("previous_token_heads", "one-head-in-each-layer")
def broken_loop(weights, threshold):
    out = []
    for l in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            if _mean(weights)[l, k] > threshold:
                out.append((l, k))
                break
    return out


@wrong("previous_token_heads", "returns-too-early")
def early(weights, threshold):
    out = []
    for l in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            if _mean(weights)[l, k] > threshold:
                out.append((l, k))
                return out
    return out


@wrong("previous_token_heads", "last-left-out")
def last_layer_out(weights, threshold):
    mean = _mean(weights)
    return [(l, k) for l in range(len(mean) - 1) for k in range(mean.shape[1]) if mean[l, k] > threshold]


@wrong("previous_token_heads", "first-left-out")
def first_head_out(weights, threshold):
    mean = _mean(weights)
    return [(l, k) for l in range(len(mean)) for k in range(1, mean.shape[1]) if mean[l, k] > threshold]


@wrong("previous_token_heads", "heads-averaged")
def heads_averaged(weights, threshold):
    mean = weights.diagonal(-1, 2, 3).mean((1, 2))
    return [(l, k) for l in range(len(mean)) for k in range(weights.shape[1]) if mean[l] > threshold]


@wrong("previous_token_heads", "softmax-again")
def softmaxed(weights, threshold):
    return _pairs(_mean(weights.softmax(-1)) > threshold)


@wrong("previous_token_heads", "pairs-as-lists")
def lists(weights, threshold):
    return (_mean(weights) > threshold).nonzero().tolist()


@wrong("previous_token_heads", "tensors-for-ints")
def tensors(weights, threshold):
    return [(l, k) for l, k in (_mean(weights) > threshold).nonzero()]


@wrong("previous_token_heads", "tensors-for-ints", "NumPy's ints")
def numpy_ints(weights, threshold):
    return list(zip(*np.where(_mean(weights).numpy() > threshold)))


@wrong("previous_token_heads", "returns-tensor")
def a_tensor(weights, threshold):
    return (_mean(weights) > threshold).nonzero()


@wrong("previous_token_heads", "returns-tensor", "a mask")
def a_mask(weights, threshold):
    return _mean(weights) > threshold


@wrong("previous_token_heads", "returns-array")
def an_array(weights, threshold):
    return np.argwhere(_mean(weights).numpy() > threshold)


@wrong("previous_token_heads", "no-pairs", "heads counted through")
def counted_through(weights, threshold):
    return (_mean(weights) > threshold).flatten().nonzero().flatten().tolist()


@wrong("previous_token_heads", "wrong-pair", "the mean besides")
def with_mean(weights, threshold):
    mean = _mean(weights)
    return [(l, k, mean[l, k].item()) for l, k in _pairs(mean > threshold)]


@wrong("previous_token_heads", "returns-set")
def a_set(weights, threshold):
    return set(_pairs(_mean(weights) > threshold))


@wrong("previous_token_heads", "returns-dict")
def a_dict(weights, threshold):
    mean = _mean(weights)
    return {pair: mean[pair].item() for pair in _pairs(mean > threshold)}


@wrong("previous_token_heads", "returns-generator")
def a_generator(weights, threshold):
    return (pair for pair in _pairs(_mean(weights) > threshold))


@wrong("previous_token_heads", "returns-none")
def printed(weights, threshold):
    print(_pairs(_mean(weights) > threshold))


@wrong("previous_token_heads", "heads-repeated")
def for_every_token(weights, threshold):
    out = []
    for l in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            for i in range(1, weights.shape[2]):
                if _mean(weights)[l, k] > threshold:
                    out.append((l, k))
    return out


@wrong("previous_token_heads", "input-changed")
def in_place(weights, threshold):
    weights[:, :, 0] = 0
    return _pairs(_mean(weights) > threshold)


@wrong("previous_token_heads", "input-changed", "the first row is cut off through .data")
def cut_through_data(weights, threshold):
    weights.data = weights.data[..., 1:, :]
    mean = weights.diagonal(dim1=-2, dim2=-1).mean(-1)
    return [tuple(pair) for pair in (mean > threshold).nonzero().tolist()]


@wrong("previous_token_heads", "diagonal-of-other-axes")
def diagonal_of_layers_and_heads(weights, threshold):
    return [tuple(pair) for pair in (weights.diagonal(-1).mean(-1) > threshold).nonzero().tolist()]


@wrong("previous_token_heads", "block-for-diagonal", "added up")
def block_added_up(weights, threshold):
    n = weights.shape[-1]
    mean = weights[..., 1:, :-1].sum((-2, -1)) / (n - 1)
    return [tuple(pair) for pair in (mean > threshold).nonzero().tolist()]


@wrong("previous_token_heads", "block-for-diagonal", "averaged")
def block_averaged(weights, threshold):
    mean = weights[..., 1:, :-1].mean((-2, -1))
    return [tuple(pair) for pair in (mean > threshold).nonzero().tolist()]


@wrong("previous_token_heads", "all-earlier-tokens", "over n * n entries")
def mean_of_a_triangle(weights, threshold):
    mean = weights.tril(-1).mean((-2, -1))
    return [tuple(pair) for pair in (mean > threshold).nonzero().tolist()]


@wrong("previous_token_heads", "flat-number")
def divided_by_the_layers(weights, threshold):
    layers, heads, n, _ = weights.shape
    flat = weights.reshape(layers * heads, n, n).diagonal(-1, -2, -1).mean(-1)
    return [divmod(i, layers) for i in range(layers * heads) if flat[i] > threshold]


@wrong("previous_token_heads", "truncates-to-int", "to two places")
def two_places(weights, threshold):
    layers, h = weights.shape[:2]
    return [
        (l, k)
        for l in range(layers)
        for k in range(h)
        if round(weights[l, k].diagonal(-1).mean().item(), 2) > threshold
    ]


@wrong("previous_token_heads", "truncates-to-int", "to three places, all at once")
def three_places(weights, threshold):
    return _pairs(torch.round(_mean(weights), decimals=3) > threshold)


@wrong("previous_token_heads", "truncates-to-int", "cut off")
def cut_off(weights, threshold):
    return _pairs((_mean(weights) * 100).int() / 100 > threshold)


@wrong("previous_token_heads", "tolerance-too-wide", "a thousandth")
def by_a_thousandth(weights, threshold):
    return _pairs(_mean(weights) - threshold > 1e-3)


@wrong("previous_token_heads", "tolerance-too-wide", "a hundredth")
def by_a_hundredth(weights, threshold):
    return _pairs(_mean(weights) > threshold + 0.01)


@wrong("previous_token_heads", "tolerance-too-wide", "not where it is close")
def not_close(weights, threshold):
    layers, h = weights.shape[:2]
    mean = _mean(weights).tolist()
    return [
        (l, k)
        for l in range(layers)
        for k in range(h)
        if mean[l][k] > threshold and not np.isclose(mean[l][k], threshold)
    ]


@wrong("previous_token_heads", "tolerance-too-wide", "where it is close as well")
def nearly(weights, threshold):
    return _pairs(_mean(weights) > threshold - 1e-3)


@wrong("previous_token_heads", "tolerance-too-wide", "bfloat16")
def in_bfloat16(weights, threshold):
    return _pairs(weights.bfloat16().diagonal(-1, -2, -1).mean(-1) > threshold)


@wrong("previous_token_heads", "tolerance-too-wide", "the means are halved")
def in_half(weights, threshold):
    return _pairs(_mean(weights).half() > threshold)


@wrong("previous_token_heads", "diagonal-of-other-axes", "indexed by layer and head afterwards")
def first_two_axes(weights, threshold):
    m = weights.diagonal(-1).mean(-1)
    L, H = weights.shape[:2]
    return [(l, h) for l in range(L) for h in range(H) if m[l, h] > threshold]


@wrong("previous_token_heads", "overwritten-instead-of-collected", "a new list in each layer")
def new_list(weights, threshold):
    for l in range(weights.shape[0]):
        found = []
        for h in range(weights.shape[1]):
            if weights[l, h].diagonal(-1).mean() > threshold:
                found.append((l, h))
    return found


@wrong("previous_token_heads", "state-between-calls", "the list is a default argument")
def in_a_default(weights, threshold, found=[]):
    for l in range(weights.shape[0]):
        for h in range(weights.shape[1]):
            if weights[l, h].diagonal(-1).mean() > threshold:
                found.append((l, h))
    return found


_means = {}


@wrong("previous_token_heads", "state-between-calls", "means kept by the shape of the weights")
def kept_means(weights, threshold):
    return _pairs(_means.setdefault(weights.shape, _mean(weights)) > threshold)


@wrong("previous_token_heads", "one-head-in-each-layer", "zip in place of two loops")
def zipped(weights, threshold):
    L, H = weights.shape[0], weights.shape[1]
    pairs = zip(range(L), range(H), strict=False)
    return [(one, h) for one, h in pairs if weights[one, h].diagonal(-1).mean() > threshold]
