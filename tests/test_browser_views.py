"""The views in a real browser: by mouse, by keyboard, in the dark, with the network cut."""

import re

import numpy as np
import pytest

from helpers import example, reference, views
from tools import browser

pytestmark = [pytest.mark.needs("browser")]
TOKENS = list(example.TOKENS)
Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
CAUSAL = reference.causal_mask(4)
GIVEN = CAUSAL & ~np.eye(4, k=-3, dtype=bool)  # causal, and the last query may not look at the first key
RNG = np.random.default_rng(3)


@pytest.fixture
def open_view(chromium, tmp_path):
    visits = []

    def opened(view, **options):
        path = tmp_path / "view.html"
        path.write_text(browser.alone(view), "utf-8")
        visits.append(browser.Visit(chromium, **options))
        visits[-1].page.goto(path.as_uri())
        return visits[-1].page

    yield opened
    for visit in visits:
        assert visit.outside == visit.errors == []
        visit.close()


def text(page, place):
    return page.locator(place).inner_text()


def cells(page, table="table[role=grid]"):
    """The numbers of a grid as they are read."""
    rows = page.locator(f"{table} tbody tr").all()
    return [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]


def written(matrix):
    """Numbers as Python rounds them."""
    return [
        [f"{x:.2f}".replace("-0.00", "0.00") if x != round(x) else str(int(x)) for x in row] for row in matrix
    ]


@pytest.fixture
def explorer(open_view):
    return open_view(views.explore_attention(Q, K, V, GIVEN, TOKENS, title="I saw a saw"))


def test_every_step_shows_the_numbers_of_numpy(explorer):
    page = explorer
    scaled = reference.scaled_scores(Q, K)
    weights = reference.masked_softmax(scaled, GIVEN)
    masked = [
        ["−∞" if not GIVEN[i, j] else x for j, x in enumerate(row)] for i, row in enumerate(written(scaled))
    ]
    expected = {
        "1": written(Q @ K.T),
        "2": written(scaled),
        "3": masked,
        "4": written(weights),
        "5": written(weights @ V),
    }
    for number, numbers in expected.items():
        page.get_by_label(re.compile(f"^{number} ")).check()
        wanted = [[x.replace("-", "−") for x in row] for row in numbers]
        assert cells(page) == wanted, f"step {number}"


def test_the_arithmetic_of_a_cell_is_spelled_out(explorer):
    page = explorer
    page.get_by_role("combobox", name="Query").select_option(label="2 a")
    page.get_by_role("combobox", name="Key").select_option(label="1 saw")
    products = " + ".join(f"{int(q)}·{int(k)}" for q, k in zip(Q[2], K[1], strict=True))
    said = {
        "1": f"scores[2, 1] = Q[2] · K[1] = {products} = 3",
        "2": "scaled[2, 1] = 3 / √4 = 1.50",
        "3": "masked[2, 1] = 1.50: query 2 may look at key 1",
        "4": "weights[2, 1] = e^1.50 / (e^0.50 + e^1.50 + e^1) = 0.506",
    }
    for number, sentence in said.items():
        page.get_by_label(re.compile(f"^{number} ")).check()
        assert text(page, ".sum") == sentence.replace("-", "−")
    page.get_by_role("combobox", name="Key").select_option(label="3 saw")
    page.get_by_label(re.compile("^3 ")).check()
    assert text(page, ".sum") == "masked[2, 3] = −∞, because the given mask says so: softmax will make it 0"


def test_masks_scaling_and_temperature(explorer):
    page = explorer
    page.get_by_label(re.compile("^4 ")).check()
    scores = Q @ K.T
    page.get_by_label("the given mask").uncheck()
    assert cells(page) == written(reference.softmax(scores / 2))
    page.get_by_label("scale by").uncheck()
    assert cells(page) == written(reference.softmax(scores))
    page.get_by_label("causal mask").check()
    assert cells(page) == written(reference.masked_softmax(scores, CAUSAL))
    page.get_by_label("real tokens").fill("2")
    assert cells(page) == written(reference.masked_softmax(scores, CAUSAL & (np.arange(4) < 2)))
    page.get_by_role("button", name="Start again").click()
    assert page.get_by_label("the given mask").is_checked()
    assert page.get_by_label(re.compile("^1 ")).is_checked()
    page.get_by_label(re.compile("^4 ")).check()
    page.get_by_label("Temperature").fill("-2")
    assert "/ 0.10" in page.locator("code").inner_text() or "0.10" in text(page, "section")
    cold = reference.masked_softmax(scores / 2 / 0.1, GIVEN)
    assert cells(page) == written(cold.round(2) + 0.0) or float(cells(page)[1][0]) == pytest.approx(
        cold[1, 0], abs=0.006
    )
    page.get_by_label(re.compile("^2 ")).check()
    assert text(page, "code") == "scaled = scores / np.sqrt(d_k) / 0.10"


