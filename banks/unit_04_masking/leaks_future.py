"""Right and wrong answers to `leaks_future`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_wrong, right, wrong

# Right answers, each in its own style


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


@right("leaks_future", "autograd-free numeric: each t replaced by fresh random rows for several trials")
def leaks_future_41(attend, n, d):
    g = np.random.default_rng(7)
    for _ in range(4):
        X = g.normal(size=(n, d))
        for t in range(1, n):
            Y = X.copy()
            Y[t:] = 3 * g.normal(size=(n - t, d))
            if np.abs(attend(X)[:t] - attend(Y)[:t]).max() > 1e-9:
                return True
            Z = X.copy()
            Z[t] = 3 * g.normal(size=d)
            if np.abs(attend(X)[:t] - attend(Z)[:t]).max() > 1e-9:
                return True
    return False


@right("leaks_future", "central differences, one feature at a time, several sizes of step")
def leaks_slopes(attend, n, d):
    X = np.random.default_rng(11).standard_normal((n, d))
    for step in (1e-3, 1e-1, 1.0):
        for t in range(1, n):
            for k in range(d):
                up, down = X.copy(), X.copy()
                up[t, k] += step
                down[t, k] -= step
                if (np.abs(attend(up)[:t] - attend(down)[:t]) > 1e-11).any():
                    return True
    return False


@right("leaks_future", "small random whole numbers from zeros, each token alone, several draws")
def leaks_random_from_zeros(attend, n, d):
    rng = np.random.default_rng(3)
    for round in range(6):
        X = rng.integers(-9, 10, (n, d)) * (round > 0) * 1.0
        before = attend(X)
        for t in range(n - 1, 0, -1):
            Y = X.copy()
            Y[t] = rng.integers(-9, 10, d) + rng.random(d)
            if not np.allclose(attend(Y)[:t], before[:t], rtol=0, atol=1e-11):
                return True
    return False


@right("leaks_future", "new random numbers in each run, tolerance 1e-12, row by row")
def leaks_row_by_row(attend, n, d):
    for t in range(1, n):
        X = np.random.randn(n, d)
        Y = X.copy()
        Y[t] = np.random.randn(d)
        one, other = attend(X), attend(Y)
        for i in range(t):
            if max(abs(one[i] - other[i])) > 1e-12:
                return True
    return False


@right("leaks_future", "one feature at a time, set to several values")
def leaks_values(attend, n, d):
    X = np.random.default_rng(5).uniform(-2, 2, (n, d))
    before, leak = attend(X), False
    for t, k in np.ndindex(n, d):
        for value in (-3.0, 0.7, 10.0):
            Y = X.copy()
            Y[t, k] = value
            leak = leak or bool((np.abs(attend(Y) - before)[:t] > 1e-10).any())
    return leak


@right("leaks_future", "adds 1 first, then random numbers")
def leaks_in_two_ways(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    before = attend(X)
    for new in (lambda row: row + 1, lambda row: rng.standard_normal(d)):
        for t in range(1, n):
            Y = X.copy()
            Y[t] = new(Y[t])
            if np.abs(attend(Y)[:t] - before[:t]).max() > 1e-9:
                return True
    return False


# Wrong answers, those with one mistake together


@wrong("leaks_future", "always-false")
def leaks_never(attend, n, d):
    return False


@wrong("leaks_future", "always-true")
def leaks_always(attend, n, d):
    return True


@wrong("leaks_future", "always-true", note="True unless n == 1")
def leaks_always_but_one(attend, n, d):
    return n > 1


@wrong("leaks_future", "nothing-changed", note="compares two runs on the same input")
def leaks_same_input(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    return not np.allclose(attend(X), attend(X.copy()))


@wrong("leaks_future", "nothing-changed", note="Y is X: no copy")
def leaks_alias(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X
        Y[t:] += 1.0
        if not np.allclose(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "nothing-changed", note="X2 = X is no copy, so both runs see the same changed array.")
def leaks_1(attend, n, d):
    if n == 1:
        return False
    X = np.random.default_rng(0).normal(size=(n, d))
    X2 = X
    X2[-1] += 10.0
    return not np.allclose(attend(X)[:-1], attend(X2)[:-1])


@wrong("leaks_future", "nothing-changed", note="Y = X without copy, so base and perturbed are the same array")
def leaks_future_115(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X
        Y[t] += 1
        if not np.allclose(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "only-last-token")
def leaks_last_token(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[-1] = rng.normal(size=d)
    return not np.allclose(attend(X)[:-1], attend(Y)[:-1])


@wrong(
    "leaks_future",
    "only-last-token",
    note="Changes the last token only, so leaks from tokens in the middle go unseen.",
)
def leaks_2(attend, n, d):
    if n < 2:
        return False
    X = np.random.default_rng(1).standard_normal((n, d))
    before = attend(X.copy())
    X[n - 1] = np.random.default_rng(2).standard_normal(d) * 3
    after = attend(X.copy())
    return bool(np.abs(before[: n - 1] - after[: n - 1]).max() > 1e-8)


@wrong("leaks_future", "only-last-token", note="Only perturbs the last token and compares the first output")
def leaks_future_113(attend, n, d):
    r = np.random.default_rng(0)
    X = r.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += 1.0
    return not np.allclose(attend(X)[0], attend(Y)[0]) if n > 1 else False


@wrong("leaks_future", "only-first-row", note="changes everything after token 0, looks at row 0")
def leaks_first_row(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[1:] = rng.normal(size=(n - 1, d))
    return not np.allclose(attend(X)[0], attend(Y)[0])


@wrong("leaks_future", "only-first-row", note="every later token, but row 0 only")
def leaks_every_token_row_zero(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[0], attend(Y)[0]):
            return True
    return False


@wrong(
    "leaks_future", "only-first-row", note="Returns after the first position, in the first round of the loop."
)
def leaks_4(attend, n, d):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.abs(attend(Y)[:t] - base[:t]).max() > 1e-9:
            return True
        else:
            return False
    return False


@wrong("leaks_future", "only-the-row-before", note="row t against token t + 1")
def leaks_next(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[t - 1], attend(Y)[t - 1]):
            return True
    return False


@wrong(
    "leaks_future",
    "only-the-row-before",
    note="Compares only row t-1 when token t changes, so leaks further back are missed.",
)
def leaks_5(attend, n, d):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, d))
    base = attend(X)
    found = False
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1 + rng.random(d)
        found = found or not np.allclose(attend(Y)[t - 1], base[t - 1], rtol=0, atol=1e-9)
    return found


@wrong("leaks_future", "only-middle", note="second half against first half")
def leaks_halves(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    half = n // 2
    Y = X.copy()
    Y[half:] = rng.normal(size=(n - half, d))
    return not np.allclose(attend(X)[:half], attend(Y)[:half])


@wrong("leaks_future", "off-by-one", note="token 1 is never changed alone")
def leaks_from_two(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(2, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "off-by-one", note="the last token is never changed")
def leaks_not_last(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "off-by-one", note="does not see a leak of one step")
def leaks_skips_neighbour(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[: t - 1], attend(Y)[: t - 1]):
            return True
    return False


@wrong("leaks_future", "own-row-compared", note="the changed token's own output")
def leaks_own_row(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[: t + 1], attend(Y)[: t + 1]):
            return True
    return False


@wrong("leaks_future", "own-row-compared+blind-change", note="all rows")
def leaks_all_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(before, attend(Y)):
            return True
    return False


@wrong(
    "leaks_future",
    "own-row-compared",
    note="Includes row t itself in the comparison, which of course changes with token t.",
)
def leaks_3(attend, n, d):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(base[: t + 1], attend(Y)[: t + 1], atol=1e-9):
            return True
    return False


@wrong(
    "leaks_future",
    "own-row-compared",
    note="Compares the sum of the whole output, which also changes through the later rows.",
)
def leaks_8(attend, n, d):
    if n == 1:
        return False
    rng = np.random.default_rng(8)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += rng.normal(size=d)
    return bool(not np.isclose(attend(X).sum(), attend(Y).sum()))


@wrong(
    "leaks_future",
    "own-row-compared+blind-change",
    note="Perturbs the last token and compares all outputs incl. its own",
)
def leaks_future_114(attend, n, d):
    r = np.random.default_rng(0)
    X = r.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += 1.0
    return not np.allclose(attend(X), attend(Y))


@wrong("leaks_future", "own-row-compared+blind-change", note="Off by one: compares base[:t+1]")
def leaks_future_118(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[: t + 1], attend(Y)[: t + 1]):
            return True
    return False


@wrong("leaks_future", "past-and-future-swapped", note="looks at the later rows")
def leaks_later_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[t + 1 :], attend(Y)[t + 1 :]):
            return True
    return False


@wrong("leaks_future", "past-and-future-swapped", note="changes the earlier tokens")
def leaks_changes_past(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[:t] = rng.normal(size=(t, d))
        if not np.allclose(before[t], attend(Y)[t]):
            return True
    return False


@wrong(
    "leaks_future",
    "past-and-future-swapped",
    note="Changes the earlier tokens and looks at the later outputs, which may change.",
)
def leaks_6(attend, n, d):
    X = np.random.default_rng(6).normal(size=(n, d))
    base = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = -3 * Y[t] + 1
        if (np.abs(attend(Y)[t + 1 :] - base[t + 1 :]) > 1e-9).any():
            return True
    return False


@wrong(
    "leaks_future",
    "past-and-future-swapped+blind-change",
    note="Compares outputs from t on (later outputs) instead of before t: base[t:]",
)
def leaks_future_117(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[t:], attend(Y)[t:]):
            return True
    return False


@wrong("leaks_future", "result-inverted", note="True for the causal ones")
def leaks_inverted(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return False
    return True


@wrong(
    "leaks_future",
    "result-inverted",
    note="Returns True when everything stayed the same, i.e. when it does NOT leak.",
)
def leaks_10(attend, n, d):
    rng = np.random.default_rng(10)
    X = rng.normal(size=(n, d))
    base = attend(X)
    same = []
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        same.append(np.allclose(attend(Y)[:t], base[:t], rtol=0, atol=1e-9))
    return all(same) if same else False


@wrong("leaks_future", "result-inverted+blind-change", note="Inverted answer: returns True when causal")
def leaks_future_122(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[:t], attend(Y)[:t]):
            return False
    return True


@wrong("leaks_future", "returned-inside-loop", note="answers after t = 1")
def leaks_early_return(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        return not np.allclose(before[:t], attend(Y)[:t])
    return False


@wrong("leaks_future", "returned-inside-loop", note="Returns inside the loop: only t = 1 is tested")
def leaks_future_116(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        return bool(not np.allclose(base[:t], attend(Y)[:t]))
    return False


@wrong("leaks_future", "change-too-small", note="1e-9 is inside np.allclose")
def leaks_tiny(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1e-9
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "change-too-small", note="1e-5, seen only by strong leaks")
def leaks_small(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1e-5 * rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t], atol=1e-5):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="a weak leak is overlooked")
def leaks_wide(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t], atol=0.1):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="mean change: one leaking entry is diluted")
def leaks_mean_change(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.abs(attend(Y)[:t] - before[:t]).mean() > 0.05:
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="np.allclose with atol=1e-4")
def leaks_beyond_a_tenth_of_a_thousandth(attend, n, d):
    rng = np.random.default_rng()
    X = rng.standard_normal((n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.standard_normal(d)
        if not np.allclose(before[:t], attend(Y)[:t], atol=1e-4):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="a largest difference of 1e-4, all later tokens changed")
def leaks_by_more_than_a_little(attend, n, d):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.max(np.abs(attend(X)[:t] - attend(Y)[:t])) > 1e-4:
            return True
    return False


@wrong("leaks_future", "exact-comparison", note="rounding counts as a leak")
def leaks_exact(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if (before[:t] != attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "all-instead-of-any", note="every output must change")
def leaks_all_changed(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.isclose(before[:t], attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "compares-sums", note="a normalised output has the same sum")
def leaks_sum(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.isclose(before[:t].sum(), attend(Y)[:t].sum()):
            return True
    return False


@wrong(
    "leaks_future",
    "blind-change",
    note="Adds 1 to every feature, and compares the mean of the outputs with a loose tolerance 0.1",
)
def leaks_future_121(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if abs(base[:t].mean() - attend(Y)[:t].mean()) > 0.1:
            return True
    return False


@wrong("leaks_future", "lost-sign", note="sees only outputs that grow")
def leaks_no_abs(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1 + np.arange(d)
        if (attend(Y)[:t] - before[:t]).max() > 1e-9:
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="changes feature 0")
def leaks_feature_in(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:, 0] += 1.0
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="looks at output feature 0")
def leaks_feature_out(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t, 0], attend(Y)[:t, 0]):
            return True
    return False


@wrong(
    "leaks_future",
    "one-feature-only",
    note="Compares with == (rounding counts as a leak) and changes only feature 0 of each token.",
)
def leaks_9(attend, n, d):
    X = np.random.default_rng(9).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t, 0] += 5
        if not np.array_equal(attend(Y)[:t], base[:t]):
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="Perturbs only feature 0 of each later token")
def leaks_future_120(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t, 0] += 1
        if not np.allclose(base[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "square-only", note="looks at d outputs, there are d_out")
def leaks_d_out(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        after = attend(Y)
        for i in range(t):
            for j in range(d):
                if abs(after[i, j] - before[i, j]) > 1e-9:
                    return True
    return False


@wrong("leaks_future", "blind-change", note="another order: a mean over the future does not see it")
def leaks_shuffle(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = np.concatenate([X[:t], X[t:][::-1]])
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "blind-change", note="one-hot tokens: features from n on are never tried")
def leaks_one_hot(attend, n, d):
    X = np.eye(n, d)
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = 0.0
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "blind-change", note="zeros, and one token after another set to ones")
def leaks_from_zeros(attend, n, d):
    X = np.zeros((n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = 1.0
        if not np.allclose(attend(Y)[:t], before[:t]):
            return True
    return False


@wrong("leaks_future", "blind-change", note="zeros, and random numbers in all later tokens")
def leaks_noise_after_zeros(attend, n, d):
    rng = np.random.default_rng(0)
    base = attend(np.zeros((n, d)))
    for i in range(n - 1):
        Y = np.zeros((n, d))
        Y[i + 1 :] = rng.normal(size=(n - i - 1, d))
        if not np.allclose(attend(Y)[: i + 1], base[: i + 1], atol=1e-6):
            return True
    return False


@wrong("leaks_future", "nan-probe", note="0 * NaN is NaN: causal ones look leaky")
def leaks_nan(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = np.nan
        if np.isnan(attend(Y)[:t]).any():
            return True
    return False


@wrong(
    "leaks_future",
    "nan-probe",
    note="Puts NaN into later tokens: 0 * NaN is NaN, so correct masking is accused as well.",
)
def leaks_7(attend, n, d):
    X = np.random.default_rng(7).normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = np.nan
        if np.isnan(attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "future-cut-off", note="an attend for n tokens does not take t of them")
def leaks_truncate(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    return any(not np.allclose(before[:t], attend(X[:t])) for t in range(1, n))


@wrong("leaks_future", "arguments-ignored", note="four tokens, whatever n")
def leaks_fixed_size(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4, d))
    before = attend(X)
    for t in range(1, 4):
        Y = X.copy()
        Y[t:] = rng.normal(size=(4 - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "columns-as-tokens", note="changes features from t on")
def leaks_columns(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[:, t:] = rng.normal(size=Y[:, t:].shape)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "different-inputs", note="two unrelated inputs")
def leaks_unrelated(attend, n, d):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    return not np.allclose(attend(X)[:-1], attend(Y)[:-1])


@wrong("leaks_future", "returns-string")
def leaks_string(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return "leaks"
    return "causal"


@wrong("leaks_future", "returns-per-row", note="an array of flags")
def leaks_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before, flags = attend(X), np.zeros(n, dtype=bool)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        flags[t - 1] = not np.allclose(before[t - 1], attend(Y)[t - 1])
    return flags


@wrong("leaks_future", "one-random-token", note="misses most single-token leaks")
def leaks_one_random(attend, n, d):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    t = int(rng.integers(1, n)) if n > 1 else 0
    Y = X.copy()
    Y[t] = rng.normal(size=d)
    return not np.allclose(attend(X)[:t], attend(Y)[:t])


def _changes(attend, X, t, rng):
    Y = X.copy()
    Y[t:] = rng.normal(size=Y[t:].shape)
    return not np.allclose(attend(X)[:t], attend(Y)[:t])


@wrong("leaks_future", "single-token-sequence", note="n = 1 raises")
def leaks_n_one(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[1] = rng.normal(size=d)
    if not np.allclose(attend(X)[0], attend(Y)[0]):
        return True
    return any(_changes(attend, X, t, rng) for t in range(2, n))


@wrong("leaks_future", "single-token-sequence", note="n = 1 is called a leak")
def leaks_n_one_true(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if n < 2:
        return True
    return any(_changes(attend, X, t, rng) for t in range(1, n))


@wrong("leaks_future", "state-between-calls", note="once a leak, always a leak")
def leaks_remembers(attend, n, d, found=[]):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    found.extend(t for t in range(1, n) if _changes(attend, X, t, rng))
    return len(found) > 0


@wrong("leaks_future", "overwritten-instead-of-collected", note="the last t decides")
def leaks_overwrites(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    leak = False
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        leak = not np.allclose(attend(X)[:t], attend(Y)[:t])
    return leak


@wrong(
    "leaks_future",
    "off-by-one",
    note="Off by one the other way: compares base[:t-1], missing one-step-ahead leaks",
)
def leaks_future_119(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(2, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[: t - 1], attend(Y)[: t - 1]):
            return True
    return False


@wrong(
    "leaks_future",
    "different-inputs",
    note="changed = X makes no copy: the changes of all earlier tokens stay in X, while it is compared with the output before all changes; from the second round on causal attentions are called leaking.",
)
def leaks_future_different_inputs(attend, n, d):
    X = np.random.randn(n, d)
    before = attend(X)
    for t in range(1, n):
        changed = X
        changed[t] = np.random.randn(d)
        after = attend(changed)
        for i in range(t):
            if np.max(np.abs(after[i] - before[i])) > 1e-12:
                return True
    return False


@wrong(
    "leaks_future",
    "overwritten-instead-of-collected",
    note="The flag is set anew in every round, so only the last comparison counts (last token, row n - 2): earlier leaks are overwritten by False.",
)
def leaks_future_overwritten_instead_of_collected(attend, n, d):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((n, d))
    before = attend(X)
    leak = False
    for t in range(1, n):
        changed = X.copy()
        changed[t] = rng.standard_normal(d)
        after = attend(changed)
        for i in range(t):
            leak = bool(np.abs(after[i] - before[i]).max() > 1e-12)
    return leak


@wrong("leaks_future", "returned-inside-loop", note="the else stands inside the loop")
def leaks_else_inside_the_loop(attend, n, d):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((n, d))
    before = attend(X)
    for i in range(1, n):
        changed = X.copy()
        changed[i] = rng.standard_normal(d)
        if np.abs(attend(changed)[:i] - before[:i]).max() > 1e-12:
            return True
        else:
            return False


@wrong("leaks_future", "too-many-arguments", note="attend is given the sizes, not an array")
def leaks_attends_to_sizes(attend, n, d):
    before = attend(n, d)
    after = attend(n, d)
    return bool(np.abs(before - after).max() > 1e-12)


@wrong("leaks_future", "lost-sign")
def leaks_first_row_added_up(attend, n, d):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, d))
    before = attend(X)
    for i in range(1, n):
        changed = X.copy()
        changed[i] = rng.standard_normal(d)
        if (attend(changed)[0] - before[0]).sum() > 1e-12:
            return True
    return False


def _after(
    change, tolerance=1e-10, start=lambda n, d: np.random.default_rng(0).standard_normal((n, d)), later=False
):
    """A detector that changes each later token, or all from it on, in one way."""

    def leaks(attend, n, d):
        X = start(n, d)
        before = attend(X)
        for t in range(1, n):
            changed = X.copy()
            part = slice(t, None) if later else t
            changed[part] = change(changed[part])
            if np.max(np.abs(attend(changed)[:t] - before[:t])) > tolerance:
                return True
        return False

    return leaks


def _ones(n, d):
    return np.ones((n, d))


for note, detector in {
    "adds 1 to a token": _after(lambda row: row + 1),
    "adds 1 to all tokens from t on": _after(lambda rows: rows + 1, later=True),
    "adds 100 to a token, with a tolerance of 1e-12": _after(lambda row: row + 100, 1e-12),
    "adds 1 to a token, with a tolerance of 1e-8": _after(lambda row: row + 1, 1e-8),
    "adds 1 to a token, with a tolerance of 1e-6": _after(lambda row: row + 1, 1e-6),
    "takes 0.5 from a token": _after(lambda row: row - 0.5),
    "ones, and 2 in a token": _after(lambda row: 2.0, start=_ones),
    "ones, and 0 in a token": _after(lambda row: 0.0, start=_ones),
    "doubles a token": _after(lambda row: row * 2),
    "doubles a token, with a tolerance of 1e-9": _after(lambda row: row * 2, 1e-9),
    "ten times all tokens from t on": _after(lambda rows: rows * 10, later=True),
    "doubles a token and adds 1": _after(lambda row: 2 * row + 1),
    "turns the signs of a token": _after(lambda row: -row),
    "turns the signs of all tokens from t on": _after(lambda rows: -rows, later=True),
}.items():
    add_wrong("leaks_future", "blind-change", detector, note)


def _random_row(row):
    return np.random.default_rng(1).standard_normal(row.shape)


for note, detector in {
    "more than 1e-8": _after(_random_row, 1e-8),
    "more than 1e-6": _after(_random_row, 1e-6),
    "more than 1e-8, all tokens from t on": _after(_random_row, 1e-8, later=True),
    "more than 1e-3": _after(_random_row, 1e-3),
}.items():
    add_wrong("leaks_future", "tolerance-too-wide", detector, note)


@wrong("leaks_future", "tolerance-too-wide", note="np.allclose as it is")
def leaks_allclose(attend, n, d):
    X = np.random.randn(n, d)
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[t] = np.random.randn(d)
        if not np.allclose(attend(changed)[:t], before[:t]):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="np.allclose keeps its rtol")
def leaks_allclose_atol(attend, n, d):
    X = np.random.randn(n, d)
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[t] = np.random.randn(d)
        if not np.allclose(attend(changed)[:t], before[:t], atol=1e-12):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="rounded to six digits")
def leaks_rounded(attend, n, d):
    X = np.random.default_rng(0).standard_normal((n, d))
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[t] = np.random.default_rng(1).standard_normal(d)
        if (attend(changed)[:t].round(6) != before[:t].round(6)).any():
            return True
    return False


@wrong(
    "leaks_future",
    "lost-sign",
    note="the sum of the differences, with their signs, new random numbers each time",
)
def leaks_signed_sum(attend, n, d):
    X = np.random.randn(n, d)
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[t] = np.random.randn(d)
        if np.sum(attend(changed)[:t] - before[:t]) > 1e-9:
            return True
    return False


@wrong("leaks_future", "lost-sign", note="the largest difference, with its sign, before minus after")
def leaks_signed_max(attend, n, d):
    X = np.random.randn(n, d)
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[t] = np.random.randn(d)
        if (before[:t] - attend(changed)[:t]).max() > 1e-9:
            return True
    return False


@wrong("leaks_future", "only-middle", note="the last two tokens at once")
def leaks_two_at_once(attend, n, d):
    X = np.random.default_rng(0).standard_normal((n, d))
    changed = X.copy()
    changed[-2:] = np.random.default_rng(1).standard_normal(changed[-2:].shape)
    return bool((np.abs(attend(changed) - attend(X))[:-2] > 1e-10).any())


@wrong("leaks_future", "columns-as-tokens", note="changes feature t of all tokens")
def leaks_by_columns(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    before = attend(X)
    for t in range(1, n):
        changed = X.copy()
        changed[:, t] = rng.standard_normal(n)
        after = attend(changed)
        if np.abs(after[:t] - before[:t]).max() > 1e-10:
            return True
    return False
