// arrays: x in float32 N; out out float32 N
// N: 256
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void mirror(const float* x, float* out) {
    __shared__ float tile[256];
    const auto block = cg::this_thread_block();
    tile[threadIdx.x] = 0;
    block.sync();
    cg::memcpy_async(block, tile, x, sizeof tile);  // other access
    block.sync();  // twin: cg::wait(block);
    out[threadIdx.x] = tile[255 - threadIdx.x];  // finding: race_async_copy
}
extern "C" void run(int n, const float* x, float* out) { mirror<<<1, n>>>(x, out); }
