"""What unit 07 says of its two trainings, measured on ten seeds; and how they show how far they are."""

import inspect

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from helpers import reference, training
from helpers.errors import BadArgument
from helpers.training import loop, runs
from helpers.training.grammar import TAGS, WORDS, ambiguous, text

SEEDS = range(10)


def seeds(quick=1):
    """The first seeds always, all ten where everything is run."""
    return pytest.mark.parametrize(
        "seed", [seed if seed < quick else pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS]
    )


def blocks(period=8):
    return training.repeated(64, period, runs.VOCAB, torch.Generator().manual_seed(99))


# The claims


@seeds()
def test_attention_tells_noun_from_verb_and_without_it_nothing_does(seed):
    taggers = [training.train_tagger(seed, looks_around=around) for around in (True, False)]
    (with_attention, commoner), (without, _) = map(runs.accuracy_on_both, taggers)
    assert with_attention > 0.98
    assert without < commoner + 0.02
    assert 0.5 < commoner < 0.65


@seeds()
def test_an_induction_head_appears(seed):
    decoder = training.train_decoder(seed)
    layer, _, score = training.best_head(decoder.model.weights(blocks()), 8)
    assert score > 0.8
    assert layer == 1
    start = training.train_decoder(seed, steps=1)
    assert training.best_head(start.model.weights(blocks()), 8)[2] < 0.3


@seeds(quick=0)
def test_the_decoder_writes_the_block_once_more(seed):
    decoder, tokens = training.train_decoder(seed), blocks()
    written = reference.generate(decoder.model, tokens[:, :9], 7)
    assert (written == tokens).float().mean() > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_suspect_trains_too(seed):
    suspect = training.train_decoder(seed, attention=training.SuspectAttention)
    assert suspect.last_loss < 1.0 < np.log(runs.VOCAB)


def test_the_suspect_is_found_by_the_course_s_own_checks():
    from helpers import CheckFailed, check

    with pytest.raises(CheckFailed) as failed:
        check("MultiHeadAttention", training.SuspectAttention, seed=1)
    assert failed.value.misconception == "mask-after-softmax"

    assert training.leaks(training.SuspectAttention)
    assert not training.leaks(reference.MultiHeadAttention)


@pytest.mark.parametrize("train", [training.train_tagger, training.train_decoder])
def test_a_training_is_little_enough_work_for_a_laptop(train):
    """Counted in multiplications, 10 seconds' worth of one core: `make bench` measures seconds."""
    with FlopCounterMode(display=False) as counted:
        train(0, steps=2)
    steps = inspect.signature(train).parameters["steps"].default
    assert steps * counted.get_total_flops() / 2 < 1e11


# What they are trained on


def test_i_saw_a_saw_is_a_sentence_of_the_grammar():
    tokens, tags = text(400, 12, torch.Generator().manual_seed(0))
    wanted = [WORDS.index(word) for word in ["I", "saw", "a", "saw", "."]]
    places = (tokens.unfold(1, 5, 1) == torch.tensor(wanted)).all(-1).nonzero()
    assert len(places)
    for piece, start in places.tolist():
        assert [TAGS[tag] for tag in tags[piece, start : start + 5]] == ["N", "V", "DET", "N", "."]


def test_the_place_of_a_word_tells_nothing_of_its_tag():
    tokens, tags = text(4000, 12, torch.Generator().manual_seed(0))
    asked = ambiguous(tokens)
    nouns = ((tags == TAGS.index("N")) & asked).sum(0) / asked.sum(0)
    assert (nouns - 4 / 7).abs().max() < 0.07


def test_a_block_comes_twice_and_holds_no_token_twice():
    tokens = training.repeated(5, 7, 16, torch.Generator().manual_seed(0))
    assert torch.equal(tokens[:, :7], tokens[:, 7:])
    assert all(len(set(row)) == 7 for row in tokens[:, :7].tolist())


def test_the_same_seed_trains_the_same_model():
    one, other = (training.train_decoder(3, steps=5) for _ in range(2))
    assert one.losses == other.losses
    assert training.train_decoder(4, steps=5).losses != one.losses


def test_weights_are_those_that_the_model_uses():
    model, tokens = training.train_decoder(0, steps=1).model, blocks(5)
    weights = model.weights(tokens)
    assert weights.shape == (2, 64, 2, 10, 10)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 64, 2, 10))
    assert not weights.triu(1).any()


# The bar and the plot


def test_the_bar_says_how_far_it_is_and_the_picture_has_its_words():
    progress = loop.Progress("A title", 40)
    progress.losses = [2.0] * 20 + [1.0] * 10
    assert progress.bar().startswith("[###############-----] 30 of 40 steps, loss 1.500, ")
    shown = progress._repr_mimebundle_()
    assert shown["text/html"].startswith("<pre>[###")
    assert 'alt="A title: loss against step' in shown["text/html"]
    assert "<figcaption" in shown["text/html"]
    assert progress.bar()[:20] in shown["text/plain"]


def test_a_picture_after_one_step():
    progress = loop.Progress("A title", 3)
    progress.losses = [2.0]
    assert "1 of 3 steps" in progress._repr_mimebundle_()["text/plain"]


def test_nothing_is_shown_outside_a_notebook(capsys, monkeypatch):
    monkeypatch.delitem(loop.sys.modules, "ipykernel", raising=False)
    training.train_decoder(0, steps=2)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "cut",
    [lambda loss: loss.item(), lambda loss: loss.detach(), lambda loss: loss.detach().numpy()],
    ids=["item", "detach", "numpy"],
)
def test_a_loss_that_no_gradient_comes_through_is_refused_with_a_sentence(cut):
    def loss(logits, tokens):
        return cut(reference.next_token_loss(logits, tokens))

    with pytest.raises(BadArgument, match="no gradient comes through yours"):
        training.train_decoder(0, steps=2, loss=loss)


def test_the_learner_s_own_block_is_trained():
    made = []

    class Own(reference.TransformerBlock):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            made.append(sizes)

    training.train_decoder(0, steps=2, block=Own)
    training.train_tagger(0, steps=2, block=Own)
    assert made == [(32, 2, 64)] * 4
