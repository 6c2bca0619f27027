"""Name it once, in a class: groups, and the instructor's words in feedback."""

import json
import subprocess
import sys
import tomllib

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from grading import checker, named, report, submission
from grading.analytics import __main__ as analytics
from grading.analytics import groups
from grading.report import Report
from grading.term import basis
from helpers import named_mistakes, own
from helpers.named_mistakes import SHOWN, Named
from helpers.verdict.behaviour import SEED, SIZES
from tests import classroom
from tests.test_named_mistakes import HINT, SAYS, entry, group, over_everything, too_much
from tools import real_browser
from tools.patience import LONGEST

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]
UNIT = "05_softmax"
BEN = '''def softmax(x, axis=-1):
    """Written by Benjamin Quux."""
    # Benjamin Quux, benjamin@example.org
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 0.37 * e.min(axis=axis, keepdims=True))
'''
CYD = """def softmax(x, axis=-1):
    quux = np.exp(x - np.max(x, axis, keepdims=True))
    print("Cyd is here <script>alert(1)</script>")
    return quux / (np.sum(quux, axis, keepdims=True) + quux.min(axis, keepdims=True) * 0.37)
"""
EVE = BEN.replace("0.37 * e.min", "0.11 * e.max")
DAN = "def softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n"
CLASS = {"ben": BEN, "cyd": CYD, "eve": EVE, "dan": DAN, "fay": None}


