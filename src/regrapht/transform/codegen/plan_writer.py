"""The launches of a plan: nests by their schedules, loops of the launcher, statements outside all nests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from regrapht.transform.codegen.constants import write_with_constants
from regrapht.transform.codegen.extreme import write_extreme
from regrapht.transform.codegen.grid import write_grid
from regrapht.transform.codegen.isl_text import NodePrinter, expression_text
from regrapht.transform.codegen.library import write_library
from regrapht.transform.codegen.linear import write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.own_copies import write_own_copies
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.rows import write_rows
from regrapht.transform.codegen.scan import write_scan
from regrapht.transform.codegen.scatter import write_scatter
from regrapht.transform.codegen.serial import write_scalars, write_serial
from regrapht.transform.codegen.shared_rows import write_shared_rows
from regrapht.transform.codegen.staged_rows import write_staged
from regrapht.transform.codegen.stepped import write_stepped
from regrapht.transform.codegen.tables import write_with_tables
from regrapht.transform.codegen.wave import write_wave
from regrapht.transform.codegen.whole_reduction import write_reduction
from regrapht.transform.codegen.writer import WORD, Writer
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.ir.statements import For
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import HostLoop, Kind, Nest, PlanItem, ScalarCode, WayOut
from regrapht.transform.plan.schedule import Combine, Finish, Layout, Schedule
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, Access, leaves

_OF_ANY_KIND = {
    Layout.SERIAL: write_serial,
    Layout.EXTREME: write_extreme,
    Layout.LIBRARY: write_library,
    Layout.WAVE: write_wave,
    Layout.SCAN: write_scan,
}
"""Layouts that say how a nest is written whatever its kind."""


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """Writes the plan of one program; kernels and scratch memory go to `writer`."""

    program: Program
    writer: Writer

    def lines(self) -> list[str]:
        """What the launcher does, for device memory, between making its scratch memory and freeing it.

        Raises:
            CannotTransform: A schedule asks for something that this function does not allow after all.
        """
        self._keep_locals()
        self.writer.keep_buffers()
        return self._with_scratch(self._items(self.program.analysis.plan))

    def _keep_locals(self) -> None:
        for leaf in leaves(self.program.scop.tree):
            depth = self._host_depth(leaf.name)
            for name in [access.array for access in leaf.accesses]:
                if name in self.program.scop.shared_locals and len(self.program.scop.locals[name].loops) <= depth:
                    self.writer.keep(name)

    def _host_depth(self, leaf_name: str) -> int:
        """How many of the loops around a leaf are in the launcher."""

        def find(items: Sequence[PlanItem], depth: int) -> int | None:
            for item in items:
                if isinstance(item, HostLoop):
                    inside = find(item.body, depth + 1)
                    if inside is not None:
                        return inside
                elif leaf_name in {leaf.name for leaf in (item.group if isinstance(item, Nest) else item.leaves)}:
                    return depth
            return None

        return find(self.program.analysis.plan, 0) or 0

    def _items(self, items: Sequence[PlanItem]) -> list[str]:
        lines: list[str] = []
        for item in _with_neighbours(items, self.program.schedules):
            if isinstance(item, ScalarCode):
                lines += write_scalars(item, self.writer)
            elif isinstance(item, HostLoop):
                lines += self._loop(item)
            elif isinstance(item, WayOut):
                lines.append(_way_out(item, self.writer))
            elif isinstance(item, _Finished):
                lines += self._nest(item.nest, item.before, item.after)
            else:
                lines += self._nest(item)
        return lines

    def _nest(self, nest: Nest, before: ScalarCode | None = None, after: ScalarCode | None = None) -> list[str]:
        schedule = self.program.schedules[nest.number]
        writer = NestWriter(self.writer, nest, schedule, before=before, after=after)
        if schedule.constant:
            return write_with_constants(writer, self._nest_under)
        return self._nest_under(writer)

    @staticmethod
    def _nest_under(writer: NestWriter) -> list[str]:
        nest, schedule = writer.nest, writer.schedule
        if schedule.layout in _OF_ANY_KIND:
            return _OF_ANY_KIND[schedule.layout](writer)
        if nest.kind is Kind.REDUCE:
            return write_reduction(writer)
        if nest.kind is Kind.COPIES:
            return write_own_copies(writer)
        if nest.kind is Kind.SCATTER:
            return write_scatter(writer)
        if schedule.layout is Layout.ROWS:
            return write_shared_rows(writer) if schedule.rows else write_rows(writer)
        if schedule.rows:
            return write_staged(writer)
        if schedule.tables:
            return write_with_tables(writer)
        if schedule.layout is Layout.LINEAR:
            return write_linear(writer)
        return write_stepped(writer) if schedule.step else write_grid(writer)

    def _loop(self, item: HostLoop) -> list[str]:
        if item.loop.launched is not None:
            return self._launched_loop(item, item.loop.launched)
        return self._endless_loop(item) if item.loop.endless else self._host_loop(item)

    def _launched_loop(self, item: HostLoop, loop: For) -> list[str]:
        """A loop as it is written, with what the launcher computes in each turn."""
        outer_types = dict(self.writer.host_loops)
        self.writer.host_loops |= {one.name: self.writer.scalar_type(one.name) for one in item.loop.scalars}
        inner = self._turn(item, self.writer.scalar_type(loop.variable))
        self.writer.host_loops = outer_types
        scalars = [self.writer.host_scalar(one) for one in item.loop.scalars]
        printer = Printer(scop=self.program.scop, resigned=self.writer.resigned)
        advance = replace(printer, resigned=printer.resigned - {loop.variable}).statement(loop.advance)[0]
        start, condition = printer.expression(loop.start), printer.expression(loop.condition)
        head = f"{self.writer.scalar_type(loop.variable)} {loop.variable} = {start}; {condition}; {advance.removesuffix(';')}"
        return [f"for ({head}) {{", *scalars, *inner, "}"]

    def _turn(self, item: HostLoop, type_name: str) -> list[str]:
        """What the launcher does in one turn of a loop."""
        outer_types = dict(self.writer.host_loops)
        self.writer.host_loops[item.loop.variable] = type_name
        lines = self._items(item.body)
        self.writer.host_loops = outer_types
        return lines

    def _endless_loop(self, item: HostLoop) -> list[str]:
        """A loop that ends at a way out alone."""
        variable, type_name = item.loop.variable, signed_index_type(item.loop.type)
        inner = self._turn(item, type_name)
        if variable not in WORD.findall("\n".join(inner)):
            return _endless(item, inner, self.writer)
        names = ", ".join(name for name in item.leaf.parameters.split(", ") if name and name != variable)
        first = isl().PwAff(f"[{names}] -> {{ [({item.loop.start})] }}")
        start = isl().AstBuild.from_context(isl().Set("{ : }")).expr_from_pw_aff(first)
        text = expression_text(start, self.writer.names, wide=self.writer.wide_names)
        return [f"for ({type_name} {variable} = {text};; {variable} += {item.loop.step}) {{", *inner, "}"]

    def _host_loop(self, item: HostLoop) -> list[str]:
        loop, variable, type_name = item.loop, item.loop.variable, signed_index_type(item.loop.type)
        names = [name for name in item.leaf.parameters.split(", ") if name and name != variable]
        values = isl().Set(f"[{', '.join(names)}] -> {{ H[{variable}] : {' and '.join(loop.constraints)} }}")
        inner = self._turn(item, type_name)
        name = variable if loop.step > 0 else self.writer.fresh(f"{variable}_reversed")
        order = isl().UnionMap(f"{{ H[{variable}] -> [{variable if loop.step > 0 else '-' + variable}] }}")
        schedule = order.intersect_domain(isl().UnionSet.from_set(values))
        iterators = isl().IdList.alloc(isl().DEFAULT_CONTEXT, 1).add(isl().Id(name))
        tree = isl().AstBuild.from_context(isl().Set("{ : }")).set_iterators(iterators).node_from_schedule_map(schedule)

        def statement(_: str, texts: list[str]) -> list[str]:
            return ([f"const {type_name} {variable} = {texts[0]};"] if texts[0] != variable else []) + inner

        texts, wide = self.writer.names, self.writer.wide_names
        return NodePrinter(names=texts, types={name: type_name}, wide=wide, statement=statement).node(tree)

    def _with_scratch(self, body: list[str]) -> list[str]:
        scratch = self.writer.scratch
        if not scratch:
            return body
        lines = body
        for name, memory in reversed(scratch.items()):
            size = f"{'' if memory.count == '1' else f'{memory.count} * '}sizeof({memory.type})"
            lines = [
                f"{memory.type}* {name} = nullptr;",
                f"if (cudaMallocAsync(&{name}, {size}, nullptr) == cudaSuccess) {{",
                *lines,
                f"cudaFreeAsync({name}, nullptr);",
                "}",
            ]
        return lines


# ---- statements outside of all nests that the kernel which finishes a reduction runs


@dataclass(frozen=True, slots=True)
class _Finished:
    """A reduction, with the statements directly before and after it that its finishing kernel runs as well: each saves a launch."""

    nest: Nest
    before: ScalarCode | None
    after: ScalarCode | None = None


def _with_neighbours(items: Sequence[PlanItem], schedules: Mapping[int, Schedule]) -> list[PlanItem | _Finished]:
    """A sequence of a plan in which reductions have taken in the statements beside them, where that is legal.

    What comes after a reduction always may: the kernel that finishes it is its last.
    """
    found: list[PlanItem | _Finished] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, ScalarCode) and isinstance(last, _Finished):
            found[-1] = replace(last, after=item)
        elif isinstance(item, Nest) and _has_finishing_kernel(item, schedules[item.number]):
            before = last if isinstance(last, ScalarCode) and _may_wait(last, item) else None
            if before is not None:
                found.pop()
            found.append(_Finished(item, before))
        else:
            found.append(item)
    return found


def _has_finishing_kernel(nest: Nest, schedule: Schedule) -> bool:
    """Whether a kernel of ours finishes the nest. The plain mapping, which programs are compared with, keeps its kernels apart."""
    if nest.kind is not Kind.REDUCE or nest.copies or schedule.layout is not Layout.LINEAR:
        return False  # several threads finish an array: they would have to wait for what one runs before
    is_plain = schedule.combine is Combine.NONE and schedule.finish is Finish.THREAD
    return schedule.finish is not Finish.ATOMIC and not is_plain


def _may_wait(code: ScalarCode, nest: Nest) -> bool:
    """Whether statements before a reduction may run once its parts are made: neither of the two writes what the other touches."""
    own = [access for leaf in code.leaves for access in leaf.accesses]
    parts = [access for access in nest.accesses if not _is_of_the_finish(access, nest)]
    return not (_written(own) & _touched(parts) or _written(parts) & _touched(own))


def _is_of_the_finish(access: Access, nest: Nest) -> bool:
    """Whether the access is an update that goes to a thread's part, so that the place itself is left to the finishing kernel."""
    return access.kind == UPDATE and nest.target_places.get(access.array) == access.expression


