"""Collecting trajectories: write, verify every step, label, keep. ReGraphT's Algorithm 1 up to the merge, which `build_graph` does.

Everything that is kept lies in a corpus folder, in the form of the written one, with its verdicts; a graph is built from both together.
Resumable: an attempt in the journal is not made again, and a model's reply on file is not asked for again.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from regrapht.construct.collection_files import (
    Attempt,
    Journal,
    programs,
    same_programs,
    save_task,
    save_trajectory,
    step_files,
)
from regrapht.construct.corpus import read_trajectory
from regrapht.construct.model_labels import Label
from regrapht.construct.new_techniques import read_new_techniques, write_new_techniques
from regrapht.construct.relabel import Match, own_slug, relabel
from regrapht.construct.verdict_file import StepVerdict
from regrapht.construct.verify import StepJudge
from regrapht.construct.writers import Draft, NoTrajectory, TrajectoryWriter
from regrapht.errors import InvalidTask
from regrapht.graph.vocabulary import Vocabulary
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Task
from regrapht.records.technique import Technique
from regrapht.records.trajectory import Step, Trajectory
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.source.program_hash import program_hash


class StepLabeller(Protocol):
    """Gives a step a label where the vocabulary does not know its author's words: see `construct.model_labels`."""

    @property
    def declared(self) -> Mapping[str, Technique]:
        """Techniques declared new so far."""
        ...

    def label(self, step: Step) -> Label:
        """The label of one step."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectSettings:
    """How trajectories are collected."""

    run: str
    """The name of this collection: the first part of the provenance of all it brings in, and what it is resumed by."""
    source: str
    """Who writes: recorded with every trajectory, exemplar and outcome."""
    licence: str = "Apache-2.0"
    samples: int = 1
    """Trajectories asked for each task."""
    level: Level = Level.FULL
    jobs: int = 1
    """Tasks at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectReport:
    """What a collection brought, over all of its sessions."""

    run: str
    tasks: int
    attempts: int
    trajectories: int
    """Kept, those that end in a failing step included."""
    steps: int
    passed: int
    statuses: Mapping[str, int]
    """Judged steps by the judge's status; those that failed are outcomes."""
    rejected: Mapping[str, int]
    """Attempts that left nothing, by reason."""
    notes: Mapping[str, int]
    """What was left out of replies that were kept, by reason."""
    labels: Mapping[str, int]
    """Steps by how they got their label: `exact`, `alias`, `model: chosen`, `model: new`, `unknown: REASON`."""
    new_techniques: tuple[str, ...]


