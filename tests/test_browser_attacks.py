"""A submission that an instructor opens runs nothing: in the feedback, in Formgrader, in JupyterLab."""

from urllib.parse import quote, urlsplit

import pytest
from nbgrader.api import Gradebook

from tests import classroom, page_attacks
from tests.lanes import at_night
from tests.page_attacks import ADDRESSES, NAMES, NOTEBOOKS, PAGE, RAN, SVG, named, words
from tools import real_browser

pytestmark = [pytest.mark.needs("browser", "sandbox"), pytest.mark.slow]

UNIT = "05_softmax"
NAMED = "prose"
"""Whose name in the LMS is an attack."""

ACTS = """() => [...document.querySelectorAll('*')].flatMap((one) => [...one.attributes]
    .filter(({ name }) => /^on|^data-command|^(.*:)?(href|src|srcdoc|data|(form)?action|content|style)$/
        .test(name))
    .filter(({ name, value }) => name !== 'href' || value[0] !== '#')
    .map(({ name, value }) => `${name} ${value}`))"""
EVERY_CELL = """async () => {
    const notebook = window.jupyterapp.shell.currentWidget.content, found = [];
    for (const [place, cell] of notebook.widgets.entries()) {
        await notebook.scrollToItem(place, 'center');
        await new Promise(requestAnimationFrame);
        for (const one of cell.node.querySelectorAll('*'))
            for (const { name, value } of one.attributes)
                if (/^on|^data-command|^srcdoc$/.test(name) || /^\\s*(javascript|data:text)/i.test(value))
                    found.push(`${name} ${value}`);
    }
    const code = notebook.widgets.map((cell) => cell.model).filter((one) => one.type === 'code');
    return [found, code.filter((one) => one.trusted && one.outputs.length).length];
}"""


def feedback_of(course, student):
    return course / "feedback" / student / UNIT / f"{UNIT}.html"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded course with its feedback; a name as an LMS may have it."""
    folder = classroom.open_course(tmp_path_factory.mktemp("attacked"), [UNIT])
    beside = {"page.html": named(PAGE, "file", "beside"), "picture.svg": named(SVG, "file", "beside")}
    for student, change in NOTEBOOKS.items():
        made = page_attacks.notebook(classroom.released(UNIT), change)
        classroom.hand_in(folder, UNIT, student, notebook=made, files=beside)
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as book:
        book.add_student(NAMED, **{name: named(text, "student", name) for name, text in NAMES.items()})
    done = classroom.grade(folder, UNIT)
    assert done.returncode == 0, done.stdout + done.stderr
    done = classroom.sample_learners.nbgrader(folder, "generate_feedback", UNIT)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def teaching(course):
    with real_browser.instructor(course) as address:
        yield address


@pytest.fixture
def visit(chromium, teaching):
    """A visit of the instructor, who is logged in."""
    with real_browser.Visit(chromium, width=1400, height=1000) as one:
        one.page.goto(teaching.format("api/status"))
        one.start = urlsplit(teaching)._replace(path="", query="").geturl()
        yield one


@pytest.fixture(scope="module")
def numbers(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {one.student.id: one.notebooks[0].id for one in book.assignment_submissions(UNIT)}


@pytest.fixture(scope="module")
def pages(course, numbers):
    """Each page on which somebody sees a submission: its address, `@` for where Formgrader begins."""
    feedback = {
        f"feedback of {one}": (course / "feedback" / one / UNIT / f"{UNIT}.html").as_uri()
        for one in NOTEBOOKS
    }
    formgrader = {f"Formgrader's page of {one}": f"@submissions/{numbers[one]}/" for one in NOTEBOOKS}
    lists = ("manage_assignments", f"manage_submissions/{UNIT}", "gradebook", "manage_students")
    lists += (f"gradebook/{UNIT}/{UNIT}", f"manage_students/{NAMED}", f"manage_students/{NAMED}/{UNIT}")
    return {**feedback, **formgrader, **{f"Formgrader's {one}": f"@{one}" for one in lists}}


@pytest.fixture(scope="module")
def acting(chromium, teaching, pages):
    """What asks for something, or waits to be clicked, by page."""
    found = {}
    with real_browser.Visit(chromium, width=1400, height=1000) as visit:
        visit.page.goto(teaching.format("api/status"))
        for name, address in pages.items():
            visit.outside.clear()
            visit.page.goto(address.replace("@", teaching.partition("{}")[0] + "formgrader/"))
            visit.page.wait_for_load_state("networkidle")
            found[name] = [*visit.outside, *visit.page.evaluate(ACTS)]
    return found


@pytest.mark.parametrize("word", words())
def test_nothing_of_it_is_asked_for_or_waits_for_a_click(acting, word):
    assert {name: one for name, seen in acting.items() for one in seen if word in one} == {}


def test_a_page_of_feedback_runs_no_script_whatever_is_in_it(course, chromium, tmp_path):
    """The wall behind the other: what would be there if a learner's HTML were left as it is."""
    page = feedback_of(course, "prose").read_text("utf-8")
    loud = "".join(
        named(text, "wall", name) for name, text in page_attacks.MARKUP.items() if "script" not in name
    )
    assert "<body>" in page
    (tmp_path / "page.html").write_text(page.replace("<body>", f"<body>{named(PAGE, 'wall', 'page')}{loud}"))
    with real_browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "page.html").as_uri())
        visit.page.wait_for_load_state("networkidle")
        assert [one for one in visit.outside if one.startswith(RAN)] == []
        assert [one for one in visit.outside if "refresh" not in one] == []


