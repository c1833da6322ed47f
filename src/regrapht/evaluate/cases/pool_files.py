"""One input set of a bench shape with its right outputs, as files: an array each, and a manifest with their hashes.

Arrays are mapped on loading, not read: what the judge does not look at stays on the disk. The manifest is written last, and carries its
own hash, so that a set without a sound one is no set.
"""

import hashlib
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from regrapht.errors import SchemaError
from regrapht.evaluate.inputs.drawing import Case, Inputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.reference.expected import Expected, WideColumn
from regrapht.records.encoding import from_json, to_json

SCHEMA_VERSION = 2
_MANIFEST = "manifest.json"
_HASHERS = 4
_INPUT, _WRITTEN, _WIDE, _MAGNITUDES, _EXACT = "input", "written", "wide", "magnitudes", "exact"


class DamagedSet(Exception):
    """The files are not what was written: missing, cut short, changed, or of another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayFile:
    """One array: its file, which of the call's arrays it is, and the file's size and hash."""

    file: str
    part: str
    """`input`, `written`, `wide`, `magnitudes` or `exact`."""
    name: str
    field: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetManifest:
    """What a set's folder holds. `secret` repeats the drawing; `created_s` is seconds since 1970."""

    created_s: float
    secret: str
    poison: int
    values: Mapping[str, str]
    """Sizes and scalars as hexadecimal bytes."""
    widened: bool
    arrays: tuple[ArrayFile, ...]
    schema_version: int = SCHEMA_VERSION


@dataclass(slots=True)
class SetWriter:
    """Writes one set into an empty folder: `inputs`, then `expected`, then `finish`."""

    folder: Path
    files: list[ArrayFile] = field(default_factory=list)

    def inputs(self, inputs: Inputs) -> Inputs:
        """Write the inputs; the same ones, mapped from their files, so that the memory of the drawn ones can go."""
        arrays = {name: self._put(_INPUT, name, "", array) for name, array in inputs.arrays.items()}
        return Inputs(case=inputs.case, values=inputs.values, arrays=arrays, poison=inputs.poison)

    def expected(self, expected: Expected) -> None:
        """Write the right outputs."""
        for name, array in expected.as_written.items():
            self._put(_WRITTEN, name, "", array)
        for (name, member), wide in (expected.wide or {}).items():
            self._put(_WIDE, name, member, wide.values)
            if wide.scale is not None:
                self._put(_MAGNITUDES, name, member, wide.scale)
        for (name, member), array in expected.wide_exact.items():
            self._put(_EXACT, name, member, array)

    def finish(self, inputs: Inputs, expected: Expected, *, secret: int, created_s: float) -> None:
        """Write the manifest."""
        manifest = SetManifest(
            created_s=created_s,
            secret=f"{secret:032x}",
            poison=inputs.poison,
            values={name: raw.hex() for name, raw in inputs.values.items()},
            widened=expected.wide is not None,
            arrays=tuple(self.files),
        )
        text = to_json(manifest).encode()
        with create(self.folder / _MANIFEST) as file:
            file.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)

    def _put(self, part: str, name: str, member: str, array: Array) -> Array:
        path = self.folder / f"{len(self.files)}.npy"
        with create(path) as file:
            hashing = _Hashing(file)
            np.lib.format.write_array(hashing, np.ascontiguousarray(array), allow_pickle=False)
        size = path.stat().st_size
        digest = hashing.digest.hexdigest()
        self.files.append(ArrayFile(file=path.name, part=part, name=name, field=member, size_bytes=size, sha256=digest))
        return _mapped(path)


def load_set(folder: Path, case: Case) -> tuple[Inputs, Expected]:
    """The set in `folder`, its arrays mapped and read-only. Every hash is checked: once a process that is worth its time.

    Raises:
        DamagedSet: Something is not as it was written.
    """
    manifest = read_manifest(folder)
    with ThreadPoolExecutor(_HASHERS) as pool:
        list(pool.map(lambda entry: _verify(folder / entry.file, entry), manifest.arrays))
    parts: dict[str, dict[tuple[str, str], Array]] = {
        part: {} for part in (_INPUT, _WRITTEN, _WIDE, _MAGNITUDES, _EXACT)
    }
    try:
        for entry in manifest.arrays:
            parts[entry.part][entry.name, entry.field] = _mapped(folder / entry.file)
        values = {name: bytes.fromhex(raw) for name, raw in manifest.values.items()}
    except (OSError, ValueError, KeyError) as error:
        raise DamagedSet(f"{folder.name}: {error}") from error
    inputs = Inputs(
        case=case,
        values=values,
        arrays={name: array for (name, _), array in parts[_INPUT].items()},
        poison=manifest.poison,
    )
    magnitudes = parts[_MAGNITUDES]
    wide = {key: WideColumn(values=array, scale=magnitudes.get(key)) for key, array in parts[_WIDE].items()}
    expected = Expected(
        as_written={name: array for (name, _), array in parts[_WRITTEN].items()},
        wide=wide if manifest.widened else None,
        wide_exact=parts[_EXACT],
    )
    return inputs, expected


def read_manifest(folder: Path) -> SetManifest:
    """What is said to be in `folder`.

    Raises:
        DamagedSet: There is no manifest, or it is not as it was written.
    """
    try:
        digest, _, text = (folder / _MANIFEST).read_bytes().partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != digest:
            raise DamagedSet(f"{folder.name}: the manifest has changed")
        return from_json(SetManifest, text)
    except (OSError, SchemaError) as error:
        raise DamagedSet(f"{folder.name}: {error}") from error


def create(path: Path) -> BinaryIO:
    """A new file that its owner alone may read."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600), "wb")


def _verify(path: Path, entry: ArrayFile) -> None:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != entry.size_bytes:
                raise DamagedSet(f"{path.name} is not {entry.size_bytes} bytes long")
            if hashlib.file_digest(file, "sha256").hexdigest() != entry.sha256:
                raise DamagedSet(f"{path.name} has changed")
    except OSError as error:
        raise DamagedSet(f"{path.name}: {error}") from error


def _mapped(path: Path) -> Array:
    return np.load(path, mmap_mode="r", allow_pickle=False)


class _Hashing:
    """A file that hashes what is written to it: one pass over a large array instead of two."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        return self._file.write(data)
