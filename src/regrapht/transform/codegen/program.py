"""The whole text of a candidate: plan and schedules in, CUDA C++ out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.records.task import ArgKind, Residency, Role, Task
from regrapht.transform.codegen.arithmetic import KEEPING, STANDARD
from regrapht.transform.codegen.formatting import formatted
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.isl_text import FLOOR_DIVISION, condition_text
from regrapht.transform.codegen.offsets import NO_FAILURE, rising_condition
from regrapht.transform.codegen.plan_writer import PlanWriter
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.writer import WORD, Writer
from regrapht.transform.ir.expression_types import TURNS
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.scalar_types import is_unsigned, signed_index_type
from regrapht.transform.ir.statements import Declare, For, Function, every
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.lengths import counted_arrays
from regrapht.transform.polyhedral.scop import Scop

_FLOOR = f"""template <typename T>
__host__ __device__ inline T {FLOOR_DIVISION}(T value, int by) {{
    return value >= 0 ? value / by : -((by - 1 - value) / by);
}}"""

_TURNS = f"""// How many turns `for (i = first; i < end; i += step)` makes. With a step of 0 or less there is no such loop.
__host__ __device__ inline long long {TURNS}(long long first, long long end, long long step) {{
    return first < end && step > 0 ? (end - first - 1) / step + 1 : 0;
}}"""


@dataclass(frozen=True, slots=True)
class Test:
    """What the launcher tests before it runs one version, and the other, for where that does not hold."""

    conditions: Sequence[str]
    """All must hold; isl's texts over parameters and the launcher's scalars."""
    why: str
    why_not: str
    """Comments in the two branches."""
    otherwise: Program
    rising: Sequence[str] = ()
    """Arrays of offsets that must rise."""


class ProgramText:
    """Writes one candidate of a task."""

    def __init__(self, program: Program, test: Test | None = None) -> None:
        self.task, self.scop, self.program, self.test = program.task, program.scop, program, test
        self.writer = Writer(self.scop, extents=counts_of(self.task, self.scop))

    def text(self, notes: Sequence[str]) -> str:
        """The formatted program; `notes` are the lines of its header comment.

        Raises:
            CannotTransform: A schedule asks for something that this function does not allow after all.
        """
        function = self.scop.function
        body = self._body()
        standard = ["cfloat", "climits", "cmath"]
        libraries = sorted(header for header in self.writer.headers if "/" in header)
        standard += [header for header in self.writer.headers if "/" not in header]
        parts = ["#include <cuda_runtime.h>"]
        for group in (libraries, sorted(standard)):
            parts += ["\n".join(f"#include <{header}>" for header in group)] if group else []
        header_comment = "\n".join(f"// {note}" for note in notes)
        parts.append(header_comment)
        parts += [struct.text for struct in function.structs]
        parts += self._constants(function, "\n".join([*self.writer.kernels, *self._host_scalars, *body]))
        parts += ["\n".join(self.writer.constants.values())] if self.writer.constants else []
        parts += [_helper(self.scop, helper) for helper in function.helpers]
        parts += list(self.writer.functions.values()) + self.writer.kernels + [self._launcher(body)]
        whole = "\n\n".join(parts)
        own = {FLOOR_DIVISION: _FLOOR, TURNS: _TURNS, **STANDARD, **KEEPING}
        needed = [text for name, text in own.items() if re.search(rf"\b{name}\(", whole)]
        if needed:
            place = parts.index(header_comment) + 1
            whole = "\n\n".join([*parts[:place], *needed, *parts[place:]])
        return formatted(whole)

    def _body(self) -> list[str]:
        """The launches, under the launcher's test where there is one."""
        test = self.test
        lines = PlanWriter(self.program, self.writer).lines()
        if test is None:
            return lines
        own = self.writer
        other = Writer(test.otherwise.scop, own.extents, own.kernels, own.functions, constants=own.constants)
        other.headers, other.kernel_count = own.headers, own.kernel_count
        others = PlanWriter(test.otherwise, other).lines()
        no_failure = f" if ({NO_FAILURE})" if test.rising else ""
        otherwise = [f"}} else{no_failure} {{", f"// {test.why_not}", *others, "}"]
        return [f"// {test.why}", f"if ({self.condition}) {{", *lines, *otherwise]

    @property
    def condition(self) -> str | None:
        """What the launcher tests; None where it tests nothing."""
        if self.test is None:
            return None
        parameters = ", ".join(sorted(self.scop.symbols.parameters | set(self.scop.symbols.products)))
        tested, rising = self.test.conditions, self.test.rising
        inner = 2 if len(tested) + len(rising) > 1 else 0
        names, wide = self.writer.names, self.writer.wide_names
        texts = [condition_text(text, parameters, names, inner, wide=wide) for text in tested]
        return " && ".join([*texts, *(rising_condition(self.scop, name, self.writer) for name in rising)])

    @property
    def _host_scalars(self) -> list[str]:
        """Declarations of what the launcher computes, for either version."""
        scops = [self.scop] if self.test is None else [self.scop, self.test.otherwise.scop]
        return list(dict.fromkeys(self.writer.host_scalar(local) for scop in scops for local in scop.host))

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
        on_host = self.task.contract.residency is Residency.HOST
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
            elif parameter.name in self._truths and not on_host:
                given, kind = self.writer.fresh(f"{parameter.name}_given"), f"{'const ' * parameter.is_const}bool*"
                signature = _renamed(signature, parameter.name, given)
                lines.append(f"{kind} {parameter.name} = ({kind}){given};")
        lines += self._host_scalars
        inside = list(body)
        used = set(WORD.findall("\n".join([*self._host_scalars, *inside])))
        lines += [
            f"(void){p.name};"
            for p in self.scop.function.parameters
            if p.name not in used and not (p.is_pointer and on_host)
        ]
        if on_host:
            inside, signature = self._with_transfers(inside, signature)
        return "\n".join([f"{signature} {{", *lines, *inside, "}"])

    @property
    def _truths(self) -> set[str]:
        """The arrays of `bool`, which are bytes to those who call."""
        return {p.name for p in self.scop.function.parameters if p.is_pointer and p.type == "bool"}

    def _with_transfers(self, body: list[str], signature: str) -> tuple[list[str], str]:
        """Around code for device memory: copies from and to the caller's host memory."""
        head, conditions, tail, free = [], [], [], []
        for arg in self.task.parameters:
            if arg.kind is not ArgKind.ARRAY:
                continue
            name = internal_name(arg.name)
            type_name = "bool" if name in self._truths else arg.dtype.c_name
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
    counted = counted_arrays(task)
    return {
        internal_name(arg.name): " * ".join(operand(one.text.replace("//", "/")) for one in arg.shape)
        for arg in task.parameters
        if internal_name(arg.name) in counted
    }


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
