"""Unit 08's model in the Python of a browser: run by Pyodide, with `model/` in `/lite` as the site has it."""

import json
import os
import time
from pathlib import Path

import numpy as np

from helpers import pretrained, views
from helpers.in_browser import site
from helpers.learner.yours import yours
from helpers.pretrained import in_numpy

os.makedirs("/_static/live")
os.symlink("/lite/model", "/_static/live/model")
site.FOLDER = Path("/lite")
seconds = {}


def timed(name, call):
    begun = time.monotonic()
    result = call()
    seconds[name] = round(time.monotonic() - begun, 2)
    return result


def with_torch(x, weights, num_heads, allowed):
    return x.unflatten(-1, (num_heads, -1)), None


def of_keys(x, weights, num_heads, allowed):
    """Softmax over the queries, in NumPy."""
    B, n, _ = x.shape
    parts = {part: x @ weights[f"W_{part}"] + weights[f"b_{part}"] for part in "qkv"}
    Q, K, V = (part.reshape(B, n, num_heads, -1).swapaxes(1, 2) for part in parts.values())
    scores = np.where(allowed, Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1]), -1e9)
    powers = np.exp(scores - scores.max(-2, keepdims=True))
    shares = powers / powers.sum(-2, keepdims=True)
    return (shares @ V).swapaxes(1, 2).reshape(B, n, -1) @ weights["W_o"] + weights["b_o"], shares


def said(view):
    return view._repr_mimebundle_()["text/plain"]


model = timed("load", pretrained.load)
own = "She opened the can that nobody can open."
told = {
    "model": repr(model),
    "right": said(timed("view", lambda: views.real_model(model))),
    "own": said(timed("own", lambda: views.real_model(model, own, attention=in_numpy.bert_attention))),
    "torch": said(views.real_model(model, attention=with_torch)),
    "wrong": said(views.real_model(model, attention=of_keys)),
    "heads": said(
        timed("heads", lambda: views.real_model(model, silence=in_numpy.silence_head)),
    ),
}
kept = pretrained.dog_sentence()
pick, attention = yours("layer_weights"), yours("bert_attention")
embeddings, maps = timed("six sentences", lambda: pretrained.encode(model, kept.sentences, pick, attention))
told["embeddings"] = np.asarray(embeddings, float).tolist()
told["maps"] = list(maps.shape)
told["seconds"] = seconds
print(json.dumps(told))
