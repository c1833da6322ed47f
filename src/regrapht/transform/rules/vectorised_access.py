"""Two or four neighbouring points a thread, loaded and stored together."""

from dataclasses import replace

from regrapht.transform.codegen.points import aligned_start
from regrapht.transform.codegen.vectors import wide_arrays
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.reach import not_mapped, probe, trip_count
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class VectorisedAccess(Rule):
    slug = "vectorised_access"
    title = "neighbouring elements loaded and stored together"
    condition = (
        "numbered points, one a thread, and an array in which every point has an element of its own, or a few such as the parts of a "
        "pixel, side by side along a loop"
    )
    explanation = (
        "Each thread takes two or four neighbouring points and loads or stores their elements in wide accesses: fewer instructions and "
        "more bytes in flight; ends of rows, and arrays that do not start on a boundary, go element by element."
    )
    parameters = (Parameter("width", (4, 2)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := not_mapped(program, nest):
            return reason
        schedule, width = program.schedules[nest.number], number(setting, "width")
        if schedule.layout is not Layout.LINEAR or schedule.vector or schedule.coarsening:
            return "its points are not numbered one a thread"
        if schedule.rows:
            return "its blocks copy the rows of one point a thread"
        if nest.copies:
            return "its threads have copies of an array in their registers already"
        along = schedule.loops[0]
        if abs(nest.loop(along).step) != 1:
            return f"the loop over '{along}' does not go one by one"
        writer = probe(program, nest, schedule)
        values = writer.geometry.values(along)
        trips = trip_count(writer, along)
        if trips is not None and trips < width:
            return f"the loop over '{along}' has only {trips} iterations"
        if aligned_start(values.dim_min(0), width) is None:
            return f"the first value of '{along}' is no constant"
        if not wide_arrays(writer.geometry, schedule.loops, width):
            return f"no array is touched at one place, element by element along '{along}', that {width} lanes fit"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return replace(program.schedules[nest.number], vector=number(setting, "width"))
