"""What unit 07 says of its two trainings, measured on ten seeds; and how they show how far they are."""

import functools
import inspect
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from helpers import reference, training
from helpers.errors import BadArgument
from helpers.training import loop, runs
from helpers.training.grammar import TAGS, WORDS, ambiguous, text
from tests.lanes import at_night

SEEDS, IN_THE_GATE = range(10), 1


def seeds(quick=1):
    """The first seed always or in the gate, the others at night."""
    marks = [
        () if seed < quick else pytest.mark.slow if seed < IN_THE_GATE else pytest.mark.nightly
        for seed in SEEDS
    ]
    return pytest.mark.parametrize(
        "seed", [pytest.param(seed, marks=mark) for seed, mark in zip(SEEDS, marks, strict=True)]
    )


@functools.cache
def trained(seed):
    """The decoder of a seed, trained once for all that is claimed of it."""
    return training.train_decoder(seed)


def blocks(period=8):
    return training.repeated(64, period, runs.VOCAB, torch.Generator().manual_seed(99))


# The claims


@seeds(quick=0)
def test_attention_tells_noun_from_verb_and_without_it_nothing_does(seed):
    taggers = [training.train_tagger(seed, looks_around=around) for around in (True, False)]
    (with_attention, commoner), (without, _) = map(runs.accuracy_on_both, taggers)
    assert with_attention > 0.98
    assert without < commoner + 0.02
    assert 0.5 < commoner < 0.65


@seeds(quick=0)
def test_an_induction_head_appears(seed):
    decoder = trained(seed)
    layer, _, score = training.best_head(decoder.model.weights(blocks()), 8)
    assert score > 0.8
    assert layer == 1
    start = training.train_decoder(seed, steps=1)
    assert training.best_head(start.model.weights(blocks()), 8)[2] < 0.3


@seeds()
def test_a_step_on_what_follows_a_prompt_is_the_same_training(seed):
    one = training.train_decoder(seed, steps=4)
    other = training.train_decoder(seed, steps=4, step=reference.training_step)
    assert one.losses == other.losses


@seeds(quick=0)
def test_the_head_that_looks_back_is_needed_and_the_other_is_not(seed):
    model = trained(seed).model
    looks_back = model.weights(blocks())[0].diagonal(-1, 2, 3).mean((0, 2))
    needed, other = (training.silenced(model, 0, int(i)) for i in (looks_back.argmax(), looks_back.argmin()))
    scores = [training.best_head(one.weights(blocks()), 8)[2] for one in (model, needed, other)]
    # a processor that adds in another order trains another model: what holds on all of them is compared
    assert scores[1] + 0.05 < min(scores[0], scores[2])
    assert min(scores[0], scores[2]) > 0.75
    whole, without_needed, without_other = map(training.copying_loss, (model, needed, other))
    assert without_needed > 0.5 > without_other
    assert without_needed > 1.5 * without_other
    assert whole < 0.1, "silencing changed the model itself"


@seeds(quick=0)
def test_before_anything_comes_twice_the_heads_fetch_the_first_token(seed):
    """Which is what they are asked for: of a text without repetition only its end, where it begins again."""
    model, tokens = trained(seed).model, blocks()
    assert model.weights(tokens)[1][:, :, 3:8, 0].mean() > 0.6
    with torch.no_grad():
        said = torch.softmax(model(tokens)[:, 3:8], dim=-1)
    assert said.gather(2, tokens[:, :1, None].expand(-1, 5, 1)).mean() > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("heads", [1, 8])
def test_one_layer_does_not_learn_to_copy_and_two_with_one_head_each_do(heads):
    one, two = (training.train_decoder(0, layers=layers, num_heads=heads) for layers in (1, 2))
    assert training.copying_loss(one.model) > 1 > 0.3 > training.copying_loss(two.model)


