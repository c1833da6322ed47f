"""A nest by a library: cuBLAS for products (`blas.py`), here CUB's reductions and scans over what the iterations contribute.

An iterator of ours computes what an iteration contributes, the library combines it.
"""

from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.blas import write_product
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.whole_reduction import targets_of, update_of_parts
from regrapht.transform.codegen.writer import Launch, Scratch
from regrapht.transform.ir.expressions import Element, Variable, place_name
from regrapht.transform.plan.nest import Kind
from regrapht.transform.plan.scans import Scan, scan_of

HEADERS = {"reduce": "cub/device/device_reduce.cuh", "scan": "cub/device/device_scan.cuh"}
_ITERATOR = """// What iteration number k contributes, for the library to read: an iterator over no memory.
struct {name} {{
    typedef std::random_access_iterator_tag iterator_category;
    typedef {type} value_type;
    typedef long long difference_type;
    typedef const {type}* pointer;
    typedef {type} reference;
    {members}
    long long begin;
    __device__ {type} operator[](long long k) const {{
        const {count_type} {point} = begin + k;
        {type} {added} = {neutral};
        {body}
        return {added};
    }}
    __device__ {type} operator*() const {{ return (*this)[0]; }}
    __host__ __device__ {name} operator+(long long by) const {{
        {name} moved = *this;
        moved.begin += by;
        return moved;
    }}
    __host__ __device__ {name}& operator+=(long long by) {{
        begin += by;
        return *this;
    }}
    __host__ __device__ {name}& operator++() {{ return *this += 1; }}
    __host__ __device__ long long operator-(const {name}& other) const {{ return begin - other.begin; }}
    __host__ __device__ bool operator==(const {name}& other) const {{ return begin == other.begin; }}
    __host__ __device__ bool operator!=(const {name}& other) const {{ return begin != other.begin; }}
}};"""


def write_library(nest: NestWriter) -> list[str]:
    """Lines that call the library and the kernel that puts its result in place.

    Raises:
        CannotTransform: The nest is neither a product nor a reduction nor a scan.
    """
    if nest.nest.kind is Kind.MAP:
        return write_product(nest)
    if nest.nest.kind is Kind.REDUCE:
        return _reduction(nest)
    scan = scan_of(nest.nest, nest.writer.scop)
    if isinstance(scan, str):
        raise CannotTransform(scan, line=nest.nest.line)
    return _scan(nest, scan)


def _reduction(nest: NestWriter) -> list[str]:
    (target,) = targets_of(nest)
    writer, points = nest.writer, Points(nest.geometry, nest.schedule.loops, nest.writer)
    printer = replace(nest.printer(), update=update_of_parts([target]))
    last = points.axes[-1]
    known = points.known.intersect(nest.geometry.at_most(last.variable, last.values.dim_max(0)))
    body = nest.body(nest.schedule.loops)
    code = [*nest.local_declarations(), *nest.fragments(body).code(body, nest.schedule.loops, known, printer)]
    writer.scratch[target.parts] = Scratch(target.type, "1")
    call = _Call(nest, points, "reduce", target.type, target.operator)
    lines = call.lines([*points.coordinates(points.name), *code], target.part, target.parts)
    place = nest.printer().expression(target.place)
    final = arithmetic.combined_last(place, target.place, f"{target.parts}[0]", nest.nest.updates, target.type)
    return _guarded(nest, [*lines, *writer.kernel("finish", [final], Launch(grid="1", block="1"))])