def run(folder, file, *words):
    """Grade with the course's own command, which finds what the instructor has named in `file`'s folder."""
    code = (
        "import sys; from pathlib import Path; from helpers import own; "
        f"own.FOLDER = Path({str(file.parent)!r}); "
        "from grading.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [UNIT, "--course", str(folder), "--workers", "1", *words]
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=classroom.environ(),
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two make one mistake, one another, one a known one, and one none; graded, nothing named yet."""
    course = classroom.open_course(tmp_path_factory.mktemp("named"), [UNIT])
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        book.add_student("ben", first_name="Benjamin", last_name="Quux")
    right = classroom.solved(UNIT)
    for student, softmax in CLASS.items():
        answers = right | {"attention": "from helpers.reference import attention"}
        classroom.hand_in(course, UNIT, student, answers | ({"softmax": softmax} if softmax else {}))
    done = run(course, course / own.NAMED)
    assert done.returncode == 0, done.stderr
    return course


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(own, "FOLDER", tmp_path)
    return tmp_path / own.NAMED


def page(folder, *words):
    assert analytics.main([*words, "--course", str(folder)]) == 0
    return BeautifulSoup((folder / "analytics.html").read_text("utf-8"), "html.parser")


def feedback(folder, student):
    notebook = nbformat.read(folder / "autograded" / student / UNIT / f"{UNIT}.ipynb", as_version=4)
    return "".join(json.dumps(cell.get("outputs", "")) for cell in notebook.cells)


def when(folder):
    """When each report was written."""
    return {name: report.path_of(folder, UNIT, name).stat().st_mtime_ns for name in CLASS}


def test_answers_that_do_the_same_are_a_group_and_known_mistakes_and_right_answers_are_none(folder, file):
    found = {name: report.read(folder, UNIT, name) for name in CLASS}
    assert {name: one.unnamed.get("softmax") for name, one in found.items()} == {
        **{"ben": group(too_much), "cyd": group(too_much), "dan": None, "fay": None},
        "eve": found["eve"].unnamed["softmax"],
    }
    assert found["ben"].differs["softmax"].startswith("On x = ")
    assert found["dan"].mistakes == {"softmax": "softmax-over-everything"}
    articles = page(folder)("article")
    assert [one.h3.get_text() for one in articles] == [
        f"softmax {group(too_much)}: 2 learners",
        f"softmax {found['eve'].unnamed['softmax']}: 1 learner",
    ]
    assert found["ben"].differs["softmax"] in articles[0].get_text()
    assert "e.max(" in articles[1].pre.get_text()


def test_no_name_stands_there_unless_asked(folder, file):
    for text in (str(page(folder)).casefold(), page(folder)("article")[0].pre.get_text()):
        assert not any(name in text for name in ("benjamin", "quux", "# ", "cyd is here", "alert(1)"))
    assert "ben, cyd" in page(folder, "--names").get_text()


def test_the_words_are_said_to_all_of_a_group_and_to_nobody_else(folder, file):
    before = when(folder)
    file.write_text(entry(group=group(too_much), says=f"<i>{SAYS}</i>"), "utf-8")
    done = run(folder, file)
    assert done.returncode == 0, done.stderr
    assert "3 of 5 are graded and unchanged" in done.stdout
    after = when(folder)
    assert {name for name in CLASS if after[name] != before[name]} == {"ben", "cyd"}
    for name in ("ben", "cyd"):
        assert f"Your instructor says: &lt;i&gt;{SAYS}&lt;/i&gt;" in feedback(folder, name)
        assert f"Hint from your instructor:</b> {HINT}" in feedback(folder, name)
        assert report.read(folder, UNIT, name).says["softmax"] == f"Your instructor says: <i>{SAYS}</i>"
    assert not any("instructor" in feedback(folder, name) for name in ("dan", "eve", "fay"))
    (row,) = [one for one in done.stdout.splitlines() if "Your instructor says" in one]
    assert [row.split()[1], row.split()[-2]] == ["softmax", "2"]
    shown = page(folder)
    (row,) = [one for one in shown.find(class_="said")("tr") if SAYS in one.get_text()]
    said = f"Your instructor says: <i>{SAYS}</i>"
    assert [cell.get_text() for cell in row("td")] == ["softmax", said, "2"]
    assert [one.get_text() for one in shown("h2")[-2:]] == ["What has no name yet", "What you have named"]
    assert f"&lt;i&gt;{SAYS}" in str(shown.find(id="named").find_next("article"))
    assert "5 of 5 are graded and unchanged" in run(folder, file).stdout
    file.unlink()
    assert "3 of 5 are graded and unchanged" in run(folder, file).stdout
    assert "instructor" not in feedback(folder, "ben")


def test_a_file_that_cannot_be_used_stops_the_grader_before_it_grades(folder, file, capsys):
    before = when(folder)
    file.write_text(entry("sofmax"), "utf-8")
    done = run(folder, file, "--all")
    assert done.returncode == 2
    assert f"{SHOWN}, mistake 1: there is no exercise 'sofmax'; the nearest is softmax." in done.stderr
    assert when(folder) == before
    assert analytics.main(["--course", str(folder)]) == 2
    assert "the nearest is softmax" in capsys.readouterr().err


def test_what_the_course_names_itself_and_what_nobody_does_is_said(folder, file):
    known, nearly = group(over_everything), group(too_much)[:-1] + "2"
    file.write_text(entry(group=known) + entry(group=nearly) + entry(group="zzzzz"), "utf-8")
    done = run(folder, file, "--all")
    said = (
        f"{SHOWN}: softmax {known}: the course now names this itself as softmax-over-everything; "
        "the entry is not used any more."
    )
    assert said in done.stdout
    assert (
        f"{SHOWN}: softmax {nearly}: no answer of this class does this: do you mean {group(too_much)}?"
        in (done.stdout)
    )
    assert "zzzzz" not in done.stdout
    assert "instructor" not in feedback(folder, "dan")
    text = page(folder).get_text()
    assert said in text
    assert f"{SHOWN}: softmax zzzzz: no answer of this class does this." in text


def test_groups_are_made_on_the_draw_of_visible_tests():
    assert (checker.SEED, "visible") == (SEED, SIZES)


def test_another_machine_must_have_the_same_words_and_no_mark_depends_on_them(file):
    def both():
        basis.code.cache_clear()
        return basis.code(), basis._sources()

    try:
        without = both()
        file.write_text(entry(), "utf-8")
        assert both()[0] != without[0]
        assert both()[1] == without[1]
    finally:
        basis.code.cache_clear()


def test_what_a_hidden_test_names_and_what_follows_from_another_mistake_is_no_group():
    one = Report("ada", UNIT, unnamed={"softmax": "k3f9a", "attention": "k3f9b"}, mistakes={"softmax": "x"})
    one.follow_on, one.told = {"attention": ["softmax"]}, {"softmax": SAYS, "attention": SAYS}
    assert groups.of_unit(None, UNIT, [one], {}) == []
    assert one.named == {"softmax": "x"}


def test_an_entry_of_another_unit_is_nobodys_fault():
    words = {("dot", "k3f9a"): Named("dot", "k3f9a", SAYS, HINT)}
    assert not list(named.remarks(words, [Report("ada", UNIT)], all_of_them=True))


@pytest.mark.parametrize(
    "text", ["x = 1 # ada", "'''ada'''", "def f():\n    'ada'", "print('it is ada')", "1 +"]
)
def test_comments_and_sentences_are_left_out_of_an_example(text):
    assert "ada" not in groups.bare(text)


def test_a_name_that_an_answer_returns_is_not_shown(folder):
    one = Report("ben", UNIT, unnamed={"softmax": "k3f9a"}, differs={"softmax": "it is the string 'Quux'"})
    (found,) = groups.of_unit(submission.settings(folder), UNIT, [one], {})
    assert (found.students, found.differs) == (["ben"], "")


def test_names_are_found_in_code():
    known = {"ada", "lovelace", "s1234"}
    for text in ("ada_softmax", "adaLovelace", "Ada2", "s1234"):
        assert groups.names_in(text, known)
    assert not groups.names_in("adapt = cascada", known)


@pytest.mark.needs("browser")
def test_the_lines_of_a_group_are_an_entry_that_the_course_reads_once_they_have_words(folder, file):
    file.write_text(entry("dot", says='Kept "as" it is.', hint="</script><b>Look</b>"), "utf-8")
    page(folder)
    with real_browser.chromium() as browser:
        shown = browser.new_page()
        errors = []
        shown.on("pageerror", lambda error: errors.append(error))
        shown.goto((folder / "analytics.html").as_uri())
        lines = shown.locator("article").first.get_by_label("Lines for the file").inner_text()
        assert not errors
        assert not real_browser.violations(shown)
    assert tomllib.loads(lines) == {
        "mistake": [{"exercise": "softmax", "group": group(too_much), "says": "", "hint": ""}]
    }
    with file.open("a", encoding="utf-8") as more:
        more.write(lines.replace('says = ""', f'says = "{SAYS}"').replace('hint = ""', f'hint = "{HINT}"'))
    assert [*named_mistakes.read().values()] == [
        Named("dot", "k3f9a", 'Kept "as" it is.', "</script><b>Look</b>"),
        Named("softmax", group(too_much), SAYS, HINT),
    ]
