"""Hand-ins that look alike: what is listed, what never is, and that nothing of it is run or concluded."""

import json
import subprocess

import pytest
from bs4 import BeautifulSoup

from grading import submission
from grading.alike import __main__ as alike
from grading.alike import class_texts, likeness, side_by_side
from grading.alike.likeness import Class, HandIn, Shown
from grading.alike.written import Text
from grading.term import collected
from tests import classroom, test_walls
from tests.sources import bank
from tools import alike_trial, real_browser

pytestmark = pytest.mark.needs("sandbox")
UNIT, GONE = "05_softmax", "\N{REPLACEMENT CHARACTER}"
OTHERS = json.loads((classroom.ROOT / "helpers" / "others.json").read_text("utf-8"))

OWN = '''def masked_softmax(scores, allowed):
    """Of my own."""
    hidden = np.logical_not(np.broadcast_to(allowed, scores.shape))
    lowest = scores.min(initial=0) - 1
    kept = np.ma.masked_array(scores, hidden).filled(lowest)
    top = np.take_along_axis(kept, kept.argmax(-1)[..., None], -1)
    raised = np.exp(np.clip(scores - top, -700, 0))
    raised[hidden] = 0  # nobody may look there
    rest = np.add.reduce(raised, axis=-1)[..., None]
    return np.divide(raised, rest, out=np.zeros_like(raised), where=rest > 0)
'''
OTHER = """def masked_softmax(scores, allowed):
    flat = [row for row in scores.reshape(-1, scores.shape[-1])]
    masks = list(np.broadcast_to(allowed, scores.shape).reshape(len(flat), -1))
    for row, mask in zip(flat, masks):
        picked = sorted((value, place) for place, value in enumerate(row) if mask[place])
        row[:] = 0
        while picked:
            value, place = picked.pop()
            row[place] = 2.718281828 ** value
        if mask.any(): row /= row.sum()
    return np.stack(flat).reshape(scores.shape)
"""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Twelve who answer out of the banks and the course's pages; who else hands in is a test's own."""
    course = classroom.fresh_course(tmp_path_factory.mktemp("alike"), [UNIT])
    classroom.make_class(course, UNIT, 12)
    return course


@pytest.fixture
def course(crowd, tmp_path):
    subprocess.run(["cp", "-r", str(crowd), str(tmp_path / "course")], check=True)
    return tmp_path / "course"


def hand_in(course, who, **answers):
    return classroom.hand_in(course, UNIT, who, {**classroom.solved(UNIT), **answers})


def compared(course, **more):
    return alike.compare(course, UNIT, **more)


def pairs(course, **more):
    return {
        pair.names: {part.exercise: part.kind for part in pair.parts}
        for pair in compared(course, **more).pairs
    }


def page(course, capsys, *words):
    assert alike.main([UNIT, "--course", str(course), *words]) == 0
    return BeautifulSoup((course / "alike.html").read_text("utf-8"), "html.parser"), capsys.readouterr().out


# What is listed


@pytest.mark.parametrize("disguise", alike_trial.DISGUISES)
def test_a_copy_is_listed_in_every_disguise_and_is_still_python(course, disguise):
    copy = alike_trial.DISGUISES[disguise](OWN)
    compile(copy, "copy", "exec")
    hand_in(course, "ada", masked_softmax=OWN)
    hand_in(course, "bob", masked_softmax=copy)
    kinds = {"as it stands": likeness.EQUAL_TEXT}
    kinds |= dict.fromkeys(("variables renamed", "other comments", "reformatted"), likeness.EQUAL_CODE)
    assert pairs(course) == {("ada", "bob"): {"masked_softmax": kinds.get(disguise, likeness.RARE)}}


def test_two_who_wrote_apart_are_not_listed(course):
    hand_in(course, "ada", masked_softmax=OWN)
    hand_in(course, "bob", masked_softmax=OTHER)
    assert pairs(course) == {}


def test_what_python_cannot_read_is_compared_all_the_same(course):
    torn = OWN.replace("-> 0)", "->").replace("where=rest > 0)", "where=")
    hand_in(course, "ada", masked_softmax=torn)
    hand_in(course, "bob", masked_softmax=torn.replace("raised", "powers").replace("may look", "dares look"))
    assert pairs(course) == {("ada", "bob"): {"masked_softmax": likeness.EQUAL_CODE}}


def test_odd_names_and_the_same_slips_in_comments_are_listed_though_the_code_is_everybodys(course):
    said = "    # substract the bigest skore, elswise it owerflows\n"
    exps, shares = "e = np.exp(x - x.max(axis=axis, keepdims=True))", "e / e.sum(axis=axis, keepdims=True)"
    usual = f"def softmax(x, axis=-1):\n{{}}    {exps}\n    return {shares}"
    hand_in(course, "ada", softmax=usual.format(said))
    hand_in(course, "bob", softmax=usual.format(said))
    hand_in(course, "cyd", softmax=usual.format(""))
    (pair,) = compared(course).pairs
    assert pair.names == ("ada", "bob")
    assert pair.words["bigest"] == 2
    assert "skore" in pair.words
    assert not pair.parts


def test_a_line_that_three_have_makes_one_group_with_both_texts_marked(course, capsys):
    for who, text in {
        "ada": OWN,
        "bob": alike_trial.renamed(OWN),
        "cyd": OWN.replace("-700", "-710"),
    }.items():
        hand_in(course, who, masked_softmax=text)
    soup, said = page(course, capsys)
    assert [head.get_text() for head in soup("h2")] == ["ada, bob, cyd"]
    assert "1 more pair" in soup.get_text()
    assert [head.get_text() for head in soup("h3")] == ["ada and bob", "ada and cyd"]
    assert len(soup("pre")) == 4
    shared = [line.get_text() for line in soup("pre")[0]("span", class_="shared")]
    assert any("np.ma.masked_array" in line for line in shared)
    assert "of 15 hand-ins 2 have it" in " ".join(soup.get_text().split())
    assert "3 pairs of 15 hand-ins are worth a look; nothing is concluded." in said


def test_equal_files_are_listed_as_such_where_somebody_wrote_something(course):
    for who in ("ada", "bob"):
        hand_in(course, who, masked_softmax=OWN)
    assert [pair.same_file for pair in compared(course).pairs] == [2]


def test_what_stands_beside_the_answers_is_compared_too(course):
    odd = "for wibble, wobble in zip('abcdefgh', range(8)[::-1]):\n    print(wibble * wobble, wobble ** 3)"
    for who in ("ada", "bob"):
        notebook = classroom.sample_learners.answered(classroom.released(UNIT), classroom.solved(UNIT))
        notebook.cells.append(classroom.nbformat.v4.new_code_cell(odd))
        classroom.hand_in(course, UNIT, who, notebook=notebook)
    assert pairs(course) == {("ada", "bob"): {likeness.ELSEWHERE: likeness.EQUAL_TEXT}}


# What never is


def texts_of(exercise, texts):
    """A class in which each text is handed in twice; everybody has written something, all of it shown."""
    given = class_texts.GIVEN
    return [
        HandIn(f"{number} {who}", {exercise: Text(text, given)}, str(number))
        for number, text in enumerate(texts)
        for who in "ab"
    ]


@pytest.fixture(scope="module")
def shown(crowd):
    return class_texts.read(submission.settings(crowd), UNIT).shown


@pytest.mark.parametrize("exercise", ["softmax", "masked_softmax", "attention", "test_attention"])
def test_what_the_course_shows_never_counts(shown, exercise):
    of_others = [
        one["source"].replace(one["source"].split("(")[0], f"def {exercise}")
        for one in OTHERS.get(exercise, [])
    ]
    right, wrong = bank(exercise)
    texts = [classroom.solved(UNIT)[exercise], *of_others, *right, *wrong]
    assert len(texts) > 10
    assert Class(texts_of(exercise, texts), shown).pairs() == []
    assert len(Class(texts_of(exercise, texts[:2]), Shown()).pairs()) > 0, "or nothing would ever be listed"


def test_the_notebook_as_it_was_handed_out_is_nobodys(course):
    for who in ("ada", "bob", "cyd"):
        classroom.hand_in(course, UNIT, who)
    assert pairs(course) == {}


def test_one_line_exercises_are_not_compared(course):
    line = "faulty_map = ('b', 'an odd mistake that I and nobody else have thought of, to be sure')"
    for who in ("ada", "bob"):
        hand_in(course, who, faulty_map=line)
    found = compared(course)
    assert found.pairs == []
    assert found.texts.forced == ["faulty_map"]


def test_what_many_of_a_class_write_is_no_evidence(course):
    for number in range(9):
        hand_in(course, f"friend-{number}", masked_softmax=OWN.replace("Of my own.", f"Of number {number}."))
    assert pairs(course) == {}


def test_who_hands_in_together_is_not_compared_with_each_other_but_with_all_others(course):
    for who in ("ada", "bob", "cyd"):
        hand_in(course, who, masked_softmax=OWN)
    together = [["ada", "bob"]]
    found = compared(course, together=together)
    assert [pair.names for pair in found.pairs] == [("ada", "cyd"), ("bob", "cyd")]
    assert {part.have for pair in found.pairs for part in pair.parts} == {2}
    assert found.compared == 14


def test_the_groups_of_the_term_are_those_who_hand_in_together(course, capsys, monkeypatch):
    for who in ("ada", "bob"):
        hand_in(course, who, masked_softmax=OWN)
    chosen = alike.choices.Choices()
    groups = {UNIT: {"team": ("ada", "bob")}, "04_masking": {"team": ("ada", "cyd")}}
    object.__setattr__(chosen, "groups", groups)  # it is frozen
    monkeypatch.setattr(alike.choices, "read", lambda course: chosen)
    soup, said = page(course, capsys)
    assert not soup("pre")
    assert "0 pairs of 13 hand-ins" in said


def test_a_group_of_the_lms_hands_in_together_whatever_its_members_files_are(course, capsys):
    for who in ("ada", "bob", "cyd"):
        hand_in(course, who, masked_softmax=OWN)
    of = {"ada": "Team 1", "bob": "Team 1", "cyd": "Team 2"}
    collected.keep(course, UNIT, {who: collected.Collected("moodle", "", group=of[who]) for who in of})
    _, said = page(course, capsys)
    assert "2 pairs of 14 hand-ins" in said
    assert "ada and bob" not in said


def test_a_copy_that_is_laid_for_another_of_a_group_is_not_compared(course):
    for who in ("ada", "bob"):
        hand_in(course, who, masked_softmax=OWN)
    assert pairs(course)
    (course / "submitted" / "bob" / UNIT / "group.txt").write_text("ada handed this in.\n1f")
    assert pairs(course) == {}


# Who is asked, and what comes of it


def test_nothing_that_was_handed_in_is_run(course, tmp_path):
    mark = tmp_path / "it ran"
    for who in ("ada", "bob"):
        hand_in(course, who, masked_softmax=f"open({str(mark)!r}, 'w').close()\n{OWN}")
    assert pairs(course)
    assert not mark.exists()


def test_no_other_file_asks_for_it_and_no_mark_depends_on_it():
    theirs = [name for name in test_walls.FILES if name.startswith("grading.alike")]
    likely = [name for name, path in test_walls.FILES.items() if "alike" in path.read_text("utf-8")]
    asking = {name for name in likely if {*test_walls.imported(name)} & {*theirs}} - {*theirs}
    assert asking == {"tests.test_alike", "tools.alike_trial"}


def test_the_page_is_not_for_git():
    done = subprocess.run(["git", "check-ignore", "alike.html"], cwd=classroom.ROOT, capture_output=True)
    assert done.returncode == 0


def test_what_learners_wrote_is_no_markup(course, capsys):
    evil = OWN.replace(
        "Of my own.", "</pre><script>document.title = 'run'</script><img src=x onerror=alert(1)>"
    )
    for who in ("ada", "<b>bob"):
        hand_in(course, who, masked_softmax=evil)
    soup, _ = page(course, capsys)
    assert not soup("script")
    assert not soup("img")
    assert not soup("b")
    assert "document.title = 'run'" in soup.get_text()
    assert "default-src 'none'" in soup.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]


def test_names_and_lines_that_a_terminal_or_a_reader_would_obey_are_shown_as_they_are(course, capsys):
    odd = "b\x1b[31m\u202eob\udcff"
    for who in ("ada", odd):
        hand_in(course, who, masked_softmax=OWN.replace("nobody", "\u202enobody\x07"))
    soup, said = page(course, capsys)
    seen = f"b{GONE}[31m{GONE}ob"
    assert f"ada and {seen}" in said
    assert f"ada, {seen}" in soup.find("h2").get_text()
    assert f"{GONE}nobody{GONE}" in soup.find("pre").get_text()


def test_it_says_that_it_has_names_and_that_nothing_is_concluded(course, capsys):
    hand_in(course, "ada", masked_softmax=OWN)
    soup, said = page(course, capsys)
    assert "has names and answers: keep it to yourself" in said
    text = " ".join(soup.get_text().split())
    assert "Nothing is concluded here, and no mark changes." in text
    assert "This page has names and answers" in text
    assert "No two of them share more than chance explains." in text
    assert "faulty_map" in text


@pytest.mark.needs("browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_small_screen_and_runs_nothing(course, capsys, scheme):
    evil = OWN.replace("Of my own.", "</pre><script>document.title = 'run'</script>" + "long " * 99)
    for who in ("ada", "bob"):
        hand_in(course, who, masked_softmax=evil)
    page(course, capsys)
    with real_browser.chromium() as browser:
        there = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        there.goto((course / "alike.html").as_uri())
        assert there.evaluate("document.documentElement.scrollWidth") == 390
        assert there.title() == "Hand-ins that look alike: 05_softmax"
        assert real_browser.violations(there) == []


# Bad input


def refused(capsys, course, *words):
    assert alike.main([*words, "--course", str(course)]) == 2
    assert not (course / "alike.html").exists()
    return capsys.readouterr().err


def test_an_unknown_unit_is_said_with_those_that_there_are(crowd, capsys):
    assert "did you mean 05_softmax?" in refused(capsys, crowd, "05_softmx")
    assert "The units are 05_softmax." in refused(capsys, crowd)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_cannot_be_compared(tmp_path, capsys, count):
    classroom.fresh_course(tmp_path, [UNIT])
    for _ in range(count):
        hand_in(tmp_path, "ada")
    classroom.hand_in(tmp_path, UNIT, "eve", notebook=b"{")
    said = refused(capsys, tmp_path, UNIT)
    assert f"Two hand-ins of 05_softmax are needed to compare; {count} of {count + 1}" in said
    assert "eve: 05_softmax.ipynb is not JSON" in said


def test_who_cannot_be_read_is_left_out_by_name(course, capsys):
    classroom.hand_in(course, UNIT, "eve", notebook=b'{"cells": [')
    (course / "submitted" / "gus" / UNIT).mkdir(parents=True)
    soup, said = page(course, capsys)
    assert [item.get_text().split(":")[0] for item in soup("li")] == ["eve", "gus"]
    assert "eve is left out: 05_softmax.ipynb is not JSON" in said
    assert "gus is left out: no notebook was handed in, the folder is empty" in said
    assert "12 hand-ins" in said


@pytest.mark.parametrize(
    "source",
    [
        "",
        "(" * 5000,
        "'" * 9,
        "\\",
        "def f(:\n\tx\n  y = '",
        "é = 'ß'\n" * 3000,
        "x = 1\n" * 5000,
        "%%time\n!ls\n1 +",
    ],
    ids=["nothing", "brackets", "quotes", "a backslash", "torn", "letters", "long", "magics"],
)
def test_no_text_is_too_odd_to_be_compared(source):
    one, other = (HandIn(who, {"softmax": Text(source)}) for who in ("ada", "bob"))
    assert [pair.names for pair in Class([one, other], Shown(strangers=30)).pairs()] in ([], [("ada", "bob")])


def test_the_lines_around_what_is_shared_stand_there_of_a_long_text():
    text = Text("\n".join(f"x{at} = {at}" for at in range(1, 200)))
    found = side_by_side.rows(text, {100})
    assert [row.number for row in found] == [0, *range(97, 104), 0]
    assert [row.number for row in found if row.is_shared] == [100]


# How good it is; `python -m tools.alike_trial` has all figures


@pytest.mark.slow
def test_of_the_banks_few_pairs_are_listed_and_most_copies_of_long_answers_are_found():
    got = alike_trial.trial(["masked_softmax", "leaks_future"], ["as it stands", "variables renamed"])
    assert got.honest["both right"] > 150
    assert got.accused["both right"] <= 3
    assert got.accused.total() <= 0.01 * got.honest.total()
    for disguise in ("as it stands", "variables renamed"):
        assert got.planted[disguise, alike_trial.LONG] > 100
        assert got.found[disguise, alike_trial.LONG] >= 0.85 * got.planted[disguise, alike_trial.LONG]


def test_a_class_of_right_answers_in_which_nobody_shares_one_has_hardly_a_pair():
    people = alike_trial.whole_hand_ins("06_multi_head_attention", 1)
    assert len(people) >= 8
    listed = Class(people, Shown()).pairs()
    assert len(listed) <= 1
