"""Threads and shared memory as a program's text says them; what it does not say plainly is unknown."""

import pytest

from regrapht.tune.launch_shapes import LaunchShape, launch_shapes

KERNELS = """#define BLOCK 128
constexpr int TILE = 2 * 16;
static const unsigned HALF = BLOCK / 2u;

__global__ void rows(const float* x, float* y) {
    __shared__ float tile[TILE][TILE + 1];
    __shared__ double sum;
    extern __shared__ char more[];
}

template <int N>
__global__ void __launch_bounds__(256) points(int n, float* y) { __shared__ unsigned char level[BLOCK]; }

extern "C" void entry(int n, const float* x, float* y) {
    dim3 block(TILE, 8);
    rows<<<dim3((n + 31) / 32, 4), block>>>(x, y);
    points<4><<<n / BLOCK + 1, BLOCK, 0, 0>>>(n, y);
    points<4> <<<1, dim3(HALF, 2, 1)>>>(n, y);
    points<4><<<1, n>>>(n, y);
}
"""


def test_macros_constants_and_shapes_are_put_in():
    assert launch_shapes(KERNELS) == (
        LaunchShape(kernel="rows", threads=256, shared_bytes=32 * 33 * 4 + 8),
        LaunchShape(kernel="points", threads=128, shared_bytes=128),
        LaunchShape(kernel="points", threads=None, shared_bytes=128),
    )


@pytest.mark.parametrize(
    ("declared", "bytes_"),
    [
        ("__shared__ int a[4][4];", 64),
        ("__shared__ my_type a[4];", None),
        ("__shared__ float a[N];", None),
        ("__shared__ float a[__import__('os').getpid()];", None),
        ("", 0),
    ],
)
def test_shared_memory(declared, bytes_):
    source = f"__global__ void k(int n) {{ {declared} }}\nvoid entry(int n) {{ k<<<1, 32>>>(n); }}"
    assert [shape.shared_bytes for shape in launch_shapes(source)] == [bytes_]


def test_text_that_is_no_program():
    for text in ("", "<<<>>>", "__global__", "k<<<1,", "__global__ void k( {", "dim3 a();" * 500):
        assert launch_shapes(text) == ()
