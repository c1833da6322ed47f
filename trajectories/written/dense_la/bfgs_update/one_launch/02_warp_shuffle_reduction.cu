// BFGS update: one block for each row of H y and for the curvature, a two-dimensional grid for the update.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ float block_sum(float value) {
    __shared__ float warps[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < kThreads / 32; ++w) value += warps[w];
    __syncthreads();
    return value;  // right in thread 0
}

__global__ void multiply(int n, const float* H, const float* y, float* w) {
    int row = blockIdx.x;
    float acc = 0.0f;
    for (int col = threadIdx.x; col < n; col += kThreads) acc += H[(size_t)row * n + col] * y[col];
    acc = block_sum(acc);
    if (threadIdx.x == 0) w[row] = acc;
}

__global__ void curvature(int n, float rho, const float* y, const float* w, float* factor) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += kThreads) sum += w[i] * y[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *factor = rho * (1.0f + rho * sum);
}

__global__ void update(int n, float rho, const float* s, const float* w, const float* factor, float* H) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= n || row >= n) return;
    H[(size_t)row * n + col] += *factor * s[row] * s[col] - rho * (s[row] * w[col] + w[row] * s[col]);
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    float* w = nullptr;  // w, then the factor
    cudaMalloc(&w, (n + 1) * sizeof(float));
    multiply<<<n, kThreads>>>(n, H, y, w);
    curvature<<<1, kThreads>>>(n, rho, y, w, w + n);
    update<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(n, rho, s, w, w + n, H);
    cudaFree(w);
}
