"""Right answers to unit 04."""

from functools import lru_cache, partial

import numpy as np
import torch

from ..registry import add_right, right

# causal_mask


@right("causal_mask", "np.tril")
def causal_tril(n):
    return np.tril(np.ones((n, n), dtype=bool))


@right("causal_mask", "comparison of positions")
def causal_compare(n):
    position = np.arange(n)
    return position[None, :] <= position[:, None]


@right("causal_mask", "nested lists")
def causal_lists(n):
    return np.array([[key <= query for key in range(n)] for query in range(n)])


@right("causal_mask", "not the strict upper triangle")
def causal_not_triu(n):
    return ~np.triu(np.ones((n, n)), k=1).astype(bool)


@right("causal_mask", "row slices")
def causal_slices(n):
    mask = np.full((n, n), False)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


@right("causal_mask", "torch tril, prints")
def causal_torch(n):
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    print(mask)
    return mask.numpy()


@right("causal_mask", "an outer comparison, a transposed view")
def causal_outer(n):
    return np.less_equal.outer(np.arange(n), np.arange(n)).T


@right("causal_mask", "recursion by blocks")
def causal_recursive(n):
    if n == 1:
        return np.array([[True]])
    smaller = causal_recursive(n - 1)
    return np.block([[smaller, np.zeros((n - 1, 1), dtype=bool)], [np.ones((1, n), dtype=bool)]])


@right("causal_mask", "cached, from indices")
@lru_cache
def causal_indices(n):
    mask = np.zeros((n, n), dtype=np.bool_)
    mask[np.tril_indices(n)] = True
    return mask


@right("causal_mask", "cumulative or over the identity")
def causal_accumulate(n):
    return np.logical_or.accumulate(np.eye(n, dtype=bool)[:, ::-1], axis=1)[:, ::-1]


add_right("causal_mask", "partial of np.tri", partial(np.tri, dtype=bool))

# padding_mask


@right("padding_mask", "arange < lengths")
def padding_compare(lengths, n):
    return np.arange(n) < lengths[:, None]


@right("padding_mask", "nested lists")
def padding_lists(lengths, n):
    return np.array([[position < length for position in range(n)] for length in lengths])


@right("padding_mask", "row slices")
def padding_slices(lengths, n):
    mask = np.zeros((len(lengths), n), dtype=bool)
    for row, length in zip(mask, lengths, strict=True):
        row[:length] = True
    return mask


@right("padding_mask", "outer comparison")
def padding_outer(lengths, n):
    return np.greater.outer(lengths, np.arange(n))


@right("padding_mask", "torch inside")
def padding_torch(lengths, n):
    return (torch.arange(n)[None] < torch.as_tensor(lengths).unsqueeze(1)).numpy()


@right("padding_mask", "a transposed view, prints")
def padding_transposed(lengths, n):
    mask = (np.arange(n).reshape(n, 1) < np.asarray(lengths)).T
    print(mask.astype(int))
    return mask


@right("padding_mask", "rows picked from a table")
def padding_table(lengths, n):
    return np.tri(n + 1, n, k=-1, dtype=bool)[lengths]


@right("padding_mask", "np.stack and logical_not")
def padding_not(lengths, n):
    return np.stack([np.logical_not(np.arange(n) >= length) for length in lengths])


# combined_mask


@right("combined_mask", "causal & padding")
def combined_and(lengths, n):
    causal = np.tril(np.ones((n, n), dtype=bool))
    padding = np.arange(n) < lengths[:, None]
    return causal & padding[:, None, None, :]


@right("combined_mask", "loops over every entry")
def combined_loops(lengths, n):
    mask = np.zeros((len(lengths), 1, n, n), dtype=bool)
    for b in range(len(lengths)):
        for i in range(n):
            for j in range(n):
                mask[b, 0, i, j] = j <= i and j < lengths[b]
    return mask


@right("combined_mask", "key below the smaller bound")
def combined_minimum(lengths, n):
    bound = np.minimum(np.arange(1, n + 1), np.reshape(lengths, (-1, 1)))
    return (np.arange(n) < bound[..., None])[:, np.newaxis]


