"""Twenty letters with a check: up to four wrong ones are always found, and a single one is named.

The alphabet is Crockford's: 32 letters and digits without I, L, O and U, which are read as those that they
look like.  Four of the twenty are a Reed-Solomon check over GF(32), so two codes differ in five at least.
It is a few lines here and as many in JavaScript, for which a library would have to come with the page.
"""

from collections.abc import Iterator, Sequence

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH, CHECK, GROUP = 20, 4, 4
_SHIFT = (17, 5, 26, 11)
"""Added to the check, so that twenty equal letters, or a code turned round, are no code."""

VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
VALUES |= {"O": 0, "I": 1, "L": 1, "U": VALUES["V"]}
VALUES |= {letter.lower(): value for letter, value in VALUES.items()}

_POWERS = [1]
for _ in range(30):  # of x, modulo x^5 + x^2 + 1
    _POWERS.append((_POWERS[-1] << 1) ^ (0x25 if _POWERS[-1] & 16 else 0))
_LOGS = {power: log for log, power in enumerate(_POWERS)}


def _times(one: int, other: int) -> int:
    return _POWERS[(_LOGS[one] + _LOGS[other]) % 31] if one and other else 0


def _generator() -> list[int]:
    found = [1]
    for root in _POWERS[:CHECK]:
        found = [a ^ _times(root, b) for a, b in zip([*found, 0], [0, *found], strict=True)]
    return found[1:]


_GENERATOR = _generator()


def check_of(values: Sequence[int]) -> list[int]:
    """The values of the letters that check those of a message."""
    rest = [0] * CHECK
    for value in values:
        lead = rest[0] ^ value
        rest = [a ^ _times(lead, b) for a, b in zip([*rest[1:], 0], _GENERATOR, strict=True)]
    return [a ^ b for a, b in zip(rest, _SHIFT, strict=True)]


def is_whole(values: Sequence[int]) -> bool:
    """Whether these are the values of a code, with nothing wrong."""
    return len(values) == LENGTH and check_of(values[:-CHECK]) == list(values[-CHECK:])


def written(values: Sequence[int]) -> str:
    """Letters in groups: `5A7K-7H2M-9ABC-DEFG-HJKM`."""
    text = "".join(ALPHABET[value] for value in values)
    return "-".join(text[start : start + GROUP] for start in range(0, len(text), GROUP))


def repaired(values: Sequence[int]) -> tuple[list[int], str] | None:
    """The code that these letters were meant to be, and what is wrong; `None` where that cannot be told.

    Args:
        values: of 19 to 21 letters.
    """
    found = [(one, says) for one, says in _near(list(values)) if is_whole(one)]
    return found[0] if found and all(one == found[0][0] for one, _ in found) else None


def _near(values: list[int]) -> Iterator[tuple[list[int], str]]:
    for place in range(len(values) + 1):
        before, here, after = values[:place], values[place : place + 1], values[place + 1 :]
        if len(values) == LENGTH + 1 and here:
            yield before + after, f"letter {place + 1}, {ALPHABET[here[0]]}, is probably one too many"
        if len(values) == LENGTH and after:
            swapped = before + after[:1] + here + after[1:]
            yield swapped, f"letters {place + 1} and {place + 2} have probably changed places"
        for value, letter in enumerate(ALPHABET):
            if len(values) == LENGTH and here:
                yield [*before, value, *after], f"letter {place + 1} is probably {letter}"
            elif len(values) == LENGTH - 1:
                yield [*before, value, *here, *after], f"letter {place + 1}, {letter}, is probably left out"
