"""Several functions of one file: `--entry a,b` and `--all`."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from regrapht.errors import ConfigError, UserFixable
from regrapht.records.user_code import BuildFlags
from regrapht.source.listed import parts_of


def entries(path: Path, entry: str | None, every: bool, flags: BuildFlags) -> tuple[str | None, ...]:
    """The functions that were asked for; one None where none was named.

    Raises:
        ConfigError: `--all` with `--entry`, of something that is no file, or of a file of which no task can be made.
    """
    if not every:
        return tuple(split(entry)) if entry is not None else (None,)
    if entry is not None:
        raise ConfigError("--all takes every function; leave out --entry, or name some with --entry a,b")
    if not path.is_file() or path.name == "task.toml":
        raise ConfigError("--all is for source files with several functions; a task folder has one")
    from regrapht.tasks.listing import list_functions

    found = tuple(one.name for one in list_functions(path, flags) if one.signature is not None)
    if not found:
        raise ConfigError(f"{path}: of none of its functions a task can be made; regrapht init {path} --list says why")
    return found


def split(entry: str) -> list[str]:
    """`a,b<int, 3>,c(int, int)` at the commas outside of brackets."""
    return [one for one in parts_of(entry, brackets="(<[") if one]


def folder_for(out: Path | None, entry: str | None, several: bool) -> Path | None:
    """The folder of one function's result: a folder of its own in `out`, where there are several."""
    if out is None or not several:
        return out
    return out / re.sub(r"\W+", "_", entry or "").strip("_")


def each(names: Sequence[str | None], work: Callable[[str | None], None]) -> None:
    """Do something for each function; what one of several cannot be is said, and the others are done all the same.

    Exits with the largest code that one ended with.
    """
    if len(names) == 1:
        work(names[0])
        return
    worst = 0
    for name in names:
        try:
            work(name)
        except UserFixable as error:
            typer.echo(f"{name}: {error}", err=True)
            worst = max(worst, 2)
        except typer.Exit as ended:
            if ended.exit_code == 130:
                raise
            worst = max(worst, ended.exit_code)
    if worst:
        raise typer.Exit(worst)
