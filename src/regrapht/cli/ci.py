"""`regrapht ci`: the CUDA files of a change, each judged against its task; for continuous integration and before a commit."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.colour import coloured
from regrapht.cli.options import AllowRoot, EvaluatorName, Json, LevelName, Sarif, read_level
from regrapht.errors import ConfigError

if TYPE_CHECKING:
    from regrapht.session.ci import JudgedFile


def ci_command(
    files: Annotated[list[Path] | None, typer.Argument(help="CUDA files; default: those that --since finds.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Judge the .cu files that differ from this commit.")
    ] = None,
    level: LevelName = "full",
    sarif: Sarif = None,
    summary: Annotated[Path | None, typer.Option("--summary", help="Append a table in Markdown to this file.")] = None,
    evaluator: EvaluatorName = None,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Judge the CUDA files of a change, each against its task: the folder it lies in, or the sequential file of its name beside it.

    Exits with 0 when all that belong to a task passed, 1 when one was refused, 2 when a task is wrong, 3 when one cannot be judged here.
    """
    from regrapht.report.change import change_line, change_summary
    from regrapht.session.ci import changed_files, judge_change

    if (since is None) == (not files):
        raise ConfigError("name CUDA files, or --since a commit")
    chosen = changed_files(since) if since is not None else list(files or ())

    def say(judged: "JudgedFile") -> None:
        if not as_json:
            print(coloured(change_line(judged), judged.status), flush=True)

    found = judge_change(chosen, level=read_level(level), evaluator=evaluator, allow_root=allow_root, observer=say)
    if not found and not as_json:
        print("no CUDA file differs", file=sys.stderr)
    if sarif is not None:
        _write_sarif(sarif, found)
    if summary is not None:
        _append(summary, change_summary(found))
    if as_json:
        from regrapht.records.encoding import to_plain

        rows = [
            {
                "file": str(one.file),
                "task": str(one.task) if one.task is not None else None,
                "status": one.status,
                "why": one.why,
                "verdict": to_plain(one.checked.told) if one.checked is not None else None,
            }
            for one in found
        ]
        print(json.dumps(rows))
    codes = {one.exit_code for one in found} - {0}
    if codes:
        raise typer.Exit(min(codes))


def _write_sarif(path: Path, found: "list[JudgedFile]") -> None:
    from regrapht.report.sarif import sarif

    told = sarif([one.checked for one in found if one.checked is not None], base=Path())
    try:
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
