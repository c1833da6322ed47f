// Product with masked rows: the vector lies in shared memory, 2048 elements at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 8;

__device__ float sum_of_warp(float mine) {
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(kAll, mine, apart);
    return mine;
}

constexpr int kPart = 64;  // words

__global__ void multiply(int rows, int words, const uint32_t* __restrict__ mask, const float* __restrict__ kept,
                         const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float near[32 * kPart];
    const int r = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* value = kept + 32LL * r * words;
    float sum = 0.0f;
    for (int part = 0; part < words; part += kPart) {
        const int stop = min(words, part + kPart);
        __syncthreads();
        for (int k = 32 * part + threadIdx.x; k < 32 * stop; k += 32 * kWarps) near[k - 32 * part] = x[k];
        __syncthreads();
        for (int first = part; first < stop && r < rows; first += 32) {
            const uint32_t mine = first + lane < stop ? mask[(long long)r * words + first + lane] : 0;
            for (int w = first; w < min(stop, first + 32); ++w) {
                const uint32_t bits = __shfl_sync(kAll, mine, w - first);
                if (bits >> lane & 1) sum += value[__popc(bits & ((1u << lane) - 1))] * near[32 * (w - part) + lane];
                value += __popc(bits);
            }
        }
    }
    sum = sum_of_warp(sum);
    if (lane == 0 && r < rows) y[r] = sum;
}

extern "C" void masked_rows(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    multiply<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, words, mask, kept, x, y);
}
