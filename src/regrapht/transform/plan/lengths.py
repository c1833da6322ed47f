"""What a task says of the element counts of its arrays."""

import re
from math import prod

from regrapht.records.task import ArgKind, Task
from regrapht.transform.ir.names import internal_name


def fixed_lengths(task: Task) -> dict[str, int]:
    """Element counts of the arrays that are the same in every call."""
    shapes = {
        internal_name(arg.name): [one.text for one in arg.shape] for arg in task.args if arg.kind is ArgKind.ARRAY
    }
    return {name: prod(map(int, texts)) for name, texts in shapes.items() if all(text.isdigit() for text in texts)}


def counted_arrays(task: Task) -> set[str]:
    """The arrays whose shapes are integer expressions of C, so that the launcher can compute their element counts."""
    shapes = {internal_name(arg.name): [one.text for one in arg.shape] for arg in task.parameters if arg.shape}
    return {name for name, texts in shapes.items() if not any(_NO_C.search(text) for text in texts)}


_NO_C = re.compile(r"ceil|log2|(?<!/)/(?!/)")
"""What an expression of a shape may have and an integer expression of C has not."""
