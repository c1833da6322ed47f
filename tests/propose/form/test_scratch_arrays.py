"""Kernels that name arrays of the reference's: each kind gets memory, and the program then does what its text says."""

from dataclasses import replace

import pytest

from regrapht.propose.form import mend
from regrapht.propose.form.reference_arrays import arrays_of
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.records.verdict import Status

BODY = "Curve curve{gain, 2.0f};\n            out[y * cols + x] = lifted(curve, image[y * cols + x]);"
ROWS = "    for (int y = 0; y < rows; y++) {\n"
HEAD = (
    "#include <cuda_runtime.h>\n__global__ void k(int rows, int cols, float gain, const float* image, float* out) {\n"
)
LAUNCH = '}\nextern "C" void brighten(int rows, int cols, float gain, const float* image, float* out) {\n'
BY_ROW = "    const int y = blockIdx.x * blockDim.x + threadIdx.x;\n    if (y >= rows) return;\n"
ONE_ROW = "    k<<<(rows + 63) / 64, 64>>>(rows, cols, gain, image, out);\n}\n"


def task_with(brighten, declaration, turn=BODY, before=""):
    """The task whose entry declares an array, and has another turn in its loops or before the inner one."""
    source = brighten.reference.source
    text = source.text.replace(
        "#include <algorithm>", "#include <algorithm>\n#include <memory>\n#include <string>\n#include <vector>"
    )
    text = text.replace(ROWS, f"    {declaration}\n{ROWS}        {before}\n").replace(BODY, turn)
    assert declaration in text and turn in text
    return replace(brighten, reference=replace(brighten.reference, source=replace(source, text=text)))


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        ("std::vector<float> near(cols);", ("float", "cols", "0")),
        ("std::vector<int> near(rows * (cols + 1), -1);", ("int", "rows * (cols + 1)", "-1")),
        ("std::vector<Curve> near((size_t)rows * cols);", ("Curve", "(size_t)rows * cols", "Curve{}")),
        ("std::vector<uint8_t> near(pixels, kOne);", ("uint8_t", "pixels", "kOne")),
        ("std::vector<float> near(std::max(rows, cols));", ("float", "std::max(rows, cols)", "0")),
        ("std::unique_ptr<float[]> near(new float[cols]);", ("float", "cols", None)),
        ("auto near = std::make_unique<double[]>(cols + 1);", ("double", "cols + 1", "0")),
        ("float* near = new float[cols];", ("float", "cols", None)),
        ("int* const near = new int[rows * cols]();", ("int", "rows * cols", "0")),
        ("using Line = std::vector<float>; Line near(cols);", ("float", "cols", "0")),
        ("std::vector<float> near;", None),
        ("std::vector<float> near(image, image + 9);", None),
        ("std::vector<float> near((int)image[0]);", None),
        ("std::vector<std::string> near(rows);", None),
        ("std::vector<std::vector<float>> near(rows, std::vector<float>(cols));", None),
        ("float near[9];", None),
    ],
)
def test_each_way_to_declare_an_array(brighten, declaration, found):
    arrays = arrays_of(task_with(brighten, declaration))
    made = {name: (one.element, one.length, one.fill) for name, one in arrays.items()}
    assert made == ({"near": found} if found is not None else {})


def test_none_where_a_program_may_not_allocate(brighten):
    task = task_with(brighten, "std::vector<float> near(cols);")
    assert not arrays_of(replace(task, contract=replace(task.contract, may_allocate=False)))


