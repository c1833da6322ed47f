"""`regrapht check TASK [FILE.cu ...]`: judge one candidate, or examine the task itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.colour import coloured
from regrapht.cli.options import (
    AllowRoot,
    Define,
    Entry,
    EvaluatorName,
    Include,
    Json,
    Project,
    Sarif,
    Standard,
    TaskOrFile,
    read_flags,
    read_level,
)
from regrapht.errors import ConfigError
from regrapht.records.user_code import BuildFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regrapht.records.verdict import Level, Verdict
    from regrapht.session.check import CheckedFiles


def check_command(
    task: TaskOrFile,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="The .cu file that defines the task's entry, or all files of one program; without one the task is examined.",
        ),
    ] = None,
    entry: Entry = None,
    include: Include = None,
    define: Define = None,
    standard: Standard = None,
    project: Project = None,
    evaluator: EvaluatorName = None,
    level: Annotated[str | None, typer.Option("--level", help="screen or full; default: full.")] = None,
    server: Annotated[
        bool,
        typer.Option("--server/--no-server", help="Use a running `regrapht serve` of this user, if there is one."),
    ] = True,
    publish: Annotated[
        Path | None,
        typer.Option(
            "--verdict",
            help="Judge with fresh random inputs, and write a file from which anyone can repeat the judgement.",
        ),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Three lines at most; with --json an object of at most 2 KB, as agents get it."),
    ] = False,
    sarif: Sarif = None,
    redraw: Annotated[bool, typer.Option("--redraw", help="First draw the task's secret bench inputs again.")] = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Judge one CUDA program; without one, examine whether the task itself can be judged on.

    Several files are built together: sources follow each other, and headers among them are found by the includes that quote them.

    Exits with 0 only when the file passed or the task is admitted, 1 when it was refused, 3 when this machine cannot judge it.
    """
    flags = read_flags(include, define, standard, project)
    if redraw:
        from regrapht.session.check import redraw_pools

        redraw_pools(task, entry=entry, flags=flags)
    if not files:
        if publish is not None:
            raise ConfigError("--verdict is for judging a program: name its file")
        _examine(task, entry, flags, evaluator, level, allow_root, as_json)
        return
    from regrapht.llm.configuration import configuration
    from regrapht.session.check import check_files
    from regrapht.store.blobs import check_target

    chosen = read_level(level or "full")
    if sarif is not None:
        check_target(sarif, streams=True)
    if publish is not None:
        if flags.given:
            raise ConfigError(
                "--verdict hands a task folder on: write one with regrapht init, which takes -I, -D, -std and --project"
            )
        check_target(publish)
        _publish(publish, task, files, entry, evaluator, chosen, allow_root, as_json)
        return
    evaluator = evaluator or configuration().evaluator
    asks_server = server and evaluator is None and not redraw and not flags.given
    checked = _from_server(task, files, entry, chosen) if asks_server else None
    if checked is None:
        checked = check_files(
            task, files, entry=entry, evaluator=evaluator, level=chosen, allow_root=allow_root, flags=flags
        )
    if sarif is not None:
        _write_sarif(sarif, checked)
    verdict = checked.told
    _print(verdict, brief=brief, as_json=as_json)
    if not verdict.passed:
        raise typer.Exit(3 if verdict.status.value == "UNSUPPORTED" else 1)


def _print(verdict: "Verdict", *, brief: bool, as_json: bool) -> None:
    from regrapht.records.encoding import to_json
    from regrapht.report.text import describe_briefly, describe_verdict

    if brief and as_json:
        import json

        from regrapht.serve.answers import fitted, verdict_answer

        print(json.dumps(fitted(verdict_answer(verdict.candidate_id[:16], verdict, None, detail=False), detail=False)))
    elif as_json:
        print(to_json(verdict))
    else:
        told = describe_briefly(verdict) if brief else describe_verdict(verdict)
        print(coloured(told, verdict.status.value))


def _write_sarif(path: Path, checked: "CheckedFiles") -> None:
    import json

    from regrapht.report.sarif import sarif

    try:
        path.write_text(json.dumps(sarif([checked], base=Path()), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error


def _publish(
    target: Path,
    task: Path,
    files: "Sequence[Path]",
    entry: str | None,
    evaluator: str | None,
    level: "Level",
    allow_root: bool,
    as_json: bool,
) -> None:
    from regrapht.records.encoding import to_json
    from regrapht.report.text import describe_verdict
    from regrapht.session.verdicts import judge_and_publish, write_published

    made = judge_and_publish(task, files, entry=entry, evaluator=evaluator, level=level, allow_root=allow_root)
    write_published(made, target)
    print(to_json(made.verdict) if as_json else f"{describe_verdict(made.verdict)}\n  {target}")
    if not made.verdict.passed:
        raise typer.Exit(3 if made.verdict.status.value == "UNSUPPORTED" else 1)


def _from_server(task: Path, files: "Sequence[Path]", entry: str | None, level: "Level") -> "CheckedFiles | None":
    """The verdict of a running server of this user; None where there is none, or where it does not take this task, which is said."""
    import sys

    from regrapht.serve.address import find

    if (address := find()) is None:
        return None
    from regrapht.assemble import open_task
    from regrapht.errors import ConfigError
    from regrapht.serve.client import judge_at
    from regrapht.session.check import CheckedFiles, read_candidate

    candidate, merged = read_candidate(files)
    if candidate.source is None:
        return None
    try:
        verdict = judge_at(address, open_task(task, entry=entry).task, candidate.source, level)
        return CheckedFiles(verdict=verdict, files=tuple(files), merged=merged)
    except ConfigError as error:
        print(f"judged here: {error}", file=sys.stderr)
        return None


def _examine(
    task: Path,
    entry: str | None,
    flags: BuildFlags,
    evaluator: str | None,
    level: str | None,
    allow_root: bool,
    as_json: bool,
) -> None:
    import json
    import shutil
    import sys

    from regrapht.errors import ConfigError
    from regrapht.records.encoding import to_plain
    from regrapht.report.text import describe_admission
    from regrapht.session.check import examine_task

    for option, value in (("--evaluator", evaluator), ("--level", level)):
        if value is not None:
            raise ConfigError(f"{option} is for judging a file: name one, regrapht check {task} FILE.cu")
    examined = examine_task(task, entry=entry, allow_root=allow_root, flags=flags)
    if as_json:
        print(json.dumps({"admitted": examined.admission.admitted, **to_plain(examined.admission)}))
    else:
        for guess in examined.guesses:
            print(f"guessed: {guess}", file=sys.stderr)
        print(describe_admission(examined.admission, width=min(shutil.get_terminal_size((120, 24)).columns, 140)))
    if not examined.admission.admitted:
        raise typer.Exit(1)
