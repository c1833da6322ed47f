// Waiting times: each lane takes four neighbouring jobs, so that a scan serves 128 of them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

// What some jobs make of the wait before them: w becomes max(least, w + change).
struct Step {
    int least, change;
};

__device__ Step joined(Step first, Step second) { return {max(second.least, first.least + second.change), first.change + second.change}; }

// Of this lane's jobs and those of all lanes before it.
__device__ Step scanned(Step mine) {
    for (int apart = 1; apart < 32; apart *= 2) {
        const Step before = {__shfl_up_sync(kAll, mine.least, apart), __shfl_up_sync(kAll, mine.change, apart)};
        if ((int)(threadIdx.x % 32) >= apart) mine = joined(before, mine);
    }
    return mine;
}

__device__ Step step_of(int t, const uint16_t* gap, const uint16_t* work) { return {0, t > 0 ? work[t - 1] - gap[t] : 0}; }

constexpr int kOwn = 4;

__global__ void serve(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= servers) return;
    const long long row = (long long)r * jobs;
    int waited = 0;  // before the first of the 128 jobs
    for (int first = 0; first < jobs; first += 32 * kOwn) {
        const int t = first + kOwn * lane;
        int change[kOwn];
        Step mine = {0, 0};
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            change[k] = t + k < jobs ? step_of(t + k, gap + row, work + row).change : 0;
            mine = joined(mine, Step{0, change[k]});
        }
        mine = scanned(mine);
        const int after = max(mine.least, waited + mine.change);
        int now = __shfl_up_sync(kAll, after, 1);
        if (lane == 0) now = waited;
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            now = max(0, now + change[k]);
            if (t + k < jobs) wait[row + t + k] = now;
        }
        waited = __shfl_sync(kAll, after, 31);
    }
}

extern "C" void queue_waits(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    serve<<<(servers - 1) / 4 + 1, 128>>>(servers, jobs, gap, work, wait);
}
