// Prices: a ratio of neighbours needs no adjusted prices, only their own closes and one day's factor, so that it hangs on no scan; factors are multiplied out as two whole numbers, with one division each.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void adjust(int shares, int days, const int* __restrict__ close, const uint8_t* __restrict__ split, const int* __restrict__ dividend,
                       double* __restrict__ adjusted, double* __restrict__ best) {
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (s >= shares) return;
    const size_t at = (size_t)s * days;
    double after = 1, most = 0;
    for (int part = 0; part < days; part += 32) {
        const int d = days - 1 - part - lane;
        double product = 1;
        int own = 0;
        if (d >= 0) {
            own = close[at + d];
            const int before = d ? close[at + d - 1] : 0, paid = dividend[at + d], shares_now = split[at + d];
            const double above = before > paid ? before - paid : 1, below = (double)(before > paid ? before : 1) * shares_now;
            product = above / below;
            if (before > 0) most = fmax(most, own / (before * product));
        }
        for (int apart = 1; apart < 32; apart *= 2) {
            const double later = __shfl_up_sync(0xffffffffu, product, apart);
            if (lane >= apart) product *= later;
        }
        const double by = __shfl_up_sync(0xffffffffu, product, 1);
        if (d >= 0) adjusted[at + d] = own * (lane ? by * after : after);
        after *= __shfl_sync(0xffffffffu, product, 31);
    }
    for (int apart = 16; apart > 0; apart /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (lane == 0) best[s] = most;
}

extern "C" void adjusted_prices(int shares, int days, const int32_t* close, const uint8_t* split, const int32_t* dividend, double* adjusted, double* best) {
    adjust<<<(shares + 3) / 4, 128>>>(shares, days, close, split, dividend, adjusted, best);
}
