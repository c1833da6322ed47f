// arrays: x in int32 N; out out int32 4*N
// N: 128
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void partition(const int* x, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    cg::coalesced_group same = cg::labeled_partition(tile, v % 4);
    cg::coalesced_group side = cg::binary_partition(tile, v > 50);
    out[4 * i] = same.size();
    out[4 * i + 1] = cg::reduce(same, v, cg::plus<int>());
    out[4 * i + 2] = side.thread_rank();
    out[4 * i + 3] = cg::reduce(side, v, cg::less<int>());
}
extern "C" void run(int n, const int* x, int* out) { partition<<<n / 64, 64>>>(x, out); }
