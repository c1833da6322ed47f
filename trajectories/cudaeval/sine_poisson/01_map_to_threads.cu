// Poisson's equation by sine transforms: a thread a number for the transforms, a thread a column for the systems.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void make_sines(int n, float* sine) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < 2 * n + 2) sine[i] = sinpi((double)i / (n + 1));
}

__global__ void sum_sines(int rows, int n, const float* sine, const float* in, float scale, float* out) {
    const int at = blockIdx.x * kThreads + threadIdx.x, y = at / n, k = at % n;
    if (y >= rows) return;
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) sum += in[(size_t)y * n + j] * sine[(j + 1) * (k + 1) % (2 * n + 2)];
    out[at] = scale * sum;
}

__global__ void solve_columns(int rows, int n, float* mode, float* factor) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= n) return;
    const float middle = 4.0 - 2.0 * cospi((k + 1.0) / (n + 1));
    float before = 0.0f, carried = 0.0f;
    for (int y = 0; y < rows; ++y) {
        const size_t at = (size_t)y * n + k;
        before = 1.0f / (middle - before);
        factor[at] = before;
        mode[at] = carried = (mode[at] + carried) * before;
    }
    for (int y = rows - 2; y >= 0; --y) {
        const size_t at = (size_t)y * n + k;
        mode[at] = carried = mode[at] + factor[at] * carried;
    }
}

extern "C" void sine_poisson(int rows, int n, const float* source, float* potential) {
    const size_t cells = (size_t)rows * n;
    const int blocks = (int)((cells - 1) / kThreads + 1);
    float* mode = nullptr;
    cudaMalloc(&mode, (2 * cells + 2 * n + 2) * sizeof(float));
    float *factor = mode + cells, *sine = factor + cells;
    make_sines<<<(2 * n + 1) / kThreads + 1, kThreads>>>(n, sine);
    sum_sines<<<blocks, kThreads>>>(rows, n, sine, source, 1.0f, mode);
    solve_columns<<<(n - 1) / kThreads + 1, kThreads>>>(rows, n, mode, factor);
    sum_sines<<<blocks, kThreads>>>(rows, n, sine, mode, 2.0f / (n + 1), potential);
    cudaFree(mode);
}
