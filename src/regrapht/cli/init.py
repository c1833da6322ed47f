"""`regrapht init FILE`: write a task.toml from a function."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import Entry, Json
from regrapht.errors import ConfigError, TaskError


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
        raise refused_with_draft(error, drafted, target) from error
    _write(target, inferred.toml_text)
    if as_json:
        print(json.dumps({"file": str(target), "entry": inferred.task.entry, "guesses": list(inferred.guesses)}))
        return
    print(f"{target}: {inferred.task.signature}")
    for guess in inferred.guesses:
        print(f"  guessed: {guess}")
    print(f"Correct what is wrong, then: regrapht optimize {target.parent}")


def _write(target: Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}; --out writes elsewhere") from error
