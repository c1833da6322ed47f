"""A suite: tasks to compare methods on, each with its family and its tier. Shipped ones by name, a user's own by folder."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from itertools import chain, zip_longest
from pathlib import Path

from regrapht.bench.pack import Pack, PackTask, files_hash, read_pack
from regrapht.bench.pack_archive import unpacked
from regrapht.errors import ConfigError, SchemaError, TaskError, UnknownName
from regrapht.records.reach import Reach
from regrapht.records.task import Task
from regrapht.tasks.load import load_task
from regrapht.wording import did_you_mean

TIERS = ("easy", "medium", "hard")
TIERS_FILE = "tiers.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTask:
    """One task of a suite."""

    task: Task
    folder: Path
    tier: str | None
    """Computed from the judged reference trajectory where the suite has one, else as the task says; None where neither does."""

    @property
    def family(self) -> str:
        return self.task.family or "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Tasks in the order of their ids."""

    name: str
    root: Path
    tasks: tuple[SuiteTask, ...]
    pack_hash: str | None = None
    """Of the pack that it was opened as; None of a suite as it lies there."""

    def select(
        self,
        *,
        tiers: Sequence[str] = (),
        families: Sequence[str] = (),
        ids: Iterable[str] | None = None,
        per_tier: int | None = None,
        limit: int | None = None,
    ) -> "Suite":
        """The tasks that are of one of the tiers and of one of the families and named in `ids`; of these `per_tier` of each tier
        (see `balanced`); of these the first `limit` of them.

        Raises:
            ConfigError: A name is not in this suite, or nothing is left.
        """
        _require_known("tier", tiers, {task.tier for task in self.tasks if task.tier})
        _require_known("family", families, {task.family for task in self.tasks})
        wanted = None if ids is None else tuple(ids)
        if wanted is not None:
            _require_known("task", wanted, {task.task.id for task in self.tasks})
        kept = [
            task
            for task in self.tasks
            if (not tiers or task.tier in tiers)
            and (not families or task.family in families)
            and (wanted is None or task.task.id in wanted)
        ]
        if not kept:
            raise ConfigError(f"no task of {self.name} is left with these choices")
        if per_tier is not None:
            kept = list(balanced(kept, per_tier))
        return replace(self, tasks=tuple(kept[:limit]))


def suite_names() -> tuple[str, ...]:
    """The suites that ship."""
    return tuple(sorted(entry.name for entry in shipped_suites().iterdir() if entry.is_dir() and _task_folders(entry)))


def open_suite(name: str) -> Suite:
    """A shipped suite by its name, or the tasks of a folder; `NAME@VERSION` is a pack of either, with its own tasks and tiers.

    Raises:
        UnknownName: There is neither, or no such pack.
        TaskError: A task is wrong; the message names its file. Two tasks with one id are wrong too.
        ConfigError: Several tasks are wrong, the message has all of them; or there is none; or a task is not what the pack names.
    """
    base, at, version = name.rpartition("@")
    if at and not Path(name).is_dir():
        return _as_packed(open_suite(base), read_pack(suite_root(base), version))
    root = suite_root(name)
    if root.parent == shipped_suites():  # read once a process, unless a file is another by now
        return _of_shipped(root, _stamp(root))
    return _read_suite(name, root)


@lru_cache(maxsize=8)
def _of_shipped(root: Path, stamp: frozenset[tuple[str, int, int]]) -> Suite:
    return _read_suite(root.name, root)


def _stamp(root: Path) -> frozenset[tuple[str, int, int]]:
    """Name, time and size of every file of a suite."""
    files = ((path, path.stat()) for path in root.rglob("*"))
    return frozenset((str(path), status.st_mtime_ns, status.st_size) for path, status in files)


def _read_suite(name: str, root: Path) -> Suite:
    tiers = _read_tiers(root / TIERS_FILE)
    found: dict[str, SuiteTask] = {}
    wrong: list[TaskError] = []
    for folder in _task_folders(root):
        try:
            task = load_task(folder)
            if task.id in found:
                raise TaskError(
                    f"{task.id} is the id of {found[task.id].folder} too", file=str(folder / "task.toml"), key="id"
                )
        except TaskError as error:
            wrong.append(error)
        else:
            found[task.id] = SuiteTask(task=task, folder=folder, tier=tiers.get(task.id, task.tier))
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise ConfigError("\n".join(map(str, wrong)))
    if not found:
        raise ConfigError(f"there is no task below {root}: a task is a folder with a task.toml")
    return Suite(name=name, root=root, tasks=tuple(found[id] for id in sorted(found)))


def suite_root(name: str) -> Path:
    """The folder of a shipped suite, or the folder that is named.

    Raises:
        UnknownName: There is neither.
    """
    shipped = shipped_suites() / name
    root = shipped if name and "/" not in name and shipped.is_dir() else Path(name)
    if not name or not root.is_dir():
        raise UnknownName(f"there is no suite and no folder {name!r}; {did_you_mean(name, suite_names())}")
    return root


