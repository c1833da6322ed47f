"""Runs and their events, in order, as they happen: what resuming, reporting and replaying read.

A process works on a run while it holds the run's lease. `create` and `resume` take it; a lease whose process is gone is taken over, one
that lives is respected, and a process that lost its lease can write no more.
"""

import hashlib
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError, UnknownName
from regrapht.records.encoding import from_json, from_plain, parse_strict, to_json
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged
from regrapht.records.run import Asked, Event, Run, RunSettings, RunState
from regrapht.records.verdict import Verdict
from regrapht.store.blobs import BlobStore
from regrapht.store.database import Database, damaged
from regrapht.store.event_encoding import EventRow, decode_event, encode_event, references
from regrapht.store.lease import Lease, state_now
from regrapht.store.run_migration import in_this_schema

VERSION = 1
_SCHEMA = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    checksum TEXT NOT NULL,
    state TEXT NOT NULL,
    lease TEXT,
    event_count INTEGER NOT NULL
);
CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (id),
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    proposal_id INTEGER NOT NULL,
    is_answer INTEGER NOT NULL,
    candidate_id TEXT,
    body TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence),
    UNIQUE (run_id, proposal_id, is_answer)
)
"""
_ENDINGS = """
CREATE TABLE IF NOT EXISTS endings (
    run_id TEXT PRIMARY KEY REFERENCES runs (id),
    reason TEXT NOT NULL,
    checksum TEXT NOT NULL
)
"""
"""How runs ended, in words; stores made before they had these tables get them when they are opened."""
_FINALS = """
CREATE TABLE IF NOT EXISTS finals (
    run_id TEXT NOT NULL REFERENCES runs (id),
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
)
"""


class RunStore:
    """The runs in a folder: `runs.sqlite3` and `blobs/`. Safe for several threads; several processes may use one folder.

    Raises:
        StoreUnavailable: The folder cannot be read or written.
        SchemaError: The store is damaged, or of a newer regrapht.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self._database = Database(self.folder / "runs.sqlite3", schema=_SCHEMA, version=VERSION)
        if len(self._database.read("SELECT 1 FROM sqlite_master WHERE name IN ('endings', 'finals')")) < 2:
            with self._database.transaction() as connection:
                connection.execute(_ENDINGS)
                connection.execute(_FINALS)
        self._blobs = BlobStore(self.folder / "blobs")
        self._lease = to_json(Lease.of_this_process())

    def create(self, settings: RunSettings, yardstick: Yardstick | None) -> Run:
        """Start a run, held by this process."""
        now = datetime.now(UTC)
        run = Run(
            id=f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}",
            settings=settings,
            yardstick=yardstick,
            state=RunState.RUNNING,
            created=now.isoformat(timespec="seconds"),
        )
        body = to_json(run)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, 0)",
                (run.id, body, _checksum(run.id, body), run.state, self._lease),
            )
        return run

    def resume(self, run_id: str, *, force: bool = False) -> Run:
        """Take a run that was interrupted, or whose process is gone, and set it running.

        `force` takes it from a holder of which this machine cannot tell whether it lives, in another container for instance.

        Raises:
            UnknownName: There is no such run.
            ConfigError: It is finished, or a living process works on it.
        """
        with self._database.transaction() as connection:
            row = connection.execute("SELECT state, lease FROM runs WHERE id = ?", (run_id,)).fetchone()
            if row is None:
                raise self._unknown(run_id)
            state, held = row
            if state == RunState.FINISHED:
                raise ConfigError(f"run {run_id} is finished: there is nothing to resume")
            if held is not None and held != self._lease:
                from_json(Lease, held).refuse_if_live(run_id, force=force)
            connection.execute(
                "UPDATE runs SET state = ?, lease = ? WHERE id = ? AND lease IS ?",
                (RunState.RUNNING, self._lease, run_id, held),
            )
            _forget_ending(connection, run_id)
        return self.run(run_id)

    def append(self, run_id: str, event: Event) -> int:
        """Record one event of a run that this process holds; returns its sequence number, counting from 1.

        When this returns the event is on the disk.

        Raises:
            ConfigError: Another process has taken the run over.
            ValueError: The event does not follow from those before: a proposal asked or answered twice, answered before it was asked, or
                with a parent that this run did not judge.
        """
        row = encode_event(event, self._blobs)
        with self._database.transaction() as connection:
            self._require_lease(connection, run_id)
            if isinstance(event, Asked):
                _require_judged(connection, run_id, references(event.proposal))
            elif not _has_event(connection, run_id, row.proposal_id, is_answer=False):
                raise ValueError(f"proposal {row.proposal_id} is answered but was never asked")
            count = connection.execute("SELECT event_count FROM runs WHERE id = ?", (run_id,)).fetchone()[0]
            sequence = count + 1
            try:
                connection.execute(
                    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _to_columns(run_id, sequence, row)
                )
            except sqlite3.IntegrityError as error:
                raise ValueError(f"proposal {row.proposal_id} is {row.kind} for the second time") from error
            connection.execute("UPDATE runs SET event_count = ? WHERE id = ?", (sequence, run_id))
        return sequence

    def events(self, run_id: str) -> tuple[Event, ...]:
        """Every event of a run, in order.

        Raises:
            UnknownName: There is no such run.
            SchemaError: An event was changed or lost since it was written.
        """
        self.run(run_id)
        total = self._database.read("SELECT event_count FROM runs WHERE id = ?", (run_id,))[0][0]
        columns = "sequence, kind, proposal_id, is_answer, candidate_id, body, checksum"
        query = f"SELECT {columns}, (SELECT event_count FROM runs WHERE id = run_id) FROM events WHERE run_id = ? ORDER BY sequence"
        rows = self._database.read(query, (run_id,))
        # Both in one statement, since another process may be writing.
        if len(rows) != (rows[-1][-1] if rows else total):
            raise damaged(self._database.path, f"events of run {run_id} are missing")
        judged: dict[int, Judged] = {}
        events: list[Event] = []
        for expected, (sequence, *kept, checksum, _) in enumerate(rows, start=1):
            row = _to_row(*kept)
            if sequence != expected or _to_columns(run_id, expected, row)[-1] != checksum:
                raise damaged(self._database.path, f"event {expected} of run {run_id} is not what was written")
            event = decode_event(row, judged, self._blobs)
            if isinstance(event, Judged):
                judged[event.proposal_id] = event
            events.append(event)
        return tuple(events)

    def run(self, run_id: str) -> Run:
        """One run.

        Raises:
            UnknownName: There is no such run.
        """
        rows = self._database.read("SELECT id, body, checksum, state, lease FROM runs WHERE id = ?", (run_id,))
        if not rows:
            raise self._unknown(run_id)
        return self._to_run(rows[0])

    def runs(self) -> tuple[Run, ...]:
        """Every run, the oldest first."""
        rows = self._database.read("SELECT id, body, checksum, state, lease FROM runs")
        return tuple(sorted(map(self._to_run, rows), key=lambda run: (run.created, run.id)))

    def ending(self, run_id: str) -> str | None:
        """How a run ended, in the words of its result; None while it runs, or where that was not kept."""
        rows = self._database.read("SELECT reason, checksum FROM endings WHERE run_id = ?", (run_id,))
        if not rows:
            return None
        reason, checksum = rows[0]
        if _checksum(run_id, reason) != checksum:
            raise damaged(self._database.path, f"the ending of run {run_id} is not what was written")
        return str(reason)

    def finals(self, run_id: str) -> tuple[Verdict, ...]:
        """What a run's result rests on, as `set_state` was told; empty while it runs, or where that was not kept."""
        rows = self._database.read("SELECT body, checksum FROM finals WHERE run_id = ? ORDER BY position", (run_id,))
        for position, (body, checksum) in enumerate(rows):
            if _checksum(run_id, position, body) != checksum:
                raise damaged(self._database.path, f"the result of run {run_id} is not what was written")
        return tuple(from_json(Verdict, body) for body, _ in rows)

    def set_state(
        self, run_id: str, state: RunState, *, reason: str | None = None, finals: Sequence[Verdict] = ()
    ) -> None:
        """Say what became of a run that this process holds, and why; one that no longer runs is given back.

        Args:
            finals: The verdicts that its result rests on: those in full that refused a program, and the best program's.

        Raises:
            ConfigError: Another process has taken the run over.
        """
        with self._database.transaction() as connection:
            self._require_lease(connection, run_id)
            lease = self._lease if state is RunState.RUNNING else None
            connection.execute("UPDATE runs SET state = ?, lease = ? WHERE id = ?", (state, lease, run_id))
            _forget_ending(connection, run_id)
            if reason is not None:
                ended = (run_id, reason, _checksum(run_id, reason))
                connection.execute("INSERT INTO endings VALUES (?, ?, ?)", ended)
            for position, body in enumerate(map(to_json, finals)):
                final = (run_id, position, body, _checksum(run_id, position, body))
                connection.execute("INSERT INTO finals VALUES (?, ?, ?, ?)", final)

    def close(self) -> None:
        """Close the files. Runs still held stay held until this process ends."""
        self._database.close()

    def __enter__(self) -> "RunStore":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _require_lease(self, connection: sqlite3.Connection, run_id: str) -> None:
        row = connection.execute("SELECT lease FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise self._unknown(run_id)
        if row[0] != self._lease:
            raise ConfigError(
                f"run {run_id} is not held by this process: resume it first, unless another process works on it"
            )

    def _to_run(self, row: tuple[Any, ...]) -> Run:
        run_id, body, checksum, state, lease = row
        if _checksum(run_id, body) != checksum:
            raise damaged(self._database.path, f"run {run_id} is not what was written")
        if state not in set(RunState):
            raise damaged(self._database.path, f"run {run_id} is in no known state")
        run: Run = from_plain(Run, in_this_schema(parse_strict(body)))
        return replace(run, state=state_now(RunState(state), lease))

    def _unknown(self, run_id: str) -> UnknownName:
        return UnknownName(
            f"there is no run {run_id!r:.80} in {self.folder}: `regrapht runs list` shows those there are"
        )


def _forget_ending(connection: sqlite3.Connection, run_id: str) -> None:
    for table in ("endings", "finals"):
        connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))


