"""One SQLite file, opened so that a kill or a power cut loses nothing that was acknowledged, and with errors that say what to do."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from regrapht.errors import DamagedFile, SchemaError, StoreUnavailable

BUSY_TIMEOUT_S = 20.0
_LOOK_AGAIN_S = 0.005
_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PROTOCOL,
}
"""Codes that say something about the machine; every other one says that the file is not what it was."""


class Database:
    """A connection that threads share, one transaction at a time.

    WAL with `synchronous=FULL`: a transaction that returned is on the disk. Opening checks the file's structure and its version.

    Raises:
        StoreUnavailable: The folder cannot be written, the disk is full, or another process holds the file for too long.
        SchemaError: The file is damaged, no database, or was written by a newer regrapht.
    """

    def __init__(self, path: Path, *, schema: str, version: int) -> None:
        self.path = path
        self._lock = threading.RLock()
        make_folder(path.parent)
        with self._explained():
            self._connection = sqlite3.connect(
                path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._open(schema, version)
            except BaseException:
                self._connection.close()
                raise

    def _open(self, schema: str, version: int) -> None:
        run = self._connection.execute
        self._log_ahead()
        run("PRAGMA synchronous=FULL")
        run("PRAGMA foreign_keys=ON")
        found = run("PRAGMA user_version").fetchone()[0]
        if found > version:
            raise SchemaError(
                f"{self.path} was written by a newer regrapht (version {found}, this one reads {version}): upgrade regrapht"
            )
        if (report := run("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise damaged(self.path, report)
        if not found:
            # Two processes may open a new store at once: the second finds the tables made.
            run("BEGIN IMMEDIATE")
            if run("PRAGMA user_version").fetchone()[0] == 0:
                for statement in schema.split(";"):
                    run(statement)
                run(f"PRAGMA user_version={version}")
            run("COMMIT")

    def _log_ahead(self) -> None:
        """Switch to WAL. While another connection does so to a new file SQLite answers "busy" at once, whatever its timeout: wait here."""
        until = time.monotonic() + BUSY_TIMEOUT_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(_LOOK_AGAIN_S)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction, committed on leaving, undone when the block raises."""
        with self._lock, self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def read(self, query: str, parameters: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """All rows of one query."""
        with self._lock, self._explained():
            return self._connection.execute(query, parameters).fetchall()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns what SQLite raises into an error of ours with a remedy; IntegrityError is left to the caller, who knows what it means."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _UNAVAILABLE:
                raise unavailable(self.path.parent, error) from error
            raise damaged(self.path, error) from error
        except UnicodeDecodeError as error:  # SQLite quotes the damaged file in its own message
            raise damaged(self.path, error) from error


def make_folder(folder: Path) -> None:
    """Create a folder and its parents.

    Raises:
        StoreUnavailable: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unavailable(folder, error) from error


def unavailable(folder: Path, error: Exception) -> StoreUnavailable:
    """The error for a store that cannot be read or written now."""
    why = getattr(error, "strerror", None) or error
    return StoreUnavailable(
        f"the store in {folder} cannot be used ({why}): check that the folder is writable, that its disk is not full and that no other "
        "process holds it, or choose another folder with REGRAPHT_HOME"
    )


def damaged(path: Path, reason: object) -> DamagedFile:
    """The error for a store whose contents are not what was written."""
    return DamagedFile(
        f"the store {path} is damaged ({reason}); nothing was changed. Restore it from a copy, or move it away and start with a new one; "
        f"`sqlite3 {path} .recover` saves what can still be read"
    )
