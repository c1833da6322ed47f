// Radix-4 pass: sums and factors in single precision, as inputs and outputs are.
#include <cuda_runtime.h>

struct Cf {
    float re, im;
};

__global__ void pass(int batch, int quarter, const Cf* x, Cf* y) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (at >= 4 * quarter) return;
    const int k = at / 4, m = at % 4;
    const Cf* in = x + (size_t)b * 4 * quarter;
    float re = 0.0f, im = 0.0f;
    for (int j = 0; j < 4; ++j) {
        const float a = in[k + j * quarter].re, c = in[k + j * quarter].im;
        const int turn = j * m % 4;  // times (-i)^turn
        re += turn == 0 ? a : turn == 1 ? c : turn == 2 ? -a : -c;
        im += turn == 0 ? c : turn == 1 ? -a : turn == 2 ? -c : a;
    }
    float sine, cosine;
    sincospif(-0.5f * (float)(k * m) / (float)quarter, &sine, &cosine);
    y[(size_t)b * 4 * quarter + at] = {re * cosine - im * sine, re * sine + im * cosine};
}

extern "C" void radix4_pass(int batch, int quarter, const Cf* x, Cf* y) {
    for (int b = 0; b < batch; b += 65535)
        pass<<<dim3((4 * quarter + 255) / 256, min(batch - b, 65535)), 256>>>(batch, quarter, x + (size_t)b * 4 * quarter,
                                                                             y + (size_t)b * 4 * quarter);
}
