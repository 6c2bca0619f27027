"""Write the model as the page fetches it: `python -m tools.web.live.pack [folder]`.

`manifest.json` names the parts: safetensors files and a list of the tokenizer's pieces, packed with gzip.
"""

import hashlib
import json
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.numpy import save

from helpers.pretrained import files, loading
from helpers.pretrained.encoder import Encoder, opened
from helpers.pretrained.fetching import NoModel
from tools.shell import ROOT
from tools.web.live import small

FOLDER = ROOT / "build" / "live-model"
LICENCE = Path(__file__).with_name("APACHE-2.0.txt")
FIRST = ("pieces", "body", "words-0")
"""Parts that every sentence needs."""

NOTICE = f"""\
The files in this folder are made from the model all-MiniLM-L6-v2.

Source: https://huggingface.co/{files.MODEL}, revision {files.REVISION}
Licence: Apache License 2.0, whose text is in the file LICENSE

They are changed: each matrix is rounded to whole numbers between -127 and 127 and a step for each row; only
the first {small.PLACES} places are kept; what no text can reach is 0; the pooler is left out.
Means of the heads' outputs and embeddings of a few sentences, computed with the model, are added.
manifest.json names the parts: safetensors files and a list of the tokenizer's pieces, packed with gzip.
"""


def parts(model: Encoder) -> dict[str, bytes]:
    """Each part by its name, not packed yet."""
    torch.set_num_threads(1)
    body, (levels, steps) = small.body(model), small.words(model)
    seen = small.as_page_sees(model, body, levels, steps)
    pieces = sorted(model.tokenizer.get_vocab().items(), key=lambda one: one[1])
    assert [number for _, number in pieces] == list(range(len(levels)))
    made = {
        "pieces": "\n".join(piece for piece, _ in pieces).encode(),
        "body": save({**body, **small.computed(seen)}, small.about(len(levels))),
    }
    bounds = small.shards(len(levels))
    for number, (start, end) in enumerate(pairwise(bounds)):
        made[f"words-{number}"] = save({"levels": levels[start:end], "steps": steps[start:end]})
    return made


def packed(data: bytes) -> bytes:
    """As gzip; the same bytes each time."""
    # levels repeat nothing: "filtered" looks for little, and leaves more to the codes
    how = zlib.compressobj(9, zlib.DEFLATED, 31, 9, zlib.Z_FILTERED)
    return how.compress(data) + how.flush()


def write(model: Encoder, folder: Path) -> dict[str, dict]:
    """Write all parts, the manifest and the licence into a folder; gives what is said of each part."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {}
    for name, data in parts(model).items():
        file, small_one = f"{name}.bin.gz", packed(data)
        (folder / file).write_bytes(small_one)
        told[name] = {
            "file": file,
            "packed": len(small_one),
            "unpacked": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
    source = {"model": files.MODEL, "revision": files.REVISION, "licence": files.LICENCE}
    manifest = {**source, "first": FIRST, "parts": told}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    (folder / "NOTICE").write_text(NOTICE, "utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())
    return told


def lay(folder: Path) -> bool:
    """Write it, where the model can be had; else one sentence says why not, and the page keeps to less."""
    try:
        model = opened(loading.folder(files.own_cache()))
    except (NoModel, OSError) as error:
        print(f"The model is left out of the site ({error}): its page shows the kept sentences alone.")
        return False
    told = write(model, folder)
    first = sum(told[name]["packed"] for name in FIRST)
    total = sum(one["packed"] for one in told.values())
    print(f"The model is in {folder}: {first:,} bytes for a first sentence, {total:,} with all words.")
    return True


if __name__ == "__main__":
    sys.exit(0 if lay(Path(*sys.argv[1:2] or [FOLDER])) else 1)
