"""Whatever touches memory for a kernel is seen by the checks: functions of the C library and of the compiler, copies of classes.

Each row of the tables is one way to write or to read some bytes at `at`. All rows of a table are one program that is called once for each.
Tried are an access that ends beyond the memory, a read of what nobody wrote, and the honest use of each.
"""

import re
from pathlib import Path

import pytest

from regrapht.emulate.emulator import EmulatedProgram
from regrapht.emulate.toolchain import MEMORY_FUNCTIONS
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.records.verdict import Severity

HEAD = """// arrays: x in float32 N; out out float32 N
// N: 256
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
template <int N> struct Part { float v[N]; };
struct __align__(16) Wide { float v[8]; };
"""
# name: (bytes, statement); `at` is a char*, `value` a float that is neither 0 nor whole
WRITES = {
    "memcpy of 64": (64, "float own[16] = {value}; memcpy(at, own, 64);"),
    "memcpy of 16": (16, "float own[4] = {value}; memcpy(at, own, 16);"),
    "memcpy of 12": (12, "float own[3] = {value}; memcpy(at, own, 12);"),
    "memcpy of 8": (8, "double own = value; memcpy(at, &own, 8);"),
    "memcpy of 4": (4, "memcpy(at, &value, 4);"),
    "memcpy of any": (64, "float own[16] = {value}; memcpy(at, own, any);"),
    "memcpy by a pointer": (64, "float own[16] = {value}; auto f = memcpy; f(at, own, 64);"),
    "std::memcpy": (64, "float own[16] = {value}; std::memcpy(at, own, 64);"),
    "::memcpy": (64, "float own[16] = {value}; ::memcpy(at, own, 64);"),
    "__builtin_memcpy": (64, "float own[16] = {value}; __builtin_memcpy(at, own, 64);"),
    "memmove": (64, "float own[16] = {value}; memmove(at, own, 64);"),
    "__builtin_memmove": (32, "float own[8] = {value}; __builtin_memmove(at, own, 32);"),
    "memset of 64": (64, "memset(at, 1, 64);"),
    "memset of 4": (4, "memset(at, 1, 4);"),
    "memset of any": (64, "memset(at, 1, any);"),
    "std::memset": (48, "std::memset(at, 1, 48);"),
    "__builtin_memset": (128, "__builtin_memset(at, 1, 128);"),
    "class of 16": (16, "*(Part<4>*)at = Part<4>{{value}};"),
    "class of 20": (20, "Part<5> own{{value}}; *(Part<5>*)at = own;"),
    "class of 64": (64, "Part<16> own{{value}}; *(Part<16>*)at = own;"),
    "class of 128": (128, "Part<32> own{{value}}; *(Part<32>*)at = own;"),
    "class of zeros": (64, "*(Part<16>*)at = Part<16>{};"),
    "aligned class": (32, "*(Wide*)at = Wide{{value}};"),
    "std::copy": (64, "float own[16] = {value}; std::copy(own, own + 16, (float*)at);"),
    "std::copy of bytes": (64, "char own[64] = {1}; std::copy(own, own + 64, at);"),
    "std::fill of bytes": (64, "std::fill(at, at + 64, (char)1);"),
    "std::swap": (64, "Part<16> own{{value}}; std::swap(own, *(Part<16>*)at);"),
    "sincosf": (4, "float c; sincosf(value, (float*)at, &c); keep(c);"),
    "sincosf, cosine": (4, "float s; sincosf(value, &s, (float*)at); keep(s);"),
    "sincos": (8, "double c; sincos((double)value, (double*)at, &c); keep((float)c);"),
    "sincospif": (4, "float c; sincospif(value, (float*)at, &c); keep(c);"),
    "sincospi": (8, "double c; sincospi((double)value, (double*)at, &c); keep((float)c);"),
    "__sincosf": (4, "float c; __sincosf(value, (float*)at, &c); keep(c);"),
    "modff": (4, "keep(modff(value, (float*)at));"),
    "modf": (8, "keep((float)modf((double)value, (double*)at));"),
    "std::modf": (4, "keep(std::modf(value, (float*)at));"),
    "frexpf": (4, "keep(frexpf(value, (int*)at));"),
    "frexp": (4, "keep((float)frexp((double)value, (int*)at));"),
    "std::frexp": (4, "keep(std::frexp(value, (int*)at));"),
    "remquof": (4, "keep(remquof(value, 0.3f, (int*)at));"),
    "remquo": (4, "keep((float)remquo((double)value, 0.3, (int*)at));"),
    "__match_all_sync": (4, "keep((float)__match_all_sync(1u, 3, (int*)at));"),
}
READS = {
    "memcpy of 64": (64, "float own[16]; memcpy(own, at, 64); keep(own[any & 15]);"),
    "memcpy of 12": (12, "float own[3]; memcpy(own, at, 12); keep(own[any & 1]);"),
    "memcpy of 4": (4, "float own; memcpy(&own, at, 4); keep(own);"),
    "memcpy of any": (64, "float own[16]; memcpy(own, at, any); keep(own[any & 15]);"),
    "std::memcpy": (64, "float own[16]; std::memcpy(own, at, 64); keep(own[any & 15]);"),
    "__builtin_memcpy": (64, "float own[16]; __builtin_memcpy(own, at, 64); keep(own[any & 15]);"),
    "memmove": (64, "float own[16]; memmove(own, at, 64); keep(own[any & 15]);"),
    "class of 16": (16, "Part<4> own = *(Part<4>*)at; keep(own.v[any & 3]);"),
    "class of 20": (20, "Part<5> own = *(Part<5>*)at; keep(own.v[any & 3]);"),
    "class of 64": (64, "Part<16> own = *(Part<16>*)at; keep(own.v[any & 15]);"),
    "class of 128": (128, "Part<32> own = *(Part<32>*)at; keep(own.v[any & 15]);"),
    "aligned class": (32, "Wide own = *(Wide*)at; keep(own.v[any & 7]);"),
    "std::copy": (64, "float own[16]; std::copy((float*)at, (float*)at + 16, own); keep(own[any & 15]);"),
    "std::copy of bytes": (64, "char own[64]; std::copy(at, at + 64, own); keep(own[any & 15]);"),
    "normf": (64, "keep(normf(16, (float*)at));"),
    "norm": (64, "keep((float)norm(8, (double*)at));"),
    "rnorm": (64, "keep((float)rnorm(8, (double*)at));"),
    "rnormf": (64, "keep(rnormf(16, (float*)at));"),
    "__builtin_memcmp": (64, "float own[16] = {}; keep((float)__builtin_memcmp(own, at, any));"),
    "__builtin_strlen": (64, "keep((float)__builtin_strlen(at));"),
}
PROGRAM = """{head}
__device__ float sink;
__device__ void keep(float value) {{ if (value == 12345.678f) sink = value; }}
{kernels}
extern "C" void run(int n, const float* x, float* out) {{
    static int call = 0;
    char* scratch;
    cudaMalloc((void**)&scratch, 256);
    {clear}
    switch (call++) {{
{cases}
    }}
    cudaFree(scratch);
}}
"""
LINE = "__global__ void k{i}(char* at, float value, int any, float* out) {{ {statement} }}"
CASE = "    case {i}: k{i}<<<1, 1>>>(scratch{offset}, 1.25f, {bytes}, out); break;"


