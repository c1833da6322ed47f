"""Loads and stores of what is touched once, past the caches."""

from dataclasses import replace

from regrapht.transform.codegen.nest_writer import touched_once
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.rules.reach import not_mapped
from regrapht.transform.rules.rule import Rule, Setting


class StreamingStores(Rule):
    slug = "streaming_stores"
    title = "what is touched once goes past the caches"
    condition = "a nest that reads or writes each element of some array once, by a single access"
    explanation = (
        "Elements that a kernel touches once are loaded and stored with a hint to drop them first: they do not push what is used again "
        "out of the caches."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule = program.schedules[nest.number]
        if schedule.streaming:
            return "its accesses carry the hint already"
        kept = {*schedule.constant, *schedule.rows, *(reference.array for reference in schedule.shared)}
        if not touched_once(nest, program.scop) - kept:
            return "every array that it touches is used more than once, or at places that data choose"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], streaming=True)
