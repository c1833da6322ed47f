"""Numbered points: one or several a thread, in order or by a grid-wide stride."""

from regrapht.propose.transform.codegen.arithmetic import smaller
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.points import Points
from regrapht.propose.transform.codegen.printer import Printer
from regrapht.propose.transform.codegen.vectors import VectorBody

POINT = "point"
"""The key of LINEAR's coarsening."""


def write_linear(nest: NestWriter, printer: Printer | None = None, word: str = "map") -> list[str]:
    """Lines that launch a nest whose mapped loops are numbered together."""
    schedule = nest.schedule
    points = points_of(nest)
    many = schedule.coarsening.get(POINT, 1)
    per_block = schedule.threads * many
    if schedule.grid_stride:
        lines = strided(nest, points, printer or nest.printer())
        wide = "" if points.single and points.type != "long long" else "(long long)"
        grid = smaller(points.blocks(per_block), str(schedule.grid_stride), wide)
        return nest.writer.kernel(word, lines, nest.launch(grid, schedule.block))
    number, inner = points.own_number(per_block), []
    if many > 1:
        part = nest.writer.fresh("part")
        number = f"{number} + {part} * {schedule.threads}"
        inner = [f"#pragma unroll\nfor (int {part} = 0; {part} < {many}; ++{part}) {{"]
    lines = [*inner, *_one_point(nest, points, number, printer or nest.printer()), *(["}"] if inner else [])]
    return nest.writer.kernel(word, lines, nest.launch(points.blocks(per_block), schedule.block))


def _one_point(nest: NestWriter, points: Points, number: str, printer: Printer) -> list[str]:
    """The code of the point with the given number."""
    head: list[str] = []
    if not points.single:
        head, number = [f"const {points.type} {points.name} = {number};"], points.name
    if nest.schedule.vector:
        vectors = VectorBody(nest, points.known)
        return [*head, *points.coordinates(number), *vectors.head(), *vectors.lines(printer)]
    body = nest.body(nest.schedule.loops)
    code = nest.fragments(body).code(body, nest.schedule.loops, points.known, printer)
    return [*head, *points.coordinates(number), *nest.local_declarations(), *code]


def strided(nest: NestWriter, points: Points, printer: Printer) -> list[str]:
    """A loop over the points of a thread, a whole grid apart."""
    geometry, last = nest.geometry, points.axes[-1]
    known = points.known
    if not (nest.schedule.vector and points.single):
        known = known.intersect(geometry.at_most(last.variable, last.values.dim_max(0)))
    before: list[str] = []
    if nest.schedule.vector:
        vectors = VectorBody(nest, known)
        before, code = vectors.head(), vectors.lines(printer)
    else:
        body = nest.body(nest.schedule.loops)
        code = [*nest.local_declarations(), *nest.fragments(body).code(body, nest.schedule.loops, known, printer)]
    threads, name = nest.schedule.threads, points.name
    head = points.strided(threads)
    return [*before, head, *points.coordinates(name), *code, "}"]


def points_of(nest: NestWriter) -> Points:
    """The numbering of a nest's points, in groups where its accesses are wide."""
    return Points(nest.geometry, nest.schedule.loops, nest.writer, nest.schedule.vector or 1)
