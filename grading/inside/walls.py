"""The inner wall: what keeps one submission from the next inside the sandbox.

Bubblewrap stands around the whole warm process (see `outside/sandbox.py`). Each process forked from it enters
namespaces of its own here, gives up every privilege, and then runs learner code. Needs Linux; standard
library and libseccomp only.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import struct
from collections.abc import Callable

from grading.inside import system_calls

NEW_USER, NEW_PID, NEW_MOUNTS, NEW_IPC = 0x10000000, 0x20000000, 0x00020000, 0x08000000
READ_ONLY, NOSUID, NODEV, NOEXEC, REMOUNT = 0x1, 0x2, 0x4, 0x8, 0x20
BIND, MOVE, RECURSIVE, UNSHARED = 0x1000, 0x2000, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
NOBODY = 65534
FILES, INODES = 256, 4096
"""Files that it may have open, and that it may make in each place: an empty one costs memory too."""
PRIVATE = "/submission"
"""Where a submission may write, and nobody else sees it."""

ENVIRONMENT = {
    "HOME": "/submission",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "agg",
    "MPLCONFIGDIR": "/submission/matplotlib",
    "TMPDIR": "/submission",
    "NBGRADER_EXECUTION": "autograde",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "",
    "PYTHONSAFEPATH": "1",
    "PYTHONWARNINGS": "ignore",
    "TZ": "UTC",
}
"""All that learner code finds in its environment; the sandbox adds the path of the course."""

ADDED = {"PWD", "LC_CTYPE", "KMP_INIT_AT_FORK", "KMP_DUPLICATE_LIB_OK"}
"""Names without secrets that the shell or a library adds by itself."""

_libc = ctypes.CDLL(None, use_errno=True)


def leave_root() -> None:
    """Become nobody, where the grader runs as root (in a container, for example)."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        _prctl(PR_SET_DUMPABLE, 1)  # else the files in /proc/self stay root's


def enclose(lifeline: socket.socket, limits: dict[str, float], walled: bool) -> None:
    """Return in a new process behind the wall; the caller stays outside, watches over it, and never returns.

    Args:
        lifeline: when its other end is closed, the new process is killed; when the process ends by
            itself, its exit status is written here.
        limits: the fields of `grading.outside.limits.Limits`.
        walled: `False` leaves the limits alone, for an instructor who accepts that.
    """
    os.setsid()  # signals to the group of this process reach it alone
    if walled:
        _enter_namespaces()
    pid = os.fork()  # the first process of its own pid namespace: when it ends, all in there end
    if pid:
        _watch(pid, lifeline)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    lifeline.close()
    if walled:
        _hide(int(limits["disk"]))
    _set_limits(limits)
    if walled:
        _drop_capabilities()
        system_calls.deny()


def report() -> dict[str, str]:
    """What can be reached from here, each tried in a harmless way; empty texts where all is well."""
    return {
        "capabilities": status("CapEff").lstrip("0"),
        "privileges to gain": "" if status("NoNewPrivs") == "1" else "some",
        "system calls": "" if status("Seccomp") == "2" else "all",
        "network": "a socket" if _reaches(_connect) else "",
        "processes": " ".join(name for name in os.listdir("/proc") if name.isdigit()),
        "new process": "possible" if _reaches(_fork) else "",
        "environment": " ".join(sorted(os.environ.keys() - ENVIRONMENT.keys() - ADDED)),
        "writable places": " ".join(place for place in ("/", "/dev", "/usr") if os.access(place, os.W_OK)),
    }


def status(field: str) -> str:
    """One line of what the kernel says about this process."""
    (line,) = (line for line in _read("/proc/self/status").splitlines() if line.startswith(f"{field}:"))
    return line.split()[1]


def _reaches(attempt: Callable[[], None]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _connect() -> None:
    socket.socket().close()


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _enter_namespaces() -> None:
    uid, gid = os.getuid(), os.getgid()
    _done(_libc.unshare(NEW_USER | NEW_PID | NEW_MOUNTS | NEW_IPC), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _watch(pid: int, lifeline: socket.socket) -> None:
    ended = os.pidfd_open(pid)
    for number in {int(name) for name in os.listdir("/proc/self/fd")} - {ended, lifeline.fileno()}:
        with contextlib.suppress(OSError):  # the one that listed them is closed already
            os.close(number)
    ready, _, _ = select.select([lifeline, ended], [], [])
    if ended not in ready:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    try:
        lifeline.sendall(struct.pack("i", os.waitstatus_to_exitcode(status)))
    finally:
        os._exit(0)


def _hide(disk: int) -> None:
    """Fresh, empty places to write, and a list of processes that shows no other."""
    _mount(None, "/", None, RECURSIVE | UNSHARED)
    places = {PRIVATE: 1.0, "/dev/shm": 0.25, "/dev/pts": 0.01, "/tmp": 0.25}
    if os.listdir("/tmp"):  # Python itself lies there
        del places["/tmp"]
    for place, share in places.items():
        _mount(
            "tmpfs", place, "tmpfs", NOSUID | NODEV, f"size={int(disk * share)},nr_inodes={INODES},mode=700"
        )
    _hide_processes()


def _hide_processes() -> None:
    """Leave of /proc this process alone, as `/proc/self`, and what libraries ask about the machine."""
    new = f"{PRIVATE}/.proc"
    os.mkdir(new)
    _mount("tmpfs", new, "tmpfs", NOSUID | NODEV | NOEXEC, "size=64k,mode=755")
    os.mkdir(f"{new}/self")
    _mount("/proc/self", f"{new}/self", None, BIND)
    for name in ("mountinfo", "mounts", "mountstats"):  # they name the grader's folders
        _mount("/dev/null", f"{new}/self/{name}", None, BIND)
    for name in ("cpuinfo", "meminfo", "stat"):
        _write(f"{new}/{name}", "")
        _mount(f"/proc/{name}", f"{new}/{name}", None, BIND)
    _mount(new, "/proc", None, MOVE)
    os.rmdir(new)
    _mount(None, "/proc", None, BIND | REMOUNT | READ_ONLY | NOSUID | NODEV | NOEXEC)


def _set_limits(limits: dict[str, float]) -> None:
    mapped = int(_read("/proc/self/statm").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    seconds = int(limits["notebook_seconds"])
    for what, most in (
        (resource.RLIMIT_AS, mapped + int(limits["memory"])),
        (resource.RLIMIT_FSIZE, int(limits["disk"])),
        (resource.RLIMIT_NPROC, int(limits["threads"])),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _drop_capabilities() -> None:
    header = struct.pack("Ii", 0x20080522, 0)
    _done(_libc.capset(header, bytes(24)), "capset")
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    names = [None if name is None else os.fsencode(name) for name in (source, target, kind, options)]
    done = _libc.mount(*names[:3], ctypes.c_ulong(flags), names[3])
    _done(done, f"mount {target}")


def _prctl(what: int, value: int) -> None:
    _done(_libc.prctl(what, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3), f"prctl {what}")


def _done(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
