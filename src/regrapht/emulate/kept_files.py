"""Files that were built once and are kept: whether they still are what was built, by the hashes that were written beside them."""

import hashlib
import json
from pathlib import Path

MANIFEST = "contents.json"


def seal(folder: Path) -> None:
    """Write down what every file below `folder` holds."""
    target = folder / MANIFEST
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(_digests(folder)), encoding="utf-8")
    partial.replace(target)


def damage(folder: Path) -> str | None:
    """The first file below `folder` that is not as `seal` saw it, `contents.json` itself where that is no good; None when all is well."""
    try:
        wanted = dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
        found = _digests(folder)
    except (OSError, ValueError, TypeError):
        return MANIFEST
    return next((name for name in sorted({*wanted, *found}) if wanted.get(name) != found.get(name)), None)


def places(folder: Path) -> tuple[tuple[str, int, int, int], ...]:
    """What changes when a file directly in `folder` is written or replaced: cheap to ask again and again."""
    stats = [(path.name, path.stat()) for path in sorted(folder.iterdir()) if path.is_file()]
    return tuple((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in stats)


def _digests(folder: Path) -> dict[str, str]:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(MANIFEST.split(".")[0])
    ]
    return {str(path.relative_to(folder)): _digest(path) for path in files}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
