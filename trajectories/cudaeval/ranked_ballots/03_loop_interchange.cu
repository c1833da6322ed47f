// Ballots: a thread has pairs and goes over the block's ballots, which lie in shared memory; nothing is counted by atomics within the block.
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

constexpr int kBallots = 256;

__global__ void count(int ballots, int n, const int8_t* __restrict__ rank, int* prefer) {
    __shared__ uint8_t own[kBallots * 32];
    int sum[4] = {};
    for (int from = blockIdx.x * 4 * kBallots, end = min(ballots, from + 4 * kBallots); from < end; from += kBallots) {
        const int here = min(kBallots, end - from);
        __syncthreads();
        for (int i = threadIdx.x; i < here * n; i += 256) own[i] = rank[(size_t)from * n + i] < 0 ? 255 : rank[(size_t)from * n + i];
        __syncthreads();
        for (int q = 0; q < 4; ++q) {
            const int pair = threadIdx.x + 256 * q, a = pair / n, b = pair - a * n;
            if (pair >= n * n) break;
            int more = 0;
            for (int v = 0; v < here; ++v) more += own[v * n + a] < own[v * n + b];
            sum[q] += more;
        }
    }
    for (int q = 0; q < 4; ++q)
        if (threadIdx.x + 256 * q < n * n && sum[q]) atomicAdd(&prefer[threadIdx.x + 256 * q], sum[q]);
}

extern "C" void ranked_ballots(int ballots, int n, const int8_t* rank, int32_t* prefer, int32_t* beats, int64_t* points, int32_t* winner) {
    cudaMemsetAsync(prefer, 0, sizeof(int32_t) * n * n);
    count<<<(ballots + 4 * kBallots - 1) / (4 * kBallots), 256>>>(ballots, n, rank, prefer);
    decide<<<1, 32>>>(n, prefer, beats, points, winner);
}
