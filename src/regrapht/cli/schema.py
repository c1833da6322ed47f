"""`regrapht schema [NAME]`: what programs read, as JSON schemas."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import Json
from regrapht.errors import ConfigError


def schema_command(
    name: Annotated[str | None, typer.Argument(help="A schema; without it they are listed.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write all of them into this folder.")] = None,
    as_json: Json = False,
) -> None:
    """Print the JSON schema of what a command prints with --json, or of what a file holds."""
    from regrapht.session.schemas import SCHEMAS, schema_text

    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for known in SCHEMAS:
                (out / f"{known}.json").write_text(schema_text(known), encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"cannot write {out}: {error.strerror}") from error
    elif name is not None:
        print(schema_text(name), end="")
        return
    print(json.dumps(list(SCHEMAS)) if as_json else "\n".join(SCHEMAS))
