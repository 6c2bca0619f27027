"""Codes of a class: what they hold, wrong letters, what stands around them; the page's reader too."""

import itertools
import json
import random
import re
import subprocess
from dataclasses import asdict

import pytest

from helpers import class_now
from helpers.class_codes import found, tables
from helpers.class_codes.code import STATES, Code, packed, unpacked
from helpers.class_codes.counts import counted
from helpers.class_codes.found import found_in
from helpers.class_codes.letters import ALPHABET, VALUES, is_whole, repaired
from helpers.class_codes.tables import Table, table_of
from helpers.errors import BadArgument
from helpers.units import UNITS
from tools import class_codes
from tools.shell import ROOT
from tools.web import class_page

UNIT = "05_softmax"


@pytest.fixture(scope="module")
def table():
    return table_of(UNIT)


def drawn(table, draw, **parts):
    """Somebody's state, at random."""
    states = tuple(draw.choice(STATES) for _ in table.exercises)
    failing = [place for place, state in enumerate(states) if state == "tried"]
    draw.shuffle(failing)
    some = [place for place in failing if draw.random() < 0.7]
    mistakes = tuple((place, draw.randrange(len(table.exercises[place].said))) for place in some)
    tag = "".join(draw.choice(ALPHABET) for _ in range(4))
    return Code(**{"tag": tag, "states": states, "mistakes": mistakes} | parts)


def values(text):
    return [VALUES[letter] for letter in text.replace("-", "")]


def a_code(table, seed=1, **parts):
    return packed(drawn(table, random.Random(seed), **parts), table)


# What a code holds


@pytest.mark.parametrize("unit", tables.offered())
def test_a_code_is_twenty_letters_and_gives_back_what_it_was_made_of(unit):
    table, draw = table_of(unit), random.Random(3)
    for _ in range(40):
        state = drawn(table, draw)
        text = packed(state, table)
        assert len(text) == 24
        assert text.count("-") == 4
        assert is_whole(values(text))
        back = unpacked(values(text), table)
        assert (back.tag, back.states) == (state.tag, state.states)
        assert back.mistakes == tuple(one for one in state.mistakes if one in back.mistakes)
        assert len(back.mistakes) >= min(2, len(state.mistakes))


def test_the_newest_mistakes_come_first_and_of_passed_exercises_none(table):
    states = ("passed", *["tried"] * 4, *["untouched"] * 3)
    text = packed(Code("7H2M", states, ((0, 1), (4, 3), (1, 0), (2, 5), (3, 6))), table)
    back = unpacked(values(text), table)
    assert back.mistakes[0] == (4, 3)
    assert all(states[place] == "tried" for place, _ in back.mistakes)


def test_letters_that_look_alike_are_read_as_one():
    assert [VALUES[letter] for letter in "OoIiLlUu"] == [0, 0, 1, 1, 1, 1, VALUES["V"], VALUES["V"]]
    assert len(ALPHABET) == 32
    assert not set("ILOU") & set(ALPHABET)


def test_other_exercises_are_another_course_and_other_sentences_another_edition(table, monkeypatch):
    first, *others = table.exercises
    reworded = tables.Sentences(first.exercise, first.number, (*first.said, ("new", "Another sentence.")))
    assert tables._mark([reworded.said, *(one.said for one in others)]) != tables._mark(
        [one.said for one in table.exercises]
    )
    monkeypatch.setattr(tables, "offered", lambda: {UNIT: [one.exercise for one in others]})
    fewer = table_of.__wrapped__(UNIT)
    assert not fewer.is_of_its_course(table.head)


@pytest.mark.parametrize("unit", UNITS)
def test_without_any_one_exercise_it_is_another_course(unit, monkeypatch):
    whole = table_of(unit)
    names = [one.exercise for one in whole.exercises]
    for left_out in names:
        monkeypatch.setattr(
            tables, "offered", lambda gone=left_out: {unit: [one for one in names if one != gone]}
        )
        assert not table_of.__wrapped__(unit).is_of_its_course(whole.head), left_out