@right("combined_mask", "product of booleans")
def combined_product(lengths, n):
    keys = np.arange(n)
    return (keys <= keys[:, None]) * (keys < np.asarray(lengths)[:, None, None, None])


@right("combined_mask", "einsum of integers")
def combined_einsum(lengths, n):
    causal = np.tri(n, dtype=int)
    padding = (np.arange(n) < lengths[:, None]).astype(int)
    return np.einsum("qk,bk->bqk", causal, padding).astype(bool).reshape(-1, 1, n, n)


@right("combined_mask", "columns blanked sentence by sentence, stacked")
def combined_columns(lengths, n):
    masks = []
    for length in lengths:
        mask = np.tri(n, dtype=bool)
        mask[:, length:] = False
        masks.append([mask])
    return np.array(masks)


@right("combined_mask", "torch inside")
def combined_torch(lengths, n):
    causal = torch.tril(torch.ones(n, n)).bool()
    padding = torch.arange(n).expand(len(lengths), n) < torch.tensor(lengths)[:, None]
    return torch.logical_and(causal[None, None], padding[:, None, None]).numpy()


@right("combined_mask", "blocked or, then inverted; a moved axis")
def combined_inverted(lengths, n):
    position = np.arange(n)
    future = position[:, None] > position[None, :]  # [key, query]
    padded = position[:, None] >= np.asarray(lengths)[None, :]  # [key, sentence]
    blocked = future[:, :, None] | padded[:, None, :]
    return ~np.moveaxis(blocked, (0, 1, 2), (2, 1, 0))[:, None]


# apply_mask


@right("apply_mask", "np.where")
def apply_where(scores, allowed):
    return np.where(allowed, scores, -np.inf)