def pack_of(suite: Suite, version: str) -> Pack:
    """The suite as it is now, as a pack of that version.

    Raises:
        ConfigError: It is a pack already, or the version is no word of letters, digits, dots and dashes.
    """
    if suite.pack_hash is not None:
        raise ConfigError(f"{suite.name} is a pack already; name the suite")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}", version):
        raise ConfigError(f"{version!r:.60} is not a version: use letters, digits, dots and dashes, as in 2026.12")
    tasks = tuple(_packed(task) for task in suite.tasks)
    return Pack(suite=suite.root.name, version=version, tasks=tasks)


def balanced(tasks: Sequence[SuiteTask], per_tier: int) -> tuple[SuiteTask, ...]:
    """`per_tier` tasks of every tier that occurs, in the order of their ids.

    The families of a tier take turns until there are enough. Which of its tasks a family gives first, and which family begins, is decided
    by hashes of names, so that nobody chooses: the same suite with the same tiers always gives the same tasks.

    Raises:
        ConfigError: A tier has fewer tasks, or none of the tasks has a tier.
    """
    found: list[SuiteTask] = []
    tiers = dict.fromkeys(task.tier for task in tasks if task.tier is not None)
    if not tiers:
        raise ConfigError("these tasks have no tiers, so no number of each can be chosen")
    for tier in tiers:
        of_tier = [task for task in tasks if task.tier == tier]
        if len(of_tier) < per_tier:
            raise ConfigError(f"there are {len(of_tier)} tasks of the tier {tier}, not {per_tier}")
        found += _in_turns(of_tier, tier)[:per_tier]
    return tuple(sorted(found, key=lambda task: task.task.id))


def reach_of(task: Task) -> Reach:
    """How the transform engine takes a task; where it proves nothing the reference is built and run in the sandbox, and watched.

    Takes some 30 ms a task, seconds for one that is observed for the first time.
    """
    from regrapht.assemble import open_observer
    from regrapht.transform import Engine, reach

    return reach(Engine(open_observer()), task)


def _packed(task: SuiteTask) -> PackTask:
    return PackTask(
        id=task.task.id,
        family=task.family,
        tier=task.tier,
        content_hash=task.task.content_hash,
        files_hash=files_hash(task.folder),
    )


def _as_packed(suite: Suite, pack: Pack) -> Suite:
    """The pack's tasks, with its tiers: the suite's own where they are the same, else those of its archive."""
    wrong = _unlike(suite, pack)
    if wrong and (kept := unpacked(suite.root, pack)) is not None:
        suite = replace(_read_suite(suite.name, kept), root=suite.root)
        wrong = _unlike(suite, pack)
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise ConfigError(
            f"{pack.name} was changed: {wrong[0]}{more}; a changed suite makes a new pack (regrapht bench pack)"
        )
    here = {task.task.id: task for task in suite.tasks}
    tasks = tuple(replace(here[task.id], tier=task.tier) for task in sorted(pack.tasks, key=lambda task: task.id))
    return Suite(name=f"{suite.name}@{pack.version}", root=suite.root, tasks=tasks, pack_hash=pack.hash)


def _unlike(suite: Suite, pack: Pack) -> list[str]:
    """What is said of each task that the pack names and the suite has not, or not to the last byte."""
    here = {task.task.id: task for task in suite.tasks}
    gone = [f"{task.id} is not here" for task in pack.tasks if task.id not in here]
    named = [task for task in pack.tasks if task.id in here]
    changed = [
        f"{task.id} is not what the pack names" for task in named if files_hash(here[task.id].folder) != task.files_hash
    ]
    return gone + changed


def shipped_suites() -> Path:
    """The folder of the suites that ship."""
    return Path(str(files("regrapht.bench").joinpath("suites")))


def _task_folders(root: Path) -> list[Path]:
    """The folders with a task below `root`. What is hidden is no task of the suite: `cudaeval build` keeps its working copies so."""
    found = (path.parent for path in root.rglob("task.toml"))
    return sorted(
        folder for folder in found if not any(part.startswith(".") for part in folder.relative_to(root).parts)
    )


def _read_tiers(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        read = json.loads(path.read_text())
        tiers = {str(id): str(entry["tier"]) for id, entry in read["tasks"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError(f"{path} is not a file of tiers: {error}") from error
    if unknown := set(tiers.values()) - set(TIERS):
        raise SchemaError(f"{path}: there is no tier {sorted(unknown)[0]!r}")
    return tiers


def _require_known(kind: str, wanted: Sequence[str], known: set[str]) -> None:
    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known)[:20])}"
            raise ConfigError(f"there is no {kind} {name!r} in this suite; {hint}")


def _in_turns(tasks: Iterable[SuiteTask], tier: str) -> list[SuiteTask]:
    families: dict[str, list[SuiteTask]] = {}
    for task in sorted(tasks, key=lambda task: _drawn(task.task.id)):
        families.setdefault(task.family, []).append(task)
    begins = sorted(families, key=lambda family: _drawn(f"{tier} {family}"))  # not the same ones in every tier
    turns = zip_longest(*(families[family] for family in begins))
    return [task for task in chain.from_iterable(turns) if task is not None]


def _drawn(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
