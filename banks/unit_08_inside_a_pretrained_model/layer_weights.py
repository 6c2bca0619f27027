"""Right and wrong answers to `layer_weights`, as learners write them."""

import re

import numpy as np
import torch
from torch import nn

from banks.registry import right, wrong

PARTS = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}

# Right answers, each in its own style


@right("layer_weights", "a loop over all keys, by the end of each")
def by_the_end(state, layer):
    found = {}
    for key, tensor in state.items():
        for letter, part in PARTS.items():
            if key.endswith(f"encoder.layer.{layer}.attention.{part}.weight"):
                found[f"W_{letter}"] = tensor.T
            if key.endswith(f"encoder.layer.{layer}.attention.{part}.bias"):
                found[f"b_{letter}"] = tensor
    return found


@right("layer_weights", "the prefix found first, then eight lines")
def prefix_first(state, layer):
    key = [k for k in state if "encoder.layer." in k][0]
    prefix = key[: key.index("encoder.layer.")]
    start = f"{prefix}encoder.layer.{layer}.attention."
    return {
        "W_q": state[start + "self.query.weight"].transpose(0, 1),
        "b_q": state[start + "self.query.bias"],
        "W_k": state[start + "self.key.weight"].transpose(0, 1),
        "b_k": state[start + "self.key.bias"],
        "W_v": state[start + "self.value.weight"].transpose(0, 1),
        "b_v": state[start + "self.value.bias"],
        "W_o": state[start + "output.dense.weight"].transpose(0, 1),
        "b_o": state[start + "output.dense.bias"],
    }


@right("layer_weights", "a regular expression")
def by_expression(state, layer):
    names = {"self.query": "q", "self.key": "k", "self.value": "v", "output.dense": "o"}
    pattern = re.compile(r"encoder\.layer\.(\d+)\.attention\.(self\.\w+|output\.dense)\.(weight|bias)$")
    result = {}
    for key, value in state.items():
        match = pattern.search(key)
        if match and int(match[1]) == layer:
            letter = names[match[2]]
            if match[3] == "weight":
                result["W_" + letter] = value.t()
            else:
                result["b_" + letter] = value
    return result


@right("layer_weights", "copies, in nn.Parameter, built key by key")
def copies(state, layer):
    def get(name):
        (found,) = (
            one for key, one in state.items() if key.endswith(f"encoder.layer.{layer}.attention.{name}")
        )
        return found.detach().clone()

    out = dict()
    out["W_o"], out["b_o"] = nn.Parameter(get("output.dense.weight").T.contiguous()), get("output.dense.bias")
    for letter, name in (("q", "query"), ("k", "key"), ("v", "value")):
        out[f"W_{letter}"] = torch.einsum("oi->io", get(f"self.{name}.weight"))
        out[f"b_{letter}"] = get(f"self.{name}.bias")
    return out


@right("layer_weights", "an ordered dict, with split keys, permute")
def split_keys(state, layer):
    from collections import OrderedDict

    letters = {"query": "q", "key": "k", "value": "v", "dense": "o"}
    out = OrderedDict()
    for key in sorted(state):
        parts = key.split(".")
        if "attention" not in parts or parts[-2] not in letters:
            continue
        at = parts.index("attention")
        if parts[at - 3 : at] != ["encoder", "layer", str(layer)]:
            continue
        tensor = state[key]
        out[("W_" if tensor.ndim == 2 else "b_") + letters[parts[-2]]] = (
            tensor.permute(1, 0) if tensor.ndim == 2 else tensor
        )
    return out


# Wrong answers, those with one mistake together


def _get(state, layer, name):
    return next(state[k] for k in state if k.endswith(f"encoder.layer.{layer}.attention.{name}"))


def _all(state, layer, turn=lambda w: w.T):
    out = {}
    for letter, part in PARTS.items():
        out["W_" + letter] = turn(_get(state, layer, part + ".weight"))
        out["b_" + letter] = _get(state, layer, part + ".bias")
    return out


@wrong("layer_weights", "weight-not-transposed")
def as_stored(state, layer):
    return _all(state, layer, lambda w: w)


@wrong("layer_weights", "weight-not-transposed", "turned twice")
def turned_twice(state, layer):
    return _all(state, layer, lambda w: w.T.T)


