"""Rows that a thread would walk alone, neighbours a row apart, copied to shared memory by its whole block first.

The rows of a block's points lie one after another, so that the copy is coalesced. In shared memory a row begins an odd number of words
after the one before it: threads that read one column each of their own row then use different banks.
"""

from collections.abc import Sequence
from dataclasses import replace

from regrapht.source.polynomial import Terms, names_in
from regrapht.transform.codegen.extent import extent_of
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.linear import one_point, points_of, write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import is_unsigned, size_bytes
from regrapht.transform.plan.schedule import SHARED_BYTES
from regrapht.transform.polyhedral.affine import c_text
from regrapht.transform.polyhedral.point_rows import PointRows, can_be_copied, rows_of

_WORD = 4


def staged_rows(nest: NestWriter, array: str) -> PointRows | str:
    """The rows of an array that a block can copy, or why there are none."""
    (point,) = nest.schedule.loops
    scop, accesses = nest.writer.scop, [access for access in nest.nest.accesses if access.array == array]
    sizes = nest.nest.shapes.get(array) or []
    if array in scop.function.fields or array in scop.function.tables:
        return "its elements do not lie side by side"
    rows = rows_of(array, accesses, sizes, point, scop)
    if isinstance(rows, str):
        return rows
    values, extent = nest.geometry.values(point), extent_of(nest.geometry, array)
    if not can_be_copied(array, accesses, sizes, values, scop, extent):
        return "not all elements of its rows are read for certain, and the task does not say that they exist"
    return rows


