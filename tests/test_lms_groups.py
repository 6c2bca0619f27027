"""One hand-in, several marks: groups of `term.toml`, and the group assignments of Moodle."""

import os
import shutil

import pytest

from grading import submission
from grading.__main__ import main
from grading.handed_in import intake
from grading.lms import feedback, people
from grading.term import choices, collected, gradebook, groups
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import CLASS, PARTICIPANTS, UNIT, moodle_name, notebook, notebook_of, time_of

pytestmark = pytest.mark.needs("sandbox")

WHEN, LATER = "Friday, 20 November 2026, 1:05 PM", "Sunday, 22 November 2026, 9:30 AM"
IN_UTC, LATER_IN_UTC = "2026-11-20 13:05:00 UTC", "2026-11-22 09:30:00 UTC"
LEFT = "Still with a copy of what nobody in their group of 05_softmax has handed in: {}."
TEAM = {UNIT: {"team1": ("ada", "oli", "zoë")}}


@pytest.fixture
def course(tmp_path, templates):
    """A class of Moodle: ada and oli are in Team 1, josé in Team 2, the others in none."""
    made = lms_files.course(tmp_path / "course", templates)
    lms_files.read_class(made, lms_files.moodle_class(ada="Team 1", oli="Team 1, G2", josé="Team 2"))
    return made


@pytest.fixture
def take(course):
    def run(files, in_groups=None, **times):
        sheet = lms_files.moodle_worksheet(times=times, groups=in_groups) if times else None
        return lms_files.take(course, files, sheet)

    return run


@pytest.fixture
def regroup(course):
    """Read the class anew with other groups; what is said."""
    return lambda **of: lms_files.read_class(course, lms_files.moodle_class(**of))


def hand_in(course, student, text, when=""):
    place = course / "submitted" / student / UNIT
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{UNIT}.ipynb").write_text(notebook(text))
    (place / "data.csv").write_text(text)
    if when:
        (place / "timestamp.txt").write_text(when)
    return place


def share(course, of=TEAM):
    return groups.share(course, UNIT, of, course / "submitted")


def texts(course):
    """What lies in whose folder, when it came, and whether it is a copy."""
    found = {}
    for place in sorted(course.glob(f"submitted/*/{UNIT}")):
        text, name = (place / "data.csv").read_text(), place.parent.name
        found[name] = (text, time_of(course, name) or "", (place / "group.txt").exists())
    return found


def in_term(course, *lines):
    """Groups of this unit in `term.toml`."""
    (course / choices.FILE).write_text("\n".join([f"[groups.{UNIT}]", *lines, ""]))


def test_the_others_of_a_group_get_what_one_handed_in_with_its_time_until_a_newer_one_comes(course):
    place = hand_in(course, "ada", "one")
    assert share(course) == ["team1: what ada handed in counts for oli, zoë too."]
    (place / "timestamp.txt").write_text(IN_UTC)
    share(course)
    copy = ("one", IN_UTC, True)
    assert texts(course) == {"ada": ("one", IN_UTC, False), "oli": copy, "zoë": copy}, "a time may come later"
    folder = course / "submitted" / "oli" / UNIT
    assert (folder / "group.txt").read_text("utf-8").startswith("ada handed this in, for the group team1.\n")
    assert set(intake.beside(folder, pytest.fail)) == {"data.csv"}, "the note is no file of the learner"
    assert share(course) == [], "nothing is new"
    hand_in(course, "oli", "two", LATER_IN_UTC)  # over the copy
    assert share(course) == [
        "team1: what oli handed in counts for zoë too.",
        "team1: ada handed in something else than oli, and keeps it.",
    ]
    assert {name: text for name, (text, *_) in texts(course).items()} == {
        "ada": "one",
        "oli": "two",
        "zoë": "two",
    }
    shared = share(course, {UNIT: {"team1": ("ada", "oli")}})
    assert shared[-1] == LEFT.format("zoë"), "who has left the group has the copy still"


def test_the_newest_is_the_one_that_came_last_in_whatever_form_its_time_is_written(course):
    for earlier, later in ((IN_UTC, "2026-11-20 09:30:00 -0800"), ("whenever", IN_UTC)):
        shutil.rmtree(course / "submitted", ignore_errors=True)
        hand_in(course, "ada", "one", earlier)
        hand_in(course, "oli", "two", later)
        assert share(course)[0] == "team1: what oli handed in counts for zoë too."


