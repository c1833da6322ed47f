"""Habits of models of other families (DeepSeek-Coder, StarCoder, Phi, Llama): each reply becomes a program that the judge passes."""

import pytest

from regrapht.propose.form import mend
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import skeleton
from regrapht.records.verdict import Status
from tests.propose.form.test_reply import ENTRY, KERNEL, WHOLE, fenced

HEAD = "#include <cuda_runtime.h>\n\n"
TEXT = HEAD + WHOLE
LAUNCH = "    brighten_kernel<<<grid, block>>>(rows, cols, gain, image, out);\n"
VALUE = "    float value = gain * image[y * cols + x] + 2.0f;"
MAIN = """
int main() {
    float *image, *out;
    cudaMalloc(&image, 64); cudaMalloc(&out, 64);
    brighten(4, 4, 1.5f, image, out);
    printf("done\\n");
    return 0;
}
"""
TESTED = "\n#ifdef TEST\nint main() {\n  return 0;\n}\n#endif\n"
BOUND = "if (x >= cols || y >= rows) return;"
FAILED = """\
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("CUDA error: %s\\n", cudaGetErrorString(error));
        exit(-1);
    }
"""
TIMED = """\
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
{launch}    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    printf("%f ms\\n", ms);
"""
CALLING = """
void brighten(int rows, int cols, float gain, const float* image, float* out) {
    launch(rows, cols, gain, image, out);
}
"""
STEPS = f"""\
**Step 1**

```c
{HEAD}```

**Step 2**

```c
{KERNEL}```

**Step 3**

```c
{ENTRY}```

```bash
nvcc a.cu
```
"""


def behind_launch(lines: str) -> str:
    return fenced(TEXT.replace(LAUNCH, LAUNCH + lines))


def in_kernel(lines: str, *, before: str = "") -> str:
    return fenced(before + TEXT.replace(VALUE, lines))


REPLIES = {
    "headings and two fences": (
        f"# Solution\n\n## Kernel\n\n```cpp\n{HEAD}{KERNEL}```\n\n## Host\n\n```cpp\n{ENTRY}```\n\n### Why\n\nIt",
        None,
    ),
    "comments in Chinese": (
        fenced(TEXT.replace("    int x =", "    // 计算像素坐标,每个线程一个像素\n    int x =")),
        None,
    ),
    "punctuation of Chinese": (fenced(TEXT.replace(BOUND, BOUND[:-1] + "； // 越界检查")), "plain_characters"),  # noqa: RUF001
    "a file's name": ("<filename>brighten.cu\n" + TEXT, "unfenced"),
    "tokens of a repository": (f"<reponame>u/k<gh_stars>100-1000<filename>a.cu\n{TEXT}<|endoftext|>", "unfenced"),
    "half a sentence": ("that runs on the GPU.\n\n" + TEXT, "unfenced"),
    "a licence, and a test": (f"/*\n * Copyright (c) 2022\n */\n{TEXT}{TESTED}", "main_function"),
    "an include guard": (fenced(f"#ifndef BRIGHTEN_H\n#define BRIGHTEN_H\n{TEXT}#endif  // BRIGHTEN_H\n"), None),
    "an exercise behind it": (
        fenced(TEXT) + "\n## Exercise 2\n\n" + fenced("__global__ void invert(int* a) { a[0] = 1; }\n"),
        None,
    ),
    "what it prints": (fenced(TEXT) + "\nOutput:\n\n```\nThe image is brighter.\n```\n", None),
    "a main": (fenced("#include <stdio.h>\n" + TEXT + MAIN), "main_function"),
    "two mains": (fenced(TEXT + MAIN) + fenced("int main() { return 0; }\n", "cpp"), "main_function"),
    "steps": (STEPS, "split_blocks"),
    "a fence in a list": (
        "1. It:\n\n   ```cuda\n" + "".join(f"   {line}\n" for line in TEXT.splitlines()) + "   ```\n",
        None,
    ),
    "printf in the kernel": (in_kernel(f'    if (x == 0) printf("y=%d\\n", y);\n{VALUE}'), "program_habits"),
    "printf in the entry": (behind_launch('    printf("kernel launched\\n");\n'), "program_habits"),
    "cout": (
        fenced("#include <iostream>\n" + TEXT.replace(LAUNCH, LAUNCH + '    std::cout << "Done." << std::endl;\n')),
        "program_habits",
    ),
    "an error printed": (behind_launch(FAILED), "program_habits"),
    "times printed": (fenced(TEXT.replace(LAUNCH, TIMED.format(launch=LAUNCH))), "program_habits"),
    "the device reset": (
        fenced(
            TEXT.replace("    dim3", "    cudaSetDevice(0);\n    dim3").replace(
                LAUNCH, LAUNCH + "    cudaDeviceReset();\n"
            )
        ),
        "program_habits",
    ),
    "thrust by habit": (
        fenced("#include <thrust/device_vector.h>\n#include <thrust/transform.h>\n" + TEXT),
        "unused_libraries",
    ),
    "libraries by habit": (
        fenced("#include <cublas_v2.h>\n#include <curand_kernel.h>\n#include <opencv2/opencv.hpp>\n" + TEXT),
        "unused_libraries",
    ),
    "other names of the entry's": (
        fenced(
            HEAD
            + KERNEL
            + ENTRY.replace("image", "d_in").replace("out", "d_out").replace("rows", "h").replace("cols", "w")
        ),
        None,
    ),
    "copies that nobody makes": (fenced(TEXT.replace("image, out);", "d_image, d_out);")), "device_names"),
    "copies called so behind": (fenced(TEXT.replace("image, out);", "image_d, out_dev);")), "device_names"),
    "another function launches": (
        fenced(HEAD + KERNEL + ENTRY.replace('extern "C" void brighten(', "void launch(") + CALLING),
        "entry_signature",
    ),
    "only another function launches": (
        fenced(HEAD + KERNEL + ENTRY.replace('extern "C" void brighten(', "void launchBrighten(")),
        "entry_name",
    ),
    "the kernel in a header": (
        f'`b.cuh`:\n\n```cuda\n#pragma once\n{HEAD}{KERNEL}```\n\n`b.cu`:\n\n```cuda\n#include "b.cuh"\n\n{ENTRY}```\n',
        "own_headers",
    ),
    "two files in a block": (
        fenced(f'// b.cuh\n#pragma once\n{HEAD}{KERNEL}\n// b.cu\n#include "b.cuh"\n\n{ENTRY}'),
        "own_headers",
    ),
    "a namespace for all": (
        fenced("#include <iostream>\nusing namespace std;\n" + TEXT.replace('extern "C" ', "")),
        "entry_signature",
    ),
    "macros below": (
        fenced(TEXT.replace("block(32, 8)", "block(BLOCK_X, BLOCK_Y)") + "\n#define BLOCK_X 32\n#define BLOCK_Y 8\n"),
        "late_constants",
    ),
    "constants below": (
        fenced(TEXT.replace("block(32, 8)", "block(kX, kY)") + "\nconstexpr int kX = 32, kY = 8;\n"),
        "late_constants",
    ),
    "a row kept in a number": (
        in_kernel("    int row = image + y * cols;\n    float value = gain * row[x] + 2.0f;"),
        "pointer_locals",
    ),
    "a place kept in a number, and its end": (
        in_kernel(
            "    int at = image + y * cols + x, end = at + 1;\n    float value = 2.0f;\n    for (; at < end; ++at) value += gain * *at;"
        ),
        "pointer_locals",
    ),
}


