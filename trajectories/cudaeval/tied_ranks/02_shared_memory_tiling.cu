// Ranks: both rows of a subject lie in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void add_up(long long far, long long tied, unsigned long long* distance, unsigned long long* ties) {
    for (int apart = 16; apart > 0; apart /= 2) {
        far += __shfl_xor_sync(0xffffffffu, far, apart);
        tied += __shfl_xor_sync(0xffffffffu, tied, apart);
    }
    if (threadIdx.x % 32) return;
    atomicAdd(distance, (unsigned long long)far);
    atomicAdd(ties, (unsigned long long)tied);
}

__global__ void rank(int n, const int* __restrict__ a, const int* __restrict__ b, unsigned long long* distance, unsigned long long* ties) {
    __shared__ int2 marks[1024];
    const int s = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += 256) marks[k] = make_int2(a[(size_t)s * n + k], b[(size_t)s * n + k]);
    __syncthreads();
    long long far = 0, tied = 0;
    for (int i = threadIdx.x; i < n; i += 256) {
        const int2 own = marks[i];
        int difference = 0, same_a = 0, same_b = 0;
        for (int k = 0; k < n; ++k) {
            const int2 other = marks[k];
            difference += 2 * (other.x < own.x) - 2 * (other.y < own.y);
            same_a += other.x == own.x;
            same_b += other.y == own.y;
        }
        difference += same_a - same_b;
        far += (long long)difference * difference;
        tied += (long long)same_a * same_a + (long long)same_b * same_b - 2;
    }
    add_up(far, tied, distance + s, ties + s);
}

extern "C" void tied_ranks(int subjects, int n, const int32_t* a, const int32_t* b, int64_t* distance, int64_t* ties) {
    cudaMemsetAsync(distance, 0, sizeof(int64_t) * subjects);
    cudaMemsetAsync(ties, 0, sizeof(int64_t) * subjects);
    rank<<<subjects, 256>>>(n, a, b, reinterpret_cast<unsigned long long*>(distance), reinterpret_cast<unsigned long long*>(ties));
}
