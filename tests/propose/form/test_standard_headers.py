"""A program that uses a name of the standard library or of CUDA without its header gets the header."""

import pytest

from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.propose.form.program import Program
from regrapht.propose.form.standard_headers import with_missing_headers
from regrapht.sandbox.choose import choose_sandbox

IN_A_KERNEL = {
    "printf": ('printf("%d", x[0]);', "cstdio"),
    "assert": ("assert(x[0] > 0);", "cassert"),
    "FLT_MAX": ("x[0] = FLT_MAX > 1;", "cfloat"),
    "SIZE_MAX": ("x[0] = SIZE_MAX > 1;", "cstdint"),
    "an infinity": ("x[0] = CUDART_INF_F > 1;", "math_constants.h"),
    "halves": ("x[0] = __half2float(__float2half(2.0f));", "cuda_fp16.h"),
    "groups": ("cooperative_groups::this_thread_block().sync();", "cooperative_groups.h"),
    "a fragment": ("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum; (void)sum;", "mma.h"),
}
ON_THE_HOST = {
    "std::printf": ('std::printf("a");', "cstdio"),
    "stderr": ('fprintf(stderr, "a");', "cstdio"),
    "sort": ("std::sort(x, x + 3);", "algorithm"),
    "copy_n": ("std::copy_n(x, 3, x + 4);", "algorithm"),
    "accumulate": ("x[0] = std::accumulate(x, x + 3, 0);", "numeric"),
    "an exception": ('throw std::runtime_error("a");', "stdexcept"),
    "a generator": ("x[0] = std::mt19937()();", "random"),
    "a clock": ("x[0] = std::chrono::steady_clock::now().time_since_epoch().count() > 0;", "chrono"),
}
WITH_NVCC_ALONE = {
    "INT_MAX": "x[0] = INT_MAX;",
    "numeric_limits": "x[0] = std::numeric_limits<int>::max();",
    "max": "x[0] = std::max(x[0], x[1]);",
    "sqrt": "x[0] = std::sqrt(3.0);",
    "abs": "x[0] = abs(x[1]);",
    "memcpy": "memcpy(x, x + 4, 4);",
    "is_same": "x[0] = std::is_same<int, int>::value;",
}
"""What needs no header of its own, in a kernel or elsewhere: nvcc has it."""


def program(task, body: str, *, kernel: bool) -> Program:
    mark = "__global__" if kernel else ""
    return Program(f"#include <cuda_runtime.h>\n{mark} void work(int* x) {{\n    {body}\n}}\n", task)


def mended(task, what: str) -> tuple[str | None, str]:
    kernel = what in IN_A_KERNEL
    body, header = (IN_A_KERNEL if kernel else ON_THE_HOST)[what]
    return with_missing_headers(program(task, body, kernel=kernel)), header


@pytest.mark.parametrize("what", [*IN_A_KERNEL, *ON_THE_HOST])
def test_a_name_gets_its_header(what, brighten):
    text, header = mended(brighten, what)
    assert text is not None and text.startswith(f"#include <{header}>\n")
    assert with_missing_headers(Program(text, brighten)) is None


@pytest.mark.parametrize(("header", "body"), [("stdio.h", 'printf("a");'), ("assert.h", "assert(x[0]);")])
def test_the_name_of_old_does(header, body, brighten):
    with_header = Program(f"#include <{header}>\n{program(brighten, body, kernel=True).text}", brighten)
    assert with_missing_headers(with_header) is None


@pytest.mark.parametrize("what", WITH_NVCC_ALONE)
def test_what_nvcc_has_gets_none(what, brighten):
    assert with_missing_headers(program(brighten, WITH_NVCC_ALONE[what], kernel=True)) is None


@pytest.mark.slow
@pytest.mark.parametrize("what", [*IN_A_KERNEL, *ON_THE_HOST, *WITH_NVCC_ALONE])
def test_nvcc_builds_what_comes_of_it(what, brighten):
    """And without the header it does not, so that no entry of the tables is idle."""
    if (nvcc := find_nvcc()) is None:
        pytest.skip("there is no nvcc")
    sandbox = choose_sandbox()
    if what in WITH_NVCC_ALONE:
        text = program(brighten, WITH_NVCC_ALONE[what], kernel=True).text
    else:
        text, header = mended(brighten, what)
        without = (text or "").replace(f"#include <{header}>\n", "")
        assert compiles(without, sandbox, nvcc).content is None
    built = compiles(text or "", sandbox, nvcc)
    assert built.content is not None, built.first_error
