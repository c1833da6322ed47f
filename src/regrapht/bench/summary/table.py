"""What a report shows of an experiment: tables whose columns are defined beside them, and curves over the budget."""

from dataclasses import dataclass

from regrapht.bench.intervals import Interval
from regrapht.bench.summary.definitions import Definition, definitions_of

Cell = str | float | int | Interval | None
LONG = 40
"""Rows beyond which a table is folded on the page and left out of the terminal's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under columns; the first column names the row. None is a dash: not defined."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            for place, cell in enumerate(row):
                if isinstance(cell, Interval) and place not in self.intervals:
                    raise ValueError(f"a column of intervals is called 95 % of something, not {self.columns[place]!r}")

    @property
    def intervals(self) -> frozenset[int]:
        """The places of the columns that have intervals."""
        return frozenset(place for place, column in enumerate(self.columns) if column.startswith("95 %"))

    @property
    def is_long(self) -> bool:
        """Whether it has more rows than are read from end to end."""
        return len(self.rows) > LONG

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """What its columns mean, in their order."""
        return definitions_of(self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The mean best reward of one method as its budget grows, with 95 % intervals over tasks."""

    method: str
    points: tuple[tuple[int, Interval], ...]
