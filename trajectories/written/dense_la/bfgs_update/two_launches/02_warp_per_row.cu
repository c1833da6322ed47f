// BFGS update: a warp for each row of H y, one thread for the curvature, a thread for each element of the update.
#include <cuda_runtime.h>

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void multiply(int n, const float* H, const float* y, float* w) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;  // the same for all lanes of a warp
    float acc = 0.0f;
    for (int col = lane; col < n; col += 32) acc += H[(size_t)row * n + col] * y[col];
    acc = warp_sum(acc);
    if (lane == 0) w[row] = acc;
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
    multiply<<<(n + 7) / 8, 256>>>(n, H, y, w);
    curvature<<<1, 1>>>(n, rho, y, w, w + n);
    update<<<((size_t)n * n + 255) / 256, 256>>>(n, rho, s, w, w + n, H);
    cudaFree(w);
}
