// Gram matrix, upper tiles only; the next slice of A is fetched while the current one is multiplied.
#include <cuda_runtime.h>

constexpr int kTile = 64;    // edge of a tile of C
constexpr int kDepth = 16;   // rows of A staged at a time
constexpr int kPatch = 4;    // edge of a thread's patch
constexpr int kEdge = kTile / kPatch;
constexpr int kThreads = kEdge * kEdge;
constexpr int kPerThread = kDepth * kTile / kThreads;  // elements of a strip that one thread copies

// A thread's share of rows k0 .. k0+kDepth-1, columns c0 .. c0+kTile-1 of A; what lies outside counts as zero.
__device__ void fetch(float (&held)[kPerThread], const float* A, int m, int n, int k0, int c0) {
#pragma unroll
    for (int s = 0; s < kPerThread; ++s) {
        int e = threadIdx.x + s * kThreads;
        int k = k0 + e / kTile, c = c0 + e % kTile;
        held[s] = k < m && c < n ? A[(size_t)k * n + c] : 0.0f;
    }
}

__device__ void store(float4 (&strip)[kDepth][kEdge], const float (&held)[kPerThread]) {
    float* flat = reinterpret_cast<float*>(strip);
#pragma unroll
    for (int s = 0; s < kPerThread; ++s) flat[threadIdx.x + s * kThreads] = held[s];
}

__global__ void gram_kernel(int m, int n, const float* A, float* C) {
    __shared__ float4 strip_i[2][kDepth][kEdge];
    __shared__ float4 strip_j[2][kDepth][kEdge];
    if (blockIdx.x < blockIdx.y) return;  // below the diagonal; uniform for the block
    int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;
    int ti = threadIdx.x / kEdge, tj = threadIdx.x % kEdge;

    float next_i[kPerThread], next_j[kPerThread];
    fetch(next_i, A, m, n, 0, i0);
    fetch(next_j, A, m, n, 0, j0);
    store(strip_i[0], next_i);
    store(strip_j[0], next_j);
    __syncthreads();

    float sum[kPatch][kPatch] = {};
    int now = 0;
    for (int k0 = 0; k0 < m; k0 += kDepth) {
        bool more = k0 + kDepth < m;
        if (more) {  // these loads are under way during the multiply-adds below
            fetch(next_i, A, m, n, k0 + kDepth, i0);
            fetch(next_j, A, m, n, k0 + kDepth, j0);
        }
#pragma unroll
        for (int kk = 0; kk < kDepth; ++kk) {
            float4 a4 = strip_i[now][kk][ti];
            float4 b4 = strip_j[now][kk][tj];
            float a[kPatch] = {a4.x, a4.y, a4.z, a4.w};
            float b[kPatch] = {b4.x, b4.y, b4.z, b4.w};
#pragma unroll
            for (int p = 0; p < kPatch; ++p)
#pragma unroll
                for (int q = 0; q < kPatch; ++q) sum[p][q] += a[p] * b[q];
        }
        if (more) {  // the other buffer was last read before the previous barrier
            store(strip_i[1 - now], next_i);
            store(strip_j[1 - now], next_j);
        }
        __syncthreads();
        now = 1 - now;
    }

#pragma unroll
    for (int p = 0; p < kPatch; ++p) {
#pragma unroll
        for (int q = 0; q < kPatch; ++q) {
            int i = i0 + ti * kPatch + p, j = j0 + tj * kPatch + q;
            if (i < n && j < n) {
                C[(size_t)i * n + j] = sum[p][q];
                if (i0 != j0) C[(size_t)j * n + i] = sum[p][q];
            }
        }
    }
}

extern "C" void gram(int m, int n, const float* A, float* C) {
    int tiles = (n + kTile - 1) / kTile;
    gram_kernel<<<dim3(tiles, tiles), kThreads>>>(m, n, A, C);
}
