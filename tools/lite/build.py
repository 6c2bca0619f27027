"""Put the edition in the browser together, below the site: `build/site/lite/`."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tools import lab
from tools.lite import answers, contents, engine, kernel_changes, page, recording, runtime
from tools.shell import Stop

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"

_ONE_TAB = ("@jupyterlite/application-extension:resolver", "@jupyterlab/workspaces-extension")
"""What restores the notebooks of the last visit: two tabs would share them, and each would start a Python."""

_SAVED_SOON = {"@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 5}}


def build(site: Path, source: Path, pyodide: Path | None) -> None:
    """Build `lite/` below a site.

    Args:
        site: the site, which Sphinx has written.
        source: what Sphinx made it from, with the units executed.
        pyodide: the folder with Pyodide's wheels, or `None` for its CDN.

    Raises:
        Stop: when something cannot be fetched, or the folder lacks a wheel.
    """
    begun = source.parent / "lite-source"
    shutil.rmtree(begun, ignore_errors=True)
    settings = runtime.assemble(begun, pyodide)
    contents.write(begun / "contents", begun, source / "notebooks")
    recording.record_all(begun)
    runtime.compile_ahead(begun)
    (begun / "jupyter-lite.json").write_text(json.dumps(_configuration(settings)), "utf-8")
    (begun / "jupyter_lite_config.json").write_text(json.dumps(_how(begun, site / "lite")), "utf-8")
    # a database of an earlier build, where there is one, would keep its settings
    words = [engine.jupyterlite(), "-m", "jupyterlite_core", "build"]
    done = subprocess.run(words, cwd=begun, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        raise Stop(f"JupyterLite could not be built: {(done.stdout + done.stderr)[-2000:]}")
    for part in (runtime.FOLDER, "recorded"):
        shutil.copytree(begun / part, site / "lite" / part)
    kernel_changes.make(site / "lite")
    page.begin_kernel(site / "lite", settings)
    answers.write(site / "lite", settings)
    page.write(site / "lite")


def _environment() -> dict[str, str]:
    """Ours, without what would bring JupyterLab's own extensions in."""
    return {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}


def _configuration(settings: dict[str, object]) -> dict[str, object]:
    """What JupyterLab is told in the browser."""
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "Attention, step by step",
            "defaultKernelName": "python3",
            "exposeAppInBrowser": True,
            "disabledExtensions": sorted({*_profile("page_config")["disabledExtensions"], *_ONE_TAB}),
            "settingsOverrides": _profile("default_setting_overrides") | _SAVED_SOON,
            "litePluginSettings": {KERNEL: settings},
        },
    }


def _profile(name: str) -> dict[str, Any]:
    """A file of the learner's profile: what an installed JupyterLab is told too."""
    return json.loads((lab.PROFILE / "labconfig" / f"{name}.json").read_text("utf-8"))


def _how(begun: Path, lite: Path) -> dict[str, object]:
    """What the build is told."""
    return {
        "LiteBuildConfig": {
            "contents": [str(begun / "contents")],
            "output_dir": str(lite),
            "apps": [*page.NAMES, "tree", "edit"],  # the last two are where the notebook's own page leads
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
        }
    }
