"""`regrapht distil`: pairs that the judge has accepted, a small model tuned on them, and the tuned model as files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, Json, read_level
from regrapht.cli.overview import Overview

if TYPE_CHECKING:
    from regrapht.distil.gathering import Gathered

app = typer.Typer(help="Tune a small model on verified pairs.", no_args_is_help=True, cls=Overview)

Folder = Annotated[Path, typer.Argument(help="The folder to fill; what is there already is gone on with.")]


@app.command("data")
def data_command(
    out: Folder,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="How many pairs.")] = 5000,
    seed: Annotated[int, typer.Option("--seed", help="Of the functions that are drawn.")] = 1,
    trajectories: Annotated[
        list[Path] | None, typer.Option("--trajectories", help="A corpus of written steps; may be given several times.")
    ] = None,
    keep_out: Annotated[
        list[Path] | None,
        typer.Option(
            "--keep-out",
            help="A folder of functions to evaluate on: what is nearly one of them is left out, as it always is for the shipped suites "
            "and for a folder `examples` here.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes that judge.")] = 1,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0, help="Stop after so long.")] = None,
    longest: Annotated[
        int, typer.Option("--longest", min=800, help="Tokens of prompt and reply together, estimated by bytes.")
    ] = 3600,
    level: Annotated[
        str, typer.Option("--level", help="How thoroughly each program is judged: screen or full.")
    ] = "screen",
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Make pairs of a prompt and a reply that the judge has accepted; each line tells its sources, its verdict and its licence.

    Exits with 0 once the pairs are there, with 1 where the minutes were over before.
    """
    from regrapht.distil.pair import said
    from regrapht.session.distil import data

    def show(total: "Gathered") -> None:
        if as_json:
            return
        pace = total.pairs / max(total.seconds, 1e-9)
        line = f"{total.pairs} of {pairs} pairs from {total.items} functions, {pace:.1f} a second, after {total.seconds:.0f} s"
        if sys.stderr.isatty():
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        elif total.items % 20 == 0:
            print(line, file=sys.stderr, flush=True)

    done = data(
        out,
        pairs=pairs,
        seed=seed,
        corpora=tuple(trajectories or ()),
        kept_out=tuple(keep_out or ()),
        jobs=jobs,
        minutes=minutes,
        longest=longest,
        level=read_level(level),
        allow_root=allow_root,
        say=show,
    )
    if as_json:
        print((out / "data.json").read_text())
    else:
        if sys.stderr.isatty():
            print(file=sys.stderr)
        print(
            f"{min(done.pairs, pairs)} pairs and {done.preferences} preferences in {out}, from {done.items} functions"
        )
        print(f"kinds: {said(done.kinds)}")
        print(f"judged: {said(done.verdicts)}")
        print(f"left out: {said(done.left_out) or 'nothing'}")
    if done.pairs < pairs:
        raise typer.Exit(1)
