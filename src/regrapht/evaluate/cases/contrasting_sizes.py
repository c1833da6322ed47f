"""Shapes in which sizes differ by much: what meets where one size is larger than another, or than a number of the text, meets there.

Listed shapes may all have one order of their sizes, such as `n <= r`; turns of `y[i % r] = x[i]` then never meet. So each size is once
much larger than all others, than the arrays that do not grow with it and than the numbers of the text, and once much smaller; and once all
of them are the same number with many divisors, where strides meet.
"""

import random
from collections.abc import Iterator, Sequence

from regrapht.evaluate.cases.sizes import all_hold, array_bytes, is_constant, mended
from regrapht.records.requirement import Requirement
from regrapht.records.task import ArgKind, Sizes, Task

_SMALL, _LONG, _DIVISIBLE = 3, 4097, 60
_LARGEST_NUMBER = 2**16
"""Of the text: larger ones are no lengths, or of arrays too long to fill here."""
_MOST_WORK, _MOST_BYTES = 2.0**22, 2**23
_SCANNED = 64
"""Values that are tried for one that the requirements of a size allow."""


def contrasting_sizes(task: Task, numbers: Sequence[float], *, rng: random.Random) -> list[Sizes]:
    """Shapes that satisfy the task's requirements, beside the listed ones; none where the task forbids those.

    Args:
        numbers: Those of the reference's text.

    Raises:
        ValueError: A requirement is no comparison.
    """
    free = [name for name in task.size_names if not is_constant(task, name)]
    if not task.hidden_sizes or not free:
        return []
    require = [Requirement(text) for text in task.require]
    largest = {name: max(shape[name] for shape in task.check_sizes) for name in task.size_names}
    found: list[Sizes] = []
    for alternatives in _wanted(task, free, largest, numbers):
        allowed = (_allowed(task, wanted, require, rng) for wanted in alternatives)
        sizes = next((one for one in allowed if one is not None and _is_quick(task, one)), None)
        if sizes is not None and sizes not in (*found, *task.check_sizes):
            found.append(sizes)
    return found


def _wanted(task: Task, free: Sequence[str], largest: Sizes, numbers: Sequence[float]) -> Iterator[list[Sizes]]:
    """Shapes as they would be without requirements, each with what is taken where it is too large."""
    small = {name: min(_SMALL, value) if name in free else value for name, value in largest.items()}
    for name in free:
        longest = _beyond(task, name, small, largest[name], numbers)
        yield [{**small, name: max(largest[name], longest >> halved)} for halved in range(longest.bit_length())]
        yield [{**largest, name: small[name]}]
    yield [{name: min(_DIVISIBLE, value) if name in free else value for name, value in largest.items()}]


def _beyond(task: Task, name: str, small: Sizes, largest: int, numbers: Sequence[float]) -> int:
    """A value of a size with more than two turns for every element of the arrays that do not grow with it, as far as the task is timed."""
    lengths = [int(number) for number in numbers if number == int(number) and number <= _LARGEST_NUMBER]
    try:
        for arg in task.parameters:
            if arg.kind is ArgKind.ARRAY and not any(name in extent.names for extent in arg.shape):
                lengths.append(arg.element_count(small))
    except ValueError:
        return largest
    timed = max((shape[name] for shape in task.bench_sizes), default=0)
    return max(largest, min(timed, max(_LONG, 2 * max(lengths, default=0) + 1)))


def _allowed(task: Task, wanted: Sizes, require: Sequence[Requirement], rng: random.Random) -> Sizes | None:
    """The sizes that requirements allow nearest to those wanted."""
    sizes = {}
    for name, value in wanted.items():
        own = [one for one in require if one.names == {name}]
        near = (value + step * sign for step in range(_SCANNED) for sign in (1, -1))
        sizes[name] = next((one for one in near if one > 0 and all_hold(own, {name: one})), 0)
    sizes = mended(task, sizes, require, rng)
    return sizes if all(sizes.values()) and all_hold(require, sizes) else None


def _is_quick(task: Task, sizes: Sizes) -> bool:
    """Whether every array has an element and a watched run of the reference takes a moment."""
    try:
        lengths = [arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY]
        return all(lengths) and array_bytes(task, sizes) <= _MOST_BYTES and task.work.amount(sizes) <= _MOST_WORK
    except ValueError:
        return False