def test_what_grading_mends_in_the_same_way_in_all_is_still_a_copy(course):
    hand_in(course, "ada", "one", IN_UTC)
    share(course)
    for name in ("ada", "oli", "zoë"):
        (course / "submitted" / name / UNIT / f"{UNIT}.ipynb").write_text(notebook("mended"))
    assert share(course) == []
    hand_in(course, "ada", "two", LATER_IN_UTC)
    assert share(course) == ["team1: what ada handed in counts for oli, zoë too."]
    assert {text for text, *_ in texts(course).values()} == {"two"}


def test_the_files_of_a_copy_are_no_links(course):
    place = hand_in(course, "ada", "one", IN_UTC)
    os.symlink("/etc/hostname", place / "link")
    os.mkfifo(place / "pipe")
    (place / "inside").mkdir()
    (place / "inside" / "more.csv").write_text("1")
    share(course)
    copy = course / "submitted" / "oli" / UNIT
    assert not os.path.lexists(copy / "link")
    assert not (copy / "pipe").exists()
    assert (copy / "inside" / "more.csv").read_text() == "1"
    assert share(course) != [], "who has the link has handed in something else"


def test_who_left_the_class_gets_nothing_and_a_misspelt_member_is_refused_before_anything_is_laid_down(
    course, take
):
    in_term(course, 'team1 = ["ada", "olli"]')
    with pytest.raises(
        Wrong, match=r"groups.05_softmax.team1: olli is not on the roster: did you mean oli\?"
    ):
        take({moodle_name("ada"): notebook()}, ada=WHEN)
    assert not (course / "submitted").exists()
    assert not (course / "downloaded").exists()
    hand_in(course, "ada", "one")
    lms_files.read_class(course, lms_files.moodle_class([one for one in CLASS if one[0] != "oli"]))
    assert share(course) == ["team1: what ada handed in counts for zoë too."]
    assert set(texts(course)) == {"ada", "zoë"}


def test_without_a_list_of_an_lms_the_gradebooks_roster_knows_the_members(tmp_path, templates, capsys):
    course = lms_files.course(tmp_path / "course", templates)
    with lms_files.book_of(course) as book:
        for name in ("ada", "ben"):
            book.add_student(name, first_name=name)
    hand_in(course, "ada", "one")
    in_term(course, 'team1 = ["ada", "bne"]')
    assert main([UNIT, "--course", str(course), "--scheduler", "tcp://nobody"]) == 2
    assert f"groups.{UNIT}.team1: bne is not on the roster: did you mean ben?" in capsys.readouterr().err
    assert set(texts(course)) == {"ada"}


def test_collect_shares_by_term_toml_and_a_hand_in_of_ones_own_takes_the_place_of_a_copy(course, take):
    in_term(course, 'team1 = ["ada", "oli"]')
    files = {moodle_name("ada"): notebook("one"), moodle_name("ada", "data.csv"): "one"}
    done = take(files, ada=WHEN)
    assert "team1: what ada handed in counts for oli too." in done.lines(UNIT)
    assert "oli" not in done.silent
    own = {moodle_name("oli"): notebook("own"), moodle_name("oli", "data.csv"): "own"}
    done = take({**files, **own}, ada=WHEN, oli=LATER)
    assert (done.collected, done.again) == (["oli"], [])
    assert "team1: ada handed in something else than oli, and keeps it." in done.lines(UNIT)
    assert texts(course) == {"ada": ("one", IN_UTC, False), "oli": ("own", LATER_IN_UTC, False)}


def test_what_is_put_over_a_copy_by_hand_comes_when_the_lms_says_it_did(course, take):
    in_term(course, 'team1 = ["ada", "oli"]')
    two = {moodle_name("oli", f"{one}.ipynb"): notebook(one) for one in "ab"}
    take({moodle_name("ada"): notebook("one"), **two}, ada=WHEN, oli=LATER)
    place = course / "submitted" / "oli" / UNIT
    assert collected.time_of(place) == IN_UTC, "that of ada's"
    (place / f"{UNIT}.ipynb").write_text(notebook("b"))
    assert collected.times_of(course, UNIT, course / "submitted") == {"oli": LATER_IN_UTC}
    done = take({moodle_name("ada"): notebook("one"), **two}, ada=WHEN, oli=LATER)
    assert done.by_hand == ["oli"]
    assert collected.time_of(place) == LATER_IN_UTC
    assert "b" in (place / f"{UNIT}.ipynb").read_text()


