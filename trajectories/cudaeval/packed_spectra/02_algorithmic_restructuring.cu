// Real spectra from packed transforms: a thread makes the bins k and n - k, which need the same two values and the same angle.
#include <cuda_runtime.h>

__global__ void untangle(int n, float half, const float2* __restrict__ packed, float2* __restrict__ spectrum) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k > n / 2) return;
    const float2* row = packed + (size_t)blockIdx.y * n;
    const float2 here = row[k], there = row[k == 0 ? 0 : n - k];
    float sine, cosine;
    sincospif((float)k / n, &sine, &cosine);
    const float even_re = here.x + there.x, even_im = here.y - there.y;
    const float odd_re = here.y + there.y, odd_im = there.x - here.x;
    const float turned_re = cosine * odd_re + sine * odd_im, turned_im = cosine * odd_im - sine * odd_re;
    float2* out = spectrum + (size_t)blockIdx.y * (n + 1);
    out[k] = make_float2(half * (even_re + turned_re), half * (even_im + turned_im));
    out[n - k] = make_float2(half * (even_re - turned_re), half * (turned_im - even_im));
}

extern "C" void packed_spectra(int rows, int n, float scale, const float* packed, float* spectrum) {
    untangle<<<dim3(n / 2 / 128 + 1, rows), 128>>>(n, 0.5f * scale, (const float2*)packed, (float2*)spectrum);
}
