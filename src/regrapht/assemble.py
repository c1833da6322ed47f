"""From names to objects: the task behind a path, the judge, the proposer, the graph and the store behind an option's word.

Every surface and the benchmark open things here, so that a name means the same everywhere.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from regrapht import settings
from regrapht.errors import CannotTransform, ConfigError, EvaluatorUnavailable, ModelUnavailable, SchemaError
from regrapht.evaluate import EVALUATORS
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.query import near_duplicates
from regrapht.graph.shipped import shipped_graph
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.agent import NAME as AGENT
from regrapht.propose.given import NAME as GIVEN
from regrapht.propose.given import GivenProposer
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.run import RunOptions
from regrapht.records.task import Residency, Task
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.sandbox.choose import choose
from regrapht.search import SEARCHES
from regrapht.search.context import Rules, SearchContext
from regrapht.search.search import Search
from regrapht.source.one_thread import runs_in_one_thread
from regrapht.store.graph_files import read_graph_bytes
from regrapht.store.runs import RunStore
from regrapht.store.verdict_cache import VerdictCache
from regrapht.transform.verbatim.observations import Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedTask:
    """A task, and what was guessed where it was inferred from a bare function."""

    task: Task
    guesses: tuple[str, ...] = ()


def open_task(
    path: str | Path, *, entry: str | None = None, flags: BuildFlags = NO_FLAGS, residency: str | None = None
) -> OpenedTask:
    """The task of a folder with a `task.toml`, or of a source file, bare or of a project.

    Args:
        entry: The function, where a file has several.
        flags: How a file of a project is compiled.
        residency: Where a candidate's arrays are, instead of what the task says; managed memory is the device's to a candidate.

    Raises:
        ConfigError: There is nothing at `path`, or what is for files was given for a folder.
        TaskError: The description is wrong, or the function cannot be understood.
    """
    opened = _open(Path(path), entry, flags)
    if residency is None:
        return opened
    where = Residency.HOST if residency == "host" else Residency.DEVICE
    return replace(opened, task=replace(opened.task, contract=replace(opened.task.contract, residency=where)))


def _open(path: Path, entry: str | None, flags: BuildFlags) -> OpenedTask:
    from regrapht.tasks.infer import infer_task
    from regrapht.tasks.load import load_task

    if not path.exists():
        raise ConfigError(f"there is no {path}: give a task folder or a .cpp, .c or .cu file")
    if path.is_file() and path.name != "task.toml":
        inferred = infer_task(path, entry=entry, flags=flags)
        return OpenedTask(task=inferred.task, guesses=inferred.guesses)
    if entry is not None:
        raise ConfigError("--entry is for bare files; a task folder names its entry in task.toml")
    if flags.given:
        raise ConfigError("-I, -D, -std and --project are for source files; a task folder has them in task.toml")
    return OpenedTask(task=load_task(path if path.is_dir() else path.parent))


def open_evaluator(
    name: str | None, *, allow_root: bool = False, cache_folder: str | Path | None = None, secret: int | None = None
) -> Evaluator:
    """The judge called `name`; without a name the GPU's where there is one, else the emulated one.

    Verdicts are cached in `cache_folder`, by default the store's; never with a `secret`, which fixes all that is drawn.

    Raises:
        UnknownName: There is no such evaluator.
        ConfigError: A replay, which is not opened by its name.
        EvaluatorUnavailable: It cannot work on this machine; the message says why and what would mend it.
    """
    if name == "replay":
        raise ConfigError(
            "--evaluator replay gives recorded verdicts again from Python (regrapht.evaluate.replay.ReplayEvaluator); it needs that record"
        )
    if name is not None and name.startswith(("ray:", "ssh:")):
        if secret is not None:
            raise ConfigError("a verdict with a draw of its own is made on this machine alone")
        return CachedEvaluator(_elsewhere(name, allow_root), VerdictCache(Path(cache_folder or settings.home())))
    from regrapht.evaluate.observation.kept import remember_refuted

    sandbox = choose(allow_root=allow_root).sandbox
    for candidate in (name,) if name else ("local_gpu", "emulated"):
        evaluator: Evaluator = EVALUATORS.make(candidate, sandbox, **({} if secret is None else {"secret": secret}))
        availability = evaluator.availability()
        if availability.available and secret is not None:
            return evaluator
        if availability.available:
            return CachedEvaluator(
                evaluator, VerdictCache(Path(cache_folder or settings.home())), told=remember_refuted
            )
    fix = f": {availability.fix}" if availability.fix else ""
    raise EvaluatorUnavailable(f"the {candidate} evaluator cannot work here: {availability.reason}{fix}")


def _elsewhere(name: str, allow_root: bool) -> Evaluator:
    """A judge that is not in this process: `ray:ADDRESS`, `ray:ADDRESS|JUDGE|KIND`, `ssh:HOST`."""
    where, _, rest = name.partition(":")
    if where == "ssh":
        from regrapht.evaluate.ssh import SshEvaluator

        return SshEvaluator(rest)
    from regrapht.evaluate.ray_cluster import RayEvaluator

    address, judge, kind = [*rest.split("|"), "", ""][:3]
    return RayEvaluator(address, judge or None, allow_root=allow_root, kind=kind or None)


WORDING_OF = {"fsr": "fsr", "cot": "chain", "rethink-mcts": "thought"}
"""Searches whose prompts have words of their own (`prompts.render.Wording`)."""
WITHOUT_HARDWARE = "no-hardware"


def open_proposer(
    options: RunOptions,
    *,
    graph: TechniqueGraph,
    environment: Environment | None = None,
    allow_remote: bool = False,
    keep_pace: bool = True,
) -> Proposer:
    """The proposer that the options name, with the model that it asks.

    Args:
        environment: The device that programs are for, told to a model where it is a GPU.
        allow_remote: Whether the model may be on another machine.
        keep_pace: Whether prompts and replies are kept short where the model is slow. An experiment's are the same on every machine.

    Raises:
        UnknownName: There is no such proposer.
        ConfigError: A language model without `--model`, or the other way round, or a remote endpoint that was not allowed.
        ModelUnavailable: The model's server does not answer, or does not offer this model.
    """
    from regrapht.propose import PROPOSERS

    name = options.proposer
    _require_measurable(options)
    if name == AGENT:
        raise ConfigError("an agent writes this run's programs: it goes on through `regrapht serve` or `regrapht mcp`")
    if name == GIVEN and options.given is not None:
        return GivenProposer(options.given)
    if name in ("hybrid", "language_model"):
        if options.model is None:
            raise ConfigError(
                f"--proposer {name} needs --model, such as gguf:FILE or openai:NAME@http://127.0.0.1:8000/v1"
            )
        return _with_model(options.model, options, graph, environment, allow_remote, keep_pace=keep_pace)
    if options.model is not None:
        raise ConfigError(
            f"--model has no meaning with --proposer {name}: leave --proposer out for hybrid, or use --proposer language_model"
        )
    if name == "replay":
        raise ConfigError(
            "--proposer replay plays a stored run again from Python (regrapht.propose.replay.ReplayProposer); it needs that run"
        )
    more = {"observer": open_observer(), "proved": options.proved} if name == "transform" else {}
    proposer: Proposer = PROPOSERS.make(name, seed=options.seed, **more)
    return proposer


def close_model(proposer: Proposer) -> None:
    """Give up what a proposer's model is asked, and what the model holds; nothing for proposers that ask none."""
    close = getattr(proposer, "close", None)
    if close is not None:
        close()


