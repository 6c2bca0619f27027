"""Probe and verdict need not share a process: bytes on a pipe give the same verdicts, unpickled nowhere."""

import ast
import importlib
import inspect
import io
import itertools
import json
import pickle
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

from banks import registry
from helpers import reference
from helpers.beside import probes, wire
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.units import UNIT_OF, UNITS, module_name
from helpers.verdict.judge import judge
from tests import probe_process
from tests.lanes import at_night
from tests.sources import standalone
from tools.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SEED = 5


# Where the learner's source comes from


def code_cells(unit):
    path = ROOT / "solutions" / unit / f"{unit}.ipynb"
    if not path.exists():
        return []
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def imports(cells):
    """The import lines of a notebook, without IPython's own `%` lines."""
    lines = "\n".join(cell.source for cell in cells).splitlines()
    tree = ast.parse("\n".join("    pass" if line.lstrip().startswith("%") else line for line in lines))
    return "\n".join(ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))


def right_source(name):
    """The solution notebook's cells up to the answer; where there is none, the reference's module."""
    cells = code_cells(UNIT_OF[name])
    answered = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
    names = [cell.metadata["nbgrader"]["grade_id"] for cell in answered]
    if name not in names:
        return inspect.getsource(importlib.import_module(f"{reference.__name__}.unit_{UNIT_OF[name]}"))
    return [imports(cells), *(cell.source for cell in answered[: names.index(name) + 1])]


def wrong_sources(name, count=3):
    """Some wrong programs as text, each bound to the name and with all that it needs."""
    texts = (standalone(answer) for answer in registry.load()[1] if answer.exercise == name)
    return list(itertools.islice(filter(None, texts), count))


# The two ways


def in_process(name, source, cases):
    request = {"exercise": name, "source": source, "cases": [dict(case.args) for case in cases]}
    return request, judge(find(name), cases, probe_process.answer(request))


def through_a_pipe(data):
    return subprocess.run(
        [sys.executable, "-m", "tests.probe_process"],
        cwd=ROOT,
        input=data,
        capture_output=True,
        timeout=PATIENCE,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", [unit if unit[:2] in {"01", "06", "07"} else at_night(unit) for unit in UNITS]
)
def test_same_verdict_through_a_pipe(unit):
    asked = []
    for name in UNITS[unit]:
        for sources, passes in (([right_source(name)], True), (wrong_sources(name), False)):
            assert sources, f"{name} has no source to send"
            for source in sources:
                cases = draw_cases(find(name), SEED)
                request, here = in_process(name, source, cases)
                assert here.passed is passes, f"{name}: {here.says}\n{source}"
                asked.append((cases, request, here))
    done = through_a_pipe(wire.pack([request for _, request, _ in asked]))
    assert (done.returncode, done.stderr) == (0, b"")
    for (cases, request, here), seen in zip(asked, wire.unpack(done.stdout), strict=True):
        there = judge(find(request["exercise"]), cases, seen)
        assert (there.passed, there.misconception) == (here.passed, here.misconception), request["exercise"]
        assert there.says == here.says


OTHER_PROBES = {
    "leaks_future": "it hands over a function, which cannot cross: its probe stays with the verdict",
    "test_softmax": "as leaks_future",
    "test_attention": "as leaks_future",
    "test_multi_head_attention": "as leaks_future",
    "MultiHeadAttention": "the record's has a shorter way, for known mistakes alone",
    "online_attention": "the record's has a shorter way, for known mistakes alone",
    "TransformerBlock": "the record's has a shorter way, for known mistakes alone",
}


@pytest.mark.parametrize("name", UNIT_OF)
def test_the_record_and_the_grader_probe_an_answer_alike(name):
    alike = find(name).probe is probes.of(name)
    assert alike == (name not in OTHER_PROBES), f"helpers/beside/probes/{module_name(name)}.py and the record"


def test_every_probe_is_named_after_an_exercise():
    shared = {"base", "modules", "tensors"}
    files = {path.stem for path in Path(probes.__file__).parent.glob("[!_]*.py")}
    assert files - shared == {module_name(name) for name in probes.OWN}
    assert len(probes.OWN) >= 5


NOISY = """
import logging, os, sys, warnings
print("printed at the top")
def double(x):
    print("printed"); os.write(1, b"written"); sys.__stdout__.write("more"); sys.__stdout__.flush()
    warnings.warn("warned"); print("to stderr", file=sys.stderr); logging.warning("logged")
    try:
        input()
    except EOFError:
        return 2 * x
"""


