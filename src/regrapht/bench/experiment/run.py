"""An experiment: every method at every task with every seed, side by side, kept so that a kill loses nothing that was paid for.

All methods get the same budget, the same judge and one cache of verdicts. A verdict that another run has had made still counts as a judged
candidate where it is asked for, so what a method is charged does not depend on which one ran first.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from regrapht.assemble import close_model, open_evaluator, open_graph, open_proposer, plain_version, prompts_hash
from regrapht.bench.experiment.cell import CellSetup, run_cell
from regrapht.bench.experiment.method import Method, read_methods
from regrapht.bench.experiment.results import RESULTS, CellResult, Experiment, ResultFile, TaskRef
from regrapht.bench.suite import Suite, SuiteTask, reach_of
from regrapht.evaluate.cached import judge_code
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose import PROPOSERS
from regrapht.propose.proposer import Proposer
from regrapht.records.measurement import Yardstick
from regrapht.records.run import Run, RunOptions, RunState
from regrapht.search import SEARCHES
from regrapht.store.output_folder import check_writable
from regrapht.store.runs import RunStore
from regrapht.version import VERSION

_log = logging.getLogger(__name__)
Observer = Callable[[CellResult, int, int], None]
"""Told each finished cell, how many are done and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRequest:
    """What a user asks for: names and numbers, nothing opened yet."""

    suite: Suite
    methods: tuple[str, ...]
    """Searches, or methods with parts of their own, as `experiment.method` reads them."""
    options: RunOptions
    """Of every cell, which puts in its method and its seed."""
    seeds: int
    out: Path
    command: str
    workers: int = 1
    """Cells worked on side by side."""
    allow_remote: bool = False
    allow_root: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conducted:
    """How an experiment stands when `conduct` returns."""

    experiment: Experiment
    file: Path
    done: int
    cells: int

    @property
    def is_complete(self) -> bool:
        return self.done == self.cells


