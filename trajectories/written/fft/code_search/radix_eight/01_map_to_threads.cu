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

__global__ void find_peak(int rows, int n, const int* spectrum, int* peak) {
    int row = blockIdx.x * kThreads + threadIdx.x;
    if (row >= rows) return;
    const int* s = spectrum + (size_t)row * n;
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (abs(s[i]) > abs(s[best])) best = i;
    peak[row] = best;
}

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    long long total = (long long)rows * n;
    descramble<<<(int)((total - 1) / kThreads + 1), kThreads>>>(total, n, code, chips, spectrum);
    for (int half = 1; half < n; half *= 2)
        butterfly<<<(int)((total / 2 - 1) / kThreads + 1), kThreads>>>(total / 2, half, spectrum);
    find_peak<<<(rows - 1) / kThreads + 1, kThreads>>>(rows, n, spectrum, peak);
}
