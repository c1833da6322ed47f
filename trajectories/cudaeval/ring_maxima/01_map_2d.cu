// Ring extremes: one day of one series a thread, over its window.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void extremes(int days, int window, const int32_t* price, int32_t* high, int32_t* low, int32_t* age) {
    const int d = blockIdx.y * blockDim.x + threadIdx.x;
    if (d >= days) return;
    const size_t row = (size_t)blockIdx.x * days;
    int top = price[row + d], bottom = top, when = d;
    for (int k = d - 1; k >= 0 && k > d - window; --k) {
        const int p = price[row + k];
        if (p > top) {
            top = p;
            when = k;
        }
        bottom = min(bottom, p);
    }
    high[row + d] = top;
    low[row + d] = bottom;
    age[row + d] = d - when;
}

extern "C" void ring_maxima(int series, int days, int window, const int32_t* price, int32_t* high, int32_t* low, int32_t* age) {
    extremes<<<dim3(series, (days + 255) / 256), 256>>>(days, window, price, high, low, age);
}
