// Swap books of desks: a block a desk shares a long book.
#include <cuda_runtime.h>

#include <cstdint>

struct Swap {
    uint8_t start, periods, rate, lots;
};

struct Point {
    double discount, paid;  // of this quarter; of all quarters up to this one
};

__device__ void bootstrap(int quarters, const float* par, Point* curve) {
    curve[0] = {1.0, 0.0};
    double paid = 0.0;
    for (int k = 1; k <= quarters; ++k) {
        const double coupon = 0.25 * par[k - 1], discount = (1.0 - coupon * paid) / (1.0 + coupon);
        paid += discount;
        curve[k] = {discount, paid};
    }
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
    const int desk = blockIdx.x, end = first[desk + 1];
    if (threadIdx.x == 0) bootstrap(quarters, par + (long long)desk * quarters, curve);
    __syncthreads();
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
