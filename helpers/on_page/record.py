"""The reader's record on a page: the page's store brings it when Python starts, and gets what is new."""

from helpers.learner import progress_record

_known = [""]


def _text() -> str:
    try:
        return progress_record.record_file().read_text("utf-8")
    except OSError:
        return ""


def put_back(lines: str) -> None:
    """Write what the page has kept, as lines of `progress.jsonl`."""
    progress_record.record_file().write_text(lines, "utf-8")
    _known[0] = lines


def news() -> dict[str, str] | None:
    """What has happened since: lines that came, or all that is left where lines went; `None` for nothing."""
    before, now = _known[0], _text()
    if now == before:
        return None
    _known[0] = now
    return {"more": now[len(before) :]} if now.startswith(before) else {"all": now}


def checked(exercise: str, *, passed: bool) -> None:
    """Keep what the check of a card came to, as a check in a notebook is kept."""
    progress_record.record(exercise, "passed" if passed else "tried")
