// A filter bank of 32 channels: one warp a frame. Each lane filters one branch, and the branches meet in shared memory.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void split(int frames, const float* signal, const float* prototype, float* out) {
    __shared__ float branch[kWarps][64];
    int lane = threadIdx.x, f = blockIdx.x * kWarps + threadIdx.y;
    if (f >= frames) return;
    const float* in = signal + (long long)f * 64;
    float x = 0.0f, y = 0.0f;
    for (int t = 0; t < 8; ++t) {
        x += prototype[32 * t + lane] * in[2 * (32 * t + lane)];
        y += prototype[32 * t + lane] * in[2 * (32 * t + lane) + 1];
    }
    float* own = branch[threadIdx.y];
    own[2 * lane] = x;
    own[2 * lane + 1] = y;
    __syncwarp();
    float re = 0.0f, im = 0.0f;
    for (int m = 0; m < 32; ++m) {
        float sine, cosine;
        sincospif(-(lane * m % 32) / 16.0f, &sine, &cosine);
        re += own[2 * m] * cosine - own[2 * m + 1] * sine;
        im += own[2 * m] * sine + own[2 * m + 1] * cosine;
    }
    out[64LL * f + 2 * lane] = re;
    out[64LL * f + 2 * lane + 1] = im;
}

extern "C" void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    if (frames > 0) split<<<(frames + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(frames, signal, prototype, out);
}
