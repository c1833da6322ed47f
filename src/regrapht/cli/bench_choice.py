"""Which tasks of a suite a command is about: the options, and the suite with the tasks that they leave."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.errors import ConfigError

if TYPE_CHECKING:
    from regrapht.bench.suite import Suite

Tiers = Annotated[
    list[str] | None, typer.Option("--tier", metavar="TIER", help="Only tasks of this tier; may be repeated.")
]
Families = Annotated[
    list[str] | None, typer.Option("--family", metavar="NAME", help="Only tasks of this family; may be repeated.")
]
TaskFile = Annotated[
    Path | None,
    typer.Option("--tasks", help="A file with the ids of the tasks to take, one a line; # begins a comment."),
]
PerTier = Annotated[
    int | None,
    typer.Option("--per-tier", min=1, help="At most so many of each tier, families in turn, chosen by name."),
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="At most so many tasks.")]


def chosen_tasks(
    suite: str,
    tier: list[str] | None,
    family: list[str] | None,
    tasks: Path | None,
    per_tier: int | None,
    limit: int | None,
) -> "Suite":
    """The suite with the tasks that are left.

    Raises:
        UserFixable: There is no such suite, tier, family, task or file, or nothing is left.
    """
    from regrapht.bench.suite import open_suite

    ids = None
    if tasks is not None:
        if not tasks.is_file():
            raise ConfigError(f"--tasks {tasks}: there is no such file")
        try:
            lines = tasks.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise ConfigError(f"--tasks {tasks}: this is not a text file") from error
        ids = [name for line in lines if (name := line.partition("#")[0].strip())]
    return open_suite(suite).select(tiers=tier or (), families=family or (), ids=ids, per_tier=per_tier, limit=limit)
