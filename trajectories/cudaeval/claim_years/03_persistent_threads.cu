// Claim years: blocks stay and take many years, so that counters are cleared and added up seldom.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t drawn(uint32_t base, uint32_t k) {
    uint32_t x = base + k * 2246822519u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

__global__ void simulate(int years, int levels, uint32_t key, int most, int retention, int limit, const int32_t* cost, int64_t* paid,
                         int32_t* hits) {
    extern __shared__ int32_t count[];
    for (int i = threadIdx.x; i < levels; i += blockDim.x) count[i] = 0;
    __syncthreads();
    for (int y = blockIdx.x * blockDim.x + threadIdx.x; y < years; y += gridDim.x * blockDim.x) {
        const uint32_t base = key + (uint32_t)y * 2654435761u;
        const int claims = (int)(drawn(base, 0) % (uint32_t)(most + 1));
        long long total = 0;
        for (int k = 1; k <= claims; ++k) {
            const int level = (int)(drawn(base, (uint32_t)k) % (uint32_t)levels);
            atomicAdd(&count[level], 1);
            total += min(max(cost[level] - retention, 0), limit);
        }
        paid[y] = total;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < levels; i += blockDim.x)
        if (count[i]) atomicAdd(&hits[i], count[i]);
}

extern "C" void claim_years(int years, int levels, uint32_t key, int most, int retention, int limit, const int32_t* cost, int64_t* paid,
                            int32_t* hits) {
    cudaMemsetAsync(hits, 0, sizeof(int32_t) * levels);
    simulate<<<min((years + 255) / 256, 1056), 256, sizeof(int32_t) * levels>>>(years, levels, key, most, retention, limit, cost, paid, hits);
}
