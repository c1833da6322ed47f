// Binary layer: a thread keeps four inputs' counts, so that a unit's word is read once for four.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void layer(int batch, int units, int words, const uint32_t* __restrict__ x, const uint32_t* __restrict__ w, const int32_t* __restrict__ threshold,
                      const uint8_t* __restrict__ flip, uint32_t* __restrict__ fired, int* units_fired) {
    __shared__ uint32_t unit[32][33], input[32][32];
    const int u = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32 + threadIdx.y;
    int differ[4] = {};
    for (int from = 0; from < words; from += 32) {
        const int k = from + threadIdx.x;
        for (int r = threadIdx.y; r < 32; r += 8) {
            unit[r][threadIdx.x] = k < words && blockIdx.x * 32 + r < units ? w[(size_t)(blockIdx.x * 32 + r) * words + k] : 0;
            input[r][threadIdx.x] = k < words && blockIdx.y * 32 + r < batch ? x[(size_t)(blockIdx.y * 32 + r) * words + k] : 0;
        }
        __syncthreads();
        const int count = min(32, words - from);
        for (int j = 0; j < count; ++j) {
            const uint32_t own = unit[threadIdx.x][j];
#pragma unroll
            for (int q = 0; q < 4; ++q) differ[q] += __popc(input[threadIdx.y + 8 * q][j] ^ own);
        }
        __syncthreads();
    }
    const bool turned = u < units && flip[u];
    const int need = u < units ? threshold[u] : 0;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        const int b = first + 8 * q, dot = 32 * words - 2 * differ[q];
        const uint32_t word = __ballot_sync(0xffffffffu, u < units && (turned ? -dot : dot) >= need);
        if (threadIdx.x || b >= batch) continue;
        fired[(size_t)b * gridDim.x + blockIdx.x] = word;
        atomicAdd(&units_fired[b], __popc(word));
    }
}

extern "C" void binary_dense(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip,
                             uint32_t* fired, int32_t* units_fired) {
    cudaMemsetAsync(units_fired, 0, 4ull * batch);
    layer<<<dim3((units + 31) / 32, (batch + 31) / 32), dim3(32, 8)>>>(batch, units, words, x, w, threshold, flip, fired, units_fired);
}
