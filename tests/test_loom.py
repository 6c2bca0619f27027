"""The loom's own numbers: right as the reference, and wrong as the programs of the banks."""

import numpy as np
import pytest

from banks.registry import load
from helpers import reference, views
from helpers.views.loom_stages import LINES, SAYS
from helpers.views.script import PAGE
from tools import real_browser

pytestmark = [pytest.mark.needs("browser")]

RUN = """([sent, chosen]) => {
    const given = { heads: sent.heads, temperature: 1, values: { ...sent.given } };
    for (const name of Object.keys(given.values)) given.values[name] = pack(unpack(given.values[name]));
    const count = sent.start.keys.length;
    if (sent.allowed)
        given.values.allowed = pack(bits(sent.allowed, count).map((rows) => rows.map((row) => [...row])));
    const { values, code, stops } = run(given, sent.lines, chosen);
    const plain = ({ dims, data }) => [dims, [...data].map((x) => Number.isFinite(x) ? x : String(x))];
    const made = Object.keys(code).map((one) => [one, plain(values[one])]);
    return { stops, code, values: Object.fromEntries(made) };
}"""


def random_layer(n, d_model, num_heads, seed, causal=False):
    """A sentence, its matrices and a mask that leaves each query a key."""
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(n, d_model)), rng.normal(size=(4, d_model, d_model))
    allowed = np.tri(n, dtype=bool) if causal else rng.random((n, n)) > 0.4
    np.fill_diagonal(allowed, True)
    return X, *W, num_heads, allowed


def random_head(n_q, n_k, d_k, d_v, seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    allowed = rng.random((n_q, n_k)) > 0.4
    allowed[:, 0] = True
    return Q, K, V, allowed


@pytest.fixture(autouse=True)
def without_pictures(monkeypatch):
    """Drawing takes longer than all the rest."""
    monkeypatch.setattr("helpers.views.loom_view._picture", lambda *_: None)


@pytest.fixture(scope="module")
def core(chromium):
    """The numeric half of the loom, without its page."""
    with real_browser.Visit(chromium) as visit:
        for name in ("view", "loom_core"):
            visit.page.add_script_tag(content=(PAGE / f"{name}.js").read_text("utf-8"))

        def computed(view, **chosen):
            done = visit.page.evaluate(RUN, [view.data, chosen])
            done["values"] = {
                name: np.array([float(x) for x in numbers]).reshape(dims)
                for name, (dims, numbers) in done["values"].items()
            }
            return done

        yield computed
        assert visit.errors == []


LAYERS = [(4, 4, 2, 0), (5, 6, 1, 1), (3, 12, 3, 2), (7, 8, 4, 3), (1, 2, 1, 4)]


@pytest.mark.slow
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sizes", LAYERS)
def test_right_numbers_are_those_of_the_reference(core, sizes, causal):
    X, W_q, W_k, W_v, W_o, h, allowed = random_layer(*sizes, causal=causal)
    got = core(views.loom(X, W_q, W_k, W_v, W_o, h, allowed))
    assert not got["stops"]
    values = got["values"]
    output, weights = reference.multi_head_attention(X[None], W_q, W_k, W_v, W_o, h, allowed)
    Q, K, _ = (
        reference.split_heads(part, h)[0] for part in reference.queries_keys_values(X[None], W_q, W_k, W_v)
    )
    close = {"rtol": 1e-5, "atol": 1e-5}  # numbers are sent with 24 bits
    np.testing.assert_allclose(values["scores"], reference.attention_scores(Q, K), **close)
    np.testing.assert_allclose(values["scaled"], reference.scaled_scores(Q, K), **close)
    np.testing.assert_allclose(
        values["masked"], reference.apply_mask(reference.scaled_scores(Q, K), allowed), **close
    )
    np.testing.assert_allclose(values["weights"], weights[0], **close)
    np.testing.assert_allclose(values["output"], output, **close)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(3, 5, 4, 2, 0), (1, 6, 3, 7, 1), (5, 1, 1, 1, 2)])
def test_a_head_of_ones_own(core, sizes):
    Q, K, V, allowed = random_head(*sizes)
    values = core(views.loom(Q=Q, K=K, V=V, allowed=allowed))["values"]
    output, weights = reference.attention(Q, K, V, allowed)
    np.testing.assert_allclose(values["weights"][0], weights, atol=1e-6)
    np.testing.assert_allclose(values["output"][0], output, atol=1e-5)


