// Fourier sums over scattered points: a thread has four modes, 32 apart. Their waves at a point follow from the first one by turns of
// exp(-2 pi i 32 place): a lane finds that of one point in 32 and hands it round, and functions are evaluated once for four modes.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kEach = 4;

__global__ void add(int points, int modes, const double* __restrict__ place, const float* __restrict__ weight, float* __restrict__ mode) {
    __shared__ float all_re[kWarps][kEach][32], all_im[kWarps][kEach][32];
    int lane = threadIdx.x, warp = threadIdx.y, k = blockIdx.x * 32 * kEach + lane;
    float re[kEach] = {}, im[kEach] = {};
    for (int first = warp * 32; first < points; first += kWarps * 32) {
        int own = min(first + lane, points - 1), count = min(32, points - first);
        double here = place[own], step = 32.0 * here;
        float heavy = weight[own], own_c, own_s;
        sincospif(2.0f * (float)(step - rint(step)), &own_s, &own_c);
        for (int i = 0; i < count; ++i) {
            double turns = k * __shfl_sync(0xffffffffu, here, i);
            float w = __shfl_sync(0xffffffffu, heavy, i), c = __shfl_sync(0xffffffffu, own_c, i), s = __shfl_sync(0xffffffffu, own_s, i);
            float sine, cosine;
            sincospif(2.0f * (float)(turns - rint(turns)), &sine, &cosine);
            float x = w * cosine, y = -w * sine;
#pragma unroll
            for (int e = 0; e < kEach; ++e) {
                re[e] += x;
                im[e] += y;
                float next = x * c + y * s;
                y = y * c - x * s;
                x = next;
            }
        }
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        all_re[warp][e][lane] = re[e];
        all_im[warp][e][lane] = im[e];
    }
    __syncthreads();
    if (warp >= kEach || k + 32 * warp >= modes) return;
    float x = 0.0f, y = 0.0f;
    for (int w = 0; w < kWarps; ++w) {
        x += all_re[w][warp][lane];
        y += all_im[w][warp][lane];
    }
    mode[2 * (k + 32 * warp)] = x;
    mode[2 * (k + 32 * warp) + 1] = y;
}

extern "C" void mode_sums(int points, int modes, const double* place, const float* weight, float* mode) {
    if (modes > 0) add<<<(modes + 32 * kEach - 1) / (32 * kEach), dim3(32, kWarps)>>>(points, modes, place, weight, mode);
}
