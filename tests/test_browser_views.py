"""The views in a real browser: by mouse, by keyboard, in the dark, with the network cut."""

import re

import numpy as np
import pytest

from helpers import reference, views
from helpers.pretrained.committed import saw_sentence
from helpers.pretrained.reading import Reading, Tokens
from helpers.views.real_view import Both, Seen, shown
from tests.lanes import at_night
from tests.seen import CAUSAL, TOKENS, K, Q, V, cells, written
from tools import real_browser

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]
RNG = np.random.default_rng(3)


def text(page, place):
    return page.locator(place).inner_text()


def test_all_layers_and_one_of_them_large(open_view):
    weights = reference.softmax(RNG.normal(size=(6, 12, 7, 7)) * 2)
    page = open_view(views.explore_layers(weights, list("abcdefg")))
    assert page.locator(".tiles button").count() == 72
    page.get_by_role("button", name=re.compile("layer 4, head 10:")).click()
    assert text(page, "table[role=grid] caption") == "weights[4, 10]"
    assert cells(page, "table[role=grid]") == written(weights[4, 10])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert text(page, "table[role=grid] caption") == "weights[5, 11]"
    mean = np.diagonal(weights[5, 11], -1).mean()
    assert f"mean weight: {mean:.2f} on the token before" in text(page, "section")


def in_real_model():
    """A right answer and another one, as if the model had been there."""
    kept = saw_sentence()
    right = Seen(Reading(kept.similarities, kept.weights, kept.nearest, []), kept.change)
    even = np.full_like(kept.weights, 1 / 6)
    other = Seen(Reading(kept.similarities[::-1], even, kept.nearest[::-1], []), -kept.change)
    tokens = Tokens(kept.tokens, [], 6)
    return shown(Both(tokens, (2, 4), right, other, ("bert_attention", "silence_head")), "Two words")


def test_two_words_in_the_real_model_with_a_right_answer_and_another(open_view):
    page = open_view(in_real_model())
    assert "✗ With your bert_attention the cosine ends at 0.96 instead of 0.66" in text(page, "section")
    assert page.locator(".tiles button").count() == 72
    mean = page.locator(".cloth > g").first.locator("path").count()
    page.get_by_role("button", name="With a right answer").click()
    assert page.locator(".cloth > g").first.locator("path").count() != mean
    page.get_by_role("button", name=re.compile(r"layer 0, head 2: without it \+0\.059")).click()
    says = (
        "Head 2 of layer 0: saw (2) looks most at i (1), with 1.00; saw (4) looks most at a (3), with 1.00."
    )
    assert f"{says} Without it the cosine ends at 0.72 instead of 0.66." in text(page, "section")
    assert page.locator(".cloth > g.dim").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "Head 3 of layer 1: " in text(page, "section")
    assert page.locator(".tiles button[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert "Each map is one head" in text(page, "section")
    assert page.locator(".cloth > g.dim").count() == 0


WIDTHS = [320, *map(at_night, (390, 768, 1280))]


@pytest.mark.parametrize("width", WIDTHS)
def test_two_words_fit_every_screen(open_view, width):
    page = open_view(in_real_model(), width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sizes = [page.locator(".tiles button").nth(at).bounding_box() for at in (0, 71)]
    assert all(min(size["width"], size["height"]) >= 24 for size in sizes)


ALL = {
    "loom": lambda: views.loom(allowed=CAUSAL),
    "heads": lambda: views.loom(num_heads=2, allowed=CAUSAL, mistake="heads-split-by-reshape"),
    "many": lambda: views.loom(
        Q=RNG.normal(size=(20, 3)), K=RNG.normal(size=(20, 3)), V=RNG.normal(size=(20, 2))
    ),
    "yours": lambda: views.loom(Q=Q, K=K, V=V, tokens=TOKENS, yours={"weights": np.full((4, 4), np.nan)}),
    "weights": lambda: views.explore_weights(
        reference.softmax(RNG.normal(size=(3, 20, 20))), [f"t{i}" for i in range(20)]
    ),
    "layers": lambda: views.explore_layers(reference.softmax(RNG.normal(size=(2, 3, 4, 4)))),
    "real": lambda: in_real_model(),
}


@pytest.mark.parametrize("dark", [False, at_night(True)], ids=["light", "dark"])
@pytest.mark.parametrize("name", ALL)
def test_nothing_keeps_readers_out(open_view, name, dark):
    page = open_view(ALL[name](), dark=dark)
    if dark:
        page.evaluate(
            "document.documentElement.dataset.theme = 'dark'; document.body.style.background = '#14181e'"
        )
        page.evaluate("document.body.style.color = '#eee'")
        page.wait_for_selector(".attention-view[dark]")
    assert real_browser.violations(page, colours=dark) == []


LONG = ["Donaudampfschifffahrtsgesellschaftskapitän", "x" * 300, "a", "b"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tokens", [TOKENS, LONG])
def test_no_screen_needs_sideways_scrolling(open_view, tokens, width):
    page = open_view(views.loom(Q=Q, K=K, V=V, allowed=CAUSAL, tokens=tokens, title=tokens[1]), width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_token_is_shown_and_never_run(open_view):
    evil = ["<script>hit=1</script>", "<img src=x onerror=hit=1>"]
    page = open_view(views.loom(Q=np.eye(2), K=np.eye(2), V=np.eye(2), tokens=evil))
    assert page.evaluate("window.hit") is None, "a page is loaded when its pictures are, or have failed"
    assert "<script>hit=1</script>" in text(page, "table[aria-label=weights]")
    assert "“<img src=x onerror=hit=1>” (1) takes" in text(page, "#meant")


def test_without_scripts_there_is_the_picture(chromium, tmp_path):
    view = views.loom(allowed=CAUSAL).captioned("Look.")
    (tmp_path / "view.html").write_text(
        re.sub("<script>.*</script>", "", real_browser.alone(view), flags=re.DOTALL), "utf-8"
    )
    with real_browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "view.html").as_uri())
        picture = visit.page.get_by_role("img")
        assert picture.get_attribute("alt") == view.picture.description
        assert picture.bounding_box()["width"] > 300
        assert visit.page.get_by_text("Look.").is_visible()


def test_two_views_on_one_page_do_not_meet(chromium, tmp_path):
    one = views.loom()
    (tmp_path / "two.html").write_text(
        real_browser.alone(one).replace("</main>", f"{one.html}</main>"), "utf-8"
    )
    with real_browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "two.html").as_uri())
        first, second = visit.page.locator(".attention-view").all()
        first.get_by_label("scaled =").select_option("no-scaling")
        assert first.locator("#verdict").inner_text().startswith("✗ First wrong in scaled")
        assert second.locator("#verdict").inner_text().startswith("✓")
        assert visit.errors == []


PRINTED = """() => {
    const host = document.querySelector(".attention-view");
    const seen = (one) => one.checkVisibility({ contentVisibilityAuto: true });
    const live = [...host.shadowRoot.querySelectorAll("table, canvas, button, select, summary")];
    return [seen(host.querySelector("img")), live.filter(seen).length]; }"""


@pytest.mark.parametrize("name", ["loom", "many", "layers"])
def test_on_paper_stands_the_fixed_picture_of_a_view(open_view, name):
    page = open_view(ALL[name]())
    picture, live = page.evaluate(PRINTED)
    assert not picture
    assert live > 5
    page.emulate_media(media="print")
    page.wait_for_function(f"String(({PRINTED})()) === 'true,0'")
