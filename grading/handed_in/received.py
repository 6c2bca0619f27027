"""One submission on its way through grading: made where it is received, reported at the end."""

import datetime
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading.report import Report

LONGEST = 1000
"""Characters of a reason."""


@dataclass
class Submission:
    """What is known of one submission; each step of grading adds its part.

    Attributes:
        student: who handed it in.
        unit: which assignment.
        folder: what was handed in.
        notebook: the file to grade, `None` where nothing looks like one.
        judged_by: digest of what everybody is judged by.
        handed_in: when, where `timestamp.txt` says so.
        fingerprint: of the submission and of what it is judged by, see `grading.term.basis`.
        content: fingerprint of the submission alone.
        sha256: of the notebook as it was handed in.
        remarks: what had to be repaired to grade it.
        left: the answers whose cells are gone, or as they were released.
        findings: what the checks found, see `grading.checker.Finding`.
        flags: code that the instructor should look at.
        doubtful: the exercises whose answers have such code.
        seconds: how long its own code ran.
        report: what became of it; `None` until that is known.
    """

    student: str
    unit: str
    folder: Path
    notebook: Path | None = None
    judged_by: str = ""
    handed_in: datetime.datetime | None = None
    fingerprint: str = ""
    content: str = ""
    sha256: str = ""
    remarks: list[str] = field(default_factory=list)
    left: frozenset[str] = frozenset()
    findings: list[Any] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    doubtful: set[str] = field(default_factory=set)
    seconds: float = 0.0
    report: Report | None = None

    def note(self, text: str) -> None:
        """Keep a remark for the report."""
        if text not in self.remarks:
            self.remarks.append(text)

    def refuse(self, reason: str, *, again: bool = False) -> Report:
        """Report that there is no mark.

        Args:
            reason: why, and what to do.
            again: whether the grader failed, not the submission.
        """
        self.report = Report(
            self.student,
            self.unit,
            reason=reason[:LONGEST],
            remarks=self.remarks,
            fingerprint=self.fingerprint,
            content=self.content,
            again=again,
        )
        return self.report
