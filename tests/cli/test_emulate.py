"""`regrapht emulate` as users type it: clean and faulty programs, candidates for a task, options, exit codes."""

import json

import pytest

from regrapht.evaluate.build.nvcc import find_nvcc

from .conftest import TASK, VECTOR_ADD

PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void add(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1.0f;
}
int main(int argc, char** argv) {
    int n = atoi(argv[1]);
    float* a;
    cudaMalloc(&a, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    add<<<(n + 63) / 64, 64>>>(a, n);
    float last;
    cudaMemcpy(&last, a + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(a);
    printf("last \\033[31m%g\\n", last);
    return argc > 2;
}
"""
CANDIDATE = """__global__ void kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { kernel<<<(n + 127) / 128, 128>>>(n, a, x, y); }
"""


def test_a_clean_program(cli):
    (cli.folder / "add.cu").write_text(PROGRAM)
    done = cli("emulate", "add.cu", "--html", "page.html", "--seeds", "1", "--", "100")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Modelled on a CPU" in done.stdout and "add <<<2, 64>>>  1 launch, 128 threads" in done.stdout
    assert "PASSED: nothing found in 3 runs" in done.stdout
    assert "last \\x1b[31m1" in done.stdout and "\x1b" not in done.stdout
    page = (cli.folder / "page.html").read_text()
    assert "add.cu" in page and "\x1b" not in page


def test_a_fault_is_a_message_and_exit_code_1(cli):
    (cli.folder / "add.cu").write_text(PROGRAM.replace("if (i < n) ", ""))
    done = cli("emulate", "add.cu", "--schedule", "reverse", "--", "100")
    assert done.returncode == 1
    assert "add.cu:5: error: global_oob: " in done.stdout and "  hint: " in done.stdout
    assert "OUT_OF_BOUNDS: 1 error in 1 run" in done.stdout


def test_json_and_plain(cli):
    (cli.folder / "add.cu").write_text(PROGRAM)
    done = cli("emulate", "add.cu", "--json", "--plain", "--", "100")
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["status"] == "PASSED" and found["evidence"] is None
    assert [run["schedule"] for run in found["runs"]] == ["forward"] and "without checks" in found["reason"]


def test_a_program_that_says_it_failed(cli):
    (cli.folder / "add.cu").write_text(PROGRAM)
    done = cli("emulate", "add.cu", "--schedule", "forward", "--", "100", "fail")
    assert done.returncode == 1 and "the program ended with exit status 1" in done.stdout


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        (
            "int main() { return 1 +; }\n",
            2,
            "BUILD_FAILED: not CUDA, says nvcc: add.cu(1)" if find_nvcc() else "add.cu:1",
        ),
        ("int not_a_program;\n", 2, "there is no main; a candidate for a task needs --task"),
        (
            '__global__ void k() { asm volatile("membar.gl;"); }\nint main() { k<<<1, 1>>>(); }\n',
            3,
            "UNSUPPORTED: the emulator cannot run inline PTX",
        ),
        (
            '__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }\nint main() { k<<<1, 128>>>(); }\n',
            3,
            "UNSUPPORTED: the emulator cannot run inline PTX",
        ),
    ],
)
def test_what_cannot_be_run_says_why(cli, source, code, said):
    (cli.folder / "add.cu").write_text(source)
    done = cli("emulate", "add.cu", "--schedule", "forward")
    assert done.returncode == code and said in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
def test_what_nvcc_refuses_is_said_in_its_words(cli):
    (cli.folder / "add.cu").write_text("int main() { return 1 +; }\n")
    done = cli("emulate", "add.cu", "--schedule", "forward")
    assert done.returncode == 2 and "BUILD_FAILED: not CUDA, says nvcc: add.cu(1)" in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.cu",), "cannot read nothing.cu"),
        (("add.cu", "--include", "nowhere"), "there is no such folder"),
        (("add.cu", "--schedule", "random", "--seeds", "0"), "nothing to run"),
        (("add.cu", "--task", "task", "--", "1"), "whole programs"),
        (("add.cu", "--task", "no-task"), "no-task"),
        (("add.cu", "--schedule", "sideways"), "sideways"),
    ],
)
def test_options_that_make_no_sense(cli, arguments, said):
    (cli.folder / "add.cu").write_text(PROGRAM)
    done = cli("emulate", *arguments)
    assert done.returncode == 2 and said in done.stderr, done.stdout + done.stderr


def test_several_files_with_own_headers_are_one_program_and_a_fault_is_told_by_file(cli):
    header = "#pragma once\n#include <cuda_runtime.h>\nvoid fill(float* x, int n);\n"
    entry = (
        '#include "cuda_helpers.h"\nint main() {\n  float* x;\n  cudaMalloc(&x, 40);\n  fill(x, 10);\n'
        "  cudaDeviceSynchronize();\n  cudaFree(x);\n}\n"
    )
    (cli.folder / "cuda_helpers.h").write_text(header)
    (cli.folder / "entry.cu").write_text(entry)
    (cli.folder / "kernel.cu").write_text(
        '#include "cuda_helpers.h"\n\n__global__ void k(float* x, int n) { x[threadIdx.x] = n; }\n'
        "void fill(float* x, int n) { k<<<1, n + 1>>>(x, n); }\n"
    )
    done = cli("emulate", "entry.cu", "kernel.cu", "--schedule", "forward")
    assert done.returncode == 1 and "kernel.cu:3: error: global_oob" in done.stdout, done.stdout + done.stderr
    assert "at byte 40 of an allocation of 40 bytes" in done.stdout and "thread (10,0,0)" in done.stdout
    apart = cli("emulate", "entry.cu", "--schedule", "forward", "--", "kernel.cu")
    assert apart.returncode in (2, 3) and "fill" in apart.stdout, apart.stdout


def test_a_candidate_for_a_task(cli):
    folder = cli.folder / "task"
    folder.mkdir()
    (folder / "task.toml").write_text(TASK)
    (folder / "saxpy.cpp").write_text(VECTOR_ADD)
    (cli.folder / "right.cu").write_text(CANDIDATE)
    (cli.folder / "wrong.cu").write_text(CANDIDATE.replace("+ y[i]", "- y[i]"))
    (cli.folder / "unguarded.cu").write_text(CANDIDATE.replace("if (i < n) ", ""))
    right = cli("emulate", "right.cu", "--task", "task", "--schedule", "reverse")
    assert right.returncode == 0 and "At n=1003." in right.stdout, right.stdout + right.stderr
    assert "2 x" not in right.stdout and "speed" not in right.stdout
    wrong = cli("emulate", "wrong.cu", "--task", "task", "--schedule", "forward")
    assert wrong.returncode == 1 and "WRONG_VALUE: y" in wrong.stdout, wrong.stdout
    unguarded = cli("emulate", "unguarded.cu", "--task", "task", "--schedule", "forward")
    assert unguarded.returncode == 1 and "unguarded.cu:3: error: global_oob" in unguarded.stdout
