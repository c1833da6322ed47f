"""Bench shapes for tasks that name none: the largest check shape, scaled up until there is something to time."""

from collections.abc import Callable

from regrapht.evaluate.hidden_sizes import satisfies
from regrapht.records.task import ArgKind, Sizes, Task

_MOST_BYTES = 2**30
_DOUBLINGS = 24


def scaled_bench_sizes(task: Task, largest: Sizes, *, is_enough: Callable[[Sizes], bool]) -> Sizes:
    """`largest` with every size doubled, as often as it takes until `is_enough`; sizes that all check shapes share stay.

    Stops before the arrays take more than 1 GiB, or a requirement fails; the last shape that fits is then the answer.
    """
    fixed = {name for name in task.size_names if len({sizes[name] for sizes in task.check_sizes}) == 1}
    scaled = [name for name in task.size_names if name not in fixed] or list(task.size_names)
    sizes = dict(largest)
    for _ in range(_DOUBLINGS):
        if is_enough(sizes):
            return sizes
        larger = {name: value * 2 if name in scaled else value for name, value in sizes.items()}
        if not satisfies(task, larger) or _bytes(task, larger) > _MOST_BYTES or max(larger.values()) >= 2**31:
            return sizes
        sizes = larger
    return sizes


def _bytes(task: Task, sizes: Sizes) -> int:
    return sum(arg.size_bytes(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY)