def test_what_was_put_over_a_copy_by_hand_is_kept_when_the_member_hands_in(course, take):
    hand_in(course, "ada", "one", IN_UTC)
    share(course)
    hand_in(course, "oli", "by hand")
    take({moodle_name("oli"): notebook("own")})
    kept = course / "downloaded" / UNIT / "earlier" / "oli"
    assert [path.read_text() for path in kept.glob("*/data.csv")] == ["by hand"]


def test_a_copy_of_another_groups_hand_in_is_named_and_is_never_ones_own(course):
    hand_in(course, "ada", "one", IN_UTC)
    share(course, {UNIT: {"team1": ("ada", "oli")}})
    for name in ("ada", "oli"):
        hand_in(course, name, "mended")  # by grading, in the same way
    moved = {UNIT: {"team1": ("ada", "zoë"), "team2": ("oli", "noor")}}
    assert share(course, moved) == ["team1: what ada handed in counts for zoë too.", LEFT.format("oli")]
    assert set(texts(course)) == {"ada", "oli", "zoë"}
    hand_in(course, "noor", "two")
    assert share(course, moved) == ["team2: what noor handed in counts for oli too."]


# Moodle's group assignments: `downloader.php` names entries after the group, with the group's number


def entry(name, number, file=f"{UNIT}.ipynb"):
    return "_".join([name, *([number] if number else []), f"assignsubmission_file/{file}"])


def test_moodle_a_group_of_the_roster_is_known_by_its_name_and_the_worksheet_has_the_times(course, take):
    files = {entry("Team 1", "77"): notebook("one"), entry("Team 1", "77", "data.csv"): "one"}
    files |= {entry("Team 2", "78"): notebook("two"), entry("Team 2", "78", "data.csv"): "two"}
    done = take(files, ada=WHEN, oli=WHEN, josé=LATER)
    assert sorted(done.collected) == ["ada", "josé", "oli"]
    assert (done.strangers, done.groups) == ({}, [])
    assert texts(course) == {
        "ada": ("one", IN_UTC, False),
        "josé": ("two", LATER_IN_UTC, False),
        "oli": ("one", IN_UTC, False),
    }


def test_moodle_a_groups_number_that_is_a_participants_too_is_not_that_participant(course, take):
    number = PARTICIPANTS["zoë"]
    done = take({entry("Team 1", number): notebook("one")}, ada=WHEN, oli=WHEN, zoë="-")
    assert sorted(done.collected) == ["ada", "oli"]
    assert "zoë" in done.silent
    done = take({entry("Night owls", number): notebook("one")}, ada=WHEN)
    assert done.groups == ["Night owls"]
    assert "A group that nobody knows, left out: Night owls: name its members in term.toml" in "".join(
        done.lines(UNIT)
    )


def test_moodle_a_group_of_term_toml_and_those_in_none(course, take):
    in_term(course, '"Night owls" = ["kim1", "kim2"]')
    files = {entry("Night owls", "5"): notebook("owls"), entry("Default group", ""): notebook("others")}
    done = take(files)
    assert set(done.collected) == {"kim1", "kim2", "noor", "eve", "zoë"}
    for name in done.collected:
        assert notebook_of(course, name) == ("owls" if "kim" in name else "others")
    assert set(done.silent) == {"ada", "oli", "josé"}
    in_term(course, '"Default group" = ["kim1", "kim2"]')
    done = take({entry("Default group", ""): notebook("named")})
    assert sorted(done.collected) == ["kim1", "kim2"], "term.toml may name those in no group"


def test_moodle_the_worksheet_says_who_is_in_no_group_of_the_assignment_though_in_a_section(take, regroup):
    everybody = dict.fromkeys((one[0] for one in CLASS), "Tuesday")
    regroup(**everybody | {"ada": "Tuesday, Team 1", "oli": "Team 1"})
    files = {entry("Default group", ""): notebook("others"), entry("Team 1", "77"): notebook("one")}
    nobody = take(files)
    assert (sorted(nobody.collected), nobody.groups) == (["ada", "oli"], ["Default group"])
    teams = {"ada": "Team 1", "oli": "Team 1"} | dict.fromkeys(("kim1", "kim2", "noor", "zoë"), "Team 2")
    done = take(files, teams, ada=WHEN)
    assert (sorted(done.collected), done.groups) == (["eve", "josé"], [])
    assert sorted(done.silent) == ["kim1", "kim2", "noor", "zoë"]


