"""`regrapht emulate FILE.cu [-- ARGS]`: run CUDA on this machine's CPU, check it, and model what it does to memory."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from regrapht.cli.options import AllowRoot, Json

_BEHIND_DASHES = "arguments behind --"


class ArgumentsBehindDashes(TyperCommand):
    """A command that knows how many of its arguments stood behind `--`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As click's."""
        ctx.meta[_BEHIND_DASHES] = len(args) - args.index("--") - 1 if "--" in args else 0
        return super().parse_args(ctx, args)


class _Schedule(StrEnum):
    FORWARD = "forward"
    REVERSE = "reverse"
    RANDOM = "random"


def emulate_command(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A CUDA program with a main, or a candidate for --task.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="Further files of the program, sources or headers; after --: arguments of its main.",
            metavar="[FILE]... [-- ARGS]",
        ),
    ] = None,
    task: Annotated[Path | None, typer.Option("--task", help="A task folder: the file is a candidate for it.")] = None,
    include: Annotated[
        list[Path] | None,
        typer.Option(
            "--include", "-I", metavar="FOLDER", help="A folder with headers of the program; may be repeated."
        ),
    ] = None,
    schedule: Annotated[
        list[_Schedule] | None,
        typer.Option(
            "--schedule",
            metavar="ORDER",
            help="Order of threads: forward, reverse or random; may be repeated. Default: all three.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="How many random orders.")] = 3,
    first_seed: Annotated[int, typer.Option("--first-seed", min=0, help="The first random order's seed.")] = 0,
    plain: Annotated[
        bool, typer.Option("--plain", help="Only run it: no checks, no evidence, about ten times faster.")
    ] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="Wall time of one run.")] = 60.0,
    memory_gib: Annotated[float, typer.Option("--memory", min=0.1, max=64, help="Memory of one run, in GiB.")] = 4.0,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with the source beside its modelled evidence.")
    ] = None,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Run CUDA on a CPU: find memory faults and races, and model memory traffic. Nothing is measured.

    Exits with 0 when nothing was found, 1 with findings, 2 when the file or an option is to be mended, 3 when this machine or the emulator
    cannot run it.
    """
    from regrapht.emulate.emulator import Schedule
    from regrapht.records.encoding import to_json
    from regrapht.report.emulation import describe_emulation
    from regrapht.session.emulate import EmulateRequest, emulate_file, write_page
    from regrapht.source.merged import HEADERS, SOURCES

    given = arguments or []
    before = given[: len(given) - context.meta[_BEHIND_DASHES]]
    further = tuple(word for word in before if Path(word).suffix in (*SOURCES, *HEADERS))
    request = EmulateRequest(
        file=file,
        further=tuple(Path(word) for word in further),
        task=task,
        arguments=(*(word for word in before if word not in further), *given[len(before) :]),
        include=tuple(include or ()),
        schedules=tuple(Schedule(each.value) for each in schedule or ()),
        seeds=seeds,
        first_seed=first_seed,
        checked=not plain,
        seconds=seconds,
        memory_bytes=int(memory_gib * 2**30),
        allow_root=allow_root,
    )
    emulation = emulate_file(request)
    print(to_json(emulation) if as_json else describe_emulation(emulation))
    if html is not None:
        write_page(emulation, html)
        if not as_json:
            print(f"  {html}")
    status = emulation.status.value
    if status != "PASSED":
        raise typer.Exit({"UNSUPPORTED": 3, "BUILD_FAILED": 2}.get(status, 1))
