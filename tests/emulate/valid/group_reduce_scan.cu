// arrays: x in int32 N; out out int32 7*N
// N: 192
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void collect(const int* x, int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    int* mine = out + 7 * i;
    mine[0] = cg::reduce(tile, v, cg::plus<int>());
    mine[1] = cg::reduce(tile, v, cg::greater<int>());
    mine[2] = cg::reduce(tile, v, cg::bit_xor<int>());
    mine[3] = cg::reduce(tile, v, [](int a, int b) { return a > b ? a - b : b - a; }) >= 0;
    mine[4] = cg::inclusive_scan(tile, v);
    mine[5] = cg::exclusive_scan(tile, v);
    mine[6] = cg::inclusive_scan(tile, v, cg::greater<int>());
}
extern "C" void run(int n, const int* x, int* out) { collect<<<n / 96, 96>>>(x, out); }