def test_a_query_that_may_look_at_nothing_takes_nothing(core):
    allowed = np.array([[True, False], [False, False]])
    values = core(views.loom(Q=np.eye(2), K=np.eye(2), V=np.eye(2), allowed=allowed))["values"]
    np.testing.assert_array_equal(values["weights"], [[[1, 0], [0, 0]]])
    np.testing.assert_array_equal(values["output"], [[[1, 0], [0, 0]]])


# Each mistake by the first stage of its line, and the program of the banks that makes it.
BANK = {
    ("Q", "key-weight-reused"): "qkv_w_k_for_q",
    ("K", "query-weight-reused"): "qkv_w_q_for_k",
    ("V", "key-weight-reused"): "qkv_w_k_for_v",
    ("V", "weight-transposed"): "qkv_w_v_transposed",
    ("V", "value-not-projected"): "qkv_v_is_x",
    ("Q_h", "heads-split-by-reshape"): "mha_view_split",
    ("Q_h", "heads-interleaved"): "mha_interleaved",
    ("scores", "no-transpose"): "attention_scores_no_transpose",
    ("scores", "reshape-instead-of-transpose"): "attention_reshape",
    ("scores", "keys-by-queries"): "attention_k_q",
    ("scores", "one-matrix-twice"): "scores_q_q",
    ("scaled", "scaled-by-sqrt-n"): "attention_sqrt_n_k",
    ("scaled", "scaled-by-d_k"): "attention_d_k",
    ("scaled", "no-scaling"): "attention_no_scaling",
    ("scaled", "scaled-up"): "attention_scaled_up",
    ("scaled", "scaled-by-sqrt-d_model"): "mha_sqrt_d_model",
    ("masked", "mask-multiplied"): "attention_mask_times",
    ("masked", "mask-inverted"): "attention_mask_inverted",
    ("masked", "transposed-mask"): "attention_mask_transposed",
    ("masked", "mask-added"): "attention_mask_added",
    ("masked", "mask-ignored"): "attention_mask_ignored",
    ("weights", "softmax-over-queries"): "attention_softmax_columns",
    ("weights", "softmax-over-everything"): "attention_softmax_all",
    ("weights", "mask-after-softmax"): "attention_mask_after",
    ("output", "keys-for-values"): "attention_mixes_keys",
    ("output", "weights-transposed"): "attention_mixes_values_transposed",
    ("H", "keys-for-values"): "attention_mixes_keys",
    ("H", "weights-transposed"): "attention_mixes_values_transposed",
    ("merged", "heads-merged-without-transpose"): "mha_view_merge",
    ("output", "no-output-projection"): "mha_no_w_o",
}


def test_every_mistake_of_the_loom_has_its_program():
    offered = {(line.makes[0], mistake) for line in LINES for mistake in line.wrong}
    assert set(BANK) == offered
    assert {mistake for _, mistake in BANK} == set(SAYS)


@pytest.fixture(scope="module")
def programs():
    _, wrong = load()
    return {one.obj.__name__: one for one in wrong if hasattr(one.obj, "__name__")}


LAYER_SIZES = [(4, 4, 2), (5, 6, 1), (3, 12, 3), (7, 8, 4), (6, 6, 6)]
HEAD_SIZES = [
    (3, 3, 4, 2),
    (4, 4, 4, 4),
    (3, 5, 4, 2),
    (1, 6, 3, 7),
    (5, 5, 1, 3),
    (6, 2, 2, 2),
    (8, 8, 3, 5),
]


def of_layers(stage, program, sizes, seed):
    """A loom that begins with a sentence, and what the program makes of the same."""
    X, W_q, W_k, W_v, W_o, h, allowed = random_layer(*sizes, seed)
    view = views.loom(X, W_q, W_k, W_v, W_o, h, allowed)
    if program.exercise == "multi_head_attention":
        output, weights = program.obj(X[None], W_q, W_k, W_v, W_o, h, allowed)
        return view, {"output": output, "weights": weights[0]}
    if program.exercise == "queries_keys_values":
        made = program.obj(X, W_q, W_k, W_v)
        return view, {name: part[None] for name, part in zip("QKV", made, strict=True)}
    parts = [reference.split_heads((X @ W)[None], h)[0] for W in (W_q, W_k, W_v)]
    made = [program.obj(*head, allowed) for head in zip(*parts, strict=True)]
    return view, {"H": np.stack([one[0] for one in made]), "weights": np.stack([one[1] for one in made])}


