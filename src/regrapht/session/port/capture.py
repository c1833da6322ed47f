"""The two runs of an application that record arguments, and the tasks of its functions that come of them."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError, TaskError
from regrapht.records.task import Task
from regrapht.records.user_code import BuildFlags, Home
from regrapht.report.delivery.interface import LENGTH_FUNCTIONS
from regrapht.session.port.captured import (
    CapturedCall,
    equal_numbers,
    is_refuted,
    read_calls,
    recording,
    sharing,
    with_captured,
)
from regrapht.session.port.compile_log import QUIET, CompileLog
from regrapht.session.port.copies import build, copy_tree, run
from regrapht.session.port.functions_of import OwnFunction, put_into
from regrapht.session.port.watching import RECORD, RECORD_NAME
from regrapht.tasks.function_text import FunctionText, project_function
from regrapht.tasks.infer import infer_function


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """What is ported: the user's folder, never written to, and how it is built and run."""

    project: Path
    build: str
    run: str
    work: Path
    """Where copies of it go."""
    out: Path
    database: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedTask:
    """A function's task after a real run, and the calls that it was made of."""

    task: Task
    calls: tuple[CapturedCall, ...]
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Captures:
    """What became of each function, by `OwnFunction.usr`."""

    tasks: Mapping[str, CapturedTask]
    refused: Mapping[str, str]
    folder: Path


def slug_of(one: OwnFunction) -> str:
    """A name for files, no two alike."""
    mark = hashlib.sha256(one.usr.encode()).hexdigest()[:6]
    return re.sub(r"\W+", "_", one.name).strip("_") + "-" + mark


def capture(app: Application, wanted: Sequence[OwnFunction]) -> Captures:
    """Run the application twice: for the numbers that functions are called with, then for the arrays that they say the length of."""
    refused: dict[str, str] = {}
    texts: dict[OwnFunction, FunctionText] = {}
    for one in wanted:
        try:
            texts[one] = _text(app, one, sized=True)
        except TaskError as error:
            refused[one.usr] = _short(error)
    homes = {one: _home(text) for one, text in texts.items()}
    numbers = _recorded(app, "numbers", {one: recording(slug_of(one), home, None) for one, home in homes.items()})
    tasks: dict[OwnFunction, Task] = {}
    for one, home in homes.items():
        try:
            tasks[one] = task_of(app, one, home, numbers.get(one, ()))
        except TaskError as error:
            refused[one.usr] = _short(error)
    records = {one: recording(slug_of(one), _home_of(task), task) for one, task in tasks.items()}
    calls = _recorded(app, "arguments", records)
    found = {}
    for one, task in tasks.items():
        if not calls.get(one):
            refused[one.usr] = "it was not called in this run, or what it is called with cannot be named in its body"
            continue
        if (pair := sharing(calls[one])) is not None:
            refused[one.usr] = (
                f"it is called with '{pair[0]}' and '{pair[1]}' in the same memory; give it arrays of their own"
            )
            continue
        found[one.usr] = CapturedTask(task=with_captured(task, calls[one]), calls=calls[one], slug=slug_of(one))
    return Captures(tasks=found, refused=refused, folder=app.work / "arguments.d")


def task_of(app: Application, one: OwnFunction, home: Home, calls: Sequence[CapturedCall]) -> Task:
    """The task as the code shows it; where that does not show how long arrays are, or the run refutes it, as long as they were in the run.

    Args:
        home: Of its text with all lengths, which `calls` were recorded by.

    Raises:
        TaskError: Neither will do.
    """
    same = equal_numbers(home, calls)
    refused: TaskError | None = None
    try:
        task = infer_function(_text(app, one, same=same)).task
        if not is_refuted(task, calls):
            return task
    except TaskError as error:
        refused = error
    found = _text(app, one, same=same, sized=True)
    rows = sizes_seen(found, calls)
    if not rows:
        raise refused or TaskError("its arrays are not as long as the code shows", file=str(app.project / one.file))
    return infer_function(found, rows=rows).task


def sizes_seen(found: FunctionText, calls: Sequence[CapturedCall]) -> tuple[dict[str, int], ...]:
    """Whole numbers that calls had, the sums of them ascending; at most a few."""
    names = [place.name for place in _home(found).places if place.form == "value"]
    rows: list[dict[str, int]] = []
    for call in calls:
        row = {name: call.numbers[name] for name in names if isinstance(call.numbers.get(name), int)}
        if row not in rows:
            rows.append(row)  # type: ignore[arg-type]
    return tuple(sorted(rows, key=lambda row: sum(row.values())))[-_MOST_ROWS:]


def _short(error: TaskError) -> str:
    """What is wrong and where, without the advice for who writes tasks by hand."""
    text = str(error)
    return text.removesuffix(f" ({error.remedy})") if error.remedy and "regrapht init" in error.remedy else text


def _text(
    app: Application, one: OwnFunction, *, same: tuple[tuple[str, str], ...] = (), sized: bool = False
) -> FunctionText:
    flags = BuildFlags(project=app.database)
    return project_function(app.project / one.unit, entry=one.entry, flags=flags, same=same, sized=sized)


def _home(text: FunctionText) -> Home:
    assert text.home is not None, "functions of a project have one"
    return text.home


def _home_of(task: Task) -> Home:
    assert task.home is not None, "functions of a project have one"
    return task.home


def _recorded(
    app: Application, stage: str, texts: Mapping[OwnFunction, str]
) -> dict[OwnFunction, tuple[CapturedCall, ...]]:
    """Run a copy with records in it; where it does not build with all of them, those that it does not build with are left out."""
    left = dict(texts)
    while left:
        try:
            _run_recorded(app, stage, left)
            break
        except ConfigError:
            good = {one: text for one, text in left.items() if len(left) > 1 and _builds(app, stage, one, text)}
            if len(good) == len(left):
                raise
            left = good
    folder = app.work / f"{stage}.d"
    return {one: read_calls(folder / f"{slug_of(one)}.calls") for one in left}


def _builds(app: Application, stage: str, one: OwnFunction, text: str) -> bool:
    try:
        _prepared(app, stage, {one: text})
    except ConfigError:
        return False
    return True


def _prepared(app: Application, stage: str, texts: Mapping[OwnFunction, str]) -> Path:
    copy, folder = app.work / stage, app.work / f"{stage}.d"
    copy_tree(app.project, copy, leave_out=app.out)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    header = folder / RECORD_NAME
    header.write_text(LENGTH_FUNCTIONS + RECORD.replace("@FOLDER@", str(folder)), encoding="utf-8")
    put_into(copy, texts, str(header))
    quiet = CompileLog(app.work / f"{stage}-compiler").open() | QUIET
    build(app.build, copy, what="the copy that records arguments does not build", environment=quiet)
    return copy


def _run_recorded(app: Application, stage: str, texts: Mapping[OwnFunction, str]) -> None:
    run(app.run, _prepared(app, stage, texts))


_MOST_ROWS = 3
