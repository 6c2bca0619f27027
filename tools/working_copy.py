"""The learner's own copy of the notebooks: `notebooks/<unit>/` is copied to `work/<unit>/`, unknown to git.

Nothing in `work/` is ever overwritten or deleted. When a unit's blank has changed since the learner's copy
was made, `update` says so, and `fresh` takes the new one after moving the learner's file aside.
`work/.blanks.json` remembers the SHA-256 of the blank that each copy came from.
"""

import hashlib
import json
import os
import shutil
from datetime import datetime
from pathlib import Path

from tools.shell import Stop, call_name

RECORD = ".blanks.json"


def units(notebooks: Path) -> list[str]:
    """Return the names of the units, in order."""
    return sorted(path.parent.name for path in notebooks.glob("*/*.ipynb") if path.stem == path.parent.name)


def blank_files(notebooks: Path, unit: str) -> list[Path]:
    """Return a unit's files relative to `notebooks`, without hidden ones such as checkpoints."""
    files = sorted(path for path in (notebooks / unit).rglob("*") if path.is_file())
    relative = [path.relative_to(notebooks) for path in files]
    return [path for path in relative if not any(part.startswith(".") for part in path.parts)]


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def aside(path: Path) -> Path:
    """Move a file to a dated name beside it, one that no file has, and return that name."""
    stem = f"{path.stem}.{datetime.now():%Y-%m-%d_%H%M%S}"
    target, count = path.with_name(stem + path.suffix), 1
    while target.exists():
        target, count = path.with_name(f"{stem}_{count}{path.suffix}"), count + 1
    return path.rename(target)


def read_record(work: Path) -> tuple[dict[str, str], list[str]]:
    """Return which blank each copy came from, and what to tell the learner if that could not be read."""
    path = work / RECORD
    if not path.exists():
        return {}, []
    try:
        record = json.loads(path.read_text("utf-8"))
        if all(isinstance(word, str) for pair in record.items() for word in pair):
            return record, []
    except (OSError, ValueError, AttributeError):
        pass
    kept = aside(path)
    return {}, [
        f"work/{RECORD} was damaged and is now work/{kept.name}: your notebooks are untouched, but a blank "
        "that changed before today will not be announced."
    ]


def write_record(work: Path, record: dict[str, str]) -> None:
    """Write the record in one step, so that an interruption cannot damage it."""
    draft = work / (RECORD + ".new")
    draft.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")
    os.replace(draft, work / RECORD)


def copy_new(source: Path, target: Path) -> bool:
    """Copy a file unless something with its name is there, and tell whether it was copied."""
    if os.path.lexists(target):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.new")  # half a copy must not pass for the learner's file
    shutil.copyfile(source, draft)
    draft.rename(target)
    return True


def update(notebooks: Path, work: Path) -> list[str]:
    """Copy what `work` has not got yet, and return one sentence for each unit with a newer blank."""
    names = units(notebooks)
    if not names:
        raise Stop("notebooks/ holds no units: get the whole repository again, or `git checkout notebooks`.")
    work.mkdir(parents=True, exist_ok=True)
    record, messages = read_record(work)
    for unit in names:
        stale = False
        for file in blank_files(notebooks, unit):
            blank = sha256(notebooks / file)
            if copy_new(notebooks / file, work / file):
                record[file.as_posix()] = blank
            # A file of unknown origin counts as a copy of today's blank: better silent once than nagging.
            stale |= record.setdefault(file.as_posix(), blank) != blank
        if stale:
            messages.append(
                f"{unit} has a newer blank than the one your copy was made from; "
                f"`{fresh_command(unit)}` takes it and keeps your file under a dated name."
            )
    write_record(work, record)
    return messages


def latest(notebooks: Path, work: Path) -> str:
    """Return the unit that the learner saved last, or the first one where none was changed yet."""
    names = units(notebooks)
    record, _ = read_record(work)

    def saved(unit: str) -> float:
        copy = work / unit / f"{unit}.ipynb"
        if not copy.is_file() or sha256(copy) == record.get(f"{unit}/{unit}.ipynb"):
            return 0
        return copy.stat().st_mtime

    return max(reversed(names), key=saved) if any(map(saved, names)) else names[0]


def fresh_command(unit: str) -> str:
    """Return the command that takes a unit's newest blank."""
    return call_name(f"fresh {unit}" if os.name == "nt" else f"fresh UNIT={unit}")


def fresh(notebooks: Path, work: Path, unit: str) -> list[str]:
    """Give a unit its newest blank, the learner's changed files moved aside, and return what was done."""
    names = units(notebooks)
    if unit not in names:
        problem = f"There is no unit {unit!r}" if unit else "No unit was named"
        example = fresh_command(names[-1] if names else "05_softmax")
        raise Stop(f"{problem}; take one of {', '.join(names)}, as in `{example}`.")
    work.mkdir(parents=True, exist_ok=True)
    record, messages = read_record(work)
    for file in blank_files(notebooks, unit):
        target, blank = work / file, sha256(notebooks / file)
        if os.path.lexists(target) and not (target.is_file() and sha256(target) == blank):
            messages.append(f"Your {target.name} is now {aside(target).relative_to(work.parent).as_posix()}.")
        copy_new(notebooks / file, target)
        record[file.as_posix()] = blank
    write_record(work, record)
    return [*messages, f"work/{unit} has the newest blank; if it is open in JupyterLab, close and reopen it."]
