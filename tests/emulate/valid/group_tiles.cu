// arrays: x in int32 N; out out int32 6*N
// N: 256
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Static tiles of several widths, a tile of a tile, every shuffle.
__global__ void tiles(const int* x, int* out) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(block);
    int i = blockIdx.x * block.num_threads() + block.thread_rank(), v = x[i];
    int* mine = out + 6 * i;
    mine[0] = eight.shfl_down(v, 2) + eight.shfl_up(v, 1);
    mine[1] = four.shfl_xor(v, 3) + four.shfl(v, 1);
    mine[2] = eight.meta_group_rank() + 10 * eight.meta_group_size() + 100 * four.meta_group_rank();
    mine[3] = eight.ballot(v > 50) + 1000 * four.any(v > 90) + 2000 * four.all(v > 10);
    mine[4] = __popc(eight.match_any(v % 3)) + 100 * warp.thread_rank();
    double wide = warp.shfl((double)v, 31 - warp.thread_rank());
    warp.sync();
    mine[5] = (int)wide;
}
extern "C" void run(int n, const int* x, int* out) { tiles<<<n / 64, 64>>>(x, out); }
