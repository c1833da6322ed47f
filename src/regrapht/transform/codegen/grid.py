"""One loop an axis of a grid: blocks of two or three dimensions, several points a thread, shared tiles with their halo."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from regrapht.transform.codegen.arithmetic import smaller
from regrapht.transform.codegen.geometry import Ranges, below, operand
from regrapht.transform.codegen.nest_writer import ALWAYS_FIT, NestWriter
from regrapht.transform.codegen.tiles import Tiles
from regrapht.transform.ir.scalar_types import signed_index_type

LARGE_PATCH = 128
"""Bytes a thread from which the compiler, left to itself, takes more than half of the registers for what feeds them. For twice as many half
is still enough."""
MOST_BLOCKS = 65535
"""CUDA's limit on the second and third dimension of a grid; a block goes on to the next rows where that is not enough."""


def write_grid(nest: NestWriter) -> list[str]:
    """Lines that launch a nest whose mapped loops are the axes of a grid."""
    kernel = GridKernel(nest)
    return kernel.launch(kernel.mapped())


class GridKernel:
    """The skeleton of one kernel: axes, blocks, points of a thread."""

    def __init__(self, nest: NestWriter) -> None:
        self.nest, self.schedule, self.geometry = nest, nest.schedule, nest.geometry
        self.tiles = Tiles(nest)
        self.by_block = bool(self.schedule.shared or self.schedule.step or self.schedule.coarsening)
        """Whether the code needs the first point of a block, and not only that of the thread."""
        self.bounds = {v: self._bounds(v) for v in self.schedule.loops}
        self.first = {v: nest.writer.fresh(f"{v}_first") for v in self.schedule.loops}
        self.known = self._known(self.schedule.loops)
        self.known_of_block = self._known_of_block()

    def _bounds(self, variable: str) -> tuple[Any, Any, str, str]:
        """isl's lowest and highest value of a loop, and both as C."""
        values, context = self.geometry.values(variable), self.geometry.nonempty
        low, high = values.dim_min(0), values.dim_max(0)
        return low, high, self.geometry.text(low, context), self.geometry.text(high, context)

    def _type(self, variable: str) -> str:
        return signed_index_type(self.nest.nest.loop(variable).type)

    def _known(self, loops: Sequence[str]) -> Any:
        """What every thread knows of its point."""
        known = self.geometry.nonempty
        for position, variable in enumerate(loops):
            low, high, _, _ = self.bounds[variable]
            known = known.intersect(self.geometry.at_least(variable, low))
            if position and not self.by_block:
                known = known.intersect(self.geometry.at_most(variable, high))
        return known

    def _known_of_block(self) -> Any:
        known = self.geometry.nonempty
        for variable in self.schedule.loops:
            low, high, _, _ = self.bounds[variable]
            known = known.intersect(self.geometry.at_least(self.first[variable], low))
            known = known.intersect(self.geometry.at_most(self.first[variable], high))
        return known

    @property
    def ranges(self) -> Ranges:
        return {v: (self.first[v], self.schedule.edge(v)) for v in self.schedule.loops}

    # ---- the skeleton

    def launch(self, body: list[str], held_bytes: int = 0) -> list[str]:
        """Lines that launch the kernel with a body that keeps so many bytes a thread in registers from step to step."""
        lines = [*self.tiles.declarations, *self._axes(body)]
        grid = []
        for position, variable in enumerate(self.schedule.loops):
            _, _, low, high = self.bounds[variable]
            last = high if low == "0" else f"{operand(high)} - {operand(low)}"
            blocks = f"{operand(last)} / {self.schedule.edge(variable)} + 1"
            wide = self._type(variable) == "long long" or self.nest.writer.has_wide_name(last)
            grid.append(smaller(blocks, MOST_BLOCKS, wide=wide) if position else blocks)
        shape = grid[0] if len(grid) == 1 else f"dim3({', '.join(grid)})"
        return self.nest.writer.kernel(
            "grid", lines, self.nest.launch(shape, self.schedule.block, **self._bounds_for_two(held_bytes))
        )

    def _bounds_for_two(self, held_bytes: int) -> dict[str, int]:
        """Launch bounds for a large patch that leaves room for two blocks: while one waits at a barrier, the other computes."""
        threads, decided = self.schedule.threads, self.schedule.resident
        large = LARGE_PATCH <= held_bytes <= 2 * LARGE_PATCH and threads <= ALWAYS_FIT
        return {"bounds": threads, "resident": 2} if large and not decided else {}

    def _axes(self, body: list[str]) -> list[str]:
        """The body inside the loops over a block's places; the first axis needs none."""
        lines = body
        for position, variable in enumerate(self.schedule.loops):
            _, _, low, high = self.bounds[variable]
            axis, edge, type_name = "xyz"[position], self.schedule.edge(variable), self._type(variable)
            block = f"blockIdx.{axis}" if type_name == "int" else f"(long long)blockIdx.{axis}"
            start = ("" if low == "0" else f"{operand(low)} + ") + f"{block} * {edge}"
            name = self.first[variable] if self.by_block else variable
            start = start if self.by_block else f"{start} + threadIdx.{axis}"
            if position == 0:
                lines = [f"const {type_name} {name} = {start};", *lines]
                continue
            stride = f"gridDim.{axis} * {edge}"
            lines = [f"for ({type_name} {name} = {start}; {name} < {below(high)}; {name} += {stride}) {{", *lines, "}"]
        return lines

    def points(self, inner: list[str]) -> list[str]:
        """The code of one point inside the loops over a thread's points."""
        if not self.by_block:
            return inner
        lines = inner
        for position, variable in enumerate(self.schedule.loops):
            axis, many = "xyz"[position], self.schedule.coarsening.get(variable, 1)
            value = f"{self.first[variable]} + threadIdx.{axis}"
            if many == 1:
                lines = [f"const {self._type(variable)} {variable} = {value};", *lines]
                continue
            part = self.part(variable)
            value += f" + {part} * {self.schedule.block[position]}"
            loop = f"for (int {part} = 0; {part} < {many}; ++{part}) {{"
            lines = ["#pragma unroll", loop, f"const {self._type(variable)} {variable} = {value};", *lines, "}"]
        return lines

    def part(self, variable: str) -> str:
        return self.nest.writer.fresh(f"{variable}_part")

    def mapped(self) -> list[str]:
        """The body of a kernel without steps."""
        lines: list[str] = []
        for reference in self.schedule.shared:
            lines += self.tiles.load(self.nest.nest.group, reference, self.ranges, self.known_of_block)
        lines += ["__syncthreads();"] if lines else []
        body = self.nest.body(self.schedule.loops)
        printer = replace(self.nest.printer(), access=self.tiles.access)
        code = self.nest.fragments(body).code(body, self.schedule.loops, self.known, printer)
        lines += ["{", *self.points([*self.nest.local_declarations(), *code]), "}"] if self.by_block else []
        if not self.by_block:
            lines += [*self.nest.local_declarations(), *code]
        again = len(self.schedule.loops) > 1 and self.schedule.shared
        return [*lines, "__syncthreads();"] if again else lines
