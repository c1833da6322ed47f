// Closed wedges: the rows of 32 vertices at a time lie in shared memory for all warps of a block.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 16, kRows = 32;

__global__ void count(int words, const uint32_t* __restrict__ link, int32_t* __restrict__ closed) {
    __shared__ uint32_t tile[kRows][32];
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t* mine = link + (long long)v * words;
    int found = 0;
    for (int first = 0; first < words; first += 32) {
        const int k = first + lane;
        const uint32_t own = k < words ? mine[k] : 0;
        for (int w = 0; w < words; ++w) {
            __syncthreads();
            for (int row = threadIdx.x / 32; row < kRows; row += kWarps)
                tile[row][lane] = k < words ? link[(long long)(32 * w + row) * words + k] : 0;
            __syncthreads();
            for (uint32_t left = mine[w]; left != 0; left &= left - 1) found += __popc(own & tile[__ffs((int)left) - 1][lane]);
        }
    }
    found = __reduce_add_sync(0xffffffffu, found);
    if (lane == 0) closed[v] = found;
}

extern "C" void closed_wedges(int words, const uint32_t* link, int32_t* closed) {
    count<<<32 * words / kWarps, 32 * kWarps>>>(words, link, closed);  // 32 vertices a word
}
