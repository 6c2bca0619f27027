"""A sentence in the real model of unit 08, with the learner's own attention and silenced heads in it."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.errors import BadArgument
from helpers.pretrained.reading import Reading, Tokens, Unusable, effects, pair_of, read, tokens_of
from helpers.text import heading
from helpers.views import cloth
from helpers.views.real_words import words
from helpers.views.view import Drawing, View

LARGEST = 32_000
"""Weights go to the page as whole numbers from minus this to this."""

SAME = 1e-3
"""Differences of weights or similarities that are rounding: a right answer may add up in another order."""

KEPT = "I saw a saw"


@dataclass(frozen=True, repr=False)
class Seen:
    """What a view shows: one way to read the sentence, with what each head changes where that was asked."""

    reading: Reading
    effects: np.ndarray | None = None


@dataclass(frozen=True, repr=False)
class Both:
    """A sentence read with right answers, and with the learner's where these give something else.

    Attributes:
        sentence: its tokens.
        pair: places of the two words.
        right: with right answers.
        yours: with the learner's; the same object where they give the same.
        tried: which of the learner's answers ran.
        trouble: sentences about those that could not.
    """

    sentence: Tokens
    pair: tuple[int, int]
    right: Seen
    yours: Seen
    tried: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()


def real_model(
    model: Any,
    sentence: str = KEPT,
    *,
    attention: Callable[..., Any] | None = None,
    silence: Callable[..., Any] | None = None,
    pair: Sequence[int] | None = None,
    title: str = "Two words in a real model",
) -> View:
    """Two words of a sentence on their way through the model of unit 08, with your own answers in it.

    Args:
        model: as `pretrained.load` gives it; `None` shows what was kept of "I saw a saw".
        sentence: any text of two words or more; of a long one the first 24 tokens are read.
        attention: your `bert_attention`, or `None` for a right one.
        silence: your `silence_head`: each of the 72 heads gives 0 in turn.
        pair: places of two tokens, counted from 0 with `[CLS]`; by default a word that stands twice.
        title: heading.

    Raises:
        BadArgument: when the sentence is no text or too short, the pair is none of its places, or an answer
            cannot be called.

    A wrong answer is shown beside a right one.  One that stops, or returns something of another shape or NaN,
    is named, and the model is shown with a right one.
    """
    title = heading(title)
    for name, answer in {"attention": attention, "silence": silence}.items():
        if answer is not None and not callable(answer):
            raise BadArgument(f"{name}: expected a function of yours; got {type(answer).__name__}")
    if model is None:
        return shown(_kept(sentence, pair, silence is not None), title)
    found = tokens_of(model, sentence)
    return shown(_both(model, found, pair_of(found.tokens, pair), attention, silence), title)


def _both(model: Any, found: Tokens, pair: tuple[int, int], attention: Any, silence: Any) -> Both:
    right = model.right
    whole = read(model, found.ids, pair, right.bert_attention)
    change = effects(model, whole, pair, right.bert_attention, right.silence_head) if silence else None
    own, tried, trouble = whole, [], []
    if attention:
        try:
            own = read(model, found.ids, pair, attention)
            tried.append("bert_attention")
        except Unusable as error:
            trouble.append(f"✗ {error} You see the model with a right attention.")
            attention = None
        if _alike(own, whole):
            own = whole
    changed = change
    if silence:
        try:
            changed = effects(model, own, pair, attention or right.bert_attention, silence)
            tried.append("silence_head")
        except Unusable as error:
            trouble.append(f"✗ {error} The bars show what a right silence_head changes.")
    if own is whole and (change is None or np.allclose(change, changed, atol=SAME)):
        changed = change
    seen = Seen(whole, change)
    yours = seen if own is whole and changed is change else Seen(own, changed)
    return Both(found, pair, seen, yours, tuple(tried), tuple(trouble))


def _alike(one: Reading, other: Reading) -> bool:
    meant = [[close for close, _ in sorted(seen.nearest, key=lambda near: near[1])] for seen in (one, other)]
    pairs = (one.weights, other.weights), (one.similarities, other.similarities), meant
    return all(np.allclose(mine, right, atol=SAME) for mine, right in pairs)


def _kept(sentence: Any, pair: Any, with_heads: bool) -> Both:
    from helpers.pretrained.committed import saw_sentence

    kept = saw_sentence()
    seen = Seen(
        Reading(kept.similarities, kept.weights, kept.nearest, []), kept.change if with_heads else None
    )
    says = f"The model is not here: this is what was kept of “{KEPT}”, with a right attention."
    found = Tokens(kept.tokens, [], len(kept.tokens))
    return Both(found, pair_of(kept.tokens), seen, seen, (), (says,))


def shown(both: Both, title: str) -> View:
    """The view of a sentence that was read."""
    found, yours, right = both.sentence, both.yours, both.right
    other = yours is not right
    said = words(both)
    ways = {"yours": yours, "right": right} if other else {"right": right}

    def hung(way: str, threaded: bool) -> str:
        seen = ways[way].reading
        two = other and way == "yours"
        return cloth.cloth(
            found.tokens,
            seen.similarities,
            seen.weights,
            both.pair,
            right.reading.similarities if two else None,
            ("yours", "right") if two else ("cosine", ""),
            threaded=threaded,
        )

    data = {
        "title": title,
        "tokens": found.tokens,
        "pair": both.pair,
        "said": said[:-2],
        "under": said[-2:],
        "least": [cloth.LEAST, cloth.OWN_MOST, cloth.MOST],
        "shape": right.reading.weights.shape,
        "ways": {
            way: {
                "cloth": hung(way, False),
                **_packed(seen.reading.weights),
                "last": round(float(seen.reading.similarities[-1]), 4),
                "effects": None if seen.effects is None else seen.effects.round(4).ravel().tolist(),
            }
            for way, seen in ways.items()
        },
    }
    _, _, top = cloth.places(found.tokens, len(right.reading.similarities))
    beside = cloth.maps(yours.reading.weights, yours.effects, top=top - 20, step=cloth.STEP)
    text = cloth.side_by_side(hung(next(iter(ways)), True), beside, title)
    drawing = Drawing(text, f"{title}. {' '.join(said)}", tuple(said))
    return View("real", data, lambda: drawing)


def _packed(weights: np.ndarray) -> dict[str, Any]:
    """Weights as whole numbers of two bytes, and the step; those that are no shares may be large."""
    step = max(1.0, float(abs(weights).max())) / LARGEST
    whole = np.rint(weights / step).astype("<i2")
    return {"weights": base64.b64encode(whole.tobytes()).decode(), "step": step}
