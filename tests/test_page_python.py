"""What a page's Python is built from: packages, and what goes wrong on the way."""

import zipfile

import pytest

from tools.in_browser import runtime
from tools.shell import Stop

WHEEL = "numpy-1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
NUMPY = {"name": "numpy", "version": "1.0", "file_name": WHEEL, "sha256": "", "depends": ["fonttools", "six"]}


@pytest.fixture
def wheels(tmp_path):
    """A folder with one wheel, of which parts are not needed."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        for name in ("numpy/__init__.py", "numpy/__init__.pyi", "numpy/core/tests/test_all.py"):
            wheel.writestr(name, "")
    return folder


def package(folder, out, **changed):
    return runtime.package_entry({**NUMPY, **changed}, folder, out)


def test_a_compiled_package_comes_from_the_cdn_unless_a_folder_is_given(tmp_path):
    entry = package(None, tmp_path)
    assert entry["file_name"] == runtime.CDN + WHEEL
    assert runtime.CDN.startswith("https://cdn.jsdelivr.net/pyodide/v")
    assert list(tmp_path.iterdir()) == []


def test_a_package_of_the_folder_is_copied_without_what_nothing_reads(wheels, tmp_path):
    entry = package(wheels, tmp_path, sha256=runtime.digest(wheels / WHEEL))
    assert entry["file_name"] == WHEEL
    assert entry["depends"] == ["six"]
    assert entry["sha256"] == runtime.digest(tmp_path / WHEEL)
    with zipfile.ZipFile(tmp_path / WHEEL) as kept:
        assert kept.namelist() == ["numpy/__init__.py"]


def test_a_wheel_of_another_release_is_refused(wheels, tmp_path):
    with pytest.raises(Stop, match=r"is not that of pyodide@.*: its SHA-256 differs"):
        package(wheels, tmp_path)


def test_a_folder_without_a_wheel_is_refused(wheels, tmp_path):
    other = WHEEL.replace("numpy", "contourpy")
    with pytest.raises(Stop, match=f"has no {other}: it should hold the wheels of pyodide@"):
        package(wheels, tmp_path, file_name=other)


def test_the_course_is_a_package_with_a_name_of_its_own_for_each_content(tmp_path, monkeypatch):
    first = runtime.course_wheel(tmp_path)
    with zipfile.ZipFile(first) as wheel:
        names = wheel.namelist()
    stand_in = "helpers/in_browser/stand_in/torch/"  # not where PyTorch lies, should that come
    assert {f"{stand_in}__init__.py", "helpers/__init__.py", "helpers/exercises/__init__.py"} <= set(names)
    assert f"{stand_in}names.txt" in names
    assert [name for name in names if name.startswith("torch") or name.endswith(".pyc")] == []
    assert runtime.course_wheel(tmp_path) == first
    monkeypatch.setattr(runtime, "HELD", ("helpers/plots",))
    assert runtime.course_wheel(tmp_path) != first