def program(rows, *, clear, offset):
    kernels = "\n".join(LINE.format(i=i, statement=statement) for i, (_, statement) in enumerate(rows.values()))
    cases = "\n".join(CASE.format(i=i, bytes=size, offset=offset(size)) for i, (size, _) in enumerate(rows.values()))
    return PROGRAM.format(head=HEAD, kernels=kernels, cases=cases, clear=clear)


def findings_by_row(bench, rows, source):
    built = bench.build(source, checked=True)
    assert isinstance(built, EmulatedProgram), built
    outcome = bench.run(source, built, calls=len(rows))
    assert outcome.run.completed.ok and outcome.completed, outcome.run
    lines = source.splitlines()
    first = next(i for i, line in enumerate(lines, start=1) if "void k0(" in line)
    found = {name: set() for name in rows}
    for finding in outcome.run.findings:
        if finding.severity is Severity.ERROR:
            found[list(rows)[finding.line - first]].add(finding.kind)
    return found


@pytest.mark.parametrize("rows", [WRITES, READS], ids=["writes", "reads"])
def test_beyond_the_memory(bench, rows):
    """The access begins inside: its last four bytes lie beyond (of an 8-byte number: all)."""

    def offset(size):
        return f" + {256 - size + (8 if size == 8 else 16 if size % 16 == 0 else 4)}"

    source = program(rows, clear="cudaMemset(scratch, 1, 256);", offset=offset)
    found = findings_by_row(bench, rows, source)
    assert {name: kinds for name, kinds in found.items() if kinds != {"global_oob"}} == {}


def test_reads_of_what_nobody_wrote(bench):
    rows = {
        name: row for name, row in READS.items() if name != "__builtin_strlen"
    }  # a string without an end goes on beyond
    source = program(rows, clear="", offset=lambda size: "")
    found = findings_by_row(bench, rows, source)
    assert {name: kinds for name, kinds in found.items() if kinds != {"uninit_read_global"}} == {}


