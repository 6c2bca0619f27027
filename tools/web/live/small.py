"""The model made small: which weights the page needs, how fine, and what is computed from them."""

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import torch

from helpers import reference
from helpers.pretrained import encode, head_means
from helpers.pretrained.committed import COMPARED
from helpers.pretrained.encoder import Encoder
from tools.web.live.levels import levels, widened

BODY, WORDS = 16, 12
"""Steps in a standard deviation, in the layers' matrices and in the words' vectors."""

PLACES = 64
"""Tokens that the page reads of a text; the model itself could read 512."""

COMMON = 10_000
"""Words with a smaller number than this are fetched with the model: they make up most of any English text."""

SHARD = 1_027
"""Words in each further part, so that twenty hold the rest."""

WORD = "embeddings.word_embeddings.weight"
PLACE = "embeddings.position_embeddings.weight"
STEP = ".step"
MEANS, NEAREST = "head_means", "nearest"

SENTENCES = COMPARED
"""What the page compares a typed sentence with; a silenced head may give its mean over these."""

Tensors = dict[str, np.ndarray]


def body(model: Encoder) -> Tensors:
    """All but the words: matrices as levels and steps, vectors as they are, under the model's own names."""
    found: Tensors = {}
    for name, one in model.state.items():
        if name == WORD or name.startswith("pooler."):
            continue  # the page takes the mean over the tokens, as unit 08 does
        if one.dim() == 2 and "token_type" not in name:
            found[name], found[name + STEP] = levels(one.numpy()[: _rows(name)], BODY)
        else:
            found[name] = one.numpy()
    return found


def _rows(name: str) -> int | None:
    return PLACES if name == PLACE else None


def words(model: Encoder) -> tuple[np.ndarray, np.ndarray]:
    """Levels and steps of the words' vectors; zeros where no text leads."""
    found, step = levels(model.state[WORD].numpy(), WORDS)
    for piece, number in model.tokenizer.get_vocab().items():
        if piece.startswith("[unused"):  # brackets are tokens of their own
            found[number] = 0
    return found, step


def shards(rows: int) -> list[int]:
    """Where each part of the words begins, and where the last one ends."""
    return [0, *range(COMMON, rows, SHARD), rows]


def as_page_sees(
    model: Encoder, small: Mapping[str, np.ndarray], found: np.ndarray, step: np.ndarray
) -> Encoder:
    """The model with the weights that the page computes with."""
    state = {
        name: torch.tensor(widened(one, small[name + STEP]) if name + STEP in small else one)
        for name, one in small.items()
        if not name.endswith(STEP)
    }
    return replace(model, state={**state, WORD: torch.tensor(widened(found, step))})


def computed(model: Encoder) -> Tensors:
    """What is computed once for all: each head's mean, and the embeddings of the sentences.

    In double precision, so that the last digit in single precision, and with it the bytes that browsers keep,
    are the same at each build.

    Returns:
        `head_means`, `(layers, h, d_head)`, and `nearest`, `(12, 384)`.
    """
    exact = replace(model, state={name: one.double() for name, one in model.state.items()})
    pick = reference.layer_weights
    found = {
        MEANS: head_means(exact, SENTENCES, pick),
        NEAREST: encode(exact, SENTENCES, pick, reference.bert_attention)[0],
    }
    return {name: one.numpy().astype(np.float32) for name, one in found.items()}


def about(rows: int) -> dict[str, str]:
    """What the body says of itself; one text, since the format puts several in any order."""
    return {"about": json.dumps({"sentences": SENTENCES, "shards": shards(rows)})}
