"""Running a launched search to its end under the eyes of a person: progress, Ctrl-C, the result folder, the last line."""

import json
import sys
from pathlib import Path

import typer

from regrapht.cli.interrupt import go_on_with, stop_on_interrupt
from regrapht.cli.progress import progress_for
from regrapht.records.run import NOTHING_JUDGED
from regrapht.session.finish import finish
from regrapht.session.launch import Launched


def run_to_end(launched: Launched, *, out: Path | None = None, as_json: bool, allow_serial: bool = False) -> None:
    """Run, write the result folder, print what was gained.

    Exits with 1 when nothing passed in full, or only what runs in one thread (unless `allow_serial`), 2 when nothing was even judged, for a
    reason that the headline says, 3 when a model's provider declined, 130 when interrupted.

    `out` is as for `finish`: a folder that was just named is printed as it was named.
    The first Ctrl-C lets the step in hand end and leaves a run that can be resumed; a second one stops hard.
    """
    go_on_with(f"regrapht runs resume {launched.run.id}")
    with stop_on_interrupt("step") as stop:
        if not as_json:
            for line in launched.preamble:
                print(line, file=sys.stderr)
            print(
                f"run {launched.run.id}; `regrapht runs resume {launched.run.id}` goes on, should it end early",
                file=sys.stderr,
            )
        with progress_for(launched, quiet=as_json) as observer:
            result = finish(launched, out=out, observer=observer, stop=stop)
    if as_json:
        print(json.dumps(result.as_plain()))
    else:
        print(result.headline)
        if result.use.requests:
            print(f"  model: {result.use.words()}")
            if result.writers:
                print(f"  {result.writers}")
        if result.reason != "finished" and result.reason not in result.headline:
            print(f"  ended: {result.reason}")
        for path in result.files:
            print(f"  {path}")
        if result.reason.startswith("refused"):
            print(f"once that is mended, go on with: regrapht runs resume {launched.run.id}", file=sys.stderr)
    if result.interrupted:
        raise typer.Exit(130)
    if result.screened_only:
        check = f"regrapht check {launched.run.settings.path} {result.folder / 'best.cu'}"
        print(
            f"the time was up before a judgement in full: make it with {check}, or give more seconds", file=sys.stderr
        )
    if not result.passed:
        if result.reason.startswith(NOTHING_JUDGED):
            raise typer.Exit(2)
        raise typer.Exit(3 if result.reason.startswith("refused") else 1)
    if result.in_one_thread and not allow_serial:
        print("--allow-serial takes a program of one thread as a result", file=sys.stderr)
        raise typer.Exit(1)
