"""Views take what a learner has, say what does not fit, escape what they show, and stay small."""

import base64
import html
import json
import re

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex

from helpers import example, reference, views
from helpers.plots import style
from helpers.views.data import LARGEST, packed
from helpers.views.script import PAGE, shared
from tests.seen import CAUSAL, TOKENS, K, Q, V

RNG = np.random.default_rng(7)
WEIGHTS = reference.masked_softmax(reference.scaled_scores(Q, K), CAUSAL)
ONE_LAYER = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O)


def some_weights(*shape):
    return reference.softmax(RNG.normal(size=shape))


def sent(view):
    """What the script gets; the rest of `html` is a picture, which would be drawn once more."""
    (text,) = re.findall(r"show\(document\.currentScript, (.*)\); \}\)\(\);", view._script)
    return json.loads(text)


def unpacked(data):
    """What `view.js` makes of a long array."""
    if isinstance(data, list):
        return np.array(data)
    three = np.frombuffer(base64.b64decode(data["data"]), np.uint8).reshape(-1, 3).astype(np.int64)
    whole = three @ [1, 2**8, 2**16]
    whole -= (whole >= 2**23) * 2**24
    return whole.reshape(data["shape"]) * np.reshape(data["steps"], (-1, *[1] * (len(data["shape"]) - 1)))


VIEWS = {
    "loom": lambda: views.loom(*ONE_LAYER, 2, CAUSAL, TOKENS),
    "explore_weights": lambda: views.explore_weights(WEIGHTS, TOKENS),
    "explore_layers": lambda: views.explore_layers(some_weights(6, 12, 9, 9)),
    "real_model": lambda: views.real_model(None),  # with a model: test_real_view.py
}


@pytest.fixture(params=VIEWS)
def view(request):
    return VIEWS[request.param]()


def test_every_public_view_is_tested_here():
    others = {"View", "trace"}  # `trace` has no picture: it is tested in test_trace.py
    assert {*VIEWS, *others} == set(views.__all__) == set(dir(views))


def test_a_notebook_shows_it_with_its_picture_and_its_words(view):
    bundle = view.captioned("Look <here>.")._repr_mimebundle_()
    assert bundle["text/plain"] == f"{view.picture.description} Look <here>."
    page = bundle["text/html"]
    assert f'alt="{html.escape(view.picture.description)}"' in page
    assert "<figcaption" in page
    assert "Look &lt;here&gt;.</figcaption>" in page
    assert page.count("<script>") == page.count("</script>") == 1
    assert not re.search(r"https?://(?!www\.w3\.org)", page), "it asks the network for something"


def test_an_unknown_view_names_the_known_ones():
    with pytest.raises(AttributeError, match=r"'explore'; it has .*explore_weights"):
        views.explore  # noqa: B018


# What goes in


def test_inputs_stay_unchanged():
    given = [Q.copy(), K.copy(), V.copy(), CAUSAL.copy(), WEIGHTS.copy()]
    views.loom(Q=given[0], K=given[1], V=given[2], allowed=given[3], tokens=TOKENS)
    views.explore_weights(given[4], TOKENS)
    for before, after in zip((Q, K, V, CAUSAL, WEIGHTS), given, strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        WEIGHTS[None],
        WEIGHTS[None, None],
        torch.from_numpy(WEIGHTS).requires_grad_(),
        WEIGHTS.tolist(),
    ],
)
def test_weights_come_in_many_forms(given):
    data = sent(views.explore_weights(given, TOKENS))
    np.testing.assert_array_equal(data["given"]["weights"], [WEIGHTS])
    assert data["start"]["queries"] == data["start"]["keys"] == TOKENS


def test_half_precision_weights_are_weights():
    halves = torch.softmax(torch.randn(3, 40, 40), -1).bfloat16().float().half()
    assert len(sent(views.explore_weights(halves))["start"]["keys"]) == 40


def test_a_query_that_looks_at_nothing_is_welcome():
    assert sent(views.explore_weights([[0, 0], [0.5, 0.5]]))["given"]["weights"] == [[[0, 0], [0.5, 0.5]]]
    nothing = np.array([[True, True], [False, False]])
    assert sent(views.loom(np.eye(2), allowed=nothing))["allowed"] == [["3", "0"]]


