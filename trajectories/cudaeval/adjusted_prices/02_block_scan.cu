// Prices: a warp takes a share; products of the factors of later days are scanned from the end, 32 days at once.
#include <cuda_runtime.h>

#include <cstdint>

__device__ double factor(int before, int dividend, int split) {
    const double paid = before > dividend ? 1.0 - (double)dividend / before : 1.0;
    return paid / split;
}

__global__ void adjust(int shares, int days, const int* close, const uint8_t* split, const int* dividend, double* adjusted, double* best) {
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (s >= shares) return;
    const size_t at = (size_t)s * days;
    double after = 1, most = 0, next_day = 0;
    for (int part = 0; part < days; part += 32) {
        const int d = days - 1 - part - lane;  // lane 0 has the latest day
        double product = d >= 0 ? factor(d ? close[at + d - 1] : 0, dividend[at + d], split[at + d]) : 1.0;
        for (int apart = 1; apart < 32; apart *= 2) {
            const double later = __shfl_up_sync(0xffffffffu, product, apart);
            if (lane >= apart) product *= later;
        }
        double by = __shfl_up_sync(0xffffffffu, product, 1);
        by = lane ? by * after : after;
        const double price = d >= 0 ? close[at + d] * by : 0.0;
        double next = __shfl_up_sync(0xffffffffu, price, 1);
        if (lane == 0) next = next_day;
        if (d >= 0) {
            adjusted[at + d] = price;
            if (d < days - 1 && price > 0) most = fmax(most, next / price);
        }
        after *= __shfl_sync(0xffffffffu, product, 31);
        next_day = __shfl_sync(0xffffffffu, price, 31);
    }
    for (int apart = 16; apart > 0; apart /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (lane == 0) best[s] = most;
}

extern "C" void adjusted_prices(int shares, int days, const int32_t* close, const uint8_t* split, const int32_t* dividend, double* adjusted, double* best) {
    adjust<<<(shares + 3) / 4, 128>>>(shares, days, close, split, dividend, adjusted, best);
}
