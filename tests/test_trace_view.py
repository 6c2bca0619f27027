"""The view of a function line by line: what it says in a terminal, and on a page without scripts."""

import copy
import html
import json
import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

from helpers.views.script import shared
from helpers.views.trace_page import in_words, start
from helpers.views.trace_view import FOLDED, folded_trace, traced
from helpers.views.trace_words import Sources, caller
from tests import recordings
from tests.recordings import ALL, arr, step


def lines_of(recording):
    """The terminal's lines by the number at their beginning, with what it goes on with below."""
    found, last = {}, None
    for line in repr(traced(recording)).split("\n"):
        if number := re.match(r" *(\d+)  ", line):
            last = int(number[1])
            found[last] = line[number.end() :]
        elif line.startswith("      ") and last:
            found[last] += line
    return {number: " ".join(line.split()) for number, line in found.items()}


def test_a_terminal_shows_each_line_with_what_it_made():
    lines = lines_of(recordings.transposed())
    assert lines[1] == "def attention(Q, K, V): given Q (3, 4) float64; K (4, 4) float64; V (4, 4) float64"
    assert lines[2] == "scores = Q @ K.T scores (4, 3) float64 ✓ scores (transposed)"
    assert lines[3].endswith("scaled (3, 4) float64 ✓ scaled scores")
    assert lines[4] == "weights = softmax(scaled) weights (3, 4) float64", "of another nothing is said"
    assert lines[5].endswith("returned a tuple of 2: (3, 4) float64; (3, 4) float64")
    text = repr(traced(recordings.transposed()))
    assert text.startswith("attention, line by line\nOn the smallest call that fails: Q (3, 4), ")
    assert "stages: 1. scores ✓ line 2, 2. scaled scores ✓ line 3, 3. weights, 4. output." in text
    assert text.endswith("Line 4 makes (3, 4) whose columns each sum to 1.")


def test_loops_are_folded_into_turns():
    lines = lines_of(recordings.loop())
    assert lines[3].endswith("run 1 of 64: i = 0 int; run 64 of 64: i = 63 int")
    assert lines[5].endswith("run 1 of 64 and run 64 of 64: total (3,) float64"), (
        "what is told alike is told once"
    )
    assert repr(traced(recordings.loop())).endswith("Turns 3 to 63 of lines 3, 4 and 5 are left out.")


def test_functions_that_are_called_stand_below():
    text = repr(traced(recordings.helpers()))
    assert "\nshrink, called in line 2 and line 3:\n  10  def shrink(x, by):" in text
    assert "call 1: given x (3, 4) float64; by = 2 int" in text
    assert lines_of(recordings.helpers())[12].endswith(
        "call 1 of 2: small (3, 4) float64; call 2 of 2: small (4, 4) float64"
    )


def test_errors_changes_odd_numbers_and_other_kinds_are_told():
    assert "stopped here: ValueError: operands could not" in lines_of(recordings.raises())[3]
    changed = lines_of(recordings.in_place())
    assert changed[3].endswith(
        "same changed to (3, 4) float64, 6 -inf; scores changed to (3, 4) float64, 6 -inf"
    )
    kinds = lines_of(recordings.kinds())
    assert kinds[6].endswith("yes = True")
    assert kinds[7].endswith("add a function, add(a)")
    assert kinds[8].endswith("empty (0, 3) float64; none = None")
    assert kinds[9].endswith("big (2000, 2000) float64; flat () float64: 1.5")
    assert kinds[10] == "print(name)"


@pytest.mark.parametrize("name", ALL)
def test_a_page_without_scripts_holds_the_whole_in_words(name):
    recording = ALL[name]()
    bundle = traced(recording)._repr_mimebundle_()
    assert bundle["text/plain"] == repr(traced(recording))
    page = BeautifulSoup(
        re.sub("<script>.*?</script>", "", bundle["text/html"], flags=re.DOTALL), "html.parser"
    )
    seen = [[td.get_text() for td in row.find_all("td")] for row in page.find_all("tr")]
    number = {row[0]: row for row in seen if row}
    for function in recording["functions"]:
        for line, code in enumerate(function["lines"], function["first"]):
            assert number[str(line)][1] == code
    for line, words in lines_of(recording).items():
        assert " ".join(" ".join(number[str(line)]).split()) == f"{line} {words}"
    words = page.get_text()
    for sentence in (*recording["facts"], *recording["left_out"], *recording["stages"]):
        assert sentence in words
    assert not page.find("img")


@pytest.mark.parametrize("name", ALL)
def test_it_changes_nothing_and_comes_out_the_same_every_time(name):
    recording = ALL[name]()
    before = copy.deepcopy(recording)
    one, folded = traced(recording), folded_trace(recording, "See it run")
    assert recording == before
    assert (one.html, repr(one)) == (traced(before).html, repr(traced(before)))
    assert folded == folded_trace(before, "See it run")


