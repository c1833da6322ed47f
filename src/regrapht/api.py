"""Python in one line: optimise a function, judge a program, look at results.

Paths are texts or `Path`s. What is wrong is an exception of `regrapht.RegraphtError`'s tree; a program that is wrong is a `Verdict`. The
judge stays ready between calls of one process, so the second judgement on a task is quick.
"""

import functools
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regrapht import settings
from regrapht.assemble import OpenedTask, open_evaluator, open_task
from regrapht.errors import ConfigError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.run import Budget, Event, RunOptions
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.registry import plugin_fault

if TYPE_CHECKING:
    from regrapht.report.frames import Results
    from regrapht.session.check import ExaminedTask
    from regrapht.session.finish import Result

PathLike = str | os.PathLike[str]


def optimize(
    path: PathLike,
    *,
    budget: int | str | Budget | None = None,
    search: str | None = None,
    proposer: str | None = None,
    model: str | None = None,
    evaluator: str | None = None,
    entry: str | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    options: RunOptions | None = None,
    observer: Callable[[Event], None] | None = None,
    allow_remote: bool = False,
    allow_root: bool = False,
    force: bool = False,
) -> "Result":
    """Search for a fast, verified CUDA version of a function; the run is stored, and its result folder written, as by the command line.

    Args:
        path: A task folder, or a source file.
        budget: Judged candidates, or a text such as `candidates=20,seconds=600`.
        search, proposer, model, evaluator: By name, as on the command line; a model may be one of `regrapht.toml`.
        entry: The function, where a file has several.
        out: The result folder; without it one of the run's own in `regrapht-out`.
        options: Everything else that can be asked for; the arguments here count more.
        observer: Told every event as it happens.
        allow_remote: Whether the model may be on another machine.
        allow_root: Whether generated code may run as root where root cannot be given up.
        force: Whether the result may replace another one in the same folder.

    Returns:
        What it came to: `print` shows its headline; `source` is the program, `gain` what it gained, `verdict` what that rests on.

    Raises:
        UserFixable: A name, an option, the task or a plug-in is wrong.
        Unavailable: A tool or a service is missing here.
    """
    from regrapht.session.finish import finish
    from regrapht.session.launch import launch

    named = {
        "search": search,
        "proposer": proposer,
        "model": model,
        "evaluator": evaluator,
        "entry": entry,
        "seed": seed,
        "out": Path(out) if out is not None else None,
        "budget": _budget(budget) if budget is not None else None,
    }
    chosen = _chosen(options, {name: value for name, value in named.items() if value is not None})
    try:
        launched = launch(Path(path), chosen, allow_remote=allow_remote, allow_root=allow_root, force=force)
        return finish(launched, out=None, observer=observer or (lambda event: None), stop=threading.Event())
    except Exception as error:
        if (fault := plugin_fault(error)) is not None:
            raise fault from error
        raise


def judge(
    task: PathLike | Task | OpenedTask,
    source: str,
    *,
    level: str | Level = Level.FULL,
    evaluator: str | Evaluator | None = None,
    entry: str | None = None,
    allow_root: bool = False,
) -> Verdict:
    """The verdict on the CUDA program with this text.

    Args:
        task: A task, or the path of a task folder or of a source file.
        source: The text of the program, which defines the task's entry.
        level: `full`, which is what counts, or `screen`, which is quick.
        evaluator: A judge, or its name; without it the GPU's where there is one, else the emulated one.
        entry: The function, where a source file has several.

    Raises:
        UserFixable: The task, a name or the level is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    from regrapht.source.program_hash import program_hash

    found = _task(task, entry)
    hashed = program_hash(source)
    candidate = Candidate(source=source, program_hash=hashed, origin=Origin(proposer="python", seconds=0.0))
    return _prepared(found, evaluator, allow_root).evaluate(found, candidate, level=_level(level))


def check(
    task: PathLike | Task | OpenedTask,
    *files: PathLike,
    level: str | Level = Level.FULL,
    evaluator: str | Evaluator | None = None,
    entry: str | None = None,
    allow_root: bool = False,
) -> Verdict:
    """The verdict on the CUDA program in `files`, as `regrapht check` gives it: several are built together, and lines are told by file.

    Raises:
        UserFixable: The task, a file, a name or the level is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    from regrapht.session.check import in_its_files, read_candidate

    if not files:
        raise ConfigError("name at least one file with the program; regrapht.examine(task) looks at the task itself")
    found = _task(task, entry)
    candidate, merged = read_candidate([Path(file) for file in files])
    verdict = _prepared(found, evaluator, allow_root).evaluate(found, candidate, level=_level(level))
    return in_its_files(verdict, merged)


def examine(path: PathLike, *, entry: str | None = None, allow_root: bool = False) -> "ExaminedTask":
    """Whether verdicts on the task at `path` would mean something: `admission.admitted`, and what speaks against it.

    Raises:
        UserFixable: The task is wrong, or its reference does not build or run.
        EvaluatorUnavailable: The sandbox does not start here.
    """
    from regrapht.session.check import examine_task

    return examine_task(Path(path), entry=entry, allow_root=allow_root)


def results(path: PathLike) -> "Results":
    """The results of an experiment, a folder of `regrapht bench run` or its file: `cells` and `tables` are pandas DataFrames.

    Raises:
        ConfigError: There is no such file.
        SchemaError: It is damaged; the message names the line.
        PrerequisiteMissing: pandas is not installed, once a DataFrame is asked for.
    """
    from regrapht.report.frames import Results

    return Results.read(Path(path))


def _chosen(options: RunOptions | None, named: dict[str, Any]) -> RunOptions:
    """The options with what was named over them; without options, what `regrapht.toml` says where nothing was named."""
    if options is None:
        from regrapht.llm.configuration import configuration

        known = configuration()
        if named.get("proposer") in (None, "hybrid", "language_model") and known.model is not None:
            named.setdefault("model", known.model)
        if known.evaluator is not None:
            named.setdefault("evaluator", known.evaluator)
        if known.budget is not None:
            named.setdefault("budget", _budget(known.budget))
        return RunOptions(**named)
    if "model" in named and options.model is None:
        named.setdefault("proposer", "hybrid")
    return replace(options, **named)


def _budget(said: int | str | Budget) -> Budget:
    if isinstance(said, Budget):
        return said
    try:
        return Budget.parse(str(said))
    except ValueError as error:
        raise ConfigError(f"budget {said!r}: {error}") from error


def _level(level: str | Level) -> Level:
    try:
        return Level(level)
    except ValueError as error:
        raise ConfigError(f"level {level!r}: choose {' or '.join(Level)}") from error


def _task(task: PathLike | Task | OpenedTask, entry: str | None) -> Task:
    if isinstance(task, Task):
        return task
    return task.task if isinstance(task, OpenedTask) else open_task(Path(task), entry=entry).task


def _prepared(task: Task, evaluator: str | Evaluator | None, allow_root: bool) -> Evaluator:
    if evaluator is None or isinstance(evaluator, str):
        evaluator = _kept_evaluator(evaluator, allow_root, settings.home(), settings.cache())
    evaluator.prepare(task, None)
    return evaluator


@functools.lru_cache(maxsize=4)
def _kept_evaluator(name: str | None, allow_root: bool, home: Path, cache: Path) -> Evaluator:
    """The judge that this process keeps; another store or cache is another one."""
    return open_evaluator(name, allow_root=allow_root)
