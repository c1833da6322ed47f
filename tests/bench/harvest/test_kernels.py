"""Extraction: each kernel by itself, and the reasons for leaving one out."""

import pytest

from regrapht.bench.harvest.cuda_files import CudaFile
from regrapht.bench.harvest.kernels import MAX_KERNEL_LINES, KernelIndex, extract, kernels_of
from regrapht.bench.harvest.outcomes import Dropped


def first(source):
    return extract(*next(kernels_of(CudaFile(name="k.cu", text=source, headers=(), missing=()))))


def test_every_kernel_of_a_file_in_order():
    source = (
        "__global__ void b(int* x) { x[0] = 1; }\n__device__ void h() {}\n__global__ void a(int* x) { x[0] = 2; }\n"
    )
    file = CudaFile(name="k.cu", text=source, headers=(), missing=())
    kernels = [extract(*found) for found in kernels_of(file)]
    assert [(kernel.name, kernel.line) for kernel in kernels] == [("b", 1), ("a", 3)]
    assert kernels[1].text == "__global__ void a(int* x) { x[0] = 2; }"


def test_type_parameters_become_float():
    kernel = first("template <typename T> __global__ void k(const T* __restrict__ a, T* b) { T v = a[0]; b[0] = v; }")
    assert kernel.text == "__global__ void k(const float* __restrict__ a, float* b) { float v = a[0]; b[0] = v; }"


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("scale_kernel", "scale"),
        ("kernel_scale", "scale"),
        ("saxpy", "saxpy_all"),
        ("copy_kernel", "copy_kernel_all"),
        ("k", "k_all"),
    ],
)
def test_the_entry_is_named_after_the_kernel_and_differs(name, entry):
    assert first(f"__global__ void {name}(int* x) {{ x[0] = 1; }}").entry == entry


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("__global__ void k(int* x) { x[0] = ; }", "does_not_parse"),
        ("__global__ void k(int* x) {" + "\n" * MAX_KERNEL_LINES + "x[0] = 1; }", "too_long"),
        ("__global__ void k(int* x) { }", "empty"),
        ("__global__ void k(int x) { x = 1; }", "no_pointer"),
        ("template <int N> __global__ void k(int* x) { x[0] = N; }", "template_arguments"),
        ("__global__ void k(int** x) { x[0][0] = 1; }", "parameter_type"),
        ("__global__ void k(float4* x) { x[0].x = 1; }", "parameter_type"),
        ("__global__ void k(half* x) { x[0] = x[1]; }", "parameter_type"),
        ("struct P { int a; }; __global__ void k(P p, int* x) { x[0] = p.a; }", "parameter_type"),
        ("__global__ void k(int* x) { x[0] = 1; } __global__ void k(float* x) { x[0] = 1; }", "overloaded"),
    ],
)
def test_what_is_dropped(source, reason):
    with pytest.raises(Dropped) as dropped:
        first(source)
    assert dropped.value.reason == reason


FIRST = "__global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = 2 * a[i]; }"
OTHER = "__global__ void m(int* x) { for (int j = 0; j < 4; ++j) { while (x[j] > 3) x[j] /= 2; x[j] = -x[j]; } }"


def test_names_and_constants_do_not_tell_kernels_apart():
    index = KernelIndex()
    index.add("a:k", FIRST)
    index.add("b:m", OTHER)
    with pytest.raises(Dropped, match=r"near_duplicate: 1\.00 like a:k"):
        index.add("c:q", FIRST.replace("void k", "void q").replace("2 *", "3 *"))
    index.add("d:r", "__global__ void r(int* x) { x[0] = 1; }")
