"""The exercises of the course: which there are, and the record of each.

`UNITS` is the one list of units and exercises; the record of exercise `softmax` is `EXERCISE` in
`helpers/exercises/unit_05_softmax/softmax.py`.
"""

import importlib
import re

from helpers.errors import UnknownName
from helpers.exercises.base import Exercise

UNITS: dict[str, tuple[str, ...]] = {
    "00_start_here": ("double",),
    "01_dot_product": ("dot", "cosine_similarity", "similarity_matrix", "best_match"),
    "02_queries_keys_values": (
        "project",
        "queries_keys_values",
        "attention_scores",
        "mix_values",
        "rows_from_columns",
        "QKVProjection",
    ),
    "03_scaling": ("measure_score_std", "predicted_score_std", "scaled_scores", "right_divisor"),
    "04_masking": (
        "causal_mask",
        "padding_mask",
        "combined_mask",
        "apply_mask",
        "to_blocked",
        "leaks_future",
    ),
    "05_softmax": ("softmax", "masked_softmax", "softmax_with_temperature", "softmax_backward", "attention"),
    "06_multi_head_attention": (
        "split_heads",
        "merge_heads",
        "multi_head_attention",
        "sum_of_heads",
        "MultiHeadAttention",
    ),
}
UNIT_OF = {name: unit for unit, names in UNITS.items() for name in names}


def module_name(exercise: str) -> str:
    """File name of an exercise: its name, or for a class its name in snake case and `_module`."""
    if not exercise[0].isupper():
        return exercise
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", exercise).lower() + "_module"


def find(name: str) -> Exercise:
    """The record of one exercise.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
    """
    if name not in UNIT_OF:
        raise UnknownName(f"There is no exercise {name!r}. The exercises are: {', '.join(UNIT_OF)}.")
    module = importlib.import_module(f"helpers.exercises.unit_{UNIT_OF[name]}.{module_name(name)}")
    return module.EXERCISE
