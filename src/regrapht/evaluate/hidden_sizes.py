"""Sizes of the judge's own: 1, primes, just beside multiples of 4 and of common blocks. A kernel that is right for the
listed shapes alone fails.

They are no larger than the largest listed value, and a size that is the same in every listed shape stays as it is. What else a size must
satisfy (even, a power of two) is for the task's `require` to say.
"""

import operator
import random
import re
from collections.abc import Sequence

from regrapht.records.expression import Expression
from regrapht.records.task import ArgKind, Sizes, Task

_AWKWARD = (1, 2, 3, 5, 7, 9, 13, 15, 17, 31, 33, 61, 63, 65, 97, 127, 129, 251, 255, 257, 511, 513, 1021, 1025, 4093)
_MAX_BYTES = 2**20
_COMPARISONS = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_COMPARISON = re.compile(r"(.+?)(<=|>=|==|!=|<|>)(.+)")


def hidden_sizes(task: Task, *, count: int, rng: random.Random) -> list[Sizes]:
    """Up to `count` different shapes that satisfy the task's requirements; none where the task forbids them or has no sizes."""
    if not task.hidden_sizes or not task.size_names:
        return []
    choices = {name: _choices([sizes[name] for sizes in task.check_sizes]) for name in task.size_names}
    listed = {tuple(sorted(sizes.items())) for sizes in (*task.check_sizes, *task.bench_sizes)}
    found: dict[tuple[tuple[str, int], ...], Sizes] = {}
    for _ in range(50 * count):
        sizes = {name: rng.choice(values) for name, values in choices.items()}
        key = tuple(sorted(sizes.items()))
        if key not in listed and key not in found and satisfies(task, sizes) and _is_small(task, sizes):
            found[key] = sizes
        if len(found) == count:
            break
    return list(found.values())


def satisfies(task: Task, sizes: Sizes) -> bool:
    """Whether all of the task's requirements hold at `sizes`.

    Raises:
        ValueError: A requirement is no comparison of two expressions.
    """
    return all(_holds(requirement, sizes) for requirement in task.require)


def _holds(requirement: str, sizes: Sizes) -> bool:
    match = _COMPARISON.fullmatch(requirement)
    if match is None:
        raise ValueError(f"{requirement!r} is no comparison such as 'K <= N'")
    left, sign, right = match.groups()
    return bool(_COMPARISONS[sign](Expression(left.strip()).evaluate(sizes), Expression(right.strip()).evaluate(sizes)))


def _choices(listed: Sequence[int]) -> list[int]:
    if len(set(listed)) == 1:
        return [listed[0]]
    return [value for value in _AWKWARD if value <= max(listed)]


def _is_small(task: Task, sizes: Sizes) -> bool:
    """Shapes that have a value, none of them empty, and no more bytes than a quick check needs."""
    try:
        lengths = [arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY]
        total = sum(arg.size_bytes(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY)
    except ValueError:
        return False
    listed = max(
        sum(arg.size_bytes(shape) for arg in task.parameters if arg.kind is ArgKind.ARRAY) for shape in task.check_sizes
    )
    return all(lengths) and total <= max(_MAX_BYTES, listed)
