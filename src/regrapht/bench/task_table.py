"""The table of tasks: a row a task and method, with what it solved, how well, for how much, and what stood in the way."""

from collections.abc import Sequence

from regrapht.bench.comparable import Comparable, why_not_solved
from regrapht.bench.metrics import best_of_solved
from regrapht.bench.results import CellResult, TaskRef
from regrapht.bench.table import Cell, Table

NOTE = "Judged counts all seeds of the row."


def task_table(view: Comparable) -> Table:
    """One row a task and method, tasks in the order of their ids, methods as they were named."""
    best = (
        [f"best x {name}" for name in view.baselines] + ["of speed of light"]
        if view.is_measured
        else ["best modelled gain"]
    )
    columns = (
        "task",
        "tier",
        "family",
        "engine",
        "method",
        "solved",
        *best,
        view.reward_name,
        "judged",
        "why not solved",
    )
    rows = [
        _row(view, task, method, view.of[method][id])
        for id, task in sorted(view.tasks.items())
        for method in view.of
        if id in view.of[method]
    ]
    return Table(name="tasks", title="Task by task", columns=columns, rows=tuple(rows), note=NOTE)


def _row(view: Comparable, task: TaskRef, method: str, cells: Sequence[CellResult]) -> tuple[Cell, ...]:
    passed = sum(cell.passed for cell in cells)
    best = _best_measured(view, cells) if view.is_measured else [_best_gain(cells)]
    return (
        task.id,
        task.tier,
        task.family,
        "inside" if task.inside_engine else "outside",
        method,
        f"{passed} of {len(cells)}",
        *best,
        view.rewards(method, ids={task.id})[task.id],
        sum(cell.judged for cell in cells),
        why_not_solved(cells) or None,
    )


def _best_measured(view: Comparable, cells: Sequence[CellResult]) -> list[float | None]:
    """The best speed-up over each baseline, and the best fraction of the speed of light."""
    best = [best_of_solved([cell.sample(name) for cell in cells]) for name in view.baselines]
    fractions = [cell.floor_fraction for cell in cells if cell.passed and cell.floor_fraction is not None]
    return [*best, max(fractions, default=None)]


def _best_gain(cells: Sequence[CellResult]) -> float | None:
    """The yardstick's start over the least modelled cost of the seeds that passed."""
    return max((cell.start / cell.figure for cell in cells if cell.passed and cell.figure), default=None)
