// BFGS update: a thread for each row of H y, one thread for the curvature, a thread for each element of the update.
#include <cuda_runtime.h>

__global__ void multiply(int n, const float* H, const float* y, float* w) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float acc = 0.0f;
    for (int col = 0; col < n; ++col) acc += H[(size_t)row * n + col] * y[col];
    w[row] = acc;
}

// The factor of s s^T, left at the end of the scratch array.
__global__ void curvature(int n, float rho, const float* y, const float* w, float* factor) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += w[i] * y[i];
    *factor = rho * (1.0f + rho * sum);
}

__global__ void update(int n, float rho, const float* s, const float* w, const float* factor, float* H) {
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= (size_t)n * n) return;
    int row = e / n, col = e % n;
    H[e] += *factor * s[row] * s[col] - rho * (s[row] * w[col] + w[row] * s[col]);
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    float* w = nullptr;  // w, then the factor
    cudaMalloc(&w, (n + 1) * sizeof(float));
    multiply<<<(n + 255) / 256, 256>>>(n, H, y, w);
    curvature<<<1, 1>>>(n, rho, y, w, w + n);
    update<<<((size_t)n * n + 255) / 256, 256>>>(n, rho, s, w, w + n, H);
    cudaFree(w);
}
