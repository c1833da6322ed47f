"""Which calls of a reference are watched: such as show turns that meet, if any that the judge may draw do."""

import random

from regrapht.errors import CannotTransform
from regrapht.evaluate.cases.contrasting_sizes import contrasting_sizes
from regrapht.evaluate.cases.periods import wrapping_periods
from regrapht.evaluate.cases.sizes import array_bytes
from regrapht.evaluate.inputs.drawing import Case
from regrapht.evaluate.inputs.families import Family, families_of
from regrapht.evaluate.inputs.own_numbers import numbers_in
from regrapht.evaluate.inputs.whole_families import whole_families
from regrapht.records.task import Task

_DRAWS = 3
_MOST_BYTES = 64 * 2**20
"""Of the arrays of one call: a watched access takes tens of nanoseconds, and as much memory as it has bytes, twenty times."""
_REPEATING = (Family.ONE_VALUE, Family.EIGHT_VALUES, Family.RUNS, Family.LEVELS, Family.EQUAL)
"""Values that repeat: places that are chosen by them are chosen again."""


def watched_cases(task: Task) -> list[Case]:
    """A draw of every check shape; shapes in which sizes differ by much; values that repeat, at the largest check shape; more draws.

    Raises:
        CannotTransform: Every check shape is too large.
    """
    shapes = sorted(task.check_sizes, key=task.work.amount)
    shapes = [sizes for sizes in shapes if array_bytes(task, sizes) <= _MOST_BYTES]
    if not shapes:
        raise CannotTransform("every check shape is too large for an instrumented run")
    listed = [Case(sizes=sizes, family=Family.DECLARED) for sizes in shapes]
    text = task.reference.source.text
    numbers = numbers_in(text)
    periods = wrapping_periods(text, numbers)
    others = contrasting_sizes(task, numbers, rng=random.Random(task.content_hash), periods=periods)
    contrasting = [Case(sizes=sizes, family=Family.DECLARED, hidden=True) for sizes in others]
    families = {*families_of(task), *whole_families(task, shapes[-1])}
    repeating = [Case(sizes=shapes[-1], family=family) for family in _REPEATING if family in families]
    return [*listed, *contrasting, *repeating, *(_DRAWS - 1) * [*listed, *contrasting]]


def is_listed(case: Case) -> bool:
    """Whether the task itself lists such a call."""
    return case.family is Family.DECLARED and not case.hidden
