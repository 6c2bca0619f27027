"""PyTorch in place of its stand-in, fetched on a press: in a real Chromium, with a small wheel."""

import re

import pytest

from tests import in_node, tiny_torch
from tools import needs, opens, real_browser
from tools.lite import pytorch, runtime
from tools.shell import Stop
from tools.versions import PYTORCH_SHA256, PYTORCH_WHEEL

UNIT = "07_train_a_transformer"
STAND_IN = "A stand-in for PyTorch runs here."


def test_a_wheel_is_taken_with_its_checksum_alone(tmp_path):
    file = tmp_path / PYTORCH_WHEEL
    file.write_bytes(b"another file")
    with pytest.raises(Stop, match=f"has the SHA-256 .*; expected {PYTORCH_SHA256}"):
        pytorch.wheel(str(file), tmp_path)
    assert pytorch.wheel(str(file), tmp_path, runtime.digest(file)) == file


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("numpy-2.0-py3-none-any.whl", "PYTORCH should name a wheel like torch-2.13.0"),
        (
            "torch-9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
            "knows no checksum of torch-9.0-.*PYTORCH_SHA256",
        ),
        (PYTORCH_WHEEL, "PYTORCH names .*, and there is no such file"),
        (f"http://127.0.0.1/{PYTORCH_WHEEL}", "should be a file or an address with https://"),
    ],
)
def test_what_is_no_wheel_for_this_pyodide_is_refused_in_one_sentence(tmp_path, given, says):
    with pytest.raises(Stop, match=says):
        pytorch.wheel(given if "://" in given else str(tmp_path / given), tmp_path)


RAN = """
import sys

sys.path.append("/course")
import helpers
from helpers.in_browser import pytorch

print(pytorch.begin())
"""


@pytest.mark.nightly
@pytest.mark.needs("lite", "pyodide", "pytorch")
def test_the_wheel_that_is_named_is_pytorch(laid_out, tmp_path):
    """What the verdicts of that night are those of, see `test_lite_verdicts.py`."""
    file = tmp_path / "ran.py"
    file.write_text(RAN, "utf-8")
    assert in_node.run(laid_out, file).strip().splitlines()[-1] == "2.13.0"


@pytest.fixture
def laid(site, tmp_path):
    """The site with the small wheel; gives a function that lays one."""

    def laid(**how):
        file = tiny_torch.wheel(tmp_path, **how)
        assert pytorch.wheel(str(file), tmp_path, runtime.digest(file)) == file
        return tiny_torch.laid(site, tmp_path / "host", file, needs.pyodide_folder())

    return laid


def about(page):
    """What the line says of PyTorch."""
    return page.locator("#course-line #course-pytorch")


def says(page, text):
    about(page).filter(has_text=text).wait_for()


def opened(page, address):
    page.goto(opens.in_browser(f"{address}/", UNIT))
    return real_browser.Notebook(page)


def press(page):
    button = about(page).get_by_role("button")
    assert re.fullmatch(r"PyTorch, \d+ MB", button.inner_text())
    button.click()


def of_site(test):
    """A test of the built site."""
    needed = pytest.mark.needs("browser", "katex", "lite", "model", "pyodide")
    return pytest.mark.nightly(needed(test))


@of_site
def test_pytorch_comes_on_a_press_and_is_there_without_a_connection(reader, laid):
    host, asked = laid(), []
    with real_browser.served(host, asked) as address, reader.opened() as page:
        lab = opened(page, address)
        says(page, STAND_IN)
        assert STAND_IN in lab.run("set-up").inner_text()
        assert not any(pytorch.FOLDER in one for one in asked)
        press(page)
        says(page, "PyTorch is here, for the next Python.")
        about(page).get_by_role("button", name="Restart Python").click()
        page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
        says(page, "PyTorch 2.13.0 runs here.")
        said = lab.run("set-up").inner_text()
        assert "PyTorch 2.13.0 runs here." in said
        assert "stand-in" not in said
        assert sum(one.endswith(".whl") and pytorch.FOLDER in one for one in asked) == 4, "fetched once"
        page.locator("#course-line[data-kept]").wait_for()
        assert reader.errors == []
    with reader.opened() as page:  # nobody serves that address any more
        opened(page, address)
        says(page, "PyTorch 2.13.0 runs here.")
        assert about(page).get_by_role("button").count() == 0


@of_site
def test_a_download_that_is_cut_off_and_another_checksum(reader, laid):
    host = laid()
    (wheel,) = (host / "lite" / pytorch.FOLDER).glob("torch-*.whl")
    whole = wheel.read_bytes()
    with real_browser.served(host) as address, reader.opened() as page:
        lab = opened(page, address)
        says(page, STAND_IN)
        wheel.write_bytes(whole[:-100])
        press(page)
        says(page, "The download of PyTorch was cut off. The stand-in goes on.")
        wheel.write_bytes(whole[:-1] + b"!")
        press(page)
        says(page, "has another checksum than the course expects. The stand-in goes on.")
        assert page.evaluate("caches.keys().then((all) => all.filter((one) => /pytorch/.test(one)))") == []
        wheel.unlink()
        press(page)
        says(page, "The site answered 404 when asked for PyTorch. The stand-in goes on.")
        assert STAND_IN in lab.run("set-up").inner_text()


@of_site
def test_a_store_that_is_full(reader, laid):
    with real_browser.served(laid()) as address, reader.opened(before=FULL) as page:
        opened(page, address)
        says(page, STAND_IN)
        press(page)
        says(page, "This browser has no room for PyTorch. The stand-in goes on.")


FULL = """
const { put } = Cache.prototype;
Cache.prototype.put = function (asked, answer) {
    const full = () => Promise.reject(new DOMException("", "QuotaExceededError"));
    return /pytorch/.test(String(asked)) ? full() : put.call(this, asked, answer);
};
"""


@of_site
def test_pytorch_that_does_not_begin(reader, laid):
    host = laid(ends="\nraise RuntimeError('memory access out of bounds')")
    with real_browser.served(host) as address, reader.opened() as page:
        lab = opened(page, address)
        says(page, STAND_IN)
        press(page)
        about(page).get_by_role("button", name="Restart Python").click()
        page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
        why = "PyTorch could not begin (RuntimeError: memory access out of bounds)."
        says(page, f"{why} {STAND_IN}")
        assert f"{why} {STAND_IN}" in " ".join(lab.run("set-up").inner_text().split())
