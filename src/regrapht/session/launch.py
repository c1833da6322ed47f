"""Opening a run: a new one from its options, or a stored one to go on with."""

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import (
    OpenedTask,
    open_evaluator,
    open_graph,
    open_proposer,
    open_search,
    open_store,
    open_task,
    plain_version,
    prompts_hash,
    search_context,
)
from regrapht.errors import ConfigError, SchemaError
from regrapht.evaluate.admission.admit import LEFT_OUT, HasOracle, admit
from regrapht.evaluate.admission.findings import Admission
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.cases.sizes import untimed_sizes
from regrapht.evaluate.evaluator import Evaluator
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.run import Budget, Event, Run, RunOptions, RunSettings
from regrapht.records.task import Task
from regrapht.search import SEARCHES
from regrapht.search.budget import spent_by
from regrapht.search.search import Search
from regrapht.session.history import find_run
from regrapht.session.refusal import naming_file
from regrapht.store.output_folder import check_unused
from regrapht.store.runs import RunStore
from regrapht.tasks.infer import TIMED_AT
from regrapht.tune.sampler import require_optuna
from regrapht.tune.tuned_proposer import TunedProposer
from regrapht.tune.tuned_search import TunedSearch

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """A run with everything open that it needs."""

    run: Run
    yardstick: Yardstick
    store: RunStore
    search: Search
    proposer: Proposer
    evaluator: Evaluator
    replayed: tuple[Event, ...] = ()
    force: bool = False
    """Whether its result may replace another one in the same folder."""
    preamble: tuple[str, ...] = ()
    """Lines for a person before the work starts: what was guessed, which judge, what is missing here."""

    @property
    def task(self) -> Task:
        return self.run.settings.task


def launch(
    path: Path, options: RunOptions, *, allow_remote: bool = False, allow_root: bool = False, force: bool = False
) -> Launched:
    """Open what the options name, examine the task at `path`, and record a new run.

    Args:
        allow_remote: Whether a model may be on another machine.
        allow_root: Whether generated code may run as root where root cannot be given up.
        force: Whether the result may replace another one in the same folder.

    Raises:
        UserFixable: A name, an option or the task is wrong; nothing was recorded.
        Unavailable: A tool or a service is missing here.
    """
    if options.out is not None:
        check_unused(options.out, force=force)
    if options.tune is not None:
        require_tuning(options.budget)
    found = open_task(path, entry=options.entry, flags=options.flags, residency=options.residency)
    graph = open_graph(options.graph)
    SEARCHES.load(options.search)  # an unknown name is said before any work
    evaluator = open_evaluator(options.evaluator, allow_root=allow_root)
    machine = evaluator.environment()
    found = _untimed(found, evaluator)
    proposer = open_proposer(options, graph=graph, environment=machine, allow_remote=allow_remote)
    store = open_store()
    _log.info(
        "preparing %s: building and running its reference, and finding what speed is measured from", found.task.id
    )
    with naming_file(path, found.task):
        yardstick = evaluator.prepare(found.task, _plain(proposer, found.task))
    admission = _examination(evaluator, found.task)
    settings = RunSettings(
        options=_decided(options, evaluator),
        task=found.task,
        task_hash=found.task.content_hash,
        path=path.absolute(),
        protocol=evaluator.protocol,
        device=machine.device,
        graph_hash=graph.content_hash,
        prompts_hash=prompts_hash(options),
        not_admitted=tuple(finding.rule.value for finding in admission.errors) if admission is not None else (),
    )
    return Launched(
        run=store.create(settings, yardstick),
        yardstick=yardstick,
        store=store,
        search=_search(settings, graph, yardstick, proposer, evaluator),
        proposer=TunedProposer(proposer) if options.tune is not None else proposer,
        evaluator=evaluator,
        force=force,
        preamble=(
            *_flat(found.task),
            *(f"guessed: {guess}" for guess in found.guesses),
            *_circumstances(evaluator),
            *(_objections(admission) if admission is not None else ()),
        ),
    )


def _untimed(found: OpenedTask, evaluator: Evaluator) -> OpenedTask:
    """The task with smaller guessed shapes where no time is taken: comparing millions of numbers takes most of a judgement there."""
    if not found.guesses or evaluator.name != "emulated":
        return found
    bench = tuple(untimed_sizes(found.task, sizes) for sizes in found.task.bench_sizes)
    guesses = [guess for guess in found.guesses if not guess.startswith(TIMED_AT)]
    guesses += [
        f"No time is taken here: the largest shape that is tried is {shape_text(sizes)}." for sizes in bench if sizes
    ]
    return OpenedTask(task=replace(found.task, bench_sizes=bench), guesses=tuple(guesses))


