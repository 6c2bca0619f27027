"""The large input on which `others` times the answers to an exercise.

It is large enough that styles differ, and small enough that a loop over every entry ends within a second.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Args = Mapping[str, Any]


class _Drawn:
    """Inputs from one seed, so that every answer gets the same."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def array(self, *shape: int) -> np.ndarray:
        return self.rng.standard_normal(shape)

    def tensor(self, *shape: int) -> Any:
        return _torch().from_numpy(self.array(*shape).astype(np.float32))

    def weights(self, *shape: int) -> np.ndarray:
        powers = np.exp(self.array(*shape))
        return powers / powers.sum(axis=-1, keepdims=True)

    def tokens(self, batch: int, n: int, vocab: int) -> Any:
        return _torch().from_numpy(self.rng.integers(0, vocab, (batch, n)))


def _torch() -> Any:
    return importlib.import_module("torch")  # where there is none, nothing written with it is timed


def _two_axes(d: _Drawn) -> Args:
    return {"X": d.array(64, 48), "Y": d.array(60, 48)}


def _queries_and_keys(d: _Drawn) -> Args:
    return {"Q": d.array(2, 2, 40, 16), "K": d.array(2, 2, 40, 16)}


def _attention(d: _Drawn) -> Args:
    n = 48
    return {name: d.array(4, 4, n, 16) for name in "QKV"} | {"allowed": np.tri(n, dtype=bool)}


def _projected(d: _Drawn, tokens: tuple[int, ...], width: int, names: tuple[str, ...]) -> Args:
    return {"X": d.array(*tokens, width)} | {name: d.array(width, width) / width for name in names}


def _heads(d: _Drawn) -> Args:
    names = ("W_q", "W_k", "W_v", "W_o")
    return _projected(d, (4, 48), 64, names) | {"num_heads": 8, "allowed": np.tri(48, dtype=bool)}


def _attend(X: np.ndarray) -> np.ndarray:
    """Causal attention without projections: it leaks nothing, so that an answer has to try everything."""
    scores = np.where(np.tri(len(X), dtype=bool), X @ X.T, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ X


def _model(vocab: int) -> Any:
    torch = _torch()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Embedding(vocab, 64), torch.nn.Linear(64, vocab))


def _training(d: _Drawn) -> Args:
    model = _model(50)
    return {
        "model": model,
        "optimizer": _torch().optim.SGD(model.parameters(), lr=0.1),
        "tokens": d.tokens(8, 32, 50),
    }


def _of_a_layer(d: _Drawn, width: int) -> dict[str, Any]:
    return {f"W_{p}": d.tensor(width, width) / width for p in "qkvo"} | {
        f"b_{p}": d.tensor(width) for p in "qkvo"
    }


def _state(d: _Drawn) -> dict[str, Any]:
    parts = {"self.query": "q", "self.key": "k", "self.value": "v", "output.dense": "o"}
    return {
        f"bert.encoder.layer.{layer}.attention.{part}.{kind}": d.tensor(*shape)
        for layer in range(24)
        for part in parts
        for kind, shape in (("weight", (128, 128)), ("bias", (128,)))
    }


