"""Write the model as the page fetches it: `python -m tools.web.live.pack [folder]`.

Parts are safetensors files, and one list of the tokenizer's pieces, all packed with gzip. `manifest.json` names them.
"""

import hashlib
import json
import sys
import zlib
from pathlib import Path

import torch
from safetensors.numpy import save

from helpers.pretrained import files, load
from helpers.pretrained.encoder import Encoder
from tools.shell import ROOT
from tools.web.live import small

FOLDER = ROOT / "build" / "live-model"
FIRST = ("pieces", "body", "words-0")
"""Parts that every sentence needs."""

NOTICE = f"""\
The files in this folder are made from the model all-MiniLM-L6-v2.

Source: https://huggingface.co/{files.MODEL}, revision {files.REVISION}
Licence: Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0

They are changed: each matrix is rounded to whole numbers between -127 and 127 and a step for each row, only the
first {small.PLACES} places are kept, what no text can reach is 0, and the pooler, which is not used, is left out.
manifest.json names the parts; each is a safetensors file, or a list of pieces, packed with gzip.
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
    for number, (start, end) in enumerate(zip(bounds, bounds[1:], strict=False)):
        made[f"words-{number}"] = save({"levels": levels[start:end], "steps": steps[start:end]})
    return made


def packed(data: bytes) -> bytes:
    """As gzip; the same bytes each time."""
    # levels repeat nothing: "filtered" looks for little, and leaves more to the codes
    how = zlib.compressobj(9, zlib.DEFLATED, 31, 9, zlib.Z_FILTERED)
    return how.compress(data) + how.flush()


def write(model: Encoder, folder: Path) -> dict[str, dict]:
    """Write all parts, the manifest and the notice into a folder; gives what the manifest says of each part."""
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
    return told


def main(folder: Path = FOLDER) -> int:
    """Write it; the exit code is 1 where the model cannot be had."""
    model = load()
    if model is None:
        return 1
    told = write(model, folder)
    first = sum(told[name]["packed"] for name in FIRST)
    total = sum(one["packed"] for one in told.values())
    print(f"Wrote {folder}: {first:,} bytes for a first sentence, {total:,} with all words.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