@wrong("layer_weights", "weight-not-transposed", "reshape keeps the order")
def reshaped(state, layer):
    return _all(state, layer, lambda w: w.reshape(w.shape[1], w.shape[0]))


@wrong("layer_weights", "weight-not-transposed", "W_o forgotten")
def o_as_stored(state, layer):
    out = _all(state, layer)
    out["W_o"] = _get(state, layer, "output.dense.weight")
    return out


@wrong("layer_weights", "weight-not-transposed", "only W_q turned")
def only_q(state, layer):
    out = _all(state, layer, lambda w: w)
    out["W_o"] = out["W_o"].T
    return out


@wrong("layer_weights", "off-by-one")
def layer_from_one(state, layer):
    return _all(state, min(layer + 1, _count(state) - 1))


def _count(state):
    return len([k for k in state if k.endswith("attention.self.query.weight")])


@wrong("layer_weights", "off-by-one", "a KeyError in the last layer")
def next_layer(state, layer):
    return _all(state, layer + 1)


@wrong("layer_weights", "off-by-one")
def layer_before(state, layer):
    return _all(state, max(0, layer - 1))


@wrong("layer_weights", "layer-ignored")
def always_the_first(state, layer):
    return _all(state, 0)


@wrong("layer_weights", "layer-ignored")
def always_the_last(state, layer):
    out = {}
    for key, value in state.items():
        for letter, part in PARTS.items():
            if key.endswith(f"layer.{_count(state) - 1}.attention.{part}.weight"):
                out["W_" + letter] = value.T
            if key.endswith(f"layer.{_count(state) - 1}.attention.{part}.bias"):
                out["b_" + letter] = value
    return out


@wrong("layer_weights", "layers-from-the-end")
def from_the_end(state, layer):
    return _all(state, _count(state) - layer - 1)


@wrong("layer_weights", "layer-1-is-in-layer-10")
def as_text(state, layer):
    out = {}
    for key, value in state.items():
        if f"layer.{layer}" in key:
            for letter, part in PARTS.items():
                if f"attention.{part}.weight" in key:
                    out["W_" + letter] = value.T
                if f"attention.{part}.bias" in key:
                    out["b_" + letter] = value
    return out


@wrong("layer_weights", "prefix-ignored")
def no_prefix(state, layer):
    start = f"encoder.layer.{layer}.attention."
    out = {}
    for letter, part in PARTS.items():
        out["W_" + letter] = state[start + part + ".weight"].T
        out["b_" + letter] = state[start + part + ".bias"]
    return out


@wrong("layer_weights", "prefix-ignored")
def bert_only(state, layer):
    out = {}
    for letter, part in PARTS.items():
        out["W_" + letter] = state[f"bert.encoder.layer.{layer}.attention.{part}.weight"].T
        out["b_" + letter] = state[f"bert.encoder.layer.{layer}.attention.{part}.bias"]
    return out


@wrong("layer_weights", "wrong-dense-layer")
def feed_forward(state, layer):
    out = _all(state, layer)
    out["W_o"] = next(state[k] for k in state if k.endswith(f"layer.{layer}.output.dense.weight")).T
    out["b_o"] = next(state[k] for k in state if k.endswith(f"layer.{layer}.output.dense.bias"))
    return out


@wrong("layer_weights", "wrong-dense-layer", "by hand on a state without one, an error")
def intermediate(state, layer):
    out = _all(state, layer)
    out["W_o"] = next(state[k] for k in state if k.endswith(f"layer.{layer}.intermediate.dense.weight")).T
    out["b_o"] = next(state[k] for k in state if k.endswith(f"layer.{layer}.intermediate.dense.bias"))
    return out


@wrong("layer_weights", "wrong-part", "queries and keys swapped")
def swapped(state, layer):
    out = _all(state, layer)
    out["W_q"], out["W_k"], out["b_q"], out["b_k"] = out["W_k"], out["W_q"], out["b_k"], out["b_q"]
    return out


@wrong("layer_weights", "wrong-part", "copied line, name not changed")
def copied_line(state, layer):
    out = _all(state, layer)
    out["W_v"], out["b_v"] = out["W_k"], out["b_k"]
    return out


