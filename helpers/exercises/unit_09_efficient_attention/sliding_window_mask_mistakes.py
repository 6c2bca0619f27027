"""What people get wrong in `sliding_window_mask`: the same mask with one step replaced."""

from collections.abc import Callable

import numpy as np
import torch

from helpers.exercises.wrong.masks import ALIKE, NUMBERS
from helpers.exercises.wrong.rows import filled, in_step, mistakes, paired, rows
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray


def variant(
    *,
    tokens: Callable[[int, int], tuple[int, int]] = lambda n, window: (n, window),
    past: Callable[[Array, int], Array] = lambda back, window: back < window,
    future: Callable[[Array, int], Array] = lambda back, window: back >= 0,
    give: Callable[[Array], Array] = lambda mask: mask,
) -> Callable[[int, int], Array]:
    """The mask by how far back a key is, with a wrong end of the window, or spoilt at the end."""

    def answer(n: int, window: int) -> Array:
        n, window = tokens(n, window)
        position = np.arange(n)
        back = position[:, None] - position[None, :]
        return give(past(back, window) & future(back, window))

    return in_numpy(answer)


def _one_place_after_the_other(n: int, window: int) -> torch.Tensor:
    """A place below 0 counts from the end, and one below -n is an error."""
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for back in range(window):
            mask[i, i - back] = True
    return mask


_COUNT = "With a window of 1, a token sees itself alone. How many keys does it see with a window of 2?"
_FUTURE = "May a token look at one that comes after it?"

