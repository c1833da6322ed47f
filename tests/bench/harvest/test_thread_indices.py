"""How a thread's place is used, dimension by dimension."""

import pytest

from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.thread_indices import Mode, join_assignments, read_axes, split_declarations


def read(body):
    return read_axes(join_assignments(split_declarations(f"__global__ void k(float* x, int n) {{ {body} }}")))


@pytest.mark.parametrize(
    "expression",
    [
        "blockIdx.x * blockDim.x + threadIdx.x",
        "threadIdx.x + blockDim.x * blockIdx.x",
        "(size_t)blockIdx.x * blockDim.x + threadIdx.x",
        "(blockDim.x * blockIdx.x) + (int)threadIdx.x",
        "__mul24(blockIdx.x, blockDim.x) + threadIdx.x",
        "blockIdx . x * blockDim . x + threadIdx . x",
        "static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)",
    ],
)
def test_a_global_index_in_all_its_spellings(expression):
    text, axes = read(f"int i = {expression}; x[i] = 1;")
    assert [(axis.axis, axis.mode, axis.block) for axis in axes] == [("x", Mode.ELEMENTS, None)]
    assert "Idx" not in text and axes[0].variable in text


def test_copies_of_places_are_seen_through():
    text, axes = read("int tx = threadIdx.x, bx = blockIdx.x; int i; i = bx * blockDim.x + tx; x[i] = 1;")
    assert [axis.mode for axis in axes] == [Mode.ELEMENTS] and "int i = global_x_;" in text and "tx" not in text


def test_an_extent_that_the_kernel_counts_on_is_kept():
    _, axes = read("int i = blockIdx.x * 128 + threadIdx.x; x[i] = 1;")
    assert axes[0].block == "128"
    _, axes = read("int i = blockIdx.y * TILE + threadIdx.y; x[i] = 1;")
    assert (axes[0].axis, axes[0].block) == ("y", "TILE")


def test_a_loop_that_steps_by_all_threads_is_a_plain_loop():
    text, axes = read(
        "int s = gridDim.x * blockDim.x; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += s) x[i] = 1;"
    )
    assert axes[0].mode is Mode.STRIDED and axes[0].grid
    assert "int i = 0; i < n; i += 1)" in text


def test_a_row_for_a_block_whose_threads_share_a_loop():
    text, axes = read("int r = blockIdx.x; for (int c = threadIdx.x; c < n; c += blockDim.x) x[r * n + c] = 1;")
    assert axes[0].mode is Mode.BLOCKS and axes[0].threads
    assert "c = 0; c < n; c += 1" in text and "block_x_ * n" in text


def test_one_block_whose_threads_share_a_loop():
    _, axes = read("for (int c = threadIdx.x; c < n; c += blockDim.x) x[c] = 1;")
    assert axes[0].mode is Mode.STRIDED and not axes[0].grid


def test_dimensions_are_told_apart():
    _, axes = read("int i = blockIdx.x * blockDim.x + threadIdx.x; int j = blockIdx.y; x[j * n + i] = 1;")
    assert [(axis.axis, axis.mode) for axis in axes] == [("x", Mode.ELEMENTS), ("y", Mode.BLOCKS)]


@pytest.mark.parametrize(
    "body",
    [
        "x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;",
        "x[threadIdx.x] = 1;",
        "x[blockIdx.x] = blockDim.x;",
        "x[0] = gridDim.x;",
        "int3 p = f(threadIdx); x[0] = 1;",
        "x[blockIdx.x * n + threadIdx.x] = 1;",
    ],
)
def test_what_depends_on_the_launch(body):
    with pytest.raises(Dropped) as dropped:
        read(body)
    assert dropped.value.reason == "launch_unknown"
