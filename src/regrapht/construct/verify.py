"""Judging a corpus: every step that has no verdict for its present text, by whichever evaluator the caller hands in; or a sample anew."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from regrapht.construct.corpus import CorpusTrajectory, read_corpus
from regrapht.construct.verdict_file import StepVerdict, read_verdicts, write_verdicts
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.source.program_hash import program_hash


class StepJudge(Protocol):
    """The part of an evaluator that judging a corpus needs."""

    name: str

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As every evaluator's."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedStep:
    """One step and what is now on file about it."""

    task_id: str
    trajectory: str
    verdict: StepVerdict
    is_new: bool
    """False when a verdict on exactly this text was on file already."""

    def __str__(self) -> str:
        place = f"{self.task_id}/{self.trajectory}/{self.verdict.file}"
        reason = "" if self.verdict.passed else f": {self.verdict.reason}"
        return f"{self.verdict.status.value:12} {place}{reason}" + ("" if self.is_new else " (on file)")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What became of the steps of a corpus."""

    judged: int
    on_file: int
    by_status: Mapping[str, int]
    refused: tuple[str, ...]
    """The steps that the judge refused, as `task/trajectory/file: STATUS: reason`."""
    unjudged: tuple[str, ...]
    """Those that this evaluator cannot judge, in the same form."""

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.by_status.items())
        lines = [f"{self.judged} judged, {self.on_file} on file: {counts}"]
        lines += [f"refused: {step}" for step in self.refused]
        lines += [f"not judged: {step}" for step in self.unjudged]
        return "\n".join(lines)


def verify_corpus(
    corpus: Path,
    evaluator: StepJudge,
    *,
    level: Level,
    on_step: Callable[[VerifiedStep], None] | None = None,
    force: bool = False,
    jobs: int = 1,
) -> VerifyReport:
    """Judge every step of a corpus and write `verdicts.json` beside it, after each step, so that an interrupted run goes on where it was.

    A step is not judged again while program, task and evaluator are those on file and the level on file is as thorough; with `force` it is.
    Steps behind one that failed are judged too: their author wants to know. `jobs` trajectories are judged at a time.

    Raises:
        TaskError: The corpus is malformed.
        EvaluatorUnavailable: The machine's fault; what was judged before is on file.
        StoreUnavailable: A folder of the corpus cannot be written.
    """
    lock = threading.Lock()

    def say(step: VerifiedStep) -> None:
        if on_step is not None:
            with lock:
                on_step(step)

    def verify(item: CorpusTrajectory) -> list[VerifiedStep]:
        return _verify_trajectory(item, evaluator, level=level, force=force, say=say)

    pool = ThreadPoolExecutor(jobs)
    try:
        done = [pool.submit(verify, item) for item in read_corpus(corpus)]
        return _report([step for one in done for step in one.result()])
    finally:
        pool.shutdown(cancel_futures=True)


def verify_sample(
    corpus: Path,
    evaluator: StepJudge,
    *,
    level: Level,
    count: int,
    seed: int,
    on_step: Callable[[VerifiedStep], None] | None = None,
) -> VerifyReport:
    """Judge `count` steps, drawn by `seed`, whatever is on file, and write nothing: a check of what the corpus claims.

    Raises:
        As `verify_corpus`.
    """
    every = [(item, index) for item in read_corpus(corpus) for index in range(len(item.files))]
    drawn = sorted(random.Random(seed).sample(range(len(every)), min(count, len(every))))
    steps = []
    for item, index in (every[place] for place in drawn):
        verdict = _judge(item, index, evaluator, level=level)
        step = VerifiedStep(task_id=item.task.id, trajectory=item.name, verdict=verdict, is_new=True)
        steps.append(step)
        if on_step is not None:
            on_step(step)
    return _report(steps)


def _verify_trajectory(
    item: CorpusTrajectory,
    evaluator: StepJudge,
    *,
    level: Level,
    force: bool,
    say: Callable[[VerifiedStep], None],
) -> list[VerifiedStep]:
    steps = []
    on_file = _still_true(item)
    for index in range(len(item.files)):
        known = None if force else on_file.get((item.files[index], evaluator.name))
        is_new = known is None or (level is Level.FULL and known.level is Level.SCREEN)
        verdict = _judge(item, index, evaluator, level=level) if known is None or is_new else known
        if is_new:
            on_file[verdict.file, verdict.evaluator] = verdict
            write_verdicts(item.folder, on_file.values())
        step = VerifiedStep(task_id=item.task.id, trajectory=item.name, verdict=verdict, is_new=is_new)
        steps.append(step)
        say(step)
    return steps


def _still_true(item: CorpusTrajectory) -> dict[tuple[str, str], StepVerdict]:
    """The verdicts on file that are about the present texts, by file and evaluator; the others are dropped at the next write."""
    task_hash = item.task.content_hash
    code = {file: step.code for file, step in zip(item.files, item.trajectory.steps, strict=True)}
    return {
        (verdict.file, verdict.evaluator): verdict
        for verdict in read_verdicts(item.folder)
        if verdict.file in code and verdict.is_of(code[verdict.file], task_hash)
    }


def _judge(item: CorpusTrajectory, index: int, evaluator: StepJudge, *, level: Level) -> StepVerdict:
    source = item.trajectory.steps[index].code
    candidate = Candidate(
        source=source,
        program_hash=program_hash(source),
        origin=Origin(proposer=item.trajectory.source, seconds=0.0),
        explanation=item.trajectory.steps[index].detail,
    )
    verdict = evaluator.evaluate(item.task, candidate, level=level)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return StepVerdict.of(verdict, evaluator=evaluator.name, file=item.files[index], source=source, date=now)


def _report(steps: list[VerifiedStep]) -> VerifyReport:
    counts = Counter(step.verdict.status.value for step in steps)
    lines = {
        f"{step.task_id}/{step.trajectory}/{step.verdict.file}: {step.verdict.status.value}: {step.verdict.reason}": step.verdict
        for step in steps
        if not step.verdict.passed
    }
    return VerifyReport(
        judged=sum(step.is_new for step in steps),
        on_file=sum(not step.is_new for step in steps),
        by_status=dict(sorted(counts.items())),
        refused=tuple(line for line, verdict in lines.items() if verdict.is_answer),
        unjudged=tuple(line for line, verdict in lines.items() if not verdict.is_answer),
    )
