"""Unit 08's model in the Python of a browser: run by Pyodide, with `model/` in `/python` as on the site."""

import contextlib
import io
import json
import os
import time
from pathlib import Path

import numpy as np

from helpers import pretrained, reference, views
from helpers.in_browser import site
from helpers.learner.yours import yours

os.makedirs("/_static/live")
os.symlink("/python/model", "/_static/live/model")
site.FOLDER = Path("/python")
seconds = {}


def timed(name, call):
    begun = time.monotonic()
    result = call()
    seconds[name] = round(time.monotonic() - begun, 2)
    return result


def in_numpy(x, weights, num_heads, allowed):
    return np.asarray(x), np.ones(1)


def of_keys(x, weights, num_heads, allowed):
    """Softmax over the queries."""
    import torch

    Q, K, V = (
        (x @ weights[f"W_{part}"] + weights[f"b_{part}"]).unflatten(-1, (num_heads, -1)).transpose(1, 2)
        for part in "qkv"
    )
    scores = (Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5).masked_fill(~allowed, -1e9)
    shares = torch.softmax(scores, dim=-2)
    return (shares @ V).transpose(1, 2).flatten(2) @ weights["W_o"] + weights["b_o"], shares


def said(view):
    return view._repr_mimebundle_()["text/plain"]


model = timed("load", pretrained.load)
own = "She opened the can that nobody can open."
told = {
    "model": repr(model),
    "right": said(timed("view", lambda: views.real_model(model))),
    "own": said(timed("own", lambda: views.real_model(model, own, attention=reference.bert_attention))),
    "numpy": said(views.real_model(model, attention=in_numpy)),
    "wrong": said(views.real_model(model, attention=of_keys)),
    "heads": said(
        timed("heads", lambda: views.real_model(model, silence=reference.silence_head)),
    ),
}
kept = pretrained.dog_sentence()
printed, bert_attention = io.StringIO(), reference.bert_attention
with contextlib.redirect_stdout(printed):
    attention = yours("bert_attention")
told["yours"], pick = printed.getvalue(), reference.layer_weights
embeddings, maps = timed("six sentences", lambda: pretrained.encode(model, kept.sentences, pick, attention))
told["embeddings"] = np.asarray(embeddings, float).tolist()
told["maps"] = list(maps.shape)
told["seconds"] = seconds
print(json.dumps(told))