@pytest.mark.parametrize("what", REPLIES)
def test_a_habit(what, brighten, judged):
    text, wanted = REPLIES[what]
    read = read_reply(text, brighten, parent=None, skeleton=skeleton(brighten), may_refuse=False, mends=True)
    assert read.code is not None, read.reason
    assert wanted is None or wanted in read.mends
    verdict = judged(brighten, read.code)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{read.code}"


KEPT = {
    "a print that counts": TEXT.replace(LAUNCH, LAUNCH + '    int k = 0;\n    printf("%d\\n", ++k);\n'),
    "words on the error stream": TEXT.replace(LAUNCH, LAUNCH + '    fprintf(stderr, "no device\\n");\n'),
    "a library that is used": "#include <thrust/swap.h>\n" + TEXT.replace(VALUE, VALUE + "\n    thrust::swap(x, y);"),
    "a copy that is made": TEXT.replace(
        LAUNCH, "    const float* d_image = image;\n" + LAUNCH.replace("image", "d_image")
    ),
    "a distance": TEXT.replace(VALUE, "    int far = &image[x] - image;\n" + VALUE),
    "whether there is a pointer": TEXT.replace(VALUE, "    bool there = image + 1;\n" + VALUE),
    "a local of a constant's name": TEXT.replace("    dim3", "    const int kX = 32;\n    dim3").replace("(32", "(kX")
    + "\nconstexpr int kX = 16;\n",
}
NEW = {"program_habits", "unused_libraries", "device_names", "pointer_locals", "late_constants"}


@pytest.mark.parametrize("what", KEPT)
def test_what_is_meant_stays(what, brighten):
    assert not NEW & set(mend(KEPT[what], brighten).mends)


def test_what_is_cut_off_in_its_kernel_is_called_so(brighten):
    """Its helpers are whole and the file's own: that the file came back with nothing written would be untrue."""
    file = skeleton(brighten)
    begun = f"```cuda\n{file.partition('// Write here')[0]}    float value = gain * image[y * cols + x];\n    out[y *"
    read = read_reply(begun, brighten, parent=None, skeleton=file, may_refuse=False, mends=True, cut_off="cut off")
    assert read.code is None and read.reason == "cut off"
