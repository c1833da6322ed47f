// Bond yields by Newton's method; bonds are sorted by their number of payments so that warps are even.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kSteps = 12;
constexpr int kBins = 256;
constexpr int kShare = 4096;  // bonds per block of the sort

__device__ int bin_of(int periods) { return min(periods, kBins - 1); }

__device__ void tally(int first, int end, const int* periods, int* mine) {
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) mine[bin] = 0;
    __syncthreads();
    for (int b = first + threadIdx.x; b < end; b += kThreads) atomicAdd(mine + bin_of(periods[b]), 1);
    __syncthreads();
}

__global__ void count(int bonds, const int* periods, int* size) {
    __shared__ int mine[kBins];
    const int first = blockIdx.x * kShare;
    tally(first, min(bonds, first + kShare), periods, mine);
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (mine[bin] > 0) atomicAdd(size + bin, mine[bin]);
}

// In place: from the number of bonds in each bin to the place of its first one.
__global__ void place_bins(int* size) {
    __shared__ int sums[kBins];
    const int t = threadIdx.x, own = size[t];
    sums[t] = own;
    __syncthreads();
    for (int distance = 1; distance < kBins; distance *= 2) {
        const int before = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    size[t] = sums[t] - own;
}

__global__ void scatter(int bonds, const int* periods, int* position, int* order) {
    __shared__ int place[kBins];
    const int first = blockIdx.x * kShare, end = min(bonds, first + kShare);
    tally(first, end, periods, place);
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (place[bin] > 0) place[bin] = atomicAdd(position + bin, place[bin]);
    __syncthreads();
    for (int b = first + threadIdx.x; b < end; b += kThreads) order[atomicAdd(place + bin_of(periods[b]), 1)] = b;
}

__global__ void solve(int bonds, const int* order, const int* periods, const double* coupon, const double* price,
                      double* yield) {
    const int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= bonds) return;
    const int b = order[at], count = periods[b];
    const double c = coupon[b], target = price[b];
    double y = c / 100.0;
    for (int step = 0; step < kSteps; ++step) {
        const double v = 1.0 / (1.0 + y);
        double value = 100.0, weighted = 0.0;  // of the payments behind period k, discounted to its end
        for (int k = count; k > 0; --k) {
            value = (value + c) * v;
            weighted = weighted * v + value;  // each payment counts once for each period that it is away
        }
        const double moved = (value - target) / (weighted * v);
        y += moved;
        if (fabs(moved) < 1e-14) break;
    }
    yield[b] = y;
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, (kBins + (size_t)bonds) * sizeof(int));
    int *position = scratch, *order = scratch + kBins;
    cudaMemsetAsync(position, 0, kBins * sizeof(int));
    const int shares = (bonds - 1) / kShare + 1;
    count<<<shares, kThreads>>>(bonds, periods, position);
    place_bins<<<1, kBins>>>(position);
    scatter<<<shares, kThreads>>>(bonds, periods, position, order);
    solve<<<(bonds - 1) / kThreads + 1, kThreads>>>(bonds, order, periods, coupon, price, yield);
    cudaFree(scratch);
}
