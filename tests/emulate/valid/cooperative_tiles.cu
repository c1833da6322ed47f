// arrays: x in int32 N; out out int32 1
// N: 16384
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <unsigned LANES>
__device__ int tileTotal(const cg::thread_block_tile<LANES>& tile, int x) {
    for (unsigned step = 1; step < LANES; step <<= 1) x += tile.shfl_down(x, step);
    return x;
}
template <unsigned LANES>
__global__ void total(const int* in, int* out, int n) {
    cg::thread_block_tile<LANES> tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    const int4* quads = (const int4*)in;
    int mine = 0;
    for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < n / 4; q += gridDim.x * blockDim.x) {
        const int4 four = quads[q];
        mine += four.x + four.y + four.z + four.w;
    }
    mine = tileTotal<LANES>(tile, mine);
    if (tile.thread_rank() == 0) atomicAdd(out, mine);
}
extern "C" void run(int n, const int* x, int* out) {
    cudaMemset(out, 0, sizeof(int));
    total<16><<<8, 128>>>(x, out, n);
}
