"""The page "Look inside: 72 heads" in a real browser: before the model is here, with it, and without."""

import gzip
import json
import re
from functools import partial

import pytest
from bs4 import BeautifulSoup

from tests.lanes import at_night
from tests.site_pages import narrow_and_wide
from tools import real_browser
from tools.web import look_inside
from tools.web.live import pack

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "model"), pytest.mark.slow]
KEPT = look_inside.kept()
SAW, CAN, WILL, FLIES = KEPT["sentences"]
OTHER = "The bank on the river bank"
LIVE = "html[data-live]"
MODEL = "**/live/model/*"
APART = 0.1
"""As in picture.js."""


@pytest.fixture(scope="module")
def address(site):
    with real_browser.served(site) as one:
        yield f"{one}/look_inside.html"


@pytest.fixture
def opened(visits, address):
    """Opens the page: gives a visit whose `asked` has what was asked for, and `held` routes that wait."""

    def open_it(query="", script="", height=900, width=1280, **settings):
        visit = visits(width=width, height=height, **settings)
        if script:
            visit.page.add_init_script(script)
        visit.page.goto(address + query, wait_until="networkidle")
        visit.page.locator("#live.ready").wait_for()
        return visit

    return open_it


def says(page, pattern):
    """Waits until the verdict says it; gives the whole of it."""
    told = page.locator("#live-verdict")
    told.filter(has_text=re.compile(pattern)).wait_for()
    return told.inner_text()


def live(page):
    page.locator(LIVE).wait_for(state="attached")


def cosines(page):
    return page.locator("#live-cosines li").all_inner_texts()


def known(page):
    """Waits until all rows have their cosine."""
    rows = "[...document.querySelectorAll('#live-cosines li')]"
    page.wait_for_function(f"{rows}.every((one) => /\\d/.test(one.textContent))")
    return [float(one.replace("−", "-")) for one in cosines(page)]


def head(page, layer, number):
    return page.locator(".head").nth(12 * layer + number)


def two(x):
    return f"{x:.2f}"


@narrow_and_wide
def test_it_is_open_to_all(opened, width, dark):
    visit = opened(width=width, height=844 if width == 390 else 800, dark=dark)
    page = visit.page
    for sentence in KEPT["sentences"]:
        page.get_by_role("button", name=sentence["text"], exact=True).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = """() => [...document.querySelectorAll('#live :is(button, select, input, a)')]
            .filter((one) => one.checkVisibility() && one.getClientRects().length)
            .map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 23.9 || box.height < 23.9).map(([text]) => text)"""
        assert page.evaluate(small) == []
    page.locator("#live-each").click()
    head(page, 1, 1).focus()
    real_browser.at_rest(page)
    assert real_browser.violations(page) == []
    assert visit.outside == []


@pytest.mark.nightly
def test_at_the_first_key_something_moves_and_a_bar_says_how_much_comes_once(opened):
    visit = opened()
    page, go = visit.page, real_browser.held(visit.page, MODEL)
    page.locator("#live-text").focus()
    page.keyboard.press("End")
    page.keyboard.press("!")
    words = page.locator("#live-words .word").all_inner_texts()
    assert words == ["[CLS]", "i", "saw", "a", "saw!", "[SEP]"], "words hang there at once"
    assert "with the model" in says(page, "Your words")
    go()
    says(page, "^saw and saw enter with a cosine of 0.9")  # the model is here a moment before what it says
    assert page.locator("#live-words .word").all_inner_texts() == [
        "[CLS]",
        "i",
        "saw",
        "a",
        "saw",
        "!",
        "[SEP]",
    ]
    assert page.locator("#live-cloth path").count() > 50
    assert visit.errors == []


