"""Every plot shows its numbers, says them in words, and leaves the learner's arrays and Matplotlib alone."""

import base64
import html
import io
import itertools
import re
import subprocess
import sys
from itertools import pairwise
from xml.etree import ElementTree

import matplotlib
import matplotlib.image
import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.collections import PatchCollection

from helpers import plots
from helpers.beside.kernel import AS_SVG
from helpers.plots.figure import DescribedFigure
from helpers.plots.style import TINTS

TOKENS = ["I", "saw", "a", "saw"]
TWELVE = [f"t{i}" for i in range(12)]
RNG = np.random.default_rng(5)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def texts(figure):
    """Every visible piece of text of a figure."""
    return [t.get_text() for t in figure.findobj(matplotlib.text.Text) if t.get_visible() and t.get_text()]


def pixels(figure):
    return matplotlib.image.imread(io.BytesIO(figure.png()))


SCORES = np.array([[1.25, -0.5, 2.0], [0.75, -3.5, 0.25]])  # n_q = 2, n_k = 3
WEIGHTS = np.array([[0.3, 0.1, 0.6], [0.25, 0.75, 0.0]])
ALLOWED = np.array([[True, True, True], [True, True, False]])
OUTPUT = np.array([[1.5, 2.5, 3.5, 4.5, -5.5], [0, 1, 2, 3, 4]])
SQUARE = np.array([[0.96, 0.04, 0], [0.2, 0.8, 0], [0.1, 0.33, 0.57]])
CAUSAL = np.array([[True, False], [True, True]])

# name: (function, the arrays it is given, its options, what the description must say)
PLOTS = {
    "vectors": (plots.vectors, ({"q": np.array([3.0, 1.0]), "k": np.array([1.0, 3.0])},),
                {"angle": ("q", "k")},
                ["q (3, 1)", "k (1, 3)", "53.13°", "dot product 6"]),
    "heatmap": (plots.heatmap, (SCORES,), {"rows": ["cat", "dog"], "columns": ["x", "y", "z"]},
                ["2 queries", "3 keys", "cat: 1.25, -0.50, 2.00", "dog: 0.75, -3.50, 0.25", "x, y, z"]),
    "mask": (plots.mask, (ALLOWED,), {"rows": ["cat", "dog"], "columns": ["x", "y", "z"]},
             ["1 of 6 cells blocked", "cat may look at x, y, z", "dog may look at x, y."]),
    "softmax_bars": (plots.softmax_bars, (np.array([0.0, np.log(3.0), -np.inf]),),
                     {"labels": ["a", "b", "c"]},
                     ["a: 0.00 → 0.25", "b: 1.10 → 0.75", "c: -∞ → 0.00", "sum to 1.00"]),
    "chain": (plots.chain, (SCORES, ALLOWED, WEIGHTS, OUTPUT), {"tokens": ["cat", "dog"]},
              ["1 of 6 cells", "cat: 1.25, -0.50, 2.00", "dog: ✓✓×", "dog: 0.25, 0.75, 0.00", "-5.50"]),
    "nine_steps": (plots.nine_steps, (np.array([[1.0, 2.0], [0.0, 3.0]]), *[np.eye(2)] * 4, 2, CAUSAL),
                   {"tokens": ["cat", "dog"], "token": 1, "head": 1},
                   ["token 1, dog, in head 1", "1 input: x: 0, 3", "5 scores Z: Z: 6, 9", "A: 0.05, 0.95"]),
    "overview": (plots.overview, (np.stack([np.stack([SQUARE, SQUARE.T])] * 3),), {"tokens": ["x", "y", "z"]},
                 ["3 layers", "2 heads", "3 queries (x, y, z)",
                  "Layer 2: most weight on the token before in head 0 (0.27)"]),
    "heads": (plots.heads, (np.stack([WEIGHTS, 1 - WEIGHTS]),), {"tokens": ["cat", "dog"]},
              ["2 heads", "head 0: cat: 0.30, 0.10, 0.60", "head 1: cat: 0.70, 0.90, 0.40"]),
    "matrices": (plots.matrices, ({"X": np.array([[1, 2]]), "W_q": np.array([[3], [4]]),
                                   "Q": np.array([11])},),
                 {"symbols": ["@", "="]},
                 ["X @ W_q = Q", "shape (1, 2): row 0: 1, 2.", "row 1: 4", "shape (1,): row 0: 11"]),
    "curves": (plots.curves, (np.array([1.0, 2, 4]), {"loss": np.array([3.0, 2.5, 0.125])}),
               {"x_label": "step", "band": {"loss": ([2, 2, 0.1], [4, 3, 0.2])}},
               ["against step", "3 at 1", "0.125 at 4", "0.1 to 0.2"]),
    "histogram": (plots.histogram, ({"before": np.array([1.0, 5.0, 9.0]),
                                     "after": np.array([2.0, 2.0, 5.0])},),
                  {"bins": 7},
                  ["7 bins", "before: 3 numbers, mean 5, std 3.266, from 1 to 9", "after", "mean 3"]),
    "patches": (plots.patches, (np.arange(24).reshape(4, 6), 2), {},
                ["4 by 6", "6 patches of 2 by 2", "(6, 4)", "0: 0, 1, 6, 7", "5: 16, 17, 22, 23"]),
    "transformer": (plots.transformer, (), {"tokens": ["I", "saw"], "answers": ["N", "V"]},
                    ["the tokens I, saw", "softmax (unit 05)", "for each token: N, V"]),
    "shapes": (plots.shapes, (), {"n_q": 2, "n_k": 9},
               ["equal letters", "(n, d_model) @ (d_model, d_k) = (n_q, d_k), here (2, 7) @ (7, 4) = (2, 4)",
                "Q @ K.T = scores", "(2, 4) @ (4, 9) = (2, 9); d_k vanishes",
                "(n_q, n_k) @ (n_k, d_v) = (n_q, d_v), here (2, 9) @ (9, 6) = (2, 6); n_k vanishes."]),
    "arcs": (plots.arcs, (SQUARE,), {"tokens": ["the", "cat", "sat"]},
             ["the looks at the 96%, cat 4%;", "cat looks at cat 80%, the 20%", "sat 57%, cat 33%, the 10%"]),
}  # fmt: skip


