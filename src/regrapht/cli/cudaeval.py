"""`regrapht cudaeval`: a suite of tasks out of anyone's own CUDA files."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.interrupt import stop_on_interrupt
from regrapht.cli.options import AllowRemote, AllowRoot, Json, read_level

if TYPE_CHECKING:
    from regrapht.bench.harvest.build import BuildReport
    from regrapht.bench.harvest.outcomes import Outcome

app = typer.Typer(help="Make a suite of tasks out of your own CUDA files: build.", no_args_is_help=True)
_SHOWN_REASONS = 12


@app.callback()
def _group() -> None:
    """Make a suite of tasks out of your own CUDA files."""


@app.command("build")
def build_command(
    folder: Annotated[Path, typer.Argument(help="A folder with .cu and .cuh files; it is only read.")],
    out: Annotated[
        Path, typer.Option("--out", help="Gets tasks/, solutions/ and results.jsonl; a folder outside FOLDER.")
    ],
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="Asked for what no rule gives: openai:NAME@URL, scripted:FILE, recorded:FILE. Default: none.",
        ),
    ] = None,
    evaluator: Annotated[str, typer.Option("--evaluator", help="Who compares: emulated or local_gpu.")] = "emulated",
    level: Annotated[str, typer.Option("--level", help="How kernels are compared: screen or full.")] = "screen",
    workers: Annotated[int, typer.Option("--workers", min=1, help="Kernels worked on side by side.")] = 2,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many files.")] = None,
    allow_remote: AllowRemote = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Take kernels out of CUDA files, write their sequential versions, compare the two, and admit the tasks that hold.

    Ctrl-C or a kill loses nothing: give the same command again to go on. Exits with 0 at the end of all files, 130 when interrupted.
    """
    from regrapht.assemble import open_evaluator
    from regrapht.bench.harvest.build import SuiteBuild, check_folders
    from regrapht.llm.specs import model as open_model
    from regrapht.records.encoding import to_plain
    from regrapht.sandbox.choose import choose
    from regrapht.store.output_folder import check_writable

    check_folders(folder, out)
    judged = read_level(level)
    asked = open_model(model, allow_remote=allow_remote) if model is not None else None
    judge = open_evaluator(evaluator, allow_root=allow_root)
    check_writable(out)
    build = SuiteBuild(
        folder,
        out,
        evaluator=judge,
        sandbox=choose(allow_root=allow_root).sandbox,
        level=judged,
        model=asked,
        workers=workers,
        limit=limit,
    )
    with stop_on_interrupt("kernels") as stop:
        if not as_json:
            print(f"judge: {judge.name}; model: {model or 'none'}; reading files", file=sys.stderr, flush=True)
        report = build.run(observer=None if as_json else _show, stop=stop)
    if as_json:
        print(json.dumps({**to_plain(report), "results": str(build.results.path)}))
    else:
        print(_text(report))
        print(f"{out / 'tasks'}: {len(report.admitted)} tasks; all outcomes: {build.results.path}")
    if not report.complete:
        raise typer.Exit(130)


def _show(outcome: "Outcome", done: int, kernels: int) -> None:
    became = (
        "admitted" if outcome.kept else f"dropped at {outcome.stage.value}: {outcome.reason} ({outcome.detail[:100]})"
    )
    print(f"[{done}/{kernels}] {outcome.unit}: {became}", file=sys.stderr, flush=True)


def _text(report: "BuildReport") -> str:
    """The account: a row for each stage with what it dropped and why."""
    lines = [f"{'stage':12}{'in':>7}{'kept':>7}{'by model':>10}  dropped"]
    for stage in report.stages:
        reasons = [f"{reason} {count}" for reason, count in stage.dropped.items()]
        more = len(reasons) - _SHOWN_REASONS
        shown = ", ".join(reasons[:_SHOWN_REASONS]) + (f", {more} more reasons" if more > 0 else "")
        lines.append(
            f"{stage.stage.value:12}{stage.entered:>7}{stage.kept:>7}{stage.by_model or '':>10}  {shown}".rstrip()
        )
    return "\n".join(lines)
