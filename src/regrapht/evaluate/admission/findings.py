"""What an examination of a task found, rule by rule, and whether the task is admitted."""

from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.verdict import Severity


class Rule(StrEnum):
    """What a task is held to; `docs/task-format.md` says why."""

    NOTHING_DRAWN = "nothing_drawn"
    FIXED_OUTPUT = "fixed_output"
    TRIVIAL_OUTPUT = "trivial_output"
    IGNORED_INPUT = "ignored_input"
    UNDRAWN_INPUT = "undrawn_input"
    CONSTANT_AXIS = "constant_axis"
    NOT_FINITE = "not_finite"
    UNWRITTEN_OUTPUT = "unwritten_output"
    READS_OUTPUT = "reads_output"
    NONDETERMINISTIC = "nondeterministic"
    UNORDERED_SUM = "unordered_sum"
    REFERENCE_FAILS = "reference_fails"
    UNDEFINED_BEHAVIOUR = "undefined_behaviour"
    RISKY_ARITHMETIC = "risky_arithmetic"
    UNSTABLE_REFERENCE = "unstable_reference"
    CHANGED_INPUT = "changed_input"
    UNTAKEN_BRANCH = "untaken_branch"
    WORK_BYTES = "work_bytes"
    ONE_SHAPE = "one_shape"
    TOO_SMALL = "too_small"
    TRIVIAL_AT_BENCH = "trivial_at_bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFinding:
    """One rule that a task breaks."""

    rule: Rule
    severity: Severity
    """An error keeps the task from being admitted, a warning does not."""
    message: str
    """What is wrong, and what to change in task.toml or in the reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The examination of one task."""

    task_id: str
    task_hash: str
    findings: tuple[TaskFinding, ...]
    """Errors first."""
    unchecked: tuple[str, ...]
    """What could not be looked at or was left out, and why; never counted as fine."""
    seconds: float

    @property
    def errors(self) -> tuple[TaskFinding, ...]:
        """The findings that keep the task from being admitted."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def admitted(self) -> bool:
        """Whether verdicts on this task mean something: no error was found."""
        return not self.errors


def error(rule: Rule, message: str) -> TaskFinding:
    """A finding that keeps the task from being admitted."""
    return TaskFinding(rule=rule, severity=Severity.ERROR, message=message)


def warning(rule: Rule, message: str) -> TaskFinding:
    """A finding to know of."""
    return TaskFinding(rule=rule, severity=Severity.WARNING, message=message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was found, and what could not be looked at."""

    findings: tuple[TaskFinding, ...] = ()
    unchecked: tuple[str, ...] = ()
