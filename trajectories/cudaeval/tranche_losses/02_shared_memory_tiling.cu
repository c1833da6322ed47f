// Tranche losses: loans come in tiles through shared memory, with their thresholds rounded once a block.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__device__ float idiosyncratic(uint32_t s, uint32_t l) {
    uint32_t x = s * 2654435761u + l * 40503u;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x ^= x >> 16;
    const int bytes = (int)(x & 255) + (int)(x >> 8 & 255) + (int)(x >> 16 & 255) + (int)(x >> 24);
    return __fdiv_rn((float)(bytes - 510), 147.8f);
}

__global__ void losses(int scenarios, int loans, int tranches, float rho, const float* market, const float* threshold, const int32_t* loss,
                       const int64_t* low, const int64_t* size, u64* expected, int32_t* wiped) {
    __shared__ int bar[128], costs[128];
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int systematic = (int)lroundf(1024 * __fsqrt_rn(rho)), own = (int)lroundf(1024 * __fsqrt_rn(1 - rho));
    const int factor = s < scenarios ? systematic * (int)lroundf(256 * market[s]) : 0;
    long long pool = 0;
    for (int from = 0; from < loans; from += 128) {
        __syncthreads();
        if (from + (int)threadIdx.x < loans) {
            bar[threadIdx.x] = 1024 * (int)lroundf(256 * threshold[from + threadIdx.x]);
            costs[threadIdx.x] = loss[from + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < min(128, loans - from); ++k) {
            const int score = factor + own * (int)(256 * idiosyncratic((uint32_t)s, (uint32_t)(from + k)));
            if (score < bar[k]) pool += costs[k];
        }
    }
    if (s >= scenarios) return;
    for (int t = 0; t < tranches; ++t) {
        const long long taken = min(max(pool - (long long)low[t], 0ll), (long long)size[t]);
        if (taken) atomicAdd(&expected[t], (u64)taken);
        if (taken == size[t]) atomicAdd(&wiped[t], 1);
    }
}

extern "C" void tranche_losses(int scenarios, int loans, int tranches, float rho, const float* market, const float* threshold,
                               const int32_t* loss, const int64_t* low, const int64_t* size, int64_t* expected, int32_t* wiped) {
    cudaMemsetAsync(expected, 0, sizeof(int64_t) * tranches);
    cudaMemsetAsync(wiped, 0, sizeof(int32_t) * tranches);
    losses<<<(scenarios + 127) / 128, 128>>>(scenarios, loans, tranches, rho, market, threshold, loss, low, size,
                                            reinterpret_cast<u64*>(expected), wiped);
}
