"""What is said of the answers in both banks by a Python of its own: with PyTorch, or with its stand-in."""

import json
import os
import subprocess
import sys

from helpers.in_browser.pytorch import STAND_IN
from tests.bank_verdicts import WITH_VECTORS
from tools.shell import ROOT

DRAWN = "which numbers are dropped or drawn differs in PyTorch too, from one kind of processor to another"
MEASURED = "how much memory Python takes is measured, of more queries there"
LACKED = "the stand-in lacks what it uses, and says so"
TIES = "which of equal scores topk puts first is promised by no PyTorch: it differs between builds"
CHANCE = DRAWN, TIES
OTHERWISE = {
    "best_match: best_by_topk": TIES,
    "multi_head_attention: mha_dropout": DRAWN,
    "next_token_probabilities: samples_a_token_instead_of_returning_the_pro": DRAWN,
    "next_token_probabilities: drawn_and_marked": DRAWN,
    "sinusoidal_positions: learned_positions_a_random_nnembedding_not_t": DRAWN,
    "online_attention: in_numpy": MEASURED,
    "online_attention: in_lists": MEASURED,
    "MultiHeadAttention: UnderAWeightNorm": LACKED,
    "MultiHeadAttention: LazyThatKnow": LACKED,
}
"""The answers of which other words are said where the stand-in is, and why."""


def natively(unit, *, stand_in=False, every=1, module="tests.bank_verdicts"):
    """One dict an answer, from a NumPy that sorts as Pyodide's does: without this processor's own ways."""
    path = os.pathsep.join([*([STAND_IN] if stand_in else []), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", module, unit, str(every)],
        cwd=ROOT,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": WITH_VECTORS, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return parsed(done.stdout)


def parsed(printed):
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def said(verdict):
    """What a learner is told; whole numbers have 32 bits in Pyodide where they have 64 here."""
    return verdict["passed"], verdict["misconception"], verdict["says"].replace("int32", "int64")


def must_be_equal(here, there, otherwise):
    """All verdicts are, but those that are listed; gives how many are."""
    assert [one["answer"] for one in there] == [one["answer"] for one in here]
    differ = {
        one["answer"]: (said(one), said(other))
        for one, other in zip(here, there, strict=True)
        if said(one) != said(other)
    }
    unlisted = {answer: both for answer, both in differ.items() if answer not in otherwise}
    assert not unlisted, "\n\n".join(
        "\n".join(map(str, (answer, *both))) for answer, both in unlisted.items()
    )
    listed = {
        one["answer"] for one in here if otherwise.get(one["answer"], DRAWN) not in CHANCE
    }  # the others may be alike by chance
    assert listed <= differ.keys(), "an answer that is listed no longer differs"
    return len(here) - len(differ)
