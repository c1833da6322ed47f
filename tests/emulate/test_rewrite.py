"""The rewriter keeps lines, leaves what it does not know, and refuses what it cannot do."""

import pytest

from regrapht.emulate.rewrite import rewrite
from regrapht.emulate.syntax import without_comments


def test_lines_are_kept():
    source = """__global__ void k(int* p, int q) { __shared__ int a[4],
        b;
    __syncthreads(); }
void f(int* p) {
    k<<<dim3(1,
             2),
        64>>>(p,
              3);
    int last;
}
"""
    rewritten = rewrite(source)
    assert rewritten.refusals == ()
    before, after = source.splitlines(), rewritten.text.splitlines()
    assert len(before) == len(after)
    assert after[8] == before[8] and "<<<" not in rewritten.text and "__shared__" not in rewritten.text


def test_constants_are_named():
    assert rewrite("__constant__ float a[3][3];\nnamespace n { __constant__ int b = 3, *c; }\n").constants == (
        "a",
        "b",
        "c",
    )


def test_casts_of_kernels_and_of_pointers_to_allocate_keep_their_types():
    body = "cudaMalloc((void **)p, 4); return reinterpret_cast<const void*>(k<2>);"
    text = rewrite(f"template <int N> __global__ void k(int*) {{}}\nconst void* f(int** p) {{ {body} }}").text
    assert "cudaMalloc(emulated::allocated(p), 4)" in text
    assert 'return ((void*)emulated::kernel_without_type("k", k<2>));' in text


def test_file_scope_dynamic_shared_memory_keeps_its_line():
    text = rewrite("\nextern __shared__ float buffer[];\nint here;\n").text
    assert "#define buffer" in text and "#line 2" in text


@pytest.mark.parametrize(
    ("source", "feature", "line"),
    [
        ("#define LAUNCH(k) k<<<1, 1>>>()\nvoid f() { LAUNCH(g); }", "hidden in a macro", 1),
        ("\n__shared__ int a[4];\n", "outside a function", 2),
        ("__global__ void k() {\n __shared__ int a = 3;\n}", "initialised __shared__", 2),
        ("__global__ void k();\n__global__ void l() {\n k<<<1, 1>>>();\n}", "dynamic parallelism", 3),
    ],
)
def test_refusals(source, feature, line):
    (refusal,) = rewrite(source).refusals
    assert feature in refusal.feature and refusal.line == line


def test_comments_are_blanked_in_place():
    source = 'a /* x\ny */ b // c\n"d // e" f'
    clean = without_comments(source)
    assert len(clean) == len(source) and clean.count("\n") == 2 and clean.split() == ["a", "b", '"', '"', "f"]


def test_kernel_arguments_keep_type_and_name():
    source = (
        "__global__ void k(int*) {}\nvoid f(void** a) { cudaLaunchCooperativeKernel((const void*)k, 1, 2, a, 0, 0); }"
    )
    assert 'cudaLaunchCooperativeKernel(emulated::named_kernel("k", k), 1, 2, a, 0, 0)' in rewrite(source).text


def test_the_clock_of_device_code_is_not_the_hosts():
    text = rewrite("__global__ void k(long* p) { *p = clock(); }\nlong f() { return clock(); }").text
    assert text.count("clock64()") == 1 and "return clock();" in text


def test_deep_nesting_does_not_overflow():
    rewrite("int x = " + "(" * 3000 + "1" + ")" * 3000 + ";")