def _require_measurable(options: RunOptions) -> None:
    """Refuse limits that nothing would ever reach.

    Raises:
        ConfigError: A limit in usd without prices, or tokens alone where no model is asked.
    """
    budget, asked = options.budget, options.model
    if budget.usd is not None:
        from regrapht.llm.specs import prices

        if asked is None or prices(asked) is None:
            what = f"no price of {asked} is known" if asked is not None else "no model is asked"
            raise ConfigError(
                f"a limit in usd cannot be kept: {what}; write [prices.NAME] with input and output (USD for a million tokens) into "
                "regrapht.toml, or limit tokens= or seconds= instead"
            )
    others = (budget.candidates, budget.proposals, budget.seconds, budget.usd)
    if budget.tokens is not None and asked is None and all(limit is None for limit in others):
        raise ConfigError(
            "a limit of tokens alone never ends a run that asks no model: limit candidates or seconds= too"
        )


def prompts_hash(options: RunOptions) -> str | None:
    """Of all templates that a model is asked with, the user's own among them; None where none is asked.

    Raises:
        ConfigError: The folder of the user's own has something wrong with it.
    """
    if options.model is None:
        return None
    from regrapht.prompts.templates import read_folder, templates_hash, using

    with using(read_folder(options.prompts) if options.prompts is not None else {}):
        return templates_hash()


def open_observer() -> Observer:
    """Who runs instrumented references for the transform engine, in the sandbox; what was seen is kept in the cache."""
    from regrapht.evaluate.observation.kept import KeptRuns

    return KeptRuns()


def plain_version(task: Task) -> Candidate | None:
    """The straightforward CUDA version that the transform engine writes; None where it cannot take the task."""
    from regrapht.propose.transform_engine import TransformProposer

    try:
        return TransformProposer(observer=open_observer()).plain(task)
    except CannotTransform:
        return None


