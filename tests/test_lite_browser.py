"""The edition in the browser, used as a learner uses it: in a real Chromium, from a static host's folder."""

import json
import os
import re
import shutil

import nbformat
import pytest

from helpers import CheckFailed, check
from tests.lite_reader import line
from tools import opens, real_browser
from tools.lite.page import NAMES, WHOLE
from tools.patience import until
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "model", "pyodide"), pytest.mark.slow]

UNIT = "05_softmax"
WRONG = "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum(axis=0, keepdims=True)"
RIGHT = (
    "def softmax(x, axis=-1):\n"
    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)"
)
ENDLESS = "def softmax(x, axis=-1):\n    while True:\n        pass"
DONE = "05_softmax (Softmax, and the whole of attention): 1 of"
SCRATCH = "05-16a"  # a cell of the unit in which a learner may try something
SHOWS = """([id, text]) => window.jupyterapp.shell.currentWidget.content.widgets.some(
    (one) => one.model.id === id && one.model.sharedModel.getSource() === text)"""
KEPT = "Your work is kept in this browser, on this device; File, Download saves a copy."


def at(home, unit=UNIT):
    return opens.in_browser(home, unit)


def native(answer):
    """What the check says of an answer where there is PyTorch."""
    scope = {}
    exec(f"import numpy as np\n{answer}", scope)
    with pytest.raises(CheckFailed) as failed:
        check("softmax", scope["softmax"], seed=9)
    return str(failed.value)


def words(text):
    return set(re.findall(r"[A-Za-z]{4,}", text))


def tried(lab, answer):
    """What the check says of an answer."""
    lab.write("softmax", answer)
    lab.run("softmax")
    return typed(lab, "check('softmax', seed=9)")


def typed(lab, source):
    """What a line gives that the learner types."""
    lab.write(SCRATCH, source)
    return lab.run(SCRATCH).inner_text()


def chosen(page, menu, entry):
    page.locator(".lm-MenuBar-itemLabel", has_text=menu).first.click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{entry}$")).first.click()


def test_from_the_button_to_the_next_day_without_a_connection(reader, site, tmp_path):
    with real_browser.served(site.parent) as address, reader.opened() as page:
        page.goto(f"{address}/{site.name}/notebooks/{UNIT}/{UNIT}.html")
        page.get_by_role("link", name="Open in your browser").first.click()
        assert line(page).inner_text().startswith(KEPT)
        reader.errors.clear()  # those of the page with the button have a test of their own
        lab = real_browser.Notebook(page)
        assert "Set-up is done." in lab.run("set-up").inner_text()

        shown = tried(lab, WRONG)
        assert "Your exponentials overflow. Second: You always use the first axis" in shown
        assert words(native(WRONG)) <= words(shown)
        assert "≠" in lab.find(SCRATCH).locator("table").nth(1).inner_text()
        assert "Hint 1 of" in typed(lab, "hint('softmax')")
        assert "tensor([2.7183])" in typed(lab, "import torch; torch.exp(torch.ones(1))")
        lab.run("05-04")
        assert lab.run("05-05").locator("img").count() == 1
        assert "it was still running after 10 seconds" in tried(lab, ENDLESS)

        shown = tried(lab, RIGHT)
        assert "✓ softmax is right." in shown
        assert "1 of 8 in this unit. Next: 5.2 masked_softmax, further down." in shown
        lab.save()
        assert "Blank again in 05_softmax.ipynb: softmax." in typed(lab, "reset('softmax')")
        page.wait_for_function(SHOWS, arg=[SCRATCH, "# reset('softmax')"])
        assert "Brought back in 05_softmax.ipynb: softmax." in typed(lab, "reset('softmax', undo=True)")
        page.wait_for_function(SHOWS, arg=["softmax", RIGHT])
        lab.run("softmax")
        assert "✓ softmax is right." in typed(lab, "check('softmax')")
        assert DONE in typed(lab, "progress()")
        lab.save()
        with page.expect_download() as download:
            chosen(page, "File", "Download")
        download.value.save_as(tmp_path / "mine.ipynb")
        page.locator("#course-line[data-kept]").wait_for()
        assert line(page).inner_text() == f"{KEPT} It opens without a connection now."
        assert reader.errors == []
    goes_on_elsewhere(tmp_path / "mine.ipynb")

    with reader.opened() as page:  # nobody serves that address any more
        page.goto(at(f"{address}/{site.name}/"))
        lab = real_browser.Notebook(page)
        assert RIGHT.splitlines()[1] in lab.find("softmax").inner_text()
        lab.run("set-up")
        assert DONE in typed(lab, "progress()")
        lab.run("softmax")
        assert "✓ softmax is right." in typed(lab, "check('softmax')")
        assert "attention is not answered yet" in lab.run("attention-test").inner_text()
        assert line(page).inner_text().startswith(KEPT)


