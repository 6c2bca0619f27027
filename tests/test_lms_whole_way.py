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
TERM = f"""
[groups.{UNIT}]
team1 = ["m1", "m2"]
[due]
{UNIT} = 2026-11-21T23:59:00+00:00
[late]
take_off = 0.1
"""
IN_TIME, LATE = "Friday, 20 November 2026, 1:05 PM", "Wednesday, 2 December 2026, 1:05 PM"


@pytest.fixture
def folder(tmp_path):
    submission.settings.cache_clear()
    return classroom.fresh_course(tmp_path / "whole-way", [UNIT])


def test_from_the_zip_of_moodle_to_marks_and_pages(folder, tmp_path, desk):
    """josé has ada's as one of her group, noor's is no notebook, oli's blank, zoë's nothing.

    The Kims handed in two notebooks each, so one is put in by hand; kim1's came eleven days late, at a tenth
    of the mark for each.
    """

    def run(*words, code=0):
        assert command.main([*map(str, words), "--course", str(folder)]) == code, words

    def notebook(name):
        if name == "noor":
            return '{"cells": ['
        answers = {} if name == "oli" else classroom.solved(UNIT)
        return nbformat.writes(sample_learners.answered(classroom.released(UNIT), answers))

    (folder / "term.toml").write_text(TERM, "utf-8")
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.moodle_participants()))
    run("roster", tmp_path / "list.csv")
    names = [name for name in IDS if name not in ("josé", "zoë", "kim1", "kim2")]
    files = {lms_files.moodle_name(name, "mine.ipynb"): notebook(name) for name in names}
    files |= {lms_files.moodle_name(name, f"{one}.ipynb"): "{}" for name in ("kim1", "kim2") for one in "ab"}
    times = dict.fromkeys([*names, "kim2"], IN_TIME) | {"kim1": LATE}
    sheet = lms_files.moodle_worksheet(times=times, most=str(WHOLE))
    (tmp_path / "sheet.csv").write_bytes(lms_files.table(sheet))
    words = ["--worksheet", tmp_path / "sheet.csv", "--timezone", "UTC"]
    run("collect", UNIT, lms_files.make_zip(tmp_path / "all.zip", files), *words, code=1)
    for student in ("m5", "m6"):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    shutil.rmtree(folder / "submitted" / "m2")  # grading shares too: what came without a zip

    done = desk.run(folder, "grading", UNIT, "--workers", 1)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "On the roster, but nothing handed in: m8" in done.stdout
    assert "Not on the roster" not in done.stdout
    assert "team1: what m1 handed in counts for m2 too." in done.stdout
    stamp = folder / "submitted" / "m1" / UNIT / "timestamp.txt"
    assert stamp.read_text() == "2026-11-20 13:05:00 UTC"
    done = desk.run(folder, "nbgrader", "generate_feedback", "--log-level=WARN", UNIT)
    said = f"[GenerateFeedbackApp | WARNING] Late submission penalty: {WHOLE}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said), "it says what matters alone"

    run("marks", "moodle", UNIT)
    run("feedback", "moodle", UNIT)
    found = {number: name for name, number in PARTICIPANTS.items()}
    text = (folder / f"moodle-{UNIT}.csv").read_text("utf-8")
    got = lms_files.moodle_reads_worksheet(text, set(found))
    true = dict.fromkeys(("ada", "josé", "kim2", "eve"), WHOLE) | {"oli": 0.0, "kim1": 0.0}
    assert {found[number]: mark for number, mark in got.items()} == true
    back = lms_files.moodle_takes_feedback(folder / f"moodle-feedback-{UNIT}.zip", set(found))
    pages = {found[number]: page for number, (_, page) in back.items()}
    assert set(pages) == {*true, "noor"}
    assert f"What you handed in for {UNIT} has no mark, because".encode() in pages["noor"]
    assert all(b"<html" in page for page in pages.values())


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