def test_every_sentence_of_a_row_and_every_general_one_has_a_place(table):
    softmax = table.exercises[0]
    for place, (id_, says) in enumerate(softmax.said):
        assert softmax.place_of(id_, says) == place
    assert softmax.said[softmax.place_of("softmax-over-queries", "not said")][0] == "softmax-over-queries"
    assert softmax.place_of("input-changed", "") is not None
    assert softmax.place_of("unheard-of", "") is None


# Wrong letters


def test_every_wrong_letter_and_every_swap_of_neighbours_is_found_and_named(table):
    for seed in range(2):
        right = values(a_code(table, seed))
        for place, value in itertools.product(range(20), range(32)):
            wrong = [*right[:place], value, *right[place + 1 :]]
            if wrong != right:
                assert not is_whole(wrong)
                if value % 8 == seed:
                    assert repaired(wrong) == (
                        right,
                        f"letter {place + 1} is probably {ALPHABET[right[place]]}",
                    )
        for place in range(19):
            swapped = [*right[:place], right[place + 1], right[place], *right[place + 2 :]]
            if swapped != right:
                assert not is_whole(swapped)
                assert repaired(swapped)[0] == right


def test_up_to_four_wrong_letters_are_always_found(table):
    draw, right = random.Random(8), values(a_code(table))
    for _ in range(3000):
        wrong = list(right)
        for place in draw.sample(range(20), draw.randint(2, 4)):
            wrong[place] ^= draw.randint(1, 31)
        assert not is_whole(wrong)


def test_what_is_left_out_or_too_many_is_named(table):
    right = values(a_code(table))
    for place in range(20):
        assert repaired(right[:place] + right[place + 1 :])[0] == right
        assert repaired([*right[:place], 9, *right[place:]])[0] == right


def test_on_random_classes_nothing_is_misread_and_few_have_a_tag_in_common():
    draw = random.Random(2)
    packing = class_codes.packing(300, draw)
    assert (packing["misread"], packing["of another length"]) == (0, 0)
    assert packing["mistakes that fit"] > 0.85 * packing["mistakes"]
    assert [class_codes.undetected(20_000, wrong) for wrong in (1, 2, 3, 4)] == [0, 0, 0, 0]
    count = class_codes.named(20, draw)
    assert count["letter"] == count["letter found"] == count["letter named"] == 20
    assert count["swap"] == count["swap found"] == count["swap named"] > 0
    assert class_codes.shared_tags(20_000) < 40  # 8 are expected


# What stands around them


def posted(table):
    """What a class posts: every learner's code, each in another shape, among names and noise."""
    own = [a_code(table, seed, tag=f"TA{seed:02}") for seed in range(9)]
    wrong = own[5][:10] + ("Z" if own[5][10] != "Z" else "Y") + own[5][11:]
    return (
        f"""[10:31] Lena Müller: {own[0]}
[10:32] Omar 😀: here it is, {own[1].lower()} thanks
Zoë: {own[2].replace("-", "")}
27.11.26, 10:33 - Ada: {own[3][:12]}
{own[3][12:]}
Kim: {own[4][:8]}\n> {own[4][8:]}
Bo: {wrong}
Di {own[6][:12]}
Ed {own[7][:5]}{own[7][6]}{own[7][5]}{own[7][7:]}
Al {own[8][:6]}{own[8][7:]}
call 0176-1234-5678 99 that this will have been done, see 978-3-16-148410-0 or 2026-11-27T10:31
""",
        own,
    )


def test_codes_are_read_in_any_shape_and_damage_is_said(table):
    text, _ = posted(table)
    got = found_in(text)
    assert sorted(got.learners[UNIT]) == ["TA00", "TA01", "TA02", "TA03", "TA04", "TA05", "TA07", "TA08"]
    says = "\n".join(got.notes)
    assert "letter 9 is probably" in says
    assert "10 letters, where a code has 20: it was cut; ask for it again." in says
    assert "letters 5 and 6 have probably changed places" in says
    assert "is probably left out, and it is counted so." in says
    assert len(got.notes) == 4


