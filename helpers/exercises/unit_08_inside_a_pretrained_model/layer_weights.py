"""Exercise `layer_weights`: one layer's attention weights out of a state dict."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.beside.probes.layer_weights import KEYS, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_08_inside_a_pretrained_model.layer_weights_mistakes import MISTAKES

NAMES = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, then with all that a model holds besides, prefixes, more than ten layers, other orders, both widths."""
    yield Case("a state dict of one layer, 2 wide", {"state": _by_hand(), "layer": 0})
    yield _case(draw, "layer 1 of 2", 2, 2, 3, layer=1)
    yield _case(draw, "layer 0 of 2", 2, 2, 3)
    for width in (np.float64, np.float32):
        h, d_head, layers = draw.sizes(3)
        layer = layers - 1
        says = f"layer {layer} of {layers}, {h * d_head} wide, {width.__name__}"
        yield _case(draw, says, layers, h, d_head, layer=layer, dtype=width)
        yield _case(draw, f"the prefix bert. ({says})", layers, h, d_head, "bert.", layer, width)
    # in a file the names are sorted as text: 10 and 11 stand between 1 and 2; a dict may have any order
    for layer in (1, 10, 2):
        yield _case(draw, f"layer {layer} of 12, 4 wide", 12, 2, 2, layer=layer)
    for layer in (1, 0):
        yield _shuffled(draw, _case(draw, f"layer {layer} of 12 in any order, 4 wide", 12, 2, 2, layer=layer))
    yield _case(draw, "the prefix 0.auto_model., layer 2 of 3", 3, 2, 3, "0.auto_model.", 2)
    yield _case(draw, "the prefix text_encoder., layer 1 of 3", 3, 2, 3, "text_encoder.", 1)
    # a model that was not saved has its dense layer before its LayerNorm
    case = _case(draw, "layer 1 of 3 in turned order", 3, 2, 3, layer=1)
    yield Case(case.says, {**case.args, "state": dict(reversed(case.args["state"].items()))})


def _by_hand() -> dict[str, np.ndarray]:
    state = {}
    for place, name in enumerate(NAMES.values()):
        ten = 10.0 * (place + 1)
        state[f"encoder.layer.0.attention.{name}.weight"] = ten + np.array([[1.0, 2.0], [3.0, 4.0]])
        state[f"encoder.layer.0.attention.{name}.bias"] = ten + np.array([5.0, 6.0])
    return state


def _shuffled(draw: Draw, case: Case) -> Case:
    names = list(case.args["state"])
    state = {names[i]: case.args["state"][names[i]] for i in draw.rng.permutation(len(names))}
    return Case(case.says, {**case.args, "state": state})


def _case(
    draw: Draw,
    says: str,
    layers: int,
    h: int,
    d_head: int,
    prefix: str = "",
    layer: int = 0,
    dtype: type = np.float64,
) -> Case:
    d = h * d_head
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (7, d),
        "pooler.dense.weight": (d, d),
    }
    for i in range(layers):
        start = f"encoder.layer.{i}"
        for name in (*(f"attention.{part}" for part in NAMES.values()), "intermediate.dense", "output.dense"):
            wide = 2 * d
            shape = {"intermediate.dense": (wide, d), "output.dense": (d, wide)}.get(name, (d, d))
            shapes |= {f"{start}.{name}.weight": shape, f"{start}.{name}.bias": shape[:1]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{start}.{name}.weight": (d,), f"{start}.{name}.bias": (d,)}
    state = {f"{prefix}{name}": draw.normal(*shapes[name], dtype=dtype) for name in sorted(shapes)}
    state[f"{prefix}embeddings.position_ids"] = np.arange(7)[None]
    return Case(says, {"state": state, "layer": layer})


def oracle(state: Mapping[str, np.ndarray], layer: int) -> dict[str, Any]:
    """What `F.linear` does with each weight: to the rows of the identity, and to zeros for its bias.

    So a weight comes out `(in, out)` without anybody turning it.
    """
    found = {}
    for x, name in NAMES.items():
        pattern = re.compile(rf"(^|.*\.)encoder\.layer\.{layer}\.attention\.{re.escape(name)}\.weight")
        key = next(filter(pattern.fullmatch, state))
        weight = torch.from_numpy(state[key].copy())
        bias = torch.from_numpy(state[key.removesuffix("weight") + "bias"].copy())
        one, none = (
            torch.eye(weight.shape[1], dtype=weight.dtype),
            torch.zeros(weight.shape[1], dtype=weight.dtype),
        )
        found |= {f"W_{x}": F.linear(one, weight).numpy(), f"b_{x}": F.linear(none, weight, bias).numpy()}
    return {key: found[key] for key in KEYS}


EXERCISE = Exercise(
    name="layer_weights",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    hints=(
        "Print the keys of `state`. Which eight of them belong to the attention of this layer?",
        "The eight keys share a beginning, which may stand behind a prefix: find one key by its end, and cut that end off.",
        "`key.endswith(...)` finds a key and `key.removesuffix(...)` leaves its beginning. A weight is stored (out, in): `.T` turns it.",
    ),
    mistakes=MISTAKES,
)
