// DFT by definition, one thread per frequency; the n different factors are tabulated once.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// table[t] = exp(-2 pi i t / n), x real, y imaginary.
__global__ void fill_table(int n, float2* table) {
    int t = blockIdx.x * kThreads + threadIdx.x;
    if (t >= n) return;
    float s, c;
    sincosf(-6.283185307179586f / n * t, &s, &c);
    table[t] = make_float2(c, s);
}

__global__ void dft_kernel(int n, const float2* table, const float* in_re, const float* in_im, float* out_re,
                           float* out_im) {
    int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= n) return;
    float re = 0.0f, im = 0.0f;
    for (int j = 0; j < n; ++j) {
        float2 w = table[(long long)j * k % n];
        re += in_re[j] * w.x - in_im[j] * w.y;
        im += in_re[j] * w.y + in_im[j] * w.x;
    }
    out_re[k] = re;
    out_im[k] = im;
}

extern "C" void dft(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    const int blocks = (n - 1) / kThreads + 1;
    float2* table = nullptr;
    cudaMalloc(&table, n * sizeof(float2));
    fill_table<<<blocks, kThreads>>>(n, table);
    dft_kernel<<<blocks, kThreads>>>(n, table, in_re, in_im, out_re, out_im);
    cudaFree(table);
}
