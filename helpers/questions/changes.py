"""Changes of a call's arguments, and what they may do to the result: what `what_moves` asks about."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.questions.scenes import whole

Args = dict[str, Any]
Change = Callable[[Args, np.random.Generator], tuple[str, Args]]
State = tuple[str, Callable[[Any, Any], bool]]
States = Callable[[Args], list[State]]


def _same(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, atol=1e-6, equal_nan=True))


def _attention_states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
    def rows(before: Any, after: Any) -> np.ndarray:
        return ~np.isclose(before[1], after[1], atol=1e-6).all(axis=-1)

    return [
        ("nothing", lambda b, a: _same(b[0], a[0]) and _same(b[1], a[1])),
        ("some outputs, and no weight", lambda b, a: _same(b[1], a[1]) and not _same(b[0], a[0])),
        ("the weights of one query only", lambda b, a: int(rows(b, a).sum()) == 1),
        ("the weights of several queries", lambda b, a: int(rows(b, a).sum()) > 1),
    ]


def _with(args: Args, **new: Any) -> Args:
    return {**args, **new}


def _row(args: Args, name: str, rng: np.random.Generator, word: str) -> tuple[str, Args]:
    place = int(rng.integers(len(args[name])))
    array = args[name].copy()
    array[place] *= 2
    return f"all numbers of {word} {place} are doubled", _with(args, **{name: array})


def _attention(rng: np.random.Generator) -> Args:
    args = {"Q": whole(rng, 3, 4, low=0, high=2), "K": whole(rng, 3, 4, low=0, high=2)}
    args["V"] = whole(rng, 3, 2, low=1, high=6)
    allowed = np.tril(np.ones((3, 3), bool))
    return args | ({"allowed": allowed} if rng.random() < 0.6 else {})


_IN_ATTENTION: tuple[Change, ...] = (
    lambda a, rng: _row(a, "Q", rng, "query"),
    lambda a, rng: _row(a, "K", rng, "key"),
    lambda a, rng: _row(a, "V", rng, "value"),
    lambda a, rng: ("the same vector, [1, 1, 1, 1], is added to every key", _with(a, K=a["K"] + 1)),
    lambda a, rng: ("the same vector, [1, 1, 1, 1], is added to every query", _with(a, Q=a["Q"] + 1)),
    lambda a, rng: ("the values are all doubled", _with(a, V=2 * a["V"])),
)


def _ratio_states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
    def times(factor: float) -> Callable[[Any, Any], bool]:
        return lambda b, a: _same(factor * np.asarray(b), a) and not _same(b, 0)

    one = "a" in args or "d_k" in args
    what = "the result" if one else "every number of the result"
    return [
        (f"nothing: {what} stays", times(1)),
        (f"{what} is doubled", times(2)),
        (f"{what} becomes four times as large", times(4)),
        (f"{what} is multiplied by the root of 2", times(2**0.5)),
    ]


def _twice(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, array], axis=-1)


def _ratios(one: str, other: str) -> tuple[Change, ...]:
    return (
        lambda a, rng: (f"all numbers of `{one}` are doubled", _with(a, **{one: 2 * a[one]})),
        lambda a, rng: (f"all numbers of `{other}` are doubled", _with(a, **{other: 2 * a[other]})),
        lambda a, rng: (
            f"all numbers of `{one}` and of `{other}` are doubled",
            _with(a, **{one: 2 * a[one], other: 2 * a[other]}),
        ),
        lambda a, rng: (
            f"each vector of `{one}` and of `{other}` is written twice, one behind the other, which makes it "
            "twice as wide",
            _with(a, **{one: _twice(a[one]), other: _twice(a[other])}),
        ),
    )


def _vectors(rng: np.random.Generator) -> Args:
    return {"a": whole(rng, 2, low=1, high=4), "b": whole(rng, 2, low=1, high=4)}


def _matrices(rng: np.random.Generator) -> Args:
    return {"Q": whole(rng, 2, 2, low=0, high=3), "K": whole(rng, 3, 2, low=0, high=4)}


def _weight_states(name: str) -> Callable[[Args], list[tuple[str, Callable[[Any, Any], bool]]]]:
    def states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
        top = int(np.argmax(args[name]))
        return [
            ("nothing: all weights stay", _same),
            ("the largest weight grows, the smallest shrinks", lambda b, a: a[top] > b[top] + 1e-6),
            ("the largest weight shrinks, the smallest grows", lambda b, a: a[top] < b[top] - 1e-6),
            ("all weights grow", lambda b, a: bool((a > b + 1e-6).all())),
        ]

    return states


def _row_of(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 4, low=-2, high=4)}


def _heated(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 4, low=-2, high=4), "temperature": float(rng.choice([1.0, 2.0]))}


_IN_SOFTMAX: tuple[Change, ...] = (
    lambda a, rng: ("100 is added to every number of `x`", _with(a, x=a["x"] + 100)),
    lambda a, rng: ("all numbers of `x` are doubled", _with(a, x=2 * a["x"])),
    lambda a, rng: ("all numbers of `x` are halved", _with(a, x=a["x"] / 2)),
    lambda a, rng: (
        "the largest number of `x` is taken away from all of them",
        _with(a, x=a["x"] - a["x"].max()),
    ),
)
_HEATS: tuple[Change, ...] = (
    lambda a, rng: ("the temperature is doubled", _with(a, temperature=2 * a["temperature"])),
    lambda a, rng: ("the temperature is halved", _with(a, temperature=a["temperature"] / 2)),
    lambda a, rng: (
        "`x` and the temperature are both doubled",
        _with(a, x=2 * a["x"], temperature=2 * a["temperature"]),
    ),
)


def _kinds(args: Args) -> list[State]:
    """Of weights: none, one up and others of its row down, a row up, more than one row."""

    def rows(before: Any, after: Any) -> np.ndarray:
        return ~np.isclose(before, after, atol=1e-6).all(axis=-1)

    def one_grows(before: Any, after: Any) -> bool:
        grown, fallen = (after > before + 1e-6).sum(), (after < before - 1e-6).sum()
        return rows(before, after).sum() == 1 and grown == 1 and fallen >= 1

    def all_grow(before: Any, after: Any) -> bool:
        return rows(before, after).sum() == 1 and bool((after >= before - 1e-9).all())

    return [
        ("nothing", _same),
        ("one weight grows, and others of its row shrink", one_grows),
        ("weights of its row grow, and none shrinks", all_grow),
        ("weights of several queries", lambda b, a: rows(b, a).sum() > 1),
    ]


def _masked(rng: np.random.Generator) -> Args:
    return {"scores": whole(rng, 3, 3, low=0, high=3), "allowed": np.tril(np.ones((3, 3), bool))}


def _score(args: Args, rng: np.random.Generator, *, hidden: bool) -> tuple[str, Args]:
    places = np.argwhere(~args["allowed"] if hidden else args["allowed"] & (np.arange(3)[:, None] > 0))
    query, key = places[int(rng.integers(len(places)))]
    scores = args["scores"].copy()
    scores[query, key] += 5
    return f"the score of query {query} for key {key} is raised by 5", _with(args, scores=scores)


def _row_raised(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    query = int(rng.integers(3))
    scores = args["scores"].copy()
    scores[query] += 5
    return f"all scores of query {query} are raised by 5", _with(args, scores=scores)


def _key_raised(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    scores = args["scores"].copy()
    scores[:, 0] += 5
    return "the scores of all queries for key 0 are raised by 5", _with(args, scores=scores)


def _mixed(rng: np.random.Generator) -> Args:
    weights = np.array([rng.permutation([0.5, 0.5, 0.0]), rng.permutation([0.25, 0.75, 0.0])])
    return {"weights": weights, "V": whole(rng, 3, 2, low=1, high=6)}


def _rows_of(word: str) -> States:
    def states(args: Args) -> list[State]:
        def changed(before: Any, after: Any) -> int:
            return int((~np.isclose(before, after, atol=1e-6)).any(axis=-1).sum())

        return [
            ("nothing", _same),
            (f"the {word} of one query", lambda b, a: changed(b, a) == 1),
            (f"the {word}s of both queries", lambda b, a: changed(b, a) == 2),
        ]

    return states


_IN_MIX: tuple[Change, ...] = (
    lambda a, rng: _row(a, "V", rng, "value"),
    lambda a, rng: _row(a, "V", rng, "value"),
    lambda a, rng: (
        "values 0 and 1 change places, and so do columns 0 and 1 of the weights",
        _with(a, V=a["V"][[1, 0, 2]], weights=a["weights"][:, [1, 0, 2]]),
    ),
    lambda a, rng: (
        "values 0 and 1 change places, and the weights stay",
        _with(a, V=a["V"][[1, 0, 2]]),
    ),
)


def _tokens(rng: np.random.Generator) -> Args:
    args = {"X": rng.normal(size=(1, 5, 4)), **{f"W_{name}": rng.normal(size=(4, 4)) for name in "qkvo"}}
    allowed = np.tril(np.ones((5, 5), bool)) if rng.random() < 0.7 else np.ones((5, 5), bool)
    return args | {"num_heads": 2, "allowed": allowed}


def _token_exchanged(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    token = int(rng.integers(1, 4))
    X = args["X"].copy()
    X[0, token] = rng.normal(size=4)
    kind = "a causal mask" if not args["allowed"].all() else "a mask that hides nothing"
    return f"with 5 tokens and {kind} token {token} is exchanged for another one", _with(args, X=X)


def _which_outputs(args: Args) -> list[State]:
    def changed(before: Any, after: Any) -> list[int]:
        return [
            int(i) for i in np.flatnonzero(~np.isclose(before[0][0], after[0][0], atol=1e-6).all(axis=-1))
        ]

    def is_range(low: bool, high: bool) -> Callable[[Any, Any], bool]:
        def holds(before: Any, after: Any) -> bool:
            found = changed(before, after)
            first, last = (0 in found), (4 in found)
            return len(found) > 1 and (first, last) == (low, high)

        return holds

    return [
        ("the output at that token alone", lambda b, a: len(changed(b, a)) == 1),
        ("the outputs at that token and at all after it", is_range(False, True)),
        ("the outputs at that token and at all before it", is_range(True, False)),
        ("the outputs at all tokens", is_range(True, True)),
    ]


def _by_blocks(rng: np.random.Generator) -> Args:
    Q, K, V = rng.normal(size=(2, 4)), rng.normal(size=(6, 4)), rng.normal(size=(6, 3))
    return {"Q": Q, "K": K, "V": V, "block_size": 2}


def _shuffled_keys(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    order = rng.permutation(6)
    return "keys and values are shuffled, both in the same way", _with(
        args, K=args["K"][order], V=args["V"][order]
    )


_BLOCKS: tuple[Change, ...] = (
    lambda a, rng: ("the block size grows from 2 to 3", _with(a, block_size=3)),
    _shuffled_keys,
    lambda a, rng: ("all values are doubled", _with(a, V=2 * a["V"])),
    lambda a, rng: ("all queries are doubled", _with(a, Q=2 * a["Q"])),
    lambda a, rng: ("one vector is added to every key", _with(a, K=a["K"] + a["K"][0])),
)


def _mixtures(args: Args) -> list[State]:
    return [
        ("nothing", _same),
        ("every number of the output is doubled", lambda b, a: _same(2 * b, a)),
        ("the two outputs change places", lambda b, a: _same(b[::-1], a) and not _same(b, a)),
        (
            "the outputs become other mixtures",
            lambda b, a: not any(_same(one, a) for one in (b, 2 * b, b[::-1])),
        ),
    ]


def _groups(rng: np.random.Generator) -> Args:
    return {
        "Q": rng.normal(size=(1, 4, 3, 4)),
        "K": rng.normal(size=(1, 2, 3, 4)),
        "V": rng.normal(size=(1, 2, 3, 5)),
    }


def _head_exchanged(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    name, word, heads = (("Q", "query", 4), ("K", "key", 2), ("V", "value", 2))[int(rng.integers(3))]
    head = int(rng.integers(heads))
    array = args[name].copy()
    array[0, head] = rng.normal(size=array[0, head].shape)
    says = f"with 4 query heads and 2 key and value heads {word} head {head} is exchanged for another one"
    return says, _with(args, **{name: array})


def _which_heads(args: Args) -> list[State]:
    def are(*heads: int) -> Callable[[Any, Any], bool]:
        def holds(before: Any, after: Any) -> bool:
            moved = ~np.isclose(before[0], after[0], atol=1e-6).all(axis=(-1, -2))
            return [int(i) for i in np.flatnonzero(moved)] == list(heads)

        return holds

    return [
        ("the outputs of query heads 0 and 1", are(0, 1)),
        ("the outputs of query heads 2 and 3", are(2, 3)),
        ("the outputs of query heads 0 and 2", are(0, 2)),
        ("the output of one query head", lambda b, a: any(are(head)(b, a) for head in range(4))),
    ]


def _predictions(rng: np.random.Generator) -> Args:
    return {"logits": rng.normal(size=(1, 4, 5)), "tokens": rng.integers(0, 5, size=(1, 4))}


def _logit(args: Args, rng: np.random.Generator, *, ahead: int, raised: str) -> tuple[str, Args]:
    logits, place = args["logits"].copy(), int(rng.integers(0, 3))
    logits[0, place, args["tokens"][0, place + ahead]] += 1
    return f"at one of the first positions the logit of {raised} is raised by 1", _with(args, logits=logits)


def _position_raised(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    logits = args["logits"].copy()
    logits[0, 1] += 100
    return "all logits of one position are raised by 100", _with(args, logits=logits)


def _last_changed(args: Args, rng: np.random.Generator) -> tuple[str, Args]:
    logits = args["logits"].copy()
    logits[0, -1] = rng.normal(size=5)
    return "the logits at the last position are exchanged for others", _with(args, logits=logits)


_LOSSES: tuple[Change, ...] = (
    lambda a, rng: _logit(a, rng, ahead=1, raised="the token that comes next"),
    _position_raised,
    _last_changed,
)


def _loss(args: Args) -> list[State]:
    return [
        ("nothing: the loss stays", lambda b, a: _same(b, a)),
        ("the loss falls", lambda b, a: float(a) < float(b) - 1e-6),
        ("the loss rises", lambda b, a: float(a) > float(b) + 1e-6),
    ]


def _spreads(rng: np.random.Generator) -> Args:
    std_q, std_k = (float(one) for one in rng.integers(1, 4, size=2))
    return {"d_k": 16, "mean_q": 0.0, "std_q": std_q, "mean_k": 0.0, "std_k": std_k}


_IN_SPREADS: tuple[Change, ...] = (
    lambda a, rng: ("`d_k` grows from 16 to 64", _with(a, d_k=64)),
    lambda a, rng: ("`d_k` grows from 16 to 32", _with(a, d_k=32)),
    lambda a, rng: ("`std_q` is doubled", _with(a, std_q=2 * a["std_q"])),
    lambda a, rng: (
        "`std_q` and `std_k` are both doubled",
        _with(a, std_q=2 * a["std_q"], std_k=2 * a["std_k"]),
    ),
    lambda a, rng: (
        "`std_q` is doubled and `d_k` falls from 16 to 4",
        _with(a, std_q=2 * a["std_q"], d_k=4),
    ),
)


def _turned(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 2, 4, low=1, high=8), "positions": np.array([1, 3])}


_TURNS: tuple[Change, ...] = (
    lambda a, rng: ("all positions are 5 larger", _with(a, positions=a["positions"] + 5)),
    lambda a, rng: ("both positions become 0", _with(a, positions=0 * a["positions"])),
    lambda a, rng: ("all numbers of `x` are doubled", _with(a, x=2 * a["x"])),
    lambda a, rng: ("`base` is 100 in place of 10000", _with(a, base=100.0)),
)


def _vectors_of(args: Args) -> list[State]:
    def length(array: Any) -> np.ndarray:
        return np.linalg.norm(array, axis=-1)

    return [
        ("nothing", _same),
        (
            "each vector points elsewhere, and is as long as before",
            lambda b, a: _same(length(b), length(a)) and not _same(b, a),
        ),
        ("each vector is twice as long, and points where it did", lambda b, a: _same(2 * b, a)),
        ("the two vectors change places", lambda b, a: _same(b[::-1], a)),
    ]


CHANGES: Mapping[str, tuple[Callable[[np.random.Generator], Args], tuple[Change, ...], States]] = {
    "dot": (_vectors, _ratios("a", "b"), _ratio_states),
    "cosine_similarity": (_vectors, _ratios("a", "b"), _ratio_states),
    "attention_scores": (_matrices, _ratios("Q", "K"), _ratio_states),
    "scaled_scores": (_matrices, _ratios("Q", "K"), _ratio_states),
    "softmax": (_row_of, _IN_SOFTMAX, _weight_states("x")),
    "softmax_with_temperature": (_heated, (*_IN_SOFTMAX, *_HEATS), _weight_states("x")),
    "attention": (_attention, _IN_ATTENTION, _attention_states),
    "masked_softmax": (
        _masked,
        (
            lambda a, rng: _score(a, rng, hidden=True),
            lambda a, rng: _score(a, rng, hidden=False),
            _row_raised,
            _key_raised,
        ),
        _kinds,
    ),
    "mix_values": (_mixed, _IN_MIX, _rows_of("output")),
    "multi_head_attention": (_tokens, (_token_exchanged,), _which_outputs),
    "online_attention": (_by_blocks, _BLOCKS, _mixtures),
    "grouped_query_attention": (_groups, (_head_exchanged,), _which_heads),
    "next_token_loss": (_predictions, _LOSSES, _loss),
    "predicted_score_std": (_spreads, _IN_SPREADS, _ratio_states),
    "rotary": (_turned, _TURNS, _vectors_of),
}
"""By exercise: its scene, what may be changed in it, and what that may change: the choices."""
