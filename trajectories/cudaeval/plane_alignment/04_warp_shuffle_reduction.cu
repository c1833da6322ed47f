// Normal equations: sums are joined by shuffles, two barriers in place of 216, and a warp joins the blocks' sums of an entry.
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
};

constexpr int kThreads = 128;
constexpr int kMost = 132 * 8;  // blocks
constexpr int kTerms = 27;

__device__ void add_match(const Vec3& p, const Vec3& q, const Vec3& n, double (&sum)[kTerms]) {
    const float a[6] = {p.y * n.z - p.z * n.y, p.z * n.x - p.x * n.z, p.x * n.y - p.y * n.x, n.x, n.y, n.z};
    const float r = n.x * (q.x - p.x) + n.y * (q.y - p.y) + n.z * (q.z - p.z);
    int at = 0;
#pragma unroll
    for (int j = 0; j < 6; ++j) {
#pragma unroll
        for (int k = j; k < 6; ++k) sum[at++] += (double)a[j] * a[k];
    }
#pragma unroll
    for (int j = 0; j < 6; ++j) sum[at++] += (double)a[j] * r;
}

// The sum over the warp's lanes, in all of them.
__device__ double add_warp(double value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// partial[term][block]
__global__ void add_matches(int matches, const Vec3* p, const Vec3* q, const Vec3* n, double* partial) {
    const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
    double sum[kTerms] = {};
    for (int i = thread; i < matches; i += threads) add_match(p[i], q[i], n[i], sum);
    __shared__ double shared[kTerms][kThreads / 32];
#pragma unroll
    for (int t = 0; t < kTerms; ++t) {
        sum[t] = add_warp(sum[t]);
        if (threadIdx.x % 32 == 0) shared[t][threadIdx.x / 32] = sum[t];
    }
    __syncthreads();
    if (threadIdx.x >= kTerms) return;
    double all = 0.0;
    for (int w = 0; w < kThreads / 32; ++w) all += shared[threadIdx.x][w];
    partial[threadIdx.x * gridDim.x + blockIdx.x] = all;
}

__global__ void join(int parts, const double* partial, float* system) {
    double sum = 0.0;
    for (int i = threadIdx.x; i < parts; i += 32) sum += partial[blockIdx.x * parts + i];
    sum = add_warp(sum);
    if (threadIdx.x == 0) system[blockIdx.x] = (float)sum;
}

extern "C" void plane_alignment(int matches, const Vec3* p, const Vec3* q, const Vec3* n, float* system) {
    const int blocks = min(kMost, (matches - 1) / kThreads + 1);
    double* partial = nullptr;
    cudaMalloc(&partial, (size_t)blocks * kTerms * sizeof(double));
    add_matches<<<blocks, kThreads>>>(matches, p, q, n, partial);
    join<<<kTerms, 32>>>(blocks, partial, system);
    cudaFree(partial);
}
