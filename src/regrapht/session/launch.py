"""Opening a run: a new one from a request, or a stored one to go on with."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import (
    ModelOptions,
    open_evaluator,
    open_graph,
    open_proposer,
    open_search,
    open_store,
    open_task,
    search_context,
)
from regrapht.errors import CannotTransform, ConfigError, SchemaError
from regrapht.evaluate.admission.admit import LEFT_OUT, HasOracle, admit
from regrapht.evaluate.admission.findings import Admission
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.given import NAME as GIVEN
from regrapht.propose.given import GivenProposer
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import from_json, to_json
from regrapht.records.measurement import Yardstick
from regrapht.records.run import Budget, Event, Run, RunSettings
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.search import SEARCHES
from regrapht.search.budget import spent_by
from regrapht.search.search import Search
from regrapht.session.history import find_run
from regrapht.session.refusal import naming_file
from regrapht.store.output_folder import check_writable
from regrapht.store.runs import RunStore
from regrapht.tune.sampler import require_optuna
from regrapht.tune.tuned_proposer import TunedProposer
from regrapht.tune.tuned_search import TunedSearch

_log = logging.getLogger(__name__)
GIVEN_FILE = "given_file"
"""A run's option with the file of the program that it was given."""
DEVICE = "device"
"""A run's option with the device that its yardstick and its times are of."""
OUT = "out"
"""A run's option with the folder for its result, where one was named."""
TUNE = "tune"
"""A run's option with the budget of its tuning."""
NOT_ADMITTED = "not_admitted"
"""A run's option with the rules that its task breaks, and the label that its result then carries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a user asks for: names and numbers, nothing opened yet."""

    path: Path
    budget: Budget
    entry: str | None = None
    search: str = "mcgs"
    proposer: str = "transform"
    model: str | None = None
    evaluator: str | None = None
    level: str = "screen"
    graph: Path | None = None
    seed: int = 0
    workers: int = 1
    architecture: str | None = None
    hide_family: bool = False
    hide_reference: bool = False
    context_tokens: int | None = None
    max_tokens: int = 8192
    allow_remote: bool = False
    allow_root: bool = False
    tune: int | None = None
    """Settings of the best program's open parameters to judge after the search; None does not tune."""
    given: Candidate | None = None
    """A program that its author brings along, with the proposer `given`."""
    given_file: Path | None = None
    """Where that program stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """A run with everything open that it needs."""

    task: Task
    run: Run
    yardstick: Yardstick
    store: RunStore
    graph: TechniqueGraph
    search: Search
    proposer: Proposer
    evaluator: Evaluator
    replayed: tuple[Event, ...] = ()
    preamble: tuple[str, ...] = ()
    """Lines for a person before the work starts: what was guessed, which judge, what is missing here."""


def launch(request: Request, *, out: Path | None = None) -> Launched:
    """Open everything that `request` names, examine the task, and record a new run.

    Raises:
        UserFixable: A name, an option or the task is wrong; nothing was recorded.
        Unavailable: A tool or a service is missing here.
    """
    if out is not None:
        check_writable(out)
    level = read_level(request.level)
    if request.tune is not None:
        require_tuning(request.budget)
    opened = open_task(request.path, entry=request.entry)
    graph = open_graph(request.graph)
    SEARCHES.load(request.search)  # an unknown name is said before any work
    evaluator = open_evaluator(request.evaluator, allow_root=request.allow_root)
    options = _options(request, opened.task, device=evaluator.environment().device, out=out)
    model = _model(request.model, request.search, options, evaluator, request.allow_remote)
    proposer = _proposer(request.proposer, options, graph, model, request.seed)
    store = open_store()
    _log.info(
        "preparing %s: building and running its reference, and finding what speed is measured from", opened.task.id
    )
    with naming_file(request.path, opened.task):
        yardstick = evaluator.prepare(opened.task, _plain(proposer, opened.task))
    admission = _examination(evaluator, opened.task)
    options[NOT_ADMITTED] = [finding.rule.value for finding in admission.errors] if admission is not None else []
    run_settings = RunSettings(
        task_hash=opened.task.content_hash,
        task_id=opened.task.id,
        search=request.search,
        proposer=request.proposer,
        evaluator=evaluator.name,
        model=request.model,
        graph_hash=graph.content_hash,
        prompts_hash=_prompts_hash() if request.model else None,
        level=level.value,
        budget=request.budget,
        seed=request.seed,
        workers=request.workers,
        protocol=evaluator.protocol,
        options=options,
    )
    run = store.create(run_settings, yardstick)
    preamble = (
        *(f"guessed: {guess}" for guess in opened.guesses),
        *_circumstances(evaluator),
        *(_objections(admission) if admission is not None else ()),
    )
    search = _search(run_settings, opened.task, graph, yardstick, (proposer, evaluator))
    return Launched(
        task=opened.task,
        run=run,
        yardstick=yardstick,
        store=store,
        graph=graph,
        search=search,
        proposer=TunedProposer(proposer) if request.tune is not None else proposer,
        evaluator=evaluator,
        preamble=preamble,
    )


def resume(run_id: str, *, allow_remote: bool = False, allow_root: bool = False) -> Launched:
    """Open a stored run again, with its events to repeat on a fresh search.

    Raises:
        ConfigError: There is no such run, it is running elsewhere, or what it was started with has changed since.
    """
    store = open_store()
    run = find_run(store, run_id)
    chosen = run.settings
    task, path = from_json(Task, str(chosen.options["task"])), chosen.options.get("graph")
    graph = open_graph(Path(str(path)) if path else None)
    evaluator = open_evaluator(chosen.evaluator, allow_root=allow_root)
    model = _model(chosen.model, chosen.search, chosen.options, evaluator, allow_remote)
    proposer = _proposer(chosen.proposer, chosen.options, graph, model, chosen.seed)
    if chosen.options.get(TUNE) is not None:
        require_optuna()
    _refuse_changes(run, task, graph, evaluator)
    yardstick = run.yardstick
    if yardstick is None:
        raise SchemaError(f"run {run.id} has no yardstick: it ended before its task was examined; start it again")
    _log.info("preparing %s again", task.id)
    evaluator.prepare(task, _plain(proposer, task))
    events = store.events(run.id)
    judged = spent_by(events).candidates
    run = store.resume(run.id)
    return Launched(
        task=task,
        run=run,
        yardstick=yardstick,
        store=store,
        graph=graph,
        search=_search(chosen, task, graph, yardstick, (proposer, evaluator)),
        proposer=TunedProposer(proposer) if chosen.options.get(TUNE) is not None else proposer,
        evaluator=evaluator,
        replayed=events,
        preamble=(f"resuming {run.id} after {judged} judged candidates", *_circumstances(evaluator)),
    )


def _search(
    chosen: RunSettings, task: Task, graph: TechniqueGraph, yardstick: Yardstick, workers: tuple[Proposer, Evaluator]
) -> Search:
    proposer, evaluator = workers
    context = search_context(
        task,
        graph,
        yardstick,
        budget=chosen.budget,
        seed=chosen.seed,
        proposer=proposer,
        evaluator=evaluator,
        hide_family=bool(chosen.options.get("hide_family")),
    )
    search, tune = open_search(chosen.search, context), chosen.options.get(TUNE)
    if not isinstance(tune, int):
        return search
    return TunedSearch(search, task=task, yardstick=yardstick, budget=tune, seed=chosen.seed)


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


def _proposer(
    name: str, options: Mapping[str, object], graph: TechniqueGraph, model: ModelOptions, seed: int
) -> Proposer:
    """The proposer of that name, or the one program that a run was given."""
    if name == GIVEN:
        return GivenProposer(from_json(Candidate, str(options[GIVEN])))
    return open_proposer(name, graph=graph, model=model, seed=seed)


def _plain(proposer: Proposer, task: Task) -> Candidate | None:
    """The straightforward CUDA version that modelled costs are compared with; None where the transform engine cannot take the task."""
    from regrapht.propose.transform_engine import TransformProposer

    engine = proposer if isinstance(proposer, TransformProposer) else TransformProposer()
    try:
        return engine.plain(task)
    except CannotTransform:
        if engine is proposer:
            raise
        return None


def _examination(evaluator: Evaluator, task: Task) -> Admission | None:
    """The cheap part of the task's examination; None where the judge does not show what it judges on, as one that replays."""
    inner = evaluator.inner if isinstance(evaluator, CachedEvaluator) else evaluator
    return admit(inner.oracle(task)) if isinstance(inner, HasOracle) else None