@pytest.mark.nightly
def test_the_model_of_unit_08_reads_a_sentence_of_one_s_own_with_and_without_a_connection(reader, site):
    manifest = json.loads((site / "_static" / "live" / "model" / "manifest.json").read_text("utf-8"))
    size = sum(manifest["parts"][name]["packed"] for name in manifest["first"]) / 1e6

    def saw(page, home):
        """What cells say: of the model as it comes, and of a sentence in it."""
        page.goto(at(home, "08_inside_a_pretrained_model"))
        lab = real_browser.Notebook(page)
        lab.run("set-up")
        came = lab.run("08-04").inner_text()
        lab.write("08-24b", "views.real_model(model, 'I can open a can', attention=yours('bert_attention'))")
        shown = lab.run("08-24b").locator(".attention-view")
        shown.get_by_text("have a cosine of 0.92").first.wait_for(state="attached")
        return came

    with real_browser.served(site.parent) as address, reader.opened() as page:
        home = f"{address}/{site.name}/"
        came = saw(page, home)
        assert f"Fetching the model from this site: {size:.1f} MB" in came
        assert "has the right checksums" in came
        page.locator("#course-line[data-kept]").wait_for()
        assert reader.errors == []
    with reader.opened() as page:  # nobody serves that address any more
        assert "has the right checksums" in saw(page, home)


def goes_on_elsewhere(path):
    """What was downloaded differs from the learner's notebook only in what was typed and put out."""
    mine = nbformat.read(path, 4)
    nbformat.validate(mine)
    course = nbformat.read(ROOT / "notebooks" / UNIT / f"{UNIT}.ipynb", 4)
    assert [cell.id for cell in mine.cells] == [cell.id for cell in course.cells]
    for here, there in zip(mine.cells, course.cells, strict=True):
        assert here.metadata.get("nbgrader") == there.metadata.get("nbgrader")
        assert here.source == there.source or here.id in ("softmax", SCRATCH)
    assert mine.metadata.kernelspec == course.metadata.kernelspec


# What is wrong with a browser, and what the line says of it.


def told(page, problem):
    """The line, once it speaks of a problem."""
    page.locator(f"#course-line[data-problem={problem}]").wait_for()
    return line(page).inner_text()


UNSEEN = """
for (const name of ["focus", "focusin"])
    addEventListener(name, (event) => event.stopImmediatePropagation(), true);
"""


@pytest.mark.nightly
def test_a_tab_that_nobody_has_looked_at_yet(reader, hosted):
    """JupyterLab has no current notebook there; the line says all the same when Python is ready."""
    with reader.opened(before=UNSEEN) as page:
        page.goto(at(hosted))
        page.locator("#course-line[data-kept]").wait_for()
        assert page.evaluate("window.jupyterapp.shell.currentWidget") is None
        assert line(page).inner_text() == f"{KEPT} It opens without a connection now."


@pytest.mark.nightly
def test_a_browser_without_webassembly(reader, hosted):
    with reader.opened(before="delete globalThis.WebAssembly") as page:
        page.goto(at(hosted))
        assert told(page, "wasm").startswith("This browser cannot run Python, as it has no WebAssembly:")


@pytest.mark.nightly
def test_a_browser_that_may_keep_nothing(reader, hosted):
    with reader.opened(cookies=False) as page:
        page.goto(at(hosted))
        assert told(page, "forbidden").startswith("This browser lets no page keep anything here")


