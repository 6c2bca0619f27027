"""The probe of `split_heads`."""

import re
from collections.abc import Mapping
from typing import Any

from helpers.beside.probes.base import ProbeError, call


def probe(answer: Any, args: Mapping[str, Any]) -> Any:
    """The plain probe, but for an answer that refuses with its own error a width that fits."""
    try:
        return call(answer, args)
    except ValueError as error:
        d_model, h = args["X"].shape[-1], args["num_heads"]
        named = all(re.search(rf"(?<!\d){number}(?!\d)", str(error)) for number in (d_model, h))
        if d_model % h or not named or "shape" in str(error):  # errors of `reshape` name shapes
            raise
        raise ProbeError(
            f"it refuses d_model = {d_model} and {h} heads, though they fit: {error}",
            "value-error-where-it-fits",
            "Which number is divided by which, and what is left over when it fits?",
        ) from None
