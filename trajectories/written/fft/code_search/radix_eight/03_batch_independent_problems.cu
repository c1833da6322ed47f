// Walsh spectra: a block for each row, all stages in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Orders by magnitude, then by the lower index.
__device__ unsigned long long key_of(int value, int index) {
    return (unsigned long long)abs(value) << 32 | (unsigned)~index;
}

// The largest key of the block, in thread 0.
__device__ unsigned long long block_max(unsigned long long key) {
    __shared__ unsigned long long of_warp[kThreads / 32];
    for (int d = 16; d > 0; d /= 2) key = max(key, __shfl_xor_sync(0xffffffffu, key, d));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = key;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < kThreads / 32; ++w) key = max(key, of_warp[w]);
    return key;
}

__global__ void transform(int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    extern __shared__ int s[];
    size_t row = (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += kThreads) s[i] = code[i] * chips[row + i];
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        for (int t = threadIdx.x; t < n / 2; t += kThreads) {
            int i = 2 * t - (t & (half - 1));
            int a = s[i], b = s[i + half];
            s[i] = a + b;
            s[i + half] = a - b;
        }
        __syncthreads();
    }
    unsigned long long best = 0;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        spectrum[row + i] = s[i];
        best = max(best, key_of(s[i], i));
    }
    best = block_max(best);
    if (threadIdx.x == 0) peak[blockIdx.x] = (int)~(unsigned)best;
}

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    transform<<<rows, kThreads, n * sizeof(int)>>>(n, code, chips, spectrum, peak);
}