@wrong("layer_weights", "bias-of-another-part")
def one_bias(state, layer):
    out = _all(state, layer)
    for letter in "kvo":
        out["b_" + letter] = out["b_q"]
    return out


@wrong("layer_weights", "bias-zeroed")
def zeros(state, layer):
    out = _all(state, layer)
    return {k: torch.zeros_like(v) if k[0] == "b" else v for k, v in out.items()}


@wrong("layer_weights", "bias-missing")
def no_biases(state, layer):
    return {k: v for k, v in _all(state, layer).items() if k[0] == "W"}


@wrong("layer_weights", "output-projection-missing")
def three_only(state, layer):
    return {k: v for k, v in _all(state, layer).items() if k[-1] != "o"}


@wrong("layer_weights", "wrong-keys")
def long_names(state, layer):
    long = {"q": "query", "k": "key", "v": "value", "o": "output"}
    return {f"{k[:2]}{long[k[2]]}": v for k, v in _all(state, layer).items()}


@wrong("layer_weights", "wrong-keys")
def capitals(state, layer):
    return {k.upper(): v for k, v in _all(state, layer).items()}


@wrong("layer_weights", "wrong-keys")
def the_model_s_names(state, layer):
    return {k: v for k, v in state.items() if f"layer.{layer}.attention" in k}


@wrong("layer_weights", "too-many-keys")
def norm_too(state, layer):
    return {**_all(state, layer), "layer": torch.tensor(layer)}


@wrong("layer_weights", "bias-shaped")
def row_biases(state, layer):
    return {k: v.unsqueeze(0) if k[0] == "b" else v for k, v in _all(state, layer).items()}


@wrong("layer_weights", "returns-array")
def arrays(state, layer):
    return {k: v.numpy() for k, v in _all(state, layer).items()}


@wrong("layer_weights", "returns-array")
def numpy_transposed(state, layer):
    return {k: np.array(v) for k, v in _all(state, layer).items()}


@wrong("layer_weights", "returns-tuple")
def a_tuple(state, layer):
    return tuple(_all(state, layer).values())


@wrong("layer_weights", "returns-list")
def a_list(state, layer):
    return [v for v in _all(state, layer).values()]


@wrong("layer_weights", "returns-none")
def nothing(state, layer):
    out = _all(state, layer)


@wrong("layer_weights", "float32")
def narrowed(state, layer):
    return {k: v.float() for k, v in _all(state, layer).items()}


@wrong("layer_weights", "input-changed", "the entries are taken out of the dict")
def popped(state, layer):
    out = {}
    for letter, part in PARTS.items():
        for kind, name in (("weight", "W_"), ("bias", "b_")):
            key = next(k for k in state if k.endswith(f"encoder.layer.{layer}.attention.{part}.{kind}"))
            tensor = state.pop(key)
            out[name + letter] = tensor.T if kind == "weight" else tensor
    return out


@wrong("layer_weights", "input-changed", "turned in place")
def in_place(state, layer):
    out = _all(state, layer)
    for key in ("W_q", "W_k", "W_v", "W_o"):
        out[key] = out[key].T.copy_(out[key].clone())
    return out


@wrong("layer_weights", "weight-flipped")
def flipped(state, layer):
    return _all(state, layer, lambda w: w.flip(0))


@wrong("layer_weights", "scaled-too-early")
def scaled(state, layer):
    out = _all(state, layer)
    out["W_q"] = out["W_q"] / out["W_q"].shape[0] ** 0.5
    return out


_kept = {}


@wrong("layer_weights", "state-between-calls")
def remembered(state, layer):
    sizes = str(({key: value.shape for key, value in state.items()}, layer))
    if sizes not in _kept:
        _kept[sizes] = _all(state, layer)
    return _kept[sizes]


@wrong("layer_weights", "input-changed", "turned in place with t_")
def turned_with_t_(state, layer):
    return _all(state, layer, lambda w: w.t_())


@wrong("layer_weights", "input-changed", "turned in place with transpose_, and copied")
def turned_with_transpose_(state, layer):
    return {k: v.clone() for k, v in _all(state, layer, lambda w: w.transpose_(0, 1)).items()}