def test_two_wrong_letters_are_not_guessed(table):
    text = a_code(table)
    wrong = "".join("8" if at in (6, 12) and one != "8" else one for at, one in enumerate(text))
    wrong = wrong if sum(a != b for a, b in zip(wrong, text, strict=True)) == 2 else f"{text[:6]}AB{text[8:]}"
    got = found_in(wrong)
    assert got.learners == {}
    assert got.notes == [f"{wrong}: more than one letter is wrong; ask for it again."]


def test_a_newer_code_of_the_same_learner_replaces_the_earlier_and_the_same_one_twice_counts_once(table):
    none = Code("7H2M", ("untouched",) * 8)
    some = Code("7H2M", ("passed", *["untouched"] * 7))
    got = found_in(f"{packed(none, table)} {packed(some, table)} {packed(some, table)}")
    assert got.learners == {UNIT: {"7H2M": some}}
    assert got.notes == ["1 code is followed by a newer one of the same learner, which counts."]


def elsewhere(table):
    """The same unit in another edition, and in another course."""
    newer = Table(table.unit, table.exercises, table.course, (table.edition + 7) % 128)
    other = Table(table.unit, table.exercises, (table.course + 3) % 256, table.edition)
    return newer, other


def test_codes_of_other_editions_and_courses_are_counted_and_told_apart(table):
    newer, other = elsewhere(table)
    text = " ".join([a_code(newer, 1), a_code(newer, 2), a_code(other, 3), a_code(table, 4)])
    got = found_in(text)
    own, *older = sorted(got.learners[UNIT].values(), key=lambda one: one.mistakes is None)
    assert own.mistakes is not None
    assert len(older) == 2
    assert got.notes == [
        "1 code is of another course, and not counted.",
        f"2 codes are of another edition of {UNIT}: passed and tried count, mistakes do not.",
    ]


def test_a_code_of_another_edition_says_what_is_passed_and_is_none_of_those_that_make_a_mistake(table):
    newer, _ = elsewhere(table)
    tried = ("tried", "passed", *["untouched"] * 6)
    text = f"{packed(Code('AAAA', tried, ((0, 4),)), newer)} {packed(Code('BBBB', tried, ((0, 2),)), table)}"
    (unit,) = class_now(text).units
    assert (unit.learners, unit.rows[0].tried, unit.rows[1].passed) == (2, 2, 2)
    assert [(one.count, one.of, one.share) for one in unit.said] == [(1, 1, 100)]


@pytest.mark.parametrize(
    "text", ["", "hello there, this text goes on", "0" * 20, "0000-0000-0000-0000-0000", "-" * 99]
)
def test_a_text_without_a_code_is_said_so(text):
    assert found_in(text).notes[-1] == found.NONE


# What it comes to


def test_the_commonest_mistake_is_said_in_its_own_words(table):
    softmax = table.exercises[0]
    over = softmax.place_of("softmax-over-queries", "")
    tried, passed = ("tried", *["untouched"] * 7), ("passed", *["untouched"] * 7)
    people = [Code(f"TA0{one}", tried, ((0, over),)) for one in range(4)] + [
        Code(f"TB0{one}", passed) for one in range(9)
    ]
    now = class_now("\n".join(packed(one, table) for one in people))
    (unit,) = now.units
    assert (unit.learners, unit.rows[0].passed, unit.rows[0].tried, unit.rows[1].untouched) == (13, 9, 4, 13)
    assert str(unit.said[0]) == f"31 % (4 of 13): talk now. 5.1 softmax: “{softmax.said[over][1]}”"
    assert "31 % (4 of 13)" in repr(now)
    assert "5.1 softmax: 9 passed, 4 tried, 0 not yet." in repr(now)
    assert '<th scope="row"' in now._repr_html_()


