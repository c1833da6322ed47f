// Levinson-Durbin recursions: one warp a frame. Lane j has coefficient j; the mirrored ones come by shuffles, and nothing but the first
// load and the last store touches memory.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void solve(int frames, int order, const float* __restrict__ energy, const float* __restrict__ lag, float* __restrict__ filter,
                      float* __restrict__ residue) {
    int f = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (f >= frames) return;
    float r = lane < order ? lag[(long long)f * order + lane] : 0.0f, a = 0.0f, error = energy[f];
    for (int m = 0; m < order && error > 0.0f; ++m) {
        float mirrored_r = __shfl_sync(0xffffffffu, r, (m - 1 - lane) & 31), gap = lane < m ? a * mirrored_r : 0.0f;
        for (int step = 16; step > 0; step /= 2) gap += __shfl_xor_sync(0xffffffffu, gap, step);
        gap += __shfl_sync(0xffffffffu, r, m);
        float reflection = -gap / error, mirrored_a = __shfl_sync(0xffffffffu, a, (m - 1 - lane) & 31);
        if (lane < m) a += reflection * mirrored_a;
        if (lane == m) a = reflection;
        error *= 1.0f - reflection * reflection;
    }
    if (lane < order) filter[(long long)f * order + lane] = a;
    if (lane == 0) residue[f] = error;
}

extern "C" void levinson_filters(int frames, int order, const float* energy, const float* lag, float* filter, float* residue) {
    if (frames > 0) solve<<<(frames + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(frames, order, energy, lag, filter, residue);
}
