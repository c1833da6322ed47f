// Ridge regression: one thread factorises and solves one system in its own local memory.
#include <cuda_runtime.h>

constexpr int kMax = 32;

__global__ void solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    const float* G = gram + (size_t)b * k * k;
    const float* r = rhs + (size_t)b * k;
    float* out = x + (size_t)b * k;
    float L[kMax * (kMax + 1) / 2];  // rows of the lower triangle, packed
    float y[kMax];
    for (int i = 0; i < k; ++i) {
        float* row = L + i * (i + 1) / 2;
        for (int j = 0; j <= i; ++j) {
            const float* other = L + j * (j + 1) / 2;
            float s = G[i * k + j];
            if (i == j) s += ridge[b];
            for (int p = 0; p < j; ++p) s -= row[p] * other[p];
            row[j] = i == j ? sqrtf(s) : s / other[j];
        }
    }
    for (int i = 0; i < k; ++i) {
        const float* row = L + i * (i + 1) / 2;
        float s = r[i];
        for (int p = 0; p < i; ++p) s -= row[p] * y[p];
        y[i] = s / row[i];
    }
    for (int i = k - 1; i >= 0; --i) {
        float s = y[i];
        for (int p = i + 1; p < k; ++p) s -= L[p * (p + 1) / 2 + i] * y[p];
        y[i] = s / L[i * (i + 1) / 2 + i];
        out[i] = y[i];
    }
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch > 0) solve<<<(batch + 127) / 128, 128>>>(batch, k, gram, ridge, rhs, x);
}
