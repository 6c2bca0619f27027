"""A class from Canvas, Moodle or nbgrader into the gradebook: every form, every mistake, all or nothing."""

import json
import os
import sqlite3
import stat

import pytest

from grading.lms import people
from grading.term import backup
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import CLASS, IDS

pytestmark = pytest.mark.needs("sandbox")


@pytest.fixture
def course(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def read(course):
    """Read a list into the gradebook; what is said."""
    return lambda rows, **form: lms_files.read_class(course, rows, **form)


def students(course):
    with lms_files.book_of(course) as book:
        return {one.id: (one.first_name, one.last_name, one.email, one.lms_user_id) for one in book.students}


def gradebook_bytes(course):
    with sqlite3.connect(course / "gradebook.db") as book:
        return "\n".join(book.iterdump())


# The forms


def test_canvas_gradebook(course, read):
    said = read(lms_files.canvas_gradebook(), separator=";", bom=True)
    assert said[0] == "Read Canvas's gradebook export. Students: 8, new ids from the column SIS Login ID."
    assert "New (8): ada, josé" in said[1]
    found = students(course)
    assert sorted(found) == sorted(IDS)
    assert found["ada"] == ("Countess of Lovelace, Ada", "King", "ada@example.org", "101")
    assert found["eve"][0] == '=HYPERLINK("http://evil")' or found["eve"][3] == "107"
    class_ = people.load(course)
    assert class_.columns == {"Unit 05 (1234)": "8.00"}
    assert class_.not_students == ["999"]
    assert class_.persons["josé"].section == "A and B"
    assert class_.persons["ada"].name == "King, Countess of Lovelace, Ada"


def test_canvas_with_first_and_last_names_apart(course, read):
    read(lms_files.canvas_gradebook(first_last=True, hidden=False))
    assert students(course)["ada"] == ("Ada", "King, Countess of Lovelace", "ada@example.org", "101")
    assert people.load(course).columns == {"Unit 05 (1234)": "8.00"}


def test_moodle_participants_worksheet_and_grades_export(course, read):
    said = read(lms_files.moodle_participants())
    assert said[0] == "Read Moodle's participants or grades. Students: 8, new ids from the column ID number."
    assert students(course)["m3"] == ("نور", "الهدى", "noor@example.org", "m3")
    before = students(course)
    assert read(lms_files.moodle_worksheet())[1] == "Nobody is new, changed or gone."
    assert students(course) == before, "a worksheet has no first names of its own"
    grades = lms_files.moodle_participants()
    grades = [[*row, "Assignment: Unit 05 (Real)" if not place else "-"] for place, row in enumerate(grades)]
    grades = [["Surname" if cell == "Last name" else cell for cell in row] for row in grades]
    assert read(grades)[1] == "Nobody is new, changed or gone."
    assert people.load(course).columns == {"Assignment: Unit 05 (Real)": ""}


def test_ids_from_addresses_are_what_stands_before_the_at(course, read):
    rows = [[row[0], row[1], row[3], row[4]] for row in lms_files.moodle_participants()]
    assert read(rows)[0].endswith("new ids from the column Email address.")
    assert sorted(students(course)) == sorted(IDS)


def test_a_moodle_worksheet_alone_is_a_roster(course, read):
    read(lms_files.moodle_worksheet())
    assert students(course)["m5"] == ("Kim", "Lee", "kim1@example.org", "m5")


def test_nbgraders_own_list(course, read):
    said = read([["id", "first_name", "last_name", "email"], ["ada", "Ada", "Lovelace", "a@example.org"]])
    assert said[0] == "Read nbgrader's list of students. Students: 1, new ids from the column id."
    assert students(course) == {"ada": ("Ada", "Lovelace", "a@example.org", None)}


# Again


def test_again_says_who_is_new_changed_and_gone_and_deletes_nobody(course, read):
    read(lms_files.canvas_gradebook())
    people_ = [one for one in CLASS if one[0] != "oli"]
    people_ = [("zoe.new", "Zoë", "Berg", *one[3:]) if one[0] == "zoë" else one for one in people_]
    said = read(lms_files.canvas_gradebook([*people_, ("new", "New", "One", 200, "")]))
    assert "New (1): new" in said
    assert "Changed (1): zoë (last name, e-mail address)" in said, "who is known keeps the id"
    assert "Gone from the list, kept in the gradebook (1): oli" in said
    assert {"oli", "zoë", "new"} <= set(students(course))
    assert people.load(course).persons["oli"].gone
    assert "Back (1): oli" in read(lms_files.canvas_gradebook())


def test_students_whom_nbgrader_knows_by_address_or_in_another_unicode_form_keep_their_ids(course, read):
    with lms_files.book_of(course) as book:
        book.add_student("lovelace", first_name="A", email="ADA@example.org")
        book.add_student("Jose\u0301", first_name="J")
    said = read(lms_files.canvas_gradebook())
    assert "New (6)" in said[1]
    assert not {"ada", "josé"} & set(students(course))
    assert (students(course)["lovelace"][3], students(course)["Jose\u0301"][3]) == ("101", "102")


# Mistakes


WRONG = [
    (b"", "is empty: export it again"),
    (b"Student,ID,Section\n", "has a header, but no student"),
    (b"Vorname,Nachname\nA,B\n", "its columns are Vorname, Nachname"),
    (b"Student,SIS Login ID,Section\nA,b,c\n", "has no column ID"),
    (b"First name,Last name\nA,B\n", "has no column Username or ID number or Email address"),
    (b"Identifier,Status\nParticipant 1,x\n", "has no column Full name"),
    (b"first_name,last_name\nA,B\n", "has no column id"),
    ("id,first_name\nzo,Zoë\n".encode("cp1252"), "line 2 would read 'zo,Zoë' in Windows-1252"),
    ("id,first_name\nada,Ada\n".encode("utf-16-le"), "is in UTF-16"),
    (b"PK\x03\x04rest", "is a spreadsheet or a zip"),
    (b"id,first_name\nada,Ada\nben,B,C\n", "Row 3 of"),
    (b'id,first_name\nada,"Ada\n', "cannot be read after row 1"),
    (b"id,first_name\nada,A\nada,B\n", "Rows 2 and 3 of"),
    (b"id,first_name\nada,A\nADA,B\n", "are both 'ada'"),
    (b"id,first_name\n../x,A\n", "Row 2 of"),
    (b"id,first_name\n.hidden,A\n", "which cannot name a folder"),
    (b"id,first_name\nada,A\n,B\n", "Row 3 of"),
    (b"Student,ID,Section\nA,seven,S\n", "has seven in column ID"),
    (b"First name,Last name,Email address\nA,B,x@a.org\nC,D,x@b.org\n", "are both 'x'"),
    (b"id,first_name\nada," + b"x" * 200 + b"\n", "more than 128 characters"),
]


def test_a_wrong_list_is_one_sentence_and_changes_nothing(course, read):
    before = gradebook_bytes(course)
    for data, says in WRONG:
        with pytest.raises(Wrong) as raised:
            read(data)
        assert says in str(raised.value)
        assert str(raised.value).count("\n") == 0
        assert str(raised.value).endswith(".")
        assert gradebook_bytes(course) == before
        assert not (course / "backups").exists()
        assert not (course / people.FILE).exists()


def test_two_people_of_one_login_are_not_mixed_up(course, read):
    read(lms_files.canvas_gradebook())
    before = gradebook_bytes(course)
    rows = lms_files.canvas_gradebook([*CLASS[1:], ("ada", "Adam", "Smith", 555, "")])
    rows = [["ada@elsewhere.org" if str(cell).startswith("ada@") else cell for cell in row] for row in rows]
    with pytest.raises(Wrong, match=r"would be 'ada', who is somebody else: ID 101 in the gradebook, 555"):
        read(rows)
    assert gradebook_bytes(course) == before


MOODLE = ["First name", "Last name", "ID number", "Email address"]


def test_another_number_outweighs_an_equal_address(course, read):
    read([MOODLE, ["Ada", "King", "m1", "lab@x.edu"], ["Al", "Bo", "m3", "bo@x.edu"]])
    before = gradebook_bytes(course)
    with pytest.raises(Wrong, match=r"\(Bob Ray\) would be 'm1', .* ID number m1 .*, m2 in the file"):
        read([MOODLE, ["Bob", "Ray", "m2", "lab@x.edu"], ["Al", "Bo", "m3", "bo@x.edu"]])
    assert gradebook_bytes(course) == before
    said = read([MOODLE, ["Ada", "King", "M1", "ada@x.edu"], ["Al", "Bo", "m3", "bo@x.edu"]])
    assert said[1] == "Changed (1): m1 (e-mail address)", "capitals make no other number"


def test_what_stands_before_the_at_alone_makes_nobody_the_same(course, read):
    header = [MOODLE[0], MOODLE[1], MOODLE[3]]
    read([header, ["Jo", "Smith", "smith@stud.x.edu"]])
    before = gradebook_bytes(course)
    with pytest.raises(Wrong, match=r"\(Zed Smith\) would be 'smith', .* smith@stud.x.edu .*, smith@x.edu"):
        read([header, ["Zed", "Smith", "smith@x.edu"]])
    assert gradebook_bytes(course) == before
    said = read([header, ["Jo", "Smith", "smith@x.edu"]])
    assert said[1] == "Changed (1): smith (e-mail address)", "who has the same name moved to another server"


# What is kept


def test_the_class_is_for_its_owner_alone_and_a_damaged_one_is_named(course, read):
    read(lms_files.canvas_gradebook())
    assert stat.S_IMODE((course / people.FILE).stat().st_mode) == 0o600
    assert json.loads((course / people.FILE).read_text("utf-8"))["lms"] == "canvas"
    (course / people.FILE).write_text("{")
    with pytest.raises(Wrong, match=r"lms_roster.json is damaged"):
        read(lms_files.canvas_gradebook())


def test_the_gradebook_is_copied_before_and_twenty_copies_stay(course, read):
    before = gradebook_bytes(course)
    said = read(lms_files.canvas_gradebook())
    (copy,) = (course / "backups").iterdir()
    assert said[-1] == f"The gradebook as it was is kept in backups/{copy.name}."
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as book:
        assert "\n".join(book.iterdump()) == before
    (course / "backups" / "mine.db").write_text("not ours")
    address = f"sqlite:///{course}/gradebook.db"
    for number in range(backup.KEPT + 3):
        with sqlite3.connect(course / "gradebook.db") as book:
            book.execute(f"create table if not exists changed_{number} (x)")
        assert backup.keep(course, address, "again")
        assert backup.keep(course, address, "looked") == "", "nothing has changed"
    names = sorted(one.name for one in (course / "backups").iterdir())
    assert len(names) == backup.KEPT + 1
    assert "mine.db" in names
    assert not any("roster" in name or "looked" in name for name in names), "the oldest went"


def test_a_copy_is_whole_while_somebody_writes(course):
    with sqlite3.connect(course / "gradebook.db") as writer:
        writer.execute("create table busy (x)")
        writer.executemany("insert into busy values (?)", [(1,)] * 1000)
        writer.commit()
        writer.execute("begin")
        writer.execute("delete from busy")
        backup.keep(course, f"sqlite:///{course}/gradebook.db", "test")
        writer.rollback()
    (copy,) = (course / "backups").iterdir()
    with sqlite3.connect(copy) as book:
        assert book.execute("select count(*) from busy").fetchone() == (1000,)
        assert book.execute("pragma integrity_check").fetchone() == ("ok",)


def test_a_gradebook_that_cannot_be_copied_stops_everything(course, read):
    (course / "gradebook.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(Wrong, match="cannot be copied"):
        backup.keep(course, f"sqlite:///{course}/gradebook.db", "test")
    assert list((course / "backups").iterdir()) == []


def test_a_gradebook_on_a_server_is_not_copied_and_without_one_one_is_made(course, read):
    said = backup.keep(course, "postgresql+pg8000://grader@db/gradebook", "roster")
    assert said == "The gradebook is on a server: the copy to go back to is the server's own backup."
    assert not (course / "backups").exists()
    os.unlink(course / "gradebook.db")
    said = read(lms_files.canvas_gradebook())
    assert "kept in backups" not in " ".join(said)
    assert len(students(course)) == 8


def test_a_full_disk_leaves_no_half_class(course, read, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    before = gradebook_bytes(course)
    monkeypatch.setattr(people, "save", full)
    with pytest.raises(OSError, match="No space"):
        read(lms_files.canvas_gradebook())
    assert gradebook_bytes(course) == before
