"""The place of an extreme value: every thread keeps its own best iteration, shuffles find the best of all, and that one is run."""

from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.writer import Scratch
from regrapht.transform.ir.expressions import Element, Variable, place_name
from regrapht.transform.ir.statements import Statement
from regrapht.transform.plan.extremes import Extreme, extreme_of


def write_extreme(nest: NestWriter) -> list[str]:
    """Lines that launch the search and the kernel that keeps its result.

    Raises:
        CannotTransform: The nest is no such search.
    """
    found = extreme_of(nest.nest, nest.writer.scop)
    if isinstance(found, str):
        raise CannotTransform(found, line=nest.nest.line)
    return _Kernels(nest, found).lines()


class _Kernels:
    def __init__(self, nest: NestWriter, extreme: Extreme) -> None:
        self.nest, self.extreme = nest, extreme
        self.points = Points(nest.geometry, nest.schedule.loops, nest.writer)
        best, fresh, number = extreme.best, nest.writer.fresh, nest.nest.number
        name = place_name(best)
        self.value, self.place = fresh(f"{name}_here"), fresh("place")
        self.values, self.places = fresh(f"{name}_parts_{number}"), fresh(f"places_{number}")
        self.function = nest.writer.block_extreme(extreme.operator, extreme.type, nest.schedule.threads)

    def lines(self) -> list[str]:
        nest, writer, most = self.nest, self.nest.writer, self.nest.schedule.grid_stride
        blocks, left = writer.fresh("blocks"), writer.fresh("parts_left")
        writer.scratch[self.values] = Scratch(self.extreme.type, str(most))
        writer.scratch[self.places] = Scratch("long long", str(most))
        block = nest.schedule.block
        lines = [
            f"const int {blocks} = {self.points.blocks_at_most(nest.schedule.threads, most)};",
            *writer.kernel("search", self._search(), nest.launch(blocks, block, condition=None)),
            f"const int {left} = {blocks};",
            *writer.kernel("keep", self._keep(left), nest.launch("1", block, condition=None, counts=(left,))),
        ]
        return [f"if ({nest.condition}) {{" if nest.condition else "{", *lines, "}"]

    def _start(self) -> list[str]:
        """A thread's own best value and its place, which is -1 as long as nothing is better than the value before the loop."""
        place = self.nest.printer().expression(self.extreme.best)
        return [f"{self.extreme.type} {self.value} = {place};", f"long long {self.place} = -1;"]

    def _printer(self) -> Printer:
        """Prints the iteration with the best value in a register."""
        plain, best = self.nest.printer(), self.extreme.best
        if isinstance(best, Variable):
            printer = replace(plain, replaced={**plain.replaced, best.name: self.value})
        else:

            def access(element: Element, _: Printer) -> str | None:
                return self.value if element == best else None

            printer = replace(plain, access=access)
        return self._at(printer)

    def _at(self, printer: Printer) -> Printer:
        return printer.at(self.extreme.leaf, {dim: dim for dim in self.extreme.leaf.dims})

    def _search(self) -> list[str]:
        extreme, geometry, points = self.extreme, self.nest.geometry, self.points
        printer, threads, name = self._printer(), self.nest.schedule.threads, points.name
        last = points.axes[-1]
        known = points.known.intersect(geometry.at_most(last.variable, last.values.dim_max(0)))
        inside = extreme.leaf.domain.intersect(geometry.box(extreme.leaf, {}, self.nest.schedule.loops)).params()
        guard = geometry.guard(inside, known)
        value, best = printer.expression(extreme.value, 8), printer.expression(extreme.best)
        better = [printer.expression(other, 3) for other in extreme.others] + [f"{value} {extreme.operator} {best}"]
        declared: list[Statement] = list(extreme.locals)
        body = [
            *printer.statements(declared),
            f"if ({' && '.join(better)}) {{",
            f"{self.value} = {printer.expression(extreme.value)};",
            f"{self.place} = {name};",
            "}",
        ]
        return [
            *self._start(),
            points.strided(threads),
            *points.coordinates(name),
            *([f"if ({guard}) {{", *body, "}"] if guard else body),
            "}",
            f"{self.function}({self.value}, {self.place});",
            "if (threadIdx.x == 0) {",
            f"{self.values}[blockIdx.x] = {self.value};",
            f"{self.places}[blockIdx.x] = {self.place};",
            "}",
        ]

    def _keep(self, left: str) -> list[str]:
        """The best of all blocks; its iteration is run as the source has it."""
        number, threads = self.nest.writer.fresh("number"), self.nest.schedule.threads
        better = arithmetic.takes_over(
            self.extreme.operator, (self.value, self.place), (f"{self.values}[{number}]", f"{self.places}[{number}]")
        )
        return [
            *self._start(),
            f"for (int {number} = threadIdx.x; {number} < {left}; {number} += {threads}) {{",
            f"if ({better}) {{",
            f"{self.value} = {self.values}[{number}];",
            f"{self.place} = {self.places}[{number}];",
            "}",
            "}",
            f"{self.function}({self.value}, {self.place});",
            f"if (threadIdx.x == 0 && {self.place} >= 0) {{",
            *self.points.coordinates(operand(self.place)),
            *self._at(self.nest.printer()).statements(self.extreme.leaf.statements),
            "}",
        ]
