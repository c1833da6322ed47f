// Product with masked rows: masks are loaded 32 at a time, a lane each, and shown round.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 8;

__device__ float sum_of_warp(float mine) {
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(kAll, mine, apart);
    return mine;
}

__global__ void multiply(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    const int r = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const float* value = kept + 32LL * r * words;
    float sum = 0.0f;
    for (int first = 0; first < words; first += 32) {
        const uint32_t mine = first + lane < words ? mask[(long long)r * words + first + lane] : 0;
        for (int w = first; w < min(words, first + 32); ++w) {
            const uint32_t bits = __shfl_sync(kAll, mine, w - first);
            if (bits >> lane & 1) sum += value[__popc(bits & ((1u << lane) - 1))] * x[32 * w + lane];
            value += __popc(bits);
        }
    }
    sum = sum_of_warp(sum);
    if (lane == 0) y[r] = sum;
}

extern "C" void masked_rows(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    multiply<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, words, mask, kept, x, y);
}
