"""Secret pools of bench shapes on the disk: input sets with their right outputs, made once a machine and not in every process.

They lie in the cache folder, readable by the judge's own user alone, and no sandbox shows them (`hidden_from`). A pool is made by one
process while others wait for it; a set appears whole or not at all; one that is damaged is thrown away and made anew; one older than a
week is redrawn. Pools that were not used for longest make room for new ones.
"""

import errno
import fcntl
import hashlib
import os
import platform
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from regrapht import settings
from regrapht.evaluate.cases.pool_files import SCHEMA_VERSION, DamagedSet, SetWriter, create, load_set, read_manifest
from regrapht.evaluate.inputs.drawing import Case, Inputs, new_secret
from regrapht.evaluate.inputs.task_files import task_key
from regrapht.evaluate.judgement.environment import cpu_name, tool_versions
from regrapht.evaluate.reference.expected import Expected
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, Sizes, Task
from regrapht.sandbox.sandbox import Sandbox

MAX_AGE_S = 7 * 24 * 3600.0
IN_MEMORY, REBUILT = "bench_pool_in_memory", "bench_pool_rebuilt"
"""Labels: the pool could not be kept on the disk, and every process makes its own; a damaged set was found and made anew."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_BUILDING = "building-"
Draw = Callable[[int, int], Inputs]
"""(secret, number of the set) -> its inputs."""
Expect = Callable[[Inputs, int], Expected]
Clear = Callable[[Inputs, Expected], bool]
MOST_DRAWS, REDRAW_S = 8, 10.0
"""How many times declared values are drawn again where the reference happens to lose its digits, and for how long at a bench shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolKey:
    """Which pool: the task, and a hash of all that its contents depend on."""

    task: str
    pool: str


def pool_key(task: Task, sizes: Sizes, *, fingerprints: tuple[str, ...]) -> PoolKey:
    """The key of `task` at `sizes` on this machine. `fingerprints` say what its references compute, headers and flags included."""
    machine = (platform.node(), cpu_name(), sorted(tool_versions().items()))
    contents = repr((SCHEMA_VERSION, task_key(task), sorted(sizes.items()), machine, fingerprints))
    return PoolKey(task=task.content_hash[:32], pool=hashlib.sha256(contents.encode()).hexdigest()[:32])


def hidden_from(sandbox: Sandbox) -> bool:
    """Whether what runs in `sandbox` cannot read files of our user: it has a file system of its own, or runs as another user."""
    if "runs_as_root" in sandbox.labels:
        return False
    return "weak_sandbox" not in sandbox.labels or os.geteuid() == 0


def open_pools(sandbox: Sandbox) -> "Pools | None":
    """The pools of this machine; None where candidates could read them, so that they stay in the memory of the judge."""
    return Pools(settings.pools(), settings.pool_bytes()) if hidden_from(sandbox) else None


def open_pool(pools: "Pools | None", key: PoolKey, stack: ExitStack) -> "Pool | None":
    """The pool of `key` until `stack` ends; None where there is to be none on the disk, or its folder cannot be used."""
    if pools is None:
        return None
    try:
        return stack.enter_context(pools.open(key))
    except OSError:
        return None


def forget_pools(task: Task | None = None, *, folder: Path | None = None) -> int:
    """Delete the pools of `task`, or of every task; how many there were. Processes that have them open keep theirs to their end.

    Waits for a pool that is being made.
    """
    pools = Pools(settings.pools() if folder is None else folder, 0)
    return pools.forget(None if task is None else task.content_hash[:32])


def set_bytes(task: Task, sizes: Sizes) -> int:
    """About how many bytes one set takes: the inputs, and each output as written and wide."""
    total = sum(arg.size_bytes(sizes) for arg in task.inputs)
    wide = 16 if any(_holds_double(arg) for arg in task.parameters) else 8
    return total + sum(arg.size_bytes(sizes) + wide * arg.element_count(sizes) for arg in task.outputs)


