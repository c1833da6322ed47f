// Prices: one share a thread walks back through its days.
#include <cuda_runtime.h>

#include <cstdint>

__device__ double factor(int before, int dividend, int split) {
    const double paid = before > dividend ? 1.0 - (double)dividend / before : 1.0;
    return paid / split;
}

__global__ void adjust(int shares, int days, const int* close, const uint8_t* split, const int* dividend, double* adjusted, double* best) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= shares) return;
    const size_t at = (size_t)s * days;
    double by = 1, most = 0;
    for (int d = days - 1; d >= 0; --d) {
        adjusted[at + d] = close[at + d] * by;
        if (d < days - 1 && adjusted[at + d] > 0) most = fmax(most, adjusted[at + d + 1] / adjusted[at + d]);
        by *= factor(d ? close[at + d - 1] : 0, dividend[at + d], split[at + d]);
    }
    best[s] = most;
}

extern "C" void adjusted_prices(int shares, int days, const int32_t* close, const uint8_t* split, const int32_t* dividend, double* adjusted, double* best) {
    adjust<<<(shares + 63) / 64, 64>>>(shares, days, close, split, dividend, adjusted, best);
}
