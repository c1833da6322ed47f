"""Admitting a suite: every task examined, its reference trajectory judged step by step, its tier computed."""

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from regrapht.bench.admit.solutions import SolutionStep, Tier, keep_verdict, known_verdict, read_solution, tier_of
from regrapht.bench.metrics import geometric_mean
from regrapht.bench.suite import TIERS_FILE, Suite, SuiteTask
from regrapht.construct.verdict_file import ShapeSummary
from regrapht.errors import ConfigError, InvalidTask
from regrapht.evaluate.admission.admit import admit_task
from regrapht.evaluate.admission.findings import Rule
from regrapht.evaluate.admission.unordered_sums import unordered_sum
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.measurement import Scale, ShapeTiming
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Sandbox
from regrapht.source.program_hash import program_hash
from regrapht.store.blobs import write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmittedTask:
    """What was found out about one task of a suite."""

    id: str
    family: str
    task_hash: str
    tier: Tier | None
    """None where there is no reference trajectory, or it was not judged to its end."""
    suite_tier: str | None
    """What the suite says now, from tiers written before or from the task itself."""
    objections: tuple[str, ...]
    """Why the task is not admitted; empty when it is."""
    unchecked: tuple[str, ...]
    seconds: float

    @property
    def is_admitted(self) -> bool:
        return not self.objections

    @property
    def differs(self) -> bool:
        """Whether the suite says another tier than the one computed."""
        return self.tier is not None and self.suite_tier not in (None, self.tier.tier)


@dataclass(frozen=True, slots=True)
class _Cost:
    value: float | None
    scale: Scale


_Judged = tuple[Status, str, _Cost]


