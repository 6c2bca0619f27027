"""Feedback's formulas: every one of the units is set, and nothing but a formula comes out."""

import re
from xml.etree import ElementTree

import nbformat
import pytest
from nbgrader.converters import GenerateFeedback

from grading.term.feedback import FORMULA, FeedbackExporter, mathml
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("sandbox")]

SPACE = "{http://www.w3.org/1998/Math/MathML}"
PROSE = [
    cell.source
    for path in sorted((ROOT / "notebooks").glob("*/*.ipynb"))
    for cell in nbformat.read(path, as_version=4).cells
    if cell.cell_type == "markdown"
]
FORMULAS = {
    (found[3] or found[4], bool(found[3]))
    for text in PROSE
    for found in FORMULA.finditer(text)
    if found[3] or found[4]
}


def shown(source):
    exporter = FeedbackExporter(config=GenerateFeedback().config)
    template = exporter.environment.from_string("{{ text | markdown2html }}")
    return template.render(text=source, resources={}, cell={})


def test_every_formula_of_the_units_is_set():
    assert len(FORMULAS) > 50
    for tex, display in FORMULAS:
        root = ElementTree.fromstring(mathml(tex, display))
        assert root.tag == f"{SPACE}math"
        assert root.get("display") == ("block" if display else "inline")
        assert "\\" not in "".join(root.itertext()), tex


def test_signs_are_signs():
    assert "α" in mathml(r"\alpha < b", display=False)
    assert "&lt;" in mathml(r"\alpha < b", display=False)


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\class{a}{x} \style{position:fixed}{y}",
        r"\mathrm{<img src=x onerror=alert(1)>}",
    ],
)
def test_a_formula_carries_nothing_into_the_page(tex):
    made = mathml(tex, display=False)
    assert not re.search(r"<(script|img)|(href|style|class|on\w+)=\"", made)
    for part in ElementTree.fromstring(made).iter():
        assert part.tag.startswith(SPACE)


@pytest.mark.parametrize("tex", [r"\frac", r"\left(", "a^"])
def test_what_is_no_formula_stays_as_it_was_written(tex):
    assert mathml(tex, display=False) == ""
    assert "$" in shown(f"so ${tex}$ it is")


def test_prose_has_its_formulas_set_and_its_code_left_alone():
    page = shown("a $x_1$ and\n\n$$\\frac{a}{b}$$\n\n`cost = $x$`\n")
    assert page.count("<math") == 2
    assert "<mfrac>" in page
    assert "cost = $x$" in page
