"""Right and wrong answers to `sliding_window_mask`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

NAME = "sliding_window_mask"


def ones(n):
    return torch.ones(n, n, dtype=torch.bool)


# Right answers, each in its own style


@right(NAME, "differences of positions")
def differences(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    return (back >= 0) & (back < window)


@right(NAME, "tril and triu")
def two_triangles(n, window):
    return ones(n).tril().triu(-(window - 1))


@right(NAME, "one triangle less another")
def less(n, window):
    return ones(n).tril() & ~ones(n).tril(-window)


@right(NAME, "loops")
def loops(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(max(0, i - window + 1), i + 1):
            mask[i, j] = True
    return mask


@right(NAME, "slices row by row")
def slices(n, window):
    mask = ones(n) ^ True
    for i in range(n):
        mask[i, max(i + 1 - window, 0) : i + 1] = True
    return mask


@right(NAME, "diagonals added")
def diagonals(n, window):
    mask = torch.zeros(n, n)
    for back in range(min(window, n)):
        mask += torch.diag(torch.ones(n - back), -back)
    return mask > 0


@right(NAME, "NumPy inside")
def through_numpy(n, window):
    return torch.from_numpy(np.tri(n, dtype=bool) & ~np.tri(n, k=-window, dtype=bool))


# Wrong answers, each with the id of its mistake


@wrong(NAME, "off-by-one", note="too wide")
def too_wide(n, window):
    return ones(n).tril().triu(-window)


@wrong(NAME, "off-by-one", note="too wide, compared")
def too_wide_compared(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return (back >= 0) & (back <= window)


@wrong(NAME, "off-by-one", note="too narrow")
def too_narrow(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return (back >= 0) & (back < window - 1)


@wrong(NAME, "window-ignored")
def causal(n, window):
    return ones(n).tril()


@wrong(NAME, "window-on-both-sides")
def both_sides(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return back.abs() < window


@wrong(NAME, "window-on-both-sides", note="half")
def half_each(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return back.abs() <= window // 2


@wrong(NAME, "future-visible")
def open_future(n, window):
    return ones(n).triu(1 - window)


@wrong(NAME, "future-visible", note="compared")
def open_future_compared(n, window):
    return torch.arange(n)[:, None] - torch.arange(n) < window


@wrong(NAME, "future-visible-by-one")
def one_ahead(n, window):
    return ones(n).tril(1).triu(1 - window)


@wrong(NAME, "diagonal-hidden")
def not_itself(n, window):
    return ones(n).tril(-1).triu(1 - window)


@wrong(NAME, "diagonal-hidden", note="window before the token")
def before_it(n, window):
    return ones(n).tril(-1).triu(-window)


@wrong(NAME, "transposed-mask")
def ahead(n, window):
    return ones(n).triu().tril(window - 1)


@wrong(NAME, "past-and-future-swapped")
def outside(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return (back >= 0) & (back >= window)


@wrong(NAME, "past-and-future-swapped", note="tril alone")
def lower_only(n, window):
    return ones(n).tril(-window)


@wrong(NAME, "mask-missing", note="or for and")
def either(n, window):
    back = torch.arange(n)[:, None] - torch.arange(n)
    return (back >= 0) | (back < window)


@wrong(NAME, "one-key-only")
def single(n, window):
    return torch.arange(n)[:, None] - torch.arange(n) == window - 1


@wrong(NAME, "one-key-only", note="itself")
def itself(n, window):
    return torch.eye(n, dtype=torch.bool)


@wrong(NAME, "blocks-for-window")
def in_blocks(n, window):
    block = torch.arange(n) // window
    return (block[:, None] == block) & ones(n).tril()


@wrong(NAME, "window-from-the-start")
def first_ones(n, window):
    mask = ones(n).tril()
    mask[:, window:] = False
    return mask


@wrong(NAME, "window-at-the-end")
def last_ones(n, window):
    mask = ones(n).tril()
    mask[:, :-window] = False
    return mask


@wrong(NAME, "fixed-window")
def always_two(n, window):
    return ones(n).tril().triu(-1)


@wrong(NAME, "arguments-swapped")
def swapped(window, n):
    return ones(n).tril().triu(1 - window)


@wrong(NAME, "mask-inverted")
def blocked(n, window):
    return ~ones(n).tril().triu(1 - window)


@wrong(NAME, "flipped-triangle")
def flipped(n, window):
    return ones(n).tril().triu(1 - window).flip(0)


@wrong(NAME, "first-tokens-left-out")
def late_start(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(window - 1, n):
        mask[i, i - window + 1 : i + 1] = True
    return mask if window <= n else mask | (ones(n).tril() & (torch.arange(n)[:, None] == n - 1))


@wrong(NAME, "first-tokens-left-out", note="a slice that begins below 0")
def negative_start(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 : i + 1] = True
    return mask


@wrong(NAME, "mask-not-bool")
def numbers(n, window):
    return torch.ones(n, n).tril().triu(1 - window)


@wrong(NAME, "mask-not-bool", note="minus infinity")
def additive(n, window):
    return torch.zeros(n, n).masked_fill(~ones(n).tril().triu(1 - window), -torch.inf)


@wrong(NAME, "returns-numpy")
def in_numpy(n, window):
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-window, dtype=bool)


@wrong(NAME, "returns-list")
def as_list(n, window):
    return [[0 <= i - j < window for j in range(n)] for i in range(n)]


@wrong(NAME, "keepdims-left")
def with_axis(n, window):
    return ones(n).tril().triu(1 - window)[None]


@wrong(NAME, "returns-none")
def nothing(n, window):
    ones(n).tril().triu(1 - window)


@wrong(NAME, "window-filled-up")
def filled_up(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        start = max(0, i - window + 1)
        mask[i, start : start + window] = True
    return mask


@wrong(NAME, "array-truth-value")
def chained(n, window):
    i = torch.arange(n)
    return 0 <= i[:, None] - i[None, :] < window


@wrong(NAME, "fixed-window", note="three")
def three_wide(n, window):
    i = torch.arange(n)
    back = i[:, None] - i[None, :]
    return (back >= 0) & (back < 3)


@wrong(NAME, "window-on-both-sides", note="and too wide")
def both_sides_too_wide(n, window):
    i = torch.arange(n)
    return abs(i.reshape(n, 1) - i.reshape(1, n)) <= window


@wrong(NAME, "wraps-around")
def rolled(n, window):
    eye = torch.eye(n, dtype=torch.bool)
    return torch.stack([eye.roll(-k, dims=1) for k in range(window)]).any(0)


def _back(n):
    return torch.arange(n)[:, None] - torch.arange(n)


@wrong(NAME, "future-visible", note="where the window holds all")
def wide_window_sees_all(n, window):
    if window >= n:
        return ones(n)
    return (_back(n) >= 0) & (_back(n) < window)


@wrong(NAME, "dilated-window")
def every_second(n, window):
    back = _back(n)
    return (back >= 0) & (back < 2 * window) & (back % 2 == 0)


@wrong(NAME, "off-by-one", note="even windows")
def even_windows(n, window):
    return (_back(n) >= 0) & (_back(n) <= (window - 1) // 2 * 2)


@wrong(NAME, "off-by-one", note="windows of n and more")
def at_most_n_minus_one(n, window):
    window = min(window, n - 1) or 1
    return (_back(n) >= 0) & (_back(n) < window)


@wrong(NAME, "first-token-kept")
def with_a_sink(n, window):
    mask = (_back(n) >= 0) & (_back(n) < window)
    mask[:, 0] = True
    return mask


@wrong(NAME, "diagonal-hidden", note="with a window of 1")
def nothing_for_one(n, window):
    if window == 1:
        return torch.zeros(n, n, dtype=torch.bool)
    return (_back(n) >= 0) & (_back(n) < window)


@wrong(NAME, "wraps-around", note="places below 0 as indices")
def places_below_zero(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for back in range(window):
            mask[i, i - back] = True
    return mask


_windows = {}


@wrong(NAME, "state-between-calls", note="kept by n alone")
def kept_by_n(n, window):
    if n not in _windows:
        _windows[n] = (_back(n) >= 0) & (_back(n) < window)
    return _windows[n]


@wrong("sliding_window_mask", "sign-flipped", "the diagonal of triu")
def triu_with_the_wrong_sign(n, window):
    mask = torch.ones(n, n, dtype=torch.bool)
    return mask.tril().triu(diagonal=window - 1)
