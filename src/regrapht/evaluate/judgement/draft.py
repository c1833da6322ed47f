"""A verdict in the making: stages run in order, the first failure ends it, and the verdict is put together in one place."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from regrapht.errors import InvalidTask, TaskError
from regrapht.evaluate.judgement.feedback import scrub
from regrapht.evaluate.judgement.rejected import NotDone, Rejected
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, ShapeTiming
from regrapht.records.task import Task
from regrapht.records.verdict import (
    CaseResult,
    Evidence,
    Finding,
    KernelResources,
    Level,
    Stage,
    StageName,
    StageOutcome,
    Status,
    Verdict,
)

PROTOCOL = "2"
"""Version of the rules of judging. Any change that can change a verdict or a time raises it."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """What is known so far of one candidate."""

    task: Task
    candidate: Candidate
    level: Level
    evaluator: str
    environment: Environment
    labels: list[str] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    cases: list[CaseResult] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    resources: tuple[KernelResources, ...] = ()
    timing: tuple[ShapeTiming, ...] | None = None
    no_timing: str = "not_reached"
    evidence: Evidence | None = None
    code_hash: str | None = None
    exclusive_s: float = 0.0
    """How long the device was held alone for this candidate."""
    started: float = field(default_factory=time.monotonic)

    @property
    def source(self) -> str:
        """The candidate's text; only after the parse stage."""
        assert self.candidate.source is not None, "the parse stage comes first"
        return self.candidate.source

    def label(self, label: str) -> None:
        """Say what was not enforced or not checked, once."""
        if label not in self.labels:
            self.labels.append(label)

    @contextmanager
    def stage(self, name: StageName) -> Iterator[Callable[[str], None]]:
        """Record the block as a stage: passed, with what it says for detail; absent where it ends by `NotDone`; failed where it raises."""
        begun, said = time.monotonic(), list[str]()
        try:
            yield said.append
        except NotDone as reason:
            self.stages.append(_stage(name, StageOutcome.ABSENT, begun, str(reason)))
        except Rejected as rejected:
            self.stages.append(_stage(name, StageOutcome.FAILED, begun, rejected.reason, scrub(rejected.output)))
            raise
        except (InvalidTask, TaskError) as error:
            self.stages.append(_stage(name, StageOutcome.FAILED, begun, str(error)))
            raise
        else:
            self.stages.append(_stage(name, StageOutcome.PASSED, begun, ". ".join(said)))


def judge(draft: Draft, stages: Callable[[Draft], None], *, praise: Callable[[Draft], str]) -> Verdict:
    """Run `stages`, blocks of `Draft.stage`, and answer with the verdict. `praise` writes the feedback of a candidate that passed.

    A reference that fails on the way, or an init that makes no sense, ends it with INVALID_TASK: nothing is then known of the candidate.
    """
    if draft.candidate.independence is not None:
        draft.label(f"independence {draft.candidate.independence}")
    try:
        stages(draft)
    except Rejected as rejected:
        return _verdict(draft, rejected.status, rejected.reason, scrub(rejected.feedback))
    except (InvalidTask, TaskError) as error:
        return blame_task(draft, error)
    return _verdict(draft, Status.PASSED, "right in every case", praise(draft))


def blame_task(draft: Draft, error: InvalidTask | TaskError) -> Verdict:
    """The verdict where the task is at fault. A proposer is not told how: the reference's own words may hold what it computed."""
    told = "The task is at fault, not the program: its reference failed, and nothing could be compared with it."
    draft.timing = None
    return _verdict(draft, Status.INVALID_TASK, str(error), told)


def _stage(name: StageName, outcome: StageOutcome, begun: float, detail: str, output: str = "") -> Stage:
    return Stage(
        name=name, outcome=outcome, seconds=time.monotonic() - begun, detail=scrub(detail, limit=1000), output=output
    )


def _verdict(draft: Draft, status: Status, reason: str, feedback: str) -> Verdict:
    return Verdict(
        status=status,
        level=draft.level,
        evaluator=draft.evaluator,
        task_hash=draft.task.content_hash,
        candidate_id=draft.candidate.id,
        reason=scrub(reason, limit=500),
        feedback=feedback,
        stages=tuple(draft.stages),
        resources=draft.resources,
        cases=tuple(draft.cases),
        findings=tuple(draft.findings),
        timing=draft.timing,
        no_timing=None if draft.timing is not None else draft.no_timing,
        evidence=draft.evidence,
        code_hash=draft.code_hash,
        labels=tuple(draft.labels),
        environment=draft.environment,
        protocol=PROTOCOL,
        seconds=time.monotonic() - draft.started,
    )
