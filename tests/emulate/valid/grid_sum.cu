// arrays: x in float32 N; out out float32 1
// N: 3000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// A cooperative launch through an untyped pointer; the grid adds up in three steps.
__global__ void sum(const float* x, float* partial, float* out, int n) {
    __shared__ float block_sum[8];
    cg::grid_group grid = cg::this_grid();
    float v = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) v += x[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) block_sum[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) v += block_sum[w];
        partial[blockIdx.x] = v;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; b++) total += partial[b];
        *out = total;
    }
}
extern "C" void run(int n, const float* x, float* out) {
    float* partial;
    int blocks = 6;
    cudaMalloc(&partial, blocks * sizeof(float));
    void* arguments[] = {&x, &partial, &out, &n};
    cudaLaunchCooperativeKernel((void*)sum, dim3(blocks), dim3(128), arguments, 0, 0);
    cudaFree(partial);
}
