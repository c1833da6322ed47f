"""Copies of an application: where it is built and run, what it leaves, and how two runs compare."""

import hashlib
import math
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__"}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)", re.IGNORECASE)
_FAULT = re.compile(
    r"\berror\b|undefined reference|undefined symbol|multiple definition|cannot find|no rule to make", re.IGNORECASE
)
"""A line of a compiler, a linker or make that says what is wrong: a linker's last line says only that something is."""
_SHOWN_LINES = 12
_MOST_KEPT = 2**26


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one run of the application left."""

    exit_code: int
    seconds: float
    printed: str
    files: Mapping[str, str]
    """Files that it wrote: path below its folder -> text, or the hash of what is no text or very long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Whether two runs came to the same."""

    equal: bool
    words: str
    """`exact`, `within 1e-09 (at most 3e-12 apart)`, or what differs first."""


def copy_tree(source: Path, target: Path, *, leave_out: Path) -> None:
    """A fresh copy of a project without version control, build folders of CMake's, and `leave_out`."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        here = Path(folder)
        return {
            name
            for name in names
            if name in _LEFT_OUT
            or (here / name).resolve() == leave_out.resolve()
            or (here / name / "CMakeCache.txt").is_file()
        }

    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target, ignore=ignored, symlinks=True)


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


def run(command: str, folder: Path, *, environment: Mapping[str, str] | None = None) -> Ran:
    """Run the application in a copy; what it prints, and the files that are new or changed after it."""
    before = _stamps(folder)
    began = time.perf_counter()
    done = _shell(command, folder, environment, joined=False)
    seconds = time.perf_counter() - began
    after = _stamps(folder)
    written = sorted(name for name, stamp in after.items() if before.get(name) != stamp)
    files = {name: _contents(folder / name) for name in written}
    return Ran(exit_code=done.returncode, seconds=seconds, printed=done.stdout, files=files)


def compare(right: Ran, ours: Ran, tolerance: float | None) -> Likeness:
    """Whether two runs printed and wrote the same: to the character, or in numbers within `tolerance` of each other."""
    if right.exit_code != ours.exit_code:
        return Likeness(equal=False, words=f"it ended with {ours.exit_code}, not with {right.exit_code}")
    if set(right.files) != set(ours.files):
        named = ", ".join(sorted(set(right.files) ^ set(ours.files))[:4])
        return Likeness(equal=False, words=f"files are written by one of both only: {named}")
    furthest = 0.0
    for name, text in (("the output", right.printed), *right.files.items()):
        other = ours.printed if name == "the output" else ours.files[name]
        apart = distance(text, other)
        if apart is None:
            return Likeness(equal=False, words=f"{name} differs: {_first_difference(text, other)}")
        furthest = max(furthest, apart)
    if furthest == 0:
        return Likeness(equal=True, words="exact")
    if tolerance is None or furthest > tolerance:
        more = f"; --tolerance {furthest * 1.01:.1e} would take it"
        return Likeness(equal=False, words=f"numbers are up to {furthest:.1e} apart, relatively{more}")
    return Likeness(equal=True, words=f"within {tolerance:g} (numbers are at most {furthest:.1e} apart)")


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
    command: str, folder: Path, environment: Mapping[str, str] | None, *, joined: bool = True
) -> "subprocess.CompletedProcess[str]":
    """Run a command in a group of its own, so that nothing of it stays when we are stopped."""
    errors = subprocess.STDOUT if joined else None
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=errors,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate()
    except BaseException:
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
