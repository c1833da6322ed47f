"""The whole text of a candidate: plan and schedules in, CUDA C++ out."""

import re
from collections.abc import Mapping, Sequence

from regrapht.errors import CannotTransform
from regrapht.propose.transform.codegen.constants import write_with_constants
from regrapht.propose.transform.codegen.extreme import write_extreme
from regrapht.propose.transform.codegen.formatting import formatted
from regrapht.propose.transform.codegen.geometry import operand
from regrapht.propose.transform.codegen.grid import write_grid
from regrapht.propose.transform.codegen.isl_text import FLOOR_DIVISION, NodePrinter
from regrapht.propose.transform.codegen.library import write_library
from regrapht.propose.transform.codegen.linear import write_linear
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.printer import Printer
from regrapht.propose.transform.codegen.rows import write_rows
from regrapht.propose.transform.codegen.scan import write_scan
from regrapht.propose.transform.codegen.scatter import write_scatter
from regrapht.propose.transform.codegen.serial import write_scalars, write_serial
from regrapht.propose.transform.codegen.wave import write_wave
from regrapht.propose.transform.codegen.whole_reduction import write_reduction
from regrapht.propose.transform.codegen.writer import WORD, Writer
from regrapht.propose.transform.frontend.scalar_types import is_unsigned, signed_index_type
from regrapht.propose.transform.frontend.scope import internal_name
from regrapht.propose.transform.frontend.statements import Declare, For, Function, every
from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.nest import HostLoop, Kind, Nest, PlanItem, ScalarCode
from regrapht.propose.transform.polyhedral.loop_tree import leaves
from regrapht.propose.transform.polyhedral.scop import Scop
from regrapht.propose.transform.schedule import Layout, Schedule
from regrapht.records.task import ArgKind, Residency, Role, Task

_FLOOR = f"""__host__ __device__ inline long long {FLOOR_DIVISION}(long long value, long long by) {{
    return value >= 0 ? value / by : -((by - 1 - value) / by);
}}"""


