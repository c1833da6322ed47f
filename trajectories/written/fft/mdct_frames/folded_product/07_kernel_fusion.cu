// MDCT: frames are windowed and folded while they are loaded, then multiplied by the cosines, tile by tile.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// basis[i][k] = cos(pi / (4 n) (2 i + 1)(2 k + 1)), the product reduced first.
__global__ void fill_basis(int n, float* basis) {
    int k = blockIdx.x * kThreads + threadIdx.x, i = blockIdx.y;
    if (k >= n) return;
    int m = (int)((long long)(2 * i + 1) * (2 * k + 1) % (8 * n));
    basis[(size_t)i * n + k] = (float)cos(3.14159265358979323846 * m / (4.0 * n));
}

// Value i of the windowed frame at x, folded to n values.
__device__ float folded_value(int n, int i, const float* window, const float* x) {
    int h = n / 2, mirror = 3 * h - 1 - i;
    float other = window[mirror] * x[mirror];
    int own = i < h ? 3 * h + i : i - h;
    float here = window[own] * x[own];
    return i < h ? -other - here : here - other;
}

constexpr int kTile = 64;   // frames and coefficients of a block
constexpr int kDepth = 16;  // samples of a tile
constexpr int kSide = 16;   // threads along each side of a block
constexpr int kEach = kTile / kSide;

__global__ void transform(int frames, int n, const float* window, const float* signal, const float* basis,
                          float* out) {
    __shared__ float u[kDepth][kTile + 1], c[kDepth][kTile];  // u is transposed: a column of it is a frame
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * kSide + tx;
    int k0 = blockIdx.x * kTile, frame0 = blockIdx.y * kTile;
    float sum[kEach][kEach] = {};
    for (int i0 = 0; i0 < n; i0 += kDepth) {
        for (int e = t; e < kDepth * kTile; e += kSide * kSide) {
            int i = e % kDepth, f = e / kDepth;
            bool exists = frame0 + f < frames && i0 + i < n;
            u[i][f] = exists ? folded_value(n, i0 + i, window, signal + (size_t)(frame0 + f) * n) : 0.0f;
            int k = e % kTile, row = e / kTile;
            c[row][k] = i0 + row < n && k0 + k < n ? basis[(size_t)(i0 + row) * n + k0 + k] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kDepth; ++i) {
            float of_frame[kEach], of_k[kEach];
#pragma unroll
            for (int e = 0; e < kEach; ++e) {
                of_frame[e] = u[i][ty + e * kSide];
                of_k[e] = c[i][tx + e * kSide];
            }
#pragma unroll
            for (int f = 0; f < kEach; ++f)
#pragma unroll
                for (int e = 0; e < kEach; ++e) sum[f][e] += of_frame[f] * of_k[e];
        }
        __syncthreads();
    }
    for (int f = 0; f < kEach; ++f) {
        int frame = frame0 + ty + f * kSide;
        for (int e = 0; e < kEach; ++e) {
            int k = k0 + tx + e * kSide;
            if (frame < frames && k < n) out[(size_t)frame * n + k] = sum[f][e];
        }
    }
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* basis = nullptr;
    cudaMalloc(&basis, (size_t)n * n * sizeof(float));
    fill_basis<<<dim3((n - 1) / kThreads + 1, n), kThreads>>>(n, basis);
    dim3 tiles((n - 1) / kTile + 1, (frames - 1) / kTile + 1);
    transform<<<tiles, dim3(kSide, kSide)>>>(frames, n, window, signal, basis, out);
    cudaFree(basis);
}
