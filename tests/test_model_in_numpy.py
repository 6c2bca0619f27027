"""Unit 08's model without PyTorch: the same tokens and numbers, and a site whose parts may be missing."""

import json
import shutil

import numpy as np
import pytest
import torch

from helpers import pretrained, reference, views
from helpers.in_browser import packed, site
from helpers.learner.yours import yours
from helpers.pretrained import in_numpy
from helpers.pretrained.wordpiece import WordPiece
from helpers.units import IN_NUMPY_TOO
from tests import in_node
from tests.live_texts import SENTENCES, many
from tools.web.live import pack, small

pytestmark = [pytest.mark.needs("model")]
OURS = (reference.layer_weights, reference.bert_attention)
IN_NUMPY = (in_numpy.layer_weights, in_numpy.bert_attention)


@pytest.fixture(scope="module")
def model():
    return pretrained.load()


@pytest.fixture(scope="module")
def laid(model, tmp_path_factory):
    """A site's folder with the packed model."""
    folder = tmp_path_factory.mktemp("site")
    pack.write(model, folder / "_static/live/model")
    (folder / "lite").mkdir()
    return folder


@pytest.fixture
def at_site(laid, monkeypatch):
    """Files of the site are read from that folder, or from another."""

    def at(folder):
        monkeypatch.setattr(site, "FOLDER", folder / "lite")
        site.read.cache_clear()

    at(laid)
    yield at
    site.read.cache_clear()


@pytest.fixture
def small_model(at_site):
    """The packed model in NumPy; it reads more words from the site when a sentence needs them."""
    return packed.load()


# Tokens


def test_tokens_of_1000_texts_are_those_of_the_library(model):
    pieces = [piece for piece, _ in sorted(model.tokenizer.get_vocab().items(), key=lambda one: one[1])]
    own, texts = WordPiece(pieces, 256), many(1000)
    model.tokenizer.no_padding()
    try:
        theirs = model.tokenizer.encode_batch(texts)
    finally:
        model.tokenizer.enable_padding()
    wrong = [
        (text, mine.tokens, right.tokens)
        for text, right in zip(texts, theirs, strict=True)
        if ((mine := own.encode(text)).tokens, mine.ids) != (right.tokens, right.ids)
    ]
    assert wrong == []
    assert max(len(one.ids) for one in theirs) == 256


def test_a_batch_is_filled_up_as_the_library_does(model, small_model):
    texts = ["I saw", "", "He strummed his ukulele"]
    for mine, right in zip(
        small_model.tokenizer.encode_batch(texts), model.tokenizer.encode_batch(texts), strict=True
    ):
        assert (mine.tokens, mine.ids, mine.attention_mask) == (right.tokens, right.ids, right.attention_mask)


# Numbers


def test_the_encoder_in_numpy_gives_the_numbers_of_pytorch(model):
    """With the very same weights."""
    state = {name: one.numpy() for name, one in model.state.items()}
    whole = in_numpy.NumpyEncoder(state, model.tokenizer)
    model.tokenizer.no_padding()  # each text is cut alone there
    try:
        embeddings, maps = in_numpy.encode(whole, SENTENCES, *IN_NUMPY)
    finally:
        model.tokenizer.enable_padding()
    expected, weights = pretrained.encode(model, SENTENCES, *OURS)
    np.testing.assert_allclose(embeddings, expected, atol=2e-6)
    np.testing.assert_allclose(maps, weights, atol=2e-5)
    assert embeddings.dtype == maps.dtype == np.float32


def test_right_answers_in_numpy_are_those_of_the_course():
    state = pretrained.little_state(2, 24)
    arrays = {name: one.numpy() for name, one in state.items()}
    found, mine = reference.layer_weights(state, 1), in_numpy.layer_weights(arrays, 1)
    assert {name: one.tolist() for name, one in mine.items()} == {k: v.tolist() for k, v in found.items()}
    x = torch.randn(2, 5, 24, generator=torch.Generator().manual_seed(0))
    allowed = torch.ones(2, 1, 5, 5, dtype=torch.bool)
    allowed[0, 0, :, 3:], allowed[1, 0, 2] = False, False
    for right, own in zip(
        reference.bert_attention(x, found, 12, allowed),
        in_numpy.bert_attention(x.numpy(), mine, 12, allowed.numpy()),
        strict=True,
    ):
        np.testing.assert_allclose(own, right, atol=1e-5)
    for mean in (None, torch.tensor([1.0, 2.0])):
        right = reference.silence_head(found, 3, 12, mean)
        own = in_numpy.silence_head(mine, 3, 12, None if mean is None else mean.numpy())
        for name, one in right.items():
            np.testing.assert_allclose(own[name], one, atol=1e-6)
    assert mine["W_o"].tolist() == found["W_o"].tolist(), "the weights that were handed in have changed"
    assert all(hasattr(in_numpy, name) for name in IN_NUMPY_TOO)


def test_the_packed_model_is_nearly_the_model(model, small_model):
    assert repr(small_model).startswith("all-MiniLM-L6-v2 in NumPy: 6 layers, 12 heads")
    embeddings, maps = in_numpy.encode(small_model, SENTENCES, *IN_NUMPY)
    expected, weights = pretrained.encode(model, SENTENCES, *OURS)
    cosines = (embeddings * expected.numpy()).sum(-1)
    assert cosines.min() > 0.99
    real = maps.sum(-1) > 0.5
    assert (maps.argmax(-1) == weights.numpy().argmax(-1))[real].mean() > 0.98