def padded(length: int, size: int) -> int:
    """Elements of `size` bytes from one row of shared memory to the next: an odd number of words, or of larger elements."""
    if size >= _WORD:
        return length | 1
    return (-(-length * size // _WORD) | 1) * (_WORD // size)


def longest(threads: int, size: int) -> int:
    """The most elements that a row may have for a block's rows to fit; 0 where none does."""
    length = SHARED_BYTES // (threads * size)
    while length > 0 and padded(length, size) * threads * size > SHARED_BYTES:
        length -= 1
    return length


def write_staged(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; rows are copied only where those of a block turn out to fit."""
    scop = nest.writer.scop
    arrays = sorted(nest.schedule.rows, key=lambda array: (-size_bytes(scop.element_type(array)), array))
    found = [rows for array in arrays if isinstance(rows := staged_rows(nest, array), PointRows)]
    if len(found) < len(arrays):  # the rule has made sure
        return write_linear(replace(nest, schedule=replace(nest.schedule, rows=())))
    staged = [_Staged(nest, rows) for rows in found]
    lines = _Kernel(nest, staged).launch()
    conditions = [text for one in staged for text in one.conditions]
    if len(staged) > 1 and conditions:
        conditions.append(f"{_total(staged)} <= {SHARED_BYTES}")
    if not conditions:
        return lines
    plain = write_linear(replace(nest, schedule=replace(nest.schedule, rows=())))
    return [f"if ({' && '.join(conditions)}) {{", *lines, "} else {", *plain, "}"]


def _total(staged: "Sequence[_Staged]") -> str:
    return " + ".join(one.bytes for one in staged)


class _Staged:
    """One array's rows in shared memory, and the texts for them."""

    def __init__(self, nest: NestWriter, rows: PointRows) -> None:
        self.rows, self.array, self.threads = rows, rows.array, nest.schedule.threads
        self.nest, writer = nest, nest.writer
        self.type = writer.scop.element_type(self.array)
        self.size = size_bytes(self.type)
        self.copy, self.own = writer.fresh(f"{self.array}_rows"), writer.fresh(f"{self.array}_row")
        self.pitch, self.first = writer.fresh(f"{self.array}_pitch"), writer.fresh(f"{self.array}_first")
        self.constant = rows.length.get((), 0) if not set(rows.length) - {()} else None
        self.length = self.text(rows.length)

    def text(self, polynomial: Terms, arguments: dict[str, str] | None = None) -> str:
        """A polynomial as C, in a signed type that holds all of its terms."""
        types = self.nest.writer.scop.symbols.types
        simple = len(polynomial) <= 1 and all(len(atoms) <= 1 and value == 1 for atoms, value in polynomial.items())
        wide = not simple and (polynomial in (self.rows.length, *self.rows.sizes) or _has_unsigned(polynomial, types))
        text = ""
        for atoms, value in sorted(polynomial.items(), key=lambda item: (item[1] < 0, item[0] == (), item[0])):
            factors = [operand(c_text(atom, {}, arguments)) for atom in atoms]
            factors = [str(abs(value)), *factors] if abs(value) != 1 or not atoms else factors
            term = ("(long long)" if wide and atoms else "") + " * ".join(factors)
            text += (" - " if value < 0 else " + ") + term
        if not text:
            return "0"
        return text[3:] if text.startswith(" + ") else "-" + text[3:]

    @property
    def conditions(self) -> list[str]:
        """What the launcher tests: there is something in a row, and those of a block fit."""
        if self.constant is not None:
            return []
        varying = [operand(self.text(size)) for size in self.rows.sizes if set(size) - {()}]
        most = f"{operand(self.length)} <= {longest(self.threads, self.size)}"
        return [*(f"{size} >= 1" for size in varying), most]  # the product of two negative ones is positive

    @property
    def padded(self) -> str:
        """Elements from row to row in shared memory."""
        if self.constant is not None:
            return str(padded(self.constant, self.size))
        if self.size >= _WORD:
            return f"{operand(self.length)} | 1"
        return (
            f"(({operand(self.length)} + {_WORD // self.size - 1}) / {_WORD // self.size} | 1) * {_WORD // self.size}"
        )

    @property
    def bytes(self) -> str:
        """Shared memory of a block."""
        many = self.threads * self.size
        return str(int(self.padded) * many) if self.constant is not None else f"{operand(self.padded)} * {many}"


def _has_unsigned(polynomial: Terms, types: dict[str, str]) -> bool:
    """Whether a name in it has an unsigned type in the source: what is taken from it might wrap."""
    return any(is_unsigned(types.get(name, "int")) for name in names_in(polynomial))


class _Kernel:
    """The skeleton: all threads copy the rows and wait; then each with a point reads its own."""

    def __init__(self, nest: NestWriter, staged: Sequence[_Staged]) -> None:
        self.nest, self.staged = nest, {one.array: one for one in staged}
        self.points = points_of(nest)
        fresh = nest.writer.fresh
        self.first, self.count = fresh("first_point"), fresh("points_here")
        self.cell, self.row, self.column = fresh("cell"), fresh("row"), fresh("column")

    def launch(self) -> list[str]:
        nest, points, threads = self.nest, self.points, self.nest.schedule.threads
        lines = [*self._block(points, threads), *self._memory()]
        for one in self.staged.values():
            lines += self._copied(one)
        lines.append("__syncthreads();")
        for one in self.staged.values():
            lines.append(f"const {one.type}* const {one.own} = {one.copy} + threadIdx.x * {one.pitch};")
        printer = replace(nest.printer(), access=self._access)
        lines += one_point(nest, points, points.own_number(threads), printer)
        shape = nest.launch(points.blocks(threads), nest.schedule.block, shared_bytes=_total([*self.staged.values()]))
        return nest.writer.kernel("staged", lines, shape)

    def _block(self, points: Points, threads: int) -> list[str]:
        """The number of a block's first point, and how many points it has."""
        axis = points.axes[0]
        block = f"{'(long long)' if axis.type == 'long long' else '(int)'}blockIdx.x * {threads}"
        left = f"{operand(axis.last)} - {self.first}"
        return [
            f"const {axis.type} {self.first} = {block};",
            f"const int {self.count} = {left} < {threads} ? (int)({left}) + 1 : {threads};",
        ]

    def _memory(self) -> list[str]:
        """Where each array's rows are: the largest elements first, so that all are aligned."""
        lines: list[str] = []
        before: _Staged | None = None
        for one in self.staged.values():
            lines.append(f"const int {one.pitch} = {_as_int(one.padded)};")
            if before is None:
                lines.insert(0, f"extern __shared__ {one.type} {one.copy}[];")
            else:
                end = f"{before.copy} + {before.threads} * {before.pitch}"
                lines.append(f"{one.type}* const {one.copy} = reinterpret_cast<{one.type}*>({end});")
            before = one
        return lines

    def _copied(self, one: _Staged) -> list[str]:
        """The copy of a block's rows, which are one piece of the array."""
        low, threads, cell = self.points.axes[0].low, one.threads, self.cell
        first = self.first if low == "0" else f"({operand(low)} + {self.first})"
        length = f"{one.array}_length"
        length = self.nest.writer.fresh(length)
        head = [
            f"const int {length} = {_as_int(one.length)};",
            f"const {one.type}* const {one.first} = {one.array} + (long long){first} * {length};",
        ]
        loop = f"for (int {cell} = threadIdx.x; {cell} < {self.count} * {length}; {cell} += {threads}) {{"
        if one.constant is not None:
            place = f"{cell} / {length} * {one.pitch} + {cell} % {length}"
            place = cell if int(one.padded) == one.constant else place
            return [*head, loop, f"{one.copy}[{place}] = {one.first}[{cell}];", "}"]
        row, column = self.row, self.column
        return [
            *head,
            "{",
            f"int {row} = threadIdx.x / {length};",
            f"int {column} = threadIdx.x % {length};",
            "#pragma unroll 4",
            loop,
            f"{one.copy}[{row} * {one.pitch} + {column}] = {one.first}[{cell}];",
            f"{row} += {threads} / {length};",
            f"{column} += {threads} % {length};",
            f"if ({column} >= {length}) {{",
            f"{column} -= {length};",
            f"++{row};",
            "}",
            "}",
            "}",
        ]

    def _access(self, element: Element, printer: Printer) -> str | None:
        """The text of a read that a copied row serves; None for others."""
        one = self.staged.get(element.array)
        if one is None or printer.leaf is None:
            return None
        access = next((a for a in printer.leaf.accesses if a.expression == element), None)
        if access is None:
            return None
        return f"{one.own}[{one.text(one.rows.column(access), dict(printer.arguments))}]"


def _as_int(text: str) -> str:
    return f"(int)({text})" if "(long long)" in text else text
