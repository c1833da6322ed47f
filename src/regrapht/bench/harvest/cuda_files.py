"""The rule filter: which files of a folder are CUDA that kernels can be taken out of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regrapht.bench.harvest.outcomes import Dropped

SOURCES = (".cu", ".cuh")
HEADERS = (".h", ".hpp", ".hh", ".inl", ".inc")
MAX_FILE_BYTES = 256 * 1024
MAX_HEADERS = 40
_KERNEL = re.compile(r"\b__global__\b")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_LICENCE = re.compile(r"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.+-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaFile:
    """One file that passed, with the headers of its own collection that it includes."""

    name: str
    """Its path below the folder."""
    text: str
    headers: tuple[str, ...]
    """Texts, each before what includes it; for a header with kernels, those around the file beside it that includes it."""
    missing: tuple[str, ...]
    """Names of quoted headers that are not in the folder."""

    @property
    def licence(self) -> str | None:
        """What an SPDX line of the file says; None without one."""
        found = _LICENCE.search(self.text)
        return found.group(1) if found else None


def cuda_files(root: Path) -> Iterator[Path]:
    """Every `.cu` and `.cuh` below `root`, and headers that hold a kernel, in the order of their names. Links are not followed."""
    for path in sorted(root.rglob("*")):
        if (
            not path.is_file()
            or path.is_symlink()
            or any(part.startswith(".") for part in path.relative_to(root).parts)
        ):
            continue
        if path.suffix in SOURCES or (path.suffix in HEADERS and _has_kernel(path)):
            yield path


def filter_file(path: Path, root: Path) -> CudaFile:
    """The file, when it is worth reading.

    Raises:
        Dropped: `too_large`, `not_text`, `no_kernel`.
    """
    if (size := path.stat().st_size) > MAX_FILE_BYTES:
        raise Dropped("too_large", f"{size} bytes; the limit is {MAX_FILE_BYTES}")
    text = read_source(path)
    if not _KERNEL.search(text):
        raise Dropped("no_kernel", "the file has no __global__ function")
    headers: list[str] = []
    missing: list[str] = []
    _collect_headers(path, text, root.resolve(), {path.resolve()}, headers, missing)
    if path.suffix != ".cu" and (includer := _includer(path)) is not None:
        seen = {path.resolve(), includer.resolve()}
        around = read_source(includer)
        _collect_headers(includer, around, root.resolve(), seen, headers, [])
        headers.append(around)
    return CudaFile(
        name=path.relative_to(root).as_posix(), text=text, headers=tuple(headers), missing=tuple(dict.fromkeys(missing))
    )


def read_source(path: Path) -> str:
    """The file's text with plain line ends.

    Raises:
        Dropped: `not_text`.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Dropped("not_text", str(error)) from error
    if "\0" in text:
        raise Dropped("not_text", "the file holds zero bytes")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _includer(header: Path) -> Path | None:
    """A `.cu` beside a header that includes it: what the header leaves out is defined there."""
    for beside in sorted(header.parent.glob("*.cu")):
        if beside.stat().st_size <= MAX_FILE_BYTES and not beside.is_symlink():
            try:
                if header.name in _INCLUDE.findall(read_source(beside)):
                    return beside
            except Dropped:
                continue
    return None


def _has_kernel(path: Path) -> bool:
    return (
        path.stat().st_size <= MAX_FILE_BYTES
        and _KERNEL.search(path.read_bytes().decode("utf-8", "replace")) is not None
    )


def _collect_headers(
    path: Path, text: str, root: Path, seen: set[Path], headers: list[str], missing: list[str]
) -> None:
    """Depth first, so that what a header needs comes before it."""
    for name in _INCLUDE.findall(text):
        found = next((place for place in _places(name, path, root) if place.is_file()), None)
        if found is None or not found.is_relative_to(root):
            missing.append(name)
        elif found not in seen and len(seen) <= MAX_HEADERS and found.stat().st_size <= MAX_FILE_BYTES:
            seen.add(found)
            try:
                inside = read_source(found)
            except Dropped:
                missing.append(name)
                continue
            _collect_headers(found, inside, root, seen, headers, missing)
            headers.append(inside)


def _places(name: str, path: Path, root: Path) -> Iterator[Path]:
    """Beside the including file, in an `include` folder at or above it, and below the root."""
    folder = path.parent.resolve()
    yield (folder / name).resolve()
    while folder.is_relative_to(root):
        yield (folder / "include" / name).resolve()
        yield (folder / name).resolve()
        if folder == root:
            return
        folder = folder.parent