@pytest.mark.nightly
def test_the_bar_says_how_much_has_come(opened):
    visit = opened()
    page = visit.page
    page.evaluate("""() => {
        window.said = [];
        const line = document.querySelector("#live-load"), all = { childList: true, characterData: true };
        new MutationObserver(() => said.push(line.innerText)).observe(line, { subtree: true, ...all });
    }""")
    page.locator("#live-text").fill(OTHER)
    live(page)
    manifest = page.request.get(
        page.url.replace("look_inside.html", "_static/live/model/manifest.json")
    ).json()
    whole = sum(manifest["parts"][name]["packed"] for name in pack.FIRST) / 1e6
    told = [
        found[1]
        for found in (
            re.match(r"(\d+\.\d) of " + f"{whole:.1f} MB, once", one) for one in page.evaluate("said")
        )
        if found
    ]
    assert told
    assert sorted(told, key=float) == told


def test_what_was_kept_answers_before_the_model(opened):
    visit = opened()
    page = visit.page
    for sentence in (CAN, WILL, FLIES, SAW):
        page.get_by_role("button", name=sentence["text"], exact=True).click()
        assert cosines(page) == [two(x) for x in sentence["similarities"]]
        told = page.locator("#live-verdict").inner_text()
        assert two(sentence["similarities"][-1]) in told
        page.locator("#live-each").click()
        most = max(range(72), key=lambda i: sentence["effect"][i])
        without = two(sentence["similarities"][-1] + sentence["effect"][most])
        if sentence is FLIES:
            says(page, f"No head alone moves it by more than {max(map(abs, sentence['effect'])):.3f}")
        else:
            says(
                page,
                f"Layer {most // 12}, head {most % 12} does most of it: without it the cosine is {without}",
            )
        longest = page.locator("#live-longest").inner_text()
        assert longest == f"{max(map(abs, sentence['effect'])):.3f}"
        assert (
            page.locator(".head.most")
            .get_attribute("aria-label")
            .startswith(f"layer {most // 12}, head {most % 12},")
        )
        assert page.locator("#live-legend").is_visible()
    assert not [url for url in visit.asked if "live/model" in url], "nothing was fetched for it"
    go = real_browser.held(page, MODEL)
    head(page, 0, 2).click()
    wanted = SAW["similarities"][-1] + SAW["effect"][2]
    told = says(page, f"with layer 0, head 2 off it is {two(wanted)}")
    assert cosines(page)[1] == "…", "the rows between are not known yet"
    go()
    live(page)
    assert known(page)[-1] == pytest.approx(wanted, abs=0.011)
    assert says(page, "Still told apart").count(two(SAW["similarities"][-1])) == 1


def test_the_reader_picks_two_words_by_keyboard(opened):
    visit = opened()
    page = visit.page
    page.locator("#live-words button:not([tabindex])").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "i"
    page.keyboard.press("Enter")
    assert page.locator("#live-words [aria-pressed=true]").all_inner_texts() == ["i", "saw"]
    assert page.evaluate("document.activeElement.textContent") == "i", "the focus stays"
    says(page, r"^i and saw enter with a cosine of 0\.\d\d\. ")
    known(page)
    page.get_by_role("button", name="a", exact=True).click()
    assert page.locator("#live-words [aria-pressed=true]").all_inner_texts() == ["i", "a"], (
        "the older one gave way"
    )
    assert visit.errors == []


@pytest.mark.nightly
def test_where_they_are_not_told_apart_it_says_so_with_its_threshold(opened):
    page = opened().page
    page.get_by_role("button", name=FLIES["text"], exact=True).click()
    first, *_, last = FLIES["similarities"]
    assert first - last < APART
    told = says(page, "by this measure they are hardly told apart")
    assert f"It falls by {two(round(first, 2) - round(last, 2))}; a fall of {two(APART)} would count." in told
    claim = f"{two(APART)} or more, which is further than any one head at 0 moves it in the four sentences"
    assert claim in page.locator("article").inner_text()
    assert max(abs(x) for sentence in KEPT["sentences"] for x in sentence["effect"]) < APART
    for sentence in (SAW, CAN, WILL):
        assert sentence["similarities"][0] - sentence["similarities"][-1] >= APART