def _with_model(
    spec: str,
    options: RunOptions,
    graph: TechniqueGraph,
    machine: Environment | None,
    allow_remote: bool,
    *,
    keep_pace: bool,
) -> Proposer:
    from regrapht.llm.client import ModelOptions
    from regrapht.llm.specs import configured, model, prices
    from regrapht.prompts.hardware import HardwareBlock
    from regrapht.prompts.render import Wording
    from regrapht.prompts.templates import read_folder
    from regrapht.propose.hybrid import HybridProposer
    from regrapht.propose.language_model import LanguageModelProposer, LanguageModelSettings

    chosen_context = options.context_tokens or configured(spec).context_tokens
    wanted = ModelOptions(context_tokens=chosen_context, reasoning_effort=options.reasoning_effort)
    opened = model(spec, wanted, allow_remote=allow_remote)
    try:
        answer = opened.availability()
    except BaseException:
        opened.close()
        raise
    if not answer.available:
        raise ModelUnavailable(f"{opened.name}: {answer.reason}" + (f"; {answer.fix}" if answer.fix else ""))
    context, longest = chosen_context or answer.context_tokens, options.max_tokens
    is_usual = options.max_tokens == RunOptions().max_tokens
    if answer.reply_tokens is not None and is_usual:
        longest = answer.reply_tokens
    if context is not None and (options.context_tokens is None or (is_usual and longest >= context)):
        longest = min(longest, context // 2)
    hardware = None
    if machine is not None and machine.architecture.startswith("sm_") and options.search != WITHOUT_HARDWARE:
        hardware = HardwareBlock(name=machine.device, architecture=machine.architecture)
    chosen = LanguageModelSettings(
        context_tokens=context,
        max_tokens=longest,
        prices=prices(spec),
        show_reference=not options.hide_reference,
        mend=options.mend,
        hardware=hardware,
        wording=Wording(WORDING_OF.get(options.search, "graph")),
        prompts=read_folder(options.prompts) if options.prompts is not None else {},
        shorten_prompts=keep_pace and chosen_context is None,
        shorten_replies=keep_pace and is_usual,
    )
    if options.proposer == "language_model":
        return LanguageModelProposer(opened, graph=graph, settings=chosen)
    return HybridProposer(
        opened, graph=graph, settings=chosen, seed=options.seed, observer=open_observer(), proved=options.proved
    )


def open_graph(path: str | Path | None = None) -> TechniqueGraph:
    """The graph in a file, or the shipped one.

    Raises:
        ConfigError: There is no such file.
        SchemaError: It is damaged, or of a version that this regrapht does not read; the message names the file.
    """
    if path is None:
        return shipped_graph()
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"there is no graph file {path}; without --graph the shipped one is used")
    content = read_graph_bytes(path)
    try:
        return TechniqueGraph.from_json(content)
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from error


def search_context(
    task: Task,
    graph: TechniqueGraph,
    yardstick: Yardstick,
    options: RunOptions,
    *,
    proposer: Proposer,
    evaluator: Evaluator,
) -> SearchContext:
    """What a search on `task` is given. Tasks of the graph that are nearly the same program are hidden from it, besides the task itself."""
    serves = getattr(proposer, "serves", None)
    return SearchContext(
        task_id=task.id,
        family=task.family,
        graph=graph,
        yardstick=yardstick,
        budget=options.budget,
        seed=options.seed,
        proposer=proposer.name,
        device=evaluator.environment().architecture,
        applicable=lambda candidate, transition: proposer.applicable(task, candidate, transition),
        serves=None if serves is None else lambda proposal: bool(serves(task, proposal)),
        hide_family=options.hide_family,
        hide_tasks=near_duplicates(graph, task.reference.source.text),
        reference=task.reference.source.text,
        rules=_rules(task, proposer),
        repair=options.repair,
        choice_weight=options.choice_weight if getattr(proposer, "chooses", False) else 0.0,
    )


def open_search(name: str, context: SearchContext) -> Search:
    """The search called `name`, fresh, over `context`; of the graph searches, one for each of two writers.

    Raises:
        UnknownName: There is no such search.
    """
    from regrapht.search.mcgs import GraphSearch
    from regrapht.search.two_writers import TwoWriters

    kind = SEARCHES.load(name)
    if context.rules is not None and isinstance(kind, type) and issubclass(kind, GraphSearch):
        return TwoWriters(context, kind)
    search: Search = SEARCHES.make(name, context)
    return search


def _rules(task: Task, proposer: Proposer) -> Rules | None:
    """What the proposer writes by rule beside a model; None for one that has not both."""
    from regrapht.propose.hybrid import HybridProposer

    if not isinstance(proposer, HybridProposer):
        return None
    return Rules(
        name="transform",
        applicable=lambda candidate, transition: proposer.rule_applies(task, candidate, transition),
        serves=lambda proposal: proposer.rule_serves(task, proposal),
        in_one_thread=runs_in_one_thread,
    )


def open_store() -> RunStore:
    """The store of runs in `REGRAPHT_HOME`."""
    return RunStore(settings.home())
