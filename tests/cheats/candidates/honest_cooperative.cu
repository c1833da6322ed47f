// task: total
// row: control
// expect: PASSED
// level: screen
// Honest: cooperative groups, a tile's shuffle and one atomic a tile.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void total_kernel(int n, const float* x, float* result) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
    if (tile.thread_rank() == 0) atomicAdd(result, sum);
}

extern "C" void total(int n, const float* x, float* result) {
    cudaMemset(result, 0, sizeof(float));
    total_kernel<<<32, 256>>>(n, x, result);
}
