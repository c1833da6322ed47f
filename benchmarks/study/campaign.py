"""Many cells in several processes, each kept as a JSON line when it is done, so that a study goes on where it stopped."""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from regrapht.bench.landscape.files import load_landscape
from regrapht.errors import SchemaError
from regrapht.graph.shipped import shipped_graph
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.encoding import from_plain, parse_strict
from study.landscape.spoil import Spoil
from study.landscape.table import RecordedTable, Table
from study.landscape.world_table import WorldTable, world_families
from study.landscape.worlds import World
from study.methods import Method
from study.run import Cell, run_cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a table comes from: a landscape's file, or a made-up world's task."""

    file: str | None = None
    world: tuple[int, int, int] | None = None
    """Seed, family, number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One cell to run."""

    place: Place
    method: Method
    seed: int
    spoil: float
    merge: bool = True
    """Whether ways to one program lead to one node; otherwise every way is a program of its own, and judged."""


def recorded_places(folder: Path) -> list[Place]:
    """The landscapes of a folder, by name."""
    return [Place(file=str(path)) for path in sorted(folder.glob("*.json.gz"))]


def world_places(seeds: Iterable[int], *, tasks: int = 2) -> list[Place]:
    """So many tasks of each world, each of another family."""
    return [Place(world=(seed, (seed + 3 * number) % 6, number)) for seed in seeds for number in range(tasks)]


@cache
def open_table(place: Place) -> Table:
    """The table behind a place; kept by the process.

    Raises:
        ConfigError, SchemaError: As `load_landscape`.
    """
    if place.world is not None:
        seed, family, number = place.world
        return WorldTable(World.draw(seed).task(family, number))
    return RecordedTable(load_landscape(Path(place.file or "")), _graph())


@cache
def _graph() -> TechniqueGraph:
    """The shipped graph without its exemplars: replay shows them to nobody, and looking for them would take most of the time."""
    graph = shipped_graph()
    return replace(graph, edges=dict.fromkeys(graph.edges, ()), programs={})


@cache
def _families(place: Place) -> dict[str, str]:
    """Technique to technique family; of recorded ones the vocabulary's areas."""
    if place.world is not None:
        return world_families()
    return {slug: technique.area.value for slug, technique in open_table(place).graph.techniques.items()}


def run_job(job: Job) -> Cell:
    """The cell of one job."""
    table = open_table(job.place)
    spoil = Spoil(share=job.spoil, seed=job.seed, task=table.name, families=_families(job.place))
    return run_cell(table, job.method, seed=job.seed, spoil=spoil, merge=job.merge)


def carry_out(
    jobs: Sequence[Job],
    file: Path,
    *,
    workers: int,
    seconds: float | None = None,
    observer: Callable[[int, int], None] | None = None,
) -> bool:
    """Run what `file` does not have yet; whether all of it is there now. `observer` is told how many are done, of how many.

    Raises:
        SchemaError: The file holds something else than cells.
        ConfigError: A search asked for what a table does not offer.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    _drop_torn_line(file)
    done = {cell.key for cell in read_cells(file)}
    waiting = [job for job in jobs if _key(job) not in done]
    deadline = time.monotonic() + (float("inf") if seconds is None else seconds)
    finished = len(jobs) - len(waiting)
    with open(file, "a", encoding="utf-8") as lines:
        for cell in _cells(waiting, workers, deadline):
            lines.write(json.dumps(asdict(cell), separators=(",", ":")) + "\n")
            lines.flush()
            finished += 1
            if observer is not None:
                observer(finished, len(jobs))
    return finished == len(jobs)


def read_cells(file: Path) -> list[Cell]:
    """The cells in a file; none where there is no file.

    Raises:
        SchemaError: A line is no cell.
    """
    if not file.exists():
        return []
    cells = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            cells.append(from_plain(Cell, parse_strict(line)))
        except SchemaError as error:
            raise SchemaError(f"{file}, line {number}: {error}") from error
    return cells


def _cells(jobs: Sequence[Job], workers: int, deadline: float) -> Iterator[Cell]:
    if workers == 1:
        for job in jobs:
            if time.monotonic() >= deadline:
                return
            yield run_job(job)
        return
    with ProcessPoolExecutor(workers) as pool:  # small chunks of neighbours: they share a table
        size = 4
        for start in range(0, len(jobs), size * workers):
            if time.monotonic() >= deadline:
                return
            yield from pool.map(run_job, jobs[start : start + size * workers], chunksize=size)


def _key(job: Job) -> tuple[str, str, int, float]:
    return open_name(job.place), job.method.name, job.seed, job.spoil


@cache
def open_name(place: Place) -> str:
    """The name of the table behind a place."""
    if place.world is not None:
        seed, family, number = place.world
        return World.draw(seed).task(family, number).name
    return open_table(place).name


def _drop_torn_line(file: Path) -> None:
    """A process that was killed may have left half a line."""
    if file.exists():
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            os.truncate(file, whole)
