"""Two words in the real model: what a wrong answer does there is seen, and one that stops is named."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import torch

from helpers import pretrained, reference, views
from helpers.errors import BadArgument
from helpers.pretrained import encoder, reading
from helpers.pretrained.committed import saw_sentence
from helpers.views import cloth
from tests.test_views import sent

needs_model = pytest.mark.needs("model")
KEPT = saw_sentence()
WORDS = ["[PAD]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz", "saw", "<script>"]


class Words:
    """A tokenizer as far as the view needs one: a token for each word, or for each letter of others."""

    def encode(self, text):
        pieces = [p for word in text.lower().split() for p in ([word] if word in WORDS else word)]
        tokens = ["[CLS]", *(p for p in pieces if p in WORDS), "[SEP]"]
        ids = [WORDS.index(token) for token in tokens]
        return type("Encoded", (), {"tokens": tokens, "ids": ids, "attention_mask": [1] * len(ids)})


@pytest.fixture(scope="module")
def tiny():
    """An encoder as the real one is built, 24 wide, with random weights."""
    width, dice = 24, torch.Generator().manual_seed(5)
    state = {name: 6 * one for name, one in pretrained.little_state(3, width).items()}
    for name, rows in {"word": len(WORDS), "position": 300, "token_type": 2}.items():
        state[f"embeddings.{name}_embeddings.weight"] = torch.randn(rows, width, generator=dice)
    layers = [f"encoder.layer.{i}.{part}" for i in range(3) for part in ("attention.output", "output")]
    for norm in ("embeddings", *layers):
        state[f"{norm}.LayerNorm.weight"] = torch.ones(width)
        state[f"{norm}.LayerNorm.bias"] = torch.zeros(width)
    return encoder.Encoder(state, Words())


@pytest.fixture(scope="module")
def model():
    return pretrained.load()


def text(view):
    return view._repr_mimebundle_()["text/plain"]


# Wrong attentions that a learner may write


def attention(axis=-1, softmax=True, mask=True):
    def bert_attention(x, weights, num_heads, allowed):
        def project(letter):
            made = x @ weights[f"W_{letter}"] + weights[f"b_{letter}"]
            return made.unflatten(-1, (num_heads, -1)).transpose(1, 2)

        Q, K, V = project("q"), project("k"), project("v")
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if mask:
            scores = scores.masked_fill(~allowed, -torch.inf if softmax else 0)
        shares = torch.softmax(scores, dim=axis).nan_to_num(0) if softmax else scores
        return (shares @ V).transpose(1, 2).flatten(2) @ weights["W_o"] + weights["b_o"], shares

    return bert_attention


def columns_silenced(weights, head, num_heads, mean=None):
    """The columns of `W_o` in place of its rows."""
    W_o, wide = weights["W_o"].clone(), weights["W_o"].shape[0] // num_heads
    W_o[:, head * wide : (head + 1) * wide] = 0
    return {**weights, "W_o": W_o}


# What is kept of the model, and the model


def test_what_is_kept_tells_saw_from_saw_by_the_head_that_looks_at_the_token_before():
    assert KEPT.tokens == ["[CLS]", "i", "saw", "a", "saw", "[SEP]"]
    assert KEPT.similarities.round(2).tolist() == [0.96, 0.83, 0.76, 0.71, 0.70, 0.69, 0.66]
    assert np.unravel_index(KEPT.change.argmax(), KEPT.change.shape) == (0, 2)
    assert KEPT.change.max().round(2) == 0.06
    assert KEPT.nearest[0][1] == "He cut the wood with a sharp tool."


def test_without_the_model_what_was_kept_is_shown_and_it_says_so():
    for view in (views.real_model(None), views.real_model(None, "x", attention=print, silence=print)):
        assert "The model is not here" in text(view)
        assert "a cosine of 0.96 before layer 0, and of 0.66 after the last" in text(view)


@needs_model
def test_what_is_kept_is_what_the_model_gives(model):
    found = reading.tokens_of(model, "I saw a saw")
    seen = reading.read(model, found.ids, (2, 4), reference.bert_attention)
    assert found.tokens == KEPT.tokens
    np.testing.assert_allclose(seen.similarities, KEPT.similarities, atol=1e-4)
    np.testing.assert_allclose(seen.weights, KEPT.weights, atol=2e-3)
    assert [one for _, one in seen.nearest] == [one for _, one in KEPT.nearest]
    change = reading.effects(model, seen, (2, 4), reference.bert_attention, reference.silence_head)
    np.testing.assert_allclose(change, KEPT.change, atol=1e-4)


@pytest.mark.slow
@needs_model
def test_right_answers_say_the_same_as_the_model(model):
    view = views.real_model(model, attention=attention(), silence=reference.silence_head)
    assert "✓ With your bert_attention the model says the same, in every row and all 72 heads." in text(view)
    assert "✓ With your silence_head it is the same for all 72 heads." in text(view)
    assert "✗" not in text(view)
    assert [*sent(view)["ways"]] == ["right"]


@pytest.mark.slow
@needs_model
def test_a_wrong_answer_is_seen_in_the_real_model(model):
    said = text(views.real_model(model, attention=attention(softmax=False)))
    assert "✗ With your bert_attention the cosine ends at 1.00 instead of 0.66" in said
    assert "does not tell the two words apart any more" in said
    nearest = re.search(r"with yours: “([^”]*)”.*With a right attention: “([^”]*)”", said)
    assert nearest[1] != nearest[2]
    said = text(views.real_model(model, attention=attention(axis=-2)))
    assert "ends at 0.70 instead of 0.66" in said
    assert "In these two words that hardly shows." in said
    wrong = views.real_model(model, attention=attention(), silence=columns_silenced)
    assert "✗ With your silence_head" in text(wrong)
    assert "for head 2 of layer 0 the cosine ends at" in text(wrong)
    yours, right = sent(wrong)["ways"].values()
    assert yours["effects"] != right["effects"]


@needs_model
def test_a_forgotten_mask_is_seen_in_the_sentences_that_are_filled_up(model):
    """The typed sentence has no padding: its own rows are right, and what is nearest in meaning is not."""
    said = text(views.real_model(model, attention=attention(mask=False)))
    assert "in other sentences, which are filled up" in said


@needs_model
def test_where_the_model_does_not_tell_the_words_apart_it_says_so(model):
    said = text(views.real_model(model, "Time flies like an arrow, fruit flies like a banana"))
    assert "“flies” (2) and “flies” (8)" in said
    assert "the model hardly tells them apart" in said


@pytest.mark.slow
@needs_model
def test_a_notebook_carries_it(model):
    short = views.real_model(model, attention=attention(axis=-2), silence=reference.silence_head)
    assert len(short.html) < 100_000
    long = views.real_model(model, "saw " * 300, attention=attention(axis=-2), silence=reference.silence_head)
    assert len(long.html) < 450_000
    assert "tokens only the first 23 are read" in text(long)
    assert len(sent(long)["tokens"]) == reading.MOST


# What goes in


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "sentence: expected two words or more, to compare two of them; got none."),
        (" \n", "expected two words or more, to compare two of them; got none."),
        ("saw", "expected two words or more, to compare two of them; got one word, saw."),
        (None, "sentence: expected text in quotes; got NoneType"),
        (["I", "saw"], "sentence: expected text in quotes; got list"),
    ],
)
def test_a_sentence_that_is_none_is_named(tiny, sentence, message):
    with pytest.raises(BadArgument, match=re.escape(message)):
        views.real_model(tiny, sentence)


@pytest.mark.parametrize(
    "pair", [(2, 2), (0, 2), (2, 5), (2, 99), (2,), "24 ", "saw", 3, (1, 2, 3), (None, 1)]
)
def test_a_pair_that_is_none_names_the_places(tiny, pair):
    with pytest.raises(BadArgument, match=r"pair: expected the places of two words.*1 i, 2 saw, 3 a, 4 saw"):
        views.real_model(tiny, "I saw a saw", pair=pair)


def test_the_pair_can_be_chosen_and_no_word_need_stand_twice(tiny):
    assert "“i” (1) and “a” (3) have a cosine" in text(views.real_model(tiny, "I saw a saw", pair=(3, 1)))
    said = text(views.real_model(tiny, "i saw a b"))
    assert "“i” (1) and “b” (4) have a cosine" in said
    assert "No word stands twice here: choose two with pair=(1, 4), or other places." in said


def test_which_word_stands_twice():
    pairs = {
        "a saw saw a": (2, 3),
        "a dog a cat": (1, 3),
        ", dog , dog": (2, 4),
        "! ! !": (1, 3),
        "dog cat": (1, 2),
    }
    for sentence, pair in pairs.items():
        assert reading.pair_of(["[CLS]", *sentence.split(), "[SEP]"]) == pair


@pytest.mark.parametrize("name", ["attention", "silence"])
def test_an_answer_is_a_function(tiny, name):
    with pytest.raises(BadArgument, match=f"{name}: expected a function of yours; got str"):
        views.real_model(tiny, "I saw a saw", **{name: "bert_attention"})


def blank(*_):
    raise NotImplementedError("not answered yet")


def of(output=lambda x: x, weights=lambda n: torch.zeros(1, 12, n, n)):
    return lambda x, *_: (output(x), weights(x.shape[1]))


UNUSABLE = {
    "bert_attention is not answered yet.": blank,
    "bert_attention stopped: ZeroDivisionError: division by zero.": lambda *_: 1 / 0,
    "bert_attention stopped: AssertionError.": lambda *_: (
        next(iter(()), None) or (_ for _ in ()).throw(AssertionError)
    ),
    "bert_attention should return output and weights; it returned NoneType.": lambda *_: None,
    "bert_attention should return output and weights; it returned Tensor.": lambda x, *_: x,
    "bert_attention should return output and weights; it returned 3 things.": lambda x, *_: (x, x, x),
    "output of bert_attention should be a Tensor; it is ndarray.": of(lambda x: x.numpy()),
    "output of bert_attention should have shape (1, 6, 24); it has (1, 24, 6).": of(lambda x: x.mT),
    "weights of bert_attention should have shape (1, 12, 6, 6); it has (1, 6, 6).": of(
        weights=lambda n: torch.zeros(1, n, n)
    ),
    "output of bert_attention should be finite numbers; some are NaN or infinite.": of(
        lambda x: x * torch.nan
    ),
    "weights of bert_attention should be finite numbers": of(
        weights=lambda n: torch.full((1, 12, n, n), torch.inf)
    ),
}


@pytest.mark.parametrize(("says", "answer"), UNUSABLE.items(), ids=[says[:60] for says in UNUSABLE])
def test_an_attention_of_no_use_is_named_and_the_model_is_shown(tiny, says, answer):
    view = views.real_model(tiny, "I saw a saw", attention=answer)
    assert f"✗ {says}" in text(view)
    assert "You see the model with a right attention." in text(view)
    assert sent(view)["ways"] == sent(views.real_model(tiny, "I saw a saw"))["ways"]


NO_SILENCE = {
    "silence_head is not answered yet.": blank,
    "silence_head stopped: KeyError: 'W'.": lambda weights, *_: weights["W"],
    "silence_head should return a dict with the same eight keys; it returned NoneType.": lambda *_: None,
    "silence_head should return a dict with the same eight keys; it returned one with W_o.": lambda w, *_: {
        "W_o": w["W_o"]
    },
    "W_o of silence_head should have shape (24, 24); it has (22, 24).": lambda w, *_: {
        **w,
        "W_o": w["W_o"][2:],
    },
    "b_o of silence_head should be finite numbers": lambda w, *_: {**w, "b_o": w["b_o"] * torch.nan},
}


@pytest.mark.parametrize(("says", "answer"), NO_SILENCE.items(), ids=[says[:60] for says in NO_SILENCE])
def test_a_silence_head_of_no_use_is_named_and_the_bars_are_right(tiny, says, answer):
    view = views.real_model(tiny, "I saw a saw", silence=answer)
    assert f"✗ {says}" in text(view)
    assert [*sent(view)["ways"]] == ["right"]
    assert any(sent(view)["ways"]["right"]["effects"])


def test_nothing_that_an_answer_does_stays_in_the_model(tiny):
    before = {name: one.clone() for name, one in tiny.state.items()}

    def spoils(x, weights, num_heads, allowed):
        result = reference.bert_attention(x, weights, num_heads, allowed)
        for one in (x, *weights.values()):
            one.zero_()
        return result

    def spoils_too(weights, head, num_heads):
        weights["W_o"].zero_()
        return weights

    view = views.real_model(tiny, "I saw a saw", attention=spoils, silence=spoils_too)
    assert all(torch.equal(one, before[name]) for name, one in tiny.state.items())
    assert "✓ With your bert_attention" in text(view)


def test_weights_with_a_gradient_are_weights(tiny):
    def trained(x, *others):
        return tuple(one.requires_grad_() for one in reference.bert_attention(x, *others))

    assert "✓ With your bert_attention" in text(views.real_model(tiny, "I saw a saw", attention=trained))


def test_stop_stops(tiny):
    def stopped(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        views.real_model(tiny, "I saw a saw", attention=stopped)


# The picture


def test_the_picture_is_svg_whose_tokens_are_text():
    tokens = ["[CLS]", "<script>alert(1)</script>", "&", '"', "[SEP]"]
    weights = reference.softmax(np.random.default_rng(0).normal(size=(2, 3, 5, 5)))
    drawn = cloth.cloth(tokens, [0.9, 0.5, 0.2], weights, (1, 3), [0.9, 0.6, 0.3])
    whole = cloth.side_by_side(drawn, cloth.maps(weights, weights[..., 0, 0] - 0.2), "<b>")
    texts = [
        "".join(one.itertext()) for one in ElementTree.fromstring(whole).iter() if one.tag.endswith("text")
    ]
    assert {"<b>", "<script>alert…", "&", '"', "0.50", "0.60", "right"} <= {*texts}
    assert "<script" not in whole


def test_threads_are_as_thick_as_weights_and_those_of_the_two_words_have_their_colours():
    means = np.zeros((1, 4, 4))
    means[0, 1, 0], means[0, 2, 3], means[0, 0, 0], means[0, 3, 1] = 1, 0.5, 0.5, 0.01
    drawn = cloth.threads(means, ["[CLS]", "a", "b", "c"], (1, 2))
    widths = re.findall(r"<g[^>]*stroke:(var\(--\w+)[^>]*>(.*?)</g>", drawn)
    assert [(colour[6:], re.findall(r'stroke-width="([\d.]+)"', paths)) for colour, paths in widths] == [
        ("thread", ["2.9"]),
        ("one", ["9.4"]),
        ("two", ["4.9"]),
    ]


def test_the_maps_have_a_pixel_for_each_weight():
    import base64
    import io

    from PIL import Image

    weights = np.zeros((2, 3))
    weights[0, 1], weights[1, 2] = 1, 0.25
    picture = Image.open(io.BytesIO(base64.b64decode(cloth.png(weights).partition(",")[2]))).convert("RGB")
    assert picture.size == (3, 2)
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    assert picture.getpixel((1, 0)) == cloth.shade(1) == (110, 55, 0)
    assert np.allclose(picture.getpixel((2, 1)), cloth.shade(0.25), atol=2)
