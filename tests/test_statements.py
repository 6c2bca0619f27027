"""Sentences of the units that no cell beside them computes: each test is named as what it computes."""

import ast
import inspect
import re

import numpy as np
import pytest
import torch
from torch import nn

from helpers import check, example, pretrained, reference
from helpers.units import TITLES, UNIT_OF, VARIABLES
from tests.sample_learners import ALL_UNITS, NOTEBOOKS, SOLUTIONS, UNITS, path_of, read
from tools.web import landing, pictures

units = pytest.mark.parametrize("unit", UNITS)
LINK = re.compile(r"\]\((\.\./[^)]*\.ipynb)\)")


def last_words(unit):
    return read(SOLUTIONS, unit).cells[-1].source


# All units


@units
def test_a_unit_links_to_the_next_and_to_the_one_before(unit):
    at = UNITS.index(unit)
    wanted = {f"../{other}/{other}.ipynb" for other in (*UNITS[max(at - 1, 0) : at], *UNITS[at + 1 : at + 2])}
    assert wanted <= set(LINK.findall(last_words(unit)))


def test_a_unit_has_a_title_and_on_the_site_a_question_and_a_picture():
    for table in (TITLES, landing.QUESTIONS, pictures.DRAWN):
        assert list(table) == list(ALL_UNITS)


@units
def test_links_between_units_lead_to_notebooks(unit):
    links = [link for cell in read(SOLUTIONS, unit).cells for link in LINK.findall(cell.source)]
    assert [link for link in links if not (path_of(NOTEBOOKS, unit).parent / link).is_file()] == []


def names_in(cells):
    code = "\n".join(line for cell in cells for line in cell.source.splitlines() if not line.startswith("%"))
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


@units
def test_near_its_end_a_unit_compares_with_pytorch_without_any_answer_of_the_learner(unit):
    cells = read(SOLUTIONS, unit).cells
    (at,) = [i for i, cell in enumerate(cells) if re.search(r"(?m)^## In PyTorch$", cell.source)]
    below = [cell for cell in cells[at:] if cell.cell_type == "code"]
    assert "equal" in "".join(cell.source for cell in below)
    assert names_in(below) & set(ALL_UNITS[unit]) == set()


@pytest.mark.parametrize("name", [name for name in UNIT_OF if name not in VARIABLES])
def test_two_question_marks_show_how_a_reference_is_written(name):
    assert re.match(rf"(@.*\n)*(def|class) {name}\b", inspect.getsource(getattr(reference, name)))


# Unit 01


def test_a_and_saw_share_one_feature_and_stand_at_45_degrees():
    a, saw = example.WORD["a"], example.WORD["saw"]
    assert np.count_nonzero(a * saw) == 1
    assert np.degrees(np.arccos(reference.cosine_similarity(a, saw))) == pytest.approx(45)
    assert not np.any(example.WORD["I"] * saw)


# Unit 02


def test_symmetric_scores_are_no_symmetric_weights():
    scores = reference.similarity_matrix(example.X, example.X)
    weights = reference.softmax(scores)
    assert np.array_equal(scores, scores.T)
    assert weights[1, 2] > 2 * weights[2, 1]


def test_with_several_heads_a_query_has_a_part_of_the_width_of_a_token():
    assert example.W_Q.shape == example.W_K.shape == example.W_V.shape == (example.X.shape[1],) * 2
    assert nn.MultiheadAttention(512, 8).head_dim == 512 // 8 == 64
    assert reference.split_heads(np.zeros((1, 4, 512)), 8).shape[-1] == 64


def test_no_mask_for_the_future_hides_the_last_token_of_a_text_that_may_be_read_whole():
    scores = reference.attention_scores(example.X @ example.W_Q, example.X @ example.W_K)
    assert scores[0].argmax() == 3
    assert reference.apply_mask(scores, reference.causal_mask(4))[0].argmax() == 0


def test_the_similarity_of_unit_01_takes_a_single_sentence_only():
    batch = np.zeros((2, 4, 3))
    with pytest.raises(ValueError, match="mismatch"):
        reference.similarity_matrix(batch, batch)
    assert reference.attention_scores(batch, batch).shape == (2, 4, 4)


# Unit 03


def tables(n, d_k, count, rng):
    return rng.standard_normal((count, n, d_k)) @ rng.standard_normal((count, d_k, n))


