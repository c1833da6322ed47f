// Ring extremes: a block's days and the window before them stand in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void extremes(int days, int window, const int32_t* price, int32_t* high, int32_t* low, int32_t* age) {
    extern __shared__ int own[];
    const int first = blockIdx.y * blockDim.x, d = first + threadIdx.x, before = min(window - 1, first);
    const size_t row = (size_t)blockIdx.x * days;
    for (int k = threadIdx.x; k < before + (int)blockDim.x && first - before + k < days; k += blockDim.x) own[k] = price[row + first - before + k];
    __syncthreads();
    if (d >= days) return;
    const int* here = own + before - first;
    int top = here[d], bottom = top, when = d;
    for (int k = d - 1; k >= 0 && k > d - window; --k) {
        const int p = here[k];
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
    extremes<<<dim3(series, (days + 255) / 256), 256, sizeof(int) * (255 + window)>>>(days, window, price, high, low, age);
}
