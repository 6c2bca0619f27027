"""The steps of an answer in the course's words, so that a check of a wrong one can say which are right.

Known mistakes are right programs with some steps replaced (`helpers/exercises/wrong/rows.py`): all the others
are right.  Here stands what these steps are called, in the order in which they come.
"""

from collections.abc import Iterable, Mapping

from helpers.exercises.base import Mistake

Steps = Mapping[str, tuple[str, ...]]

_SOFTMAX = {"maximum": ("shift", "axis", "numbers"), "exponential": ("power",), "sum": ("divide", "axis")}
_ATTENTION = {
    "scores": ("score",),
    "scale": ("scale",),
    "mask": ("mask", "hide", "after", "blocked"),
    "softmax": ("powers", "share", "softmax"),
    "mix": ("mix",),
}


def _from_tokens(*projects: str) -> dict[str, tuple[str, ...]]:
    """The steps of attention on tokens that are projected first.

    Seen from outside, keys of another projection are queries and keys in other roles, or keys that are mixed.
    """
    spoils = {name: (*_ATTENTION[name], *projects) for name in ("scores", "mix")}
    return {"projections": projects, **_ATTENTION, **spoils}


def _with_heads(*projects: str) -> dict[str, tuple[str, ...]]:
    steps = _from_tokens(*projects)
    return {"projections": projects, "heads": ("split", "split_values", "merge"), **steps}


_FIRST = _from_tokens("tokens", "turn", "multiply", "project", "inputs")
_PROJECTIONS = ("weights", "project", "flow")

STEPS: Mapping[str, Steps] = {
    "cosine_similarity": {"dot product": ("multiply", "vectors"), "lengths": ("bottom", "guard", "vectors")},
    "first_attention": {name: _FIRST[name] for name in ("projections", "scores", "softmax", "mix")},
    "scaled_scores": {"scores": ("before", "product"), "scale": ("divisor",)},
    "combined_mask": {
        "causal mask": ("look",),
        "padding": ("real", "lengths_of", "side"),
        "axes": ("place", "shape"),
        "combination": ("join", "real", "lengths_of"),  # with a mask that is missing nothing is combined
    },
    "softmax": _SOFTMAX,
    "masked_softmax": {"mask": ("mask",), **_SOFTMAX, "rows without a key": ("empty",)},
    "softmax_with_temperature": {"temperature": ("scale",), **_SOFTMAX},
    "attention": _ATTENTION,
    "multi_head_attention": {**_with_heads("weights"), "output projection": ("project",)},
    "MultiHeadAttention": {**_with_heads(*_PROJECTIONS), "output projection": ("out",)},
    "TransformerBlock": {
        "first norm": ("norm_1",),
        "attention": ("qkv", "mask"),
        "first sum": ("add_1",),
        "second norm": ("norm_2", "second"),
        "feed-forward": ("feed",),
        "second sum": ("add_2",),
    },
    "next_token_loss": {
        "pairs": ("pairs",),
        "logarithm": ("log",),
        "choice of the target": ("pick",),
        "mean": ("mean",),
    },
    "training_step": {
        "zero_grad": ("clear", "clear_late"),
        "loss": ("logits", "loss"),
        "backward": ("learn",),
        "step": ("move", "change"),
    },
    "generate": {
        "what the model sees": ("sees",),
        "position": ("last",),
        "choice": ("choose",),
        "joining": ("join",),
        "number of rounds": ("often",),
    },
    "next_token_probabilities": {
        "temperature": ("scale",),
        "choice of the largest": ("keep", "early", "late"),
        "softmax": ("numbers", "axis", "shift", "power", "divide"),
    },
    "sinusoidal_positions": {
        "positions": ("place", "given"),
        "speeds": ("speed",),
        "angles": ("angle",),
        "sine and cosine": ("first", "second", "partner"),
        "order of the columns": ("join",),
    },
    "bert_attention": {**_with_heads(*_PROJECTIONS), "output projection": ("out",)},
    "KVCache": {
        "joining": ("join", "keep", "store"),
        "what append returns": ("give",),
        "length": ("length",),
    },
    "grouped_query_attention": {
        "shared heads": ("keys", "values", "queries"),
        **{name: _ATTENTION[name] for name in ("scores", "scale", "softmax", "mix")},
    },
    "online_attention": {
        "blocks": ("cut", "values"),
        "scale": ("scale",),
        "running maximum": ("first", "top"),
        "exponentials": ("powers", "limit"),
        "shrinking": ("shrink",),
        "running sum": ("total",),
        "mix": ("mix",),
    },
    "rotary": {
        "angles": ("place", "given", "speed", "angle"),
        "pairs": ("cut", "join"),
        "turn": ("first", "second"),
    },
}
"""For each exercise its steps, and which replaced steps of a known mistake spoil them."""


def right_steps(exercise: str, mistakes: Iterable[Mistake]) -> str:
    """Which steps of an answer with these mistakes are right: a short sentence, or `""`.

    Args:
        exercise: its name.
        mistakes: all that the answer may have made; a step that one of them spoils is not called right.
    """
    made = list(mistakes)
    if exercise not in STEPS or not made or not all(one.steps for one in made):
        return ""
    spoilt = {step for one in made for step in one.steps}
    right = [word for word, steps in STEPS[exercise].items() if not spoilt & set(steps)]
    if not right or len(right) == len(STEPS[exercise]):
        return ""
    return f"Right: {' and '.join(filter(None, [', '.join(right[:-1]), right[-1]]))}."
