"""From the LMS's files to marks and feedback in its own form, with the course's own grader in between."""

import shutil

import nbformat
import pytest

from grading import submission
from grading.lms import __main__ as command
from grading.term import gradebook
from tests import classroom, lms_files, sample_learners, servers
from tests.lms_files import CLASS, IDS, PARTICIPANTS

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "03_scaling"
WHOLE = float(sum(sample_learners.points(UNIT).values()))
BLANK, BROKEN, SILENT = "oli", "noor", "zoë"


@pytest.fixture
def folder(tmp_path_factory):
    """A course in the same place for each test, so that the desk's warm process stays."""
    place = tmp_path_factory.getbasetemp() / "whole-way"
    submission.settings.cache_clear()
    yield classroom.fresh_course(place, [UNIT])
    shutil.rmtree(place)


@pytest.mark.parametrize("lms", ["canvas", "moodle"])
def test_the_whole_way(folder, tmp_path, desk, lms):
    handed_in = [name for name in IDS if name != SILENT]

    def run(*words):
        code = command.main([*map(str, words), "--course", str(folder)])
        assert code == 0, words

    def notebook(name):
        if name == BROKEN:
            return '{"cells": ['
        answers = {} if name == BLANK else classroom.solved(UNIT)
        return nbformat.writes(sample_learners.answered(classroom.released(UNIT), answers))

    rows = lms_files.canvas_gradebook() if lms == "canvas" else lms_files.moodle_participants()
    (tmp_path / "list.csv").write_bytes(lms_files.table(rows))
    run("roster", tmp_path / "list.csv")
    ids = dict(zip(IDS, IDS, strict=True)) if lms == "canvas" else {name: code for name, *_, code in CLASS}
    name_of = lms_files.canvas_name if lms == "canvas" else lms_files.moodle_name
    more = {"attachment": 7} if lms == "canvas" else {}
    files = {name_of(name, "mine.ipynb", **more): notebook(name) for name in handed_in}
    times = {name: "Friday, 20 November 2026, 1:05 PM" for name in handed_in}
    (tmp_path / "sheet.csv").write_bytes(
        lms_files.table(lms_files.moodle_worksheet(times=times, most=str(WHOLE)))
    )
    sheet = ["--worksheet", tmp_path / "sheet.csv", "--timezone", "UTC"] if lms == "moodle" else []
    run("collect", UNIT, lms_files.make_zip(tmp_path / "all.zip", files), *sheet)

    done = desk.run(folder, "grading", UNIT, "--workers", 1)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"On the roster, but nothing handed in: {ids[SILENT]}" in done.stdout
    assert "Not on the roster" not in done.stdout
    done = desk.run(folder, "nbgrader", "generate_feedback", "--log-level=WARN", UNIT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "make feedback says what matters alone"

    run("marks", lms, UNIT)
    run("feedback", lms, UNIT)
    true = {name: 0.0 if name == BLANK else WHOLE for name in handed_in if name != BROKEN}
    back = folder / f"{lms}-feedback-{UNIT}.zip"
    if lms == "canvas":
        numbers = {number: name for name, _, _, number, _ in CLASS}
        text = (folder / "canvas.csv").read_text("utf-8")
        got, _, _ = lms_files.canvas_imports(text, set(numbers), {1234: ""})
        assert {numbers[one]: mark for (one, _), mark in got.items() if mark is not None} == true
        pages = lms_files.canvas_takes_feedback(back, {number: {7} for number in numbers})
        pages = {numbers[one]: page for one, page in pages.items()}
    else:
        names = {number: name for name, number in PARTICIPANTS.items()}
        text = (folder / f"moodle-{UNIT}.csv").read_text("utf-8")
        got = lms_files.moodle_reads_worksheet(text, set(names))
        assert {names[number]: mark for number, mark in got.items()} == true
        pages = {
            names[one]: page for one, (_, page) in lms_files.moodle_takes_feedback(back, set(names)).items()
        }
        assert (
            folder / "submitted" / ids["ada"] / UNIT / "timestamp.txt"
        ).read_text() == "2026-11-20 13:05:00 UTC"
    assert set(pages) == set(handed_in)
    assert f"What you handed in for {UNIT} has no mark, because".encode() in pages[BROKEN]
    assert all(b"<html" in page for page in pages.values())


def test_one_hand_in_of_a_group_is_a_mark_and_a_page_for_each(folder, tmp_path, desk):
    (folder / "term.toml").write_text(f'[groups.{UNIT}]\nteam1 = ["m1", "m2"]\n')
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.moodle_participants()))
    sheet = lms_files.moodle_worksheet(times={"ada": "Friday, 20 November 2026, 1:05 PM"})
    (tmp_path / "sheet.csv").write_bytes(lms_files.table(sheet))
    notebook = nbformat.writes(sample_learners.answered(classroom.released(UNIT), classroom.solved(UNIT)))
    path = lms_files.make_zip(tmp_path / "all.zip", {lms_files.moodle_name("ada"): notebook})
    sheet = ["--worksheet", str(tmp_path / "sheet.csv")]
    for words in (["roster", str(tmp_path / "list.csv")], ["collect", UNIT, str(path), *sheet]):
        assert command.main([*words, "--course", str(folder)]) == 0
    shutil.rmtree(folder / "submitted" / "m2")  # grading shares too: what came without a zip
    done = desk.run(folder, "grading", UNIT, "--workers", 1)
    assert "team1: what m1 handed in counts for m2 too." in done.stdout, done.stdout + done.stderr
    assert {name: sum(one.values()) for name, one in classroom.points(folder, UNIT).items()} == {
        "m1": WHOLE,
        "m2": WHOLE,
    }
    assert desk.run(folder, "nbgrader", "generate_feedback", UNIT).returncode == 0
    assert command.main(["feedback", "moodle", UNIT, "--course", str(folder)]) == 0
    pages = lms_files.moodle_takes_feedback(
        folder / f"moodle-feedback-{UNIT}.zip", set(PARTICIPANTS.values())
    )
    assert set(pages) == {PARTICIPANTS["ada"], PARTICIPANTS["josé"]}


