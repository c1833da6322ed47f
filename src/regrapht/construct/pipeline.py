"""The reasoning graph from a corpus: ReGraphT's Algorithm 1 with the verification that its text claims.

Every step's verdict must be on file for exactly its program and its task; then the graph is a function of the files alone, and building it
again anywhere gives the same hash. A step that failed ends its trajectory, and is an outcome of its transition.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory, read_corpus
from regrapht.construct.judged_step import JudgedStep, judged_steps
from regrapht.construct.relabel import Match, relabel
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath, program_hash
from regrapht.graph.vocabulary import Vocabulary, load_vocabulary
from regrapht.records.technique import Exemplar
from regrapht.records.verdict import Status

_NOT_BUILT = {Status.UNPARSABLE, Status.BUILD_FAILED, Status.POLICY_REJECTED, Status.SKIPPED}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What became of a corpus on its way into the graph."""

    tasks: int
    trajectories: int
    steps: int
    verified: int
    """Steps that entered the graph as verified applications."""
    labels: Mapping[str, int]
    """Steps by how they got their label: `exact`, `alias`, `unknown`."""
    unknown_labels: Mapping[str, int]
    refused: Mapping[str, int]
    """Steps that ended their trajectory, by the judge's status; `UNSUPPORTED` where no evaluator could judge."""
    after_refused: int
    """Steps behind one of those, which therefore did not count."""


def build_graph(corpus: Path, *, vocabulary: Vocabulary | None = None) -> tuple[TechniqueGraph, BuildReport]:
    """The graph of all verified trajectories in a corpus folder, and the report on how it was made.

    Raises:
        UserFixable: The corpus is malformed, or a step has no verdict for its present text; the message names the file and the command.
    """
    words = load_vocabulary() if vocabulary is None else vocabulary
    trajectories = read_corpus(corpus)
    builder = GraphBuilder(words.techniques.values())
    labels: Counter[str] = Counter({match.value: 0 for match in Match})
    unknown: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    verified = steps = 0
    for item in trajectories:
        relabelled = relabel(item.trajectory, words)
        labels.update(match.value for match in relabelled.matches)
        unknown.update(
            step.method
            for step, match in zip(item.trajectory.steps, relabelled.matches, strict=True)
            if match is Match.UNKNOWN
        )
        slugs = [step.technique for step in relabelled.trajectory.steps]
        passed, end = _add_trajectory(builder, item, judged_steps(item, slugs, corpus))
        verified, steps = verified + passed, steps + len(slugs)
        if end is not None:
            refused[end.value] += 1
    report = BuildReport(
        tasks=len({item.task.id for item in trajectories}),
        trajectories=len(trajectories),
        steps=steps,
        verified=verified,
        labels=dict(labels),
        unknown_labels=dict(sorted(unknown.items())),
        refused=dict(sorted(refused.items())),
        after_refused=steps - verified - sum(refused.values()),
    )
    return builder.graph(), report


def _add_trajectory(
    builder: GraphBuilder, item: CorpusTrajectory, steps: Sequence[JudgedStep]
) -> tuple[int, Status | None]:
    """Adds the trajectory up to its first failure; returns the number of verified steps and the status that ended it early."""
    trajectory, task = item.trajectory, item.task
    slugs: list[str] = []
    speedups: list[float | None] = []
    verified, end = 0, None
    for step in steps:
        status = step.status
        if step.transition is not None:
            _add_outcomes(builder, step, source=trajectory.source, family=task.family)
        if status is not Status.PASSED:
            end = status
            break
        verified += 1
        if step.transition is None:
            continue
        speedup, device = step.measured_speedup() or (None, None)
        exemplar = Exemplar(
            transition=step.transition,
            task_id=task.id,
            family=task.family,
            rationale=step.rationale,
            detail=step.detail,
            before=program_hash(step.before),
            after=program_hash(step.after),
            before_status=Status.PASSED.value,
            after_status=status.value,
            speedup=speedup,
            device=device,
            source=trajectory.source,
            licence=trajectory.licence,
        )
        builder.add_transition(step.transition, exemplar=exemplar, programs=(step.before, step.after))
        slugs.append(step.transition.target)
        speedups.append(speedup)
    if slugs:
        timed = tuple(speedups) if any(speedups) else None
        path = TechniquePath(
            task_id=task.id,
            family=task.family,
            source=trajectory.source,
            slugs=tuple(slugs),
            speedups=timed,
            trajectory=item.name,
        )
        builder.add_path(path)
    return verified, end


def _add_outcomes(builder: GraphBuilder, step: JudgedStep, *, source: str, family: str | None) -> None:
    assert step.transition is not None
    for verdict in step.verdicts:
        if verdict.is_answer:
            speedup = step.speedup(verdict) if verdict.passed else None
            outcome = single_attempt(
                step.transition,
                device=verdict.device,
                proposer=source,
                family=family,
                built=verdict.status not in _NOT_BUILT,
                correct=verdict.passed,
                gain_log2=None if speedup is None else math.log2(speedup),
            )
            builder.add_outcome(outcome)
