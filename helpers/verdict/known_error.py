"""What a row about a common error holds."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class KnownError:
    """An error that beginners meet.

    Attributes:
        pattern: found in "Type: text".
        hint: what to look at; or what to say of the words that the pattern holds in brackets.
        id: of the mistake, where the error gives it away.
    """

    pattern: str
    hint: str | Callable[..., str]
    id: str | None = None
