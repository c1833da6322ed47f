// Gram matrix, upper tiles only, 4 x 4 patches; operands leave shared memory in 128-bit loads.
#include <cuda_runtime.h>

constexpr int kTile = 64;    // edge of a tile of C
constexpr int kDepth = 16;   // rows of A staged at a time
constexpr int kPatch = 4;    // edge of a thread's patch
constexpr int kEdge = kTile / kPatch;
constexpr int kThreads = kEdge * kEdge;

// Copies rows k0 .. k0+kDepth-1, columns c0 .. c0+kTile-1 of A; what lies outside counts as zero.
__device__ void load_strip(float4 (&strip)[kDepth][kEdge], const float* A, int m, int n, int k0, int c0) {
    float* flat = reinterpret_cast<float*>(strip);
    for (int e = threadIdx.x; e < kDepth * kTile; e += kThreads) {
        int k = k0 + e / kTile, c = c0 + e % kTile;
        flat[e] = k < m && c < n ? A[(size_t)k * n + c] : 0.0f;
    }
}

__global__ void gram_kernel(int m, int n, const float* A, float* C) {
    __shared__ float4 strip_i[kDepth][kEdge];  // a row is kTile floats, so each group of four is aligned
    __shared__ float4 strip_j[kDepth][kEdge];
    if (blockIdx.x < blockIdx.y) return;  // below the diagonal; uniform for the block
    int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;
    int ti = threadIdx.x / kEdge * kPatch, tj = threadIdx.x % kEdge * kPatch;

    float sum[kPatch][kPatch] = {};
    for (int k0 = 0; k0 < m; k0 += kDepth) {
        load_strip(strip_i, A, m, n, k0, i0);
        load_strip(strip_j, A, m, n, k0, j0);
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < kDepth; ++kk) {
            float4 a4 = strip_i[kk][ti / kPatch];
            float4 b4 = strip_j[kk][tj / kPatch];
            float a[kPatch] = {a4.x, a4.y, a4.z, a4.w};
            float b[kPatch] = {b4.x, b4.y, b4.z, b4.w};
#pragma unroll
            for (int p = 0; p < kPatch; ++p)
#pragma unroll
                for (int q = 0; q < kPatch; ++q) sum[p][q] += a[p] * b[q];
        }
        __syncthreads();  // the strips are overwritten in the next round
    }

#pragma unroll
    for (int p = 0; p < kPatch; ++p) {
#pragma unroll
        for (int q = 0; q < kPatch; ++q) {
            int i = i0 + ti + p, j = j0 + tj + q;
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
