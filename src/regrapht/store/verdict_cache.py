"""Verdicts by the key of what was judged, so that one program is judged once."""

import hashlib
from pathlib import Path

from regrapht.records.encoding import from_json, to_json
from regrapht.records.verdict import SCHEMA_VERSION, Verdict
from regrapht.store.database import Database, damaged

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
    another schema are not seen.

    Raises:
        StoreUnavailable: The folder cannot be read or written.
        SchemaError: The file is damaged, or of a newer regrapht.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(Path(folder) / "verdicts.sqlite3", schema=_SCHEMA, version=VERSION)

    def get(self, key: str) -> Verdict | None:
        """The verdict stored under a key, or None.

        Raises:
            SchemaError: It was changed since it was written.
        """
        query = "SELECT body, checksum FROM verdicts WHERE key = ? AND schema_version = ?"
        for body, checksum in self._database.read(query, (key, SCHEMA_VERSION)):
            if _checksum(key, body) != checksum:
                raise damaged(self._database.path, f"the verdict under {key:.40} is not what was written")
            return from_json(Verdict, body)
        return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Store a verdict, in place of an earlier one under the same key."""
        body = to_json(verdict)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)",
                (key, verdict.schema_version, body, _checksum(key, body)),
            )

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> "VerdictCache":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _checksum(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\0{body}".encode()).hexdigest()
