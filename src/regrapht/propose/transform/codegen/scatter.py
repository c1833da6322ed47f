"""A nest whose iterations update elements that data or index choose: atomics, on the target or on a copy in shared memory."""

from collections.abc import Container, Mapping
from dataclasses import replace

from regrapht.propose.transform.codegen import arithmetic
from regrapht.propose.transform.codegen.arithmetic import smaller
from regrapht.propose.transform.codegen.geometry import operand
from regrapht.propose.transform.codegen.linear import points_of, strided, write_linear
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.printer import Printer, UpdateHook
from regrapht.propose.transform.frontend.expression_types import type_of
from regrapht.propose.transform.frontend.expressions import Element, place_name
from regrapht.propose.transform.frontend.statements import Update

SHARED_BYTES = 48 * 1024


def write_scatter(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; a private copy is taken at run time only where it fits into shared memory."""
    printer = replace(nest.printer(), update=atomics(nest, nest.nest.targets))
    if not nest.schedule.private:
        return write_linear(nest, printer, "update")
    (array,) = nest.nest.targets
    extent = nest.writer.extents[array]
    size = f"{operand(extent)} * sizeof({nest.writer.scop.element_type(array)})"
    common = replace(nest.schedule, private=False)
    plain = write_linear(NestWriter(nest.writer, nest.nest, common), printer, "update")
    return [f"if ({size} <= {SHARED_BYTES}) {{", *_private(nest, array, extent, size), "} else {", *plain, "}"]


def atomics(nest: NestWriter, targets: Container[str], private: Mapping[str, str] | None = None) -> UpdateHook:
    """The hook that makes updates of `targets` atomic, in `private` copies where there are any."""
    copies = private or {}

    def update(statement: Update, printer: Printer) -> str | None:
        target = statement.target
        name = place_name(target)
        if name not in targets:
            return None
        place = printer.expression(target)
        if name in copies and isinstance(target, Element):
            place = copies[name] + place.removeprefix(name)
        type_name = nest.writer.scop.element_type(name)
        value = printer.expression(statement.value)
        if type_of(statement.value, nest.writer.scop.symbols.types) != type_name:
            value = f"({type_name})({value})"
        return arithmetic.atomic(place, statement.operator, value, type_name)

    return update


def _private(nest: NestWriter, array: str, extent: str, size: str) -> list[str]:
    writer, operator = nest.writer, nest.nest.targets[array]
    type_name = writer.scop.element_type(array)
    copy, bin_ = writer.fresh(f"{array}_block"), writer.fresh("bin")
    neutral = arithmetic.identity(operator, type_name)
    each = f"for (int {bin_} = threadIdx.x; {bin_} < {extent}; {bin_} += {nest.schedule.threads}) {{"
    printer = replace(nest.printer(), update=atomics(nest, nest.nest.targets, {array: copy}))
    points = points_of(nest)
    lines = [f"extern __shared__ {type_name} {copy}[];", each, f"{copy}[{bin_}] = {neutral};", "}", "__syncthreads();"]
    lines += strided(nest, points, printer)
    add = arithmetic.atomic(f"{array}[{bin_}]", operator, f"{copy}[{bin_}]", type_name)
    lines += ["__syncthreads();", each, f"if ({copy}[{bin_}] != {neutral}) {{", add, "}", "}"]
    wide = "" if points.single and points.type != "long long" else "(long long)"
    grid = smaller(points.blocks(nest.schedule.threads), str(nest.schedule.grid_stride), wide)
    return writer.kernel("update", lines, nest.launch(grid, nest.schedule.block, shared_bytes=size))
