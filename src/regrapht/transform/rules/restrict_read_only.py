"""Pointers that do not overlap, and loads through the read-only path."""

from dataclasses import replace

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.rule import Rule, Setting


class RestrictReadOnly(Rule):
    slug = "restrict_read_only"
    title = "__restrict__ pointers, read-only ones const"
    condition = "a nest that reads or writes arrays; the task's arrays do not overlap"
    explanation = (
        "The compiler is told that arrays do not overlap and which are only read: it may keep values in registers, reorder loads, and "
        "use the read-only data path."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule = program.schedules.get(nest.number)
        if schedule is None:
            return "it is not mapped to threads yet"
        if schedule.layout is Layout.LIBRARY and nest.kind is not Kind.SERIAL:
            return "a library computes it"
        return "its pointers are __restrict__ already" if schedule.restrict else None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], restrict=True)
