// Binary layer: 32 units' words and 8 inputs' words are brought in together, 32 words of each at a time.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void layer(int batch, int units, int words, const uint32_t* __restrict__ x, const uint32_t* __restrict__ w, const int32_t* __restrict__ threshold,
                      const uint8_t* __restrict__ flip, uint32_t* __restrict__ fired, int* units_fired) {
    __shared__ uint32_t unit[32][33], input[8][32];
    const int u = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    int differ = 0;
    for (int from = 0; from < words; from += 32) {
        const int k = from + threadIdx.x;
        for (int r = threadIdx.y; r < 32; r += 8)
            unit[r][threadIdx.x] = k < words && blockIdx.x * 32 + r < units ? w[(size_t)(blockIdx.x * 32 + r) * words + k] : 0;
        input[threadIdx.y][threadIdx.x] = k < words && b < batch ? x[(size_t)b * words + k] : 0;
        __syncthreads();
        const int count = min(32, words - from);
        for (int j = 0; j < count; ++j) differ += __popc(input[threadIdx.y][j] ^ unit[threadIdx.x][j]);
        __syncthreads();
    }
    bool fires = false;
    if (u < units) {
        const int dot = 32 * words - 2 * differ;
        fires = (flip[u] ? -dot : dot) >= threshold[u];
    }
    const uint32_t word = __ballot_sync(0xffffffffu, fires);
    if (threadIdx.x || b >= batch) return;
    fired[(size_t)b * gridDim.x + blockIdx.x] = word;
    atomicAdd(&units_fired[b], __popc(word));
}

extern "C" void binary_dense(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip,
                             uint32_t* fired, int32_t* units_fired) {
    cudaMemsetAsync(units_fired, 0, 4ull * batch);
    layer<<<dim3((units + 31) / 32, (batch + 7) / 8), dim3(32, 8)>>>(batch, units, words, x, w, threshold, flip, fired, units_fired);
}
