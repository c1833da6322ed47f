// Swap books of desks: the curve of a desk is in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

struct Swap {
    uint8_t start, periods, rate, lots;
};

// Discount factors of the quarters from 0 on.
__device__ void bootstrap(int quarters, const float* par, double* discount) {
    discount[0] = 1.0;
    double paid = 0.0;
    for (int k = 1; k <= quarters; ++k) {
        const double coupon = 0.25 * par[k - 1];
        discount[k] = (1.0 - coupon * paid) / (1.0 + coupon);
        paid += discount[k];
    }
}

__device__ double worth(Swap s, int quarters, const double* discount) {
    const int end = min(s.start + 1 + s.periods, quarters);
    if (s.start >= end) return 0.0;
    double annuity = 0.0;
    for (int k = s.start + 1; k <= end; ++k) annuity += discount[k];
    return 1000.0 * s.lots * (0.00025 * s.rate * annuity - (discount[s.start] - discount[end]));
}

__device__ double warp_sum(double sum) {
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    return sum;
}

constexpr int kWarps = 4, kLongest = 128;  // quarters of a curve

// A warp has a desk; its lanes take neighbouring swaps. The curve is in shared memory.
__global__ void mark(int desks, int quarters, const float* par, const int32_t* first, const Swap* swap, float* value, float* total) {
    __shared__ double curves[kWarps][kLongest + 1];
    const int desk = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (desk >= desks) return;
    double* discount = curves[threadIdx.x / 32];
    if (lane == 0) bootstrap(quarters, par + (long long)desk * quarters, discount);
    __syncwarp();
    double sum = 0.0;
    for (int i = first[desk] + lane; i < first[desk + 1]; i += 32) {
        const double w = worth(swap[i], quarters, discount);
        value[i] = (float)w;
        sum += w;
    }
    sum = warp_sum(sum);
    if (lane == 0) total[desk] = (float)sum;
}

extern "C" void swap_desks(int desks, int quarters, int swaps, const float* par, const int32_t* first, const Swap* swap, float* value,
                           float* total) {
    (void)swaps;
    mark<<<(desks - 1) / kWarps + 1, 32 * kWarps>>>(desks, quarters, par, first, swap, value, total);
}
