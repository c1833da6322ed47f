"""`regrapht new KIND NAME`: first files for a search, a proposer, a judge or a task of one's own."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import Json

_NEXT = {
    "search": "regrapht optimize FILE.cpp --search {name}:{cls}",
    "proposer": "regrapht optimize FILE.cpp --proposer {name}:{cls}",
    "evaluator": "regrapht check TASK FILE.cu --evaluator {name}:{cls}",
    "task": "regrapht optimize {name}",
}


def new_command(
    kind: Annotated[str, typer.Argument(help="search, proposer, evaluator or task.")],
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and _; the module's name, or the task's.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path(),
    as_json: Json = False,
) -> None:
    """Create a working search, proposer, evaluator or task of your own to start from, with its tests."""
    from regrapht.session.scaffold import class_of, scaffold, write_scaffold

    files = scaffold(kind, name, out)
    write_scaffold(files)
    if as_json:
        print(json.dumps({"kind": kind, "files": [str(path) for path in files]}))
        return
    for path in files:
        print(path)
    print(f"Try it: {_NEXT[kind].format(name=name, cls=class_of(name))}")
