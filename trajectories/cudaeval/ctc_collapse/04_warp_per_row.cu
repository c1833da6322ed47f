// Greedy decoding: a warp a frame reads its scores in one piece; of equal ones the lowest class wins, as in sequence.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void choose(long long rows, int classes, const float* __restrict__ score, int* __restrict__ best) {
    long long row = (long long)blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* frame = score + row * classes;
    int at = min(lane, classes - 1);
    float most = frame[at];
    for (int c = lane + 32; c < classes; c += 32) {
        float value = frame[c];
        if (value > most) {
            most = value;
            at = c;
        }
    }
    for (int gap = 16; gap > 0; gap /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, most, gap);
        int where = __shfl_xor_sync(0xffffffffu, at, gap);
        if (other > most || (other == most && where < at)) {
            most = other;
            at = where;
        }
    }
    if (lane == 0) best[row] = at;
}

// One block a sequence: frames are taken 256 at a time, and a place is the number of labels before it, by votes of the warps.
__global__ void collapse(int frames, const int* __restrict__ best, int* __restrict__ label, int* __restrict__ length) {
    __shared__ int counts[kThreads / 32];
    const int* in = best + (long long)blockIdx.x * frames;
    int* out = label + (long long)blockIdx.x * frames;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, written = 0;
    for (int first = 0; first < frames; first += kThreads) {
        int t = first + threadIdx.x, now = t < frames ? in[t] : 0, before = t > 0 && t < frames ? in[t - 1] : 0;
        bool kept = now != 0 && now != before;
        unsigned vote = __ballot_sync(0xffffffffu, kept);
        if (lane == 0) counts[warp] = __popc(vote);
        __syncthreads();
        int place = written + __popc(vote & ((1u << lane) - 1));
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) place += counts[w];
            written += counts[w];
        }
        if (kept) out[place] = now;
        __syncthreads();
    }
    if (threadIdx.x == 0) length[blockIdx.x] = written;
    for (int t = written + threadIdx.x; t < frames; t += kThreads) out[t] = -1;
}

extern "C" void ctc_collapse(int sequences, int frames, int classes, const float* score, int* label, int* length) {
    long long rows = (long long)sequences * frames;
    if (rows <= 0) return;
    int* best = nullptr;
    cudaMalloc(&best, rows * sizeof(int));
    choose<<<(unsigned)((rows * 32 + kThreads - 1) / kThreads), kThreads>>>(rows, classes, score, best);
    collapse<<<sequences, kThreads>>>(frames, best, label, length);
    cudaFree(best);
}
