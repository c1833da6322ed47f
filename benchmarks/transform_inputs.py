"""The twenty tasks of `transform_on_gpu.py` as folders to launch runs on, and programs that time a vendor's library beside them."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBERED = ROOT / "tests" / "transform" / "inputs"


@dataclass(frozen=True, slots=True)
class Input:
    """One task. `memory_bound`: what it must move, and not what it computes, decides its least time."""

    name: str
    memory_bound: bool
    vendor: str | None = None
    """What of `VENDOR` does the same, or bounds it."""
    bench: str | None = None
    """A larger bench shape than the input's own, which would fit a cache: a row of `task.toml`."""

    def write(self, folder: Path) -> Path:
        """The task's folder below `folder`."""
        target = folder / self.name
        target.mkdir()
        if self.name == "matrix_product":
            return _matrix_product(target)
        if self.name in OWN:
            code, toml = OWN[self.name]
            (target / "reference.cpp").write_text(code)
            (target / "task.toml").write_text(toml)
            return target
        shutil.copy(NUMBERED / f"{self.name}.cpp", target)
        text = (NUMBERED / f"{self.name}.toml").read_text()
        if self.bench is not None:
            text = re.sub(r"^bench = .*$", f"bench = [{self.bench}]", text, flags=re.M)
        (target / "task.toml").write_text(text)
        return target


INPUTS = (
    Input("matrix_product", False, "cublas_sgemm"),
    Input("sum_of_floats", True, "cub_sum"),
    Input("transposed", True, "copy"),
    Input("06_band_matvec", True, bench="{ n = 4000000, below = 8, above = 8 }"),
    Input("09_ell_matvec", True, bench="{ rows = 2000000, cols = 2000000, slots = 16 }"),
    Input("52_blend_walk", True, bench="{ pixels = 64000000 }"),
    Input("22_jacobi_swap", True, bench="{ n = 4096, m = 4096, sweeps = 10 }"),
    Input("25_upwind_advection", True, bench="{ n = 64000000 }"),
    Input("29_fir_decimate", False, bench="{ outputs = 4000000, taps = 64 }"),
    Input("30_biquad_channels", True),
    Input("32_joint_histogram", True, bench="{ n = 64000000, bins = 64 }"),
    Input("40_pagerank_pull", True),
    Input("48_resize_bilinear", True, bench="{ sw = 4096, sh = 3072, dw = 7680, dh = 4320 }"),
    Input("50_bayer_demosaic", True, bench="{ cells_y = 4096, cells_x = 4096 }"),
    Input("53_asian_paths", True),
    Input("63_lennard_jones", False),
    Input("71_max_pool_argmax", True),
    Input("70_int8_linear", False),
    Input("72_adam_update", True, bench="{ n = 32000000 }"),
    Input("79_hamming_matrix", False),
)

OWN = {
    "sum_of_floats": (
        """float sum_of_floats(int n, const float* x) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i];
    return sum;
}
""",
        """schema = 1
id = "sum_of_floats"
title = "Sum of an array"
description = "The sum of all elements; any order of additions is right."
entry = "sum_of_floats"
family = "reduction"
licence = "Apache-2.0"
source = "regrapht"

[reference]
file = "reference.cpp"

[[args]]
name = "n"
kind = "size"
dtype = "int32"

[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
init = { kind = "uniform", low = -1.0, high = 1.0 }

[sizes]
check = [{ n = 1 }, { n = 33 }, { n = 1000 }, { n = 70001 }]
bench = [{ n = 67108864 }]

[tolerance]
reduction_length = "n"

[work]
bytes = "4 * n"
flops = "n"
""",
    ),
    "transposed": (
        """void transposed(int rows, int cols, const float* a, float* b) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) b[j * rows + i] = a[i * cols + j];
}
""",
        """schema = 1
id = "transposed"
title = "Transposition"
description = "b is the transpose of a; both are row-major and do not overlap."
entry = "transposed"
family = "layout"
licence = "Apache-2.0"
source = "regrapht"

[reference]
file = "reference.cpp"

[[args]]
name = "rows"
kind = "size"
dtype = "int32"

[[args]]
name = "cols"
kind = "size"
dtype = "int32"

[[args]]
name = "a"
kind = "array"
dtype = "float32"
shape = ["rows", "cols"]
role = "in"
init = { kind = "normal", mean = 0.0, std = 1.0 }

[[args]]
name = "b"
kind = "array"
dtype = "float32"
shape = ["cols", "rows"]
role = "out"

[sizes]
check = [{ rows = 1, cols = 1 }, { rows = 33, cols = 70 }, { rows = 64, cols = 64 }, { rows = 127, cols = 5 }]
bench = [{ rows = 8192, cols = 8192 }]

[tolerance]
class = "exact"

[work]
bytes = "8 * rows * cols"
""",
    ),
}