def admit_suite(
    suite: Suite,
    *,
    sandbox: Sandbox,
    evaluator: Evaluator,
    solutions: Path | None,
    level: Level,
    workers: int,
    observer: Callable[[AdmittedTask, int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> tuple[AdmittedTask, ...]:
    """Examine every task, in the order of ids in the end.

    Args:
        solutions: Where reference trajectories are; None leaves them out, and tiers with them.
        stop: Ends the work after the tasks in hand; those not reached are left out of the answer.

    Raises:
        ConfigError: Steps of trajectories are misnamed; the message has all of them, and nothing was judged yet.
    """
    stop = stop or threading.Event()
    trajectories = None if solutions is None else _read_trajectories(suite, solutions)

    def examine(task: SuiteTask) -> AdmittedTask | None:
        steps = None if trajectories is None else trajectories[task.task.id]
        return None if stop.is_set() else _examine(task, sandbox, evaluator, steps, level)

    found: list[AdmittedTask] = []
    with ThreadPoolExecutor(workers, thread_name_prefix="admit") as pool:
        for future in as_completed([pool.submit(examine, task) for task in suite.tasks]):
            if (admitted := future.result()) is not None:
                found.append(admitted)
                if observer is not None:
                    observer(admitted, len(found), len(suite.tasks))
    return tuple(sorted(found, key=lambda task: task.id))


def write_tiers(suite: Suite, admitted: Sequence[AdmittedTask]) -> Path:
    """Write the computed tiers beside the suite's tasks, in place of what was known of these tasks; returns the file.

    Args:
        suite: All of it: what is known of tasks that were not examined stays for as long as they are what they were then.
    """
    path = suite.root / TIERS_FILE
    hashes = {task.task.id: task.task.content_hash for task in suite.tasks}
    before = json.loads(path.read_text())["tasks"] if path.is_file() else {}
    tasks = {id: told for id, told in before.items() if told.get("task_hash") == hashes.get(id)}
    tasks |= {
        task.id: {
            "tier": task.tier.tier,
            "basis": task.tier.basis.value,
            "counted": task.tier.counted,
            "steps": task.tier.steps,
            "task_hash": task.task_hash,
        }
        for task in admitted
        if task.tier is not None
    }
    write_atomically(path, (json.dumps({"tasks": tasks}, indent=1, sort_keys=True) + "\n").encode())
    return path


def timed_tasks(suite: Suite) -> frozenset[str]:
    """Those of its tasks whose kept tier rests on measured times of the task as it is."""
    path = suite.root / TIERS_FILE
    kept = json.loads(path.read_text())["tasks"] if path.is_file() else {}
    return frozenset(
        task.task.id
        for task in suite.tasks
        if (told := kept.get(task.task.id, {})).get("basis") == Scale.MEASURED_US.value
        and told.get("task_hash") == task.task.content_hash
    )


def judge_trajectory(
    suite_task: SuiteTask, steps: Sequence[SolutionStep], evaluator: Evaluator, *, level: Level
) -> tuple[Tier | None, list[str], list[str]]:
    """Judge a task's reference trajectory; what is known of a step, a verdict of a GPU above all, is not judged again.

    Returns:
        The tier, when every step passed and all costs are on one scale; what was wrong with steps; which of them could not be judged.

    Raises:
        InvalidTask: The task's reference fails.
    """
    objections: list[str] = []
    unchecked: list[str] = []
    if not steps:
        return None, ["no reference trajectory"], []
    costs: list[_Cost] = []
    all_passed = True
    evaluator.prepare(suite_task.task, _candidate(steps[0].source))
    measured = [_measured(suite_task, step, evaluator, level) for step in steps]
    if evaluator.name != "local_gpu" and None in measured:
        measured = [None] * len(steps)  # a tier rests on costs of one kind, and here the others cannot be measured
    for step, known in zip(steps, measured, strict=True):
        if (unordered := unordered_sum(suite_task.task, step.file.name, step.source)) is not None:
            objections.append(f"{Rule.UNORDERED_SUM.value}: {unordered}")
        status, reason, cost = known or _judge(suite_task, step, evaluator, level)
        if status is Status.UNSUPPORTED:
            unchecked.append(f"{step.file.name}: {reason}")
        elif status is not Status.PASSED:
            objections.append(f"{step.file.name}: {status.value}: {reason}")
        all_passed &= status is Status.PASSED
        costs.append(cost)
    scale = _shared_scale(costs)
    values = [cost.value for cost in costs if cost.value is not None]
    whole = all_passed and scale is not None and len(values) == len(steps)
    return tier_of(values, scale) if whole and scale is not None else None, objections, unchecked


def _read_trajectories(suite: Suite, solutions: Path) -> dict[str, tuple[SolutionStep, ...]]:
    found, wrong = {}, []
    for task in suite.tasks:
        try:
            found[task.task.id] = read_solution(solutions, task.task.id)
        except ConfigError as error:
            wrong.append(str(error))
    if wrong:
        raise ConfigError("\n".join(wrong))
    return found


def _examine(
    suite_task: SuiteTask, sandbox: Sandbox, evaluator: Evaluator, steps: Sequence[SolutionStep] | None, level: Level
) -> AdmittedTask:
    task = suite_task.task
    objections: list[str] = []
    unchecked: list[str] = []
    seconds, tier = 0.0, None
    try:
        admission = admit_task(task, sandbox)
        seconds = admission.seconds
        objections += [f"{finding.rule.value}: {finding.message}" for finding in admission.errors]
        unchecked += admission.unchecked
        if steps is not None:
            tier, doubts, left_out = judge_trajectory(suite_task, steps, evaluator, level=level)
            objections += doubts
            unchecked += left_out
    except InvalidTask as error:
        objections.append(str(error))
    return AdmittedTask(
        id=task.id,
        family=suite_task.family,
        task_hash=task.content_hash,
        tier=tier,
        suite_tier=suite_task.tier,
        objections=tuple(objections),
        unchecked=tuple(unchecked),
        seconds=seconds,
    )


def _shared_scale(costs: Sequence[_Cost]) -> Scale | None:
    """The scale that all costs share; None when they do not."""
    scales = {cost.scale for cost in costs}
    return scales.pop() if len(scales) == 1 else None


def _measured(suite_task: SuiteTask, step: SolutionStep, evaluator: Evaluator, level: Level) -> _Judged | None:
    """What is on file of a step that passed on a GPU and was timed there."""
    # Without a GPU whatever was measured is more than can be said here.
    least = level if evaluator.name == "local_gpu" else Level.SCREEN
    known = known_verdict(
        step, suite_task.task.content_hash, evaluator="local_gpu", protocol=evaluator.protocol, level=least
    )
    if known is None or not known.passed or not known.timing:
        return None
    return known.status, known.reason, _Cost(_time_us(known.timing), Scale.MEASURED_US)


def _judge(suite_task: SuiteTask, step: SolutionStep, evaluator: Evaluator, level: Level) -> _Judged:
    verdict = evaluator.evaluate(suite_task.task, _candidate(step.source), level=level)
    if evaluator.name == "local_gpu":
        keep_verdict(step, verdict, evaluator.name)
    if verdict.timing:
        return verdict.status, verdict.reason, _Cost(_time_us(verdict.timing), Scale.MEASURED_US)
    modelled = verdict.evidence.modelled_cost if verdict.evidence is not None else None
    return verdict.status, verdict.reason, _Cost(modelled, Scale.MODELLED)


def _candidate(source: str) -> Candidate:
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="file", seconds=0.0))


def _time_us(timing: Sequence[ShapeTiming | ShapeSummary]) -> float | None:
    """Geometric mean over bench shapes of the median time; None of no shape."""
    return geometric_mean([shape.candidate.median_us for shape in timing])