def of_heads(stage, program, sizes, seed, count=1):
    """A loom that begins with queries, keys and values, and what the program makes of each head."""
    parts = [random_head(*sizes, seed + head) for head in range(count)]
    Q, K, V, allowed = (np.stack(part) for part in zip(*parts, strict=True))
    view = views.loom(Q=Q, K=K, V=V, allowed=allowed)
    if program.exercise == "attention_scores":
        return view, {"scores": np.stack([program.obj(q, k) for q, k, _, _ in parts])}
    made = [program.obj(*part) for part in parts]
    return view, {"output": np.stack([one[0] for one in made]), "weights": np.stack([one[1] for one in made])}


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "mistake"), BANK)
def test_a_mistake_has_the_numbers_of_its_program(core, programs, stage, mistake):
    program = programs[BANK[stage, mistake]]
    assert program.mistake == mistake
    layers = stage in ("Q", "K", "V", "Q_h", "H", "merged") or program.exercise == "multi_head_attention"
    sizes = LAYER_SIZES if layers else [*HEAD_SIZES, *((*one, 3) for one in HEAD_SIZES)]
    compared = wrong = 0
    for seed, size in enumerate(sizes):
        view, got = None, {}
        try:
            view, wanted = (of_layers if layers else of_heads)(stage, program, size[:4], seed, *size[4:])
        except ValueError:  # NumPy stops, and so must the loom
            Q, K, V, allowed = random_head(*size[:4], seed)
            view, wanted = views.loom(Q=Q, K=K, V=V, allowed=allowed), None
        offered = {one["id"] for line in view.data["lines"] for one in line["wrong"]}
        if mistake not in offered:
            assert size[0] != size[1], f"{size}: it needs as many queries as keys, and has them"
            continue
        got = core(view, **{stage: mistake})
        assert bool(got["stops"]) == (wanted is None), f"{size}: {got['stops']}"
        if wanted is None:
            continue
        compared += 1
        right = core(view)["values"]
        for name, numbers in wanted.items():
            np.testing.assert_allclose(
                got["values"][name], numbers, rtol=1e-4, atol=1e-4, err_msg=f"{size} {name}"
            )
            wrong += got["values"][name].shape != right[name].shape or not np.allclose(
                got["values"][name], right[name]
            )
    assert compared >= 2
    assert wrong, "on no size does the mistake change a number"


@pytest.mark.slow
@pytest.mark.parametrize("heads", [1, 2])
def test_what_is_shown_as_code_runs_and_computes_what_is_shown(core, heads):
    """Each line, right and wrong, in Python."""
    sizes = (3, 4, heads)
    X, W_q, W_k, W_v, W_o, h, allowed = random_layer(*sizes, 5)
    view = views.loom(X, W_q, W_k, W_v, W_o if heads > 1 else None, h, allowed)

    def softmax(x, axis):
        largest = x.max(axis=axis, keepdims=True)  # where nothing is allowed, nothing is taken
        powers = np.exp(x - np.where(np.isfinite(largest), largest, 0))
        return powers / np.maximum(powers.sum(axis=axis, keepdims=True), 1e-300)

    tried = 0
    for line in view.data["lines"]:
        for mistake in ("", *(one["id"] for one in line["wrong"])):
            got = core(view, **{line["makes"][0]: mistake})
            names = {
                "np": np,
                "X": X,
                "W_q": W_q,
                "W_k": W_k,
                "W_v": W_v,
                "W_o": W_o,
                "allowed": allowed,
                "softmax": softmax,
            }
            names |= {"n": 3, "h": h, "d_model": 4, "d_k": 4 // h}
            for one in view.data["lines"]:
                code = got["code"].get(one["makes"][0])
                if not code:
                    break
                before, after = one["around"]
                exec(f"{', '.join(one['makes'])} = {before}{code}{after}", names)
                for name in one["makes"]:
                    wanted = np.reshape(names[name], got["values"][name].shape)
                    np.testing.assert_allclose(
                        got["values"][name], wanted, atol=1e-9, err_msg=f"{mistake}: {code}"
                    )
                    tried += 1
    assert tried > 100


@pytest.mark.slow
def test_a_line_that_cannot_run_stops_the_loom(core):
    Q, K, V, allowed = random_head(3, 3, 4, 2, 0)
    got = core(views.loom(Q=Q, K=K, V=V, allowed=allowed), scores="no-transpose")
    assert got["stops"] == "scores: Q @ K has the shapes (3, 4) and (3, 4), which do not fit"
    assert "weights" not in got["values"]


@pytest.mark.slow
def test_numbers_too_large_for_float64_stop_it_with_a_sentence(core):
    view = views.loom(Q=np.ones((2, 1)), K=np.ones((2, 1)), V=np.ones((2, 1)))
    view.data["given"]["Q"] = view.data["given"]["K"] = [[[1e200], [1]]]
    assert core(view)["stops"] == "scores: numbers too large for float64"