LARGE: dict[str, Callable[[_Drawn], Args]] = {
    "double": lambda d: {"x": d.array(200, 200)},
    "dot": lambda d: {"a": d.array(50_000), "b": d.array(50_000)},
    "cosine_similarity": lambda d: {"a": d.array(200_000), "b": d.array(200_000)},
    "similarity_matrix": _two_axes,
    "best_match": lambda d: {"query": d.array(64), "keys": d.array(2000, 64)},
    "project": lambda d: _projected(d, (4, 32), 32, ("W",)),
    "rows_from_columns": lambda d: {"I": d.array(32, 100), "W": d.array(32, 32)},
    "queries_keys_values": lambda d: _projected(d, (4, 64), 48, ("W_q", "W_k", "W_v")),
    "attention_scores": _queries_and_keys,
    "look_back": lambda d: {"num_words": 200, "n": 400, "steps": 5},
    "mix_values": lambda d: {"weights": d.weights(2, 2, 40, 40), "V": d.array(2, 2, 40, 16)},
    "first_attention": lambda d: _projected(d, (150,), 32, ("W_q", "W_k", "W_v")),
    "QKVProjection": lambda d: {"x": d.tensor(8, 128, 128)},
    "measure_score_std": lambda d: {"n": 100, "d_k": 200, "rng": d.rng},
    "predicted_score_std": lambda d: {
        "d_k": 300_000, "mean_q": 0.5, "std_q": 1.0, "mean_k": 0.25, "std_k": 2.0,
    },
    "scaled_scores": _queries_and_keys,
    "causal_mask": lambda d: {"n": 400},
    "padding_mask": lambda d: {"lengths": d.rng.integers(1, 401, 300), "n": 400},
    "combined_mask": lambda d: {"lengths": d.rng.integers(1, 101, 8), "n": 100},
    "apply_mask": lambda d: {"scores": d.array(4, 4, 80, 80), "allowed": np.tri(80, dtype=bool)},
    "to_blocked": lambda d: {"allowed": d.array(400, 400) > 0},
    "leaks_future": lambda d: {"attend": _attend, "n": 24, "d": 8},
    "softmax": lambda d: {"x": d.array(64, 200)},
    "masked_softmax": lambda d: {"scores": d.array(4, 4, 60, 60), "allowed": np.tri(60, dtype=bool)},
    "softmax_with_temperature": lambda d: {"x": d.array(200, 100), "temperature": 0.5},
    "softmax_backward": lambda d: {"weights": d.weights(64, 150), "grad": d.array(64, 150)},
    "attention": _attention,
    "split_heads": lambda d: {"X": d.array(8, 64, 128), "num_heads": 8},
    "merge_heads": lambda d: {"H": d.array(8, 8, 64, 16)},
    "sum_of_heads": lambda d: {"H": d.array(4, 8, 64, 8), "W_o": d.array(64, 64)},
    "multi_head_attention": _heads,
    "MultiHeadAttention": lambda d: dict.fromkeys(("query", "key", "value"), d.tensor(8, 96, 128)),
    "same_word_head": lambda d: {"num_words": 300, "n": 200},
    "next_token_loss": lambda d: {"logits": d.tensor(8, 64, 50), "tokens": d.tokens(8, 64, 50)},
    "training_step": _training,
    "generate": lambda d: {"model": _model(50), "tokens": d.tokens(4, 8, 50), "num_new": 48},
    "next_token_probabilities": lambda d: {"logits": d.tensor(64, 1000), "temperature": 0.8, "top_k": 20},
    "induction_score": lambda d: {"weights": d.tensor(4, 8, 64, 64), "period": 16},
    "sinusoidal_positions": lambda d: {"n": 200, "d": 64},
    "layer_weights": lambda d: {"state": _state(d), "layer": 23},
    "bert_attention": lambda d: {
        "x": d.tensor(4, 96, 128), "weights": _of_a_layer(d, 128), "num_heads": 8,
        "allowed": _torch().from_numpy(np.ones((4, 1, 1, 96), bool)),
    },
    "previous_token_heads": lambda d: {"weights": d.tensor(6, 8, 64, 64), "threshold": 0.1},
    "silence_head": lambda d: {
        "weights": _of_a_layer(d, 256), "head": 3, "num_heads": 8, "mean": d.tensor(32),
    },
    "KVCache": lambda d: {"k": d.tensor(1, 8, 256, 32), "v": d.tensor(1, 8, 256, 32)},
    "causal_mask_with_cache": lambda d: {"n_q": 100, "n_k": 300},
    "grouped_query_attention": lambda d: {
        "Q": d.tensor(2, 16, 96, 32), "K": d.tensor(2, 4, 96, 32), "V": d.tensor(2, 4, 96, 32),
    },
    "sliding_window_mask": lambda d: {"n": 300, "window": 50},
    "online_attention": lambda d: {
        "Q": d.tensor(128, 32), "K": d.tensor(512, 32), "V": d.tensor(512, 32), "block_size": 64,
    },
    "rotary": lambda d: {"x": d.tensor(2, 8, 128, 32), "positions": _torch().arange(128)},
}  # fmt: skip
"""The arguments by their names; what a class is made with stands in `calls`."""


def large(exercise: str) -> Args:
    """The arguments of the one large call, drawn anew and always the same."""
    return LARGE[exercise](_Drawn())


def calls(exercise: str, answer: Any, args: Args) -> Callable[[], Any]:
    """What to time: a call with these arguments; of a class its work, without the making of its layers."""
    if exercise == "KVCache":
        return lambda: _token_by_token(answer(), **args)
    if exercise == "QKVProjection":
        answer = answer(128, 128, 128)
    elif exercise == "MultiHeadAttention":
        answer = answer(128, 8)
    given = tuple(args.values())
    return lambda: answer(*given)


def _token_by_token(cache: Any, k: Any, v: Any) -> None:
    for t in range(k.shape[2]):
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])


def in_words(exercise: str, args: Args) -> str:
    """The large input as one reads it: the shapes of arrays, and numbers."""
    said = []
    for name, value in args.items():
        if hasattr(value, "shape"):
            said.append(f"{name} of shape {tuple(value.shape)}")
        elif isinstance(value, dict):
            said.append(f"{name} of {len(value)} tensors")
        elif isinstance(value, int | float):
            said.append(f"{name} = {value}")
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]])) + (
        ", one token at a time" if exercise == "KVCache" else ""
    )
