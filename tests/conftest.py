"""What the tests share: which of them run, what is said of the others, and PyTorch on one thread.

Slow tests run with `--everything`, those of the night with `--nightly`, or when they are asked for by file or
by `-k`. A test that needs what this machine has not got is left out by name (`pytest.mark.needs`);
`--nothing-left-out` makes that an error.
"""

import gc
import os
import re
import sys
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock

from tests.cpu_seconds import CpuSeconds
from tools import needs
from tools.shell import call_name

# Before anything imports PyTorch, and for the processes that tests start: more threads are slower here.
os.environ["OMP_NUM_THREADS"] = "1"

LACKS = "needs "
NEEDS_SANDBOX = re.compile(r"^pytestmark = \[?[^\]]*needs\([^)]*\"sandbox\"", re.MULTILINE)
LONGEST_FIRST = {
    "test_site.py": True,  # builds the site
    "test_unit_07.py": True,  # a decoder for each seed
    "test_browser_attacks.py": True,
    "test_page_verdicts.py": True,
    "test_cells_backward.py": True,
    "test_pages_lines.py": True,  # servers that look for a free port: two at once may find the same one
    "test_nbgrader.py": True,
    "test_teeth.py": False,
    "test_stand_in_verdicts.py": False,
    "test_exercise_scaffold.py": True,  # a copy of the course with two exercises more
    "test_grading_machines.py": False,
    "test_grading_kill.py": False,
    "test_grading_faults.py": True,  # grade a class each, before their tests look at it
    "test_grading_class.py": True,
    "test_grading_term.py": True,
    "test_grading_trouble.py": True,
    "test_lms_whole_way.py": False,
    "test_grading_attacks.py": True,
    "test_grading_sandbox.py": True,
    "test_hub.py": True,  # JupyterHub with three servers
    "test_browser_lab.py": True,  # JupyterLab
    "test_browser_first_screen.py": True,  # a clone with two servers
    "test_browser_teach.py": True,  # the same with one
    "test_make_it_yours.py": True,  # a copy of the course, changed in every way
    "test_browser_killed.py": False,
    "test_browser_cells.py": True,  # from here to the next remark: the site, when it has been built
    "test_browser_answers.py": True,
    "test_browser_answers_python.py": True,
    "test_browser_look_inside.py": True,
    "test_browser_review.py": True,
    "test_site_looks.py": True,
    "test_browser_impostor.py": True,
    "test_packed_model.py": True,
    "test_browser_views.py": True,  # a browser
    "test_browser_live_model.py": True,  # a browser, and the packed model
    "test_live_engine.py": True,  # the packed model
    "test_answers.py": False,
    "test_marks_now.py": True,  # grade a class each
    "test_marks_for_people.py": True,
    "test_grading_named.py": True,
    "test_grading_tellings.py": True,
    "test_grading_impostors.py": True,  # a process that is warm
    "test_review_page.py": True,  # all questions of the page
    "test_stand_in.py": True,  # what two processes say
    "test_failed_cells.py": True,  # a kernel
    "test_on_page.py": True,
    "test_set_up_first.py": True,
    "test_unspoilt.py": True,
    "test_first_difference.py": True,
    "test_loom.py": True,  # a browser
    "test_browser_first_difference.py": True,
    "test_browser_trace.py": True,
    "test_browser_units.py": True,
    "test_walls.py": True,  # every file is parsed once
}
"""Files with long tests, in the order they begin: begun last, one would end alone. `True`: what its tests
share is made once for the file, or its tests would meet, so they stay in one process."""

ALL_SLOW = re.compile(r"^pytestmark = \[?[^\]]*pytest\.mark\.(slow|nightly)\b", re.MULTILINE)

_unread = pytest.StashKey[list]()
_to_the_night = pytest.StashKey[Counter]()


