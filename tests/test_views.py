"""Views take what a learner has, say what does not fit, escape what they show, and stay small."""

import base64
import html
import json
import re

import numpy as np
import pytest
import torch

from helpers import example, reference, views
from helpers.reference.nine_steps import STEPS, nine_steps
from helpers.views.data import LARGEST, packed

RNG = np.random.default_rng(7)
TOKENS = list(example.TOKENS)
Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
CAUSAL = reference.causal_mask(4)
WEIGHTS = reference.masked_softmax(reference.scaled_scores(Q, K), CAUSAL)
ONE_LAYER = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O)


def some_weights(*shape):
    return reference.softmax(RNG.normal(size=shape))


def sent(view):
    """What the script gets."""
    (text,) = re.findall(r"show\(document\.currentScript, \"(?:[^\"\\]|\\.)*\", (.*)\); \}\)\(\);", view.html)
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
    "attention": lambda: views.explore_attention(Q, K, V, CAUSAL, TOKENS),
    "weights": lambda: views.explore_weights(WEIGHTS, TOKENS),
    "layers": lambda: views.explore_layers(some_weights(6, 12, 9, 9)),
    "steps": lambda: views.explore_steps(*ONE_LAYER, 2, CAUSAL, TOKENS),
}


@pytest.fixture(params=VIEWS)
def view(request):
    return VIEWS[request.param]()


def test_every_public_view_is_tested_here():
    assert {f"explore_{name}" for name in VIEWS} | {"View"} == set(views.__all__) == set(dir(views))


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
    views.explore_attention(*given[:4], TOKENS)
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
    np.testing.assert_array_equal(data["weights"], [WEIGHTS])
    assert data["queries"] == data["keys"] == TOKENS


def test_half_precision_weights_are_weights():
    assert sent(views.explore_weights(torch.softmax(torch.randn(3, 40, 40), -1).bfloat16().float().half()))[
        "keys"
    ]


def test_a_query_that_looks_at_nothing_is_welcome():
    assert sent(views.explore_weights([[0, 0], [0.5, 0.5]]))["weights"] == [[[0, 0], [0.5, 0.5]]]
    nothing = np.array([[True, True], [False, False]])
    assert sent(views.explore_attention(np.eye(2), np.eye(2), np.eye(2), nothing))["allowed"] == [["3", "0"]]


def test_cross_attention_has_two_kinds_of_labels():
    data = sent(views.explore_attention(Q[:2], K, V, tokens=TOKENS, query_tokens=["Ich", "sah"]))
    assert (data["queries"], data["keys"]) == (["Ich", "sah"], TOKENS)
    assert sent(views.explore_weights(WEIGHTS[:3], TOKENS))["queries"] == ["0", "1", "2"]


def test_wide_heads_send_their_scores_and_some_features():
    many = [RNG.normal(size=(12, 16, 64)) for _ in range(3)]
    data = sent(views.explore_attention(*many))
    assert data["d_k"] == 64
    assert 1 <= data["Q"]["shape"][-1] < 64
    np.testing.assert_allclose(unpacked(data["dots"]), many[0] @ many[1].swapaxes(1, 2), atol=5e-6)


def test_short_arrays_are_exact_and_long_ones_nearly():
    assert packed(np.array([[1.0, 0.25, 123456.0, 1 / 3]])) == [[1, 0.25, 123456, 1 / 3]]
    many = RNG.normal(size=(3, 20, 20))
    many[0] *= 1e9  # a large head costs the others nothing
    assert abs(unpacked(packed(many)) - many)[1:].max() < 1e-6
    np.testing.assert_array_equal(unpacked(packed(np.zeros((2, 30, 30)))), np.zeros((2, 30, 30)))


def test_the_nine_steps_are_multi_head_attention():
    done = nine_steps(*ONE_LAYER, 2, CAUSAL)
    output, weights = reference.multi_head_attention(example.X[None], *ONE_LAYER[1:], 2, CAUSAL)
    np.testing.assert_allclose(done.output, output[0])
    np.testing.assert_allclose(done.A, weights[0])
    assert len(STEPS) == 9
    assert [step["code"] for step in sent(VIEWS["steps"]())["steps"]] == [step.code for step in STEPS]


