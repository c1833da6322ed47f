// Equaliser: a block has a symbol; its threads take carriers side by side and add the power up by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

struct Carrier {
    double re, im;
};

__global__ void judge(int carriers, double noise, const Carrier* h, uint8_t* weak) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < carriers) weak[c] = h[c].re * h[c].re + h[c].im * h[c].im < noise;
}

__global__ void equalise(int symbols, int carriers, double noise, const Carrier* h, const Carrier* x, Carrier* y, double* power, const uint8_t* weak) {
    __shared__ double part[8];
    const int s = blockIdx.x;
    double sum = 0.0;
    for (int c = threadIdx.x; c < carriers; c += 256) {
        const size_t at = (size_t)s * carriers + c;
        const double size = h[c].re * h[c].re + h[c].im * h[c].im + noise;
        Carrier out = {0.0, 0.0};
        if (!weak[c]) out = {(x[at].re * h[c].re + x[at].im * h[c].im) / size, (x[at].im * h[c].re - x[at].re * h[c].im) / size};
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
    judge<<<(carriers + 255) / 256, 256>>>(carriers, noise, h, weak);
    equalise<<<symbols, 256>>>(symbols, carriers, noise, h, x, y, power, weak);
}
