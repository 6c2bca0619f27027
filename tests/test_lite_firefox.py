"""The edition in the browser in a real Firefox: a mistake is named, work is kept, no connection is needed."""

import json
import shutil
import subprocess

import pytest

from tests.test_lite_browser import DONE, KEPT, RIGHT, SCRATCH, WRONG, at
from tools import needs, real_browser
from tools.patience import LONGEST
from tools.shell import ROOT
from tools.versions import PUPPETEER

pytestmark = [pytest.mark.needs("firefox", "puppeteer", "katex", "lite", "pyodide"), pytest.mark.nightly]

CHECK = "check('softmax', seed=9)"


def worked(profile, address, *steps):
    """What Firefox shows when these cells are run, as (cell, its new text or nothing)."""
    firefox = next(filter(None, map(shutil.which, needs.FIREFOXES)))
    words = ["node", ROOT / "tests/in_firefox.mjs", ROOT / "build" / PUPPETEER, firefox, profile]
    words += [address, json.dumps(steps)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST)
    assert done.returncode == 0, done.stderr[-2000:]
    seen = json.loads(done.stdout)
    print(f"\n{seen['version']}: the kernel is ready after {seen['ready']:.1f} s")
    ours = (address.partition("/lite/")[0], "data:", "blob:")
    assert [one for one in seen["asked"] if not one.startswith(ours)] == []
    assert seen["errors"] == []
    return seen


def test_named_right_and_kept_for_a_visit_without_a_connection(site, tmp_path):
    profile = tmp_path / "profile"
    with real_browser.served(site.parent) as host:
        address = at(f"{host}/{site.name}/")
        seen = worked(
            profile,
            address,
            ("set-up", None),
            ("softmax", WRONG),
            (SCRATCH, CHECK),
            ("softmax", RIGHT),
            (SCRATCH, CHECK),
            (SCRATCH, "progress()"),
        )
    assert seen["first"].startswith(KEPT)
    assert seen["last"] == f"{KEPT} It opens without a connection now."
    set_up, _, wrong, _, right, progress = seen["gave"]
    assert "Set-up is done." in set_up
    assert "Your exponentials overflow. Second: You always use the first axis" in wrong
    assert "✓ softmax is right." in right
    assert DONE in progress

    seen = worked(profile, address, ("set-up", None), ("softmax", None), (SCRATCH, CHECK))
    assert seen["first"].startswith(KEPT)
    assert "✓ softmax is right." in seen["gave"][-1]
