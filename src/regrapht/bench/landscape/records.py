"""A landscape: the recorded table of one task, from which searches are studied without a compiler, a model or a GPU.

It holds programs that the transform engine reaches, the transitions between them, and what one evaluator said of each. Whether its numbers
are measured times or modelled costs is the scale of its yardstick; the two are never in one file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from regrapht.records.measurement import Environment, Scale, TimingSamples, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict

SCHEMA_VERSION = 1
MAX_PROGRAMS = 5000
_KEPT_SAMPLES = 15
_KEPT_TEXT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One attempt at a transition and where it led."""

    program: int
    """The child's place in `Landscape.programs`."""
    techniques: tuple[str, ...]
    """What was applied: the technique, after those that the engine had to apply before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTransition:
    """A technique at a program, and the programs that its settings gave, in the order of attempts."""

    technique: str
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError(f"transition {self.technique} leads nowhere")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedProgram:
    """One distinct program with everything recorded of it."""

    source: str
    program_hash: str
    decisions: str
    """JSON of the transform engine's decisions on the way that found it first."""
    distance: int
    """What that way took: each technique costs 1, and each setting before the one used costs 1 more."""
    verdicts: tuple[Verdict, ...]
    """One of each level judged, trimmed by `trimmed`."""
    transitions: tuple[RecordedTransition, ...]

    def __post_init__(self) -> None:
        levels = [verdict.level for verdict in self.verdicts]
        if Level.SCREEN not in levels or len(set(levels)) != len(levels):
            raise ValueError("a program has one screening verdict and at most one in full")
        names = [transition.technique for transition in self.transitions]
        if len(set(names)) != len(names):
            raise ValueError("a technique has one transition at a program")

    @property
    def screened(self) -> Verdict:
        return next(verdict for verdict in self.verdicts if verdict.level is Level.SCREEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much of a task's programs a landscape takes in."""

    depth: int = 4
    """Most techniques after the first program."""
    programs: int = 400
    attempts: int = 3
    """Settings of one technique at one program that are looked at."""
    full: int = 3
    """The best so many are judged in full."""

    def __post_init__(self) -> None:
        if min(self.depth, self.programs, self.attempts) < 1 or self.full < 0 or self.programs > MAX_PROGRAMS:
            raise ValueError(f"depth, programs and attempts are at least 1, and programs at most {MAX_PROGRAMS}")


@dataclass(frozen=True, kw_only=True)
class Landscape:
    """Programs in the order of their distance, and the transitions between them; none leads out of the table."""

    task: Task
    evaluator: str
    protocol: str
    environment: Environment
    yardstick: Yardstick
    extent: Extent
    recorded: str
    """The day, ISO 8601."""
    first: tuple[Step, ...]
    """The first programs, in the order of attempts."""
    programs: tuple[RecordedProgram, ...]
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        date.fromisoformat(self.recorded)
        if not self.first or not 1 <= len(self.programs) <= MAX_PROGRAMS:
            raise ValueError(f"a landscape has a first program, and at most {MAX_PROGRAMS} of them")
        if len({program.program_hash for program in self.programs}) != len(self.programs):
            raise ValueError("one program is recorded twice")
        for step in self._steps():
            if not 0 <= step.program < len(self.programs):
                raise ValueError(f"a transition leads to program {step.program} of {len(self.programs)}")
        for verdict in (verdict for program in self.programs for verdict in program.verdicts):
            if verdict.evaluator != self.evaluator or verdict.protocol != self.protocol:
                raise ValueError("verdicts of several evaluators or protocols are in one landscape")

    @property
    def is_measured(self) -> bool:
        """Whether its numbers are times of a device; otherwise they are modelled costs."""
        return self.yardstick.scale is Scale.MEASURED_US

    def verdicts(self) -> Iterator[tuple[str, Verdict]]:
        """Every verdict with its program's hash, as the replay evaluator takes them."""
        for program in self.programs:
            for verdict in program.verdicts:
                yield program.program_hash, verdict

    def _steps(self) -> Iterator[Step]:
        yield from self.first
        for program in self.programs:
            for transition in program.transitions:
                yield from transition.steps


def trimmed(verdict: Verdict) -> Verdict:
    """The verdict without what a replay does not need: tools' output, further cases, lines and kernels, baselines' samples.

    Status, level, evidence totals and the candidate's own samples (at most 15 a shape, evenly spread) stay. The environment is the
    landscape's.
    """
    evidence = verdict.evidence and replace(verdict.evidence, sites=(), lines=(), kernels=())
    timing = verdict.timing and tuple(
        replace(
            shape, candidate=_fewer(shape.candidate), baselines={}, ratios=(), kernel=None, end_to_end=None,
            with_transfers=None, absent=dict.fromkeys(("kernel", "end_to_end", "with_transfers"), "not_recorded"),
        )
        for shape in verdict.timing
    )  # fmt: skip
    return replace(
        verdict,
        reason=verdict.reason[:_KEPT_TEXT],
        feedback=verdict.feedback[:_KEPT_TEXT],
        stages=tuple(replace(stage, output="", detail=stage.detail[:_KEPT_TEXT]) for stage in verdict.stages),
        resources=(),
        cases=verdict.cases[:1],
        findings=tuple(replace(finding, message=finding.message[:_KEPT_TEXT]) for finding in verdict.findings[:2]),
        timing=timing,
        evidence=evidence,
        environment=None,
    )


def _fewer(samples: TimingSamples) -> TimingSamples:
    """At most 15 of the samples by rank, smallest and largest included, so that the median stays where it was."""
    ordered = sorted(samples.samples_us)
    if len(ordered) <= _KEPT_SAMPLES:
        return samples
    last = len(ordered) - 1
    kept = [ordered[round(i * last / (_KEPT_SAMPLES - 1))] for i in range(_KEPT_SAMPLES)]
    return TimingSamples(samples_us=tuple(kept))
