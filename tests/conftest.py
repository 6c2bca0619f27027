"""What the tests share: PyTorch on one thread, and a time limit that fits a test."""

import os

import pytest

# Before anything imports PyTorch, and for the processes that tests start: more threads are slower here.
os.environ["OMP_NUM_THREADS"] = "1"


@pytest.fixture
def one_second(monkeypatch):
    """Give every call of an answer one second, so that a loop without end costs a test no more."""
    from helpers import probe

    monkeypatch.setattr(probe.observe, "__defaults__", (1.0,))