def test_what_was_skipped_and_put_in_by_hand_is_as_late_as_the_lms_says(folder, tmp_path, desk):
    """Eleven days late at a tenth of the mark for each: nothing is left of it, and of one in time all."""
    (folder / "term.toml").write_text(
        f"[due]\n{UNIT} = 2026-11-02T23:59:00+00:00\n[late]\ntake_off = 0.1\n", "utf-8"
    )
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.moodle_participants()))
    times = {"ada": "Friday, 13 November 2026, 1:05 PM", "josé": "Sunday, 1 November 2026, 1:05 PM"}
    sheet = lms_files.moodle_worksheet(times=times, most=str(WHOLE))
    (tmp_path / "sheet.csv").write_bytes(lms_files.table(sheet))
    notebook = nbformat.writes(sample_learners.answered(classroom.released(UNIT), classroom.solved(UNIT)))
    files = {lms_files.moodle_name(name, f"{one}.ipynb"): notebook for name in times for one in "ab"}
    path = lms_files.make_zip(tmp_path / "all.zip", files)
    words = ["--worksheet", str(tmp_path / "sheet.csv"), "--timezone", "UTC", "--course", str(folder)]
    assert command.main(["roster", str(tmp_path / "list.csv"), "--course", str(folder)]) == 0
    assert command.main(["collect", UNIT, str(path), *words]) == 1, "both are skipped"
    for student in ("m1", "m2"):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    done = desk.run(folder, "grading", UNIT, "--workers", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert command.main(["marks", "moodle", UNIT, "--course", str(folder)]) == 0
    got = lms_files.moodle_reads_worksheet(
        (folder / f"moodle-{UNIT}.csv").read_text("utf-8"), set(PARTICIPANTS.values())
    )
    assert got == {PARTICIPANTS["ada"]: 0.0, PARTICIPANTS["josé"]: WHOLE}


@pytest.mark.needs("database")
def test_a_gradebook_on_a_server_gets_the_class_too(folder, tmp_path, capsys):
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook()))
    with servers.postgres() as address:
        for says in ("New (8): ada", "Nobody is new, changed or gone."):
            words = ["roster", str(tmp_path / "list.csv"), "--course", str(folder), "--db", address]
            assert command.main(words) == 0
            said = capsys.readouterr().out
            assert says in said
            assert "The gradebook is on a server: the copy to go back to is the server's own backup." in said
        with gradebook.opened(submission.settings(folder, address)) as book:
            assert {one.id: one.lms_user_id for one in book.students} == {
                name: str(code) for name, *_, code, _ in CLASS
            }
    assert not (folder / "gradebook.db").exists()
    assert not (folder / "backups").exists()
