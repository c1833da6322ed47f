// Swap books of desks: a curve is a running product of linear maps, which a block finds by a scan.
#include <cuda_runtime.h>

#include <cstdint>

struct Swap {
    uint8_t start, periods, rate, lots;
};

struct Point {
    double discount, paid;  // of this quarter; of all quarters up to this one
};

// A quarter with coupon c turns what was paid before it into (paid + 1) / (1 + c): a linear map, and maps can be joined in any grouping.
// A thread has a quarter; `part` has a place for every warp.
__device__ void bootstrap(int quarters, const float* par, double2* part, Point* curve) {
    const int k = threadIdx.x, lane = k % 32;
    const double kept = k < quarters ? 1.0 / (1.0 + 0.25 * par[k]) : 1.0;
    double factor = kept, added = k < quarters ? kept : 0.0;  // of the quarters up to this one
    for (int apart = 1; apart < 32; apart *= 2) {
        const double factor_before = __shfl_up_sync(0xffffffffu, factor, apart), added_before = __shfl_up_sync(0xffffffffu, added, apart);
        if (lane < apart) continue;
        added += factor * added_before;
        factor *= factor_before;
    }
    if (lane == 31) part[k / 32] = make_double2(factor, added);
    __syncthreads();
    double before = 0.0;
    for (int w = 0; w < k / 32; ++w) before = part[w].x * before + part[w].y;
    const double paid = factor * before + added;
    if (k < quarters) curve[k + 1].paid = paid;
    if (k == 0) curve[0] = {1.0, 0.0};
    __syncthreads();
    if (k < quarters) curve[k + 1].discount = paid - curve[k].paid;
    __syncthreads();
}

// The sum of discount factors between two quarters is a difference of running sums.
__device__ double worth(Swap s, int quarters, const Point* curve) {
    const int end = min(s.start + 1 + s.periods, quarters);
    if (s.start >= end) return 0.0;
    const Point a = curve[s.start], b = curve[end];
    return 1000.0 * s.lots * (0.00025 * s.rate * (b.paid - a.paid) - (a.discount - b.discount));
}

__device__ double warp_sum(double sum) {
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    return sum;
}

constexpr int kThreads = 128, kWarps = kThreads / 32, kLongest = 128;  // quarters of a curve

// A block has a desk, so that a long book has four warps. The curve is in shared memory.
__global__ void mark(int quarters, const float* par, const int32_t* first, const Swap* swap, float* value, float* total) {
    __shared__ Point curve[kLongest + 1];
    __shared__ double part[kWarps];
    __shared__ double2 maps[kWarps];
    const int desk = blockIdx.x, end = first[desk + 1];
    bootstrap(quarters, par + (long long)desk * quarters, maps, curve);
    double sum = 0.0;
    for (int i = first[desk] + threadIdx.x; i < end; i += kThreads) {
        const double w = worth(swap[i], quarters, curve);
        value[i] = (float)w;
        sum += w;
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < kWarps; ++w) sum += part[w];
    total[desk] = (float)sum;
}

extern "C" void swap_desks(int desks, int quarters, int swaps, const float* par, const int32_t* first, const Swap* swap, float* value,
                           float* total) {
    (void)swaps;
    mark<<<desks, kThreads>>>(quarters, par, first, swap, value, total);
}