@pytest.mark.nightly
def test_a_broken_line_is_followed_by_the_models_numbers(opened):
    visit = opened()
    page = visit.page
    nearest = page.locator("#live-near").inner_text()
    for line in look_inside.LINES:
        for number, (_, meant) in enumerate(line.wrong, 1):
            page.locator(f"#live-{line.name}").select_option(str(number))
            told = says(page, f"with {re.escape(meant)} it is")
            wanted = SAW["broken"][line.name][number]
            assert known(page)[-1] == pytest.approx(wanted, abs=0.011)
            assert ("No longer told apart" in told) == (SAW["similarities"][0] - wanted < APART)
            assert ("Further apart than before" in told) == (two(wanted) < two(SAW["similarities"][-1]))
            page.wait_for_function("document.querySelectorAll('#live-near li').length === 3")
        page.locator(f"#live-{line.name}").select_option("0")
        says(page, "attention has told them apart")
    page.locator("#live-merged").select_option("2")
    page.wait_for_function(
        "(was) => { const now = document.querySelector('#live-near').innerText; return now && now !== was }",
        arg=nearest,
    )
    assert page.locator("#live-cloth path").count() == 0, "no thread where attention is off"
    assert visit.errors == []


@pytest.mark.nightly
def test_each_line_leads_to_the_exercise_in_which_one_writes_it(site):
    page = BeautifulSoup((site / "look_inside.html").read_text("utf-8"), "html.parser")
    links = page.select("#live-lines a")
    assert len(links) == len(look_inside.LINES)
    for link in links:
        file, _, anchor = link["href"].partition("#")
        section = BeautifulSoup((site / file).read_text("utf-8"), "html.parser").find(id=anchor)
        assert f"Exercise {link.get_text()}" in section.get_text(), link["href"]


@pytest.mark.nightly
def test_heads_are_one_tab_stop_and_arrows_move_between_them(opened):
    for width, across in ((1280, 12), (390, 6)):
        page = opened(width=width).page
        stops = page.locator("#live-heads button:not([tabindex])")
        assert stops.count() == 1
        stops.focus()
        for key, place in (
            ("ArrowRight", 1),
            ("ArrowDown", 1 + across),
            ("ArrowLeft", across),
            ("ArrowUp", 0),
            ("End", 71),
        ):
            page.keyboard.press(key)
            label = page.evaluate("document.activeElement.getAttribute('aria-label')")
            assert label == f"layer {place // 12}, head {place % 12}, on"
        page.keyboard.press("Enter")
        says(page, "with layer 5, head 11 off it is")
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        assert stops.count() == 1


