// Fourier sums over scattered points: a block has 32 modes, its eight warps share the points, and partial sums meet in shared memory; one
// thread a mode does not fill the device.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void add(int points, int modes, const double* __restrict__ place, const float* __restrict__ weight, float* __restrict__ mode) {
    __shared__ double all_re[kWarps][32], all_im[kWarps][32];
    int lane = threadIdx.x, warp = threadIdx.y, k = blockIdx.x * 32 + lane;
    double re = 0.0, im = 0.0;
    for (int j = warp; j < points; j += kWarps) {
        double turns = k * place[j], sine, cosine;
        turns -= floor(turns);
        sincospi(2.0 * turns, &sine, &cosine);
        re += weight[j] * cosine;
        im -= weight[j] * sine;
    }
    all_re[warp][lane] = re;
    all_im[warp][lane] = im;
    __syncthreads();
    if (warp > 0 || k >= modes) return;
    for (int w = 1; w < kWarps; ++w) {
        re += all_re[w][lane];
        im += all_im[w][lane];
    }
    mode[2 * k] = (float)re;
    mode[2 * k + 1] = (float)im;
}

extern "C" void mode_sums(int points, int modes, const double* place, const float* weight, float* mode) {
    if (modes > 0) add<<<(modes + 31) / 32, dim3(32, kWarps)>>>(points, modes, place, weight, mode);
}
