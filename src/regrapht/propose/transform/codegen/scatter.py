"""A nest whose iterations update elements that data or index choose: atomics, on the target or on a copy in shared memory.

CUDA has none for cells of 8 and 16 bits. What comes to these is collected in cells of type `int`, which hold all their values, and then
combined with them, cut to their type: bits beyond it change nothing in sums and bitwise operations, and a maximum or minimum has none.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from regrapht.propose.transform.codegen import arithmetic
from regrapht.propose.transform.codegen.arithmetic import smaller
from regrapht.propose.transform.codegen.geometry import operand
from regrapht.propose.transform.codegen.linear import points_of, strided, write_linear
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.printer import Printer, UpdateHook
from regrapht.propose.transform.codegen.writer import Launch, Scratch, Writer
from regrapht.propose.transform.frontend.expression_types import type_of
from regrapht.propose.transform.frontend.expressions import Element, place_name
from regrapht.propose.transform.frontend.statements import Update
from regrapht.propose.transform.nest import has_atomic

SHARED_BYTES = 48 * 1024
_WIDE = "int"
_THREADS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Where updates of an array are collected: its name, or that of the wide cells beside it, and the type that they have there."""

    name: str
    type: str


def write_scatter(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; a private copy is taken at run time only where it fits into shared memory."""
    writer, targets = nest.writer, nest.nest.targets
    types = {name: writer.scop.element_type(name) for name in targets}
    narrow = [name for name, operator in targets.items() if not has_atomic(operator, types[name])]
    cells = {
        name: _wide_cells(nest, name) if name in narrow else Cells(name=name, type=types[name]) for name in targets
    }
    before = [line for name in narrow for line in _cleared(nest, name, cells[name])]
    lines = _updates(nest, cells)
    return [*before, *lines, *(line for name in narrow for line in _combined(nest, name, cells[name]))]


def _updates(nest: NestWriter, cells: Mapping[str, Cells]) -> list[str]:
    printer = replace(nest.printer(), update=atomics(nest, nest.nest.targets, cells))
    if not nest.schedule.private:
        return write_linear(nest, printer, "update")
    (array,) = nest.nest.targets
    extent = nest.writer.extents[array]
    size = f"{operand(extent)} * sizeof({cells[array].type})"
    common = replace(nest.schedule, private=False)
    plain = write_linear(NestWriter(nest.writer, nest.nest, common), printer, "update")
    return [
        f"if ({size} <= {SHARED_BYTES}) {{",
        *_private(nest, array, cells[array], extent, size),
        "} else {",
        *plain,
        "}",
    ]


def atomics(nest: NestWriter, targets: Container[str], cells: Mapping[str, Cells] | None = None) -> UpdateHook:
    """The hook that makes updates of `targets` atomic, in other `cells` where there are any."""

    def update(statement: Update, printer: Printer) -> str | None:
        target = statement.target
        name = place_name(target)
        if name not in targets:
            return None
        type_name = nest.writer.scop.element_type(name)
        own = (cells or {}).get(name) or Cells(name=name, type=type_name)
        place = printer.expression(target)
        if own.name != name and isinstance(target, Element):
            place = own.name + place.removeprefix(name)
        value = printer.expression(statement.value)
        if type_of(statement.value, nest.writer.scop.symbols.types) != type_name:
            value = f"({type_name})({value})"
        return arithmetic.atomic(place, statement.operator, value, own.type)

    return update


def _private(nest: NestWriter, array: str, cells: Cells, extent: str, size: str) -> list[str]:
    writer, operator = nest.writer, nest.nest.targets[array]
    copy, bin_ = writer.fresh(f"{array}_block"), writer.fresh("bin")
    neutral = arithmetic.identity(operator, cells.type)
    each = f"for (int {bin_} = threadIdx.x; {bin_} < {extent}; {bin_} += {nest.schedule.threads}) {{"
    in_copy = {array: Cells(name=copy, type=cells.type)}
    printer = replace(nest.printer(), update=atomics(nest, nest.nest.targets, in_copy))
    points = points_of(nest)
    lines = [f"extern __shared__ {cells.type} {copy}[];", each, f"{copy}[{bin_}] = {neutral};", "}", "__syncthreads();"]
    lines += strided(nest, points, printer)
    add = arithmetic.atomic(f"{cells.name}[{bin_}]", operator, f"{copy}[{bin_}]", cells.type)
    lines += ["__syncthreads();", each, f"if ({copy}[{bin_}] != {neutral}) {{", add, "}", "}"]
    wide = "" if points.single and points.type != "long long" else "(long long)"
    grid = smaller(points.blocks(nest.schedule.threads), str(nest.schedule.grid_stride), wide)
    return writer.kernel("update", lines, nest.launch(grid, nest.schedule.block, shared_bytes=size))


def _wide_cells(nest: NestWriter, array: str) -> Cells:
    cells = Cells(name=nest.writer.fresh(f"{array}_wide_{nest.nest.number}"), type=_WIDE)
    more_than_none = f"({_count(nest.writer, array)} + 1)"
    nest.writer.scratch[cells.name] = Scratch(cells.type, more_than_none)
    return cells


def _count(writer: Writer, array: str) -> str:
    """How many elements the array has: a number, or a text of an unsigned type of 64 bits."""
    text = writer.scratch[array].count if array in writer.scop.locals else writer.extents[array]
    if array not in writer.scop.buffers and not re.search(r"\w\s*\(", text):
        text = re.sub(r"\b([A-Za-z_]\w*)", r"(long long)\1", text)  # products of sizes in 64 bits
    return text if text.isdigit() else f"size_t({text})"


def _cleared(nest: NestWriter, array: str, cells: Cells) -> list[str]:
    """The launch that sets all cells to what changes nothing."""
    cell = nest.writer.fresh("cell")
    return _each_cell(nest, array, "clear", [f"{cells.name}[{cell}] = {_neutral(nest, array)};"])


def _combined(nest: NestWriter, array: str, cells: Cells) -> list[str]:
    """The launch that combines the cells that something came to with the array's elements: others may not be initialised."""
    cell, operator, type_name = (
        nest.writer.fresh("cell"),
        nest.nest.targets[array],
        nest.writer.scop.element_type(array),
    )
    collected = f"{cells.name}[{cell}]"
    value = collected if operator in ("max", "min") else f"({type_name}){collected}"
    update = arithmetic.update(f"{array}[{cell}]", operator, value, type_name)
    return _each_cell(nest, array, "narrow", [f"if ({collected} != {_neutral(nest, array)}) {{", update, "}"])


def _neutral(nest: NestWriter, array: str) -> str:
    return arithmetic.identity(nest.nest.targets[array], _WIDE)


def _each_cell(nest: NestWriter, array: str, word: str, lines: list[str]) -> list[str]:
    writer, cell, count = nest.writer, nest.writer.fresh("cell"), _count(nest.writer, array)
    number = f"const size_t {cell} = size_t(blockIdx.x) * {_THREADS} + threadIdx.x;"
    launch = Launch(
        grid=f"({count} + {_THREADS - 1}) / {_THREADS}",
        block=str(_THREADS),
        condition=None if count.isdigit() else f"{count} > 0",
        written=frozenset({array}),
    )
    return writer.kernel(word, [number, f"if ({cell} < {count}) {{", *lines, "}"], launch)
