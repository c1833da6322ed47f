"""`regrapht check TASK FILE.cu`: judge one candidate."""

from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, Entry, EvaluatorName, Json


def check_command(
    task: Annotated[Path, typer.Argument(help="A task folder, or a bare file with the sequential function.")],
    file: Annotated[Path, typer.Argument(help="The .cu file that defines the task's entry.")],
    entry: Entry = None,
    evaluator: EvaluatorName = None,
    level: Annotated[str, typer.Option("--level", help="screen or full.")] = "full",
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Judge one CUDA file. Exits with 0 only when it passed, 1 when it was refused, 3 when this machine cannot judge it."""
    from regrapht.records.encoding import to_json
    from regrapht.report.text import describe_verdict
    from regrapht.session.check import check_file

    verdict = check_file(task, file, entry=entry, evaluator=evaluator, level=level, allow_root=allow_root)
    print(to_json(verdict) if as_json else describe_verdict(verdict))
    if not verdict.passed:
        raise typer.Exit(3 if verdict.status.value == "UNSUPPORTED" else 1)