def test_a_causal_mask_has_one_switch(open_view):
    page = open_view(views.explore_attention(Q, K, V, CAUSAL, TOKENS))
    assert page.get_by_label("causal mask").is_checked()
    assert page.get_by_label("the given mask").count() == 0
    page.get_by_label(re.compile("^3 ")).check()
    page.get_by_role("combobox", name="Query").select_option(label="1 saw")
    page.get_by_role("combobox", name="Key").select_option(label="3 saw")
    assert "because key 3 comes after query 1" in text(page, ".sum")


@pytest.mark.parametrize(("typed", "real"), [("", 4), ("0", 1), ("-1", 1), ("2.6", 3), ("9", 4), ("1", 1)])
def test_how_many_tokens_are_real(explorer, typed, real):
    box = explorer.get_by_label("real tokens")
    box.fill(typed)
    box.press("Tab")
    assert box.input_value() == str(real)
    explorer.get_by_label("the given mask").uncheck()
    explorer.get_by_label(re.compile("^4 ")).check()
    assert cells(explorer) == written(reference.masked_softmax(Q @ K.T / 2, np.arange(4) < real))


def test_a_click_on_a_cell_chooses_it(explorer):
    page = explorer
    page.locator("table[role=grid] tbody tr").nth(1).locator("td").nth(2).click()
    assert text(page, ".sum").startswith("scores[1, 2] =")
    assert page.get_by_role("combobox", name="Query").input_value() == "1 saw"
    assert page.get_by_role("combobox", name="Key").input_value() == "2 a"
    assert "Query 1 saw, key by key" in text(page, "section")


def test_by_keyboard_alone(explorer):
    page = explorer
    labels = []
    for _ in range(14):
        page.keyboard.press("Tab")
        labels.append(page.evaluate(
            """() => { const at = document.querySelector('.attention-view').shadowRoot.activeElement;
                const label = at?.getAttribute('aria-label') || at?.labels?.[0]?.innerText;
                return label || at?.innerText; }"""
        ))  # fmt: skip
    seen = " | ".join(str(label) for label in labels)
    controls = ["Query", "Key", "1 scores", "scale by", "causal mask", "the given mask", "Temperature"]
    for control in [*controls, "real tokens", "Start again", "matrix", "scores of query 3 saw, key 0 I: −2"]:
        assert control in seen, seen
    page.locator("td[tabindex='0']").focus()
    ways = {
        "ArrowUp": "[2, 0]",
        "ArrowRight": "[2, 1]",
        "End": "[2, 3]",
        "PageUp": "[0, 3]",
        "Home": "[0, 0]",
    }
    for key, place in [*ways.items(), ("ArrowLeft", "[0, 0]"), ("PageDown", "[3, 0]")]:
        page.keyboard.press(key)
        assert text(page, ".sum").startswith(f"scores{place} =")
    page.get_by_label(re.compile("^1 ")).focus()
    page.keyboard.press("ArrowRight")
    assert text(page, "code").startswith("scaled =")


def test_a_screen_reader_hears_the_cell_and_the_change(explorer):
    page = explorer
    assert page.locator(".sum").get_attribute("aria-live") == "polite"
    cell = page.locator("td[tabindex='0']")
    assert cell.get_attribute("aria-label") == "scores of query 3 saw, key 0 I: −2"
    assert cell.get_attribute("aria-selected") == "true"
    assert page.locator("section").get_attribute("aria-labelledby") == page.locator(
        "section h3"
    ).get_attribute("id")