def _objections(admission: Admission) -> tuple[str, ...]:
    """What speaks against judging on this task, in lines for a person. Nothing is refused: a user's function is the user's own."""
    return (
        *(f"warning: the task is not admitted ({finding.rule}): {finding.message}" for finding in admission.errors),
        *(f"the task is not examined, {why}" for why in admission.unchecked if why != LEFT_OUT),
    )


def _options(request: Request, task: Task, *, device: str, out: Path | None) -> dict[str, object]:
    """What a run needs besides its settings' own fields to be opened again, and for its command to be given again."""
    return {
        DEVICE: device,
        OUT: str(out.absolute()) if out is not None else None,
        "entry": request.entry,
        "task": to_json(task),
        "path": str(request.path.absolute()),
        "graph": str(request.graph.absolute()) if request.graph else None,
        "architecture": request.architecture,
        "hide_family": request.hide_family,
        "hide_reference": request.hide_reference,
        "context_tokens": request.context_tokens,
        "max_tokens": request.max_tokens,
        TUNE: request.tune,
        GIVEN: to_json(request.given) if request.given is not None else None,
        GIVEN_FILE: str(request.given_file.absolute()) if request.given_file is not None else None,
    }


def _model(
    spec: str | None, search: str, options: Mapping[str, object], evaluator: Evaluator, allow_remote: bool
) -> ModelOptions:
    context, longest = options["context_tokens"], options["max_tokens"]
    assert isinstance(longest, int)
    return ModelOptions(
        spec=spec,
        allow_remote=allow_remote,
        show_reference=not options["hide_reference"],
        context_tokens=context if isinstance(context, int) else None,
        max_tokens=longest,
        search=search,
        environment=evaluator.environment(),
    )