def test_cross_attention_has_two_kinds_of_labels():
    start = sent(views.loom(Q=Q[:2], K=K, V=V, tokens=TOKENS, query_tokens=["Ich", "sah"]))["start"]
    assert (start["queries"], start["keys"]) == (["Ich", "sah"], TOKENS)
    assert sent(views.explore_weights(WEIGHTS[:3], TOKENS))["start"]["queries"] == ["0", "1", "2"]


def test_without_values_it_ends_with_the_weights():
    assert sent(views.loom(Q=Q, K=K))["columns"][-1] == ["weights"]


def test_its_own_sentence_can_be_spoken_and_others_cannot():
    data = sent(views.loom())
    assert data["language"]["words"] == {word: numbers.tolist() for word, numbers in example.WORD.items()}
    assert data["language"]["places"] == example.POSITIONS.tolist()
    assert "language" not in sent(views.loom(example.X))
    assert data["start"]["keys"] == TOKENS


def test_a_mistake_can_be_on_from_the_start():
    assert sent(views.loom(mistake="no-scaling"))["start"]["chosen"] == {"scaled": "no-scaling"}
    mixed = sent(views.loom(weights=WEIGHTS, V=V, mistake="weights-transposed"))
    assert mixed["start"]["chosen"] == {"output": "weights-transposed"}


def test_the_number_of_heads_may_be_of_numpy():
    assert sent(views.loom(num_heads=np.int64(2))) == sent(views.loom(num_heads=2))


def test_yours_need_not_be_finite():
    mine = np.array([[np.nan, np.inf], [-np.inf, 0.5]])
    data = sent(views.loom(np.eye(2), yours={"weights": mine}))
    assert data["yours"]["weights"] == [[["NaN", "Infinity"], ["-Infinity", 0.5]]]
    assert "<select" not in data["markup"]


def test_short_arrays_are_exact_and_long_ones_nearly():
    assert packed(np.array([[1.0, 0.25, 123456.0, 1 / 3]])) == [[1, 0.25, 123456, 1 / 3]]
    many = RNG.normal(size=(3, 20, 20))
    many[0] *= 1e9  # a large head costs the others nothing
    assert abs(unpacked(packed(many)) - many)[1:].max() < 1e-6
    np.testing.assert_array_equal(unpacked(packed(np.zeros((2, 30, 30)))), np.zeros((2, 30, 30)))


# Too much


@pytest.mark.slow
@pytest.mark.parametrize("count", [LARGEST + 1, 1000])
def test_many_tokens_are_shown_in_part_and_it_says_so(count):
    tokens = [f"token{i}" for i in range(count)]
    weights, many = some_weights(count, count), RNG.normal(size=(3, count, 8))
    for view in (
        views.explore_weights(weights, tokens),
        views.loom(Q=many[0], K=many[1], V=many[2], tokens=tokens),
        views.loom(many[0], tokens=tokens),
    ):
        data = sent(view)
        assert f"{count} queries and {count} keys are too many to show" in data["note"]
        assert data["note"] in view.picture.description
        assert data["start"]["keys"][-1] == f"{count - LARGEST + 1} others"
        shown = unpacked(data["given"]["weights"])
        np.testing.assert_allclose(shown.sum(-1), 1, atol=1e-5)
        assert shown.shape == (1, LARGEST, LARGEST)
        assert len(view.html) < 120_000


def test_many_tokens_in_all_layers():
    view = views.explore_layers(some_weights(6, 12, 100, 100))
    assert "100 queries and 100 keys are too many" in sent(view)["note"]
    assert len(view.html) < 600_000


def test_a_wide_model_begins_with_its_heads():
    X, W = RNG.normal(size=(4, 192)), RNG.normal(size=(4, 192, 192))
    data = sent(views.loom(X, *W, 12))
    assert "too large for a page" in data["note"]
    assert data["columns"][0] == ["Q", "K", "V"]
    np.testing.assert_allclose(
        unpacked(data["given"]["Q"]), reference.split_heads((X @ W[0])[None], 12)[0], atol=1e-4
    )
    output = X @ W[2]
    assert unpacked(data["given"]["V"]).shape == (12, 4, 16)
    np.testing.assert_allclose(np.hstack(list(unpacked(data["given"]["V"]))), output, atol=1e-4)


