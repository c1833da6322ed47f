// Binary layer: one unit of one input a thread, its bit and its count by atomics.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void layer(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip, uint32_t* fired,
                      int* units_fired) {
    const int u = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    if (u >= units || b >= batch) return;
    int agree = 0;
    for (int k = 0; k < words; ++k) agree += __popc(~(x[(size_t)b * words + k] ^ w[(size_t)u * words + k]));
    const int dot = 2 * agree - 32 * words;
    if ((flip[u] ? -dot : dot) < threshold[u]) return;
    atomicOr(&fired[(size_t)b * ((units + 31) / 32) + u / 32], 1u << u % 32);
    atomicAdd(&units_fired[b], 1);
}

extern "C" void binary_dense(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip,
                             uint32_t* fired, int32_t* units_fired) {
    cudaMemsetAsync(fired, 0, 4ull * batch * ((units + 31) / 32));
    cudaMemsetAsync(units_fired, 0, 4ull * batch);
    layer<<<dim3((units + 31) / 32, (batch + 7) / 8), dim3(32, 8)>>>(batch, units, words, x, w, threshold, flip, fired, units_fired);
}
