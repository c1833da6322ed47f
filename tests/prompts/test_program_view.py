"""A long program is shown by its functions, and its answer is put back into it."""

import pytest

from regrapht.prompts.program_view import SHORT_TOKENS, count_tokens, program_view
from regrapht.source.functions import read_unit

KERNEL = (
    "__global__ void double_all(int n, float* x) {\n    int i = threadIdx.x;\n    if (i < n) x[i] = twice(x[i]);\n}\n"
)
ENTRY = 'extern "C" void scale(int n, float* x) {\n    double_all<<<1, n>>>(n, x);\n}\n'
HELPER = (
    "struct Pair {\n    float a, b;\n};\n\n__device__ float twice(float x) {\n"
    + "    x = 2 * x / 1;\n" * 200
    + "    return x;\n}\n"
)


def test_a_short_one_is_shown_whole():
    view = program_view(KERNEL + ENTRY)
    assert view.is_whole and KERNEL + ENTRY.rstrip() in view.text


def test_of_a_long_one_kernels_and_launchers_are_shown_and_the_heads_of_the_rest():
    program = HELPER + KERNEL + ENTRY
    assert count_tokens(program) > SHORT_TOKENS
    view = program_view(program)
    assert not view.is_whole and count_tokens(view.text) < count_tokens(program) / 3
    assert KERNEL.rstrip() in view.text and ENTRY.rstrip() in view.text
    assert "__device__ float twice(float x);" in view.text and "struct Pair;" in view.text
    assert "x / 1" not in view.text


UNCLEAR = {
    "an attribute of the kernel": KERNEL.replace("__global__ void", "__global__ void __cluster_dims__(4, 1, 1)"),
    "a macro for values": "#define FOUR(i) i, i + 1, i + 2, i + 3\n__device__ int table[4] = {FOUR(0) FOUR(4)};\n"
    + KERNEL,
    "a pragma before a loop in a loop": KERNEL.replace(
        "    if (i < n)", "#pragma unroll\n    for (int j = 0; j < 1; ++j)\n#pragma unroll\n        for (;;) if (i < n)"
    ),
    "a type": "struct Tile {\n    int at[4];\n    __device__ __forceinline__ int first() const { return at[0]; }\n};\n"
    + KERNEL,
    "a word that does not belong there": "cuda, " + KERNEL,
}


@pytest.mark.parametrize("what", UNCLEAR)
@pytest.mark.parametrize("inside", [False, True])
def test_what_the_parser_does_not_understand_is_shown_and_the_rest_is_cut(what, inside):
    kernel = f"namespace {{\n{UNCLEAR[what]}}}  // namespace\n" if inside else UNCLEAR[what]
    program = HELPER + kernel + ENTRY
    assert read_unit(program, cuda=True).error_line is not None or what == "a type"
    view = program_view(program)
    assert not view.is_whole and "x / 1" not in view.text
    assert KERNEL.partition("{")[2].splitlines()[1] in view.text and ENTRY.rstrip() in view.text
    assert "__device__ float twice(float x);" in view.text
    if what == "a type" and read_unit(program, cuda=True).error_line is not None:
        assert "};" in view.text


def test_a_fault_that_reaches_over_other_functions_is_shown_whole():
    for fault in (
        "__device__ int lost() { if (1) {\n",
        "}\n",
        'extern "C" {\n',
        "#define OPEN {\n__device__ void f() OPEN }\n",
    ):
        program = HELPER + fault + KERNEL + ENTRY
        view = program_view(program)
        assert view.is_whole or KERNEL.rstrip() in view.text, fault


def test_what_cannot_be_read_is_shown_whole():
    for program in (HELPER, HELPER + KERNEL + ENTRY + "int ("):
        assert program_view(program).is_whole
    assert read_unit(HELPER + KERNEL + ENTRY, cuda=True).error_line is None