def test_the_view_says_in_numpy_what_it_says_in_pytorch(model, small_model):
    def said(one, right):
        view = views.real_model(one, attention=right.bert_attention, silence=right.silence_head)
        return view._repr_mimebundle_()["text/plain"]

    mine = said(small_model, in_numpy)
    assert "✗" not in mine
    assert mine.count("✓") == 2
    for part in (
        "“saw” (2) and “saw” (4) have a cosine of 0.96",
        "Without head 2 of layer 0",
        "with a sharp",
    ):
        assert part in mine
        assert part in said(model, reference)


def test_an_answer_in_pytorch_is_told_to_be_in_numpy(small_model):
    view = views.real_model(small_model, attention=lambda x, *_: (x.unflatten(-1, (12, -1)), x))
    assert "The model runs on NumPy here: write yours with NumPy arrays, or open" in view.picture.description


# The site


def test_words_are_fetched_when_a_sentence_needs_them(at_site, capsys):
    small_model = packed.load()
    assert capsys.readouterr().out.startswith("Fetching the model from this site: 1")
    small_model.begin([small_model.tokenizer.encode("I saw a saw").ids])
    assert capsys.readouterr().out == ""
    rare = [small_model.tokenizer.encode("They ratified the treaty").ids]
    small_model.begin(rare)
    assert "Fetching more words of the model: " in capsys.readouterr().out
    small_model.begin(rare)
    assert capsys.readouterr().out == ""
    words = small_model.state["embeddings.word_embeddings.weight"]
    assert words.shape == (30522, 384)


def test_words_are_those_of_the_model_in_every_part(model, small_model):
    edges = sorted({at for bound in small.shards(30522) for at in (bound - 1, bound) if 1000 <= at < 30522})
    mine = small_model.state["embeddings.word_embeddings.weight"][np.array(edges)]
    whole = model.state["embeddings.word_embeddings.weight"][edges].numpy()
    assert (
        (mine * whole).sum(-1) / np.linalg.norm(mine, axis=-1) / np.linalg.norm(whole, axis=-1)
    ).min() > 0.99


def test_a_site_without_the_model_says_so(at_site, tmp_path, capsys):
    (tmp_path / "lite").mkdir()
    at_site(tmp_path)
    assert packed.load() is None
    assert capsys.readouterr().out.startswith(
        "This copy of the site has no model, or there is no connection."
    )


@pytest.mark.parametrize("damage", ["gone", "cut off", "other bytes", "a page that says not found"])
def test_a_damaged_part_is_never_used(at_site, laid, tmp_path, capsys, damage):
    shutil.copytree(laid, tmp_path / "site")
    body = tmp_path / "site/_static/live/model/body.bin.gz"
    data = body.read_bytes()
    if damage == "gone":
        body.unlink()
    else:
        body.write_bytes(
            {"cut off": data[: len(data) // 2], "other bytes": pack.packed(b"other")}.get(damage, b"<html>")
        )
    at_site(tmp_path / "site")
    assert packed.load() is None
    said = capsys.readouterr().out
    assert "The model did not come: " in said
    assert "Run the cell again to try once more." in said
    body.write_bytes(data)
    assert packed.load() is not None


def test_a_server_may_unpack_the_parts_itself(at_site, laid, tmp_path):
    import gzip

    shutil.copytree(laid, tmp_path / "site")
    for part in (tmp_path / "site/_static/live/model").glob("*.gz"):
        part.write_bytes(gzip.decompress(part.read_bytes()))
    at_site(tmp_path / "site")
    assert packed.load() is not None


def test_in_a_browser_yours_is_a_right_one_in_numpy_and_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr("helpers.browser.HERE", True)
    assert yours("bert_attention") is in_numpy.bert_attention
    assert capsys.readouterr().out.startswith("bert_attention: a right one in NumPy runs here")
    assert yours("previous_token_heads") is reference.previous_token_heads


@pytest.mark.slow
@pytest.mark.needs("lite", "pyodide")
def test_the_model_runs_in_the_python_of_a_browser(laid_out, laid, tmp_path, model):
    lite = shutil.copytree(laid_out, tmp_path / "lite")
    shutil.copytree(laid / "_static/live/model", lite / "model")
    printed = in_node.run(lite, "tests/model_in_browser.py")
    told = json.loads(printed.splitlines()[-1])
    print(told["seconds"])
    assert told["model"].startswith("all-MiniLM-L6-v2 in NumPy")
    assert "a cosine of 0.96 before layer 0, and of 0.66 after the last" in told["right"]
    assert "“can” (4) and “can” (7)" in told["own"]
    assert "✓ With your bert_attention the model says the same" in told["own"]
    assert "✗ bert_attention stopped: " in told["torch"]
    assert "The model runs on NumPy here" in told["torch"]
    assert "✗ With your bert_attention the cosine ends at" in told["wrong"]
    assert "Without head 2 of layer 0 the cosine ends at 0.72" in told["heads"]
    expected, _ = pretrained.encode(model, pretrained.dog_sentence().sentences, *OURS)
    assert (np.array(told["embeddings"]) * expected.numpy()).sum(-1).min() > 0.99
    assert told["maps"] == [6, 6, 12, 13, 13]