@wrong("layer_weights", "input-changed", "turned through .data")
def turned_through_data(state, layer):
    out = _all(state, layer, lambda w: w)
    for key in ("W_q", "W_k", "W_v", "W_o"):
        out[key].data = out[key].data.T
    return out


@wrong("layer_weights", "wrong-dense-layer", "the LayerNorm where it comes later")
def norm_overwrites(state, layer):
    found = {}
    for key in state:
        if f"encoder.layer.{layer}.attention" in key:
            for word, letter in (
                ("query", "q"),
                ("self.key", "k"),
                ("value", "v"),
                ("attention.output", "o"),
            ):
                if word in key:
                    if "weight" in key:
                        found["W_" + letter] = state[key].T
                    else:
                        found["b_" + letter] = state[key]
    return found


@wrong("layer_weights", "wrong-dense-layer", "the LayerNorm where it comes first")
def norm_comes_first(state, layer):
    out = _all(state, layer)
    keys = [k for k in state if f"encoder.layer.{layer}.attention.output." in k]
    out["W_o"] = next(state[k] for k in keys if k.endswith("weight")).T
    out["b_o"] = next(state[k] for k in keys if k.endswith("bias"))
    return out


@wrong("layer_weights", "wrong-dense-layer", "the bias of the LayerNorm where it comes later")
def norm_bias_overwrites(state, layer):
    out = _all(state, layer)
    for key in state:
        if f"encoder.layer.{layer}.attention.output" in key and key.endswith("bias"):
            out["b_o"] = state[key]
    return out


@wrong("layer_weights", "prefix-cut-short", "at the first encoder")
def up_to_the_first_encoder(state, layer):
    key = next(k for k in state if "attention.self.query.weight" in k)
    start = key.split("encoder")[0] + f"encoder.layer.{layer}.attention."
    out = {}
    for letter, part in PARTS.items():
        out["W_" + letter] = state[start + part + ".weight"].T
        out["b_" + letter] = state[start + part + ".bias"]
    return out


@wrong("layer_weights", "prefix-cut-short", "what stands before the first encoder is cut off every key")
def cut_off_every_key(state, layer):
    short = {key[key.find("encoder") :]: one for key, one in state.items()}
    return _all({k: v for k, v in short.items() if k.startswith("encoder.layer.")}, layer)


@wrong("layer_weights", "prefix-ignored", "two are known")
def two_prefixes_known(state, layer):
    prefix = "bert." if any(key.startswith("bert.") for key in state) else ""
    return {
        name + letter: turn(state[f"{prefix}encoder.layer.{layer}.attention.{part}.{kind}"])
        for letter, part in PARTS.items()
        for name, kind, turn in (("W_", "weight", torch.t), ("b_", "bias", torch.clone))
    }


@wrong("layer_weights", "prefix-cut-wrong", "lstrip takes letters")
def stripped_letters(state, layer):
    clean = {key.lstrip("bert."): one for key, one in state.items()}
    found = {}
    for letter, name in (("q", "self.query"), ("k", "self.key"), ("v", "self.value"), ("o", "output.dense")):
        start = f"encoder.layer.{layer}.attention.{name}"
        found["W_" + letter], found["b_" + letter] = clean[start + ".weight"].T, clean[start + ".bias"]
    return found


@wrong("layer_weights", "prefix-ignored", "up to the first dot")
def prefix_up_to_the_first_dot(state, layer):
    prefix = next(iter(state)).split(".")[0]
    found = {}
    for letter, name in (("q", "self.query"), ("k", "self.key"), ("v", "self.value"), ("o", "output.dense")):
        start = f"{prefix}.encoder.layer.{layer}.attention.{name}"
        found["W_" + letter], found["b_" + letter] = state[start + ".weight"].T, state[start + ".bias"]
    return found


@wrong("layer_weights", "layer-1-is-in-layer-10", "layer 11 ends in layer 1")
def number_by_its_end(state, layer):
    found = {}
    for letter, name in (("q", "self.query"), ("k", "self.key"), ("v", "self.value"), ("o", "output.dense")):
        for key, one in state.items():
            if key.endswith(f"{layer}.attention.{name}.weight"):
                found["W_" + letter] = one.T
            if key.endswith(f"{layer}.attention.{name}.bias"):
                found["b_" + letter] = one
    return found


