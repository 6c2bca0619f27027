"""Two small trainings for unit 07, written to be read: the data, the models, the loop, and one call for each.

grammar.py   sentences in which "saw" is a noun or a verb
blocks.py    tokens drawn at random that come a second time
models.py    a tagger and a decoder, made of `reference.TransformerBlock`
loop.py      the training loop, with its progress bar and its loss plot
runs.py      `train_tagger`, `train_decoder`, and what is measured afterwards
writing.py   writing with a cache and without (unit 09)
rotary.py    attention that turns queries and keys by their places (unit 09)
suspect.py   an attention with a mistake: look into it last
"""

from helpers.lazy import parts_of

_HOMES = {
    "Decoder": "models",
    "SuspectAttention": "suspect",
    "Tagger": "models",
    "WORDS": "grammar",
    "TAGS": "grammar",
    "beats_the_commoner": "runs",
    "best_head": "runs",
    "compare_taggers": "runs",
    "copying_loss": "runs",
    "leaks": "runs",
    "letters": "runs",
    "new_decoder": "runs",
    "no_places": "rotary",
    "repeated": "blocks",
    "rotary_attention": "rotary",
    "say_best_head": "runs",
    "say_tags": "runs",
    "say_writing": "writing",
    "silenced": "models",
    "show_text": "runs",
    "text": "grammar",
    "time_writing": "writing",
    "train_decoder": "runs",
    "train_tagger": "runs",
    "write": "writing",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = parts_of(__name__, _HOMES)