def test_the_lines_of_code_of_the_nine_steps_run():
    """What the view shows as code computes what it shows as numbers."""
    done = nine_steps(*ONE_LAYER, 2, CAUSAL)
    names = dict(zip(("X", "W_q", "W_k", "W_v", "W_o"), ONE_LAYER, strict=True))
    heads = []
    for h in range(2):
        names |= {
            "np": np,
            "i": 3,
            "h": h,
            "d_head": 2,
            "allowed": CAUSAL,
            "softmax": reference.softmax,
            "heads": heads,
        }
        for step in STEPS[:3]:
            exec(step.code, names)
        for name in "QKV":
            exec(STEPS[3].code.replace("Q", name), names)
        for step in STEPS[4:8]:
            exec(step.code, names)
        np.testing.assert_allclose(names["A"], done.A[h])
        heads.append(names["H"])
    exec(STEPS[8].code, names)
    np.testing.assert_allclose(names["output"], done.output)


# Too much


@pytest.mark.parametrize("count", [LARGEST + 1, 1000])
def test_many_tokens_are_shown_in_part_and_it_says_so(count):
    tokens = [f"token{i}" for i in range(count)]
    weights = some_weights(count, count)
    for view in (
        views.explore_weights(weights, tokens),
        views.explore_attention(*RNG.normal(size=(3, count, 8)), None, tokens),
    ):
        data = sent(view)
        assert f"{count} queries and {count} keys are too many to show" in data["note"]
        assert data["note"] in view.picture.description
        assert data["keys"][-1] == f"{count - LARGEST + 1} others"
        shown = unpacked(data["weights"])
        np.testing.assert_allclose(shown.sum(-1), 1, atol=1e-5)
        assert shown.shape == (1, LARGEST, LARGEST)
        assert len(view.html) < 120_000


def test_many_tokens_in_all_layers():
    view = views.explore_layers(some_weights(6, 12, 100, 100))
    assert "100 queries and 100 keys are too many" in sent(view)["note"]
    assert len(view.html) < 600_000


def test_steps_of_a_large_layer_are_refused_with_another_way():
    d = 32
    with pytest.raises(
        ValueError, match=r"at most 16 tokens and 16 features.*got shape \(2, 32\).*explore_attention"
    ):
        views.explore_steps(RNG.normal(size=(2, d)), *RNG.normal(size=(4, d, d)), 4)


def test_size_of_twelve_heads_and_sixteen_tokens():
    wide = [RNG.normal(size=(12, 16, 64)) for _ in range(3)]
    for view in (
        views.explore_weights(some_weights(12, 16, 16)),
        views.explore_attention(*wide, reference.causal_mask(16)),
    ):
        assert len(view.html.encode()) < 60_000


def test_masks_of_each_head_fit_too():
    q, k, v = RNG.normal(size=(3, 12, 16, 64))
    view = views.explore_attention(
        q, k, v, RNG.random((12, 16, 16)) > 0.3, [f"token_{i:02}" for i in range(16)]
    )
    assert len(view.html.encode()) < 60_000


def test_too_many_tokens_for_steps_are_refused_at_once():
    with pytest.raises(ValueError, match=r"got shape \(20000, 16\)"):
        views.explore_steps(np.ones((20_000, 16)), *[np.eye(16)] * 4, 4)


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
    keys = sent(views.explore_weights(np.eye(2), tokens))["keys"]
    assert keys in (["a", "b"], ["0", "1"], ["None", "3"])


def test_joined_signs_stay_together():
    family = "\U0001f468\u200d\U0001f469"
    assert sent(views.explore_weights(np.eye(2), [family, "b"]))["keys"][0] == family


