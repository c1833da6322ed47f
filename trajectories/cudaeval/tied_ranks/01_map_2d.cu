// Ranks: one item of one subject a thread counts the marks below and equal to its own. A group of t equal marks adds t^2 - 1 for each of its t marks.
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

__global__ void rank(int n, const int* a, const int* b, unsigned long long* distance, unsigned long long* ties) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y;
    const int *p = a + (size_t)s * n, *q = b + (size_t)s * n;
    long long far = 0, tied = 0;
    if (i < n) {
        long long difference = 0;
        int same_a = 0, same_b = 0;
        for (int k = 0; k < n; ++k) {
            difference += 2 * (p[k] < p[i]) - 2 * (q[k] < q[i]);
            same_a += p[k] == p[i];
            same_b += q[k] == q[i];
        }
        difference += same_a - same_b;
        far = difference * difference;
        tied = (long long)same_a * same_a + (long long)same_b * same_b - 2;
    }
    add_up(far, tied, distance + s, ties + s);
}

extern "C" void tied_ranks(int subjects, int n, const int32_t* a, const int32_t* b, int64_t* distance, int64_t* ties) {
    cudaMemsetAsync(distance, 0, sizeof(int64_t) * subjects);
    cudaMemsetAsync(ties, 0, sizeof(int64_t) * subjects);
    rank<<<dim3((n + 127) / 128, subjects), 128>>>(n, a, b, reinterpret_cast<unsigned long long*>(distance), reinterpret_cast<unsigned long long*>(ties));
}