def _require_judged(connection: sqlite3.Connection, run_id: str, judgements: tuple[Judged, ...]) -> None:
    for judged in judgements:
        row = connection.execute(
            "SELECT candidate_id FROM events WHERE run_id = ? AND proposal_id = ? AND kind = 'judged'",
            (run_id, judged.proposal_id),
        ).fetchone()
        if row is None or row[0] != judged.candidate.id:
            raise ValueError(
                f"a proposal refers to the judgement of proposal {judged.proposal_id}, which this run does not hold"
            )


def _has_event(connection: sqlite3.Connection, run_id: str, proposal_id: int, *, is_answer: bool) -> bool:
    query = "SELECT 1 FROM events WHERE run_id = ? AND proposal_id = ? AND is_answer = ?"
    return connection.execute(query, (run_id, proposal_id, int(is_answer))).fetchone() is not None


def _to_columns(run_id: str, sequence: int, row: EventRow) -> tuple[object, ...]:
    kept = (row.kind, row.proposal_id, int(row.is_answer), row.candidate_id, row.body)
    return (run_id, sequence, *kept, _checksum(run_id, sequence, *kept))


def _to_row(kind: str, proposal_id: int, is_answer: int, candidate_id: str | None, body: str) -> EventRow:
    return EventRow(kind=kind, proposal_id=proposal_id, is_answer=bool(is_answer), candidate_id=candidate_id, body=body)


def _checksum(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RunJournal:
    """Where the events of one run of a store are kept. The store's lease on that run has to be held."""

    store: RunStore
    run_id: str

    def append(self, event: Event) -> int:
        """Keep an event; on the disk when this returns its number. Raises what `RunStore.append` raises."""
        return self.store.append(self.run_id, event)
