"""One trajectory into the graph: exemplars and a path up to its first failure, and an outcome for every verdict on the way."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.construct.corpus import CorpusTrajectory
from regrapht.construct.judged_step import JudgedStep
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.technique_graph import TechniquePath, text_hash
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.records.verdict import Status

UNVERIFIED = "UNVERIFIED"
_NOT_BUILT = {Status.UNPARSABLE, Status.BUILD_FAILED, Status.POLICY_REJECTED, Status.SKIPPED}


@dataclass(frozen=True, slots=True)
class Entered:
    """What a trajectory gave."""

    verified: int
    measured: int
    end: Status | None = None
    """The status that ended it early."""


def add_trajectory(builder: GraphBuilder, item: CorpusTrajectory, steps: Sequence[JudgedStep]) -> Entered:
    """Add the trajectory up to its first failure, which counts as an outcome only."""
    slugs: list[str] = []
    speedups: list[float | None] = []
    verified, end = 0, None
    for step in steps:
        if step.transition is not None:
            _add_outcomes(builder, item, step, applied=slugs)
        if step.status is not Status.PASSED:
            end = step.status
            break
        verified += 1
        if step.transition is None:
            continue
        speedup, device = step.measured_speedup() or (None, None)
        exemplar = _exemplar(item, step, status=step.status.value, speedup=speedup, device=device)
        builder.add_transition(step.transition, exemplar=exemplar, programs=(step.before, step.after))
        slugs.append(step.transition.target)
        speedups.append(speedup)
    _add_path(builder, item, slugs, speedups)
    return Entered(verified, sum(speedup is not None for speedup in speedups), end)


def add_unverified(builder: GraphBuilder, item: CorpusTrajectory, slugs: Sequence[str | None]) -> Entered:
    """Add every step that has a label, whatever became of it; nothing counts as verified."""
    last, before = INIT, item.task.reference.source.text
    taken = []
    for step, slug in zip(item.trajectory.steps, slugs, strict=True):
        if slug is not None:
            unjudged = JudgedStep(
                transition=Transition(last, slug),
                before=before,
                after=step.code,
                rationale=step.think,
                detail=step.detail,
                verdicts=(),
                earlier=(),
            )
            exemplar = _exemplar(item, unjudged, status=UNVERIFIED, speedup=None, device=None)
            builder.add_transition(exemplar.transition, exemplar=exemplar, programs=(before, step.code))
            taken.append(slug)
        last, before = slug or last, step.code
    _add_path(builder, item, taken, [None] * len(taken))
    return Entered(0, 0)


def _exemplar(
    item: CorpusTrajectory, step: JudgedStep, *, status: str, speedup: float | None, device: str | None
) -> Exemplar:
    assert step.transition is not None
    return Exemplar(
        transition=step.transition,
        task_id=item.task.id,
        family=item.task.family,
        rationale=step.rationale,
        detail=step.detail,
        before=text_hash(step.before),
        after=text_hash(step.after),
        before_status=status,
        after_status=status,
        speedup=speedup,
        device=device,
        source=item.trajectory.source,
        licence=item.trajectory.licence,
        provenance=item.provenance,
    )


def _add_path(
    builder: GraphBuilder, item: CorpusTrajectory, slugs: Sequence[str], speedups: Sequence[float | None]
) -> None:
    if slugs:
        path = TechniquePath(
            task_id=item.task.id,
            family=item.task.family,
            source=item.trajectory.source,
            slugs=tuple(slugs),
            speedups=tuple(speedups) if any(speedups) else None,
            provenance=item.provenance,
        )
        builder.add_path(path)


def _add_outcomes(builder: GraphBuilder, item: CorpusTrajectory, step: JudgedStep, *, applied: Sequence[str]) -> None:
    assert step.transition is not None
    for verdict in step.verdicts:
        if verdict.is_answer:
            speedup = step.speedup(verdict) if verdict.passed else None
            outcome = single_attempt(
                step.transition,
                device=verdict.device,
                proposer=item.trajectory.source,
                family=item.task.family,
                task_id=item.task.id,
                applied=applied,
                provenance=item.provenance,
                built=verdict.status not in _NOT_BUILT,
                correct=verdict.passed,
                gain_log2=None if speedup is None else math.log2(speedup),
            )
            builder.add_outcome(outcome)
