"""What was noticed about a submission on its way, until its report is written."""

from collections import defaultdict

_NOTED: dict[tuple[str, str], list[str]] = defaultdict(list)


def note(student: str, unit: str, text: str) -> None:
    """Keep a remark for the report."""
    if text not in _NOTED[student, unit]:
        _NOTED[student, unit].append(text)


def take(student: str, unit: str) -> list[str]:
    """All remarks on a submission, which are then forgotten."""
    return _NOTED.pop((student, unit), [])
