"""The contract held against what g++ made of a text: however a directive or a name was spelt, it is seen there."""

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.build.compiler_evidence import LONGEST_WRITTEN_OUT, breach_in
from regrapht.evaluate.build.text_policy import check_text
from regrapht.sandbox.choose import choose_sandbox

ENTRY = 'extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) {}\n'


@pytest.fixture(scope="module")
def emulator():
    return Emulator(choose_sandbox())


HONEST = """#include <cuda_runtime.h>
#include "cuda_fp16.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <map>
#include <cstdio>
#include <iostream>
#include <cassert>
#define JOIN(a, b) a##b
#define CHECK(call) do { if ((call) != cudaSuccess) printf("line %d\\n", __LINE__); } while (0)
__global__ void __launch_bounds__(256) JOIN(ker, nel)(int n, float* x) { assert(n > 0); if (threadIdx.x < n) x[0] = 1; }
const char* text = R"(one
two)";
void f(float* x) { kernel<<<1, 1>>>(1, x); CHECK(cudaGetLastError()); }
"""
TABLE = [
    ("#define H <thread>\n#include H\n", "<thread>", 2),
    ('// R"\n#\\\ninclude <thread>\n', "<thread>", 3),
    ("#inc\\ \nlude <future>\n", "<future>", 2),
    ("%:include <mutex>\n", "<mutex>", 1),
    ("#include <map>\n#include <sys/mman.h>\n", "sys/mman.h", 2),
    ("#define JOIN(a, b) a##b\nvoid f() { JOIN(fo, rk)(); }\n", "fork", 2),
    ("#define SAY sys\\\ntem\nvoid f() { SAY(0); }\n", "system", 3),
    ("#define A(x) __attribute__((x))\n#define B(a, b) a##b\nA(B(const, ructor)) void f() {}\n", "loaded", 3),
    ('#define B(a, b) a##b\n__attribute__((B(no_, sanitize)("thread"))) void f() {}\n', "no_sanitize", 2),
    ('#define S(x) #x\nvoid f() { asm(S(.incbin) " \\"x\\""); }\n', ".incbin", 2),
    ('_Pragma("redefine_extname quiet fork")\nint quiet();\n', "redefine_extname", 1),
    ('#line 5 "/usr/include/math.h"\nint f();\n', "call themselves", 1),
    ('const char* a = R"(\n# 1 "/usr/include/x.h" 1\n)"; int b = fork();\n', "raw string", 1),
]


def test_honest_text_passes_by_its_compiler_too(gemm, emulator):
    read = emulator.preprocess(HONEST.replace("<cuda/atomic>", "<atomic>") + ENTRY)
    assert read.complete, read.errors
    breach = breach_in(read.text, gemm)
    assert breach is not None and "atomic" in breach.message  # which the text may not include either
    read = emulator.preprocess(HONEST.replace("#include <cuda/atomic>\n", "") + ENTRY)
    assert read.complete and breach_in(read.text, gemm) is None
    assert check_text(HONEST.replace("#include <cuda/atomic>\n", "") + ENTRY, gemm) is None


@pytest.mark.parametrize(("text", "words", "line"), TABLE)
def test_no_spelling_hides_from_the_compiler(gemm, emulator, text, words, line):
    breach = breach_in(emulator.preprocess(text + ENTRY).text, gemm)
    assert breach is not None and words in breach.message and breach.line is not None and abs(breach.line - line) <= 1


def test_a_file_outside_the_folders_of_headers_is_none_by_any_name(gemm):
    told = '# 0 "candidate.cu"\n# 1 "/usr/include/c++/12/cmath" 1 3\n# 2 "candidate.cu" 2\n# 1 "candidate.cu"\nint a;\n'
    inside = told + '# 1 "/usr/include/c++/12/vector" 1 3\nint fork();\n# 3 "candidate.cu" 2\n' + ENTRY
    assert breach_in(inside, gemm, roots=()) is None
    for path, words in (
        ("/proc/self/cmath", "no folder"),
        ("/usr/include/c++/12/thread", "<thread>"),
        ("vector", "no folder"),
    ):
        breach = breach_in(inside.replace("/usr/include/c++/12/vector", path), gemm, roots=())
        assert breach is not None and words in breach.message and breach.line == 2


def test_how_long_a_text_may_be_once_its_macros_are_written_out(build):
    args = (build.size("n"), build.array("y", "n", "out"))
    task = build.task("f", "void f(int n, float* y) {}", args, ({"n": 5},))
    marked = '# 1 "candidate.cu"\n'
    assert breach_in(marked + "int i;\n" * 1000, task) is None
    message = breach_in(marked + " " * LONGEST_WRITTEN_OUT + "int i;\n", task).message
    assert f"written out the code has {LONGEST_WRITTEN_OUT + 7} characters; at most {LONGEST_WRITTEN_OUT}" in message