class ProgramText:
    """Writes one candidate of a task."""

    def __init__(self, task: Task, scop: Scop, plan: Sequence[PlanItem], schedules: Mapping[int, Schedule]) -> None:
        self.task, self.scop, self.plan, self.schedules = task, scop, plan, schedules
        self.writer = Writer(scop, extents=counts_of(task, scop))

    def text(self, notes: Sequence[str]) -> str:
        """The formatted program; `notes` are the lines of its header comment.

        Raises:
            CannotTransform: A schedule asks for something that this function does not allow after all.
        """
        function = self.scop.function
        self._keep_locals()
        self.writer.keep_buffers()
        body = self._items(self.plan)
        standard = ["cfloat", "climits", "cmath"]
        libraries = sorted(header for header in self.writer.headers if "/" in header)
        standard += [header for header in self.writer.headers if "/" not in header]
        parts = ["#include <cuda_runtime.h>"]
        for group in (libraries, sorted(standard)):
            parts += ["\n".join(f"#include <{header}>" for header in group)] if group else []
        header_comment = "\n".join(f"// {note}" for note in notes)
        parts.append(header_comment)
        parts += [struct.text for struct in function.structs]
        parts += self._constants(function, "\n".join([*self.writer.kernels, *body]))
        parts += ["\n".join(self.writer.constants.values())] if self.writer.constants else []
        parts += [_helper(self.scop, helper) for helper in function.helpers]
        parts += list(self.writer.functions.values()) + self.writer.kernels + [self._launcher(body)]
        whole = "\n\n".join(parts)
        if f"{FLOOR_DIVISION}(" in whole:
            parts.insert(parts.index(header_comment) + 1, _FLOOR)
            whole = "\n\n".join(parts)
        return formatted(whole)

    def _keep_locals(self) -> None:
        for leaf in leaves(self.scop.tree):
            depth = self._host_depth(leaf.name)
            for name in [access.array for access in leaf.accesses]:
                if name in self.scop.shared_locals and len(self.scop.locals[name].loops) <= depth:
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

        return find(self.plan, 0) or 0

    def _items(self, items: Sequence[PlanItem]) -> list[str]:
        lines: list[str] = []
        for item in items:
            if isinstance(item, ScalarCode):
                lines += write_scalars(item, self.writer)
            elif isinstance(item, HostLoop):
                lines += self._host_loop(item)
            else:
                lines += self._nest(item)
        return lines

    def _nest(self, nest: Nest) -> list[str]:
        schedule = self.schedules[nest.number]
        writer = NestWriter(self.writer, nest, schedule)
        if schedule.constant:
            return write_with_constants(writer, self._nest_under)
        return self._nest_under(writer)

    @staticmethod
    def _nest_under(writer: NestWriter) -> list[str]:
        nest, schedule = writer.nest, writer.schedule
        if schedule.layout is Layout.SERIAL:
            return write_serial(writer)
        if schedule.layout is Layout.EXTREME:
            return write_extreme(writer)
        if schedule.layout is Layout.LIBRARY:
            return write_library(writer)
        if schedule.layout is Layout.WAVE:
            return write_wave(writer)
        if schedule.layout is Layout.SCAN:
            return write_scan(writer)
        if nest.kind is Kind.REDUCE:
            return write_reduction(writer)
        if nest.kind is Kind.SCATTER:
            return write_scatter(writer)
        if schedule.layout is Layout.ROWS:
            return write_rows(writer)
        return write_linear(writer) if schedule.layout is Layout.LINEAR else write_grid(writer)

    def _host_loop(self, item: HostLoop) -> list[str]:
        loop, variable = item.loop, item.loop.variable
        type_name = signed_index_type(loop.type)
        names = [name for name in item.leaf.parameters.split(", ") if name and name != variable]
        values = isl().Set(f"[{', '.join(names)}] -> {{ H[{variable}] : {' and '.join(loop.constraints)} }}")
        outer_types = dict(self.writer.host_loops)
        self.writer.host_loops[variable] = type_name
        inner = self._items(item.body)
        self.writer.host_loops = outer_types
        name = variable if loop.step > 0 else self.writer.fresh(f"{variable}_reversed")
        order = isl().UnionMap(f"{{ H[{variable}] -> [{variable if loop.step > 0 else '-' + variable}] }}")
        schedule = order.intersect_domain(isl().UnionSet.from_set(values))
        iterators = isl().IdList.alloc(isl().DEFAULT_CONTEXT, 1).add(isl().Id(name))
        tree = isl().AstBuild.from_context(isl().Set("{ : }")).set_iterators(iterators).node_from_schedule_map(schedule)

        def statement(_: str, texts: list[str]) -> list[str]:
            return ([f"const {type_name} {variable} = {texts[0]};"] if texts[0] != variable else []) + inner

        return NodePrinter(names=self.writer.names, types={name: type_name}, statement=statement).node(tree)

    # ---- what stands around the kernels

    def _constants(self, function: Function, text: str) -> list[str]:
        """Constants and tables of the source that the code names, directly or not."""
        everything = text + "".join(_helper(self.scop, helper) for helper in function.helpers)
        used = set(WORD.findall(everything))
        found: list[str] = []
        for constant in reversed(function.constants):
            if constant.name in used:
                found.insert(0, constant.text)
                used |= set(WORD.findall(constant.text))
        return ["\n".join(found)] if found else []

    def _launcher(self, body: Sequence[str]) -> str:
        """The function of the task: scratch memory, host scalars, launches."""
        signature, lines = self.task.signature, []
        for parameter in self.scop.function.parameters:
            signature = _renamed(signature, parameter.written, parameter.name)
            if (
                not parameter.is_pointer
                and is_unsigned(parameter.type)
                and parameter.name in self.scop.symbols.parameters
            ):
                given = self.writer.fresh(f"{parameter.name}_given")
                signature = _renamed(signature, parameter.name, given)
                lines.append(f"const {signed_index_type(parameter.type)} {parameter.name} = {given};")
        lines += [self.writer.host_scalar(local) for local in self.scop.host]
        inside = self._with_scratch(list(body))
        on_host = self.task.contract.residency is Residency.HOST
        used = set(WORD.findall("\n".join([*map(self.writer.host_scalar, self.scop.host), *inside])))
        lines += [
            f"(void){p.name};"
            for p in self.scop.function.parameters
            if p.name not in used and not (p.is_pointer and on_host)
        ]
        if on_host:
            inside, signature = self._with_transfers(inside, signature)
        return "\n".join([f"{signature} {{", *lines, *inside, "}"])

    def _with_scratch(self, body: list[str]) -> list[str]:
        scratch = self.writer.scratch
        if not scratch:
            return body
        lines = [f"{memory.type}* {name} = nullptr;" for name, memory in scratch.items()]
        conditions = [
            f"cudaMalloc(&{name}, {'' if memory.count == '1' else f'{memory.count} * '}sizeof({memory.type})) == cudaSuccess"
            for name, memory in scratch.items()
        ]
        free = [f"cudaFree({name});" for name in scratch]
        return [*lines, f"if ({' && '.join(conditions)}) {{", *body, "}", *free]

    def _with_transfers(self, body: list[str], signature: str) -> tuple[list[str], str]:
        """Around code for device memory: copies from and to the caller's host memory."""
        head, conditions, tail, free = [], [], [], []
        for arg in self.task.parameters:
            if arg.kind is not ArgKind.ARRAY:
                continue
            name, type_name = internal_name(arg.name), arg.dtype.c_name
            host, size = self.writer.fresh(f"{name}_host"), self.writer.fresh(f"{name}_bytes")
            signature = _renamed(signature, name, host)
            if name not in self.writer.extents:
                raise CannotTransform(
                    f"the shape of '{arg.name}' is no C expression", remedy="use integers, sizes and + - * // %"
                )
            count = operand(self.writer.extents[name])
            head += [f"{type_name}* {name} = nullptr;", f"const size_t {size} = sizeof({type_name}) * {count};"]
            conditions.append(f"cudaMalloc(&{name}, {size}) == cudaSuccess")
            conditions.append(f"cudaMemcpy({name}, {host}, {size}, cudaMemcpyHostToDevice) == cudaSuccess")
            if arg.role is not Role.IN:
                tail.append(f"cudaMemcpy({host}, {name}, {size}, cudaMemcpyDeviceToHost);")
            free.append(f"cudaFree({name});")
        return [*head, f"if ({' && '.join(conditions)}) {{", *body, *tail, "}", *free], signature


