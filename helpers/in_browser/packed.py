"""The model of unit 08 as the site packs it, fetched from there when the reader asks for it.

A part is a safetensors file, or a list of pieces of words, packed with gzip; `manifest.json` names each
with its size and checksum (`tools/web/live/pack.py`). Rows of words come in parts that are fetched when a
sentence needs them. What was fetched is kept by the page's service worker, for the next time and for offline.
"""

import gzip
import hashlib
import json
from typing import Any

import numpy as np
import torch

from helpers.errors import OneSentence
from helpers.in_browser import site
from helpers.pretrained.committed import COMPARED
from helpers.pretrained.encoder import Encoder
from helpers.pretrained.wordpiece import WordPiece

PLACE = "../_static/live/model/"
"""Where it lies, from the site's `python/`."""

WITHOUT = "The unit goes on without it: cells show what was kept of it."
WORDS, STEP = "embeddings.word_embeddings.weight", ".step"
KINDS = {"I8": np.int8, "F16": np.float16, "F32": np.float32}


class Damaged(OneSentence, Exception):
    """A part is not what the manifest says."""


def load() -> Encoder | None:
    """The encoder, each part verified by SHA-256.

    Returns:
        The encoder, or `None` after a sentence that says what is missing.
    """
    try:
        manifest = json.loads(site.read(f"{PLACE}manifest.json"))
    except (OSError, ValueError):
        return print(f"This copy of the site has no model, or there is no connection. {WITHOUT}")
    parts, first = manifest["parts"], manifest["first"]
    total = sum(parts[name]["packed"] for name in first) / 1e6
    print(f"Fetching the model from this site: {total:.1f} MB, once; this browser keeps it.", flush=True)
    try:
        found = {name: _part(parts[name]) for name in first}
        body, said = _tensors(found["body"])
        about = json.loads(said["about"])
    except (OSError, EOFError, ValueError, KeyError, Damaged) as error:
        return print(f"The model did not come: {error}. Run the cell again to try once more. {WITHOUT}")
    print("It is here, and has the right checksums.")
    state: dict[str, Any] = {
        name: _tensor(widened(one, body[name + STEP]) if name + STEP in body else one)
        for name, one in body.items()
        if not name.endswith(STEP) and "." in name
    }
    state[WORDS] = Words(parts, about["shards"], _tensors(found["words-0"])[0])
    places = len(state["embeddings.position_embeddings.weight"])
    same = tuple(about["sentences"]) == COMPARED
    meant = [_tensor(body["nearest"])] if same else []
    return Encoder(state, WordPiece(found["pieces"].decode().split("\n"), places), meant)


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.astype(np.float32))


class Words:
    """The rows of all words, as a tensor that is asked for some of them.

    Attributes:
        shape: (words, 384).
    """

    def __init__(self, parts: Any, bounds: list[int], first: dict[str, np.ndarray]) -> None:
        self._parts, self._bounds, self._here = parts, bounds, {0: first}
        self.shape = (bounds[-1], first["levels"].shape[1])

    def __getitem__(self, ids: torch.Tensor) -> torch.Tensor:
        """The rows of these words, of which some parts may be fetched.

        Raises:
            NotFetched: when a part does not come.
            Damaged: when it is not what it should be.
        """
        ids = np.asarray(ids)
        found = np.empty((*ids.shape, self.shape[1]), np.float32)
        shards = np.searchsorted(self._bounds, ids, side="right") - 1
        new = [number for number in np.unique(shards) if number not in self._here]
        if new:
            more = sum(self._parts[f"words-{number}"]["packed"] for number in new) / 1e6
            print(f"Fetching more words of the model: {more:.1f} MB, once.", flush=True)
        for number in new:
            self._here[number] = _tensors(_part(self._parts[f"words-{number}"]))[0]
        for number in np.unique(shards):
            at = shards == number
            rows = ids[at] - self._bounds[number]
            part = self._here[number]
            found[at] = widened(part["levels"][rows], part["steps"][rows])
        return torch.from_numpy(found)


def widened(levels: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Numbers of whole numbers and a step for each row."""
    return levels.astype(np.float32) * steps.astype(np.float32)[:, None]


def _part(part: Any) -> bytes:
    """The bytes of a part, unpacked; some servers do that themselves."""
    data = site.read_once(f"{PLACE}{part['file']}?{part['sha256'][:8]}")
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    if hashlib.sha256(data).hexdigest() != part["sha256"]:
        raise Damaged(f"{part['file']} has another checksum")
    return data


def _tensors(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of a safetensors file, and what it says of itself."""
    size = int.from_bytes(data[:8], "little")
    outline = json.loads(data[8 : 8 + size])
    about = outline.pop("__metadata__", {})
    found = {}
    for name, one in outline.items():
        start, end = (8 + size + at for at in one["data_offsets"])
        found[name] = np.frombuffer(data[start:end], KINDS[one["dtype"]]).reshape(one["shape"])
    return found, about
