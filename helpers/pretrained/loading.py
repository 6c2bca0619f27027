"""`load`: the model, from where it lies or from where it can be fetched; `None` where it cannot be had."""

import importlib.util
import os
from pathlib import Path

from helpers.errors import Interrupted
from helpers.pretrained import files
from helpers.pretrained.encoder import Encoder, opened
from helpers.pretrained.fetching import NoModel, fetch

WITHOUT = "The unit goes on without it: cells show what was kept of it, and the exercises need none."


def load(cache: Path | None = None) -> Encoder | None:
    """The encoder, its files verified by SHA-256 each time; fetched once, less than 100 MB, and kept.

    Where nbgrader runs the notebook it stays away, since no check needs it.

    Args:
        cache: where fetched files are kept; the course's own folder in the user's cache by default.

    Returns:
        The encoder, or `None` after a sentence that says what is missing.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return print(f"The model is left out where a notebook is validated or graded. {WITHOUT}")
    missing = [name for name in ("safetensors", "tokenizers") if importlib.util.find_spec(name) is None]
    if missing:
        names = " and ".join(missing)
        return print(f"The model needs {names}: run `make setup`, or `pip install {names}`. {WITHOUT}")
    try:
        return opened(folder(cache or files.own_cache()))
    except KeyboardInterrupt:
        raise Interrupted(
            "you stopped the fetching of the model: run the cell again when you like."
        ) from None
    except (NoModel, OSError) as error:
        return print(f"The model cannot be had here ({error}). {WITHOUT}")


def folder(cache: Path) -> Path:
    """A folder that holds both files, verified; they are fetched where none does.

    Raises:
        NoModel: when they cannot be fetched.
    """
    for place in (cache, files.hub_cache()):
        if files.complete(place):
            return place
        if any((place / name).exists() for name in files.SHA256):
            print(f"A file of the model in {place} is damaged: another one is fetched.")
    return fetch(cache)
