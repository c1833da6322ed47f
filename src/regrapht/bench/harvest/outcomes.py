"""What became of each file and kernel at each stage: one line each in `results.jsonl`, from which an interrupted build goes on.

A line is on the disk before the next piece of work of the same unit begins. A stage is not worked on again while what went into it is the
same: its line is found by the hash of that, wherever the file lies now.
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from regrapht.errors import ConfigError, SchemaError
from regrapht.records.encoding import from_json, parse_strict, to_json
from regrapht.store.line_file import LineFile

RESULTS = "results.jsonl"
SCHEMA = "regrapht.cudaeval"
SCHEMA_VERSION = 1
Line = TypeVar("Line")
MAX_DETAIL_CHARS = 400


class Stage(StrEnum):
    """The stages in their order. The first is about files, the others about kernels."""

    FILTER = "filter"
    EXTRACT = "extract"
    COMPLETE = "complete"
    SEQUENTIAL = "sequential"
    DESCRIBE = "describe"
    COMPARE = "compare"
    ADMIT = "admit"


STAGES = tuple(Stage)


class Dropped(Exception):
    """A file or kernel goes no further; `reason` is the word that it is counted by, `detail` what a person wants to know."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first line: what the build's outcomes depend on besides the files."""

    schema: str = SCHEMA
    schema_version: int = SCHEMA_VERSION
    model: str | None
    evaluator: str
    protocol: str
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one stage said of one unit."""

    unit: str
    """The file below the folder, or `FILE:KERNEL`."""
    stage: Stage
    key: str
    """SHA-256 of all that went in."""
    reason: str = ""
    """Why it was dropped, a word or two; empty when it was kept."""
    detail: str = ""
    by: str = "rule"
    """`rule`, `model` or the judge's name."""
    seconds: float = 0.0
    made: Mapping[str, str] = field(default_factory=dict)
    """What the next stage takes: texts by name."""

    @property
    def kept(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCount:
    """One stage's row of the account."""

    stage: Stage
    entered: int
    kept: int
    by_model: int
    """Of the kept: how many a model wrote."""
    dropped: Mapping[str, int]
    """Reason -> how many, the commonest first."""


class ResultsFile:
    """The one file of results of a build, open for appending. Safe for several threads; until it is closed nobody else can open it.

    Raises:
        ConfigError: It was begun with another model, judge or level, or is not of a build at all; it is left as it is then. It is open
            already.
        SchemaError: It is damaged.
        StoreUnavailable: It cannot be written.
    """

    def __init__(self, out: Path, head: Head) -> None:
        self.path = out / RESULTS
        self._lock = threading.Lock()
        self._known: dict[tuple[Stage, str], Outcome] = {}
        self._written: set[tuple[str, Stage, str]] = set()
        with ExitStack() as undo:
            self._file = undo.enter_context(LineFile(self.path, is_head=_is_head, writer="cudaeval build"))
            self._begin(head)
            undo.pop_all()

    def close(self) -> None:
        """Let others go on with it."""
        self._file.close()

    def _begin(self, head: Head) -> None:
        lines = self._file.lines
        if not lines:
            self._file.replace([to_json(head)])
            return
        before = _record(Head, lines[0], self.path, 1)
        if before != head:
            fields = [name for name in Head.__slots__ if getattr(before, name) != getattr(head, name)]
            raise ConfigError(
                f"{self.path} was begun with another {', '.join(fields)}: give another --out, or the same options to go on with it"
            )
        for number, line in enumerate(lines[1:], start=2):
            self._remember(_record(Outcome, line, self.path, number))

    def find(self, stage: Stage, key: str) -> Outcome | None:
        """The outcome of this stage for what has this hash, if it was reached before."""
        with self._lock:
            return self._known.get((stage, key))

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome; on the disk when this returns. One that is there already is not written twice."""
        with self._lock:
            if (outcome.unit, outcome.stage, outcome.key) not in self._written:
                self._file.append(to_json(outcome))
                self._remember(outcome)

    def _remember(self, outcome: Outcome) -> None:
        self._known[outcome.stage, outcome.key] = outcome
        self._written.add((outcome.unit, outcome.stage, outcome.key))


def hash_of(*parts: str) -> str:
    """SHA-256 over several texts; no two different sequences share it."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()


def count_stages(outcomes: Iterable[Outcome]) -> tuple[StageCount, ...]:
    """How many entered each stage, how many were kept, and why the others were not."""
    found: dict[Stage, list[Outcome]] = {stage: [] for stage in STAGES}
    for outcome in outcomes:
        found[outcome.stage].append(outcome)
    return tuple(_count(stage, of_stage) for stage, of_stage in found.items())


def _count(stage: Stage, outcomes: Sequence[Outcome]) -> StageCount:
    reasons = Counter(outcome.reason for outcome in outcomes if not outcome.kept)
    return StageCount(
        stage=stage,
        entered=len(outcomes),
        kept=sum(outcome.kept for outcome in outcomes),
        by_model=sum(outcome.kept and outcome.by == "model" for outcome in outcomes),
        dropped=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
    )


def _is_head(line: bytes) -> bool:
    """Whether a line says that it is the head of a build, damaged or not."""
    try:
        plain = parse_strict(line)
    except SchemaError:
        return False
    return isinstance(plain, dict) and plain.get("schema") == SCHEMA


def _record(kind: type[Line], line: bytes, path: Path, number: int) -> Line:
    try:
        return from_json(kind, line)
    except SchemaError as error:
        raise SchemaError(
            f"{path}: line {number}: {error}; delete the file to build anew, or give another --out"
        ) from error
