"""An experiment's results as pandas DataFrames and figures, for notebooks. The numbers are those of `bench report`."""

import functools
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regrapht.bench.experiment.results import CellResult, Experiment, TaskRef, read_results
from regrapht.bench.summary.table import Table
from regrapht.bench.summary.tables import Tables, tabulate
from regrapht.errors import PrerequisiteMissing
from regrapht.records.encoding import to_plain
from regrapht.report.curves import budget_curves
from regrapht.report.experiment import render_csv, render_text
from regrapht.report.figure import Figure

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, kw_only=True)
class Results:
    """What an experiment left, finished or not."""

    experiment: Experiment
    records: tuple[CellResult, ...]
    """A finished cell each, as it was written down."""

    @classmethod
    def read(cls, path: Path) -> "Results":
        """As `regrapht.results`."""
        experiment, records = read_results(path)
        return cls(experiment=experiment, records=records)

    @property
    def cells(self) -> "DataFrame":
        """A row a cell: method, task, seed, what came of it and what it cost. `speedup_NAME` for each baseline, NaN where none is."""
        tasks = {task.id: task for task in self.experiment.tasks}
        return _pandas().DataFrame([_row(cell, tasks[cell.task_id]) for cell in self.records])

    @property
    def improvements(self) -> "DataFrame":
        """A row a new best while searching: method, task, seed, judged, tokens, seconds, reward, figure."""
        rows = [
            {"method": cell.method, "task": cell.task_id, "seed": cell.seed, **to_plain(step)}
            for cell in self.records
            for step in cell.improvements
        ]
        columns = ["method", "task", "seed", "judged", "tokens", "seconds", "reward", "figure"]
        return _pandas().DataFrame(rows, columns=columns)

    @property
    def tables(self) -> "dict[str, DataFrame]":
        """The tables of `bench report` by name. A column of intervals is two, of their low and high ends."""
        return {table.name: _frame(table) for table in self._tabulated.tables if table.rows}

    @property
    def conclusion(self) -> tuple[str, ...]:
        """What the experiment shows, in sentences."""
        return self._tabulated.conclusion

    @property
    def budget_curves(self) -> Figure:
        """The mean best reward of each method over judged candidates, with 95 % intervals over tasks."""
        tabulated = self._tabulated
        return Figure(budget_curves(tabulated.curves, tabulated.reward_name))

    @functools.cached_property
    def _tabulated(self) -> Tables:
        return tabulate(self.experiment, self.records)

    def __str__(self) -> str:
        return render_text(self._tabulated, whole=False)


def _row(cell: CellResult, task: TaskRef) -> dict[str, Any]:
    row = {
        "method": cell.method,
        "task": cell.task_id,
        "tier": task.tier,
        "family": task.family,
        "inside_engine": task.inside_engine,
        "seed": cell.seed,
        "built": cell.built,
        "passed": cell.passed,
        "status": cell.status,
        "reward": cell.reward,
        "scale": cell.scale.value,
        "figure": cell.figure,
        "start": cell.start,
        "floor": cell.floor,
        "floor_fraction": cell.floor_fraction,
        "techniques": " -> ".join(cell.techniques),
        "judged": cell.judged,
        "proposals": cell.proposals,
        "tokens": cell.tokens,
        "usd": cell.usd,
        "seconds": cell.seconds,
        "judge_seconds": cell.judge_seconds,
        "reason": cell.reason,
        "run": cell.run,
    }
    return row | {f"speedup_{name}": value for name, value in sorted(cell.speedups.items())}


def _frame(table: Table) -> "DataFrame":
    return _pandas().read_csv(io.StringIO(render_csv(table)))


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise PrerequisiteMissing("DataFrames need pandas: pip install 'regrapht[data]'") from error
    return pandas
