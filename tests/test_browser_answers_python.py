"""Python for answers on the pages, in a real browser: its first verdict, and what is said where it fails."""

import contextlib
import http.server
import json
import threading
import time
from collections import Counter

import pytest

from helpers import CheckFailed, check
from tools import real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "model", "pyodide"), pytest.mark.slow]

WRONG = "def double(x):\n    return 3 * x"
RIGHT = "def double(x):\n    return 2 * x"
ENDLESS = "while True:\n    pass"
PAGE = b'<!doctype html><html lang="en"><meta charset="utf-8"><title>An answer</title><p>An answer</p></html>'

SCRIPT = """() => {
    let number = 0;
    window.steps = [];
    window.begin = async ({ kept = false } = {}) => {
        const begun = performance.now();
        const keeping = kept ? import("/site/python/keep.js") : Promise.reject();
        const keeps = await keeping.then(({ keep }) => keep(), () => null);
        const worker = window.worker = new Worker("/site/python/worker.js", { type: "module" });
        const waiting = new Map();
        worker.onmessage = ({ data: { id, progress, result, error } }) => {
            if (progress) return steps.push(progress);
            waiting.get(id)({ ...(result ?? { error }), keeps, seconds: (performance.now() - begun) / 1000 });
        };
        window.ask = (call, words) => new Promise((done) => {
            waiting.set(++number, done);
            worker.postMessage({ id: number, call, answers: {}, rung: 1, ...words });
        });
    };
    window.first = async (words, how) => {
        await begin(how);
        return ask("check", words);
    };
}"""


class Host:
    """A host of the site below `/site/`, and of an empty page beside it.

    Attributes:
        asked: how many bytes of each file it has sent, by its name, and how often.
        spoilt: what is done to a file's bytes, by the end of its name; `None` gives 404.
        before: what is put before a script, by its name.
    """

    def __init__(self, site):
        self.site = site
        self.fresh()

    def fresh(self):
        self.asked, self.times, self.spoilt, self.before = Counter(), Counter(), {}, {}
        self.lock = threading.Lock()

    def answer(self, handler):
        path = handler.path.split("?")[0]
        name = path.rpartition("/")[2]
        data = PAGE if path == "/page.html" else self.read(path)
        for end, spoil in self.spoilt.items():
            if path.endswith(end) and data is not None:
                data = spoil(data)
        with self.lock:
            self.asked[name] += len(data or b"")
            self.times[name] += 1
        handler.send_response(404 if data is None else 200)
        handler.send_header("Content-Type", handler.guess_type(path))
        handler.send_header("Content-Length", str(len(data or b"")))
        handler.end_headers()
        with contextlib.suppress(BrokenPipeError):  # the worker has ended
            handler.wfile.write(data or b"")

    def read(self, path):
        file = self.site / path.removeprefix("/site/")
        if not file.is_file():
            return None
        return self.before.get(file.name, b"") + file.read_bytes()


@pytest.fixture(scope="module")
def served(site):
    host = Host(site)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            host.answer(self)

    with real_browser.serving(Handler) as address:
        yield host, address


@pytest.fixture
def host(served):
    served[0].fresh()
    return served[0]


@pytest.fixture
def visit(chromium, served):
    with real_browser.Visit(chromium) as one:
        opened(one, served[1])
        yield one
        assert one.outside == []


@pytest.fixture(scope="module")
def begun(chromium, served):
    """A page whose Python has begun, which takes five seconds: for tests that leave it as it was."""
    served[0].fresh()
    with real_browser.Visit(chromium) as one:
        opened(one, served[1])
        one.page.evaluate("() => begin()")
        asked(one, "begin")
        yield one
        assert one.outside == []


def opened(visit, address):
    visit.page.goto(f"{address}/page.html")
    visit.page.evaluate(SCRIPT)


def first(visit, source, exercise="double", **how):
    return visit.page.evaluate(
        "([words, how]) => first(words, how)", [{"exercise": exercise, "source": source}, how]
    )


def asked(visit, call, **words):
    return visit.page.evaluate("([call, words]) => ask(call, words)", [call, words])


def told(what, found, host):
    size, many = sum(host.asked.values()), sum(host.times.values())
    print(f"{what}: {found['seconds']:.2f} s, {size / 1e6:.1f} MB, {many} requests")


def test_the_first_verdict_and_what_comes_after(visit, host):
    found = first(visit, WRONG)
    told("first verdict, nothing kept", found, host)
    assert (found["passed"], found["misconception"]) == (False, "constant-factor")
    scope = {}
    exec(WRONG, scope)
    with pytest.raises(CheckFailed) as failed:
        check("double", scope["double"], seed=0)
    assert found["text"].split("\n")[:2] == str(failed.value).split("\n")[:2]
    assert "✗ double is not right yet." in found["html"]
    assert "Traceback" not in json.dumps(found)

    right = asked(visit, "check", exercise="double", source=f"print('here')\n{RIGHT}")
    assert (right["passed"], right["text"], right["printed"]) == (True, "double: right.", "here\n")
    unfinished = asked(visit, "check", exercise="double", source="def double(x):\n    return 2 * (x")
    assert "SyntaxError: '(' was never closed (line 2: `return 2 * (x`)" in unfinished["text"]
    hint = asked(visit, "hint", exercise="double", rung=2)
    assert hint["text"].startswith("Hint 2 of 4: ")
    begun = asked(visit, "begin")
    assert begun["seconds"] > 0

    steps = visit.page.evaluate("steps")
    assert steps[-1]["done"] <= steps[-1]["total"]
    assert [one["done"] for one in steps] == sorted(one["done"] for one in steps)
    for part in ("matplotlib", "compiled_cells", "compiled_later"):
        assert [name for name in host.asked if name.startswith(part)] == []


