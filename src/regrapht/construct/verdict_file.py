"""`verdicts.json` beside a trajectory: what the judge said of each step, and of exactly which text.

A verdict counts while the program and the task are, by hash, the ones that were judged. Several evaluators may each have judged a step.
Times are kept as summaries and a verdict on one line, so that thousands of them can be read, compared and kept under version control.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrapht.errors import SchemaError
from regrapht.graph.technique_graph import text_hash
from regrapht.records.encoding import from_plain, parse_strict, to_plain
from regrapht.records.measurement import Environment, Ratio, ShapeTiming, TimingSamples
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.store.blobs import write_atomically

VERDICTS_FILE = "verdicts.json"
SCHEMA = "regrapht.corpus_verdicts"
SCHEMA_VERSION = 2
MAX_FILE_BYTES = 64 * 1024 * 1024
_KEYS = {1: {"schema", "schema_version", "steps"}, 2: {"schema", "schema_version", "environments", "steps"}}
_NO_ANSWER = (Status.UNSUPPORTED, Status.INVALID_TASK)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSummary:
    """What the samples of one program at one shape come to, in microseconds."""

    median_us: float
    """As it came from the samples: the graph's speed-ups are made of it, to the last bit."""
    quartiles_us: tuple[float, float]
    """First and third, to a nanosecond."""
    samples: int
    """How many there were."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.median_us) and self.median_us > 0 and self.samples > 0):
            raise ValueError("a time is a finite number above 0, of at least one sample")

    @classmethod
    def of(cls, timing: TimingSamples) -> "TimeSummary":
        first, third = timing.quartiles_us
        return cls(
            median_us=timing.median_us,
            quartiles_us=(round(first, 3), round(third, 3)),
            samples=len(timing.samples_us),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeSummary:
    """A `ShapeTiming` without raw samples, and without times that nothing is compared by."""

    sizes: Mapping[str, int]
    candidate: TimeSummary
    baselines: Mapping[str, TimeSummary]
    ratios: tuple[Ratio, ...]
    floor_us: float | None
    """Speed-of-light time; None when a peak is unknown."""

    @classmethod
    def of(cls, timing: ShapeTiming) -> "ShapeSummary":
        return cls(
            sizes=timing.sizes,
            candidate=TimeSummary.of(timing.candidate),
            baselines={name: TimeSummary.of(samples) for name, samples in timing.baselines.items()},
            ratios=timing.ratios,
            floor_us=timing.floor_us,
        )

    @property
    def floor_fraction(self) -> float | None:
        """Fraction of the speed of light that the candidate reached."""
        return None if self.floor_us is None else self.floor_us / self.candidate.median_us

    def ratio(self, against: str) -> Ratio | None:
        return next((ratio for ratio in self.ratios if ratio.against == against), None)


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
    timing: tuple[ShapeSummary, ...] | None
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
            timing=None if verdict.timing is None else tuple(map(ShapeSummary.of, verdict.timing)),
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
        return from_plain(tuple[StepVerdict, ...], _steps(parse_strict(file.read_bytes())), "$.steps")
    except SchemaError as error:
        raise SchemaError(f"{file}: {error}; delete the file and run `regrapht graph verify` to judge anew") from error


def write_verdicts(folder: Path, verdicts: Iterable[StepVerdict]) -> None:
    """Replace the verdicts of a trajectory as one step.

    Raises:
        StoreUnavailable: The folder cannot be written.
    """
    steps = [to_plain(verdict) for verdict in sorted(verdicts, key=lambda verdict: (verdict.file, verdict.evaluator))]
    environments: list[object] = []
    for step in steps:
        if (environment := step["environment"]) is not None:
            if environment not in environments:
                environments.append(environment)
            step["environment"] = environments.index(environment)
    text = (
        f'{{\n "schema": "{SCHEMA}",\n "schema_version": {SCHEMA_VERSION},\n'
        f' "environments": {_one_a_line(environments)},\n "steps": {_one_a_line(steps)}\n}}\n'
    )
    write_atomically(folder / VERDICTS_FILE, text.encode())


def _one_a_line(rows: Sequence[object]) -> str:
    lines = [json.dumps(row, sort_keys=True, ensure_ascii=False, allow_nan=False) for row in rows]
    return "[\n  " + ",\n  ".join(lines) + "\n ]" if lines else "[]"


def _steps(document: Any) -> Any:
    """The verdicts in a file's document, in today's form, each with its environment in its place.

    Raises:
        SchemaError: It is no such document, or of a version that is not known.
    """
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise SchemaError("this is not a file of verdicts")
    version = document.get("schema_version")
    if type(version) is not int or version not in _KEYS:
        raise SchemaError(f"schema version {version!r:.20}; this regrapht reads {SCHEMA_VERSION}: upgrade it")
    if set(document) != _KEYS[version]:
        raise SchemaError("this is not a file of verdicts")
    if not isinstance(steps := document["steps"], list):
        return steps
    if version == 1:
        return [_summarised(step) for step in steps]
    return [_with_environment(step, document["environments"]) for step in steps]


def _summarised(step: Any) -> Any:
    """A verdict of version 1, which had each timed shape with all of its samples."""
    if not isinstance(step, dict) or step.get("timing") is None:
        return step
    shapes = from_plain(tuple[ShapeTiming, ...], step["timing"], "$.steps.timing")
    return {**step, "timing": [to_plain(ShapeSummary.of(shape)) for shape in shapes]}


def _with_environment(step: Any, environments: Any) -> Any:
    """A verdict with the environment that its number stands for."""
    if not isinstance(step, dict) or step.get("environment") is None:
        return step
    number = step["environment"]
    if type(number) is not int or not isinstance(environments, list) or not 0 <= number < len(environments):
        raise SchemaError(f"$.steps.environment: {number!r:.20} is not a number of an environment in this file")
    return {**step, "environment": environments[number]}
