"""The strong sandbox: bubblewrap with namespaces of its own for processes, network, IPC and the file system.

The program sees system libraries and compilers, the files it is handed, a scratch folder and, when asked, the GPU's device nodes. It has no
network, no home, no environment of ours, and runs as an ordinary user with kernel limits and a memory watchdog.

Not contained: an exploit of the kernel or of the GPU driver. This holds accidents and reward hacking.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from threading import Event

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.compiler_folder import compiler_folders, exposed_by
from regrapht.sandbox.escaping import escape
from regrapht.sandbox.privileges import drop_prefix, require_readable
from regrapht.sandbox.sandbox import Command, Completed, Limits
from regrapht.sandbox.scratch import Scratch
from regrapht.sandbox.supervise import PATH, Ending, limit_prefix, process_prefix, require_program, supervise

_WORK = "/scratch"
_SYSTEM = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_TEMPORARY_BYTES = str(512 * 2**20)
_STATUS_FD = 63
"""Where bubblewrap itself, never the program in it, says how the program started and ended."""
_NAMESPACES = (
    *(
        "--unshare-user",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
    ),
    *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    *("--json-status-fd", str(_STATUS_FD)),
)


class BubblewrapSandbox:
    """Runs commands under bubblewrap. Construct through `choose_sandbox`, which tries a real start first.

    Args:
        toolchains: Folders of compilers to show beside the system's; None: that of the C++ compiler in use.

    Raises:
        ConfigError: The C++ compiler lies where the sandbox would have to show the user's home or the store with it.
    """

    name = "bubblewrap"
    labels: tuple[str, ...] = ()

    def __init__(self, toolchains: Sequence[Path] | None = None) -> None:
        self._system = tuple(_system_binds())
        self._toolchains = compiler_folders(settings.cxx()) if toolchains is None else tuple(toolchains)

    def run(self, command: Command, limits: Limits, *, cancel: Event | None = None) -> Completed:
        """As `Sandbox.run`."""
        require_program(command.argv[0])
        for path in command.read_only:
            if exposed := exposed_by(path):
                raise EvaluatorUnavailable(
                    f"{path} holds {exposed}, which generated code may not see: put it elsewhere"
                )
            require_readable(path)
        with Scratch(command.files) as scratch:
            # Limited inside, where this command's processes alone are counted; outside, sandboxes side by side would share the limit.
            inner = (*process_prefix(limits.processes), *command.argv)
            argv = (*drop_prefix(), *limit_prefix(limits), *self._bubblewrap(command, scratch.folder), *inner)
            with _StatusPipe() as status:
                descriptors = {**command.descriptors, _STATUS_FD: status.write_fd}
                ending = supervise(argv, descriptors, limits, folder=scratch.folder, cancel=cancel)
                started = status.started()
            files = scratch.collect(command.collect, command.collect_limit_bytes)
        if not started and ending.stopped is None:
            raise EvaluatorUnavailable(
                f"bubblewrap did not start {command.argv[0]}: {escape(ending.stderr, limit_bytes=300).strip()}"
            )
        return _completed(ending, limits, files)

    def _bubblewrap(self, command: Command, scratch: Path) -> list[str]:
        argv = [settings.bubblewrap(), *_NAMESPACES, *self._system]
        argv += ["--proc", "/proc"]
        for name in ("sys", "irq", "bus", "fs"):
            if os.path.isdir(f"/proc/{name}"):
                argv += ["--ro-bind", f"/proc/{name}", f"/proc/{name}"]
        argv += [
            "--dev",
            "/dev",
            "--size",
            _TEMPORARY_BYTES,
            "--tmpfs",
            "/dev/shm",
            "--size",
            _TEMPORARY_BYTES,
            "--tmpfs",
            "/tmp",
        ]
        if command.gpu:
            for node in gpu_nodes():
                argv += ["--dev-bind", str(node), str(node)]
            argv += ["--ro-bind", "/sys", "/sys"]
        for path in (*self._toolchains, *command.read_only):
            argv += ["--ro-bind", str(path), str(path)]
        argv += _secrets_covered((Path("/usr"), *self._toolchains, *command.read_only))
        argv += ["--bind", str(scratch), _WORK]
        # What bubblewrap itself made, the root and /dev, is memory without a limit: nothing more is written there.
        argv += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", _WORK]
        for name, value in {
            "PATH": PATH,
            "HOME": _WORK,
            "LC_ALL": "C",
            **command.environment,
        }.items():
            argv += ["--setenv", name, value]
        return [*argv, "--"]


class _StatusPipe:
    """The pipe behind `--json-status-fd`: it holds an exit code only when the program itself was started."""

    def __enter__(self) -> "_StatusPipe":
        self._read_fd, self.write_fd = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._read_fd)
        os.close(self.write_fd)

    def started(self) -> bool:
        """Whether the program was started; asked after its end."""
        try:
            return b'"exit-code"' in os.read(self._read_fd, 4096)
        except BlockingIOError:
            return False


def gpu_nodes() -> list[Path]:
    """The device nodes that CUDA opens, of every GPU of this machine."""
    names = re.compile(r"nvidia(\d+|ctl|-uvm|-uvm-tools)")
    return sorted(path for path in Path("/dev").iterdir() if names.fullmatch(path.name))


def _system_binds() -> list[str]:
    argv = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            argv += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            argv += ["--ro-bind", str(path), str(path)]
    for system in _SYSTEM:
        argv += ["--ro-bind-try", system, system]
    return argv


def _secrets_covered(bound: Sequence[Path]) -> list[str]:
    """An empty folder over the judge's secret pools wherever a bound folder contains them.

    Raises:
        EvaluatorUnavailable: A bound path lies inside them.
    """
    secret, argv = Path(os.path.realpath(settings.pools())), []  # which links in a circle do not stop
    for path in bound:
        source = path.resolve()
        if source == secret or secret in source.parents:
            raise EvaluatorUnavailable(f"{path} is where the judge keeps its secrets: put it elsewhere")
        # Root's programs run as another user here, whom the folder's mode keeps out.
        if source in secret.parents and secret.is_dir() and os.geteuid() != 0:
            cover = str(path / secret.relative_to(source))
            argv += ["--size", "4096", "--tmpfs", cover, "--remount-ro", cover]
    return argv


def _completed(ending: Ending, limits: Limits, files: dict[str, bytes]) -> Completed:
    code: int | None = os.waitstatus_to_exitcode(ending.status)
    assert code is not None
    signal = -code if code < 0 else code - 128 if 128 < code < 193 else None  # bubblewrap turns a signal n into 128 + n
    return Completed(
        exit_code=None if signal is not None or ending.stopped else code,
        signal=None if ending.stopped else signal,
        stopped=ending.stopped,
        stdout=escape(ending.stdout, limit_bytes=limits.output_bytes),
        stderr=escape(ending.stderr, limit_bytes=limits.output_bytes),
        files=files,
        wall_s=ending.wall_s,
        memory_limit_bytes=limits.memory_bytes if ending.stopped == "memory" else None,
    )
