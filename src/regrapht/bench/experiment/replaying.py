"""A sample of a file of results, done again: the emulator judges programs, and searches without GPU and model run again by seed."""

import random
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import open_evaluator, open_graph, open_proposer, plain_version
from regrapht.bench.experiment.cell import CellSetup, run_cell
from regrapht.bench.experiment.results import CellResult, Experiment
from regrapht.bench.suite import SuiteTask, open_suite
from regrapht.errors import ConfigError, UserFixable
from regrapht.evaluate.cached import judge_code
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.run import RunOptions
from regrapht.records.verdict import Level, Status
from regrapht.source.program_hash import program_hash
from regrapht.store.runs import RunStore
from regrapht.version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of a sample."""

    judged: int
    """Delivered programs that the emulator judged again, and passed."""
    run: int
    """Cells whose search was run again, and gave the same."""
    notes: tuple[str, ...]


def replay_sample(
    experiment: Experiment, cells: Sequence[CellResult], *, most: int, allow_root: bool = False
) -> Replay:
    """Do up to `most` cells again, drawn by what the file holds: the same file always gives the same ones.

    Raises:
        ConfigError: A program does not pass, or a seed gives something else.
        EvaluatorUnavailable: The emulator cannot work here.
    """
    if most == 0:
        return Replay(judged=0, run=0, notes=("no cell was done again: --replay 0",))
    try:
        tasks = {task.task.id: task for task in open_suite(experiment.suite).tasks}
    except UserFixable:
        return Replay(judged=0, run=0, notes=(f"no cell was done again: the suite {experiment.suite} is not here",))
    rng = random.Random("".join(sorted(cell.seal or cell.run for cell in cells)))
    with_program = [cell for cell in cells if cell.program is not None and cell.task_id in tasks]
    again = (
        [cell for cell in cells if cell.task_id in tasks] if (why_not := _not_repeatable(experiment)) is None else []
    )
    notes = [f"no search was run again: {why_not}"] if why_not else []
    if not with_program:
        notes.append("no program was judged again: the file holds none")
    evaluator = open_evaluator("emulated", allow_root=allow_root) if with_program or again else None
    judged = run = 0
    if evaluator is not None:
        for cell in rng.sample(with_program, min(most, len(with_program))):
            judged += _judge_again(cell, tasks[cell.task_id], evaluator, notes)
        for cell in rng.sample(again, min(most, len(again))):
            _run_again(experiment, cell, tasks[cell.task_id], evaluator)
            run += 1
    return Replay(judged=judged, run=run, notes=tuple(notes))


def _not_repeatable(experiment: Experiment) -> str | None:
    """Why its searches would not come to the same here, whoever ran them; None where they must."""
    if experiment.evaluator != "emulated":
        return "times decided which program came next, and they are never the same twice"
    by_rules = all(one.model is None and one.proposer == "transform" for one in experiment.parts)
    if experiment.model is not None or experiment.proposer != "transform" or not by_rules:
        return "a model wrote programs"
    if experiment.budget.seconds is not None:
        return "the budget is a time"
    graph = open_graph(None).content_hash
    if (experiment.judge, experiment.version, experiment.graph_hash) != (judge_code(), VERSION, graph):
        return "another version of judge, program or graph made the file"
    return None


def _judge_again(cell: CellResult, task: SuiteTask, evaluator: Evaluator, notes: list[str]) -> bool:
    assert cell.program is not None
    origin = Origin(proposer="file", seconds=0.0)
    candidate = Candidate(source=cell.program, program_hash=program_hash(cell.program), origin=origin)
    evaluator.prepare(task.task, plain_version(task.task))
    verdict = evaluator.evaluate(task.task, candidate, level=Level.SCREEN)
    named = f"the program of {cell.method} at {cell.task_id} with seed {cell.seed}"
    if verdict.status is Status.UNSUPPORTED:
        notes.append(f"{named} was not judged again: {verdict.reason}")
        return False
    if not verdict.passed:
        raise ConfigError(f"{named} does not pass here: {verdict.status.value}: {verdict.reason.splitlines()[0]}")
    return True


def _run_again(experiment: Experiment, cell: CellResult, task: SuiteTask, evaluator: Evaluator) -> None:
    graph = open_graph(None)
    options = RunOptions(
        search={one.name: one.search for one in experiment.parts}.get(cell.method, cell.method),
        seed=cell.seed,
        proposer=experiment.proposer,
        level=Level(experiment.level),
        budget=experiment.budget,
        hide_family=experiment.hide_family,
        repair=experiment.repair,
    )
    setup = CellSetup(
        method=cell.method,
        options=options,
        task=task,
        yardstick=evaluator.prepare(task.task, plain_version(task.task)),
        graph=graph,
        proposer=open_proposer(
            options, graph=graph, environment=evaluator.environment(), allow_remote=False, keep_pace=False
        ),
        evaluator=evaluator,
    )
    with tempfile.TemporaryDirectory() as folder:
        found = run_cell(setup, RunStore(Path(folder)), None, threading.Event())
    assert found is not None
    if differing := _differing(cell, found):
        raise ConfigError(
            f"the seed {cell.seed} of {cell.method} at {cell.task_id} does not replay: {', '.join(differing)} come out otherwise"
        )


def _differing(told: CellResult, found: CellResult) -> list[str]:
    """Which values that do not hang on clocks are not the same."""
    names = ("start", "floor", "passed", "techniques", "figure", "judged", "proposals", "statuses", "program")
    differing = [name for name in names if getattr(told, name) != getattr(found, name)]
    steps = [[replace(step, seconds=0.0) for step in cell.improvements] for cell in (told, found)]
    return differing + (["improvements"] if steps[0] != steps[1] else [])
