"""Parts of one experiment, run on several machines or GPUs with some of the tasks each, put together into one set of results."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from regrapht.bench.experiment.results import RESULTS, CellResult, Experiment, ResultFile, TaskRef, read_results, told
from regrapht.errors import ConfigError

_Key = tuple[str, str, int]


def merge_results(parts: Sequence[Path], out: Path, *, command: str, seeds: int | None = None) -> Path:
    """Write the cells of `parts` (files of results, or their folders) into a new one in the folder `out`; returns the file.

    The parts are of one experiment: methods, proposer, seeds, budget, judge and its device, graph and version are the same. Only the tasks
    may be others. A cell that several parts have must be the same in all; its tasks' content too. The parts' environments are those of the
    first, whose clocks may have been others.

    Args:
        seeds: Take the cells of so many seeds alone, the first; parts may then have different numbers of more.

    Raises:
        ConfigError: They are not of one experiment or lack seeds, two parts say different things of one cell, or `out` has results already.
        SchemaError: A part is damaged.
    """
    if not parts:
        raise ConfigError("name at least one set of results")
    file = out / RESULTS
    if file.exists():
        raise ConfigError(f"{file} is there already: choose another --out")
    first: Experiment | None = None
    tasks: dict[str, tuple[TaskRef, Path]] = {}
    cells: dict[_Key, tuple[CellResult, Path]] = {}
    for part in parts:
        experiment, found = read_results(part)
        if seeds is not None:
            experiment, found = _first_seeds(experiment, found, seeds, part)
        first = first or experiment
        _require_same_experiment(first, parts[0], experiment, part)
        for task in experiment.tasks:
            known, where = tasks.setdefault(task.id, (task, part))
            if known != task:
                raise ConfigError(f"the task {task.id} of {part} is another one than that of {where}")
        for cell in found:
            kept, where = cells.setdefault(cell.key, (cell, part))
            if kept != cell:
                raise ConfigError(
                    f"{part} and {where} both have {cell.method} at {cell.task_id} with seed {cell.seed}, and differ in it: "
                    "a cell belongs to one part"
                )
    assert first is not None
    merged = replace(first, tasks=tuple(tasks[id][0] for id in sorted(tasks)), command=command)
    with closing(ResultFile(file, merged)) as written:
        if written.done:
            raise ConfigError(f"{file} is there already: choose another --out")
        for key in sorted(cells, key=lambda key: (key[2], key[1], first.methods.index(key[0]))):
            written.add(cells[key][0])
    return file


def _first_seeds(
    experiment: Experiment, cells: Sequence[CellResult], seeds: int, part: Path
) -> tuple[Experiment, tuple[CellResult, ...]]:
    if experiment.seeds < seeds:
        raise ConfigError(f"{part} has {experiment.seeds} seeds, not {seeds}")
    return replace(experiment, seeds=seeds), tuple(cell for cell in cells if cell.seed < seeds)


def _require_same_experiment(first: Experiment, where: Path, other: Experiment, part: Path) -> None:
    differences = {name: how for name, how in first.differences(other).items() if name != "tasks"}
    if differences:
        raise ConfigError(f"{part} is of another experiment than {where} ({told(differences)})")
