"""Which judge it is, by its own text: a verdict is remembered for as long as the code that gave it is the same."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_PARTS = ("evaluate", "emulate", "sandbox")


@cache
def judge_code() -> str:
    """SHA-256 over the files of the judge, the emulator and the sandbox as they are installed."""
    digest = hashlib.sha256()
    for part in _PARTS:
        for name, text in sorted(_texts(files("regrapht") / part, part)):
            digest.update(f"{name}\0{hashlib.sha256(text).hexdigest()}\0".encode())
    return digest.hexdigest()


def _texts(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            found += _texts(entry, f"{name}/{entry.name}")
        else:
            found.append((f"{name}/{entry.name}", entry.read_bytes()))
    return found
