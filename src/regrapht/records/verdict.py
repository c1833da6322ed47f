"""What the judge says of one candidate: the whole of it, and impossible combinations refused.

`Verdict.status` is one word; the rest is the evidence stage by stage. A bad candidate, a candidate without code and a technique that does
not apply all get a verdict. A broken machine never does: it is an exception (`regrapht.errors.Unavailable`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.measurement import Environment, ShapeTiming

SCHEMA_VERSION = 1
SCREENED_ONLY = "screened_only"
"""The label of a run's best that was not judged in full, because the run was interrupted."""


class Status(StrEnum):
    """The one enumeration of outcomes."""

    PASSED = "PASSED"
    UNPARSABLE = "UNPARSABLE"
    """No usable code in a model's reply, or the entry is missing from it."""
    BUILD_FAILED = "BUILD_FAILED"
    POLICY_REJECTED = "POLICY_REJECTED"
    """It breaks the contract: extra symbols, a forbidden library, output to a file descriptor."""
    CRASHED = "CRASHED"
    TIMED_OUT = "TIMED_OUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    OUTPUT_LIMIT = "OUTPUT_LIMIT"
    WRONG_VALUE = "WRONG_VALUE"
    NON_FINITE = "NON_FINITE"
    """NaN or infinity where the reference has a finite value, or the other way round."""
    UNWRITTEN = "UNWRITTEN"
    INPUT_MODIFIED = "INPUT_MODIFIED"
    OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
    UNINITIALISED_READ = "UNINITIALISED_READ"
    MISALIGNED = "MISALIGNED"
    BAD_POINTER = "BAD_POINTER"
    """Host memory used on the device, or the other way round."""
    RACE = "RACE"
    BARRIER_FAULT = "BARRIER_FAULT"
    """A barrier that not all threads reach, or a shuffle from a lane that is not there."""
    NONDETERMINISTIC = "NONDETERMINISTIC"
    LATE_WRITE = "LATE_WRITE"
    TIMING_INVALID = "TIMING_INVALID"
    IMPOSSIBLE = "IMPOSSIBLE"
    SUSPECT = "SUSPECT"
    """Over ten times as fast as the best baseline of the device, and a second, stricter look could not be made or found other times."""
    UNSUPPORTED = "UNSUPPORTED"
    """Nothing on this machine can judge it: unknown is not a pass."""
    SKIPPED = "SKIPPED"
    """The technique does not apply; costs a proposal, not a judged candidate."""
    INVALID_TASK = "INVALID_TASK"
    """The task is to blame: its reference fails, differs from run to run, or leaves nothing to compare. The candidate stays unknown."""


class Level(StrEnum):
    """How thoroughly a candidate is judged."""

    SCREEN = "screen"
    FULL = "full"


class Severity(StrEnum):
    ERROR = "error"
    """Refuses the candidate."""
    WARNING = "warning"
    """Passes with a label."""


class StageName(StrEnum):
    """The stages in their order; the first failure ends the judgement."""

    PARSE = "parse"
    BUILD = "build"
    CHECK = "check"
    MEMORY = "memory"
    TIME = "time"
    PROFILE = "profile"


class StageOutcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    ABSENT = "absent"
    """Not done, for a reason that `detail` names: `no_gpu`, `no_sanitizer` ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage's outcome and cost."""

    name: StageName
    outcome: StageOutcome
    seconds: float
    detail: str = ""
    output: str = ""
    """Tail of what a tool printed: capped, control characters escaped, paths scrubbed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResources:
    """What the compiler says of one kernel."""

    name: str
    registers_per_thread: int | None
    static_shared_bytes: int | None
    spill_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault that a memory checker saw."""

    kind: str
    """The checker's own word, such as `race_shared_rw`."""
    status: Status
    """The status that this finding refuses with, when it is an error."""
    severity: Severity
    checker: str
    """`emulator`, `memcheck`, `racecheck`, `initcheck` or `synccheck`."""
    message: str
    kernel: str | None = None
    line: int | None = None
    """Line in the candidate's source, from 1."""
    other_line: int | None = None
    """The second access of a race."""
    hint: str = ""
    """The smallest change that would mend it."""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One shape and family of values, compared."""

    sizes: Mapping[str, int]
    family: str
    """Which values: `declared`, `signed`, `zeros` ..."""
    hidden: bool
    """A size of the judge's own, which no feedback may name."""
    output: str
    """The output argument with the largest error."""
    norm_error: float | None
    """||y - r|| / ||r||; None for exact outputs."""
    norm_bar: float | None
    element_error: float | None
    """Largest |y - r| as a multiple of its elementwise bar; None when that bar was not applied."""
    mismatches: int
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessSite:
    """Modelled global or shared memory behaviour of one source line."""

    line: int
    space: str
    """`global` or `shared`."""
    kind: str
    """`load`, `store` or `atomic`."""
    requests: int
    transactions: int
    """32-byte sectors for global memory, bank passes for shared."""
    ideal_transactions: int
    active_lanes: float
    """Mean lanes of a warp that took part, 0 to 32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWork:
    """Modelled instructions of one source line, memory accesses included."""

    line: int
    instructions: int
    """Of threads, as the emulator's compiler made them: nvcc's own will differ."""
    flops: int
    active_lanes: float
    """Mean lanes of a warp that took part, 0 to 32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelEvidence:
    """What the emulator modelled for all launches of one kernel with one shape."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    """Of a block, static and dynamic."""
    launches: int
    threads: int
    """Of all its launches."""
    traced_blocks: int
    """Blocks whose accesses were counted; counts are scaled up from them. 0: only launches, threads and barriers are known."""
    instructions: int
    flops: int
    global_requests: int
    global_sectors: int
    ideal_global_sectors: int
    shared_requests: int
    shared_passes: int
    ideal_shared_passes: int
    barriers: int
    active_lanes: float | None
    """Mean lanes of a warp that an instruction was executed for, 0 to 32."""

    @property
    def intensity(self) -> float | None:
        """FLOP for each byte of the global sectors that were requested, caches left out; None without global accesses."""
        return self.flops / (32 * self.global_sectors) if self.global_sectors else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the emulator modelled for one call at one shape. Never a time: `modelled_cost` is a unit-less figure for ranking."""

    sizes: Mapping[str, int]
    launches: int
    threads: int
    instructions: int
    flops: int
    global_sectors: int
    ideal_global_sectors: int
    shared_passes: int
    ideal_shared_passes: int
    barriers: int
    divergence: float | None
    """Share of lane slots that did work, 0 to 1."""
    modelled_cost: float
    sites: tuple[AccessSite, ...] = ()
    lines: tuple[LineWork, ...] = ()
    kernels: tuple[KernelEvidence, ...] = ()


