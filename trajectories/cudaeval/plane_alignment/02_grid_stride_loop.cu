// Normal equations: neighbouring threads take neighbouring matches, in strides of the whole grid.
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
};

constexpr int kThreads = 128;
constexpr int kMost = 16384;  // threads
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

// partial[term][thread]
__global__ void add_matches(int matches, const Vec3* p, const Vec3* q, const Vec3* n, double* partial) {
    const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
    double sum[kTerms] = {};
    for (int i = thread; i < matches; i += threads) add_match(p[i], q[i], n[i], sum);
    for (int t = 0; t < kTerms; ++t) partial[t * threads + thread] = sum[t];
}

__global__ void join(int parts, const double* partial, float* system) {
    double sum = 0.0;
    for (int i = 0; i < parts; ++i) sum += partial[threadIdx.x * parts + i];
    system[threadIdx.x] = (float)sum;
}

extern "C" void plane_alignment(int matches, const Vec3* p, const Vec3* q, const Vec3* n, float* system) {
    const int blocks = min(kMost / kThreads, (matches - 1) / kThreads + 1);
    double* partial = nullptr;
    cudaMalloc(&partial, (size_t)blocks * kThreads * kTerms * sizeof(double));
    add_matches<<<blocks, kThreads>>>(matches, p, q, n, partial);
    join<<<1, kTerms>>>(blocks * kThreads, partial, system);
    cudaFree(partial);
}