def _refuse_changes(run: Run, task: Task, graph: TechniqueGraph, evaluator: Evaluator) -> None:
    chosen, device = run.settings, evaluator.environment().device
    changed = [
        name
        for name, then, now in (
            ("the task", chosen.task_hash, task.content_hash),
            ("the reasoning graph", chosen.graph_hash, graph.content_hash),
            ("the judge's protocol", chosen.protocol, evaluator.protocol),
            ("the device", chosen.options.get(DEVICE, device), device),
            ("the prompts", chosen.prompts_hash, _prompts_hash() if chosen.model else None),
        )
        if then != now
    ]
    if changed:
        raise ConfigError(
            f"run {run.id} cannot go on: {' and '.join(changed)} changed since it started; start a new run"
        )


def _prompts_hash() -> str:
    from regrapht.prompts.render import templates_hash

    return templates_hash()


def read_level(text: str) -> Level:
    """The level that `--level` names.

    Raises:
        ConfigError: There is none of that name.
    """
    try:
        return Level(text)
    except ValueError as error:
        raise ConfigError(f"--level {text}: choose {' or '.join(Level)}") from error


def _circumstances(evaluator: Evaluator) -> tuple[str, ...]:
    """What a person should know of this machine before the run: the judge, and what is missing."""
    machine = evaluator.environment()
    lines = [f"judge: {evaluator.name} on {machine.device}"]
    if evaluator.name == "emulated":
        lines.append(
            "no time is measured without a GPU; costs are modelled by the emulator and ranked, never called a speed-up"
        )
    return tuple(lines)
