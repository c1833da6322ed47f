"""Partial results combined by atomics, without a second kernel."""

from dataclasses import replace

from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest, has_atomic
from regrapht.transform.plan.schedule import Finish, Schedule
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class AtomicReduction(Rule):
    slug = "atomic_reduction"
    title = "partial results combined by atomics"
    condition = "a reduction over a whole nest whose operator has an atomic; of floats only where the task allows varying results"
    explanation = (
        "Each block, or each thread, adds its partial result to the target by one atomic operation: no scratch memory, no second "
        "kernel."
    )
    parameters = (Parameter("blocks", (528, 264, 1056)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        if nest.kind is not Kind.REDUCE:
            return "it is no reduction of the whole nest"
        if nest.copies:
            return "it reduces to an array: all its elements by atomics would be one after the other"
        if program.schedules[nest.number].finish is not Finish.THREAD:
            return "its results are finished in another way already"
        for name, operator in nest.targets.items():
            type_name = program.scop.element_type(name)
            if not has_atomic(operator, type_name):
                return f"CUDA has no atomic for '{operator}' on {type_name}"
            if not is_integer(type_name) and program.task.tolerance.deterministic:
                return f"atomic sums of '{name}' would not give the same result every time, which the task asks for"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        blocks = number(setting, "blocks")
        return replace(program.schedules[nest.number], finish=Finish.ATOMIC, grid_stride=blocks)
