"""What the model makes of two words of a sentence, with anybody's attention in it.

The answer is the learner's: it may stop, return something else, or numbers that are none.  Then `Unusable`
says so in one sentence.  It gets copies of the weights, so that nothing it does stays in the model.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.errors import BadArgument
from helpers.pretrained.committed import COMPARED

MOST = 24
"""Tokens that are read of a sentence, with the two round it: a picture has room for no more."""

DULL = ("the", "a", "an", "of", "to", "and", "in", "is", "it")
"""Words that stand twice in many sentences; another one is taken first."""

NAMES = ("W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o")


class Unusable(Exception):
    """An answer that the model cannot run with; the message is one sentence that says why.

    Attributes:
        in_code: whether it stopped, or made things of another type.
    """

    def __init__(self, message: str, in_code: bool = False) -> None:
        super().__init__(message)
        self.in_code = in_code


@dataclass(frozen=True, repr=False)
class Reading:
    """One sentence, read.

    Attributes:
        similarities: the cosine of the two words before the first layer and after each, `(layers + 1,)`.
        weights: attention weights of all heads, `(layers, h, n, n)`.
        nearest: cosine and text of the sentences nearest in meaning, the nearest first.
        xs: the tokens before the first layer and after each, as the model has them, `(1, n, d_model)`.
    """

    similarities: np.ndarray
    weights: np.ndarray
    nearest: list[tuple[float, str]]
    xs: list[Any]


@dataclass(frozen=True)
class Tokens:
    """A sentence in tokens.

    Attributes:
        tokens: n texts.
        ids: their numbers.
        count: how many the whole sentence has.
    """

    tokens: list[str]
    ids: list[int]
    count: int


def tokens_of(model: Any, sentence: Any) -> Tokens:
    """The tokens of a sentence, the first ones where there are too many.

    Raises:
        BadArgument: when it is no text, or has fewer than two tokens of its own.
    """
    if not isinstance(sentence, str):
        raise BadArgument(f"sentence: expected text in quotes; got {type(sentence).__name__}")
    found = model.tokenizer.encode(sentence)
    real = sum(found.attention_mask)
    tokens, ids = list(found.tokens[:real]), list(found.ids[:real])
    if real < 4:
        got = f"one word, {tokens[1]}" if real == 3 else "none"
        raise BadArgument(f"sentence: expected two words or more, to compare two of them; got {got}.")
    if real > MOST:
        tokens, ids = [*tokens[: MOST - 1], tokens[-1]], [*ids[: MOST - 1], ids[-1]]
    return Tokens(tokens, ids, real)


def pair_of(tokens: Sequence[str], pair: Any = None) -> tuple[int, int]:
    """The places of two tokens: those asked for, or else of the first word that stands twice.

    Where no word does, they are the first and the last.

    Raises:
        BadArgument: when what is asked for are not two places of the sentence.
    """
    inside = range(1, len(tokens) - 1)
    if pair is not None:
        try:
            one, other = sorted(int(place) for place in pair)
        except (TypeError, ValueError):
            one = other = 0
        if one == other or one not in inside or other not in inside:
            places = ", ".join(f"{place} {tokens[place]}" for place in inside)
            raise BadArgument(
                f"pair: expected the places of two words, such as (1, 2); got {pair!r}. {places}"
            )
        return one, other
    twice = [place for place in inside if tokens[place] in tokens[place + 1 : -1] and tokens[place].isalnum()]
    for place in sorted(twice, key=lambda place: (tokens[place] in DULL, place)):
        return place, tokens.index(tokens[place], place + 1)
    words = [place for place in inside if tokens[place].isalnum()] or [*inside]
    return (words[0], words[-1]) if len(words) > 1 else (inside[0], inside[-1])


def read(model: Any, ids: Sequence[int], pair: tuple[int, int], attention: Callable[..., Any]) -> Reading:
    """Run the model on a sentence, and on those that its meaning is compared with.

    Raises:
        Unusable: when the attention is of no use.
    """
    pick = copied(model.right.layer_weights)
    asked = usable(attention)
    x, real = model.begin([list(ids)])
    xs, maps = model.through(x, real, pick, asked)
    theirs = _meant(model, pick, asked, right=attention is model.right.bert_attention)
    close = theirs @ np.asarray(model.pool(xs[-1], real)[0], float)
    nearest = [(float(close[i]), COMPARED[i]) for i in np.argsort(-close, kind="stable")]
    similarities = np.array([cosine(x, pair) for x in xs])
    return Reading(similarities, np.stack([np.asarray(one, float)[0] for one in maps]), nearest, xs)


def _meant(model: Any, pick: Any, attention: Any, right: bool) -> np.ndarray:
    """The embeddings of the sentences to compare with; those of a right attention are computed once."""
    if not right or not model.meant:
        x, real = model.begin([tokens_of(model, one).ids for one in COMPARED])
        found = model.pool(model.through(x, real, pick, attention)[0][-1], real)
        if not right:
            return np.asarray(found, float)
        model.meant.append(found)
    return np.asarray(model.meant[0], float)


def effects(
    model: Any,
    seen: Reading,
    pair: tuple[int, int],
    attention: Callable[..., Any],
    silence: Callable[..., Any],
) -> np.ndarray:
    """By how much the last similarity changes when each head gives 0 in turn: `(layers, h)`.

    Raises:
        Unusable: when `silence` is of no use.
    """
    heads = seen.weights.shape[1]
    found = np.zeros(seen.weights.shape[:2])
    _, real = model.begin([[0] * seen.weights.shape[-1]])
    pick = copied(model.right.layer_weights)
    for layer, head in np.ndindex(found.shape):
        changed = silenced(silence, pick(model.state, layer), head, heads)

        def other(state: Any, number: int, at: int = layer, changed: Any = changed) -> Any:
            return changed if number == at else pick(state, number)

        try:
            xs, _ = model.through(seen.xs[layer], real, other, usable(attention), layer)
        except Unusable as error:
            raise Unusable(
                f"with what silence_head gives for head {head} of layer {layer}, {error}"
            ) from None
        found[layer, head] = cosine(xs[-1], pair) - seen.similarities[-1]
    return found


def cosine(x: Any, pair: tuple[int, int]) -> float:
    """The cosine of two tokens of `(1, n, d_model)`."""
    one, other = (np.asarray(x, float)[0, place] for place in pair)
    return float(one @ other / np.sqrt((one @ one) * (other @ other)))


def copied(layer_weights: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, but its weights are copies."""
    return lambda state, layer: copy.deepcopy(dict(layer_weights(state, layer)))