def _scan(nest: NestWriter, scan: Scan) -> list[str]:
    """The values before all iterations in scratch memory, then all iterations at once, each from its own value."""
    writer, points = nest.writer, Points(nest.geometry, nest.schedule.loops, nest.writer)
    ((running,), contribution) = scan.stages[0].values, scan.stages[0].contribution
    name = place_name(running.place)
    added, value = writer.fresh(f"{name}_added"), writer.fresh(f"{name}_here")
    before, start = writer.fresh(f"{name}_before_{nest.nest.number}"), writer.fresh("start")
    axis, point = points.axes[0], points.name
    writer.scratch[before] = Scratch(running.type, operand(_most(nest, points)))
    call = _Call(nest, points, "scan", running.type, running.operator)
    code = [*points.coordinates(point), *_printer(nest, scan, added).statements(list(contribution))]
    lines = call.lines(code, added, before)
    first = nest.printer().at(scan.leaf, {axis.variable: axis.low})
    place = first.expression(scan.start) if scan.start is not None else nest.printer().expression(running.place)
    started = writer.fresh(f"{name}_start_{nest.nest.number}")
    writer.scratch[started] = Scratch(running.type, "1")
    lines += writer.kernel("start", [f"{started}[0] = {place};"], Launch(grid="1", block="1"))
    threads, total = nest.schedule.threads, points.total
    inside = [
        f"const long long {point} = (long long)blockIdx.x * {threads} + threadIdx.x;",
        f"if ({point} < {total}) {{",
        *points.coordinates(point),
        f"const {running.type} {start} = {started}[0];",
        f"{running.type} {value} = {arithmetic.combined(start, running.operator, f'{before}[{point}]', running.type)};",
        *_printer(nest, scan, value).statements(list(scan.statements)),
    ]
    if scan.start is None:
        inside += [f"if ({point} == {operand(total)} - 1) {{", f"{place} = {value};", "}"]
    inside.append("}")
    launch = nest.launch(points.blocks(threads), nest.schedule.block, condition=None)
    return _guarded(nest, [*lines, *writer.kernel("replay", inside, launch)])


def _most(nest: NestWriter, points: Points) -> str:
    """How many iterations to make room for: none where the nest has none."""
    return f"({nest.condition} ? {points.total} : 1)" if nest.condition else points.total


def _printer(nest: NestWriter, scan: Scan, name: str) -> Printer:
    """Prints an iteration with the running value under another name."""
    running, plain = scan.values[0].place, nest.printer()
    if isinstance(running, Variable):
        printer = replace(plain, replaced={**plain.replaced, running.name: name})
    else:

        def access(element: Element, _: Printer) -> str | None:
            return name if element == running else None

        printer = replace(plain, access=access)
    return printer.at(scan.leaf, {dim: dim for dim in scan.leaf.dims})


def _guarded(nest: NestWriter, lines: list[str]) -> list[str]:
    return [f"if ({nest.condition}) {{" if nest.condition else "{", *lines, "}"]


class _Call:
    """One call of the library: the iterator that it reads, the operator, the memory that it works in."""

    def __init__(self, nest: NestWriter, points: Points, what: str, type_name: str, operator: str) -> None:
        self.nest, self.points, self.what, self.type, self.operator = nest, points, what, type_name, operator
        number, entry = nest.nest.number, nest.writer.scop.function.name
        fresh = nest.writer.fresh
        self.iterator, self.functor = fresh(f"{entry}_points_{number}"), fresh(f"{entry}_{what}_{number}")

    def lines(self, code: list[str], added: str, output: str) -> list[str]:
        writer, points, fresh = self.nest.writer, self.points, self.nest.writer.fresh
        neutral = arithmetic.identity(self.operator, self.type)
        parameters = writer.used_parameters("\n".join(code), self.nest.launch("1", (1,), condition=None))
        members = "\n".join(f"{declared};" for _, declared in parameters)
        writer.headers |= {HEADERS[self.what], "iterator"}
        writer.functions[self.iterator] = _ITERATOR.format(
            name=self.iterator,
            type=self.type,
            members=members,
            count_type=points.type,
            point=points.name,
            added=added,
            neutral=neutral,
            body="\n".join(code),
        )
        combined = arithmetic.combined("left", self.operator, "right", self.type)
        writer.functions[self.functor] = "\n".join(
            [
                f"struct {self.functor} {{",
                f"__host__ __device__ {self.type} operator()({self.type} left, {self.type} right) const {{",
                f"return {combined};",
                "}",
                "};",
            ]
        )
        given, bytes_, work = fresh("contributions"), fresh("work_bytes"), fresh("work")
        values = ", ".join([*(name for name, _ in parameters), "0"])
        function = {"reduce": "DeviceReduce::Reduce", "scan": "DeviceScan::ExclusiveScan"}[self.what]
        order = f"{self.functor}(), ({self.type}){neutral}"
        count = f"(long long)({points.total})"
        arguments = f"{given}, {output}, " + (f"{count}, {order}" if self.what == "reduce" else f"{order}, {count}")
        return [
            f"const {self.iterator} {given} = {{{values}}};",
            f"size_t {bytes_} = 0;",
            f"cub::{function}(nullptr, {bytes_}, {arguments});",
            f"void* {work} = nullptr;",
            f"if (cudaMalloc(&{work}, {bytes_}) == cudaSuccess) {{",
            f"cub::{function}({work}, {bytes_}, {arguments});",
            f"cudaFree({work});",
            "}",
        ]