@pytest.fixture(params=PLOTS)
def case(request):
    return PLOTS[request.param]


def test_every_public_plot_is_tested_here():
    assert set(PLOTS) | {"DescribedFigure"} == set(plots.__all__) == set(dir(plots))


def test_a_plot_tells_its_numbers_is_whole_and_leaves_the_learners_arrays_and_style_alone(case):
    plot, data, options, said = case
    arrays = [a for d in data for a in (d.values() if isinstance(d, dict) else [d])]
    before = [np.array(a) for a in arrays]
    figure = plot(*data, title="My heading", **options)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)

    assert isinstance(figure, DescribedFigure)
    assert figure.description.startswith("My heading: ")
    assert [part for part in said if part not in figure.description] == []
    shown = [t for t in figure.findobj(matplotlib.text.Text) if t.get_text() and t.get_visible()]
    assert "My heading" in [t.get_text() for t in shown]
    assert min(t.get_fontsize() for t in shown) >= 12, "nine points of a web page, at 72 CSS pixels an inch"
    width = figure.get_size_inches()[0] * 72
    if plot not in (plots.nine_steps, plots.overview):  # they scroll
        assert 12 * min(1, 358 / width) >= 8.4, f"{width:.0f} px shrink to the 358 of a phone"

    picture = pixels(figure)
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert np.all(edge == 1), "something is drawn on the very edge, so it is cut off"
    assert picture.min() < 0.5, "nothing is drawn"
    bundle = figure._repr_mimebundle_()
    assert bundle["text/plain"] == figure.description
    assert set(bundle) == {"text/html", "text/plain"}
    assert f'alt="{html.escape(figure.description)}"' in bundle["text/html"]
    assert f'width="{round(picture.shape[1] / 2)}"' in bundle["text/html"]

    with matplotlib.rc_context({"text.color": "white", "axes.facecolor": "black", "font.size": 3}):
        mine = dict(matplotlib.rcParams)
        again = pixels(plot(*data, title="My heading", **options))
        assert dict(matplotlib.rcParams) == mine
    np.testing.assert_array_equal(again, picture)


@pytest.mark.slow
def test_the_site_gets_a_drawing_with_the_same_words(case, monkeypatch):
    plot, data, options, _ = case
    monkeypatch.setenv(AS_SVG, "yes")
    figure = plot(*data, **options)
    bundle = figure._repr_mimebundle_()
    width, height, svg = re.search(
        r'width="(\d+)" height="(\d+)" .*src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"]
    ).groups()
    drawing = base64.b64decode(svg).decode()
    assert drawing == plot(*data, **options).svg().decode(), "equal figures are equal bytes"
    root = ElementTree.fromstring(drawing)
    assert root.attrib["viewBox"].split()[2:] == [root.attrib[name][:-2] for name in ("width", "height")]
    assert np.allclose([float(width), float(height)], figure.get_size_inches() * 72, atol=1)
    said = " ".join(" ".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))
    lines = [line for text in texts(figure) for line in text.splitlines()]
    lines = [line for line in lines if re.search(r"[^\W\d]", line)]  # ticks outside a panel are not drawn
    assert [line for line in lines if " ".join(line.split()) not in " ".join(said.split())] == []
    assert len(drawing) < 120_000