def usable(attention: Callable[..., Any]) -> Callable[..., Any]:
    """The same attention, or `Unusable` where what it returns is none."""

    def asked(x: Any, weights: Any, heads: int, allowed: Any) -> Any:
        given = copy.deepcopy(x)
        result = _called("bert_attention", attention, given, weights, heads, allowed)
        if not isinstance(result, tuple | list) or len(result) != 2:
            got = f"{len(result)} things" if isinstance(result, tuple | list) else type(result).__name__
            raise Unusable(f"bert_attention should return output and weights; it returned {got}.")
        n = x.shape[1]
        for name, one, shape in (
            ("output", result[0], x.shape),
            ("weights", result[1], (len(x), heads, n, n)),
        ):
            _check(f"{name} of bert_attention", one, tuple(shape), type(x))
        return tuple(one.detach() if hasattr(one, "detach") else one for one in result)

    return asked


def silenced(silence: Callable[..., Any], weights: Mapping[str, Any], head: int, heads: int) -> Any:
    """The weights with one head silenced, or `Unusable` where they are none."""
    shapes = {name: tuple(weights[name].shape) for name in NAMES}
    kind = type(weights["W_o"])
    result = _called("silence_head", silence, weights, head, heads)
    if not isinstance(result, Mapping) or {*result} != {*NAMES}:
        got = (
            f"one with {', '.join(map(str, result))}"
            if isinstance(result, Mapping)
            else type(result).__name__
        )
        raise Unusable(f"silence_head should return a dict with the same eight keys; it returned {got}.")
    for name, shape in shapes.items():
        _check(f"{name} of silence_head", result[name], shape, kind)
    return result


def _called(name: str, answer: Callable[..., Any], *given: Any) -> Any:
    try:
        return answer(*given)
    except NotImplementedError:
        raise Unusable(f"{name} is not answered yet.") from None
    except Exception as error:  # whatever a learner's code may raise
        said = str(error).strip().splitlines()
        why = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        raise Unusable(f"{name} stopped: {why.rstrip('.')}.", in_code=True) from error


def _check(what: str, one: Any, shape: tuple[int, ...], kind: type) -> None:
    if not isinstance(one, kind):
        raise Unusable(f"{what} should be a {kind.__name__}; it is {type(one).__name__}.", in_code=True)
    if tuple(one.shape) != shape:
        raise Unusable(f"{what} should have shape {shape}; it has {tuple(one.shape)}.")
    if not np.isfinite(np.asarray(one.detach() if hasattr(one, "detach") else one, float)).all():
        raise Unusable(f"{what} should be finite numbers; some are NaN or infinite.")
