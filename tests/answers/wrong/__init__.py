"""Wrong answers, as learners would write them: importing a module registers its programs."""

from . import (
    unit_00_start_here,
    unit_01_dot_product,
    unit_02_queries_keys_values,
    unit_03_scaling,
    unit_04_masking,
    unit_05_softmax,
    unit_06_multi_head_attention,
)

__all__ = [
    "unit_00_start_here",
    "unit_01_dot_product",
    "unit_02_queries_keys_values",
    "unit_03_scaling",
    "unit_04_masking",
    "unit_05_softmax",
    "unit_06_multi_head_attention",
]
