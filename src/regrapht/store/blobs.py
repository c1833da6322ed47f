"""Texts as files named by their SHA-256. A blob is complete and on the disk, or it is not there."""

import hashlib
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from regrapht.errors import ConfigError, SchemaError, StoreUnavailable
from regrapht.store.database import damaged, make_folder, unavailable
from regrapht.store.lease import process_exists

_KEY = re.compile(r"[0-9a-f]{64}")
_TEMPORARY = re.compile(r"\.[0-9]+-[0-9a-f]{8}\.part")
TEMPORARY_AGE_S = 60.0


class BlobStore:
    """A folder of texts, `ab/cdef...` by hash. Safe for several threads and processes: a blob's contents are its name.

    Raises:
        StoreUnavailable: The folder cannot be written, or the disk is full.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)
        self._clean()

    @classmethod
    def of_reader(cls, folder: Path) -> "BlobStore":
        """The folder to read from alone: nothing is made or cleaned in it."""
        reader = cls.__new__(cls)
        reader.folder = folder
        return reader

    def put(self, text: str) -> str:
        """Store a text; returns its SHA-256. When this returns, the text survives a power cut."""
        data = text.encode("utf-8")
        key = hashlib.sha256(data).hexdigest()
        path = self._path(key)
        if not _holds(path, data):
            make_folder(path.parent)
            write_atomically(path, data)
        return key

    def get(self, key: str) -> str:
        """The text under a hash.

        Raises:
            SchemaError: There is none, or its contents changed.
        """
        path = self._path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise damaged(path, "the file is missing") from error
        except OSError as error:
            raise unavailable(path.parent, error) from error
        if hashlib.sha256(data).hexdigest() != key:
            raise damaged(path, "its contents do not have the hash in its name")
        return data.decode("utf-8")

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise SchemaError(f"{key!r:.80} is not a name of a blob")
        return self.folder / key[:2] / key[2:]

    def _clean(self) -> None:
        """Remove what writers that died have left. The age protects a writer in another container, whose process id means nothing here."""
        for path in self.folder.glob("*/.*.part"):
            if not _TEMPORARY.fullmatch(path.name) or process_exists(int(path.name[1:].partition("-")[0])):
                continue
            with suppress(FileNotFoundError):  # another process may be cleaning too
                if time.time() - path.stat().st_mtime > TEMPORARY_AGE_S:
                    path.unlink()


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's contents as one step: a reader, or a crash, sees the old contents or the new, never a part.

    Raises:
        ConfigError: What is there is no regular file: a folder, a device, a pipe.
        StoreUnavailable: The folder cannot be written, or the disk is full; the old contents are still there.
    """
    if path.exists() and not path.is_file():
        check_target(path)
    temporary = path.parent / f".{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreUnavailable(
            f"cannot write {path}: {error.strerror}; make room, see that the folder is writable, or choose another one "
            "(REGRAPHT_HOME, where it is the store's)"
        ) from error


def check_target(path: Path, *, streams: bool = False) -> None:
    """Whether a file that a user names can be there, asked before the work whose result it takes.

    Args:
        streams: A pipe and a device take it too.

    Raises:
        ConfigError: Its folder is not there, or what is there is none to write to.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise ConfigError(f"there is no folder {path.parent} to write {path.name} to") from None
        return
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    if not (stat.S_ISREG(mode) or (streams and (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)))):
        raise ConfigError(f"{path} is there, and is not a regular file: name another one to write to")


def _holds(path: Path, data: bytes) -> bool:
    """Whether the file is there with these contents; a damaged one is written anew."""
    try:
        return path.read_bytes() == data
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unavailable(path.parent, error) from error
