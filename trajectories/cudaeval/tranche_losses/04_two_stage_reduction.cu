// Tranche losses: a block adds its scenarios up in shared memory before the atomics of the whole.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__device__ int bytes_of(uint32_t s, uint32_t l) {
    uint32_t x = s * 2654435761u + l * 40503u;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x ^= x >> 16;
    return (int)__dp4a(x, 0x01010101u, 0u);
}

__global__ void losses(int scenarios, int loans, int tranches, float rho, const float* market, const float* threshold, const int32_t* loss,
                       const int64_t* low, const int64_t* size, u64* expected, int32_t* wiped) {
    __shared__ int bar[128], costs[128], score_of[1021];
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int systematic = (int)lroundf(1024 * __fsqrt_rn(rho)), own = (int)lroundf(1024 * __fsqrt_rn(1 - rho));
    for (int k = threadIdx.x; k < 1021; k += blockDim.x) score_of[k] = own * (int)(256 * __fdiv_rn((float)(k - 510), 147.8f));
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
            const int score = factor + score_of[bytes_of((uint32_t)s, (uint32_t)(from + k))];
            if (score < bar[k]) pool += costs[k];
        }
    }
    __shared__ u64 part[4];
    for (int t = 0; t < tranches; ++t) {
        const long long taken = s < scenarios ? min(max(pool - (long long)low[t], 0ll), (long long)size[t]) : 0;
        long long sum = taken;
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = (u64)sum;
        const int all = __syncthreads_count(s < scenarios && taken == size[t]);
        if (threadIdx.x == 0) {
            atomicAdd(&expected[t], part[0] + part[1] + part[2] + part[3]);
            if (all) atomicAdd(&wiped[t], all);
        }
        __syncthreads();
    }
}

extern "C" void tranche_losses(int scenarios, int loans, int tranches, float rho, const float* market, const float* threshold,
                               const int32_t* loss, const int64_t* low, const int64_t* size, int64_t* expected, int32_t* wiped) {
    cudaMemsetAsync(expected, 0, sizeof(int64_t) * tranches);
    cudaMemsetAsync(wiped, 0, sizeof(int32_t) * tranches);
    losses<<<(scenarios + 127) / 128, 128>>>(scenarios, loans, tranches, rho, market, threshold, loss, low, size,
                                            reinterpret_cast<u64*>(expected), wiped);
}
