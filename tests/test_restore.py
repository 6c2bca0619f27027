"""A notebook that lost nbgrader's notes is put back together by what stands in its cells."""

from dataclasses import replace

import pytest

from grading.handed_in.restore import GIVEN, Known, restore
from helpers.units import UNITS
from tests import classroom, sample_learners

pytestmark = pytest.mark.needs("sandbox")


def known_of(unit):
    """The cells as the gradebook knows them."""
    found = []
    for cell in sample_learners.read(sample_learners.SOLUTIONS, unit).cells:
        noted = sample_learners.grader(cell)
        if noted:
            points = float(noted.points) if noted.get("grade") else None
            found.append(
                Known(noted.grade_id, cell.cell_type, cell.source, noted.locked, points, noted.solution, None)
            )
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_every_test_is_known_by_what_is_in_it(unit):
    cells = sample_learners.answered(classroom.released(unit), classroom.solved(unit)).cells
    for cell in cells:
        cell.metadata.pop("nbgrader", None)
    done = restore(cells, known_of(unit)).done
    assert [text for text in done if "nbgrader's notes were gone" not in text] == []


def test_a_test_whose_points_are_given_was_not_missing():
    unit = "05_softmax"
    known = [replace(one, source=GIVEN) if one.name == "softmax-test" else one for one in known_of(unit)]
    cells = classroom.released(unit).cells
    for cell in cells:
        cell.metadata.pop("nbgrader", None)
    made = restore(cells, known)
    assert [text for text in made.done if "missing" in text] == []
    assert [
        cell.source for cell in made.cells if sample_learners.grader(cell).get("grade_id") == "softmax-test"
    ] == [GIVEN]