def test_the_std_of_small_tables_is_too_small_for_any_number_of_them():
    many = tables(2, 4, 40_000, np.random.default_rng(0)).std(axis=(1, 2))
    error_of_the_mean = many.std() / 200
    assert many.mean() + 10 * error_of_the_mean < 1.6 < np.sqrt(4)


def test_one_reason_is_that_std_measures_from_the_own_mean_of_a_table():
    small = tables(2, 4, 20_000, np.random.default_rng(0))
    from_the_true_mean = np.sqrt((small**2).mean(axis=(1, 2)))
    assert (small.std(axis=(1, 2)) <= from_the_true_mean).all()
    assert from_the_true_mean.mean() - small.std(axis=(1, 2)).mean() > 0.2


def test_larger_tables_have_the_std_of_the_rule():
    means = [tables(n, 4, 500, np.random.default_rng(0)).std(axis=(1, 2)).mean() for n in (3, 10, 100)]
    assert means == sorted(means)
    assert means[-1] == pytest.approx(2, abs=0.02)


@pytest.mark.parametrize("width", [64, 512])
def test_after_layer_normalisation_queries_and_scaled_scores_are_far_from_std_1(width):
    torch.manual_seed(1)
    tokens = torch.nn.functional.layer_norm(torch.randn(200, width), (width,))
    q, k = (nn.Linear(width, width)(tokens).detach() for _ in range(2))
    assert tokens.std() == pytest.approx(1, abs=0.01)
    assert q.std() == pytest.approx(0.58, abs=0.02)
    assert (q @ k.T / width**0.5).std() == pytest.approx(1 / 3, abs=0.05)


def test_more_tokens_are_more_scores_with_the_same_spread_and_a_larger_largest():
    draws = [np.random.default_rng(0).standard_normal(n) for n in (16, 256, 4096)]
    assert [draw.max() for draw in draws] == sorted(draw.max() for draw in draws)
    assert draws[-1].max() > draws[0].max() + 1
    assert [draw.std() for draw in draws] == pytest.approx([1, 1, 1], abs=0.3)


def gradient_of_a_loss_in_the_scores(scale):
    """The mean size of it, for a loss that is a random sum of the weights."""
    draw = torch.Generator().manual_seed(0)
    Q, K = torch.randn(2, 32, 1024, generator=draw)
    scores = (Q @ K.T * scale).requires_grad_()
    (torch.softmax(scores, dim=-1) * torch.randn(32, 32, generator=draw)).sum().backward()
    return scores.grad.abs().mean()


def test_almost_nothing_of_the_gradient_gets_through_a_saturated_softmax():
    assert gradient_of_a_loss_in_the_scores(1) < 0.2 * gradient_of_a_loss_in_the_scores(1024**-0.5)


# Unit 04


def test_broadcasting_puts_missing_axes_in_on_the_left_only():
    scores, lengths = np.zeros((3, 2, 4, 4)), np.array([4, 3, 1])
    real = reference.padding_mask(lengths, 4)
    assert (scores + reference.causal_mask(4)).shape == scores.shape
    with pytest.raises(ValueError, match="broadcast"):
        scores + real
    assert (scores + real[:, None, None, :]).shape == scores.shape


def test_a_mask_the_wrong_way_round_shows_as_nan_only_when_weights_are_asked_for():
    layer = nn.MultiheadAttention(4, 1, batch_first=True, dtype=torch.float64)
    x, wrong = torch.from_numpy(example.X)[None], torch.from_numpy(reference.causal_mask(4))
    output, weights = layer(x, x, x, attn_mask=wrong)
    assert weights[0, :3].isfinite().all()
    assert weights[0, 3].isnan().all()
    assert output[0, 3].isnan().all()
    silent, _ = layer(x, x, x, attn_mask=wrong, need_weights=False)
    assert torch.equal(silent[0, 3], layer.out_proj.bias)


# Unit 05


def test_softmax_is_sharper_than_shares_exactly_when_e_to_the_d_exceeds_the_ratio():
    """Of two positive scores a and a + d; and no size of the difference d decides it alone."""
    sharper = {}
    for a in (0.1, 0.5, 1.0, 2.0, 100.0):
        for d in (0.05, 0.5, 1.0, 2.0, 3.0):
            scores = np.array([a, a + d])
            sharper[a, d] = reference.softmax(scores)[1] > scores[1] / scores.sum()
            assert sharper[a, d] == (np.exp(d) > 1 + d / a)
    assert sharper[100.0, 0.05]
    assert not sharper[0.1, 3.0]


