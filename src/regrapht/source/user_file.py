"""Reading what a user names: regular files alone, their size looked at first, never waiting for a pipe or a device."""

import os
import stat
from pathlib import Path

from regrapht.errors import ConfigError

LARGEST_SOURCE_BYTES = 16 * 2**20
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_file(path: Path, *, limit: int = LARGEST_SOURCE_BYTES) -> bytes:
    """The contents of a regular file, or of a link to one.

    Raises:
        ConfigError: It is not there, no regular file, larger than `limit` bytes, or cannot be read; the message says which, in one line.
    """
    try:
        _require_regular(path, os.stat(path), limit)  # before it is opened: opening a device may do something
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            _require_regular(path, os.fstat(descriptor), limit)
            with open(descriptor, "rb", closefd=False) as file:
                raw = file.read(limit + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ConfigError(f"cannot read {path!s:.300}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"cannot read {str(path)!r:.300}: its name has a NUL in it") from error
    if len(raw) > limit:
        raise ConfigError(f"cannot read {path}: it has more than {limit} bytes")
    return raw


def fault_of_text(raw: bytes) -> str | None:
    """Why bytes are no UTF-8 text, with the line; None where they are."""
    try:
        raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return f"line {line}: byte {raw[error.start]:#04x} is not UTF-8: save the file as UTF-8"
    return None


def as_text(raw: bytes) -> str:
    """UTF-8 text without a byte order mark, its lines ended by `\\n` alone."""
    return raw.decode("utf-8-sig").replace("\r\n", "\n")


def _require_regular(path: Path, found: os.stat_result, limit: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"cannot read {path}: it is {_kind(found.st_mode)}, and a regular file is wanted")
    if found.st_size > limit:
        raise ConfigError(f"cannot read {path}: it has {found.st_size} bytes, at most {limit} are read")


def _kind(mode: int) -> str:
    return next((what for is_one, what in _KINDS if is_one(mode)), "no file")
