"""`regrapht init FILE`: write a task.toml from a function."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import Define, Entries, Every, Include, Json, Project, Standard, read_flags
from regrapht.errors import ConfigError, TaskError
from regrapht.records.user_code import BuildFlags

if TYPE_CHECKING:
    from regrapht.tasks.draft import OpenPlace


def init_command(
    file: Annotated[Path, typer.Argument(help="A .cpp, .cc, .c, .hpp or .cu file with the function.")],
    entry: Entries = None,
    every: Every = False,
    include: Include = None,
    define: Define = None,
    standard: Standard = None,
    project: Project = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Say of every function of the file what it can be, and write nothing.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Where to write it; default: task.toml beside the file, or a folder NAME for a function of a project.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing task.toml.")] = False,
    as_json: Json = False,
) -> None:
    """Write a task.toml from a function's signature and loops, and say what was guessed.

    Where something cannot be guessed the file is written all the same, with a `?` in each place to fill in, and the exit code is 2.
    """
    from regrapht.cli.several import each, entries, folder_for

    flags = read_flags(include, define, standard, project)
    if listed:
        _list(file, flags, as_json)
        return
    names = entries(file, entry, every, flags)
    several = len(names) > 1

    def one(name: str | None) -> None:
        folder = folder_for(out or (Path() if several else None), name, several)
        _init(file, name, flags, folder, force, as_json)

    each(names, one)


def _init(file: Path, entry: str | None, flags: BuildFlags, out: Path | None, force: bool, as_json: bool) -> None:
    """Write the task of one function."""
    from regrapht.tasks.draft import refused_with_draft
    from regrapht.tasks.infer import infer_task
    from regrapht.tasks.initial_files import drafted_files, target_of, task_files

    target = target_of(file, None, out)
    if out is not None and target.exists() and not force:
        raise ConfigError(f"{target} exists; --force replaces it, --out writes elsewhere")
    try:
        inferred = infer_task(file, entry=entry, flags=flags)
    except TaskError as error:
        drafted = drafted_files(file, entry=entry, flags=flags, refused=error)
        target = target_of(file, drafted.draft.entry if drafted.home is not None else None, out)
        _write_all(target, drafted.files | _beside(target, file, drafted.home is None), force)
        refused = refused_with_draft(error, drafted.draft, target)
        if not as_json:
            raise refused from error
        print(f"regrapht: {refused}", file=sys.stderr)
        print(json.dumps(_plain(target, drafted.draft.entry, left_open=drafted.draft.left_open)))
        raise typer.Exit(2) from error
    task = inferred.task
    target = target_of(file, task.id if task.home is not None else None, out)
    _write_all(target, task_files(inferred) | _beside(target, file, task.home is None), force)
    if as_json:
        print(json.dumps(_plain(target, task.entry, guesses=inferred.guesses)))
        return
    print(f"{target}: {task.signature}")
    if task.home is not None:
        for place in task.home.places:
            print(f"  {place.name}: {place.hidden or place.expression}")
    for guess in inferred.guesses:
        print(f"  guessed: {guess}")
    print(f"Correct what is wrong, then: regrapht optimize {target.parent}")


def _beside(target: Path, file: Path, is_bare: bool) -> dict[str, str]:
    """A bare file that a task names, where the task is written elsewhere."""
    away = target.parent.resolve() != file.parent.resolve()
    return {file.name: file.read_text(encoding="utf-8")} if is_bare and away else {}


def _list(file: Path, flags: BuildFlags, as_json: bool) -> None:
    from regrapht.records.encoding import to_plain
    from regrapht.tasks.listing import list_functions

    found = list_functions(file, flags)
    if as_json:
        print(json.dumps([to_plain(one) for one in found]))
        return
    for one in found:
        print(f"{one.name} (line {one.line}): {'yes' if one.signature else 'no'}")
        print(f"    {one.signature or one.why_not}")
    print(
        f"{sum(one.signature is not None for one in found)} of {len(found)} functions can be made a task as they stand"
    )


def _plain(
    target: Path, entry: str, *, guesses: tuple[str, ...] = (), left_open: "tuple[OpenPlace, ...]" = ()
) -> dict[str, object]:
    """For `--json`; docs/command-line.md says what the fields are."""
    from regrapht.records.encoding import to_plain

    return {"file": str(target), "entry": entry, "guesses": list(guesses), "left_open": to_plain(left_open)}


def _write_all(target: Path, files: dict[str, str], force: bool) -> None:
    """Write the task file to `target` and the others beside it."""
    if target.exists() and not force:
        raise ConfigError(f"{target} exists; --force replaces it, --out writes elsewhere")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (target if name == "task.toml" else target.parent / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}; --out writes elsewhere") from error
