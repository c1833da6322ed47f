"""One cell of an experiment: a method at one task with one seed, run to its end as a stored run, and what it came to."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby

from regrapht.assemble import open_search, prompts_hash, search_context
from regrapht.bench.experiment.results import CellResult, Improvement
from regrapht.bench.metrics import geometric_mean_of
from regrapht.bench.suite import SuiteTask
from regrapht.construct.verdict_file import StepVerdict
from regrapht.errors import CannotTransform
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.loop import OptimizeSettings, Outcome, run_search
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate, Writer, lineage
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged
from regrapht.records.run import Event, Run, RunOptions, RunSettings, RunState
from regrapht.records.verdict import SCREENED_ONLY, StageName, StageOutcome, Verdict
from regrapht.search.budget import Spending
from regrapht.search.context import SearchContext
from regrapht.search.reward import figure, reward
from regrapht.source.one_thread import runs_in_one_thread
from regrapht.store.runs import RunJournal, RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSetup:
    """Everything open that a cell needs."""

    method: str
    """Its name in the experiment; what it is made of stands in the options."""
    options: RunOptions
    task: SuiteTask
    yardstick: Yardstick
    graph: TechniqueGraph
    proposer: Proposer
    evaluator: Evaluator

    @property
    def name(self) -> str:
        return f"{self.method} {self.task.task.id} {self.options.seed}"

    def context(self) -> SearchContext:
        """The search's arguments."""
        return search_context(
            self.task.task,
            self.graph,
            self.yardstick,
            self.options,
            proposer=self.proposer,
            evaluator=self.evaluator,
        )

    def settings(self) -> RunSettings:
        """What the run is stored with."""
        task = self.task.task
        return RunSettings(
            options=replace(self.options, evaluator=self.evaluator.name),
            task=task,
            task_hash=task.content_hash,
            path=None,
            protocol=self.evaluator.protocol,
            device=self.evaluator.environment().device,
            graph_hash=self.graph.content_hash,
            prompts_hash=prompts_hash(self.options),
            cell=self.name,
        )


def run_cell(setup: CellSetup, store: RunStore, begun: Run | None, stop: threading.Event) -> CellResult | None:
    """Run a cell to its end, or on from where `begun` was interrupted; None when `stop` came first, and the run can be resumed.

    A task that the proposer cannot take at all is a result too: nothing built, and the reason.

    Raises:
        Unavailable: Machine or service failed for longer than a run bears.
        InvalidTask: The task cannot be judged.
    """
    tally = _Tally(setup.yardstick)
    run = store.resume(begun.id) if begun is not None else store.create(setup.settings(), setup.yardstick)
    replayed = store.events(run.id)
    for event in replayed:
        tally.add(event)
    state = RunState.INTERRUPTED
    finals: tuple[Verdict, ...] = ()
    try:
        outcome = run_search(
            setup.task.task,
            search=open_search(setup.options.search, setup.context()),
            proposer=setup.proposer,
            evaluator=setup.evaluator,
            settings=OptimizeSettings(level_search=setup.options.level, seconds=setup.options.budget.seconds),
            journal=RunJournal(store, run.id),
            replayed=replayed,
            observer=tally.add,
            stop=stop,
        )
        finals = outcome.rests_on
        if outcome.reason == "interrupted":
            return None
        state = RunState.REFUSED if outcome.reason.startswith("refused") else RunState.FINISHED
    except CannotTransform as reason:
        outcome = Outcome(best=None, judged=tally.spent.candidates, reason=f"cannot_transform: {reason}")
        state = RunState.FINISHED
    finally:
        store.set_state(run.id, state, finals=finals)
    return _result(setup, tally, outcome, run.id)


