"""Which stages of an answer are right, where no mistake has a name: often there are three at once.

Where attention returns output and weights, the output can be computed anew from the learner's own weights.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.exercises.compare import tolerance
from helpers.reference.unit_06_multi_head_attention import merge_heads, split_heads
from helpers.text import names_in_words
from helpers.verdict.parts import differs, results
from helpers.verdict.recognise import Attempt

Array = np.ndarray
Args = Mapping[str, Any]


def _of_layers(args: Args, weights: Array) -> Array:
    values = args["value"] @ args["W_v.weight"].T + args["W_v.bias"]
    merged = merge_heads(weights @ split_heads(values, args["num_heads"]))
    return merged @ args["W_o.weight"].T + args["W_o.bias"]


def _of_a_layer(args: Args, weights: Array) -> Array:
    values = split_heads(args["x"] @ args["W_v"] + args["b_v"], args["num_heads"])
    return merge_heads(weights @ values) @ args["W_o"] + args["b_o"]


MIXES: Mapping[str, Callable[[Args, Array], Array]] = {
    "first_attention": lambda args, weights: weights @ (args["X"] @ args["W_v"]),
    "attention": lambda args, weights: weights @ args["V"],
    "multi_head_attention": lambda args, weights: (
        merge_heads(weights @ split_heads(args["X"] @ args["W_v"], args["num_heads"])) @ args["W_o"]
    ),
    "MultiHeadAttention": _of_layers,
    "bert_attention": _of_a_layer,
}
"""How the output comes from the weights."""

BEFORE = (
    "Your output is what comes of your weights and the values; the weights are not right.",
    "Follow one row through scores, scaling, mask and softmax: where does it leave the right numbers?",
)
UNSCALED = "Follow one row through queries, scores and softmax: where does it leave the right numbers?"
"""The hint where there is neither scaling nor a mask."""

AFTER = "What do the weights meet, and what is done with what comes of it?"
BESIDE = "Compare the line that makes the wrong one with the others."


def right_stages(attempt: Attempt, rights: Sequence[Any]) -> tuple[str, str] | None:
    """What is right in all wrong calls that came to something: a sentence and a hint."""
    exercise = attempt.exercise
    values = {i: attempt.seen[i]["value"] for i in attempt.wrong if "value" in attempt.seen[i]}
    if not exercise.parts or not values:
        return None
    pairs = {i: results(rights[i], value) for i, value in values.items()}
    if not all(len(them) == len(exercise.parts) for them in pairs.values()):
        return None
    wrong = {part for them in pairs.values() for part, pair in enumerate(them) if differs(*pair)}
    mix = MIXES.get(exercise.name)
    if 0 < len(wrong) < len(exercise.parts) and (wrong == {0} or not mix):
        right = set(range(len(exercise.parts))) - wrong
        right_ones, others = (
            names_in_words([exercise.parts[i] for i in sorted(some)]) for some in (right, wrong)
        )
        says = f"Right: {right_ones}. Not right: {others}."
        return says, AFTER if mix else BESIDE
    if mix and all(_follows(mix, attempt.cases[i].args, them) for i, them in pairs.items()):
        return (BEFORE[0], UNSCALED) if exercise.name == "first_attention" else BEFORE
    return None


def _follows(mix: Callable[[Args, Array], Array], args: Args, pairs: Sequence[tuple[Any, Mapping]]) -> bool:
    """Whether the learner's output is what comes of the learner's weights."""
    output, weights = (got.get("array") for _, got in pairs)
    if output is None or weights is None:
        return False
    try:
        with np.errstate(all="ignore"):  # weights may be infinite
            own = mix(args, weights)
    except ValueError:  # weights of another shape
        return False
    return own.shape == output.shape and bool(np.allclose(output, own, *tolerance(output), equal_nan=True))
