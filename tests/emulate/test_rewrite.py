"""The rewriter keeps lines, leaves what it does not know, and refuses what it cannot do."""

import pytest

from regrapht.emulate.emulator import EmulatedProgram
from regrapht.emulate.rewrite import rewrite
from regrapht.source.tokens import without_comments


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


QUOTED = {
    "a launch": (
        "#define RUN(...) do { __VA_ARGS__; note(#__VA_ARGS__); } while (0)\nVOID RUN(k<<<1, 64>>>(n)); }",
        "k<<<1, 64>>>(n)",
    ),
    "named arguments": ("#define RUN(call...) call, note(#call)\nVOID RUN(k<<<1,64>>>(n)); }", "k<<<1,64>>>(n)"),
    "the text alone": ("#define NAME(...) #__VA_ARGS__\nVOID note(NAME(k <<<1,\n2>>>(n))); }", "k <<<1, 2>>>(n)"),
    "handed on": (
        "#define NOTE(text, ...) __VA_ARGS__; note(text #__VA_ARGS__)\n"
        '#define RUN(...) NOTE("of ", __VA_ARGS__)\nVOID RUN(k<<<1, 2>>>(n)); }',
        '"of " "k<<<1, 2>>>(n)"',
    ),
    "a barrier": ("#define STEP(x) x; note(#x)\n__global__ void l() { STEP(__syncthreads()); }", "__syncthreads()"),
    "an allocation": (
        "#define TRY(call) if (call) note(#call)\nVOID TRY(cudaMalloc((void**)&p, 4)); }",
        "cudaMalloc((void**)&p, 4)",
    ),
    "beside other letters": (
        '// \u00e9\u00e9\u00e9\n#define RUN(...) __VA_ARGS__; note(#__VA_ARGS__)\nVOID RUN(k<<<1, 2>>>("\u00e9")); }',
        'k<<<1, 2>>>(\\"\u00e9\\")',
    ),
}


@pytest.mark.parametrize("name", QUOTED)
def test_what_a_macro_makes_text_of_is_what_the_source_says(name):
    """Or a program could tell the emulator by how long the text is."""
    source, text = QUOTED[name]
    source = "__global__ void k(int n);\n" + source.replace("VOID", "void f(int n, int* p) {")
    written = rewrite(source)
    assert written.refusals == () and text in written.text, written.text
    assert name == "the text alone" or "emulated::" in written.text or "__syncthreads(3" in written.text
    assert written.text.count("\n") == source.count("\n")


def test_macros_that_make_text_of_nothing_rewritten_stay():
    source = "#define TRY(call) if (call) note(#call)\nvoid f(int n) { TRY(cudaGetLastError()); k<<<1, 2>>>(n); }\n"
    assert "TRY(cudaGetLastError())" in rewrite(source).text


@pytest.mark.parametrize(
    ("source", "feature", "line"),
    [
        (
            "#ifdef A\n#define RUN(...) __VA_ARGS__; note(#__VA_ARGS__)\n#else\n"
            "#define RUN(...) __VA_ARGS__\n#endif\nvoid f() {\n RUN(k<<<1, 1>>>()); }",
            "makes text of a launch",
            7,
        ),
        ("#ifdef A\n#define LAUNCH(k) k<<<1, 1>>>()\n#endif\nvoid f() { LAUNCH(g); }", "launch hidden in a macro", 2),
        ("#ifdef A\n#define TILE __shared__\n#endif\nvoid f() { TILE int a[4]; }", "object hidden in a macro", 2),
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
    clean = without_comments(source, without_strings=True)
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


def test_launch_bounds_are_told_by_the_kernel_itself():
    head = "template <int N> __global__ void __launch_bounds__(2 * N,\n 2) k(int* p)"
    text = rewrite(f"{head} {{ *p = N; }}").text
    assert text == f"{head} {{ emulated::launch_bounds(2 * N,  2); *p = N; }}"


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void __launch_bounds__(n) k(int n) {}",  # another n in the body
        "template <int N> __global__ void __launch_bounds__(N) k();\ntemplate <int M> __global__ void k() {}",
        "__global__ void __launch_bounds__(8) k(int);\n__global__ void k(float) {}\n__global__ void k(int) {}",
        "__global__ void __launch_bounds__(8) (int);\n__launch_bounds__(8) int x;\n__launch_bounds__",
    ],
)
def test_bounds_that_the_kernel_cannot_tell(source):
    assert rewrite(source).text == source


LOOPS = """__global__ void k(float* x, int n) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) x[i] += j;
    #pragma unroll 1
    for (int i = 0; i < 4; ++i) x[i] = 0;
    #pragma nounroll
    for (int i = 0; i < 4; ++i) x[i] = 0;
    #pragma unroll 16
    for (int i = 0; i < n; ++i) x[i] = 0;
    int a[2] = {1, 2};
    if (n) for (int v : a) x[v] = 1; else for (int i = 0; i < 2; ++i) while (n--) x[i] = n;
}
__host__ __device__ inline int f() { int s = 0; for (int i = 0; i < 3; ++i) s += i; return s; }
void host() { for (int i = 0; i < 4; ++i) k<<<1, 1>>>(nullptr, f()); }
"""


def test_loops_of_the_device_may_be_unrolled():
    text = rewrite(LOOPS).text
    before, after = LOOPS.splitlines(), text.splitlines()
    assert len(before) == len(after)
    unrolled = "EMULATED_UNROLL({}) for (".format
    assert [line.count("EMULATED_UNROLL") for line in after] == [0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1, 0]
    assert unrolled(8) + "int i = 0; i < 4; ++i) " + unrolled(32) + "int j" in after[2]
    assert unrolled(32) + "int v : a)" in after[10] and "else " + unrolled(8) in after[10]
    assert "EMULATED_UNROLL" not in after[13]


def test_deep_nests_are_unrolled_inside_alone():
    nest = "".join(f"for (int i{d} = 0; i{d} < 8; ++i{d}) " for d in range(5))
    text = rewrite(f"__device__ void f(int* x) {{ {nest} ++*x; }}").text
    assert [part.partition(")")[0] for part in text.split("EMULATED_UNROLL(")[1:]] == ["4", "8", "32"]


@pytest.mark.parametrize(("statements", "most"), [(1, ["32"]), (400, ["5"]), (3000, [])])
def test_long_loops_are_unrolled_less(statements, most):
    text = rewrite(f"__device__ void f(int* x) {{ for (int i = 0; i < 8; ++i) {{ {'x[i]++; ' * statements} }} }}").text
    assert [part.partition(")")[0] for part in text.split("EMULATED_UNROLL(")[1:]] == most


def test_unrolled_loops_compile(bench):
    source = "// arrays: x inout float32 N\n// N: 64\n" + LOOPS.replace("host()", "unused()").replace(
        "nullptr, f()", "nullptr, 0"
    )
    run = 'extern "C" void run(int n, float* x) { k<<<1, 1>>>(x, 4); }\n'
    built = bench.build(source + run, checked=True)
    assert isinstance(built, EmulatedProgram), built
    outcome = bench.run(source + run, built)
    assert outcome.run.completed.ok and [*outcome.outputs[0]["x"][:3]] == [0, 1, 1]


def test_an_array_that_a_condition_chooses_becomes_a_pointer():
    """Which ones, `source/chosen_arrays` knows."""
    assert "emulated::as_pointer((c ? a : b))[i]" in rewrite("void f() { (c ? a : b)[i] = 1; }").text