@right("apply_mask", "a copy and boolean indexing")
def apply_indexing(scores, allowed):
    masked = scores.copy()
    masked[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return masked


@right("apply_mask", "torch masked_fill")
def apply_torch(scores, allowed):
    return torch.tensor(scores).masked_fill(~torch.tensor(allowed), float("-inf")).numpy()


@right("apply_mask", "add 0 or -inf")
def apply_additive(scores, allowed):
    return scores + np.where(allowed, 0.0, -np.inf)


@right("apply_mask", "add log(allowed), which warns")
def apply_log(scores, allowed):
    return scores + np.log(allowed.astype(scores.dtype))


@right("apply_mask", "loop over every entry")
def apply_loop(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    result = np.zeros_like(scores)
    for index, score in np.ndenumerate(scores):
        result[index] = score if allowed[index] else float("-inf")
    return result


@right("apply_mask", "np.ma")
def apply_ma(scores, allowed):
    blocked = np.logical_not(np.broadcast_to(allowed, scores.shape))
    return np.ma.masked_array(scores, mask=blocked).filled(-np.inf)


@right("apply_mask", "np.copyto into a full array")
def apply_copyto(scores, allowed):
    result = np.full_like(scores, -np.inf)
    np.copyto(result, scores, where=allowed)
    return result


@right("apply_mask", "putmask on a transposed copy, a view")
def apply_putmask(scores, allowed):
    turned = np.swapaxes(scores, -1, -2).copy()
    np.putmask(turned, np.swapaxes(np.broadcast_to(~allowed, scores.shape), -1, -2), -np.inf)
    return np.swapaxes(turned, -1, -2)


@right("apply_mask", "torch.where, prints")
def apply_torch_where(scores, allowed):
    t = torch.from_numpy(scores)
    print("blocked:", int((~allowed).sum()))
    return torch.where(torch.from_numpy(allowed), t, torch.full_like(t, -torch.inf)).numpy()


# to_blocked


@right("to_blocked", "~")
def blocked_invert(allowed):
    return ~allowed


@right("to_blocked", "== False")
def blocked_equal(allowed):
    return allowed == False  # noqa: E712


@right("to_blocked", "1 - allowed, back to bool")
def blocked_one_minus(allowed):
    return (1 - allowed.astype(int)).astype(bool)


@right("to_blocked", "exclusive or")
def blocked_xor(allowed):
    return allowed ^ True


@right("to_blocked", "np.where")
def blocked_where(allowed):
    return np.where(allowed, False, True)


@right("to_blocked", "loop over every entry")
def blocked_loop(allowed):
    result = np.empty(allowed.shape, dtype=bool)
    for index in np.ndindex(allowed.shape):
        result[index] = not allowed[index]
    return result


@right("to_blocked", "torch.logical_not, prints")
def blocked_torch(allowed):
    print(allowed)
    return torch.tensor(allowed).logical_not().numpy()


add_right("to_blocked", "the name np.logical_not itself", np.logical_not)

# leaks_future


@right("leaks_future", "each later token perturbed alone")
def leaks_each_token(attend, n, d):
    rng = np.random.default_rng(0)
    for _ in range(3):
        X = rng.standard_normal((n, d))
        before = attend(X)
        for j in range(1, n):
            changed = X.copy()
            changed[j] += rng.standard_normal(d)
            after = attend(changed)
            if np.abs(after[:j] - before[:j]).max() > 1e-9:
                return True
    return False


@right("leaks_future", "the suffix replaced")
def leaks_suffix(attend, n, d):
    rng = np.random.default_rng(12345)
    for X, other in rng.normal(size=(8, 2, n, d)):
        for cut in range(1, n):
            mixed = np.concatenate([X[:cut], other[cut:]])
            if not np.allclose(attend(X)[:cut], attend(mixed)[:cut], rtol=0, atol=1e-10):
                return True
    return False


@right("leaks_future", "finite differences, every feature, an influence matrix")
def leaks_jacobian(attend, n, d):
    step = 0.05
    influence = np.zeros((n, n))
    for X in np.random.default_rng(7).uniform(-1, 1, (5, n, d)):
        for j, c in np.ndindex(n, d):
            up, down = X.copy(), X.copy()
            up[j, c] += step
            down[j, c] -= step
            slope = np.abs(attend(up) - attend(down)).max(axis=1) / (2 * step)
            influence[:, j] = np.maximum(influence[:, j], slope)
    return np.any(np.triu(influence, k=1) > 1e-9)


@right("leaks_future", "the suffix zeroed, a generator in any()")
def leaks_zeroed(attend, n, d):
    inputs = np.random.default_rng(1).standard_normal((8, n, d))
    position = np.arange(n)[:, None]
    return any(
        np.max(np.abs(attend(X * (position < t)) - attend(X))[:t]) > 1e-9 for X in inputs for t in range(1, n)
    )


@right("leaks_future", "several inputs, the suffix scaled and shifted, a np.bool_")
def leaks_scaled(attend, n, d):
    leak = np.bool_(False)
    for seed in range(4):
        X = np.random.default_rng(seed).standard_normal((n, d)) * (seed + 1) / 2
        base = attend(X)
        for i in range(n - 1):
            Y = X.copy()
            Y[i + 1 :] = -1.5 * Y[i + 1 :] + 0.5
            leak |= np.max(np.abs(attend(Y)[: i + 1] - base[: i + 1])) > 1e-9
    return leak


@right("leaks_future", "every pair of tokens, a set of leaks, prints")
def leaks_pairs(attend, n, d):
    rng = np.random.default_rng(2024)
    X = rng.standard_normal((n, d))
    before, found = attend(X), set()
    for later in range(n):
        changed = X.copy()
        changed[later] = rng.standard_normal(d) * 2
        after = attend(changed)
        found |= {
            (earlier, later) for earlier in range(later) if abs(after[earlier] - before[earlier]).max() > 1e-9
        }
    print(sorted(found))
    return len(found) > 0


@right("leaks_future", "torch inside, the last token first, recursion")
def leaks_recursive(attend, n, d):
    generator = torch.Generator().manual_seed(3)

    def leaks_from(token, X):
        if token == 0:
            return False
        changed = X.clone()
        changed[token] = torch.randn(d, generator=generator, dtype=torch.float64)
        gap = torch.tensor(attend(changed.numpy())) - torch.tensor(attend(X.numpy()))
        return bool(gap[:token].abs().amax() > 1e-9) or leaks_from(token - 1, X)

    inputs = torch.randn(8, n, d, generator=generator, dtype=torch.float64)
    return any(leaks_from(n - 1, X) for X in inputs)