_NEEDS_BUILD = frozenset(Status) - {
    Status.UNPARSABLE,
    Status.BUILD_FAILED,
    Status.POLICY_REJECTED,
    Status.SKIPPED,
    Status.UNSUPPORTED,
    Status.INVALID_TASK,
    Status.TIMED_OUT,
    Status.OUT_OF_MEMORY,
    Status.OUTPUT_LIMIT,
    Status.CRASHED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The complete judgement of one candidate on one task."""

    status: Status
    level: Level
    evaluator: str
    task_hash: str
    candidate_id: str
    reason: str
    """One line for a person."""
    feedback: str = ""
    """What a proposer may be told: written to act on, capped, without expected values, seeds or hidden shapes."""
    stages: tuple[Stage, ...] = ()
    resources: tuple[KernelResources, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    timing: tuple[ShapeTiming, ...] | None = None
    no_timing: str | None = None
    """Why there is no timing: `no_gpu`, `not_reached` ..."""
    evidence: Evidence | None = None
    code_hash: str | None = None
    """SHA-256 of the device and host code that nvcc made, without debug information: candidates that share it are one program. None where
    nothing was built for a GPU."""
    labels: tuple[str, ...] = ()
    """What was not enforced or not checked: `weak_sandbox`, `memory_unchecked`, `bench_unchecked M=2048 ...`."""
    environment: Environment | None = None
    gain_over_plain: float | None = None
    """The plain CUDA version's time, or its modelled cost where none was measured, over this program's; None where that was not asked
    for, or one of the two has none."""
    protocol: str = ""
    """Version of the judge's rules; verdicts of different protocols are never mixed in one summary."""
    seconds: float = 0.0
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        stages = {stage.name: stage.outcome for stage in self.stages}
        if (self.timing is None) != (self.no_timing is not None):
            raise ValueError("a verdict has either timing or the reason for having none")
        if self.timing is not None and not self.timing:
            raise ValueError("timing without shapes is absent, not empty")
        if self.status is Status.PASSED:
            if (
                stages.get(StageName.BUILD) is not StageOutcome.PASSED
                or stages.get(StageName.CHECK) is not StageOutcome.PASSED
            ):
                raise ValueError("PASSED needs a passed build and a passed check")
            if StageOutcome.FAILED in stages.values():
                raise ValueError("PASSED with a failed stage")
            if any(finding.severity is Severity.ERROR for finding in self.findings):
                raise ValueError("PASSED with a finding of severity error")
            if not self.cases or not all(case.passed for case in self.cases):
                raise ValueError("PASSED needs cases, all of them passed")
        elif self.status in _NEEDS_BUILD and stages.get(StageName.BUILD) is not StageOutcome.PASSED:
            raise ValueError(f"{self.status} needs a passed build")
        if self.status in (Status.BUILD_FAILED, Status.UNPARSABLE, Status.SKIPPED) and (self.cases or self.timing):
            raise ValueError(f"{self.status} has neither cases nor timing")

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def time_us(self) -> float | None:
        """Geometric mean over bench shapes of the candidate's median time; None when nothing was timed."""
        if self.timing is None:
            return None
        product = 1.0
        for shape in self.timing:
            product *= shape.candidate.median_us ** (1 / len(self.timing))
        return product
