"""Each answer as a plain file: whose, with which text, and what is left out; nothing of it is run."""

from pathlib import Path

import pytest

from grading import answers
from tests import classroom

pytestmark = pytest.mark.needs("sandbox")  # what is imported is Linux's

UNIT, BROKEN = "05_softmax", "submitted/eve/05_softmax/05_softmax.ipynb"
OWN = "raise SystemExit\ndef softmax(x, axis=-1):\n    return 'naïve'  # never run"


@pytest.fixture
def course(tmp_path):
    return classroom.fresh_course(tmp_path, [UNIT])


def laid(course, capsys):
    """What lies there, by the path below `answers/`, and what was said."""
    assert answers.main([UNIT, "--course", str(course)]) == 0
    files = filter(Path.is_file, (course / "answers").rglob("*.py"))
    texts = {path.relative_to(course / "answers").as_posix(): path.read_bytes().decode() for path in files}
    return texts, capsys.readouterr().out


def test_an_answer_is_a_file_as_it_was_handed_in_and_a_blank_one_is_none(course, capsys):
    solved = classroom.solved(UNIT)
    classroom.hand_in(course, UNIT, "ada", solved)
    classroom.hand_in(course, UNIT, "Ada b.py", {"softmax": OWN})
    classroom.hand_in(course, UNIT, "cyd", {})
    long = ["é" * 120 + end for end in "ab"]  # a file's name has room for no more
    for one in long:
        classroom.hand_in(course, UNIT, one, {"softmax": one})
    texts, said = laid(course, capsys)
    assert {name: texts.pop(f"{UNIT}/{name}/ada/{name}.py") for name in solved} == solved
    assert texts.pop(f"{UNIT}/softmax/Ada b.py/softmax.py") == OWN
    assert sorted(texts.values()) == long
    assert said == f"answers/05_softmax/ has {len(solved) + 3} files of 4 students.\n"


def test_who_cannot_be_read_is_named_and_an_earlier_run_leaves_nothing(course, capsys):
    classroom.hand_in(course, UNIT, "bob", {"softmax": OWN})
    classroom.hand_in(course, UNIT, "eve", {"softmax": OWN})
    assert len(laid(course, capsys)[0]) == 2
    (course / BROKEN).write_bytes(b"{")
    (course / "submitted" / "gus" / UNIT).mkdir(parents=True)
    (course / "submitted" / "hal").mkdir()
    (course / "submitted" / "hal" / UNIT).symlink_to(course / "submitted" / "bob" / UNIT)
    texts, said = laid(course, capsys)
    assert texts == {f"{UNIT}/softmax/bob/softmax.py": OWN}
    assert "eve is left out: 05_softmax.ipynb is not JSON" in said
    assert "gus is left out: no notebook was handed in, the folder is empty" in said
    assert "hal is left out: the folder 05_softmax is a link" in said
    assert said.endswith("answers/05_softmax/ has 1 file of 1 student.\n")


def test_a_cell_without_notes_is_recognised_and_a_group_hands_in_once(course, capsys):
    notebook = classroom.sample_learners.answered(classroom.released(UNIT), {"softmax": OWN[17:]})
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    for who in ("ada", "bob", "cyd"):
        classroom.hand_in(course, UNIT, who, notebook=notebook)
    (course / "term.toml").write_text(f'[groups.{UNIT}]\nteam1 = ["ada", "bob"]\n')
    assert set(laid(course, capsys)[0]) == {f"{UNIT}/softmax/{who}/softmax.py" for who in ("ada", "cyd")}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["05_sofmax"], "There is no unit 05_sofmax: did you mean 05_softmax?"),
        ([], "There is no unit without a name. The units are 05_softmax."),
        ([UNIT], "Nobody has handed in 05_softmax"),
    ],
)
def test_without_a_unit_or_a_hand_in_nothing_is_written(course, capsys, words, why):
    assert answers.main([*words, "--course", str(course)]) == 2
    assert why in capsys.readouterr().err
    assert not (course / "answers").exists()
