"""Real servers for the tests, on loopback: PostgreSQL, and dask's scheduler and workers."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.classroom import ROOT, environ


def free_port():
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        return end.getsockname()[1]


def _wait(is_there, seconds=60):
    until = time.monotonic() + seconds
    while not is_there():
        assert time.monotonic() < until, f"{is_there.__name__} waited {seconds} seconds in vain"
        time.sleep(0.1)


def recipe():
    """What docs/grading.md tells a PostgreSQL superuser to run."""
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    return re.findall(r"^sudo -u postgres (create(?:user|db) .+)$", page, re.MULTILINE)


@contextlib.contextmanager
def postgres():
    """A PostgreSQL server of its own, set up as docs/grading.md says; yields the address for `--db`."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    assert programs, "PostgreSQL is not installed: run `sudo apt install postgresql`"
    place, port = Path(tempfile.mkdtemp(prefix="postgres-")), free_port()
    as_user = []
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(place, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    at_server = {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "postgres"}

    def run(program, *words):
        command = [*as_user, programs[-1] / program, *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, cwd=place, env=at_server, timeout=60)

    data = place / "data"
    run("initdb", "--pgdata", data, "--auth=trust", "--username=postgres", "--no-sync")
    settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place} -c fsync=off"
    run("pg_ctl", "--pgdata", data, "--wait", "--log", place / "log", "--options", settings, "start")
    try:
        for line in recipe():
            run(*line.split())
        yield f"postgresql+pg8000://grader@127.0.0.1:{port}/gradebook"
    finally:
        run("pg_ctl", "--pgdata", data, "--mode=immediate", "stop")
        shutil.rmtree(place, ignore_errors=True)


def psql(server, statement):
    """Run SQL as the superuser of such a server, `host:port`."""
    import pg8000.native

    host, _, port = server.partition(":")
    with contextlib.closing(pg8000.native.Connection("postgres", host, "gradebook", int(port))) as link:
        link.run(statement)


@contextlib.contextmanager
def dask(workers):
    """A dask scheduler and workers, each a process of its own; yields the address and the workers."""
    port, started = free_port(), []
    address = f"tcp://127.0.0.1:{port}"

    def start(*words):
        command = [sys.executable, "-m", "distributed.cli." + words[0], *map(str, words[1:])]
        process = subprocess.Popen(
            command,
            env=environ(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        started.append(process)
        return process

    def scheduler_listens():
        with socket.socket() as end:
            return end.connect_ex(("127.0.0.1", port)) == 0

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--no-show")
        _wait(scheduler_listens)
        words = ("--nthreads", 1, "--no-dashboard", "--no-nanny", "--memory-limit", 0)
        yield address, [start("dask_worker", address, *words) for _ in range(workers)]
    finally:
        for process in started:
            process.kill()
            process.wait()
