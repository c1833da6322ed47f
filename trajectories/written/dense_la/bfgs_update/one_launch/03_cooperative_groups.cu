// BFGS update in one cooperative launch: each block owns rows, and a grid-wide barrier stands between product and update.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

// Every thread gets the sum.
__device__ float block_sum(float value) {
    __shared__ float warps[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
    __syncthreads();  // nobody still reads the last call's values
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < kThreads / 32; ++w) sum += warps[w];
    return sum;
}

__global__ void bfgs(int n, float rho, const float* s, const float* y, float* H, float* w) {
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        float acc = 0.0f;
        for (int col = threadIdx.x; col < n; col += kThreads) acc += H[(size_t)row * n + col] * y[col];
        acc = block_sum(acc);
        if (threadIdx.x == 0) w[row] = acc;
    }
    cg::this_grid().sync();

    // Each block sums the curvature for itself: n products are cheaper than a second barrier.
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += kThreads) sum += w[i] * y[i];
    float c = rho * (1.0f + rho * block_sum(sum));

    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        float along_s = c * s[row] - rho * w[row], along_w = rho * s[row];
        for (int col = threadIdx.x; col < n; col += kThreads)
            H[(size_t)row * n + col] += along_s * s[col] - along_w * w[col];
    }
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, bfgs, kThreads, 0);
    int blocks = n < processors * resident ? n : processors * resident;
    float* w = nullptr;
    cudaMalloc(&w, n * sizeof(float));
    void* arguments[] = {&n, &rho, &s, &y, &H, &w};
    cudaLaunchCooperativeKernel(bfgs, blocks, kThreads, arguments, 0, nullptr);
    cudaFree(w);
}