@pytest.mark.slow
def test_places_beyond_the_training():
    """As unit 07 and unit 09 say: learned ones end, computed ones break, and none at all loses little."""
    turn = training.rotary_attention(reference.rotary)
    inside, beyond = {}, {}
    for kind, places, attention in (
        ("sinusoidal", reference.sinusoidal_positions, None),
        ("none", training.no_places, None),
        ("rotary", training.no_places, turn),
    ):
        model = training.train_decoder(0, places=places, attention=attention).model
        inside[kind], beyond[kind] = training.copying_loss(model, 10), training.copying_loss(model, 14)
    assert max(inside["sinusoidal"], inside["rotary"]) < 0.2 < inside["none"]
    assert beyond["none"] < 1.5 < min(beyond["sinusoidal"], beyond["rotary"])
    with pytest.raises(RuntimeError):
        training.copying_loss(training.new_decoder(), 11)


@pytest.mark.parametrize("layout", ["halves", "neighbours"])
def test_rotary_attention_knows_distances_alone(layout):
    def later(x, positions):
        return reference.rotary(x, positions + 100)

    x = torch.randn(2, 6, 8, dtype=torch.float64)
    layers = [training.rotary_attention(turn, layout)(8, 2).double() for turn in (reference.rotary, later)]
    layers[1].load_state_dict(layers[0].state_dict())
    (one, _), (other, _) = (layer(x, x, x) for layer in layers)
    torch.testing.assert_close(one, other)
    still = reference.MultiHeadAttention(8, 2).double()
    still.load_state_dict(layers[0].state_dict())
    assert not torch.allclose(still(x, x, x)[0], one)


def test_an_unknown_layout_is_refused_with_those_there_are():
    with pytest.raises(BadArgument, match="halves, neighbours"):
        training.rotary_attention(reference.rotary, "interleaved")


@seeds(quick=0)
def test_the_decoder_writes_the_block_once_more(seed):
    decoder, tokens = trained(seed), blocks()
    written = reference.generate(decoder.model, tokens[:, :9], 7)
    assert (written == tokens).float().mean() > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, at_night(1), at_night(2)])
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


def test_the_picture_marks_where_the_loss_is_down_to_a_tenth_of_guessing():
    """Four curves once looked alike, and none said where the model gets it."""
    progress = loop.Progress("A title", 40, guessing=2.0)
    progress.losses = [2.0] * 20 + [0.5] * 10 + [0.1] * 10
    said = progress._repr_mimebundle_()["text/plain"]
    assert "A line across at 2: guessing." in said
    assert "marked at 31, where it is 0.1: a tenth of guessing: step 31." in said
    progress.losses = [2.0] * 20 + [0.5] * 20
    said = progress._repr_mimebundle_()["text/plain"]
    assert "marked" not in said
    assert "It never gets down to a tenth of the loss of guessing." in said
    progress.losses = [2.0]
    assert "never" not in progress._repr_mimebundle_()["text/plain"], "it is not done yet"


def test_the_first_step_below_a_loss():
    run = runs.Run(None, [3.0, 3.0, 1.0, 1.0, 2.0, 2.0])
    assert run.first_below(1.5, 2) == 4
    assert run.first_below(0.5, 2) is None


def test_a_picture_after_one_step():
    progress = loop.Progress("A title", 3)
    progress.losses = [2.0]
    assert "1 of 3 steps" in progress._repr_mimebundle_()["text/plain"]


@pytest.mark.parametrize(("watched", "pictures"), [(True, 4), (False, 1)])
def test_where_nobody_watches_only_the_last_picture_is_drawn(monkeypatch, watched, pictures):
    drawn = []
    monkeypatch.setattr(loop, "EVERY", -1)
    monkeypatch.setattr(loop, "in_notebook", lambda: True)
    monkeypatch.setattr(loop, "before_a_person", lambda: watched)
    monkeypatch.setattr(
        "IPython.display.display", lambda one, **_: drawn.append(one) or Mock(update=drawn.append)
    )
    loop.train(lambda: 1.0, 3, title="A title")
    assert len(drawn) == pictures
    assert "3 of 3 steps" in drawn[-1].bar()


def test_nothing_is_shown_outside_a_notebook(capsys):
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
