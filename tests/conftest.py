"""What the tests share: PyTorch on one thread, and a time limit that fits a test."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# Before anything imports PyTorch, and for the processes that tests start: more threads are slower here.
os.environ["OMP_NUM_THREADS"] = "1"


@pytest.fixture
def one_second(monkeypatch):
    """Give every call of an answer one second, so that a loop without end costs a test no more."""
    from helpers import probe

    monkeypatch.setattr(probe.observe, "__defaults__", (1.0,))


@pytest.fixture(scope="module")
def chromium():
    """A real browser; closed with its file, since other tests want the event loop for themselves."""
    from tools import browser

    with browser.chromium() as one:
        yield one