class Collection:
    """One run of collecting into one corpus folder.

    Args:
        corpus: Where trajectories go; it may hold written ones.
        writer: Who writes them.
        judge: Judges every step.
        vocabulary: The words for labels.
        labeller: Asked where the vocabulary does not know the words; None leaves such steps without a label.

    Raises:
        ConfigError: The run was begun with other settings, or its name is malformed.
    """

    def __init__(
        self,
        corpus: Path,
        writer: TrajectoryWriter,
        judge: StepJudge,
        settings: CollectSettings,
        *,
        vocabulary: Vocabulary,
        labeller: StepLabeller | None = None,
    ) -> None:
        self._corpus, self._writer, self._judge, self._settings = corpus, writer, judge, settings
        self._vocabulary, self._labeller = vocabulary, labeller
        identity = {"run": settings.run, "writer": writer.name, "source": settings.source, "judge": judge.name}
        self._journal = Journal(corpus, settings.run, {**identity, "level": settings.level.value})
        self._lock = threading.Lock()

    def run(self, tasks: Sequence[Task], *, on_attempt: Callable[[Attempt], None] | None = None) -> CollectReport:
        """Make every attempt that is not in the journal; the report covers the whole run.

        Raises:
            ModelUnavailable, ModelRefused, EvaluatorUnavailable, StoreUnavailable: What was done before is kept; run again to go on.
            InvalidTask: A task's reference does not build, crashes or never ends.
        """
        pool = ThreadPoolExecutor(self._settings.jobs)
        try:
            for done in [pool.submit(self._collect_task, task, on_attempt) for task in tasks]:
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)
        return self._report()

    def _collect_task(self, task: Task, on_attempt: Callable[[Attempt], None] | None) -> None:
        for sample in range(self._settings.samples):
            if (task.id, sample) not in self._journal.attempts:
                attempt = self._attempt(task, sample)
                self._journal.add(attempt)
                if on_attempt is not None:
                    with self._lock:
                        on_attempt(attempt)

    def _attempt(self, task: Task, sample: int) -> Attempt:
        try:
            draft = self._writer.begin(task, sample)
            steps, verdicts = self._verified(task, draft)
        except NoTrajectory as none:
            return Attempt(task=task.id, sample=sample, trajectory=None, rejected=none.reason)
        counts = dict(Counter(verdict.status.value for verdict in verdicts))
        passed = sum(verdict.passed for verdict in verdicts)
        tried = Attempt(
            task=task.id,
            sample=sample,
            trajectory=None,
            steps=len(steps),
            passed=passed,
            statuses=counts,
            notes=tuple(draft.notes),
        )
        if not steps:
            return replace(tried, rejected="no_steps")
        if not any(verdict.status is not Status.UNSUPPORTED for verdict in verdicts):
            return replace(tried, rejected="not_judged")
        return self._keep(task, tried, steps, verdicts)

    def _verified(self, task: Task, draft: Draft) -> tuple[list[Step], list[Verdict]]:
        """The steps up to the first that the judge refuses, that one included."""
        steps: list[Step] = []
        verdicts: list[Verdict] = []
        while (step := draft.next()) is not None:
            given = self._candidate(step, draft)
            verdict = self._judge.evaluate(task, given, level=self._settings.level)
            if verdict.status is Status.INVALID_TASK:
                raise InvalidTask(verdict.reason)
            steps.append(step)
            verdicts.append(verdict)
            draft.told(given, verdict)
            if not verdict.passed and verdict.status is not Status.UNSUPPORTED:
                break
        return steps, verdicts

    def _candidate(self, step: Step, draft: Draft) -> Candidate:
        if draft.proposed is not None:
            return draft.proposed
        origin = Origin(proposer=self._settings.source, seconds=0.0)
        return Candidate(source=step.code, program_hash=program_hash(step.code), origin=origin, explanation=step.detail)

    def _keep(self, task: Task, tried: Attempt, steps: list[Step], verdicts: list[Verdict]) -> Attempt:
        labelled, kinds = self._labelled(task, steps)
        tried = replace(tried, labels=dict(Counter(kinds)))
        with self._lock:
            folder = save_task(self._corpus, task)
            there = [read_trajectory(path.parent, task) for path in sorted(folder.glob("[a-z0-9]*/trajectory.toml"))]
            if programs(labelled) in same_programs(there):
                return replace(tried, rejected="duplicate")
            name = f"{own_slug(self._settings.source)[:24]}_{own_slug(self._settings.run)[:24]}_{tried.sample}"
            now = datetime.now(UTC).isoformat(timespec="seconds")
            on_file = [
                StepVerdict.of(verdict, evaluator=self._judge.name, file=file, source=step.code, date=now)
                for file, step, verdict in zip(step_files(labelled), labelled.steps, verdicts, strict=True)
            ]
            title = f"{self._settings.source}, {self._settings.run}, sample {tried.sample}"
            save_trajectory(folder, name, labelled, title=title, run=self._settings.run, verdicts=on_file)
        return replace(tried, trajectory=name)

    def _labelled(self, task: Task, steps: list[Step]) -> tuple[Trajectory, list[str]]:
        trajectory = Trajectory(
            task_id=task.id,
            family=task.family,
            source=self._settings.source,
            licence=self._settings.licence,
            steps=tuple(steps),
        )
        matches = relabel(trajectory, self._vocabulary).matches
        labelled, kinds = [], []
        for step, match in zip(steps, matches, strict=True):
            kind = match.value
            if match is Match.UNKNOWN and self._labeller is not None:
                label = self._labeller.label(step)
                step = replace(step, technique=label.slug)
                kind = f"model: {label.kind}" if label.slug is not None else f"unknown: {label.kind}"
                if label.kind == "new":
                    self._write_new_techniques()
            labelled.append(step)
            kinds.append(kind)
        return replace(trajectory, steps=tuple(labelled)), kinds

    def _write_new_techniques(self) -> None:
        assert self._labeller is not None
        with self._lock:
            features = self._vocabulary.features
            known = {**read_new_techniques(self._corpus, features), **self._labeller.declared}
            write_new_techniques(self._corpus, known, features)

    def _report(self) -> CollectReport:
        attempts = list(self._journal.attempts.values())
        kept = [one for one in attempts if one.trajectory is not None]
        return CollectReport(
            run=self._settings.run,
            tasks=len({one.task for one in attempts}),
            attempts=len(attempts),
            trajectories=len(kept),
            steps=sum(one.steps for one in kept),
            passed=sum(one.passed for one in kept),
            statuses=_summed(one.statuses for one in attempts),
            rejected=_summed({one.rejected: 1} for one in attempts if one.rejected is not None),
            notes=_summed(Counter(one.notes) for one in attempts),
            labels=_summed(one.labels for one in kept),
            new_techniques=tuple(sorted(self._labeller.declared)) if self._labeller is not None else (),
        )


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))
