"""A sequential loop in steps, with shared tiles of what the block reuses."""

from dataclasses import replace
from math import ceil, prod

from regrapht.source.polynomial import names_in
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Reference, Schedule, Step
from regrapht.transform.polyhedral.loop_tree import Leaf, Loop, leaves, without_loops
from regrapht.transform.rules.fill import count_at_timed_size, imbalance
from regrapht.transform.rules.reach import footprint_of, not_a_map, shared_problem
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number, shape

WARP = 32


class SharedMemoryTiling(Rule):
    slug = "shared_memory_tiling"
    title = "a sequential loop in steps, its data in shared tiles"
    condition = (
        "a two-dimensional grid, or one loop, around one plain sequential loop, and arrays whose elements several threads of a block "
        "read"
    )
    explanation = (
        "The sequential loop is cut into steps; in each, a block loads what its threads share into shared memory once, with coalesced "
        "accesses, and then reads it from there many times."
    )
    after = ("map_2d",)
    parameters = (Parameter("step", (16, 32, 8, 128)), Parameter("block", ([16, 16], [32, 8], [8, 8])))

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_a_map(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.rows:
            return "its blocks copy rows to shared memory already"
        one_loop = schedule.layout is Layout.LINEAR and len(schedule.loops) == 1
        if not one_loop and (schedule.layout is not Layout.GRID or len(schedule.loops) != 2):
            return "it needs a two-dimensional grid first"
        if one_loop and (schedule.grid_stride or schedule.vector):
            return "its threads take several points already"
        if one_loop and number(setting, "step") < WARP:
            return f"a row of threads wants steps of at least {WARP} iterations"
        if schedule.shared or schedule.coarsening:
            return "it has shared tiles or several points a thread already"
        loop = self._loop(nest, schedule)
        if loop is None:
            return "it has not exactly one plain sequential loop inside"
        tiled = self._tiled(program, nest, setting, loop)
        if not tiled.shared:
            return f"no array is shared by the threads of a block in the loop over '{loop.variable}'"
        return shared_problem(program, nest, tiled)

    @staticmethod
    def _loop(nest: Nest, schedule: Schedule) -> Loop | None:
        inside = [node for node in without_loops(nest.root, schedule.loops) if isinstance(node, Loop)]
        plain = [loop for loop in inside if loop.step == 1 and all(isinstance(child, Leaf) for child in loop.children)]
        return plain[0] if len(inside) == len(plain) == 1 else None

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        """The imbalance, and iterations of a last step that there is no work for."""
        schedule, step = self.change(program, nest, setting), number(setting, "step")
        assert schedule.step is not None
        turns = count_at_timed_size(program, nest, schedule, schedule.step.loop) or step
        return imbalance(program, nest, schedule) * ceil(turns / step) * step / turns

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        loop = self._loop(nest, program.schedules[nest.number])
        assert loop is not None
        return self._tiled(program, nest, setting, loop)

    def _tiled(self, program: Program, nest: Nest, setting: Setting, loop: Loop) -> Schedule:
        before = program.schedules[nest.number]
        step = Step(loop=loop.variable, size=number(setting, "step"))
        block = shape(setting, "block") if before.layout is Layout.GRID else (prod(shape(setting, "block")),)
        tiled = replace(before, layout=Layout.GRID, block=block, step=step)
        chosen: list[Reference] = []
        for array in nest.read_only(program.scop):
            chosen += self._references(program, nest, tiled, loop, array)
        return replace(tiled, shared=tuple(chosen))

    @staticmethod
    def _references(program: Program, nest: Nest, tiled: Schedule, loop: Loop, array: str) -> list[Reference]:
        """One tile for an array, or one for each group of equal reads, where its reads form a box that threads share."""
        accesses = [a for leaf in leaves(loop) for a in leaf.accesses if a.array == array]
        if not accesses or any(not access.index for access in accesses):
            return []
        names = [{name for p in a.index or [] for name in names_in(p)} for a in accesses]
        stepped = any(loop.variable in used for used in names)
        shared = any(not set(tiled.loops) <= used for used in names)
        if not stepped or not shared:
            return []
        whole = Reference(array)
        if not isinstance(footprint_of(program, nest, tiled, whole), str):
            return [whole]
        moving = [
            a for a, used in zip(accesses, names, strict=True) if loop.variable in used and not set(tiled.loops) <= used
        ]
        apart = [Reference(array, (expression,)) for expression in dict.fromkeys(a.expression for a in moving)]
        return [one for one in apart if not isinstance(footprint_of(program, nest, tiled, one), str)]
