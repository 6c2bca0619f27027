"""Fetch what single tests need from npm and PyPI, once: MathJax for the site, and the peer's judge."""

import subprocess
import sys

from tools import peer, site
from tools.shell import Stop


def main() -> int:
    """Fetch both; the exit code is 1 where one cannot be had, and a sentence says why."""
    failed = 0
    for what, fetch in (("MathJax", site.fetch_mathjax), ("the peer's judge", peer.python)):
        try:
            fetch()
        except (Stop, OSError, subprocess.CalledProcessError) as error:
            print(f"Could not fetch {what}, so that its tests are left out: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
