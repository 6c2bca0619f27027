"""The zips of all submissions that Moodle and Canvas make: what is in them, and whose it is.

Moodle, "Download all submissions" (https://docs.moodle.org/en/Using_Assignment): in folders, `Full
name_123_assignsubmission_file/essay.ipynb` (a `_` at the folder's end before 4.1), or flat, `Full
name_123_assignsubmission_file_essay.ipynb`. 123 is the participant's number in that assignment, underscores
of a name are blanks. So writes `mod/assign/classes/downloader.php` of moodle/moodle, and so reads
`mod/assign/feedback/file/importziplib.php`. Where groups hand in, it is the group's name and its number, and
without a number those who are in none; before 3.1 it was `Group-Full name_123`.

Canvas, "Download Submissions": `sortablename_LATE_55_999_essay.ipynb`, with Canvas's numbers of the user and
of the file, and `LATE` where it was; `sortablename_55_text.html` for a text entry. So writes
`lib/content_zipper.rb` of instructure/canvas-lms, and so reads `infer_comment_context_from_filename` in
`app/models/abstract_assignment.rb`.
"""

import contextlib
import re
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grading.trouble import Wrong

MOST_BYTES, MOST_FILES = 2 * 2**30, 50_000
MOST_OF_ONE = 200 * 2**20
"""Bytes and files of a zip when it is unpacked, and bytes of one file."""

_MOODLE = re.compile(r"([^_]*)(?:_(\d+))?_assignsubmission_([a-z]+)(?:_(.*))?", re.DOTALL)
_CANVAS = re.compile(r"(.*?)_(?:(LATE)_)?(\d+)_(\d+)_(.+)", re.DOTALL)
_CANVAS_TEXT = re.compile(r"(.*?)_(?:(LATE)_)?(\d+)_(?:text|link)\.html")
_CANVAS_ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w+_\d+_.+", re.DOTALL)
_NOISE = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints"}
_LONGEST, _SHOWN = 1000, 200
"""Bytes of a name with its folders; a system takes four times as many, the course's own included."""


@dataclass(frozen=True)
class File:
    """A file in a zip.

    Attributes:
        archive: the zip, open.
        info: where it is there.
        entry: its whole name there.
        name: as the learner called it, with the folders the learner made.
    """

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    entry: str
    name: str


@dataclass
class Handed:
    """What one zip has of one learner.

    Attributes:
        lms: moodle or canvas.
        number: the participant's number in Moodle, or the group's; the user's in Canvas.
        name: as the zip has it, of a learner or of a group.
        prefix: what Moodle expects in front of a file that is for this learner.
        flat: whether the zip has no folders.
        late: whether Canvas says so.
        attachment: Canvas's number of the newest file; it grows with time.
        files: what was handed in.
    """

    lms: str
    number: str
    name: str
    prefix: str = ""
    flat: bool = False
    late: bool = False
    attachment: int = 0
    files: list[File] = field(default_factory=list)

    @property
    def notebooks(self) -> list[File]:
        """Those that are called notebooks."""
        return [one for one in self.files if one.name.lower().endswith(".ipynb")]

    def notebook(self, unit: str) -> File | None:
        """The one that is meant: the only one, or of several the one that is named as the unit."""
        if len(self.notebooks) == 1:
            return self.notebooks[0]
        named = [one for one in self.notebooks if one.name.rpartition("/")[2] == f"{unit}.ipynb"]
        outside = [one for one in named if "/" not in one.name]
        return named[0] if len(named) == 1 else outside[0] if outside else None


@contextlib.contextmanager
def opened(paths: Sequence[Path]) -> Iterator[list[Handed]]:
    """What several zips have, in their order, of each learner.

    Raises:
        Wrong: when one is no zip, neither Moodle's nor Canvas's, or not safe to unpack.
    """
    with contextlib.ExitStack() as stack:
        yield [one for path in paths for one in _read(path, stack.enter_context(_open(path)))]


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (FileNotFoundError, IsADirectoryError):
        raise Wrong(f"There is no file {path}: name the zip of all submissions.") from None
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise Wrong(
            f"{path} is not a zip, or only a part of one: download all submissions again, and do not "
            "unpack them."
        ) from None