@pytest.mark.parametrize("rows", [WRITES, READS], ids=["writes", "reads"])
def test_inside_the_memory(bench, rows):
    """The last bytes of it. What was written so has a value from then on: it is read again by element."""
    clear = "" if rows is WRITES else "cudaMemset(scratch, 0, 256);"
    rows = {
        name: (size, f"{text} for (int i = 0; i < {size}; i++) keep(at[i]);") for name, (size, text) in rows.items()
    }
    if clear == "":
        rows.pop("std::swap")  # it reads, too
    source = program(rows, clear=clear, offset=lambda size: f" + {256 - size}")
    assert {name: kinds for name, kinds in findings_by_row(bench, rows, source).items() if kinds} == {}


def test_shared_memory_is_written_by_library_functions(bench):
    source = (
        HEAD
        + """__global__ void k(const float* x, float* out, int n) {
    __shared__ float s[256], c[256], whole[256];
    __shared__ int exponent[256];
    __shared__ Part<4> parts[256];
    const int i = threadIdx.x;
    memset(&parts[i], 0, sizeof parts[i]);
    sincosf(x[i], &s[i], &c[i]);
    const float rest = modff(8 * x[i], &whole[i]);
    parts[i].v[1] = frexpf(x[i], &exponent[i]);
    __syncthreads();
    const int j = n - 1 - i;
    Part<4> part;
    memcpy(&part, &parts[j], sizeof part);
    out[i] = s[j] * s[j] + c[j] * c[j] + 0 * rest + 0 * whole[j] + 0 * ldexpf(part.v[1], exponent[j]) + part.v[0];
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, n>>>(x, out, n); }
"""
    )
    built = bench.build(source, checked=True)
    assert isinstance(built, EmulatedProgram), built
    outcome = bench.run(source, built)
    assert outcome.completed and outcome.run.findings == ()
    assert abs(outcome.outputs[0]["out"] - 1).max() < 1e-6


def test_two_threads_race_by_a_library_function(bench):
    source = (
        HEAD + "__global__ void k(float* out) { sincosf(threadIdx.x, &out[threadIdx.x], &out[threadIdx.x / 2]); }\n"
    )
    source += 'extern "C" void run(int n, const float* x, float* out) { k<<<1, n>>>(out); }\n'
    built = bench.build(source, checked=True)
    assert isinstance(built, EmulatedProgram), built
    assert "race_global_ww" in {finding.kind for finding in bench.run(source, built).run.findings}


# Functions of CUDA's that take a pointer and that the tables above need not hold: what they do is done by our own headers or runtime with
# accesses that have hooks, by a fault of their own, or not at all.
ELSEWHERE = re.compile(
    r"atomic\w+|__i?atomic\w+|[ui]?(ll|ull)?atomic\w*|__(ld|st)\w+|__nv_\w+|__isCtaShared|__is\w+|__cvta\w*|__pipeline\w*|cuda\w+"
    r"|malloc|free|printf|vprintf|_?w?assert|__assert\w*|nanf?|tex\w*|surf\w*|__tex\w*|__surf\w*|lgamma\w*|__match_all_sync|__\w+_sync"
    r"|__u128Atomic\w+|operator|new|delete|__prof_trigger|__builtin\w*|__cuda\w*|memcpy|memset|__\w*cluster\w*"
)


def pointer_functions(header: str) -> set[str]:
    """Names of the device functions that a header declares with a pointer among the parameters."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", " ", header, flags=re.DOTALL)
    declared = re.compile(r"(?:__device__|__DEVICE_FUNCTIONS_DECL__)[^;{}()]*?\b(\w+)\s*\(([^;{}()]*\*[^;{}()]*)\)")
    return {name for name, _ in declared.findall(text) if name not in ("defined", "__attribute__")}


def test_every_function_of_cuda_that_takes_a_pointer_is_known():
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no CUDA toolkit")
    folders = [folder for folder in nvcc.root.rglob("crt") if (folder / "math_functions.h").is_file()]
    assert folders, nvcc.root
    headers = [*folders[0].glob("*.h"), *folders[0].parent.glob("sm_*.h"), *folders[0].parent.glob("device_*.h")]
    names = set().union(*(pointer_functions(Path(each).read_text(errors="replace")) for each in headers))
    assert {"sincosf", "modff", "frexpf", "remquof", "normf"} <= names
    tried = {re.sub(r"\W.*", "", name) for name in (*WRITES, *READS)}
    unknown = {name for name in names - tried - set(MEMORY_FUNCTIONS) if not ELSEWHERE.fullmatch(name)}
    assert unknown == set()
