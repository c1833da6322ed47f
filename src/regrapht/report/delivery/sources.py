"""The delivered sources: the program, its header, its caller from host memory, and the sequential function behind both."""

import re
from collections.abc import Mapping

from regrapht.records.element import StructType
from regrapht.records.task import Arg, ArgKind, Role, Task
from regrapht.records.user_code import FlatPlace, Home
from regrapht.report.delivery.interface import LENGTH_FUNCTIONS, Interface, c_type, count_of, length_text

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)

_OURS = (
    r"\b(?:struct|class|enum class|enum|using)\s+(\w+)",
    r"\btypedef\b[^;]*?(\w+)\s*;",
    r"\}([\w\s,*&]+);",
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)",
)
"""Names that the user's files give to types and macros: a header of ours does not have them."""
_CONSTANTS = re.compile(r"\bconst(?:expr)?\b[^;=(){}]*?\b(\w+)\s*(?:=|\{)")


def program(interface: Interface, source: str) -> str:
    """`NAME.cu`: the judged program. Its entry gets a name of its own, so that it can be linked beside the user's function."""
    includes = list(_INCLUDE.finditer(source))
    at = includes[-1].end() if includes else 0
    renamed = f"\n#define {interface.name} {interface.name}_on_device  // beside a function of that name\n"
    return source[:at] + renamed + source[at:].rstrip("\n") + "\n"


def header(interface: Interface) -> str:
    """`NAME.h`: for C and C++; in C++ also the user's signature, where it needs no type of the project."""
    name, home = interface.name, interface.task.home
    guard = f"{interface.macro}_H"
    memory = {
        "host": "host memory",
        "device": "host memory, which is copied, or device or managed memory",
        "managed": "managed memory",
    }
    lines = [
        f"/* {interface.task.title}: pointers are {memory[interface.residency]}. Made by regrapht. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        "/* 0 when it is done, else a code of CUDA's; without a CUDA device it runs the sequential function. */",
        f"int {name}_host({interface.declared()});",
        "/* The sequential function. */",
        f"void {name}_cpu({interface.declared()});",
        "/* What a code means. */",
        f"const char* {name}_message(int code);",
        "/* Whether a CUDA device is used. */",
        f"int {name}_has_device(void);",
        "/* Gives device memory back that is kept between calls. */",
        f"void {name}_release(void);",
    ]
    if interface.device_only:
        lines += [
            f"#ifdef {interface.macro}_CUDA",
            "/* The same on device memory: enqueued on the default stream when it returns. */",
            f"int {name}_device({interface.declared()});",
            "#endif",
        ]
    lines += ["", "#ifdef __cplusplus", "}", "#endif"]
    if home is not None:
        own = _own_signature(interface)
        lines += ["", "#ifdef __cplusplus", LENGTH_FUNCTIONS.rstrip(), *(own or ()), "#endif"]
    return "\n".join([*lines, "", "#endif", ""])


def _own_signature(interface: Interface) -> list[str] | None:
    """The function as the user declares it, as `NAME_gpu`; None where that needs types of the project or an object."""
    home = interface.task.home
    assert home is not None, "asked for where there is one"
    found = (text for pattern in _OURS for text in re.findall(pattern, home.original, re.MULTILINE))
    ours = {name for text in found for name in re.findall(r"\w+", text)}
    words = set(re.findall(r"\w+", home.declaration))
    extents = set(re.findall(r"\w+", " ".join(re.findall(r"\[[^\]]*\]|<[^;]*>", home.declaration))))
    ours |= extents & set(_CONSTANTS.findall(home.original))
    plain = all(place.form != "rows" and "::" not in place.expression for place in home.places)
    if (
        home.same
        or home.only_in
        or home.member_of
        or words & ours
        or "template" in words
        or not plain
        or any(p.hidden for p in home.places)
    ):
        return None
    spelled = home.name.rpartition("::")[2]
    declared = re.sub(
        r"\b(static|inline|extern|constexpr)\b\s*|__attribute__\(\(.*?\)\)|extern \"C\"", "", home.declaration
    )
    declared = re.sub(rf"\b(?:\w+::)*{re.escape(spelled)}(\s*\()", rf"{spelled}_gpu\1", declared, count=1).strip()
    standard = {"vector", "span", "array", "valarray", "optional", "memory", "utility"}
    names = {"unique_ptr": "memory", "pair": "utility"}
    includes = sorted({names.get(word, word) for word in words if names.get(word, word) in standard})
    newer = interface.task.reference.language == "c++20"  # the program itself is compiled as C++17
    return [
        *(["#if __cplusplus > 201703L"] if newer else ()),
        "#include <cstddef>",
        "#include <stdexcept>",
        *(f"#include <{one}>" for one in includes),
        *(f"namespace {space} {{" for space in home.namespaces),
        "/* As the function that it was made of; throws where CUDA fails. */",
        f"inline {declared} {{",
        *(f"    {line}" for line in call_lines(interface)),
        "}",
        *("}" for _ in home.namespaces),
        *(["#endif"] if newer else ()),
    ]


