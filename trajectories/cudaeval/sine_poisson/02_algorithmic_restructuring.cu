// Poisson's equation by sine transforms: a block solves a column by parallel cyclic reduction in place of one thread from end to end.
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

constexpr int kMostRows = 512;

// A block solves a column by cyclic reduction in parallel: each round joins an equation with those a distance away, which doubles.
__global__ void __launch_bounds__(kMostRows) solve_columns(int rows, int n, float* mode) {
    __shared__ float lower[kMostRows], upper[kMostRows], right[kMostRows];  // of an equation whose middle coefficient is 1
    const int k = blockIdx.x, y = threadIdx.x;
    const float inverse = 1.0 / (4.0 - 2.0 * cospi((k + 1.0) / (n + 1)));
    if (y < rows) {
        lower[y] = y > 0 ? -inverse : 0.0f;
        upper[y] = y + 1 < rows ? -inverse : 0.0f;
        right[y] = inverse * mode[(size_t)y * n + k];
    }
    for (int step = 1; step < rows; step *= 2) {
        __syncthreads();
        float a = 0.0f, c = 0.0f, d = 0.0f;
        if (y < rows) {
            const bool up = y >= step, down = y + step < rows;
            const float l = lower[y], u = upper[y];
            const float middle = 1.0f - (up ? l * upper[y - step] : 0.0f) - (down ? u * lower[y + step] : 0.0f), scale = 1.0f / middle;
            a = up ? -scale * l * lower[y - step] : 0.0f;
            c = down ? -scale * u * upper[y + step] : 0.0f;
            d = scale * (right[y] - (up ? l * right[y - step] : 0.0f) - (down ? u * right[y + step] : 0.0f));
        }
        __syncthreads();
        if (y < rows) {
            lower[y] = a;
            upper[y] = c;
            right[y] = d;
        }
    }
    if (y < rows) mode[(size_t)y * n + k] = right[y];
}

extern "C" void sine_poisson(int rows, int n, const float* source, float* potential) {
    const size_t cells = (size_t)rows * n;
    const int blocks = (int)((cells - 1) / kThreads + 1);
    float* mode = nullptr;
    cudaMalloc(&mode, (cells + 2 * n + 2) * sizeof(float));
    float *sine = mode + cells;
    make_sines<<<(2 * n + 1) / kThreads + 1, kThreads>>>(n, sine);
    sum_sines<<<blocks, kThreads>>>(rows, n, sine, source, 1.0f, mode);
    solve_columns<<<n, (rows + 31) / 32 * 32>>>(rows, n, mode);
    sum_sines<<<blocks, kThreads>>>(rows, n, sine, mode, 2.0f / (n + 1), potential);
    cudaFree(mode);
}
