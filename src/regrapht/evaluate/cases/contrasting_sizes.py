"""Shapes in which sizes differ by much: what meets where one size is larger than another, or than a number of the text, meets there.

Listed shapes may all have one order of their sizes, such as `n <= r`; turns of `y[i % r] = x[i]` then never meet. So each size is once
much larger than all others, than the arrays that do not grow with it, than the numbers of the text and than the turns after which what it
computes wraps around, and once much smaller; and once all of them are the same number with many divisors, the text's numbers among them,
where strides meet.
"""

import random
from collections.abc import Iterator, Sequence

from regrapht.evaluate.cases.periods import common_multiples
from regrapht.evaluate.cases.sizes import all_hold, array_bytes, is_constant, mended
from regrapht.records.requirement import Requirement
from regrapht.records.task import ArgKind, Sizes, Task

_SMALL, _LONG, _DIVISIBLE = 3, 4097, 60
_LONGEST_MULTIPLE = 2**14
_LARGEST_NUMBER = 2**16
"""Of the text: larger ones are no lengths, or of arrays too long to fill here."""
_MOST_WORK, _MOST_BYTES = 2.0**22, 2**23
_PATIENCE = 4
"""Times that much where something wraps around: strides are long there."""
_SCANNED = 64
"""Values that are tried for one that the requirements of a size allow."""


def contrasting_sizes(
    task: Task, numbers: Sequence[float], *, rng: random.Random, periods: Sequence[int] = ()
) -> list[Sizes]:
    """Shapes that satisfy the task's requirements, beside the listed ones; none where the task forbids those.

    Args:
        numbers: Those of the reference's text.
        periods: Turns after which places that the text computes come again.

    Raises:
        ValueError: A requirement is no comparison.
    """
    free = [name for name in task.size_names if not is_constant(task, name)]
    if not task.hidden_sizes or not free:
        return []
    require = [Requirement(text) for text in task.require]
    largest = {name: max(shape[name] for shape in task.check_sizes) for name in task.size_names}
    patience = _PATIENCE if periods else 1
    found: list[Sizes] = []
    for alternatives in _wanted(task, free, largest, numbers, periods):
        allowed = (_allowed(task, wanted, require, rng) for wanted in alternatives)
        sizes = next((one for one in allowed if one is not None and _is_quick(task, one, patience)), None)
        if sizes is not None and sizes not in (*found, *task.check_sizes):
            found.append(sizes)
    return found


def _wanted(
    task: Task, free: Sequence[str], largest: Sizes, numbers: Sequence[float], periods: Sequence[int]
) -> Iterator[list[Sizes]]:
    """Shapes as they would be without requirements, each with what is taken where it is too large."""
    small = {name: min(_SMALL, value) if name in free else value for name, value in largest.items()}
    for name in free:
        longest = _beyond(task, name, small, largest[name], [*numbers, *periods])
        yield [{**small, name: length} for length in _down(longest, largest[name])]
        yield [{**largest, name: small[name]}]
    joint, *alone = common_multiples(numbers, _DIVISIBLE, _LONGEST_MULTIPLE)
    alike = {name: min(_DIVISIBLE, value) if name in free else value for name, value in largest.items()}
    yield [alike]
    for multiple in dict.fromkeys([joint, *alone]):
        longer = [name for name in free if _DIVISIBLE < multiple <= max(largest[name], _timed(task, name))]
        if longer == free:
            yield [{**alike, **dict.fromkeys(free, multiple)}]
        for name in longer if len(free) > 1 else ():
            yield [{**small, name: multiple}]


def _timed(task: Task, name: str) -> int:
    """The largest value of a size that the task is timed at."""
    return max((shape[name] for shape in task.bench_sizes), default=0)


def _down(longest: int, least: int) -> Iterator[int]:
    """Lengths from one down to another, a quarter less each."""
    while longest > least:
        yield longest
        longest -= -(-longest // 4)
    yield least


def _beyond(task: Task, name: str, small: Sizes, largest: int, numbers: Sequence[float]) -> int:
    """A value of a size with more than two turns for every element of the arrays that do not grow with it, as far as the task is timed."""
    lengths = [int(number) for number in numbers if number == int(number) and number <= _LARGEST_NUMBER]
    try:
        for arg in task.parameters:
            if arg.kind is ArgKind.ARRAY and not any(name in extent.names for extent in arg.shape):
                lengths.append(arg.element_count(small))
    except ValueError:
        return largest
    return max(largest, min(_timed(task, name), max(_LONG, 2 * max(lengths, default=0) + 1)))


def _allowed(task: Task, wanted: Sizes, require: Sequence[Requirement], rng: random.Random) -> Sizes | None:
    """The sizes that requirements allow nearest to those wanted."""
    sizes = {}
    for name, value in wanted.items():
        own = [one for one in require if one.names == {name}]
        near = (value + step * sign for step in range(_SCANNED) for sign in (1, -1))
        sizes[name] = next((one for one in near if one > 0 and all_hold(own, {name: one})), 0)
    sizes = mended(task, sizes, require, rng)
    return sizes if all(sizes.values()) and all_hold(require, sizes) else None


def _is_quick(task: Task, sizes: Sizes, patience: int) -> bool:
    """Whether every array has an element and a watched run of the reference takes a moment, or `patience` times that."""
    try:
        lengths = [arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY]
        return (
            all(lengths)
            and array_bytes(task, sizes) <= patience * _MOST_BYTES
            and task.work.amount(sizes) <= patience * _MOST_WORK
        )
    except ValueError:
        return False
