"""The reference's name for a loop's index, where a kernel calls the thread's number otherwise: `f` of frames where the kernel has `z`."""

from regrapht.propose.form.launcher import extents_of_indices
from regrapht.propose.form.reference_arrays import memory_names
from regrapht.propose.form.reference_loops import nests_of, same_extent
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition


def indices_of(kernel: FunctionDefinition, task: Task) -> dict[str, str]:
    """The name of each loop of the reference that counts up to what just one index of the kernel is compared with -> that index.

    Only of a kernel with the task's own names.
    """
    if not {one.name for one in kernel.parameters} <= {arg.name for arg in task.parameters} | memory_names(task):
        return {}
    counted = {name: extent for name, extent in extents_of_indices(kernel).items() if extent is not None}
    found: dict[str, set[str]] = {}
    for loop in (loop for nest in nests_of(task) for loop in nest):
        same = {index for index, extent in counted.items() if same_extent(loop.bound, extent, task)}
        found.setdefault(loop.name, set()).update(same)
    return {name: same.pop() for name, same in found.items() if len(same) == 1 and name not in same}