def test_importing_is_cheap_and_drawing_needs_neither_pyplot_nor_torch():
    code = (
        "import sys, helpers.plots as p\n"
        "assert 'matplotlib' not in sys.modules and 'numpy' not in sys.modules\n"
        "p.heatmap([[1, 2]]); p.vectors({'a': [1, 2]}); p.curves([1, 2], {'a': [1, 2]}).png()\n"
        "p.heads([[[1.0]]]); p.patches([[1, 2], [3, 4]], 1); p.arcs([[1.0]], tokens=['a']).png()\n"
        "p.matrices({'a': [1]}); p.histogram({'a': [1]}); p.mask([[True]]); p.softmax_bars([1, 2])\n"
        "p.chain([[1]], [[True]], [[1]], [[1]])._repr_mimebundle_()\n"
        "assert not {'matplotlib.pyplot', 'torch'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_unknown_plot_names_the_known_ones():
    with pytest.raises(AttributeError, match=r"'bar'; it has .*heatmap"):
        plots.bar  # noqa: B018


class Tensor:
    """As much of a tensor with a gradient as the plots may rely on."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self):
        return self

    def cpu(self):
        return self.values


def test_tensors_with_a_gradient_are_detached():
    assert "0: 7, 8" in plots.heatmap(Tensor([[7, 8]])).description
    assert "0: 7, 8" in plots.heatmap([Tensor([7, 8]), Tensor([1, 2])]).description


# ------------------------------------------------------------------ tokens


@pytest.mark.slow
@pytest.mark.parametrize("token", ['<b>"$x$"&__你好', "$"])
def test_tokens_are_text_and_nothing_else(token):
    pair = [token, "b"]
    figures = [
        plots.heatmap(SQUARE[:2, :2], rows=pair, columns=pair, title=token),
        plots.mask([[True, False], [True, True]], rows=pair, columns=pair),
        plots.softmax_bars([1, 2], labels=pair),
        plots.chain(np.eye(2), np.eye(2), np.eye(2), np.eye(2), tokens=pair),
        plots.heads([np.eye(2)], tokens=pair, names=[token]),
        plots.arcs(np.eye(2), tokens=pair),
        plots.vectors({token: [1, 2], "b": [3, 4]}, roles={token: "query"}, angle=(token, "b")),
        plots.matrices({token: [1, 2]}),
        plots.curves([1, 2], {token: [3, 4]}, band={token: ([1, 2], [4, 5])}),
        plots.histogram({token: [3, 4]}),
    ]
    for figure in figures:
        assert any(token in text for text in texts(figure))
        assert not any(
            t.get_parse_math() for t in figure.findobj(matplotlib.text.Text) if token in t.get_text()
        )
        assert token in figure.description
        shown = BeautifulSoup(figure._repr_mimebundle_()["text/html"], "html.parser")
        assert [tag.name for tag in shown.find_all()][:2] == ["figure", "img"]
        assert set(shown.img.attrs) == {"alt", "width", "height", "style", "src"}
        assert shown.img["alt"] == figure.description, "a quotation mark in a token ends the alt text"
        assert not shown.find("script")


def test_blank_tokens_can_be_seen():
    figure = plots.mask([[True, True]], rows=["\n"], columns=[" ", "a\tb"])
    assert {"\\n", "' '", "a\\tb"} <= set(texts(figure))
    assert "\n" not in figure.description


def test_labels_keep_the_given_order_and_repeat():
    axes = plots.heatmap(np.arange(16).reshape(4, 4), rows=TOKENS, columns=TOKENS[::-1]).axes[0]
    assert [t.get_text() for t in axes.get_yticklabels()] == TOKENS
    assert [t.get_text() for t in axes.get_xticklabels()] == TOKENS[::-1]
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "row 0 is on top"


# ------------------------------------------------------------------ cells


def test_cells_show_their_numbers_where_they_belong():
    axes = plots.heatmap(SCORES).axes[0]
    cells = {(int(t.get_position()[1]), int(t.get_position()[0])): t.get_text() for t in axes.texts}
    expected = {(i, j): f"{x:.2f}" for (i, j), x in np.ndenumerate(SCORES)}
    assert cells == expected


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(3, None, "3"), (3.0, None, "3"), (2.5, None, "2.50"), (-0.001, 2, "0.00"), (250.25, None, "250.2"),
     (1e-5, None, "1.0e-05"), (-7e8, None, "-7.0e+08"), (2.5, 1, "2.5"), (0, None, "0"), (True, None, "1")],
)  # fmt: skip
def test_how_numbers_are_written(value, decimals, text):
    assert text in texts(plots.heatmap([[value]], decimals=decimals, rows=["r"], columns=["c"]))


def test_what_is_no_number_is_written_and_hatched():
    figure = plots.heatmap([[1, np.nan], [-np.inf, np.inf]])
    assert {"nan", "-∞", "∞"} <= set(texts(figure))
    assert "1, nan; 1: -∞, ∞" in figure.description
    assert "3 entries of 4 not finite" in figure.description
    (hatched,) = [c for c in figure.axes[0].collections if c.get_hatch()]
    assert len(hatched.get_paths()) == 3


@pytest.mark.slow
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_no_plot_of_cells_or_bars_breaks_on_what_is_no_number(bad):
    m = np.full((2, 2), bad)
    figures = [
        *(plots.heatmap(m, kind=kind) for kind in ("scores", "weights", "values", "output", "numbers")),
        plots.heatmap(np.full((13, 17), bad), kind="weights"),
        plots.softmax_bars(m[0]),
        plots.softmax_bars([1, 2], weights=m[0]),
        plots.chain(m, [True, False], m, m),
        plots.heads(m[None]),
        plots.matrices({"X": m, "big": np.full((20, 20), bad)}),
        plots.patches(m, 1),
        plots.arcs(m, tokens=["a", "b"]),
        plots.curves([1, 2], {"a": m[0], "b": [1, 2]}),
    ]
    for figure in figures:
        figure.png()
        assert "nan" in figure.description or "∞" in figure.description


def test_weights_have_one_scale_and_scores_are_centred():
    weights = plots.heatmap([[0.1, 0.2]], kind="weights").axes[0].images[0]
    scores = plots.heatmap([[1.0, -4.0]], kind="scores").axes[0].images[0]
    assert weights.get_clim() == (0, 1)
    assert scores.get_clim() == (-4, 4)


def test_numbers_in_cells_can_be_read_on_their_colour():
    axes = plots.heatmap([[0.0, 0.55, 1.0]], kind="weights").axes[0]
    for text, value in zip(axes.texts, (0.0, 0.55, 1.0), strict=True):
        back = luminance(axes.images[0].to_rgba(value)[:3])
        ink = luminance(matplotlib.colors.to_rgb(text.get_color()))
        assert (max(back, ink) + 0.05) / (min(back, ink) + 0.05) >= 4.5


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_mask_has_a_sign_in_every_cell():
    figure = plots.mask(ALLOWED)
    assert texts(figure).count("✓") == 5
    assert texts(figure).count("×") == 1
    (hatched,) = [c for c in figure.axes[0].collections if c.get_hatch()]
    (cell,) = [path.vertices.mean(axis=0).round() for path in hatched.get_paths()]
    assert list(cell) == [2, 1], "the hatch lies on the blocked cell: column 2, row 1"
    nothing = plots.mask([[False, False]], rows=["dog"])
    assert "dog may look at nothing" in nothing.description


def test_chain_broadcasts_the_mask_and_hatches_blocked_weights():
    figure = plots.chain(SCORES, [True, True, False], WEIGHTS, OUTPUT)
    assert "2 of 6 cells are blocked" in figure.description
    assert "0: ✓✓×; 1: ✓✓×" in figure.description
    hatched = [c for c in figure.axes[2].collections if c.get_hatch()]
    assert [len(c.get_paths()) for c in hatched] == [2]
    assert texts(figure).count("→") == 2, "in rows of two"
    assert texts(figure).count("↓") == 1, "from the first row to the second"


def test_matrices_share_one_cell_size():
    figure = plots.matrices({"X": np.ones((2, 3)), "W": np.full((3, 5), -10.25)}, symbols=["@"])
    left, right = (axes.get_window_extent() for axes in figure.axes)
    assert left.width / 3 == pytest.approx(right.width / 5)
    assert left.height / 2 == pytest.approx(right.height / 3)
    assert "@" in texts(figure)


# ------------------------------------------------------------------ many


def test_twelve_heads_in_rows_of_four():
    stack = softmax(RNG.normal(size=(12, 12, 12)))
    figure = plots.heads(stack, tokens=TWELVE)
    boxes = [a.get_position() for a in figure.axes[:12]]
    assert len({round(b.y0, 3) for b in boxes}) == 3
    assert len({round(b.x0, 3) for b in boxes}) == 4
    best = stack[11, 3].argmax()
    assert f"t3 → t{best} {stack[11, 3, best]:.2f}" in figure.description.split("head 11")[1]
    assert "dot" in " ".join(texts(figure))
    assert figure.get_size_inches()[0] * 72 < 800
    figure.png()


def test_heads_hatch_what_is_blocked():
    figure = plots.heads(np.stack([WEIGHTS, WEIGHTS]), allowed=ALLOWED)
    assert [len(c.get_paths()) for axes in figure.axes for c in axes.collections if c.get_hatch()] == [1, 1]
    assert "2 of 12 cells are blocked" in figure.description


@pytest.mark.slow
def test_sixty_tokens_stay_readable_and_say_so():
    tokens = [f"token{i}" for i in range(60)]
    weights = softmax(RNG.normal(size=(60, 60)))
    weights[7] = np.eye(60)[55]
    figures = [
        plots.heatmap(weights, rows=tokens, columns=tokens, kind="weights"),
        plots.chain(weights, np.tril(np.ones((60, 60))), weights, weights[:, :9], tokens=tokens),
        plots.heads(weights[None], tokens=tokens),
    ]
    for figure in figures:
        assert "token7 → token55 1.00" in figure.description
        assert "some" in figure.description
        assert "0.02" not in texts(figure)
        assert no_overlap(figure.axes[0].get_yticklabels())
        assert no_overlap(figure.axes[0].get_xticklabels())
        assert max(figure.get_size_inches()) * 72 < 1100
        figure.png()
    mask = plots.mask(np.tril(np.ones((60, 60))))
    assert "59 may look at 0 to 59 (60 in a row)" in mask.description
    assert no_overlap(mask.axes[0].get_xticklabels())
    assert "numbers left out" in plots.softmax_bars(np.arange(60)).description
    assert "token7 looks at token55 100%" in plots.arcs(weights, tokens=tokens, focus=7).description


def no_overlap(labels):
    boxes = [t.get_window_extent() for t in labels if t.get_text()]
    return len(boxes) > 2 and not any(a.overlaps(b) for a, b in pairwise(boxes))


# ------------------------------------------------------------------ vectors


def test_coincident_vectors_share_one_label():
    figure = plots.vectors({"saw₁": [2, 1], "a": [1, -1], "saw₂": [2, 1]})
    assert "saw₁ = saw₂\n(2, 1)" in texts(figure), "a long label takes two lines"
    assert "saw₁ and saw₂ coincide." in figure.description


@pytest.mark.slow
@pytest.mark.parametrize("second", [[3.02, 1.05], [2.9, 0.9], [-3, 1], [0, 0], [3, -1]])
def test_labels_of_vectors_do_not_overlap(second):
    figure = plots.vectors({"first": [3, 1], "second": second, "third": [-2.95, 1.1], "fourth": [3.1, 1]})
    labels = [t for t in figure.axes[0].texts if t.get_text()]
    boxes = [t.get_window_extent() for t in labels] + [
        t.get_window_extent() for t in figure.axes[0].get_yticklabels() if t.get_text()
    ]
    figure.png()
    for i in range(len(labels)):
        assert not any(boxes[i].overlaps(other) for other in boxes[i + 1 :])


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [([2, 0], [0, 3], "angle 90°, dot product 0"), ([1, 1], [-2, -2], "angle 180°, dot product -4"),
     ([1, 2], [2, 4], "angle 0°, dot product 10"),
     ([1, 2], [0, 0], "no angle (a zero vector), dot product 0"),
     ([-1, -1], [-1, 1], "angle 90°")],
)  # fmt: skip
def test_angle_and_dot_product(a, b, said):
    figure = plots.vectors({"a": a, "b": b}, angle=("a", "b"))
    assert said in figure.description
    assert any(said in text for text in texts(figure))
    figure.png()


def test_a_role_has_one_colour():
    figure = plots.vectors({"q": [1, 2], "tree": [2, 1]}, roles={"tree": "key"})
    tips = [t.arrow_patch.get_facecolor() for t in figure.axes[0].texts if t.arrow_patch]
    assert [matplotlib.colors.to_hex(c).upper() for c in tips] == ["#0072B2", "#D55E00"]


# ------------------------------------------------------------------ curves and the rest


def test_curves_differ_by_more_than_colour_and_are_named_apart():
    named = {f"run {i}": [1.0, 2.0, 3.0 + i / 1000] for i in range(6)}
    axes = plots.curves([1, 2, 3], named).axes[0]
    assert len({line.get_marker() for line in axes.lines}) == 6
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in axes.lines}) == 6
    boxes = [matplotlib.text.Text.get_window_extent(t) for t in axes.texts]
    assert sorted(t.get_text() for t in axes.texts) == sorted(named)
    assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_a_long_curve_is_told_by_its_ends_and_extremes():
    y = np.arange(50.0)
    y[20], y[30] = -7, 99
    said = plots.curves(np.arange(50), {"loss": y}, log_x=False).description
    for part in ("starts at 0 (x = 0)", "ends at 49 (x = 49)", "lowest -7 (x = 20)", "highest 99 (x = 30)"):
        assert part in said


def test_logarithmic_ticks_are_plain_numbers():
    figure = plots.curves([1, 10, 100], {"a": [1, 10, 1000]}, log_x=True, log_y=True)
    figure.png()
    assert {"1", "10", "100"} <= {t.get_text() for t in figure.axes[0].get_xticklabels()}
    assert not any("$" in text for text in texts(figure))


def test_histogram_leaves_out_what_is_no_number_and_says_so():
    figure = plots.histogram({"a": [1, 2, np.nan], "b": [[4.0, 5], [6, 7]]}, bins=3)
    assert "a: 3 numbers, mean 1.5" in figure.description
    assert "1 entry of 3 not finite" in figure.description
    upper, lower = figure.axes
    assert upper.get_xlim() == lower.get_xlim() == (1, 7), "both over the same places"
    assert upper.get_position().x0 == pytest.approx(lower.get_position().x0), "in line"
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "a (mean 1.5, std 0.5)",
        "b (mean 5.5, std 1.12)",
    ]


def test_softmax_bars_are_stable_and_take_other_weights():
    assert "1000 → 1" in plots.softmax_bars([1000.0, 0]).description
    assert "-∞ → 0" in plots.softmax_bars([-np.inf, -np.inf]).description
    assert "0: 1 → 0.20" in plots.softmax_bars([1, 2], weights=[0.2, 0.4]).description


def test_patches_go_row_by_row():
    figure = plots.patches(np.arange(16).reshape(4, 4), 2)
    tokens = figure.axes[1].images[0].get_array()
    np.testing.assert_array_equal(tokens[1], [2, 3, 6, 7])
    assert {"0", "1", "2", "3", "patch 3"} <= set(texts(figure))


def test_arcs_show_every_weight_that_does_not_round_to_nothing():
    figure = plots.arcs(SQUARE, tokens=["the", "cat", "sat"])
    assert {"96%", "4%", "20%", "80%", "10%", "33%", "57%"} == {t for t in texts(figure) if "%" in t}
    widths = [line.get_linewidth() for line in figure.axes[0].lines]
    assert widths == sorted(widths)
    assert len(set(widths)) == 7, "seven weights, seven widths"
    ends = [tuple(map(round, line.get_ydata())) for line in figure.axes[0].lines]
    assert ends == [(0, 1), (2, 0), (1, 0), (2, 1), (2, 2), (1, 1), (0, 0)], (
        "from query to key, lightest first"
    )
    focused = plots.arcs(SQUARE, tokens=["the", "cat", "sat"], focus=1)
    assert {t for t in texts(focused) if "%" in t} == {"20%", "80%"}
    assert "the looks" not in focused.description
    assert "%" not in plots.arcs([[0.004]], tokens=["a"]).description


def test_a_percentage_stands_at_the_end_of_its_line_and_covers_nothing():
    """They once lay on the crossings of the lines, and nobody could tell which was whose."""
    figure = plots.arcs(softmax(RNG.normal(size=(4, 4))), tokens=TOKENS)
    figure.png()
    percents = [t for t in figure.axes[0].texts if t.get_text().endswith("%")]
    assert len(percents) == 16
    boxes = [t.get_window_extent() for t in figure.axes[0].texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
    ends = figure.axes[0].transData.transform([(1, line.get_ydata()[1]) for line in figure.axes[0].lines])
    for text in percents:
        box = text.get_window_extent()
        across, up = np.abs(ends - (box.x0, (box.y0 + box.y1) / 2)).T
        assert up.min() < 3, "level with the end of a line"
        assert across[up.argmin()] < 40
    for name in TOKENS[:1]:
        assert f"{name} looks at" in figure.description


def test_a_percentage_belongs_to_the_line_of_its_query():
    w = np.array([[1.0, 0, 0], [0.62, 0.38, 0], [0.19, 0.5, 0.31]])
    axes = plots.arcs(w, tokens=["a", "b", "c"]).axes[0]
    first = sorted((t.xy[1], t.get_text()) for t in axes.texts if t.get_text() in ("100%", "62%", "19%"))
    assert [text for _, text in first] == ["100%", "62%", "19%"], "from the top in the order of the queries"
    bold = {t.get_text() for t in axes.texts if t.get_weight() == "bold"}
    assert bold == {"100%", "62%", "50%"}, "the largest of each query"


def test_a_few_numbers_on_a_grid_of_colours():
    figure = plots.heatmap(SCORES, rows=["cat", "dog"], columns=["x", "y", "z"], numbered=2)
    assert [t.get_text() for t in figure.axes[0].texts] == ["2.00", "-3.50"]
    assert "The cells run from -3.50 to 2.00." in figure.description
    assert "Furthest from 0: -3.50 at row dog, column y, 2.00 at row cat, column z." in figure.description
    assert len(figure.axes[0].child_axes) == 1, "a colour bar says the others"
    none = plots.heatmap(WEIGHTS, kind="weights", numbered=0)
    assert not none.axes[0].texts
    assert "Largest of each row: 0 → 2 0.60; 1 → 1 0.75." in none.description
    assert "nan" in plots.heatmap([[np.nan, np.nan]], numbered=1).description


def test_marks_on_a_curve_say_where_and_how_much():
    y = np.array([3.0, 2.0, 0.2, 0.1])
    figure = plots.curves(
        [1, 2, 3, 4], {"loss": y}, levels={"guessing": 2.8}, noted={"loss": {"it gets it": 3, "never": None}}
    )
    assert {"guessing", "it gets it"} <= set(texts(figure))
    assert "never" not in texts(figure)
    (ring,) = [line for line in figure.axes[0].lines if line.get_markersize() == 13]
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (3, 0.2)
    assert "A line across at 2.8: guessing." in figure.description
    assert "loss, marked at 3, where it is 0.2: it gets it." in figure.description
    odd = plots.curves([1, 2, 3], {"loss": [np.inf, 2.0, np.nan]}, noted={"loss": {"here": 2}})
    assert "marked at 2" in odd.description


def test_words_of_marks_cover_neither_lines_nor_each_other():
    x = np.arange(20, 601, 20)
    falls = {"one": 2.8 * np.exp(-x / 80), "other": 2.8 * np.exp(-x / 200)}
    noted = {"other": {"other: a tenth": 460}, "one": {"one: a tenth": 180}}
    figure = plots.curves(x, falls, noted=noted)
    figure.png()
    axes = figure.axes[0]
    words = [t for t in axes.texts if "tenth" in t.get_text()]
    boxes = [matplotlib.text.Text.get_window_extent(t) for t in words]
    assert not boxes[0].overlaps(boxes[1])
    for y in falls.values():
        dense = np.linspace(20, 600, 600)
        line = axes.transData.transform(np.stack([dense, np.interp(dense, x, y)], axis=-1))
        assert not any(box.contains(*at) for box in boxes for at in line)


def test_three_heads_of_an_overview_are_framed_and_told():
    before, after, first = np.eye(4, k=-1), np.eye(4, k=1), np.eye(1, 4).repeat(4, axis=0)
    before[0, 0] = after[3, 3] = 1
    even = np.full((4, 4), 0.25)
    figure = plots.overview(np.array([[even, before], [after, first]]))
    assert {"A", "B", "C"} <= set(texts(figure))
    (below,) = [t.get_text() for t in figure.axes[0].texts if "looks at" in t.get_text()]
    assert below.splitlines() == [
        "A: layer 0, head 1 looks at the token before, mean weight 1.00",
        "B: layer 1, head 0 looks at the token after, mean weight 1.00",
        "C: layer 1, head 1 looks at the first token, mean weight 1.00",
    ]
    assert "Framed: layer 0, head 1 (the token before, 1.00), layer 1, head 0" in figure.description
    plain = plots.overview([[even]])
    assert "Framed" not in plain.description


def test_a_line_that_does_not_reach_a_place_ends_in_a_hollow_circle():
    jump = {"low": [0, 0, np.nan], "high": [np.nan, 1, 1]}
    figure = plots.curves([1, 2, 3], jump, hollow={"high": [2]})
    (ring,) = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 1]
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (2, 1)
    assert "high: a hollow circle at 2, not reached." in figure.description


def test_figures_of_one_step_share_a_scale():
    small, large = (plots.heatmap([[1, top]], largest=3).axes[0].images[0] for top in (2, 3))
    np.testing.assert_array_equal(small.to_rgba(2.0), large.to_rgba(2.0))
    assert small.get_clim() == (-3, 3)


def test_outlined_cells_are_drawn_and_told():
    figure = plots.heatmap(SCORES, columns=["x", "y", "z"], outlined=[[0, 1, 1], [0, 0, 1]])
    (around,) = [c for c in figure.axes[0].collections if isinstance(c, PatchCollection)]
    assert len(around.get_paths()) == 3
    assert "Outlined: 0: y, z; 1: z." in figure.description


def test_masks_one_number_and_blocked_cells_of_matrices():
    figure = plots.matrices({"may": np.array([True, False]), "sum": 3.5})
    assert {"✓", "×", "may\n(2,)", "sum\none number"} <= set(texts(figure))
    assert "may has shape (2,): row 0: ✓, ×. sum is one number: 3.50." in figure.description
    both = plots.matrices({"allowed": [[1, 0]]}, blocked={"allowed": [[False, True]]})
    (hatched,) = [c for c in both.axes[0].collections if c.get_hatch()]
    assert len(hatched.get_paths()) == 1
    assert "Hatched columns of allowed: row 0: 1." in both.description


def test_a_calculation_stays_in_one_line_where_smaller_cells_do():
    """Its `=` once stood at the beginning of a second line."""
    figure = plots.matrices(
        {"tokens": np.eye(5, 8), "W_key": np.eye(8, 5), "keys": np.eye(5)}, symbols=("@", "=")
    )
    middles = {round(axes.get_position().y0 + axes.get_position().height / 2, 3) for axes in figure.axes}
    assert len(middles) == 1
    assert figure.get_size_inches()[0] * 72 <= 520
    mixed = plots.matrices(
        {"H": np.full((4, 4), 0.25), "W_o": np.eye(4), "output": np.full((4, 4), -0.25)}, symbols=("@", "=")
    )
    assert len({round(axes.get_position().y0, 3) for axes in mixed.axes}) == 1, "each as narrow as it may be"
    assert no_overlap(mixed.axes[2].texts[:4])


def test_a_role_can_be_given_where_the_name_tells_none():
    figure = plots.matrices({"side by side": [1], "Q": [1]}, roles={"side by side": "output"})
    colours = [matplotlib.colors.to_hex(axes.get_facecolor()).upper() for axes in figure.axes]
    assert colours == [TINTS["output"], TINTS["query"]]


def test_wide_rows_of_matrices_are_broken_and_keep_their_symbols():
    four = np.full((4, 4), -1.25)
    figure = plots.matrices({"A": four, "B": four, "C": four}, symbols=("@", "="))
    assert {"@", "="} <= set(texts(figure))
    first, second, third = (axes.get_position() for axes in figure.axes)
    assert first.y0 == second.y0 > third.y1


SIZES = ("n_q", "n_k", "d_k", "d_v", "d_model")


@pytest.mark.parametrize(
    "sizes", [{}, dict.fromkeys(SIZES, 4), dict(zip(SIZES, (12, 2, 7, 1, 9), strict=True))]
)
def test_shapes_have_sides_as_long_as_their_letters_say(sizes):
    given = {"n_q": 3, "n_k": 5, "d_k": 4, "d_v": 6, "d_model": 7} | sizes
    given["n"] = given["n_q"]
    axes = plots.shapes(**sizes).axes[0]
    boxes = [patch.get_bbox() for patch in axes.patches if patch.get_facecolor()[3]]
    letters = [
        "n d_model",
        "d_model d_k",
        "n_q d_k",
        "n_q d_k",
        "d_k n_k",
        "n_q n_k",
        "n_q n_k",
        "n_k d_v",
        "n_q d_v",
    ]
    expected = np.array([[given[letter] for letter in pair.split()] for pair in letters])
    drawn = np.array([[abs(box.height), box.width] for box in boxes])
    np.testing.assert_allclose(drawn / drawn[0, 0] * given["n"], expected)


def test_the_sides_that_vanish_are_thick_and_their_letters_bold():
    axes = plots.shapes().axes[0]
    bold = [t.get_text() for t in axes.texts if t.get_weight() == "bold"]
    assert bold == ["d_model", "d_model", "d_k", "d_k", "n_k", "n_k"]
    thick = [np.hypot(*np.ptp(line.get_xydata(), axis=0)) for line in axes.lines]
    assert thick[::2] == pytest.approx(thick[1::2])
    assert np.array(thick[::2]) / thick[0] == pytest.approx(np.array([7, 4, 5]) / 7)


def test_shapes_touch_nothing_and_fit_a_phone():
    lopsided = [(1, 1, 1, 12, 1), (12, 1, 12, 1, 1), (1, 12, 1, 12, 12)]
    for sizes in [(3, 5, 4, 6, 7), (1,) * 5, (12,) * 5, *lopsided]:
        figure = plots.shapes(**dict(zip(SIZES, sizes, strict=True)), title="Shapes that fit")
        assert figure.get_size_inches()[0] * 72 <= 390, sizes
        axes = figure.axes[0]
        marks = [patch for patch in axes.patches if patch.get_facecolor()[3]] + [*axes.texts, *figure.texts]
        boxes = [mark.get_window_extent() for mark in marks]
        touching = [
            (sizes, a, b)
            for (a, one), (b, other) in itertools.combinations(zip(marks, boxes, strict=True), 2)
            if one.overlaps(other)
        ]
        thick = [line.get_window_extent() for line in axes.lines]
        touching += [(sizes, t) for t in axes.texts for one in thick if t.get_window_extent().overlaps(one)]
        assert touching == []


# ------------------------------------------------------------------ bad input

BAD = [
    (lambda: plots.arcs(np.eye(4), tokens=TOKENS[:3]),
     "tokens: expected 4 labels, one per row of weights (4, 4); got 3"),
    (lambda: plots.heatmap([1, 2]), "matrix: expected a matrix (rows, columns); got shape (2,)"),
    (lambda: plots.heatmap(np.ones((2, 3)), rows=["a"]),
     "rows: expected 2 labels, one per row of matrix (2, 3); got 1"),
    (lambda: plots.heatmap(np.ones((2, 3)), columns="abc"),
     "columns: expected a list of 3 labels; got one string, 'abc'"),
    (lambda: plots.heatmap([[1]], kind="hot"),
     "kind: expected one of scores, weights, values, output, numbers; got 'hot'"),
    (lambda: plots.heatmap([["a"]]), "matrix: expected a matrix (rows, columns); got list of <U1"),
    (lambda: plots.heatmap([[1, 2], [3]]), "matrix: expected a matrix (rows, columns); got list ("),
    (lambda: plots.heatmap(None), "matrix: expected a matrix (rows, columns); got NoneType of object"),
    (lambda: plots.heatmap(np.ones((0, 3))), "matrix: expected at least one number; got shape (0, 3)"),
    (lambda: plots.mask([[0.5]]), "allowed: expected True or False (or 1 and 0) in every cell; got 0.5"),
    (lambda: plots.mask([[0, -np.inf]]), "in every cell; got -inf"),
    (lambda: plots.softmax_bars([1, 2], weights=[1]),
     "weights: expected the shape of logits, (2,); got shape (1,)"),
    (lambda: plots.softmax_bars([1, 2], labels=["a"]),
     "labels: expected 2 labels, one per logit (2,); got 1"),
    (lambda: plots.chain(SCORES, np.ones((3, 2)), WEIGHTS, OUTPUT),
     "allowed: expected a shape that broadcasts to scores (2, 3); got (3, 2)"),
    (lambda: plots.chain(SCORES, ALLOWED, WEIGHTS.T, OUTPUT),
     "weights: expected the shape of scores, (2, 3); got shape (3, 2)"),
    (lambda: plots.chain(SCORES, ALLOWED, WEIGHTS, OUTPUT.T), "output: expected 2 rows, one per query"),
    (lambda: plots.heads([WEIGHTS], allowed=np.ones((3, 2))),
     "allowed: expected a shape that broadcasts to weights (1, 2, 3); got (3, 2)"),
    (lambda: plots.overview([WEIGHTS]), "weights: expected (layers, h, n_q, n_k); got shape (1, 2, 3)"),
    (lambda: plots.nine_steps(*[np.eye(2)] * 5, 1, token=2), "token: expected a place from 0 to 1; got 2"),
    (lambda: plots.heads(WEIGHTS), "weights: expected a stack of matrices (h, n_q, n_k); got shape (2, 3)"),
    (lambda: plots.heads([WEIGHTS], names=["a", "b"]), "names: expected 1 labels, one per head"),
    (lambda: plots.heads([WEIGHTS], names=[]), "names: expected 1 labels, one per head"),
    (lambda: plots.matrices({"a": [[[1]]]}), "named['a']: expected a matrix or one row; got shape (1, 1, 1)"),
    (lambda: plots.matrices({"a": [1]}, blocked={"b": [1]}), "blocked: expected one of a; got 'b'"),
    (lambda: plots.matrices({"a": [1]}, blocked={"a": [1, 0]}),
     "blocked['a']: expected the shape of named['a'], (1,); got shape (2,)"),
    (lambda: plots.heatmap([[1]], largest=0), "largest: expected a number above 0; got 0"),
    (lambda: plots.heatmap([[1]], outlined=[[1, 0]]), "outlined: expected the shape of matrix, (1, 1)"),
    (lambda: plots.curves([1, 2], {"a": [1, 2]}, hollow={"b": [1]}), "hollow: expected one of a; got 'b'"),
    (lambda: plots.curves([1, 2], {"a": [1, 2]}, hollow={"a": [3]}),
     "hollow['a']: expected places where the line is; got [3]"),
    (lambda: plots.matrices({"a": [1]}, roles={"b": "key"}), "roles, name: expected one of a; got 'b'"),
    (lambda: plots.heatmap([[1]], numbered=2), "numbered: expected a whole number from 0 to 1; got 2"),
    (lambda: plots.heatmap([[1]], numbered=True), "numbered: expected a whole number from 0 to 1; got True"),
    (lambda: plots.curves([1, 2], {"a": [1, 2]}, noted={"b": {"x": 1}}), "noted: expected one of a; got 'b'"),
    (lambda: plots.curves([1, 2], {"a": [1, 2]}, noted={"a": {"x": 3}}),
     "noted['a']['x']: expected a place of the line; got 3"),
    (lambda: plots.matrices({"a": [1], "b": [1]}, symbols=["@", "="]),
     "symbols: expected a list of 1, one between neighbours; got 2"),
    (lambda: plots.matrices({}), "named: expected a dict such as {'a': [1, 2]}; got an empty dict"),
    (lambda: plots.vectors({"a": [1, 2, 3]}),
     "named['a']: expected two finite numbers (2,); got [1.0, 2.0, 3.0]"),
    (lambda: plots.vectors({"a": [1, np.nan]}),
     "named['a']: expected two finite numbers (2,); got [1.0, nan]"),
    (lambda: plots.vectors({"a": [1, 2]}, angle=("a", "b")), "angle: expected one of a; got 'b'"),
    (lambda: plots.vectors({"a": [1, 2]}, angle="ab"),
     "angle: expected two names such as ('q', 'k'); got 'ab'"),
    (lambda: plots.vectors({"a": [1, 2]}, roles={"a": "red"}),
     "roles['a']: expected one of query, key, value, output, score, weight; got 'red'"),
    (lambda: plots.curves([1, 2], {"a": [1, 2, 3]}), "a: expected 2 numbers, one per x; got 3"),
    (lambda: plots.curves([1, np.inf], {"a": [1, 2]}), "x: expected finite numbers; got ∞"),
    (lambda: plots.curves([1, 2], {"a": [1, 0]}, log_y=True), "log_y: expected numbers above 0"),
    (lambda: plots.curves([1, 2], {"a": [1, 2]}, band={"b": ([1, 2], [1, 2])}),
     "band: expected one of a; got 'b'"),
    (lambda: plots.histogram({"a": [np.nan]}), "named['a']: expected some finite numbers; got none"),
    (lambda: plots.histogram({"a": [1]}, bins=0), "bins: expected a whole number from 1 on; got 0"),
    (lambda: plots.transformer(tokens=["I", "saw"], answers=["N"]), "answers: expected 2"),
    (lambda: plots.shapes(n_k=0), "n_k: expected a whole number from 1 to 12; got 0"),
    (lambda: plots.shapes(d_model=13), "d_model: expected a whole number from 1 to 12; got 13"),
    (lambda: plots.shapes(d_k=2.0), "d_k: expected a whole number from 1 to 12; got 2.0"),
    (lambda: plots.shapes(n_q=True), "n_q: expected a whole number from 1 to 12; got True"),
    (lambda: plots.shapes(d_v="6"), "d_v: expected a whole number from 1 to 12; got '6'"),
    (lambda: plots.shapes(title=3), "title: expected text; got int"),
    (lambda: plots.patches(np.ones((4, 6)), 4),
     "size: expected a divisor of both sides of the image (4, 6); got 4"),
    (lambda: plots.patches(np.ones((4, 4)), 2.0), "size: expected a whole number from 1 on; got 2.0"),
    (lambda: plots.arcs(WEIGHTS, tokens=["a", "b"]), "weights: expected (n, n)"),
    (lambda: plots.arcs(np.eye(2), tokens=["a", "b"], focus=2),
     "focus: expected the place of a query, 0 to 1; got 2"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
