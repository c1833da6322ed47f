// Bond yields by Newton's method, one thread per bond, payments summed backwards by Horner's scheme.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kSteps = 12;

__global__ void solve(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    const int b = blockIdx.x * kThreads + threadIdx.x;
    if (b >= bonds) return;
    const int count = periods[b];
    const double c = coupon[b], target = price[b];
    double y = c / 100.0;
    for (int step = 0; step < kSteps; ++step) {
        const double v = 1.0 / (1.0 + y);
        double value = 100.0, weighted = 0.0;  // of the payments behind period k, discounted to its end
        for (int k = count; k > 0; --k) {
            value = (value + c) * v;
            weighted = weighted * v + value;  // each payment counts once for each period that it is away
        }
        y += (value - target) / (weighted * v);
    }
    yield[b] = y;
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    solve<<<(bonds - 1) / kThreads + 1, kThreads>>>(bonds, periods, coupon, price, yield);
}