class _Tally:
    """What a cell's events add up to."""

    def __init__(self, yardstick: Yardstick) -> None:
        self.spent = Spending()
        self.improvements: list[Improvement] = []
        self.statuses: Counter[str] = Counter()
        self.mended: Counter[str] = Counter()
        self.replies: Counter[str] = Counter()
        self.passed_by: Counter[str] = Counter()
        self.choices = 0
        self.built = False
        self.judge_seconds = 0.0
        self.best: Judged | None = None
        self._yardstick = yardstick
        self._candidates: dict[str, Candidate] = {}
        self._begun = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since this process took the cell up; what an interrupted process spent before is not in it."""
        return time.monotonic() - self._begun

    def add(self, event: Event) -> None:
        if not isinstance(event, Judged):
            return
        verdict = event.verdict
        counts = self.spent.add(event.candidate, verdict)
        if event.candidate.chosen is not None:
            self.choices += 1
            return
        self._candidates.setdefault(event.candidate.id, event.candidate)
        self.statuses[verdict.status.value] += 1
        self.replies[verdict.status.value] += event.candidate.writer is Writer.MODEL
        self.passed_by[event.candidate.writer.value] += counts and verdict.passed
        if event.candidate.mended:
            self.mended.update((*event.candidate.mended, "any"))
        self.judge_seconds += verdict.seconds
        self.built |= was_built(verdict)
        earned = reward(verdict, self._yardstick)
        if verdict.passed and (not self.improvements or earned > self.improvements[-1].reward):
            self.improvements.append(
                Improvement(
                    judged=self.spent.candidates,
                    tokens=self.spent.tokens,
                    seconds=self.seconds,
                    reward=earned,
                    figure=figure(verdict, self._yardstick.scale),
                )
            )

    def written_by(self, candidate: Candidate) -> tuple[str, ...]:
        """Who wrote the programs on the way to this one, the first one first; who wrote several in a row is named once."""
        return tuple(
            writer.value for writer, _ in groupby(one.writer for one in lineage(candidate, self._candidates.get))
        )


def was_built(verdict: Verdict) -> bool:
    """Whether the candidate came through the build."""
    return any(stage.name is StageName.BUILD and stage.outcome is StageOutcome.PASSED for stage in verdict.stages)


def speedups_of(verdict: Verdict | StepVerdict) -> dict[str, float]:
    """By baseline, the geometric mean over bench shapes of the speed-up; only baselines that were timed at every shape."""
    shapes = verdict.timing or ()
    ratios = {
        name: [ratio.value if (ratio := shape.ratio(name)) is not None else None for shape in shapes]
        for name in {ratio.against for shape in shapes for ratio in shape.ratios}
    }
    means = {name: geometric_mean_of(values) for name, values in ratios.items()}
    return {name: value for name, value in means.items() if value is not None}


def floor_fraction_of(verdict: Verdict | StepVerdict) -> float | None:
    """Geometric mean over bench shapes of the fraction of the speed of light; None where one is unknown."""
    return geometric_mean_of([shape.floor_fraction for shape in verdict.timing or ()])


IN_ONE_THREAD = "in_one_thread"
"""The label of a cell whose best program passed, and is no result: one thread does its main work."""


def _result(setup: CellSetup, tally: _Tally, outcome: Outcome, run_id: str) -> CellResult:
    best, final = outcome.best, outcome.finals[-1].verdict if outcome.finals else None
    if best is not None and SCREENED_ONLY in best.verdict.labels:  # its time was up before a judgement in full
        best = None
    serial = best is not None and runs_in_one_thread(best)
    return CellResult(
        method=setup.method,
        task_id=setup.task.task.id,
        seed=setup.options.seed,
        built=tally.built,
        passed=best is not None and not serial,
        status=final.status.value if final is not None else None,
        techniques=best.candidate.techniques if best is not None else (),
        scale=setup.yardstick.scale,
        start=setup.yardstick.start,
        floor=setup.yardstick.floor,
        figure=figure(best.verdict, setup.yardstick.scale) if best is not None else None,
        one_core_us=setup.yardstick.one_core_us,
        speedups=speedups_of(best.verdict) if best is not None and not serial else {},
        floor_fraction=floor_fraction_of(best.verdict) if best is not None else None,
        improvements=tuple(tally.improvements),
        judged=tally.spent.candidates,
        proposals=tally.spent.proposals,
        tokens=tally.spent.tokens,
        usd=tally.spent.usd,
        seconds=tally.seconds,
        judge_seconds=tally.judge_seconds,
        statuses=dict(tally.statuses),
        mended=dict(tally.mended),
        replies={status: count for status, count in tally.replies.items() if count},
        choices=tally.choices,
        judged_by={writer.value: count for writer, count in tally.spent.by_writer.items()},
        passed_by={writer: count for writer, count in tally.passed_by.items() if count},
        written_by=tally.written_by(best.candidate) if best is not None else (),
        labels=(*best.verdict.labels, *((IN_ONE_THREAD,) if serial else ())) if best is not None else (),
        reason=outcome.reason,
        run=run_id,
        program=best.candidate.source if best is not None else None,
    )