def test_heads_can_be_switched(open_view):
    weights = reference.softmax(RNG.normal(size=(12, 5, 5)) * 2)
    page = open_view(views.explore_weights(weights, list("abcde")))
    for head in (0, 11):
        page.get_by_role("combobox", name="Head").select_option(str(head))
        assert cells(page) == written(weights[head])
    assert text(page, ".sum").endswith("Its 5 weights add up to 1.")


@pytest.mark.parametrize(
    "weights",
    [
        [[0.0246, 0.0346, 0.9408], [0, 0, 1], [0.5, 0.5, 0]],
        [[0.0004, 0.9996], [0.0146, 0.9854]],
        [[0.125, 0.875], [0.375, 0.625]],
        np.full((64, 64), 1 / 64)[:9],
    ],
)
def test_numbers_are_rounded_once_and_as_python_does(open_view, weights):
    weights = np.array(weights)
    page = open_view(views.explore_weights(weights))
    if weights.shape[1] < 16:
        assert cells(page) == written(weights)
    assert text(page, ".sum").endswith(f"Its {weights.shape[1]} weights add up to 1.")


def test_a_large_head_costs_the_others_nothing(open_view):
    q, k, v = np.random.default_rng(1).normal(size=(3, 12, 16, 64))
    q[0, 0] *= 100
    k[0, 0] *= 100
    page = open_view(views.explore_attention(q, k, v))
    page.get_by_role("combobox", name="Head").select_option("1")
    assert [[x.replace("−", "-") for x in row] for row in cells(page)] == written(q[1] @ k[1].T)
    page.get_by_label(re.compile("^4 ")).check()
    assert cells(page) == written(reference.softmax(q[1] @ k[1].T / 8))


def test_close_large_scores_are_told_apart(open_view):
    page = open_view(views.explore_attention([[1000.0]], [[1000.0], [1000.04]], [[0.0], [1.0]]))
    page.get_by_label(re.compile("^4 ")).check()
    assert cells(page) == [["0.00", "1"]]


