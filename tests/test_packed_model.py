"""Unit 08's model as the site packs it: the same tokens, nearly the numbers, and parts may be missing."""

import json
import shutil

import numpy as np
import pytest
import torch

from helpers import pretrained, reference, views
from helpers.in_browser import packed, site
from helpers.pretrained.wordpiece import WordPiece
from tests import in_node
from tests.live_texts import SENTENCES, many
from tools.web.live import pack, small

pytestmark = [pytest.mark.needs("model")]
OURS = (reference.layer_weights, reference.bert_attention)


@pytest.fixture(scope="module")
def model():
    return pretrained.load()


@pytest.fixture(scope="module")
def laid(model, tmp_path_factory):
    """A site's folder with the packed model."""
    folder = tmp_path_factory.mktemp("site")
    pack.write(model, folder / "_static/live/model")
    (folder / "python").mkdir()
    return folder


@pytest.fixture
def at_site(laid, monkeypatch):
    """Files of the site are read from that folder, or from another."""

    def at(folder):
        monkeypatch.setattr(site, "FOLDER", folder / "python")
        site.read.cache_clear()

    at(laid)
    yield at
    site.read.cache_clear()


@pytest.fixture
def small_model(at_site):
    """The packed model; it reads more words from the site when a sentence needs them."""
    return packed.load()


# Tokens


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_batch_is_filled_up_as_the_library_does(model, small_model):
    texts = ["I saw", "", "He strummed his ukulele"]
    for mine, right in zip(
        small_model.tokenizer.encode_batch(texts), model.tokenizer.encode_batch(texts), strict=True
    ):
        assert (mine.tokens, mine.ids, mine.attention_mask) == (right.tokens, right.ids, right.attention_mask)


# Numbers


@pytest.mark.slow
def test_the_packed_model_is_nearly_the_model(model, small_model):
    assert repr(small_model).startswith("all-MiniLM-L6-v2: 6 layers, 12 heads")
    embeddings, maps = pretrained.encode(small_model, SENTENCES, *OURS)
    expected, weights = pretrained.encode(model, SENTENCES, *OURS)
    cosines = (embeddings * expected).sum(-1)
    assert cosines.min() > 0.99
    real = maps.sum(-1) > 0.5
    assert (maps.argmax(-1) == weights.argmax(-1))[real].float().mean() > 0.98


@pytest.mark.slow
def test_the_view_says_of_the_packed_model_what_it_says_of_the_whole(model, small_model):
    def said(one):
        view = views.real_model(one, attention=reference.bert_attention, silence=reference.silence_head)
        return view._repr_mimebundle_()["text/plain"]

    mine, whole = said(small_model), said(model)
    assert "✗" not in mine
    assert mine.count("✓") == 2
    for part in (
        "“saw” (2) and “saw” (4) have a cosine of 0.96",
        "Without head 2 of layer 0",
        "with a sharp",
    ):
        assert part in mine
        assert part in whole


# The site


@pytest.mark.slow
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


@pytest.mark.slow
def test_words_are_those_of_the_model_in_every_part(model, small_model):
    edges = sorted({at for bound in small.shards(30522) for at in (bound - 1, bound) if 1000 <= at < 30522})
    mine = small_model.state["embeddings.word_embeddings.weight"][torch.tensor(edges)]
    whole = model.state["embeddings.word_embeddings.weight"][edges]
    assert ((mine * whole).sum(-1) / mine.norm(dim=-1) / whole.norm(dim=-1)).min() > 0.99


@pytest.mark.slow
def test_a_site_without_the_model_says_so(at_site, tmp_path, capsys):
    (tmp_path / "python").mkdir()
    at_site(tmp_path)
    assert packed.load() is None
    assert capsys.readouterr().out.startswith(
        "This copy of the site has no model, or there is no connection."
    )


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_server_may_unpack_the_parts_itself(at_site, laid, tmp_path):
    import gzip

    shutil.copytree(laid, tmp_path / "site")
    for part in (tmp_path / "site/_static/live/model").glob("*.gz"):
        part.write_bytes(gzip.decompress(part.read_bytes()))
    at_site(tmp_path / "site")
    assert packed.load() is not None


@pytest.mark.slow
@pytest.mark.needs("engine", "pyodide")
def test_the_model_runs_in_the_python_of_a_browser(laid_out, laid, tmp_path, model):
    laid_there = shutil.copytree(laid_out, tmp_path / "python")
    shutil.copytree(laid / "_static/live/model", laid_there / "model")
    printed = in_node.run(laid_there, "tests/model_in_browser.py")
    told = json.loads(printed.splitlines()[-1])
    print(told["seconds"])
    assert told["model"].startswith("all-MiniLM-L6-v2: 6 layers")
    assert "a cosine of 0.96 before layer 0, and of 0.66 after the last" in told["right"]
    assert "“can” (4) and “can” (7)" in told["own"]
    assert "✓ With your bert_attention the model says the same" in told["own"]
    assert "✗ output of bert_attention should be a Tensor; it is ndarray." in told["numpy"]
    assert "✗ With your bert_attention the cosine ends at" in told["wrong"]
    assert "Without head 2 of layer 0 the cosine ends at 0.72" in told["heads"]
    expected, _ = pretrained.encode(model, pretrained.dog_sentence().sentences, *OURS)
    assert (np.array(told["embeddings"]) * expected.numpy()).sum(-1).min() > 0.99
    assert told["maps"] == [6, 6, 12, 13, 13]
    assert told["yours"] == "bert_attention: yours runs.\n"
