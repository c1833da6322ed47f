"""A compiler run in the sandbox; and the judge's own programs, each built once, kept by the hash of all that went in, and trusted.

They are held against the hash that they had when they were first used. That notices a change, by whomever: a program that got out of its
sandbox, another process, a failing disc. It does not stand against one who can write the cache folder before the first use: such a one can
also write the hash.
"""

import contextlib
import hashlib
import logging
import os
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from regrapht import settings
from regrapht.emulate.front_end import run_build
from regrapht.errors import EvaluatorUnavailable, PrerequisiteMissing
from regrapht.sandbox.compiler_folder import library_path
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox

_log = logging.getLogger(__name__)
COMPILE_LIMITS = Limits(wall_s=60, memory_bytes=4 * 2**30, file_bytes=256 * 2**20, output_bytes=2**18)
_READING_S = 6
"""A reference may bring headers of its program's, which candidates may not: it has half as much time again."""
_DIGEST_BYTES = 32
_lock = threading.Lock()


class TrustedFiles:
    """Files that must not change while this process judges. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._digests: dict[Path, str] = {}

    def pin(self, path: Path, content: bytes | None = None) -> None:
        """From now on `path` must hold what it holds now, or `content` where that is given.

        Raises:
            EvaluatorUnavailable: It was pinned before, and is not what it was then.
        """
        digest = _digest(content) if content is not None else _digest_of(path)
        with self._lock:
            before = self._digests.setdefault(path, digest)
        if before != digest:
            raise changed(path)

    def is_pinned(self, path: Path) -> bool:
        """Whether this process has used it."""
        with self._lock:
            return path in self._digests

    def verify(self) -> None:
        """Look at every pinned file again; to be called before results that rest on them are believed.

        Raises:
            EvaluatorUnavailable: One of them changed or is gone. Nothing judged since the last look may be trusted.
        """
        with self._lock:
            pinned = dict(self._digests)
        for path, digest in pinned.items():
            if _digest_of(path) != digest:
                raise changed(path)


def changed(path: Path) -> EvaluatorUnavailable:
    """The error for a trusted file that is not what it was."""
    return EvaluatorUnavailable(
        f"{path}, a program of the judge's own, is not what was built: something changed it. Results since then cannot be trusted. Find "
        f"out what it was, then remove the file, and it is built again"
    )


def _digest_of(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except OSError as error:
        return f"unreadable: {error.strerror}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


TRUSTED = TrustedFiles()
"""The programs of the judge's own that this process uses. `TRUSTED.verify()` after each batch says whether all are as they were built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a compiler made of some files: the object, or None with what it said."""

    content: bytes | None
    completed: Completed
    too_much: str | None = None
    """Why it was not let go on."""

    @property
    def first_error(self) -> str:
        """The compiler's first error line, for a message."""
        if self.too_much is not None:
            return self.too_much
        if self.completed.stopped:
            return f"the compiler was stopped: {self.completed.stopped}"
        lines = self.completed.stderr.splitlines() or self.completed.stdout.splitlines()
        return next((line for line in lines if "error" in line), lines[0] if lines else "the compiler said nothing")


def build(
    sandbox: Sandbox,
    argv: tuple[str, ...],
    sources: Mapping[str, bytes],
    *,
    output: str,
    read_only: tuple[Path, ...] = (),
    reading: tuple[str, ...] | None = None,
) -> Built:
    """Run a compiler on `sources` in the sandbox and read `output` back.

    Args:
        reading: The same command line without what it makes, of a user's sources: what it does before it makes any code is limited then.

    Raises:
        EvaluatorUnavailable: The sandbox did not start.
    """
    command = Command(argv=argv, files=sources, collect=(output,), read_only=read_only)
    if reading is None:
        completed, beyond = sandbox.run(command, COMPILE_LIMITS), None
    else:
        completed, beyond = run_build(sandbox, command, COMPILE_LIMITS, reading=reading, most_s=_READING_S)
    return Built(
        content=completed.files.get(output) if completed.ok and beyond is None else None,
        completed=completed,
        too_much=None if beyond is None else beyond.message,
    )


def harness_source(name: str) -> bytes:
    """The text of one of the judge's own sources."""
    return files("regrapht.evaluate").joinpath("harness", name).read_bytes()


def wire_header() -> bytes:
    """The description of the memory files, as the harnesses include it."""
    return files("regrapht.sandbox").joinpath("wire.h").read_bytes()


def cpu_harness(sandbox: Sandbox) -> bytes:
    """The program that runs references on the CPU.

    Raises:
        PrerequisiteMissing: There is no C++ compiler.
        EvaluatorUnavailable: It does not build.
    """
    own = library_path(settings.cxx())
    argv = (
        settings.cxx(),
        "-O2",
        "-std=c++17",
        "-Wl,-z,relro,-z,now",
        *own,
        "-o",
        "harness",
        "cpu_harness.cpp",
        "-ldl",
    )
    sources = {"cpu_harness.cpp": harness_source("cpu_harness.cpp"), "wire.h": wire_header()}
    return cached_program(sandbox, argv, sources, output="harness")


def cached_program(
    sandbox: Sandbox,
    argv: tuple[str, ...],
    sources: Mapping[str, bytes],
    *,
    output: str,
    read_only: tuple[Path, ...] = (),
) -> bytes:
    """One of the judge's own programs, from the cache folder or built now. The hash of its bytes is checked on every load, and pinned.

    Raises:
        EvaluatorUnavailable: It does not build, or the file in the cache folder changed since this process used it. One that was damaged
            before is built again.
        PrerequisiteMissing: The compiler is not there.
    """
    key = hashlib.sha256(repr((argv, sorted(sources.items()), sandbox.name)).encode()).hexdigest()
    path = settings.cache() / "harness" / key
    with _lock:
        if (content := _load(path)) is not None:
            return content
        _log.info("building the judge's %s with %s: once on this machine", output, argv[0])
        built = build(sandbox, argv, sources, output=output, read_only=read_only)
        if built.content is None:
            if "No such file" in built.completed.stderr and argv[0] in built.completed.stderr:
                raise PrerequisiteMissing(f"{argv[0]} is not installed: apt install g++, or name a compiler in CXX")
            raise EvaluatorUnavailable(f"the judge's own harness does not build: {built.first_error}")
        _save(path, built.content)
        kept = _load(path)
        if kept is None:
            raise changed(path)
        return kept


def _load(path: Path) -> bytes | None:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EvaluatorUnavailable(
            f"the cache cannot be read: {error.strerror or error}; name another folder with REGRAPHT_CACHE"
        ) from error
    digest, content = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        if TRUSTED.is_pinned(path):
            raise changed(path)
        _log.warning("%s is not what was built: it is built again", path)
        path.unlink(missing_ok=True)
        return None
    TRUSTED.pin(path, raw)
    return content


def _save(path: Path, content: bytes) -> None:
    """Keep what was built, unless another process was first: it uses its own, and compilers do not build the same bytes twice."""
    try:
        _write(path, content)
    except OSError as error:
        raise EvaluatorUnavailable(
            f"the cache cannot be written: {error.strerror or error}; make room, or name another folder with REGRAPHT_CACHE"
        ) from error


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = hashlib.sha256(content).digest() + content
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())  # else a power failure could leave a file that looks tampered with
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
