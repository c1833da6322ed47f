// Ridge regression: a block of 32 threads keeps 32 whole systems in shared memory, a thread and a bank for each.
#include <cuda_runtime.h>

constexpr int kMax = 32;
constexpr int kSystems = 32;  // element e of system s lies at e * kSystems + s, which is bank s for every e

__host__ __device__ constexpr int packed(int i, int j) { return i * (i + 1) / 2 + j; }

__global__ void solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    extern __shared__ float A[];
    int lane = threadIdx.x, first = blockIdx.x * kSystems;
    int systems = min(kSystems, batch - first);
    for (int s = 0; s < systems; ++s) {  // the warp reads one system after another, in rows
        const float* G = gram + (size_t)(first + s) * k * k;
        for (int i = 0; i < k; ++i)
            if (lane <= i) A[packed(i, lane) * kSystems + s] = G[i * k + lane];
    }
    __syncwarp();
    if (lane >= systems) return;

    int b = first + lane;
    auto at = [=](int i, int j) -> float& { return A[packed(i, j) * kSystems + lane]; };
    float shift = ridge[b];
    for (int i = 0; i < k; ++i) {
        for (int j = 0; j <= i; ++j) {
            float s = at(i, j);
            if (i == j) s += shift;
            for (int p = 0; p < j; ++p) s -= at(i, p) * at(j, p);
            at(i, j) = i == j ? sqrtf(s) : s / at(j, j);
        }
    }
    float y[kMax];
    for (int i = 0; i < k; ++i) {
        float s = rhs[(size_t)b * k + i];
        for (int p = 0; p < i; ++p) s -= at(i, p) * y[p];
        y[i] = s / at(i, i);
    }
    for (int i = k - 1; i >= 0; --i) {
        float s = y[i];
        for (int p = i + 1; p < k; ++p) s -= at(p, i) * y[p];
        y[i] = s / at(i, i);
        x[(size_t)b * k + i] = y[i];
    }
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch <= 0) return;
    size_t bytes = (size_t)packed(k - 1, k - 1) * kSystems * sizeof(float) + kSystems * sizeof(float);
    cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    solve<<<(batch + kSystems - 1) / kSystems, kSystems, bytes>>>(batch, k, gram, ridge, rhs, x);
}
