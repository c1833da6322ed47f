"""Means over landscapes and seeds with intervals that resample both, and paired differences between methods."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from regrapht.bench.intervals import Interval, bootstrap_mean, compare_paired
from study.run import Cell

RESAMPLES = 4000
"""Of landscapes, and of seeds within each."""
Measure = Callable[[Cell], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One method minus another on the same landscapes and seeds."""

    interval: Interval
    p_value: float
    """Two-sided sign flips of the landscapes' means; with six landscapes it cannot be below 1/32."""


class Results:
    """Cells by method and spoil, ready for questions.

    Raises:
        ValueError: One cell is given twice.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = {cell.key: cell for cell in cells}
        if len(self._cells) != len(cells):
            raise ValueError("one run is in the results twice")
        self.methods = list(dict.fromkeys(cell.method for cell in cells))
        self.spoils = sorted({cell.spoil for cell in cells})
        self.tables = sorted({cell.table for cell in cells})

    def cells(self, method: str) -> list[Cell]:
        """All cells of a method."""
        return [cell for cell in self._cells.values() if cell.method == method]

    def matrix(self, method: str, spoil: float, measure: Measure) -> np.ndarray | None:
        """The measure by landscape (rows) and seed; None where a method was not run on every landscape with the same seeds."""
        runs = [[cell for cell in self._of(method, spoil) if cell.table == table] for table in self.tables]
        if not runs or not runs[0] or len({tuple(cell.seed for cell in row) for row in runs}) != 1:
            return None
        return np.array([[measure(cell) for cell in row] for row in runs])

    def mean(self, method: str, spoil: float, measure: Measure) -> Interval | None:
        """The mean over landscapes and seeds; None as of `matrix`."""
        values = self.matrix(method, spoil, measure)
        return None if values is None else bootstrap_mean(values, resamples=RESAMPLES, least=1)

    def difference(self, first: str, second: str, spoil: float, measure: Measure) -> Difference | None:
        """First minus second, paired by landscape and seed; None where the two were not run on the same."""
        one, other = self.matrix(first, spoil, measure), self.matrix(second, spoil, measure)
        if one is None or other is None or self._seeds(first, spoil) != self._seeds(second, spoil):
            return None
        interval = bootstrap_mean(one - other, resamples=RESAMPLES, least=1)
        paired = compare_paired(list(one.mean(axis=1)), list(other.mean(axis=1)), least=1)
        assert interval is not None and paired is not None, "there is a landscape"
        return Difference(interval=interval, p_value=paired.p_value)

    def median_near(self, method: str, spoil: float) -> float | None:
        """Median judged candidates until 95 % of the best was found; None when that is beyond the budget."""
        found = [cell.near_after for cell in self._of(method, spoil)]
        if not found:
            return None
        middle = float(np.median([float("inf") if number is None else number for number in found]))
        return None if middle == float("inf") else middle

    def _seeds(self, method: str, spoil: float) -> set[int]:
        return {cell.seed for cell in self._of(method, spoil)}

    def _of(self, method: str, spoil: float) -> list[Cell]:
        return sorted(
            (cell for cell in self._cells.values() if cell.method == method and cell.spoil == spoil),
            key=lambda cell: (cell.table, cell.seed),
        )