@dataclass(slots=True)
class Pools:
    """All pools in one folder, which is created when first needed.

    Args:
        cap_bytes: The most that they take together; pools that were not used for longest go first.
    """

    folder: Path
    cap_bytes: int

    @contextmanager
    def open(self, key: PoolKey) -> Iterator["Pool"]:
        """The pool of `key`, locked against other processes and threads until the end of the block.

        Raises:
            OSError: The folder cannot be made, or is another user's.
        """
        self._require_own()
        with self._locked(key.pool):
            path = self.folder / key.task / key.pool
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            for leftover in path.glob(f"{_BUILDING}*"):
                shutil.rmtree(leftover)
            os.utime(path)
            yield Pool(path, self)

    def forget(self, task: str | None) -> int:
        """Delete the pools of one task, or all; how many."""
        found = [path for path in self._all() if task in (None, path.parent.name)]
        for path in found:
            with self._locked(path.name):
                shutil.rmtree(path, ignore_errors=True)
        return len(found)

    def make_room(self, needed_bytes: int, keep: Path) -> bool:
        """Delete the pools that were not used for longest until `needed_bytes` fit under the cap; False where they cannot."""
        sizes = {path: _folder_bytes(path) for path in self._all()}
        total = sum(sizes.values()) + needed_bytes
        for path in sorted(sizes, key=_last_use):
            if total <= self.cap_bytes:
                break
            if path == keep:
                continue
            try:
                with self._locked(path.name, wait=False):
                    shutil.rmtree(path, ignore_errors=True)
            except BlockingIOError:
                continue  # in use
            total -= sizes[path]
        return total <= self.cap_bytes and shutil.disk_usage(self.folder).free > needed_bytes

    def _all(self) -> list[Path]:
        return [path for path in self.folder.glob("*/*") if path.is_dir()]

    def _require_own(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = self.folder.lstat()
        if found.st_uid != os.geteuid() or self.folder.is_symlink():
            raise PermissionError(errno.EPERM, "is not a folder of this user", str(self.folder))
        if found.st_mode & 0o077:
            self.folder.chmod(0o700)

    @contextmanager
    def _locked(self, name: str, *, wait: bool = True) -> Iterator[None]:
        descriptor = os.open(self.folder / f"{name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(descriptor)


@dataclass(slots=True)
class Pool:
    """One bench shape's pool, locked. `labels` say what could not be done."""

    path: Path
    _pools: Pools
    labels: list[str] = field(default_factory=list)

    def sets(
        self,
        case: Case,
        numbers: Iterable[int],
        *,
        draw: Draw,
        expect: Expect,
        clear: Clear | None = None,
        needed_bytes: int,
    ) -> list[tuple[Inputs, Expected]]:
        """The sets of these numbers, loaded or made now. Where the disk has no room they are made in memory, and `labels` say so.

        Args:
            clear: Whether a set may be kept; else another one is made, a few times. None keeps any.
            needed_bytes: About what one set takes.
        """
        return [self._load(case, i) or self._made(case, i, draw, expect, clear, needed_bytes) for i in numbers]

    def kept(self) -> int:
        """How many sets lie on the disk, from the first on without a gap, whatever their age."""
        count = 0
        while (self.path / str(count)).exists():
            count += 1
        return count

    def note(self, subject: str, choices: Collection[str]) -> str | None:
        """What was found out here about `subject`, one of `choices`; None where nothing was."""
        try:
            text = (self.path / subject).read_text()
        except (OSError, UnicodeDecodeError):
            return None
        return text if text in choices else None

    def take_note(self, subject: str, text: str) -> None:
        """Keep what was found out about `subject`, through every redrawing."""
        (self.path / subject).unlink(missing_ok=True)
        with create(self.path / subject) as file:
            file.write(text.encode())

    def _load(self, case: Case, index: int) -> tuple[Inputs, Expected] | None:
        folder = self.path / str(index)
        if not folder.exists():
            return None
        try:
            age_s = time.time() - read_manifest(folder).created_s
            if -MAX_AGE_S < age_s < MAX_AGE_S:
                return load_set(folder, case)
        except DamagedSet:
            self._label(REBUILT)
        shutil.rmtree(folder)
        return None

    def _made(
        self, case: Case, index: int, draw: Draw, expect: Expect, clear: Clear | None, needed_bytes: int
    ) -> tuple[Inputs, Expected]:
        begun = time.monotonic()
        for _ in range(MOST_DRAWS + 1):
            one = self._make(index, draw, expect, needed_bytes, case)
            if clear is None or clear(*one) or time.monotonic() - begun > REDRAW_S:
                break
            shutil.rmtree(self.path / str(index), ignore_errors=True)
        return one

    def _make(self, index: int, draw: Draw, expect: Expect, needed_bytes: int, case: Case) -> tuple[Inputs, Expected]:
        secret = new_secret()
        if not self._pools.make_room(needed_bytes, self.path):
            return self._in_memory(index, draw, expect, secret)
        folder = self.path / f"{_BUILDING}{index}"
        try:
            folder.mkdir(mode=0o700)
            writer = SetWriter(folder)
            inputs = writer.inputs(draw(secret, index))
            expected = expect(inputs, index)
            writer.expected(expected)
            writer.finish(inputs, expected, secret=secret, created_s=time.time())
            del inputs, expected
            os.rename(folder, self.path / str(index))
            return load_set(self.path / str(index), case)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            return self._in_memory(index, draw, expect, secret)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _in_memory(self, index: int, draw: Draw, expect: Expect, secret: int) -> tuple[Inputs, Expected]:
        self._label(IN_MEMORY)
        inputs = draw(secret, index)
        return inputs, expect(inputs, index)

    def _label(self, text: str) -> None:
        if text not in self.labels:
            self.labels.append(text)


def _holds_double(arg: Arg) -> bool:
    scalars = (arg.dtype,) if isinstance(arg.dtype, ScalarType) else tuple(scalar for _, scalar in arg.dtype.fields)
    return any(scalar.name == "float64" for scalar in scalars)


def _folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # another process is at work there
            total += path.stat().st_size
    return total


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
