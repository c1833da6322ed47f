"""Insertions into small local arrays without a branch that data decide: every index is a constant, and the array is in registers."""

from collections.abc import Mapping
from dataclasses import replace

from regrapht.transform.codegen.constant_places import uses_of
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.reach import not_a_map, probe
from regrapht.transform.rules.rule import Rule, Setting

MOST = 64
"""Elements of an array that is taken."""
MOST_BYTES = 512
"""What a thread may keep in registers, of the 1020 bytes that it has."""
MOST_ACCESSES = 8192
"""Accesses that are written when all loops are unrolled: more are no longer in the instruction cache."""


class BranchElimination(Rule):
    slug = "branch_elimination"
    title = "insertion into sorted arrays by selection, in registers"
    condition = (
        "a loop that goes down in a local array of 64 elements at most, as an insertion into a sorted one does, where all other accesses "
        "are at constant places when loops are unrolled"
    )
    explanation = (
        "A loop that ends at a place which data choose becomes an unrolled one over all places, in which each element is kept or replaced: "
        "lanes of a warp stay together, and the array is in registers instead of in memory."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.layout not in (Layout.LINEAR, Layout.GRID):
            return "it needs a thread a point"
        if schedule.kept:
            return "its arrays are in registers already"
        found = _kept(program, nest, schedule)
        return found if isinstance(found, str) else None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        schedule = program.schedules[nest.number]
        found = _kept(program, nest, schedule)
        assert not isinstance(found, str)
        return replace(schedule, kept=found)


def _kept(program: Program, nest: Nest, schedule: Schedule) -> tuple[str, ...] | str:
    """The arrays that registers can hold, of which one at least is gone down in; a text where there are none."""
    scop, writer = program.scop, probe(program, nest, schedule)
    lengths = {
        name: scop.locals[name].lengths[0]
        for name in dict.fromkeys(access.array for access in nest.accesses)
        if name in scop.locals
        and len(scop.locals[name].lengths) == 1
        and scop.locals[name].lengths[0] <= MOST
        and len(scop.locals[name].loops) > len(nest.host_loops)
    }
    if not lengths or not writer.with_constant_places(lengths)[1]:
        return "no loop goes down in a small local array of a thread's own"
    moving = ""
    while lengths and writer.with_constant_places(lengths)[1]:
        moving, written = _uses(writer, lengths)
        if moving:
            del lengths[moving]
            continue
        if written > MOST_ACCESSES:
            return f"it would be {written} accesses with all loops unrolled"
        total = sum(length * max(size_bytes(scop.element_type(name)), 4) for name, length in lengths.items())
        return tuple(lengths) if total <= MOST_BYTES else f"its arrays would need {total} bytes of registers"
    return f"'{moving}' is accessed at places that data choose"


def _uses(writer: NestWriter, lengths: Mapping[str, int]) -> tuple[str, int]:
    """An array that is still accessed at a place that data choose, if there is one, and the number of accesses once all is unrolled."""
    total, statements = 0, writer.with_constant_places(lengths)[0]
    for leaf in writer.nest.group:
        fixed = writer.constant_turns(leaf)
        turns = 1
        for count in fixed.values():
            turns *= count
        for array, constant, times in uses_of(statements[leaf.name], lengths, fixed, turns):
            if not constant:
                return array, 0
            total += times
    return "", total
