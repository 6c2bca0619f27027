"""One hand-in, several marks: what one of a group hands in is laid into the folders of the others.

`[groups.05_softmax]` in `term.toml` says who they are. `group.txt` beside a copy says whose it is; with it
stands the digest of what was copied, so that a hand-in of somebody's own is never taken for a copy.
"""

import datetime
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from grading.handed_in import intake
from grading.term import collected, roster
from grading.term.collected import NOTE, Collected, digest, noted, time_of
from grading.trouble import Wrong, meant


def share(
    course: Path,
    unit: str,
    of_units: Mapping[str, Mapping[str, Sequence[str]]],
    submitted: Path,
    students: Collection[str] = (),
) -> list[str]:
    """Lay the newest hand-in of each group where members have nothing of their own.

    Args:
        course: the course folder.
        unit: which assignment.
        of_units: ids of the members, by unit and by the group's name.
        submitted: the folder with everybody's submissions.
        students: the gradebook's roster, which counts where there is no list of an LMS.

    Returns:
        What was done, and who handed in something else than the others, in lines.

    Raises:
        Wrong: when a member is not on the roster.
    """
    known, groups = roster.of_lms(course) or dict.fromkeys(students, False), of_units.get(unit, {})
    must_know_members(unit, groups, known)
    kept = collected.remembered(course, unit)
    plain = [path for path in submitted.glob(f"*/{unit}") if path.is_dir() and not path.is_symlink()]
    own = [path for path in plain if not (path / NOTE).exists()]
    handed_in = {digest(path) for path in own} if len(own) < len(plain) else set()
    there = {path.parent.name: _is_copy(path, handed_in) for path in plain}  # and whether it is a copy
    lines, left = [], {one for one, is_copy in there.items() if is_copy}
    for name, ids in groups.items():
        if any(not there.get(one, True) for one in ids):
            lines += _share(name, {one: submitted / one / unit for one in ids}, there, kept, known)
            left.difference_update(ids)
    _remember(course, unit, submitted, kept)
    if left:
        lines.append(
            f"Still with a copy of what nobody in their group of {unit} has handed in: "
            f"{', '.join(sorted(left))}."
        )
    return lines


def must_know_members(unit: str, groups: Mapping[str, Sequence[str]], known: Collection[str]) -> None:
    """Look at the members of a unit's groups, before anything is laid down.

    Raises:
        Wrong: when one is not on the roster, with the nearest there is.
    """
    for name, ids in groups.items():
        for one in ids:
            if known and one not in known:
                near = meant(one, known)
                raise Wrong(f"term.toml: groups.{unit}.{name}: {one} is not on the roster{near}")


def _remember(course: Path, unit: str, submitted: Path, kept: Mapping[str, Collected]) -> None:
    """Whose upload was skipped has a copy now: what is put over it by hand has another time than that."""
    changed = False
    for name, one in kept.items():
        folder = submitted / name / unit
        if one.skipped and noted(folder) and noted(folder) == digest(folder):
            now = digest(folder), time_of(folder)
            changed |= (one.there, one.stamp) != now
            one.there, one.stamp = now
    if changed:
        collected.keep(course, unit, kept)


def _share(
    name: str,
    folders: Mapping[str, Path],
    there: Mapping[str, bool],
    kept: Mapping[str, Collected],
    known: Mapping[str, bool],
) -> list[str]:
    own = {one: folder for one, folder in folders.items() if not there.get(one, True)}
    newest = max(own, key=lambda one: _moment(own[one], kept.get(one)))
    source, laid = own[newest], []
    for one, folder in folders.items():
        if one in own or known.get(one) or (os.path.lexists(folder) and one not in there):
            continue
        is_new = one not in there or digest(folder) != digest(source) or time_of(folder) != time_of(source)
        if is_new or noted(folder) != digest(source):
            _lay(source, folder, f"{newest} handed this in, for the group {name}.")
            laid += [one] if is_new else []
    lines = [f"{name}: what {newest} handed in counts for {', '.join(laid)} too."] if laid else []
    other = [one for one, folder in own.items() if digest(folder) != digest(source)]
    if other:
        lines.append(f"{name}: {', '.join(other)} handed in something else than {newest}, and keeps it.")
    return lines


def _is_copy(folder: Path, handed_in: Collection[str]) -> bool:
    """Whether nobody has put anything else there since; grading may have mended both in the same way."""
    return bool(noted(folder)) and digest(folder) in {noted(folder), *handed_in}


def _moment(folder: Path, one: Collected | None) -> tuple[datetime.datetime, int, float]:
    """What grows with the time of a hand-in: the LMS's time, Canvas's numbers, or at last the file's."""
    files = [path.lstat().st_mtime for path in folder.glob("*.ipynb")]
    when, attachment = (one.when, one.attachment) if one else ("", 0)
    time = intake.moment(time_of(folder)) or intake.moment(when) or datetime.datetime.min
    return time, attachment, max(files, default=0.0)


def _lay(source: Path, target: Path, says: str) -> None:
    """Put a copy there whole or not at all; links stay where they are."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".group-", dir=target.parent) as place:
        made = Path(place) / "copy"
        shutil.copytree(source, made, ignore=_not_copied)
        (made / NOTE).write_text(f"{says}\n{digest(made)}\n", "utf-8")
        if target.exists():
            os.rename(target, Path(place) / "before")
        os.rename(made, target)


def _not_copied(folder: str, names: Sequence[str]) -> list[str]:
    paths = {name: Path(folder, name) for name in names}
    return [
        name
        for name, path in paths.items()
        if name == NOTE or path.is_symlink() or not (path.is_dir() or path.is_file())
    ]
