"""sentence-transformers, the library that the model of unit 08 is made for, in an environment of its own.

`.second-opinion/` borrows PyTorch from this one, as `.peer/` does; nothing of it is installed for learners.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools import borrowed, needs
from tools.shell import ROOT

LIBRARY = "sentence-transformers==6.2.0"
HOME = ROOT / ".second-opinion"
SETTINGS = {
    "modules.json": [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ],
    "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
    "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
    "tokenizer_config.json": {
        "do_lower_case": True,
        "tokenizer_class": "BertTokenizer",
        "model_max_length": 512,
    },
    "config.json": {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": 384,
        "intermediate_size": 1536,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512,
        "num_attention_heads": 12,
        "num_hidden_layers": 6,
        "pad_token_id": 0,
        "type_vocab_size": 2,
        "vocab_size": 30522,
    },
}
"""What the model's authors say about it in the files beside the weights."""

PROGRAM = """
import json, sys
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu")
print(json.dumps(model.encode(json.loads(sys.argv[2]), show_progress_bar=False).tolist()))
"""


def python() -> Path:
    """Make the environment if it is missing, and return its Python."""
    return borrowed.python(HOME) if needs.second_opinion() else borrowed.environment(HOME, LIBRARY)


def embeddings(model: Path, sentences: Sequence[str], place: Path) -> list[list[float]]:
    """What the library makes of sentences.

    Args:
        model: the folder with the two files.
        sentences: texts.
        place: an empty folder, which the model is put together in.
    """
    for name, settings in SETTINGS.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(json.dumps(settings), "utf-8")
    for file in model.iterdir():
        (place / file.name).symlink_to(file)
    argv = [python(), "-W", "ignore", "-c", PROGRAM, place, json.dumps(list(sentences))]
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(argv, capture_output=True, text=True, check=True, env=environ)
    return json.loads(done.stdout.splitlines()[-1])
