"""The files of a pack's tasks, kept beside its hashes: `SUITE/packs/VERSION.tar.xz`. A suite may change then, and its packs stay.

An archive is opened only where the suite's own tasks are other ones by now. It is unpacked into the cache, and what comes out is compared
with the pack's hashes like any other folder of tasks.
"""

import fcntl
import hashlib
import io
import lzma
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from regrapht import settings
from regrapht.bench.pack import FOLDER, Pack, files_hash, task_files
from regrapht.errors import SchemaError
from regrapht.store.blobs import write_atomically


def archive_file(root: Path, version: str) -> Path:
    """Where the archive of a suite's pack lies."""
    return root / FOLDER / f"{version}.tar.xz"


def write_archive(root: Path, version: str, folders: Iterable[Path]) -> Path:
    """Keep all files of these folders of tasks below `root`; the same files always give the same bytes. Returns the archive's file."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for folder in folders for path in task_files(folder)):
            member = tarfile.TarInfo(path.relative_to(root).as_posix())
            member.size, member.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                archive.addfile(member, content)
    file = archive_file(root, version)
    file.parent.mkdir(exist_ok=True)
    write_atomically(file, lzma.compress(data.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    return file


def unpacked(root: Path, pack: Pack) -> Path | None:
    """A folder in the cache with the archive's tasks as they were written; None where the pack has no archive.

    Raises:
        SchemaError: The archive is damaged, or holds what is no plain file below it.
    """
    file = archive_file(root, pack.version)
    if not file.is_file():
        return None
    place = settings.cache() / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    folder = place / hashlib.sha256(file.read_bytes()).hexdigest()
    with (place / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # others wait: a copy that somebody changed is replaced once
        if not folder.is_dir() or not _holds(folder, pack):
            shutil.rmtree(folder, ignore_errors=True)
            _unpack(file, folder)
    return folder


def _unpack(file: Path, folder: Path) -> None:
    new = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        with tarfile.open(file, "r:xz") as archive:
            archive.extractall(new, filter="data")
        os.rename(new, folder)
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise SchemaError(f"{file} is damaged: {error}; get it anew with the suite") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _holds(folder: Path, pack: Pack) -> bool:
    """Whether the tasks below a folder are the pack's, to the last byte."""
    found = sorted(files_hash(task.parent) for task in folder.rglob("task.toml"))
    return found == sorted(task.files_hash for task in pack.tasks)
