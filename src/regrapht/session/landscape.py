"""Recording and looking at landscapes for a person: names opened, the file written when the recording is complete."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import open_evaluator, open_task
from regrapht.bench.landscape.files import load_landscape, save_landscape
from regrapht.bench.landscape.recording import Progress, record_landscape
from regrapht.bench.landscape.records import Extent, Landscape
from regrapht.errors import ConfigError
from regrapht.records.verdict import Level
from regrapht.search.reward import doublings
from regrapht.session.refusal import naming_file
from regrapht.store.output_folder import check_writable


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRequest:
    """What a user asks to be recorded."""

    path: Path
    out: Path
    extent: Extent
    entry: str | None = None
    evaluator: str | None = None
    workers: int = 2
    seconds: float | None = None
    allow_root: bool = False


def journal_of(out: Path) -> Path:
    """Where the part that is done is kept until `out` is complete."""
    return out.with_name(out.name + ".part")


def record(request: RecordRequest, observer: Callable[[Progress], None] | None = None) -> Landscape | None:
    """Record a landscape and write it; None when the time was over first, and the same request goes on.

    Raises:
        UserFixable: The task or a name is wrong, the file exists, or the journal beside it is another recording's.
        Unavailable: The judge failed; the same request goes on.
    """
    if request.out.exists():
        raise ConfigError(f"{request.out} exists: name another file with --out, or delete it")
    check_writable(request.out.parent)
    task = open_task(request.path, entry=request.entry).task
    evaluator = open_evaluator(request.evaluator, allow_root=request.allow_root)
    journal = journal_of(request.out)
    with naming_file(request.path, task):
        landscape = record_landscape(
            task,
            evaluator=evaluator,
            extent=request.extent,
            journal=journal,
            workers=request.workers,
            seconds=request.seconds,
            observer=observer,
        )
    if landscape is not None:
        save_landscape(landscape, request.out)
        journal.unlink()
    return landscape


def describe(path: Path) -> dict[str, object]:
    """A landscape in figures, for `--json` and for reading.

    Raises:
        ConfigError, SchemaError: As `load_landscape`.
    """
    return summary(load_landscape(path))


def summary(landscape: Landscape) -> dict[str, object]:
    """What is in a landscape. `gain` is the yardstick's start over the program's figure: a speed-up only where times were measured."""
    programs = landscape.programs
    gains = {
        number: 2**gain
        for number, program in enumerate(programs)
        if (gain := doublings(program.screened, landscape.yardstick)) is not None
    }
    best = max(gains, key=gains.__getitem__, default=None)
    statuses: dict[str, int] = {}
    for program in programs:
        statuses[program.screened.status.value] = statuses.get(program.screened.status.value, 0) + 1
    full = [verdict for program in programs for verdict in program.verdicts if verdict.level is Level.FULL]
    return {
        "task": landscape.task.id,
        "family": landscape.task.family,
        "evaluator": landscape.evaluator,
        "device": landscape.environment.device,
        "values": "measured times" if landscape.is_measured else "modelled costs",
        "recorded": landscape.recorded,
        "depth": landscape.extent.depth,
        "attempts": landscape.extent.attempts,
        "programs": len(programs),
        "transitions": sum(len(program.transitions) for program in programs),
        "steps": sum(len(way.steps) for program in programs for way in program.transitions),
        "statuses": dict(sorted(statuses.items())),
        "judged_in_full": len(full),
        "passed_in_full": sum(verdict.passed for verdict in full),
        "best_gain": round(gains[best], 3) if best is not None else None,
        "best_decisions": programs[best].decisions if best is not None else None,
    }
