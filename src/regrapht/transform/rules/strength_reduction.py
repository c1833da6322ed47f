"""Costly loops and operations replaced by cheap ones that give the same value: so far, counting the bits of a word."""

from dataclasses import replace

from regrapht.transform.codegen.bit_counts import counted_bits
from regrapht.transform.ir.statements import While, every
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.rule import Rule, Setting


class StrengthReduction(Rule):
    slug = "strength_reduction"
    title = "bits counted by one instruction"
    condition = "a loop that counts the bits of an unsigned word, by clearing the lowest one or by shifting"
    explanation = (
        "A loop over the bits of a word, whose turns the threads of a warp leave at different times, becomes the instruction that counts "
        "them."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule = program.schedules.get(nest.number)
        if schedule is None:
            return "it is not mapped to threads yet"
        if schedule.layout is Layout.LIBRARY:
            return "a library computes it"
        if schedule.bits:
            return "its bits are counted by one instruction already"
        loops = [one for leaf in nest.group for one in every(leaf.statements) if isinstance(one, While)]
        if not any(counted_bits(loop, program.scop.symbols.types) for loop in loops):
            return "it has no loop that counts the bits of an unsigned word"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], bits=True)