def pytest_addoption(parser):
    parser.addoption("--everything", action="store_true", help="run the slow tests too")
    parser.addoption("--nightly", action="store_true", help="run what the gate leaves to the night")
    parser.addoption(
        "--nothing-left-out", action="store_true", help="fail where something that tests need is not here"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: runs with --everything, or when it is asked for")
    config.addinivalue_line("markers", "nightly: others' packages, many draws, whole sweeps; with --nightly")
    config.addinivalue_line("markers", "needs(name, ...): what must be on the machine, see tools/needs.py")
    config.pluginmanager.register(CpuSeconds(config))
    config.stash[_unread] = []
    config.stash[_to_the_night] = Counter()
    if config.getoption("--nothing-left-out"):
        wanted = needs.BY_NAME if config.getoption("--nightly") else needs.GATE
        if missing := [need for need in needs.lacking(wanted) if not need.optional]:
            names = ", ".join(need.what for need in missing)
            raise pytest.UsageError(f"{names} is missing, nothing may be left out: {needs.line_for(missing)}")


def pytest_ignore_collect(collection_path, config):
    """Leave files of slow tests alone where nobody asked for them; on Windows, what needs the sandbox too.

    Such files take seconds to import, and on Windows what the sandbox is made of cannot be imported at all.
    """
    if collection_path.suffix != ".py":
        return None
    text = collection_path.read_text("utf-8")
    if os.name == "nt" and NEEDS_SANDBOX.search(text):
        config.stash[_unread].append(collection_path.name)
        return True
    return True if quick(config) and ALL_SLOW.search(text) else None


def lanes(config):
    """Which lanes run: each test is in one, so that what the gate leaves out is what the night runs."""
    asked = {"quick", "slow"} if config.getoption("--everything") else set()
    asked |= {"nightly"} if config.getoption("--nightly") else set()
    files = (str(argument).partition("::")[0] for argument in config.invocation_params.args)
    named = any(map(config.getoption, ("keyword", "markexpr"))) or any(name.endswith(".py") for name in files)
    return asked or ({"quick", "slow", "nightly"} if named else {"quick"})


def lane(item):
    """A test's lane."""
    return next((mark for mark in ("nightly", "slow") if item.get_closest_marker(mark)), "quick")


def quick(config):
    """Whether only the quick tests are wanted: nobody asked for all, nor for some by name."""
    return lanes(config) == {"quick"}


def pytest_collection_modifyitems(config, items):
    running = lanes(config)
    left = [item for item in items if lane(item) not in running]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if lane(item) in running]
    night = Counter(item.nodeid.partition("[")[0] for item in left if lane(item) == "nightly")
    config.stash[_to_the_night] = night
    getattr(config, "workeroutput", {})["to the night"] = dict(night)
    place = {name: number for number, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: place.get(item.path.name, len(place)))
    for item in items:
        wanted = {name for mark in item.iter_markers("needs") for name in mark.args}
        if missing := needs.lacking(wanted):
            names = ", ".join(need.name for need in missing)
            item.add_marker(pytest.mark.skip(reason=f"{LACKS}{names}"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Let no garbage collection look at what is collected: it is here until the end, and it is much.

    Some checks collect garbage, to measure memory: with all tests at hand that took them 15 times as long.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out single tests in order, but those of some files all to one process.

    xdist's own groups do nothing under pytest 9.2, which no longer lets a plugin rename tests.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            name = Path(nodeid.partition("::")[0]).name
            return name if LONGEST_FIRST.get(name) else nodeid

    config.option.loadscopereorder = False
    return Together(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Hear what is left to the night: beside xdist's processes, the one that says so collects nothing."""
    node.config.stash[_to_the_night] |= Counter(getattr(node, "workeroutput", {}).get("to the night"))


def _cases(tests):
    return [f"{test} ({times} cases)" if times > 1 else test for test, times in sorted(tests.items())]


def pytest_terminal_summary(terminalreporter, config):
    """Say which tests were left out, with the one line that brings what they need, and which to the night."""
    if hasattr(config, "workerinput"):
        return
    say = terminalreporter.write_line
    left = defaultdict(Counter)
    for report in terminalreporter.stats.get("skipped", ()):
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
        if reason.startswith(f"Skipped: {LACKS}"):
            left[reason.removeprefix(f"Skipped: {LACKS}")][report.nodeid.partition("[")[0]] += 1
    for name in config.stash[_unread]:
        left["sandbox"][f"tests/{name}"] += 1
    if left:
        missing = needs.lacking({name for names in left for name in names.split(", ")})
        count = sum(sum(tests.values()) for tests in left.values())
        wants = ", ".join(one.what for one in missing)
        terminalreporter.section(f"left out: {count} tests, for want of {wants}")
        for names, tests in sorted(left.items()):
            for test in _cases(tests):
                say(f"{test} needs {names}")
        say(f"To run them too: {needs.line_for(missing)}")
    night = config.stash[_to_the_night]
    if quick(config):
        say(f"The slow tests were not asked for: `{call_name('test', '--everything')}` runs them too.")
    elif night:
        terminalreporter.section(f"left to the night: {night.total()} tests")
        for test in _cases(night):
            say(test)
        at_night = call_name("test", "--nightly")
        say("They look at other people's packages, at many draws, or at the rest of a sweep.")
        say(f"`{at_night}` runs them.")


@pytest.fixture(autouse=True)
def computing_counts(monkeypatch):
    """Seconds that an answer may take are those it computes, as where marks depend on it: others work too."""
    if probe := sys.modules.get("helpers.beside.probe"):
        counts = partial(probe.time_limit, cpu=True)
        monkeypatch.setattr(probe, "time_limit", lambda seconds, cpu: counts(seconds))


@pytest.fixture(autouse=True)
def same_draws(request):
    """What a file draws is the same whichever of its tests run, and in whichever order."""
    if rng := getattr(request.module, "RNG", None):
        rng.bit_generator.state = type(rng.bit_generator)(0).state


@pytest.fixture(scope="module")
def desk():
    """A process in which commands of the grader and of nbgrader run one after the other."""
    from tests import classroom

    one = classroom.Desk()
    yield one
    one.close()


@pytest.fixture(scope="session")
def templates(tmp_path_factory):
    """Where `lms_files.course` keeps the empty gradebook that it copies."""
    return tmp_path_factory.mktemp("templates")


def made_once(factory, name, make):
    """A folder that takes minutes to make: by the process that wants it first, while others wait."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, how = base / name, base / f"{name}.txt"
    with FileLock(base / f"{name}.lock"):
        if not how.exists():
            folder.mkdir()
            how.write_text("it failed in another process", "utf-8")
            make(folder)
            how.write_text("", "utf-8")
    if says := how.read_text("utf-8"):
        pytest.fail(f"{name}: {says}", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built once; nobody writes into it."""
    from tools import build_site

    def make(folder):
        assert build_site.main(folder, needs.pyodide_folder()) == 0, "Sphinx did not build the site"

    return made_once(tmp_path_factory, "site", make) / "site"


@pytest.fixture(scope="module")
def address(site):
    """Where the site is served."""
    from tools import real_browser

    with real_browser.served(site) as one:
        yield one


@pytest.fixture(scope="module")
def playwright():
    """What starts browsers that keep a profile; closed with its file, as `chromium` is."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as one:
        yield one


@pytest.fixture(scope="session")
def laid_out(tmp_path_factory):
    """What a page's Python loads, for the tests that run it under Node.js; nobody writes into it."""
    from tests import in_node

    return made_once(tmp_path_factory, "node", lambda folder: in_node.lay_out(folder / "python")) / "python"


@pytest.fixture(scope="module")
def chromium():
    """A real browser; closed with its file, since other tests want the event loop for themselves."""
    from tools import real_browser

    with real_browser.chromium() as one:
        yield one


@pytest.fixture
def visits(chromium):
    """Opens visits, which are closed at the end: none of them asked for anything elsewhere."""
    from tools import real_browser

    opened = []

    def visit(**settings):
        opened.append(real_browser.Visit(chromium, **settings))
        return opened[-1]

    yield visit
    for one in opened:
        assert one.outside == []
        one.close()


@pytest.fixture
def open_view(chromium, tmp_path):
    """Opens a view on a page of its own, so high that the panel that sticks covers nothing."""
    from tools import real_browser

    visits = []

    def opened(view, **options):
        path = tmp_path / "view.html"
        path.write_text(real_browser.alone(view), "utf-8")
        visits.append(real_browser.Visit(chromium, **{"height": 1400} | options))
        visits[-1].page.goto(path.as_uri())
        return visits[-1].page

    yield opened
    for visit in visits:
        assert visit.outside == visit.errors == []
        visit.close()
