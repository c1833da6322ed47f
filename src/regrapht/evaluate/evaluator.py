"""The judge's interface: a task and a candidate in, a verdict out.

Implementations: `emulated` (CUDA C++ on this CPU, modelled evidence, never a time), `local_gpu` (nvcc, a child process, measured time) and
`replay` (answers from recorded verdicts). All of them keep the same promises, which `regrapht.testing` checks:

* the candidate's process never says whether it passed: the parent draws inputs, computes the expected output and compares raw bytes;
* a bad candidate is a verdict, and so is a task that cannot be judged on; a broken machine is `EvaluatorUnavailable`;
* what could not be checked is a label on the verdict, or the status UNSUPPORTED; unknown is not a pass.
"""

from dataclasses import dataclass
from typing import Protocol

from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a back-end can work here, and if not, why and what would mend it."""

    available: bool
    reason: str = ""
    fix: str = ""


class Evaluator(Protocol):
    """Judges candidates. `evaluate` may be called from several threads at once."""

    name: str
    protocol: str
    """Version of the judge's rules and of what this evaluator applies of them; verdicts of different protocols are never mixed."""

    def availability(self) -> Availability:
        """Whether this machine can run it; cheap, tries the tools it needs once."""
        ...

    def environment(self) -> Environment:
        """The device and tools that verdicts are made with; part of every cache key."""
        ...

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """Compile the reference, check that it runs at every check shape, and say what speed is measured with.

        `plain` is a straightforward CUDA version whose modelled cost is the start of the scale where no time is measured; the task's own
        `naive` baseline comes before it. Without either, the start is a fixed multiple of the floor.

        Raises:
            InvalidTask: The reference does not compile (its compiler's first error is in the message), crashes, never ends, differs from
                run to run, or leaves nothing to compare.
            EvaluatorUnavailable: The machine's fault.
        """
        ...

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """Judge one candidate. Never raises for what a candidate does, nor for a task at fault: that is the status INVALID_TASK.

        Raises:
            EvaluatorUnavailable: The machine's fault; ask again later.
        """
        ...
