// Ridge regression: 32 whole systems in shared memory, a thread and a bank for each; two rows of the factor advance together.
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
    for (int j = 0; j < k; j += 2) {  // columns j and j + 1
        bool pair = j + 1 < k;
        for (int i = j; i < k; i += 2) {  // against rows i and i + 1
            bool low = i + 1 < k;
            float s00 = at(i, j), s10 = low ? at(i + 1, j) : 0.0f;
            float s01 = pair && i > j ? at(i, j + 1) : 0.0f, s11 = pair && low ? at(i + 1, j + 1) : 0.0f;
            for (int p = 0; p < j; ++p) {  // four products from four loads
                float a0 = at(i, p), a1 = low ? at(i + 1, p) : 0.0f;
                float b0 = at(j, p), b1 = pair ? at(j + 1, p) : 0.0f;
                s00 -= a0 * b0, s10 -= a1 * b0, s01 -= a0 * b1, s11 -= a1 * b1;
            }
            if (i == j) {
                float d = sqrtf(s00 + shift);
                at(j, j) = d;
                if (pair) {
                    float below = s10 / d;
                    at(j + 1, j) = below;
                    at(j + 1, j + 1) = sqrtf(s11 + shift - below * below);
                }
            } else {
                float inverse = 1.0f / at(j, j);
                at(i, j) = s00 = s00 * inverse;
                if (low) at(i + 1, j) = s10 = s10 * inverse;
                if (pair) {
                    float across = at(j + 1, j), last = 1.0f / at(j + 1, j + 1);
                    at(i, j + 1) = (s01 - s00 * across) * last;
                    if (low) at(i + 1, j + 1) = (s11 - s10 * across) * last;
                }
            }
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
