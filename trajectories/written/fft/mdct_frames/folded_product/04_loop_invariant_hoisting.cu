// MDCT: frames are windowed and folded to half their length first, then multiplied by the matrix of cosines.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// basis[i][k] = cos(pi / (4 n) (2 i + 1)(2 k + 1)), the product reduced first.
__global__ void fill_basis(int n, float* basis) {
    int k = blockIdx.x * kThreads + threadIdx.x, i = blockIdx.y;
    if (k >= n) return;
    int m = (int)((long long)(2 * i + 1) * (2 * k + 1) % (8 * n));
    basis[(size_t)i * n + k] = (float)cos(3.14159265358979323846 * m / (4.0 * n));
}

// u = the windowed frame, folded to n values.
__global__ void fold(int n, const float* window, const float* signal, float* u) {
    int i = blockIdx.x * kThreads + threadIdx.x, frame = blockIdx.y, h = n / 2;
    if (i >= n) return;
    const float* x = signal + (size_t)frame * n;
    int mirror = 3 * h - 1 - i;
    float other = window[mirror] * x[mirror];
    int own = i < h ? 3 * h + i : i - h;
    float here = window[own] * x[own];
    u[(size_t)frame * n + i] = i < h ? -other - here : here - other;
}

__global__ void transform(int n, const float* folded, const float* basis, float* out) {
    int k = blockIdx.x * kThreads + threadIdx.x, frame = blockIdx.y;
    if (k >= n) return;
    const float* u = folded + (size_t)frame * n;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += u[i] * basis[(size_t)i * n + k];
    out[(size_t)frame * n + k] = sum;
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* basis = nullptr;
    cudaMalloc(&basis, ((size_t)frames + n) * n * sizeof(float));
    float* folded = basis + (size_t)n * n;
    fill_basis<<<dim3((n - 1) / kThreads + 1, n), kThreads>>>(n, basis);
    dim3 grid((n - 1) / kThreads + 1, frames);
    fold<<<grid, kThreads>>>(n, window, signal, folded);
    transform<<<grid, kThreads>>>(n, folded, basis, out);
    cudaFree(basis);
}
