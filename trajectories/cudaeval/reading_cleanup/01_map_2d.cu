// Clean readings: one reading a thread, meters on the second dimension.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int median(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

// The third of five: the median of the middle one, the larger of two minima and the smaller of two maxima.
__device__ int median(int a, int b, int c, int d, int e) { return median(e, max(min(a, b), min(c, d)), min(max(a, b), max(c, d))); }

__global__ void clean_up(int n, int limit, const int16_t* reading, int16_t* clean, int32_t* replaced) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const int16_t* at = reading + (long long)blockIdx.y * n + t;
    int value = *at;
    if (t >= 2 && t + 2 < n) {
        const int middle = median(at[-2], at[-1], at[0], at[1], at[2]);
        if (abs(middle - value) > limit) {
            value = middle;
            atomicAdd(replaced + blockIdx.y, 1);
        }
    }
    clean[(long long)blockIdx.y * n + t] = value;
}

extern "C" void reading_cleanup(int meters, int n, int limit, const int16_t* reading, int16_t* clean, int32_t* replaced) {
    cudaMemsetAsync(replaced, 0, sizeof(int32_t) * meters);
    if (n > 0) clean_up<<<dim3((n - 1) / 256 + 1, meters), 256>>>(n, limit, reading, clean, replaced);
}