@pytest.mark.parametrize("seed", range(20))
def test_with_finite_scores_the_exponentials_sum_to_at_least_1(seed):
    scores = np.random.default_rng(seed).standard_normal(5) * 10.0 ** (seed - 5)
    assert np.exp(scores - scores.max()).sum() >= 1
    assert np.isfinite(reference.softmax(scores)).all()


def slopes_of_weights(scores):
    """`[i, j]`: how weight i changes with score j, by autograd."""
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=-1), scores).numpy()


def test_what_one_weight_gains_the_others_lose_and_raising_all_scores_alike_changes_none():
    scores = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    slopes = slopes_of_weights(scores)
    p = reference.softmax(scores.numpy())
    assert slopes == pytest.approx(np.array([reference.softmax_backward(p, one) for one in np.eye(3)]))
    assert slopes.sum(axis=0) == pytest.approx(0)  # one score, all weights
    assert slopes.sum(axis=1) == pytest.approx(0)  # all scores, one weight
    assert reference.softmax(scores.numpy() + 5) == pytest.approx(p)


def test_the_formula_is_the_slope_of_the_loss_in_each_score():
    scores, g = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64), np.array([1.0, 0.0, -2.0])
    w = reference.softmax(scores.numpy())
    assert g @ slopes_of_weights(scores) == pytest.approx(w * (g - (w * g).sum()))


@pytest.mark.parametrize(("share", "grows"), [(lambda n: 0.5, True), (lambda n: 0.5 / n, False)])
def test_with_weights_that_do_not_sum_to_1_the_output_can_grow_with_the_keys(share, grows):
    few, many = (reference.mix_values(np.full((1, n), share(n)), np.ones((n, 1))).item() for n in (4, 400))
    assert (many > 2 * few) == grows