def resume(run_id: str, *, allow_remote: bool = False, allow_root: bool = False) -> Launched:
    """Open a stored run again, with its events to repeat on a fresh search.

    Raises:
        ConfigError: There is no such run, it is running elsewhere, or what it was started with has changed since.
    """
    store = open_store()
    run = find_run(store, run_id)
    settings, options = run.settings, run.settings.options
    graph = open_graph(options.graph)
    evaluator = open_evaluator(options.evaluator, allow_root=allow_root)
    proposer = open_proposer(options, graph=graph, environment=evaluator.environment(), allow_remote=allow_remote)
    if options.tune is not None:
        require_optuna()
    _refuse_changes(run, graph, evaluator)
    if run.yardstick is None:
        raise SchemaError(f"run {run.id} has no yardstick: it ended before its task was examined; start it again")
    _log.info("preparing %s again", settings.task.id)
    evaluator.prepare(settings.task, _plain(proposer, settings.task))
    events = store.events(run.id)
    judged = spent_by(events).candidates
    return Launched(
        run=store.resume(run.id),
        yardstick=run.yardstick,
        store=store,
        search=_search(settings, graph, run.yardstick, proposer, evaluator),
        proposer=TunedProposer(proposer) if options.tune is not None else proposer,
        evaluator=evaluator,
        replayed=events,
        preamble=(f"resuming {run.id} after {judged} judged candidates", *_circumstances(evaluator)),
    )


def require_tuning(budget: Budget) -> None:
    """Say before any work what tuning lacks.

    Raises:
        PrerequisiteMissing: Optuna is not installed.
        ConfigError: A search with this budget has no end of its own, after which tuning could begin.
    """
    require_optuna()
    if all(limit is None for limit in (budget.candidates, budget.proposals, budget.tokens, budget.usd)):
        raise ConfigError(
            "--tune begins when the search has ended, and a limit of seconds is for both: limit the search too, "
            f"such as --budget candidates=20,seconds={budget.seconds:g}"
        )


def _plain(proposer: Proposer, task: Task) -> Candidate | None:
    """The straightforward CUDA version that modelled costs are compared with; None where only another proposer can take the task.

    Raises:
        CannotTransform: The transform engine is the proposer, and cannot take the task.
    """
    from regrapht.propose.transform_engine import TransformProposer

    return proposer.plain(task) if isinstance(proposer, TransformProposer) else plain_version(task)


def _examination(evaluator: Evaluator, task: Task) -> Admission | None:
    """The cheap part of the task's examination; None where the judge does not show what it judges on, as one that replays."""
    inner = evaluator.inner if isinstance(evaluator, CachedEvaluator) else evaluator
    return admit(inner.oracle(task)) if isinstance(inner, HasOracle) else None


def _decided(options: RunOptions, evaluator: Evaluator) -> RunOptions:
    """The options as a run keeps them, to be opened again from any folder: the judge is named, and paths are absolute."""
    return replace(
        options,
        evaluator=evaluator.name,
        graph=options.graph and options.graph.absolute(),
        out=options.out and options.out.absolute(),
        flags=replace(
            options.flags,
            include=tuple(folder.absolute() for folder in options.flags.include),
            project=options.flags.project and options.flags.project.absolute(),
        ),
        prompts=options.prompts and options.prompts.absolute(),
        given_file=options.given_file and options.given_file.absolute(),
    )


def _search(
    settings: RunSettings, graph: TechniqueGraph, yardstick: Yardstick, proposer: Proposer, evaluator: Evaluator
) -> Search:
    """The run's search, fresh, with tuning after it where that was asked for."""
    options = settings.options
    context = search_context(settings.task, graph, yardstick, options, proposer=proposer, evaluator=evaluator)
    search = open_search(options.search, context)
    if options.tune is None:
        return search
    return TunedSearch(search, task=settings.task, yardstick=yardstick, budget=options.tune, seed=options.seed)


def _refuse_changes(run: Run, graph: TechniqueGraph, evaluator: Evaluator) -> None:
    then, device = run.settings, evaluator.environment().device
    changed = [
        name
        for name, before, now in (
            ("the task", then.task_hash, then.task.content_hash),
            ("the reasoning graph", then.graph_hash, graph.content_hash),
            ("the judge's protocol", then.protocol, evaluator.protocol),
            ("the device", then.device or device, device),
            ("the prompts", then.prompts_hash, prompts_hash(then.options)),
        )
        if before != now
    ]
    if changed:
        raise ConfigError(
            f"run {run.id} cannot go on: {' and '.join(changed)} changed since it started; start a new run"
        )


def _circumstances(evaluator: Evaluator) -> tuple[str, ...]:
    """What a person should know of this machine before the run: the judge, and what is missing."""
    judge = f"judge: {evaluator.name} on {evaluator.environment().device}"
    if evaluator.name != "emulated":
        return (judge,)
    return (
        judge,
        "no time is measured without a GPU; costs are modelled by the emulator and ranked, never called a speed-up",
    )


def _flat(task: Task) -> tuple[str, ...]:
    """How a function of a project became the task's."""
    if task.home is None or all(place.name == place.expression for place in task.home.places):
        return ()
    handed = ", ".join(f"{place.name} = {place.hidden or place.expression}" for place in task.home.places)
    return (f"made flat: {task.signature}", f"with {handed}")


def _objections(admission: Admission) -> tuple[str, ...]:
    """What speaks against judging on this task, in lines for a person. Nothing is refused: a user's function is the user's own."""
    return (
        *(f"warning: the task is not admitted ({finding.rule}): {finding.message}" for finding in admission.errors),
        *(f"the task is not examined, {why}" for why in admission.unchecked if why != LEFT_OUT),
    )
