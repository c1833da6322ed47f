"""A pack: the tasks of a suite as they were on one day, by hash, under a name that never means anything else.

`SUITE/packs/VERSION.json` names every task with the hash of what the judge reads of it and that of all its files, and the hash of the
whole. Results of a pack name that hash, so that figures are compared only where their tasks are the same to the last byte. The files
themselves are kept beside it (`pack_archive`), so that a suite may change and its packs stay.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.encoding import from_json, to_json
from regrapht.store.blobs import write_atomically

FOLDER = "packs"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackTask:
    """A task of a pack."""

    id: str
    family: str
    tier: str | None
    content_hash: str
    """Of what can change a verdict; results name it."""
    files_hash: str
    """Of all files of its folder: also of what a model is shown."""


@dataclass(frozen=True, kw_only=True)
class Pack:
    """Tasks in the order of their ids."""

    suite: str
    version: str
    tasks: tuple[PackTask, ...]

    @property
    def name(self) -> str:
        return f"{self.suite}@{self.version}"

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything that it names."""
        return hashlib.sha256(to_json(self).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A pack's file."""

    hash: str
    pack: Pack


def pack_versions(root: Path) -> tuple[str, ...]:
    """The versions of the suite in the folder `root` that packs were made of, 2026.9 before 2026.12 before 2026.12.1."""
    versions = (file.stem for file in (root / FOLDER).glob("*.json"))
    return tuple(
        sorted(versions, key=lambda version: [(part.isdigit(), part.zfill(32)) for part in re.split(r"[.-]", version)])
    )


def read_pack(root: Path, version: str) -> Pack:
    """The pack of that version of the suite in the folder `root`.

    Raises:
        UnknownName: There is none.
        SchemaError: Its file is damaged, or not what its hash says.
    """
    file = root / FOLDER / f"{version}.json"
    if not file.is_file():
        known = ", ".join(pack_versions(root)) or "it has none"
        raise UnknownName(f"{root.name} has no pack {version!r}; known: {known}")
    try:
        kept = from_json(_Kept, file.read_bytes())
    except SchemaError as error:
        raise SchemaError(f"{file} is not a pack: {error}") from error
    if kept.pack.hash != kept.hash or kept.pack.version != version:
        raise SchemaError(f"{file} was changed: its content is not what its hash says; a change makes a new pack")
    return kept.pack


def write_pack(root: Path, pack: Pack) -> Path:
    """Keep a pack beside its suite; returns its file. A pack that is there already is left as it is, or refused.

    Raises:
        ConfigError: Another pack has that version.
    """
    file = root / FOLDER / f"{pack.version}.json"
    if file.exists() and read_pack(root, pack.version) != pack:
        raise ConfigError(f"{file} is another pack: packs do not change, choose another version")
    file.parent.mkdir(exist_ok=True)
    write_atomically(file, (to_json(_Kept(hash=pack.hash, pack=pack)) + "\n").encode())
    return file


def files_hash(folder: Path) -> str:
    """SHA-256 over names and bytes of all files below a task's folder."""
    digest = hashlib.sha256()
    for file in task_files(folder):
        data = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def task_files(folder: Path) -> list[Path]:
    """All files below a task's folder that are its own, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackDiff:
    """What is not the same in two packs; ids in order."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    judged_otherwise: tuple[str, ...]
    """What the judge reads is another."""
    worded_otherwise: tuple[str, ...]
    """Files differ, and nothing that the judge reads."""
    moved: tuple[tuple[str, str, str], ...]
    """Id, family and tier before and now."""
    same: int


def diff_packs(before: Pack, now: Pack) -> PackDiff:
    """How `now` differs from `before`."""
    ones, others = ({task.id: task for task in pack.tasks} for pack in (before, now))
    both = sorted(ones.keys() & others.keys())

    def differing(what: Callable[[PackTask], object]) -> list[str]:
        return [id for id in both if what(ones[id]) != what(others[id])]

    judged = differing(lambda task: task.content_hash)
    return PackDiff(
        added=tuple(sorted(others.keys() - ones.keys())),
        removed=tuple(sorted(ones.keys() - others.keys())),
        judged_otherwise=tuple(judged),
        worded_otherwise=tuple(id for id in differing(lambda task: task.files_hash) if id not in judged),
        moved=tuple(
            (id, f"{ones[id].family} {ones[id].tier or '-'}", f"{others[id].family} {others[id].tier or '-'}")
            for id in differing(lambda task: (task.family, task.tier))
        ),
        same=sum(ones[id] == others[id] for id in both),
    )
