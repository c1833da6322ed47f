"""`verdicts.json` beside a trajectory: what the judge said of each step, and of exactly which text.

A verdict counts while the program and the task are, by hash, the ones that were judged. Several evaluators may each have judged a step.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import SchemaError
from regrapht.graph.technique_graph import text_hash
from regrapht.records.encoding import from_plain, parse_strict, to_plain
from regrapht.records.measurement import Environment, ShapeTiming
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.store.blobs import write_atomically

VERDICTS_FILE = "verdicts.json"
SCHEMA = "regrapht.corpus_verdicts"
SCHEMA_VERSION = 1
MAX_FILE_BYTES = 64 * 1024 * 1024
_NO_ANSWER = (Status.UNSUPPORTED, Status.INVALID_TASK)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepVerdict:
    """What one evaluator said of one step's program."""

    file: str
    """The program's name within its trajectory."""
    source_hash: str
    """SHA-256 of the program's text."""
    task_hash: str
    status: Status
    level: Level
    evaluator: str
    protocol: str
    reason: str
    labels: tuple[str, ...]
    environment: Environment | None
    timing: tuple[ShapeTiming, ...] | None
    date: str
    """UTC, ISO 8601."""

    @classmethod
    def of(cls, verdict: Verdict, *, evaluator: str, file: str, source: str, date: str) -> "StepVerdict":
        """The part of a verdict that is kept."""
        return cls(
            file=file,
            source_hash=text_hash(source),
            task_hash=verdict.task_hash,
            status=verdict.status,
            level=verdict.level,
            evaluator=evaluator,
            protocol=verdict.protocol,
            reason=verdict.reason,
            labels=verdict.labels,
            environment=verdict.environment,
            timing=verdict.timing,
            date=date,
        )

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def is_answer(self) -> bool:
        """False where the evaluator could not judge: unknown is neither right nor wrong."""
        return self.status not in _NO_ANSWER

    @property
    def device(self) -> str:
        """The architecture that outcomes are kept by."""
        return self.evaluator if self.environment is None else self.environment.architecture

    def is_of(self, source: str, task_hash: str) -> bool:
        """Whether it was this program on this task that was judged."""
        return self.source_hash == text_hash(source) and self.task_hash == task_hash


def read_verdicts(folder: Path) -> tuple[StepVerdict, ...]:
    """The verdicts of the trajectory in `folder`; empty when there is no file.

    Raises:
        SchemaError: The file is damaged, too large, or of another version.
    """
    file = folder / VERDICTS_FILE
    if not file.is_file():
        return ()
    if (size := file.stat().st_size) > MAX_FILE_BYTES:
        raise SchemaError(f"{file} has {size} bytes; the limit is {MAX_FILE_BYTES}")
    try:
        plain = parse_strict(file.read_bytes())
        if (
            not isinstance(plain, dict)
            or set(plain) != {"schema", "schema_version", "steps"}
            or plain["schema"] != SCHEMA
        ):
            raise SchemaError("this is no file of verdicts")
        if plain["schema_version"] != SCHEMA_VERSION:
            raise SchemaError(
                f"schema version {plain['schema_version']!r:.20}; this regrapht reads {SCHEMA_VERSION}: upgrade it"
            )
        return from_plain(tuple[StepVerdict, ...], plain["steps"], "$.steps")
    except SchemaError as error:
        raise SchemaError(f"{file}: {error}; delete the file and run `regrapht graph verify` to judge anew") from error


def write_verdicts(folder: Path, verdicts: Iterable[StepVerdict]) -> None:
    """Replace the verdicts of a trajectory as one step.

    Raises:
        StoreUnavailable: The folder cannot be written.
    """
    steps = [to_plain(verdict) for verdict in sorted(verdicts, key=lambda verdict: (verdict.file, verdict.evaluator))]
    document = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, "steps": steps}
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_atomically(folder / VERDICTS_FILE, f"{_samples_on_one_line(text)}\n".encode())


def _samples_on_one_line(text: str) -> str:
    """A line for a list of numbers: a verdict has hundreds of samples, and people read it too. Inside of strings there is no line break."""
    return re.sub(r"\[\n([-\d.eE+,\s]+)\n *\]", lambda numbers: f"[{' '.join(numbers[1].split())}]", text)
