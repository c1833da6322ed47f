"""Parts of a program that are put into the one that was shown: which take whose place, what they lack, and where that goes."""

import pytest

from regrapht.propose.form.reply import read_reply
from regrapht.records.verdict import Status

KERNEL = """\
__global__ void brighten_kernel(int rows, int cols, float gain, const float* image, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float value = gain * image[y * cols + x] + 2.0f;
    out[y * cols + x] = fminf(fmaxf(value, 0.0f), 255.0f);
}
"""
ENTRY = """\
extern "C" void brighten(int rows, int cols, float gain, const float* image, float* out) {
    dim3 block(kSide, 16), grid((cols + kSide - 1) / kSide, (rows + 15) / 16);
    brighten_kernel<<<grid, block>>>(rows, cols, gain, image, out);
}
"""
SIDE = "constexpr int kSide = 16;\n\n"
WHOLE = f"{KERNEL}\n{ENTRY}"
PARENT = SIDE + WHOLE


def fenced(code: str) -> str:
    return f"```cuda\n{code}```\n"


LAUNCH = "brighten_kernel<<<dim3((cols + 7) / 8, (rows + 7) / 8), dim3(8, 8)>>>(rows, cols, gain, image, out);\n"
TWIN = "namespace twin {\n__host__ __device__ inline float top() { return 255.0f; }\n}  // namespace twin\n\n"
FROM_TWIN = KERNEL.replace("255.0f", "twin::top()")
PARTS = {
    "a kernel with another name": (PARENT, KERNEL.replace("brighten_kernel", "brighten_kernel_new"), "renamed_kernels"),
    "a kernel with another name and without its mark": (
        PARENT,
        KERNEL.replace("__global__ void brighten_kernel", "void brighten_2_map"),
        "renamed_kernels",
    ),
    "a launch alone": (PARENT, f"cuda, {LAUNCH}", "lone_launches"),
    "a launch and a comment": (PARENT, f"// smaller blocks\n{LAUNCH}", "lone_launches"),
    "a type before the kernel": (
        PARENT,
        "struct Most {\n    float at;\n};\n\n" + KERNEL.replace("255.0f", "Most{255.0f}.at"),
        "partial_program",
    ),
    "one of two constants": (
        f"constexpr float kLeast = 0.0f, kMost = 200.0f;\n\n{PARENT}",
        "constexpr float kMost = 255.0f;\n\n" + KERNEL.replace("255.0f", "kMost"),
        "partial_program",
    ),
    "two constants, one of them known": (
        PARENT,
        "constexpr int kSide = 16, kMost = 255;\n\n" + KERNEL.replace("255.0f", "(float)kMost"),
        "partial_program",
    ),
    "a kernel that the program lacks": (SIDE + ENTRY, KERNEL, "partial_program"),
    "a launcher whose kernel uses a constant": (
        "constexpr float kMost = 255.0f;\n\n" + PARENT.replace("255.0f", "kMost"),
        ENTRY,
        "parent_definitions",
    ),
    "a launcher whose kernel uses a namespace": (SIDE + TWIN + FROM_TWIN + ENTRY, ENTRY, "parent_definitions"),
    "a namespace that is there": (SIDE + TWIN + FROM_TWIN + ENTRY, TWIN + ENTRY, "parent_definitions"),
}


@pytest.mark.parametrize("what", PARTS)
def test_a_part_and_what_it_lacks_make_a_program(what, brighten, judged):
    parent, part, mend = PARTS[what]
    read = read_reply(fenced(part), brighten, parent=parent, may_refuse=True, mends=True)
    assert read.code is not None, read.reason
    assert mend in read.mends
    assert judged(brighten, read.code).status is Status.PASSED, read.code


UNCLEAR = {
    "two kernels that one could be": KERNEL.replace("_kernel", "_1") + KERNEL.replace("_kernel", "_2"),
    "a kernel with other parameters": KERNEL.replace("_kernel(int rows, int cols, float gain", "_1(int n, float gain"),
    "a function of the device": KERNEL.replace("__global__", "__device__").replace("_kernel", "_1"),
    "a launch of a kernel that is not there": LAUNCH.replace("brighten_kernel", "darken"),
    "two launches of one kernel": LAUNCH + LAUNCH,
    "a launch and another statement": f"{LAUNCH}cudaDeviceSynchronize();\n",
}


@pytest.mark.parametrize("what", UNCLEAR)
def test_a_part_that_can_be_meant_in_two_ways_is_put_nowhere(what, brighten):
    read = read_reply(fenced(UNCLEAR[what]), brighten, parent=PARENT, may_refuse=True, mends=True)
    assert not {"renamed_kernels", "lone_launches", "partial_program"} & set(read.mends), read.code
