"""A long program is shown by its functions, and its answer is put back into it."""

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


def test_what_cannot_be_read_is_shown_whole():
    for program in (HELPER, HELPER + KERNEL + ENTRY + "int ("):
        assert program_view(program).is_whole
    assert read_unit(HELPER + KERNEL + ENTRY, cuda=True).error_line is None