def test_a_wide_sentence_is_compared_with_itself():
    assert [*sent(views.loom(RNG.normal(size=(64, 700)), until="similarity"))["given"]] == ["X"]


def test_of_many_wide_heads_the_first_are_shown_and_it_says_so():
    many = RNG.normal(size=(3, 12, 64, 64))
    data = sent(views.loom(Q=many[0], K=many[1], V=many[2]))
    assert data["note"] == "12 heads are too many: these are the first 3."
    assert data["heads"] == 3
    np.testing.assert_allclose(unpacked(data["given"]["K"]), many[1][:3], atol=1e-5)


def test_script_and_style_of_the_loom_weigh_less_than_thirty_kilobytes():
    assert len(shared("loom").encode()) < 30_000


def test_the_colours_of_roles_are_those_of_the_figures():
    css = "".join(
        (PAGE / name).read_text("utf-8").split(":host([dark])")[0] for name in ("view.css", "loom.css")
    )
    for role, colour in {**style.ROLES, "score": style.SCORE, "weight": style.WEIGHT}.items():
        wanted = colour if role in ("score", "weight") else to_hex(style.for_text(colour))
        assert f"--{role}: {wanted.lower()};" in css


def test_size_of_one_real_head_and_of_twelve_heads():
    q, k, v = RNG.normal(size=(3, 14, 32))
    assert len(views.loom(Q=q, K=k, V=v, allowed=reference.causal_mask(14)).html.encode()) < 80_000
    assert len(views.explore_weights(some_weights(12, 16, 16)).html.encode()) < 80_000


def test_masks_of_each_head_fit_too():
    q, k, v = RNG.normal(size=(3, 12, 16, 8))
    allowed = RNG.random((12, 16, 16)) > 0.3
    allowed[..., 0] = True
    data = sent(views.loom(Q=q, K=k, V=v, allowed=allowed, tokens=[f"token_{i:02}" for i in range(16)]))
    assert len(data["allowed"]) == 12
    assert "allowed.swapaxes(-1, -2)" in str(data["lines"])


def test_the_words_about_layers_are_those_of_all_tokens():
    weights = np.zeros((32, 32, 100, 100))
    weights[..., 99] = 1
    view = views.explore_layers(weights)
    assert "on the token itself in head 0 (0.01)" in view.picture.description
    assert "0.01 on itself" in sent(view)["says"][0][0]
    assert "itself" not in str(sent(views.explore_layers(some_weights(1, 1, 3, 5)))["says"])


# Text is text


@pytest.mark.parametrize("tokens", [("a", "b"), iter("ab"), np.array(["a", "b"]), torch.arange(2), [None, 3]])
def test_many_kinds_of_labels(tokens):
    keys = sent(views.explore_weights(np.eye(2), tokens))["start"]["keys"]
    assert keys in (["a", "b"], ["0", "1"], ["None", "3"])


def test_joined_signs_stay_together():
    family = "\U0001f468\u200d\U0001f469"
    assert sent(views.explore_weights(np.eye(2), [family, "b"]))["start"]["keys"][0] == family


def test_a_long_token_is_cut_in_the_picture_only():
    long = "Donaudampfschifffahrtsgesellschaft"
    view = views.loom(Q=np.eye(2), K=np.eye(2), V=np.eye(2), tokens=[long, "b"], query_tokens=["x", "y"])
    assert sent(view)["start"]["keys"][0] == long
    assert f"{long[:23]}…" in view.picture.description
    assert "2 queries (x, y)" in view.picture.description


@pytest.mark.slow
@pytest.mark.parametrize(
    "token",
    [
        "<script>alert(1)</script>",
        "</script>",
        "<!--",
        '"',
        "'",
        "&amp;",
        "\\",
        "\u2028",
        "你好",
        "\n",
        "{",
        "${x}",
    ],
)
def test_tokens_are_text_and_nothing_else(token):
    pair = [token, "b"]
    shown = [
        views.explore_weights(np.eye(2), pair, title=token),
        views.loom(np.eye(2), tokens=pair, title=token),
        views.explore_layers(np.eye(2)[None, None], pair, title=token),
    ]
    for view in shown:
        page = view.captioned(token).html
        assert page.count("<script") == page.count("</script") == 1
        assert "<!--" not in page
        data = sent(view)
        written = token if token.isprintable() else token.encode("unicode_escape").decode()
        assert data["title"] == written
        assert (data["keys"] if "keys" in data else data["start"]["keys"])[0] == written


