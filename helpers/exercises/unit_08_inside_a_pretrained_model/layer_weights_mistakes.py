"""What people get wrong in `layer_weights`: another tensor of the state dict, or one that is not turned."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import torch

from helpers.exercises.wrong.rows import filled, mistakes, paired, rows

Tensor = torch.Tensor
State = Mapping[str, Tensor]
NAMES = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}


def variant(
    *,
    layer: Callable[[State, int], int] = lambda state, layer: layer,
    find: Callable[[State, str], Tensor] | None = None,
    sources: Mapping[str, str] = {x: x for x in "qkvo"},
    turn: Callable[[str, Tensor], Tensor] = lambda x, weight: weight.T,
    bias: Callable[[str, Tensor], Tensor] = lambda x, bias: bias,
    result: Callable[[dict[str, Tensor]], Any] = lambda found: found,
) -> Callable[[State, int], Any]:
    """The eight tensors, with one or more of the steps replaced by a wrong one."""

    def answer(state: State, number: int) -> Any:
        place = layer(state, number)
        look = find or by_end
        found = {}
        for x in "qkvo":
            name = f"encoder.layer.{place}.attention.{NAMES[sources[x]]}"
            found[f"W_{x}"] = turn(x, look(state, f"{name}.weight"))
            found[f"b_{x}"] = bias(x, look(state, f"{name}.bias"))
        return result(found)

    return answer


def by_end(state: State, name: str) -> Tensor:
    """The tensor whose key ends so."""
    return next(one for key, one in state.items() if key.endswith(name))


def _last_as_text(state: State, name: str) -> Tensor:
    """Wrong: the last key that holds layer 1 is that of layer 10 or 11."""
    layer, rest = re.fullmatch(r"encoder(\.layer\.\d+)\.(.+)", name).groups()
    return [one for key, one in state.items() if layer in key and key.endswith(rest)][-1]


def _by_loose_number(loose: str, place: int) -> Callable[[State, str], Tensor]:
    """Wrong: layer 1 is found in the keys of 10 or 11, as the last or the first that holds its number."""

    def find(state: State, name: str) -> Tensor:
        number, rest = re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)", name).groups()
        wanted = re.compile(loose.format(number, re.escape(rest)))
        return [one for key, one in state.items() if wanted.search(key)][place]

    return find


_LOOSE = ("{0}\\.{1}$", "{0}.*\\.{1}$", r"layer\.{0}.*{1}$")
"""The number and then the part, at the end of a key; somewhere before it; or behind `layer.` with digits between."""


def _before_the_first_dot(state: State, name: str) -> Tensor:
    """Wrong: the first piece of the first key, unless it is a part of the model, is the prefix."""
    start, dot, _ = next(iter(state)).partition(".")
    return state[name if start in ("encoder", "embeddings", "pooler") else start + dot + name]


def _cut_at_the_first_dot(state: State, name: str) -> Tensor:
    """Wrong: the same prefix, cut off the keys."""
    start, dot, _ = next(iter(state)).partition(".")
    prefix = "" if start in ("encoder", "embeddings", "pooler") else start + dot
    return {key.removeprefix(prefix): one for key, one in state.items()}[name]


def _cut_at_the_first_encoder(state: State, name: str) -> Tensor:
    """Wrong: every key loses what stands before the word, and of two such keys the last counts."""
    return _cut_keys(state)[name]


def _cut_keys(state: State) -> State:
    """What is left of keys that begin with the layers once they are cut."""
    cut = {key[key.find("encoder") :]: one for key, one in state.items()}
    return {key: one for key, one in cut.items() if key.startswith("encoder.layer.")}


def _in_output(place: int, kind: str = "") -> Callable[[State, str], Tensor]:
    """Wrong: one of the keys that hold `attention.output`, among them those of the LayerNorm."""

    def find(state: State, name: str) -> Tensor:
        start, dense, rest = name.partition("attention.output.dense.")
        if not dense or kind not in rest:
            return by_end(state, name)
        keys = [key for key in state if f"{start}attention.output." in key and rest in key]
        return state[keys[place]]

    return find


def _behind_the_first_encoder(state: State, name: str) -> Tensor:
    """Wrong: the prefix may hold that word as well."""
    key = next(key for key in state if "attention.self.query.weight" in key)
    return state[key.split("encoder")[0] + name]


def _turned_but(letters: str) -> Callable[[str, Tensor], Tensor]:
    return lambda x, weight: weight if x in letters else weight.T


def _uses(order: str) -> dict[str, str]:
    return dict(zip("qkvo", order, strict=True))


def _layers(state: State) -> int:
    return 1 + max(int(one[1]) for key in state if (one := re.search(r"layer\.(\d+)\.", key)))


_TURN = "`nn.Linear` stores a weight (out, in). What turns it into (in, out)?"
_NAME = "Read your four names of parts: query, key, value, and the dense layer after them."

MISTAKES = mistakes(
    variant,
    *rows(
        "order-mixed: Your four weights stand in the wrong places: q holds the output layer, v the query and o the value.",
        "Does your code go by the order of the keys? Print each key beside the name that it gets.",
        {"sources": _uses("okqv")},
        "weight-not-transposed: Your weights are (out, in), as PyTorch stores them; here `x @ W` needs (in, out).",
        _TURN,
        paired(turn=lambda x, weight: weight),
        *filled(
            "weight-not-transposed: Your {} is (out, in), as PyTorch stores it; here `x @ W` needs (in, out).",
            _TURN,
            {
                **{f"W_{x}": {"turn": _turned_but(x)} for x in "qkvo"},
                "W_q and W_k": {"turn": _turned_but("qk")},
            },
        ),
        "weight-not-transposed: W_o alone is turned in your dict; all four weights are stored (out, in).",
        {"turn": _turned_but("qkv")},
        "weight-flipped: You reversed the rows of the weights; a transpose makes columns of rows.",
        _TURN,
        {"turn": lambda x, weight: weight.flip(0)},
        {"turn": lambda x, weight: weight.flip(0, 1)},
        {"turn": lambda x, weight: weight.rot90()},
        "off-by-one: You took the layer after the one that was asked for; layers are counted from 0.",
        "Look for a `+ 1` beside `layer`.",
        paired(layer=lambda state, layer: layer + 1),
        {"layer": lambda state, layer: min(layer + 1, _layers(state) - 1)},
        "off-by-one: You took the layer before the one that was asked for; layers are counted from 0.",
        "Look for a `- 1` beside `layer`.",
        paired(layer=lambda state, layer: max(layer - 1, 0)),
        paired(layer=lambda state, layer: layer - 1),
        {"layer": lambda state, layer: (layer - 1) % _layers(state)},
        "layer-ignored: You always take layer 0; the argument `layer` says which one.",
        "Where does `layer` stand in the names that you build?",
        paired(layer=lambda state, layer: 0),
        "layer-ignored: You always take layer 1; the argument `layer` says which one.",
        {"layer": lambda state, layer: 1},
        "layer-ignored: You always take the last layer; the argument `layer` says which one.",
        {"layer": lambda state, layer: _layers(state) - 1},
        "layers-from-the-end: You count the layers from the end.",
        "Which of the layers sees the embeddings first?",
        {"layer": lambda state, layer: _layers(state) - 1 - layer},
        "layer-1-is-in-layer-10: Layer 1 is taken for another, such as 10 or 11: as text, the one holds the other.",
        "What stands before and behind the number in the key?",
        paired(find=_last_as_text),
        *({"find": _by_loose_number(loose, place)} for loose in _LOOSE for place in (0, -1)),
        "sorted-as-text: You count layers in the order of their names as text, in which 10 comes before 2.",
        "What does `sorted` make of '2' and '10'?",
        {"layer": lambda state, layer: int(sorted(map(str, range(_layers(state))))[layer])},
        "prefix-ignored: Where a prefix stands before `encoder`, your names are not found: it is not cut off the keys, or too much is.",
        "How does a key end, whatever it begins with? `strip` and `lstrip` take single letters away, not a word.",
        {"find": lambda state, name: state[name]},
        "prefix-ignored: You expect the prefix `bert.` at every key; there may be another one, or none.",
        {"find": lambda state, name: state[f"bert.{name}"]},
        "prefix-ignored: You expect the prefix `bert.` or none; any other text may stand before `encoder`.",
        {"find": lambda state, name: state[name if name in state else f"bert.{name}"]},
        {"find": lambda state, name: state[f"bert.{name}" if f"bert.{name}" in state else name]},
        "prefix-ignored: You take what stands before the first dot of a key for the prefix; it may be empty, or hold dots itself.",
        {"find": lambda state, name: state[f"{next(iter(state)).split('.')[0]}.{name}"]},
        {"find": _before_the_first_dot},
        {"find": _cut_at_the_first_dot},
        "prefix-cut-wrong: You look for a name without prefix, and the keys that you cut no longer hold it, not even where there was no prefix.",
        "Print a key before and after your cut: `strip` and `lstrip` take single letters away, not a word.",
        {"find": lambda state, name: {key.lstrip("bert."): one for key, one in state.items()}[name]},
        "prefix-ignored: You skip a key that does not begin with encoder; before it a prefix may stand.",
        {"find": lambda state, name: next(one for key, one in state.items() if key.startswith(name))},
        "wrong-dense-layer: Your W_o and b_o are those of the feed-forward part; the attention has a dense layer of its own.",
        "Two keys of a layer end in `output.dense.weight`. Which one stands behind `attention`?",
        {"find": lambda state, name: by_end(state, name.replace("attention.output", "output"))},
        "wrong-dense-layer: Your W_o and b_o are the first feed-forward layer, `intermediate`.",
        {"find": lambda state, name: by_end(state, name.replace("attention.output", "intermediate"))},
        "wrong-dense-layer: Your W_o and b_o are the pooler's; each layer has a dense layer behind its own heads.",
        {
            "find": lambda state, name: (
                by_end(state, "pooler.dense.weight")
                .reshape(-1)[: by_end(state, name).numel()]
                .reshape(by_end(state, name).shape)
                if "output" in name
                else by_end(state, name)
            )
        },
        "wrong-dense-layer: Your b_o is the bias of the LayerNorm behind it.",
        "Which of the two keys with `output` in it is a dense layer?",
        {
            "find": lambda state, name: by_end(
                state, name.replace("output.dense.bias", "output.LayerNorm.bias")
            )
        },
        *filled(
            "wrong-dense-layer: {}.",
            "Two layers of the attention have `attention.output` in their keys. Which one do you find?",
            {
                "Where the keys of the LayerNorm come later, your W_o and b_o are its scale and shift": {
                    "find": _in_output(-1)
                },
                "Where the keys of the LayerNorm come first, your W_o and b_o are its scale and shift": {
                    "find": _in_output(0)
                },
                "Where the bias of the LayerNorm comes later, it is your b_o": {
                    "find": _in_output(-1, "bias")
                },
            },
        ),
        "prefix-cut-short: You cut a key at its first `encoder`; the prefix before the layers may hold that word too.",
        "Which longer piece of a key begins where the prefix ends?",
        {"find": _behind_the_first_encoder},
        {"find": _cut_at_the_first_encoder},
        {"find": lambda state, name: by_end(_cut_keys(state), name)},
        *filled(
            "wrong-part: {}.",
            _NAME,
            {
                says: {"sources": _uses(order)}
                for order, says in {
                    "kqvo": "Queries and keys have changed places",
                    "qvko": "Keys and values have changed places",
                    "vkqo": "Queries and values have changed places",
                    "qqvo": "Your keys are the queries' weights",
                    "qkqo": "Your values are the queries' weights",
                    "qkko": "Your values are the keys' weights",
                    "qqqo": "Keys and values are the queries' weights",
                    "kkvo": "Your queries are the keys' weights",
                    "qvvo": "Your keys are the values' weights",
                    "vkvo": "Your queries are the values' weights",
                    "qkvv": "Your W_o and b_o are the values' weights",
                    "qkvq": "Your W_o and b_o are the queries' weights",
                    "oqkv": "All four stand one place too far: W_o is the values' weight",
                    "kvoq": "All four stand one place too far: W_q is the keys' weight",
                    "vvvo": "Queries, keys and values are all the values' weights",
                    "okvq": "Queries and the last projection have changed places",
                }.items()
            },
        ),
        "bias-of-another-part: Every bias of yours is that of the queries.",
        "In which line is the name of the bias built?",
        {
            "find": lambda state, name: by_end(
                state, re.sub(r"self\.\w+\.bias|output\.dense\.bias", "self.query.bias", name)
            )
        },
        "layer-ignored: Your biases are always those of layer 0; the argument `layer` says which ones.",
        "In which line is the name of the bias built?",
        {"find": lambda state, name: by_end(state, re.sub(r"\d+(?=.*bias$)", "0", name))},
        "bias-of-another-part: The biases of keys and values have changed places.",
        {"find": lambda state, name: by_end(state, _swapped_bias(name))},
        "bias-zeroed: Your biases are zeros; the state dict holds them.",
        "Which keys end in `.bias`?",
        paired(bias=lambda x, bias: torch.zeros_like(bias)),
        *filled(
            "bias-zeroed: Your b_{} is all zeros; take the one that is stored.",
            "Which keys end in `.bias`?",
            {x: {"bias": lambda y, bias, x=x: torch.zeros_like(bias) if x == y else bias} for x in "qkvo"},
        ),
        "bias-shaped: You gave the biases one more axis; leave them as they are.",
        "Which shape has a bias in `state`?",
        {"bias": lambda x, bias: bias[None]},
        {"bias": lambda x, bias: bias[:, None]},
        "scaled-too-early: You divided W_q by a square root already; scores are scaled in the attention, which comes next.",
        "Return the weights as they are, but for the turning.",
        {"turn": lambda x, w: w.T / w.shape[0] ** 0.5 if x == "q" else w.T},
        "scaled-too-early: You divided W_q and b_q by a square root already; scores are scaled in the attention, which comes next.",
        "Return the weights as they are, but for the turning.",
        {
            "turn": lambda x, w: w.T / w.shape[0] ** 0.5 if x == "q" else w.T,
            "bias": lambda x, b: b / b.shape[0] ** 0.5 if x == "q" else b,
        },
        "float32: You made the numbers narrower or rounded them.",
        "Look for `.float()`, `.half()` and `round`.",
        {"turn": lambda x, w: w.T.float(), "bias": lambda x, b: b.float()},
        {"turn": lambda x, w: w.T.half().to(w.dtype), "bias": lambda x, b: b.half().to(b.dtype)},
        "truncates-to-int: You rounded the weights; all digits are needed.",
        "Look for `round`.",
        {"turn": lambda x, w: w.T.round(decimals=2)},
        "returns-array: Your dict holds NumPy arrays; this unit works with tensors.",
        "Leave `.numpy()` out.",
        {"result": lambda found: {key: one.numpy() for key, one in found.items()}},
        "returns-list: Your dict holds lists; this unit works with tensors.",
        "Leave `.tolist()` out.",
        {"result": lambda found: {key: one.tolist() for key, one in found.items()}},
        "returns-none: Your function returns nothing (None).",
        "Every way through your function should end in a `return`.",
        {"result": lambda found: None},
        "returns-tuple: You returned the eight tensors without their names; the exercise asks for a dict.",
        "Braces make a dict: `{'W_q': ..., 'b_q': ...}`.",
        {"result": lambda found: tuple(found.values())},
        "returns-list: You returned a list; the exercise asks for a dict that has the tensors by their names.",
        "Braces make a dict, `{'W_q': ..., 'b_q': ...}`, and `dict(...)` makes one of pairs.",
        {"result": lambda found: list(found.values())},
        {"result": lambda found: list(found.items())},
    ),
)


def _swapped_bias(name: str) -> str:
    swap = {"key.bias": "value.bias", "value.bias": "key.bias"}
    return next((name.replace(old, new) for old, new in swap.items() if name.endswith(old)), name)