def test_the_panels_of_checks_are_shown(chromium, course, visit, numbers):
    for address in (
        feedback_of(course, "answers").as_uri(),
        f"{visit.start}/formgrader/submissions/{numbers['answers']}/",
    ):
        visit.page.goto(address)
        panels = visit.page.locator(".output_html")
        said = " ".join(panels.all_inner_texts())
        assert "softmax is not right yet" in said
        assert "softmax_with_temperature is not right yet" in said
        shown = panels.filter(has_text="softmax_with_temperature is not right yet").first
        assert shown.locator("table").count() >= 2
        style = shown.locator("[style*=border-left]").first.evaluate(
            "(one) => getComputedStyle(one).borderLeftStyle"
        )
        assert style == "solid"


@pytest.mark.parametrize("student", ADDRESSES)
def test_an_address_of_formgrader_is_no_script(visit, student):
    visit.page.goto(f"{visit.start}/formgrader/manage_students/{quote(student)}")
    visit.page.wait_for_load_state("networkidle")
    assert visit.page.locator(".breadcrumb .active").inner_text() == student
    assert visit.outside == []


@pytest.mark.parametrize("place", ["formgrader/submissions/@", f"files/submitted/prose/{UNIT}"])
@pytest.mark.parametrize("file", ["page.html", "picture.svg"])
def test_a_file_beside_runs_nothing_with_the_rights_of_the_instructor(visit, numbers, place, file):
    address = f"{visit.start}/{place.replace('@', numbers['prose'])}/{file}"
    answer = visit.page.request.get(address, headers={"Referer": visit.start})
    assert answer.ok
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy
    assert "allow-same-origin" not in policy


@pytest.mark.parametrize(
    ("tree", "student"),
    [
        ("submitted", "about"),
        at_night("autograded", "outputs"),
        at_night("autograded", "prose"),
        at_night("submitted", "outputs"),
        at_night("submitted", "prose"),
        at_night("autograded", "about"),
    ],
)
def test_jupyterlab_trusts_no_submission(visit, tree, student):
    real_browser.Notebook(visit.page, f"{visit.start}/lab/tree/{tree}/{student}/{UNIT}/{UNIT}.ipynb?reset")
    found, trusted = visit.page.evaluate(EVERY_CELL)
    assert [one for one in found if "-it" in one] == []
    assert trusted == 0
    assert [one for one in visit.outside if one.startswith(RAN)] == []
