"""Verdicts by the key of what was judged, so that one program is judged once."""

import hashlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from regrapht.errors import DamagedFile
from regrapht.records.encoding import from_json, to_json
from regrapht.records.verdict import SCHEMA_VERSION, Verdict
from regrapht.store.database import Database, unavailable

_log = logging.getLogger(__name__)
Answer = TypeVar("Answer")

VERSION = 1
_SCHEMA = """
CREATE TABLE verdicts (
    key TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    body TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (key, schema_version)
)
"""


class VerdictCache:
    """`verdicts.sqlite3` in a folder. Safe for several threads and processes.

    The key is the caller's: it must name everything that a verdict depends on (task, program, level, protocol, environment). Verdicts of
    another schema are not seen. What is kept here can be made again: a verdict that is not what was written does not count, and a damaged
    file is moved aside, to `verdicts.sqlite3.damaged`.

    Raises:
        StoreUnavailable: The folder cannot be read or written.
        SchemaError: The file is of a newer regrapht.
    """

    def __init__(self, folder: Path) -> None:
        self._path = Path(folder) / "verdicts.sqlite3"
        self._lock = threading.Lock()
        self._database = self._opened()

    def get(self, key: str) -> Verdict | None:
        """The verdict stored under a key, or None."""
        query = "SELECT body, checksum FROM verdicts WHERE key = ? AND schema_version = ?"
        for body, checksum in self._whole(lambda database: database.read(query, (key, SCHEMA_VERSION))):
            if _checksum(key, body) == checksum:
                return from_json(Verdict, body)
            _log.warning("%s: a kept verdict is not what was written; the program is judged again", self._path)
        return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Store a verdict, in place of an earlier one under the same key."""
        body = to_json(verdict)
        row = (key, verdict.schema_version, body, _checksum(key, body))

        def write(database: Database) -> None:
            with database.transaction() as connection:
                connection.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)", row)

        self._whole(write)

    def _whole(self, act: Callable[[Database], Answer]) -> Answer:
        """What `act` comes to, on a new file where this one is damaged."""
        database = self._database
        try:
            return act(database)
        except DamagedFile:
            with self._lock:
                if self._database is database:
                    database.close()
                    self._database = self._opened()
            return act(self._database)

    def _opened(self) -> Database:
        try:
            return Database(self._path, schema=_SCHEMA, version=VERSION)
        except DamagedFile:
            aside = self._path.with_name(f"{self._path.name}.damaged")
            _log.warning("%s is damaged: it is now %s, and programs are judged again", self._path, aside.name)
            try:
                self._path.replace(aside)
                for ending in ("-wal", "-shm"):
                    self._path.with_name(f"{self._path.name}{ending}").unlink(missing_ok=True)
            except OSError as error:
                raise unavailable(self._path.parent, error) from error
            return Database(self._path, schema=_SCHEMA, version=VERSION)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> "VerdictCache":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _checksum(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\0{body}".encode()).hexdigest()
