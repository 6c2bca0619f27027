"""The page "Who is the impostor?": by PyTorch and the numbers shown, each round has one impostor."""

import json
import re

import pytest
import torch
from bs4 import BeautifulSoup

from helpers.exercises import find
from helpers.offered import number_of
from tools.web import impostor
from tools.web.impostor_maps import WORDS
from tools.web.impostor_rounds import ROUNDS

PART = BeautifulSoup(impostor.part(), "html.parser")
HELD = json.loads(PART.find(id="impostor-rounds").string)
TEXTS = HELD["texts"]
SIGNS = {"✓": 1.0, "×": 0.0}
EVERY = [
    pytest.param(*both, id=both[0].mistake.partition(":")[0])
    for both in zip(ROUNDS, HELD["rounds"], strict=True)
]
each_round = pytest.mark.parametrize(("this", "held"), EVERY)


def numbers(cells):
    rows = [[SIGNS.get(one, one) for one in row.split()] for row in cells.split("|")]
    return torch.tensor(
        [[float(str(one).replace("−", "-")) for one in row] for row in rows], dtype=torch.float64
    )


def by_label(held, label):
    """What a label asks for, from the tables that are shown; also the heads of its rows and columns."""
    shown = {caption: numbers(cells) for caption, _, _, cells in held["inputs"]}
    asks, keys = "q", "k"
    parts = label.split(", ")

    def said(pattern):
        found = next(filter(None, (re.fullmatch(pattern, part) for part in parts)), None)
        if found:
            parts.remove(found[0])
        return found

    if "V" in shown:
        weights, V = shown["weights"], shown["V"]
        said("weights and V as shown")
        if said("keys in reverse order in both tables"):
            weights, V = weights.flip(1), V.flip(0)
        V = V * (2 if said("V doubled") else 1)
        V = V + (float(m[1]) if (m := said("(.+) added to every value")) else 0)
        result, columns = weights @ V, ["0", "1"]
    else:
        if "Q" in shown:
            said("Q and K as shown")
            Q, K = shown["Q"] * (2 if said("Q doubled") else 1), shown["K"]
            if said("Q and K change places"):
                Q, K, asks, keys = K, Q, "k", "q"
            if said("columns of Q and K in reverse order"):
                Q, K = Q.flip(1), K.flip(1)
            if m := said("head (.) of (.)"):
                Q, K = (torch.chunk(one, int(m[2]), dim=1)[int(m[1])] for one in (Q, K))
            scores = Q @ K.T / Q.shape[1] ** 0.5
        else:
            scores = shown["scores"]
        said("plain softmax")
        scores = scores / (float(m[1]) if (m := said("temperature (.+)")) else 1)
        scores = scores + (float(m[1]) if (m := said("(.+) added to every score")) else 0)
        scores = scores * (-1 if said("signs of all scores turned") else 1)
        allowed = torch.ones(scores.shape, dtype=torch.bool)
        said("no mask")
        if said("causal mask"):
            allowed = allowed.tril()
        if said("mask as shown"):
            allowed = shown["mask"] == 1
        result = torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1).nan_to_num(0)
        if said("masked after the softmax and then each row divided by its sum"):
            result = torch.softmax(scores, dim=-1) * shown["mask"]
            result = result / result.sum(dim=-1, keepdim=True)
        columns = [f"{keys}{j}" for j in range(result.shape[1])]
        if said("keys in reverse order"):
            result, columns = result.flip(1), columns[::-1]
    rows = [f"{asks}{i}" for i in range(len(result))]
    if said("queries in reverse order"):
        result, rows = result.flip(0), rows[::-1]
    if said("only every other query"):
        result, rows = result[::2], rows[::2]
    assert parts == [], "words of the label that mean nothing here"
    return result, rows, columns


def ordinary(held):
    """Whether nothing but thought helps: in all four maps each row sums to 1, as far as rounding goes."""
    sums = torch.cat([numbers(one[3]).sum(dim=-1) for one in held["maps"]])
    return held["shaded"] and bool((sums - 1).abs().max() < 0.021)


