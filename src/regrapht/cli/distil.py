"""`regrapht distil`: pairs that the judge has accepted, a small model tuned on them, and the tuned model as files."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, Json, read_level
from regrapht.cli.overview import Overview

if TYPE_CHECKING:
    from collections.abc import Callable

    from regrapht.distil.gathering import Gathered

SAID_EVERY_S = 10.0

app = typer.Typer(help="Tune a small model on verified pairs: data, train, export.", no_args_is_help=True, cls=Overview)

Folder = Annotated[Path, typer.Argument(help="The folder to fill; unfinished work in it is continued.")]


@app.command("data")
def data_command(
    out: Folder,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="How many pairs.")] = 5000,
    seed: Annotated[int, typer.Option("--seed", help="Decides which functions are drawn.")] = 1,
    trajectories: Annotated[
        list[Path] | None,
        typer.Option("--trajectories", metavar="FOLDER", help="A corpus of written steps; may be repeated."),
    ] = None,
    keep_out: Annotated[
        list[Path] | None,
        typer.Option(
            "--keep-out",
            metavar="FOLDER",
            help="Functions to evaluate on: near copies of them are left out, as they always are for the shipped suites "
            "and for a folder `examples` here.",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes that judge; default: one per core.")
    ] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0, help="Stop after so long.")] = None,
    longest: Annotated[
        int, typer.Option("--longest", min=800, help="Most tokens of prompt and reply together, estimated from bytes.")
    ] = 3600,
    level: Annotated[str, typer.Option("--level", help="How programs are judged: screen or full.")] = "screen",
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Make pairs of a prompt and a reply that the judge has accepted; each line tells its sources, its verdict and its licence.

    Exits with 0 once the pairs are there, with 1 where the minutes were over before.
    """
    from regrapht.distil.pair import said
    from regrapht.llm.machine_room import usable_cores
    from regrapht.session.distil import data

    show = _progress(pairs, minutes, quiet=as_json)
    done = data(
        out,
        pairs=pairs,
        seed=seed,
        corpora=tuple(trajectories or ()),
        kept_out=tuple(keep_out or ()),
        jobs=jobs or usable_cores(),
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


def _progress(pairs: int, minutes: float | None, *, quiet: bool) -> "Callable[[Gathered], None]":
    """What tells how far the work is: one line that is written over on a terminal, a line every ten seconds elsewhere."""
    told = 0.0

    def show(total: "Gathered") -> None:
        nonlocal told
        live = sys.stderr.isatty()
        if quiet or (not live and total.seconds - told < SAID_EVERY_S):
            return
        told = total.seconds
        pace = total.new_pairs / max(total.seconds, 1e-9)
        left_s = max(pairs - total.pairs, 0) / pace if pace else float("inf")
        if minutes is not None:
            left_s = min(left_s, 60 * minutes - total.seconds)
        left = (
            "no pair yet in this call"
            if left_s > 1e6
            else f"some {left_s / 60:.0f} min left"
            if left_s >= 60
            else "under a minute left"
        )
        done = f"{min(total.pairs, pairs)} of {pairs} pairs from {total.items} functions"
        line = f"{done}, {pace:.1f} a second, after {total.seconds:.0f} s, {left}"
        print(f"\r{line}\x1b[K" if live else line, end="" if live else "\n", file=sys.stderr, flush=True)

    return show


Model = Annotated[Path, typer.Argument(help="The model: a folder in Hugging Face format, or a GGUF file.")]
Tokenizer = Annotated[
    Path | None,
    typer.Option(
        "--tokenizer",
        help="A folder with the model's tokenizer; without it, it is made from the GGUF file in half a minute.",
    ),
]
AcceptLicence = Annotated[
    bool,
    typer.Option(
        "--accept-licence", help="Confirm that the model's licence, which we do not know, allows a tuned copy."
    ),
]


@app.command("train")
def train_command(
    model: Model,
    pairs: Annotated[Path, typer.Argument(help="pairs.jsonl, or preferences.jsonl with --preferences.")],
    out: Annotated[Path, typer.Option("--out", help="Where the adapter is kept; an unfinished training is continued.")],
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Second stage: prefer the faster of two right programs (DPO).")
    ] = False,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Most steps.")] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0.01, help="Most minutes in all.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 2,
    rate: Annotated[float, typer.Option("--rate", help="The highest learning rate.")] = 2e-4,
    rank: Annotated[int, typer.Option("--rank", min=1, help="Rank of the adapters.")] = 32,
    batch_tokens: Annotated[int, typer.Option("--batch-tokens", min=64, help="Most tokens in one pass.")] = 8192,
    passes: Annotated[int, typer.Option("--passes", min=1, help="Passes per step (gradient accumulation).")] = 4,
    longest: Annotated[
        int, typer.Option("--longest", min=64, help="Most tokens of a pair; longer pairs are left out.")
    ] = 4096,
    measure_every: Annotated[
        int, typer.Option("--measure-every", min=1, help="Steps between two measurements of the loss.")
    ] = 40,
    seed: Annotated[int, typer.Option("--seed", help="Decides the order of pairs and the adapters' first values.")] = 1,
    gpu: Annotated[
        bool | None, typer.Option("--gpu/--cpu", help="Where to train; default: a GPU if there is one.")
    ] = None,
    tokenizer: Tokenizer = None,
    accept_licence: AcceptLicence = False,
    as_json: Json = False,
) -> None:
    """Tune adapters (LoRA) of a local model on verified pairs; loss is of replies alone. An interrupted training goes on where it was."""
    from regrapht.distil.training.fitting import Settings
    from regrapht.session.distil import train

    settings = Settings(
        epochs=epochs,
        steps=steps,
        minutes=minutes,
        rate=rate,
        rank=rank,
        batch_tokens=max(batch_tokens, longest),
        passes=passes,
        longest=longest,
        measure_every=measure_every,
        seed=seed,
        gpu=gpu,
    )

    def say(line: str) -> None:
        print(line, flush=True, file=sys.stderr if as_json else sys.stdout)

    record = train(
        model,
        pairs,
        out,
        preferences=preferences,
        settings=settings,
        tokenizer=tokenizer,
        accept_licence=accept_licence,
        say=say,
    )
    if as_json:
        print(json.dumps(record))
        return
    print(f"{record['step']} steps in {record['seconds']:.0f} s: {out / ('preferred' if preferences else 'adapter')}")


@app.command("export")
def export_command(
    model: Model,
    training: Annotated[Path, typer.Argument(help="The training's --out folder.")],
    to: Annotated[Path, typer.Argument(help="The folder or file to write.")],
    form: Annotated[
        str, typer.Option("--form", help="folder (for hf:), gguf (where the model came as GGUF), or adapter.")
    ] = "folder",
    preferred: Annotated[
        bool | None,
        typer.Option("--preferred/--first-stage", help="Which adapter; default: that of the latest stage."),
    ] = None,
    tokenizer: Tokenizer = None,
    accept_licence: AcceptLicence = False,
) -> None:
    """Write the tuned model: merged in a folder, merged as GGUF, or the adapter alone."""
    from regrapht.session.distil import export

    written = export(
        model, training, to, form=form, preferred=preferred, tokenizer=tokenizer, accept_licence=accept_licence
    )
    print(written)
