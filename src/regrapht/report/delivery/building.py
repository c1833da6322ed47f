"""How the delivered sources are built and tried: `CMakeLists.txt`, `test_NAME.cpp`, `README.md`."""

from collections.abc import Mapping

from regrapht.evaluate.build.libraries import SHARED, included
from regrapht.records.element import StructType
from regrapht.records.task import Arg, ArgKind, Role, Rounding, Sizes
from regrapht.report.caller import fill, value
from regrapht.report.delivery.interface import Interface

_MOST_ELEMENTS, _ROWS = 2_000_000, 3


def cmake(interface: Interface, source: str, *, architecture: str) -> str:
    """`CMakeLists.txt`: the target `regrapht::NAME`, with CUDA where CMake finds it."""
    name, target = interface.name, f"regrapht_{interface.name}"
    libraries = " ".join(file for library in included(source) for file in SHARED[library])
    number = architecture.removeprefix("sm_")
    separate = interface.task.contract.rounding is Rounding.SEPARATE
    exact = "NOT DEFINED REGRAPHT_EXACT OR REGRAPHT_EXACT" if separate else "REGRAPHT_EXACT"
    standard = interface.task.reference.language.removeprefix("c++") or "17"
    return f"""\
# regrapht::{name}, made by regrapht. In your project: add_subdirectory(this folder),
# target_link_libraries(yours PRIVATE regrapht::{name}).
cmake_minimum_required(VERSION 3.24)
project({target} LANGUAGES CXX)

option(REGRAPHT_CUDA "Build with CUDA where it is found" ON)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library({target} STATIC {name}_cpu.cpp)
add_library(regrapht::{name} ALIAS {target})
target_compile_features({target} PUBLIC cxx_std_{max(int(standard), 14)})
target_include_directories({target} PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
target_compile_definitions({target} PUBLIC {interface.macro}=1)
set_target_properties({target} PROPERTIES POSITION_INDEPENDENT_CODE ON)

if(REGRAPHT_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
endif()
if(REGRAPHT_CUDA AND CMAKE_CUDA_COMPILER)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES {number})
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  target_sources({target} PRIVATE {name}.cu {name}_host.cu)
  target_compile_definitions({target} PUBLIC {interface.macro}_CUDA=1)
  set_target_properties({target} PROPERTIES CUDA_ARCHITECTURES "${{CMAKE_CUDA_ARCHITECTURES}}" CUDA_STANDARD 17)
  target_compile_options({target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  if({exact})
    target_compile_options({target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
  endif()
  target_link_libraries({target} PUBLIC CUDA::cudart{"".join(f" CUDA::{one}" for one in libraries.split())})
  message(STATUS "regrapht::{name}: with CUDA")
else()
  message(STATUS "regrapht::{name}: without CUDA, the sequential function")
endif()

if(PROJECT_IS_TOP_LEVEL)
  enable_testing()
endif()
if(CMAKE_TESTING_ENABLED)  # in a project with tests of its own, ctest runs this one too
  add_executable({target}_test test_{name}.cpp)
  set_target_properties({target}_test PROPERTIES OUTPUT_NAME test_{name})
  target_link_libraries({target}_test PRIVATE regrapht::{name})
  add_test(NAME {target} COMMAND {target}_test)
endif()
"""


def test(interface: Interface) -> str:
    """`test_NAME.cpp`: the program beside the sequential function, on drawn inputs of a few shapes."""
    task = interface.task
    rows = [row for row in task.check_sizes if _elements(interface, row) <= _MOST_ELEMENTS][:_ROWS]
    body: list[str] = []
    for sizes in rows or task.check_sizes[:1]:
        body += _case(interface, sizes)
    structs = dict.fromkeys(arg.dtype.c_definition for arg in interface.arrays if isinstance(arg.dtype, StructType))
    return "\n".join(
        [
            f"// {interface.name} beside the sequential function, on drawn inputs. Ends with 0 when all outputs agree. Made by regrapht.",
            "#include <cmath>",
            "#include <cstdio>",
            "#include <vector>",
            "",
            f'#include "{interface.name}.h"',
            "",
            *structs,
            "static double random01(unsigned long long& state) {",
            "    state = state * 6364136223846793005ull + 1442695040888963407ull;",
            "    return (state >> 11) * (1.0 / 9007199254740992.0);",
            "}",
            "static int wrong = 0;",
            "static void compare(const char* name, long long at, double ours, double right, double bar) {",
            "    if (ours == right || (ours != ours && right != right)) return;",
            "    if (std::fabs(ours - right) <= bar * (1 + std::fabs(right))) return;",
            '    if (++wrong <= 10) std::printf("%s[%lld] is %.17g, and %.17g is right\\n", name, at, ours, right);',
            "}",
            "",
            "int main() {",
            "    unsigned long long state = 1;",
            "    (void)state;",
            *(f"    {line}" for line in body),
            f'    const char* where = {interface.name}_has_device() ? "on the device" : "without a device";',
            f'    std::printf("{interface.name}: %s, %s\\n", wrong ? "WRONG" : "right", where);',
            "    return wrong != 0;",
            "}",
            "",
        ]
    )