class ExperimentRunner:
    """An experiment with everything open that it needs.

    Raises:
        UserFixable: A name or an option is wrong, `out` cannot be written, holds another experiment, or somebody works on it.
        EvaluatorUnavailable: The judge cannot work here.
    """

    def __init__(self, request: ExperimentRequest) -> None:
        self._request = request
        self._methods = read_methods(request.methods, request.options)
        for options in self._methods.values():
            SEARCHES.load(options.search)
            PROPOSERS.load(options.proposer)
        check_writable(request.out)
        self._graph: TechniqueGraph = open_graph(request.options.graph)
        self._evaluator: Evaluator = open_evaluator(
            request.options.evaluator, allow_root=request.allow_root, cache_folder=request.out
        )
        self._tasks = {task.task.id: task for task in request.suite.tasks}
        _log.info("reading %d tasks: which of them the transform engine takes", len(self._tasks))
        for name in self._methods:  # what is wrong with one is said before anything is written
            close_model(self._proposer(name, seed=0))
        self.file = ResultFile(request.out / RESULTS, self._experiment())
        self._store = RunStore(request.out)
        self._begun = self._unfinished()
        self._yardsticks = _Yardsticks(self._evaluator)

    @property
    def cells(self) -> list[tuple[str, str, int]]:
        """Every cell, in an order that keeps methods level: seed by seed, task by task."""
        request = self._request
        return [(method, id, seed) for seed in range(request.seeds) for id in self._tasks for method in self._methods]

    @property
    def evaluator(self) -> Evaluator:
        return self._evaluator

    def conduct(self, *, observer: Observer | None = None, stop: threading.Event | None = None) -> Conducted:
        """Run what is not done yet, and close the experiment; returns early, with everything kept, once `stop` is set.

        Raises:
            Unavailable: Machine or service failed for longer than a run bears; what is done is kept.
            InvalidTask: A task cannot be judged.
        """
        with closing(self.file):
            self._run_all(observer, stop or threading.Event())
        return Conducted(
            experiment=self.file.experiment, file=self.file.path, done=len(self.file.done), cells=len(self.cells)
        )

    def _run_all(self, observer: Observer | None, stop: threading.Event) -> None:
        todo = (cell for cell in self.cells if cell not in self.file.done)
        failure: BaseException | None = None
        with ThreadPoolExecutor(self._request.workers, thread_name_prefix="cell") as pool:
            working: set[Future[CellResult | None]] = set()
            while True:
                while failure is None and not stop.is_set() and len(working) < self._request.workers:
                    cell = next(todo, None)
                    if cell is None:
                        break
                    working.add(pool.submit(self._run, cell, stop))
                if not working:
                    break
                done, working = wait(working, return_when=FIRST_COMPLETED)
                for future in done:
                    if (error := future.exception()) is not None:
                        failure = failure or error
                        stop.set()
                    elif (result := future.result()) is not None:
                        self.file.add(result)
                        if observer is not None:
                            observer(result, len(self.file.done), len(self.cells))
        if failure is not None:
            raise failure

    def _run(self, cell: tuple[str, str, int], stop: threading.Event) -> CellResult | None:
        method, task_id, seed = cell
        task = self._tasks[task_id]
        yardstick = self._yardsticks.of(task)
        setup = CellSetup(
            method=method,
            options=replace(self._methods[method], seed=seed),
            task=task,
            yardstick=yardstick,
            graph=self._graph,
            proposer=self._proposer(method, seed=seed),
            evaluator=self._evaluator,
        )
        begun = self._begun.get(setup.name)
        if begun is not None and begun.yardstick is not None:
            setup = replace(setup, yardstick=begun.yardstick)
        try:
            return run_cell(setup, self._store, begun, stop)
        finally:
            close_model(setup.proposer)

    def _proposer(self, method: str, *, seed: int) -> Proposer:
        return open_proposer(
            replace(self._methods[method], seed=seed),
            graph=self._graph,
            environment=self._evaluator.environment(),
            allow_remote=self._request.allow_remote,
            keep_pace=False,
        )

    def _experiment(self) -> Experiment:
        request = self._request
        return Experiment(
            suite=request.suite.name,
            tasks=tuple(_reference(task) for task in self._tasks.values()),
            methods=tuple(self._methods),
            parts=self._parts(),
            proposer=request.options.proposer,
            model=request.options.model,
            seeds=request.seeds,
            budget=request.options.budget,
            level=request.options.level.value,
            evaluator=self._evaluator.name,
            protocol=self._evaluator.protocol,
            environment=self._evaluator.environment(),
            graph_hash=self._graph.content_hash,
            hide_family=request.options.hide_family,
            mend=request.options.mend if any(one.model is not None for one in self._methods.values()) else None,
            repair=request.options.repair,
            choice_weight=request.options.choice_weight
            if any(one.proposer == "hybrid" for one in self._methods.values())
            else None,
            pack_hash=request.suite.pack_hash,
            judge=judge_code(),
            version=VERSION,
            command=request.command,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _parts(self) -> tuple[Method, ...]:
        """What each method is made of, where any has parts of its own; empty where all are searches alone, with our prompts."""
        usual = self._request.options
        if usual.prompts is None and all(made == replace(usual, search=name) for name, made in self._methods.items()):
            return ()
        return tuple(
            Method(
                name=name,
                search=options.search,
                proposer=options.proposer,
                model=options.model,
                prompts_hash=prompts_hash(options),
            )
            for name, options in self._methods.items()
        )

    def _unfinished(self) -> dict[str, Run]:
        """Runs of cells that were begun and not written down, the last of each."""
        return {
            run.settings.cell: run
            for run in self._store.runs()
            if run.settings.cell is not None and run.state not in (RunState.FINISHED, RunState.REFUSED)
        }


class _Yardsticks:
    """Each task's yardstick, found out once, by whichever cell asks first."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._known: dict[str, Yardstick] = {}

    def of(self, task: SuiteTask) -> Yardstick:
        id = task.task.id
        with self._lock:
            lock = self._locks.setdefault(id, threading.Lock())
        with lock:
            if id not in self._known:
                _log.info(
                    "preparing %s: building and running its reference, and finding what speed is measured from", id
                )
                self._known[id] = self._evaluator.prepare(task.task, plain_version(task.task))
            return self._known[id]


def _reference(task: SuiteTask) -> TaskRef:
    how = reach_of(task.task).how
    return TaskRef(
        id=task.task.id,
        content_hash=task.task.content_hash,
        family=task.family,
        tier=task.tier,
        inside_engine=how.has_threads,
        reached=how,
    )
