"""What the first page shows before the model is fetched: whole, small, and as its text says."""

import json

import numpy as np
import pytest

from tools.web.live import kept, pack

KEPT = json.loads(kept.FILE.read_text("utf-8"))
BY_TEXT = {one["text"]: one for one in KEPT["sentences"]}


def weights(one):
    n = len(one["tokens"])
    steps = np.array([kept.LETTERS.index(letter) for letter in one["weights"]])
    return ((steps / (len(kept.LETTERS) - 1)) ** 2).reshape(6, 12, n, n)


def first(one):
    return divmod(int(np.argmax(one["effect"])), 12)


def test_it_is_small():
    assert len(pack.packed(kept.FILE.read_bytes())) <= 20_000
    assert list(BY_TEXT) == list(kept.SENTENCES)
    assert len(KEPT["nearest"]) == len(set(KEPT["nearest"])) == 12


@pytest.mark.parametrize("one", BY_TEXT.values(), ids=BY_TEXT)
def test_every_sentence_is_whole(one):
    word = kept.SENTENCES[one["text"]]
    assert one["tokens"][0], one["tokens"][-1] == ("[CLS]", "[SEP]")
    assert [one["tokens"][i] for i in one["pair"]] == [word, word]
    assert len(one["ids"]) == len(one["tokens"])
    assert (len(one["similarities"]), len(one["effect"])) == (7, 72)
    assert {line: len(ways) for line, ways in one["broken"].items()} == kept.WAYS
    assert sum(word["count"] for word in one["words"]) == len(one["ids"]) - 2
    assert one["off"][0] == one["similarities"][0]
    assert one["off"][-1] == one["broken"]["merged"][2]
    assert {ways[0] for ways in one["broken"].values()} == {one["similarities"][-1]}
    assert len(one["nearest"]) == 3
    np.testing.assert_allclose(weights(one).sum(-1), 1, atol=0.12)  # each was rounded


def test_letters_tell_weights_to_a_thirtieth():
    found = np.random.default_rng(0).dirichlet(np.ones(8), size=1000)
    steps = np.array([kept.LETTERS.index(one) for one in kept.letters(found)]) / 31
    assert np.abs(steps**2 - found.ravel()).max() < 1 / 30


def test_the_first_sentence_is_told_apart_by_the_head_of_the_token_before():
    one = BY_TEXT["I saw a saw"]
    assert [round(x, 2) for x in one["similarities"]] == [0.96, 0.84, 0.76, 0.71, 0.70, 0.69, 0.66]
    assert first(one) == (0, 2)
    assert weights(one)[0, 2].argmax(-1)[one["pair"]].tolist() == [1, 3]


def test_other_sentences():
    assert first(BY_TEXT["I can open a can"]) == (0, 2)
    assert first(BY_TEXT["He will write a will"]) == (1, 8)
    flies = BY_TEXT["Time flies like an arrow, fruit flies like a banana"]["similarities"]
    assert flies[-1] > 0.9  # the model hardly tells them apart


def test_wrong_lines_of_the_first_sentence():
    broken = BY_TEXT["I saw a saw"]["broken"]
    assert broken["weights"][2] > 0.98  # softmax left out
    assert broken["merged"][2] > 0.98  # attention off
    assert broken["masked"][3] > 0.9  # only itself
    assert broken["scaled"][1] < broken["scaled"][0]  # no scale: nothing to see here