MISTAKES = mistakes(
    variant,
    *rows(
        "off-by-one: Your window is one token too wide: it should hold `window` tokens, the token itself included.",
        _COUNT,
        paired(past=lambda back, window: back <= window),
        "off-by-one: Your window is one token too narrow: it should hold `window` tokens, the token itself included.",
        _COUNT,
        paired(past=lambda back, window: back < window - 1),
        "window-ignored: Your mask is the plain causal one: a token sees its whole past, whatever the window.",
        "Where does `window` come in?",
        paired(past=lambda back, window: back >= -back.size),
        "sign-flipped: With a window above 1 your mask allows nothing: no place is both above and below the diagonal.",
        "Which sign has the number of a diagonal below the main one?",
        paired(past=lambda back, window: back <= 1 - window),
        "future-visible: Your window has no causal end: a token sees all that come after it.",
        _FUTURE,
        paired(future=lambda back, window: back >= -back.size),
        "future-visible: Where the window is as long as the text or longer, your mask lets everybody see the future too.",
        "What does a window of n change: the past, the future, or both?",
        {
            "past": lambda back, window: (back < window) | (window >= len(back)),
            "future": lambda back, window: (back >= 0) | (window >= len(back)),
        },
        {
            "past": lambda back, window: (back < window) | (window > len(back)),
            "future": lambda back, window: (back >= 0) | (window > len(back)),
        },
        *filled(
            "dilated-window: Your window takes every {} token back; it should hold the last ones, without gaps.",
            "Which differences of positions are inside the window: 0, 1, 2, ...?",
            {
                word: {"past": lambda back, window, step=step: (back < step * window) & (back % step == 0)}
                for word, step in (("second", 2), ("third", 3))
            },
        ),
        "dilated-window: Your window has gaps: it takes every second token back and ends after `window`.",
        "Which differences of positions are inside the window: 0, 1, 2, ...?",
        {"past": lambda back, window: (back < window) & (back % 2 == 0)},
        "off-by-one: Where `window` is even, yours is one token too narrow.",
        "Is there a `// 2` in your code?",
        {"past": lambda back, window: back <= (window - 1) // 2 * 2},
        "off-by-one: Where `window` is odd, yours is one token too narrow.",
        {"past": lambda back, window: back < window // 2 * 2},
        "off-by-one: A window of n or more is one token too narrow in your mask: the last token does not see the first.",
        "What is the longest way back from the last token?",
        {"past": lambda back, window: back < min(window, len(back) - 1)},
        {"past": lambda back, window: back < max(min(window, len(back) - 1), 1)},
        "first-token-kept: Token 0 stays in sight of all; it leaves the window as any other does.",
        "How far back is token 0 for the last token?",
        {"past": lambda back, window: (back < window) | (np.arange(len(back)) == 0)},
        "diagonal-hidden: With a window of 1 nobody sees anything in your mask; a token sees itself.",
        _COUNT,
        {"past": lambda back, window: (back < window) & (window > 1)},
        "window-on-both-sides: Your window reaches into the future as far as into the past.",
        _FUTURE,
        paired(future=lambda back, window: back > -window),
        {"past": lambda back, window: back <= window, "future": lambda back, window: back >= -window},
        "window-on-both-sides: Your window reaches half as far, to both sides.",
        _FUTURE,
        {"past": lambda back, window: 2 * back < window, "future": lambda back, window: 2 * back > -window},
        {
            "past": lambda back, window: back <= window // 2,
            "future": lambda back, window: back >= -(window // 2),
        },
        "future-visible-by-one: Each token sees one token of the future.",
        _FUTURE,
        paired(future=lambda back, window: back >= -1),
        "diagonal-hidden: No token sees itself; the window begins at the token itself.",
        "Should the comparison be `<` or `<=`?",
        paired(future=lambda back, window: back > 0),
        "diagonal-hidden: Your window stands before the token: `window` tokens of its past, but not itself.",
        "Does the window count the token itself?",
        {"future": lambda back, window: back > 0, "past": lambda back, window: back <= window},
        "transposed-mask: Your window lies in the future: the mask is turned round.",
        "Row i is query i. Which columns may row 0 see?",
        paired(give=lambda mask: mask.T),
        "past-and-future-swapped: You hide the window and show the past before it.",
        "Which differences of positions are inside the window?",
        paired(past=lambda back, window: back >= window),
        "one-key-only: Each token sees a single key, the last one of its window.",
        "Which keys lie between the token and that one?",
        paired(past=lambda back, window: back == window - 1),
        "one-key-only: Each token sees only itself, whatever the window.",
        "Where does `window` come in?",
        paired(past=lambda back, window: back == 0),
        "blocks-for-window: You cut the tokens into blocks of `window`: the first of a block sees no past. A window moves with the token.",
        "How many keys should each token see, but for the first few?",
        lambda n, window: variant(
            past=lambda back, w: np.arange(n)[:, None] // w == np.arange(n)[None, :] // w
        )(n, window),
        "window-from-the-start: Every token sees the first `window` tokens; the window moves with the token.",
        "Which keys should the last token see?",
        lambda n, window: variant(past=lambda back, w: np.arange(n)[None, :] < w)(n, window),
        "window-at-the-end: Every token sees only the last `window` tokens; the window moves with the token.",
        "Which keys should the first token see?",
        lambda n, window: variant(past=lambda back, w: np.arange(n)[None, :] >= n - w)(n, window),
        "fixed-window: Your window has the same width in every call.",
        "Where does `window` come in?",
        *(paired(past=lambda back, window, width=width: back < width) for width in (2, 3, 4)),
        "window-filled-up: Your first tokens look ahead, so that each row has `window` keys.",
        "Where should the window of token 0 end?",
        {"future": lambda back, w: (back >= 0) | ((back[:, :1] < w) & (back[:1] > -w))},
        "wraps-around: Your first tokens see the last ones too: what leaves on one side comes back on the other.",
        "Look for `roll`, or for places below 0.",
        in_numpy(lambda n, window: (np.arange(n)[:, None] - np.arange(n)) % n < window),
        _one_place_after_the_other,
        "arguments-swapped: You swapped the two arguments: n is the number of tokens, window how many one sees.",
        "In which order do the arguments come?",
        paired(tokens=lambda n, window: (window, n)),
        "mask-inverted: True and False have changed places: here True means 'may look'.",
        "What is `mask[0, 0]`, and what should it be?",
        paired(give=lambda mask: ~mask),
        "flipped-triangle: Your rows stand in reverse order.",
        "Row 0 is the first token.",
        paired(give=lambda mask: mask[::-1]),
        "flipped-triangle: Your columns stand in reverse order.",
        "Column 0 is the first token.",
        paired(give=lambda mask: mask[:, ::-1]),
        "first-tokens-left-out: The first tokens, whose window would begin before the text, see nothing.",
        "What does token 0 see?",
        paired(give=lambda mask: mask & (mask.sum(-1, keepdims=True) >= mask.sum(-1).max())),
        {"past": lambda back, w: (back < w) & ((back[:, :1] >= w - 1) | (back < w - len(back)))},
        "keepdims-left: The mask is right, but it has an axis too many: its shape should be (n, n).",
        "Which step adds an axis?",
        {"give": lambda mask: mask[None]},
        {"give": lambda mask: mask[None, None]},
    ),
    *in_step("give", (*NUMBERS, *ALIKE), pairs=True),
    yes="what is allowed",
    bool="`dtype=torch.bool`, or a comparison, gives booleans.",
    all_true="the future and the distant past are in sight",
    all_false="nobody may look at anyone",
)
