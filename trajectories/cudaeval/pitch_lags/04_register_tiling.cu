// Fundamental periods: a lane finds the differences at four lags, 32 apart, so that a sample of the window, read once, serves four terms.
#include <cuda_runtime.h>

constexpr int kWarps = 4, kEach = 4;

// From the differences at the lags 1 to `known`, all lanes alike: the answer, or 0 when more lags are needed. `state` remembers.
struct Search {
    long long total;
    int smallest, best, crossing;
};

__device__ int pick(Search& state, const int* d, int from, int known, int lags, int lane) {
    for (int base = from; base <= known && state.crossing == 0; base += 32) {
        int t = base + lane, here = t <= known ? d[t] : 0;
        long long sum = here;
        for (int gap = 1; gap < 32; gap *= 2) {
            long long before = __shfl_up_sync(0xffffffffu, sum, gap);
            if (lane >= gap) sum += before;
        }
        sum += state.total;
        bool allowed = t >= 16 && t <= known;
        unsigned below = __ballot_sync(0xffffffffu, allowed && 100LL * t * here < 93 * sum);
        if (below) state.crossing = base + __ffs(below) - 1;
        int least = allowed ? here : 0x7fffffff, where = t;
        for (int gap = 16; gap > 0; gap /= 2) {
            int other = __shfl_xor_sync(0xffffffffu, least, gap), place = __shfl_xor_sync(0xffffffffu, where, gap);
            if (other < least || (other == least && place < where)) {
                least = other;
                where = place;
            }
        }
        if (least < state.smallest) {
            state.smallest = least;
            state.best = where;
        }
        state.total = __shfl_sync(0xffffffffu, sum, 31);
    }
    if (state.crossing == 0) return known == lags ? state.best : 0;
    while (state.crossing < known && d[state.crossing + 1] < d[state.crossing]) ++state.crossing;
    return state.crossing < known || known == lags ? state.crossing : 0;
}

__global__ void find(int frames, int lags, const short* __restrict__ signal, int* __restrict__ lag) {
    __shared__ int samples[kWarps][256 + 256 + 32], differences[kWarps][32 * kEach * 2 + 1];
    int f = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (f >= frames) return;
    int *x = samples[threadIdx.y], *d = differences[threadIdx.y];
    for (int n = lane; n < 256 + 256 + 32; n += 32) x[n] = n < 256 + lags ? signal[128LL * f + n] : 0;
    __syncwarp();
    Search state = {0, 0x7fffffff, 16, 0};
    int answer = 0;
    for (int known = 0; answer == 0;) {
        int from = known + 1, sum[kEach] = {};
        const int* shifted = x + from + lane;
#pragma unroll 4
        for (int n = 0; n < 256; ++n) {
            int here = x[n];
#pragma unroll
            for (int i = 0; i < kEach; ++i) sum[i] += abs(here - shifted[n + 32 * i]);
        }
#pragma unroll
        for (int i = 0; i < kEach; ++i) d[from + lane + 32 * i] = sum[i];
        __syncwarp();
        known = min(known + 32 * kEach, lags);
        answer = pick(state, d, from, known, lags, lane);
    }
    if (lane == 0) lag[f] = answer;
}

extern "C" void pitch_lags(int frames, int lags, const short* signal, int* lag) {
    if (frames > 0) find<<<(frames + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(frames, lags, signal, lag);
}
