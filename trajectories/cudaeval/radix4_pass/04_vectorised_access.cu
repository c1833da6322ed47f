// Radix-4 pass: the four outputs of a butterfly are two 16-byte stores.
#include <cuda_runtime.h>

struct alignas(8) Cf {
    float re, im;
};

__device__ Cf times(Cf a, Cf w) { return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re}; }

__global__ void pass(int batch, int quarter, const Cf* __restrict__ x, Cf* __restrict__ y) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (k >= quarter) return;
    const Cf* in = x + (size_t)b * 4 * quarter + k;
    Cf* out = y + (size_t)b * 4 * quarter + 4 * k;
    const Cf p = in[0], q = in[quarter], r = in[2 * quarter], s = in[3 * quarter];
    const Cf even = {p.re + r.re, p.im + r.im}, odd = {p.re - r.re, p.im - r.im}, sum = {q.re + s.re, q.im + s.im};
    const Cf cross = {q.im - s.im, s.re - q.re};
    Cf w;
    sincospif(-0.5f * (float)k / (float)quarter, &w.im, &w.re);
    const Cf w2 = times(w, w), w3 = times(w2, w);
    const Cf second = times({odd.re + cross.re, odd.im + cross.im}, w), third = times({even.re - sum.re, even.im - sum.im}, w2);
    const Cf fourth = times({odd.re - cross.re, odd.im - cross.im}, w3);
    float4* pairs = reinterpret_cast<float4*>(out);
    pairs[0] = make_float4(even.re + sum.re, even.im + sum.im, second.re, second.im);
    pairs[1] = make_float4(third.re, third.im, fourth.re, fourth.im);
}

extern "C" void radix4_pass(int batch, int quarter, const Cf* x, Cf* y) {
    for (int b = 0; b < batch; b += 65535)
        pass<<<dim3((quarter + 127) / 128, min(batch - b, 65535)), 128>>>(batch, quarter, x + (size_t)b * 4 * quarter,
                                                                         y + (size_t)b * 4 * quarter);
}
