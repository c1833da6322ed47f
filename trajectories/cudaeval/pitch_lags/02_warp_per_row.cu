// Fundamental periods: one warp a frame. Lanes share the 256 terms of a difference and walk over the lags together.
#include <cuda_runtime.h>

constexpr int kWarps = 4;

__device__ int difference(const short* x, int t, int lane) {
    int sum = 0;
    for (int n = lane; n < 256; n += 32) sum += abs(x[n] - x[n + t]);
    for (int gap = 16; gap > 0; gap /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, gap);
    return sum;
}

__global__ void find(int frames, int lags, const short* __restrict__ signal, int* __restrict__ lag) {
    int f = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (f >= frames) return;
    const short* x = signal + 128LL * f;
    long long total = 0;
    int smallest = 0x7fffffff, best = 16;
    for (int t = 1; t <= lags; ++t) {
        int here = difference(x, t, lane);
        total += here;
        if (t < 16) continue;
        if (100LL * t * here < 93 * total) {
            for (best = t; best < lags; ++best) {
                int next = difference(x, best + 1, lane);
                if (next >= here) break;
                here = next;
            }
            break;
        }
        if (here < smallest) {
            smallest = here;
            best = t;
        }
    }
    if (lane == 0) lag[f] = best;
}

extern "C" void pitch_lags(int frames, int lags, const short* signal, int* lag) {
    if (frames > 0) find<<<(frames + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(frames, lags, signal, lag);
}
