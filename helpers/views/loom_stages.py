"""The stages of the loom as data: what makes each, its line of code, and the wrong lines one can switch on.

A line of code is the rule: `page/loom_core.js` reads it and computes what it says, right or wrong.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Line:
    """A line of code of the loom.

    Attributes:
        makes: the stages that it makes.
        code: what stands behind the equals sign, or inside `around`.
        exercise: the one that it answers; until that is passed, the line is blank.
        wrong: other code by the id of its misconception, which is that of `banks/`.
        around: what stands before and after the code, where it is part of an expression.
    """

    makes: tuple[str, ...]
    code: str
    exercise: str
    wrong: dict[str, str] = field(default_factory=dict)
    around: tuple[str, str] = ("", "")


SAYS = {
    "weight-transposed": "the weight matrix is transposed",
    "query-weight-reused": "made with the matrix of the queries",
    "key-weight-reused": "made with the matrix of the keys",
    "value-not-projected": "the values are not projected",
    "no-transpose": "K is not transposed",
    "reshape-instead-of-transpose": "K is reshaped instead of transposed",
    "keys-by-queries": "queries and keys are swapped",
    "one-matrix-twice": "the queries are compared with themselves",
    "scaled-by-sqrt-n": "scaled by the number of keys instead of their width",
    "scaled-by-d_k": "divided by d_k instead of its root",
    "no-scaling": "nothing is divided",
    "scaled-up": "multiplied by the root instead of divided",
    "scaled-by-sqrt-d_model": "scaled by the width of all heads together",
    "mask-inverted": "the mask is inverted: what is allowed is blocked",
    "transposed-mask": "the mask is transposed",
    "mask-multiplied": "a blocked score becomes 0 instead of minus infinity",
    "mask-added": "the mask is added to the scores",
    "mask-ignored": "the mask is not used",
    "softmax-over-queries": "the softmax runs over the queries",
    "softmax-over-everything": "one softmax for the whole matrix",
    "mask-after-softmax": "the mask comes after the softmax",
    "keys-for-values": "the keys are mixed instead of the values",
    "weights-transposed": "the weights are transposed before they mix",
    "heads-split-by-reshape": "a reshape alone cuts the heads: a head gets some tokens instead of features",
    "heads-interleaved": "the heads take turns with the features",
    "heads-merged-without-transpose": "the heads are merged without swapping the axes back",
    "no-output-projection": "W_o is forgotten",
}  # fmt: skip
"""What each mistake does, in words."""

LINES = (
    Line(("similarity",), "X @ X.T", "similarity_matrix"),
    Line(("similarity",), "X @ Y.T", "similarity_matrix"),
    Line(("Q",), "X @ W_q", "queries_keys_values", {"key-weight-reused": "X @ W_k"}),
    Line(("K",), "X @ W_k", "queries_keys_values", {"query-weight-reused": "X @ W_q"}),
    Line(
        ("V",), "X @ W_v", "queries_keys_values",
        {"key-weight-reused": "X @ W_k", "weight-transposed": "X @ W_v.T", "value-not-projected": "X"},
    ),
    Line(
        ("Q_h", "K_h", "V_h"), "M.reshape(n, h, d_k).swapaxes(0, 1)", "split_heads",
        {"heads-split-by-reshape": "M.reshape(h, n, d_k)",
         "heads-interleaved": "M.reshape(n, d_k, h).transpose(2, 0, 1)"},
        ("[", " for M in (Q, K, V)]"),
    ),
    Line(
        ("scores",), "Q @ K.T", "attention_scores",
        {"no-transpose": "Q @ K", "reshape-instead-of-transpose": "Q @ K.reshape(d_k, n_k)",
         "keys-by-queries": "K @ Q.T", "one-matrix-twice": "Q @ Q.T"},
    ),
    Line(
        ("scaled",), "scores / np.sqrt(d_k)", "scaled_scores",
        {"scaled-by-sqrt-n": "scores / np.sqrt(n_k)", "scaled-by-d_k": "scores / d_k", "no-scaling": "scores",
         "scaled-up": "scores * np.sqrt(d_k)", "scaled-by-sqrt-d_model": "scores / np.sqrt(d_model)"},
    ),
    Line(
        ("masked",), "np.where(allowed, scaled, -np.inf)", "apply_mask",
        {"mask-multiplied": "np.where(allowed, scaled, 0)",
         "mask-inverted": "np.where(~allowed, scaled, -np.inf)",
         "transposed-mask": "np.where(allowed.T, scaled, -np.inf)", "mask-added": "scaled + allowed",
         "mask-ignored": "scaled"},
    ),
    Line(
        ("weights",), "softmax(masked, axis=-1)", "softmax",
        {"softmax-over-queries": "softmax(masked, axis=-2)",
         "softmax-over-everything": "softmax(masked, axis=(-2, -1))",
         "mask-after-softmax": "softmax(scaled, axis=-1) * allowed"},
    ),
    Line(
        ("H",), "weights @ V_h", "mix_values",
        {"keys-for-values": "weights @ K_h", "weights-transposed": "weights.T @ V_h"},
    ),
    Line(
        ("merged",), "H.swapaxes(0, 1).reshape(n, d_model)", "merge_heads",
        {"heads-merged-without-transpose": "H.reshape(n, d_model)"},
    ),
    Line(
        ("output",), "weights @ V", "mix_values",
        {"keys-for-values": "weights @ K", "weights-transposed": "weights.T @ V"},
    ),
    Line(("output",), "merged @ W_o", "multi_head_attention", {"no-output-projection": "merged"}),
)  # fmt: skip
"""All lines, in the order in which they run; `lines` picks those of one loom."""


@dataclass(frozen=True)
class Stage:
    """How a stage is shown.

    Attributes:
        role: names its colour.
        says: what an entry is; `{q}` and `{k}` stand for its tokens, `{p}` for a share in percent,
            `{m}` for may or may not.
        wide: whether its columns are keys.
        keys: whether its rows are keys.
        unit: whether its numbers go from 0 to 1, so that their colours have a scale of their own.
    """

    role: str
    says: str
    wide: bool = False
    keys: bool = False
    unit: bool = False


_HEADS = "The part of head {h}: what "
STAGES = {
    "X": Stage("token", "Number {j} of {q}."),
    "Y": Stage("token", "Number {j} of {k}.", keys=True),
    "similarity": Stage("token", "How alike {q} and {k} are.", wide=True),
    "Q": Stage("query", "What {q} looks for."),
    "K": Stage("key", "What {k} offers.", keys=True),
    "V": Stage("value", "What {k} has to give.", keys=True),
    "Q_h": Stage("query", _HEADS + "{q} looks for."),
    "K_h": Stage("key", _HEADS + "{k} offers.", keys=True),
    "V_h": Stage("value", _HEADS + "{k} has to give.", keys=True),
    "scores": Stage("score", "How well what {q} looks for fits what {k} offers.", wide=True),
    "scaled": Stage("score", "The score, kept from growing with the width.", wide=True),
    "allowed": Stage("token", "{q} {m} look at {k}.", wide=True, unit=True),
    "masked": Stage("score", "{q} {m} look at {k}.", wide=True),
    "weights": Stage("weight", "{q} takes {p} % from {k}.", wide=True, unit=True),
    "H": Stage("output", "What {q} takes in head {h}."),
    "merged": Stage("output", "The heads of {q}, side by side."),
    "output": Stage("output", "What {q} takes from all."),
}

ENDS = ("similarity", "scores", "scaled", "masked", "weights", "output")
"""How far a loom can go."""


def columns(given: Iterable[str], until: str, heads: int) -> list[list[str]]:
    """The stages of a loom as they stand: side by side, and some below each other.

    Args:
        given: what the loom begins with: `X`, or some of `Q`, `K`, `V`, or `scaled`, or `weights`; `Y` beside
            `X` are other tokens to compare with.
        until: its last stage, one of `ENDS`, or `V`, where nothing follows the three projections.
        heads: how many; from `X` on several are cut and put together again, and one where `W_o` follows.
    """
    given = set(given)
    merged = "X" in given and (heads > 1 or "W_o" in given)
    if until == "similarity":
        return [["X", "Y"] if "Y" in given else ["X"], ["similarity"]]
    if until == "V":
        return [["X"], ["Q", "K", "V"]]
    if "scaled" in given:
        return [["scaled", "allowed"], ["masked", "weights"][: ENDS.index(until) - 2]]
    if "weights" in given:
        return [["weights"], ["V", "output"]] if "V" in given else [["weights"]]
    far = ENDS.index(until)
    mask = ["allowed"] if far >= ENDS.index("masked") else []
    values = ["V"] if "V" in given or "X" in given else []
    made = [["X", *mask], ["Q", "K", *values]] if "X" in given else [["Q", "K", *values], mask]
    if merged:
        made.append(["Q_h", "K_h", "V_h"])
    made.append(["scores", "scaled", "masked"][:far])
    if far >= ENDS.index("weights"):
        made.append(["weights"])
    if until == "output" and values:
        made[-1].append("H" if merged else "output")
        if merged:
            made.append(["merged", *(["output"] if "W_o" in given else [])])
    return [stages for stages in made if stages]


def lines(
    stages: set[str], given: Iterable[str], deep: bool, square: bool, own_masks: bool = False
) -> list[dict[str, Any]]:
    """The lines of code of a loom.

    Args:
        stages: what it shows.
        given: stages that are not made.
        deep: whether there are several heads, so that a transpose has to leave one axis alone.
        square: whether there are as many queries as keys.
        own_masks: whether each head has a mask of its own.
    """
    kept, heads = [], "Q_h" in stages
    for line in LINES:
        projects = line.code.startswith("merged")
        if not set(line.makes) <= stages - set(given) or (line.makes == ("output",) and projects != heads):
            continue
        if line.makes == ("similarity",) and ("Y" in line.code) != ("Y" in stages):
            continue
        wrong = {name: code for name, code in line.wrong.items() if _fits(name, stages, deep, square)}
        written = {
            name: _written(code, line, heads, deep, square) for name, code in {"": line.code, **wrong}.items()
        }
        if own_masks:
            written = {
                name: code.replace("allowed.T", "allowed.swapaxes(-1, -2)") for name, code in written.items()
            }
        kept.append({
            **asdict(line), "code": written.pop(""),
            "wrong": [{"id": name, "code": code, "says": SAYS[name]} for name, code in written.items()],
        })  # fmt: skip
    return kept


def _fits(mistake: str, stages: set[str], deep: bool, square: bool) -> bool:
    if mistake == "scaled-by-sqrt-d_model":
        return "Q_h" in stages
    if mistake in ("keys-by-queries", "one-matrix-twice", "transposed-mask", "weights-transposed"):
        return square  # of other sizes they stop at once
    return mistake != "keys-for-values" or "K" in stages


def _written(code: str, line: Line, heads: bool, deep: bool, square: bool) -> str:
    if heads and line.makes == ("scores",):
        code = code.replace("Q", "Q_h").replace("K", "K_h")
    if deep and line.makes[0] in ("scores", "H", "output"):
        code = code.replace(".T", ".swapaxes(-1, -2)").replace("reshape(d_k", "reshape(h, d_k")
    return code.replace("n_k", "n") if square else code
