"""A scan in three kernels: what each block adds, where each block starts, and the iterations with their running values."""

from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.writer import Scratch
from regrapht.transform.ir.expressions import Element, Variable, place_name
from regrapht.transform.plan.scans import Scan, scan_of


def write_scan(nest: NestWriter) -> list[str]:
    """Lines that launch the three kernels.

    Raises:
        CannotTransform: The nest is no scan.
    """
    scan = scan_of(nest.nest, nest.writer.scop)
    if isinstance(scan, str):
        raise CannotTransform(scan, line=nest.nest.line)
    return _Kernels(nest, scan).lines()


class _Kernels:
    def __init__(self, nest: NestWriter, scan: Scan) -> None:
        self.nest, self.scan = nest, scan
        self.points = Points(nest.geometry, nest.schedule.loops, nest.writer)
        name, fresh = place_name(scan.running), nest.writer.fresh
        self.parts, self.added, self.total = (
            fresh(f"{name}_parts_{nest.nest.number}"),
            fresh(f"{name}_added"),
            fresh("total"),
        )
        self.value, self.first, self.end, self.strip = (
            fresh(f"{name}_here"),
            fresh("first"),
            fresh("end"),
            fresh("strip"),
        )
        self.neutral = arithmetic.identity(scan.operator, scan.type)
        self.function = nest.writer.block_scan(scan.operator, scan.type, nest.schedule.threads)

    def lines(self) -> list[str]:
        writer, fresh, threads = self.nest.writer, self.nest.writer.fresh, self.nest.schedule.threads
        writer.scratch[self.parts] = Scratch(self.scan.type, str(threads))
        blocks, left = fresh("blocks"), fresh("parts_left")
        launch, block = self.nest.launch, self.nest.schedule.block
        grid = f"const int {blocks} = {self.points.blocks_at_most(threads, threads)};"
        lines = [
            grid,
            *writer.kernel("block_sums", self._sums(), launch(blocks, block, condition=None)),
            f"const int {left} = {blocks};",
            *writer.kernel("block_starts", self._starts(left), launch("1", block, condition=None, counts=(left,))),
            *writer.kernel("scan", self._scan(), launch(blocks, block, condition=None)),
        ]
        return [f"if ({self.nest.condition}) {{" if self.nest.condition else "{", *lines, "}"]

    def _printer(self, name: str) -> Printer:
        """Prints the iteration with the running value under another name."""
        running, plain = self.scan.running, self.nest.printer()
        if isinstance(running, Variable):
            printer = replace(plain, replaced={**plain.replaced, running.name: name})
        else:

            def access(element: Element, _: Printer) -> str | None:
                return name if element == running else None

            printer = replace(plain, access=access)
        return printer.at(self.scan.leaf, {dim: dim for dim in self.scan.leaf.dims})

    def _chunk(self) -> list[str]:
        """The iterations of a block, in strips of as many as it has threads."""
        threads, count = self.nest.schedule.threads, operand(self.points.axes[0].count)
        strips = self.nest.writer.fresh("strips")
        return [
            f"const long long {strips} = ({count} - 1) / {threads} / gridDim.x + 1;",
            f"const long long {self.first} = blockIdx.x * {strips} * {threads};",
            f"const long long {self.end} = min({self.first} + {strips} * {threads}, (long long){count});",
        ]

    def _coordinate(self, number: str) -> str:
        axis = self.points.axes[0]
        value = number if axis.low == "0" else f"{operand(axis.low)} + {number}"
        return f"const {axis.type} {axis.variable} = {value};"

    def _sums(self) -> list[str]:
        """What the iterations of each block add, all together."""
        scan, threads, point = self.scan, self.nest.schedule.threads, self.points.name
        total = self.nest.writer.block_function(scan.operator, scan.type, threads, shuffle=True)
        return [
            *self._chunk(),
            f"{scan.type} {self.added} = {self.neutral};",
            f"for (long long {point} = {self.first} + threadIdx.x; {point} < {self.end}; {point} += {threads}) {{",
            self._coordinate(point),
            *self._printer(self.added).statements(list(scan.contribution)),
            "}",
            f"{self.added} = {total}({self.added});",
            "if (threadIdx.x == 0) {",
            f"{self.parts}[blockIdx.x] = {self.added};",
            "}",
        ]

    def _starts(self, left: str) -> list[str]:
        """The value before each block; where the running value outlives the loop, what it ends with."""
        scan, start, before = self.scan, self.nest.writer.fresh("start"), self.nest.writer.fresh("before")
        plain, axis = self.nest.printer(), self.points.axes[0]
        at_first = plain.at(scan.leaf, {axis.variable: axis.low})
        place = at_first.expression(scan.start) if scan.start is not None else plain.expression(scan.running)
        lines = [
            f"const {scan.type} {start} = {place};",
            f"const {scan.type} {self.added} = (int)threadIdx.x < {left} ? {self.parts}[threadIdx.x] : {self.neutral};",
            f"{scan.type} {self.total};",
            f"const {scan.type} {before} = {self.function}({self.added}, {self.total});",
            f"if ((int)threadIdx.x < {left}) {{",
            f"{self.parts}[threadIdx.x] = {arithmetic.combined(start, scan.operator, before, scan.type)};",
            "}",
        ]
        if scan.start is None:
            end = arithmetic.combined(start, scan.operator, self.total, scan.type)
            lines += ["if (threadIdx.x == 0) {", f"{place} = {end};", "}"]
        return lines

    def _scan(self) -> list[str]:
        """All iterations, each with the running value that it starts from."""
        scan, threads, carry = self.scan, self.nest.schedule.threads, self.nest.writer.fresh("carry")
        inside = f"if ({self.strip} + threadIdx.x < {self.end}) {{"
        here = arithmetic.combined(carry, scan.operator, f"{self.function}({self.added}, {self.total})", scan.type)
        return [
            *self._chunk(),
            f"{scan.type} {carry} = {self.parts}[blockIdx.x];",
            f"for (long long {self.strip} = {self.first}; {self.strip} < {self.end}; {self.strip} += {threads}) {{",
            self._coordinate(f"{self.strip} + threadIdx.x"),
            f"{scan.type} {self.added} = {self.neutral};",
            inside,
            *self._printer(self.added).statements(list(scan.contribution)),
            "}",
            f"{scan.type} {self.total};",
            f"{scan.type} {self.value} = {here};",
            inside,
            *self._printer(self.value).statements(list(scan.statements)),
            "}",
            f"{carry} = {arithmetic.combined(carry, scan.operator, self.total, scan.type)};",
            "}",
        ]
