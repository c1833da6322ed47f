// DFT by definition, one thread per frequency.
#include <cuda_runtime.h>

__global__ void dft_kernel(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    const float step = -6.283185307179586f / n;
    float re = 0.0f, im = 0.0f;
    for (int j = 0; j < n; ++j) {
        float s, c;
        sincosf(step * (int)((long long)j * k % n), &s, &c);
        re += in_re[j] * c - in_im[j] * s;
        im += in_re[j] * s + in_im[j] * c;
    }
    out_re[k] = re;
    out_im[k] = im;
}

extern "C" void dft(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    const int threads = 128;
    dft_kernel<<<(n - 1) / threads + 1, threads>>>(n, in_re, in_im, out_re, out_im);
}
