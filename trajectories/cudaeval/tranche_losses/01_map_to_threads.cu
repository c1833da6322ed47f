// Tranche losses: one scenario a thread, two atomics a tranche.
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
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= scenarios) return;
    const int systematic = (int)lroundf(1024 * __fsqrt_rn(rho)), own = (int)lroundf(1024 * __fsqrt_rn(1 - rho));
    const int factor = systematic * (int)lroundf(256 * market[s]);
    long long pool = 0;
    for (int l = 0; l < loans; ++l) {
        const int score = factor + own * (int)(256 * idiosyncratic((uint32_t)s, (uint32_t)l));
        if (score < 1024 * (int)lroundf(256 * threshold[l])) pool += loss[l];
    }
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
