"""Put together what a page's Python is made of: `build/site/python/`."""

from pathlib import Path

from tools.in_browser import recording, runtime, service_worker, worker

FOLDER = "python"
"""Where it lies, below the site."""


def build(site: Path, pyodide: Path | None) -> None:
    """Build `python/` below a site, and the service worker that keeps it.

    Args:
        site: the site, which Sphinx has written.
        pyodide: the folder with Pyodide's wheels, or `None` for its CDN.

    Raises:
        Stop: when something cannot be fetched, or the folder lacks a wheel.
    """
    out = site / FOLDER
    engine = runtime.assemble(out, pyodide)
    recording.record_all(out)
    runtime.compile_ahead(out)
    worker.write(out, engine)
    service_worker.write(site, out, engine)