def _elements(interface: Interface, sizes: Sizes) -> int:
    return sum(arg.element_count(sizes) for arg in interface.arrays)


def _case(interface: Interface, sizes: Sizes) -> list[str]:
    lines = ["{"]
    for arg in interface.task.parameters:
        kind = arg.dtype.plain_name
        if arg.kind is ArgKind.SIZE:
            lines.append(f"    const {kind} {arg.name} = {sizes[arg.name]};")
        elif arg.kind is ArgKind.SCALAR:
            given = arg.value if arg.value is not None else f"({value(arg, sizes, 1, i='0')})"
            lines.append(f"    const {kind} {arg.name} = ({kind}){given};")
        else:
            count = arg.element_count(sizes)
            lines.append(f"    std::vector<{kind}> {arg.name}({count});")
            if arg.is_input:
                lines.append(f"    for (long long i = 0; i < {count}; ++i) {fill(arg, sizes, count)}")
            if arg.role is not Role.IN:
                lines.append(f"    std::vector<{kind}> {arg.name}_right = {arg.name};")
    ours = ", ".join(_handed(arg, "") for arg in interface.task.parameters)
    right = ", ".join(_handed(arg, "_right") for arg in interface.task.parameters)
    lines.append(f"    if (const int code = {interface.name}_host({ours})) {{")
    lines.append(f'        std::printf("{interface.name}: %s\\n", {interface.name}_message(code));')
    lines += ["        return 2;", "    }", f"    {interface.name}_cpu({right});"]
    for arg in interface.task.outputs:
        fields = [f".{name}" for name, _ in arg.dtype.fields] if isinstance(arg.dtype, StructType) else [""]
        for member in fields:
            both = f"(double){arg.name}[i]{member}, (double){arg.name}_right[i]{member}"
            compare = f'compare("{arg.name}{member}", i, {both}, {_bar(arg, interface, sizes)})'
            lines.append(f"    for (long long i = 0; i < {arg.element_count(sizes)}; ++i) {compare};")
    return [*lines, "}"]


def _handed(arg: Arg, suffix: str) -> str:
    if arg.kind is not ArgKind.ARRAY:
        return arg.name
    return f"{arg.name}{suffix if arg.role is not Role.IN else ''}.data()"


def _bar(arg: Arg, interface: Interface, sizes: Sizes) -> float:
    """How far an output may be off: what rounding does to the longest sum, with room."""
    names = {arg.dtype.name} if not isinstance(arg.dtype, StructType) else {one.name for _, one in arg.dtype.fields}
    if not any("float" in name for name in names):
        return 0.0
    unit = 1e-2 if names & {"float16", "bfloat16"} else 1e-6 if "float32" in names else 1e-14
    length = float(interface.task.tolerance.reduction_length.evaluate(sizes))
    return max(unit * 16 * max(length, 1.0), interface.task.tolerance.rtol or 0.0)


def readme(interface: Interface, *, headline: str, patch: str | None, files: Mapping[str, str]) -> str:
    """`README.md`: what the folder is, how it is built, how it is called."""
    name, home = interface.name, interface.task.home
    lines = [
        f"# {name}",
        "",
        headline,
        "",
        "```sh",
        f"cmake -S . -B build{'' if not home else '   # -DREGRAPHT_CUDA=OFF builds the sequential function alone'}",
        "cmake --build build",
        "ctest --test-dir build --output-on-failure",
        "```",
        "",
        f"In a CMake project: `add_subdirectory(...)` of this folder and `target_link_libraries(... PRIVATE regrapht::{name})`.",
        "CUDA is used where CMake finds it and where the machine has a device; else the sequential function runs.",
        f"`{name}_host` returns 0, or a code that `{name}_message` explains; the C++ function throws. Memory on the device is kept between",
        f"calls until `{name}_release()`.",
        "",
        "| file | what it is |",
        "|---|---|",
    ]
    lines += [f"| `{file}` | {what} |" for file, what in files.items()]
    if home is not None:
        lines += ["", f"## From `{home.name}`", "", f"`{home.declaration}`", ""]
        lines += ["| parameter of the program | in your function |", "|---|---|"]
        lines += [f"| `{place.name}` | {place.hidden or f'`{place.expression}`'} |" for place in home.places]
        lines += [
            "",
            patch or "",
            "",
            "Arrays are taken to share no memory, and references not to be what an array holds: the patch leaves other calls to your code.",
        ]
    return "\n".join([*lines, ""])
