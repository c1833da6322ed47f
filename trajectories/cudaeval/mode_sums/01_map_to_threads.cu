// Fourier sums over scattered points: one thread a mode.
#include <cuda_runtime.h>

__global__ void add(int points, int modes, const double* place, const float* weight, float* mode) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= modes) return;
    double re = 0.0, im = 0.0;
    for (int j = 0; j < points; ++j) {
        double turns = k * place[j], sine, cosine;
        turns -= floor(turns);
        sincospi(2.0 * turns, &sine, &cosine);
        re += weight[j] * cosine;
        im -= weight[j] * sine;
    }
    mode[2 * k] = (float)re;
    mode[2 * k + 1] = (float)im;
}

extern "C" void mode_sums(int points, int modes, const double* place, const float* weight, float* mode) {
    if (modes > 0) add<<<(modes + 127) / 128, 128>>>(points, modes, place, weight, mode);
}
