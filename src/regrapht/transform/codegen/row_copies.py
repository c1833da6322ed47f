"""Rows of an array copied to shared memory by a block: how much they take, and the code of the copy.

In shared memory a row begins an odd number of words after the one before it: threads that read one column each of their own row then use
different banks.
"""

from collections.abc import Sequence

from regrapht.source.polynomial import Terms, names_in
from regrapht.transform.codegen.extent import extent_of
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import is_unsigned, size_bytes
from regrapht.transform.plan.schedule import SHARED_BYTES
from regrapht.transform.polyhedral.affine import c_text
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.point_rows import PointRows, can_be_copied, rows_of

_WORD = 4


def rows_to_copy(nest: NestWriter, array: str, loop: str, group: Sequence[Leaf]) -> PointRows | str:
    """The rows of an array that the turns of a loop over `group` read, where a block can copy them; or why it cannot."""
    scop, accesses = nest.writer.scop, [a for leaf in group for a in leaf.accesses if a.array == array]
    sizes = nest.nest.shapes.get(array) or []
    if array in scop.function.fields or array in scop.function.tables:
        return "its elements do not lie side by side"
    rows = rows_of(array, accesses, sizes, loop, scop)
    if isinstance(rows, str):
        return rows
    values, extent = nest.geometry.values(loop, group), extent_of(nest.geometry, array)
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


class RowCopy:
    """`many` rows of one array in shared memory at once, and the texts for them."""

    def __init__(self, nest: NestWriter, rows: PointRows, many: int) -> None:
        self.rows, self.array, self.many = rows, rows.array, many
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
        """What the launcher tests: there is something in a row, and so many fit."""
        if self.constant is not None:
            return []
        varying = [operand(self.text(size)) for size in self.rows.sizes if set(size) - {()}]
        most = f"{operand(self.length)} <= {longest(self.many, self.size)}"
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
        many = self.many * self.size
        return str(int(self.padded) * many) if self.constant is not None else f"{operand(self.padded)} * {many}"

    def copied(self, first: str, count: str, thread: str = "threadIdx.x") -> list[str]:
        """The copy of `count` rows from row `first` on by all threads of the block: one piece of the array."""
        threads, fresh = self.nest.schedule.threads, self.nest.writer.fresh
        cell, row, column = fresh("cell"), fresh("row"), fresh("column")
        length = fresh(f"{self.array}_length")
        head = [
            f"const int {length} = {as_int(self.length)};",
            f"const {self.type}* const {self.first} = {self.array} + (long long){first} * {length};",
        ]
        loop = f"for (int {cell} = {thread}; {cell} < {count} * {length}; {cell} += {threads}) {{"
        if self.constant is not None:
            place = f"{cell} / {length} * {self.pitch} + {cell} % {length}"
            place = cell if int(self.padded) == self.constant else place
            return [*head, loop, f"{self.copy}[{place}] = {self.first}[{cell}];", "}"]
        return [
            *head,
            "{",
            f"int {row} = {operand(thread)} / {length};",
            f"int {column} = {operand(thread)} % {length};",
            "#pragma unroll 4",
            loop,
            f"{self.copy}[{row} * {self.pitch} + {column}] = {self.first}[{cell}];",
            f"{row} += {threads} / {length};",
            f"{column} += {threads} % {length};",
            f"if ({column} >= {length}) {{",
            f"{column} -= {length};",
            f"++{row};",
            "}",
            "}",
            "}",
        ]


def _has_unsigned(polynomial: Terms, types: dict[str, str]) -> bool:
    """Whether a name in it has an unsigned type in the source: what is taken from it might wrap."""
    return any(is_unsigned(types.get(name, "int")) for name in names_in(polynomial))


def as_int(text: str) -> str:
    """A C text as an `int`, whatever it is computed in."""
    return f"(int)({text})" if "(long long)" in text else text


class RowCopies:
    """Rows of several arrays in the shared memory of a block at once, a row of each for every thread along x."""

    def __init__(self, nest: NestWriter, rows: Sequence[PointRows], many: int) -> None:
        copies = [RowCopy(nest, one, many) for one in rows]
        self._copies = sorted(copies, key=lambda one: (-one.size, one.array))
        self._by_array = {one.array: one for one in copies}

    @property
    def bytes(self) -> str:
        return " + ".join(one.bytes for one in self._copies)

    @property
    def conditions(self) -> list[str]:
        """What the launcher tests: that there are rows, and that all of them fit together."""
        found = [text for one in self._copies for text in one.conditions]
        return [*found, f"{self.bytes} <= {SHARED_BYTES}"] if found and len(self._copies) > 1 else found

    def declarations(self) -> list[str]:
        """Where each array's rows are: the largest elements first, so that all are aligned."""
        lines: list[str] = []
        before: RowCopy | None = None
        for one in self._copies:
            lines.append(f"const int {one.pitch} = {as_int(one.padded)};")
            if before is None:
                lines.insert(0, f"extern __shared__ {one.type} {one.copy}[];")
            else:
                end = f"{before.copy} + {before.many} * {before.pitch}"
                lines.append(f"{one.type}* const {one.copy} = reinterpret_cast<{one.type}*>({end});")
            before = one
        return lines

    def copied(self, first: str, count: str, thread: str = "threadIdx.x") -> list[str]:
        return [line for one in self._copies for line in one.copied(first, count, thread)]

    def own_rows(self) -> list[str]:
        """Declarations of what each thread reads."""
        return [f"const {one.type}* const {one.own} = {one.copy} + threadIdx.x * {one.pitch};" for one in self._copies]

    def access(self, element: Element, printer: Printer) -> str | None:
        """The text of a read that a copied row serves; None for others."""
        one = self._by_array.get(element.array)
        if one is None or printer.leaf is None:
            return None
        access = next((a for a in printer.leaf.accesses if a.expression == element), None)
        if access is None:
            return None
        return f"{one.own}[{one.text(one.rows.column(access), dict(printer.arguments))}]"