@each_round
def test_three_maps_are_what_their_labels_say(this, held):
    for place, (caption, rows, columns, cells, _) in enumerate(held["maps"]):
        wanted, names, keys = by_label(held, caption[3:])
        assert (rows.split(), columns.split()) == (names, keys)
        if place != held["who"]:
            assert (numbers(cells) - wanted).abs().max() < 0.005001, caption
            texts = [text for row in cells.split("|") for text in row.split()]
            assert [text == "0" for text in texts] == (wanted == 0).flatten().tolist(), (
                "a bare 0 is exactly 0"
            )


@each_round
def test_the_impostor_is_not_what_its_label_says_and_its_numbers_show_it(this, held):
    caption, _, _, cells, _ = held["maps"][held["who"]]
    wanted, rows, columns = by_label(held, caption[3:])
    off = (numbers(cells) - wanted).abs()
    i, j = held["at"]
    assert off.max() > 0.08, "it cannot be seen in two digits"
    assert off[i, j] > 0.08
    got = cells.split("|")[i].split()[j]
    named = re.search(
        r"(q\d) (?:gives (k\d) (\S+)|gets (\S+) in column (\d)); by its label that is (\S+)\. ",
        held["reason"],
    )
    assert [one for one in named.groups() if one][:1] == [rows[i]]
    assert {columns[j], got} <= set(named.groups())
    assert float(named[6]) == pytest.approx(wanted[i, j].item(), abs=0.005001)


@each_round
def test_a_reason_is_short_and_its_numbers_stand_on_the_page(this, held):
    told = held["reason"]
    assert not re.search(r"\b[Yy]ou", told)
    assert len(told.split()) <= 60
    assert max(len(one.split()) for one in re.split(r"(?<=[.;]) ", told)) <= 30
    maps = [numbers(one[3]) for one in held["maps"]]
    seen = {f"{x:.2f}" for one in maps for x in (*one.flatten().tolist(), *one.sum(dim=-1).tolist())}
    wanted = by_label(held, held["maps"][held["who"]][0][3:])[0]
    seen |= {f"{x:.2f}" for x in wanted.flatten().tolist()}
    assert set(re.findall(r"\d+\.\d\d\b", told)) <= seen


@each_round
def test_a_round_stands_on_a_row_of_its_exercise_and_leads_to_where_one_writes_the_line(this, held):
    name, _, begins = this.mistake.partition(": ")
    rows = [row for row in find(this.exercise).mistakes if row.id == name and row.says.startswith(begins)]
    assert rows
    assert begins
    assert len({row.says for row in rows}) == 1, "which row is meant?"
    link = BeautifulSoup(TEXTS[held["link"]], "html.parser")
    assert link.get_text().startswith(
        f"You write this line in Exercise {number_of(this.line or this.exercise)}, "
    )


def test_most_rounds_need_thought_and_nothing_else_gives_the_impostor_away():
    rounds = HELD["rounds"]
    assert len(rounds) == 24
    assert sum(map(ordinary, rounds)) >= 18
    letters = [one["who"] for one in rounds]
    assert all(letters.count(letter) >= 4 for letter in range(4))
    labels = [one["maps"][one["who"]][0] for one in rounds]
    assert sum("," in one or not re.search("plain|shown|head|no mask|: causal", one) for one in labels) >= 12
    assert len({(this.exercise, this.mistake) for this in ROUNDS}) == 24
    used = [part for this in ROUNDS for label in this.labels for part in label.removeprefix("*").split(", ")]
    assert all(any(re.fullmatch(words, part) for part in used) for words in WORDS)


def test_without_scripts_there_is_the_first_round_and_its_answer():
    first = HELD["rounds"][0]
    tables = [[*first["inputs"][0], ""], *first["maps"]]
    for table, (caption, rows, columns, cells, _) in zip(PART.find_all("table"), tables, strict=True):
        assert table.caption.get_text() == caption
        assert [one.get_text() for one in table.select("th[scope=col]")] == columns.split()
        assert [one.get_text() for one in table.select("th[scope=row]")] == rows.split()
        assert [one.get_text() for one in table.select("tbody td")] == cells.replace("|", " ").split()
    assert first["reason"] in PART.details.get_text()
    assert not PART.find("button")
    assert len(str(PART).encode()) < 35_000