def test_moodle_nobody_gets_what_those_in_no_group_handed_in_where_no_group_is_known(take, regroup):
    regroup()
    done = take({entry("Default group", ""): notebook("others")})
    assert (done.collected, done.groups) == ([], ["Default group"])


def test_moodle_before_3_1_had_the_group_in_front_of_the_name(course, take):
    files = {f"Team 2-{moodle_name('josé')}": notebook(), f"Team 9-{moodle_name('zoë')}": notebook()}
    done = take(files)
    assert done.collected == ["josé"]
    assert [name.partition(" (")[0] for name in done.strangers] == ["Team 9-Zoë Ångström"]


def test_no_feedback_goes_back_by_a_groups_number(course, take):
    take({entry("Team 1", "77"): notebook("one")}, ada=WHEN, oli=WHEN)
    kept = collected.remembered(course, UNIT)
    assert {(one.number, one.prefix) for one in kept.values()} == {("", "")}
    lms_files.give(course, {"ada": 8.0, "oli": 8.0})
    for name in ("ada", "oli"):
        page = course / "feedback" / name / UNIT / f"{UNIT}.html"
        page.parent.mkdir(parents=True)
        page.write_text(name)
    with gradebook.opened(submission.settings(course)) as book:
        feedback.pack(course, book, "moodle", UNIT, course / "back.zip")
    found = lms_files.moodle_takes_feedback(course / "back.zip", set(PARTICIPANTS.values()))
    assert {number: page for number, (_, page) in found.items()} == {
        PARTICIPANTS["ada"]: b"ada",
        PARTICIPANTS["oli"]: b"oli",
    }


def test_moodle_a_group_is_known_without_what_the_zip_drops_of_its_name_and_by_nothing_less(take, regroup):
    regroup(
        ada="Group 1.1", kim1="Group 1.1", oli="Group 11, Pepper", zoë="Salt and Pepper", eve="Tom & Jerry's"
    )
    assert sorted(take({entry("Group 1.1", "21"): notebook()}).collected) == ["ada", "kim1"]
    assert take({entry("Pepper", "21"): notebook()}).collected == ["oli"]
    for text in ("Tom amp; Jerrys", "Tom  Jerrys", "tom Jerrys"):
        assert take({entry(text, "21"): notebook(text)}).collected == ["eve"]
    regroup(ada="Group 1:1", oli="Group 11")
    with pytest.raises(Wrong, match="'Group 11' in the zip may be the group Group 11 or Group 1:1"):
        take({entry("Group 11", "21"): notebook()})


def test_moodle_who_is_in_two_groups_that_handed_in_is_named_and_term_toml_says_which_counts(
    course, take, regroup
):
    regroup(ada="Team 1, Team 2", oli="Team 1", zoë="Team 2")
    files = {entry("Team 1", "11"): notebook("one"), entry("Team 2", "12"): notebook("two")}
    assert sorted(take({entry("Team 1", "11"): notebook("one")}).collected) == ["ada", "oli"]
    with pytest.raises(Wrong, match="ada is in two groups that have handed in, Team 1 and Team 2"):
        take(files)
    in_term(course, '"Team 2" = ["ada", "zoë"]')
    take(files)
    assert (notebook_of(course, "ada"), notebook_of(course, "oli")) == ("two", "one")


def test_moodle_a_group_of_exactly_that_name_goes_before_a_participant_of_a_similar_one(take, regroup):
    regroup(oli="Zoe Ångström", kim1="Zoe Ångström")
    done = take({entry("Zoe Ångström", PARTICIPANTS["zoë"]): notebook()}, zoë="-")
    assert sorted(done.collected) == ["kim1", "oli"]


def test_who_leaves_all_groups_is_in_none_and_a_list_without_groups_says_nothing_of_them(
    course, take, regroup
):
    assert "Changed (1): ada (section)" in regroup(oli="Team 1, G2", josé="Team 2")
    assert take({entry("Team 1", "11"): notebook()}).collected == ["oli"]
    # a list of one's own has no such column
    said = lms_files.read_class(course, [["id", "Groups"], *([one[0], ""] for one in CLASS)])
    assert "Nobody is new, changed or gone." in said
    assert people.load(course).persons["oli"].section == "Team 1, G2"
