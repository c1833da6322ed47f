"""Arrays in kernels whose length is known at run time alone: each way to declare one, and the program does what its text says."""

import pytest

from regrapht.propose.form import mend
from regrapht.records.verdict import Status

HEAD = "#include <cuda_runtime.h>\n#include <vector>\nconstexpr int kWide = 64;\nusing Line = std::vector<float>;\n"
KERNEL = "__global__ void k(int rows, int width, float gain, const float* image, float* out) {\n"
BY_ROW = "    const int y = blockIdx.x * blockDim.x + threadIdx.x;\n    if (y >= rows) return;\n"
TURN = (
    "    for (int x = 0; x < width; ++x) near[x] = gain * image[y * width + x] + 2.0f;\n"
    "    for (int x = 0; x < width; ++x) out[y * width + x] = fminf(fmaxf(near[x], 0.0f), 255.0f);\n}\n"
)
ENTRY = (
    'extern "C" void brighten(int rows, int cols, float gain, const float* image, float* out) {\n'
    "    k<<<(rows + 63) / 64, 64>>>(rows, cols, gain, image, out);\n}\n"
)


@pytest.mark.parametrize(
    "declaration",
    [
        "float near[width];",
        "float near[width + 1] = {0};",
        "int n = width; const int more = n + 1; float near[more];",
        "std::vector<float> near(width);",
        "std::vector<float> near(width + 3, 1.0f);",
        "Line near(width);",
        "float* near = new float[width];",
        "auto near = std::make_unique<float[]>(width);",
        "int n = 64; float near[n];",
        "std::vector<float> near(kWide);",
        "float near[kWide], other[2]; float unused[width]; std::vector<int> none(rows * width);",
    ],
)
def test_each_way_to_declare_one(declaration, brighten, judged):
    mended = mend(HEAD + KERNEL + BY_ROW + f"    {declaration}\n" + TURN + ENTRY, brighten)
    assert "kernel_arrays" in mended.mends
    assert "unused" not in mended.text and "none" not in mended.text
    verdict = judged(brighten, mended.text)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{mended.text}"


@pytest.mark.parametrize(
    "declaration",
    [
        "float near[kWide];",
        "const int n = 64; float near[n];",
        "constexpr int n = kWide; float near[n];",
        "__shared__ float near[kWide];",
        "float near[64] = {0};",
        "float near[(int)image[0]];",  # nobody knows it before the launch
        "std::vector<float> near;",
        "std::vector<float> near(image, image + width);",
    ],
)
def test_what_is_constant_or_not_known_before_is_left_alone(declaration, brighten):
    mended = mend(HEAD + KERNEL + BY_ROW + f"    {declaration}\n" + TURN + ENTRY, brighten)
    assert "kernel_arrays" not in mended.mends
