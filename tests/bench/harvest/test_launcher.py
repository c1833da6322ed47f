"""The kernel's own program: its text unchanged, and a launch that reaches every element and no other where that matters."""

import pytest

from regrapht.bench.harvest.launcher import launcher
from regrapht.tasks.infer import infer_task

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


@pytest.fixture
def program(sequential, tmp_path):
    def make(source):
        version = sequential(source)
        (tmp_path / "reference.cpp").write_text(version.reference)
        task = infer_task(tmp_path / "reference.cpp", entry=version.entry).task
        text = launcher(task, source, "#define NEEDED 1", version.launch)
        assert source in text and task.signature + " {" in text and text.index("NEEDED") < text.index(source)
        return " ".join(text.split())

    return make


def test_one_dimension(program):
    text = program(f"__global__ void k(const float* a, float* b, int n) {{ {INDEX} if (i < n) b[i] = a[i]; }}")
    assert (
        "block(256, 1, 1); const dim3 grid(blocks_for(n, 256), 1, 1); k<<<grid, block>>>((float*)a, (float*)b, n);"
        in text
    )
    assert "fitting_block" not in text


def test_two_dimensions(program):
    source = (
        "__global__ void k(const float* a, float* b, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x;"
        " int y = blockIdx.y * blockDim.y + threadIdx.y; if (x < w && y < h) b[y * w + x] = a[y * w + x]; }"
    )
    assert "block(32, 8, 1); const dim3 grid(blocks_for(w, 32), blocks_for(h, 8), 1);" in program(source)


def test_a_block_a_row(program):
    source = (
        "__global__ void k(const float* a, float* b, int rows, int cols) { int r = blockIdx.x; if (r >= rows) return;"
        " for (int c = threadIdx.x; c < cols; c += blockDim.x) b[r * cols + c] = a[r * cols + c]; }"
    )
    assert "block(256, 1, 1); const dim3 grid(blocks_for(rows, 1), 1, 1);" in program(source)


def test_loops_over_the_grid_and_over_one_block(program):
    head = "__global__ void k(const float* a, float* b, int n) { for (int i = "
    grid = head + "blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = a[i]; }"
    assert "grid(64, 1, 1)" in program(grid)
    block = head + "threadIdx.x; i < n; i += blockDim.x) b[i] = a[i]; }"
    assert "block(256, 1, 1); const dim3 grid(1, 1, 1)" in program(block)


def test_an_extent_that_the_kernel_counts_on(program):
    source = "__global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) b[i] = a[i]; }"
    assert "block(64, 1, 1); const dim3 grid(blocks_for(n, 64), 1, 1);" in program(source)


def test_without_a_test_no_surplus_thread_runs(program):
    text = program(f"__global__ void k(const float* a, float* b) {{ {INDEX} b[i] = a[i]; }}")
    assert "block(fitting_block(count_x, 256), 1, 1)" in text
    assert "while (elements % most) most /= 2;" in text
