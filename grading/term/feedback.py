"""`nbgrader generate_feedback`: the list names exercises, and formulas are MathML, which needs no server."""

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import pass_context
from latex2mathml.converter import convert_to_element
from nbconvert.exporters import HTMLExporter
from nbgrader.preprocessors import GetGrades
from traitlets.config import Config

from grading.handed_in.restore import GIVEN
from grading.term import by_hand, gradebook, receipt, requests, settle
from helpers.units import tested_by

TEMPLATES = Path(__file__).parent
MATHJAX = re.compile(r"<!-- Loading mathjax macro -->.*?<!-- End of mathjax configuration -->", re.DOTALL)
NO_RESPONSE = "No response."
"""What nbgrader comments on an answer that was left as it was released; nobody wrote it."""
POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'\">"
)
"""What a browser lets the page do: no script, and nothing from elsewhere, whatever got into it."""
FORMULA = re.compile(r"(<(code|pre)\b.*?</\2>)|\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)
ATTRIBUTES = {
    "xmlns",
    "display",
    "displaystyle",
    "mathvariant",
    "stretchy",
    "fence",
    "form",
    "accent",
    "width",
}
"""What a formula needs; others, such as links, a learner may have put there."""


class Counted(GetGrades):
    """Gets the points that count, as every export has them, where an exercise is dropped or given too."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Put the points into the test cells, and their sum into the resources."""
        self._more = 0.0
        nb, resources = super().preprocess(nb, resources)
        resources["nbgrader"]["score"] += self._more
        return nb, resources

    def _get_score(self, cell: Any, resources: Any) -> None:
        super()._get_score(cell, resources)
        about = cell.metadata.nbgrader
        one = self.gradebook.find_grade(about.grade_id, self.notebook_id, self.assignment_id, self.student_id)
        points = (one.auto_score, one.manual_score, one.extra_credit, one.max_score)
        counts = gradebook.counted(*points, cell.source == GIVEN) or 0.0
        self._more += counts - about.score
        about.score = counts


class FeedbackExporter(HTMLExporter):
    """Makes nbgrader's page by the template in `exercises/`."""

    def __init__(self, config: Config | None = None, **kw: Any) -> None:
        if kw.get("parent") is not None:  # nbgrader's command: what a page says is as new as the mark
            config = settle.settings_of(kw["parent"])
            with settle.refusing(), settle.settled(config) as (_, self._known):
                self._requests = requests.read(Path(config.CourseDirectory.root))
        ours = Config(config or {})
        theirs = ours.HTMLExporter.get("extra_template_basedirs", [])
        paths = ours.HTMLExporter.get("extra_template_paths", [])
        ours.FeedbackExporter.template_name = "exercises"
        ours.FeedbackExporter.extra_template_basedirs = [*theirs, str(TEMPLATES)]
        ours.FeedbackExporter.extra_template_paths = [*paths, *theirs]  # where ours finds `feedback/`
        super().__init__(config=ours, **kw)

    def register_preprocessor(self, preprocessor: Any, enabled: bool = False) -> Any:
        """Add a step of nbgrader's, the one that gets the points as ours."""
        ours = Counted if preprocessor is GetGrades else preprocessor
        return super().register_preprocessor(ours, enabled)

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Make the page of a graded notebook; what it says beside nbgrader's is in `resources["term"]`."""
        about, places = (resources or {}).get("nbgrader", {}), getattr(self.parent, "coursedir", None)
        if about and places:
            course, unit, student = Path(places.root), about["assignment"], about["student"]
            late = self._known.lateness.get(unit, {}).get(student)
            resources["term"] = {
                "receipt": receipt.of(course, unit, student, Path(filename)),
                "late": str(late or ""),
                "by_hand": {
                    cell
                    for cell, one in by_hand.by_cell(course, unit, student).items()
                    if (one.points, one.extra) != (None, None) and one not in self._known.lost
                },
                "requests": requests.of(self._requests, unit, student),
            }
        return super().from_filename(filename, resources=resources, **kw)

    def default_filters(self) -> Iterator[tuple[str, Callable]]:
        """Those of nbconvert, and the template's own."""
        yield from super().default_filters()
        yield "exercise", tested_by
        yield "is_written", lambda comment: bool(comment) and comment.strip() != NO_RESPONSE
        yield "without_mathjax", lambda page: MATHJAX.sub("", page)
        yield "runs_nothing", lambda page: page.replace("<head>", f"<head>{POLICY}", 1)

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Prose as HTML, its formulas as MathML."""
        return FORMULA.sub(_formula, super().markdown2html(context, source))


def _formula(found: re.Match[str]) -> str:
    code, _, display, inline = found.groups()
    return code or mathml(html.unescape(display or inline), bool(display)) or found[0]


def mathml(tex: str, display: bool) -> str:
    """A formula as MathML, with nothing else in it; an empty text where its TeX cannot be read."""
    try:
        root = convert_to_element(tex, display="block" if display else "inline")
    except Exception:  # whatever a learner wrote: then the TeX is shown
        return ""
    for part in root.iter():
        part.text = html.unescape(part.text or "")  # it writes signs as entities
        part.attrib = {name: value for name, value in part.attrib.items() if name in ATTRIBUTES}
    return ElementTree.tostring(root, encoding="unicode")