def test_earlier_answers_go_along(begun, host):
    attention = (
        "def attention(Q, K, V, allowed=None):\n"
        "    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(K.shape[-1])\n"
        "    weights = masked_softmax(scores, np.True_ if allowed is None else allowed)\n"
        "    return weights @ V, weights"
    )
    found = asked(begun, "check", exercise="attention", source=attention)
    assert (found["passed"], found["lent"]) == (True, ["masked_softmax"])
    mine = "def masked_softmax(scores, allowed):\n    return reference.masked_softmax(scores, allowed)"
    found = asked(
        begun, "check", exercise="attention", source=attention, answers={"masked_softmax": mine, "dot": "no"}
    )
    assert (found["passed"], found["lent"]) == (True, [])


def test_where_it_first_differs_can_be_unfolded(begun, host):
    wrong = (
        "def attention(Q, K, V, allowed=None):\n"
        "    weights = masked_softmax(Q @ K.swapaxes(-2, -1), np.True_ if allowed is None else allowed)\n"
        "    return weights @ V, weights"
    )
    found = asked(begun, "check", exercise="attention", source=wrong)
    begun.page.evaluate(
        """(html) => {
            document.body.innerHTML = html;
            for (const one of document.querySelectorAll("script")) {
                const alive = document.createElement("script");
                alive.textContent = one.textContent;
                one.replaceWith(alive);
            }
        }""",
        found["html"],
    )
    begun.page.get_by_text("See where yours first differs").click()
    begun.page.get_by_text("First wrong in weights").wait_for()


def test_an_endless_loop_ends_with_its_worker(visit, host):
    visit.page.evaluate("() => begin()")
    asked(visit, "begin")
    visit.page.evaluate(
        "(source) => { ask('check', { exercise: 'double', source }); }", f"import time\n{ENDLESS}"
    )
    visit.page.evaluate("worker.terminate()")
    assert first(visit, RIGHT)["passed"]


def test_an_endless_answer_is_told(begun, host):
    found = asked(begun, "check", exercise="dot", source="def dot(a, b):\n    while True:\n        pass")
    assert (found["passed"], found["misconception"]) == (False, "never-ends")


def test_the_second_visit_asks_for_nothing_and_works_offline(visit, host, served):
    found = first(visit, WRONG, kept=True)
    told("first verdict, first visit", found, host)
    assert found["keeps"] is True
    opened(visit, served[1])
    host.fresh()
    found = first(visit, WRONG, kept=True)
    told("first verdict, second visit", found, host)
    assert not found["passed"]
    of_the_page = {"page.html", "favicon.ico", "keep.js", "service-worker.js", "worker.js"}
    assert set(host.asked) <= of_the_page
    opened(visit, served[1])
    visit.page.context.set_offline(True)
    found = first(visit, WRONG, kept=True)
    told("first verdict, offline", found, host)
    assert found["misconception"] == "constant-factor"


def test_other_exercises_of_the_unit_work_offline_too(visit, host):
    first(visit, "def dot(a, b):\n    return (a * b).sum()", "dot", kept=True)
    deadline = time.monotonic() + real_browser.PATIENCE
    while not host.asked["best_match.npz"] and time.monotonic() < deadline:
        visit.page.wait_for_timeout(50)
    visit.page.wait_for_function(
        "async () => Boolean(await caches.match('/site/python/recorded/best_match.npz'))"
    )
    visit.page.context.set_offline(True)
    right = "def best_match(query, keys):\n    return int((keys @ query).argmax())"
    assert asked(visit, "check", exercise="best_match", source=right)["passed"]


MISSING = ("wasm32.whl", "none-any.whl", "stdlib.zip", "asm.wasm")
"""How the files of NumPy, of the course, of Python's library and of Pyodide itself end."""


def test_parts_that_do_not_come_are_told_and_asked_for_again(visit, host):
    for part in MISSING:
        host.spoilt = {part: lambda data: None}
        error = first(visit, RIGHT)["error"]
        assert error["reason"] == "network"
        assert error["message"].startswith("Python did not come: the connection ended. Your text is kept.")
    host.spoilt = {}
    assert first(visit, RIGHT)["passed"]


def test_a_part_that_is_damaged(visit, host):
    host.spoilt = {"wasm32.whl": lambda data: data[:-9] + bytes(9)}
    error = first(visit, RIGHT)["error"]
    assert error["reason"] == "checksum"
    assert error["message"].startswith("A part of Python came damaged. Your text is kept.")


def test_right_results_that_do_not_come(begun, host):
    host.spoilt = {"double.npz": lambda data: None}
    assert asked(begun, "check", exercise="double", source=RIGHT)["error"]["reason"] == "network"
    host.spoilt = {}
    assert asked(begun, "check", exercise="double", source=RIGHT)["passed"]


def test_no_exercise_of_that_name_is_an_error_of_python(begun, host):
    assert asked(begun, "check", exercise="dubble", source=RIGHT)["error"]["reason"] == "python"


def test_a_browser_that_keeps_nothing(visit, host, served):
    forbids = "const open = () => Promise.reject(new DOMException('forbidden', 'SecurityError'));\n"
    forbids += "Object.defineProperty(self, 'caches', { value: { open, keys: open, match: open } });\n"
    host.before = {"service-worker.js": forbids.encode()}
    assert first(visit, RIGHT, kept=True)["passed"]
    opened(visit, served[1])
    assert first(visit, RIGHT, kept=True)["passed"]


def test_a_browser_without_service_workers(chromium, served, host):
    with real_browser.Visit(chromium) as visit:
        visit.page.add_init_script("delete Navigator.prototype.serviceWorker")
        opened(visit, served[1])
        found = first(visit, RIGHT, kept=True)
        assert (found["passed"], found["keeps"]) == (True, False)
