"""Shapes that every candidate is checked at, where a run had large ones.

Each candidate is checked on dozens of calls whose right outputs are computed in a wider type, one thread each: at a million elements that
takes minutes. So a shape of the run is made smaller in proportion, and taken where the reference stays inside its arrays there.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

from regrapht.errors import InvalidTask, TaskError
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Sizes, Task
from regrapht.sandbox.sandbox import Sandbox
from regrapht.session.port.captured import CHECKED_ELEMENTS, elements, is_possible

_DRAWS, _SMALL, _MOST_HALVINGS = 3, 32, 32


def checked_small(task: Task, sandbox: Sandbox) -> Task:
    """The task with smaller shapes in the place of the large ones that it is checked at; these stay where none smaller will do."""
    rows = tuple(
        row if elements(task, row) <= CHECKED_ELEMENTS else _smaller_or_same(task, row, sandbox)
        for row in task.check_sizes
    )
    return replace(task, check_sizes=tuple(row for place, row in enumerate(rows) if row not in rows[:place]))


def _smaller_or_same(task: Task, row: Sizes, sandbox: Sandbox) -> Sizes:
    small = smaller(task, row)
    return small if small is not None and _stays_inside(task, small, sandbox) else row


def smaller(task: Task, row: Sizes) -> Sizes | None:
    """A shape with as many elements as are checked at most; None where none is one that the task allows.

    Every extent is divided by one power of two, so that ratios stay and powers of two are some again. What was a product of two or three
    others still is. Numbers of repetitions, and extents that are small anyway, stay as they were.
    """
    extents = {name for arg in task.parameters for extent in arg.shape for name in extent.names}
    ascending = sorted(extents, key=lambda name: (row[name], name))
    factors = {name: _factors(row, name, ascending[:place]) for place, name in enumerate(ascending)}
    found = dict(row)
    for by in (2**power for power in range(1, _MOST_HALVINGS)):
        for name in (one for one in ascending if row[one] >= _SMALL):  # ascending: factors come before their product
            whole = factors[name]
            found[name] = math.prod(found[one] for one in whole) if whole else max(row[name] // by, 1)
        if not is_possible(task, found):
            return None
        if elements(task, found) <= CHECKED_ELEMENTS:
            return found
    return None


def _factors(row: Sizes, product: str, names: Sequence[str]) -> tuple[str, ...]:
    """Two or three names whose values made that of another; none where it is no product."""
    names = [name for name in names if row[name] > 1]
    chosen = (some for count in (2, 3) for some in combinations_with_replacement(names, count))
    return next((some for some in chosen if math.prod(row[one] for one in some) == row[product]), ())


def _stays_inside(task: Task, row: Sizes, sandbox: Sandbox) -> bool:
    """Whether the reference takes drawn inputs of this shape: relations between sizes that only the application knows may be gone."""
    secret = secret_from(f"check shape {task.content_hash}")
    case = Case(sizes=row, family=Family.DECLARED)
    try:
        drawn = [draw(task, case, secret=secret, index=index) for index in range(_DRAWS)]
        return all(CompiledReference(task, sandbox).survivors(drawn))
    except (InvalidTask, TaskError):  # the judge says what is wrong with the task itself
        return False
