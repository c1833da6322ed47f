"""A limit on registers, so that several blocks fit on a multiprocessor."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number

RESIDENT_THREADS = 1024
"""Threads that every multiprocessor from sm_60 on can hold at once."""


class LaunchBounds(Rule):
    slug = "launch_bounds"
    title = "registers limited, so that several blocks share a multiprocessor"
    condition = "a nest that runs in more than one thread, and blocks of which several fit on a multiprocessor"
    explanation = (
        "The compiler is told the size of a block and how many of them must fit on a multiprocessor: it keeps to so many registers that "
        "enough warps are there to hide latency."
    )
    parameters = (Parameter("blocks", (2, 4, 3, 8, 1)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule, blocks = program.schedules[nest.number], number(setting, "blocks")
        if schedule.resident:
            return "its blocks have launch bounds already"
        if blocks * schedule.threads > RESIDENT_THREADS:
            return f"{blocks} blocks of {schedule.threads} threads are more than every multiprocessor holds"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], resident=number(setting, "blocks"))
