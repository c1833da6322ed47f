// Bond yields by Newton's method; sorted by number of payments, two bonds per thread, first steps in float.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kSteps = 12;
constexpr int kBonds = 2;  // per thread
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

template <typename Real>
struct Bond {
    int count;
    Real c, target, y;
};

// Newton steps on each bond until one moves it by less than `enough`.
template <typename Real>
__device__ void improve(Bond<Real> (&bond)[kBonds], int steps, Real enough) {
    bool settled[kBonds] = {};
    for (int step = 0; step < steps; ++step) {
        Real v[kBonds], value[kBonds], weighted[kBonds];  // of the payments behind period k, discounted to its end
        int longest = 0;
#pragma unroll
        for (int n = 0; n < kBonds; ++n) {
            v[n] = Real(1) / (Real(1) + bond[n].y);
            value[n] = Real(100);
            weighted[n] = Real(0);
            longest = max(longest, bond[n].count);
        }
        for (int k = longest; k > 0; --k) {
#pragma unroll
            for (int n = 0; n < kBonds; ++n) {
                if (k > bond[n].count) continue;
                value[n] = (value[n] + bond[n].c) * v[n];
                weighted[n] = weighted[n] * v[n] + value[n];  // a payment counts once for each period it is away
            }
        }
        bool done = true;
#pragma unroll
        for (int n = 0; n < kBonds; ++n) {
            if (settled[n]) continue;  // so that a bond's yield does not depend on its partner
            const Real moved = (value[n] - bond[n].target) / (weighted[n] * v[n]);
            bond[n].y += moved;
            settled[n] = fabs(moved) < enough;
            done &= settled[n];
        }
        if (done) break;
    }
}

__global__ void solve(int bonds, const int* order, const int* periods, const double* coupon, const double* price,
                      double* yield) {
    const int at = blockIdx.x * kThreads * kBonds + threadIdx.x;
    if (at >= bonds) return;
    int which[kBonds];
    Bond<float> rough[kBonds];
    Bond<double> exact[kBonds];
#pragma unroll
    for (int n = 0; n < kBonds; ++n) {
        const int b = which[n] = order[min(at + n * kThreads, bonds - 1)];  // past the end: the last one again
        exact[n] = {periods[b], coupon[b], price[b], 0.0};
        rough[n] = {exact[n].count, (float)exact[n].c, (float)exact[n].target, (float)exact[n].c / 100.0f};
    }
    improve(rough, 4, 1e-4f);
#pragma unroll
    for (int n = 0; n < kBonds; ++n) exact[n].y = rough[n].y;
    improve(exact, kSteps, 1e-14);
#pragma unroll
    for (int n = 0; n < kBonds; ++n)
        if (at + n * kThreads < bonds) yield[which[n]] = exact[n].y;
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
    solve<<<(bonds - 1) / (kThreads * kBonds) + 1, kThreads>>>(bonds, order, periods, coupon, price, yield);
    cudaFree(scratch);
}
