"""The files beside the best program that make it usable at once: a header, and a caller that compiles and runs as it stands."""

import re

from regrapht.evaluate.build.libraries import SHARED, included
from regrapht.evaluate.build.nvcc import rounding_flags
from regrapht.records.element import ScalarType, StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Residency, Role, Rounding, Sizes, Task

_OWN_INSTRUCTIONS = re.compile(r"\b(wgmma|setmaxnreg|tcgen05)\.")
"""PTX that one architecture has and later ones do not."""


def header(task: Task) -> str:
    """`best.h`: the declaration of the entry, with what each parameter is."""
    lines = [f"// {task.title}", "//", "// Array pointers are " + _where(task) + "."]
    for arg in task.parameters:
        shape = f"[{', '.join(map(str, arg.shape))}] {arg.role}" if arg.kind is ArgKind.ARRAY else str(arg.kind)
        lines.append(f"//   {arg.name}: {arg.dtype.name} {shape}")
    includes = [f"#include <{name}>" for name in _half_headers(task)]
    structs = [arg.dtype.c_definition for arg in task.parameters if isinstance(arg.dtype, StructType)]
    guard = f"REGRAPHT_{''.join(c if c.isalnum() else '_' for c in task.id).upper()}_H"
    body = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        *includes,
        *dict.fromkeys(structs),
        task.signature_of_plain_names + ";",
        "",
        "#endif",
    ]
    return "\n".join([*lines, *body, ""])


def caller(task: Task, source: str, *, architecture: str, sizes: Sizes) -> str:
    """`use_best.cu`: fills inputs with plausible values at `sizes`, calls the entry, prints a checksum of every output.

    The values are not the judge's; the checksum is for seeing that it runs, not that it is right. Its first lines say how to build it with
    `source`, the best program.
    """
    on_device = task.contract.residency is Residency.DEVICE
    lines = [
        f"// Calls {task.entry} from best.cu. Build and run:",
        f"//   {build_line(source, architecture=architecture, rounding=task.contract.rounding)} && ./use_best",
        "#include <cstdio>",
        "#include <cstdlib>",
        "#include <vector>",
        "",
        "#include <cuda_runtime.h>",
        "",
        '#include "best.h"',
        "",
        "static void check(cudaError_t error) {",
        "    if (error == cudaSuccess) return;",
        '    std::fprintf(stderr, "CUDA: %s\\n", cudaGetErrorString(error));',
        "    std::exit(1);",
        "}",
        "",
        "// A small generator, so that every run sees the same values.",
        "static double random01(unsigned long long& state) {",
        "    state = state * 6364136223846793005ull + 1442695040888963407ull;",
        "    return (state >> 11) * (1.0 / 9007199254740992.0);",
        "}",
        "",
        "int main() {",
        "    unsigned long long state = 1;",
        "    (void)state;",
    ]
    for arg in task.parameters:
        lines += [f"    {line}" for line in _declare(arg, sizes, on_device)]
    lines += ["", f"    {task.entry}({', '.join(_argument(arg, on_device) for arg in task.parameters)});"]
    lines += ["    check(cudaGetLastError());", "    check(cudaDeviceSynchronize());"]
    for arg in task.outputs:
        lines += [f"    {line}" for line in _checksum(arg, on_device)]
    if on_device:
        lines += [f"    check(cudaFree({arg.name}_device));" for arg in task.parameters if arg.kind is ArgKind.ARRAY]
    return "\n".join([*lines, "}", ""])


def build_line(source: str, *, architecture: str, rounding: Rounding) -> str:
    """The command that builds the best program with its caller, in the result folder."""
    options = " ".join((*rounding_flags(rounding), _options(source, architecture)))
    return f"nvcc -O3 -std=c++17 --expt-relaxed-constexpr {options} best.cu use_best.cu -o use_best"


def _options(source: str, architecture: str) -> str:
    """What nvcc must be told of a program: the device, by its own name where only that has the instructions, and the vendor's libraries."""
    linked = [f"-l{file}" for library in included(source) for file in SHARED[library]]
    if _OWN_INSTRUCTIONS.search(source) is None:
        return " ".join((f"-arch={architecture}", *linked))
    own = architecture if architecture[-1].isalpha() else f"{architecture}a"
    return " ".join((f"-gencode arch={own.replace('sm_', 'compute_')},code={own}", *linked))


def _where(task: Task) -> str:
    return "device memory" if task.contract.residency is Residency.DEVICE else "host memory"


