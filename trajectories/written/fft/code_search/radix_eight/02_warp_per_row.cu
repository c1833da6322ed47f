// Walsh spectra: a launch for each stage, a thread for each butterfly.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void descramble(long long total, int n, const signed char* code, const short* chips, int* spectrum) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t < total) spectrum[t] = code[t % n] * chips[t];
}

__global__ void butterfly(long long total, int half, int* spectrum) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= total) return;
    long long i = t / half * (2 * half) + t % half;  // rows are whole multiples of 2 * half
    int a = spectrum[i], b = spectrum[i + half];
    spectrum[i] = a + b;
    spectrum[i + half] = a - b;
}

// Orders by magnitude, then by the lower index.
__device__ unsigned long long key_of(int value, int index) {
    return (unsigned long long)abs(value) << 32 | (unsigned)~index;
}

__global__ void find_peak(int rows, int n, const int* spectrum, int* peak) {
    int row = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const int* s = spectrum + (size_t)row * n;
    unsigned long long best = 0;
    for (int i = lane; i < n; i += 32) best = max(best, key_of(s[i], i));
    for (int d = 16; d > 0; d /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, d));
    if (lane == 0) peak[row] = (int)~(unsigned)best;
}

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    long long total = (long long)rows * n;
    descramble<<<(int)((total - 1) / kThreads + 1), kThreads>>>(total, n, code, chips, spectrum);
    for (int half = 1; half < n; half *= 2)
        butterfly<<<(int)((total / 2 - 1) / kThreads + 1), kThreads>>>(total / 2, half, spectrum);
    find_peak<<<(rows - 1) / (kThreads / 32) + 1, kThreads>>>(rows, n, spectrum, peak);
}
