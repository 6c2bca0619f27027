"""A unit's way through a real JupyterHub: released, fetched, answered, handed in, graded, given back."""

import csv
import json
import socket
import subprocess
from types import SimpleNamespace

import pytest

from tests import hub
from tests.classroom import solved
from tools import real_browser
from tools.patience import PATIENCE
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("hub", "users", "browser", "sandbox"), pytest.mark.nightly]
COURSE, UNIT, EXERCISE = "attention-course", "00_start_here", "double"
FETCHED = f"{COURSE}/{UNIT}/{UNIT}.ipynb"
RIGHT = f"{solved(UNIT)[EXERCISE]}\n# by lena alone"
WRONG = "def double(x):\n    return x + 1\n# by omar alone"


class Desk:
    """A browser in which somebody is logged in at the hub."""

    def __init__(self, one, user, chromium):
        self.hub, self.user, self.visit = one, user, real_browser.Visit(chromium, width=1300, height=900)
        self.page = self.visit.page
        self.page.goto(f"{one.url}/hub/login?next=/hub/spawn/{user}")
        self.page.get_by_label("Username").fill(user)
        self.page.get_by_label("Password").fill(one.password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(f"**/user/{user}/**")

    def goto(self, path):
        self.page.goto(f"{self.hub.url}/user/{self.user}/{path}")

    def formgrader(self, button):
        """Press one of Formgrader's buttons in the unit's row; gives what it says then."""
        self.goto("formgrader/manage_assignments")
        self.page.locator("tr", has_text=UNIT).locator(f"td.{button} a").click()
        said = self.page.locator(".modal-dialog:visible")
        said.wait_for()
        return said.inner_text()

    def list(self, button, then):
        """Press a button of the Assignment List, and wait for what is there afterwards."""
        self.goto("lab?reset")
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
        self.page.locator(".lm-Menu-itemLabel", has_text="Assignment List").click()
        self.page.get_by_role("button", name=button, exact=True).click()
        self.page.locator(".nbgrader-mainarea-widget").get_by_text(then).first.wait_for()


def handed_in(session):
    """What the Assignment List knows of a learner's hand-ins."""
    rows = session.get(f"assignments?course_id={COURSE}").json()["value"]
    return [one for row in rows if row["status"] == "submitted" for one in row["submissions"]]


def answer(session):
    """Write an answer into the fetched notebook and save it, as JupyterLab does."""
    notebook = session.get(f"api/contents/{FETCHED}").json()["content"]
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == EXERCISE:
            cell["source"] = WRONG
    session.put(f"api/contents/{FETCHED}", {"type": "notebook", "format": "json", "content": notebook})


@pytest.fixture(scope="module")
def place():
    with hub.prepared() as one:
        yield one


@pytest.fixture(scope="module")
def term(place, chromium):
    """The whole way, for one learner through the browser's buttons, for the other through HTTP."""
    with hub.running(place) as one:
        lena, omar = one.learners
        teacher = Desk(one, one.teacher, chromium)
        for button in ("assign", "release"):
            assert "Success" in teacher.formgrader(button)

        desk = Desk(one, lena, chromium)
        desk.list("Fetch", "Submit")
        notebook = real_browser.Notebook(desk.page, f"{one.url}/user/{lena}/lab/tree/{FETCHED}?reset")
        notebook.run("set-up")
        notebook.write(EXERCISE, RIGHT)
        notebook.run(EXERCISE)
        assert "double is right." in notebook.run(f"{EXERCISE}-test").inner_text()
        notebook.save()
        desk.list("Submit", "Fetch Feedback")

        session = hub.Session(one, omar)
        for action in ("fetch", "submit"):
            assert session.post(f"assignments/{action}", course_id=COURSE, assignment_id=UNIT).ok
            if action == "fetch":
                answer(session)
        assert len(handed_in(session)) == 1

        assert "Success" in teacher.formgrader("collect")
        graded = one.run(one.teacher, "python", "-m", "grading", UNIT, "--course", ".", cwd=one.course())
        exported = one.run(one.teacher, "nbgrader", "export", cwd=one.course())
        assert exported.returncode == 0, exported.stderr
        for button in ("generate-feedback", "release-feedback"):
            assert "Success" in teacher.formgrader(button)

        desk.list("Fetch Feedback", "view feedback")
        assert session.post("assignments/fetch_feedback", course_id=COURSE, assignment_id=UNIT).ok
        given_back = session.get(f"files/{handed_in(session)[0]['local_feedback_path']}/{UNIT}.html").text
        yield SimpleNamespace(
            hub=one, lena=lena, omar=omar, session=session, graded=graded, given_back=given_back,
            visits={"the instructor": teacher.visit, "a learner": desk.visit},
        )  # fmt: skip
        teacher.visit.close()
        desk.visit.close()


@pytest.mark.parametrize("further", [0, 1, 81])
def test_a_port_in_use_is_named_in_one_sentence(place, further):
    for _ in range(9):  # others may have one of the three, which is named then
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            place.port = port - further
            done = subprocess.run(place.command(), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode != 0
        said = done.stderr.strip().splitlines()
        assert len(said) == 1, done.stderr
        if said[0].startswith(f"The hub does not start: port {port} "):
            break
    assert said[0].startswith(f"The hub does not start: port {port} ")
    assert "in use" in said[0]
    assert "HUB_PORT" in said[0]


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("HUB_GROUP", "no-such-group", "groupadd no-such-group"),
        ("HUB_INSTRUCTOR", "nosuchuser", "useradd --create-home"),
        ("HUB_INSTRUCTOR", "nobody", "nobody is not in the group"),
        ("HUB_COURSE_FOLDER", "~/elsewhere", "elsewhere/nbgrader_config.py"),
        ("HUB_PORT", "eight", "HUB_PORT is eight"),
    ],
)
def test_a_hub_that_lacks_something_says_what(place, setting, value, expected):
    done = subprocess.run(place.command(**{setting: value}), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode != 0
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_course_that_learners_cannot_reach_is_named_before_they_try(place):
    closed = place.place / "closed"
    hub.as_root("mkdir", "--mode=700", closed)
    hub.as_root("cp", "-r", ROOT / "docs" / "hub", closed)
    command = place.command(settings=closed / "hub" / "jupyterhub_config.py")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode != 0
    assert f"learners cannot reach {closed}/hub/learner, since {closed} is closed to them" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_both_are_graded_in_the_sandbox(term):
    assert term.graded.returncode == 0, term.graded.stdout + term.graded.stderr
    with_marks = term.hub.run(term.hub.teacher, "cat", term.hub.course() / "grades.csv").stdout
    marks = {
        row["student_id"]: float(row["score"])
        for row in csv.DictReader(with_marks.splitlines())
        if row["score"]
    }
    assert marks == {term.lena: 1.0, term.omar: 0.0}


def test_feedback_comes_back_to_whom_it_is_for(term):
    assert "# by omar alone" in term.given_back
    assert "BEGIN HIDDEN TESTS" in term.given_back, "docs/hub.md says that feedback shows them"
    folder = term.hub.home(term.lena) / COURSE / UNIT / "feedback"
    found = term.hub.run(term.lena, "sh", "-c", f"cat {folder}/*/{UNIT}.html").stdout
    assert "# by lena alone" in found
    assert "omar" not in found
    assert "lena" not in term.given_back


def test_learners_read_nothing_of_the_instructors_and_nothing_of_each_other(term):
    one, inbound = term.hub, term.hub.state / "exchange" / COURSE / "inbound"
    course = one.course()
    private = [
        one.home(one.teacher),
        course,
        course / "solutions" / UNIT / f"{UNIT}.ipynb",
        course / "gradebook.db",
    ]
    private += [course / "submitted", course / "feedback", course / "reports", course / "grades.csv"]
    private += [
        inbound,
        inbound.parent / "feedback",
        one.state / "hub",
        one.state / "hub" / "jupyterhub.sqlite",
    ]
    private += [ROOT / name for name in hub.kept_from_learners() if (ROOT / name).is_dir()]
    for user, other in ((term.lena, term.omar), (term.omar, term.lena)):
        for path in (*private, one.home(other), one.home(other) / FETCHED):
            assert one.tries(user, path) == "PermissionError", (user, path)
        assert one.tries(user, one.home(user) / FETCHED).startswith("{"), (
            "a try that cannot succeed shows nothing"
        )
    assert len(hub.as_root("ls", inbound).splitlines()) == 2  # the names, which are the key to what is in it
    assert one.tries(one.teacher, inbound).startswith("[")


def test_what_learners_get_holds_no_hidden_test_and_no_answer(term):
    released = term.hub.tries(
        term.omar, term.hub.state / "exchange" / COURSE / "outbound" / UNIT / f"{UNIT}.ipynb"
    )
    source = json.loads(hub.as_root("cat", term.hub.course() / "solutions" / UNIT / f"{UNIT}.ipynb"))
    assert "BEGIN HIDDEN" in json.dumps(source)
    assert json.loads(released)["cells"]
    assert "HIDDEN" not in released
    assert json.dumps(solved(UNIT)[EXERCISE])[1:-1] not in released


def test_a_learners_server_opens_to_nobody_else_and_has_no_formgrader(term):
    assert term.session.get("api/contents").status_code == 200
    assert term.session.get("formgrader/manage_assignments").status_code == 404
    for other, path in (
        (term.lena, "lab"),
        (term.lena, f"api/contents/{FETCHED}"),
        (term.hub.teacher, "formgrader/manage_assignments"),
        (term.hub.teacher, f"files/solutions/{UNIT}/{UNIT}.ipynb"),
    ):
        answer = term.session.get(path, user=other)
        assert answer.status_code in (403, 404), (other, path, answer.status_code)
        assert "BEGIN HIDDEN" not in answer.text
    assert term.session.http.get(f"{term.hub.url}/hub/admin", timeout=PATIENCE).status_code == 403


def test_the_folders_are_as_closed_as_nbgrader_lets_them_be(term):
    exchange = term.hub.state / "exchange"
    modes = {".": 0o1777, COURSE: 0o755, f"{COURSE}/inbound": 0o1733, f"{COURSE}/feedback": 0o711}
    assert {name: hub.mode(exchange / name) for name in modes} == modes
    assert hub.mode(term.hub.state) == 0o750
    assert term.hub.tries("nobody", exchange) == "PermissionError"


def test_the_console_stays_empty(term):
    for who, visit in term.visits.items():
        assert visit.errors == [], who
        assert visit.outside == [], who
