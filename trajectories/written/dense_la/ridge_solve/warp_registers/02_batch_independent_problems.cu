// Ridge regression: one warp for each system, the matrix in shared memory, columns eliminated one after another.
#include <cuda_runtime.h>

constexpr int kMax = 32;
constexpr int kPitch = 32;

// Lane i owns row i of the matrix and element i of the right-hand side.
__global__ void solve(int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    __shared__ float A[kMax * kPitch];
    int b = blockIdx.x, lane = threadIdx.x;
    const float* G = gram + (size_t)b * k * k;
    for (int e = lane; e < k * k; e += 32) A[e / k * kPitch + e % k] = G[e];
    __syncwarp();
    if (lane < k) A[lane * kPitch + lane] += ridge[b];
    __syncwarp();

    for (int j = 0; j < k; ++j) {
        float pivot = sqrtf(A[j * kPitch + j]);
        __syncwarp();
        if (lane == j) A[j * kPitch + j] = pivot;
        if (lane > j && lane < k) A[lane * kPitch + j] /= pivot;
        __syncwarp();
        if (lane < k)
            for (int c = j + 1; c <= lane; ++c) A[lane * kPitch + c] -= A[lane * kPitch + j] * A[c * kPitch + j];
        __syncwarp();
    }

    float v = lane < k ? rhs[(size_t)b * k + lane] : 0.0f;
    for (int j = 0; j < k; ++j) {
        if (lane == j) v /= A[j * kPitch + j];
        float solved = __shfl_sync(0xffffffffu, v, j);
        if (lane > j && lane < k) v -= A[lane * kPitch + j] * solved;
    }
    for (int j = k - 1; j >= 0; --j) {
        if (lane == j) v /= A[j * kPitch + j];
        float solved = __shfl_sync(0xffffffffu, v, j);
        if (lane < j) v -= A[j * kPitch + lane] * solved;
    }
    if (lane < k) x[(size_t)b * k + lane] = v;
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch > 0) solve<<<batch, 32>>>(k, gram, ridge, rhs, x);
}