@pytest.mark.nightly
def test_storage_that_is_full(reader, hosted):
    with reader.opened() as page:
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        full = {"origin": hosted.partition("/site/")[0], "quotaSize": 1}
        page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", full)
        lab.write("softmax", RIGHT)

        def saved_once_more():  # Chromium looks half a minute later how full it is
            page.keyboard.insert_text(" ")
            page.keyboard.press("ControlOrMeta+s")
            page.wait_for_timeout(1000)  # to save is work, and here it is done for half a minute
            return page.locator("#course-line").get_attribute("data-problem")

        assert until(saved_once_more) == "full"
        assert told(page, "full").startswith(
            "This browser's storage is full, and your last change is not kept:"
        )
        assert RIGHT.splitlines()[1] in lab.find("softmax").inner_text()


@pytest.mark.nightly
def test_an_address_that_is_plain_http(reader, hosted):
    there = hosted.replace("127.0.0.1", "course.example")
    with reader.opened(
        flags=("--host-resolver-rules=MAP course.example 127.0.0.1", "--no-proxy-server")
    ) as page:
        page.goto(at(there))
        assert told(page, "plain").startswith("This address is plain http,")
        lab = real_browser.Notebook(page)
        lab.run("set-up")
        assert "✓ softmax is right." in tried(lab, RIGHT)


@pytest.mark.nightly
def test_a_connection_that_ends_while_the_page_loads(reader, hosted):
    with reader.opened() as page:
        page.goto(at(hosted), wait_until="commit")
        page.context.set_offline(True)
        assert told(page, "network").startswith("The connection ended while the page was loading.")
        page.context.set_offline(False)
        page.reload()
        real_browser.Notebook(page)
        assert line(page).inner_text().startswith(KEPT)


@pytest.mark.nightly
def test_a_part_that_is_missing_is_not_blamed_on_the_connection(reader, site, tmp_path):
    copy = tmp_path / "host"
    shutil.copytree(site, copy, copy_function=os.link)
    (wheel,) = copy.glob("lite/static/kernel/numpy-*.whl")
    wheel.unlink()
    with real_browser.served(copy) as address, reader.opened() as page:
        page.goto(at(f"{address}/"))
        assert told(page, "missing").startswith(
            "A part of this page did not come, though its server answers:"
        )


@pytest.mark.nightly
def test_the_newer_course_can_be_asked_for_again_where_leaving_was_refused(reader, site, tmp_path):
    copy = tmp_path / "host"
    shutil.copytree(site, copy, copy_function=os.link)
    with real_browser.served(copy) as address, reader.opened() as page:
        page.goto(at(f"{address}/"))
        page.locator("#course-line[data-kept]").wait_for()
        worker = copy / "lite" / "service-worker.js"
        newer = worker.read_text("utf-8") + "// newer"
        worker.unlink()
        worker.write_text(newer, "utf-8")
        page.reload()
        told(page, "newer")
        real_browser.Notebook(page).find("softmax").click()
        page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())")
        reload = line(page).get_by_role("button", name="Reload")
        with page.expect_event("dialog", predicate=lambda dialog: dialog.dismiss() is None):
            reload.click()
        page.once("dialog", lambda dialog: dialog.accept())
        with page.expect_navigation():
            reload.click()
        real_browser.Notebook(page)


@pytest.mark.nightly
def test_a_course_that_was_updated_since_the_last_visit(reader, site, tmp_path):
    copy = tmp_path / "host"
    shutil.copytree(site, copy, copy_function=os.link)
    asked = []
    with real_browser.served(copy, asked) as address, reader.opened() as page:
        page.goto(at(f"{address}/"))
        lab = real_browser.Notebook(page)
        lab.write("softmax", RIGHT)
        lab.save()
        page.locator("#course-line[data-kept]").wait_for()

        asked.clear()
        page.reload()
        real_browser.Notebook(page)
        # Chromium itself asks for the page beside the worker that has it, and for the newest worker
        of_chromium = {"/lite/lab/index.html", "/lite/service-worker.js"}
        assert {one.partition("?")[0] for one in asked} <= of_chromium

        worker = copy / "lite" / "service-worker.js"
        newer = re.sub(r"attention-course-\w+", "attention-course-newer", worker.read_text("utf-8"))
        worker.unlink()
        worker.write_text(newer, "utf-8")
        page.reload()
        assert "There is a newer version of the course. What you wrote stays as it is." in told(page, "newer")
        real_browser.Notebook(page)
        with page.expect_navigation():
            line(page).get_by_role("button", name="Reload").click()
        lab = real_browser.Notebook(page)
        assert RIGHT.splitlines()[1] in lab.find("softmax").inner_text()
        stores = "caches.keys().then((names) => names.filter((name) => name.startsWith('attention')))"
        assert page.evaluate(stores) == ["attention-course-newer"]


