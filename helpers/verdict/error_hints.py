"""What to try when the learner's code stops with one of the errors that beginners meet.

A hint is said without a look at the code: it is true of every code that stops with this error, or it asks, or
it says "if".
"""

import functools
import re
from dataclasses import replace

from helpers.verdict.errors_of_calls import OF_CALLS
from helpers.verdict.errors_of_python import OF_NAMES, OF_OWN_CLASSES, OF_PLACEHOLDERS, OF_PLACES, OF_VALUES
from helpers.verdict.errors_of_shapes import OF_SHAPES, OF_TRUTH
from helpers.verdict.errors_of_tensors import OF_TENSORS
from helpers.verdict.known_error import KnownError

KNOWN = (
    *OF_PLACEHOLDERS,
    *OF_NAMES,
    *OF_TENSORS,
    *OF_VALUES,
    *OF_TRUTH,
    *OF_SHAPES,
    *OF_PLACES,
    *OF_CALLS,
    *OF_OWN_CLASSES,
)
"""The first that fits is used."""


@functools.lru_cache(maxsize=64)  # an answer stops with the same error in many calls
def known_error(kind: str, text: str) -> KnownError | None:
    """What is known of an error, or `None` when it is not a common one."""
    said = f"{kind}: {text}"
    for error in KNOWN:
        found = re.search(error.pattern, said)
        if found and callable(error.hint):
            return replace(error, hint=error.hint(*found.groups()))
        if found:
            return error
    return None
