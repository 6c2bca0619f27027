"""Measures the CPU seconds of each test, its children, browsers and sandboxes counted.

A process's time reaches its parent when that waits for it. What a killed browser or sandbox leaves behind is
waited for by nobody, so every process below this one is looked at twice a second, and its last figure kept.
Outside Linux, which has /proc, only processes that were waited for count. What a process does for several
tests, such as a browser, counts for the test during which it did it.
"""

import os
import threading
from pathlib import Path

import pytest

FILE = "cpu_seconds.tsv"
SHOWN = 30
EVERY = 0.5  # seconds between two looks
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 1


def _processes(pid: int) -> dict:
    """Return the processes below `pid`: (pid, start) -> (parent, ticks with those it waited for)."""
    found, parents = {}, [pid]
    while parents:
        parent = parents.pop()
        try:
            tasks = os.listdir(f"/proc/{parent}/task")
            texts = [Path(f"/proc/{parent}/task/{task}/children").read_text() for task in tasks]
        except OSError:
            continue
        for child in " ".join(texts).split():
            if seen := _read(child):
                found[int(child), seen[1]] = (seen[0], seen[2])
                parents.append(int(child))
    return found


def _read(pid: int | str) -> tuple[int, str, int] | None:
    """Return a process's parent, start time and ticks; None if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), fields[19], sum(map(int, fields[11:15]))


class Meter:
    """Adds up what this process and all below it have computed; `seconds` never falls."""

    def __init__(self):
        self.lost, self.seen, self.lock = 0, {}, threading.Lock()

    def watch(self):
        """Look at all processes every half second, until this one ends."""
        while True:
            self.seconds()
            threading.Event().wait(EVERY)

    def seconds(self) -> float:
        """Return the CPU seconds so far."""
        with self.lock:
            now = _processes(os.getpid())
            living = {os.getpid()} | {pid for pid, _ in now}
            for key, (parent, ticks) in self.seen.items():
                if key in now:
                    continue
                still = _read(key[0])
                if still and still[1] == key[1]:
                    now[key] = (parent, still[2])  # it has lost its parent and goes on
                elif parent not in living:
                    self.lost += ticks
            self.seen = now
            return sum(os.times()[:4]) + (self.lost + sum(ticks for _, ticks in now.values())) / TICKS


class CpuSeconds:
    """Writes a row for each test into a file, and ends the run with the dearest."""

    def __init__(self, config):
        self.config, self.rows, self.start = config, [], 0.0
        if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
            self.meter = Meter()
            threading.Thread(target=self.meter.watch, daemon=True).start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.start = self.meter.seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Give the report of each phase what that phase computed: xdist carries it to the first process."""
        report = yield
        now = self.meter.seconds()
        report.cpu_seconds, self.start = now - self.start, now
        return report

    def pytest_runtest_logreport(self, report):
        if not hasattr(self.config, "workerinput"):
            self.rows.append((report.nodeid, report.when, getattr(report, "cpu_seconds", 0.0)))

    def pytest_terminal_summary(self, terminalreporter):
        """Write the file, and print the dearest tests: what each computed, and of that its set-up."""
        if hasattr(self.config, "workerinput"):
            return
        tests = {}
        for name, when, seconds in self.rows:
            total, setup = tests.get(name, (0.0, 0.0))
            tests[name] = (total + seconds, setup + seconds * (when == "setup"))
        order = sorted(tests, key=lambda name: -tests[name][0])
        lines = [f"{tests[name][0]:.2f}\t{tests[name][1]:.2f}\t{name}" for name in order]
        path = self.config.rootpath / "build" / FILE
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(["seconds\tset-up\ttest", *lines, ""]), "utf-8")
        total = sum(seconds for seconds, _ in tests.values())
        terminalreporter.section(f"{SHOWN} dearest of {total / 60:.1f} CPU minutes, all in build/{FILE}")
        for line in lines[:SHOWN]:
            terminalreporter.write_line(line)
