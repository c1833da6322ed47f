"""Numbered points: the loops that become threads are counted together, and a thread finds its iteration from its number."""

from dataclasses import dataclass, replace
from typing import Any

from regrapht.source.polynomial import words
from regrapht.transform.codegen.arithmetic import smaller
from regrapht.transform.codegen.geometry import Geometry, below, constant_value, operand
from regrapht.transform.codegen.writer import Writer
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.polyhedral.loop_tree import Leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One loop of the numbering: first value, stride and count as C, and isl's bounds."""

    variable: str
    type: str
    low: str
    step: int
    count: str
    last: str
    """The count less one."""
    values: Any


class Points:
    """The numbering of `loops` (fastest first) of a nest; `width` neighbours along the first loop may make one point."""

    def __init__(self, geometry: Geometry, loops: tuple[str, ...], writer: Writer, width: int = 1) -> None:
        self.geometry, self.nest, self.writer, self.width = geometry, geometry.nest, writer, width
        self.axes = [self._axis(variable) for variable in loops]
        if width > 1:
            self.axes[0] = self._grouped(self.axes[0])
        self.known = geometry.nonempty
        """What every thread knows of the loop variables, apart from the last axis' upper bound, and from both ends in a group."""
        for position, axis in enumerate(self.axes):
            if width > 1 and position == 0:
                self.known = self.known.intersect(
                    geometry.at_least(axis.variable, _constant(axis.values.dim_min(0), int(axis.low)))
                )
                continue
            self.known = self.known.intersect(geometry.at_least(axis.variable, axis.values.dim_min(0)))
            if position < len(self.axes) - 1:
                self.known = self.known.intersect(geometry.at_most(axis.variable, axis.values.dim_max(0)))
            self.known = self.known.intersect(self._on_stride(axis))
        self.name = writer.fresh("point")

    def _axis(self, variable: str) -> Axis:
        geometry, loop = self.geometry, self.nest.loop(variable)
        values = geometry.values(variable)
        low, high = values.dim_min(0), values.dim_max(0)
        step = abs(loop.step) if self._fixed_start(variable) else 1
        length = high.sub(low)
        if step > 1:
            length = length.div(_constant(length, step)).floor()
        last = geometry.text(length.gist_params(geometry.nonempty), geometry.nonempty)
        return Axis(
            variable=variable,
            type=signed_index_type(loop.type),
            low=geometry.text(low, geometry.nonempty),
            step=step,
            count=below(last),
            last=last,
            values=values,
        )

    def _grouped(self, axis: Axis) -> Axis:
        """The axis counted in groups of `width`, which start on multiples of it."""
        geometry, high = self.geometry, axis.values.dim_max(0)
        start = aligned_start(axis.values.dim_min(0), self.width)
        assert start is not None and axis.step == 1, "the rule has made sure"
        length = high.sub(_constant(high, start)).div(_constant(high, self.width)).floor()
        last = geometry.text(length.gist_params(geometry.nonempty), geometry.nonempty)
        return replace(axis, low=str(start), step=self.width, count=below(last), last=last)

    def _fixed_start(self, variable: str) -> bool:
        """Whether all values of a loop lie on one stride from the lowest: its start does not move with other loops."""
        loop = self.nest.loop(variable)
        others = [dim for leaf in self.nest.group for dim in leaf.dims if dim != variable]
        starts = {x.start for leaf in self.nest.group for x in leaf.loops if x.variable == variable}
        if loop.step < 0 or loop.start is None or len(starts) != 1:
            return False
        return not set(words(loop.start)) & set(others)

    def _on_stride(self, axis: Axis) -> Any:
        from regrapht.transform.polyhedral.isl_library import isl

        loop = self.nest.loop(axis.variable)
        names = self.geometry.parameters([axis.variable])
        if loop.step in (1, -1) or axis.step == 1:
            return isl().Set(f"[{names}] -> {{ : }}")
        return isl().Set(f"[{names}] -> {{ : ({axis.variable} - ({loop.start})) mod {axis.step} = 0 }}")

    @property
    def single(self) -> bool:
        return len(self.axes) == 1

    @property
    def type(self) -> str:
        """The type that points are counted in."""
        if self.single:
            return "unsigned int" if self.axes[0].type == "int" else "long long"
        return "unsigned int" if not self.writer.wide and self._within_an_array() else "long long"

    def _within_an_array(self) -> bool:
        """Whether there are no more points than elements of some array, whose flat subscripts the source counts in an `int`."""
        mapped = {axis.variable for axis in self.axes}
        return any(
            isinstance(access.expression, Element)
            and access.index
            and mapped <= set(access.leaf.dims)
            and not access.conditions
            and access.map.is_injective()
            and self._fills_its_box(access.leaf, mapped)
            for access in self.nest.accesses
        )

    @staticmethod
    def _fills_its_box(leaf: Leaf, mapped: set[str]) -> bool:
        """Whether every point is an iteration: the bounds of no loop move with another one, and no condition leaves any out."""
        moving = any(set(words(text)) & (mapped - {loop.variable}) for loop in leaf.loops for text in loop.constraints)
        return not moving and not any(set(words(text)) & mapped for text in leaf.conditions)

    @property
    def total(self) -> str:
        """The number of points, for the launcher."""
        if self.single:
            return self.axes[0].count
        wide = "(long long)"
        return wide + " * ".join(operand(axis.count) for axis in reversed(self.axes))

    def blocks(self, per_block: int) -> str:
        """The number of blocks that cover all points, for the launcher."""
        if self.single:
            return f"{operand(self.axes[0].last)} / {per_block} + 1"
        return f"({self.total} - 1) / {per_block} + 1"

    def blocks_at_most(self, per_block: int, most: int) -> str:
        """The same, but no more than `most`."""
        wide = self.type == "long long" or not self.single or self.writer.has_wide_name(self.axes[0].last)
        return smaller(self.blocks(per_block), most, wide=wide)

    def own_number(self, per_block: int) -> str:
        """The first point of a thread: blocks side by side."""
        block = "blockIdx.x" if self.type != "long long" else "(long long)blockIdx.x"
        return f"{block} * {per_block} + threadIdx.x"

    def strided(self, threads: int) -> str:
        """The head of a loop over a thread's points, a whole grid apart."""
        stride = f"{'(long long)' if self.type == 'long long' else ''}gridDim.x * {threads}"
        name = self.name
        return f"for ({self.type} {name} = {self.own_number(threads)}; {name} < {self.end}; {name} += {stride}) {{"

    @property
    def end(self) -> str:
        """The number of points, in the type that they are counted in."""
        return self.total if self.type == "long long" else f"(unsigned int){operand(self.total)}"

    def stride_start(self, threads: int) -> list[str]:
        """Declarations of a thread's first point and of the distance to its next, for `stride_loop`."""
        grid = f"{'(long long)' if self.type == 'long long' else ''}gridDim.x * {threads}"
        return [
            f"{self.type} {self.name} = {self.own_number(threads)};",
            f"const {self.type} {self.writer.fresh('stride')} = {grid};",
        ]

    def stride_loop(self, end: str, turns: int, code: list[str]) -> list[str]:
        """A loop over a thread's points from where it is to `end`, `turns` at once as long as there are so many."""
        name, stride = self.name, self.writer.fresh("stride")
        if turns == 1:
            head = f"for (; {name} < {end}; {name} += {stride}) {{"
            return [head, *self.coordinates(name), *code, "}"]
        turn, own = self.writer.fresh("turn"), self.writer.fresh("own_point")
        return [
            f"for (; {name} + {turns - 1} * {stride} < {end}; {name} += {turns} * {stride}) {{",
            "#pragma unroll",
            f"for (int {turn} = 0; {turn} < {turns}; ++{turn}) {{",
            f"const {self.type} {own} = {name} + {turn} * {stride};",
            *self.coordinates(own),
            *code,
            "}",
            "}",
        ]

    def coordinates(self, number: str) -> list[str]:
        """Declarations of the loop variables from a point's number."""
        lines, divisor = [], ""
        for position, axis in enumerate(self.axes):
            last = position == len(self.axes) - 1
            value = f"{operand(number) if divisor else number}{divisor}"
            if not last:
                value = (
                    f"{value} % {operand(axis.count)}"
                    if divisor or "+" not in number
                    else f"({number}) % {operand(axis.count)}"
                )
            if axis.step > 1:
                value = f"{operand(value)} * {axis.step}"
            if axis.low != "0":
                value = f"{operand(axis.low)} + {operand(value) if '%' not in value else value}"
            first = self.writer.fresh(f"{axis.variable}_first")
            name = first if self.width > 1 and position == 0 else axis.variable
            lines.append(f"const {axis.type} {name} = {value};")
            divisor += f" / {operand(axis.count)}"
        return lines


def aligned_start(low: Any, width: int) -> int | None:
    """The last multiple of `width` at or before the first value of a loop; None where that is no constant of 0 or more."""
    lowest = constant_value(low)
    return None if lowest is None or lowest < 0 else lowest // width * width


def _constant(like: Any, value: int) -> Any:
    """The constant `value` on the domain of a piecewise affine expression."""
    from regrapht.transform.polyhedral.isl_library import isl

    return isl().PwAff.from_aff(
        isl()
        .Aff.zero_on_domain(isl().LocalSpace.from_space(like.get_domain_space()))
        .set_constant_val(isl().Val(value))
    )
