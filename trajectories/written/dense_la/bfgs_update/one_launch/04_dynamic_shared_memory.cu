// BFGS update in one cooperative launch: some rows of each block wait in shared memory for their update.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 1024;
constexpr size_t kShared = 224 * 1024;  // what a block may use on sm_90, less a little for the sums

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

__global__ void bfgs(int n, float rho, const float* s, const float* y, float* H, float* w, int kept) {
    extern __shared__ float rows[];  // this block's first `kept` rows of H
    int turn = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, ++turn) {
        float acc = 0.0f;
        for (int col = threadIdx.x; col < n; col += kThreads) {
            float h = H[(size_t)row * n + col];
            if (turn < kept) rows[(size_t)turn * n + col] = h;
            acc += h * y[col];
        }
        acc = block_sum(acc);
        if (threadIdx.x == 0) w[row] = acc;
    }
    cg::this_grid().sync();

    // Each block sums the curvature for itself: n products are cheaper than a second barrier.
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += kThreads) sum += w[i] * y[i];
    float c = rho * (1.0f + rho * block_sum(sum));

    // What a thread kept in shared memory it reads back itself.
    turn = 0;
    for (int row = blockIdx.x; row < n; row += gridDim.x, ++turn) {
        float along_s = c * s[row] - rho * w[row], along_w = rho * s[row];
        for (int col = threadIdx.x; col < n; col += kThreads) {
            float h = turn < kept ? rows[(size_t)turn * n + col] : H[(size_t)row * n + col];
            H[(size_t)row * n + col] = h + along_s * s[col] - along_w * w[col];
        }
    }
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    int kept = (int)(kShared / (n * sizeof(float)));  // whole rows that fit
    int turns = (n + processors - 1) / processors;    // rows of a block when one block runs on each multiprocessor
    kept = kept < turns ? kept : turns;
    size_t bytes = (size_t)kept * n * sizeof(float);
    cudaFuncSetAttribute(bfgs, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, bfgs, kThreads, bytes);
    int blocks = n < processors * resident ? n : processors * resident;
    float* w = nullptr;
    cudaMalloc(&w, n * sizeof(float));
    void* arguments[] = {&n, &rho, &s, &y, &H, &w, &kept};
    cudaLaunchCooperativeKernel(bfgs, blocks, kThreads, arguments, bytes, nullptr);
    cudaFree(w);
}
