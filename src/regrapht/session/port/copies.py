"""Copies of an application: where it is built and run, what it leaves, and how two runs compare."""

import hashlib
import math
import os
import re
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.session.port.leftovers import marked

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__"}
_BUILDS = ("CMakeCache.txt", "meson-private")
_SOURCES = {".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".cu", ".cuh"}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)", re.IGNORECASE)
_FAULT = re.compile(
    r"\berror\b|undefined reference|undefined symbol|multiple definition|cannot find|no rule to make", re.IGNORECASE
)
"""A line of a compiler, a linker or make that says what is wrong: a linker's last line says only that something is."""
_SHOWN_LINES = 12
_TOLD_EVERY_S = 30.0
OUTPUT = "the output"
_MOST_KEPT = 2**26


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one run of the application left."""

    exit_code: int
    seconds: float
    printed: str
    files: Mapping[str, str]
    """Files that it wrote: path below its folder -> text, or the hash of what is no text or very long."""
    unsteady: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Lines of the output and of files that are others in each run, as times are."""
    stopped: bool = False
    """Whether it was ended because it took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Whether two runs came to the same."""

    equal: bool
    words: str
    """`exact`, `within 1e-09 (at most 3e-12 apart)`, or what differs first."""


def copy_tree(source: Path, target: Path, *, leave_out: Path) -> None:
    """A fresh copy of a project without version control, build folders of CMake's and Meson's, and `leave_out`.

    Its sources are as new as if just written, so that a build makes what it made before; all of it can be written to; links out of the
    project lead where they led.
    """

    def ignored(folder: str, names: list[str]) -> set[str]:
        here = Path(folder)
        out = {"CMakeCache.txt", "CMakeFiles"} if (here / "CMakeCache.txt").is_file() else set()
        return {
            name
            for name in names
            if name in _LEFT_OUT | out
            or (here / name).resolve() == leave_out.resolve()
            or any((here / name / one).exists() for one in _BUILDS)
        }

    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target, ignore=ignored, symlinks=True)
    for path in (target, *target.rglob("*")):
        if path.is_symlink():
            _lead_as_before(path, source / path.relative_to(target), source, target)
        else:
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
            if path.suffix in _SOURCES:
                os.utime(path)


def _lead_as_before(copied: Path, link: Path, source: Path, target: Path) -> None:
    """A link to what was copied leads to the copy, one to anything else where it led."""
    meant = Path(os.path.normpath(link.parent / os.readlink(link)))
    there = target / meant.relative_to(source) if meant.is_relative_to(source) else meant
    copied.unlink()
    copied.symlink_to(there)


def build(
    command: str, folder: Path, *, what: str, of: Path | None = None, environment: Mapping[str, str] | None = None
) -> None:
    """Run a build command in a copy.

    Args:
        of: The user's folder: the compiler's errors are told with her files.

    Raises:
        ConfigError: It fails; the message has the compiler's first error.
    """
    done = _shell(command, folder, environment)
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        first = next((place for place, line in enumerate(lines) if _FAULT.search(line)), max(len(lines) - 3, 0))
        said = "\n  ".join(lines[first : first + _SHOWN_LINES]) or "it printed nothing"
        if of is not None:
            said = said.replace(str(folder), str(of))
        raise ConfigError(f"{what}: `{command}` ended with {done.returncode}:\n  {said}")


def run(
    command: str,
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    limit_s: float | None = None,
    waiting: Callable[[float], None] | None = None,
) -> Ran:
    """Run the application in a copy; what it prints, and the files that are new or changed after it.

    Args:
        limit_s: It is ended after this time.
        waiting: Told now and then for how many seconds it has run.
    """
    before = _stamps(folder)
    began = time.perf_counter()
    done = _shell(command, folder, environment, joined=False, limit_s=limit_s, waiting=waiting)
    seconds = time.perf_counter() - began
    after = _stamps(folder)
    written = sorted(name for name, stamp in after.items() if before.get(name) != stamp)
    files = {name: _contents(folder / name) for name in written}
    stopped = limit_s is not None and done.returncode == -signal.SIGKILL and seconds >= limit_s
    return Ran(exit_code=done.returncode, seconds=seconds, printed=done.stdout, files=files, stopped=stopped)


def steadied(first: Ran, second: Ran, tolerance: float | None) -> Ran:
    """The first of two runs of one program, its lines marked that differ from the second's, which are not compared then.

    Raises:
        ConfigError: They have nothing in common that could be compared, or another number of lines or other files.
    """
    remedy = "give it a fixed seed and a fixed input, and file names without time or number of process"
    if first.exit_code != second.exit_code or set(first.files) != set(second.files):
        raise ConfigError(f"two runs of the application as it is end or write files differently: {remedy}")
    unsteady: dict[str, frozenset[int]] = {}
    steady = 0
    for name, text, other in _texts(first, second):
        lines, others = text.splitlines(), other.splitlines()
        if len(lines) != len(others):
            counts = f"{len(lines)} and {len(others)} lines"
            raise ConfigError(f"{name} has {counts} in two runs of the application as it is: {remedy}")
        apart = ((at, distance(one, two)) for at, (one, two) in enumerate(zip(lines, others, strict=True)))
        found = frozenset(at for at, far in apart if far is None or far > (tolerance or 0))
        unsteady |= {name: found} if found else {}
        steady += len(lines) - len(found)
    if unsteady and not steady:
        raise ConfigError(f"nothing that the application prints or writes is the same in two runs of it: {remedy}")
    return replace(first, unsteady=unsteady)


