"""The page "Review" in a real browser: asked, answered, kept, taken along; its schedule beside Python's."""

import json
import time
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlparse

import numpy as np
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from helpers.offered import number_of, offered
from helpers.passed import Asked, Kept
from helpers.questions import kinds, schedule
from helpers.units import STEPS, UNIT_OF
from tests.lanes import at_night
from tests.site_pages import narrow_and_wide
from tools import real_browser
from tools.patience import PATIENCE
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "engine"), pytest.mark.slow]
expect.set_options(timeout=1000 * PATIENCE)
KEY = "attention-course-review"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LETTERS = "abcd"
FORBIDDEN = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("no", "SecurityError"); },
})"""
FULL = """{
    localStorage.clear();
    for (let size = 1 << 22; size; size >>= 1)
        for (let n = 0; n < 3; n += 1) try { localStorage[`${size} ${n}`] = "x".repeat(size); } catch {}
}"""


@pytest.fixture
def opened(visits, address):
    """Opens the page for somebody who has done some units, and who has answered some questions."""

    def open_it(units=None, asked=None, script="", at=NOON, record=None, **settings):
        visit = visits(**{"width": 1280, "height": 900} | settings)
        visit.page.clock.set_fixed_time(at)
        begins = {f"{KEY}-units": json.dumps(units)} if units is not None else {}
        if record is None and asked is not None:
            record = json.dumps({"version": 1, "asked": [plain(one) for one in asked]})
        begins |= {KEY: record} if record is not None else {}
        if begins:
            put = f"Object.assign(localStorage, {json.dumps(begins)})"
            visit.page.add_init_script(f"if (!sessionStorage.begun) {{ sessionStorage.begun = 1; {put}; }}")
        if script:
            visit.page.add_init_script(script)
        visit.page.goto(f"{address}/review.html", wait_until="networkidle")
        visit.page.locator("#review-page h2").first.wait_for()
        return visit

    return open_it


@pytest.fixture(scope="module")
def held(site):
    """Every question of the site, by kind, exercise and seed."""
    files = (site / "_static" / "review").glob("*.json")
    questions = [one for file in files for one in json.loads(file.read_text("utf-8"))["questions"]]
    return {(one["kind"], one["exercise"], one["seed"]): one for one in questions}


def plain(one):
    return vars(one) | {"at": one.at.isoformat(timespec="seconds")}


def answer(exercise, kind, seed=0, right=True, at=NOON, sure=0):
    return Asked(kind, exercise, seed, right, sure, at)


def kept(page):
    """What the browser keeps, as a notebook would have it."""
    record = json.loads(page.evaluate(f"localStorage['{KEY}'] ?? null") or '{"version": 1, "asked": []}')
    assert record.keys() == {"version", "asked"}
    assert record["version"] == 1
    return [Asked(**one | {"at": datetime.fromisoformat(one["at"])}) for one in record["asked"]]


def wanted(held, passed, asked, at=NOON):
    """The question that a notebook would ask now."""
    exercise = schedule.due(passed, asked, schedule.day(at))[0]
    kind, seed = schedule.next_of(exercise, asked)
    return held[kind, exercise, seed]


def unit_of(question):
    return UNIT_OF[question["exercise"]]


def words(page, place):
    """What stands somewhere, without the spaces that a layout has."""
    return " ".join(page.locator(f"#review-page {place}").first.inner_text().split())


def said(text):
    return " ".join(text.replace("`", "").split())


def choose(page, number):
    page.locator("#review-page .choice input").nth(number).check()
    page.get_by_role("button", name="Check").click()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


# The schedule


def histories(number):
    """Made-up answers and what is passed; some of it from later days, or of exercises that nobody passed."""
    rng = np.random.default_rng(number)
    names = [name for name in UNIT_OF if kinds.of(name)]
    today = date(2026, 3, 8) + timedelta(days=int(rng.integers(0, 3)))  # summer time begins on the eighth
    passed = {str(name) for name in rng.choice(names, rng.integers(0, len(names) + 1), replace=False)}
    some = [str(name) for name in rng.choice(names, rng.integers(1, 13), replace=False)]
    asked = []
    for _ in range(int(rng.integers(0, 60))):
        exercise = str(rng.choice(some))
        at = datetime(2026, 3, 8, tzinfo=UTC) + timedelta(minutes=int(rng.integers(-8 * 1440, 4 * 1440)))
        kind, right = str(rng.choice(kinds.of(exercise))), bool(rng.random() < 0.6)
        asked.append(Asked(kind, exercise, int(rng.integers(0, 8)), right, 0, at))
    asked.sort(key=lambda one: (one.at, one.kind, one.exercise, one.seed))
    return passed, asked, today


IN_JAVASCRIPT = """async ([course, cases]) => {
    const { answeredOn, due, nextOf } = await import("/_static/review/schedule.js");
    return cases.map(([passed, asked, today]) => {
        const order = due(course, new Set(passed), asked, today);
        const next = order.map((one) => nextOf(course, one, asked)).map(({ kind, seed }) => [kind, seed]);
        return { order, next, today: answeredOn(asked, today).length };
    });
}"""


@pytest.fixture(scope="module")
def scripts():
    with real_browser.served(ROOT / "docs") as one:
        yield one


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Auckland"])
def test_the_schedule_is_that_of_a_notebook(chromium, scripts, monkeypatch, zone):
    cases = [histories(number) for number in range(60)]
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        here = []
        for passed, asked, today in cases:
            order = schedule.due(passed, asked, today)
            next_of = [list(schedule.next_of(one, asked)) for one in order]
            here.append({"order": order, "next": next_of, "today": schedule.answered_on(asked, today)})
    finally:
        monkeypatch.undo()
        time.tzset()
    assert sum(len(one["order"]) > 4 for one in here) > 30
    assert sum(one["today"] > 0 for one in here) > 30
    course = {"steps": list(STEPS.values()), "kinds": {name: kinds.of(name) for name in UNIT_OF}}
    as_data = [
        [sorted(passed), [plain(one) for one in asked], (today - date(1970, 1, 1)).days]
        for passed, asked, today in cases
    ]
    context = chromium.new_context(timezone_id=zone)
    page = context.new_page()
    page.goto(f"{scripts}/_static/")
    there = page.evaluate(IN_JAVASCRIPT, [course, as_data])
    context.close()
    for one, other in zip(here, there, strict=True):
        assert one == other


@pytest.mark.nightly
def test_when_all_seeds_are_asked_the_oldest_comes_again(chromium, scripts):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{scripts}/_static/")
    drawn = """async ([seeds, seed, order]) => {
        const { drawn } = await import("/_static/review/schedule.js");
        const of = (seed) => ({ exercise: "dot", kind: "made_by", seed });
        const questions = [...seeds.map(of), { ...of(9), kind: "rivals" }];
        return drawn(questions, "dot", of(seed), order.map(of))?.seed ?? null;
    }"""
    assert page.evaluate(drawn, [[0, 1, 2], 1, [0]]) == 1
    assert page.evaluate(drawn, [[0, 1, 2], 3, [2, 0, 1, 2]]) == 0
    assert page.evaluate(drawn, [[0, 2], 1, [0]]) == 2
    assert page.evaluate(drawn, [[], 0, []]) is None
    context.close()


# Asked and answered


def test_the_first_visit_asks_which_units_are_done_and_fetches_a_unit_when_it_is_asked(opened, held):
    visit = opened()
    page = visit.page
    assert words(page, "h2") == "Which units have you done?"
    assert page.evaluate("document.activeElement.textContent") == "Which units have you done?"
    assert not [one for one in visit.asked if one.endswith(".json")]
    assert page.evaluate("indexedDB.databases()") == [], "no store is made for answers that are not there"
    press(page, "Ask me")
    assert page.get_by_role("status").get_by_text("Choose a unit that you have done").is_visible()
    page.get_by_label("05 Softmax").check()
    press(page, "Ask me")
    expect(page.locator("#review-page h2").first).to_have_text("Question 1 of 4.")
    assert words(page, "#review-asks") == said(wanted(held, set(offered()["05_softmax"]), [])["asks"])
    loaded = [urlparse(one).path for one in visit.asked if one.endswith(".json")]
    assert loaded == ["/_static/review/05_softmax.json"]
    page.reload(wait_until="networkidle")
    assert words(page, "h2") == "Question 1 of 4.", "the units are kept"
    press(page, "Change the units")
    assert page.get_by_label("05 Softmax").is_checked()
    assert not page.get_by_label("04 Masking").is_checked()
    assert visit.errors == []


def test_a_day_has_four_questions_and_what_was_missed_comes_first_on_the_next(opened, held):
    visit = opened(["03_scaling", "05_softmax"])
    page, passed = visit.page, {*offered()["03_scaling"], *offered()["05_softmax"]}
    asked = []
    for number in range(4):
        assert words(page, "h2") == f"Question {number + 1} of 4."
        one = wanted(held, passed, asked)
        assert words(page, "#review-asks") == said(one["asks"])
        right = number != 1
        choose(page, one["right"] if right else (one["right"] + 1) % len(one["choices"]))
        title = "Right." if right else f"Not this time: {LETTERS[one['right']]} is right."
        assert words(page, ".verdict").startswith(said(f"{title} {one['why']}"))
        assert page.locator(".choice.is-right").all_inner_texts()[0].endswith("✓ right")
        assert page.locator(".choice.is-wrong").count() == (not right)
        link = page.locator(".verdict a")
        number_and_name = f"{number_of(one['exercise'])} {one['exercise']}"
        assert link.inner_text() == f"Read on in unit {unit_of(one)[:2]}, exercise {number_and_name}."
        assert link.get_attribute("href").startswith(f"notebooks/{unit_of(one)}/")
        at = NOON + timedelta(minutes=number)
        asked.append(answer(one["exercise"], one["kind"], one["seed"], right, at))
        assert kept(page) == asked
        page.clock.set_fixed_time(at + timedelta(minutes=1))
        if number < 3:
            press(page, "Next question")
            page.locator(".question .below").wait_for()
    tell = page.locator("#review-page").inner_text()
    assert "That is all for today." in tell
    assert "3 of 4 right. What you missed comes again tomorrow." in tell
    page.reload(wait_until="networkidle")
    assert words(page, "h2") == "Today's four are answered."
    press(page, "Four more")
    expect(page.locator("#review-page h2").first).to_have_text("Question 1 of 4.")
    assert words(page, "#review-asks") == said(wanted(held, passed, asked)["asks"])
    tomorrow = NOON + timedelta(days=1)
    page.clock.set_fixed_time(tomorrow)
    page.reload(wait_until="networkidle")
    one = wanted(held, passed, asked, tomorrow)
    assert one["exercise"] == next(one.exercise for one in asked if not one.right)
    assert words(page, "#review-asks") == said(one["asks"])
    assert visit.errors == []


@pytest.mark.nightly
def test_when_all_was_asked_about_nothing_is_due(opened):
    asked = [answer(name, kinds.of(name)[0]) for name in offered()["00_start_here"]]
    visit = opened(["00_start_here"], asked)
    assert words(visit.page, "h2") == "Nothing is due today."
    assert "Come back tomorrow." in visit.page.locator("#review-page").inner_text()


def test_by_keyboard_alone(opened, held):
    visit = opened(["05_softmax"])
    page, focused = visit.page, "document.activeElement.textContent"
    one = wanted(held, set(offered()["05_softmax"]), [])
    assert page.evaluate(focused) == "Question 1 of 4."
    page.keyboard.press("Enter")
    assert words(page, ".verdict").startswith("Choose one of a to ")
    assert kept(page) == []
    for letter in LETTERS[: len(one["choices"])]:
        page.keyboard.press(letter)
        chosen = page.locator(".choice input:checked")
        assert chosen.get_attribute("value") == str(LETTERS.index(letter))
        assert chosen.evaluate("(one) => one === document.activeElement")
    page.keyboard.press(LETTERS[one["right"]])
    page.keyboard.press("Control+c")  # not a choice
    page.keyboard.press("z")
    page.keyboard.down("Enter")
    assert page.evaluate(focused) == "Next question"
    page.keyboard.down("Enter")  # held down, it presses nothing more
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    assert words(page, ".verdict").startswith("Right.")
    assert [one.right for one in kept(page)] == [True]
    page.keyboard.press("Enter")
    page.locator(".question .below").wait_for()
    assert page.evaluate(focused) == "Question 2 of 4."
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("b")
    assert page.locator(".choice input:checked").count() == 0, "keys count where the question has the focus"
    assert visit.errors == []


SURE = [(["certain"], 3), (["a guess"], 1), (["a guess", "fairly"], 2), ([], 0)]


@pytest.mark.nightly
def test_how_sure_one_is_may_be_said(opened):
    """Who says nothing of it: `test_a_day_has_four_questions_and_what_was_missed_comes_first_on_the_next`."""
    page = opened(["05_softmax"]).page
    for number, (presses, _) in enumerate(SURE):
        assert words(page, "h2") == f"Question {number + 1} of 4."
        for name in presses:
            page.get_by_role("radio", name=name).check()
        page.clock.set_fixed_time(NOON + timedelta(minutes=number))
        choose(page, 0)
        assert [one.sure for one in kept(page)] == [one for _, one in SURE[: number + 1]]
        if number < 3:
            press(page, "Next question")
            page.locator(".question .below").wait_for()


def all_but(kind, exercise):
    """Answers after which this kind of question is asked about this exercise."""
    others = [one for one in kinds.of(exercise) if one != kind]
    return [answer(exercise, one, right=False, at=NOON - timedelta(days=9)) for one in others]


TABLES, CODE = all_but("made_by", "softmax"), all_but("which_line", "bert_attention")


@narrow_and_wide
@pytest.mark.parametrize("asked", [TABLES, CODE], ids=["tables", "code"])
def test_a_question_fits_and_keeps_nobody_out(opened, held, asked, width, dark):
    unit = UNIT_OF[asked[0].exercise]
    visit = opened([unit], asked, width=width, dark=dark)
    page = visit.page
    one = wanted(held, set(offered()[unit]), asked)
    assert one["kind"] == ("made_by" if asked is TABLES else "which_line")
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in page.locator("#review-page :is(pre, .choice, table)").all():
            assert part.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        real_browser.at_rest(page)
        assert visit.errors == []
        assert real_browser.violations(page) == []
        visit.errors.clear()  # axe asks for sheets that sheets name, from the page's own address
        if page.locator(".verdict strong").count() == 0:
            choose(page, (one["right"] + 1) % len(one["choices"]))
            page.locator(".verdict strong").wait_for()
    assert page.locator(".verdict").get_attribute("role") == "status"
    if asked is TABLES:
        yours, right = page.locator("#review-page .given").last.locator("table").all()
        for shown, name, more in ((yours, "yours", 1), (right, "the right one", 0)):
            table = one["choices"][(one["right"] + more) % len(one["choices"])]["table"]
            assert shown.locator("caption span").first.inner_text() == name
            assert [row.locator("td").all_inner_texts() for row in shown.locator("tr").all()] == table
        named = page.locator(".choice input").first.get_attribute("aria-label")
        assert named == "a: " + "; ".join(", ".join(row) for row in one["choices"][0]["table"])
    else:
        code = next(given["code"] for given in one["given"] if isinstance(given, dict))
        lines = page.locator("#review-page pre .line").all_text_contents()
        assert lines == [f"{at} {line}\n" for at, line in enumerate(code.split("\n"), start=1)]


@pytest.mark.nightly
def test_every_table_and_every_program_fits_on_a_phone(opened, held):
    page = opened(width=390).page
    wide = page.evaluate(
        """async (shown) => {
            const { choice, drawn } = await import("./_static/review/drawn.js");
            const stage = document.querySelector("#review-page form");
            const wider = (one) => one.tagName !== "TABLE" && one.scrollWidth > one.clientWidth + 1;
            return shown.filter(([given, choices]) => {
                stage.className = choices[0].table ? "choices tables" : "choices";
                const labels = choices.map((one, at) => choice(one, "abcd"[at], at, given));
                stage.replaceChildren(...given.map(drawn), ...labels);
                return document.documentElement.scrollWidth > 390 || [...stage.children].some(wider);
            }).length;
        }""",
        [[[*one["given"], *one["after"]], one["choices"]] for one in held.values()],
    )
    assert wide == 0


def test_what_was_passed_on_the_units_pages_counts_by_itself(opened, held):
    visit = opened()
    page = visit.page
    put = "async (of) => { await (await import('./_static/answer/kept.js')).put(of[0], 'x', of[1]); }"
    page.evaluate(put, ["apply_mask", True])
    page.evaluate(put, ["causal_mask", False])
    page.reload(wait_until="networkidle")
    assert "1 passed on its page" in page.locator("label", has_text="04 Masking").inner_text()
    press(page, "Ask me")
    page.locator(".question").wait_for()
    assert words(page, "#review-asks") == said(wanted(held, {"apply_mask"}, [])["asks"])


@pytest.mark.nightly
def test_questions_that_cannot_be_loaded_are_asked_for_again(opened):
    visit = opened()
    page = visit.page
    page.route("**/05_softmax.json", lambda route: route.abort())
    page.get_by_label("05 Softmax").check()
    press(page, "Ask me")
    expect(page.locator("#review-page h2").first).to_have_text("No questions yet.")
    assert "connect, then try again" in page.locator("#review-page").inner_text()
    page.unroute("**/05_softmax.json")
    press(page, "Try again")
    expect(page.locator("#review-page h2").first).to_have_text("Question 1 of 4.")


# The record

GOOD = answer("softmax", "made_by", at=NOON - timedelta(days=5))


@pytest.mark.parametrize(
    ("record", "stays", "says"),
    [
        ("{", [], "was damaged: it is kept aside"),
        (json.dumps({"version": 2, "asked": [plain(GOOD)]}), [], "of another version"),
        (json.dumps({"version": 1, "asked": [plain(GOOD), {"exercise": 3}]}), [GOOD], "was damaged"),
        *(
            at_night(record, [], "was damaged")
            for record in (
                "[1]",
                json.dumps({"version": 1, "asked": [plain(GOOD) | {"at": "yesterday"}, None]}),
                json.dumps({"version": 1, "asked": "none"}),
            )
        ),
    ],
)
def test_a_record_that_cannot_be_read_is_kept_aside_and_said(opened, record, stays, says):
    visit = opened(["05_softmax"], record=record)
    page = visit.page
    assert says in words(page, ".notes")
    assert page.evaluate(f"localStorage['{KEY}-aside-1']") == record
    assert kept(page) == stays
    choose(page, 0)
    assert len(kept(page)) == len(stays) + 1
    page.reload(wait_until="networkidle")
    assert page.locator(".notes").inner_text() == "", "it is said once"
    page.evaluate("([key, text]) => (localStorage[key] = text)", [KEY, "again"])
    page.reload(wait_until="networkidle")
    assert page.evaluate(f"[localStorage['{KEY}-aside-1'], localStorage['{KEY}-aside-2']]") == [
        record,
        "again",
    ]
    assert visit.errors == []


@pytest.mark.nightly
def test_the_record_is_deleted_and_comes_back_until_the_page_is_left(opened):
    asked = [GOOD, answer("attention", "made_by", right=False, at=NOON - timedelta(days=4))]
    visit = opened(["05_softmax"], asked)
    page = visit.page
    assert "2 answers" in words(page, ".record")
    ours = f"Object.keys(localStorage).filter((one) => one.startsWith('{KEY}'))"
    press(page, "Delete this record")
    assert page.evaluate(ours) == []
    assert words(page, "h2") == "Which units have you done?"
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    press(page, "Undo")
    page.locator(".question").wait_for()
    assert kept(page) == sorted(asked, key=lambda one: one.at)
    press(page, "Delete this record")
    page.get_by_label("03 Scaling").check()
    press(page, "Ask me")
    page.locator(".question").wait_for()
    choose(page, 0)
    new = kept(page)
    assert len(new) == 1
    press(page, "Undo")
    page.locator(".record", has_text="3 answers").wait_for()
    assert kept(page) == [*asked, *new], "what was answered since stays"
    press(page, "Delete this record")
    page.reload(wait_until="networkidle")
    assert page.get_by_role("button", name="Undo").count() == 0
    assert kept(page) == []
    assert visit.errors == []


def test_two_tabs_keep_the_answers_of_both_and_none_brings_back_what_the_other_has_deleted(opened):
    one = opened(["05_softmax"]).page
    other = one.context.new_page()
    other.clock.set_fixed_time(NOON + timedelta(seconds=5))
    other.goto(one.url, wait_until="networkidle")
    choose(one, 0)
    choose(other, 1)
    both = kept(one)
    assert len(both) == 2
    one.locator(".record", has_text="2 answers").wait_for()
    press(one, "Delete this record")
    other.locator(".record", has_text="stay in this browser").wait_for()
    other.clock.set_fixed_time(NOON + timedelta(minutes=1))
    press(other, "Next question")
    other.get_by_label("05 Softmax").check()  # which units are done was deleted too
    press(other, "Ask me")
    other.locator(".question .below").wait_for()
    choose(other, 0)
    assert len(kept(other)) == 1
    assert kept(other)[0] not in both


@pytest.mark.parametrize(("script", "says"), [(FORBIDDEN, "keeps nothing here"), (FULL, "store is full")])
def test_where_nothing_can_be_kept_it_works_on_and_says_so(opened, script, says):
    visit = opened(script=script)
    page = visit.page
    page.get_by_label("05 Softmax").check()
    press(page, "Ask me")
    page.locator(".question .below").wait_for()
    for number in range(4):
        assert words(page, "h2") == f"Question {number + 1} of 4."
        page.clock.set_fixed_time(NOON + timedelta(minutes=number))
        choose(page, 0)
        assert says in words(page, ".notes")
        if number < 3:
            press(page, "Next question")
            page.locator(".question .below").wait_for()
    assert "That is all for today." in page.locator("#review-page").inner_text()
    with page.expect_download() as got:
        press(page, "Take it along")
    assert len(got.value.path().read_text("utf-8").splitlines()) == 4
    assert not [one for one in visit.errors if "review" in one]


@pytest.mark.nightly
def test_a_record_that_can_be_neither_read_nor_set_aside_stays_as_it_is(opened):
    full = FULL.replace("localStorage.clear();", f"localStorage.clear(); localStorage['{KEY}'] = '{{torn';")
    page = opened(script=full).page
    page.get_by_label("05 Softmax").check()
    press(page, "Ask me")
    page.locator(".question .below").wait_for()
    choose(page, 0)
    assert "store is full" in words(page, ".notes")
    assert page.evaluate(f"localStorage['{KEY}']") == "{torn"


@pytest.mark.nightly
def test_the_record_goes_along_as_lines_that_a_notebook_reads(opened, tmp_path):
    asked = [GOOD, answer("attention", "which_line", 4, False, NOON - timedelta(days=4), sure=3)]
    page = opened(["05_softmax"], asked).page
    with page.expect_download() as got:
        press(page, "Take it along")
    assert got.value.suggested_filename == "progress.jsonl"
    assert "beside the folders of the units" in page.locator(".record").inner_text()
    text = got.value.path().read_text("utf-8")
    first = {"exercise": "softmax", "event": "asked", "kind": "made_by", "seed": 0, "right": True, "sure": 0}
    assert json.loads(text.splitlines()[0]) == first | {"at": "2026-02-25T12:00:00+00:00"}
    there = tmp_path / "progress.jsonl"
    before = '{"exercise": "dot", "event": "passed", "at": "2026-01-01T00:00:00+00:00"}\n'
    there.write_text(before + 2 * text, "utf-8")
    read = Kept(there)
    assert (read.asked, read.events, read.damaged) == (asked, [("dot", "passed")], False)


@pytest.mark.nightly
def test_without_an_answer_there_is_nothing_to_take_along(opened):
    page = opened().page
    press(page, "Take it along")
    assert "There is no answer to take along yet" in page.locator(".record").inner_text()


# The page as such


def test_it_is_small_and_its_questions_too(site):
    static = site / "_static"
    scripts = [*(static / "review").glob("*.js"), static / "answer" / "kept.js"]
    assert sum(path.stat().st_size for path in scripts) < 30_000
    files = {path.stem: path.stat().st_size for path in (static / "review").glob("*.json")}
    assert set(files) == set(offered())
    assert max(files.values()) < 250_000


@pytest.mark.nightly
def test_its_places_are_there_and_units_lead_here(site):
    for unit in offered():
        page = BeautifulSoup((site / f"notebooks/{unit}/{unit}.html").read_text("utf-8"), "html.parser")
        assert page.find("a", href="../../review.html")
        anchors = {one["id"] for one in page.find_all(id=True)}
        places = json.loads((site / f"_static/review/{unit}.json").read_text("utf-8"))["places"]
        assert places
        for _, address in places.values():
            assert address.partition("#")[0] == f"notebooks/{unit}/{unit}.html"
            assert address.partition("#")[2] in anchors


@pytest.mark.nightly
def test_without_scripts_it_says_where_else_the_questions_are(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/review.html")
    assert "The questions need JavaScript." in page.locator("article").inner_text()
    context.close()
