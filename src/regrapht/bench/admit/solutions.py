"""Reference trajectories of a suite: one folder a task with `NN_technique.cu` steps, kept apart from the tasks and never shown to a search.

A task's tier follows from its trajectory: the number of steps that pay. The first step, the plain mapping, pays by existing; a later one
pays when it lowers the cost of the step before by 3 % or more.
"""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from regrapht.construct.verdict_file import StepVerdict, read_verdicts, write_verdicts
from regrapht.errors import ConfigError
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.measurement import Scale
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict

PAYS = 0.97
"""Of the cost before: what a step must come below to count."""
_MEDIUM, _HARD = 3, 6
_NAME = re.compile(r"(\d\d)_([a-z0-9_]+)\.cu")


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionStep:
    """One program of a reference trajectory."""

    file: Path
    technique: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """What a reference trajectory says of its task."""

    tier: str
    counted: int
    """Steps that pay."""
    steps: int
    basis: Scale
    """Measured times, or the emulator's modelled costs: then the tier is a provisional one."""


def read_solution(root: Path, task_id: str) -> tuple[SolutionStep, ...]:
    """The steps of a task's reference trajectory in order; empty when `root` has none.

    Raises:
        ConfigError: A file is misnamed, a number is missing, or a technique is not in the vocabulary.
    """
    folder, vocabulary = root / task_id, load_vocabulary()
    steps = []
    for number, file in enumerate(sorted(folder.glob("*.cu")), start=1):
        named = _NAME.fullmatch(file.name)
        if named is None or int(named[1]) != number:
            raise ConfigError(f"{file}: steps are called 01_TECHNIQUE.cu, 02_TECHNIQUE.cu ... without a gap")
        if vocabulary.resolve(named[2]) != named[2]:
            raise ConfigError(f"{file}: the vocabulary has no technique {named[2]!r}; `regrapht graph show` lists them")
        steps.append(SolutionStep(file=file, technique=named[2], source=file.read_text(encoding="utf-8")))
    return tuple(steps)


def tier_of(costs: Sequence[float], basis: Scale) -> Tier:
    """The tier of a trajectory with these costs, all on one scale."""
    if not costs:
        raise ValueError("a trajectory has at least one step")
    counted = 1 + sum(after <= PAYS * before for before, after in pairwise(costs))
    tier = "hard" if counted >= _HARD else "medium" if counted >= _MEDIUM else "easy"
    return Tier(tier=tier, counted=counted, steps=len(costs), basis=basis)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedStep:
    """A step that passed on a GPU and was timed at every bench shape."""

    step: SolutionStep
    verdict: StepVerdict
    time_us: float
    """Geometric mean over bench shapes."""


def timed_steps(root: Path, task: Task, task_hash: str | None = None) -> tuple[TimedStep, ...]:
    """The timed steps of a task's trajectory in order, as they and the task are now.

    Args:
        task_hash: Of the task that verdicts are to be of, where that is not `task` as it is.
    """
    wanted = {frozenset(sizes.items()) for sizes in task.bench_sizes}
    found = []
    for step in read_solution(root, task.id):
        for verdict in read_verdicts(step.file.parent):
            shapes = verdict.timing or ()
            is_of_it = verdict.evaluator == "local_gpu" and verdict.is_of(step.source, task_hash or task.content_hash)
            if is_of_it and verdict.passed and {frozenset(shape.sizes.items()) for shape in shapes} == wanted:
                time_us = statistics.geometric_mean(shape.candidate.median_us for shape in shapes)
                found.append(TimedStep(step=step, verdict=verdict, time_us=time_us))
    return tuple(found)


def fastest_step(root: Path, task: Task, task_hash: str | None = None) -> TimedStep | None:
    """Of `timed_steps` the one that takes the least time; None where a GPU has timed none."""
    return min(timed_steps(root, task, task_hash), key=lambda timed: timed.time_us, default=None)


def known_verdict(
    step: SolutionStep, task_hash: str, *, evaluator: str, protocol: str, level: Level
) -> StepVerdict | None:
    """What the file beside the step says of this program on this task by this judge and its present rules, at `level` or
    in full."""
    for verdict in read_verdicts(step.file.parent):
        if verdict.file == step.file.name and verdict.evaluator == evaluator and verdict.protocol == protocol:
            enough = verdict.level in (level, Level.FULL)
            return verdict if enough and verdict.is_of(step.source, task_hash) else None
    return None


def keep_verdict(step: SolutionStep, verdict: Verdict, evaluator: str) -> StepVerdict:
    """Write what the judge said beside the step, in place of what the same judge said before."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    kept = StepVerdict.of(verdict, evaluator=evaluator, file=step.file.name, source=step.source, date=now)
    others = [v for v in read_verdicts(step.file.parent) if (v.file, v.evaluator) != (kept.file, kept.evaluator)]
    write_verdicts(step.file.parent, [*others, kept])
    return kept