# While it loads, and how it looks then


@pytest.mark.parametrize(("app", "opened"), [("lab", opens.in_browser), ("notebooks", opens.in_notebook)])
@pytest.mark.nightly
def test_the_unit_s_own_page_can_be_read_until_the_first_cell_is_there(reader, hosted, app, opened):
    with reader.opened() as page:
        let_go = real_browser.held(page, "**/lite/build/jlab_core.*")
        page.goto(opened(hosted, UNIT), wait_until="commit")
        there = page.frame_locator("#course-meanwhile iframe")
        there.get_by_role("heading", name="Unit 05: Softmax, and the whole of attention").wait_for()
        assert there.locator(".workplaces, script").count() == 0
        said = page.locator("#course-meanwhile p").inner_text()
        parts = (
            rf"Step 1 of 2: {NAMES[app]} is loading \([\d.]+ of about {WHOLE[app] / 1e6:.1f} MB, unpacked\)\."
        )
        assert re.match(parts, said)
        assert 0 < page.get_by_role("progressbar", name="Loading").evaluate("(bar) => bar.value") < 100
        assert there.locator("html").evaluate("(one) => one.scrollWidth <= one.clientWidth")
        let_go()
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        page.locator("#course-meanwhile").wait_for(state="detached")
        loaded = int(page.locator("#course-line").get_attribute("data-loaded"))
        assert abs(loaded / WHOLE[app] - 1) < 0.15, f"{loaded} bytes are there with the first cell: set WHOLE"
        assert reader.errors == []


@pytest.mark.nightly
def test_who_has_begun_to_read_is_not_interrupted(reader, hosted):
    with reader.opened() as page:
        let_go = real_browser.held(page, "**/lite/build/jlab_core.*")
        page.goto(at(hosted), wait_until="commit")
        there = page.frame_locator("#course-meanwhile iframe")
        there.locator("h1").click()
        page.mouse.wheel(0, 500)
        let_go()
        page.locator(".jp-Notebook .jp-Cell").first.wait_for(state="attached")
        page.get_by_role("button", name="Open it").click()
        assert page.locator("#course-meanwhile").count() == 0
        real_browser.Notebook(page)


@pytest.mark.nightly
def test_without_a_page_to_read_the_bar_is_alone(reader, site, tmp_path):
    copy = tmp_path / "host"
    shutil.copytree(site / "lite", copy / "lite", copy_function=os.link)
    with real_browser.served(copy) as address, reader.opened() as page:
        page.goto(at(f"{address}/"))
        real_browser.Notebook(page)
        assert page.locator("#course-meanwhile").count() == 0


@pytest.mark.parametrize(
    ("width", "app", "scheme"),
    [
        (1280, "lab", "dark"),
        (390, "notebooks", "light"),
        (768, "notebooks", "dark"),
    ],
)
@pytest.mark.nightly
def test_the_notebook_has_the_screen_in_the_system_s_colours_and_the_line_is_whole(
    reader, hosted, width, app, scheme
):
    with reader.opened(width=width) as page:
        page.emulate_media(color_scheme=scheme)
        page.goto(at(hosted))
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        cut = "(one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth"
        whole = page.locator("#course-line")
        assert not whole.evaluate(cut)
        top = page.locator("#main").bounding_box()["y"]
        assert top >= whole.bounding_box()["height"] - 1
        real_browser.Notebook(page)
        page.locator("#course-line[data-kept]").wait_for()
        assert f"/lite/{app}/index.html?path={UNIT}/{UNIT}.ipynb" in page.url
        assert not page.locator(".jp-DirListing").is_visible()
        column = page.locator(".jp-Notebook").bounding_box()["width"]
        assert column > width - 100
        assert column >= 300
        light = str(scheme == "light").lower()
        page.locator(f"body[data-jp-theme-light={light}]").wait_for(state="attached")