def _read(path: Path, archive: zipfile.ZipFile) -> list[Handed]:
    found: dict[tuple[str, str], Handed] = {}
    entries = list(_entries(path, archive))
    if not entries:
        raise Wrong(f"{path} is empty: download all submissions again.")
    for info, name in entries:
        if _CANVAS_ANONYMOUS.fullmatch(name.rpartition("/")[2]):
            raise Wrong(
                f"{path} is of anonymous grading ('{name}'): turn that off in Canvas, then download again."
            )
        made = _moodle(archive, info, name) or _canvas(archive, info, name)
        if made is None:
            forms = "Moodle's form (Name_123_assignsubmission_file) nor in Canvas's (name_123_456_file)"
            what = "give the zip of all submissions as it was downloaded"
            raise Wrong(f"'{name}' in {path} is neither in {forms}: {what}.")
        one = found.setdefault((made.lms, made.number), made)
        if one is not made:
            if made.files and not one.files:  # Moodle's prefix names the plugin too
                one.prefix, one.flat = made.prefix, made.flat
            one.files += made.files
            one.late |= made.late
            one.attachment = max(one.attachment, made.attachment)
    return list(found.values())


def _entries(path: Path, archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files of a zip, none of which is dangerous to unpack.

    Raises:
        Wrong: with the first that is.
    """
    files = archive.infolist()
    if len(files) > MOST_FILES or sum(one.file_size for one in files) > MOST_BYTES:
        raise Wrong(
            f"{path} would unpack to {sum(one.file_size for one in files) / 2**30:.1f} GB in "
            f"{len(files)} files; at "
            f"most {MOST_BYTES >> 30} GB and {MOST_FILES} files are taken: nobody hands in so much."
        )
    seen = set()
    for info in files:
        name = _name(info)
        folders = {str(one) for one in PurePosixPath(name).parents}
        why = _danger(info, name) or ("is there twice" if name in seen else "")
        why = why or ("lies in a file, which is no folder" if folders & seen else "")
        if why:
            shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}..."
            raise Wrong(f"'{shown}' in {path} {why}: nothing was unpacked; remove it from the zip.")
        if name.endswith("/"):
            continue
        seen.add(name)
        if not any(part in _NOISE or part[:2] == "._" for part in name.split("/")):
            yield info, name


def _name(info: zipfile.ZipInfo) -> str:
    """The name of an entry; some write UTF-8 and forget to say so."""
    name = info.orig_filename
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _danger(info: zipfile.ZipInfo, name: str) -> str:
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name):
        return "leads out of the folder"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a special file"
    if info.flag_bits & 1:
        return "is encrypted"
    if any(unicodedata.category(one) in ("Cc", "Zl", "Zp") for one in name):
        return "has a control character in its name"
    if info.file_size > MOST_OF_ONE:
        return f"would unpack to {info.file_size >> 20} MB, where at most {MOST_OF_ONE >> 20} MB are taken"
    lengths = [len(one.encode("utf-8", "replace")) for one in (name, *parts)]
    if lengths[0] > _LONGEST or max(lengths[1:]) > 255:
        return "has a name that is too long"
    return ""


def _moodle(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Handed | None:
    parts = name.split("/")
    for place, part in enumerate(parts):  # as Moodle itself looks for it, below any folder
        if match := _MOODLE.fullmatch(part):
            full_name, number, plugin, rest = match.groups()
            inside = [one for one in (rest, *parts[place + 1 :]) if one not in (None, "", ".")]
            flat = place == len(parts) - 1
            prefix = part.removesuffix(rest) if flat and rest else part
            made = Handed("moodle", number or "", full_name, prefix, flat)
            if plugin == "file" and inside:
                made.files = [File(archive, info, name, "/".join(inside))]
            return made
    return None


def _canvas(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Handed | None:
    last = name.rpartition("/")[2]
    if match := _CANVAS.fullmatch(last):
        full_name, late, user, attachment, file = match.groups()
        made = Handed("canvas", user, full_name, late=bool(late), attachment=int(attachment))
        made.files = [File(archive, info, name, file)]
        return made
    if match := _CANVAS_TEXT.fullmatch(last):
        return Handed("canvas", match[3], match[1], late=bool(match[2]))
    return None


def unpack(file: File, target: Path) -> None:
    """Write one file; what a zip says of its size holds.

    Raises:
        Wrong: when it is damaged.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.archive.open(file.info) as source, open(target, "xb") as made:
            shutil.copyfileobj(source, made)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise Wrong(
            f"'{file.entry}' in {file.archive.filename} is damaged: download all submissions again."
        ) from None
