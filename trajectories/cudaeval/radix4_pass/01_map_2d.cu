// Radix-4 pass: one output a thread, with its own sine and cosine in double precision.
#include <cuda_runtime.h>

struct Cf {
    float re, im;
};

__global__ void pass(int batch, int quarter, const Cf* x, Cf* y) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (at >= 4 * quarter) return;
    const int k = at / 4, m = at % 4;
    const Cf* in = x + (size_t)b * 4 * quarter;
    double re = 0.0, im = 0.0;
    for (int j = 0; j < 4; ++j) {
        const double a = in[k + j * quarter].re, c = in[k + j * quarter].im;
        const int turn = j * m % 4;  // times (-i)^turn
        re += turn == 0 ? a : turn == 1 ? c : turn == 2 ? -a : -c;
        im += turn == 0 ? c : turn == 1 ? -a : turn == 2 ? -c : a;
    }
    const double angle = -2.0 * (double)((long long)k * m) / (4.0 * quarter), cosine = cospi(angle), sine = sinpi(angle);
    y[(size_t)b * 4 * quarter + at] = {(float)(re * cosine - im * sine), (float)(re * sine + im * cosine)};
}

extern "C" void radix4_pass(int batch, int quarter, const Cf* x, Cf* y) {
    for (int b = 0; b < batch; b += 65535)
        pass<<<dim3((4 * quarter + 255) / 256, min(batch - b, 65535)), 256>>>(batch, quarter, x + (size_t)b * 4 * quarter,
                                                                             y + (size_t)b * 4 * quarter);
}
