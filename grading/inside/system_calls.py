"""The system calls that learner code may not make; libseccomp does the filtering."""

import ctypes
import errno
import functools
import os

DENIED = """
    flock fork vfork execve execveat ptrace process_vm_readv process_vm_writev process_madvise
    pidfd_getfd kcmp
    mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick
    mount_setattr unshare setns
    socket connect bind listen accept accept4 shmget shmat shmctl msgget semget mq_open memfd_create
    memfd_secret
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register fanotify_init
    inotify_init1 add_key request_key keyctl kexec_load kexec_file_load init_module finit_module
    delete_module open_by_handle_at name_to_handle_at
    swapon swapoff acct quotactl syslog reboot sethostname setdomainname settimeofday clock_settime
    adjtimex clock_adjtime personality mknod mknodat iopl ioperm vhangup
""".split()  # noqa: SIM905 - one a line otherwise
"""System calls that no answer needs: processes, programs, connections, mounts, features of the kernel."""

LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""What `fcntl` does with locks and leases on files: other submissions, and the machine, would notice them."""

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
INSTRUCTION = 8
"""Bytes of one instruction of a filter."""

_ALLOW, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_EQUAL, _MASKED_EQUAL, _THREAD = 4, 7, 0x00010000


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


@functools.cache
def compiled() -> bytes:
    """The filter as the kernel takes it; the warm process makes it once for all that are forked from it.

    Raises:
        OSError: when libseccomp does not make it.
    """
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(_ALLOW))  # never released: the process lasts as long

    def rule(name: str, action: int, *conditions: _Comparison) -> None:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # this kind of machine has no such call
            return
        array = (_Comparison * len(conditions))(*conditions)
        done = seccomp.seccomp_rule_add_array(context, action, number, len(conditions), array)
        if done != 0:
            raise OSError(-done, f"seccomp rule for {name}")

    for name in DENIED:
        rule(name, _EPERM)
    for command in LOCKS:
        rule("fcntl", _EPERM, _Comparison(1, _EQUAL, command, 0))
    rule("clone", _EPERM, _Comparison(0, _MASKED_EQUAL, _THREAD, 0))  # threads only
    rule("clone3", _ENOSYS)  # its flags cannot be seen here; the C library then uses clone
    with open(os.memfd_create("filter"), "r+b") as file:
        done = seccomp.seccomp_export_bpf(context, file.fileno())
        if done != 0:
            raise OSError(-done, "seccomp_export_bpf")
        file.seek(0)
        return file.read()


def deny() -> None:
    """Deny them to this process and its threads, for good; it must not be able to gain privileges any more.

    Raises:
        OSError: when the kernel does not take the filter.
    """
    program = _Program(len(compiled()) // INSTRUCTION, compiled())
    words = (ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.byref(program), *[ctypes.c_ulong(0)] * 2)
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, *words) != 0:
        raise OSError(ctypes.get_errno(), "seccomp filter")