def test_an_answer_may_call_the_reference_of_another_unit():
    def attention(Q, K, V, allowed=None):
        scores = reference.scaled_scores(Q, K)
        everything = np.ones(scores.shape[-1], bool) if allowed is None else allowed
        weights = reference.masked_softmax(scores, everything)
        return reference.mix_values(weights, V), weights

    def masked_softmax(scores, allowed):
        hidden = reference.apply_mask(scores, allowed)
        largest = np.max(hidden, axis=-1, keepdims=True)
        powers = np.exp(hidden - np.where(np.isfinite(largest), largest, 0))
        total = powers.sum(axis=-1, keepdims=True)
        return powers / np.where(total == 0, 1, total)

    def multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
        parts = (reference.split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
        heads, weights = reference.attention(*parts, allowed)
        return reference.merge_heads(heads) @ W_o, weights

    check("masked_softmax", masked_softmax)
    check("multi_head_attention", multi_head_attention)
    check("scaled_scores", lambda Q, K: reference.attention_scores(Q, K) / np.sqrt(Q.shape[-1]))
    check("attention", attention)


# Unit 06

WORDS = np.eye(3)
PAIRS = [(who, whom) for who in range(3) for whom in range(3)]
WHO_AND_WHOM = np.array([np.concatenate([WORDS[who], WORDS[whom]]) for who, whom in PAIRS])


def test_four_trained_heads_look_from_it_to_the_words_before_and_behind_to_hungry_and_to_dog():
    kept = pretrained.dog_sentence()
    rows = [
        kept.weights[layer, head, kept.tokens.index("it")] for layer, head in [(0, 2), (1, 2), (2, 8), (3, 1)]
    ]
    assert [kept.tokens[row.argmax()] for row in rows] == ["because", "was", "hungry", "dog"]
    assert all(row.max() > 0.5 for row in rows)


SAW = [[first, "saw", second, "saw"] for first in ("I", "a") for second in ("I", "a")]


def right_tags(vectors, tags):
    rows = np.column_stack([vectors.reshape(16, -1), np.ones(16)])
    wanted = np.eye(3)[tags]
    return int(((rows @ np.linalg.lstsq(rows, wanted, rcond=None)[0]).argmax(1) == tags).sum())


def test_only_with_attention_and_the_word_itself_every_saw_gets_its_tag():
    tags = [
        ({"I": 0, "a": 2}[word] if word != "saw" else int(sentence[i - 1] == "I"))
        for sentence in SAW
        for i, word in enumerate(sentence)
    ]
    words = np.array([[example.WORD[word] for word in sentence] for sentence in SAW])
    tokens = np.concatenate([words, np.broadcast_to(example.POSITIONS, (4, 4, 2))], -1)
    parts = reference.queries_keys_values(tokens, example.W_Q, example.W_K, example.W_V)
    heard, _ = reference.attention(*parts, reference.causal_mask(4))
    beside = np.concatenate([words, heard], -1)
    assert [right_tags(one, np.array(tags)) for one in (words, tokens, heard, beside)] == [12, 12, 12, 16]
    same = {}
    for vector, tag in zip(tokens.reshape(16, 4), tags, strict=True):
        same.setdefault(tuple(vector), []).append(tag)
    assert sum(max(map(one.count, one)) for one in same.values()) == 12, "another read-out could do better"


def test_a_head_s_own_matrix_is_a_cut_through_the_columns():
    both = reference.multi_head_attention(
        example.X[None], example.W_Q, example.W_K, example.W_V, np.eye(4), 2, reference.causal_mask(4)
    )[0][0]
    cuts = (slice(0, 2), slice(2, 4))
    parts = [[example.X @ W[:, cut] for W in (example.W_Q, example.W_K, example.W_V)] for cut in cuts]
    own = [reference.attention(*part, reference.causal_mask(4))[0] for part in parts]
    assert np.allclose(both, np.hstack(own))


def error_of_one_head(share, left, right):
    """Over all matrices the smallest, for words that are `left[word]` and `right[word]` on the two sides."""
    mixed = np.array([share * left[who] + (1 - share) * right[whom] for who, whom in PAIRS])
    mixed = np.hstack([mixed, np.ones((len(PAIRS), 1))])  # a bias costs nothing
    found = mixed @ np.linalg.lstsq(mixed, WHO_AND_WHOM, rcond=None)[0]
    return np.sqrt(((found - WHO_AND_WHOM) ** 2).mean())


def beside(place):
    return np.hstack([WORDS, np.tile(place, (3, 1))])


@pytest.mark.parametrize("share", np.linspace(0, 1, 11))
def test_one_head_fails_on_plain_words_and_with_positions_beside_or_added(share):
    one, other = np.random.default_rng(0).standard_normal((2, 3))
    for left, right in ((WORDS, WORDS), (beside([1, 0]), beside([0, 1])), (WORDS + one, WORDS + other)):
        assert error_of_one_head(share, left, right) > 0.3


def test_after_a_layer_that_cuts_negative_numbers_off_one_head_can_do_it():
    W = np.random.default_rng(1).standard_normal((5, 12))
    left, right = (np.maximum(beside(place) @ W, 0) for place in ([1, 0], [0, 1]))
    assert error_of_one_head(0.5, left, right) < 1e-9


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_row_of_minus_infinity_makes_no_nan_in_any_gradient_once_its_weights_are_0(dtype):
    layers = [nn.Linear(4, 4, dtype=dtype) for _ in range(2)]
    x = torch.randn(3, 4, dtype=dtype, requires_grad=True)
    allowed = torch.tensor([[True, False, True], [False] * 3, [True] * 3])
    q, k = (layer(x) for layer in layers)
    weights = torch.softmax((q @ k.T).masked_fill(~allowed, -torch.inf), dim=-1)
    assert weights[1].isnan().all()
    mixed = weights.masked_fill(~allowed, 0.0) @ x
    mixed.square().sum().backward()
    learned = [parameter for layer in layers for parameter in layer.parameters()]
    assert all(parameter.grad.isfinite().all() for parameter in (*learned, x))
    assert not mixed[1].any()


def test_a_loop_over_the_heads_gives_the_numbers_of_one_product():
    X, causal = example.X[None], reference.causal_mask(4)
    weights = (example.W_Q, example.W_K, example.W_V)
    _, together = reference.multi_head_attention(X, *weights, example.W_O, 2, causal)
    for head, columns in enumerate((slice(0, 2), slice(2, 4))):
        _, alone = reference.attention(*(X @ W[:, columns] for W in weights), causal)
        assert together[:, head] == pytest.approx(alone)
