"""Parts of one comparison, run on several machines or GPUs, put together into one set of results.

Parts have some of the tasks each, or some of the methods: two models tried one after the other are two parts. What makes judgements
comparable must be the same in all: seeds, budget, judge and its device, graph, version.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.bench.experiment.method import Method
from regrapht.bench.experiment.results import (
    RESULTS,
    CellResult,
    Experiment,
    ResultFile,
    TaskRef,
    first_edited,
    read_results,
    told,
)
from regrapht.errors import ConfigError

_Key = tuple[str, str, int]
_OF_METHODS = ("tasks", "methods", "parts", "proposer", "model", "mend", "choice_weight")
"""What parts may differ in: tasks and methods are put together, and the rest belongs to methods."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Results to be joined."""

    path: Path
    name: str | None = None
    """What its methods are called in the joined results: the one method of a part by this name, several by NAME/METHOD."""

    @classmethod
    def read(cls, text: str) -> "Part":
        """`PATH`, or `NAME=PATH`."""
        name, equals, path = text.partition("=")
        if equals and name and "/" not in name and not Path(text).exists():
            return cls(path=Path(path), name=name)
        return cls(path=Path(text))


def merge_results(parts: Sequence[Part | Path], out: Path, *, command: str, seeds: int | None = None) -> Path:
    """Write the cells of `parts` into a new file of results in the folder `out`; returns the file.

    A cell that several parts have must be the same in all; its tasks' content and its methods too. The environment is that of the first,
    whose clocks may have been others.

    Args:
        seeds: Take the cells of so many seeds alone, the first; parts may then have different numbers of more.

    Raises:
        ConfigError: They cannot be compared or lack seeds, say different things of one cell or method, or `out` has results already.
        SchemaError: A part is damaged.
    """
    if not parts:
        raise ConfigError("name at least one set of results")
    file = out / RESULTS
    if file.exists():
        raise ConfigError(f"{file} is there already: choose another --out")
    joined = _Joined()
    for part in (one if isinstance(one, Part) else Part(path=one) for one in parts):
        experiment, found = read_results(part.path)
        if (edited := first_edited(part.path, found)) is not None:
            raise ConfigError(f"{part.path}: {edited.name} is not as it was written down: run it again")
        if seeds is not None:
            experiment, found = _first_seeds(experiment, found, seeds, part.path)
        joined.add(*_renamed(part, experiment, found), part.path)
    merged = joined.experiment(command)
    with closing(ResultFile(file, merged)) as written:
        if written.done:
            raise ConfigError(f"{file} is there already: choose another --out")
        for cell in joined.in_order(merged.methods):
            written.add(cell)
    return file


class _Joined:
    """What the parts come to, so far."""

    def __init__(self) -> None:
        self._experiments: list[tuple[Experiment, Path]] = []
        self._tasks: dict[str, tuple[TaskRef, Path]] = {}
        self._methods: dict[str, tuple[Method, Path]] = {}
        self._cells: dict[_Key, tuple[CellResult, Path]] = {}

    def add(self, experiment: Experiment, cells: Sequence[CellResult], part: Path) -> None:
        self._experiments.append((experiment, part))
        _require_comparable(*self._experiments[0], experiment, part)
        for method in experiment.made_of:
            made, where = self._methods.setdefault(method.name, (method, part))
            if made != method:
                raise ConfigError(
                    f"{method.name} of {part} is another method than that of {where} (another {', '.join(made.differs_in(method))}): "
                    f"name them apart, NAME={part}"
                )
        for task in experiment.tasks:
            known, where = self._tasks.setdefault(task.id, (task, part))
            if known != task:
                raise ConfigError(f"the task {task.id} of {part} is another one than that of {where}")
        for cell in cells:
            kept, where = self._cells.setdefault(cell.key, (cell, part))
            if kept != cell:
                raise ConfigError(
                    f"{part} and {where} both have {cell.name}, and differ in it: a cell belongs to one part"
                )

    def experiment(self, command: str) -> Experiment:
        first = self._experiments[0][0]
        others = [experiment for experiment, _ in self._experiments]
        tasks = tuple(self._tasks[id][0] for id in sorted(self._tasks))
        merged = replace(first, tasks=tasks, methods=tuple(self._methods), command=command)
        alike = all(
            (one.parts, one.proposer, one.model) == ((), first.proposer, first.model) and one.methods == first.methods
            for one in others
        )
        if alike:
            return merged
        proposers, models = {one.proposer for one in others}, {one.model for one in others}
        return replace(
            merged,
            parts=tuple(method for method, _ in self._methods.values()),
            proposer=first.proposer if len(proposers) == 1 else "several",
            model=first.model if len(models) == 1 else None,
            mend=next((one.mend for one in others if one.mend is not None), None),
            choice_weight=next((one.choice_weight for one in others if one.choice_weight is not None), None),
        )

    def in_order(self, methods: Sequence[str]) -> list[CellResult]:
        keys = sorted(self._cells, key=lambda key: (key[2], key[1], methods.index(key[0])))
        return [self._cells[key][0] for key in keys]


def _renamed(
    part: Part, experiment: Experiment, cells: Sequence[CellResult]
) -> tuple[Experiment, tuple[CellResult, ...]]:
    """A part with its methods as they are to be called."""
    if part.name is None:
        return experiment, tuple(cells)
    name = {
        method: part.name if len(experiment.methods) == 1 else f"{part.name}/{method}" for method in experiment.methods
    }
    made_of = tuple(replace(method, name=name[method.name]) for method in experiment.made_of)
    renamed = replace(experiment, methods=tuple(name.values()), parts=made_of)
    return renamed, tuple(replace(cell, method=name[cell.method]) for cell in cells)


def _first_seeds(
    experiment: Experiment, cells: Sequence[CellResult], seeds: int, part: Path
) -> tuple[Experiment, tuple[CellResult, ...]]:
    if experiment.seeds < seeds:
        raise ConfigError(f"{part} has {experiment.seeds} seeds, not {seeds}")
    return replace(experiment, seeds=seeds), tuple(cell for cell in cells if cell.seed < seeds)


def _require_comparable(first: Experiment, where: Path, other: Experiment, part: Path) -> None:
    """Refuse what was judged by another judge, budget, graph or version; a switch of models counts where both parts ask one."""
    differences = {name: how for name, how in first.differences(other).items() if name not in _OF_METHODS}
    for switch in ("mend", "choice_weight"):
        here, there = getattr(first, switch), getattr(other, switch)
        if here is not None and there is not None and here != there:
            differences[switch] = f"{here} and {there}"
    if differences:
        raise ConfigError(f"{part} is of another experiment than {where} ({told(differences)})")