@wrong("layer_weights", "bias-zeroed", "the keys have no bias")
def keys_without_bias(state, layer):
    found = {}
    for letter, name in (("q", "self.query"), ("k", "self.key"), ("v", "self.value"), ("o", "output.dense")):
        end = f"encoder.layer.{layer}.attention.{name}"
        key = next(key for key in state if key.endswith(f"{end}.weight")).removesuffix("weight")
        found["W_" + letter], found["b_" + letter] = state[key + "weight"].T, state[key + "bias"]
    return {**found, "b_k": torch.zeros_like(found["b_k"])}


def _from(named, layer):
    start = f"encoder.layer.{layer}.attention."
    found = {"W_" + letter: named[f"{start}{part}.weight"].T for letter, part in PARTS.items()}
    return found | {"b_" + letter: named[f"{start}{part}.bias"] for letter, part in PARTS.items()}


@wrong("layer_weights", "prefix-ignored", "stripped off letter by letter")
def stripped(state, layer):
    some = next(key for key in state if key.endswith(".attention.self.query.weight"))
    prefix = some[: some.index("encoder.layer")]
    return _from({key.lstrip(prefix): one for key, one in state.items()}, layer)


@wrong("layer_weights", "prefix-ignored", "the first piece of the first key")
def first_piece(state, layer):
    first = next(iter(state)).split(".")[0]
    prefix = "" if first in ("embeddings", "encoder", "pooler") else first + "."
    return _from({key.removeprefix(prefix): one for key, one in state.items()}, layer)


@wrong("layer_weights", "sorted-as-text")
def layers_as_text(state, layer):
    numbers = sorted({key.split("layer.")[1].split(".")[0] for key in state if "layer." in key})
    end = f"encoder.layer.{numbers[layer]}.attention.self.query.weight"
    key = next(key for key in state if key.endswith(end))
    named = {name[key.index("encoder.layer") :]: one for name, one in state.items()}
    return _from(named, numbers[layer])


@wrong("layer_weights", "layer-1-is-in-layer-10", "the number anywhere in the key")
def number_anywhere(state, layer):
    found = {}
    for letter, part in PARTS.items():
        for name, kind in (("W_", "weight"), ("b_", "bias")):
            keys = [key for key in state if str(layer) in key and key.endswith(f"attention.{part}.{kind}")]
            one = state[keys[0]]
            found[name + letter] = one.T if kind == "weight" else one
    return found


@wrong("layer_weights", "layer-ignored", "for the biases")
def biases_of_layer_0(state, layer):
    end = "encoder.layer.0.attention.self.query.weight"
    prefix = next(key for key in state if key.endswith(end)).removesuffix(end)
    named = {key.removeprefix(prefix): one for key, one in state.items()}
    found, first = _from(named, layer), _from(named, 0)
    return {key: (first if key[0] == "b" else found)[key] for key in found}


@wrong("layer_weights", "scaled-too-early", "and b_q")
def scale_folded_in(state, layer):
    end = f"encoder.layer.{layer}.attention.self.query.weight"
    prefix = next(key for key in state if key.endswith(end)).removesuffix(end)
    found = _from({key.removeprefix(prefix): one for key, one in state.items()}, layer)
    root = found["W_q"].shape[1] ** 0.5
    return found | {"W_q": found["W_q"] / root, "b_q": found["b_q"] / root}


_layers_kept = {}


@wrong("layer_weights", "state-between-calls", "kept by the layer alone")
def kept_by_layer(state, layer):
    if layer not in _layers_kept:
        end = f"encoder.layer.{layer}.attention.self.query.weight"
        prefix = next(key for key in state if key.endswith(end)).removesuffix(end)
        _layers_kept[layer] = _from({key.removeprefix(prefix): one for key, one in state.items()}, layer)
    return _layers_kept[layer]


@wrong("layer_weights", "order-mixed", "the sorted keys in the order q, k, v, o")
def sorted_keys(state, layer):
    keys = sorted(k for k in state if f"encoder.layer.{layer}.attention." in k and "LayerNorm" not in k)
    names = ["b_q", "W_q", "b_k", "W_k", "b_v", "W_v", "b_o", "W_o"]
    return {
        name: state[key].T if name.startswith("W") else state[key]
        for name, key in zip(names, keys, strict=True)
    }
