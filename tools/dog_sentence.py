"""Write `dog_sentence.npz` and `saw_sentence.npz` anew from the model: what is kept of it here."""

import sys
from functools import partial
from typing import Any

import numpy as np
import torch

from helpers import reference
from helpers.pretrained import encode, files, head_means, in_layer, load
from helpers.pretrained.committed import (
    COMPARED,
    FILE,
    HEAD,
    IT,
    OTHER,
    SAW,
    SAW_FILE,
    SENTENCE,
    SENTENCES,
    STEPS,
)
from helpers.pretrained.encoder import HEADS, Encoder, batch, embed
from helpers.pretrained.reading import effects, pair_of, read, tokens_of

OURS = (reference.layer_weights, reference.bert_attention)


def kept(model: Encoder) -> dict[str, np.ndarray]:
    """The arrays of the file."""
    return {
        "tokens": np.array(model.tokens(SENTENCE)),
        "weights": _in_steps(model, SENTENCE),
        "other": _in_steps(model, OTHER)[:, :, IT],
        "head": np.array(HEAD),
        "source": np.array(f"{files.MODEL}, revision {files.REVISION}, {files.LICENCE}"),
        "embeddings": encode(model, SENTENCES, *OURS)[0].numpy().astype(np.float16),
        "change": _changes(model).astype(np.float32),
        "change_by_mean": _changes(model, head_means(model, SENTENCES, OURS[0])).astype(np.float32),
        **_insides(model),
    }


def kept_of_two_words(model: Encoder) -> dict[str, np.ndarray]:
    """The arrays of the other file."""
    found = tokens_of(model, SAW)
    pair = pair_of(found.tokens)
    seen = read(model, found.ids, pair, reference.bert_attention)
    close = {text: cosine for cosine, text in seen.nearest}
    return {
        "tokens": np.array(found.tokens),
        "weights": _in_steps(model, SAW),
        "similarities": seen.similarities.astype(np.float32),
        "change": effects(model, seen, pair, reference.bert_attention, reference.silence_head).astype(
            np.float32
        ),
        "close": np.array([close[text] for text in COMPARED], np.float32),
    }


def _in_steps(model: Encoder, sentence: str) -> np.ndarray:
    """All weights `(layers, h, n, n)` as whole numbers, which take half the room and less."""
    weights = encode(model, [sentence], *OURS)[1][:, 0]
    return (weights.numpy() * STEPS).round().astype(np.uint16)


def _insides(model: Encoder) -> dict[str, np.ndarray]:
    """Queries, keys and values of one head of layer 0, which sees the embeddings themselves."""
    layer, head = HEAD
    assert layer == 0
    x = embed(model.state, batch(model, [SENTENCE])[0])[0]
    found = reference.layer_weights(model.state, layer)
    wide = x.shape[-1] // HEADS
    mine = slice(head * wide, (head + 1) * wide)
    parts = {name: x @ found[f"W_{name.lower()}"] + found[f"b_{name.lower()}"] for name in "QKV"}
    return {name: part[:, mine].numpy().astype(np.float16) for name, part in parts.items()}


def _changes(model: Encoder, means: torch.Tensor | None = None) -> np.ndarray:
    """What silencing each head, with 0 or its mean, does to the similarity of the first two sentences."""

    def similarity(pick: Any) -> float:
        one, other = encode(model, SENTENCES[:2], pick, reference.bert_attention)[0]
        return float(one @ other)

    def without(layer: int, head: int) -> float:
        mean = None if means is None else means[layer, head]
        silence = partial(reference.silence_head, head=head, num_heads=HEADS, mean=mean)
        return similarity(in_layer(reference.layer_weights, layer, silence))

    with_all = similarity(reference.layer_weights)
    found = [without(layer, head) - with_all for layer in range(model.layers) for head in range(HEADS)]
    return np.array(found).reshape(model.layers, HEADS)


def main() -> int:
    """Write it; the exit code is 1 where the model cannot be had."""
    torch.set_num_threads(1)
    model = load()
    if model is None:
        return 1
    for file, arrays in {FILE: kept(model), SAW_FILE: kept_of_two_words(model)}.items():
        np.savez_compressed(file, **arrays)
        print(f"Wrote {file.name}, {file.stat().st_size:,} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
