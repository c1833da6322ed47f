"""Sizes to check and to time an imported task at, from what its shapes and loops need."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.records.expression import Expression
from regrapht.records.requirement import satisfies
from regrapht.records.task import Sizes

_POOL = (2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 97, 127, 129, 200, 257, 511, 1025)
_TARGETS = (2**6, 2**10, 2**14)
"""Array elements of the check rows, about."""
_MOST_CHECK_WORK = 2_000_000, 30_000_000
"""Runs of loop bodies at a check row; the second where fixed extents, such as channels of a layer, leave nothing below the first."""
_TRIES = 1500
_BYTES = 4
"""Of an element; nearly all are float32."""
MOST_BYTES, MOST_WORK = 2**30, 2_000_000_000
"""Of a bench row: beyond, the judge does not look at the timed shape, or waits minutes for the sequential reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a task's sizes decide."""

    names: tuple[str, ...]
    require: tuple[str, ...]
    elements: Expression
    """Of all arrays together."""
    work: tuple[Expression, ...]
    """Runs of each innermost loop body."""

    def allow(self, row: Sizes) -> bool:
        """Whether the requirements hold."""
        return satisfies(self.require, row)

    def work_at(self, row: Sizes) -> float:
        """Runs of all loop bodies."""
        return sum(float(part.evaluate(row)) for part in self.work)


def check_rows(demands: Demands) -> tuple[Sizes, ...]:
    """A few small, awkward rows, the same for the same demands; empty where none is found that satisfies them."""
    rng = random.Random(f"{demands.names}{demands.require}")
    if not demands.names:
        return ({},) if demands.allow({}) else ()
    tried: list[tuple[float, float, Sizes]] = []
    for attempt in range(_TRIES):
        most = (
            len(_POOL) * (attempt + 1) // _TRIES
        )  # small values first, so that many sizes do not make every row large
        row = {name: rng.choice(_POOL[: max(4, most)]) for name in demands.names}
        if demands.allow(row) and (work := demands.work_at(row)) <= _MOST_CHECK_WORK[1]:
            tried.append((work, float(demands.elements.evaluate(row)), row))
    quick = [one for one in tried if one[0] <= _MOST_CHECK_WORK[0]] or sorted(tried, key=lambda one: one[0])[:3]
    rows: list[Sizes] = []
    for target in _TARGETS:
        # Close to the target, and with sizes that differ: an exchange of two of them must show.
        best = min(quick, key=lambda one: abs(one[1] - target) / target - 0.2 * len(set(one[2].values())), default=None)
        if best is not None and best[2] not in rows:
            rows.append(best[2])
    return tuple(rows)


def bench_row(demands: Demands, source: Mapping[str, int]) -> Sizes:
    """The source's own sizes, the largest halved until arrays and sequential work are such that the judge verifies the timed shape."""
    row = dict(source)
    while excess(demands, row):
        smaller = _halved(demands, row)
        if smaller is None:
            return row
        row = smaller
    return row


def excess(demands: Demands, row: Sizes) -> tuple[str, ...]:
    """What of a row is beyond what the judge verifies, in words: its arrays, the sequential work, both, or nothing."""
    size, work = _BYTES * float(demands.elements.evaluate(row)), demands.work_at(row)
    found = [f"arrays of {size / 2**30:.1f} GiB at {_BYTES} bytes an element"] if size > MOST_BYTES else []
    found += [f"loops of {work:.2g} runs in the sequential reference"] if work > MOST_WORK else []
    return tuple(found)


def _halved(demands: Demands, row: Sizes) -> dict[str, int] | None:
    """The row with its largest size halved that may be; None where none may."""
    before = (float(demands.elements.evaluate(row)), demands.work_at(row))
    for name in sorted(demands.names, key=lambda one: -row[one]):
        smaller = {**row, name: row[name] // 2}
        if row[name] > 1 and demands.allow(smaller):
            after = (float(demands.elements.evaluate(smaller)), demands.work_at(smaller))
            if after < before:
                return smaller
    return None


def total(shapes: Sequence[Sequence[str]]) -> Expression:
    """The elements of arrays of these shapes, together."""
    return Expression(" + ".join(" * ".join(f"({extent})" for extent in shape) or "1" for shape in shapes))