def _matrix_product(target: Path) -> Path:
    """The example at 4096, compared with the engine's own plain version."""
    example = ROOT / "examples" / "matrix_product"
    shutil.copy(example / "reference.cpp", target)
    text = (example / "task.toml").read_text()
    text = re.sub(r"^bench = .*$", "bench = [{ m = 4096, n = 4096, k = 4096 }]", text, flags=re.M)
    text = re.sub(r"^\[baselines\]\n(?:\w+ = .*\n?)*", "", text, flags=re.M)
    text = re.sub(r'^file = "reference.cpp"$', 'file = "reference.cpp"\nfast = "fast.py"', text, flags=re.M)
    (target / "task.toml").write_text(text)
    (target / "fast.py").write_text('def reference(m, n, k, a, b):\n    return {"c": a @ b}\n')
    return target


_TIMED = """
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
%s
int main() {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    void* other;
    cudaMalloc(&other, 2 * size_t(device.l2CacheSize));
    prepare();
    for (int k = 0; k < 5; ++k) once();
    std::vector<float> times;
    for (int k = 0; k < 30; ++k) {
        float ms = 0;
        cudaMemset(other, k, 2 * size_t(device.l2CacheSize));  // as the judge does: cold caches, an idle device
        cudaDeviceSynchronize();
        cudaEventRecord(begin), once(), cudaEventRecord(end), cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(1000 * ms);
    }
    if (cudaGetLastError() != cudaSuccess) return 1;
    for (float one : times) printf("%%.3f\\n", one);
}
"""
VENDOR: dict[str, tuple[str, tuple[str, ...]]] = {
    "cublas_sgemm": (
        _TIMED
        % """#include <cublas_v2.h>
static const int N = 4096;
static float *a, *b, *c;
static cublasHandle_t handle;
static void prepare() {
    for (float** one : {&a, &b, &c}) cudaMalloc(one, sizeof(float) * N * N), cudaMemset(*one, 0, sizeof(float) * N * N);
    cublasCreate(&handle);
    cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);  // float32 arithmetic, no tensor cores
}
static void once() {
    const float one = 1, zero = 0;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, b, N, a, N, &zero, c, N);
}""",
        ("-lcublas",),
    ),
    "cub_sum": (
        _TIMED
        % """#include <cub/device/device_reduce.cuh>
static const int N = 67108864;
static float *x, *sum;
static void* work;
static size_t bytes;
static void prepare() {
    cudaMalloc(&x, sizeof(float) * N), cudaMalloc(&sum, sizeof(float)), cudaMemset(x, 0, sizeof(float) * N);
    cub::DeviceReduce::Sum(nullptr, bytes, x, sum, N);
    cudaMalloc(&work, bytes);
}
static void once() { cub::DeviceReduce::Sum(work, bytes, x, sum, N); }""",
        (),
    ),
    "copy": (
        _TIMED
        % """static const size_t BYTES = 4ull * 8192 * 8192;
static void *from, *to;
static void prepare() { cudaMalloc(&from, BYTES), cudaMalloc(&to, BYTES), cudaMemset(from, 0, BYTES); }
static void once() { cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDeviceToDevice); }""",
        (),
    ),
}
"""Name -> a program that prints 30 times in microseconds, by events from an idle device with cold caches; and what it is
linked with."""
