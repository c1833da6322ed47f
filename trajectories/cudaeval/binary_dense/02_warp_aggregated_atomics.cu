// Binary layer: a vote of the warp is the packed word.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void layer(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip, uint32_t* fired,
                      int* units_fired) {
    const int u = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    if (b >= batch) return;
    bool fires = false;
    if (u < units) {
        int agree = 0;
        for (int k = 0; k < words; ++k) agree += __popc(~(x[(size_t)b * words + k] ^ w[(size_t)u * words + k]));
        const int dot = 2 * agree - 32 * words;
        fires = (flip[u] ? -dot : dot) >= threshold[u];
    }
    const uint32_t word = __ballot_sync(0xffffffffu, fires);
    if (threadIdx.x) return;
    fired[(size_t)b * gridDim.x + blockIdx.x] = word;
    atomicAdd(&units_fired[b], __popc(word));
}

extern "C" void binary_dense(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip,
                             uint32_t* fired, int32_t* units_fired) {
    cudaMemsetAsync(units_fired, 0, 4ull * batch);
    layer<<<dim3((units + 31) / 32, (batch + 7) / 8), dim3(32, 8)>>>(batch, units, words, x, w, threshold, flip, fired, units_fired);
}
