"""`regrapht transform PATH`: a function as CUDA, by rules that a person names, without a search and without a judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import (
    AllowSerial,
    Define,
    Entry,
    Include,
    Json,
    Project,
    Proved,
    Standard,
    TaskOrFile,
    read_flags,
)

if TYPE_CHECKING:
    from regrapht.session.transform import Transformed


def transform_command(
    path: TaskOrFile,
    entry: Entry = None,
    include: Include = None,
    define: Define = None,
    standard: Standard = None,
    project: Project = None,
    rules: Annotated[
        str | None,
        typer.Option("--apply", help="Rules in order, such as map2d,tile:32,unroll:4; without it the plain mapping."),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option("--from", help="Decisions that --json printed; --apply goes on from there. - is stdin."),
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Where to write the CUDA; default: stdout.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of every rule whether it applies, and why not; write no CUDA.")
    ] = False,
    proved: Proved = False,
    allow_serial: AllowSerial = False,
    as_json: Json = False,
) -> None:
    """Write a function as CUDA by the transform engine's rules. Nothing is judged: the last line says how.

    Exits with 0 when the program was written, 1 when its main work runs in one thread (unless --allow-serial), 2 when the function, a rule
    or a value cannot be taken, with the reason.
    """
    import json
    import sys

    from regrapht.errors import ConfigError
    from regrapht.session.transform import TransformRequest, transform_file, write_program

    if explain and out is not None:
        raise ConfigError("--explain writes no CUDA; leave out -o, or --explain")
    flags = read_flags(include, define, standard, project)
    request = TransformRequest(path=path, entry=entry, flags=flags, rules=rules, decisions=decisions, proved=proved)
    transformed = transform_file(request)
    if explain:
        _explain(transformed, as_json)
        return
    if out is not None:
        write_program(transformed, request, out)
    if as_json:
        print(json.dumps({**transformed.as_plain(), "file": str(out) if out else None}))
    else:
        _say(transformed, out, path, entry)
    if transformed.candidate.one_thread and not allow_serial:
        print(
            f"{transformed.task.entry}: the main work of this program runs in one thread, slower than one CPU core (not measured); "
            "--allow-serial takes it as it is",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def _say(transformed: "Transformed", out: Path | None, path: Path, entry: str | None) -> None:
    """The program or where it was written, and how it is judged."""
    import shlex
    import sys

    for guess in transformed.guesses:
        print(f"guessed: {guess}", file=sys.stderr)
    steps = " -> ".join(map(str, transformed.decisions))
    if transformed.candidate.independence is not None:
        print(f"independence: {transformed.candidate.independence}", file=sys.stderr)
    if out is None:
        print(transformed.source)
        print(f"{transformed.task.entry}: {steps}", file=sys.stderr)
        return
    chosen = ["--entry", entry] if entry else []
    print(f"{out}: {steps}")
    print(f"Not judged yet: {shlex.join(['regrapht', 'check', str(path), str(out), *chosen])}")


def _explain(transformed: "Transformed", as_json: bool) -> None:
    import json
    import shutil

    from regrapht.records.encoding import to_plain
    from regrapht.report.transform import describe_rules
    from regrapht.session.transform import explain_loops, explain_rules, explain_test

    answers, test, loops = explain_rules(transformed), explain_test(transformed), explain_loops(transformed)
    if as_json:
        rules = [to_plain(answer) for answer in answers]
        tested = to_plain(test) if test is not None else None
        print(json.dumps({**transformed.as_plain(), "run_time_test": tested, "rules": rules, "loops": to_plain(loops)}))
        return
    after = " -> ".join(map(str, transformed.decisions))
    width = min(shutil.get_terminal_size((120, 24)).columns, 140)
    print(describe_rules(answers, after=after, width=width, test=test, loops=loops))
