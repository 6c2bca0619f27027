"""What a learner's process may send, and what is made of anything else: nothing is taken for granted."""

import socket
import struct
import time

import numpy as np
import pytest
from safetensors.numpy import save

from banks import registry
from grading.inside import frames
from grading.outside import outputs
from grading.outside.observations import checked
from helpers.beside import probe, wire
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.verdict.read_in_code import read_in_code
from tests.forms import FORMS

pytestmark = [pytest.mark.needs("sandbox")]

VALUE = {"kind": "array", "array": np.ones(2)}
GOOD = {"value": VALUE, "changed": []}


@pytest.fixture(scope="module")
def banks():
    """Read anew once for this file: each answer is asked by the test of its exercise alone."""
    return registry.fresh()


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_what_a_probe_sees_is_an_observation(name, banks):
    right, wrong = banks
    exercise = find(name)
    cases = draw_cases(exercise, 3)
    some = [answer.obj for answer in [*right, *wrong[::25]] if answer.exercise == name]
    for answer in some:
        seen = wire.unpack(wire.pack(probe.observe(exercise, answer, cases, 1.0)))
        assert [one.keys() for one in checked(seen, len(cases))] == [one.keys() for one in seen]


@pytest.mark.parametrize(
    "seen",
    [
        None,
        [],
        {},
        "right",
        [GOOD, GOOD, GOOD],
        [None],
        [{}],
        [{"changed": []}],
        [{"value": VALUE}],
        [{"value": VALUE, "changed": [], "passed": True}],
        [{"value": VALUE, "error": {}, "changed": []}],
        [{"value": VALUE, "changed": [1]}],
        [{"value": VALUE, "changed": ["x"] * 1000}],
        [{"value": VALUE, "changed": [], "whole_answer": "torch"}],
        [{"value": {"kind": "array"}, "changed": []}],
        [{"value": {"kind": "array", "array": [1.0]}, "changed": []}],
        [{"value": {"kind": "array", "array": np.ones(2), "text": "x"}, "changed": []}],
        [{"value": {"kind": 1, "array": np.ones(2)}, "changed": []}],
        [{"value": {"kind": "text", "text": 1}, "changed": []}],
        [{"value": {"kind": "text", "text": "x" * 10**6}, "changed": []}],
        [{"value": {"kind": "tuple", "items": {"a": VALUE}}, "changed": []}],
        [{"value": {"kind": "dict", "items": [VALUE]}, "changed": []}],
        [{"value": {"kind": "list", "items": [VALUE] * 50}, "changed": []}],
        [{"value": {"kind": "something", "array": np.ones(2)}, "changed": []}],
        [{"error": "ValueError", "changed": []}],
        [{"error": {"type": "ValueError"}, "changed": []}],
        [{"error": {"type": "E", "kinds": "E", "text": "", "where": ""}, "changed": []}],
        [{"too_slow": "long", "changed": []}],
        [{"too_slow": float("nan"), "changed": []}],
        [{"unanswered": 1, "changed": []}],
        [{"unusable": {"says": "", "misconception": "[/x]", "hint": None}, "changed": []}],
        [{"unusable": {"says": None, "misconception": None, "hint": None}, "changed": []}],
    ],
)
def test_anything_else_is_refused(seen):
    with pytest.raises(ValueError, match="should have sent"):
        checked(seen, 2)


def test_values_nested_without_end_are_refused():
    value = VALUE
    for _ in range(50):
        value = {"kind": "list", "items": [value]}
    with pytest.raises(ValueError, match="should have sent"):
        checked([{"value": value, "changed": []}], 2)


# Outputs


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        [None],
        [{}],
        [{"output_type": "evil"}],
        [{"output_type": "stream", "name": "stdout", "text": 3}],
        [{"output_type": "error", "ename": "E", "evalue": [], "traceback": []}],
        [{"output_type": "display_data", "data": "text"}],
    ],
)
def test_outputs_of_another_shape_are_refused(sent):
    with pytest.raises(ValueError, match="its process sent"):
        outputs.clean(sent, 1000)


def test_what_would_run_in_a_browser_is_left_out():
    data = {
        "text/html": "<script>alert(1)</script>",
        "application/javascript": "alert(1)",
        "image/svg+xml": "<svg onload='alert(1)'/>",
        "image/png": 'iVBOR"><script>alert(1)</script>',
        "image/jpeg": "abcd",
        "text/markdown": "<script>",
        "text/plain": "<b>bold</b>",
    }
    (kept,) = outputs.clean([{"output_type": "display_data", "data": data}], 1000)
    assert kept.data == {"text/plain": "<b>bold</b>", "image/jpeg": "abcd"}
    assert (
        outputs.without_markup("a < b <script> </p> <!-- x -->") == "a < b &lt;script> &lt;/p> &lt;!-- x -->"
    )


def test_floods_are_cut():
    stream = {"output_type": "stream", "name": "stdout", "text": "x" * 300}
    kept = outputs.clean([stream] * 1000, 1000)
    assert len(kept) < 5
    assert "output cut" in kept[-1].text


# Frames


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_a_message_comes_back(ends):
    frames.send(ends[0], {"a": np.arange(3)})
    assert frames.receive(ends[1], 2**20)["a"].tolist() == [0, 1, 2]


def test_a_long_message_is_refused_before_it_is_read(ends):
    ends[0].sendall(struct.pack(">Q", 2**50))
    with pytest.raises(ValueError, match="at most 1,048,576 bytes"):
        frames.receive(ends[1], 2**20)


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x80\x04evil"])
def test_nonsense_is_refused(ends, data):
    ends[0].sendall(struct.pack(">Q", len(data)) + data)
    with pytest.raises(ValueError, match="not what `pack` makes"):
        frames.receive(ends[1], 2**20)


def test_much_text_is_refused(monkeypatch):
    monkeypatch.setattr(wire, "MOST_TEXT", 100)
    with pytest.raises(ValueError, match="100 are the most"):
        wire.unpack(wire.pack(["x" * 200]))


def test_an_array_counts_once():
    outline = b'{"list": [{"array": "0"}, {"array": "0"}]}'
    forged = save({"0": np.ones(3), "outline": np.frombuffer(outline, np.uint8)})
    with pytest.raises(ValueError, match="not what `pack` makes"):
        wire.unpack(forged)


def test_silence_ends(ends):
    with pytest.raises(TimeoutError):
        frames.receive(ends[1], 100, time.monotonic() + 0.05)
    ends[0].close()
    with pytest.raises(EOFError):
        frames.receive(ends[1], 100)


# What stands in an answer's code

NUMBER = {"value": {"kind": "number", "array": np.array(1.0)}, "changed": []}


def test_facts_cross_to_another_process_and_are_looked_at():
    facts = {"outside": ["length_a"], "powers": ["1 / 2"]}
    (back,) = checked(wire.unpack(wire.pack([NUMBER | facts])), 1)
    assert "is half of x" in read_in_code(None, back)[1]
    for odd in (3, "1 / 2", [3], [None], ["x"] * 101):
        with pytest.raises(ValueError, match="its process should have sent"):
            checked([NUMBER | {"powers": odd}], 1)
