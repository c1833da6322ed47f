// Walsh spectra: a block for each row, three stages at a time in registers, exchanged through shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

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

// Where element i lies in shared memory: one word is left free after each 32.
__device__ int place(int i) { return i + (i >> 5); }

// Three stages, half, 2 * half and 4 * half, on eight values at distance half.
__device__ void pass8(int* s, int n, int half) {
    for (int t = threadIdx.x; t < n / 8; t += kThreads) {
        int first = 8 * t - 7 * (t & (half - 1));
        int v[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) v[k] = s[place(first + k * half)];
#pragma unroll
        for (int d = 1; d < 8; d *= 2) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                if (k & d) continue;
                int a = v[k], b = v[k + d];
                v[k] = a + b;
                v[k + d] = a - b;
            }
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) s[place(first + k * half)] = v[k];
    }
    __syncthreads();
}

__global__ void transform(int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    extern __shared__ int s[];
    size_t row = (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += kThreads) s[place(i)] = code[i] * chips[row + i];
    __syncthreads();
    int half = 1;
    for (; 8 * half <= n; half *= 8) pass8(s, n, half);
    for (; half < n; half *= 2) {
        for (int t = threadIdx.x; t < n / 2; t += kThreads) {
            int i = 2 * t - (t & (half - 1));
            int p = place(i), q = place(i + half);
            int a = s[p], b = s[q];
            s[p] = a + b;
            s[q] = a - b;
        }
        __syncthreads();
    }
    unsigned long long best = 0;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        int value = s[place(i)];
        spectrum[row + i] = value;
        best = max(best, key_of(value, i));
    }
    best = block_max(best);
    if (threadIdx.x == 0) peak[blockIdx.x] = (int)~(unsigned)best;
}

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    transform<<<rows, kThreads, (n + n / 32) * sizeof(int)>>>(n, code, chips, spectrum, peak);
}