def test_a_long_token_is_cut_in_the_picture_only():
    long = "Donaudampfschifffahrtsgesellschaft"
    view = views.explore_attention(
        np.eye(2), np.eye(2), np.eye(2), None, [long, "b"], query_tokens=["x", "y"]
    )
    assert sent(view)["keys"][0] == long
    assert f"{long[:23]}…" in view.picture.description
    assert "2 queries (x, y)" in view.picture.description


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
        views.explore_attention(np.eye(2), np.eye(2), np.eye(2), None, pair, title=token),
        views.explore_layers(np.eye(2)[None, None], pair, title=token),
        views.explore_steps(*[np.eye(2)] * 5, 1, None, pair, title=token),
    ]
    for view in shown:
        page = view.captioned(token).html
        assert page.count("<script") == page.count("</script") == 1
        assert "<!--" not in page
        data = sent(view)
        written = token if token.isprintable() else token.encode("unicode_escape").decode()
        assert data["title"] == written
        assert (data.get("keys") or data["tokens"])[0] == written


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
    (lambda: views.explore_attention(np.eye(2), NAN, np.eye(2)),
     "K: expected finite numbers; got nan at [1, 0]"),
    (lambda: views.explore_attention(np.eye(2), np.eye(2), np.stack([NAN, NAN])),
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
    (lambda: views.explore_steps(*[np.eye(3)] * 5, 1, None, "cat"),
     "tokens: expected a list of 3 labels; got one string"),
    (lambda: views.explore_weights(np.eye(2), title=None), "title: expected text; got NoneType"),
    (lambda: views.explore_weights(np.eye(2)).captioned(3), "title: expected text; got int"),
    (lambda: views.explore_steps(*[np.eye(2)] * 5, 0), "num_heads: expected a whole number from 1 on; got 0"),
    (lambda: views.explore_steps(*[np.eye(2)] * 5, 2.0),
     "num_heads: expected a whole number from 1 on; got 2.0"),
    (lambda: views.explore_attention(1e200 * np.eye(2), 1e200 * np.eye(2), np.eye(2)),
     "Q, K: expected numbers whose products fit into float64; got larger ones"),
    (lambda: views.explore_steps(1e200 * np.eye(2), 1e200 * np.eye(2), *[np.eye(2)] * 3, 1),
     "expected numbers whose products fit into float64"),
    (lambda: views.explore_weights([["a"]]), "weights: expected numbers; got list of <U1"),
    (lambda: views.explore_weights(np.ones((0, 3))),
     "weights: expected at least one number; got shape (0, 3)"),
    (lambda: views.explore_attention(Q[:, :3], K, V),
     "K: expected keys as wide as the queries, 3; got shape (1, 4, 4)"),
    (lambda: views.explore_attention(Q, K, V[:3]), "V: expected one value per key, 4; got shape (1, 3, 4)"),
    (lambda: views.explore_attention(np.stack([Q, Q]), K, V),
     "Q, K, V: expected as many heads in each; got 2, 1 and 1"),
    (lambda: views.explore_attention(Q, K, V, np.ones((3, 3), bool)),
     "allowed: expected a shape that broadcasts to scores (1, 4, 4); got (3, 3)"),
    (lambda: views.explore_attention(Q, K, V, [[0.5]]),
     "allowed: expected True or False (or 1 and 0) in every cell; got 0.5"),
    (lambda: views.explore_steps(NAN, *[np.eye(2)] * 4, 1), "X: expected finite numbers; got nan"),
    (lambda: views.explore_steps(np.eye(2), np.eye(3), *[np.eye(2)] * 3, 1),
     "W_q: expected (d_model, d_model), (2, 2); got shape (3, 3)"),
    (lambda: views.explore_steps(np.ones((2, 2, 2)), *[np.eye(2)] * 4, 1),
     "X: expected one sentence (n, d_model); got shape (2, 2, 2)"),
    (lambda: views.explore_steps(*[np.eye(4)] * 5, 3), "3"),
    (lambda: views.explore_steps(*[np.eye(2)] * 5, 1, np.ones((3, 3), bool)),
     "allowed: expected a shape that broadcasts to scores (1, 2, 2); got (3, 3)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
