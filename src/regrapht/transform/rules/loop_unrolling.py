"""The innermost loops of a thread, unrolled."""

from dataclasses import replace
from math import ceil, log2

from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.ir.statements import For, every
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.polyhedral.loop_tree import READ, Loop
from regrapht.transform.rules.fill import BYTES_IN_FLIGHT, PROCESSORS, blocks_of, threads_at_once
from regrapht.transform.rules.reach import not_mapped, sequential_loops, uses
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

USUAL = 4
"""The factor that is enough where many threads share the wait."""
MOST = 32
MOST_RESIDENT = 2
"""Blocks a processor up to which registers are plenty."""


class LoopUnrolling(Rule):
    slug = "loop_unrolling"
    title = "innermost loops unrolled"
    condition = "a sequential loop inside a thread, over a nest's iterations or over a thread's points"
    explanation = (
        "The innermost sequential loop, or that over the points of a thread, takes several iterations a turn: fewer branches, and the "
        "loads of several iterations in flight at once."
    )
    parameters = (Parameter("factor", (USUAL, 8, 2, 16, MOST)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.unroll:
            return "its loops are unrolled already"
        loops = sequential_loops(nest, schedule)
        shared = schedule.layout is Layout.ROWS
        deep = [loop for loop in loops if not shared or any(loop in other.children for other in loops)]
        text = any(isinstance(one, For) for leaf in nest.group for one in every(leaf.statements))
        return None if deep or text or _strides(schedule) else "no sequential loop is left inside a thread"

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        """How far a factor is, in doublings, from the one that keeps the memory busy (Little's law: bytes in flight = rate * latency).

        Few threads need many loads each; with many, a few suffice.
        """
        schedule = program.schedules[nest.number]
        threads = threads_at_once(program, nest, schedule)
        loops = sequential_loops(nest, schedule)
        loads = max((_bytes_a_turn(program, nest, schedule, loop) for loop in loops), default=0)
        if not loops and _strides(schedule):
            loads = _bytes_a_turn(program, nest, schedule, None) * max(schedule.vector, 1)
        if not threads or not loads or schedule.step or schedule.layout is Layout.ROWS:
            return 0.0
        wanted = min(max(2 ** ceil(log2(BYTES_IN_FLIGHT / (threads * loads))), USUAL), MOST)
        return abs(log2(number(setting, "factor") / wanted))

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        before = program.schedules[nest.number]
        schedule = replace(before, unroll=number(setting, "factor"))
        return schedule if before.resident else replace(schedule, resident=self._resident(program, nest, schedule))

    @staticmethod
    def _resident(program: Program, nest: Nest, schedule: Schedule) -> int:
        """Where there are few blocks, how many a processor gets: the compiler may then take the registers that so many loads need.

        Left to itself it keeps to what lets many blocks be resident, and issues only as many loads at once as fit.
        """
        if schedule.layout is not Layout.LINEAR or nest.kind is Kind.REDUCE:
            return 0
        blocks = blocks_of(program, nest, schedule)
        each = ceil(blocks / PROCESSORS) if blocks is not None else MOST_RESIDENT + 1
        return each if each <= MOST_RESIDENT else 0


def _strides(schedule: Schedule) -> bool:
    """Whether the points of a thread are a loop."""
    return schedule.layout is Layout.LINEAR and schedule.grid_stride > 0


def _bytes_a_turn(program: Program, nest: Nest, schedule: Schedule, loop: Loop | None) -> int:
    """What one iteration of a sequential loop, or one point, loads from arrays, in bytes; 0 for a loop around others."""
    if loop is not None and any(isinstance(child, Loop) for child in loop.children):
        return 0
    tiled = {reference.array for reference in schedule.shared}
    read = {
        access.expression: size_bytes(program.scop.element_type(access.array))
        for access in nest.accesses
        if access.kind == READ
        and isinstance(access.expression, Element)
        and access.array in program.scop.arrays - tiled
        and (loop is None or loop.variable in access.leaf.dims)
        and (loop is None or not access.index or uses(access, loop.variable))
    }
    return sum(read.values())
