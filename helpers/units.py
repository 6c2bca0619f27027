"""The one list of units and exercises."""

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
