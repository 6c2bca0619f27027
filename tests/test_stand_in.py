"""PyTorch's stand-in does what PyTorch does: results, types, gradients, errors, random numbers, text."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from helpers.in_browser.pytorch import STAND_IN
from tests.stand_in_says import __file__ as ASKS
from tools.shell import ROOT


def _lines():
    section, found = "", {}
    for line in (ROOT / "tests/stand_in.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            section = line[2:]
        elif line:
            found.setdefault(section, []).append(line)
    return found


SECTIONS = _lines()


@pytest.fixture(scope="module")
def says():
    """What PyTorch says to each line, and what its stand-in says."""
    return [_told(str(ROOT)), _told(os.pathsep.join([STAND_IN, str(ROOT)]))]


def _told(path):
    done = subprocess.run(
        [sys.executable, ASKS], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(map(json.loads, done.stdout.splitlines()))


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS)
def test_it_says_what_pytorch_says(section, says):
    there, here = says
    differ = [
        f"{line}\n  PyTorch:  {there[line]}\n  stand-in: {here[line]}"
        for line in SECTIONS[section]
        if not same(there[line], here[line])
    ]
    assert not differ, "\n".join(differ)


def same(one, other):
    """Equal, but for the last digits of floats."""
    if isinstance(one, dict) and isinstance(other, dict) and "numbers" in one and "numbers" in other:
        shape = [{**each, "numbers": None} for each in (one, other)]
        far = 1e-9 if one["dtype"] in ("torch.float64", "torch.complex128") else 2e-5
        return shape[0] == shape[1] and np.allclose(
            one["numbers"], other["numbers"], far, far, equal_nan=True
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return np.isclose(one, other, 1e-5, equal_nan=True)
    return one == other


def test_every_name_that_it_lacks_is_told_by_name():
    asks = (
        "import torch, torch.fft\n"
        "for use in (lambda: torch.svd(torch.ones(2, 2)), lambda: torch.ones(2).erfinv(),\n"
        "            lambda: torch.nn.LSTM(2, 3), lambda: torch.fft.rfft(torch.ones(2))):\n"
        "    try: use()\n"
        "    except torch.NoPyTorch as error: print(error)"
    )
    path = os.pathsep.join([STAND_IN, str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", asks], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    told = done.stdout.splitlines()
    assert [line.split()[0] for line in told] == [
        "torch.svd",
        "Tensor.erfinv",
        "torch.nn.LSTM",
        "torch.fft.rfft",
    ]
    assert all(line.endswith("or install the course on your computer.") for line in told), done.stderr


@pytest.mark.slow
def test_the_names_that_pytorch_has_are_known():
    """`python -m tests.test_stand_in` writes them."""
    alone = "from tests.test_stand_in import names; print(names(), end='')"  # imports add names to PyTorch's
    words = [sys.executable, "-W", "ignore", "-c", alone]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == (ROOT / "helpers/in_browser/stand_in/torch/names.txt").read_text("utf-8")


def names():
    """One line for each module, and one for tensors."""
    import torch

    homes = {one.__name__: one for one in (torch, torch.nn, torch.nn.functional)} | {"Tensor": torch.Tensor}
    return "".join(
        f"{name}: {' '.join(one for one in sorted(dir(home)) if not one.startswith('_'))}\n"
        for name, home in homes.items()
    )


if __name__ == "__main__":
    (ROOT / "helpers/in_browser/stand_in/torch/names.txt").write_text(names(), "utf-8")