@pytest.mark.parametrize("make", [lambda one: traced(one).html, lambda one: folded_trace(one, "<See> it")])
def test_what_somebody_wrote_is_shown_and_never_run(make):
    recording = recordings.kinds()
    recording["title"] = recording["functions"][0]["name"] = "<b>odd</b>"
    recording["why"], recording["facts"] = "<i>why</i>", ["<script>hit=1</script>"]
    text = make(recording)
    assert text.count("<script>") == text.count("</script>") == 1
    assert not re.search(r"<(img|b>odd|i>why|See)", text)
    assert html.escape('"</script><script>hit=1</script>"') in text
    assert not re.search(r"https?://", text)


def test_its_scripts_and_styles_are_small():
    assert len(shared("trace").encode()) < 16_000


def test_folded_it_is_small_however_long_the_recording():
    for name, make in ALL.items():
        assert 0 < len(folded_trace(make(), "See it run").encode()) <= FOLDED, name
    recording = recordings.long_lines(60)
    whole = traced(recording).html
    assert len(whole.encode()) > FOLDED
    assert 0 < len(folded_trace(recording, "See it run").encode()) <= FOLDED
    assert folded_trace(recordings.long_lines(900), "See it run") == ""


def test_folded_it_needs_no_script_to_be_read():
    page = BeautifulSoup(folded_trace(recordings.right(), "See it run"), "html.parser")
    assert page.summary.get_text() == "See it run"
    assert not page.details.has_attr("open")
    assert "scores (3, 4) float64 ✓ scores" in page.details.div.get_text()


@pytest.mark.slow
def test_no_picture_is_drawn():
    program = (
        "import sys; from tests.recordings import right; from helpers.views.trace_view import *\n"
        "folded_trace(right(), 'x'); traced(right()).html; assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_it_never_says_wrong():
    for make in ALL.values():
        text = in_words(make()) + repr(traced(make()))
        assert "wrong" not in text.lower()
    assert "wrong" not in shared("trace").lower()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("right", 2),
        ("transposed", 4),
        ("module", 2),
        ("raises", 3),
        ("loop", 2),
        ("long", 15),
        ("helpers", 12),
    ],
)
def test_it_begins_after_the_last_stage(name, line):
    recording = ALL[name]()
    assert recording["steps"][start(recording)]["line"] == line


# What a line read


def test_what_a_line_read_is_from_the_latest_line_that_made_it():
    recording = recordings.in_place()
    sources = Sources(recording)
    assert [(name, line) for name, _, line in sources.of(0)] == [("scores", 1)]
    (name, what, line) = sources.of(2)[0]
    assert (name, line, what["odd"]) == ("scores", 3, "6 -inf"), "changed in place"


def test_turns_that_are_left_out_are_not_passed_over_in_silence():
    """Turn 64 reads the total of turn 63, which is not kept: that of turn 2 would be false."""
    recording = recordings.loop()
    found = {
        (step["line"], step["turn"]): {name: line for name, _, line in Sources(recording).of(at)}
        for at, step in enumerate(recording["steps"])
    }
    assert found[5, 1] == {"total": 2, "row": 4}
    assert found[5, 2] == {"total": 5, "row": 4}
    assert found[5, 64] == {"total": 0, "row": 4}, "0: nobody knows"
    assert found[4, 64] == {"x": 1, "i": 3}
    assert found[6, 1] == {"total": 5}


def test_a_later_call_is_not_shown_what_the_first_was_given():
    recording = recordings.helpers()
    sources = [Sources(recording).of(at) for at in range(len(recording["steps"]))]
    assert [(name, line) for name, _, line in sources[0]] == [("x", 10), ("by", 10)]
    assert sources[3] == []


def test_a_recording_that_ends_early_claims_nothing_of_what_is_not_there():
    recording = recordings.helpers()
    assert [caller(recording, at) for at in (0, 1, 3, 4)] == ["line 2", "line 2", "line 3", "line 3"]
    recording["steps"] = recording["steps"][:2]
    assert caller(recording, 0) == ""
    recording["steps"].append(step(4, "Q K", returns=arr([[1.0]])))
    assert caller(recording, 0) == "", "line 4 calls nothing of that name"


def test_an_empty_recording_is_shown():
    recording = recordings.right() | {"steps": [], "given": {}, "facts": [], "stages": []}
    assert "scores = Q @ K.T" in repr(traced(recording))
    assert "scores = Q @ K.T" in traced(recording).html


def test_numbers_that_are_not_finite_and_long_ones_are_sent():
    recording = recordings.in_place()
    text = traced(recording).html
    (sent,) = re.findall(r"show\(document\.currentScript, (.*)\); \}\)\(\);", text)
    data = json.loads(sent)
    assert ["nan", "nan", "-inf", "-inf"] in [row for one in data["what"] for row in one.get("numbers", [])]
