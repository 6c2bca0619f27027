"""Write `helpers/pretrained/dog_sentence.npz` anew from the model: what is kept of it in the repository."""

import sys

import numpy as np

from helpers import reference
from helpers.pretrained import encode, files, load
from helpers.pretrained.committed import FILE, HEAD, SENTENCE
from helpers.pretrained.encoder import Encoder, batch, embed


def kept(model: Encoder) -> dict[str, np.ndarray]:
    """The arrays of the file: all weights in steps of 1/65535, and one head's queries, keys and values."""
    _, weights = encode(model, [SENTENCE], reference.layer_weights, reference.bert_attention)
    layer, head = HEAD
    if layer:
        raise ValueError("only a head of layer 0 sees the embeddings themselves")
    x = embed(model.state, batch(model, [SENTENCE])[0])[0]
    found = reference.layer_weights(model.state, layer)
    wide = x.shape[-1] // weights.shape[2]
    mine = slice(head * wide, (head + 1) * wide)
    parts = {name: (x @ found[f"W_{name.lower()}"] + found[f"b_{name.lower()}"])[:, mine] for name in "QKV"}
    return {
        "tokens": np.array(model.tokens(SENTENCE)),
        "weights": (weights[:, 0].numpy() * 65535).round().astype(np.uint16),
        "head": np.array(HEAD),
        "source": np.array(f"{files.MODEL}, revision {files.REVISION}, {files.LICENCE}"),
        **{name: part.numpy().astype(np.float32) for name, part in parts.items()},
    }


def main() -> int:
    """Write it; the exit code is 1 where the model cannot be had."""
    model = load()
    if model is None:
        return 1
    np.savez_compressed(FILE, **kept(model))
    print(f"Wrote {FILE.name}, {FILE.stat().st_size:,} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