def _renamed(signature: str, name: str, new: str) -> str:
    """A declaration with one parameter under another name."""
    return re.sub(rf"\b{name}\b(?=[,)])", new, signature)


def element_counts(task: Task) -> dict[str, str]:
    """C texts of the element counts of the task's arrays, where their shapes are integer expressions."""
    counts = {}
    for arg in task.parameters:
        texts = [expression.text for expression in arg.shape]
        if texts and not any(re.search(r"ceil|log2|(?<!/)/(?!/)", text) for text in texts):
            counts[internal_name(arg.name)] = " * ".join(operand(text.replace("//", "/")) for text in texts)
    return counts


def counts_of(task: Task, scop: Scop) -> dict[str, str]:
    """`element_counts`, with the arrays that stand for fields of structs."""
    counts = element_counts(task)
    fields = scop.function.fields
    return counts | {name: counts[f.parameter] for name, f in fields.items() if f.parameter in counts}


def _helper(scop: Scop, helper: Function) -> str:
    parameters = ", ".join(f"{p.type} {p.name}" for p in helper.parameters)
    own = {p.name: p.type for p in helper.parameters}
    own |= {one.name: one.type for one in every(helper.body) if isinstance(one, Declare)}
    own |= {loop.variable: loop.type for loop in every(helper.body) if isinstance(loop, For)}
    lines = Printer(scop=scop, types=own).statements(helper.body)
    return "\n".join([f"__device__ inline {helper.returns or 'void'} {helper.name}({parameters}) {{", *lines, "}"])