OWN = "near[x] = gain * image[y * cols + x] + 2.0f;\n            out[y * cols + x] = bounded(near[x]);"
SHARED = "near[y * cols + x] += gain * image[y * cols + x];\n            out[y * cols + x] = bounded(near[y * cols + x] + 2.0f);"
CASES = {
    # a part of the memory for each thread, which has the turns of one row
    "own": ("std::vector<float> near(cols);", OWN, f"    for (int x = 0; x < cols; ++x) {{ {OWN} }}\n"),
    "own, called otherwise": (
        "std::vector<float> near(cols);",
        OWN,
        f"    for (int x = 0; x < cols; ++x) {{ {OWN} }}\n".replace("[y *", "[r *"),
    ),
    "own, owned": ("float* near = new float[cols];", OWN, f"    for (int x = 0; x < cols; ++x) {{ {OWN} }}\n"),
    # the same memory for all
    "shared": ("std::vector<float> near(rows * cols);", SHARED, f"    for (int x = 0; x < cols; ++x) {{ {SHARED} }}\n"),
    "shared, begins at another value": (
        "std::vector<float> near(rows * cols, 2.0f);",
        SHARED.replace(" + 2.0f", ""),
        f"    for (int x = 0; x < cols; ++x) {{ {SHARED.replace(' + 2.0f', '')} }}\n",
    ),
    # a local array
    "constant length": (
        "std::vector<float> near(kTwo, 1.0f);",
        "near[kOne] = gain * image[y * cols + x];\n            out[y * cols + x] = bounded(near[kOne] + 2.0f);",
        "    for (int x = 0; x < cols; ++x) {\n"
        "        near[kOne] = gain * image[y * cols + x];\n        out[y * cols + x] = bounded(near[0] + near[kOne] + 1.0f);\n    }\n",
    ),
    "methods": (
        "std::vector<float> near(cols);",
        OWN,
        "    near.assign(cols, 2.0f);\n    std::fill(near.begin(), near.end(), 1.0f);\n    near.front() += near.back() - near.at(0);\n"
        "    for (int x = 0; x < (int)near.size(); ++x)\n"
        "        out[y * cols + x] = bounded(gain * image[y * cols + x] + 1.0f + near.data()[x]);\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_kernel_that_names_the_array_is_a_right_program(case, brighten, judged):
    declaration, turn, loop = CASES[case]
    task = task_with(brighten, declaration, turn)
    by_row = BY_ROW.replace("int y", "int r").replace("(y", "(r") if case == "own, called otherwise" else BY_ROW
    mended = mend(HEAD + by_row + loop + LAUNCH + ONE_ROW, task)
    assert "scratch_arrays" in mended.mends
    verdict = judged(brighten, mended.text)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{mended.text}"


@pytest.mark.parametrize("case", ["own", "shared"])
def test_the_references_turn_in_the_skeleton_is_a_right_program(case, brighten, judged):
    declaration, turn, _ = CASES[case]
    file = skeleton(task_with(brighten, declaration, turn)) or ""
    assert ("near_of_threads" in file) is (case == "own") and "cudaFreeAsync(near" in file
    verdict = judged(brighten, file.replace(HOLE, turn))
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{file}"


def test_the_skeletons_kernel_alone_gets_the_launcher_back(brighten, judged):
    declaration, turn, _ = CASES["shared"]
    task = task_with(brighten, declaration, turn)
    file = (skeleton(task) or "").replace(HOLE, turn)
    kernel = file[file.index("__global__") : file.index('extern "C"')]
    read = read_reply(f"```cuda\n{kernel}```", task, parent=None, skeleton=skeleton(task), may_refuse=False, mends=True)
    assert read.code is not None and judged(brighten, read.code).status is Status.PASSED


def test_several_arrays_and_a_launch_in_a_loop(brighten, judged):
    task = task_with(brighten, "std::vector<float> near(rows * cols), far(rows * cols, 2.0f);", SHARED)
    loop = "    for (int x = 0; x < cols; ++x) {\n        near[y * cols + x] = 0.0f;\n"
    loop += "        out[y * cols + x] = bounded(gain * image[y * cols + x] + far[y * cols + x]);\n    }\n"
    launch = ONE_ROW.replace("    k<<<", "    for (int turn = 0; turn < 2; ++turn)\n        k<<<")
    mended = mend(HEAD + BY_ROW + loop + LAUNCH + launch, task)
    assert mended.text.count("cudaMallocAsync") == mended.text.count("cudaFreeAsync") == 2
    assert judged(brighten, mended.text).status is Status.PASSED


@pytest.mark.parametrize("begin", ["float;0", "float;2.0f", "uint8_t;0"])
@pytest.mark.parametrize(
    "launch", ["k<<<1, 1>>>(ARGUMENTS);", "if (rows > 0) k<<<1, 1>>>(ARGUMENTS); else k<<<1, 2>>>(ARGUMENTS);"]
)
def test_nothing_is_launched_without_its_memory(launch, begin, brighten, judged):
    """Where there is no room, the error is the runtime's to tell: no kernel reads or writes at no place."""
    element, first = begin.split(";")
    task = task_with(brighten, f"std::vector<{element}> near((size_t)1 << 60, {first});", SHARED)
    loop = (
        "    for (int x = 0; x < cols; ++x) {\n        near[x] = 0.0f;\n        out[y * cols + x] = near[x];\n    }\n"
    )
    host = brighten.signature + f" {{\n    {launch.replace('ARGUMENTS', 'rows, cols, gain, image, out')}\n}}\n"
    mended = mend(HEAD + BY_ROW + loop + "}\n" + host, task)
    assert mended.text.count("if (near != nullptr)") == launch.count("k<<<")
    verdict = judged(brighten, mended.text)
    assert verdict.status is Status.UNWRITTEN, f"{verdict.reason}\n{mended.text}"


def test_what_the_program_declares_itself_is_left_alone(brighten):
    task = task_with(brighten, "std::vector<float> near(cols);", OWN)
    loop = "    float near[64];\n    for (int x = 0; x < cols; ++x) near[x % 64] = 0.0f;\n"
    assert "scratch_arrays" not in mend(HEAD + BY_ROW + loop + LAUNCH + ONE_ROW, task).mends
