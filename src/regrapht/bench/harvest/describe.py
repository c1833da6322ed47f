"""From a sequential version to a task: sizes, element types, roles and lengths, read from its loops and subscripts.

Where the code does not show how far an array goes, because another array's contents decide, lengths are tried under the emulator.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.pointer_roles import array_uses
from regrapht.errors import TaskError
from regrapht.records.task import ArgKind, Baseline, Init, Role, SourceFile, Task
from regrapht.source.functions import read_unit
from regrapht.store.database import make_folder
from regrapht.tasks.defaults import default_bytes
from regrapht.tasks.infer import infer_task
from regrapht.tasks.write import task_toml

REFERENCE, PROGRAM = "reference.cpp", "baseline.cu"
TOMLS = ("toml", "toml_inout")
"""Names of the descriptions that are made: arrays that are only written as `out`, and, where that differs, as `inout`."""
_REASONS = (
    ("no sizes suit", "no_sizes"),
    ("returns nothing and writes to no array", "no_output"),
    ("never uses", "unused_parameter"),
    ("the range of", "range_unknown"),
    ("does not parse", "does_not_parse"),
)
_TRIED = ("range_unknown", "no_sizes")
"""What trying lengths may mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a task says of itself besides its code."""

    id: str
    title: str
    origin: str
    licence: str | None


def describe(
    reference: str,
    entry: str,
    identity: Identity,
    *,
    folder: Path,
    program_of: Callable[[Task], str],
    try_lengths: Callable[[Task], Task] | None,
    guess: Callable[[Path], Task],
) -> tuple[Mapping[str, str], str]:
    """The texts of the task's `task.toml`, by the names in `TOMLS`, and of the kernel's own program.

    Args:
        folder: Where the reference is written to be read; the task's folder.
        program_of: The program that launches the kernel, for a task's signature.
        try_lengths: Finds lengths that hold under the emulator, for a task whose lengths are guesses; None to try none.
        guess: The task with sizes and roles, but lengths to be tried.

    Raises:
        Dropped: `range_unknown`, `no_sizes`, `no_output` and the like.
    """
    make_folder(folder)
    file = folder / REFERENCE
    file.write_text(reference, encoding="utf-8")
    try:
        task = infer_task(file, entry=entry).task
    except TaskError as error:
        reason, detail = _reason(error), str(error).rpartition(REFERENCE + ": ")[2].partition(" (put it")[0]
        if try_lengths is None or reason not in _TRIED:
            raise Dropped(reason, detail) from error
        task = try_lengths(guess(file))
    except ValueError as error:
        raise Dropped("range_unknown", str(error)) from error
    task = replace(
        task,
        id=identity.id,
        title=identity.title,
        description="",
        origin=identity.origin,
        licence=identity.licence,
    )
    program = program_of(task)
    task = replace(task, baselines=(Baseline(name="naive", source=SourceFile(name=PROGRAM, text=program)),))
    likely, other = (task_toml(_with_drawn_scalars(one)) for one in (_with_outs(task, entry), task))
    tomls = [likely] if likely == other else [likely, other]
    return dict(zip(TOMLS, tomls, strict=False)), program


def _with_drawn_scalars(task: Task) -> Task:
    """The task with its float scalars drawn where nothing else is: the same answer every time could be learnt by heart."""
    if any(arg.is_input for arg in task.args):
        return task
    drawn = Init(kind="uniform", parameters={"low": 0.5, "high": 1.5})
    args = tuple(
        replace(arg, value=None, init=drawn) if arg.kind is ArgKind.SCALAR and arg.dtype.is_float else arg
        for arg in task.args
    )
    return replace(task, args=args)


def _with_outs(task: Task, entry: str) -> Task:
    """The task with arrays that are never read as `out`: whether all of their elements are written, running it tells."""
    unit = read_unit(task.reference.source.text)
    uses = array_uses(unit.named(entry)[0], unit)
    args = tuple(
        replace(arg, role=Role.OUT, init=None) if arg.role is Role.INOUT and not uses[arg.name].read else arg
        for arg in task.args
    )
    return replace(task, args=args, work=replace(task.work, bytes=default_bytes(args)))


def _reason(error: TaskError) -> str:
    text = str(error)
    return next((reason for words, reason in _REASONS if words in text), "not_inferred")
