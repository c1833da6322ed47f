// DFT by definition; frequencies k and n - k have conjugate factors and are computed together.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kTile = 256;

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
    __shared__ float2 sample[kTile];
    const int last = n / 2;  // frequencies above it are partners of those below
    int k = blockIdx.x * kThreads + threadIdx.x;
    float re_cos = 0.0f, im_sin = 0.0f, re_sin = 0.0f, im_cos = 0.0f;
    int t = 0;  // j * k modulo n
    for (int j0 = 0; j0 < n; j0 += kTile) {
        int count = min(kTile, n - j0);
        for (int e = threadIdx.x; e < count; e += kThreads) sample[e] = make_float2(in_re[j0 + e], in_im[j0 + e]);
        __syncthreads();
        if (k <= last) {
            for (int e = 0; e < count; ++e) {
                float2 w = table[t];
                float2 x = sample[e];
                re_cos += x.x * w.x;
                im_sin += x.y * w.y;
                re_sin += x.x * w.y;
                im_cos += x.y * w.x;
                t += k;
                if (t >= n) t -= n;
            }
        }
        __syncthreads();  // the samples are overwritten in the next round
    }
    if (k > last) return;
    out_re[k] = re_cos - im_sin;
    out_im[k] = re_sin + im_cos;
    int partner = n - k;  // its factors are the conjugates: the sine terms change sign
    if (k > 0 && partner > last) {
        out_re[partner] = re_cos + im_sin;
        out_im[partner] = im_cos - re_sin;
    }
}

extern "C" void dft(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    float2* table = nullptr;
    cudaMalloc(&table, n * sizeof(float2));
    fill_table<<<(n - 1) / kThreads + 1, kThreads>>>(n, table);
    dft_kernel<<<(n / 2) / kThreads + 1, kThreads>>>(n, table, in_re, in_im, out_re, out_im);
    cudaFree(table);
}
