"""What the loom begins with, where the arguments of an exercise are no stages of it by themselves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.reference.unit_06_multi_head_attention import split_heads

SCALED = "Your argument scores is called scaled here."
HEADS = "It begins with the queries and keys of each head, which the right projections make."


def of_scores(args: Mapping[str, Any]) -> dict[str, Any]:
    """Scores and a mask: they come in as they go into the softmax."""
    return {"scaled": args["scores"], "allowed": args["allowed"]}


def of_heads(args: Mapping[str, Any], queries: np.ndarray, keys: np.ndarray) -> dict[str, Any]:
    """Projected queries and keys, `(B, n, d_model)`, as those of each head."""
    h = args["num_heads"]
    return {
        "Q": split_heads(queries, h),
        "K": split_heads(keys, h),
        "num_heads": h,
        "allowed": args["allowed"],
    }
