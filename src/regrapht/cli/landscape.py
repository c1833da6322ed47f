"""`regrapht landscape`: record the table of programs and verdicts that searches are studied on, and look into one."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, Entry, EvaluatorName, Json, TaskOrFile

if TYPE_CHECKING:
    from regrapht.bench.landscape.recording import Progress

app = typer.Typer(help="Recorded search landscapes: record, show.", no_args_is_help=True)


@app.command("record")
def record_command(
    path: TaskOrFile,
    out: Annotated[Path, typer.Option("--out", help="The file to write, .json or .json.gz; FILE.part until complete.")],
    depth: Annotated[int, typer.Option("--depth", min=1, help="Most techniques applied to the first program.")] = 4,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most programs to record.")] = 400,
    attempts: Annotated[
        int, typer.Option("--attempts", min=1, help="Settings of a technique to try at one program.")
    ] = 3,
    full: Annotated[int, typer.Option("--full", min=0, help="How many of the best are judged in full.")] = 3,
    stop_after: Annotated[
        float | None, typer.Option("--stop-after", help="Stop after so many seconds; the same command continues.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Programs judged side by side.")] = 2,
    evaluator: EvaluatorName = None,
    entry: Entry = None,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Record the programs that the transform engine reaches from a task, nearest first, and what the judge says of each.

    Exits with 0 when the file is complete, 1 when --stop-after came first.
    """
    from regrapht.bench.landscape.records import MAX_PROGRAMS, Extent
    from regrapht.errors import ConfigError
    from regrapht.session.landscape import RecordRequest, record, summary

    if limit > MAX_PROGRAMS:
        raise ConfigError(f"--limit {limit}: a landscape holds at most {MAX_PROGRAMS} programs")
    request = RecordRequest(
        path=path,
        out=out,
        extent=Extent(depth=depth, programs=limit, attempts=attempts, full=full),
        entry=entry,
        evaluator=evaluator,
        workers=workers,
        seconds=stop_after,
        allow_root=allow_root,
    )
    landscape = record(request, None if as_json else _Reporter(limit))
    if landscape is None:
        print(json.dumps({"file": str(out), "complete": False}) if as_json else f"{out}: not complete; run this again")
        raise typer.Exit(1)
    found = {"file": str(out), "complete": True, **summary(landscape)}
    print(json.dumps(found) if as_json else _lines(found))


@app.command("show")
def show_command(
    file: Annotated[Path, typer.Argument(help="A landscape.")],
    as_json: Json = False,
) -> None:
    """Say what a landscape holds: of which task, by which judge, measured or modelled, how many programs, the best one."""
    from regrapht.session.landscape import describe

    found = describe(file)
    print(json.dumps(found) if as_json else _lines(found))


class _Reporter:
    """A line now and then on how far the recording is."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._last_s = 0.0

    def __call__(self, progress: "Progress") -> None:
        import sys
        import time

        if time.monotonic() - self._last_s < 5:
            return
        self._last_s = time.monotonic()
        print(
            f"{progress.listed} of at most {self._limit} programs, {progress.judged} judged, {progress.passed} passed, "
            f"best {2**progress.best:.2f} x",
            file=sys.stderr,
            flush=True,
        )


def _lines(found: dict[str, object]) -> str:
    return "\n".join(f"{name:16} {_short(value)}" for name, value in found.items())


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return str(value)
