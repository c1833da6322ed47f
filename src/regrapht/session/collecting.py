"""Collecting trajectories for a person: the tasks, the writer, the judge and the labeller by name."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from regrapht.assemble import open_evaluator, open_graph, open_proposer
from regrapht.construct.collect import Collection, CollectReport, CollectSettings
from regrapht.construct.collection_files import Attempt, KeptReplies
from regrapht.construct.model_labels import ModelLabeller
from regrapht.construct.new_techniques import corpus_vocabulary
from regrapht.construct.prompts import Form
from regrapht.construct.writers import FolderWriter, ModelWriter, ProposerWriter, TrajectoryWriter
from regrapht.errors import ConfigError, ModelUnavailable
from regrapht.graph.vocabulary import Vocabulary, load_vocabulary
from regrapht.llm.client import LanguageModel
from regrapht.llm.specs import model
from regrapht.records.run import RunOptions
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.tasks.load import TASK_FILE, load_task


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectRequest:
    """What a user asks for."""

    tasks: Path
    """A task folder, or a folder with task folders at any depth."""
    out: Path
    """The corpus that trajectories go to."""
    writer: str
    """`model`, `transform`, `folder`, or another proposer's name, which is then asked step by step."""
    model: str | None = None
    """`openai:NAME@URL` and so on; needed by `model`, and by `language_model`."""
    replies: Path | None = None
    """The folder of `folder`."""
    form: str = "json"
    labels_by: str | None = None
    """The model that labels steps whose technique the vocabulary does not know; by default the one that writes."""
    source: str | None = None
    run: str | None = None
    licence: str = "Apache-2.0"
    samples: int = 1
    most: int = 12
    """Steps of a trajectory."""
    evaluator: str | None = None
    level: Level = Level.FULL
    jobs: int = 1
    seed: int = 1
    allow_remote: bool = False
    allow_root: bool = False


def collect(request: CollectRequest, *, on_attempt: Callable[[Attempt], None] | None = None) -> CollectReport:
    """Collect trajectories, going on with the run of that name where there is one.

    Raises:
        ConfigError: Options contradict each other.
        TaskError: A task is malformed, or there is none.
        ModelUnavailable, ModelRefused, EvaluatorUnavailable, StoreUnavailable: What was done before is kept; the same command goes on.
    """
    tasks = _tasks(request.tasks)
    run = request.run or f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    vocabulary = corpus_vocabulary(load_vocabulary(), [request.out])
    writing, labelling = _models(request)
    writer = _writer(request, run, vocabulary, writing)
    settings = CollectSettings(
        run=run,
        source=request.source or writer.name,
        licence=request.licence,
        samples=request.samples,
        level=request.level,
        jobs=request.jobs,
    )
    collection = Collection(
        request.out,
        writer,
        open_evaluator(request.evaluator, allow_root=request.allow_root),
        settings,
        vocabulary=vocabulary,
        labeller=None if labelling is None else ModelLabeller(labelling, vocabulary),
    )
    return collection.run(tasks, on_attempt=on_attempt)


def _tasks(folder: Path) -> list[Task]:
    files = [folder / TASK_FILE] if (folder / TASK_FILE).is_file() else sorted(folder.rglob(TASK_FILE))
    if not files:
        raise ConfigError(f"{folder} holds no {TASK_FILE}: give a task folder, or a folder of such")
    tasks = [load_task(file.parent) for file in files]
    if len({task.id for task in tasks}) != len(tasks):
        raise ConfigError(f"{folder} holds two tasks of one id: rename one of them")
    return tasks


def _models(request: CollectRequest) -> tuple[LanguageModel | None, LanguageModel | None]:
    """The model that writes and the one that labels."""
    if request.writer == "model" and request.model is None:
        raise ConfigError("--proposer model needs --model, such as openai:qwen2.5-coder@http://127.0.0.1:8000/v1")
    writing = _opened(request.model, request) if request.writer == "model" else None
    if request.labels_by == "none":
        return writing, None
    labelling = writing if request.labels_by in (None, request.model) else _opened(request.labels_by, request)
    return writing, labelling


def _opened(spec: str | None, request: CollectRequest) -> LanguageModel:
    assert spec is not None
    opened = model(spec, allow_remote=request.allow_remote)
    answer = opened.availability()
    if not answer.available:
        raise ModelUnavailable(f"{opened.name}: {answer.reason}" + (f"; {answer.fix}" if answer.fix else ""))
    return opened


def _writer(
    request: CollectRequest, run: str, vocabulary: Vocabulary, writing: LanguageModel | None
) -> TrajectoryWriter:
    if writing is not None:
        if request.form not in list(Form):
            raise ConfigError(f"--form {request.form}: choose one of {', '.join(Form)}")
        return ModelWriter(writing, form=Form(request.form), most=request.most, kept=KeptReplies(request.out, run))
    if request.writer == "folder":
        if request.replies is None:
            raise ConfigError("--proposer folder needs --replies FOLDER, with TASK.json or TASK/ANYTHING.json")
        return FolderWriter(request.replies)
    options = RunOptions(proposer=request.writer, model=request.model, seed=request.seed)
    proposer = open_proposer(options, graph=open_graph(None), allow_remote=request.allow_remote)
    return ProposerWriter(proposer, vocabulary.techniques, most=request.most, seed=request.seed)
