"""The worker that checks answers on the pages, as the site's build writes it."""

import json
import re

import pytest

from tools.in_browser import runtime, worker

pytestmark = pytest.mark.needs("engine")


def written(folder, numpy):
    """What the worker begins with, where NumPy's wheel has this name."""
    kernel = folder / runtime.PACKAGES
    kernel.mkdir(parents=True)
    names = {"numpy": numpy, runtime.COURSE: "course.whl", "compiled-checks": "checks.whl"}
    names |= {"compiled-cells": "cells.whl", "matplotlib": "matplotlib.whl"}
    packages = {
        name: {"file_name": file, "sha256": "00" * 32, "depends": ["cycler"]} for name, file in names.items()
    }
    packages["matplotlib"]["depends"] = ["numpy"]
    packages["cycler"] = {"file_name": "cycler.whl", "sha256": "11" * 32, "depends": []}
    (kernel / "pyodide-lock.json").write_text(json.dumps({"info": {}, "packages": packages}))
    for file in ("stdlib.zip", *(one for one in names.values() if "/" not in one)):
        (kernel / file).write_bytes(bytes(7))
    place = runtime.CDN if "/" in numpy else f"./{runtime.PACKAGES}/"
    worker.write(folder, place)
    text = (folder / "worker.js").read_text("utf-8")
    return json.loads(re.search(r"^const \{.*?\} = (\{.*\});$", text, re.MULTILINE)[1])


def test_it_begins_with_numpy_and_the_course_alone(tmp_path):
    begins = written(tmp_path, "numpy.whl")
    assert begins["names"] == ["numpy", "attention-course", "compiled-checks"]
    assert (begins["cells"], begins["drawing"]) == (["compiled-cells"], ["matplotlib", "cycler"])
    assert list(begins["lock"]["packages"]) == [*begins["names"], *begins["cells"], *begins["drawing"]]
    assert all(one["depends"] == [] for one in begins["lock"]["packages"].values())
    assert begins["files"]["./packages/numpy.whl"] == {"bytes": 7, "sha256": "A" * 43 + "="}
    assert begins["files"]["./packages/pyodide.asm.wasm"]["bytes"] > 1_000_000
    assert not any("cycler" in file for file in begins["files"])
    assert (tmp_path / "keep.js").exists()


def test_what_lies_on_the_cdn_is_asked_for_there(tmp_path):
    begins = written(tmp_path, f"{runtime.CDN}numpy.whl")
    assert begins["engine"] == runtime.CDN
    there = [file for file in begins["files"] if file.startswith(runtime.CDN)]
    assert there == [f"{runtime.CDN}pyodide.asm.wasm", f"{runtime.CDN}numpy.whl"]
    assert begins["files"][there[1]]["bytes"] == 0


def test_what_is_recorded_is_known_by_unit(tmp_path):
    units = written(tmp_path, "numpy.whl")["recorded"]
    assert ["double"] in units
    assert next(unit for unit in units if "softmax" in unit)[:2] == ["softmax", "masked_softmax"]