def _half_headers(task: Task) -> list[str]:
    names = {arg.dtype.name for arg in task.parameters if isinstance(arg.dtype, ScalarType)}
    return [header for dtype, header in (("float16", "cuda_fp16.h"), ("bfloat16", "cuda_bf16.h")) if dtype in names]


def _argument(arg: Arg, on_device: bool) -> str:
    if arg.kind is not ArgKind.ARRAY:
        return arg.name
    return f"{arg.name}_device" if on_device else f"{arg.name}.data()"


def _declare(arg: Arg, sizes: Sizes, on_device: bool) -> list[str]:
    c_type = arg.dtype.plain_name
    if arg.kind is ArgKind.SIZE:
        return [f"const {c_type} {arg.name} = {sizes[arg.name]};"]
    if arg.kind is ArgKind.SCALAR:
        given = arg.value if arg.value is not None else f"({value(arg, sizes, 1, i='0')})"
        return [f"const {c_type} {arg.name} = ({c_type}){given};"]
    count = arg.element_count(sizes)
    lines = [f"std::vector<{c_type}> {arg.name}({count}); // {' x '.join(map(str, arg.shape))}"]
    if arg.is_input:
        lines.append(f"for (long long i = 0; i < {count}; ++i) {fill(arg, sizes, count)}")
    if on_device:
        size = f"{arg.name}.size() * sizeof({c_type})"
        lines.append(f"{c_type}* {arg.name}_device = nullptr;")
        lines.append(f"check(cudaMalloc(&{arg.name}_device, {size}));")
        if arg.role is not Role.OUT:
            lines.append(f"check(cudaMemcpy({arg.name}_device, {arg.name}.data(), {size}, cudaMemcpyHostToDevice));")
    return lines


def fill(arg: Arg, sizes: Sizes, count: int) -> str:
    """A C++ statement that fills element `i` of an input with a plausible value."""
    drawn = value(arg, sizes, count)
    if isinstance(arg.dtype, StructType):
        return (
            "{ "
            + " ".join(f"{arg.name}[i].{name} = ({scalar.c_name})({drawn});" for name, scalar in arg.dtype.fields)
            + " }"
        )
    return f"{arg.name}[i] = ({arg.dtype.c_name})({drawn});"


def value(arg: Arg, sizes: Sizes, count: int, *, i: str = "i") -> str:
    """A C++ expression in `i` that gives a plausible element for the argument's kind of init."""
    init = arg.init
    if init is None:
        return "random01(state)"

    def parameter(name: str, default: float) -> float:
        given = init.parameters.get(name, default)
        return given.evaluate(sizes) if isinstance(given, Expression) else float(given)  # type: ignore[arg-type]

    match init.kind:
        case "normal":
            return f"{parameter('mean', 0.0)} + {parameter('std', 1.0)} * (random01(state) * 2 - 1)"
        case "uniform":
            low, high = parameter("low", 0.0), parameter("high", 1.0)
            return f"{low} + ({high} - {low}) * random01(state)"
        case "integers":
            low, high = int(parameter("low", 0)), int(parameter("high", 2))
            return f"{low} + (long long)(random01(state) * ({high} - {low}))"
        case "ones":
            return "1"
        case "arange" | "sorted" | "permutation":
            return i
        case "choice":
            values: tuple[object, ...] = tuple(init.parameters.get("values", (0,)))  # type: ignore[arg-type]
            picked = "".join(f"{i} % {len(values)} == {n} ? {one} : " for n, one in enumerate(values[:-1]))
            return f"{picked}{values[-1]}"
        case "csr_row_ptr":
            return f"{i} * {int(parameter('nnz', 0))}ll / {max(count - 1, 1)}"
        case "csr_col_idx":
            return f"{i} % {max(int(parameter('cols', 1)), 1)}"
    return "0"


def _checksum(arg: Arg, on_device: bool) -> list[str]:
    c_type = arg.dtype.plain_name
    size = f"{arg.name}.size() * sizeof({c_type})"
    element = f"{arg.name}[i].{arg.dtype.fields[0][0]}" if isinstance(arg.dtype, StructType) else f"{arg.name}[i]"
    lines = []
    if on_device:
        lines.append(f"check(cudaMemcpy({arg.name}.data(), {arg.name}_device, {size}, cudaMemcpyDeviceToHost));")
    lines += [
        f"double {arg.name}_sum = 0;",
        f"for (size_t i = 0; i < {arg.name}.size(); ++i) {arg.name}_sum += (double){element};",
        f'std::printf("{arg.name}: %zu elements, sum %.9g\\n", {arg.name}.size(), {arg.name}_sum);',
    ]
    return lines