@pytest.mark.slow
def test_prints_and_reads_do_not_corrupt_the_pipe():
    cases = draw_cases(find("double"), SEED)
    request = {"exercise": "double", "source": NOISY, "cases": [dict(case.args) for case in cases]}
    done = through_a_pipe(wire.pack(request))
    assert (done.returncode, done.stderr) == (0, b"")
    assert judge(find("double"), cases, wire.unpack(done.stdout)).passed


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "double is not answered yet"),
        ("def double(x):\n    raise NotImplementedError('not answered yet')", "double is not answered yet"),
        ("raise NotImplementedError('not answered yet')", "double is not answered yet"),
        ("def double(x)\n    return x", "it stopped with SyntaxError"),
        (
            "def double(x):\n    return 1 / 0",
            "it stopped with ZeroDivisionError: division by zero (line 2: `return 1 / 0`)",
        ),
        (["import numpy", "1 / 0", "def double(x):\n    return x"], "You returned x itself"),
        ("raise SystemExit", "it stopped with SystemExit"),
    ],
)
def test_cells_that_fail_are_explained(source, says):
    here = in_process("double", source, draw_cases(find("double"), SEED))[1]
    assert not here.passed
    assert says in here.says


def test_a_later_cell_repairs_an_earlier_one():
    source = ["1 / 0", "def double(x):\n    return x", "def double(x):\n    return 2 * x"]
    assert in_process("double", source, draw_cases(find("double"), SEED))[1].passed


def test_too_few_observations_do_not_pass():
    cases = draw_cases(find("double"), SEED)
    request = {"exercise": "double", "source": "def double(x): return 2 * x", "cases": [dict(cases[0].args)]}
    for seen in (probe_process.answer(request), []):
        assert not judge(find("double"), cases, seen).passed


# The wire


def test_what_is_packed_comes_back():
    value = {
        "none": None,
        "list": [1, 2.5, "text", True, float("inf")],
        "tuple": (np.arange(6).reshape(2, 3), (), np.array(1.5, np.float32)),
        "nested": {"empty": np.zeros((0, 3)), "mask": np.array([True, False]), "complex": np.array(1j)},
    }
    back = wire.unpack(wire.pack(value))
    assert back.keys() == value.keys()
    assert (back["none"], back["list"]) == (None, value["list"])
    assert isinstance(back["tuple"], tuple)
    for ours, theirs in zip(
        [*value["tuple"], *value["nested"].values()], [*back["tuple"], *back["nested"].values()], strict=True
    ):
        if isinstance(ours, np.ndarray):
            assert (theirs.shape, theirs.dtype) == (ours.shape, ours.dtype)
        np.testing.assert_array_equal(theirs, ours)


@pytest.mark.parametrize("value", [object(), print, {1, 2}, b"bytes", np.array([None]), np.array(["text"])])
def test_objects_are_not_packed(value):
    with pytest.raises(TypeError, match="cross"):
        wire.pack({"value": value})


class Evil:
    def __reduce__(self):
        return exec, ("import sys; sys.evil_ran = True",)


def forged(outline, **arrays):
    buffer = io.BytesIO()
    text = np.frombuffer(json.dumps(outline).encode(), np.uint8)
    np.savez(buffer, allow_pickle=True, outline=text, **arrays)
    return buffer.getvalue()


def saved(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


FORGED = {
    "nothing": b"",
    "text": b"no archive",
    "pickle": pickle.dumps(Evil()),
    "pickled array": saved(np.array([Evil()], dtype=object)),
    "one array, no archive": saved(np.arange(3)),
    "object array in the archive": forged({"array": 0}, array_0=np.array([Evil()], dtype=object)),
    "text array in the archive": forged({"array": 0}, array_0=np.array(["text"])),
    "cut short": wire.pack({"a": np.arange(1000)})[:-30],
    "array that is not there": forged({"array": 7}),
    "unknown container": forged({"set": [1, 2]}),
    "two containers": forged({"list": [], "dict": []}),
    "number for a list": forged({"list": 3}),
}


@pytest.mark.parametrize("kind", FORGED)
def test_forged_bytes_are_refused(kind):
    with pytest.raises(ValueError, match="not what `pack` makes"):
        wire.unpack(FORGED[kind])
    assert not hasattr(sys, "evil_ran")


@pytest.mark.slow
def test_forged_request_gets_no_answer():
    done = through_a_pipe(FORGED["pickle"])
    assert done.returncode != 0
    assert done.stdout == b""
