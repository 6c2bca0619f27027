"""The one list of units and exercises, and what the files and cells of an exercise are called."""

import re
from collections.abc import Mapping
from typing import Any

from helpers import own

UNITS: dict[str, tuple[str, ...]] = {
    "00_start_here": ("double",),
    "01_dot_product": ("dot", "cosine_similarity", "similarity_matrix", "best_match"),
    "02_queries_keys_values": (
        "project",
        "rows_from_columns",
        "queries_keys_values",
        "attention_scores",
        "look_back",
        "mix_values",
        "first_attention",
        "QKVProjection",
    ),
    "03_scaling": ("measure_score_std", "right_divisor", "predicted_score_std", "scaled_scores"),
    "04_masking": (
        "causal_mask",
        "padding_mask",
        "combined_mask",
        "apply_mask",
        "to_blocked",
        "leaks_future",
    ),
    "05_softmax": (
        "softmax",
        "masked_softmax",
        "softmax_with_temperature",
        "softmax_backward",
        "attention",
        "test_softmax",
        "test_attention",
        "faulty_map",
    ),
    "06_multi_head_attention": (
        "split_heads",
        "merge_heads",
        "sum_of_heads",
        "multi_head_attention",
        "test_multi_head_attention",
        "MultiHeadAttention",
        "same_word_head",
    ),
    "07_train_a_transformer": (
        "TransformerBlock",
        "next_token_loss",
        "training_step",
        "generate",
        "next_token_probabilities",
        "induction_score",
        "sinusoidal_positions",
    ),
    "08_inside_a_pretrained_model": (
        "layer_weights",
        "bert_attention",
        "previous_token_heads",
        "silence_head",
    ),
    "09_efficient_attention": (
        "KVCache",
        "causal_mask_with_cache",
        "grouped_query_attention",
        "sliding_window_mask",
        "online_attention",
        "rotary",
    ),
}
TITLES: dict[str, str] = {
    "00_start_here": "Start here",
    "01_dot_product": "The dot product, a measure of similarity",
    "02_queries_keys_values": "Queries, keys and values",
    "03_scaling": "Scaling, or why divide by a square root",
    "04_masking": "Masking, or who may look at whom",
    "05_softmax": "Softmax, and the whole of attention",
    "06_multi_head_attention": "Multi-head attention",
    "07_train_a_transformer": "Train a transformer",
    "08_inside_a_pretrained_model": "Inside a pretrained model",
    "09_efficient_attention": "Efficient attention",
}
VARIABLES = ("right_divisor", "faulty_map")
"""The exercises whose answer is a value; those of all others are functions, or classes."""
IN_PYTORCH = (
    "QKVProjection",
    "MultiHeadAttention",
    "TransformerBlock",
    "next_token_loss",
    "generate",
    "induction_score",
    "sinusoidal_positions",
    "training_step",
    "next_token_probabilities",
    "layer_weights",
    "bert_attention",
    "previous_token_heads",
    "silence_head",
    "KVCache",
    "causal_mask_with_cache",
    "grouped_query_attention",
    "sliding_window_mask",
    "online_attention",
    "rotary",
)
"""The exercises that are written with PyTorch, in a browser with its stand-in: `tensors` in their records."""


STEPS: dict[str, tuple[str, ...]] = {
    "scores": (
        *("double", "dot", "cosine_similarity", "similarity_matrix", "best_match", "project"),
        *("rows_from_columns", "queries_keys_values", "attention_scores", "look_back", "QKVProjection"),
    ),
    "scale": ("measure_score_std", "right_divisor", "predicted_score_std", "scaled_scores"),
    "mask": ("causal_mask", "padding_mask", "combined_mask", "apply_mask", "to_blocked", "leaks_future"),
    "softmax": (
        *("softmax", "masked_softmax", "softmax_with_temperature", "softmax_backward", "test_softmax"),
        "faulty_map",
    ),
    "mix": ("mix_values", "first_attention", "attention", "test_attention"),
    "heads": UNITS["06_multi_head_attention"],
    "training": UNITS["07_train_a_transformer"],
    "real models": UNITS["08_inside_a_pretrained_model"],
    "speed": UNITS["09_efficient_attention"],
}
"""What one learns, in the order in which it comes, and the exercises that show it."""


def module_name(exercise: str) -> str:
    """File name of an exercise: its name, or for a class its name in snake case and `_module`."""
    if not exercise[0].isupper():
        return exercise
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", exercise).lower() + "_module"


def _with_own() -> tuple[str, ...]:
    """Add an instructor's own exercises to `UNITS`, but for those that replace a record of the course."""
    new = []
    for unit, names in UNITS.items():
        theirs = {module_name(name) for name in names}
        added = [name for name in own.modules(unit) if name not in theirs]
        UNITS[unit] = (*names, *added)
        new += added
    return tuple(new)


OWN = _with_own()
"""The exercises that an instructor has added."""
UNIT_OF = {name: unit for unit, names in UNITS.items() for name in names}


def tested_by(cell: str) -> str:
    """The exercise that a test cell is for; one whose answer is a test has a first one with `-few-test`."""
    return cell.removesuffix("-test").removesuffix("-few") if cell.endswith("-test") else cell


def grade_id(cell: Mapping[str, Any]) -> str:
    """The name by which nbgrader knows a cell of a notebook, or `""`."""
    name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
    return name if isinstance(name, str) else ""
