"""`regrapht init FILE`: write a task.toml from a function."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import Entry, Json
from regrapht.errors import ConfigError, TaskError

if TYPE_CHECKING:
    from regrapht.tasks.draft import OpenPlace


def init_command(
    file: Annotated[Path, typer.Argument(help="A .cpp, .cc, .c or .cu file with the function.")],
    entry: Entry = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to write it; default: task.toml beside the file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing task.toml.")] = False,
    as_json: Json = False,
) -> None:
    """Write a task.toml from a function's signature and loops, and say what was guessed.

    Where something cannot be guessed the file is written all the same, with a `?` in each place to fill in, and the exit code is 2.
    """
    from regrapht.tasks.draft import draft_task, refused_with_draft
    from regrapht.tasks.infer import infer_task

    target = out or file.parent / "task.toml"
    if target.exists() and not force:
        raise ConfigError(f"{target} exists; --force replaces it, --out writes elsewhere")
    try:
        inferred = infer_task(file, entry=entry)
    except TaskError as error:
        drafted = draft_task(file, entry=entry)
        if drafted is None:
            raise
        _write(target, drafted.toml_text)
        if as_json:
            print(json.dumps(_plain(target, drafted.entry, left_open=drafted.left_open)))
        raise refused_with_draft(error, drafted, target) from error
    _write(target, inferred.toml_text)
    if as_json:
        print(json.dumps(_plain(target, inferred.task.entry, guesses=inferred.guesses)))
        return
    print(f"{target}: {inferred.task.signature}")
    for guess in inferred.guesses:
        print(f"  guessed: {guess}")
    print(f"Correct what is wrong, then: regrapht optimize {target.parent}")


def _plain(
    target: Path, entry: str, *, guesses: tuple[str, ...] = (), left_open: "tuple[OpenPlace, ...]" = ()
) -> dict[str, object]:
    """For `--json`; docs/command-line.md says what the fields are."""
    from regrapht.records.encoding import to_plain

    return {"file": str(target), "entry": entry, "guesses": list(guesses), "left_open": to_plain(left_open)}


def _write(target: Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}; --out writes elsewhere") from error
