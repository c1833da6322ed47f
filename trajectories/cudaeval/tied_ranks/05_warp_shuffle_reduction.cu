// Ranks: most rounds of the network are exchanges by shuffles or within a thread, without barriers.
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

// A thread has the four places lane + 32 r + 128 warp: close ones meet by shuffles, those 32 and 64 apart in registers, others in shared memory.
__device__ void sort(int size, int* key) {
    const int first = threadIdx.x % 32 + threadIdx.x / 32 * 128;
    int own[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) own[r] = first + 32 * r < size ? key[first + 32 * r] : 0x7fffffff;
    for (int length = 2; length <= size; length *= 2)
        for (int apart = length / 2; apart > 0; apart /= 2) {
            int other[4];
            if (apart >= 128) {
                __syncthreads();
#pragma unroll
                for (int r = 0; r < 4; ++r) key[first + 32 * r] = own[r];
                __syncthreads();
#pragma unroll
                for (int r = 0; r < 4; ++r) other[r] = key[(first + 32 * r) ^ apart];
            } else if (apart >= 32) {
#pragma unroll
                for (int r = 0; r < 4; ++r) other[r] = apart == 32 ? own[r ^ 1] : own[r ^ 2];
            } else {
#pragma unroll
                for (int r = 0; r < 4; ++r) other[r] = __shfl_xor_sync(0xffffffffu, own[r], apart);
            }
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int i = first + 32 * r;
                own[r] = ((i & apart) == 0) == ((i & length) == 0) ? min(own[r], other[r]) : max(own[r], other[r]);
            }
        }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; ++r) key[first + 32 * r] = own[r];
    __syncthreads();
}

// the first place whose mark is not below `mark`, or the first above it
__device__ int place(int n, const int* key, int mark, bool above) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (key[middle] < mark || (above && key[middle] == mark)) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void rank(int n, int size, const int* __restrict__ a, const int* __restrict__ b, unsigned long long* distance, unsigned long long* ties) {
    __shared__ int key[1024];
    const int s = blockIdx.x;
    int twice[4];  // of a thread's items, by the first rater
    long long far = 0, tied = 0;
    for (int rater = 0; rater < 2; ++rater) {
        const int* row = (rater ? b : a) + (size_t)s * n;
        for (int i = threadIdx.x; i < size; i += 256) key[i] = i < n ? row[i] : 0x7fffffff;
        __syncthreads();
        sort(size, key);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i = threadIdx.x + 256 * k;
            if (i >= n) break;
            const int from = place(n, key, row[i], false), to = place(n, key, row[i], true), same = to - from;
            tied += (long long)same * same - 1;
            if (rater == 0) {
                twice[k] = from + to + 1;
            } else {
                const long long difference = twice[k] - (from + to + 1);
                far += difference * difference;
            }
        }
        __syncthreads();
    }
    add_up(far, tied, distance + s, ties + s);
}

extern "C" void tied_ranks(int subjects, int n, const int32_t* a, const int32_t* b, int64_t* distance, int64_t* ties) {
    int size = 1;
    while (size < n) size *= 2;
    cudaMemsetAsync(distance, 0, sizeof(int64_t) * subjects);
    cudaMemsetAsync(ties, 0, sizeof(int64_t) * subjects);
    rank<<<subjects, 256>>>(n, size, a, b, reinterpret_cast<unsigned long long*>(distance), reinterpret_cast<unsigned long long*>(ties));
}