# What does not fit

NAN = np.array([[1.0, 0.0], [np.nan, 1.0]])
BAD = [
    (lambda: views.explore_weights([[0.5, 0.4], [0.5, 0.5]]),
     "add up to 1 (or all to be 0); query 0 of head 0 adds up to 0.9"),
    (lambda: views.explore_layers(np.stack([np.eye(2), 2 * np.eye(2)])[:, None]),
     "query 0 of layer 1, head 0 adds up to 2"),
    (lambda: views.explore_weights(some_weights(3, 3).T), "add up to"),
    (lambda: views.explore_weights([[1.5, -0.5]]), "weights: expected numbers from 0 to 1; got -0.5"),
    (lambda: views.explore_weights(NAN), "weights: expected finite numbers; got nan at [1, 0]"),
    (lambda: views.explore_weights([[np.inf, 0]]), "weights: expected finite numbers; got inf at [0, 0]"),
    (lambda: views.loom(Q=np.eye(2), K=NAN, V=np.eye(2)),
     "K: expected finite numbers; got nan at [1, 0]"),
    (lambda: views.loom(Q=np.eye(2), K=np.eye(2), V=np.stack([NAN, NAN])),
     "V: expected finite numbers; got nan at [0, 1, 0]"),
    (lambda: views.explore_weights(np.eye(3), ["a", "b"]),
     "tokens: expected 3 labels, one per key of weights (1, 3, 3); got 2"),
    (lambda: views.explore_weights(np.eye(3), "abc"),
     "tokens: expected a list of 3 labels; got one string, 'abc'"),
    (lambda: views.explore_weights(WEIGHTS[:3], TOKENS, query_tokens=["a"]),
     "query_tokens: expected 3 labels, one per query of weights (1, 3, 4); got 1"),
    (lambda: views.explore_weights([1.0]),
     "weights: expected the shape (n, d) or (h, n, d), one entry of a batch; got (1,)"),
    (lambda: views.explore_weights(some_weights(2, 3, 4, 4)), "one entry of a batch; got (2, 3, 4, 4)"),
    (lambda: views.explore_layers(some_weights(2, 2, 3, 4, 4)),
     "(layers, h, n_q, n_k), one entry of a batch; got (2, 2, 3, 4, 4)"),
    (lambda: views.explore_weights([[0.003, 0.003], [1, 0]]), "query 0 of head 0 adds up to 0.006"),
    (lambda: views.explore_weights([[torch.ones(1)[0].requires_grad_(), "a"]]), "weights: expected numbers"),
    (lambda: views.explore_weights(torch.ones(2, 2, device="meta")), "weights: expected numbers; got Tensor"),
    (lambda: views.explore_weights(np.eye(3), {"a", "b", "c"}),
     "tokens: expected a list of 3 labels, in order; got set"),
    (lambda: views.explore_weights(np.eye(3), b"abc"), "tokens: expected a list of 3 labels; got one string"),
    (lambda: views.explore_weights(np.eye(3), 3), "tokens: expected a list of 3 labels, in order; got int"),
    (lambda: views.loom(np.eye(3), tokens="cat"),
     "tokens: expected a list of 3 labels; got one string"),
    (lambda: views.explore_weights(np.eye(2), title=None), "title: expected text; got NoneType"),
    (lambda: views.explore_weights(np.eye(2)).captioned(3), "title: expected text; got int"),
    (lambda: views.loom(*[np.eye(2)] * 5, 0), "num_heads: expected a whole number from 1 on; got 0"),
    (lambda: views.loom(*[np.eye(2)] * 5, 2.0),
     "num_heads: expected a whole number from 1 on; got 2.0"),
    (lambda: views.loom(Q=1e200 * np.eye(2), K=1e200 * np.eye(2), V=np.eye(2)),
     "Q, K: expected numbers whose products fit into float64; got larger ones"),
    (lambda: views.loom(1e200 * np.eye(2), 1e200 * np.eye(2)),
     "X and the weights: expected numbers whose products fit into float64; got larger ones"),
    (lambda: views.explore_weights([["a"]]), "weights: expected numbers; got list of <U1"),
    (lambda: views.explore_weights(np.ones((0, 3))),
     "weights: expected at least one number; got shape (0, 3)"),
    (lambda: views.loom(Q=Q[:, :3], K=K, V=V),
     "K: expected keys as wide as the queries, 3; got shape (1, 4, 4)"),
    (lambda: views.loom(Q=Q, K=K, V=V[:3]), "V: expected one value per key, 4; got shape (1, 3, 4)"),
    (lambda: views.loom(Q=np.stack([Q, Q]), K=K, V=V),
     "Q, K, V: expected as many heads in each; got 2, 1 and 1"),
    (lambda: views.loom(Q=Q, K=K, V=V, allowed=np.ones((3, 3), bool)),
     "allowed: expected a shape that broadcasts to scores (1, 4, 4); got (3, 3)"),
    (lambda: views.loom(Q=Q, K=K, V=V, allowed=[[0.5]]),
     "allowed: expected True or False (or 1 and 0) in every cell; got 0.5"),
    (lambda: views.loom(NAN), "X: expected finite numbers; got nan at [1, 0]"),
    (lambda: views.loom(np.eye(2), np.eye(3)), "W_q: expected 2 rows; got shape (3, 3)"),
    (lambda: views.loom(np.eye(2), np.ones((2, 3))),
     "W_k: expected keys as wide as the queries, 3; got shape (2, 2)"),
    (lambda: views.loom(np.eye(4), W_v=np.ones((4, 2)), num_heads=2),
     "W_v: expected values as wide as the queries, 4; got shape (4, 2)"),
    (lambda: views.loom(np.eye(2), W_o=np.eye(3)), "W_o: expected 2 rows; got shape (3, 3)"),
    (lambda: views.loom(np.ones((2, 2, 2))), "X: expected one sentence (n, d); got shape (2, 2, 2)"),
    (lambda: views.loom(np.eye(4), num_heads=3),
     "num_heads: d_model = 4 cannot be cut into 3 heads of equal width"),
    (lambda: views.loom(np.eye(2), allowed=np.ones((3, 3), bool)),
     "allowed: expected a shape that broadcasts to scores (1, 2, 2); got (3, 3)"),
    (lambda: views.loom(until="softmax"),
     "until: expected one of similarity, scores, scaled, masked, weights, output; got 'softmax'"),
    (lambda: views.loom(Q=Q, K=K, V=V, until="similarity"),
     "until: expected one of scores, scaled, masked, weights, output; got 'similarity'"),
    (lambda: views.loom(until="scores", mistake="no-scaling"), "mistake: expected one of key-weight-reused"),
    (lambda: views.loom(np.eye(2), Q=Q, K=K), "expected a sentence, or queries, keys and values; got both"),
    (lambda: views.loom(Q=Q, V=V), "Q, K: expected queries and keys; got only one of them, or only V"),
    (lambda: views.loom(weights=WEIGHTS, V=V[:3]), "V: expected one value per key, 4; got shape (1, 3, 4)"),
    (lambda: views.loom(Q=Q, K=K, weights=WEIGHTS), "weights: expected weights alone, or weights and V"),
    (lambda: views.loom(weights=WEIGHTS, V=V, mistake="no-scaling"),
     "mistake: expected one of weights-transposed; got 'no-scaling'"),
    (lambda: views.loom(yours=[1.0]), "yours: expected a dict such as {'weights': array}; got list"),
    (lambda: views.loom(yours={"softmax": WEIGHTS}), "yours: expected one of"),
    (lambda: views.loom(yours={"weights": WEIGHTS[:3]}),
     "yours['weights']: expected shape (1, 4, 4); got (1, 3, 4)"),
    (lambda: views.loom(Q=np.full((2, 1), 1e200), K=np.ones((2, 1)), V=np.full((2, 1), np.inf)),
     "V: expected finite numbers; got inf at [0, 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
