// Closed wedges: one vertex a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int words, const uint32_t* link, int32_t* closed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= 32 * words) return;
    const uint32_t* mine = link + (long long)v * words;
    int found = 0;
    for (int w = 0; w < words; ++w) {
        for (uint32_t left = mine[w]; left != 0; left &= left - 1) {
            const uint32_t* other = link + (long long)(32 * w + __ffs((int)left) - 1) * words;
            for (int k = 0; k < words; ++k) found += __popc(mine[k] & other[k]);
        }
    }
    closed[v] = found;
}

extern "C" void closed_wedges(int words, const uint32_t* link, int32_t* closed) {
    count<<<(32 * words - 1) / 64 + 1, 64>>>(words, link, closed);
}
