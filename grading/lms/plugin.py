"""What `nbgrader export` plugs in for an LMS: the class sets which file, and how it is written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from grading.exports import news
from grading.lms import marks
from grading.lms.lines import plain
from grading.lms.marks import Marks
from grading.term import settle
from grading.term.choices import BadChoice
from grading.trouble import Wrong


class LmsExport(ExportPlugin):
    """Writes the marks as an LMS imports them.

    Attributes:
        file: where to, unless `--to` says.
    """

    file: ClassVar[str]

    def written(self, path: Path, made: Marks, chosen: Mapping[str, str]) -> list[str]:
        """Write the table; what to tell, in lines."""
        raise NotImplementedError

    def export(self, book: Any) -> None:
        """Write the table whole, or say in a sentence why not."""
        course = Path(CourseDirectory(parent=self.parent).root)
        path = Path(self.to or self.file).absolute()
        try:
            config = settle.settings_of(self.parent)
            settle.settle(config, book)
            made = marks.gather(course, book, [*map(str, self.assignment)], students=map(str, self.student))
            lines = self.written(path, made, {})
            for line in (*news.since_grading(config, book, made.units), *lines):  # told once: after writing
                self.log.info("%s", plain(line))
        except (Wrong, BadChoice) as wrong:
            self.log.error("%s", plain(str(wrong)))
            raise SystemExit(1) from None
