"""Numbered points: one or several a thread, in order or by a grid-wide stride."""

from typing import Any

from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.vectors import VectorBody

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
        grid = points.blocks_at_most(per_block, schedule.grid_stride)
        return nest.writer.kernel(word, lines, nest.launch(grid, schedule.block))
    number, inner = points.own_number(per_block), []
    if many > 1:
        part = nest.writer.fresh("part")
        number = f"{number} + {part} * {schedule.threads}"
        inner = [f"#pragma unroll\nfor (int {part} = 0; {part} < {many}; ++{part}) {{"]
    lines = [*inner, *one_point(nest, points, number, printer or nest.printer()), *(["}"] if inner else [])]
    return nest.writer.kernel(word, lines, nest.launch(points.blocks(per_block), schedule.block))


def one_point(nest: NestWriter, points: Points, number: str, printer: Printer) -> list[str]:
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


def code_of_points(nest: NestWriter, points: Points, printer: Printer) -> list[str]:
    """The code inside of a loop over points, with the loop variables known."""
    return _code(nest, _within(nest, points), printer)


def _within(nest: NestWriter, points: Points) -> Any:
    """What a thread knows of the loop variables inside of a loop that ends with the last point."""
    last = points.axes[-1]
    return points.known.intersect(nest.geometry.at_most(last.variable, last.values.dim_max(0)))


def _code(nest: NestWriter, known: Any, printer: Printer) -> list[str]:
    body = nest.body(nest.schedule.loops)
    return [*nest.local_declarations(), *nest.fragments(body).code(body, nest.schedule.loops, known, printer)]


def strided(nest: NestWriter, points: Points, printer: Printer) -> list[str]:
    """A loop over the points of a thread, a whole grid apart."""
    known = points.known if nest.schedule.vector and points.single else _within(nest, points)
    if not nest.schedule.vector:
        return _turns(nest, points, _code(nest, known, printer))
    vectors = VectorBody(nest, known)
    groups = vectors.whole_groups(points.axes[0].values, int(points.axes[0].low)) if points.single else None
    if groups is None:
        return [*vectors.head(), *_turns(nest, points, vectors.lines(printer))]
    return [*vectors.head(), *_whole_groups_first(nest, points, groups, vectors.fast(printer), vectors.slow(printer))]


def _turns(nest: NestWriter, points: Points, code: list[str]) -> list[str]:
    """The stride loop around the code of a point; several turns at once where the schedule unrolls and nothing else loops."""
    head, many = points.strided(nest.schedule.threads), _turns_at_once(nest)
    if many == 1:
        return [head, *points.coordinates(points.name), *code, "}"]
    lines = points.stride_start(nest.schedule.threads)
    for turns in (many, 1):
        lines += points.stride_loop(points.end, turns, code)
    return lines


def _whole_groups_first(nest: NestWriter, points: Points, groups: str, fast: list[str], slow: list[str]) -> list[str]:
    """Stride loops over the groups that are whole, without a test inside, and then over what is left."""
    many, whole = _turns_at_once(nest), nest.writer.fresh("whole")
    lines = [f"const {points.type} {whole} = {groups};", *points.stride_start(nest.schedule.threads)]
    for turns in (many, 1) if many > 1 else (1,):
        lines += points.stride_loop(whole, turns, fast)
    return [*lines, *points.stride_loop(points.end, 1, slow)]


def _turns_at_once(nest: NestWriter) -> int:
    """Turns of a stride loop whose loads may be under way together."""
    has_loops = any(len(leaf.dims) > len(nest.schedule.loops) for leaf in nest.nest.group)
    return 1 if has_loops else max(nest.schedule.unroll, 1)


def points_of(nest: NestWriter) -> Points:
    """The numbering of a nest's points, in groups where its accesses are wide."""
    return Points(nest.geometry, nest.schedule.loops, nest.writer, nest.schedule.vector or 1)
