// Waiting times: one server a block, whose warps join what they did by way of shared memory.
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

// What four neighbouring jobs do to the wait, one by one; those beyond the last do nothing.
struct Four {
    int change[4];

    __device__ Step all() const {
        return joined(joined(Step{0, change[0]}, Step{0, change[1]}), joined(Step{0, change[2]}, Step{0, change[3]}));
    }
};

// `kWide`: rows are multiples of four jobs, and arrays begin at multiples of 16 bytes.
template <bool kWide>
__device__ Four load(int t, int jobs, const uint16_t* gap, const uint16_t* work) {
    if (kWide && t < jobs) {
        const ushort4 came = *(const ushort4*)(gap + t), took = *(const ushort4*)(work + t);
        return {{t > 0 ? work[t - 1] - came.x : 0, took.x - came.y, took.y - came.z, took.z - came.w}};
    }
    Four four = {};
    for (int k = t > 0 ? 0 : 1; k < 4 && t + k < jobs && !kWide; ++k) four.change[k] = work[t + k - 1] - gap[t + k];
    return four;
}

// Writes the waits of the four jobs; `before` is that of the job before them.
template <bool kWide>
__device__ void store(int t, int jobs, Four four, int before, int32_t* wait) {
    int4 now;
    now.x = max(0, before + four.change[0]);
    now.y = max(0, now.x + four.change[1]);
    now.z = max(0, now.y + four.change[2]);
    now.w = max(0, now.z + four.change[3]);
    if (kWide) {
        if (t < jobs) *(int4*)(wait + t) = now;
        return;
    }
    if (t < jobs) wait[t] = now.x;
    if (t + 1 < jobs) wait[t + 1] = now.y;
    if (t + 2 < jobs) wait[t + 2] = now.z;
    if (t + 3 < jobs) wait[t + 3] = now.w;
}

__device__ constexpr Step kNothing = {0, 0};  // leaves a wait as it is, since none is negative

constexpr int kWarps = 8, kJobs = 32 * 4 * kWarps;  // of a block at a time

// Of the jobs of all threads before this one in the block; `total` gets that of all threads.
__device__ Step scanned_by_block(Step mine, Step* part, Step* total) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    mine = scanned(mine);
    __syncthreads();  // the parts of the round before have been read
    if (lane == 31) part[warp] = mine;
    __syncthreads();
    Step all = part[0], before = kNothing;
    for (int w = 1; w <= kWarps; ++w) {
        if (w == warp) before = all;
        if (w < kWarps) all = joined(all, part[w]);
    }
    *total = all;
    const Step left = {__shfl_up_sync(kAll, mine.least, 1), __shfl_up_sync(kAll, mine.change, 1)};
    return lane > 0 ? joined(before, left) : before;
}

template <bool kWide>
__global__ void serve(int jobs, const uint16_t* __restrict__ gap, const uint16_t* __restrict__ work, int32_t* __restrict__ wait) {
    __shared__ Step part[kWarps];
    const long long row = (long long)blockIdx.x * jobs;
    int waited = 0;  // before the first job of the round
    for (int first = 0; first < jobs; first += kJobs) {
        const int t = first + 4 * threadIdx.x;
        const Four four = load<kWide>(t, jobs, gap + row, work + row);
        Step total;
        const Step before = scanned_by_block(four.all(), part, &total);
        store<kWide>(t, jobs, four, max(before.least, waited + before.change), wait + row);
        waited = max(total.least, waited + total.change);
    }
}

extern "C" void queue_waits(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    if (jobs % 4 == 0 && ((uintptr_t)gap | (uintptr_t)work | (uintptr_t)wait) % 16 == 0)
        serve<true><<<servers, 32 * kWarps>>>(jobs, gap, work, wait);
    else
        serve<false><<<servers, 32 * kWarps>>>(jobs, gap, work, wait);
}
