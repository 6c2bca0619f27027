"""Right and wrong answers to `causal_mask_with_cache`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

NAME = "causal_mask_with_cache"

# Right answers, each in its own style


@right(NAME, "positions compared")
def positions(n_q, n_k):
    q = torch.arange(n_k - n_q, n_k)[:, None]
    return torch.arange(n_k)[None, :] <= q


@right(NAME, "tril with a diagonal")
def lower(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)


@right(NAME, "last rows of the square mask")
def last_rows(n_q, n_k):
    full = torch.tril(torch.ones(n_k, n_k)).bool()
    return full[n_k - n_q :]


@right(NAME, "loops")
def loops(n_q, n_k):
    mask = torch.zeros((n_q, n_k), dtype=torch.bool)
    for i in range(n_q):
        for j in range(n_k):
            if j <= i + n_k - n_q:
                mask[i, j] = True
    return mask


@right(NAME, "open cache beside a triangle")
def cached_and_new(n_q, n_k):
    cached = torch.full((n_q, n_k - n_q), True)
    return torch.cat([cached, torch.ones(n_q, n_q).tril() == 1], dim=1)


@right(NAME, "negated triu")
def not_later(n_q, n_k):
    return ~torch.triu(torch.ones(n_q, n_k, dtype=torch.bool), diagonal=n_k - n_q + 1)


@right(NAME, "NumPy inside")
def through_numpy(n_q, n_k):
    return torch.from_numpy(np.tri(n_q, n_k, n_k - n_q, dtype=bool))


@right(NAME, "list comprehension")
def listed(n_q, n_k):
    before = n_k - n_q
    return torch.tensor([[j <= before + i for j in range(n_k)] for i in range(n_q)])


# Wrong answers, each with the id of its mistake


@wrong(NAME, "top-left-aligned")
def plain_tril(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril()


@wrong(NAME, "top-left-aligned", note="compared")
def from_zero(n_q, n_k):
    return torch.arange(n_k) <= torch.arange(n_q)[:, None]


@wrong(NAME, "top-left-aligned", note="first rows of the square mask")
def first_rows(n_q, n_k):
    return torch.ones(n_k, n_k, dtype=torch.bool).tril()[:n_q]


@wrong(NAME, "future-visible-by-one")
def one_too_far(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q + 1)


@wrong(NAME, "diagonal-hidden")
def strictly(n_q, n_k):
    return torch.arange(n_k) < torch.arange(n_k - n_q, n_k)[:, None]


@wrong(NAME, "wrong-offset", note="by n_q")
def by_queries(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_q)


@wrong(NAME, "wrong-offset", note="sign")
def wrong_sign(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_q - n_k)


@wrong(NAME, "mask-missing", note="everything is allowed")
def everything(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool)


@wrong(NAME, "mask-missing", note="cache and all new tokens")
def by_keys(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k)


@wrong(NAME, "mask-inverted")
def blocked(n_q, n_k):
    return torch.arange(n_k) > torch.arange(n_k - n_q, n_k)[:, None]


@wrong(NAME, "mask-inverted", note="triu")
def blocked_triu(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)


@wrong(NAME, "transposed-mask")
def other_way(n_q, n_k):
    return torch.arange(n_k) >= torch.arange(n_k - n_q, n_k)[:, None]


@wrong(NAME, "transposed-mask", note="triu")
def upper(n_q, n_k):
    return torch.triu(torch.ones(n_q, n_k, dtype=torch.bool), n_k - n_q)


@wrong(NAME, "wrong-shape", note="turned")
def turned(n_q, n_k):
    return (torch.arange(n_k) <= torch.arange(n_k - n_q, n_k)[:, None]).T


@wrong(NAME, "wrong-shape", note="square")
def square(n_q, n_k):
    return torch.ones(n_k, n_k, dtype=torch.bool).tril()


@wrong(NAME, "cache-missing")
def only_new(n_q, n_k):
    return torch.ones(n_q, n_q, dtype=torch.bool).tril()


@wrong(NAME, "cache-hidden")
def no_cache(n_q, n_k):
    mask = torch.zeros(n_q, n_k, dtype=torch.bool)
    mask[:, n_k - n_q :] = torch.ones(n_q, n_q, dtype=torch.bool).tril()
    return mask


@wrong(NAME, "future-hidden-wrong")
def cache_only(n_q, n_k):
    mask = torch.zeros(n_q, n_k, dtype=torch.bool)
    mask[:, : n_k - n_q] = True
    return mask


@wrong(NAME, "only-the-diagonal")
def only_itself(n_q, n_k):
    return torch.arange(n_k) == torch.arange(n_k - n_q, n_k)[:, None]


@wrong(NAME, "flipped-triangle", note="rows")
def flipped_rows(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q).flip(0)


@wrong(NAME, "flipped-triangle", note="columns")
def flipped_columns(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q).flip(1)


@wrong(NAME, "mask-not-bool")
def ones_and_zeros(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_k - n_q)


@wrong(NAME, "mask-not-bool", note="minus infinity")
def additive(n_q, n_k):
    return torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)


@wrong(NAME, "returns-numpy")
def in_numpy(n_q, n_k):
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


@wrong(NAME, "returns-list")
def as_list(n_q, n_k):
    return [[j <= n_k - n_q + i for j in range(n_k)] for i in range(n_q)]


@wrong(NAME, "keepdims-left")
def with_axis(n_q, n_k):
    return torch.ones(1, n_q, n_k, dtype=torch.bool).tril(n_k - n_q)


@wrong(NAME, "keepdims-left", note="batch and heads")
def with_two_axes(n_q, n_k):
    return torch.ones(1, 1, n_q, n_k, dtype=torch.bool).tril(n_k - n_q)


@wrong(NAME, "shape-flattened")
def squeezed(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q).squeeze()


@wrong(NAME, "returns-none")
def nothing(n_q, n_k):
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)  # noqa: F841


@wrong(NAME, "wrong-offset", note="three cached tokens written in")
def three_cached(n_q, n_k):
    return torch.arange(n_k) <= torch.arange(n_q)[:, None] + 3


@wrong(NAME, "mask-missing", note="n_k for n_k - n_q")
def offset_of_all(n_q, n_k):
    return torch.arange(n_k)[None, :] <= n_k + torch.arange(n_q)[:, None]


@wrong(NAME, "cache-behind")
def triangle_first(n_q, n_k):
    new = torch.ones(n_q, n_q, dtype=torch.bool).tril()
    return torch.cat([new, torch.ones(n_q, n_k - n_q, dtype=torch.bool)], dim=1)


@wrong(NAME, "returns-bias-object")
def bias_of_sdpa(n_q, n_k):
    from torch.nn.attention.bias import causal_lower_right  # it imports a compiler, for two seconds

    return causal_lower_right(n_q, n_k)


@wrong(NAME, "rows-all-alike")
def up_to_the_first_new(n_q, n_k):
    mask = torch.zeros(n_q, n_k, dtype=torch.bool)
    for i in range(n_q):
        mask[i, : n_k - n_q + 1] = True
    return mask


@wrong(NAME, "past-dropped")
def a_band(n_q, n_k):
    mask = torch.zeros(n_q, n_k, dtype=torch.bool)
    for i in range(n_q):
        mask[i, i : i + n_k - n_q + 1] = True
    return mask


@wrong(NAME, "future-visible-by-one", note="where nothing is cached")
def at_least_one_cached(n_q, n_k):
    return torch.arange(n_k) <= torch.arange(n_q)[:, None] + max(1, n_k - n_q)


_masks = {}


@wrong(NAME, "state-between-calls", note="kept by n_q alone")
def kept_by_queries(n_q, n_k):
    if n_q not in _masks:
        _masks[n_q] = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q
    return _masks[n_q]


_BUFFER = torch.ones(16, 16, dtype=torch.bool).tril()


@wrong("causal_mask_with_cache", "fixed-size", note="cut out of a buffer that was made for 16 tokens")
def mask_from_a_buffer(n_q, n_k):
    return _BUFFER[n_k - n_q : n_k, :n_k]
