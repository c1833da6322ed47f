// MDCT: frames are windowed and folded to half their length first, then multiplied by the cosines, tile by tile.
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

constexpr int kTile = 32, kRows = 8;

__global__ void transform(int frames, int n, const float* folded, const float* basis, float* out) {
    __shared__ float u[kTile][kTile], c[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int k = blockIdx.x * kTile + tx, first = blockIdx.y * kTile;
    float sum[kTile / kRows] = {};
    for (int i0 = 0; i0 < n; i0 += kTile) {
        for (int r = ty; r < kTile; r += kRows) {
            u[r][tx] = first + r < frames && i0 + tx < n ? folded[(size_t)(first + r) * n + i0 + tx] : 0.0f;
            c[r][tx] = i0 + r < n && k < n ? basis[(size_t)(i0 + r) * n + k] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < kTile; ++i)
            for (int f = 0; f < kTile / kRows; ++f) sum[f] += u[ty + f * kRows][i] * c[i][tx];
        __syncthreads();
    }
    for (int f = 0; f < kTile / kRows; ++f) {
        int frame = first + ty + f * kRows;
        if (frame < frames && k < n) out[(size_t)frame * n + k] = sum[f];
    }
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* basis = nullptr;
    cudaMalloc(&basis, ((size_t)frames + n) * n * sizeof(float));
    float* folded = basis + (size_t)n * n;
    fill_basis<<<dim3((n - 1) / kThreads + 1, n), kThreads>>>(n, basis);
    dim3 grid((n - 1) / kThreads + 1, frames);
    fold<<<grid, kThreads>>>(n, window, signal, folded);
    dim3 tiles((n - 1) / kTile + 1, (frames - 1) / kTile + 1);
    transform<<<tiles, dim3(kTile, kRows)>>>(frames, n, folded, basis, out);
    cudaFree(basis);
}
