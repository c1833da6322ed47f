"""`regrapht port DIR`: a whole application, from its profile to a patch."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.interrupt import stop_on_interrupt
from regrapht.cli.options import AllowRoot, EvaluatorName, Json, read_budget
from regrapht.errors import ConfigError
from regrapht.records.run import RunOptions


def port_command(
    project: Annotated[Path, typer.Argument(metavar="DIR", help="The application's folder; it is only read.")],
    build: Annotated[
        str, typer.Option("--build", help='The command that builds it: "cmake -S . -B build && cmake --build build".')
    ],
    run: Annotated[
        str, typer.Option("--run", help='The command that runs it, on a small input: "./build/app small.in".')
    ],
    out: Annotated[
        Path, typer.Option("--out", help="Folder for everything that is made; an unfinished port is continued.")
    ] = Path("regrapht-port"),
    budget: Annotated[
        str, typer.Option("--budget", help="For each function: judged candidates, or limits as for optimize.")
    ] = "8",
    hot: Annotated[int, typer.Option("--hot", min=1, help="At most so many functions are optimised.")] = 12,
    least: Annotated[
        float,
        typer.Option(
            "--least", min=0, max=1, help="The smallest share of the time that makes a function worth a look."
        ),
    ] = 0.002,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            min=1,
            help="Time for all functions: divided among them by their share of the program's time, the hottest first.",
        ),
    ] = None,
    profile: Annotated[
        Path | None,
        typer.Option(
            "--profile", help="Output of perf report --stdio or gprof, to use instead of an instrumented copy."
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", min=0, help="Largest relative difference between numbers of the output; default: none."
        ),
    ] = None,
    search: Annotated[str, typer.Option("--search", help="As for optimize.")] = RunOptions().search,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same searches.")] = 0,
    evaluator: EvaluatorName = None,
    apply: Annotated[bool, typer.Option("--apply", help="Apply the patch to DIR if the output is equal.")] = False,
    copies: Annotated[
        bool,
        typer.Option("--copies", help="Do not share the application's memory with the GPU: copy arrays at each call."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace another port in --out.")] = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Port an application: profile it, optimise its hot functions on what they are called with, put them back, compare the output.

    DIR is copied, and the copy is built and run by your own commands, outside the sandbox.
    Exits with 0 when a function was replaced and the output is equal, else 1.
    """
    from regrapht.session.port.porting import PortOptions, port
    from regrapht.session.port.summary import as_plain, table

    options = PortOptions(
        project=project, build=build, run=run, out=out, hot=hot, least=least, seconds=seconds, profile=profile, tolerance=tolerance,
        apply=apply, shares=not copies, force=force, allow_root=allow_root,
        run_options=RunOptions(budget=read_budget(budget), search=search, seed=seed, evaluator=evaluator),
    )  # fmt: skip
    if str(project.resolve()) in f"{build} {run}":
        raise ConfigError(
            f"--build and --run are given in a copy of {project}: write paths below it, not {project.resolve()}"
        )

    def say(line: str) -> None:
        print(line, file=sys.stderr)

    with stop_on_interrupt("step") as stop:
        ported = port(options, say=say, stop=stop)
    print(json.dumps(as_plain(ported)) if as_json else table(ported))
    if stop.is_set():
        print("interrupted; the same command goes on", file=sys.stderr)
        raise typer.Exit(130)
    if not ported.good:
        raise typer.Exit(1)
