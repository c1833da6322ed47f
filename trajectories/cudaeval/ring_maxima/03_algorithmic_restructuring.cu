// Ring extremes: extremes of 2, 4, 8 ... days by doubling; a window is two overlapping ones, value and day in one word.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlock = 256, kMost = 2 * kBlock;  // days of a block, and with those before it

__global__ void extremes(int days, int window, const int32_t* __restrict__ price, int32_t* __restrict__ high, int32_t* __restrict__ low,
                         int32_t* __restrict__ age) {
    __shared__ long long top[kMost];  // price above, day below: of equal prices the later one is the larger
    __shared__ int bottom[kMost];
    const int from = blockIdx.y * kBlock - kBlock, when[2] = {from + (int)threadIdx.x, from + (int)threadIdx.x + kBlock};
    const size_t row = (size_t)blockIdx.x * days;
    long long most[2];
    int least[2];
    for (int k = 0; k < 2; ++k) {
        const bool there = when[k] >= 0 && when[k] < days;
        const int p = there ? price[row + when[k]] : 0;
        most[k] = there ? (long long)p * 4294967296ll + when[k] : INT64_MIN;
        least[k] = there ? p : 0x7fffffff;
    }
    int length = 1;
    for (;;) {
        __syncthreads();
        for (int k = 0; k < 2; ++k) {
            top[threadIdx.x + k * kBlock] = most[k];
            bottom[threadIdx.x + k * kBlock] = least[k];
        }
        __syncthreads();
        if (length == window) break;
        const int apart = min(length, window - length);
        for (int k = 0; k < 2; ++k) {
            const int other = (int)threadIdx.x + k * kBlock - apart;
            if (other >= 0) {
                most[k] = max(most[k], top[other]);
                least[k] = min(least[k], bottom[other]);
            }
        }
        length += apart;
    }
    const int d = when[1];
    if (d >= days) return;
    const int day = (int)(most[1] & 0xffffffffll);
    high[row + d] = (int)((most[1] - day) / 4294967296ll);
    low[row + d] = least[1];
    age[row + d] = d - day;
}

extern "C" void ring_maxima(int series, int days, int window, const int32_t* price, int32_t* high, int32_t* low, int32_t* age) {
    extremes<<<dim3(series, (days + kBlock - 1) / kBlock), kBlock>>>(days, window, price, high, low, age);
}
