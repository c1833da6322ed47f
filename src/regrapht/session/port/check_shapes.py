"""Shapes that every candidate is checked at, where a run had large ones alone.

Each candidate is checked on dozens of calls whose right outputs are computed in a wider type, one thread each: at a million elements that
takes minutes. So a shape of the run is made smaller in proportion, and taken where the reference stays inside its arrays there.
"""

from dataclasses import replace

from regrapht.errors import InvalidTask, TaskError
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.requirement import Requirement
from regrapht.records.task import Sizes, Task
from regrapht.sandbox.sandbox import Sandbox
from regrapht.session.port.capture import Captures
from regrapht.session.port.captured import CHECKED_ELEMENTS, elements

_DRAWS = 3


def with_small_checks(captures: Captures, sandbox: Sandbox) -> Captures:
    """The captures, no task of them checked at large shapes alone where a smaller one will do."""
    tasks = {usr: replace(one, task=checked_small(one.task, sandbox)) for usr, one in captures.tasks.items()}
    return replace(captures, tasks=tasks)


def checked_small(task: Task, sandbox: Sandbox) -> Task:
    """The task with a smaller check shape in the place of large ones; as it is where one is small already, or none smaller will do."""
    row = min(task.check_sizes, key=lambda one: elements(task, one))
    if elements(task, row) <= CHECKED_ELEMENTS:
        return task
    small = smaller(task, row)
    fits = all(Requirement(text).holds(small) for text in task.require) and _stays_inside(task, small, sandbox)
    return replace(task, check_sizes=(small,)) if fits else task


def smaller(task: Task, row: Sizes) -> Sizes:
    """A shape with as many elements as are checked at most: extents in proportion, numbers of repetitions as they were."""
    by = elements(task, row) / CHECKED_ELEMENTS
    extents = {name for arg in task.parameters for extent in arg.shape for name in extent.names}
    return {name: max(int(value / by), 1) if name in extents else value for name, value in row.items()}


def _stays_inside(task: Task, row: Sizes, sandbox: Sandbox) -> bool:
    """Whether the reference takes drawn inputs of this shape: relations between sizes that only the application knows may be gone."""
    secret = secret_from(f"check shape {task.content_hash}")
    case = Case(sizes=row, family=Family.DECLARED)
    try:
        drawn = [draw(task, case, secret=secret, index=index) for index in range(_DRAWS)]
        return all(CompiledReference(task, sandbox).survivors(drawn))
    except (InvalidTask, TaskError):  # the judge says what is wrong with the task itself
        return False
