"""A store of runs to look at while others write to it: nothing is created, held for long or changed.

Long runs are read in outline, which is what a table or a tree needs of an event; one candidate is read whole when it is asked for.
"""

import json
import sqlite3
import statistics
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.encoding import from_plain, parse_strict
from regrapht.records.proposal import Judged
from regrapht.records.run import Run, RunState
from regrapht.store.blobs import BlobStore
from regrapht.store.database import damaged
from regrapht.store.event_encoding import decode_judged
from regrapht.store.lease import state_now
from regrapht.store.run_migration import in_this_schema

_BUSY_S = 5.0
_FIELDS = (
    "$.verdict.status", "$.verdict.reason", "$.verdict.evidence.modelled_cost", "$.verdict.timing", "$.candidate.program_hash",
    "$.candidate.parent", "$.candidate.transition.target", "$.candidate.origin.proposer", "$.candidate.origin.usage.prompt_tokens",
    "$.candidate.origin.usage.completion_tokens", "$.candidate.chosen", "$.candidate.techniques",
)  # fmt: skip
_JUDGED = f"json_extract(body, {', '.join(repr(field) for field in _FIELDS)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run in a list."""

    id: str
    created: str
    state: RunState
    task: str
    search: str
    proposer: str
    model: str | None
    cell: str | None
    events: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """A judged candidate in outline."""

    sequence: int
    """Of its event in the run."""
    proposal: int
    kind: str
    """What was asked for."""
    candidate: str
    program: str | None
    parent: str | None
    """The id of the candidate that it was made from."""
    technique: str | None
    techniques: tuple[str, ...]
    status: str
    reason: str
    modelled_cost: float | None
    time_us: float | None
    proposer: str
    tokens: int
    is_choice: bool


class StoreReader:
    """The runs in a folder, read only.

    Raises:
        ConfigError: There is no store in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "runs.sqlite3"
        if not path.is_file():
            raise ConfigError(
                f"there are no runs in {folder}: `regrapht optimize` makes some, REGRAPHT_HOME names another folder"
            )
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_S, check_same_thread=False
        )
        self._blobs = BlobStore.of_reader(folder / "blobs")

    def runs(self) -> list[RunLine]:
        """Every run, the newest first."""
        fields = ", ".join(
            f"json_extract(body, '$.settings.{place}')"
            for place in ("task.id", "options.search", "options.proposer", "options.model", "cell")
        )
        rows = self._read(
            f"SELECT id, json_extract(body, '$.created'), state, lease, event_count, {fields} FROM runs ORDER BY 2 DESC, id DESC"
        )
        return [
            RunLine(
                id=id,
                created=created,
                state=state_now(RunState(state), lease),
                events=events,
                task=task or "",
                search=search or "",
                proposer=proposer or "",
                model=model,
                cell=cell,
            )
            for id, created, state, lease, events, task, search, proposer, model, cell in rows
        ]

    def run(self, run_id: str) -> Run:
        """One run.

        Raises:
            UnknownName: There is none.
        """
        rows = self._read("SELECT body, state, lease FROM runs WHERE id = ?", run_id)
        if not rows:
            raise UnknownName(f"there is no run {run_id!r:.80} in {self.folder}")
        body, state, lease = rows[0]
        run: Run = from_plain(
            Run, {**in_this_schema(parse_strict(body)), "state": state_now(RunState(state), lease).value}
        )
        return run

    def ending(self, run_id: str) -> str | None:
        """How a run ended, where that was kept."""
        if not self._read("SELECT 1 FROM sqlite_master WHERE name = 'endings'"):
            return None
        rows = self._read("SELECT reason FROM endings WHERE run_id = ?", run_id)
        return str(rows[0][0]) if rows else None

    def event_count(self, run_id: str) -> int:
        """How many events it has by now."""
        rows = self._read("SELECT event_count FROM runs WHERE id = ?", run_id)
        return int(rows[0][0]) if rows else 0

    def steps(self, run_id: str, *, after: int = 0) -> list[StepLine]:
        """The judged candidates whose events come after one, in order."""
        kinds = dict(
            self._read(
                "SELECT proposal_id, json_extract(body, '$.kind') FROM events WHERE run_id = ? AND kind = 'asked'",
                run_id,
            )
        )
        rows = self._read(
            f"SELECT sequence, proposal_id, candidate_id, {_JUDGED} FROM events "
            "WHERE run_id = ? AND kind = 'judged' AND sequence > ? ORDER BY sequence",
            run_id,
            after,
        )
        return [
            _step(sequence, proposal, candidate, kinds, json.loads(found))
            for sequence, proposal, candidate, found in rows
        ]

    def judged(self, run_id: str, sequence: int) -> Judged:
        """One judged candidate, whole.

        Raises:
            UnknownName: The run has no such event.
            SchemaError: A text of it is gone.
        """
        rows = self._read(
            "SELECT body FROM events WHERE run_id = ? AND sequence = ? AND kind = 'judged'", run_id, sequence
        )
        if not rows:
            raise UnknownName(f"event {sequence} of run {run_id!r:.80} is not a judged candidate")
        return decode_judged(rows[0][0], self._blobs)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _read(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise damaged(self.folder / "runs.sqlite3", error) from error


def _step(sequence: int, proposal: int, candidate: str, kinds: dict[int, str], found: list[Any]) -> StepLine:
    status, reason, cost, timing, program, parent, target, proposer, prompt, reply, chosen, techniques = found
    if status is None:
        raise SchemaError(f"event {sequence} has no verdict")
    return StepLine(
        sequence=sequence,
        proposal=proposal,
        kind=kinds.get(proposal, ""),
        candidate=candidate,
        program=program,
        parent=parent,
        technique=target,
        techniques=tuple(techniques or ()),
        status=status,
        reason=reason or "",
        modelled_cost=cost,
        time_us=_time_us(timing),
        proposer=proposer or "",
        tokens=(prompt or 0) + (reply or 0),
        is_choice=chosen is not None,
    )


def _time_us(timing: list[dict[str, Any]] | None) -> float | None:
    """As `Verdict.time_us`."""
    if not timing:
        return None
    product = 1.0
    for shape in timing:
        product *= statistics.median(shape["candidate"]["samples_us"]) ** (1 / len(timing))
    return product
