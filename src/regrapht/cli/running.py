"""Running a launched search to its end under the eyes of a person: progress, Ctrl-C, the result folder, the last line."""

import json
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import typer

from regrapht.cli.progress import progress_for
from regrapht.session.finish import finish
from regrapht.session.launch import Launched


def run_to_end(launched: Launched, *, out: Path | None = None, as_json: bool) -> None:
    """Run, write the result folder, print what was gained; exit with 1 when nothing passed, 130 when interrupted.

    `out` is as for `finish`: a folder that was just named is printed as it was named.
    The first Ctrl-C lets the step in hand end and leaves a run that can be resumed; a second one stops hard.
    """
    stop = threading.Event()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        print("\nfinishing the step in hand; Ctrl-C again stops at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        if not as_json:
            for line in launched.preamble:
                print(line, file=sys.stderr)
            print(
                f"run {launched.run.id}; `regrapht runs resume {launched.run.id}` goes on, should it end early",
                file=sys.stderr,
            )
        with progress_for(launched, quiet=as_json) as observer:
            result = finish(launched, out=out, observer=observer, stop=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    if as_json:
        print(json.dumps(result.as_plain()))
    else:
        print(result.headline)
        for path in result.files:
            print(f"  {path}")
        if result.interrupted:
            print(f"interrupted; go on with: regrapht runs resume {launched.run.id}", file=sys.stderr)
    if result.interrupted:
        raise typer.Exit(130)
    if not result.passed:
        raise typer.Exit(1)
