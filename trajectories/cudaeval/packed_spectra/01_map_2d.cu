// Real spectra from packed transforms: one bin a thread, rows along y.
#include <cuda_runtime.h>

__global__ void untangle(int n, float half, const float2* __restrict__ packed, float2* __restrict__ spectrum) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k > n) return;
    const float2* row = packed + (size_t)blockIdx.y * n;
    const float2 here = row[k == n ? 0 : k], there = row[k == 0 ? 0 : n - k];
    float sine, cosine;
    sincospif((float)k / n, &sine, &cosine);
    const float even_re = here.x + there.x, even_im = here.y - there.y;
    const float odd_re = here.y + there.y, odd_im = there.x - here.x;
    spectrum[(size_t)blockIdx.y * (n + 1) + k] = make_float2(half * (even_re + cosine * odd_re + sine * odd_im),
                                                             half * (even_im + cosine * odd_im - sine * odd_re));
}

extern "C" void packed_spectra(int rows, int n, float scale, const float* packed, float* spectrum) {
    untangle<<<dim3(n / 128 + 1, rows), 128>>>(n, 0.5f * scale, (const float2*)packed, (float2*)spectrum);
}
