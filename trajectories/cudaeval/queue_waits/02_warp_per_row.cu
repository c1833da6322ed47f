// Waiting times: one server a warp, which takes 32 jobs at a time and joins what each of them does to the wait.
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

__global__ void serve(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= servers) return;
    const long long row = (long long)r * jobs;
    int waited = 0;  // before the first of the 32 jobs
    for (int first = 0; first < jobs; first += 32) {
        const int t = first + lane;
        const Step all = scanned(t < jobs ? step_of(t, gap + row, work + row) : Step{0, 0});
        const int mine = max(all.least, waited + all.change);
        if (t < jobs) wait[row + t] = mine;
        waited = __shfl_sync(kAll, mine, 31);
    }
}

extern "C" void queue_waits(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    serve<<<(servers - 1) / 4 + 1, 128>>>(servers, jobs, gap, work, wait);
}
