"""What `regrapht emulate` found: the record that its surfaces show."""

from dataclasses import dataclass

from regrapht.records.verdict import Evidence, Finding, KernelResources, Severity, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRun:
    """One run in one order of threads."""

    schedule: str
    """`forward`, `reverse` or `random`; `own_arrays` for the run in order that checks the program's own arrays alone."""
    seed: int | None
    """Of a random schedule; gives the same order again."""
    ending: str
    """`ended`, or how it was ended otherwise."""
    seconds: float
    """On this CPU: says nothing of a GPU."""
    output: str = ""
    """What the program printed, capped and escaped."""
    errors: str = ""
    """What it printed to standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulation:
    """One file, built and run."""

    file: str
    source: str
    checked: bool
    status: Status
    """PASSED when every run ended well and nothing was found."""
    reason: str
    """One line for a person."""
    compiler_output: str = ""
    runs: tuple[ScheduleRun, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence: Evidence | None = None
    """Of the first run that has any."""
    resources: tuple[KernelResources, ...] = ()
    """Of a real CUDA compiler, where there is one."""
    labels: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    """File and line of each line of `source`, where it is the text of several files."""

    def place(self, line: int | None) -> str:
        """`file.cu:12`; the file alone without a line."""
        if line is not None and 0 < line <= len(self.places):
            name, line = self.places[line - 1]
            return f"{name}:{line}"
        return f"{self.file}:{line}" if line else self.file

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)
