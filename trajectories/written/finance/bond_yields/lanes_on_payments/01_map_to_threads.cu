// Bond yields by Newton's method, one thread per bond.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kSteps = 12;

__global__ void solve(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    const int b = blockIdx.x * kThreads + threadIdx.x;
    if (b >= bonds) return;
    double y = coupon[b] / 100.0;
    for (int step = 0; step < kSteps; ++step) {
        const double v = 1.0 / (1.0 + y);
        double discount = 1.0, value = 0.0, slope = 0.0;
        for (int k = 1; k <= periods[b]; ++k) {
            const double payment = k == periods[b] ? coupon[b] + 100.0 : coupon[b];
            discount *= v;
            value += payment * discount;
            slope -= k * payment * discount * v;
        }
        y -= (value - price[b]) / slope;
    }
    yield[b] = y;
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    solve<<<(bonds - 1) / kThreads + 1, kThreads>>>(bonds, periods, coupon, price, yield);
}