@pytest.mark.nightly
def test_a_head_gives_0_or_its_mean_and_all_are_switched_off_in_turn(opened):
    visit = opened()
    page = visit.page
    page.locator("#live-text").fill(OTHER)
    live(page)
    page.locator("#live-each").click()
    with_0 = bars(page)
    page.locator("#live-silence").select_option("mean")
    page.wait_for_function("!document.querySelector('.head i[class]:not([class=\"\"])')")
    page.locator("#live-each").click()
    with_means = bars(page)
    assert with_0 != with_means
    most = max(range(72), key=lambda i: with_means[i])
    says(page, "No head alone moves it by more than")
    head(page, most // 12, most % 12).click()
    says(page, f"with layer {most // 12}, head {most % 12} at its mean it is")
    page.locator("#live-again").click()
    assert page.locator("#live-text").input_value() == SAW["text"]
    assert cosines(page) == [two(x) for x in SAW["similarities"]]
    assert visit.errors == []


def bars(page):
    """Waits for the 72 bars; gives the changes that the heads' names say."""
    changes = """() => {
        const labels = [...document.querySelectorAll('.head')].map((one) => one.ariaLabel);
        const all = labels.map((one) => one.split('changes by ')[1]?.replace('−', '-'));
        return all.every(Boolean) && all.map(Number);
    }"""
    return page.wait_for_function(changes).json_value()


@pytest.mark.nightly
def test_a_head_opens_as_a_loom_with_its_own_queries_keys_and_values(opened):
    visit = opened()
    page = visit.page
    head(page, 0, 2).click()
    page.get_by_role("button", name="Open layer 0, head 2 as a loom").click()
    woven = page.locator("#live-woven .attention-view")
    woven.locator("table[aria-label=weights]").wait_for()
    assert woven.locator("h3").inner_text() == "Layer 0, head 2 of all-MiniLM-L6-v2"
    told = " ".join(woven.locator("section").inner_text().split())
    assert "In “I saw a saw”." in told
    for name in "QKV":
        assert f"{name} 6 × 32" in told
    assert woven.locator("#verdict").inner_text().startswith("✓ The code is right.")
    shown = [
        float(one) for one in woven.locator("table[aria-label=weights] tbody td[tabindex]").all_inner_texts()
    ]
    wanted = page.evaluate("""async () => {
        const { state } = await import(new URL("_static/live/page.js", document.baseURI));
        return [...state.right.weights.slice(2 * 36, 3 * 36)];
    }""")
    assert shown == pytest.approx(wanted, abs=0.006)
    assert visit.errors == []
    assert real_browser.violations(page) == []


BAD = {
    "": "The field is empty",
    "   ": "The field is empty",
    "saw": "One word alone",
    "one fish two fish " * 75: r"Only the first 62 pieces are read; 238 more are left out\.",
    "🎉 saw 🎉 saw": "enter with a cosine",
    "שלום עולם שלום": "enter with a cosine",
    '<b>a & b</b> "saw" <img src=x onerror=alert(1)> saw': "enter with a cosine",
    "the the": "^the and the enter",
}


def test_bad_input_is_answered_and_the_kept_sentences_stay(opened):
    visit = opened()
    page = visit.page
    for text, answer in BAD.items():
        page.locator("#live-text").fill(text)
        says(page, answer)
        if text.strip():
            live(page)
            page.wait_for_function("document.querySelectorAll('#live-cloth path').length > 0")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        page.get_by_role("button", name=SAW["text"], exact=True).click()
        says(page, "^saw and saw enter with a cosine of 0.96")
    assert visit.errors == []


def fails(page, route):
    route.abort()


def cut_off(page, route):
    body = route.fetch().body()
    route.fulfill(body=body[: len(body) // 2], headers={"content-type": "application/octet-stream"})


def other(page, route):
    body = gzip.decompress(route.fetch().body())
    route.fulfill(
        body=gzip.compress(body[:-1] + bytes([body[-1] ^ 1]), 1),
        headers={"content-type": "application/octet-stream"},
    )


@pytest.mark.parametrize(
    ("what", "told"),
    [at_night(fails, "did not arrive"), (cut_off, "."), at_night(other, "not what was sent")],
)
def test_a_download_that_fails_is_said_in_one_line_and_may_be_tried_again(opened, what, told):
    visit = opened()
    page = visit.page
    page.route("**/live/model/body*", partial(what, page))
    page.locator("#live-text").fill(OTHER)
    alarm = page.get_by_role("alert").filter(has_text="The four sentences work without it.")
    alarm.wait_for()
    assert told in alarm.inner_text()
    says(page, "^Your words hang here without threads: those need the model.$")
    page.get_by_role("button", name=CAN["text"], exact=True).click()
    says(page, "^can and can enter with a cosine of 0.92")
    page.locator("#live-text").fill(OTHER)
    alarm.wait_for()
    page.unroute("**/live/model/body*")
    page.get_by_role("button", name="Try again").click()
    live(page)
    says(page, "^bank and bank enter")
    assert page.get_by_role("alert").inner_text().strip() == ""


@pytest.mark.nightly
def test_a_full_cache_is_said_and_hinders_nothing(opened):
    visit = opened(
        script="""delete window.Worker;
            Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError') }"""
    )
    visit.page.locator("#live-text").fill(OTHER)
    says(visit.page, "^bank and bank enter")
    assert "It could not be kept for next time." in visit.page.locator("#live-load").inner_text()


@pytest.mark.nightly
@pytest.mark.parametrize("way", ["?plain", ""])
def test_without_webassembly_it_is_slower_and_says_so(opened, way):
    visit = opened(way, script="" if way else "delete window.Worker; delete window.WebAssembly")
    visit.page.locator("#live-text").fill("We saw a saw")
    told = says(visit.page, "^saw and saw enter")
    assert visit.page.locator("html").get_attribute("data-live") == "plain"
    assert (
        visit.page.locator("#live-load")
        .inner_text()
        .startswith("Without WebAssembly it is slower here: one pass")
    )
    assert visit.errors == [], told


@pytest.mark.nightly
def test_on_a_connection_that_saves_data_it_asks_first(opened):
    visit = opened(script="Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page = visit.page
    page.locator("#live-text").fill(OTHER)
    alarm = page.get_by_role("alert").filter(has_text="Your connection saves data")
    alarm.wait_for()
    assert re.search(r"the model is \d+\.\d MB, once\.", alarm.inner_text())
    assert not [url for url in visit.asked if url.endswith(".bin.gz")]
    page.get_by_role("button", name="Fetch it").click()
    says(page, "^bank and bank enter")


@pytest.mark.nightly
def test_a_second_visit_fetches_no_model(opened):
    visit = opened()
    page = visit.page
    page.locator("#live-text").fill(OTHER)
    live(page)
    says(page, "^bank and bank enter")
    visit.asked.clear()
    page.reload(wait_until="networkidle")
    page.locator("#live-text").fill("We saw a saw")
    live(page)
    says(page, "^saw and saw enter")
    assert not [url for url in visit.asked if url.endswith(".bin.gz")]


def test_without_scripts_there_is_a_true_picture_and_a_true_sentence(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("#live-cloth circle").count() == 7 * len(SAW["tokens"])
    assert page.locator("#live-cloth path").count() > 50
    assert cosines(page) == [two(x) for x in SAW["similarities"]]
    told = page.locator("#live-verdict").inner_text()
    assert two(SAW["similarities"][0]) in told
    assert two(SAW["similarities"][-1]) in told
    assert page.locator("#live button:visible, #live select:visible, #live input:visible").count() == 0
    picture = page.locator("#live img")
    assert picture.evaluate("(one) => one.naturalWidth") > 300
    assert "layer 0, head 2" in picture.get_attribute("alt")
    context.close()


def test_who_wants_less_motion_gets_none(opened):
    visit = opened()
    visit.page.emulate_media(reduced_motion="reduce")
    visit.page.get_by_role("button", name=WILL["text"], exact=True).click()
    assert visit.page.evaluate("document.getAnimations().length") == 0


def test_what_the_page_claims_is_what_was_kept(site):
    page = BeautifulSoup((site / "look_inside.html").read_text("utf-8"), "html.parser")
    text = " ".join(page.article.get_text().split())
    fall, most = SAW["similarities"][0] - SAW["similarities"][-1], max(SAW["effect"])
    assert f"the cosine falls by {fall:.2f}" in text
    assert SAW["effect"].index(most) == 2
    assert f"layer 0, head 2, moves it by {most:.2f}" in text
    assert page.find("a", href=look_inside.MODEL)
    assert "Apache licence 2.0" in text
    assert KEPT["licence"] == "Apache-2.0"
    assert KEPT["model"] in look_inside.MODEL
    shown = json.loads(json.dumps([one.get_text() for one in page.select("#live-kept button")]))
    assert shown == [one["text"] for one in KEPT["sentences"]]
