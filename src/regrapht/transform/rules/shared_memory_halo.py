"""What a block reads of an array, with its halo, loaded once."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Reference, Schedule
from regrapht.transform.polyhedral.loop_tree import Access
from regrapht.transform.rules.reach import footprint_of, not_a_map, probe, shared_problem, trip_count, uses
from regrapht.transform.rules.rule import Rule, Setting

LEAST_REUSE = 2
"""Reads an element of a tile must serve on average to be worth its load."""


class SharedMemoryHalo(Rule):
    slug = "shared_memory_halo"
    title = "a block's part of an array, with its halo, in shared memory"
    condition = "a grid, or one loop, whose points read an array at several constant distances"
    explanation = (
        "Neighbouring points read overlapping elements; the block loads its part of the array, with the halo around it, into shared "
        "memory once and reads it from there."
    )
    after = ("map_3d", "map_2d")

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.shared or schedule.step:
            return "it has shared tiles already"
        if schedule.rows:
            return "its blocks copy rows to shared memory already"
        one_loop = schedule.layout is Layout.LINEAR and len(schedule.loops) == 1
        if not one_loop and schedule.layout is not Layout.GRID:
            return "it needs a grid first"
        if one_loop and (schedule.coarsening or schedule.grid_stride or schedule.vector):
            return "its threads take several points already"
        found, reasons = self._references(program, nest)
        if not found:
            return "; ".join(reasons) or "it reads no array that it does not write"
        return shared_problem(program, nest, self.change(program, nest, setting))

    def _references(self, program: Program, nest: Nest) -> tuple[list[Reference], list[str]]:
        before = program.schedules[nest.number]
        schedule = replace(before, layout=Layout.GRID)
        found, reasons = [], []
        for array in nest.read_only(program.scop):
            accesses = [a for a in nest.accesses if a.array == array]
            box = footprint_of(program, nest, schedule, Reference(array))
            if isinstance(box, str):
                reasons.append(box)
                continue
            reads = self._reads(program, nest, schedule, accesses)
            points = 1
            for variable in schedule.loops:
                points *= schedule.edge(variable)
            moving = all(any(uses(a, variable) for variable in schedule.loops) for a in accesses)
            if reads is None or not moving or reads * points < LEAST_REUSE * box.count:
                reasons.append(f"the threads of a block share too little of '{array}'")
                continue
            found.append(Reference(array))
        return found, reasons

    @staticmethod
    def _reads(program: Program, nest: Nest, schedule: Schedule, accesses: list[Access]) -> int | None:
        """Reads of an array by one point; None when their number varies."""
        writer, total = probe(program, nest, schedule), 0
        for access in {a.expression: a for a in accesses}.values():
            count = 1
            for dim in access.leaf.dims:
                if dim not in schedule.loops and uses(access, dim):
                    trips = trip_count(writer, dim)
                    if trips is None:
                        return None
                    count *= trips
            total += count
        return total

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        return replace(before, layout=Layout.GRID, shared=tuple(self._references(program, nest)[0]))