def call_lines(interface: Interface, *, beside_own: bool = False) -> list[str]:
    """Statements in the scope of the user's function that call the program and return; where the call differs from what the program is
    for, they do nothing.

    Args:
        beside_own: Whether her own code follows: arrays that share memory are left to it.
    """
    task, home, name = interface.task, interface.task.home, interface.name
    places = {place.name: place for place in home.places} if home is not None else {}
    lines, arguments, after = [], [], []
    expressions = {key: f"({one.expression})" for key, one in places.items() if one.form == "value"}
    for arg in task.parameters:
        place = places.get(arg.name)
        if place is None or place.form == "value":
            plain = "&regrapht_result" if place is None and task.returns is not None else arg.name
            arguments.append(_in_instance(place, arg, home) if place is not None else plain)
            continue
        if place.form == "rows":
            count, width = (length_text(one, expressions) for one in arg.shape)
            kept = f"{arg.name}_regrapht"
            own = f"std::decay<decltype({place.expression}[0][0])>::type"
            lines += [
                f"std::vector<{own if isinstance(arg.dtype, StructType) else arg.dtype.c_name}> {kept}((std::size_t)({count} * {width}));",
                f"for (long long row = 0; row < {count}; ++row) for (long long at = 0; at < {width}; ++at)",
                f"    {kept}[(std::size_t)(row * {width} + at)] = {place.expression}[row][at];",
            ]
            if arg.role is not Role.IN:
                after += [
                    f"for (long long row = 0; row < {count}; ++row) for (long long at = 0; at < {width}; ++at)",
                    f"    {place.expression}[row][at] = {kept}[(std::size_t)(row * {width} + at)];",
                ]
            arguments.append(f"{kept}.data()")
            continue
        if place.length is not None:
            wanted = count_of(arg, expressions)
            message = f"{name}: {arg.name} is shorter than the function reads"
            lines.append(f'if (regrapht_length({place.length}) < {wanted}) throw std::length_error("{message}");')
        arguments.append(_in_instance(place, arg, home))
    if task.returns is not None:
        lines.insert(0, f"{task.returns.c_name} regrapht_result = 0;")
    made = home.returned if home is not None else None
    after += made.after if made is not None else ()
    lines.append(f"if (const int regrapht_code = {name}_host({', '.join(arguments)}))")
    lines.append(f"    throw std::runtime_error({name}_message(regrapht_code));")
    plain = "regrapht_result" if task.returns is not None else ""
    expression = (made.expression if made is not None else "") or plain
    lines += [*after, f"return {expression};" if expression else "return;"]
    lines = _where(list(apart(task, expressions).values()) if beside_own else [], lines)
    lines = [*(made.before if made is not None else ()), *lines]
    conditions = [f"{one} == {other}" for one, other in home.same] if home is not None else []
    return _where([*([home.only_in] if home is not None and home.only_in else []), *conditions], lines)


