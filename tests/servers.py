"""Real servers for the tests, on loopback: PostgreSQL, and dask's scheduler and workers."""

import contextlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.classroom import ROOT, environ
from tools.patience import LONGEST, PATIENCE, until


def a_port():
    """For a server that cannot choose one: one that no system hands out. In use, ask again."""
    return 10_000 + secrets.randbelow(20_000)


def recipe():
    """What docs/grading.md tells a PostgreSQL superuser to run."""
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    return re.findall(r"^sudo -u postgres (create(?:user|db) .+)$", page, re.MULTILINE)


@contextlib.contextmanager
def postgres():
    """A PostgreSQL server of its own, set up as docs/grading.md says; yields the address for `--db`."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    assert programs, "PostgreSQL is not installed: run `sudo apt install postgresql`"
    place = Path(tempfile.mkdtemp(prefix="postgres-"))
    as_user = []
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(place, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    at_server = {**os.environ, "PGHOST": "127.0.0.1", "PGUSER": "postgres", "PGCTLTIMEOUT": f"{PATIENCE:g}"}

    def run(program, *words):
        command = [*as_user, programs[-1] / program, *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, cwd=place, env=at_server, timeout=LONGEST)

    data = place / "data"
    run("initdb", "--pgdata", data, "--auth=trust", "--username=postgres", "--no-sync")
    settings = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories={place} -c fsync=off"
    while True:
        at_server["PGPORT"] = port = str(a_port())
        log = place / f"log-{port}"
        try:
            run("pg_ctl", "--pgdata", data, "--wait", "--log", log, "--options", settings, "start")
            break
        except subprocess.CalledProcessError:
            if "Address already in use" not in log.read_text():
                raise
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
def dask(workers, folder):
    """A dask scheduler and workers, each a process of its own; yields the address and the workers.

    Args:
        workers: how many; the scheduler knows them all.
        folder: where the scheduler writes its address.
    """
    from distributed import Client

    started = []

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

    def address():
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):  # not there yet, or half written
            return json.loads(file.read_text())["address"]

    try:
        file = folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", 0, "--scheduler-file", file, "--no-dashboard", "--no-show")
        start("dask_scheduler", *words)
        scheduler = until(address)
        words = ("--nthreads", 1, "--no-dashboard", "--no-nanny", "--memory-limit", 0)
        processes = [start("dask_worker", scheduler, *words) for _ in range(workers)]
        if workers:
            with Client(scheduler, timeout=PATIENCE) as client:
                client.wait_for_workers(workers, timeout=PATIENCE)
        yield scheduler, processes
    finally:
        for process in started:
            process.kill()
            process.wait()
