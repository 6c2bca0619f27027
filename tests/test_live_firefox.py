"""The page "Look inside" in a real Firefox: what was kept, then the model itself."""

import json
import re
import shutil
import subprocess

import pytest

from tools import needs, real_browser
from tools.patience import LONGEST
from tools.shell import ROOT
from tools.versions import PUPPETEER

pytestmark = [pytest.mark.needs("firefox", "puppeteer", "katex", "engine", "model"), pytest.mark.nightly]


def test_the_model_runs_in_firefox(site, tmp_path):
    firefox = next(filter(None, map(shutil.which, needs.FIREFOXES)))
    profile = tmp_path / "profile"
    profile.mkdir()
    with real_browser.served(site) as host:
        words = ["node", ROOT / "tests/live_in_firefox.mjs", ROOT / "build" / PUPPETEER, firefox, profile]
        done = subprocess.run(
            [*words, f"{host}/look_inside.html"], capture_output=True, text=True, check=False, timeout=LONGEST
        )
    assert done.returncode == 0, done.stderr[-2000:]
    seen = json.loads(done.stdout)
    print("\n{version}: painted after {paint} ms, live {live:.0f} ms after the first key".format(**seen))
    print("one pass {pass} ms, all heads {each} s".format(**seen))
    assert seen["errors"] == []
    assert seen["kept"].startswith("saw and saw enter with a cosine of 0.96")
    assert seen["kind"] == "simd"
    assert "with layer 0, head 2 off it is 0." in seen["off"]
    assert re.search(r"Layer \d, head \d+ does most of it|No head alone moves it", seen["all"])
    assert seen["wide"] <= 1280