def _texts(one: Ran, other: Ran) -> Iterator[tuple[str, str, str]]:
    yield OUTPUT, one.printed, other.printed
    for name, text in one.files.items():
        yield name, text, other.files[name]


def _steady(text: str, unsteady: frozenset[int]) -> str:
    if not unsteady:
        return text
    return "".join(line for at, line in enumerate(text.splitlines(keepends=True)) if at not in unsteady)


def compare(right: Ran, ours: Ran, tolerance: float | None) -> Likeness:
    """Whether two runs printed and wrote the same, but for unsteady lines: to the character, or in numbers within `tolerance`."""
    if ours.stopped:
        words = f"it had not ended after {ours.seconds:.0f} s; before it took {right.seconds:.1f} s"
        return Likeness(equal=False, words=words)
    if right.exit_code != ours.exit_code:
        return Likeness(equal=False, words=f"it ended with {ours.exit_code}, not with {right.exit_code}")
    if set(right.files) != set(ours.files):
        named = ", ".join(sorted(set(right.files) ^ set(ours.files))[:4])
        return Likeness(equal=False, words=f"files are written by one of both only: {named}")
    furthest = 0.0
    left_out = sum(len(one) for one in right.unsteady.values())
    more = f"; lines that are others in each run were left out: {left_out}" if left_out else ""
    for name, whole, whole_other in _texts(right, ours):
        text, other = (_steady(one, right.unsteady.get(name, frozenset())) for one in (whole, whole_other))
        apart = distance(text, other)
        if apart is None:
            return Likeness(equal=False, words=f"{name} differs: {_first_difference(text, other)}")
        furthest = max(furthest, apart)
    if furthest == 0:
        return Likeness(equal=True, words=f"exact{more}")
    if tolerance is None or furthest > tolerance:
        hint = f"; --tolerance {furthest * 1.01:.1e} would take it"
        return Likeness(equal=False, words=f"numbers are up to {furthest:.1e} apart, relatively{hint}")
    return Likeness(equal=True, words=f"within {tolerance:g} (numbers are at most {furthest:.1e} apart){more}")


def distance(text: str, other: str) -> float | None:
    """How far the numbers of two texts are apart at most, relatively; None where they differ in anything else."""
    if text == other:
        return 0.0
    if _NUMBER.sub("#", text) != _NUMBER.sub("#", other):
        return None
    furthest = 0.0
    for one, two in zip(_NUMBER.findall(text), _NUMBER.findall(other), strict=True):
        if one == two:
            continue
        a, b = float(one), float(two)
        if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
            return None
        furthest = max(furthest, abs(a - b) / max(abs(a), abs(b), 1e-300))
    return furthest


def _first_difference(text: str, other: str) -> str:
    for one, two in zip(text.splitlines(), other.splitlines(), strict=False):
        if one != two:
            return f"{two.strip()[:80]!r} instead of {one.strip()[:80]!r}"
    return f"{len(other.splitlines())} lines instead of {len(text.splitlines())}"


def _shell(
    command: str,
    folder: Path,
    environment: Mapping[str, str] | None,
    *,
    joined: bool = True,
    limit_s: float | None = None,
    waiting: Callable[[float], None] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a command in a group of its own, so that nothing of it stays when we are stopped."""
    began = time.monotonic()
    errors = subprocess.STDOUT if joined else None
    started: list[subprocess.Popen[str]] = []

    def start() -> None:
        started.append(
            subprocess.Popen(
                command,
                shell=True,
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                env={**os.environ, **marked(folder), **(environment or {})},
                start_new_session=True,
            )
        )

    try:
        with ThreadPoolExecutor(
            1
        ) as starter:  # Ctrl-C raises in this thread: in the other one it cannot come before we know whom to end
            starter.submit(start).result()
        process = started[0]
        while True:
            passed = time.monotonic() - began
            try:
                left = _TOLD_EVERY_S if limit_s is None else min(_TOLD_EVERY_S, max(limit_s - passed, 0.01))
                printed, _ = process.communicate(timeout=left)
                break
            except subprocess.TimeoutExpired:
                passed = time.monotonic() - began
                if limit_s is not None and passed >= limit_s:
                    os.killpg(process.pid, signal.SIGKILL)
                    limit_s = None
                elif waiting is not None:
                    waiting(passed)
    except BaseException:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    return subprocess.CompletedProcess(command, process.returncode, printed)


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            stamp = path.stat()
            found[path.relative_to(folder).as_posix()] = (stamp.st_mtime_ns, stamp.st_size)
    return found


def _contents(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode() if len(data) <= _MOST_KEPT and b"\0" not in data else hashlib.sha256(data).hexdigest()
    except UnicodeDecodeError:
        return hashlib.sha256(data).hexdigest()