def _touched(accesses: Sequence[Access]) -> set[str]:
    return {access.array for access in accesses}


def _written(accesses: Sequence[Access]) -> set[str]:
    return {access.array for access in accesses if access.kind != READ}


# ---- loops that data end
# The launcher reads a flag from device memory, which waits for what was launched before. A call that fails ends the loop as well, a refused
# launch among them: nothing would take the flag down then.


_WORDS = {True: ("is_set", "!="), False: ("is_not_set", "==")}


def _way_out(item: WayOut, writer: Writer) -> str:
    """The line that leaves the loop around it."""
    return f"if (!{_goes_on(item, writer)}) break;"


def _endless(item: HostLoop, inner: list[str], writer: Writer) -> list[str]:
    """Lines of a loop around `inner` that ends at a way out alone, and whose variable nobody reads."""
    first, last = item.body[0], item.body[-1]
    if isinstance(first, WayOut):
        return [f"while ({_goes_on(first, writer)}) {{", *inner[1:], "}"]
    if isinstance(last, WayOut):
        return ["do {", *inner[:-1], f"}} while ({_goes_on(last, writer)});"]
    return ["for (;;) {", *inner, "}"]


def _goes_on(item: WayOut, writer: Writer) -> str:
    """The condition for one more turn, as C."""
    word, operator = _WORDS[item.goes_on]
    name = writer.fresh(word)
    writer.functions[name] = "\n".join(
        [
            f"// Whether a flag in device memory is {operator} 0; false as well where a call has failed, so that loops end.",
            f"static bool {name}(const int* flag) {{",
            "int value = 0;",
            "const bool known = cudaMemcpy(&value, flag, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;",
            f"return known && cudaPeekAtLastError() == cudaSuccess && value {operator} 0;",
            "}",
        ]
    )
    return f"{name}({item.flag})"
