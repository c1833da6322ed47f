"""What a compiled candidate takes from its surroundings, whatever its text calls it: the symbol table cannot be spelt around.

A pointer to a function, an assembler label or a pasted name hide a call from `policy.py`; the linker needs its real name all the same.
"""

import re
import struct
from collections.abc import Iterable

from regrapht.evaluate.draft import Rejected
from regrapht.records.task import Task
from regrapht.records.verdict import Status

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLES = (2, 11)
"""SHT_SYMTAB and SHT_DYNSYM."""
_UNDEFINED = 0

# fmt: off
_FORBIDDEN = frozenset({
    # processes and threads
    "fork", "vfork", "_Fork", "clone", "__clone", "clone3", "posix_spawn", "posix_spawnp", "execl", "execle",
    "execlp", "execv", "execve", "execvp", "execvpe", "fexecve", "system", "popen", "kill", "killpg", "tgkill",
    "pthread_kill", "pthread_create", "thrd_create", "ptrace", "prctl", "setrlimit", "unshare", "setns",
    "personality", "syscall",
    # files, descriptors and sockets
    "open", "open64", "openat", "openat64", "creat", "fopen", "fopen64", "freopen", "freopen64", "fdopen",
    "tmpfile", "mkstemp", "opendir", "scandir", "read", "pread", "pread64", "readv", "write", "pwrite",
    "pwrite64", "writev", "sendfile", "splice", "dup", "dup2", "dup3", "close", "closefrom", "pipe", "pipe2",
    "fcntl", "fcntl64", "ioctl", "ftruncate", "truncate", "lseek", "rename", "renameat", "remove", "unlink",
    "unlinkat", "link", "linkat", "symlink", "symlinkat", "mkfifo", "mknod", "mkdir", "rmdir", "chdir",
    "fchdir", "chmod", "fchmod", "chown", "readlink", "realpath", "socket", "connect", "bind", "listen",
    "accept", "send", "recv", "sendmsg", "recvmsg", "shm_open", "memfd_create", "mount",
    # mappings
    "mmap", "mmap64", "munmap", "mprotect", "mremap", "pkey_mprotect", "madvise", "brk", "sbrk",
    "process_vm_readv", "process_vm_writev",
    # endings and signals
    "_exit", "_Exit", "quick_exit", "at_quick_exit", "__cxa_at_quick_exit", "on_exit", "signal", "sigaction",
    "__sigaction", "bsd_signal", "sigprocmask", "sigaltstack", "setitimer", "alarm", "timer_create", "longjmp",
    "siglongjmp", "_longjmp", "setcontext", "swapcontext",
    # the process's own surroundings
    "setenv", "putenv", "unsetenv", "clearenv", "environ", "__environ", "dlmopen", "dlvsym", "dladdr",
    "dladdr1", "dlinfo", "dl_iterate_phdr", "_r_debug", "__libc_start_main", "clock_settime", "settimeofday",
})
_LOADING = frozenset({"dlopen", "dlsym", "dlclose", "getenv", "secure_getenv"})
"""What the headers of CUB and Thrust use themselves: allowed with them."""
# fmt: on
# Classes of the C++ library for threads and files, and the emulator's own variables.
_FORBIDDEN_CLASSES = re.compile(
    r"_ZN?K?(St6thread|St14basic_ifstream|St14basic_ofstream|St13basic_fstream|St10filesystem|7runtime)"
)


def refuse_imports(compiled: bytes, task: Task) -> None:
    """Check the symbols that an ELF object or shared object leaves to others to define.

    Raises:
        Rejected: It uses a process, thread, file, signal or other function that a candidate has no use for.
    """
    forbidden = forbidden_imports(undefined_symbols(compiled), task)
    if forbidden:
        raise Rejected(
            Status.POLICY_REJECTED,
            f"the compiled code uses {', '.join(forbidden[:4])}",
            feedback=f"{forbidden[0]} is not allowed: a candidate only computes its outputs.",
        )


def forbidden_imports(names: Iterable[str], task: Task) -> list[str]:
    """Those of `names` that a candidate for `task` may not use, sorted."""
    forbidden = _FORBIDDEN if task.contract.allow_libraries else _FORBIDDEN | _LOADING
    plain = {name.split("@")[0] for name in names}
    return sorted(name for name in plain if name in forbidden or _FORBIDDEN_CLASSES.match(name))


def undefined_symbols(compiled: bytes) -> frozenset[str]:
    """The names that a 64-bit little-endian ELF file uses without defining them.

    Raises:
        Rejected: It is no such file; a compiler wrote it, so the candidate has put another in its place.
    """
    try:
        return frozenset(_undefined(compiled))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise Rejected(Status.POLICY_REJECTED, f"the compiled code is not what a compiler writes: {error}") from error


def _undefined(compiled: bytes) -> Iterable[str]:
    if compiled[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no ELF file")
    (table,) = struct.unpack_from("<Q", compiled, 0x28)
    entry_bytes, count = struct.unpack_from("<HH", compiled, 0x3A)
    sections = [_SECTION.unpack_from(compiled, table + i * entry_bytes) for i in range(count)]
    tables = [section for section in sections if section[1] in _SYMBOL_TABLES]
    if not tables or sum(section[5] for section in tables) > len(compiled):
        raise ValueError("no symbol table")
    for _, _, _, _, start, length, link, _, _, _ in tables:
        names = sections[link][4]
        for offset in range(start, start + length, _SYMBOL.size):
            name, _, _, place, _, _ = _SYMBOL.unpack_from(compiled, offset)
            if place == _UNDEFINED and name:
                yield compiled[names + name : compiled.index(b"\0", names + name)].decode("ascii")
