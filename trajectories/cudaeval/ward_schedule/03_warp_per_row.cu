// Ward schedule: a warp has a ward; its lanes keep four patients each and vote for the next one.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kEach = 4;  // patients of a lane: 32 * k + lane

__global__ void run(int wards, int patients, const int32_t* __restrict__ gap, const int32_t* __restrict__ care,
                    const uint8_t* __restrict__ priority, int32_t* __restrict__ seen, int32_t* __restrict__ left) {
    const int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= wards) return;
    const size_t at = (size_t)w * patients;
    int arrival[kEach], minutes[kEach], rank[kEach], before = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int p = 32 * k + lane;
        int sum = p < patients ? gap[at + p] : 0;
        for (int apart = 1; apart < 32; apart *= 2) {
            const int other = __shfl_up_sync(kAll, sum, apart);
            if (lane >= apart) sum += other;
        }
        arrival[k] = p < patients ? before + sum : 0x7fffffff;
        before += __shfl_sync(kAll, sum, 31);
        minutes[k] = p < patients ? care[at + p] : 0;
        rank[k] = p < patients ? priority[at + p] * 128 + 127 - p : -1;  // higher is seen sooner
    }
    int now = 0;
    for (int done = 0; done < patients; ++done) {
        int best = -1, soonest = 0x7fffffff;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            if (rank[k] < 0) continue;
            if (arrival[k] <= now) best = max(best, rank[k]);
            soonest = min(soonest, arrival[k]);
        }
        best = __reduce_max_sync(kAll, best);
        if (best < 0) {
            now = __reduce_min_sync(kAll, soonest);
#pragma unroll
            for (int k = 0; k < kEach; ++k)
                if (rank[k] >= 0 && arrival[k] <= now) best = max(best, rank[k]);
            best = __reduce_max_sync(kAll, best);
        }
        const int who = 127 - best % 128;
        int taken = 0;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            if (32 * k + lane == who) {
                seen[at + who] = now;
                taken = minutes[k];
                rank[k] = -1;
            }
        }
        now += __shfl_sync(kAll, taken, who % 32);
    }
    if (lane == 0) left[w] = now;
}

extern "C" void ward_schedule(int wards, int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen,
                              int32_t* left) {
    run<<<(wards + 3) / 4, 128>>>(wards, patients, gap, care, priority, seen, left);
}