def test_a_weight_a_little_above_one_has_its_colour(open_view):
    page = open_view(views.explore_weights([[1.008, -0.008], [0, 1]]))
    assert cells(page) == [["1", "0"], ["0", "1"]]
    colours = page.locator("td").evaluate_all(
        "cells => cells.slice(0, 4).map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert colours[0] == colours[3] != colours[1]


def test_wide_heads_say_what_is_left_out(open_view):
    q, k, v = RNG.normal(size=(3, 12, 16, 64))
    page = open_view(views.explore_attention(q, k, v))
    page.get_by_role("combobox", name="Head").select_option("7")
    got = float(text(page, ".sum").rsplit("=", 1)[1].replace("−", "-"))
    assert got == pytest.approx(q[7, 15] @ k[7, 0], abs=0.011)
    assert "more) = " in text(page, ".sum")
    page.get_by_label(re.compile("^5 ")).check()
    assert re.search(r"first \d+ of 64 features", page.locator("table[role=grid] caption").inner_text())


def test_sixty_four_tokens_can_be_used(open_view):
    weights = reference.softmax(RNG.normal(size=(2, 64, 64)) * 3)
    page = open_view(views.explore_weights(weights, [f"t{i}" for i in range(64)]))
    page.get_by_role("combobox", name="Query").select_option("9 t9")
    best = int(weights[0, 9].argmax())
    page.get_by_role("combobox", name="Key").select_option(f"{best} t{best}")
    assert f"weights[9, {best}] = {weights[0, 9, best]:.3f}" in text(page, ".sum")
    assert page.locator("tr.on td").nth(best).inner_text() == "•"


def test_all_layers_and_one_of_them_large(open_view):
    weights = reference.softmax(RNG.normal(size=(6, 12, 7, 7)) * 2)
    page = open_view(views.explore_layers(weights, list("abcdefg")))
    assert page.locator(".tiles button").count() == 72
    page.get_by_role("button", name=re.compile("layer 4, head 10:")).click()
    assert text(page, "table[role=grid] caption") == "weights[4, 10]"
    assert cells(page) == written(weights[4, 10])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert text(page, "table[role=grid] caption") == "weights[5, 11]"
    mean = np.diagonal(weights[5, 11], -1).mean()
    assert f"mean weight: {mean:.2f} on the token before" in text(page, "section")


def test_the_nine_steps_by_button(open_view):
    page = open_view(
        views.explore_steps(example.X, example.W_Q, example.W_K, example.W_V, example.W_O, 2, CAUSAL, TOKENS)
    )
    page.get_by_role("combobox", name="Token").select_option("1 saw")
    codes = []
    for step in range(9):
        codes.append(text(page, "section code"))
        assert f"Step {step + 1} of 9." in text(page, "section")
        if step < 8:
            page.get_by_role("button", name="Next").click()
    assert codes[4] == "Z = Q_h @ K_h.T"
    assert page.get_by_role("button", name="Next").get_attribute("aria-disabled") == "true"
    page.keyboard.press("Enter")
    assert "Step 9 of 9." in text(page, "section")
    output, _ = reference.multi_head_attention(
        example.X[None], example.W_Q, example.W_K, example.W_V, example.W_O, 2, CAUSAL
    )
    assert text(page, ".sum").endswith(f"= {output[0, 1, 0]:.2f}")
    page.get_by_role("button", name="7 softmax").click()
    assert "A[1, 0] = e^1.41 / (e^1.41 + e^0) = 0.804" in text(page, ".sum")


ALL = {
    "attention": lambda: views.explore_attention(Q, K, V, CAUSAL, TOKENS),
    "weights": lambda: views.explore_weights(
        reference.softmax(RNG.normal(size=(3, 20, 20))), [f"t{i}" for i in range(20)]
    ),
    "layers": lambda: views.explore_layers(reference.softmax(RNG.normal(size=(2, 3, 4, 4)))),
    "steps": lambda: views.explore_steps(
        example.X, example.W_Q, example.W_K, example.W_V, example.W_O, 2, CAUSAL, TOKENS
    ),
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ALL)
def test_nothing_keeps_readers_out(open_view, name, dark):
    page = open_view(ALL[name](), dark=dark)
    if dark:
        page.evaluate(
            "document.documentElement.dataset.theme = 'dark'; document.body.style.background = '#14181e'"
        )
        page.evaluate("document.body.style.color = '#eee'")
        page.wait_for_selector(".attention-view[dark]")
    assert browser.violations(page) == []


@pytest.mark.parametrize(
    "tokens", [TOKENS, ["Donaudampfschifffahrtsgesellschaftskapitän", "x" * 300, "a", "b"]]
)
def test_a_narrow_screen_needs_no_sideways_scrolling(open_view, tokens):
    page = open_view(views.explore_attention(Q, K, V, CAUSAL, tokens, title=tokens[1]), width=360)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_token_is_shown_and_never_run(open_view):
    page = open_view(
        views.explore_weights(np.eye(2), ["<script>hit=1</script>", "<img src=x onerror=hit=1>"])
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    assert "0 <script>hit=1</script>" in text(page, "table[role=grid]")


def test_without_scripts_there_is_the_picture(chromium, tmp_path):
    view = views.explore_attention(Q, K, V, CAUSAL, TOKENS).captioned("Look.")
    (tmp_path / "view.html").write_text(
        re.sub("<script>.*</script>", "", browser.alone(view), flags=re.DOTALL), "utf-8"
    )
    with browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "view.html").as_uri())
        picture = visit.page.get_by_role("img")
        assert picture.get_attribute("alt") == view.picture.description
        assert picture.bounding_box()["width"] > 300
        assert visit.page.get_by_text("Look.").is_visible()


def test_two_views_on_one_page_do_not_meet(chromium, tmp_path):
    one = views.explore_attention(Q, K, V, None, TOKENS)
    (tmp_path / "two.html").write_text(browser.alone(one).replace("</main>", f"{one.html}</main>"), "utf-8")
    with browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "two.html").as_uri())
        first, second = visit.page.locator(".attention-view").all()
        first.get_by_label(re.compile("^4 ")).check()
        assert first.locator("code").inner_text() == "weights = softmax(masked)"
        assert second.locator("code").inner_text() == "scores = Q @ K.T"
        assert second.get_by_label(re.compile("^1 ")).is_checked()
        assert visit.errors == []