def test_what_is_no_text_is_said_so(monkeypatch):
    monkeypatch.delenv("CLASS_FOLDER", raising=False)
    with pytest.raises(BadArgument, match="the text that the class posted"):
        class_now(["5A7K"])
    with pytest.raises(BadArgument, match="paste what the class posted"):
        class_now()


# The page reads the same

READER = """
import { counted, foundIn } from "%s";
let text = "";
for await (const part of process.stdin) text += part;
const { course, said, texts } = JSON.parse(text);
console.log(JSON.stringify(texts.map((one) => {
  const { learners, notes } = foundIn(one, course);
  const units = course.units.filter(({ unit }) => learners.has(unit));
  const codes = units.map(({ unit }) => [unit, [...learners.get(unit).values()]]);
  const now = units.map((unit) => counted(unit, learners.get(unit.unit), said[unit.unit]));
  return { codes, notes, units: now };
})));
"""


def in_javascript(texts, all_tables):
    """What the page's reader makes of texts, under Node.js."""
    said = {one.unit: [each.said for each in one.exercises] for one in all_tables.values()}
    script = READER % (ROOT / "docs" / "_static" / "class" / "code.js").as_uri()
    asked = json.dumps({"course": class_page.course(), "said": said, "texts": texts})
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def in_python(text, all_tables):
    got = found_in(text)
    listed = [[unit, [asdict(one) for one in got.learners[unit].values()]] for unit in sorted(got.learners)]
    units = [asdict(one) for one in counted(got, all_tables)]
    return json.loads(json.dumps({"codes": listed, "notes": got.notes, "units": units}))


def noisy(draw, all_tables):
    """What a class might post, damaged in every way."""
    out = []
    for number in range(draw.randint(0, 12)):
        table = draw.choice(list(all_tables.values()))
        table = draw.choice([table] * 6 + list(elsewhere(table)))
        text = packed(drawn(table, draw, tag=draw.choice(["7H2M", "AB12", f"Q{number:03}"])), table)
        if draw.random() < 0.5:
            place, kind = draw.randrange(len(text)), draw.randrange(5)
            more = draw.choice(["", draw.choice(ALPHABET), "é", "-", " \n", "😀😀😀😀😀"])
            text = [text[:place], text[:place] + more + text[place:], text[:place] + text[place + 1 :],
                    text[:place] + more + text[place + 1 :], text[place:]][kind]  # fmt: skip
        shape = draw.randrange(6)
        text = [
            text,
            text.lower(),
            text.replace("-", ""),
            text.replace("-", " "),
            text.replace("-", "–"),
            text,
        ][shape]
        name = draw.choice(["Lena: ", "[10:31] Omar 😀 ", "> ", "this text goes with ", "", "1. "])
        out.append(name + text + draw.choice(["", " thanks", "!", " 0176-1234-5678-9012"]))
    return draw.choice(["\n", " ", "\r\n", "\u00a0"]).join(out)


@pytest.mark.needs("npm")
def test_the_page_reads_the_same_codes_and_says_the_same(table):
    all_tables = {unit: table_of(unit) for unit in tables.offered()}
    draw = random.Random(5)
    texts = [posted(table)[0], "", "nothing", *(noisy(draw, all_tables) for _ in range(60))]
    for text, seen in zip(texts, in_javascript(texts, all_tables), strict=True):
        assert seen == in_python(text, all_tables), text


def test_the_codes_that_the_page_shows_are_codes():
    shown = re.findall(r": .*?\b(5[0-9A-Za-z-]{19,23})\b", (ROOT / "docs" / "class.md").read_text("utf-8"))
    assert [is_whole(values(text)) for text in shown] == [True, True]
    assert all(table_of(UNIT).is_of_its_course(values(text)) for text in shown)
