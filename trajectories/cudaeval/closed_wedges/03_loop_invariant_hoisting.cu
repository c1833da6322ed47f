// Closed wedges: a lane keeps its word of the vertex's row in a register while all neighbours pass.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;

__global__ void count(int words, const uint32_t* __restrict__ link, int32_t* __restrict__ closed) {
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t* mine = link + (long long)v * words;
    int found = 0;
    for (int first = 0; first < words; first += 32) {
        const int k = first + lane;
        if (k >= words) continue;
        const uint32_t own = mine[k];
        for (int w = 0; w < words; ++w)
            for (uint32_t left = mine[w]; left != 0; left &= left - 1)
                found += __popc(own & link[(long long)(32 * w + __ffs((int)left) - 1) * words + k]);
    }
    found = __reduce_add_sync(0xffffffffu, found);
    if (lane == 0) closed[v] = found;
}

extern "C" void closed_wedges(int words, const uint32_t* link, int32_t* closed) {
    count<<<32 * words / kWarps, 32 * kWarps>>>(words, link, closed);  // 32 vertices a word
}
