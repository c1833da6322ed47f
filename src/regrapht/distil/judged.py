"""Programs before the judge, with what came of them: right ones, refused ones, and how often each."""

from collections import Counter
from dataclasses import dataclass, field

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Sandbox
from regrapht.source.program_hash import program_hash

PROPOSER = "distil"


@dataclass
class Bench:
    """One task's programs, judged one by one on the emulator."""

    task: Task
    sandbox: Sandbox
    level: Level
    counts: Counter[str] = field(default_factory=Counter)
    """Verdicts, by status."""

    def __post_init__(self) -> None:
        self._evaluator = EmulatedEvaluator(self.sandbox)

    def judge(self, source: str, techniques: tuple[str, ...], *, parent: Judged | None = None) -> Judged:
        """The program with its verdict."""
        candidate = Candidate(
            source=source,
            program_hash=program_hash(source),
            origin=Origin(proposer=PROPOSER, seconds=0.0),
            parent=parent.candidate.id if parent else None,
            techniques=techniques,
        )
        verdict = self._evaluator.evaluate(self.task, candidate, level=self.level)
        self.counts[str(verdict.status)] += 1
        return Judged(proposal_id=1, candidate=candidate, verdict=verdict)


def modelled_cost(judged: Judged) -> float | None:
    """The emulator's cost of a program at its largest check shape; it has no unit, and is no time."""
    evidence = judged.verdict.evidence
    return None if evidence is None else evidence.modelled_cost
