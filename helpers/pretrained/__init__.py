"""A real pretrained encoder, all-MiniLM-L6-v2, for the learner's own attention to run in.

Importing it loads nothing and asks no network.  `load` finds the model's two files or fetches them, and gives
`None` and a sentence where they cannot be had; `dog_sentence` is committed and always there.  The model was
made by others and is under the Apache License 2.0; its weights are no part of this repository.
"""

from helpers.browser import HERE
from helpers.lazy import parts_of

_HOMES = {
    "dog_sentence": "committed",
    "encode": "encoder",
    "head_means": "switching",
    "in_layer": "switching",
    "in_pytorch": "in_pytorch",
    "little_state": "little",
    "load": "loading",
    "saw_sentence": "committed",
    "without_head": "switching",
}
if HERE:  # the site has the model
    _HOMES["load"] = ".in_browser.packed"
__all__ = sorted(_HOMES)
__getattr__, __dir__ = parts_of(__name__, _HOMES)
