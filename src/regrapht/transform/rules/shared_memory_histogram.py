"""Updates go to copies in shared memory first."""

from dataclasses import replace

from regrapht.transform.codegen.program import element_counts
from regrapht.transform.codegen.scatter import cell_type
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.lengths import fixed_lengths
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import SHARED_BYTES, Schedule
from regrapht.transform.polyhedral.loop_tree import UPDATE
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class SharedMemoryHistogram(Rule):
    slug = "shared_memory_histogram"
    title = "updates collected in shared memory"
    condition = "updates of one or several arrays at elements that data choose, an array's length known from the task"
    explanation = (
        "Each block updates copies of the arrays in shared memory, where atomics are cheap, and adds them to the arrays once; where the "
        "copies do not fit, the launcher takes the plain way."
    )
    parameters = (Parameter("blocks", (528, 264, 1056)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        if nest.kind is not Kind.SCATTER:
            return "it has no updates at elements that data choose"
        schedule = program.schedules[nest.number]
        if schedule.private or schedule.coarsening:
            return "its updates are collected already, or its threads take several points"
        reasons = [_not_collected(program, nest, array) for array in nest.targets]
        return None if None in reasons else reasons[0]

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        blocks = number(setting, "blocks")
        return replace(program.schedules[nest.number], private=_collected(program, nest), grid_stride=blocks)


def _not_collected(program: Program, nest: Nest, array: str) -> str | None:
    """Why updates of an array cannot be collected."""
    if array not in program.scop.arrays or nest.shapes.get(array):
        return f"'{array}' is no array of one dimension"
    if array not in element_counts(program.task):
        return f"the task does not say the length of '{array}' as an integer expression"
    own = [access for access in nest.accesses if access.array == array]
    if not all(access.kind == UPDATE and access.operator == nest.targets[array] for access in own):
        return f"it also reads '{array}', or changes it in another way"  # a copy has not what the array holds
    return None


def _collected(program: Program, nest: Nest) -> tuple[str, ...]:
    """The arrays whose updates are collected, those of the widest cells first.

    Of arrays of constant lengths as many as fit together, short ones first. Whether others fit is tested when the program runs, for all
    together.
    """
    lengths = fixed_lengths(program.task)
    found = [array for array in nest.targets if _not_collected(program, nest, array) is None]
    cells = {a: size_bytes(cell_type(nest.targets[a], program.scop.element_type(a))) for a in found}
    room, fitting = SHARED_BYTES, set[str]()
    for array in sorted(found, key=lambda a: lengths.get(a, 0) * cells[a]):
        room -= lengths.get(array, 0) * cells[array]
        if room >= 0:
            fitting.add(array)
    kept = [array for array in found if array in fitting] or found
    return tuple(sorted(kept, key=lambda a: -cells[a]))
