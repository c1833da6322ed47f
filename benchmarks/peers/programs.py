"""What a peer compiles: a task's reference with its pragmas, and a main that reads the inputs, times calls and writes the outputs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.records.task import ArgKind, Role, Sizes, Task

HERE = Path(__file__).parent
CALLS_S, MOST_CALLS = 2.0, 20
PROBES = {
    "target": """#include <omp.h>
int main() {
    int host = 1;
#pragma omp target map(tofrom : host)
    host = omp_is_initial_device();
    return host;
}
""",
    "acc": """#include <openacc.h>
int main() {
    int host = 1;
#pragma acc parallel copy(host)
    host = acc_on_device(acc_device_host);
    return host;
}
""",
}
MEMORY = {
    "target": (
        "#include <omp.h>",
        "omp_target_alloc(bytes, omp_get_default_device())",
        "omp_target_memcpy(to, from, bytes, 0, 0, omp_get_default_device(), omp_get_initial_device())",
        "omp_target_memcpy(to, from, bytes, 0, 0, omp_get_initial_device(), omp_get_default_device())",
    ),
    "acc": (
        "#include <openacc.h>",
        "acc_malloc(bytes)",
        "acc_memcpy_to_device(to, (void*)from, bytes)",
        "acc_memcpy_from_device(to, (void*)from, bytes)",
    ),
}
ON_HOST = ("", "std::malloc(bytes)", "std::memcpy(to, from, bytes)", "std::memcpy(to, from, bytes)")
MAIN = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
{include}
static void* peer_make(std::size_t bytes) {{ return {make}; }}
static void peer_in(void* to, const void* from, std::size_t bytes) {{ {copy_in}; }}
static void peer_out(void* to, const void* from, std::size_t bytes) {{ {copy_out}; }}
struct PeerAny {{
    void* at;
    template <class T> operator T*() const {{ return (T*)at; }}
}};
static void peer_read(std::FILE* from, void* to, std::size_t bytes) {{
    if (std::fread(to, 1, bytes, from) != bytes) std::exit(3);
}}
int main() {{
    std::FILE* from = std::fopen("in.bin", "rb");
    if (from == nullptr) return 3;
{opened}
    double spent = 0;
    for (int k = 0; k <= {most} && (k < 2 || spent < {seconds}); ++k) {{
{fresh}
        const auto began = std::chrono::steady_clock::now();
        {call}
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        spent += took;
        if (k > 0) std::printf("%.9f\\n", took);
    }}
    std::FILE* to = std::fopen("out.bin", "wb");
{closed}
    return std::fclose(to);
}}
"""


def pragma(kind: str, style: str, pointers: Sequence[str]) -> str | None:
    """One annotation as a compiler of that style reads it."""
    word, _, clauses = kind.partition(" ")
    if style == "none" or (word == "routine" and style != "acc"):
        return None
    if word == "routine":
        return "#pragma acc routine seq"
    if word == "atomic":
        return "#pragma acc atomic update" if style == "acc" else "#pragma omp atomic"
    given = {
        "cores": "#pragma omp parallel for",
        "target": f"#pragma omp target teams distribute parallel for is_device_ptr({', '.join(pointers)})",
        "acc": f"#pragma acc parallel loop deviceptr({', '.join(pointers)})",
    }
    return f"{given[style]} {clauses}".rstrip()


def annotated(task: Task, notes: Mapping[str, Any], style: str) -> str:
    """The task's reference with its pragmas."""
    pointers = [arg.name for arg in task.args if arg.kind is ArgKind.ARRAY] + list(notes.get("pointers", ()))
    waiting = [tuple(one) for one in notes["pragmas"]]
    lines = []
    for line in task.reference.source.text.splitlines():
        for one in [one for one in waiting if line.lstrip().startswith(one[0])][:1]:
            waiting.remove(one)
            lines += [text] if (text := pragma(one[1], style, pointers)) is not None else []
        lines.append(line)
    if waiting:
        raise SystemExit(f"{task.id}: no line begins with {waiting[0][0]!r}; mend {HERE / 'annotations.toml'}")
    if style == "target":  # what is included stays outside: the library has objects that no device may have
        own = 1 + max((at for at, line in enumerate(lines) if line.lstrip().startswith("#include")), default=-1)
        lines = [*lines[:own], "#pragma omp declare target", *lines[own:], "#pragma omp end declare target"]
    return "\n".join(lines)


def program(task: Task, sizes: Sizes, notes: Mapping[str, Any], style: str) -> str:
    """One source: the annotated reference, and a main that times it."""
    include, make, copy_in, copy_out = MEMORY.get(style, ON_HOST)
    opened, fresh, closed, given = [], [], [], []
    for arg in task.args:
        name = arg.name
        if arg.kind is not ArgKind.ARRAY:
            opened.append(f"    {arg.dtype.c_name} {name}; peer_read(from, &{name}, sizeof {name});")
            given.append(name)
            continue
        size = arg.size_bytes(sizes)
        opened.append(f"    std::vector<char> h_{name}({size}); void* d_{name} = peer_make({max(size, 1)});")
        if arg.role is not Role.OUT:
            opened.append(f"    peer_read(from, h_{name}.data(), {size}); peer_in(d_{name}, h_{name}.data(), {size});")
        if arg.role is not Role.IN:
            fresh.append(f"        peer_in(d_{name}, h_{name}.data(), {size});")
            closed.append(
                f"    peer_out(h_{name}.data(), d_{name}, {size}); std::fwrite(h_{name}.data(), 1, {size}, to);"
            )
        given.append(f"PeerAny{{d_{name}}}")
    call = f"{task.entry}({', '.join(given)});"
    if task.returns is not None:
        opened.append(f"    {task.returns.c_name} result{{}};")
        call = f"result = {call}"
        closed.append("    std::fwrite(&result, 1, sizeof result, to);")
    body = MAIN.format(
        include=include, make=make, copy_in=copy_in, copy_out=copy_out, most=MOST_CALLS, seconds=CALLS_S, call=call,
        opened="\n".join(opened), fresh="\n".join(fresh), closed="\n".join(closed),
    )  # fmt: skip
    return annotated(task, notes, style) + "\n" + body


def written_inputs(task: Task, inputs: Inputs) -> bytes:
    """What the program reads, argument by argument."""
    parts = []
    for arg in task.args:
        if arg.kind is not ArgKind.ARRAY:
            parts.append(inputs.values[arg.name])
        elif arg.role is not Role.OUT:
            parts.append(np.ascontiguousarray(inputs.arrays[arg.name]).tobytes())
    return b"".join(parts)