def _in_instance(place: FlatPlace, arg: Arg, home: Home | None) -> str:
    """What the user's function has for a parameter; in a template by the type that it has in the one instance, for all to compile."""
    if home is None or home.only_in is None or isinstance(arg.dtype, StructType):
        return place.expression
    kind = "static_cast" if place.form == "value" else "reinterpret_cast"
    return f"{kind}<{c_type(arg)}>({place.expression})"


def _where(conditions: list[str], lines: list[str]) -> list[str]:
    """The statements, done where all conditions hold."""
    return [f"if ({' && '.join(conditions)}) {{", *(f"    {line}" for line in lines), "}"] if conditions else lines


def apart(task: Task, expressions: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Two arrays, one of them written -> a condition in the user's function: they share no memory."""
    home = task.home
    places = {place.name: place for place in home.places if place.form == "pointer"} if home is not None else {}
    arrays = [arg for arg in task.parameters if arg.name in places]
    spans = {one.name: f"{places[one.name].expression}, {count_of(one, expressions)}" for one in arrays}
    return {
        (one.name, other.name): f"regrapht_apart({spans[one.name]}, {spans[other.name]})"
        for number, one in enumerate(arrays)
        for other in arrays[number + 1 :]
        if (one.role, other.role) != (Role.IN, Role.IN)
    }


def sequential(interface: Interface) -> str:
    """`NAME_cpu.cpp`: the sequential function; where no CUDA is built in, all that the header declares."""
    name, text = interface.name, interface.task.reference.source.text
    includes = _INCLUDE.findall(text)
    body = _INCLUDE.sub("", text).strip("\n")
    returned = f"*result = {name}_sequential(" if interface.task.returns is not None else f"{name}_sequential("
    passed = [_unqualified(arg) for arg in interface.task.args]
    return "\n".join(
        [
            f"// The sequential function behind {name}: used where there is no CUDA device, and to compare with. Made by regrapht.",
            f'#include "{name}.h"',
            *includes,
            "",
            "namespace {",
            *(_ARRAY if any("Array{" in one for one in passed) else ()),
            f"#define {name} {name}_sequential",
            body,
            f"#undef {name}",
            "}  // namespace",
            "",
            f'extern "C" void {name}_cpu({interface.declared()}) {{ {returned}{", ".join(passed)}); }}',
            "",
            f"#ifndef {interface.macro}_CUDA  // built without CUDA",
            f'extern "C" int {name}_host({interface.declared()}) {{',
            f"    {name}_cpu({interface.names});",
            "    return 0;",
            "}",
            f'extern "C" const char* {name}_message(int code) {{ return code == 0 ? "done" : "no CUDA was built in"; }}',
            f'extern "C" int {name}_has_device(void) {{ return 0; }}',
            f'extern "C" void {name}_release(void) {{}}',
            "#endif",
            "",
        ]
    )


_SAME_WIDTH = ("int8", "uint8", "int64", "uint64")
_ARRAY = (
    "struct Array {  // of bytes or of 64-bit integers, for which C++ has several types",
    "    const void* at;",
    "    template <class T> operator T*() const { return static_cast<T*>(const_cast<void*>(at)); }",
    "};",
)


def _unqualified(arg: Arg) -> str:
    """An argument for the sequential function, which may declare without `const` what it only reads, and as another type of its width, as
    `char` and `bool` are."""
    if arg.kind is not ArgKind.ARRAY:
        return arg.name
    kind = f"{arg.dtype.c_name}*"
    if arg.dtype.name in _SAME_WIDTH:
        return f"Array{{{arg.name}}}"
    if arg.role is not Role.IN:
        return f"static_cast<{kind}>({arg.name})" if isinstance(arg.dtype, StructType) else arg.name
    plain = f"static_cast<const {kind}>({arg.name})" if isinstance(arg.dtype, StructType) else arg.name
    return f"const_cast<{kind}>({plain})"


def host(interface: Interface) -> str:
    """`NAME_host.cu`: host memory in and out, by a pool that is kept; every error of CUDA comes back as its code."""
    name = interface.name
    structs = dict.fromkeys(arg.dtype.c_definition for arg in interface.arrays if isinstance(arg.dtype, StructType))
    lines = [
        f"// {name} from host memory. Every error of CUDA is returned; without a device the sequential function runs. Made by regrapht.",
        "#include <cuda_runtime.h>",
        "",
        "#include <mutex>",
        "",
        f'#include "{name}.h"',
        "",
        *structs,
        f'extern "C" void {name}_on_device({interface.typed()});',
        "",
        LENGTH_FUNCTIONS,
        "namespace {",
        "std::mutex one_call_at_a_time;",
        "cudaMemPool_t pool = nullptr;",
        "int pool_device = -1;",
        "",
        "int devices() {",
        "    int count = 0;",
        "    if (cudaGetDeviceCount(&count) != cudaSuccess) {",
        "        cudaGetLastError();  // no driver: as without a device",
        "        return 0;",
        "    }",
        "    return count;",
        "}",
        "}  // namespace",
        "",
        f'extern "C" const char* {name}_message(int code) {{ return cudaGetErrorString(static_cast<cudaError_t>(code)); }}',
        f'extern "C" int {name}_has_device(void) {{ return devices() > 0; }}',
        "",
    ]
    lines += _copying(interface) if interface.device_only and interface.residency == "device" else _direct(interface)
    return "\n".join(lines)


def _direct(interface: Interface) -> list[str]:
    """Host or managed memory goes to the program as it is."""
    name = interface.name
    lines = [
        f'extern "C" int {name}_host({interface.declared()}) {{',
        "    std::lock_guard<std::mutex> held(one_call_at_a_time);",
        f"    if (devices() == 0) {{ {name}_cpu({interface.names}); return 0; }}",
        f"    {name}_on_device({interface.passed()});",
        "    if (const cudaError_t error = cudaGetLastError()) return error;",
        "    return cudaDeviceSynchronize();",
        "}",
        f'extern "C" void {name}_release(void) {{}}',
        "",
    ]
    return lines if not interface.device_only else [*lines, *_on_device(interface)]


def _on_device(interface: Interface) -> list[str]:
    return [
        f'extern "C" int {interface.name}_device({interface.declared()}) {{',
        f"    {interface.name}_on_device({interface.passed()});",
        "    return cudaGetLastError();",
        "}",
        "",
    ]


_POOL_OPENED = [
    "namespace {",
    "cudaError_t open_pool() {",
    "    int device = 0;",
    "    if (const cudaError_t error = cudaGetDevice(&device)) return error;",
    "    if (pool && pool_device == device) return cudaSuccess;",
    "    if (pool) cudaMemPoolDestroy(pool);",
    "    pool = nullptr;",
    "    cudaMemPoolProps properties = {};",
    "    properties.allocType = cudaMemAllocationTypePinned;",
    "    properties.location.type = cudaMemLocationTypeDevice;",
    "    properties.location.id = device;",
    "    if (const cudaError_t error = cudaMemPoolCreate(&pool, &properties)) return error;",
    "    pool_device = device;",
    "    unsigned long long kept = ~0ull;  // memory stays between calls, what the program itself takes too",
    "    cudaMemPool_t own = nullptr;",
    "    if (const cudaError_t error = cudaDeviceGetDefaultMemPool(&own, device)) return error;",
    "    if (const cudaError_t error = cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &kept)) return error;",
    "    return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);",
    "}",
    "",
    "// One array where the device reaches it: as it was given where it is device or managed memory, else a copy of it.",
    "struct Buffer {",
    "    void* data = nullptr;",
    "    bool copied = false;",
    "    ~Buffer() { if (copied) cudaFreeAsync(data, nullptr); }",
    "    cudaError_t open(const void* given, long long bytes) {",
    "        cudaPointerAttributes known = {};",
    "        if (cudaPointerGetAttributes(&known, given) != cudaSuccess) cudaGetLastError();  // of an address that CUDA does not know",
    "        if (known.type == cudaMemoryTypeDevice || known.type == cudaMemoryTypeManaged) {",
    "            data = const_cast<void*>(given);",
    "            return known.type == cudaMemoryTypeManaged && bytes > 0 ? fetch(bytes) : cudaSuccess;",
    "        }",
    "        copied = true;",
    "        return cudaMallocFromPoolAsync(&data, bytes > 16 ? bytes : 16, pool, nullptr);",
    "    }",
    "    cudaError_t fetch(long long bytes) {  // the pages in one go, where the device takes them so",
    "        int moves = 0;",
    "        cudaDeviceGetAttribute(&moves, cudaDevAttrConcurrentManagedAccess, pool_device);",
    "        if (!moves) return cudaSuccess;",
    "#if CUDART_VERSION >= 13000",
    "        const cudaMemLocation place = {cudaMemLocationTypeDevice, pool_device};",
    "        return cudaMemPrefetchAsync(data, bytes, place, 0, nullptr);",
    "#else",
    "        return cudaMemPrefetchAsync(data, bytes, pool_device, nullptr);",
    "#endif",
    "    }",
]
_PUT = [
    "    cudaError_t put(const void* from, long long bytes) {",
    "        return copied ? cudaMemcpyAsync(data, from, bytes, cudaMemcpyHostToDevice, nullptr) : cudaSuccess;",
    "    }",
]
_POOL_CLOSED = [
    "    cudaError_t get(void* to, long long bytes) {",
    "        return copied ? cudaMemcpyAsync(to, data, bytes, cudaMemcpyDeviceToHost, nullptr) : cudaSuccess;",
    "    }",
    "};",
    "}  // namespace",
    "",
]
"""Device memory from a pool of the function's own, which keeps it."""


def _copying(interface: Interface) -> list[str]:
    """Host memory is copied to buffers of the pool and back; what the device reaches already is used as it is."""
    name, arrays = interface.name, interface.arrays
    reads = any(arg.role is not Role.OUT for arg in arrays)
    lines = [
        *_POOL_OPENED,
        *(_PUT if reads else ()),
        *_POOL_CLOSED,
        f'extern "C" void {name}_release(void) {{',
        "    std::lock_guard<std::mutex> held(one_call_at_a_time);",
        "    if (pool) cudaMemPoolDestroy(pool);",
        "    pool = nullptr;",
        "}",
        "",
        f'extern "C" int {name}_host({interface.declared()}) {{',
        "    std::lock_guard<std::mutex> held(one_call_at_a_time);",
        f"    if (devices() == 0) {{ {name}_cpu({interface.names}); return 0; }}",
        "    if (const cudaError_t error = open_pool()) return error;",
    ]
    for arg in arrays:
        size = arg.dtype.size_bytes
        lines += [
            f"    const long long {arg.name}_bytes = {count_of(arg)} * {size}ll;",
            f"    if ({arg.name}_bytes < 0 || ({arg.name}_bytes > 0 && !{arg.name})) return cudaErrorInvalidValue;",
        ]
    lines += [f"    Buffer {', '.join(f'{arg.name}_device' for arg in arrays)};"]
    for arg in arrays:
        given = f"{arg.name}, {arg.name}_bytes"
        lines.append(f"    if (const cudaError_t error = {arg.name}_device.open({given})) return error;")
        if arg.role is not Role.OUT:
            lines.append(f"    if (const cudaError_t error = {arg.name}_device.put({given})) return error;")
    call = ", ".join(
        f"static_cast<{'const ' if arg.role is Role.IN else ''}{arg.dtype.plain_name}*>({arg.name}_device.data)"
        if arg.kind is ArgKind.ARRAY
        else arg.name
        for arg in interface.task.parameters
    )
    lines += [f"    {name}_on_device({call});", "    if (const cudaError_t error = cudaGetLastError()) return error;"]
    for arg in arrays:
        if arg.role is not Role.IN:
            lines.append(
                f"    if (const cudaError_t error = {arg.name}_device.get({arg.name}, {arg.name}_bytes)) return error;"
            )
    return [*lines, "    return cudaStreamSynchronize(nullptr);", "}", "", *_on_device(interface)]
