"""A nest whose iterations update elements that data or index choose: atomics, on the targets or on copies in shared memory.

CUDA has none for cells of 8 and 16 bits. What comes to these is collected in cells of type `int`, which hold all their values, and then
combined with them, cut to their type: bits beyond it change nothing in sums and bitwise operations, and a maximum or minimum has none.
"""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.linear import points_of, strided, write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer, UpdateHook
from regrapht.transform.codegen.writer import Launch, Scratch, Writer
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import Element, place_name
from regrapht.transform.ir.statements import Update
from regrapht.transform.plan.nest import has_atomic, keeps_best
from regrapht.transform.plan.schedule import SHARED_BYTES

_WIDE = "int"
_THREADS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Where updates of an array are collected: its name, or that of the wide cells beside it, and the type that they have there."""

    name: str
    type: str


def cell_type(operator: str, type_name: str) -> str:
    """The type of the cells that updates of elements of this type are collected in."""
    return type_name if has_atomic(operator, type_name) or keeps_best(operator, type_name) else _WIDE


def write_scatter(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; private copies are taken at run time only where all of them fit into shared memory."""
    writer, targets = nest.writer, nest.nest.targets
    types = {name: writer.scop.element_type(name) for name in targets}
    narrow = [name for name, operator in targets.items() if cell_type(operator, types[name]) != types[name]]
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
    common = replace(nest.schedule, private=())
    plain = write_linear(NestWriter(nest.writer, nest.nest, common), printer, "update")
    sizes = bytes_of_copies(nest, {name: cells[name] for name in nest.schedule.private})
    return [f"if ({copies_fit(sizes)}) {{", *_private(nest, cells, " + ".join(sizes.values())), "} else {", *plain, "}"]


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


def _private(nest: NestWriter, cells: Mapping[str, Cells], size: str) -> list[str]:
    """Lines that launch blocks with copies of `size` bytes in all."""
    writer = nest.writer
    copies = {name: Cells(name=writer.fresh(f"{name}_block"), type=cells[name].type) for name in nest.schedule.private}
    printer = replace(nest.printer(), update=atomics(nest, nest.nest.targets, {**cells, **copies}))
    points = points_of(nest)
    lines = [*declared_copies(nest, copies), *_cleared_copies(nest, copies), "__syncthreads();"]
    lines += strided(nest, points, printer)
    lines += ["__syncthreads();", *_added_copies(nest, copies, cells)]
    grid = points.blocks_at_most(nest.schedule.threads, nest.schedule.grid_stride)
    return writer.kernel("update", lines, nest.launch(grid, nest.schedule.block, shared_bytes=size))


def by_length(nest: NestWriter, arrays: Iterable[str]) -> dict[str, list[str]]:
    """Arrays by the text of their length."""
    found: dict[str, list[str]] = {}
    for name in arrays:
        found.setdefault(nest.writer.extents[name], []).append(name)
    return found


def bytes_of_copies(nest: NestWriter, cells: Mapping[str, Cells]) -> dict[str, str]:
    """The bytes of all copies of arrays of one length, by that length."""
    sizes = {}
    for extent, names in by_length(nest, cells).items():
        each = " + ".join(f"sizeof({cells[name].type})" for name in names)
        count = _in_64_bits(extent) if "*" in extent else extent
        sizes[extent] = f"{operand(count)} * {each if len(names) == 1 else operand(each)}"
    return sizes


def copies_fit(sizes: Mapping[str, str]) -> str:
    """The condition that all copies together fit. One of a negative length is a huge unsigned size, which must not vanish in a sum."""
    total = " + ".join(sizes.values())
    tested = [size for extent, size in sizes.items() if re.search(r"[a-z]", extent, re.I)] if len(sizes) > 1 else []
    return " && ".join(f"{size} <= {SHARED_BYTES}" for size in [*tested, total])


def declared_copies(nest: NestWriter, copies: Mapping[str, Cells]) -> list[str]:
    """The copies one behind the other. The widest cells come first, so that each copy starts at a multiple of its cells' size."""
    lines: list[str] = []
    end, end_type = "", ""
    for name, copy in copies.items():
        if not lines:
            lines.append(f"extern __shared__ {copy.type} {copy.name}[];")
        else:
            start = end if copy.type == end_type else f"({copy.type}*)({end})"
            lines.append(f"{copy.type}* const {copy.name} = {start};")
        end, end_type = f"{copy.name} + {nest.writer.extents[name]}", copy.type
    return lines


def each_of_block(nest: NestWriter, extent: str, name: str) -> str:
    """The head of a loop in which the threads of a block share so many elements."""
    return f"for (int {name} = threadIdx.x; {name} < {extent}; {name} += {nest.schedule.threads}) {{"


def _cleared_copies(nest: NestWriter, copies: Mapping[str, Cells]) -> list[str]:
    """Loops that set the copies to what changes nothing."""
    lines, bin_ = [], nest.writer.fresh("bin")
    for extent, names in by_length(nest, copies).items():
        cleared = [f"{copies[name].name}[{bin_}] = {_unchanging(nest, name, copies[name])};" for name in names]
        lines += [each_of_block(nest, extent, bin_), *cleared, "}"]
    return lines


def _added_copies(nest: NestWriter, copies: Mapping[str, Cells], cells: Mapping[str, Cells]) -> list[str]:
    """Loops that combine the copies with the cells that all blocks share; what nothing came to is left out."""
    lines, bin_ = [], nest.writer.fresh("bin")
    for extent, names in by_length(nest, copies).items():
        lines.append(each_of_block(nest, extent, bin_))
        for name in names:
            copy, own = f"{copies[name].name}[{bin_}]", cells[name]
            add = arithmetic.atomic(f"{own.name}[{bin_}]", nest.nest.targets[name], copy, own.type)
            lines += [f"if ({copy} != {_unchanging(nest, name, own)}) {{", add, "}"]
        lines.append("}")
    return lines


def _unchanging(nest: NestWriter, name: str, cells: Cells) -> str:
    return arithmetic.identity(nest.nest.targets[name], cells.type)


def _wide_cells(nest: NestWriter, array: str) -> Cells:
    cells = Cells(name=nest.writer.fresh(f"{array}_wide_{nest.nest.number}"), type=_WIDE)
    more_than_none = f"({count_of(nest.writer, array)} + 1)"
    nest.writer.scratch[cells.name] = Scratch(cells.type, more_than_none)
    return cells


def count_of(writer: Writer, array: str) -> str:
    """How many elements the array has: a number, or a text of an unsigned type of 64 bits."""
    text = writer.scratch[array].count if array in writer.scop.locals else writer.extents[array]
    if array not in writer.scop.buffers and not re.search(r"\w\s*\(", text):
        text = _in_64_bits(text)
    return text if text.isdigit() else f"size_t({text})"


def _in_64_bits(text: str) -> str:
    """A product of sizes, computed in 64 bits."""
    return re.sub(r"\b([A-Za-z_]\w*)", r"(long long)\1", text)


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
    writer, cell, count = nest.writer, nest.writer.fresh("cell"), count_of(nest.writer, array)
    number = f"const size_t {cell} = size_t(blockIdx.x) * {_THREADS} + threadIdx.x;"
    launch = Launch(
        grid=f"({count} + {_THREADS - 1}) / {_THREADS}",
        block=str(_THREADS),
        condition=None if count.isdigit() else f"{count} > 0",
        written=frozenset({array}),
    )
    return writer.kernel(word, [number, f"if ({cell} < {count}) {{", *lines, "}"], launch)
