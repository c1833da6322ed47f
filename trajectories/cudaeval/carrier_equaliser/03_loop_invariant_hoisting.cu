// Equaliser: a carrier's factor conj(h) / (|h|^2 + noise), zero where it is weak, is made once; numbers are 16-byte loads.
#include <cuda_runtime.h>

#include <cstdint>

struct alignas(16) Carrier {
    double re, im;
};

__global__ void judge(int carriers, double noise, const Carrier* h, Carrier* factor, uint8_t* weak) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= carriers) return;
    const Carrier own = h[c];
    const double size = own.re * own.re + own.im * own.im, inverse = size < noise ? 0.0 : 1.0 / (size + noise);
    weak[c] = size < noise;
    factor[c] = {own.re * inverse, own.im * inverse};
}

__global__ void equalise(int carriers, const Carrier* __restrict__ factor, const Carrier* __restrict__ x, Carrier* __restrict__ y, double* power) {
    __shared__ double part[8];
    const int s = blockIdx.x;
    double sum = 0.0;
    for (int c = threadIdx.x; c < carriers; c += 256) {
        const size_t at = (size_t)s * carriers + c;
        const Carrier in = x[at], f = factor[c], out = {in.re * f.re + in.im * f.im, in.im * f.re - in.re * f.im};
        y[at] = out;
        sum += out.re * out.re + out.im * out.im;
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    power[s] = sum;
}

extern "C" void carrier_equaliser(int symbols, int carriers, double noise, const Carrier* h, const Carrier* x, Carrier* y, double* power,
                                  uint8_t* weak) {
    Carrier* factor = nullptr;
    cudaMallocAsync(&factor, sizeof(Carrier) * carriers, 0);
    judge<<<(carriers + 255) / 256, 256>>>(carriers, noise, h, factor, weak);
    equalise<<<symbols, 256>>>(carriers, factor, x, y, power);
    cudaFreeAsync(factor, 0);
}
