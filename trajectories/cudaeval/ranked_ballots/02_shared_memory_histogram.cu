// Ballots: a block counts the pairs of 1024 ballots in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void decide(int n, const int* prefer, int* beats, int64_t* points, int* winner) {
    const int a = threadIdx.x;
    int won = 0;
    long long sum = 0;
    for (int b = 0; b < n && a < n; ++b) {
        won += prefer[a * n + b] > prefer[b * n + a];
        sum += prefer[a * n + b];
    }
    if (a < n) beats[a] = won, points[a] = sum;
    const unsigned first = __ballot_sync(0xffffffffu, a < n && won == n - 1);
    if (a == 0) *winner = first ? 31 - __clz(first) : -1;
}

__global__ void count(int ballots, int n, const int8_t* rank, int* prefer) {
    __shared__ int pairs[32 * 32];
    for (int i = threadIdx.x; i < n * n; i += 256) pairs[i] = 0;
    __syncthreads();
    for (int v = blockIdx.x * 1024 + threadIdx.x, end = min(ballots, (int)(blockIdx.x + 1) * 1024); v < end; v += 256) {
        const int8_t* own = rank + (size_t)v * n;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                if (own[a] >= 0 && (own[b] < 0 || own[a] < own[b])) atomicAdd(&pairs[a * n + b], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n * n; i += 256)
        if (pairs[i]) atomicAdd(&prefer[i], pairs[i]);
}

extern "C" void ranked_ballots(int ballots, int n, const int8_t* rank, int32_t* prefer, int32_t* beats, int64_t* points, int32_t* winner) {
    cudaMemsetAsync(prefer, 0, sizeof(int32_t) * n * n);
    count<<<(ballots + 1023) / 1024, 256>>>(ballots, n, rank, prefer);
    decide<<<1, 32>>>(n, prefer, beats, points, winner);
}
